/* The sessions behind the WebAssembly exports, natively: so the sanitizers see them, and each of
 * their allocations can fail. What they compute is tested in the module itself, tests/wasm. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/allocators.h"
#include "tests/unit/gltf_files.h"

#include "wasm/crowd.c"
#include "wasm/describe.c"
#include "wasm/modifiers.c"
#include "wasm/session.c"
#include "wasm/views.c"

/* A triangle on two joints with a morph target, and a clip that moves a joint and the target. */
typedef struct buffer {
    float positions[9], deltas[9], weights[12], inverse_binds[32];
    float times[2], translations[6], morphs[2];
    uint8_t joints[12];
} buffer;

static const buffer data = {
    .positions = {0, 0, 0, 1, 0, 0, 0, 1, 0},
    .deltas = {0, 0, 1, 0, 0, 1, 0, 0, 1},
    .weights = {1, 0, 0, 0, 0.5f, 0.5f, 0, 0, 0, 1, 0, 0},
    .inverse_binds = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1,
                      1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1},
    .times = {0, 1},
    .translations = {0, 0, 0, 0, 0, 2},
    .morphs = {0, 1},
    .joints = {0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0},
};

static const char json_format[] =
    "{\"asset\":{\"version\":\"2.0\"},"
    "\"nodes\":[{\"name\":\"A\",\"children\":[1]},{\"name\":\"B\",\"translation\":[0,1,0],"
    "\"children\":[3]},{\"name\":\"Body\",\"mesh\":0,\"skin\":0},{\"name\":\"C\",\"translation\":["
    "0,1,1]}],"
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"WEIGHTS_0\":2,\"JOINTS_0\":7},"
    "\"targets\":[{\"POSITION\":1}]}]}],"
    "\"skins\":[{\"joints\":[0,1],\"inverseBindMatrices\":3}],"
    "\"animations\":[{\"name\":\"Move\",\"samplers\":[{\"input\":4,\"output\":5},{\"input\":4,"
    "\"output\":6}],\"channels\":[{\"sampler\":0,\"target\":{\"node\":1,\"path\":\"translation\"}},"
    "{\"sampler\":1,\"target\":{\"node\":2,\"path\":\"weights\"}}]}],"
    "\"buffers\":[{\"byteLength\":%zu%s}],\"bufferViews\":[";

typedef struct accessor {
    size_t offset, length;
    const char *rest;
} accessor;

#define ACCESSOR(member, text) {offsetof(buffer, member), sizeof data.member, text}

static const accessor accessors[] = {
    ACCESSOR(positions, "5126,\"count\":3,\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":[1,1,0]"),
    ACCESSOR(deltas, "5126,\"count\":3,\"type\":\"VEC3\",\"min\":[0,0,1],\"max\":[0,0,1]"),
    ACCESSOR(weights, "5126,\"count\":3,\"type\":\"VEC4\""),
    ACCESSOR(inverse_binds, "5126,\"count\":2,\"type\":\"MAT4\""),
    ACCESSOR(times, "5126,\"count\":2,\"type\":\"SCALAR\",\"min\":[0],\"max\":[1]"),
    ACCESSOR(translations, "5126,\"count\":2,\"type\":\"VEC3\""),
    ACCESSOR(morphs, "5126,\"count\":2,\"type\":\"SCALAR\""),
    ACCESSOR(joints, "5121,\"count\":3,\"type\":\"VEC4\""),
};
enum { ACCESSORS = sizeof accessors / sizeof *accessors };

static char *make_json(const char *uri) {
    static char text[4096];
    size_t at = (size_t)snprintf(text, sizeof text, json_format, sizeof data, uri);
    for (int i = 0; i < ACCESSORS; i++)
        at += (size_t)snprintf(text + at, sizeof text - at,
                               "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu}",
                               i ? "," : "", accessors[i].offset, accessors[i].length);
    at += (size_t)snprintf(text + at, sizeof text - at, "],\"accessors\":[");
    for (int i = 0; i < ACCESSORS; i++)
        at += (size_t)snprintf(text + at, sizeof text - at,
                               "%s{\"bufferView\":%d,\"componentType\":%s}", i ? "," : "", i,
                               accessors[i].rest);
    snprintf(text + at, sizeof text - at, "]}");
    return text;
}

/* ---- What a page does ---- */

static void *copy_in(session *s, const void *bytes, size_t size) {
    void *block = session_block(s, size);
    if (block)
        memcpy(block, bytes, size);
    return block;
}

static bool give(session *s, const void *bytes, size_t size) {
    uint8_t *block = copy_in(s, bytes, size);
    if (block)
        session_give(s, block, size);
    return block != NULL;
}

/* A failure is for want of memory, or something that a page would learn about. */
static bool done(session *s, sn_result result) {
    if (result != SN_OK && result != SN_ERROR_MEMORY)
        fail_msg("%s: %s", sn_message_name(s->error.id), s->error.text);
    return result == SN_OK;
}

static bool apply(session *s, const char *command) {
    return done(s, sn_history_apply(s->history, command, strlen(command), &s->error));
}

/* Edits, looks, plays and saves, going on after every failure as a page may. True when none failed.
 */
static bool use(session *s) {
    bool all = done(s, describe_model(s));
    all &= done(s, describe_clips(s));
    for (int i = 0; i < 3; i++)
        all &= done(s, session_evaluate(s, 0, 0.25f * (float)i, 0));
    all &= done(s, session_skin(s, 2, 0));
    sn_history_begin(s->history);
    for (int i = 0; i < 2; i++) {
        all &= apply(s, "{\"op\":\"key.set\",\"clip\":0,\"node\":\"B\",\"path\":\"translation\","
                        "\"time\":0.5,\"value\":[0,1,0]}");
        all &= done(s, session_evaluate(s, 0, 0.5f, 0));
    }
    sn_history_end(s->history);
    all &= apply(s, "{\"op\":\"modifier.add\",\"modifier\":{\"type\":\"two_bone\",\"root\":\"A\","
                    "\"mid\":\"B\",\"end\":\"C\",\"target\":{\"position\":[1,1,0]}}}");
    for (int i = 0; i < 2; i++) { /* at 0 s the bone from A to B has no length */
        all &= done(s, session_evaluate(s, 0, (float)i, 0.1f));
        all &= s->modifier_error.id != SN_MESSAGE_MEMORY;
        all &= done(s, describe_modifiers(s));
    }
    all &= apply(s, "{\"op\":\"clip.copy\",\"clip\":0,\"name\":\"Copy\"}");
    all &= apply(s, "{\"op\":\"marker.set\",\"clip\":0,\"time\":0.5,\"name\":\"here\"}");
    all &= done(s, describe_clips(s));
    const sn_clip *clips;
    uint32_t clip_count = (uint32_t)sn_document_clips(sn_history_document(s->history), &clips);
    for (uint32_t i = 0; i < 4; i++)
        all &= done(s, session_evaluate(s, i % clip_count, 0.3f, 0));
    crowd *c = crowd_create(s, 3);
    if (c) {
        c->clips[1] = 0;
        c->times[1] = 0.75f;
        all &= done(s, crowd_evaluate(c));
        crowd_free(c);
    }
    all &= c != NULL;
    all &= done(s, describe_findings(s));
    all &= done(s, describe_commands(s));
    all &= done(s, session_save(s, SN_CONTAINER_GLB));
    all &= done(s, session_save(s, SN_CONTAINER_GLTF));
    session_release_output(s);
    while (sn_history_undo(s->history))
        all &= done(s, session_evaluate(s, 0, 0.5f, 0));
    while (sn_history_redo(s->history))
        all &= done(s, describe_clips(s));
    while (sn_history_undo(s->history))
        continue;
    return all;
}

static bool open_glb(session *s) {
    size_t size;
    uint8_t *glb = test_make_glb(make_json(""), &data, sizeof data, &size);
    bool all = give(s, glb, size) && done(s, session_open(s));
    free(glb);
    return all;
}

static bool open_with_resource(session *s) {
    const char *json = make_json(",\"uri\":\"a%20b.bin\"");
    bool all = give(s, json, strlen(json)) && done(s, describe_resources(s));
    if (all)
        assert_string_equal(s->text.data, "[\"a b.bin\"]");
    char *path = copy_in(s, "a b.bin", 8);
    uint8_t *bytes = copy_in(s, &data, sizeof data);
    if (!path || !bytes) {
        session_block_free(s, path, 8);
        session_block_free(s, bytes, sizeof data);
        return false;
    }
    all &= done(s, session_supply_file(s, path, 8, bytes, sizeof data));
    return all && done(s, session_open(s));
}

/* Every allocation fails once, alone with all after it: nothing leaks, nothing crashes, and a
 * session whose memory is back works. */
static void fail_everywhere(bool (*open)(session *s)) {
    for (size_t n = 1;; n++) {
        assert_true(n < 100000);
        test_allocator failing;
        test_allocator_init(&failing, n);
        session *s = session_create(&failing.allocator, 0);
        bool all = s != NULL;
        if (s && open(s)) {
            all &= use(s);
            failing.fail_at = 0;
            assert_true(use(s));
        } else {
            all = false;
        }
        size_t calls = failing.calls;
        if (s)
            session_free(s);
        assert_int_equal(failing.in_use, 0);
        if (all && calls < n)
            return;
    }
}

static void every_allocation_of_a_glb_can_fail(void **state) {
    (void)state;
    fail_everywhere(open_glb);
}

static void every_allocation_of_a_gltf_with_a_resource_can_fail(void **state) {
    (void)state;
    fail_everywhere(open_with_resource);
}

static void the_budget_counts_every_byte(void **state) {
    (void)state;
    test_allocator counting;
    test_allocator_init(&counting, 0);
    session *s = session_create(&counting.allocator, 0);
    assert_true(open_glb(s) && use(s));
    assert_int_equal(s->budget.used + sizeof *s, counting.in_use);
    session_free(s);
    assert_int_equal(counting.in_use, 0);
}

/* Views are kept by the addresses of tracks, so a document must not go while its views stay. */
static void views_follow_the_document(void **state) {
    (void)state;
    session *s = session_create(sn_allocator_default(), 0);
    assert_true(open_glb(s));
    for (int i = 0; i < 200; i++) {
        char command[200];
        float value = (float)(i % 17);
        snprintf(command, sizeof command,
                 "{\"op\":\"key.set\",\"clip\":0,\"node\":1,\"path\":\"translation\",\"time\":1,"
                 "\"value\":[%d,0,0]}",
                 i % 17);
        assert_true(apply(s, command));
        if (i % 3 == 0)
            sn_history_undo(s->history);
        for (int k = 0; k < 2; k++)
            assert_int_equal(session_evaluate(s, 0, 1, 0), SN_OK);
        const sn_clip_view *view = views_get(s, 0, false);
        assert_non_null(view);
        if (i % 3 != 0)
            assert_float_equal(s->world[16 + 12], value, 0);
        assert_ptr_equal(views_get(s, 0, false), view);
    }
    assert_null(views_get(s, 1, true));
    session_free(s);
}

static void bad_requests_are_errors(void **state) {
    (void)state;
    session *s = session_create(sn_allocator_default(), 0);
    assert_true(open_glb(s));
    const sn_track *track;
    assert_int_equal(session_evaluate(s, 1, 0, 0), SN_ERROR_ARGUMENT);
    assert_int_equal(session_skin(s, 0, 0), SN_ERROR_ARGUMENT);
    assert_int_equal(session_skin(s, 2, 1), SN_ERROR_ARGUMENT);
    assert_int_equal(session_skin(s, SN_NONE, 0), SN_ERROR_ARGUMENT);
    assert_int_equal(session_track(s, 0, 2, &track), SN_ERROR_ARGUMENT);
    assert_int_equal(session_track(s, 1, 0, &track), SN_ERROR_ARGUMENT);
    session_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_of_a_glb_can_fail),
        cmocka_unit_test(every_allocation_of_a_gltf_with_a_resource_can_fail),
        cmocka_unit_test(the_budget_counts_every_byte),
        cmocka_unit_test(views_follow_the_document),
        cmocka_unit_test(bad_requests_are_errors),
    };
    return cmocka_run_group_tests_name("wasm session", tests, NULL, NULL);
}
