/* A human of joints for the tests of the rig: 1.7 m, every joint with axes of its own. */
#ifndef SN_TESTS_HUMANS_H
#define SN_TESTS_HUMANS_H

#include "math/dquat.h"
#include "sinew/humanoid.h"
#include "sinew/joints.h"
#include "tests/unit/motion.h"

enum { TEST_HUMAN_JOINTS = 40 };

typedef struct test_human_shape {
    float facing;          /* 1: +z, -1: -z */
    double arms_down;      /* radians from a T-pose */
    bool has_twist_joints; /* two along each forearm and each upper arm */
    test_random *random;   /* of the joints' own axes; NULL: all those of the model */
} test_human_shape;

/* `joints` points into it: not to be copied once made. */
typedef struct test_human {
    sn_transform rest[TEST_HUMAN_JOINTS], local[TEST_HUMAN_JOINTS];
    uint32_t parents[TEST_HUMAN_JOINTS];
    sn_joints joints;
    sn_humanoid humanoid;
} test_human;

void test_human_make(test_human *human, const test_human_shape *shape);

uint32_t test_human_joint(const test_human *human, sn_human_bone bone);
sn_dvec3 test_human_position(const test_human *human, sn_human_bone bone); /* world, of the pose */
sn_dquat test_human_rotation(const test_human *human, uint32_t joint);     /* the same */

/* The pose is set to the rest pose. */
void test_human_relax(test_human *human);

#endif
