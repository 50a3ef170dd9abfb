/* Baking: which tracks become new, where their keys lie, and what cannot be baked. That the baked
 * file moves as the other is tests/cli/bake.test.mjs. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sinew/bake.h"
#include "tests/unit/allocators.h"
#include "tests/unit/modifier_rig.h"

#define REACH                                                                                      \
    "{\"type\": \"two_bone\", \"root\": \"Upper\", \"mid\": \"Lower\", \"end\": \"Hand\", "        \
    "\"target\": {\"position\": [0.3, 1.2, 0.2]}"
#define FILE_OF(text) "{\"modifiers\": [" text "]}"

static const float two_times[] = {0, 0.25f};
static const float still[] = {0, 0, 0, 1, 0, 0, 0, 1};
static const float turn[] = {0, 0, 0, 1, 0, 0.6f, 0, 0.8f};
static const float steps[] = {0.4f, 1.2f, 0.3f, 0.4f, 1.0f, 0.3f};

/* Upper has two rotation tracks: the second is the one that shows. Ball is not moved. */
static const sn_track tracks[] = {
    {UPPER, SN_PATH_ROTATION, SN_STEP, 4, 2, two_times, still, 7},
    {BALL, SN_PATH_TRANSLATION, SN_STEP, 3, 2, two_times, steps, 8},
    {UPPER, SN_PATH_ROTATION, SN_LINEAR, 4, 2, two_times, turn, 9},
};
static const sn_track *const track_list[] = {&tracks[0], &tracks[1], &tracks[2]};
static const sn_marker marker = {0.1f, "grab"};
static const sn_clip clip = {.name = "Reach",
                             .track_count = 3,
                             .tracks = track_list,
                             .duration = 0.25f,
                             .origin = 4,
                             .marker_count = 1,
                             .markers = &marker};

static sn_result bake(test_rig *rig, const sn_clip *from, float rate, sn_arena *arena, sn_clip *out,
                      sn_error *error) {
    sn_bake_desc desc = {.model = &test_rig_model,
                         .skeleton = rig->skeleton,
                         .modifiers = rig->stack,
                         .frames_per_second = rate};
    return sn_bake_clip(&desc, from, arena, out, error);
}

static void test_tracks(void **state) {
    (void)state;
    test_rig rig;
    test_rig_init(&rig, FILE_OF(REACH "}"));
    sn_arena arena;
    sn_arena_init(&arena, NULL);
    sn_clip baked;
    assert_int_equal(bake(&rig, &clip, 10, &arena, &baked, NULL), SN_OK);
    assert_string_equal(baked.name, "Reach");
    assert_true(baked.origin == 4 && baked.markers == &marker && baked.marker_count == 1);
    assert_true(fabsf(baked.duration - 0.25f) < 1e-9f);
    /* The ball's own track, upper's in the place of the one that showed, lower's behind them. */
    assert_int_equal(baked.track_count, 3);
    assert_ptr_equal(baked.tracks[0], &tracks[1]);
    assert_true(baked.tracks[1]->node == UPPER && baked.tracks[1]->origin == 9);
    assert_true(baked.tracks[2]->node == LOWER && baked.tracks[2]->origin == SN_NONE);
    for (int i = 1; i < 3; i++) {
        const sn_track *track = baked.tracks[i];
        assert_true(track->path == SN_PATH_ROTATION && track->interpolation == SN_LINEAR);
        static const float expected[] = {0, 0.1f, 0.2f, 0.25f};
        assert_int_equal(track->key_count, 4);
        assert_memory_equal(track->times, expected, sizeof expected);
    }
    sn_arena_free(&arena);
    test_rig_free(&rig);
}

/* An arm that nothing but the modifier moves stands still in its place. */
static void test_constant(void **state) {
    (void)state;
    test_rig rig;
    test_rig_init(&rig, FILE_OF(REACH "}"));
    sn_arena arena;
    sn_arena_init(&arena, NULL);
    sn_clip baked, alone = clip;
    const sn_track *ball[] = {&tracks[1]};
    alone.tracks = ball;
    alone.track_count = 1;
    assert_int_equal(bake(&rig, &alone, 10, &arena, &baked, NULL), SN_OK);
    assert_int_equal(baked.track_count, 3);
    for (int i = 1; i < 3; i++) {
        static const float ends[] = {0, 0.25f};
        assert_int_equal(baked.tracks[i]->key_count, 2);
        assert_memory_equal(baked.tracks[i]->times, ends, sizeof ends);
        assert_memory_equal(baked.tracks[i]->values, baked.tracks[i]->values + 4,
                            4 * sizeof(float));
    }
    sn_arena_free(&arena);
    test_rig_free(&rig);
}

/* Without tracks of its own a clip lasts as long as the modifiers have keys. */
static void test_rest(void **state) {
    (void)state;
    test_rig rig;
    test_rig_init(&rig, FILE_OF(REACH ", \"keys\": {\"weight\": {\"times\": [0.5, 1], \"values\": "
                                      "[0, 1]}}}"));
    sn_arena arena;
    sn_arena_init(&arena, NULL);
    sn_clip baked, empty = {.name = "Baked", .origin = SN_NONE};
    assert_int_equal(bake(&rig, &empty, 0, &arena, &baked, NULL), SN_OK);
    assert_int_equal(baked.track_count, 2);
    assert_int_equal(baked.tracks[0]->key_count, 31);
    assert_true(fabsf(baked.duration - 1) < 1e-9f);
    /* Until the weight rises, the keys are the rest pose. */
    static const float identity[4] = {0, 0, 0, 1};
    assert_memory_equal(baked.tracks[0]->values + 15 * 4, identity, sizeof identity);
    assert_true(memcmp(baked.tracks[0]->values + 17 * 4, identity, sizeof identity) != 0);
    sn_arena_free(&arena);
    test_rig_free(&rig);
}

static void test_nothing_moved(void **state) {
    (void)state;
    test_rig rig;
    test_rig_init(&rig, FILE_OF(REACH ", \"weight\": 0}"));
    sn_arena arena;
    sn_arena_init(&arena, NULL);
    sn_clip baked;
    assert_int_equal(bake(&rig, &clip, 0, &arena, &baked, NULL), SN_OK);
    assert_int_equal(baked.track_count, 3);
    for (int i = 0; i < 3; i++)
        assert_ptr_equal(baked.tracks[i], &tracks[i]);
    sn_arena_free(&arena);
    test_rig_free(&rig);
}

static void test_failures(void **state) {
    (void)state;
    test_rig rig;
    test_rig_init(&rig, FILE_OF(REACH "}"));
    sn_arena arena;
    sn_arena_init(&arena, NULL);
    sn_clip baked;
    sn_error error = {0};
    const float rates[] = {-1, 1001, NAN};
    for (int i = 0; i < 3; i++) {
        bake(&rig, &clip, rates[i], &arena, &baked, &error);
        assert_int_equal(error.id, SN_MESSAGE_ARGUMENT);
    }
    sn_clip endless = clip;
    endless.duration = 1e9f;
    bake(&rig, &endless, 0, &arena, &baked, &error);
    assert_int_equal(error.id, SN_MESSAGE_LIMIT_SIZE);
    sn_arena_free(&arena);
    test_rig_free(&rig);
}

static void test_no_memory(void **state) {
    (void)state;
    test_rig rig;
    test_rig_init(&rig, FILE_OF(REACH "}"));
    for (size_t n = 1;; n++) {
        test_allocator failing;
        test_allocator_init(&failing, n);
        sn_arena arena;
        sn_arena_init(&arena, &failing.allocator);
        sn_clip baked;
        sn_error error = {0};
        sn_result result = bake(&rig, &clip, 0, &arena, &baked, &error);
        sn_arena_free(&arena);
        assert_int_equal(failing.in_use, 0);
        if (result == SN_OK)
            break;
        assert_int_equal(error.id, SN_MESSAGE_MEMORY);
    }
    test_rig_free(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tracks),   cmocka_unit_test(test_constant),
        cmocka_unit_test(test_rest),     cmocka_unit_test(test_nothing_moved),
        cmocka_unit_test(test_failures), cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
