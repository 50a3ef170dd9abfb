/* What the glTF reader says of broken files: one change each to a file that is whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/gltf_files.h"

/* With 180 zero bytes and the float 1: key times are 0 and 1, all else is zeros. */
#define WHOLE                                                                                      \
    "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"                   \
    "\"nodes\":[{\"children\":[1,2]},{\"mesh\":0,\"skin\":0},{\"translation\":[1,2,3],"            \
    "\"rotation\":[0,0,0,1],\"scale\":[1,1,1]}],"                                                  \
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":1,\"WEIGHTS_0\":2}" \
    ","                                                                                            \
    "\"indices\":3,\"targets\":[{\"POSITION\":0}]}],\"weights\":[0]}],"                            \
    "\"skins\":[{\"joints\":[0,2],\"inverseBindMatrices\":4}],"                                    \
    "\"animations\":[{\"channels\":[{\"sampler\":0,\"target\":{\"node\":2,\"path\":"               \
    "\"translation\"}},{\"sampler\":1,\"target\":{\"node\":1,\"path\":\"weights\"}}],"             \
    "\"samplers\":[{\"input\":5,\"output\":6},{\"input\":5,\"output\":7,\"interpolation\":"        \
    "\"STEP\"}]}],"                                                                                \
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},"      \
    "{\"bufferView\":1,\"componentType\":5121,\"count\":3,\"type\":\"VEC4\"},"                     \
    "{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC4\"},"                     \
    "{\"bufferView\":1,\"componentType\":5123,\"count\":3,\"type\":\"SCALAR\"},"                   \
    "{\"bufferView\":0,\"componentType\":5126,\"count\":2,\"type\":\"MAT4\"},"                     \
    "{\"bufferView\":2,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\"},"                   \
    "{\"bufferView\":0,\"componentType\":5126,\"count\":2,\"type\":\"VEC3\"},"                     \
    "{\"bufferView\":0,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\"}],"                  \
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":128},{\"buffer\":0,\"byteOffset\":128,"         \
    "\"byteLength\":48},{\"buffer\":0,\"byteOffset\":176,\"byteLength\":8}],"                      \
    "\"buffers\":[{\"byteLength\":184}]}"

static sn_result read_changed(const char *from, const char *to, sn_gltf **out, sn_error *error) {
    const char *at = strstr(WHOLE, from);
    assert_non_null(at);
    char text[8192];
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - WHOLE), WHOLE, to, at + strlen(from));
    uint8_t binary[184] = {0};
    const float one = 1;
    memcpy(binary + 180, &one, sizeof one);
    memcpy(binary + 60, &one, sizeof one); /* ends of the bind matrices */
    memcpy(binary + 124, &one, sizeof one);
    size_t size;
    uint8_t *glb = test_make_glb(text, binary, sizeof binary, &size);
    sn_result result = sn_gltf_read(glb, size, NULL, out, error);
    free(glb);
    return result;
}

typedef struct change {
    const char *from, *to;
    sn_message_id id;
    const char *pointer;
} change;

static void every_broken_field_is_refused_with_its_pointer(void **state) {
    (void)state;
    static const change changes[] = {
        {"{\"version\":\"2.0\"}", "{}", SN_MESSAGE_MEMBER_MISSING, "/asset"},
        {"{\"version\":\"2.0\"}", "{\"version\":2}", SN_MESSAGE_JSON_TYPE, "/asset/version"},
        {"{\"version\":\"2.0\"}", "{\"version\":\"1.0\"}", SN_MESSAGE_ASSET_VERSION,
         "/asset/version"},
        {"{\"version\":\"2.0\"}", "{\"version\":\"two\"}", SN_MESSAGE_ASSET_VERSION,
         "/asset/version"},
        {"{\"version\":\"2.0\"}", "{\"version\":\"2.0\",\"minVersion\":\"2.1\"}",
         SN_MESSAGE_ASSET_VERSION, "/asset/minVersion"},
        {"\"scene\":0", "\"extensionsRequired\":[\"KHR_lights_punctual\",\"X_y\"],\"scene\":0",
         SN_MESSAGE_EXTENSION_REQUIRED, "/extensionsRequired/1"},
        {"\"scene\":0", "\"extensionsRequired\":[5],\"scene\":0", SN_MESSAGE_JSON_TYPE,
         "/extensionsRequired/0"},
        {"\"scene\":0", "\"scene\":1", SN_MESSAGE_REFERENCE, "/scene"},
        {"\"scene\":0", "\"scene\":-1", SN_MESSAGE_JSON_TYPE, "/scene"},
        {"\"scene\":0", "\"scene\":0.5", SN_MESSAGE_JSON_TYPE, "/scene"},
        {"\"scene\":0", "\"scene\":\"0\"", SN_MESSAGE_JSON_TYPE, "/scene"},
        {"\"scene\":0", "\"materials\":{},\"scene\":0", SN_MESSAGE_JSON_TYPE, "/materials"},
        {"{\"nodes\":[0]}", "5", SN_MESSAGE_JSON_TYPE, "/scenes/0"},
        {"{\"nodes\":[0]}", "{\"nodes\":[3]}", SN_MESSAGE_REFERENCE, "/scenes/0/nodes/0"},
        {"\"children\":[1,2]", "\"children\":[1,3]", SN_MESSAGE_REFERENCE, "/nodes/0/children/1"},
        {"\"children\":[1,2]", "\"children\":[1,1]", SN_MESSAGE_NODE_PARENT, "/nodes/0/children/1"},
        {"\"children\":[1,2]", "\"children\":[1,0]", SN_MESSAGE_NODE_CYCLE, "/nodes/0"},
        {"\"children\":[1,2]", "\"children\":{}", SN_MESSAGE_JSON_TYPE, "/nodes/0/children"},
        {"\"mesh\":0", "\"mesh\":1", SN_MESSAGE_REFERENCE, "/nodes/1/mesh"},
        {"\"mesh\":0", "\"mesh\":4294967296", SN_MESSAGE_REFERENCE, "/nodes/1/mesh"},
        {"\"skin\":0", "\"skin\":1", SN_MESSAGE_REFERENCE, "/nodes/1/skin"},
        {"\"skin\":0", "\"skin\":0,\"camera\":0", SN_MESSAGE_REFERENCE, "/nodes/1/camera"},
        {"\"skin\":0", "\"skin\":0,\"name\":7", SN_MESSAGE_JSON_TYPE, "/nodes/1/name"},
        {"[1,2,3]", "[1,2]", SN_MESSAGE_VALUE_RANGE, "/nodes/2/translation"},
        {"[1,2,3]", "[1,2,null]", SN_MESSAGE_JSON_TYPE, "/nodes/2/translation/2"},
        {"[1,2,3]", "[1,2,1e39]", SN_MESSAGE_VALUE_RANGE, "/nodes/2/translation/2"},
        {"[0,0,0,1]", "[0,0,0,1,0]", SN_MESSAGE_VALUE_RANGE, "/nodes/2/rotation"},
        {"[1,1,1]", "\"1 1 1\"", SN_MESSAGE_JSON_TYPE, "/nodes/2/scale"},
        {"\"translation\":[1,2,3]", "\"matrix\":[1]", SN_MESSAGE_VALUE_RANGE, "/nodes/2/matrix"},
        {"{\"primitives\":", "{\"primitive\":", SN_MESSAGE_MEMBER_MISSING, "/meshes/0"},
        {"{\"attributes\":", "{\"attribute\":", SN_MESSAGE_MEMBER_MISSING,
         "/meshes/0/primitives/0"},
        {"\"POSITION\":0,", "\"POSITION\":8,", SN_MESSAGE_REFERENCE,
         "/meshes/0/primitives/0/attributes/POSITION"},
        {"\"POSITION\":0,", "\"POSITION\":2,", SN_MESSAGE_ACCESSOR_TYPE,
         "/meshes/0/primitives/0/attributes/POSITION"},
        {"\"POSITION\":0,", "\"POSITION\":0,\"NORMAL\":6,", SN_MESSAGE_MESH_ATTRIBUTE,
         "/meshes/0/primitives/0/attributes/NORMAL"},
        {"\"JOINTS_0\":1", "\"JOINTS_0\":2", SN_MESSAGE_ACCESSOR_TYPE,
         "/meshes/0/primitives/0/attributes/JOINTS_0"},
        {"\"WEIGHTS_0\":2", "\"WEIGHTS_0\":1", SN_MESSAGE_ACCESSOR_TYPE,
         "/meshes/0/primitives/0/attributes/WEIGHTS_0"},
        {"\"indices\":3", "\"indices\":5", SN_MESSAGE_ACCESSOR_TYPE,
         "/meshes/0/primitives/0/indices"},
        {"\"indices\":3", "\"indices\":3,\"material\":0", SN_MESSAGE_REFERENCE,
         "/meshes/0/primitives/0/material"},
        {"\"targets\":[{\"POSITION\":0}]", "\"targets\":[{\"POSITION\":6}]",
         SN_MESSAGE_MESH_ATTRIBUTE, "/meshes/0/primitives/0/targets/0/POSITION"},
        {"\"targets\":[{\"POSITION\":0}]}", "\"targets\":[{\"POSITION\":0}]},{\"attributes\":{}}",
         SN_MESSAGE_MESH_TARGETS, "/meshes/0/primitives/1"},
        {"\"joints\":[0,2]", "\"joints\":[0,5]", SN_MESSAGE_REFERENCE, "/skins/0/joints/1"},
        {"\"joints\":[0,2]", "\"joint\":[]", SN_MESSAGE_MEMBER_MISSING, "/skins/0"},
        {"\"joints\":[0,2]", "\"joints\":[0,1,2]", SN_MESSAGE_SKIN_MATRICES,
         "/skins/0/inverseBindMatrices"},
        {"\"inverseBindMatrices\":4", "\"inverseBindMatrices\":0", SN_MESSAGE_ACCESSOR_TYPE,
         "/skins/0/inverseBindMatrices"},
        {"\"inverseBindMatrices\":4", "\"skeleton\":9", SN_MESSAGE_REFERENCE, "/skins/0/skeleton"},
        {"\"sampler\":0", "\"sampler\":2", SN_MESSAGE_REFERENCE,
         "/animations/0/channels/0/sampler"},
        {"\"node\":2,\"path\"", "\"node\":3,\"path\"", SN_MESSAGE_REFERENCE,
         "/animations/0/channels/0/target/node"},
        {"\"node\":2,\"path\"", "\"node\":2,\"way\"", SN_MESSAGE_MEMBER_MISSING,
         "/animations/0/channels/0/target"},
        {"\"input\":5,\"output\":6", "\"input\":9,\"output\":6", SN_MESSAGE_REFERENCE,
         "/animations/0/samplers/0/input"},
        {"\"input\":5,\"output\":6", "\"input\":6,\"output\":6", SN_MESSAGE_ACCESSOR_TYPE,
         "/animations/0/samplers/0/input"},
        {"\"input\":5,\"output\":6", "\"input\":7,\"output\":6", SN_MESSAGE_ANIMATION_TIMES,
         "/animations/0/samplers/0/input"},
        {"\"input\":5,\"output\":6", "\"input\":5,\"output\":0", SN_MESSAGE_ANIMATION_VALUES,
         "/animations/0/samplers/0/output"},
        {"\"input\":5,\"output\":6", "\"input\":5,\"output\":2", SN_MESSAGE_ACCESSOR_TYPE,
         "/animations/0/samplers/0/output"},
        {"\"STEP\"", "\"CUBICSPLINE\"", SN_MESSAGE_ANIMATION_VALUES,
         "/animations/0/samplers/1/output"},
        {"\"STEP\"", "\"QUADRATIC\"", SN_MESSAGE_VALUE_RANGE,
         "/animations/0/samplers/1/interpolation"},
        {"\"componentType\":5126,\"count\":3", "\"componentType\":5124,\"count\":3",
         SN_MESSAGE_ACCESSOR_TYPE, "/accessors/0/componentType"},
        {"\"count\":3,\"type\":\"VEC3\"", "\"count\":11,\"type\":\"VEC3\"",
         SN_MESSAGE_ACCESSOR_BOUNDS, "/accessors/0"},
        {"\"count\":3,\"type\":\"VEC3\"", "\"count\":4294967295,\"type\":\"VEC3\"",
         SN_MESSAGE_VALUE_RANGE, "/accessors/0/count"},
        {"\"count\":3,\"type\":\"VEC3\"", "\"count\":4294967294,\"type\":\"VEC3\"",
         SN_MESSAGE_ACCESSOR_BOUNDS, "/accessors/0"},
        {"\"count\":3,\"type\":\"VEC3\"", "\"count\":3,\"byteOffset\":93,\"type\":\"VEC3\"",
         SN_MESSAGE_ACCESSOR_BOUNDS, "/accessors/0"},
        {"\"count\":3,\"type\":\"VEC3\"",
         "\"count\":3,\"byteOffset\":9007199254740992,\"type\":\"VEC3\"",
         SN_MESSAGE_ACCESSOR_BOUNDS, "/accessors/0"},
        {"\"count\":3,\"type\":\"VEC3\"", "\"count\":3,\"type\":\"VEC5\"", SN_MESSAGE_ACCESSOR_TYPE,
         "/accessors/0/type"},
        {"\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"",
         "\"bufferView\":3,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"",
         SN_MESSAGE_REFERENCE, "/accessors/0/bufferView"},
        {"\"count\":3,\"type\":\"VEC3\"",
         "\"count\":3,\"type\":\"VEC3\",\"sparse\":{\"count\":1,\"indices\":{\"bufferView\":2,"
         "\"componentType\":5126},\"values\":{\"bufferView\":0}}",
         SN_MESSAGE_ACCESSOR_TYPE, "/accessors/0/sparse/indices"},
        {"\"count\":3,\"type\":\"VEC3\"",
         "\"count\":3,\"type\":\"VEC3\",\"sparse\":{\"count\":2,\"indices\":{\"bufferView\":2,"
         "\"componentType\":5125},\"values\":{\"bufferView\":0}}",
         SN_MESSAGE_ACCESSOR_BOUNDS, "/accessors/0/sparse/indices"},
        {"\"count\":3,\"type\":\"VEC3\"",
         "\"count\":3,\"type\":\"VEC3\",\"sparse\":{\"count\":4,\"indices\":{\"bufferView\":2,"
         "\"componentType\":5125},\"values\":{\"bufferView\":0}}",
         SN_MESSAGE_VALUE_RANGE, "/accessors/0/sparse/count"},
        {"\"byteLength\":128", "\"byteLength\":185", SN_MESSAGE_BUFFER_VIEW_BOUNDS,
         "/bufferViews/0/byteLength"},
        {"\"byteOffset\":128", "\"byteOffset\":9007199254740992", SN_MESSAGE_BUFFER_VIEW_BOUNDS,
         "/bufferViews/1/byteLength"},
        {"{\"buffer\":0,\"byteLength\":128}", "{\"buffer\":1,\"byteLength\":128}",
         SN_MESSAGE_REFERENCE, "/bufferViews/0/buffer"},
        {"{\"buffer\":0,\"byteLength\":128}", "{\"buffer\":0}", SN_MESSAGE_MEMBER_MISSING,
         "/bufferViews/0"},
        {"{\"byteLength\":184}", "{\"byteLength\":185}", SN_MESSAGE_BUFFER_BOUNDS,
         "/buffers/0/byteLength"},
        {"{\"byteLength\":184}", "{}", SN_MESSAGE_MEMBER_MISSING, "/buffers/0"},
        {"{\"byteLength\":184}", "{\"byteLength\":184,\"uri\":\"a.bin\"}", SN_MESSAGE_IO_READ,
         "/buffers/0/uri"},
        {"{\"byteLength\":184}", "{\"byteLength\":184,\"uri\":\"data:,a\"}",
         SN_MESSAGE_BUFFER_BOUNDS, "/buffers/0/byteLength"},
        {"{\"byteLength\":184}", "{\"byteLength\":184,\"uri\":\"http://a/b.bin\"}",
         SN_MESSAGE_BUFFER_URI, "/buffers/0/uri"},
        {"{\"byteLength\":184}", "{\"byteLength\":184,\"uri\":\"/etc/passwd\"}",
         SN_MESSAGE_BUFFER_URI, "/buffers/0/uri"},
        {"{\"byteLength\":184}", "{\"byteLength\":184,\"uri\":\"C%3A/a.bin\"}",
         SN_MESSAGE_BUFFER_URI, "/buffers/0/uri"},
        {"{\"byteLength\":184}", "{\"byteLength\":184,\"uri\":\"a%00.bin\"}", SN_MESSAGE_BUFFER_URI,
         "/buffers/0/uri"},
        {"{\"byteLength\":184}", "{\"byteLength\":184,\"uri\":\"\"}", SN_MESSAGE_BUFFER_URI,
         "/buffers/0/uri"},
        {"{\"byteLength\":184}", "{\"byteLength\":184,\"uri\":\"data:x;base64,!AAA\"}",
         SN_MESSAGE_BUFFER_URI, "/buffers/0/uri"},
        {"{\"byteLength\":184}", "{\"byteLength\":184,\"uri\":\"data:x;base64,A\"}",
         SN_MESSAGE_BUFFER_URI, "/buffers/0/uri"},
        {"{\"byteLength\":184}", "{\"byteLength\":184,\"uri\":\"data:x\"}", SN_MESSAGE_BUFFER_URI,
         "/buffers/0/uri"},
    };
    sn_gltf *gltf = NULL;
    sn_error error;
    assert_int_equal(read_changed("", "", &gltf, &error), SN_OK);
    const sn_warning *warnings;
    assert_int_equal(sn_gltf_warnings(gltf, &warnings), 0);
    sn_gltf_free(gltf);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        const change *c = &changes[i];
        error = (sn_error){0};
        sn_result result = read_changed(c->from, c->to, &gltf, &error);
        if (result == SN_OK)
            fail_msg("%s is accepted", c->to);
        if (error.id != c->id || strcmp(error.pointer, c->pointer) != 0)
            fail_msg("%s: %s at %s (%s)", c->to, sn_message_name(error.id), error.pointer,
                     error.text);
        assert_int_equal(result, sn_message_result(c->id));
        assert_true(error.text[0] != '\0');
    }
}

static void what_can_be_used_is_a_warning(void **state) {
    (void)state;
    static const change changes[] = {
        {"{\"version\":\"2.0\"}", "{\"version\":\"2.9\"}", SN_MESSAGE_ASSET_VERSION,
         "/asset/version"},
        {"{\"nodes\":[0]}", "{\"nodes\":[0,1]}", SN_MESSAGE_SCENE_ROOT, "/scenes/0/nodes"},
        {"\"rotation\":[0,0,0,1]", "\"rotation\":[0,0,0,1.1]", SN_MESSAGE_NODE_ROTATION,
         "/nodes/2/rotation"},
        {"{\"translation\":",
         "{\"matrix\":[1,0,0,0, 0.5,1,0,0, 0,0,1,0, 0,0,0,1],\"name\":\"x\"},{"
         "\"translation\":",
         SN_MESSAGE_NODE_MATRIX, "/nodes/2/matrix"},
        {"{\"translation\":",
         "{\"matrix\":[1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,2],\"name\":\"x\"},{\"translation\":",
         SN_MESSAGE_NODE_MATRIX, "/nodes/2/matrix"},
        {"{\"mesh\":0,\"skin\":0}", "{\"mesh\":0},{\"skin\":0}", SN_MESSAGE_NODE_SKIN,
         "/nodes/2/skin"},
        {"\"weights\":[0]", "\"weights\":[0,0]", SN_MESSAGE_WEIGHTS_COUNT, "/meshes/0/weights"},
        {"\"mesh\":0", "\"mesh\":0,\"weights\":[]", SN_MESSAGE_WEIGHTS_COUNT, "/nodes/1/weights"},
        {"\"WEIGHTS_0\":2", "\"WEIGHTS_1\":2", SN_MESSAGE_MESH_ATTRIBUTE,
         "/meshes/0/primitives/0/attributes"},
        {"\"node\":1,\"path\":\"weights\"", "\"node\":0,\"path\":\"weights\"",
         SN_MESSAGE_ANIMATION_CHANNEL, "/animations/0/channels/1/target"},
        {"\"byteOffset\":128,\"byteLength\":48", "\"byteOffset\":129,\"byteLength\":47",
         SN_MESSAGE_ACCESSOR_ALIGNMENT, "/accessors/3"},
        {"\"byteOffset\":128,\"byteLength\":48",
         "\"byteOffset\":128,\"byteStride\":2,\"byteLength\""
         ":48",
         SN_MESSAGE_BUFFER_VIEW_STRIDE, "/bufferViews/1/byteStride"},
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        const change *c = &changes[i];
        sn_gltf *gltf;
        sn_error error;
        if (read_changed(c->from, c->to, &gltf, &error) != SN_OK)
            fail_msg("%s: %s at %s (%s)", c->to, sn_message_name(error.id), error.pointer,
                     error.text);
        const sn_warning *warnings;
        size_t count = sn_gltf_warnings(gltf, &warnings), k = 0;
        while (k < count &&
               (warnings[k].id != c->id || strcmp(warnings[k].pointer, c->pointer) != 0))
            k++;
        if (k == count)
            fail_msg("%s: %zu warnings, the first %s at %s", c->to, count,
                     count ? sn_message_name(warnings[0].id) : "",
                     count ? warnings[0].pointer : "");
        sn_gltf_free(gltf);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_broken_field_is_refused_with_its_pointer),
        cmocka_unit_test(what_can_be_used_is_a_warning),
    };
    return cmocka_run_group_tests_name("gltf errors", tests, NULL, NULL);
}
