#include "tests/unit/figures.h"

#include <string.h>

#include "tests/unit/limbs.h"

typedef struct builder {
    test_figure *figure;
    const test_figure_shape *shape;
    sn_dvec3 places[TEST_FIGURE_JOINTS]; /* model space */
    float rotations[TEST_FIGURE_JOINTS][4];
} builder;

static sn_dquat dquat(const float q[4]) {
    return (sn_dquat){(double)q[0], (double)q[1], (double)q[2], (double)q[3]};
}

static uint32_t add(builder *b, uint32_t parent, sn_dvec3 place) {
    test_figure *figure = b->figure;
    uint32_t joint = figure->joints.count++;
    float *q = b->rotations[joint];
    q[3] = 1;
    if (b->shape->random)
        test_random_quat(b->shape->random, q);
    b->places[joint] = place;
    sn_dquat above = {0, 0, 0, 1};
    sn_dvec3 from = {0, 0, 0};
    if (parent != SN_NONE) {
        above = dquat(b->rotations[parent]);
        from = b->places[parent];
    }
    sn_dquat back = sn_dquat_conjugate(above), local = sn_dquat_multiply(back, dquat(q));
    figure->parents[joint] = parent;
    figure->rest[joint] = sn_transform_identity();
    test_store3(figure->rest[joint].translation,
                sn_dquat_rotate(back, sn_dvec3_subtract(place, from)));
    float *rotation = figure->rest[joint].rotation;
    rotation[0] = (float)local.x, rotation[1] = (float)local.y;
    rotation[2] = (float)local.z, rotation[3] = (float)local.w;
    return joint;
}

static uint32_t add_bone(builder *b, uint32_t parent, sn_human_bone bone, sn_dvec3 place) {
    uint32_t joint = add(b, parent, place);
    b->figure->humanoid.joints[bone] = joint;
    return joint;
}

/* Out, up and forward of the body's own side. */
static sn_dvec3 body(const builder *b, double side, double out, double up, double forward) {
    double facing = (double)b->shape->facing;
    return (sn_dvec3){side * facing * out, up, facing * forward};
}

static uint32_t add_along(builder *b, uint32_t parent, sn_dvec3 from, sn_dvec3 to) {
    for (int i = 1; i <= 2 && b->shape->has_twist_joints; i++) {
        sn_dvec3 place = sn_dvec3_add(from, sn_dvec3_scale(sn_dvec3_subtract(to, from), i / 3.0));
        parent = add(b, parent, place);
    }
    return parent;
}

static void add_arm(builder *b, uint32_t chest, double side) {
    int right = side < 0 ? SN_HUMAN_SIDE : 0;
    double down = b->shape->arms_down, c = cos(down), s = -sin(down);
    sn_dvec3 shoulder = body(b, side, 0.03, 1.40, 0), upper = body(b, side, 0.17, 1.42, -0.01);
    sn_dvec3 lower = sn_dvec3_add(upper, body(b, side, 0.29 * c, 0.29 * s, 0));
    sn_dvec3 hand = sn_dvec3_add(lower, body(b, side, 0.25 * c, 0.25 * s, 0));
    uint32_t joint = add_bone(b, chest, (sn_human_bone)(SN_HUMAN_LEFT_SHOULDER + right), shoulder);
    joint = add_bone(b, joint, (sn_human_bone)(SN_HUMAN_LEFT_UPPER_ARM + right), upper);
    joint = add_along(b, joint, upper, lower);
    joint = add_bone(b, joint, (sn_human_bone)(SN_HUMAN_LEFT_LOWER_ARM + right), lower);
    joint = add_along(b, joint, lower, hand);
    joint = add_bone(b, joint, (sn_human_bone)(SN_HUMAN_LEFT_HAND + right), hand);
    sn_dvec3 knuckle = sn_dvec3_add(hand, body(b, side, 0.09 * c, 0.09 * s, 0.03));
    add_bone(b, joint, (sn_human_bone)(SN_HUMAN_LEFT_INDEX_PROXIMAL + right), knuckle);
    knuckle = sn_dvec3_add(hand, body(b, side, 0.09 * c, 0.09 * s, -0.03));
    add_bone(b, joint, (sn_human_bone)(SN_HUMAN_LEFT_LITTLE_PROXIMAL + right), knuckle);
}

static void add_leg(builder *b, uint32_t hips, double side) {
    int right = side < 0 ? SN_HUMAN_SIDE : 0;
    uint32_t joint = add_bone(b, hips, (sn_human_bone)(SN_HUMAN_LEFT_UPPER_LEG + right),
                              body(b, side, 0.09, 0.90, 0));
    joint = add_bone(b, joint, (sn_human_bone)(SN_HUMAN_LEFT_LOWER_LEG + right),
                     body(b, side, 0.09, 0.49, 0));
    add_bone(b, joint, (sn_human_bone)(SN_HUMAN_LEFT_FOOT + right), body(b, side, 0.09, 0.08, 0));
}

void test_figure_make(test_figure *figure, const test_figure_shape *shape) {
    memset(figure, 0, sizeof *figure);
    for (int i = 0; i < SN_HUMAN_BONE_COUNT; i++)
        figure->humanoid.joints[i] = SN_NONE;
    figure->humanoid.facing = shape->facing;
    builder b = {.figure = figure, .shape = shape};
    uint32_t hips = add_bone(&b, SN_NONE, SN_HUMAN_HIPS, (sn_dvec3){0, 0.95, 0});
    uint32_t joint = add_bone(&b, hips, SN_HUMAN_SPINE, (sn_dvec3){0, 1.05, 0});
    joint = add_bone(&b, joint, SN_HUMAN_CHEST, (sn_dvec3){0, 1.17, 0});
    joint = add_bone(&b, joint, SN_HUMAN_UPPER_CHEST, (sn_dvec3){0, 1.29, 0});
    for (int side = 1; side >= -1; side -= 2) {
        add_arm(&b, joint, side);
        add_leg(&b, hips, side);
    }
    figure->joints.parents = figure->parents;
    figure->joints.rest = figure->rest;
    figure->joints.local = figure->local;
    figure->joints.root = sn_affine_identity();
    test_figure_relax(figure);
}

void test_figure_relax(test_figure *figure) {
    memcpy(figure->local, figure->rest, sizeof figure->local);
}

uint32_t test_figure_joint(const test_figure *figure, sn_human_bone bone) {
    return figure->humanoid.joints[bone];
}

sn_dquat test_figure_rotation(const test_figure *figure, uint32_t joint) {
    sn_dquat q = {0, 0, 0, 1};
    for (; joint != SN_NONE; joint = figure->parents[joint])
        q = sn_dquat_multiply(dquat(figure->local[joint].rotation), q);
    return q;
}

sn_dvec3 test_figure_position(const test_figure *figure, sn_human_bone bone) {
    sn_dvec3 p = {0, 0, 0};
    for (uint32_t joint = test_figure_joint(figure, bone); joint != SN_NONE;
         joint = figure->parents[joint]) {
        const sn_transform *t = &figure->local[joint];
        p = sn_dvec3_add(sn_dquat_rotate(dquat(t->rotation), p), test_dvec3(t->translation));
    }
    return p;
}
