/* Skeletons: order, remapping, refusals, and every allocation failing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/allocators.h"
#include "tests/unit/motion.h"

static uint32_t depth_of(const sn_skeleton *skeleton, uint32_t joint) {
    uint32_t depth = 0;
    while ((joint = sn_skeleton_parent(skeleton, joint)) != SN_NONE)
        depth++;
    return depth;
}

static void joints_are_nodes_breadth_first(void **state) {
    (void)state;
    test_random random = {1};
    for (uint32_t count = 0; count < 150; count += 1 + count / 8) {
        test_forest forest = test_forest_make(&random, count);
        sn_skeleton *skeleton = test_forest_skeleton(&forest, SN_KERNEL_BEST);
        assert_int_equal(sn_skeleton_joint_count(skeleton), count);
        for (uint32_t joint = 0; joint < count; joint++) {
            uint32_t node = sn_skeleton_node_of_joint(skeleton, joint);
            uint32_t parent = sn_skeleton_parent(skeleton, joint);
            assert_int_equal(sn_skeleton_joint_of_node(skeleton, node), joint);
            assert_int_equal(parent == SN_NONE ? SN_NONE
                                               : sn_skeleton_node_of_joint(skeleton, parent),
                             forest.parents[node]);
            assert_true(parent == SN_NONE || parent < joint);
            if (joint)
                assert_true(depth_of(skeleton, joint - 1) <= depth_of(skeleton, joint));
        }
        sn_skeleton_free(skeleton);
        test_forest_free(&forest);
    }
}

static void impossible_skeletons_are_refused(void **state) {
    (void)state;
    sn_transform rest[4];
    for (int i = 0; i < 4; i++)
        rest[i] = sn_transform_identity();
    const uint32_t circle[4] = {SN_NONE, 3, 1, 2}, self[4] = {SN_NONE, 0, 2, 0},
                   beyond[4] = {SN_NONE, 0, 4, 0}, good[4] = {SN_NONE, 0, 1, 0};
    const uint32_t far_node = 4;
    sn_affine matrix = sn_affine_identity();
    sn_skeleton *skeleton = NULL;
    sn_error error;
    sn_skeleton_desc desc = {.node_count = 4, .parents = circle, .rest = rest};
    assert_int_equal(sn_skeleton_create(&desc, NULL, &skeleton, &error), SN_ERROR_INVALID);
    assert_int_equal(error.id, SN_MESSAGE_NODE_CYCLE);
    desc.parents = self;
    assert_int_equal(sn_skeleton_create(&desc, NULL, &skeleton, &error), SN_ERROR_INVALID);
    assert_int_equal(error.id, SN_MESSAGE_NODE_CYCLE);
    desc.parents = beyond;
    assert_int_equal(sn_skeleton_create(&desc, NULL, &skeleton, &error), SN_ERROR_INVALID);
    assert_int_equal(error.id, SN_MESSAGE_REFERENCE);
    desc.parents = good;
    desc.fixed_count = 1;
    desc.fixed_nodes = &far_node;
    desc.fixed_matrices = &matrix;
    assert_int_equal(sn_skeleton_create(&desc, NULL, &skeleton, &error), SN_ERROR_INVALID);
    assert_int_equal(error.id, SN_MESSAGE_REFERENCE);
    desc.fixed_count = 0;
    desc.kernel = (sn_kernel)77;
    assert_int_equal(sn_skeleton_create(&desc, NULL, &skeleton, &error), SN_ERROR_ARGUMENT);
    assert_int_equal(error.id, SN_MESSAGE_ARGUMENT);
    assert_null(skeleton);
}

static void every_failing_allocation_is_reported_and_leaks_nothing(void **state) {
    (void)state;
    test_random random = {2};
    test_forest forest = test_forest_make(&random, 500);
    sn_skeleton_desc desc = {
        .node_count = forest.node_count, .parents = forest.parents, .rest = forest.rest};
    size_t failures = 0;
    for (size_t fail_at = 1;; fail_at++) {
        test_allocator allocator;
        test_allocator_init(&allocator, fail_at);
        sn_skeleton *skeleton = NULL;
        sn_error error;
        sn_result result = sn_skeleton_create(&desc, &allocator.allocator, &skeleton, &error);
        if (result) {
            failures++;
            assert_int_equal(result, SN_ERROR_MEMORY);
            assert_int_equal(error.id, SN_MESSAGE_MEMORY);
            assert_null(skeleton);
        }
        sn_skeleton_free(skeleton);
        assert_int_equal(allocator.in_use, 0);
        if (!result)
            break;
    }
    assert_true(failures >= 2);
    test_forest_free(&forest);
}

static void kernels_have_names_and_lanes(void **state) {
    (void)state;
    test_random random = {3};
    test_forest forest = test_forest_make(&random, 3);
    sn_kernel kernels[3];
    size_t count = test_kernels(kernels);
    assert_true(count >= 1 && kernels[0] == SN_KERNEL_SCALAR);
    for (size_t i = 0; i < count; i++) {
        sn_skeleton *skeleton = test_forest_skeleton(&forest, kernels[i]);
        assert_int_equal(sn_skeleton_kernel(skeleton), kernels[i]);
        assert_int_equal(sn_skeleton_lanes(skeleton), kernels[i] == SN_KERNEL_AVX2 ? 8 : 4);
        print_message("kernel %s\n", sn_kernel_name(kernels[i]));
        sn_skeleton_free(skeleton);
    }
    sn_skeleton *skeleton = test_forest_skeleton(&forest, SN_KERNEL_BEST);
    assert_int_equal(sn_skeleton_kernel(skeleton), kernels[count > 1 ? count - 1 : 0]);
    sn_skeleton_free(skeleton);
    test_forest_free(&forest);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_are_nodes_breadth_first),
        cmocka_unit_test(impossible_skeletons_are_refused),
        cmocka_unit_test(every_failing_allocation_is_reported_and_leaks_nothing),
        cmocka_unit_test(kernels_have_names_and_lanes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
