/* A human of joints for the tests of the rig: 1.7 m, every joint with axes of its own. */
#ifndef SN_TESTS_FIGURES_H
#define SN_TESTS_FIGURES_H

#include "math/dquat.h"
#include "sinew/humanoid.h"
#include "sinew/joints.h"
#include "tests/unit/motion.h"

enum { TEST_FIGURE_JOINTS = 40 };

typedef struct test_figure_shape {
    float facing;          /* 1: +z, -1: -z */
    double arms_down;      /* radians from a T-pose */
    bool has_twist_joints; /* two along each forearm and each upper arm */
    test_random *random;   /* of the joints' own axes; NULL: all those of the model */
} test_figure_shape;

/* `joints` points into it: not to be copied once made. */
typedef struct test_figure {
    sn_transform rest[TEST_FIGURE_JOINTS], local[TEST_FIGURE_JOINTS];
    uint32_t parents[TEST_FIGURE_JOINTS];
    sn_joints joints;
    sn_humanoid humanoid;
} test_figure;

void test_figure_make(test_figure *figure, const test_figure_shape *shape);

uint32_t test_figure_joint(const test_figure *figure, sn_human_bone bone);
sn_dvec3 test_figure_position(const test_figure *figure,
                              sn_human_bone bone);                        /* world, of the pose */
sn_dquat test_figure_rotation(const test_figure *figure, uint32_t joint); /* the same */

/* The pose is set to the rest pose. */
void test_figure_relax(test_figure *figure);

#endif
