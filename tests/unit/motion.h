/* Random but repeatable skeletons, poses and clips for the tests of the runtime. */
#ifndef SN_TESTS_MOTION_H
#define SN_TESTS_MOTION_H

#include "sinew/pose.h"

typedef struct test_random {
    uint64_t state;
} test_random;

uint32_t test_random_bits(test_random *random);
uint32_t test_random_below(test_random *random, uint32_t bound); /* 0 … bound - 1 */
float test_random_between(test_random *random, float low, float high);
void test_random_quat(test_random *random, float out[4]); /* unit length, any direction */
sn_transform test_random_transform(test_random *random);  /* scales 0.5 … 1.5 */

/* A forest of `node_count` nodes in shuffled order, so that parents may come after children. */
typedef struct test_forest {
    uint32_t node_count;
    uint32_t *parents;
    sn_transform *rest;
} test_forest;

test_forest test_forest_make(test_random *random, uint32_t node_count);
void test_forest_free(test_forest *forest);
sn_skeleton *test_forest_skeleton(const test_forest *forest, sn_kernel kernel);

/* The kernels of this machine, the scalar one first. */
size_t test_kernels(sn_kernel out[3]);

/* Memory for a pose or for matrices, aligned to 64; test_aligned_free frees it. */
void *test_aligned(size_t bytes);
void test_aligned_free(void *block);

#endif
