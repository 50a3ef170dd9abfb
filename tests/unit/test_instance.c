/* One model, many characters: sharing, independence, and no allocation in a frame. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sinew/instance.h"
#include "tests/unit/allocators.h"
#include "tests/unit/motion.h"

/* Every call that asks the C library for memory is counted, whoever makes it. */
static size_t libc_calls;
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1 /* as gcc says it */
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/allocator_interface.h>

static void on_malloc(const volatile void *block, size_t size) {
    (void)block;
    (void)size;
    libc_calls++;
}

static void on_free(const volatile void *block) {
    (void)block;
}

static void start_counting(void) {
    static bool is_installed;
    if (!is_installed)
        is_installed = __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free) != 0;
    assert_true(is_installed);
}
#else
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);

void *malloc(size_t size) {
    libc_calls++;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    libc_calls++;
    return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
    libc_calls++;
    return __libc_realloc(block, size);
}

static void start_counting(void) {}
#endif

/* Node 0 root, 1 and 2 joints below it, 3 a skinned mesh, 4 a mesh with a morph target only. */
typedef struct character {
    sn_node nodes[5];
    sn_mesh meshes[2];
    sn_primitive primitives[2];
    sn_skin skin;
    sn_affine inverse_bind[2];
    sn_track tracks[3];
    const sn_track *track_list[3];
    sn_clip clip;
    sn_model model;
} character;

static const uint32_t skin_joints[] = {1, 2};
static const float rest_weights[] = {0.25f};
static const float positions[] = {0, 0, 0, 0, 1, 0, 0, 2, 0};
static const uint16_t joints[] = {0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0};
static const float weights[] = {1, 0, 0, 0, 0.5f, 0.5f, 0, 0, 1, 0, 0, 0};
static const float deltas[] = {0, 0, 1, 0, 0, 0, 0, 0, 0};
static const sn_morph_target morph_target = {deltas, NULL, NULL};
static const float times[] = {0, 1};
static const float turns[] = {0, 0, 0, 1, 0, 0, 1, 0};
static const float moves[] = {0, 0, 0, 1, 2, 3};
static const float morphs[] = {0, 1};

static void make_character(character *c) {
    *c = (character){0};
    for (int i = 0; i < 5; i++)
        c->nodes[i] = (sn_node){"",    SN_NONE, SN_NONE, SN_NONE, SN_NONE, sn_transform_identity(),
                                false, 0,       NULL};
    c->nodes[1].parent = 0;
    c->nodes[2].parent = 1;
    c->nodes[2].rest.translation[1] = 1;
    c->nodes[3].mesh = 0;
    c->nodes[3].skin = 0;
    c->nodes[3].rest.translation[0] = 100; /* must not matter */
    c->nodes[4].mesh = 1;
    c->nodes[4].parent = 2;
    c->nodes[4].weight_count = 1;
    c->nodes[4].weights = rest_weights;
    c->primitives[0] = (sn_primitive){.mode = 4,
                                      .material = SN_NONE,
                                      .geometry = {.vertex_count = 3,
                                                   .positions = positions,
                                                   .influence_count = 4,
                                                   .joints = joints,
                                                   .weights = weights}};
    c->primitives[1] = (sn_primitive){.mode = 4,
                                      .material = SN_NONE,
                                      .geometry = {.vertex_count = 3,
                                                   .positions = positions,
                                                   .target_count = 1,
                                                   .targets = &morph_target}};
    c->meshes[0] = (sn_mesh){"", 1, &c->primitives[0], 0};
    c->meshes[1] = (sn_mesh){"", 1, &c->primitives[1], 1};
    c->inverse_bind[0] = c->inverse_bind[1] = sn_affine_identity();
    c->inverse_bind[1].m[1][3] = -1;
    c->skin = (sn_skin){"", 2, skin_joints, c->inverse_bind, SN_NONE};
    c->tracks[0] = (sn_track){2, SN_PATH_ROTATION, SN_LINEAR, 4, 2, times, turns, SN_NONE};
    c->tracks[1] = (sn_track){0, SN_PATH_TRANSLATION, SN_LINEAR, 3, 2, times, moves, SN_NONE};
    c->tracks[2] = (sn_track){4, SN_PATH_WEIGHTS, SN_LINEAR, 1, 2, times, morphs, SN_NONE};
    for (int i = 0; i < 3; i++)
        c->track_list[i] = &c->tracks[i];
    c->clip = (sn_clip){
        .name = "", .track_count = 3, .tracks = c->track_list, .duration = 1, .origin = SN_NONE};
    c->model = (sn_model){.generator = "",
                          .node_count = 5,
                          .mesh_count = 2,
                          .skin_count = 1,
                          .clip_count = 1,
                          .default_scene = SN_NONE,
                          .nodes = c->nodes,
                          .meshes = c->meshes,
                          .skins = &c->skin,
                          .clips = &c->clip};
}

static sn_prepared_model *prepare(const character *c, const sn_allocator *allocator) {
    sn_prepared_model *prepared = NULL;
    assert_int_equal(
        sn_prepared_model_create(&c->model, SN_KERNEL_BEST, allocator, &prepared, NULL), SN_OK);
    return prepared;
}

static void frame(sn_instance *instance, const sn_clip *clip, float time) {
    sn_instance_sample_clip(instance, clip, time);
    sn_instance_update_hierarchy(instance, NULL);
    sn_instance_update_joint_matrices(instance);
}

static void assert_near(const float *got, const float *expected, int count) {
    for (int i = 0; i < count; i++)
        assert_true(fabsf(got[i] - expected[i]) < 1e-6f);
}

static void a_frame_runs_through_all_stages(void **state) {
    (void)state;
    character c;
    make_character(&c);
    sn_prepared_model *prepared = prepare(&c, NULL);
    sn_instance *instance = NULL;
    assert_int_equal(sn_instance_create(prepared, NULL, &instance, NULL), SN_OK);
    assert_ptr_equal(sn_prepared_model_model(prepared), &c.model);

    /* It starts in the rest pose, where skinning moves nothing. */
    float out[9];
    sn_skin_output to = {.positions = out};
    assert_int_equal(sn_instance_skin(instance, 3, 0, &to, NULL), SN_OK);
    assert_near(out, positions, 9);
    uint32_t count;
    assert_true(sn_instance_weights(instance, 4, &count)[0] == 0.25f);
    assert_int_equal(count, 1);

    /* Halfway: the root has moved by (0.5 1 1.5), joint 2 turned by 90 degrees about z. */
    frame(instance, &c.clip, 0.5f);
    float matrix[16];
    sn_instance_world_matrix(instance, 2, matrix);
    const float expected[16] = {0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0.5f, 2, 1.5f, 1};
    assert_near(matrix, expected, 16);
    assert_int_equal(sn_instance_skin(instance, 3, 0, &to, NULL), SN_OK);
    const float bent[] = {0.5f, 1, 1.5f, 0.5f, 2, 1.5f, -0.5f, 2, 1.5f};
    assert_near(out, bent, 9);

    /* The morphed mesh follows its node: z moved by the weight, then turned with joint 2. */
    assert_int_equal(sn_instance_skin(instance, 4, 0, &to, NULL), SN_OK);
    const float morphed[] = {0.5f, 2, 2, -0.5f, 2, 1.5f, -1.5f, 2, 1.5f};
    assert_near(out, morphed, 9);

    /* A root above everything moves everything. */
    sn_affine root = sn_affine_identity();
    root.m[0][3] = 10;
    sn_instance_update_hierarchy(instance, &root);
    sn_instance_update_joint_matrices(instance);
    assert_int_equal(sn_instance_skin(instance, 3, 0, &to, NULL), SN_OK);
    for (int i = 0; i < 9; i++)
        assert_true(fabsf(out[i] - bent[i] - (i % 3 ? 0 : 10)) < 1e-5f);

    sn_instance_sample_rest(instance);
    assert_true(sn_instance_weights(instance, 4, NULL)[0] == 0.25f);
    sn_instance_free(instance);
    sn_prepared_model_free(prepared);
}

static void a_view_moves_a_character_as_its_clip_does(void **state) {
    (void)state;
    character c;
    make_character(&c);
    sn_prepared_model *prepared = prepare(&c, NULL);
    sn_clip_view *view = NULL;
    assert_int_equal(
        sn_clip_view_create(sn_prepared_model_skeleton(prepared), &c.clip, NULL, &view, NULL),
        SN_OK);
    sn_instance *one = NULL, *two = NULL;
    assert_int_equal(sn_instance_create(prepared, NULL, &one, NULL), SN_OK);
    assert_int_equal(sn_instance_create(prepared, NULL, &two, NULL), SN_OK);
    for (int step = -1; step <= 11; step++) {
        float time = (float)step / 10, a[16], b[16];
        frame(one, &c.clip, time);
        sn_instance_sample_view(two, view, &c.clip, time);
        sn_instance_update_hierarchy(two, NULL);
        for (uint32_t node = 0; node < 5; node++) {
            sn_instance_world_matrix(one, node, a);
            sn_instance_world_matrix(two, node, b);
            assert_near(a, b, 16);
        }
        assert_true(sn_instance_weights(one, 4, NULL)[0] == sn_instance_weights(two, 4, NULL)[0]);
    }
    sn_clip_view_free(view);
    sn_instance_free(one);
    sn_instance_free(two);
    sn_prepared_model_free(prepared);
}

static void what_is_not_there_cannot_be_skinned(void **state) {
    (void)state;
    character c;
    make_character(&c);
    c.primitives[1].geometry = (sn_geometry){0};
    sn_prepared_model *prepared = prepare(&c, NULL);
    sn_instance *instance = NULL;
    assert_int_equal(sn_instance_create(prepared, NULL, &instance, NULL), SN_OK);
    float out[9];
    sn_skin_output to = {.positions = out};
    const uint32_t asked[][2] = {{4, 0}, {3, 1}, {0, 0}, {5, 0}};
    for (int i = 0; i < 4; i++) {
        sn_error error = {0};
        assert_int_equal(sn_instance_skin(instance, asked[i][0], asked[i][1], &to, &error),
                         SN_ERROR_ARGUMENT);
        assert_int_equal(error.id, SN_MESSAGE_ARGUMENT);
    }
    sn_instance_free(instance);
    sn_prepared_model_free(prepared);

    uint16_t beyond[12] = {0, 0, 0, 0, 2};
    c.primitives[0].geometry.joints = beyond;
    sn_error error;
    assert_int_equal(sn_prepared_model_create(&c.model, SN_KERNEL_BEST, NULL, &prepared, &error),
                     SN_ERROR_INVALID);
    assert_int_equal(error.id, SN_MESSAGE_REFERENCE);
    assert_string_equal(error.pointer, "/meshes/0/primitives/0");
}

/* Two characters share a model and nothing else: whatever one does, and its end, leaves every byte
 * of the other, of the prepared model's answers and of the model as it was. */
static void characters_do_not_touch_each_other(void **state) {
    (void)state;
    character c, before;
    make_character(&c);
    before = c;
    sn_prepared_model *prepared = prepare(&c, NULL);
    sn_instance *one = NULL, *two = NULL;
    assert_int_equal(sn_instance_create(prepared, NULL, &one, NULL), SN_OK);
    assert_int_equal(sn_instance_create(prepared, NULL, &two, NULL), SN_OK);
    frame(two, &c.clip, 0.3f);
    float skinned[9], again[9];
    assert_int_equal(sn_instance_skin(two, 3, 0, &(sn_skin_output){.positions = skinned}, NULL),
                     SN_OK);
    size_t size = sn_instance_bytes(two);
    char *copy = malloc(size);
    assert_non_null(copy);
    memcpy(copy, two, size); /* the instance is the head of its one block */

    frame(one, &c.clip, 0.9f);
    sn_instance_pose(one).data[0] = 7;
    sn_instance_weights(one, 4, NULL)[0] = 7;
    assert_int_equal(sn_instance_skin(one, 3, 0, &(sn_skin_output){.positions = again}, NULL),
                     SN_OK);
    assert_memory_equal(copy, two, size);
    sn_instance_free(one);
    assert_memory_equal(copy, two, size);

    frame(two, &c.clip, 0.9f);
    frame(two, &c.clip, 0.3f);
    assert_int_equal(sn_instance_skin(two, 3, 0, &(sn_skin_output){.positions = again}, NULL),
                     SN_OK);
    assert_memory_equal(skinned, again, sizeof again);
    assert_memory_equal(copy, two, size);
    assert_memory_equal(&before, &c, sizeof c);
    free(copy);
    sn_instance_free(two);
    sn_prepared_model_free(prepared);
}

static void a_frame_allocates_nothing(void **state) {
    (void)state;
    character c;
    make_character(&c);
    test_allocator allocator;
    test_allocator_init(&allocator, 0);
    sn_prepared_model *prepared = prepare(&c, &allocator.allocator);
    sn_instance *instance = NULL;
    sn_clip_view *view = NULL;
    assert_int_equal(sn_instance_create(prepared, &allocator.allocator, &instance, NULL), SN_OK);
    assert_int_equal(sn_clip_view_create(sn_prepared_model_skeleton(prepared), &c.clip,
                                         &allocator.allocator, &view, NULL),
                     SN_OK);
    size_t calls = allocator.calls;
    assert_true(calls > 0);

    start_counting();
    size_t libc_before = libc_calls;
    void *volatile probe = malloc(1);
    free(probe);
    assert_true(libc_calls > libc_before); /* the counter counts */
    libc_before = libc_calls;
    for (int i = 0; i < 100; i++) {
        float out[9];
        frame(instance, &c.clip, (float)i / 50);
        sn_instance_sample_view(instance, view, &c.clip, (float)i / 50);
        sn_instance_skin(instance, 3, 0, &(sn_skin_output){.positions = out}, NULL);
        sn_instance_skin(instance, 4, 0, &(sn_skin_output){.positions = out}, NULL);
    }
    size_t libc_after = libc_calls;
    assert_int_equal(allocator.calls, calls);
    assert_int_equal(libc_after, libc_before);
    sn_clip_view_free(view);
    sn_instance_free(instance);
    sn_prepared_model_free(prepared);
    assert_int_equal(allocator.in_use, 0);
}

static void every_failing_allocation_is_reported_and_leaks_nothing(void **state) {
    (void)state;
    character c;
    make_character(&c);
    size_t failures = 0;
    for (size_t fail_at = 1;; fail_at++) {
        test_allocator allocator;
        test_allocator_init(&allocator, fail_at);
        sn_prepared_model *prepared = NULL;
        sn_instance *instance = NULL;
        sn_error error;
        sn_result result = sn_prepared_model_create(&c.model, SN_KERNEL_BEST, &allocator.allocator,
                                                    &prepared, &error);
        if (!result)
            result = sn_instance_create(prepared, &allocator.allocator, &instance, &error);
        if (result) {
            failures++;
            assert_int_equal(result, SN_ERROR_MEMORY);
            assert_int_equal(error.id, SN_MESSAGE_MEMORY);
        }
        sn_instance_free(instance);
        sn_prepared_model_free(prepared);
        assert_int_equal(allocator.in_use, 0);
        if (!result)
            break;
    }
    assert_true(failures >= 6);
}

/* Nodes that share a mesh of many targets: 2^32 + 2^16 weights, more than a 32-bit sum can tell. */
static void more_morph_weights_than_can_be_held_are_refused(void **state) {
    (void)state;
    enum { TARGETS = 65536, NODES = TARGETS + 1 };
    float *none = calloc(TARGETS, sizeof *none);
    sn_node *nodes = calloc(NODES, sizeof *nodes);
    assert_non_null(none);
    assert_non_null(nodes);
    sn_mesh mesh = {"", 0, NULL, TARGETS};
    for (uint32_t i = 0; i < NODES; i++)
        nodes[i] = (sn_node){"",    SN_NONE, 0,   SN_NONE, SN_NONE, sn_transform_identity(),
                             false, TARGETS, none};
    sn_model model = {.node_count = NODES, .nodes = nodes, .mesh_count = 1, .meshes = &mesh};
    sn_prepared_model *prepared = NULL;
    sn_error error;
    assert_int_equal(sn_prepared_model_create(&model, SN_KERNEL_BEST, NULL, &prepared, &error),
                     SN_ERROR_LIMIT);
    assert_int_equal(error.id, SN_MESSAGE_LIMIT_SIZE);
    model.node_count = 256; /* exactly as many as may be */
    assert_int_equal(sn_prepared_model_create(&model, SN_KERNEL_BEST, NULL, &prepared, NULL),
                     SN_OK);
    sn_prepared_model_free(prepared);
    free(nodes);
    free(none);
}

/* Primitives that name the same arrays have one copy of them, in one mesh or in several, and each
 * is skinned as if it were alone. */
static void primitives_of_the_same_vertices_share_them(void **state) {
    (void)state;
    enum { SAME = 100 };
    character c;
    make_character(&c);
    sn_prepared_model *prepared = prepare(&c, NULL);
    size_t alone = sn_prepared_model_bytes(prepared);
    sn_prepared_model_free(prepared);

    sn_primitive primitives[SAME + 2];
    for (int i = 0; i < SAME + 2; i++)
        primitives[i] = c.primitives[0];
    static const float others[] = {0, 0, 1, 0, 1, 1, 0, 2, 1};
    primitives[SAME].geometry.positions = others;
    primitives[SAME + 1].geometry.normals = others; /* the same but for that */
    c.meshes[0].primitives = primitives;
    c.meshes[0].primitive_count = SAME;
    prepared = prepare(&c, NULL);
    size_t shared = sn_prepared_model_bytes(prepared);
    assert_true(shared - alone < SAME * 40); /* pointers */
    sn_prepared_model_free(prepared);

    c.meshes[0].primitive_count = SAME + 2;
    prepared = prepare(&c, NULL);
    assert_true(sn_prepared_model_bytes(prepared) - shared > 2 * sizeof positions);
    sn_instance *instance = NULL;
    assert_int_equal(sn_instance_create(prepared, NULL, &instance, NULL), SN_OK);
    for (uint32_t i = 0; i < SAME + 2; i++) {
        float out[9];
        sn_skin_output to = {.positions = out};
        assert_int_equal(sn_instance_skin(instance, 3, i, &to, NULL), SN_OK);
        assert_near(out, i == SAME ? others : positions, 9);
    }
    float moved[9], normals[9];
    assert_int_equal(sn_instance_skin(instance, 3, SAME + 1,
                                      &(sn_skin_output){.positions = moved, .normals = normals},
                                      NULL),
                     SN_OK);
    assert_near(normals, (const float[]){0, 0, 1}, 3);
    /* Without a skin the node moves the vertices: that is another mesh. */
    c.nodes[0].mesh = 0;
    c.nodes[0].rest.translation[1] = 5;
    sn_instance_free(instance);
    sn_prepared_model_free(prepared);
    prepared = prepare(&c, NULL);
    assert_int_equal(sn_instance_create(prepared, NULL, &instance, NULL), SN_OK);
    float out[9];
    assert_int_equal(sn_instance_skin(instance, 0, 0, &(sn_skin_output){.positions = out}, NULL),
                     SN_OK);
    for (int i = 0; i < 9; i++)
        assert_true(fabsf(out[i] - positions[i] - (i % 3 == 1 ? 5 : 0)) < 1e-6f);
    sn_instance_free(instance);
    sn_prepared_model_free(prepared);
}

/* With a walk over all nodes for each mesh this would take minutes. */
static void many_meshes_with_skins_take_linear_time(void **state) {
    (void)state;
    enum { COUNT = 200000 };
    sn_node *nodes = calloc(COUNT, sizeof *nodes);
    sn_mesh *meshes = calloc(COUNT, sizeof *meshes);
    assert_non_null(nodes);
    assert_non_null(meshes);
    const uint32_t joint = 0;
    sn_skin skin = {"", 1, &joint, NULL, SN_NONE};
    for (uint32_t i = 0; i < COUNT; i++) {
        nodes[i] = (sn_node){"", SN_NONE, i, 0, SN_NONE, sn_transform_identity(), false, 0, NULL};
        meshes[i] = (sn_mesh){"", 0, NULL, 0};
    }
    sn_model model = {.node_count = COUNT,
                      .nodes = nodes,
                      .mesh_count = COUNT,
                      .meshes = meshes,
                      .skin_count = 1,
                      .skins = &skin};
    sn_prepared_model *prepared = NULL;
    assert_int_equal(sn_prepared_model_create(&model, SN_KERNEL_BEST, NULL, &prepared, NULL),
                     SN_OK);
    sn_prepared_model_free(prepared);
    free(nodes);
    free(meshes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_frame_runs_through_all_stages),
        cmocka_unit_test(a_view_moves_a_character_as_its_clip_does),
        cmocka_unit_test(what_is_not_there_cannot_be_skinned),
        cmocka_unit_test(characters_do_not_touch_each_other),
        cmocka_unit_test(a_frame_allocates_nothing),
        cmocka_unit_test(every_failing_allocation_is_reported_and_leaks_nothing),
        cmocka_unit_test(more_morph_weights_than_can_be_held_are_refused),
        cmocka_unit_test(primitives_of_the_same_vertices_share_them),
        cmocka_unit_test(many_meshes_with_skins_take_linear_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
