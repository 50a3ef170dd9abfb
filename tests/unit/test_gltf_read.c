/* The glTF reader: containers, URIs, and the model that it makes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gltf/internal.h"
#include "tests/unit/gltf_files.h"

/* ---- Accessors ---- */

static const float *decode(sn_gltf *gltf, uint32_t accessor) {
    sn_error error;
    sn_reader r = {.gltf = gltf,
                   .json = &gltf->json,
                   .arena = &gltf->arena,
                   .options = &(sn_gltf_options){0},
                   .error = &error};
    const float *floats = NULL;
    if (sn_reader_decode_floats(&r, accessor, &floats) != SN_OK)
        fail_msg("%s %s", error.pointer, error.text);
    return floats;
}

/* A number of a component type, as the specification says it reads (3.6.2.2). */
static double expected(uint32_t type, bool normalized, double value) {
    static const struct {
        uint32_t type;
        double scale;
    } scales[] = {{5120, 127}, {5121, 255}, {5122, 32767}, {5123, 65535}};
    for (int i = 0; normalized && i < 4; i++)
        if (scales[i].type == type)
            return fmax(value / scales[i].scale, -1);
    return value;
}

static void store(uint8_t *p, uint32_t type, double value) {
    float f = (float)value;
    uint32_t bits = type == 5125 ? (uint32_t)value : (uint32_t)(int32_t)value;
    if (type == 5126)
        memcpy(&bits, &f, sizeof bits);
    for (uint32_t i = 0; i < sn_component_size(type); i++)
        p[i] = (uint8_t)(bits >> (8 * i));
}

/* Every component type, shape, stride, normalised or not, sparse or not, with or without a view:
 * laid out here by the specification's rules, read back, compared. */
static void every_kind_of_accessor_is_read(void **state) {
    (void)state;
    static const uint32_t types[] = {5120, 5121, 5122, 5123, 5125, 5126};
    static const struct {
        const char *name;
        uint32_t rows, columns;
    } shapes[] = {{"SCALAR", 1, 1}, {"VEC2", 2, 1}, {"VEC3", 3, 1}, {"VEC4", 4, 1},
                  {"MAT2", 2, 2},   {"MAT3", 3, 3}, {"MAT4", 4, 4}};
    enum { ELEMENTS = 5, ROOM = 2048 };
    for (int t = 0; t < 6; t++) {
        for (int s = 0; s < 7; s++) {
            for (int variant = 0; variant < 16; variant++) {
                bool normalized = variant & 1, strided = variant & 2, sparse = variant & 4;
                bool view = !(variant & 8);
                uint32_t type = types[t], rows = shapes[s].rows, columns = shapes[s].columns;
                uint32_t size = sn_component_size(type);
                if (normalized && type >= 5125)
                    continue;
                uint32_t column = columns > 1 ? (rows * size + 3) / 4 * 4 : rows * size;
                uint32_t element = column * columns;
                uint32_t stride = strided ? (element + 7) / 4 * 4 : element;
                uint8_t bytes[ROOM] = {0};
                double values[ELEMENTS][16] = {{0}};
                uint32_t offset = 8;
                /* sparse: elements 1 and 4 replaced; indices as u16 at 1024, values at 1032 */
                for (uint32_t i = 0; i < ELEMENTS; i++) {
                    for (uint32_t c = 0; c < rows * columns; c++) {
                        double value = (type == 5120 || type == 5122 ? -128.0 : 0) +
                                       (double)((i * 37 + c * 11) % 120);
                        if (type == 5126)
                            value = value / 8 - 3;
                        uint32_t at = (c / rows) * column + (c % rows) * size;
                        if (view)
                            store(bytes + offset + i * stride + at, type, value);
                        values[i][c] = view ? value : 0;
                        if (sparse && (i == 1 || i == 4)) {
                            value = type == 5126 ? -value : 120 - value / 4;
                            value = floor(value);
                            if (type == 5120 || type == 5121)
                                value = fmin(value, 127);
                            store(bytes + 1032 + (i == 4) * element + at, type, value);
                            values[i][c] = value;
                        }
                    }
                }
                bytes[1024] = 1;
                bytes[1026] = 4;
                char head[800], view_text[100] = "", sparse_text[300] = "", stride_text[40] = "";
                if (strided)
                    snprintf(stride_text, sizeof stride_text, ",\"byteStride\":%u", stride);
                if (view)
                    snprintf(view_text, sizeof view_text, "\"bufferView\":0,\"byteOffset\":4,");
                if (sparse)
                    snprintf(sparse_text, sizeof sparse_text,
                             ",\"sparse\":{\"count\":2,\"indices\":{\"bufferView\":1,"
                             "\"componentType\":5123},\"values\":{\"bufferView\":1,"
                             "\"byteOffset\":8}}");
                snprintf(head, sizeof head,
                         "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":%d}],"
                         "\"bufferViews\":[{\"buffer\":0,\"byteOffset\":4,\"byteLength\":1000%s},"
                         "{\"buffer\":0,\"byteOffset\":1024,\"byteLength\":1000}],"
                         "\"accessors\":[{%s\"componentType\":%u,\"count\":%d,\"type\":\"%s\","
                         "\"normalized\":%s%s}]}",
                         ROOM, stride_text, view_text, type, ELEMENTS, shapes[s].name,
                         normalized ? "true" : "false", sparse_text);
                sn_glb_chunk chunks[] = {{SN_GLB_JSON, head, strlen(head), false},
                                         {SN_GLB_BIN, bytes, ROOM, false}};
                uint8_t glb[ROOM + 1024];
                sn_glb_write(chunks, 2, glb);
                sn_gltf *gltf;
                sn_error error;
                if (sn_gltf_read(glb, (size_t)sn_glb_size(chunks, 2), NULL, &gltf, &error))
                    fail_msg("%s: %s %s", head, error.pointer, error.text);
                const float *floats = decode(gltf, 0);
                for (uint32_t i = 0; i < ELEMENTS; i++)
                    for (uint32_t c = 0; c < rows * columns; c++)
                        if (floats[i * rows * columns + c] !=
                            (float)expected(type, normalized, values[i][c]))
                            fail_msg("%s: element %u component %u is %g", head, i, c,
                                     (double)floats[i * rows * columns + c]);
                sn_gltf_free(gltf);
            }
        }
    }
}

/* ---- GLB ---- */

static void refuse_bytes(const uint8_t *bytes, size_t size, sn_message_id id) {
    uint8_t *copy = malloc(size + !size); /* of exactly that size, for the sanitizer */
    memcpy(copy, bytes, size);
    sn_gltf *gltf;
    sn_error error = {0};
    sn_result result = sn_gltf_read(copy, size, NULL, &gltf, &error);
    free(copy);
    assert_int_equal(error.id, id);
    assert_int_equal(result, sn_message_result(id));
}

static void put_u32(uint8_t *p, uint32_t value) {
    for (int i = 0; i < 4; i++)
        p[i] = (uint8_t)(value >> (8 * i));
}

static void the_container_is_checked(void **state) {
    (void)state;
    static const char json[] = "{\"asset\":{\"version\":\"2.0\"}}";
    size_t size;
    uint8_t *glb = test_make_glb(json, "abcd", 4, &size);
    sn_gltf *gltf;
    assert_int_equal(sn_gltf_read(glb, size, NULL, &gltf, NULL), SN_OK);
    assert_true(sn_gltf_is_binary(gltf));
    sn_gltf_free(gltf);
    for (size_t cut = 0; cut < size; cut++) /* any cut */
        refuse_bytes(glb, cut, cut < 4 ? SN_MESSAGE_JSON_SYNTAX : SN_MESSAGE_GLB_HEADER);
    static const struct {
        uint32_t at, value;
        sn_message_id id;
    } changes[] = {
        {4, 1, SN_MESSAGE_GLB_HEADER},          /* version */
        {8, 11, SN_MESSAGE_GLB_HEADER},         /* length */
        {8, 12, SN_MESSAGE_GLB_CHUNK},          /* no chunk */
        {8, 19, SN_MESSAGE_GLB_CHUNK},          /* half a chunk header */
        {12, 0xFFFFFFFF, SN_MESSAGE_GLB_CHUNK}, /* a chunk beyond the file */
        {12, 48, SN_MESSAGE_GLB_CHUNK},         /* no room for the next header */
        {16, 0x12345678, SN_MESSAGE_GLB_CHUNK}, /* JSON comes first */
        {16, SN_GLB_BIN, SN_MESSAGE_GLB_CHUNK},
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        uint8_t *copy = malloc(size);
        memcpy(copy, glb, size);
        put_u32(copy + changes[i].at, changes[i].value);
        refuse_bytes(copy, size, changes[i].id);
        free(copy);
    }
    free(glb);
    sn_glb_chunk chunks[] = {{SN_GLB_JSON, json, sizeof json - 1, false},
                             {0x58585858, "xyz", 3, true},
                             {SN_GLB_BIN, "abcd", 4, false}};
    uint8_t bytes[256];
    sn_glb_write(chunks, 3, bytes);
    refuse_bytes(bytes, (size_t)sn_glb_size(chunks, 3), SN_MESSAGE_GLB_CHUNK); /* BIN is third */
    sn_glb_write(chunks, 2, bytes);
    assert_int_equal(sn_gltf_read(bytes, (size_t)sn_glb_size(chunks, 2), NULL, &gltf, NULL), SN_OK);
    const sn_warning *warnings;
    assert_int_equal(sn_gltf_warnings(gltf, &warnings), 2); /* unknown, and of odd length */
    sn_gltf_free(gltf);
}

/* ---- URIs ---- */

static sn_result load_named(void *user, const char *path, const sn_allocator *allocator,
                            uint8_t **bytes, size_t *size, sn_error *error) {
    (void)error;
    assert_string_equal(path, user);
    *size = 4;
    *bytes = allocator->resize(allocator->user, NULL, 0, 4);
    if (!*bytes)
        return SN_ERROR_MEMORY;
    memcpy(*bytes, "\1\2\3\4", 4);
    return SN_OK;
}

static void buffers_come_from_any_uri(void **state) {
    (void)state;
    static const struct {
        const char *uri, *path;
    } cases[] = {
        {"a.bin", "a.bin"},
        {"a%20b/%C3%A9%23.bin", "a b/\xC3\xA9#.bin"},
        {"../up/./a.bin", "../up/a.bin"},
        {"./a//b/../%2e/c/.././d/a.bin", "a/d/a.bin"},
        {"a/../../../b", "../../b"},
        {"./a:b", "a:b"},
        {"100%.bin", "100%.bin"},
        {"\\u0061.bin", "a.bin"},
        {"data:application/octet-stream;base64,AQIDBA==", NULL},
        {"DATA:text/plain;charset=x;base64,AQIDBA", NULL},
        {"data:;base64,AQID%42A%3D%3D", NULL},
        {"data:text/plain,%01%02%03%04", NULL},
        {"data:,\\u0001%02\\u0003%04", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        snprintf(
            text, sizeof text,
            "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":4,\"uri\":\"%s\"}]}",
            cases[i].uri);
        sn_gltf_options options = {
            .loader = {load_named, (void *)(uintptr_t)cases[i].path},
        };
        sn_gltf *gltf;
        sn_error error;
        if (sn_gltf_read(text, strlen(text), &options, &gltf, &error) != SN_OK)
            fail_msg("%s: %s", cases[i].uri, error.text);
        assert_memory_equal(gltf->buffers[0].bytes, "\1\2\3\4", 4);
        sn_gltf_free(gltf);

        sn_arena arena;
        sn_arena_init(&arena, NULL);
        const char **paths;
        size_t count;
        assert_int_equal(sn_gltf_list_resources(text, strlen(text), &arena, &paths, &count, &error),
                         SN_OK);
        assert_int_equal(count, cases[i].path != NULL);
        if (count)
            assert_string_equal(paths[0], cases[i].path);
        sn_arena_free(&arena);
    }
}

static sn_result load_once(void *user, const char *path, const sn_allocator *allocator,
                           uint8_t **bytes, size_t *size, sn_error *error) {
    ++*(int *)user;
    return load_named((void *)(uintptr_t)"a.bin", path, allocator, bytes, size, error);
}

/* Else a small file that names itself, or another, often could ask for any amount of memory. */
static void a_file_is_loaded_once_however_often_it_is_named(void **state) {
    (void)state;
    static const char *const uris[] = {"a.bin", "./a.bin", "b/../a.bin", "%61.bin", ".//a.bin"};
    static char text[64 * 1024];
    int length = snprintf(text, sizeof text, "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[");
    for (int i = 0; i < 1000; i++)
        length += snprintf(text + length, sizeof text - (size_t)length,
                           "%s{\"byteLength\":4,\"uri\":\"%s\"}", i ? "," : "", uris[i % 5]);
    snprintf(text + length, sizeof text - (size_t)length, "]}");
    int calls = 0;
    sn_gltf_options options = {.loader = {load_once, &calls}};
    sn_gltf *gltf;
    assert_int_equal(sn_gltf_read(text, strlen(text), &options, &gltf, NULL), SN_OK);
    assert_int_equal(calls, 1);
    for (int i = 0; i < 1000; i++)
        assert_memory_equal(gltf->buffers[i].bytes, "\1\2\3\4", 4);
    sn_gltf_free(gltf);
}

static void paths_that_name_no_file_are_refused(void **state) {
    (void)state;
    static const char *const uris[] = {"", ".", "a/..", "./", "/a.bin", "c:a.bin", "a%00b"};
    for (size_t i = 0; i < sizeof uris / sizeof *uris; i++) {
        char text[256];
        snprintf(
            text, sizeof text,
            "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":4,\"uri\":\"%s\"}]}",
            uris[i]);
        sn_gltf_options options = {.loader = {load_named, NULL}};
        sn_gltf *gltf;
        sn_error error;
        assert_int_equal(sn_gltf_read(text, strlen(text), &options, &gltf, &error),
                         SN_ERROR_INVALID);
        assert_int_equal(error.id, SN_MESSAGE_BUFFER_URI);
    }
}

static void paths_that_leave_their_folder_are_known(void **state) {
    (void)state;
    assert_true(sn_path_leaves_folder(".."));
    assert_true(sn_path_leaves_folder("../a"));
    assert_true(sn_path_leaves_folder("a/../../b"));
    assert_true(sn_path_leaves_folder("./../b"));
    assert_false(sn_path_leaves_folder("a/../b"));
    assert_false(sn_path_leaves_folder("a//b/..c/..."));
    assert_false(sn_path_leaves_folder(""));
}

static void refuse_count(unsigned count, sn_message_id id) {
    char text[512];
    snprintf(text, sizeof text,
             "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":4,\"uri\":"
             "\"data:;base64,AAAAAA==\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":4,"
             "\"extensions\":{\"EXT_meshopt_compression\":{\"buffer\":0,\"byteLength\":4,"
             "\"byteStride\":4,\"mode\":\"ATTRIBUTES\",\"count\":%u}}}]}",
             count);
    sn_gltf_options options = {.layout_only = true};
    sn_gltf *gltf;
    sn_error error;
    assert_int_equal(sn_gltf_read(text, strlen(text), &options, &gltf, NULL), SN_OK);
    sn_compressed_view view;
    assert_int_equal(sn_gltf_compressed_view(gltf, 0, &view, &error), sn_message_result(id));
    assert_int_equal(error.id, id);
    assert_true(strncmp(error.pointer, "/bufferViews/0/extensions/EXT", 29) == 0);
    sn_gltf_free(gltf);
}

/* 2^30 + 1 elements of 4 bytes are 4 bytes to a size_t of 32 bits, as WebAssembly has it. And 4
 * bytes hold 1,024 such elements at most. */
static void more_decoded_bytes_than_there_can_be_are_refused(void **state) {
    (void)state;
    refuse_count(1073741825, SN_MESSAGE_LIMIT_SIZE);
    refuse_count(2000, SN_MESSAGE_MESHOPT_DATA);
}

/* The view is 4 bytes, one element. */
static void compressed_elements_make_the_whole_view(void **state) {
    (void)state;
    refuse_count(0, SN_MESSAGE_BUFFER_VIEW_BOUNDS);
    refuse_count(2, SN_MESSAGE_BUFFER_VIEW_BOUNDS);
}

/* ---- The model ---- */

static void nodes_meshes_and_clips_are_as_the_file_has_them(void **state) {
    (void)state;
    sn_gltf *gltf = test_read_text(
        "{\"asset\":{\"version\":\"2.0\",\"generator\":\"g\\u00e9\"},\"scene\":1,"
        "\"scenes\":[{},{\"name\":\"s\",\"nodes\":[1]}],\"cameras\":[{}],"
        "\"nodes\":[{\"name\":\"leaf\",\"mesh\":0,\"weights\":[0.5,1]},"
        "{\"children\":[0,2],\"camera\":0,\"matrix\":[0,0,-2,0, 0,3,0,0, 4,0,0,0, 5,6,7,1]},"
        "{\"mesh\":0,\"matrix\":[1,0,0,0, 1,1,0,0, 0,0,1,0, 1,2,3,1]},{\"mesh\":1}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{},\"targets\":[{},{}],\"mode\":1}],"
        "\"weights\":[0.25,0.75]},{\"name\":\"m\",\"primitives\":[]}]}");
    const sn_model *model = sn_gltf_model(gltf);
    assert_string_equal(model->generator, "g\xC3\xA9");
    assert_int_equal(model->default_scene, 1);
    assert_int_equal(model->scenes[0].root_count, 0);
    assert_int_equal(model->scenes[1].roots[0], 1);
    assert_string_equal(model->nodes[0].name, "leaf");
    assert_string_equal(model->nodes[1].name, "");
    assert_int_equal(model->nodes[0].parent, 1);
    assert_int_equal(model->nodes[1].parent, SN_NONE);
    assert_int_equal(model->nodes[1].camera, 0);
    assert_int_equal(model->nodes[3].skin, SN_NONE);
    /* a quarter turn about y, scaled 2 3 4 along its own axes */
    const sn_transform *rest = &model->nodes[1].rest;
    assert_true(model->nodes[1].has_matrix);
    const float scale[3] = {2, 3, 4}, place[3] = {5, 6, 7};
    for (int i = 0; i < 3; i++) {
        assert_true(fabsf(rest->scale[i] - scale[i]) < 1e-6f);
        assert_true(rest->translation[i] == place[i]);
    }
    assert_true(fabsf(rest->rotation[1] - 0.70710678f) < 1e-6f);
    assert_true(fabsf(rest->rotation[3] - 0.70710678f) < 1e-6f);
    assert_int_equal(model->fixed_count, 1);
    assert_int_equal(model->fixed_nodes[0], 2);
    assert_true(model->fixed_matrices[0].m[0][1] == 1 && model->fixed_matrices[0].m[2][3] == 3);
    assert_int_equal(model->meshes[0].target_count, 2);
    assert_int_equal(model->meshes[0].primitives[0].mode, 1);
    assert_int_equal(model->meshes[1].primitive_count, 0);
    assert_true(model->nodes[0].weights[0] == 0.5f && model->nodes[0].weights[1] == 1);
    assert_true(model->nodes[2].weights[0] == 0.25f && model->nodes[2].weights[1] == 0.75f);
    assert_int_equal(model->nodes[3].weight_count, 0);
    sn_gltf_free(gltf);
}

/* JOINTS_0 … JOINTS_2 in any order of members, of several types, become one list a vertex. */
static void all_influence_sets_are_read(void **state) {
    (void)state;
    uint8_t binary[96] = {0};
    for (uint8_t i = 0; i < 8; i++) {
        binary[i] = i;                         /* JOINTS_0, u8 */
        binary[8 + 2 * i] = (uint8_t)(10 + i); /* JOINTS_1, u16 */
        binary[9 + 2 * i] = 1;
        binary[24 + i] = (uint8_t)(255 - i); /* WEIGHTS_0, u8 normalised */
        const float weight = 0.125f * i;
        memcpy(binary + 32 + 4 * i, &weight, 4); /* WEIGHTS_1 */
    }
    static const char json[] =
        "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":96}],\"bufferViews\":["
        "{\"buffer\":0,\"byteLength\":96}],\"meshes\":[{\"primitives\":[{\"attributes\":{"
        "\"WEIGHTS_1\":4,\"JOINTS_0\":1,\"POSITION\":0,\"JOINTS_1\":2,\"WEIGHTS_0\":3,"
        "\"JOINTS_00\":0,\"JOINTS_9\":0}}]}],\"accessors\":["
        "{\"count\":2,\"componentType\":5126,\"type\":\"VEC3\"},"
        "{\"bufferView\":0,\"count\":2,\"componentType\":5121,\"type\":\"VEC4\"},"
        "{\"bufferView\":0,\"byteOffset\":8,\"count\":2,\"componentType\":5123,\"type\":\"VEC4\"},"
        "{\"bufferView\":0,\"byteOffset\":24,\"count\":2,\"componentType\":5121,\"type\":\"VEC4\","
        "\"normalized\":true},"
        "{\"bufferView\":0,\"byteOffset\":32,\"count\":2,\"componentType\":5126,\"type\":\"VEC4\"}"
        "]}";
    size_t size;
    uint8_t *glb = test_make_glb(json, binary, sizeof binary, &size);
    sn_gltf *gltf;
    assert_int_equal(sn_gltf_read(glb, size, NULL, &gltf, NULL), SN_OK);
    free(glb);
    const sn_geometry *geometry = &sn_gltf_model(gltf)->meshes[0].primitives[0].geometry;
    assert_int_equal(geometry->influence_count, 8);
    for (int v = 0; v < 2; v++) {
        for (int i = 0; i < 4; i++) {
            int n = 4 * v + i;
            assert_int_equal(geometry->joints[8 * v + i], n);
            assert_int_equal(geometry->joints[8 * v + 4 + i], 256 + 10 + n);
            assert_true(geometry->weights[8 * v + i] == (float)(255 - n) / 255.0f);
            assert_true(geometry->weights[8 * v + 4 + i] == 0.125f * (float)n);
        }
    }
    const sn_warning *warnings;
    assert_int_equal(sn_gltf_warnings(gltf, &warnings), 1); /* JOINTS_9 */
    assert_int_equal(warnings[0].id, SN_MESSAGE_MESH_ATTRIBUTE);
    sn_gltf_free(gltf);
}

static void pointers_to_nodes_are_tracks(void **state) {
    (void)state;
    static const struct {
        const char *pointer;
        uint32_t node;
        sn_path path;
    } cases[] = {
        {"/nodes/1/translation", 1, SN_PATH_TRANSLATION},
        {"/nodes/0/rotation", SN_NONE, SN_PATH_ROTATION}, /* VEC3 values: no rotation */
        {"/nodes/1/scale", 1, SN_PATH_SCALE},
        {"\\/nodes\\/1\\/sc\\u0061le", 1, SN_PATH_SCALE}, /* as some writers escape slashes */
        {"/nodes/01/scale", SN_NONE, SN_PATH_SCALE},
        {"/nodes/2/scale", SN_NONE, SN_PATH_SCALE},
        {"/nodes/1/extensions/KHR_node_visibility/visible", SN_NONE, SN_PATH_SCALE},
        {"/materials/0/emissiveFactor", SN_NONE, SN_PATH_SCALE},
        {"", SN_NONE, SN_PATH_SCALE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1200];
        snprintf(
            text, sizeof text,
            "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{},{}],\"accessors\":["
            "{\"bufferView\":0,\"count\":1,\"componentType\":5126,\"type\":\"SCALAR\"},"
            "{\"bufferView\":0,\"count\":1,\"componentType\":5126,\"type\":\"VEC3\"}],"
            "\"bufferViews\":[{\"buffer\":0,\"byteLength\":12}],\"buffers\":[{\"byteLength\":12,"
            "\"uri\":\"data:;base64,AAAAAAAAAAAAAAAA\"}],\"animations\":[{\"samplers\":[{\"input\":"
            "0,"
            "\"output\":1}],\"channels\":[{\"sampler\":0,\"target\":{\"path\":\"pointer\","
            "\"extensions\":{\"KHR_animation_pointer\":{\"pointer\":\"%s\"}}}}]}]}",
            cases[i].pointer);
        sn_gltf *gltf;
        sn_error error;
        sn_result result = sn_gltf_read(text, strlen(text), NULL, &gltf, &error);
        if (i == 1) {
            assert_int_equal(error.id, SN_MESSAGE_ACCESSOR_TYPE);
            continue;
        }
        assert_int_equal(result, SN_OK);
        const sn_clip *clip = &sn_gltf_model(gltf)->clips[0];
        assert_int_equal(clip->track_count, cases[i].node != SN_NONE);
        if (clip->track_count) {
            assert_int_equal(clip->tracks[0]->node, cases[i].node);
            assert_int_equal(clip->tracks[0]->path, cases[i].path);
            assert_int_equal(clip->tracks[0]->origin, 0);
        }
        sn_gltf_free(gltf);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_accessor_is_read),
        cmocka_unit_test(the_container_is_checked),
        cmocka_unit_test(buffers_come_from_any_uri),
        cmocka_unit_test(a_file_is_loaded_once_however_often_it_is_named),
        cmocka_unit_test(paths_that_name_no_file_are_refused),
        cmocka_unit_test(more_decoded_bytes_than_there_can_be_are_refused),
        cmocka_unit_test(compressed_elements_make_the_whole_view),
        cmocka_unit_test(paths_that_leave_their_folder_are_known),
        cmocka_unit_test(nodes_meshes_and_clips_are_as_the_file_has_them),
        cmocka_unit_test(all_influence_sets_are_read),
        cmocka_unit_test(pointers_to_nodes_are_tracks),
    };
    return cmocka_run_group_tests_name("gltf read", tests, NULL, NULL);
}
