/* The glTF reader, writer and builder when memory runs out, and the bound on what they take. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gltf/internal.h"
#include "tests/unit/allocators.h"
#include "tests/unit/gltf_files.h"

/* Runs `attempt` with the first allocation failing, then the second, and so on until it succeeds:
 * each failure says so and leaves nothing behind. */
static void fail_everywhere(sn_result (*attempt)(const sn_allocator *allocator, void *user),
                            void *user, const char *name) {
    for (size_t n = 1; n < 100000; n++) {
        test_allocator failing;
        test_allocator_init(&failing, n);
        sn_result result = attempt(&failing.allocator, user);
        if (failing.in_use != 0)
            fail_msg("%s: allocation %zu failing leaves %zu bytes", name, n, failing.in_use);
        if (result == SN_OK && failing.calls < n)
            return;
        /* An allocation that is asked for again with less may fail without harm. */
        if (result != SN_ERROR_MEMORY && result != SN_OK)
            fail_msg("%s: allocation %zu failing gives %d", name, n, result);
    }
    fail_msg("%s never succeeds", name);
}

typedef struct whole {
    const char *path;
    const sn_gltf *gltf;
    sn_clip *clips;
} whole;

static sn_result attempt_read(const sn_allocator *allocator, void *user) {
    const whole *file = user;
    sn_gltf *gltf = NULL;
    sn_error error = {0};
    sn_gltf_options options = {.allocator = allocator};
    sn_result result = sn_gltf_read_file(file->path, &options, &gltf, &error);
    if (result != SN_OK && result != SN_ERROR_MEMORY)
        fail_msg("%s: %s %s", file->path, sn_message_name(error.id), error.text);
    sn_gltf_free(gltf);
    return result;
}

static sn_result attempt_write(const sn_allocator *allocator, void *user, bool edited,
                               sn_container container) {
    const whole *file = user;
    sn_output output;
    sn_gltf_write_options options = {.replace_clips = edited,
                                     .clips = file->clips,
                                     .clip_count = file->gltf->model.clip_count,
                                     .replace_modifiers = edited,
                                     .modifiers = "{\"modifiers\":[]}",
                                     .container = container,
                                     .allocator = allocator};
    sn_result result = sn_gltf_write(file->gltf, &options, &output, NULL);
    sn_output_free(&output);
    return result;
}

static sn_result attempt_convert_to_glb(const sn_allocator *allocator, void *user) {
    return attempt_write(allocator, user, false, SN_CONTAINER_GLB);
}

static sn_result attempt_edit_to_gltf(const sn_allocator *allocator, void *user) {
    return attempt_write(allocator, user, true, SN_CONTAINER_GLTF);
}

/* Every track as a copy that is not the file's own, with one value changed. */
static sn_clip *edit_all(const sn_model *model, sn_arena *arena) {
    sn_clip *clips = SN_ARENA_NEW(arena, sn_clip, model->clip_count);
    for (uint32_t i = 0; i < model->clip_count; i++) {
        clips[i] = model->clips[i];
        const sn_track **tracks = SN_ARENA_NEW(arena, const sn_track *, clips[i].track_count);
        for (uint32_t k = 0; k < clips[i].track_count; k++) {
            sn_track *track = SN_ARENA_NEW(arena, sn_track, 1);
            *track = *clips[i].tracks[k];
            size_t count = (size_t)track->key_count * track->width *
                           (track->interpolation == SN_CUBICSPLINE ? 3 : 1);
            float *values = SN_ARENA_NEW(arena, float, count);
            memcpy(values, track->values, count * sizeof *values);
            values[0] += 1;
            track->values = values;
            tracks[k] = track;
        }
        clips[i].tracks = tracks;
    }
    return clips;
}

static void each_allocation_may_fail(void **state) {
    (void)state;
    test_files files = test_corpus();
    if (!files.count)
        skip();
    size_t done = 0;
    for (size_t i = 0; i < files.count; i += 31) {
        whole file = {.path = files.paths[i]};
        sn_gltf *gltf;
        if (sn_gltf_read_file(file.path, NULL, &gltf, NULL) != SN_OK)
            continue;
        done++;
        file.gltf = gltf;
        sn_arena arena;
        sn_arena_init(&arena, NULL);
        file.clips = edit_all(&gltf->model, &arena);
        fail_everywhere(attempt_read, &file, test_corpus_name(file.path));
        fail_everywhere(attempt_convert_to_glb, &file, test_corpus_name(file.path));
        fail_everywhere(attempt_edit_to_gltf, &file, test_corpus_name(file.path));
        sn_arena_free(&arena);
        sn_gltf_free(gltf);
    }
    assert_true(done > 10);
    test_files_free(&files);
}

/* ---- Building ---- */

static sn_result build(const sn_allocator *allocator, sn_gltf **out, sn_error *error) {
    static const float positions[] = {0, 0, 0, 1, 0, 0, 0, 2.5f, 0};
    static const uint8_t colors[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    static const uint16_t indices[] = {0, 1, 2};
    sn_gltf_builder *builder = sn_gltf_builder_create(allocator);
    if (!builder)
        return sn_message_result(SN_MESSAGE_MEMORY);
    sn_gltf_builder_set(builder, "asset", "{\"version\":\"1.0\"}");
    sn_gltf_builder_set(builder, "asset", "{\"version\":\"2.0\"}"); /* the last one counts */
    uint32_t position = sn_gltf_builder_accessor(
        builder, &(sn_accessor_desc){positions, 3, 5126, 3, false, true, 34962});
    uint32_t color = sn_gltf_builder_accessor(
        builder, &(sn_accessor_desc){colors, 3, 5121, 3, true, false, 34962});
    uint32_t index = sn_gltf_builder_accessor(
        builder, &(sn_accessor_desc){indices, 3, 5123, 1, false, true, 34963});
    char mesh[200];
    snprintf(mesh, sizeof mesh,
             "{\"primitives\":[{\"attributes\":{\"POSITION\":%u,\"COLOR_0\":%u},\"indices\":%u}]}",
             position, color, index);
    sn_gltf_builder_append(builder, "meshes", mesh);
    for (int i = 0; i < 40; i++) { /* more members than a builder has room for at first */
        char name[16];
        snprintf(name, sizeof name, "extra%d", i);
        sn_gltf_builder_append(builder, name, "{}");
    }
    sn_gltf_builder_append(builder, "nodes", "{\"mesh\":0}");
    return sn_gltf_builder_finish(builder, out, error);
}

static sn_result attempt_build(const sn_allocator *allocator, void *user) {
    (void)user;
    sn_gltf *gltf = NULL;
    sn_result result = build(allocator, &gltf, NULL);
    sn_gltf_free(gltf);
    return result;
}

static void a_built_file_reads_and_writes(void **state) {
    (void)state;
    sn_gltf *gltf;
    sn_error error;
    if (build(NULL, &gltf, &error) != SN_OK)
        fail_msg("%s %s", error.pointer, error.text);
    const sn_primitive *primitive = &sn_gltf_model(gltf)->meshes[0].primitives[0];
    assert_int_equal(primitive->geometry.vertex_count, 3);
    assert_true(primitive->geometry.positions[7] == 2.5f);
    assert_int_equal(primitive->indices[2], 2);
    const sn_json *json = sn_gltf_json(gltf);
    uint32_t view = sn_json_element(json, sn_json_member(json, 0, "bufferViews"), 1);
    uint64_t stride; /* three bytes a vertex are padded to four */
    assert_true(sn_json_unsigned(json, sn_json_member(json, view, "byteStride"), &stride));
    assert_int_equal(stride, 4);
    uint32_t accessor = sn_json_element(json, sn_json_member(json, 0, "accessors"), 0);
    uint32_t max = sn_json_member(json, accessor, "max");
    assert_true(sn_json_number(json, sn_json_element(json, max, 1)) == 2.5);
    sn_output output;
    assert_int_equal(sn_gltf_write(gltf, &(sn_gltf_write_options){.container = SN_CONTAINER_GLTF},
                                   &output, &error),
                     SN_OK);
    assert_int_equal(output.file_count, 2);
    assert_string_equal(output.files[1].path, "buffer.bin");
    sn_output_free(&output);
    sn_gltf_free(gltf);
    fail_everywhere(attempt_build, NULL, "building");

    sn_gltf_builder *builder = sn_gltf_builder_create(NULL);
    sn_gltf_builder_set(builder, "asset", "{\"version\":\"2.0\"}");
    sn_gltf_builder_append(builder, "nodes", "{\"mesh\":0}");
    assert_int_equal(sn_gltf_builder_finish(builder, &gltf, &error), SN_ERROR_INVALID);
    assert_string_equal(error.pointer, "/nodes/0/mesh");
}

/* ---- The bound ---- */

static void refuse_beyond_limit(const char *text, size_t limit) {
    test_allocator counting;
    test_allocator_init(&counting, 0);
    sn_gltf_options options = {.allocator = &counting.allocator, .memory_limit = limit};
    sn_gltf *gltf;
    sn_error error = {0};
    assert_int_equal(sn_gltf_read(text, strlen(text), &options, &gltf, &error), SN_ERROR_LIMIT);
    assert_int_equal(error.id, SN_MESSAGE_LIMIT_MEMORY);
    assert_int_equal(counting.in_use, 0);
}

static void what_asks_for_too_much_is_refused(void **state) {
    (void)state;
    /* an accessor without a view takes no bytes in the file and 12 GiB here */
    refuse_beyond_limit("{\"asset\":{\"version\":\"2.0\"},\"accessors\":[{\"componentType\":5126,"
                        "\"count\":1073741824,\"type\":\"VEC3\"}],\"meshes\":[{\"primitives\":[{"
                        "\"attributes\":{\"POSITION\":0}}]}]}",
                        0);
    refuse_beyond_limit("{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{},{},{}]}", 100);
    refuse_beyond_limit("{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{},{},{}]}", 600);

    /* many accessors on the same bytes: each would become floats of its own */
    sn_text text;
    sn_text_init(&text, NULL);
    sn_text_append(&text,
                   "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":6000,\"uri\":"
                   "\"data:;base64,");
    for (int i = 0; i < 2000; i++)
        sn_text_append(&text, "AAAA");
    sn_text_append(&text,
                   "\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":6000}],\"accessors\":[");
    for (int i = 0; i < 9000; i++)
        sn_text_append(&text,
                       i ? ",{\"bufferView\":0,\"componentType\":5120,\"count\":2000,\"type\":"
                           "\"VEC3\"}"
                         : "{\"bufferView\":0,\"componentType\":5120,\"count\":2000,\"type\":"
                           "\"VEC3\"}");
    sn_text_append(&text, "],\"meshes\":[{\"primitives\":[");
    for (int i = 0; i < 9000; i++) {
        sn_text_append(&text,
                       i ? ",{\"attributes\":{\"POSITION\":" : "{\"attributes\":{\"POSITION\":");
        sn_text_append_unsigned(&text, (uint64_t)i);
        sn_text_append(&text, "}}");
    }
    sn_text_append(&text, "]}]}");
    refuse_beyond_limit(text.data, 0);
    sn_text_free(&text);
}

/* The largest use of memory in reading any file of the corpus stays far below the limit. */
static void files_take_a_small_multiple_of_their_size(void **state) {
    (void)state;
    test_files files = test_corpus();
    if (!files.count)
        skip();
    for (size_t i = 0; i < files.count; i++) {
        sn_gltf *gltf;
        if (sn_gltf_read_file(files.paths[i], NULL, &gltf, NULL) != SN_OK)
            continue;
        size_t input = gltf->size;
        for (uint32_t k = 0; k < gltf->count[SN_ROOT_BUFFERS]; k++)
            input += gltf->buffers[k].loaded ? gltf->buffers[k].available : 0;
        if (gltf->budget.peak > 65536 + 12 * input)
            fail_msg("%s: %zu bytes of input take %zu", test_corpus_name(files.paths[i]), input,
                     gltf->budget.peak);
        sn_gltf_free(gltf);
    }
    test_files_free(&files);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_allocation_may_fail),
        cmocka_unit_test(a_built_file_reads_and_writes),
        cmocka_unit_test(what_asks_for_too_much_is_refused),
        cmocka_unit_test(files_take_a_small_multiple_of_their_size),
    };
    return cmocka_run_group_tests_name("gltf memory", tests, NULL, NULL);
}
