/* Poses: layout, and sampling a clip from its keys. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/motion.h"

static void what_is_set_is_got_and_nothing_else_moves(void **state) {
    (void)state;
    test_random random = {1};
    sn_kernel kernels[3];
    size_t kernel_count = test_kernels(kernels);
    for (size_t k = 0; k < kernel_count; k++) {
        test_forest forest = test_forest_make(&random, 21);
        sn_skeleton *skeleton = test_forest_skeleton(&forest, kernels[k]);
        sn_pose pose = {test_aligned(sn_pose_size(skeleton))};
        sn_pose copy = {test_aligned(sn_pose_size(skeleton))};
        sn_pose_rest(skeleton, pose);
        for (uint32_t joint = 0; joint < 21; joint++) {
            sn_transform value;
            sn_pose_get(skeleton, pose, joint, &value);
            assert_memory_equal(&value, &forest.rest[sn_skeleton_node_of_joint(skeleton, joint)],
                                sizeof value);
        }
        for (uint32_t changed = 0; changed < 21; changed++) {
            sn_pose_copy(skeleton, copy, pose);
            sn_transform value = test_random_transform(&random), got;
            sn_pose_set(skeleton, pose, changed, &value);
            sn_pose_get(skeleton, pose, changed, &got);
            assert_memory_equal(&got, &value, sizeof got);
            size_t differing = 0;
            for (size_t i = 0; i < sn_pose_size(skeleton) / sizeof(float); i++)
                differing += memcmp(pose.data + i, copy.data + i, sizeof(float)) != 0;
            assert_int_equal(differing, 10);
        }
        test_aligned_free(pose.data);
        test_aligned_free(copy.data);
        sn_skeleton_free(skeleton);
        test_forest_free(&forest);
    }
}

static void lanes_past_the_last_joint_are_the_identity(void **state) {
    (void)state;
    test_random random = {2};
    test_forest forest = test_forest_make(&random, 9);
    sn_skeleton *skeleton = test_forest_skeleton(&forest, SN_KERNEL_BEST);
    sn_pose pose = {test_aligned(sn_pose_size(skeleton))};
    sn_pose_rest(skeleton, pose);
    uint32_t lanes = sn_skeleton_lanes(skeleton);
    sn_transform identity = sn_transform_identity(), got;
    for (uint32_t joint = 9; joint % lanes; joint++) {
        sn_pose_get(skeleton, pose, joint, &got);
        assert_memory_equal(&got, &identity, sizeof got);
    }
    test_aligned_free(pose.data);
    sn_skeleton_free(skeleton);
    test_forest_free(&forest);
}

static void a_clip_moves_its_tracks_and_leaves_the_rest(void **state) {
    (void)state;
    test_random random = {3};
    test_forest forest = test_forest_make(&random, 6);
    sn_skeleton *skeleton = test_forest_skeleton(&forest, SN_KERNEL_BEST);
    sn_pose pose = {test_aligned(sn_pose_size(skeleton))};
    const float times[] = {0, 1}, moves[] = {0, 0, 0, 2, 4, 8}, turns[] = {0, 0, 0, 1, 0, 1, 0, 0},
                sizes[] = {1, 1, 1, 3, 3, 3}, weights[] = {0, 1};
    sn_track tracks[] = {
        {2, SN_PATH_TRANSLATION, SN_LINEAR, 3, 2, times, moves, SN_NONE},
        {4, SN_PATH_ROTATION, SN_LINEAR, 4, 2, times, turns, SN_NONE},
        {2, SN_PATH_SCALE, SN_LINEAR, 3, 2, times, sizes, SN_NONE},
        {1, SN_PATH_WEIGHTS, SN_LINEAR, 1, 2, times, weights, SN_NONE},
    };
    const sn_track *list[] = {&tracks[0], &tracks[1], &tracks[2], &tracks[3]};
    sn_clip clip = {.name = "", .track_count = 4, .tracks = list, .duration = 1};
    sn_clip_sample(skeleton, &clip, 0.5f, pose);
    for (uint32_t node = 0; node < 6; node++) {
        sn_transform expected = forest.rest[node], got;
        if (node == 2) {
            memcpy(expected.translation, (float[]){1, 2, 4}, sizeof expected.translation);
            memcpy(expected.scale, (float[]){2, 2, 2}, sizeof expected.scale);
        } else if (node == 4) {
            float half = 0.70710678f;
            memcpy(expected.rotation, (float[]){0, half, 0, half}, sizeof expected.rotation);
        }
        sn_pose_get(skeleton, pose, sn_skeleton_joint_of_node(skeleton, node), &got);
        float *a = (float *)&expected, *b = (float *)&got;
        for (int i = 0; i < 10; i++)
            assert_true(a[i] - b[i] < 1e-6f && b[i] - a[i] < 1e-6f);
    }
    test_aligned_free(pose.data);
    sn_skeleton_free(skeleton);
    test_forest_free(&forest);
}

/* glTF forbids two channels with one target; when they are there all the same, the last decides. */
static void of_two_tracks_with_one_target_the_last_decides(void **state) {
    (void)state;
    test_random random = {4};
    test_forest forest = test_forest_make(&random, 2);
    sn_skeleton *skeleton = test_forest_skeleton(&forest, SN_KERNEL_BEST);
    sn_pose pose = {test_aligned(sn_pose_size(skeleton))};
    const float time = 0, one[] = {1, 1, 1}, two[] = {2, 2, 2};
    sn_track tracks[] = {{1, SN_PATH_SCALE, SN_LINEAR, 3, 1, &time, one, SN_NONE},
                         {1, SN_PATH_SCALE, SN_LINEAR, 3, 1, &time, two, SN_NONE}};
    const sn_track *list[] = {&tracks[0], &tracks[1]};
    sn_clip clip = {.name = "", .track_count = 2, .tracks = list};
    sn_clip_sample(skeleton, &clip, 0, pose);
    sn_transform got;
    sn_pose_get(skeleton, pose, sn_skeleton_joint_of_node(skeleton, 1), &got);
    assert_memory_equal(got.scale, two, sizeof two);
    test_aligned_free(pose.data);
    sn_skeleton_free(skeleton);
    test_forest_free(&forest);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_set_is_got_and_nothing_else_moves),
        cmocka_unit_test(lanes_past_the_last_joint_are_the_identity),
        cmocka_unit_test(a_clip_moves_its_tracks_and_leaves_the_rest),
        cmocka_unit_test(of_two_tracks_with_one_target_the_last_decides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
