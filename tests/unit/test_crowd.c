/* Characters side by side: the bits of an instance each, with every kernel. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sinew/crowd.h"
#include "tests/unit/allocators.h"
#include "tests/unit/motion.h"

enum { MOST_NODES = 41, KEYS = 3, MEMBERS = 19 };

/* A random forest whose nodes all turn and move, with two skins: one of every other node, and one
 * of three nodes without inverse bind matrices. */
typedef struct scene {
    test_forest forest;
    sn_node nodes[MOST_NODES];
    uint32_t skin_joints[2][MOST_NODES];
    sn_affine inverse_bind[MOST_NODES];
    sn_skin skins[2];
    uint32_t fixed_node;
    sn_affine fixed_matrix;
    float times[KEYS];
    float turns[MOST_NODES][KEYS][4], moves[MOST_NODES][KEYS][3];
    sn_track tracks[2 * MOST_NODES];
    const sn_track *list[2 * MOST_NODES];
    sn_clip clip;
    sn_model model;
} scene;

static void make_clip(scene *s, test_random *random) {
    uint32_t count = s->forest.node_count;
    for (int key = 0; key < KEYS; key++)
        s->times[key] = (float)key * 0.5f;
    for (uint32_t i = 0; i < count; i++) {
        for (int key = 0; key < KEYS; key++) {
            sn_transform value = test_random_transform(random);
            memcpy(s->turns[i][key], value.rotation, sizeof value.rotation);
            memcpy(s->moves[i][key], value.translation, sizeof value.translation);
        }
        s->tracks[2 * i] =
            (sn_track){i, SN_PATH_ROTATION, SN_LINEAR, 4, KEYS, s->times, s->turns[i][0], SN_NONE};
        s->tracks[2 * i + 1] = (sn_track){i,        SN_PATH_TRANSLATION, SN_LINEAR, 3, KEYS,
                                          s->times, s->moves[i][0],      SN_NONE};
    }
    for (uint32_t i = 0; i < 2 * count; i++)
        s->list[i] = &s->tracks[i];
    s->clip = (sn_clip){.name = "",
                        .track_count = 2 * count,
                        .tracks = s->list,
                        .duration = s->times[KEYS - 1],
                        .origin = SN_NONE};
}

static scene *make_scene(test_random *random) {
    scene *s = calloc(1, sizeof *s);
    assert_non_null(s);
    uint32_t count = 3 + test_random_below(random, MOST_NODES - 2);
    s->forest = test_forest_make(random, count);
    for (uint32_t i = 0; i < count; i++)
        s->nodes[i] = (sn_node){.name = "",
                                .parent = s->forest.parents[i],
                                .mesh = SN_NONE,
                                .skin = SN_NONE,
                                .camera = SN_NONE,
                                .rest = s->forest.rest[i]};
    for (uint32_t i = 0; i < count; i += 2) {
        sn_transform bind = test_random_transform(random);
        s->inverse_bind[i / 2] = sn_affine_from_transform(&bind);
        s->skin_joints[0][i / 2] = count - 1 - i;
    }
    for (uint32_t i = 0; i < 3; i++)
        s->skin_joints[1][i] = test_random_below(random, count);
    s->skins[0] = (sn_skin){"", (count + 1) / 2, s->skin_joints[0], s->inverse_bind, SN_NONE};
    s->skins[1] = (sn_skin){"", 3, s->skin_joints[1], NULL, SN_NONE};
    s->fixed_node = test_random_below(random, count);
    s->fixed_matrix = (sn_affine){{{1, 0.5f, 0, 1}, {0, 1, 0.25f, 2}, {0.125f, 0, 1, 3}}};
    make_clip(s, random);
    s->model = (sn_model){.generator = "",
                          .node_count = count,
                          .skin_count = 2,
                          .clip_count = 1,
                          .default_scene = SN_NONE,
                          .nodes = s->nodes,
                          .skins = s->skins,
                          .clips = &s->clip,
                          .fixed_count = test_random_below(random, 2),
                          .fixed_nodes = &s->fixed_node,
                          .fixed_matrices = &s->fixed_matrix};
    return s;
}

static void free_scene(scene *s) {
    test_forest_free(&s->forest);
    free(s);
}

/* What one character does by itself. */
static void evaluate_alone(const scene *s, sn_instance *instance, const sn_crowd_member *member,
                           sn_affine *out) {
    if (member->view)
        sn_instance_sample_view(instance, member->view, member->clip, member->time);
    else if (member->clip)
        sn_instance_sample_clip(instance, member->clip, member->time);
    else
        sn_instance_sample_rest(instance);
    sn_instance_update_hierarchy(instance, member->root);
    sn_instance_write_joint_matrices(instance, 0, out);
    sn_instance_write_joint_matrices(instance, 1, out + s->skins[0].joint_count);
}

/* Members of all kinds, in every order: some in the rest pose, some sampled from keys. */
static void make_members(test_random *random, const scene *s, const sn_clip_view *view,
                         sn_affine *roots, sn_affine *matrices, uint32_t matrix_count,
                         sn_crowd_member *out) {
    for (uint32_t i = 0; i < MEMBERS; i++) {
        sn_transform above = test_random_transform(random);
        roots[i] = sn_affine_from_transform(&above);
        uint32_t kind = test_random_below(random, 4);
        out[i] = (sn_crowd_member){.clip = kind ? &s->clip : NULL,
                                   .view = kind > 1 ? view : NULL,
                                   .time = test_random_between(random, -0.1f, 1.1f),
                                   .root = test_random_below(random, 3) ? &roots[i] : NULL,
                                   .joint_matrices = matrices + i * matrix_count};
    }
}

static void compare_with_instances(const scene *s, test_random *random, sn_kernel kernel) {
    sn_prepared_model *prepared = NULL;
    sn_instance *instance = NULL;
    sn_crowd *crowd = NULL;
    sn_clip_view *view = NULL;
    assert_int_equal(sn_prepared_model_create(&s->model, kernel, NULL, &prepared, NULL), SN_OK);
    assert_int_equal(sn_instance_create(prepared, NULL, &instance, NULL), SN_OK);
    assert_int_equal(sn_crowd_create(prepared, NULL, &crowd, NULL), SN_OK);
    assert_int_equal(
        sn_clip_view_create(sn_prepared_model_skeleton(prepared), &s->clip, NULL, &view, NULL),
        SN_OK);
    uint32_t matrix_count = sn_crowd_matrix_count(crowd);
    assert_int_equal(matrix_count, s->skins[0].joint_count + 3);
    size_t size = (size_t)matrix_count * MEMBERS * sizeof(sn_affine);
    sn_affine *matrices = test_aligned(size), *alone = test_aligned(size);
    sn_affine roots[MEMBERS];
    sn_crowd_member members[MEMBERS];
    for (uint32_t count = 0; count <= MEMBERS; count++) {
        make_members(random, s, view, roots, matrices, matrix_count, members);
        memset(matrices, 0x7F, size);
        memset(alone, 0x7F, size); /* nothing beyond the last member is written */
        sn_crowd_evaluate(crowd, members, count);
        for (uint32_t i = 0; i < count; i++)
            evaluate_alone(s, instance, &members[i], alone + i * matrix_count);
        assert_memory_equal(matrices, alone, size);
    }
    test_aligned_free(matrices);
    test_aligned_free(alone);
    sn_clip_view_free(view);
    sn_crowd_free(crowd);
    sn_instance_free(instance);
    sn_prepared_model_free(prepared);
}

static void each_member_has_the_bits_of_an_instance(void **state) {
    (void)state;
    test_random random = {3};
    sn_kernel kernels[3];
    size_t kernel_count = test_kernels(kernels);
    for (int round = 0; round < 20; round++) {
        scene *s = make_scene(&random);
        for (size_t k = 0; k < kernel_count; k++)
            compare_with_instances(s, &random, kernels[k]);
        free_scene(s);
    }
}

static void memory_is_asked_for_once_and_may_fail(void **state) {
    (void)state;
    test_random random = {4};
    scene *s = make_scene(&random);
    sn_prepared_model *prepared = NULL;
    assert_int_equal(sn_prepared_model_create(&s->model, SN_KERNEL_BEST, NULL, &prepared, NULL),
                     SN_OK);
    test_allocator allocator;
    sn_crowd *crowd = NULL;
    for (size_t fail_at = 1; !crowd; fail_at++) {
        test_allocator_init(&allocator, fail_at);
        sn_error error = {0};
        sn_result result = sn_crowd_create(prepared, &allocator.allocator, &crowd, &error);
        assert_int_equal(result, crowd ? SN_OK : SN_ERROR_MEMORY);
        assert_int_equal(error.id, crowd ? SN_MESSAGE_NONE : SN_MESSAGE_MEMORY);
        if (!crowd)
            assert_int_equal(allocator.in_use, 0);
    }
    assert_true(sn_crowd_bytes(crowd) > 0 && sn_crowd_bytes(crowd) <= allocator.in_use);
    size_t calls = allocator.calls;
    sn_affine matrices[MOST_NODES];
    sn_crowd_member member = {.clip = &s->clip, .joint_matrices = matrices};
    for (int i = 0; i < 10; i++)
        sn_crowd_evaluate(crowd, &member, 1);
    assert_int_equal(allocator.calls, calls);
    sn_crowd_free(crowd);
    assert_int_equal(allocator.in_use, 0);
    sn_crowd_free(NULL);
    sn_prepared_model_free(prepared);
    free_scene(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_member_has_the_bits_of_an_instance),
        cmocka_unit_test(memory_is_asked_for_once_and_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
