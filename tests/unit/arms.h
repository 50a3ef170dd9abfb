/* Arms of test figures, set up and solved. */
#ifndef SN_TESTS_ARMS_H
#define SN_TESTS_ARMS_H

#include "sinew/arm.h"
#include "tests/unit/figures.h"
#include "tests/unit/limbs.h"

#define TEST_ARM_LENGTH 0.54 /* of a test figure, metres */

/* Not to be copied once made. */
typedef struct test_arm {
    test_figure figure;
    sn_arm_bones bones;
    sn_arm arm;
    sn_arm_options options;
    sn_arm_job job;
} test_arm;

void test_arm_make(test_arm *arm, const test_figure_shape *shape, sn_limb_kind kind);

/* Of random axes, rest pose and side, facing either way, with twist joints or without. */
void test_arm_random(test_arm *arm, test_random *random);

/* Spine, clavicle and arm of the pose turned at random, by up to `most` radians each. */
void test_arm_shake(test_arm *arm, test_random *random, float most);

/* Fails the test where that is an error. */
sn_arm_output test_arm_solve(test_arm *arm);

sn_dvec3 test_arm_position(const test_arm *arm, uint32_t joint); /* world */
sn_dvec3 test_arm_grip(const test_arm *arm);                     /* the same, of the job's grip */
sn_dquat test_arm_hand(const test_arm *arm);                     /* rotation, world */

/* Out, up and forward of the arm's side. */
sn_dvec3 test_arm_body(const test_arm *arm, double out, double up, double forward);

/* Sets the target at that place from the upper arm's joint in the pose. */
void test_arm_target(test_arm *arm, sn_dvec3 from_shoulder);

#endif
