/* A human skeleton for the tests of the rig, in T-pose, whose joints have local axes of any kind.
 */
#ifndef SN_TESTS_PEOPLE_H
#define SN_TESTS_PEOPLE_H

#include "sinew/humanoid.h"
#include "sinew/joints.h"
#include "tests/unit/motion.h"

enum { TEST_PERSON_JOINTS = 64 };

/* The joints point into it: not to be copied once made. */
typedef struct test_person {
    sn_joints joints;
    sn_humanoid humanoid;
    uint32_t parents[TEST_PERSON_JOINTS];
    sn_transform rest[TEST_PERSON_JOINTS], local[TEST_PERSON_JOINTS];
} test_person;

typedef struct test_person_shape {
    float facing;    /* 1 or -1; 0: 1 */
    uint64_t axes;   /* seed of a random rotation for each joint; 0: none is rotated */
    float scale;     /* of the top joint, the lengths below being divided by it; 0: 1 */
    double splay;    /* radians by which the fingers are spread more */
    double relaxed;  /* radians by which each joint of a finger but its first is bent */
    bool lacks_tips; /* the last joints of the fingers are missing */
    bool lacks_fingers;
} test_person_shape;

void test_person_make(test_person *person, const test_person_shape *shape);

/* World position of a bone, of the pose or the rest. */
void test_person_place(const test_person *person, sn_human_bone bone, double out[3]);

#endif
