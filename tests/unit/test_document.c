/* Documents: what they share, what they weigh, and that they never change. */
#include "tests/unit/edit_check.h"

#include "tests/unit/allocators.h"
#include "tests/unit/edit_random.h"

static sn_document *open_document(const sn_allocator *allocator) {
    sn_document *document = NULL;
    assert_int_equal(sn_document_create(&edit_model, allocator, &document, NULL), SN_OK);
    return document;
}

static sn_document *apply(sn_document *document, const char *command) {
    sn_document *next = NULL;
    sn_error error = {0};
    sn_result result = edit_apply(document, command, &next, &error);
    if (result != SN_OK)
        fail_msg("%s\n%s %s: %s", command, sn_message_name(error.id), error.pointer, error.text);
    return next;
}

static void a_new_document_is_the_model(void **state) {
    (void)state;
    sn_document *document = open_document(NULL);
    const sn_clip *clips;
    assert_int_equal(sn_document_clips(document, &clips), EDIT_CLIPS);
    assert_ptr_equal(sn_document_model(document), &edit_model);
    for (uint32_t c = 0; c < EDIT_CLIPS; c++) {
        assert_string_equal(clips[c].name, edit_clips[c].name);
        assert_int_equal(clips[c].origin, edit_clips[c].origin);
        assert_int_equal(clips[c].marker_count, edit_clips[c].marker_count);
        assert_int_equal(clips[c].track_count, edit_clips[c].track_count);
        for (uint32_t t = 0; t < clips[c].track_count; t++)
            assert_ptr_equal(clips[c].tracks[t], edit_clips[c].tracks[t]);
    }
    sn_document_release(document);
    sn_document_release(NULL);
}

/* Editing one track leaves every other the model's own, by pointer, and keeps where it came from.
 */
static void an_edit_copies_one_track(void **state) {
    (void)state;
    sn_document *before = open_document(NULL);
    sn_document *after = apply(before, "{'op':'key.set','clip':'Walk','node':'Hips','path':"
                                       "'rotation','time':0.25,'value':[0,0,0,1]}");
    const sn_clip *old;
    const sn_clip *clips;
    sn_document_clips(before, &old);
    sn_document_clips(after, &clips);
    assert_ptr_equal(old[WALK].tracks[HIPS_R], &edit_tracks[HIPS_R]);
    for (uint32_t t = 0; t < WALK_TRACKS; t++) {
        if (t == HIPS_R)
            assert_ptr_not_equal(clips[WALK].tracks[t], &edit_tracks[t]);
        else
            assert_ptr_equal(clips[WALK].tracks[t], &edit_tracks[t]);
        assert_int_equal(clips[WALK].tracks[t]->origin, edit_tracks[t].origin);
    }
    assert_int_equal(clips[WALK].tracks[HIPS_R]->key_count, 4);
    assert_int_equal(clips[WALK].origin, 0);
    assert_ptr_equal(clips[WALK].markers, edit_markers);
    assert_ptr_equal(clips[WAVE].tracks, old[WAVE].tracks);
    sn_document_release(before);
    sn_document_release(after);
}

/* The bytes of a document are what its allocator gave, and what two share counts once. */
static void bytes_are_counted_once(void **state) {
    (void)state;
    test_allocator counting;
    test_allocator_init(&counting, 0);
    sn_document *first = open_document(&counting.allocator);
    size_t first_bytes = counting.in_use;
    assert_int_equal(sn_document_bytes(first, NULL), first_bytes);
    assert_int_equal(sn_document_bytes(first, first), 0);

    sn_document *second = apply(first, "{'op':'key.set','clip':0,'node':'Hips','path':'scale',"
                                       "'time':1,'value':[1,2,3]}");
    size_t added = counting.in_use - first_bytes;
    assert_int_equal(sn_document_bytes(second, first), added);
    assert_true(sn_document_bytes(second, NULL) < first_bytes + added); /* some is shared */

    /* A copy of a clip shares its tracks inside one document. */
    sn_document *third = apply(second, "{'op':'clip.copy','clip':0,'name':'Copy'}");
    assert_int_equal(sn_document_bytes(third, second), counting.in_use - first_bytes - added);
    sn_document_release(first);
    sn_document_release(second);
    assert_int_equal(sn_document_bytes(third, NULL), counting.in_use);
    sn_document_release(third);
    assert_int_equal(counting.in_use, 0);
}

/* One key in 10,000: the one track is copied, and nothing else of note. */
static void a_key_costs_its_track_at_most(void **state) {
    (void)state;
    enum { KEYS = 10000 };
    float *times = malloc(KEYS * sizeof *times);
    float *values = calloc(KEYS, 3 * sizeof *values);
    assert_true(times && values);
    for (int i = 0; i < KEYS; i++)
        times[i] = (float)i;
    sn_track track = {HIPS, SN_PATH_TRANSLATION, SN_LINEAR, 3, KEYS, times, values, 0};
    sn_track other = track;
    other.path = SN_PATH_SCALE;
    const sn_track *tracks[] = {&track, &other};
    sn_clip clip = {.name = "Long", .track_count = 2, .tracks = tracks, .duration = KEYS - 1};
    sn_model model = edit_model;
    model.clips = &clip;
    model.clip_count = 1;

    test_allocator counting;
    test_allocator_init(&counting, 0);
    sn_document *document = NULL;
    assert_int_equal(sn_document_create(&model, &counting.allocator, &document, NULL), SN_OK);
    size_t before = counting.in_use;
    sn_document *edited = apply(document, "{'op':'key.set','clip':0,'node':'Hips','path':"
                                          "'translation','time':5000.5,'value':[1,0,0]}");
    assert_true(counting.in_use - before < (KEYS + 1) * 4 * sizeof(float) + 2048);
    const sn_clip *clips;
    sn_document_clips(edited, &clips);
    assert_ptr_equal(clips[0].tracks[1], &other);
    assert_int_equal(clips[0].tracks[0]->key_count, KEYS + 1);
    assert_float_equal(clips[0].tracks[0]->times[5001], 5000.5, 0);
    sn_document_release(document);
    sn_document_release(edited);
    free(times);
    free(values);
}

/* Whichever allocation of whichever command fails: the failure is memory, nothing leaks, and the
 * document is bit by bit what it was. */
static void every_allocation_may_fail(void **state) {
    (void)state;
    test_allocator failing;
    for (size_t n = 1;; n++) {
        test_allocator_init(&failing, n);
        sn_document *document = NULL;
        sn_error error = {0};
        sn_result result = sn_document_create(&edit_model, &failing.allocator, &document, &error);
        sn_document_release(document);
        assert_int_equal(failing.in_use, 0);
        if (result == SN_OK)
            break;
        assert_int_equal(result, SN_ERROR_MEMORY);
    }

    test_allocator_init(&failing, 0);
    test_random random = {4};
    sn_text command;
    sn_text before;
    sn_text after;
    sn_text_init(&command, NULL);
    sn_text_init(&before, NULL);
    sn_text_init(&after, NULL);
    sn_document *document = open_document(&failing.allocator);
    size_t failures = 0;
    for (int i = 0; i < 300; i++) {
        test_random_command(&random, document, &command);
        before.length = 0;
        edit_print(document, &before);
        size_t in_use = failing.in_use;
        sn_document *next = NULL;
        for (size_t n = 1; !next; n++) {
            failing.calls = 0;
            failing.fail_at = n;
            sn_error error = {0};
            sn_result result =
                sn_document_apply(document, command.data, command.length, &next, &error);
            failing.fail_at = 0;
            if (result == SN_ERROR_MEMORY) {
                assert_int_equal(error.id, SN_MESSAGE_MEMORY);
                failures++;
            }
            if (result != SN_OK) {
                assert_null(next);
                assert_int_equal(failing.in_use, in_use);
            }
            after.length = 0;
            edit_print(document, &after);
            assert_int_equal(after.length, before.length);
            assert_memory_equal(after.data, before.data, before.length);
            if (result != SN_OK && result != SN_ERROR_MEMORY)
                next = sn_document_retain(document); /* the command is at fault, not the memory */
        }
        sn_document_release(document);
        document = next;
    }
    assert_true(failures > 1000);
    sn_document_release(document);
    assert_int_equal(failing.in_use, 0);
    sn_text_free(&command);
    sn_text_free(&before);
    sn_text_free(&after);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_document_is_the_model),
        cmocka_unit_test(an_edit_copies_one_track),
        cmocka_unit_test(bytes_are_counted_once),
        cmocka_unit_test(a_key_costs_its_track_at_most),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("document", tests, NULL, NULL);
}
