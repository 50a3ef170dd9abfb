/* Heads for the tests of gazes: chest, neck, head, eyes with rest rotations of their own, facing +z
 * or -z, and where they look: in double, with nothing of the library's but sn_joints_world. */
#ifndef SN_TESTS_HEADS_H
#define SN_TESTS_HEADS_H

#include "sinew/look_at.h"
#include "tests/unit/limbs.h"

enum { TEST_CHEST, TEST_NECK, TEST_HEAD, TEST_LEFT_EYE, TEST_RIGHT_EYE, TEST_HEAD_JOINTS };

/* Points into itself: not to be copied once made. */
typedef struct test_head {
    sn_transform rest[TEST_HEAD_JOINTS], pose[TEST_HEAD_JOINTS];
    sn_joints joints;
    sn_humanoid humanoid;
    sn_look_at rig;
} test_head;

/* The head's joint at 1.4 m; with `random`, every joint has a rest rotation at random. A model that
 * faces -z stands under a root turned by half, as viewers of VRM 0.x have it. */
void test_head_make(test_head *head, float facing, test_random *random,
                    const sn_look_at_options *options);

/* A direction of the rest model (its front: {0, 0, facing}) as the joint has turned it, world. */
sn_dvec3 test_head_turned(const test_head *head, uint32_t joint, sn_dvec3 rest_direction);

/* World rotation about an axis before the pose's. */
void test_head_turn_joint(test_head *head, uint32_t joint, sn_dvec3 axis, double angle);

double test_degrees(double radians);
double test_radians(double degrees);

#endif
