/* Bodies with two legs for the tests of feet, and where the corners of their soles are: in double,
 * by the definition of a node's matrix (glTF 2.0, 3.5.3), with nothing of the solver. */
#ifndef SN_TESTS_BODIES_H
#define SN_TESTS_BODIES_H

#include "sinew/feet.h"
#include "tests/unit/limbs.h"

enum { TEST_BODY_JOINTS = 12, TEST_SOLE_CORNERS = 6 };

/* In model space. */
typedef struct test_body_shape {
    double thigh, shin, ankle_height, toe_height, spread; /* metres; spread: between the feet */
    double facing;                                        /* 1: +z, -1: -z */
    double knee;        /* how far before the leg's line, metres */
    sn_feet_shape sole; /* its ball is where the toe joints are */
    bool has_toes, has_twist;
    bool is_plain; /* rest rotations are the identity; if not, random ones */
} test_body_shape;

/* The joints point into it: not to be copied once made. */
typedef struct test_body {
    test_body_shape shape;
    uint32_t parents[TEST_BODY_JOINTS];
    sn_transform rest[TEST_BODY_JOINTS], local[TEST_BODY_JOINTS];
    sn_joints joints;
    sn_humanoid humanoid;
    sn_feet feet;
    double leg; /* length, world */
} test_body;

test_body_shape test_body_shape_random(test_random *random);
void test_body_make(test_body *body, const test_body_shape *shape, test_random *random);

/* The root turns about +y, scales evenly and moves. */
void test_body_set_root(test_body *body, double yaw, double scale, sn_dvec3 position);

/* A pose, model space: the hips and both ankles moved from rest, the feet turned. */
typedef struct test_stance {
    sn_dvec3 hips;
    sn_dvec3 ankles[2];
    sn_dquat feet[2];
} test_stance;

test_stance test_stance_rest(void);
void test_body_pose(test_body *body, const test_stance *stance);

typedef struct test_body_leg {
    sn_dvec3 hip, knee, ankle;
    sn_dvec3 corners[TEST_SOLE_CORNERS]; /* heel, ball, tip; two each */
} test_body_leg;

/* World, of the pose. */
test_body_leg test_body_leg_place(const test_body *body, int side);
sn_dvec3 test_body_hips(const test_body *body);

/* Applies, and fails the test where that is an error. */
sn_feet_output test_body_apply(test_body *body, const sn_feet_job *job);

#endif
