/* History: undo and redo to the bit, gestures, budget, journal. */
#include "tests/unit/edit_check.h"

#include <stdio.h>

#include "tests/unit/allocators.h"
#include "tests/unit/edit_random.h"

#define SET_KEY                                                                                    \
    "{'op':'key.set','clip':'Walk','node':'Hips','path':'translation',"                            \
    "'time':%g,'value':[%g,0,0]}"

static sn_history *open_history(const sn_history_options *options, const sn_allocator *allocator) {
    sn_document *document = NULL;
    sn_history *history = NULL;
    assert_int_equal(sn_document_create(&edit_model, allocator, &document, NULL), SN_OK);
    assert_int_equal(sn_history_create(document, options, allocator, &history, NULL), SN_OK);
    sn_document_release(document);
    return history;
}

static sn_result apply(sn_history *history, const char *command, sn_error *error) {
    char *quoted = edit_quote(command);
    sn_result result = sn_history_apply(history, quoted, strlen(quoted), error);
    free(quoted);
    return result;
}

static void set_key(sn_history *history, double time, double x) {
    char command[200];
    snprintf(command, sizeof command, SET_KEY, time, x);
    assert_int_equal(apply(history, command, NULL), SN_OK);
}

/* The journal says at `i` what set_key applied. */
static void assert_journal(const sn_history *history, size_t i, double time, double x) {
    char command[200];
    snprintf(command, sizeof command, SET_KEY, time, x);
    char *quoted = edit_quote(command);
    size_t length;
    assert_string_equal(sn_history_command(history, i, &length), quoted);
    assert_int_equal(length, strlen(quoted));
    free(quoted);
}

static void assert_same(const sn_document *document, const sn_text *expected) {
    sn_text now;
    sn_text_init(&now, NULL);
    edit_print(document, &now);
    assert_int_equal(now.length, expected->length);
    assert_memory_equal(now.data, expected->data, now.length);
    sn_text_free(&now);
}

static sn_text print(const sn_document *document) {
    sn_text text;
    sn_text_init(&text, NULL);
    edit_print(document, &text);
    return text;
}

static void check_document(const sn_document *document) {
    const sn_clip *clips;
    size_t count = sn_document_clips(document, &clips);
    for (size_t c = 0; c < count; c++) {
        float duration = 0;
        for (uint32_t t = 0; t < clips[c].track_count; t++) {
            const sn_track *track = clips[c].tracks[t];
            assert_true(track->key_count > 0);
            for (uint32_t k = 0; k < track->key_count; k++)
                assert_true(track->times[k] >= 0 &&
                            (k == 0 || track->times[k] > track->times[k - 1]));
            if (track->times[track->key_count - 1] > duration)
                duration = track->times[track->key_count - 1];
        }
        assert_true(clips[c].duration == duration);
    }
}

static void a_thousand_commands_undone_and_redone(void **state) {
    (void)state;
    enum { COMMANDS = 1000 };
    for (uint64_t seed = 1; seed <= 4; seed++) {
        test_random random = {seed};
        test_allocator counting;
        test_allocator_init(&counting, 0);
        sn_history_options options = {.step_limit = 2 * COMMANDS, .byte_limit = SIZE_MAX / 2};
        sn_history *history = open_history(&options, &counting.allocator);
        sn_text original = print(sn_history_document(history));
        static sn_text documents[COMMANDS + 1]; /* after each step */
        size_t steps = 0;
        documents[0] = print(sn_history_document(history));
        sn_text command;
        sn_text_init(&command, NULL);
        size_t applied = 0;
        while (applied < COMMANDS) {
            test_random_command(&random, sn_history_document(history), &command);
            sn_error error;
            sn_result result = sn_history_apply(history, command.data, command.length, &error);
            if (result != SN_OK) {
                assert_int_equal(result, SN_ERROR_ARGUMENT);
                assert_string_not_equal(error.text, "");
                assert_same(sn_history_document(history), &documents[steps]);
                continue;
            }
            applied++;
            check_document(sn_history_document(history));
            if (sn_history_undo_count(history) > steps)
                documents[++steps] = print(sn_history_document(history));
            assert_int_equal(sn_history_undo_count(history), steps);
            assert_same(sn_history_document(history), &documents[steps]);
        }
        assert_true(steps > COMMANDS / 2);
        assert_true(sn_history_bytes(history) < counting.in_use);

        /* The journal leads from the model to here. */
        sn_document *replayed = NULL;
        assert_int_equal(sn_document_create(&edit_model, NULL, &replayed, NULL), SN_OK);
        assert_int_equal(sn_history_command_count(history), steps);
        for (size_t i = 0; i < steps; i++) {
            size_t length;
            const char *text = sn_history_command(history, i, &length);
            sn_document *next = NULL;
            assert_int_equal(sn_document_apply(replayed, text, length, &next, NULL), SN_OK);
            sn_document_release(replayed);
            replayed = next;
        }
        assert_same(replayed, &documents[steps]);
        sn_document_release(replayed);

        for (size_t i = steps; i > 0; i--) {
            assert_true(sn_history_undo(history));
            assert_same(sn_history_document(history), &documents[i - 1]);
        }
        assert_false(sn_history_undo(history));
        assert_same(sn_history_document(history), &original);
        const sn_clip *clips;
        sn_document_clips(sn_history_document(history), &clips);
        for (uint32_t t = 0; t < WALK_TRACKS; t++)
            assert_ptr_equal(clips[WALK].tracks[t], &edit_tracks[t]);
        for (size_t i = 1; i <= steps; i++) {
            assert_true(sn_history_redo(history));
            assert_same(sn_history_document(history), &documents[i]);
        }
        assert_false(sn_history_redo(history));
        sn_history_free(history);
        assert_int_equal(counting.in_use, 0);
        for (size_t i = 0; i <= steps; i++)
            sn_text_free(&documents[i]);
        sn_text_free(&original);
        sn_text_free(&command);
    }
}

static void a_gesture_is_one_step(void **state) {
    (void)state;
    sn_history *history = open_history(NULL, NULL);
    sn_text original = print(sn_history_document(history));
    sn_history_begin(history);
    for (int i = 1; i <= 60; i++)
        set_key(history, i / 64.0, i); /* each update starts anew: no key of the one before stays */
    assert_true(sn_history_in_gesture(history));
    assert_int_equal(sn_history_undo_count(history), 0);
    sn_history_end(history);
    assert_false(sn_history_in_gesture(history));
    assert_int_equal(sn_history_undo_count(history), 1);
    assert_int_equal(sn_history_command_count(history), 1);
    assert_journal(history, 0, 60 / 64.0, 60);
    const sn_clip *clips;
    sn_document_clips(sn_history_document(history), &clips);
    assert_int_equal(clips[WALK].tracks[HIPS_T]->key_count, 4);
    assert_true(sn_history_undo(history));
    assert_same(sn_history_document(history), &original);
    sn_text_free(&original);
    sn_history_free(history);
}

static void a_gesture_that_ends_as_it_began_leaves_nothing(void **state) {
    (void)state;
    sn_history *history = open_history(NULL, NULL);
    set_key(history, 0.75, 1);
    assert_true(sn_history_undo(history));
    sn_document *before = sn_history_document(history);
    sn_history_begin(history);
    set_key(history, 0.75, 2);
    const char *back = "{'op':'key.set','clip':'Walk','node':'Hips','path':'translation',"
                       "'time':0,'value':[0,1,0]}"; /* what is there */
    assert_int_equal(apply(history, back, NULL), SN_OK);
    sn_history_end(history);
    assert_ptr_equal(sn_history_document(history), before);
    assert_int_equal(sn_history_undo_count(history), 0);
    assert_int_equal(sn_history_redo_count(history), 1); /* redo is still there */

    sn_history_begin(history);
    sn_history_end(history);
    assert_int_equal(sn_history_redo_count(history), 1);

    /* a cancelled one, too, and one that undo cancels */
    sn_history_begin(history);
    set_key(history, 0.75, 2);
    assert_false(sn_history_redo(history));
    sn_history_cancel(history);
    assert_ptr_equal(sn_history_document(history), before);
    sn_history_begin(history);
    set_key(history, 0.75, 2);
    assert_true(sn_history_undo(history));
    assert_false(sn_history_in_gesture(history));
    assert_ptr_equal(sn_history_document(history), before);
    assert_int_equal(sn_history_redo_count(history), 1);
    assert_false(sn_history_undo(history));
    sn_history_free(history);
}

/* An update that fails leaves the gesture at the last that did not; begin ends the one before. */
static void a_gesture_outlives_a_failing_update(void **state) {
    (void)state;
    sn_history *history = open_history(NULL, NULL);
    sn_history_begin(history);
    set_key(history, 0.75, 2);
    sn_document *updated = sn_history_document(history);
    const char *bad = "{'op':'clip.remove','clip':99}";
    sn_error error;
    assert_int_equal(apply(history, bad, &error), SN_ERROR_ARGUMENT);
    assert_ptr_equal(sn_history_document(history), updated);
    sn_history_begin(history);
    set_key(history, 0.8, 3);
    sn_history_end(history);
    sn_history_end(history);
    sn_history_cancel(history);
    assert_int_equal(sn_history_undo_count(history), 2);
    sn_history_free(history);
}

static void a_command_that_changes_nothing_leaves_no_step(void **state) {
    (void)state;
    sn_history *history = open_history(NULL, NULL);
    set_key(history, 0.75, 1);
    set_key(history, 0.75, 1);
    assert_int_equal(sn_history_undo_count(history), 1);
    assert_true(sn_history_undo(history));
    set_key(history, 0.5, 1); /* drops what could be redone */
    assert_int_equal(sn_history_redo_count(history), 0);
    assert_int_equal(sn_history_command_count(history), 1);
    sn_history_free(history);
}

/* The oldest steps go, their texts stay: the journal still starts at the model. */
static void the_step_limit_drops_the_oldest(void **state) {
    (void)state;
    sn_history *defaults = open_history(NULL, NULL);
    sn_history_options options = {.step_limit = 5};
    sn_history *history = open_history(&options, NULL);
    for (int i = 0; i < 1100; i++) {
        set_key(defaults, 2, i);
        set_key(history, 2, i);
    }
    assert_int_equal(sn_history_undo_count(defaults), 1000);
    assert_int_equal(sn_history_undo_count(history), 5);
    assert_int_equal(sn_history_command_count(history), 1100);
    for (size_t i = 0; i < 1100; i++)
        assert_journal(history, i, 2, (double)i);
    for (int i = 0; i < 5; i++)
        assert_true(sn_history_undo(history));
    assert_false(sn_history_undo(history));
    assert_int_equal(sn_history_command_count(history), 1095);
    assert_int_equal(sn_history_redo_count(history), 5);
    const sn_clip *clips;
    sn_document_clips(sn_history_document(history), &clips);
    assert_float_equal(clips[WALK].tracks[HIPS_T]->values[9], 1094, 0);
    sn_history_free(history);
    sn_history_free(defaults);
}

/* The bytes are exactly those of the documents that undo and redo reach. */
static void the_byte_limit_holds(void **state) {
    (void)state;
    test_allocator documents;
    test_allocator_init(&documents, 0);
    sn_document *first = NULL;
    assert_int_equal(sn_document_create(&edit_model, &documents.allocator, &first, NULL), SN_OK);
    sn_history_options options = {.byte_limit = 20000};
    sn_history *history = NULL; /* its own memory comes from elsewhere */
    assert_int_equal(sn_history_create(first, &options, NULL, &history, NULL), SN_OK);
    sn_document_release(first);
    assert_int_equal(sn_history_bytes(history), documents.in_use);
    test_random random = {9};
    sn_text command;
    sn_text_init(&command, NULL);
    bool dropped = false;
    for (int i = 0; i < 2000; i++) {
        uint32_t what = test_random_below(&random, 12);
        if (what == 0)
            sn_history_undo(history);
        else if (what == 1)
            sn_history_redo(history);
        else if (what == 2)
            sn_history_begin(history);
        else if (what == 3)
            sn_history_end(history);
        test_random_command(&random, sn_history_document(history), &command);
        sn_history_apply(history, command.data, command.length, NULL);
        assert_int_equal(sn_history_bytes(history), documents.in_use);
        if (!sn_history_in_gesture(history) && sn_history_undo_count(history) > 1)
            assert_true(sn_history_bytes(history) <= options.byte_limit);
        dropped = dropped || sn_history_command_count(history) > sn_history_undo_count(history);
    }
    assert_true(dropped);
    sn_text_free(&command);
    sn_history_free(history);
    assert_int_equal(documents.in_use, 0);

    /* however small the limit, the last step can be undone */
    options.byte_limit = 1;
    history = open_history(&options, NULL);
    set_key(history, 0.75, 1);
    set_key(history, 0.75, 2);
    assert_int_equal(sn_history_undo_count(history), 1);
    sn_history_free(history);
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    for (size_t n = 1;; n++) {
        test_allocator failing;
        test_allocator_init(&failing, 0);
        sn_document *document = NULL;
        assert_int_equal(sn_document_create(&edit_model, &failing.allocator, &document, NULL),
                         SN_OK);
        failing.calls = 0;
        failing.fail_at = n;
        sn_history *history = NULL;
        sn_result result = sn_history_create(document, NULL, &failing.allocator, &history, NULL);
        bool complete = result == SN_OK;
        for (int i = 0; i < 100 && result == SN_OK; i++) {
            char command[200];
            snprintf(command, sizeof command, SET_KEY, 0.75, (double)i);
            if (i % 10 == 5)
                sn_history_begin(history);
            sn_document *before = sn_history_document(history);
            size_t count = sn_history_undo_count(history);
            sn_error error = {0};
            result = apply(history, command, &error);
            if (result != SN_OK) {
                assert_int_equal(error.id, SN_MESSAGE_MEMORY);
                assert_ptr_equal(sn_history_document(history), before);
                assert_int_equal(sn_history_undo_count(history), count);
                complete = false;
            }
            if (i % 10 == 8)
                sn_history_end(history);
        }
        sn_history_free(history);
        sn_document_release(document);
        assert_int_equal(failing.in_use, 0);
        if (complete)
            break;
        assert_int_equal(result, SN_ERROR_MEMORY);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thousand_commands_undone_and_redone),
        cmocka_unit_test(a_gesture_is_one_step),
        cmocka_unit_test(a_gesture_that_ends_as_it_began_leaves_nothing),
        cmocka_unit_test(a_gesture_outlives_a_failing_update),
        cmocka_unit_test(a_command_that_changes_nothing_leaves_no_step),
        cmocka_unit_test(the_step_limit_drops_the_oldest),
        cmocka_unit_test(the_byte_limit_holds),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("history", tests, NULL, NULL);
}
