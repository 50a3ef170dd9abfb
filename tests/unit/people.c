#include "tests/unit/people.h"

#include <math.h>
#include <string.h>

#include "math/dquat.h"

typedef struct place {
    sn_human_bone bone;
    double x, y, z; /* from the parent, metres, T-pose, left side, facing +z */
} place;

/* Measures of an adult man, rounded. */
static const place trunk[] = {
    {SN_HUMAN_HIPS, 0, 0.95, 0},      {SN_HUMAN_SPINE, 0, 0.10, 0},
    {SN_HUMAN_CHEST, 0, 0.13, -0.01}, {SN_HUMAN_UPPER_CHEST, 0, 0.13, -0.01},
    {SN_HUMAN_NECK, 0, 0.13, 0.01},   {SN_HUMAN_HEAD, 0, 0.08, 0.02},
};
static const place side[] = {
    {SN_HUMAN_LEFT_UPPER_LEG, 0.09, -0.05, 0},
    {SN_HUMAN_LEFT_LOWER_LEG, 0, -0.42, 0.01},
    {SN_HUMAN_LEFT_FOOT, 0, -0.40, -0.02},
    {SN_HUMAN_LEFT_TOES, 0, -0.06, 0.13},
    {SN_HUMAN_LEFT_SHOULDER, 0.03, 0.08, 0.01},
    {SN_HUMAN_LEFT_UPPER_ARM, 0.13, 0, -0.01},
    {SN_HUMAN_LEFT_LOWER_ARM, 0.28, 0, 0},
    {SN_HUMAN_LEFT_HAND, 0.26, 0, 0},
    {SN_HUMAN_LEFT_THUMB_METACARPAL, 0.025, -0.012, 0.022},
    {SN_HUMAN_LEFT_THUMB_PROXIMAL, 0.033, -0.010, 0.028},
    {SN_HUMAN_LEFT_THUMB_DISTAL, 0.024, -0.004, 0.020},
    {SN_HUMAN_LEFT_INDEX_PROXIMAL, 0.092, 0.001, 0.026},
    {SN_HUMAN_LEFT_INDEX_INTERMEDIATE, 0.044, 0, 0},
    {SN_HUMAN_LEFT_INDEX_DISTAL, 0.026, 0, 0},
    {SN_HUMAN_LEFT_MIDDLE_PROXIMAL, 0.094, 0.003, 0.004},
    {SN_HUMAN_LEFT_MIDDLE_INTERMEDIATE, 0.047, 0, 0},
    {SN_HUMAN_LEFT_MIDDLE_DISTAL, 0.030, 0, 0},
    {SN_HUMAN_LEFT_RING_PROXIMAL, 0.088, 0.002, -0.017},
    {SN_HUMAN_LEFT_RING_INTERMEDIATE, 0.043, 0, 0},
    {SN_HUMAN_LEFT_RING_DISTAL, 0.028, 0, 0},
    {SN_HUMAN_LEFT_LITTLE_PROXIMAL, 0.080, -0.003, -0.035},
    {SN_HUMAN_LEFT_LITTLE_INTERMEDIATE, 0.033, 0, 0},
    {SN_HUMAN_LEFT_LITTLE_DISTAL, 0.021, 0, 0},
};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

typedef struct builder {
    test_person *person;
    const test_person_shape *shape;
    sn_dquat world[TEST_PERSON_JOINTS]; /* of each joint in the rest pose */
    uint32_t count;
} builder;

static sn_dquat random_rotation(test_random *random) {
    float q[4];
    test_random_quat(random, q);
    return (sn_dquat){(double)q[0], (double)q[1], (double)q[2], (double)q[3]};
}

static void add(builder *b, sn_human_bone bone, uint32_t parent, sn_dvec3 offset,
                test_random *random) {
    test_person *p = b->person;
    uint32_t joint = b->count++;
    sn_dquat identity = {0, 0, 0, 1}, above = parent == SN_NONE ? identity : b->world[parent];
    b->world[joint] = b->shape->axes ? random_rotation(random) : identity;
    double scale = b->shape->scale > 0 ? (double)b->shape->scale : 1;
    sn_dvec3 at = sn_dquat_rotate(sn_dquat_conjugate(above), offset);
    at = sn_dvec3_scale(at, parent == SN_NONE ? 1 : 1 / scale);
    sn_dquat turn = sn_dquat_multiply(sn_dquat_conjugate(above), b->world[joint]);
    p->parents[joint] = parent;
    sn_transform *t = &p->rest[joint];
    *t = sn_transform_identity();
    t->translation[0] = (float)at.x, t->translation[1] = (float)at.y;
    t->translation[2] = (float)at.z;
    t->rotation[0] = (float)turn.x, t->rotation[1] = (float)turn.y;
    t->rotation[2] = (float)turn.z, t->rotation[3] = (float)turn.w;
    for (int i = 0; i < 3 && parent == SN_NONE; i++)
        t->scale[i] = (float)scale;
    p->humanoid.joints[bone] = joint;
}

/* Fingers spread about the upright axis and bend downwards. */
static sn_dvec3 pose_finger(const test_person_shape *shape, sn_human_bone bone, sn_dvec3 offset) {
    uint32_t in_hand = (uint32_t)bone - SN_HUMAN_LEFT_THUMB_METACARPAL;
    if (bone < SN_HUMAN_LEFT_INDEX_PROXIMAL || in_hand % 3 == 0)
        return offset;
    static const double sides[] = {0, 1, 0, -0.6, -1.4};
    double spread = shape->splay * sides[in_hand / 3];
    double bent = shape->relaxed * (in_hand % 3), length = offset.x;
    return (sn_dvec3){length * cos(bent) * cos(spread), -length * sin(bent),
                      length * cos(bent) * sin(spread)};
}

static void add_side(builder *b, uint32_t offset, test_random *random) {
    double facing = b->shape->facing < 0 ? -1 : 1;
    for (size_t i = 0; i < COUNT(side); i++) {
        sn_human_bone bone = side[i].bone;
        bool is_finger = bone >= SN_HUMAN_LEFT_THUMB_METACARPAL;
        bool is_last = (bone - SN_HUMAN_LEFT_THUMB_METACARPAL) % 3 == 2;
        if (is_finger && (b->shape->lacks_fingers || (b->shape->lacks_tips && is_last)))
            continue;
        sn_dvec3 at = pose_finger(b->shape, bone, (sn_dvec3){side[i].x, side[i].y, side[i].z});
        at.x *= offset ? -facing : facing;
        at.z *= facing;
        sn_human_bone parent = sn_human_bone_parent(bone);
        uint32_t own = parent < SN_HUMAN_LEFT_UPPER_LEG ? parent : parent + offset;
        add(b, (sn_human_bone)(bone + offset), b->person->humanoid.joints[own], at, random);
    }
}

void test_person_make(test_person *person, const test_person_shape *shape) {
    memset(person, 0, sizeof *person);
    person->humanoid = sn_humanoid_none();
    person->humanoid.facing = shape->facing < 0 ? -1 : 1;
    builder b = {.person = person, .shape = shape};
    test_random random = {shape->axes};
    for (size_t i = 0; i < COUNT(trunk); i++) {
        sn_human_bone parent = sn_human_bone_parent(trunk[i].bone);
        add(&b, trunk[i].bone, parent == SN_HUMAN_NONE ? SN_NONE : person->humanoid.joints[parent],
            (sn_dvec3){trunk[i].x, trunk[i].y, trunk[i].z * (double)person->humanoid.facing},
            &random);
    }
    add_side(&b, 0, &random);
    add_side(&b, SN_HUMAN_SIDE, &random);
    memcpy(person->local, person->rest, sizeof person->rest);
    person->joints = (sn_joints){.count = b.count,
                                 .parents = person->parents,
                                 .rest = person->rest,
                                 .local = person->local,
                                 .root = sn_affine_identity()};
}

void test_person_place(const test_person *person, sn_human_bone bone, double out[3]) {
    sn_affine world = sn_joints_world(&person->joints, person->humanoid.joints[bone]);
    for (int i = 0; i < 3; i++)
        out[i] = (double)world.m[i][3];
}
