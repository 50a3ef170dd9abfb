#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/motion.h"

/* SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014). */
uint32_t test_random_bits(test_random *random) {
    uint64_t z = (random->state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (uint32_t)(z >> 32);
}

uint32_t test_random_below(test_random *random, uint32_t bound) {
    return (uint32_t)(((uint64_t)test_random_bits(random) * bound) >> 32);
}

float test_random_between(test_random *random, float low, float high) {
    double unit = (double)test_random_bits(random) / 4294967296.0;
    return (float)((double)low + ((double)high - (double)low) * unit);
}

void test_random_quat(test_random *random, float out[4]) {
    double length;
    do {
        length = 0;
        for (int i = 0; i < 4; i++) {
            out[i] = test_random_between(random, -1, 1);
            length += (double)out[i] * (double)out[i];
        }
    } while (length > 1 || length < 0.01);
    for (int i = 0; i < 4; i++)
        out[i] = (float)((double)out[i] / sqrt(length));
}

sn_transform test_random_transform(test_random *random) {
    sn_transform out;
    test_random_quat(random, out.rotation);
    for (int i = 0; i < 3; i++) {
        out.translation[i] = test_random_between(random, -1, 1);
        out.scale[i] = test_random_between(random, 0.5f, 1.5f);
    }
    return out;
}

test_forest test_forest_make(test_random *random, uint32_t node_count) {
    test_forest forest = {node_count, malloc(node_count * sizeof(uint32_t)),
                          malloc(node_count * sizeof(sn_transform))};
    uint32_t *order = malloc(node_count * sizeof *order);
    assert_true(forest.parents && forest.rest && order);
    for (uint32_t i = 0; i < node_count; i++) {
        uint32_t j = test_random_below(random, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    for (uint32_t i = 0; i < node_count; i++) {
        bool is_root = i == 0 || test_random_below(random, 20) == 0;
        uint32_t near = i < 5 ? i : 5; /* near ones make chains, far ones make wide levels */
        uint32_t before = test_random_below(random, 2) ? i : near;
        forest.parents[order[i]] =
            is_root ? SN_NONE : order[i - 1 - test_random_below(random, before)];
        forest.rest[order[i]] = test_random_transform(random);
    }
    free(order);
    return forest;
}

void test_forest_free(test_forest *forest) {
    free(forest->parents);
    free(forest->rest);
}

sn_skeleton *test_forest_skeleton(const test_forest *forest, sn_kernel kernel) {
    sn_skeleton_desc desc = {.node_count = forest->node_count,
                             .parents = forest->parents,
                             .rest = forest->rest,
                             .kernel = kernel};
    sn_skeleton *skeleton = NULL;
    assert_int_equal(sn_skeleton_create(&desc, NULL, &skeleton, NULL), SN_OK);
    return skeleton;
}

size_t test_kernels(sn_kernel out[3]) {
    size_t count = 0;
    for (int kernel = SN_KERNEL_SCALAR; kernel <= SN_KERNEL_AVX2; kernel++)
        if (sn_kernel_name((sn_kernel)kernel)[0])
            out[count++] = (sn_kernel)kernel;
    return count;
}

void *test_aligned(size_t bytes) {
    void *block = aligned_alloc(64, (bytes + 127) / 64 * 64);
    assert_non_null(block);
    memset(block, 0xA5, bytes); /* what is not written shows */
    return block;
}

void test_aligned_free(void *block) {
    free(block);
}
