/* The mannequin's skeleton as a model: a human in T-pose whose bones have the names of VRM 1.0. */
#ifndef SN_TESTS_HUMAN_MODEL_H
#define SN_TESTS_HUMAN_MODEL_H

#include "mannequin/skeleton.h"
#include "sinew/humanoid.h"
#include "sinew/model.h"

typedef struct test_human {
    sn_node nodes[JOINT_COUNT];
    sn_model model;
    sn_humanoid bones; /* by node */
} test_human;

/* The model points into it: not to be copied once made. */
void test_human_init(test_human *human);

#endif
