/* What commands on tracks, clips and markers do. */
#include "tests/unit/edit_check.h"

#include <math.h>
#include <stdio.h>

static void convert(sn_document **document, uint32_t clip, const char *node, const char *path,
                    const char *interpolation, const char *keep) {
    char command[256];
    snprintf(command, sizeof command,
             "{'op':'track.interpolation','clip':%u,'node':'%s','path':'%s',"
             "'interpolation':'%s'%s%s%s}",
             clip, node, path, interpolation, keep ? ",'keep':'" : "", keep ? keep : "",
             keep ? "'" : "");
    edit_do(document, command);
}

static void motion_is_kept_exactly_or_not_at_all(void **state) {
    (void)state;
    sn_document *document = edit_open();
    const sn_track *old = &edit_tracks[HIPS_T];
    convert(&document, WALK, "Hips", "translation", "CUBICSPLINE", "motion");
    const sn_track *track = edit_track(document, WALK, HIPS, SN_PATH_TRANSLATION);
    assert_int_equal(track->interpolation, SN_CUBICSPLINE);
    assert_int_equal(track->origin, old->origin);
    edit_same_motion(track, old, 1e-6);
    convert(&document, WALK, "Body", "weights", "CUBICSPLINE", "motion");
    edit_same_motion(edit_track(document, WALK, BODY, SN_PATH_WEIGHTS), &edit_tracks[BODY_W], 1e-6);

    /* and back, while the tangents say what the straight lines said: the very keys */
    convert(&document, WALK, "Hips", "translation", "LINEAR", "motion");
    track = edit_track(document, WALK, HIPS, SN_PATH_TRANSLATION);
    assert_int_equal(track->key_count, 3);
    assert_memory_equal(track->values, edit_hips_t, sizeof edit_hips_t);
    assert_memory_equal(track->times, edit_times, sizeof edit_times);
    convert(&document, WALK, "Hips", "translation", "CUBICSPLINE", "motion");
    edit_do(&document, "{'op':'key.set','clip':0,'node':1,'path':'translation','time':0.5,"
                       "'value':[0,1.5,0.25],'outTangent':[1,0,0]}");
    edit_fail(document,
              "{'op':'track.interpolation','clip':0,'node':1,'path':'translation',"
              "'interpolation':'LINEAR','keep':'motion'}",
              "command.target", "/keep");
    edit_fail(document,
              "{'op':'track.interpolation','clip':0,'node':3,'path':'scale',"
              "'interpolation':'LINEAR','keep':'motion'}",
              "command.target", "/keep");

    /* what does not move can be anything, a rotation too */
    edit_do(&document, "{'op':'key.set','clip':0,'node':0,'path':'rotation','time':0,"
                       "'value':[0,0.6,0,0.8]}");
    edit_do(&document, "{'op':'key.set','clip':0,'node':0,'path':'rotation','time':1,"
                       "'value':[0,0.6,0,0.8]}");
    sn_document *before = sn_document_retain(document);
    static const char *const kinds[] = {"CUBICSPLINE", "STEP", "CUBICSPLINE", "LINEAR"};
    for (int i = 0; i < 4; i++) {
        convert(&document, WALK, "Root", "rotation", kinds[i], "motion");
        edit_same_motion(edit_track(document, WALK, ROOT, SN_PATH_ROTATION),
                         edit_track(before, WALK, ROOT, SN_PATH_ROTATION), 1e-6);
    }
    sn_document_release(before);
    sn_document_release(document);
}

static void keys_are_kept_whatever_runs_between(void **state) {
    (void)state;
    sn_document *document = edit_open();
    static const char *const kinds[] = {"STEP",        "CUBICSPLINE", "LINEAR",
                                        "CUBICSPLINE", "STEP",        "LINEAR"};
    for (int i = 0; i < 6; i++) {
        convert(&document, WALK, "Hips", "rotation", kinds[i], i % 2 ? "keys" : NULL);
        const sn_track *track = edit_track(document, WALK, HIPS, SN_PATH_ROTATION);
        assert_int_equal(track->key_count, 3);
        for (int k = 0; k < 3; k++) {
            float q[4];
            sn_track_evaluate(track, edit_times[k], q);
            for (int c = 0; c < 4; c++)
                assert_true(fabsf(q[c] - edit_hips_r[4 * k + c]) < 1e-6f);
        }
    }
    assert_memory_equal(edit_track(document, WALK, HIPS, SN_PATH_ROTATION)->values, edit_hips_r,
                        sizeof edit_hips_r);
    sn_document_release(document);
}

/* To CUBICSPLINE: a smooth curve. A parabola's keys give the parabola back. A rotation of 1 rad/s
 * nearly keeps its pace, although its quaternions came with any sign: at steps of h0 = 0.9 s and
 * h1 = 1.1 s the slope is off by the third derivative, 1/8, times h0 h1 / 6, and the curve by
 * 4/27 h0 of that: 0.0028. */
static void a_spline_through_keys_is_smooth(void **state) {
    (void)state;
    float times[6];
    float parabola[18];
    float turns[24];
    for (int i = 0; i < 6; i++) {
        float t = times[i] = (float)(i * i) / 10 + (float)i / 5;
        for (int c = 0; c < 3; c++)
            parabola[3 * i + c] = (float)(c + 1) * t * t - t;
        float sign = i % 2 ? -1 : 1;
        turns[4 * i + 0] = turns[4 * i + 2] = 0;
        turns[4 * i + 1] = sign * sinf(t / 2);
        turns[4 * i + 3] = sign * cosf(t / 2);
    }
    const sn_track translation = {ROOT, SN_PATH_TRANSLATION, SN_LINEAR, 3, 6, times, parabola, 0};
    const sn_track rotation = {ROOT, SN_PATH_ROTATION, SN_LINEAR, 4, 6, times, turns, 1};
    const sn_track *tracks[] = {&translation, &rotation};
    const sn_clip clip = {
        .name = "Curve", .track_count = 2, .tracks = tracks, .duration = times[5]};
    sn_model model = edit_model;
    model.clips = &clip;
    model.clip_count = 1;
    sn_document *document = NULL;
    assert_int_equal(sn_document_create(&model, NULL, &document, NULL), SN_OK);
    convert(&document, 0, "Root", "translation", "CUBICSPLINE", NULL);
    convert(&document, 0, "Root", "rotation", "CUBICSPLINE", NULL);
    const sn_track *spline = edit_track(document, 0, ROOT, SN_PATH_TRANSLATION);
    const sn_track *turn = edit_track(document, 0, ROOT, SN_PATH_ROTATION);
    for (float t = times[1]; t <= times[4]; t += 0.01f) {
        float v[3];
        sn_track_evaluate(spline, t, v);
        for (int c = 0; c < 3; c++)
            assert_true(fabsf(v[c] - ((float)(c + 1) * t * t - t)) < 1e-4f);
        float q[4];
        sn_track_evaluate(turn, t, q);
        assert_true(fabsf(q[1] * cosf(t / 2) - q[3] * sinf(t / 2)) < 3e-3f);
    }
    sn_document_release(document);
}

static void a_track_goes_and_the_others_stay(void **state) {
    (void)state;
    sn_document *document = edit_open();
    edit_do(&document, "{'op':'track.remove','clip':0,'node':'RightArm','path':'scale'}");
    const sn_clip *clip = edit_clip(document, WALK);
    assert_int_equal(clip->track_count, WALK_TRACKS - 1);
    assert_true(clip->duration == 1); /* that track was the longest */
    for (uint32_t t = 0; t < WALK_TRACKS; t++)
        if (t != RIGHT_S)
            assert_ptr_equal(clip->tracks[t < RIGHT_S ? t : t - 1], &edit_tracks[t]);
    sn_document_release(document);
}

static void clips_come_and_go(void **state) {
    (void)state;
    sn_document *document = edit_open();
    edit_do(&document, "{'op':'clip.copy','clip':'Walk','name':'Run \\u00e9'}");
    const sn_clip *copy = edit_clip(document, EDIT_CLIPS);
    assert_string_equal(copy->name, "Run \xC3\xA9");
    assert_int_equal(copy->origin, SN_NONE);
    assert_int_equal(copy->track_count, WALK_TRACKS);
    assert_true(copy->duration == edit_clips[WALK].duration);
    assert_int_equal(copy->marker_count, 1);
    for (uint32_t t = 0; t < WALK_TRACKS; t++)
        assert_ptr_equal(copy->tracks[t], &edit_tracks[t]);
    /* an edit of the copy is not one of the original */
    edit_do(&document, "{'op':'key.remove','clip':4,'node':1,'path':'rotation','time':0}");
    assert_ptr_equal(edit_clip(document, WALK)->tracks[HIPS_R], &edit_tracks[HIPS_R]);
    assert_int_equal(edit_clip(document, 4)->tracks[HIPS_R]->key_count, 2);

    edit_do(&document, "{'op':'clip.rename','clip':2,'name':'Rest'}");
    assert_string_equal(edit_clip(document, 2)->name, "Rest");
    assert_int_equal(edit_clip(document, 2)->origin, 2);
    edit_do(&document, "{'op':'clip.remove','clip':0}");
    assert_string_equal(edit_clip(document, 0)->name, "Wave");
    assert_string_equal(edit_clip(document, 1)->name, "Rest");
    assert_string_equal(edit_clip(document, 3)->name, "Run \xC3\xA9");
    edit_do(&document, "{'op':'clip.add','name':'Walk'}");
    assert_int_equal(edit_clip(document, 4)->track_count, 0);
    assert_true(edit_clip(document, 4)->duration == 0);
    for (int i = 4; i >= 0; i--)
        edit_do(&document, "{'op':'clip.remove','clip':0}");
    assert_int_equal(sn_document_clips(document, NULL), 0);
    edit_do(&document, "{'op':'clip.add','name':'New'}");
    sn_document_release(document);
}

static void markers_stay_in_order(void **state) {
    (void)state;
    sn_document *document = edit_open();
    static const char *const commands[] = {
        "{'op':'marker.set','clip':0,'time':2,'name':'end'}",
        "{'op':'marker.set','clip':0,'time':0,'name':'start'}",
        "{'op':'marker.set','clip':0,'time':0.75,'name':'gone'}",
        "{'op':'marker.set','clip':0,'time':2,'name':'the end'}",
        "{'op':'marker.set','clip':0,'time':0.75,'name':null}",
        /* edits of keys carry them along */
        "{'op':'key.set','clip':0,'node':0,'path':'scale','time':0,'value':[1,1,1]}",
        "{'op':'clip.rename','clip':0,'name':'March'}",
    };
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        edit_do(&document, commands[i]);
    const sn_clip *clip = edit_clip(document, WALK);
    assert_int_equal(clip->marker_count, 3);
    static const sn_marker expected[] = {{0, "start"}, {0.5f, "left foot down"}, {2, "the end"}};
    for (int i = 0; i < 3; i++) {
        assert_true(clip->markers[i].time == expected[i].time);
        assert_string_equal(clip->markers[i].name, expected[i].name);
    }
    for (int i = 0; i < 3; i++) {
        char command[100];
        snprintf(command, sizeof command, "{'op':'marker.set','clip':0,'time':%g,'name':null}",
                 (double)expected[i].time);
        edit_do(&document, command);
    }
    assert_int_equal(edit_clip(document, WALK)->marker_count, 0);
    sn_document_release(document);
}

/* A batch sees what it did itself, and is nothing when any of it fails. */
static void a_batch_is_one(void **state) {
    (void)state;
    sn_document *document = edit_open();
    edit_fail(document,
              "{'op':'batch','commands':[{'op':'clip.remove','clip':0},"
              "{'op':'batch','commands':[{'op':'clip.remove','clip':'Walk'}]}]}",
              "command.name", "/commands/1/commands/0/clip");
    assert_int_equal(sn_document_clips(document, NULL), EDIT_CLIPS);
    edit_do(&document, "{'op':'batch','commands':["
                       "{'op':'clip.add','name':'A'},{'op':'clip.add','name':'B'},"
                       "{'op':'clip.copy','clip':'Walk','name':'C'},"
                       "{'op':'track.remove','clip':'C','node':1,'path':'rotation'},"
                       "{'op':'track.remove','clip':'C','node':2,'path':'rotation'},"
                       "{'op':'clip.remove','clip':'Walk'}]}");
    assert_int_equal(sn_document_clips(document, NULL), EDIT_CLIPS + 2);
    assert_string_equal(edit_clip(document, 5)->name, "C");
    assert_int_equal(edit_clip(document, 5)->track_count, WALK_TRACKS - 2);
    sn_document_release(document);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(motion_is_kept_exactly_or_not_at_all),
        cmocka_unit_test(keys_are_kept_whatever_runs_between),
        cmocka_unit_test(a_spline_through_keys_is_smooth),
        cmocka_unit_test(a_track_goes_and_the_others_stay),
        cmocka_unit_test(clips_come_and_go),
        cmocka_unit_test(markers_stay_in_order),
        cmocka_unit_test(a_batch_is_one),
    };
    return cmocka_run_group_tests_name("commands on clips", tests, NULL, NULL);
}
