/* Local to world: against products of matrices along each chain, and every kernel bit for bit. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/motion.h"

/* world = local, then the parents one after the other, in double. */
static void world_by_chain(const test_forest *forest, uint32_t node, const sn_affine *root,
                           const sn_affine *fixed, uint32_t fixed_node, double out[12]) {
    for (int i = 0; i < 12; i++)
        out[i] = i % 5 == 0 ? 1 : 0;
    for (bool above = false; !above;) {
        above = node == SN_NONE;
        sn_affine local = above ? *root : sn_affine_from_transform(&forest->rest[node]);
        if (!above && fixed && node == fixed_node)
            local = *fixed;
        double next[12];
        for (int row = 0; row < 3; row++)
            for (int column = 0; column < 4; column++) {
                double sum = column == 3 ? (double)local.m[row][3] : 0;
                for (int i = 0; i < 3; i++)
                    sum += (double)local.m[row][i] * out[i * 4 + column];
                next[row * 4 + column] = sum;
            }
        memcpy(out, next, sizeof next);
        if (!above)
            node = forest->parents[node];
    }
}

static void world_is_the_product_along_the_chain(void **state) {
    (void)state;
    test_random random = {1};
    sn_kernel kernels[3];
    size_t kernel_count = test_kernels(kernels);
    for (int round = 0; round < 60; round++) {
        uint32_t count = 1 + test_random_below(&random, 90);
        test_forest forest = test_forest_make(&random, count);
        sn_transform above = test_random_transform(&random);
        sn_affine root = round % 3 ? sn_affine_from_transform(&above) : sn_affine_identity();
        uint32_t fixed_node = test_random_below(&random, count);
        sn_affine fixed = {{{1, 0.5f, 0, 1}, {0, 1, 0.25f, 2}, {0.125f, 0, 1, 3}}};
        sn_affine *reference = NULL;
        for (size_t k = 0; k < kernel_count; k++) {
            sn_skeleton_desc desc = {.node_count = count,
                                     .parents = forest.parents,
                                     .rest = forest.rest,
                                     .fixed_count = round % 2 ? 1 : 0,
                                     .fixed_nodes = &fixed_node,
                                     .fixed_matrices = &fixed,
                                     .kernel = kernels[k]};
            sn_skeleton *skeleton = NULL;
            assert_int_equal(sn_skeleton_create(&desc, NULL, &skeleton, NULL), SN_OK);
            sn_pose pose = {test_aligned(sn_pose_size(skeleton))};
            sn_affine *world = test_aligned(count * sizeof *world);
            sn_pose_rest(skeleton, pose);
            sn_hierarchy_update(skeleton, pose, round % 3 ? &root : NULL, world);
            for (uint32_t joint = 0; joint < count; joint++) {
                double expected[12], size = 1;
                world_by_chain(&forest, sn_skeleton_node_of_joint(skeleton, joint), &root,
                               desc.fixed_count ? &fixed : NULL, fixed_node, expected);
                for (int i = 0; i < 12; i++)
                    size = fmax(size, fabs(expected[i]));
                for (int i = 0; i < 12; i++)
                    assert_true(fabs((double)world[joint].m[i / 4][i % 4] - expected[i]) <
                                3e-6 * size);
            }
            if (!reference)
                reference = world;
            else {
                assert_memory_equal(reference, world, count * sizeof *world);
                test_aligned_free(world);
            }
            test_aligned_free(pose.data);
            sn_skeleton_free(skeleton);
        }
        test_aligned_free(reference);
        test_forest_free(&forest);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(world_is_the_product_along_the_chain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
