/* Limbs for the tests of inverse kinematics, and where their joints are: in double, by the
 * definition of a node's matrix (glTF 2.0, 3.5.3), with nothing of the solver. */
#ifndef SN_TESTS_LIMBS_H
#define SN_TESTS_LIMBS_H

#include "math/dquat.h"
#include "sinew/two_bone.h"
#include "tests/unit/motion.h"

enum { TEST_LIMB_JOINTS = 5 };

/* The job points into it: not to be copied once made. */
typedef struct test_limb {
    sn_transform joints[TEST_LIMB_JOINTS];
    sn_two_bone_options options;
    sn_two_bone_job job;
    double upper, fore; /* lengths below the root's parent */
} test_limb;

typedef struct test_limb_shape {
    sn_dvec3 upper, fore; /* bones of the base pose in the space of the root's parent, metres */
    sn_dvec3 axis;        /* unit: along the bone in each joint's own space */
    double roll;          /* radians about each bone */
    bool has_twist;       /* a joint half-way along each bone, which is turned about it */
} test_limb_shape;

/* Root at the origin, identity above it, weight 1, a target at the end. */
void test_limb_make(test_limb *limb, const test_limb_shape *shape);

/* An arm of 0.30 and 0.25 m along +X, flexed by 0.3 rad towards +Z. */
void test_limb_arm(test_limb *limb);

typedef struct test_placed {
    sn_dvec3 root, middle, end; /* world */
    double end_axes[3][3];      /* rows of the end's world matrix */
} test_placed;

/* With `out`'s rotations, or those of the base pose where it is NULL. */
test_placed test_limb_place(const test_limb *limb, const sn_two_bone_output *out);

/* Solves, and fails the test where that is an error. */
sn_two_bone_output test_limb_solve(const test_limb *limb);

sn_dvec3 test_dvec3(const float v[3]);
double test_distance(sn_dvec3 a, sn_dvec3 b);
double test_angle(sn_dvec3 a, sn_dvec3 b);                      /* radians */
double test_rotation_angle(const float a[4], const float b[4]); /* radians between rotations */
sn_dvec3 test_random_direction(test_random *random);
void test_store3(float out[3], sn_dvec3 v);
double test_limb_flexion(const test_placed *placed); /* radians from straight */

/* The unit vector from the line root to end to the middle joint. */
sn_dvec3 test_limb_bend(const test_placed *placed);

#endif
