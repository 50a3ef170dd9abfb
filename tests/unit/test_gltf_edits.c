/* What the writer does to a file when clips change, case by case. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gltf/internal.h"
#include "tests/unit/gltf_files.h"

/* Two nodes and one clip. Bytes: times 0 1 2 at 0, translations at 12, rotations at 48. `%s` takes
 * more members of the root. The two channels share the accessor of their times. */
#define NODES "\"nodes\":[{},{}]"
#define CLIP                                                                                       \
    "\"animations\":[{\"name\":\"Walk\",\"channels\":["                                            \
    "{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"translation\"}},"                            \
    "{\"sampler\":1,\"target\":{\"node\":1,\"path\":\"rotation\"}}],\"samplers\":["                \
    "{\"input\":0,\"output\":1},{\"input\":0,\"output\":2}]}]"
#define ACCESSORS                                                                                  \
    "{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"SCALAR\",\"min\":[0],"        \
    "\"max\":[2]},"                                                                                \
    "{\"bufferView\":1,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},"                     \
    "{\"bufferView\":2,\"componentType\":5126,\"count\":3,\"type\":\"VEC4\"}"
#define VIEWS                                                                                      \
    "{\"buffer\":0,\"byteLength\":12},{\"buffer\":0,\"byteOffset\":12,\"byteLength\":36},"         \
    "{\"buffer\":0,\"byteOffset\":48,\"byteLength\":48}"
#define FILE_OF(nodes, clip, accessors, views, length, more)                                       \
    "{\"asset\":{\"version\":\"2.0\"}," nodes "," clip ",\"accessors\":[" accessors                \
    "],\"bufferViews\":[" views "],\"buffers\":[{\"byteLength\":" length "}]" more "}"

static sn_gltf *read_glb(const char *json, size_t binary_size) {
    float binary[64] = {0, 1, 2};
    for (int i = 3; i < 64; i++)
        binary[i] = (float)i;
    for (int i = 0; i < 3; i++) /* unit rotations */
        memcpy(binary + 12 + 4 * i, (float[]){0, 0, 0.6f, 0.8f}, 16);
    size_t size;
    uint8_t *glb = test_make_glb(json, binary, binary_size, &size);
    sn_gltf *gltf;
    sn_error error;
    if (sn_gltf_read(glb, size, NULL, &gltf, &error) != SN_OK)
        fail_msg("%s: %s %s", json, error.pointer, error.text);
    free(glb);
    return gltf;
}

static sn_gltf *read_walk(void) {
    return read_glb(FILE_OF(NODES, CLIP, ACCESSORS, VIEWS, "96", ""), 96);
}

/* A list of clips to change: the model's, with room for more. */
typedef struct clips {
    sn_clip items[4];
    const sn_track *tracks[8];
    sn_track track;
    float times[8], values[32];
    size_t count;
} clips;

static clips take(const sn_gltf *gltf) {
    clips c = {.count = sn_gltf_model(gltf)->clip_count};
    memcpy(c.items, sn_gltf_model(gltf)->clips, c.count * sizeof *c.items);
    return c;
}

/* Replaces track `index` of the first clip by one of `keys` keys; times and values as they were as
 * far as they go, then on from there. */
static void change_track(clips *c, uint32_t index, uint32_t keys) {
    sn_clip *clip = &c->items[0];
    memcpy(c->tracks, clip->tracks, clip->track_count * sizeof *c->tracks);
    c->track = *c->tracks[index];
    uint32_t old = c->track.key_count, width = c->track.width;
    for (uint32_t k = 0; k < keys; k++) {
        c->times[k] = k < old ? c->track.times[k] : c->times[k - 1] + 1;
        memcpy(c->values + k * width, c->track.values + (k < old ? k : 0) * width,
               width * sizeof(float));
    }
    c->track.key_count = keys;
    c->track.times = c->times;
    c->track.values = c->values;
    c->tracks[index] = &c->track;
    clip->tracks = c->tracks;
}

static sn_output write(const sn_gltf *gltf, const clips *c, sn_container container) {
    sn_output output;
    sn_error error;
    sn_gltf_write_options options = {.replace_clips = c != NULL,
                                     .clips = c ? c->items : NULL,
                                     .clip_count = c ? c->count : 0,
                                     .container = container};
    if (sn_gltf_write(gltf, &options, &output, &error) != SN_OK)
        fail_msg("%s", error.text);
    return output;
}

static sn_gltf *rewrite(const sn_gltf *gltf, const clips *c) {
    sn_output output =
        write(gltf, c, sn_gltf_is_binary(gltf) ? SN_CONTAINER_GLB : SN_CONTAINER_GLTF);
    sn_gltf *again;
    sn_error error;
    if (test_read_output(&output, NULL, &again, &error) != SN_OK)
        fail_msg("%s %s", error.pointer, error.text);
    sn_output_free(&output);
    return again;
}

static void check_json(const sn_gltf *gltf, const char *expected) {
    char text[4096];
    const sn_json_node *root = gltf->json.nodes;
    snprintf(text, sizeof text, "%.*s", (int)root->length, gltf->json.text + root->offset);
    assert_string_equal(text, expected);
}

/* ---- In place ---- */

static void a_changed_value_changes_bytes_alone(void **state) {
    (void)state;
    sn_gltf *gltf = read_walk();
    clips c = take(gltf);
    change_track(&c, 0, 3);
    c.values[4] = 77;
    sn_gltf *after = rewrite(gltf, &c);
    check_json(after, FILE_OF(NODES, CLIP, ACCESSORS, VIEWS, "96", ""));
    for (uint32_t i = 0; i < 96; i++)
        assert_true((i >= 28 && i < 32) || gltf->buffers[0].bytes[i] == after->buffers[0].bytes[i]);
    assert_true(sn_gltf_model(after)->clips[0].tracks[0]->values[4] == 77);
    sn_gltf_free(after);
    sn_gltf_free(gltf);
}

/* All data in one view, as many exporters write them: its own bytes are enough. */
static void a_shared_view_is_changed_in_place(void **state) {
    (void)state;
#define ONE_VIEW                                                                                   \
    "{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"SCALAR\"},"                   \
    "{\"bufferView\":0,\"byteOffset\":12,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},"   \
    "{\"bufferView\":0,\"byteOffset\":48,\"componentType\":5126,\"count\":3,\"type\":\"VEC4\"}"
    sn_gltf *gltf =
        read_glb(FILE_OF(NODES, CLIP, ONE_VIEW, "{\"buffer\":0,\"byteLength\":96}", "96", ""), 96);
    clips c = take(gltf);
    change_track(&c, 0, 3);
    c.values[4] = 77;
    sn_gltf *after = rewrite(gltf, &c);
    check_json(after, FILE_OF(NODES, CLIP, ONE_VIEW, "{\"buffer\":0,\"byteLength\":96}", "96", ""));
    assert_true(sn_gltf_model(after)->clips[0].tracks[0]->values[4] == 77);
    sn_gltf_free(after);
    sn_gltf_free(gltf);
}

static void a_key_more_moves_one_track_to_the_end(void **state) {
    (void)state;
    sn_gltf *gltf = read_walk();
    clips c = take(gltf);
    change_track(&c, 0, 4);
    sn_gltf *after = rewrite(gltf, &c);
    /* times of its own, since the other channel keeps the old ones; both at the end, where the
     * values are in the place of a view that is free; the times need one more */
    check_json(after,
               FILE_OF(NODES,
                       "\"animations\":[{\"name\":\"Walk\",\"channels\":["
                       "{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"translation\"}},"
                       "{\"sampler\":1,\"target\":{\"node\":1,\"path\":\"rotation\"}}],"
                       "\"samplers\":[{\"input\":3,\"output\":1},{\"input\":0,\"output\":2}]}]",
                       "{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"SCALAR\","
                       "\"min\":[0],\"max\":[2]},"
                       "{\"bufferView\":1,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},"
                       "{\"bufferView\":2,\"componentType\":5126,\"count\":3,\"type\":\"VEC4\"},"
                       "{\"bufferView\":3,\"componentType\":5126,\"count\":4,\"max\":[3],"
                       "\"min\":[0],\"type\":\"SCALAR\"}",
                       "{\"buffer\":0,\"byteLength\":12},"
                       "{\"buffer\":0,\"byteOffset\":96,\"byteLength\":48},"
                       "{\"buffer\":0,\"byteOffset\":48,\"byteLength\":48},"
                       "{\"buffer\":0,\"byteOffset\":12,\"byteLength\":16}",
                       "144", ""));
    sn_gltf_free(after);
    sn_gltf_free(gltf);
}

/* An image's view lies over the track's bytes: they are not the track's alone. */
static void bytes_that_others_use_stay(void **state) {
    (void)state;
    sn_gltf *gltf = read_glb(
        FILE_OF(NODES, CLIP, ACCESSORS, VIEWS ",{\"buffer\":0,\"byteOffset\":40,\"byteLength\":4}",
                "96", ",\"images\":[{\"bufferView\":3,\"mimeType\":\"image/png\"}]"),
        96);
    clips c = take(gltf);
    change_track(&c, 0, 3);
    c.values[7] = 77; /* what the image's bytes hold */
    sn_gltf *after = rewrite(gltf, &c);
    assert_memory_equal(after->buffers[0].bytes + 40, gltf->buffers[0].bytes + 40, 4);
    assert_true(sn_gltf_model(after)->clips[0].tracks[0]->values[7] == 77);
    sn_gltf_free(after);
    sn_gltf_free(gltf);
}

static void the_last_data_of_a_buffer_grow_in_place(void **state) {
    (void)state;
    sn_gltf *gltf = read_walk();
    clips c = take(gltf);
    c.items[0].track_count = 2;
    change_track(&c, 1, 4);
    c.times[3] = 2.5f;
    sn_gltf *after = rewrite(gltf, &c);
    assert_int_equal(after->buffers[0].length, 96 + 16 + 16); /* a rotation, and four times */
    assert_int_equal(after->views[2].offset, 48);
    assert_int_equal(after->views[2].length, 64);
    sn_gltf_free(after);
    sn_gltf_free(gltf);
}

/* ---- Channels and samplers ---- */

static void a_shared_sampler_is_left_to_the_others(void **state) {
    (void)state;
    sn_gltf *gltf = read_glb(
        FILE_OF(NODES,
                "\"animations\":[{\"channels\":["
                "{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"translation\"}},"
                "{\"sampler\":0,\"target\":{\"node\":1,\"path\":\"translation\"}}],\"samplers\":["
                "{\"input\":0,\"output\":1,\"extras\":5}]}]",
                ACCESSORS, VIEWS, "96", ""),
        96);
    clips c = take(gltf);
    change_track(&c, 0, 3);
    c.values[0] = 5;
    sn_gltf *after = rewrite(gltf, &c);
    const sn_model *model = sn_gltf_model(after);
    assert_true(model->clips[0].tracks[0]->values[0] == 5);
    assert_true(model->clips[0].tracks[1]->values[0] == 3);
    assert_true(model->clips[0].tracks[0]->times == model->clips[0].tracks[1]->times);
    assert_int_equal(after->count[SN_ROOT_ACCESSORS], 4);
    sn_gltf_free(after);
    sn_gltf_free(gltf);
}

static void pointers_and_what_is_no_track_stay(void **state) {
    (void)state;
#define POINTER_CHANNELS                                                                           \
    "{\"target\":{\"path\":\"pointer\",\"extensions\":{\"KHR_animation_pointer\":{\"pointer\":"    \
    "\"/nodes/1/rotation\"}}},\"sampler\":1},"                                                     \
    "{\"sampler\":0,\"target\":{\"path\":\"pointer\",\"extensions\":{\"KHR_animation_pointer\":{"  \
    "\"pointer\":\"/materials/0/emissiveFactor\"}}}}"
    sn_gltf *gltf =
        read_glb(FILE_OF(NODES,
                         "\"animations\":[{\"channels\":[" POINTER_CHANNELS
                         "],\"samplers\":[{\"input\":0,\"output\":1},{\"input\":0,\"output\":2}]}]",
                         ACCESSORS, VIEWS, "96", ""),
                 96);
    clips c = take(gltf);
    assert_int_equal(c.items[0].track_count, 1);
    change_track(&c, 0, 3);
    c.track.interpolation = SN_STEP; /* data as they were: only the word changes */
    sn_gltf *after = rewrite(gltf, &c);
    check_json(after,
               FILE_OF(NODES,
                       "\"animations\":[{\"channels\":[" POINTER_CHANNELS
                       "],\"samplers\":[{\"input\":0,\"output\":1},{\"input\":0,\"output\":2,"
                       "\"interpolation\":\"STEP\"}]}]",
                       ACCESSORS, VIEWS, "96", ""));
    sn_gltf_free(after);
    /* without its tracks the animation keeps the channel that is none, and its data */
    c.items[0].track_count = 0;
    after = rewrite(gltf, &c);
    assert_int_equal(sn_gltf_model(after)->clip_count, 1);
    assert_int_equal(after->count[SN_ROOT_ACCESSORS], 2);
    assert_int_equal(after->buffers[0].length, 48);
    sn_gltf_free(after);
    sn_gltf_free(gltf);
}

static void a_copied_clip_shares_the_data(void **state) {
    (void)state;
    sn_gltf *gltf = read_walk();
    clips c = take(gltf);
    c.items[1] = c.items[0];
    c.items[1].name = "Walk \xC3\xA9\"";
    c.items[1].origin = SN_NONE;
    c.count = 2;
    sn_gltf *after = rewrite(gltf, &c);
    const sn_model *model = sn_gltf_model(after);
    assert_int_equal(model->clip_count, 2);
    assert_string_equal(model->clips[1].name, "Walk \xC3\xA9\"");
    for (int i = 0; i < 2; i++)
        assert_true(model->clips[0].tracks[i]->values == model->clips[1].tracks[i]->values);
    assert_int_equal(after->count[SN_ROOT_ACCESSORS], 3);
    assert_int_equal(after->buffers[0].length, 96);
    sn_gltf_free(after);
    sn_gltf_free(gltf);
}

static void renaming_touches_the_name_alone(void **state) {
    (void)state;
    static const char text[] = "\n{ \"asset\" : {\"version\":\"2.0\"},\n"
                               "  \"nodes\": [ {}, {} ],\n"
                               "  \"animations\" : [\n"
                               "    { \"channels\": [], \"name\" : \"a\", \"samplers\": [] },\n"
                               "    { \"channels\": [], \"samplers\": [] }\n"
                               "  ],\n  \"extras\": 1.50e+1 }\n\n";
    sn_gltf *gltf = test_read_text(text);
    sn_clip renamed[2] = {sn_gltf_model(gltf)->clips[0], sn_gltf_model(gltf)->clips[1]};
    renamed[0].name = "b";
    sn_gltf_write_options options = {
        .replace_clips = true, .clips = renamed, .clip_count = 2, .container = SN_CONTAINER_GLTF};
    sn_output output;
    assert_int_equal(sn_gltf_write(gltf, &options, &output, NULL), SN_OK);
    /* the renamed clip has nothing to play, so it has no form in glTF; all else stays as it is */
    static const char expected[] = "\n{ \"asset\" : {\"version\":\"2.0\"},\n"
                                   "  \"nodes\": [ {}, {} ],\n"
                                   "  \"animations\" : [\n"
                                   "    { \"channels\": [], \"samplers\": [] }\n"
                                   "  ],\n  \"extras\": 1.50e+1 }\n\n";
    assert_int_equal(output.files[0].size, sizeof expected - 1);
    assert_memory_equal(output.files[0].bytes, expected, sizeof expected - 1);
    sn_output_free(&output);
    sn_gltf_free(gltf);
}

/* ---- What goes, and who is told ---- */

static void without_clips_their_data_go_too(void **state) {
    (void)state;
    sn_gltf *gltf = read_walk();
    clips c = {.count = 0};
    sn_gltf *after = rewrite(gltf, &c);
    check_json(after,
               "{\"asset\":{\"version\":\"2.0\"}," NODES ",\"buffers\":[{\"byteLength\":4}]}");
    sn_gltf_free(after);
    sn_gltf_free(gltf);
}

/* Accessors 0 to 2 are the clip's; those after are a mesh's, instances', an outline's; views 3 and
 * 4 an image's and a compressed mesh's. */
#define REFERRING(first, view)                                                                     \
    ",\"meshes\":[{\"primitives\":[{\"attributes\":{\"_X\":" first "},\"extensions\":{"            \
    "\"CESIUM_primitive_outline\":{\"indices\":" first "},\"KHR_draco_mesh_compression\":{"        \
    "\"bufferView\":" view ",\"attributes\":{\"_X\":0}}}}]}],\"images\":[{\"bufferView\":" view    \
    ",\"mimeType\":\"image/png\"}],\"scenes\":[{\"extensions\":{\"EXT_mesh_gpu_instancing\":{"     \
    "\"attributes\":{\"TRANSLATION\":" first "}},\"EXT_structural_metadata\":{\"propertyTables\":" \
    "[{\"properties\":{\"p\":{\"values\":" view ",\"min\":" view "}}}]}}}]"
#define MORE_ACCESSORS                                                                             \
    ACCESSORS ",{\"bufferView\":3,\"componentType\":5126,\"count\":1,\"type\":\"SCALAR\"}"
#define MORE_VIEWS VIEWS ",{\"buffer\":0,\"byteOffset\":96,\"byteLength\":8}"

static void references_follow_what_moves(void **state) {
    (void)state;
    sn_gltf *gltf =
        read_glb(FILE_OF(NODES, CLIP, MORE_ACCESSORS, MORE_VIEWS, "104", REFERRING("3", "3")), 104);
    clips c = {.count = 0};
    sn_gltf *after = rewrite(gltf, &c);
    char text[4096];
    snprintf(text, sizeof text, "%.*s", (int)after->json.nodes[0].length, after->json.text);
    /* the property's min is a number that means nothing but itself */
    char expected[4096] = REFERRING("0", "0");
    char *min = strstr(expected, "\"min\":0");
    min[6] = '3';
    assert_non_null(strstr(text, expected));
    assert_int_equal(after->count[SN_ROOT_ACCESSORS], 1);
    assert_memory_equal(after->buffers[0].bytes + 96, gltf->buffers[0].bytes + 96, 8);
    sn_gltf_free(after);
    sn_gltf_free(gltf);
}

/* An extension that Sinew does not know speaks of accessor 1: no number changes hands, and that
 * accessor stays whatever happens to the clip. */
static void numbers_stand_where_an_unknown_extension_may_hold_them(void **state) {
    (void)state;
#define UNKNOWN ",\"extensions\":{\"X_unknown\":{\"theAccessorIndex\":{\"a\":[1]}}}"
    sn_gltf *gltf = read_glb(FILE_OF(NODES, CLIP, MORE_ACCESSORS, MORE_VIEWS, "104", UNKNOWN), 104);
    clips c = {.count = 0};
    sn_output output = write(gltf, &c, SN_CONTAINER_GLB);
    assert_int_equal(output.orphan_count, 2); /* accessors 0 and 2, with the views that they keep */
    sn_gltf *after;
    assert_int_equal(test_read_output(&output, NULL, &after, NULL), SN_OK);
    assert_int_equal(after->count[SN_ROOT_ACCESSORS], 4);
    assert_int_equal(after->count[SN_ROOT_BUFFER_VIEWS], 4);
    assert_memory_equal(after->buffers[0].bytes, gltf->buffers[0].bytes, 104);
    sn_output_free(&output);
    sn_gltf_free(after);

    c = take(gltf);
    change_track(&c, 0, 4);
    after = rewrite(gltf, &c);
    assert_memory_equal(after->buffers[0].bytes + 12, gltf->buffers[0].bytes + 12, 36);
    assert_int_equal(after->accessors[1].count, 3);
    assert_true(sn_gltf_model(after)->clips[0].tracks[0]->key_count == 4);
    sn_gltf_free(after);
    sn_gltf_free(gltf);
}

/* Extras that speak of a view: it keeps its number and its bytes. */
static void extras_may_hold_numbers_too(void **state) {
    (void)state;
    sn_gltf *gltf = read_glb(
        FILE_OF(NODES, CLIP, ACCESSORS, VIEWS, "96", ",\"extras\":{\"myBufferViews\":[1]}"), 96);
    clips c = {.count = 0};
    sn_gltf *after = rewrite(gltf, &c);
    assert_int_equal(after->count[SN_ROOT_BUFFER_VIEWS], 3);
    assert_int_equal(after->views[1].offset, 12);
    assert_memory_equal(after->buffers[0].bytes + 12, gltf->buffers[0].bytes + 12, 36);
    sn_gltf_free(after);
    c = take(gltf);
    change_track(&c, 0, 3);
    c.values[0] = 5;
    after = rewrite(gltf, &c);
    assert_memory_equal(after->buffers[0].bytes + 12, gltf->buffers[0].bytes + 12, 36);
    sn_gltf_free(after);
    sn_gltf_free(gltf);
}

static void quantised_tracks_become_floats_when_they_change(void **state) {
    (void)state;
    sn_gltf *gltf = read_glb(
        FILE_OF(
            NODES,
            "\"animations\":[{\"channels\":[{\"sampler\":0,\"target\":{\"node\":1,\"path\":"
            "\"rotation\"}}],\"samplers\":[{\"input\":0,\"output\":1}]}]",
            "{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"SCALAR\"},"
            "{\"bufferView\":1,\"byteOffset\":4,\"normalized\":true,\"componentType\":5122,"
            "\"count\":3,\"type\":\"VEC4\",\"name\":\"r\",\"max\":[1,1,1,1],\"min\":[0,0,0,0]}",
            "{\"buffer\":0,\"byteLength\":12},{\"buffer\":0,\"byteOffset\":12,\"byteLength\":36,"
            "\"name\":\"v\"}",
            "48", ""),
        48);
    clips c = take(gltf);
    change_track(&c, 0, 3);
    memcpy(c.values, (float[]){0, 0, 0, 1, 0, 1, 0, 0, 0.5f, -0.5f, 0.5f, 0.5f}, 48);
    sn_gltf *after = rewrite(gltf, &c);
    char text[4096];
    snprintf(text, sizeof text, "%.*s", (int)after->json.nodes[0].length, after->json.text);
    assert_non_null(strstr(text, "{\"bufferView\":1,\"componentType\":5126,\"count\":3,\"type\":"
                                 "\"VEC4\",\"name\":\"r\",\"max\":[0.5,1,0.5,1],"
                                 "\"min\":[0,-0.5,0,0]}"));
    assert_non_null(strstr(text, "\"byteLength\":48,\"name\":\"v\"}"));
    sn_gltf_free(after);
    sn_gltf_free(gltf);
}

/* ---- Buffers and containers ---- */

static void a_file_without_a_buffer_gets_one(void **state) {
    (void)state;
    static const float times[] = {0, 1}, values[] = {1, 2, 3, 4, 5, 6};
    const sn_track track = {.node = 1,
                            .path = SN_PATH_SCALE,
                            .interpolation = SN_LINEAR,
                            .width = 3,
                            .key_count = 2,
                            .times = times,
                            .values = values,
                            .origin = SN_NONE};
    const sn_track *tracks[] = {&track};
    const sn_clip clip = {.name = "new", .track_count = 1, .tracks = tracks, .origin = SN_NONE};
    sn_gltf *gltf = test_read_text("{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{},{}]}");
    for (int i = 0; i < 2; i++) {
        sn_gltf_write_options options = {.replace_clips = true,
                                         .clips = &clip,
                                         .clip_count = 1,
                                         .container = i ? SN_CONTAINER_GLTF : SN_CONTAINER_GLB};
        sn_output output;
        assert_int_equal(sn_gltf_write(gltf, &options, &output, NULL), SN_OK);
        assert_int_equal(output.file_count, 1);
        sn_gltf *after;
        assert_int_equal(test_read_output(&output, NULL, &after, NULL), SN_OK);
        assert_int_equal(after->buffers[0].kind, i ? SN_BUFFER_EMBEDDED : SN_BUFFER_BINARY);
        const sn_track *read = sn_gltf_model(after)->clips[0].tracks[0];
        assert_int_equal(read->node, 1);
        assert_int_equal(read->path, SN_PATH_SCALE);
        assert_memory_equal(read->values, values, sizeof values);
        sn_gltf_free(after);
        sn_output_free(&output);
    }
    sn_gltf_free(gltf);
}

static void unknown_chunks_and_what_follows_stay(void **state) {
    (void)state;
    static const char json[] = FILE_OF(NODES, CLIP, ACCESSORS, VIEWS, "96", "");
    uint8_t binary[96] = {0};
    const float times[3] = {0, 1, 2};
    memcpy(binary, times, sizeof times);
    sn_glb_chunk chunks[] = {{SN_GLB_JSON, json, sizeof json - 1, false},
                             {SN_GLB_BIN, binary, sizeof binary, false},
                             {0x58585858, "five!", 5, true},
                             {0x59595959, "", 0, true}};
    size_t size = (size_t)sn_glb_size(chunks, 4);
    uint8_t *glb = malloc(size + 3);
    sn_glb_write(chunks, 4, glb);
    memcpy(glb + size, "end", 3);
    sn_gltf *gltf;
    assert_int_equal(sn_gltf_read(glb, size + 3, NULL, &gltf, NULL), SN_OK);
    clips c = take(gltf);
    change_track(&c, 0, 5);
    sn_output output = write(gltf, &c, SN_CONTAINER_GLB);
    const size_t tail = 8 + 5 + 8 + 3;
    assert_memory_equal(output.files[0].bytes + output.files[0].size - tail, glb + size + 3 - tail,
                        tail);
    sn_output_free(&output);
    sn_gltf_free(gltf);
    free(glb);
}

static sn_result load_any(void *user, const char *path, const sn_allocator *allocator,
                          uint8_t **bytes, size_t *size, sn_error *error) {
    (void)user;
    (void)path;
    (void)error;
    *size = 4;
    *bytes = allocator->resize(allocator->user, NULL, 0, 4);
    memcpy(*bytes, "data", 4);
    return SN_OK;
}

static sn_gltf *read_beside(const char *first, const char *second) {
    char text[400];
    snprintf(text, sizeof text,
             "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":4,\"uri\":\"%s\"},"
             "{\"uri\":\"%s\",\"byteLength\":4}]}",
             first, second);
    sn_gltf_options options = {.loader = {load_any, NULL}};
    sn_gltf *gltf;
    assert_int_equal(sn_gltf_read(text, strlen(text), &options, &gltf, NULL), SN_OK);
    return gltf;
}

static void buffers_find_their_place_in_the_other_container(void **state) {
    (void)state;
    sn_gltf *gltf = read_beside("a%20b.bin", "c.bin");
    sn_output output = write(gltf, NULL, SN_CONTAINER_GLTF);
    assert_int_equal(output.file_count, 3);
    assert_string_equal(output.files[1].path, "a b.bin");
    sn_output_free(&output);
    output = write(gltf, NULL, SN_CONTAINER_GLB);
    assert_int_equal(output.file_count, 1);
    sn_gltf *glb;
    assert_int_equal(test_read_output(&output, NULL, &glb, NULL), SN_OK);
    check_json(glb,
               "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":4},"
               "{\"uri\":\"data:application/gltf-buffer;base64,ZGF0YQ==\",\"byteLength\":4}]}");
    sn_output_free(&output);
    sn_gltf_write_options options = {.container = SN_CONTAINER_GLTF,
                                     .buffer_name = "x/n\xC3\xA9 1.bin"};
    assert_int_equal(sn_gltf_write(glb, &options, &output, NULL), SN_OK);
    assert_string_equal(output.files[1].path, "n\xC3\xA9 1.bin");
    assert_non_null(strstr((char *)output.files[0].bytes, "\"uri\":\"n%C3%A9%201.bin\""));
    sn_output_free(&output);
    sn_gltf_free(glb);
    sn_gltf_free(gltf);
}

static void no_buffer_is_written_outside_the_folder(void **state) {
    (void)state;
    sn_gltf *gltf = read_beside("../a.bin", "c.bin");
    sn_output output;
    sn_error error;
    assert_int_equal(sn_gltf_write(gltf, &(sn_gltf_write_options){.container = SN_CONTAINER_GLTF},
                                   &output, &error),
                     SN_ERROR_IO);
    assert_int_equal(error.id, SN_MESSAGE_IO_WRITE);
    assert_int_equal(output.file_count, 0);
    output = write(gltf, NULL, SN_CONTAINER_GLB); /* inside there is room */
    sn_output_free(&output);
    sn_gltf_free(gltf);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_changed_value_changes_bytes_alone),
        cmocka_unit_test(a_shared_view_is_changed_in_place),
        cmocka_unit_test(a_key_more_moves_one_track_to_the_end),
        cmocka_unit_test(bytes_that_others_use_stay),
        cmocka_unit_test(the_last_data_of_a_buffer_grow_in_place),
        cmocka_unit_test(a_shared_sampler_is_left_to_the_others),
        cmocka_unit_test(pointers_and_what_is_no_track_stay),
        cmocka_unit_test(a_copied_clip_shares_the_data),
        cmocka_unit_test(renaming_touches_the_name_alone),
        cmocka_unit_test(without_clips_their_data_go_too),
        cmocka_unit_test(references_follow_what_moves),
        cmocka_unit_test(numbers_stand_where_an_unknown_extension_may_hold_them),
        cmocka_unit_test(extras_may_hold_numbers_too),
        cmocka_unit_test(quantised_tracks_become_floats_when_they_change),
        cmocka_unit_test(a_file_without_a_buffer_gets_one),
        cmocka_unit_test(unknown_chunks_and_what_follows_stay),
        cmocka_unit_test(buffers_find_their_place_in_the_other_container),
        cmocka_unit_test(no_buffer_is_written_outside_the_folder),
    };
    return cmocka_run_group_tests_name("gltf edits", tests, NULL, NULL);
}
