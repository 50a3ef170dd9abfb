#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/bodies.h"

/* Armature, hips; then upper leg, twist, lower leg, foot and toes of each side. */
enum { HIPS = 1, LEG = 2, UPPER = 0, TWIST, LOWER, FOOT, TOES, LEG_JOINTS };

static uint32_t joint_of(int side, int joint) {
    return (uint32_t)(LEG + side * LEG_JOINTS + joint);
}

typedef struct placed {
    sn_dquat rotation;
    sn_dvec3 position;
} placed;

static sn_dvec3 moved(sn_dvec3 from, double x, double y, double z) {
    return sn_dvec3_add(from, (sn_dvec3){x, y, z});
}

static sn_dquat dquat(const float q[4]) {
    return (sn_dquat){(double)q[0], (double)q[1], (double)q[2], (double)q[3]};
}

static double between(test_random *random, double low, double high) {
    return (double)test_random_between(random, (float)low, (float)high);
}

test_body_shape test_body_shape_random(test_random *random) {
    double leg = between(random, 0.4, 1.2), ball = between(random, 0.12, 0.18) * leg;
    test_body_shape shape = {.thigh = leg * between(random, 0.45, 0.55),
                             .ankle_height = leg * between(random, 0.06, 0.12),
                             .toe_height = leg * between(random, 0.01, 0.03),
                             .spread = leg * between(random, 0.15, 0.35),
                             .facing = test_random_below(random, 2) ? 1 : -1,
                             .knee = leg * between(random, 0.005, 0.05),
                             .has_toes = test_random_below(random, 4) > 0,
                             .has_twist = test_random_below(random, 3) == 0};
    shape.shin = leg - shape.thigh;
    shape.sole = (sn_feet_shape){.floor = (float)between(random, -1, 1),
                                 .heel = (float)(ball * between(random, 0.2, 0.5)),
                                 .ball = (float)ball,
                                 .toes = (float)(ball * between(random, 0.4, 0.7)),
                                 .breadth = (float)(ball * between(random, 0.3, 0.7))};
    return shape;
}

static void store(sn_transform *out, const placed *parent, const placed *joint) {
    sn_dquat back = sn_dquat_conjugate(parent->rotation);
    sn_dquat q = sn_dquat_unit(sn_dquat_multiply(back, joint->rotation));
    *out = sn_transform_identity();
    out->rotation[0] = (float)q.x, out->rotation[1] = (float)q.y;
    out->rotation[2] = (float)q.z, out->rotation[3] = (float)q.w;
    sn_dvec3 offset = sn_dvec3_subtract(joint->position, parent->position);
    test_store3(out->translation, sn_dquat_rotate(back, offset));
}

static void store_all(const test_body *body, const placed *model, sn_transform *out) {
    static const placed origin = {{0, 0, 0, 1}, {0, 0, 0}};
    for (uint32_t j = 0; j < TEST_BODY_JOINTS; j++)
        store(&out[j], j ? &model[body->parents[j]] : &origin, &model[j]);
}

static void set_humanoid(test_body *body) {
    sn_humanoid *h = &body->humanoid;
    for (int i = 0; i < SN_HUMAN_BONE_COUNT; i++)
        h->joints[i] = SN_NONE;
    h->facing = (float)body->shape.facing;
    h->joints[SN_HUMAN_HIPS] = HIPS;
    for (int side = 0; side < 2; side++) {
        uint32_t *bones = h->joints + side * (int)SN_HUMAN_SIDE;
        bones[SN_HUMAN_LEFT_UPPER_LEG] = joint_of(side, UPPER);
        bones[SN_HUMAN_LEFT_LOWER_LEG] = joint_of(side, LOWER);
        bones[SN_HUMAN_LEFT_FOOT] = joint_of(side, FOOT);
        bones[SN_HUMAN_LEFT_TOES] = body->shape.has_toes ? joint_of(side, TOES) : SN_NONE;
    }
}

void test_body_make(test_body *body, const test_body_shape *shape, test_random *random) {
    memset(body, 0, sizeof *body);
    body->shape = *shape;
    placed model[TEST_BODY_JOINTS];
    for (uint32_t j = 0; j < TEST_BODY_JOINTS; j++) {
        float q[4] = {0, 0, 0, 1};
        if (!shape->is_plain)
            test_random_quat(random, q);
        model[j].rotation = dquat(q);
        body->parents[j] = j ? j - 1 : SN_NONE;
    }
    double floor = (double)shape->sole.floor, f = shape->facing;
    double half = shape->knee / 2, upper = sqrt(shape->thigh * shape->thigh - half * half);
    double lower = sqrt(shape->shin * shape->shin - half * half);
    double height = shape->ankle_height + upper + lower;
    model[0].position = (sn_dvec3){0, floor, 0};
    model[HIPS].position = (sn_dvec3){0, floor + height * 1.05, 0};
    for (int side = 0; side < 2; side++) {
        placed *leg = &model[joint_of(side, 0)];
        sn_dvec3 ankle = {f * (side ? -1 : 1) * shape->spread / 2, floor + shape->ankle_height, 0};
        leg[UPPER].position = moved(ankle, 0, lower + upper, 0);
        leg[LOWER].position = moved(ankle, 0, lower, f * half);
        leg[TWIST].position = sn_dvec3_scale(sn_dvec3_add(leg[UPPER].position, leg[LOWER].position),
                                             shape->has_twist ? 0.5 : 0);
        leg[FOOT].position = ankle;
        leg[TOES].position =
            moved(ankle, 0, shape->toe_height - shape->ankle_height, f * (double)shape->sole.ball);
        body->parents[joint_of(side, UPPER)] = HIPS;
        if (!shape->has_twist) {
            leg[TWIST] = leg[UPPER];
            body->parents[joint_of(side, LOWER)] = joint_of(side, UPPER);
        }
    }
    store_all(body, model, body->rest);
    memcpy(body->local, body->rest, sizeof body->rest);
    body->joints = (sn_joints){.count = TEST_BODY_JOINTS,
                               .parents = body->parents,
                               .rest = body->rest,
                               .local = body->local,
                               .root = sn_affine_identity()};
    set_humanoid(body);
    body->leg = shape->thigh + shape->shin;
    sn_error error = {0};
    if (sn_feet_set_up(&body->joints, &body->humanoid, &shape->sole, &body->feet, &error) != SN_OK)
        fail_msg("%s", error.text);
}

void test_body_set_root(test_body *body, double yaw, double scale, sn_dvec3 position) {
    sn_transform root = sn_transform_identity();
    root.rotation[1] = (float)sin(yaw / 2);
    root.rotation[3] = (float)cos(yaw / 2);
    for (int c = 0; c < 3; c++)
        root.scale[c] = (float)scale;
    test_store3(root.translation, position);
    body->joints.root = sn_affine_from_transform(&root);
    body->leg = scale * (body->shape.thigh + body->shape.shin);
}

static placed compose(const placed *parent, const sn_transform *local) {
    sn_dvec3 offset = sn_dquat_rotate(parent->rotation, test_dvec3(local->translation));
    return (placed){sn_dquat_multiply(parent->rotation, sn_dquat_unit(dquat(local->rotation))),
                    sn_dvec3_add(parent->position, offset)};
}

static void place_all(const test_body *body, const sn_transform *local, placed *model) {
    static const placed origin = {{0, 0, 0, 1}, {0, 0, 0}};
    for (uint32_t j = 0; j < TEST_BODY_JOINTS; j++)
        model[j] = compose(j ? &model[body->parents[j]] : &origin, &local[j]);
}

test_stance test_stance_rest(void) {
    return (test_stance){.feet = {{0, 0, 0, 1}, {0, 0, 0, 1}}};
}

/* The turn of a bone from rest to between two points, carried by the joints on it. */
static sn_dquat bone_turn(const placed *rest, int from, int to, sn_dvec3 a, sn_dvec3 b) {
    sn_dvec3 before = sn_dvec3_unit(sn_dvec3_subtract(rest[to].position, rest[from].position));
    return sn_dquat_from_to(before, sn_dvec3_unit(sn_dvec3_subtract(b, a)), (sn_dvec3){1, 0, 0});
}

void test_body_pose(test_body *body, const test_stance *stance) {
    placed rest[TEST_BODY_JOINTS], model[TEST_BODY_JOINTS];
    place_all(body, body->rest, rest);
    memcpy(model, rest, sizeof model);
    model[HIPS].position = sn_dvec3_add(rest[HIPS].position, stance->hips);
    for (int side = 0; side < 2; side++) {
        placed *leg = &model[joint_of(side, 0)];
        const placed *before = &rest[joint_of(side, 0)];
        double a = body->shape.thigh, b = body->shape.shin;
        sn_dvec3 hip = sn_dvec3_add(before[UPPER].position, stance->hips);
        sn_dvec3 ankle = sn_dvec3_add(before[FOOT].position, stance->ankles[side]);
        sn_dvec3 line = sn_dvec3_subtract(ankle, hip);
        double length = sn_dvec3_length(line);
        assert_true(length < 0.9999 * (a + b));
        double along = (a * a - b * b + length * length) / (2 * length);
        sn_dvec3 unit = sn_dvec3_scale(line, 1 / length);
        sn_dvec3 ahead = sn_dvec3_unit_across((sn_dvec3){0, 0, body->shape.facing}, unit);
        sn_dvec3 knee = sn_dvec3_add(hip, sn_dvec3_scale(unit, along));
        knee = sn_dvec3_add(knee, sn_dvec3_scale(ahead, sqrt(a * a - along * along)));
        sn_dquat thigh = bone_turn(before, UPPER, LOWER, hip, knee);
        sn_dquat shin = bone_turn(before, LOWER, FOOT, knee, ankle);
        const sn_dquat turns[] = {thigh, thigh, shin, stance->feet[side], stance->feet[side]};
        for (int j = 0; j < LEG_JOINTS; j++)
            leg[j].rotation = sn_dquat_multiply(turns[j], before[j].rotation);
        sn_dvec3 toes = sn_dvec3_subtract(before[TOES].position, before[FOOT].position);
        leg[UPPER].position = hip;
        leg[LOWER].position = knee;
        leg[FOOT].position = ankle;
        leg[TOES].position = sn_dvec3_add(ankle, sn_dquat_rotate(stance->feet[side], toes));
        leg[TWIST].position = hip;
        if (body->shape.has_twist)
            leg[TWIST].position = sn_dvec3_scale(sn_dvec3_add(hip, knee), 0.5);
    }
    store_all(body, model, body->local);
}

static sn_dvec3 to_world(const test_body *body, sn_dvec3 v) {
    const sn_affine *m = &body->joints.root;
    double out[3];
    for (int r = 0; r < 3; r++)
        out[r] = (double)m->m[r][0] * v.x + (double)m->m[r][1] * v.y + (double)m->m[r][2] * v.z +
                 (double)m->m[r][3];
    return (sn_dvec3){out[0], out[1], out[2]};
}

test_body_leg test_body_leg_place(const test_body *body, int side) {
    placed rest[TEST_BODY_JOINTS], model[TEST_BODY_JOINTS];
    place_all(body, body->rest, rest);
    place_all(body, body->local, model);
    const sn_feet_shape *sole = &body->shape.sole;
    test_body_leg out;
    out.hip = to_world(body, model[joint_of(side, UPPER)].position);
    out.knee = to_world(body, model[joint_of(side, LOWER)].position);
    out.ankle = to_world(body, model[joint_of(side, FOOT)].position);
    const double along[] = {-(double)sole->heel, (double)sole->ball,
                            (double)sole->ball + (double)sole->toes};
    for (int part = 0; part < 3; part++)
        for (int i = 0; i < 2; i++) {
            uint32_t j = joint_of(side, part == 2 && body->shape.has_toes ? TOES : FOOT);
            sn_dvec3 corner = rest[joint_of(side, FOOT)].position;
            corner.x += (i ? 0.5 : -0.5) * (double)sole->breadth;
            corner.y = (double)sole->floor;
            corner.z += body->shape.facing * along[part];
            sn_dquat turn =
                sn_dquat_multiply(model[j].rotation, sn_dquat_conjugate(rest[j].rotation));
            sn_dvec3 arm = sn_dquat_rotate(turn, sn_dvec3_subtract(corner, rest[j].position));
            out.corners[part * 2 + i] = to_world(body, sn_dvec3_add(model[j].position, arm));
        }
    return out;
}

sn_dvec3 test_body_hips(const test_body *body) {
    placed model[TEST_BODY_JOINTS];
    place_all(body, body->local, model);
    return to_world(body, model[HIPS].position);
}

sn_feet_output test_body_apply(test_body *body, const sn_feet_job *job) {
    sn_feet_output out;
    sn_error error = {0};
    if (sn_feet_apply(job, &body->joints, &out, &error) != SN_OK)
        fail_msg("%s", error.text);
    return out;
}
