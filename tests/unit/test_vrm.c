/* The humanoid map of a file: both forms of the extension, what is wrong in them, names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sinew/vrm.h"
#include "tests/unit/gltf_files.h"

#define NODES                                                                                      \
    "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"name\":\"Hips\",\"children\":[1,3]},"          \
    "{\"name\":\"LeftUpLeg\",\"children\":[2],\"translation\":[0.1,0,0]},"                         \
    "{\"name\":\"LeftLeg\"},{\"name\":\"RightUpLeg\",\"children\":[4]},{\"name\":\"RightLeg\"}],"  \
    "\"extensions\":{"

typedef struct found {
    sn_arena arena;
    sn_vrm_humanoid vrm;
} found;

static void find(found *f, const char *extensions) {
    char text[8192] = NODES;
    strcat(strcat(text, extensions), "}}");
    sn_gltf *gltf = test_read_text(text);
    memset(f, 0, sizeof *f);
    sn_arena_init(&f->arena, NULL);
    assert_int_equal(sn_vrm_find_humanoid(gltf, &f->arena, &f->vrm, NULL), SN_OK);
    sn_gltf_free(gltf);
}

static void expect(const found *f, const char *bone, uint32_t node) {
    assert_int_equal(f->vrm.bones.joints[sn_human_bone_find(bone)], node);
}

static void expect_warning(const found *f, size_t i, sn_message_id id, const char *pointer) {
    assert_true(i < f->vrm.warning_count);
    assert_int_equal(f->vrm.warnings[i].id, id);
    assert_string_equal(f->vrm.warnings[i].pointer, pointer);
    assert_true(strlen(f->vrm.warnings[i].text) > 10);
}

static void test_vrm_1(void **state) {
    (void)state;
    found f;
    find(&f, "\"VRMC_vrm\":{\"specVersion\":\"1.0\",\"humanoid\":{\"humanBones\":{"
             "\"hips\":{\"node\":0},\"leftThumbProximal\":{\"node\":2}}}}");
    assert_int_equal(f.vrm.kind, SN_VRM_1);
    assert_string_equal(f.vrm.version, "1.0");
    assert_true(f.vrm.bones.facing > 0);
    assert_int_equal(f.vrm.warning_count, 0);
    expect(&f, "hips", 0);
    expect(&f, "leftThumbProximal", 2);
    assert_int_equal(sn_humanoid_count(&f.vrm.bones), 2);
    sn_arena_free(&f.arena);
}

/* Files of 1.0-beta still have the thumb of 0.x. */
static void test_beta_thumb(void **state) {
    (void)state;
    found f;
    find(&f, "\"VRMC_vrm\":{\"specVersion\":\"1.0-beta\",\"humanoid\":{\"humanBones\":{"
             "\"rightThumbProximal\":{\"node\":1},\"rightThumbIntermediate\":{\"node\":2}}}}");
    expect(&f, "rightThumbMetacarpal", 1);
    expect(&f, "rightThumbProximal", 2);
    sn_arena_free(&f.arena);
}

static void test_vrm_0(void **state) {
    (void)state;
    found f;
    find(&f, "\"VRM\":{\"humanoid\":{\"humanBones\":[{\"bone\":\"hips\",\"node\":0},"
             "{\"bone\":\"hips\",\"node\":4},{\"bone\":\"leftThumbProximal\",\"node\":1},"
             "{\"bone\":\"leftThumbIntermediate\",\"node\":2},"
             "{\"bone\":\"leftThumbDistal\",\"node\":3}]}}");
    assert_int_equal(f.vrm.kind, SN_VRM_0);
    assert_string_equal(f.vrm.version, "");
    assert_true(f.vrm.bones.facing < 0);
    expect(&f, "hips", 0);
    expect(&f, "leftThumbMetacarpal", 1);
    expect(&f, "leftThumbProximal", 2);
    expect(&f, "leftThumbDistal", 3);
    assert_int_equal(f.vrm.warning_count, 1);
    expect_warning(&f, 0, SN_MESSAGE_VRM_BONE, "/extensions/VRM/humanoid/humanBones/1");
    sn_arena_free(&f.arena);
}

static void test_what_is_wrong(void **state) {
    (void)state;
    found f;
    find(&f, "\"VRMC_vrm\":{\"humanoid\":{\"humanBones\":{\"hips\":{\"node\":5},\"tail\":{\"node\":"
             "1},\"spine\":{},\"chest\":7,\"head\":{\"node\":-1},\"neck\":{\"node\":4},"
             "\"jaw\":{\"node\":4},\"leftEye\":{\"node\":3}}}}");
    assert_int_equal(sn_humanoid_count(&f.vrm.bones), 2);
    expect(&f, "neck", 4);
    expect(&f, "leftEye", 3);
    assert_int_equal(f.vrm.warning_count, 6);
    expect_warning(&f, 0, SN_MESSAGE_REFERENCE,
                   "/extensions/VRMC_vrm/humanoid/humanBones/hips/node");
    expect_warning(&f, 1, SN_MESSAGE_VRM_BONE, "/extensions/VRMC_vrm/humanoid/humanBones/tail");
    expect_warning(&f, 5, SN_MESSAGE_VRM_BONE, "/extensions/VRMC_vrm/humanoid/humanBones/jaw");
    sn_arena_free(&f.arena);

    static const char *const shapes[] = {
        "\"VRM\":{}", "\"VRM\":{\"humanoid\":3}", "\"VRM\":{\"humanoid\":{\"humanBones\":\"no\"}}",
        "\"VRM\":{\"humanoid\":{\"humanBones\":[]}}",
        "\"VRM\":{\"humanoid\":{\"humanBones\":[1,null,[],{\"bone\":2,\"node\":1}]}}"};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        find(&f, shapes[i]);
        assert_int_equal(f.vrm.kind, SN_VRM_0);
        assert_int_equal(sn_humanoid_count(&f.vrm.bones), 0);
        sn_arena_free(&f.arena);
    }
}

static void test_most_warnings(void **state) {
    (void)state;
    char text[8192] = "\"VRM\":{\"humanoid\":{\"humanBones\":[0";
    for (int i = 0; i < 500; i++)
        strcat(text, ",{}");
    strcat(text, "]}}");
    found f;
    find(&f, text);
    assert_int_equal(f.vrm.warning_count, 65);
    assert_int_equal(f.vrm.warnings[64].id, SN_MESSAGE_WARNING_LIMIT);
    sn_arena_free(&f.arena);
}

static void test_which_extension(void **state) {
    (void)state;
    found f;
    find(&f, "\"VRM\":{\"humanoid\":{\"humanBones\":[{\"bone\":\"hips\",\"node\":1}]}},"
             "\"VRMC_vrm\":{\"humanoid\":{\"humanBones\":{\"hips\":{\"node\":2}}}}");
    assert_int_equal(f.vrm.kind, SN_VRM_1);
    expect(&f, "hips", 2);
    sn_arena_free(&f.arena);
    find(&f, "\"VRMC_vrm_animation\":{\"humanoid\":{\"humanBones\":{\"hips\":{\"node\":2}}}}");
    assert_int_equal(f.vrm.kind, SN_VRM_ANIMATION);
    expect(&f, "hips", 2);
    sn_arena_free(&f.arena);
    /* No object is no extension: then names tell. */
    find(&f, "\"VRMC_vrm\":7");
    assert_int_equal(f.vrm.kind, SN_VRM_NONE);
    expect(&f, "hips", 0);
    expect(&f, "leftLowerLeg", 2);
    expect(&f, "rightUpperLeg", 3);
    assert_true(f.vrm.bones.facing > 0);
    sn_arena_free(&f.arena);
}

/* Where a file of the corpus has a VRM extension and bones named so that they can be told, names
 * agree with it. Bones that the names leave out are no contradiction. */
static void test_names_agree(void **state) {
    (void)state;
    test_files files = test_corpus();
    uint32_t compared = 0;
    for (size_t i = 0; i < files.count; i++) {
        sn_gltf *gltf = NULL;
        if (!strstr(files.paths[i], ".vrm") ||
            sn_gltf_read_file(files.paths[i], NULL, &gltf, NULL) != SN_OK)
            continue;
        sn_arena arena = {0};
        sn_arena_init(&arena, NULL);
        sn_vrm_humanoid vrm;
        assert_int_equal(sn_vrm_find_humanoid(gltf, &arena, &vrm, NULL), SN_OK);
        const sn_model *model = sn_gltf_model(gltf);
        const char **names = SN_ARENA_NEW(&arena, const char *, model->node_count);
        uint32_t *parents = SN_ARENA_NEW(&arena, uint32_t, model->node_count);
        for (uint32_t n = 0; n < model->node_count; n++) {
            names[n] = model->nodes[n].name;
            parents[n] = model->nodes[n].parent;
        }
        const sn_joints joints = {.count = model->node_count, .parents = parents};
        sn_humanoid by_name;
        assert_int_equal(sn_humanoid_from_names(&joints, names, NULL, &by_name, NULL), SN_OK);
        for (uint32_t bone = 0; bone < SN_HUMAN_BONE_COUNT && vrm.kind != SN_VRM_NONE; bone++) {
            uint32_t says = vrm.bones.joints[bone], told = by_name.joints[bone];
            if (says == SN_NONE || told == SN_NONE)
                continue;
            if (says != told)
                fail_msg("%s: %s is node %u, and by its name %u", test_corpus_name(files.paths[i]),
                         sn_human_bone_name((sn_human_bone)bone), says, told);
            compared++;
        }
        sn_arena_free(&arena);
        sn_gltf_free(gltf);
    }
    print_message("%u bones compared\n", compared);
    assert_true(files.count == 0 || compared > 300);
    test_files_free(&files);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vrm_1),         cmocka_unit_test(test_beta_thumb),
        cmocka_unit_test(test_vrm_0),         cmocka_unit_test(test_what_is_wrong),
        cmocka_unit_test(test_most_warnings), cmocka_unit_test(test_which_extension),
        cmocka_unit_test(test_names_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
