/* What commands on keys do. */
#include "tests/unit/edit_check.h"

#include <math.h>
#include <stdio.h>

#include "tests/unit/motion.h"

/* Commands with numbers filled in. */
static sn_document *say(sn_document **document, const char *format, ...) {
    char command[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    edit_do(document, command);
    return *document;
}

#define WALK_HIPS "'clip':0,'node':'Hips',"
#define HIPS_MOVE WALK_HIPS "'path':'translation',"
#define HIPS_TURN WALK_HIPS "'path':'rotation',"
#define ARM_TURN "'clip':0,'node':'LeftArm','path':'rotation',"
#define SET "{'op':'key.set',"
#define MOVE "{'op':'key.move',"

static const float *value_of(const sn_track *track, uint32_t key) {
    size_t rows = track->interpolation == SN_CUBICSPLINE ? 3 : 1;
    return track->values + key * rows * track->width + (rows == 3 ? track->width : 0);
}

static void assert_floats(const float *a, const float *b, size_t count, double tolerance) {
    for (size_t i = 0; i < count; i++)
        if (!(fabs((double)a[i] - b[i]) <= tolerance))
            fail_msg("%zu: %.9g, not %.9g", i, (double)a[i], (double)b[i]);
}

static double length_of(const float *q) {
    return sqrt((double)q[0] * q[0] + (double)q[1] * q[1] + (double)q[2] * q[2] +
                (double)q[3] * q[3]);
}

/* ---- key.set ---- */

static void a_key_is_inserted_or_replaced(void **state) {
    (void)state;
    sn_document *document = edit_open();
    say(&document, SET HIPS_MOVE "'time':0.25,'value':[1,2,3]}");
    const sn_track *track = edit_track(document, WALK, HIPS, SN_PATH_TRANSLATION);
    const float inserted[] = {0, 1, 0, 1, 2, 3, 0, 1.5f, 0.25f, 0, 1, 0.5f};
    const float times[] = {0, 0.25f, 0.5f, 1};
    assert_int_equal(track->key_count, 4);
    assert_memory_equal(track->times, times, sizeof times);
    assert_memory_equal(track->values, inserted, sizeof inserted);

    say(&document, SET HIPS_MOVE "'time':0.25,'value':[4,5,6]}");
    track = edit_track(document, WALK, HIPS, SN_PATH_TRANSLATION);
    assert_int_equal(track->key_count, 4);
    assert_true(track->values[3] == 4 && track->values[4] == 5 && track->values[5] == 6);

    /* a key past the end makes the clip longer; removing it makes it shorter again */
    say(&document, SET HIPS_MOVE "'time':2,'value':[4,5,6]}");
    assert_true(edit_clip(document, WALK)->duration == 2);
    say(&document, "{'op':'key.remove'," HIPS_MOVE "'time':2}");
    assert_true(edit_clip(document, WALK)->duration == 1.25f);
    sn_document_release(document);
}

/* The time is the float that the text means, not a near one. */
static void keys_are_found_by_their_exact_time(void **state) {
    (void)state;
    sn_document *document = edit_open();
    const float time = 0.1f;
    const float next = nextafterf(time, 1);
    say(&document, SET HIPS_MOVE "'time':0.1,'value':[1,0,0]}");
    say(&document, SET HIPS_MOVE "'time':%.9g,'value':[2,0,0]}", (double)next);
    say(&document, SET HIPS_MOVE "'time':0.10000000149011612,'value':[3,0,0]}");
    const sn_track *track = edit_track(document, WALK, HIPS, SN_PATH_TRANSLATION);
    assert_int_equal(track->key_count, 5);
    assert_true(track->times[1] == time && track->times[2] == next);
    assert_true(value_of(track, 1)[0] == 3 && value_of(track, 2)[0] == 2);
    say(&document, SET HIPS_MOVE "'time':-0.0,'value':[7,0,0]}");
    track = edit_track(document, WALK, HIPS, SN_PATH_TRANSLATION);
    assert_int_equal(track->key_count, 5);
    assert_false(signbit(track->times[0]));
    sn_document_release(document);
}

static void a_track_is_made_where_there_is_none(void **state) {
    (void)state;
    sn_document *document = edit_open();
    say(&document, SET "'clip':'Walk','node':0,'path':'scale','time':0.5,'value':[1,2,3]}");
    const sn_clip *clip = edit_clip(document, WALK);
    assert_int_equal(clip->track_count, WALK_TRACKS + 1);
    const sn_track *track = clip->tracks[WALK_TRACKS];
    assert_int_equal(track->node, ROOT);
    assert_int_equal(track->interpolation, SN_LINEAR);
    assert_int_equal(track->origin, SN_NONE);
    assert_int_equal(track->key_count, 1);
    say(&document, SET "'clip':2,'node':'Body','path':'weights','time':0.5,'value':[0.5,1],"
                       "'interpolation':'CUBICSPLINE','outTangent':[2,3]}");
    track = edit_track(document, IDLE_A, BODY, SN_PATH_WEIGHTS);
    const float row[] = {0, 0, 0.5f, 1, 2, 3};
    assert_int_equal(track->width, 2);
    assert_memory_equal(track->values, row, sizeof row);
    assert_true(edit_clip(document, IDLE_A)->duration == 0.5f);
    sn_document_release(document);
}

static void setting_what_is_there_changes_nothing(void **state) {
    (void)state;
    sn_document *document = edit_open();
    edit_do_nothing(document, "{'op':'key.set','clip':0,'node':1,'path':'translation',"
                              "'time':0.5,'value':[0,1.5,0.25]}");
    /* the same rotation by the other quaternion, and a stored one that is not quite unit */
    edit_do_nothing(document, "{'op':'key.set','clip':0,'node':1,'path':'rotation',"
                              "'time':0.5,'value':[0,-0.258819045,0,-0.965925826]}");
    edit_do_nothing(document, "{'op':'key.set','clip':0,'node':2,'path':'rotation','time':0.5,"
                              "'value':[0,0,0.258819045,0.965925826],'inTangent':[0,0,1,0]}");
    /* what a key became by normalising is what setting it again gives */
    say(&document, SET HIPS_TURN "'time':0.25,'value':[0.3,-0.2,0.7,-9]}");
    edit_do_nothing(document, "{'op':'key.set','clip':0,'node':1,'path':'rotation',"
                              "'time':0.25,'value':[0.3,-0.2,0.7,-9]}");
    edit_do_nothing(document, "{'op':'key.move','clip':0,'node':1,'path':'rotation',"
                              "'time':0.25,'to':0.25}");
    edit_do_nothing(document, "{'op':'keys.move','clip':0,'by':0,'keys':["
                              "{'node':1,'path':'rotation','time':0.25}]}");
    edit_do_nothing(document, "{'op':'keys.scale','clip':0,'pivot':0.3,'factor':1}");
    edit_do_nothing(document, "{'op':'keys.remove','clip':0,'keys':[]}");
    edit_do_nothing(document, "{'op':'batch','commands':[]}");
    edit_do_nothing(document, "{'op':'track.interpolation','clip':0,'node':1,'path':"
                              "'rotation','interpolation':'LINEAR'}");
    edit_do_nothing(document, "{'op':'clip.rename','clip':0,'name':'Walk'}");
    edit_do_nothing(document, "{'op':'marker.set','clip':0,'time':0.5,'name':'left foot down'}");
    sn_document_release(document);
}

/* ---- Rotations ---- */

static void rotations_are_normalised_and_take_the_near_sign(void **state) {
    (void)state;
    sn_document *document = edit_open();
    say(&document, SET HIPS_TURN "'time':0.25,'value':[0,0,-3,-4]}");
    const sn_track *track = edit_track(document, WALK, HIPS, SN_PATH_ROTATION);
    const float expected[] = {0, 0, 0.6f, 0.8f};
    assert_floats(value_of(track, 1), expected, 4, 1e-7);
    assert_memory_equal(value_of(track, 0), edit_hips_r, 4 * sizeof(float));
    assert_memory_equal(value_of(track, 2), edit_hips_r + 4, 8 * sizeof(float));

    /* a quaternion that is unit to float precision is kept bit by bit */
    say(&document, SET HIPS_TURN "'time':0.25,'value':[0,0,0.258819045,0.965925826]}");
    track = edit_track(document, WALK, HIPS, SN_PATH_ROTATION);
    const float exact[] = {0, 0, S15, C15};
    assert_memory_equal(value_of(track, 1), exact, sizeof exact);

    /* however small or large, it is a direction */
    say(&document, SET HIPS_TURN "'time':0.25,'value':[0,0,3e-38,4e-38]}");
    assert_floats(value_of(edit_track(document, WALK, HIPS, SN_PATH_ROTATION), 1), expected, 4,
                  1e-7);
    say(&document, SET HIPS_TURN "'time':0.25,'value':[0,0,1.5e38,2e38]}");
    assert_floats(value_of(edit_track(document, WALK, HIPS, SN_PATH_ROTATION), 1), expected, 4,
                  1e-7);

    /* the tangents belong to the value as it is given: they are turned and scaled with it */
    say(&document, SET ARM_TURN "'time':0.25,'value':[0,0,0,-2],'inTangent':[0,0,-4,0],"
                                "'outTangent':[0,0,-6,0]}");
    track = edit_track(document, WALK, LEFT_ARM, SN_PATH_ROTATION);
    const float row[] = {0, 0, 2, 0, 0, 0, 0, 1, 0, 0, 3, 0};
    assert_floats(value_of(track, 1) - 4, row, 12, 1e-7);
    sn_document_release(document);
}

/* Set where a key is: the value goes to the side of the one before, its tangents with it. */
static void a_replaced_rotation_stays_on_its_side(void **state) {
    (void)state;
    sn_document *document = edit_open();
    say(&document, SET ARM_TURN "'time':0.5,'value':[0,0,-1.2,-1.6],'inTangent':[0,0,-4,2],"
                                "'outTangent':[0,0,-6,0]}");
    const sn_track *track = edit_track(document, WALK, LEFT_ARM, SN_PATH_ROTATION);
    const float row[] = {0, 0, 2, -1, 0, 0, 0.6f, 0.8f, 0, 0, 3, 0};
    assert_floats(value_of(track, 1) - 4, row, 12, 1e-7);
    sn_document_release(document);
}

/* Random quaternions: whatever is set, every new segment with equal signs at its outer ends is the
 * short way, all are unit, and no other key changes. */
static void no_new_key_turns_the_long_way(void **state) {
    (void)state;
    test_random random = {21};
    sn_document *document = edit_open();
    for (int i = 0; i < 300; i++) {
        float q[4];
        test_random_quat(&random, q);
        float time = test_random_between(&random, 0, 1);
        sn_document *before = sn_document_retain(document);
        say(&document, SET ARM_TURN "'time':%.9g,'value':[%.9g,%.9g,%.9g,%.9g]}", (double)time,
            (double)q[0], (double)q[1], (double)q[2], (double)q[3]);
        const sn_track *old = edit_track(before, WALK, LEFT_ARM, SN_PATH_ROTATION);
        const sn_track *track = edit_track(document, WALK, LEFT_ARM, SN_PATH_ROTATION);
        uint32_t key = sn_track_find(track, time).index;
        assert_true(track->times[key] == time);
        const float *v = value_of(track, key);
        for (int k = 0; k < 4; k++) /* a unit quaternion stays as it is, but for the sign */
            assert_true(v[k] == q[k] || v[k] == -q[k]);
        double sum = 0;
        for (int k = 0; k < 4; k++) {
            if (key > 0)
                sum += (double)v[k] * value_of(track, key - 1)[k];
            if (key + 1 < track->key_count)
                sum += (double)v[k] * value_of(track, key + 1)[k];
        }
        assert_true(sum >= 0);
        uint32_t other = 0;
        for (uint32_t k = 0; k < track->key_count; k++) {
            if (k == key)
                continue;
            if (old->times[other] == time)
                other++;
            assert_memory_equal(value_of(track, k) - 4, value_of(old, other++) - 4,
                                12 * sizeof(float));
        }
        sn_document_release(before);
    }
    sn_document_release(document);
}

/* ---- CUBICSPLINE ---- */

/* A key put on the curve, with no tangents given, leaves a curve of translations as it was, and a
 * curve of rotations running through it at the same speed. */
static void a_key_on_a_spline_keeps_the_spline(void **state) {
    (void)state;
    sn_document *document = edit_open();
    say(&document, SET "'clip':1,'node':0,'path':'translation','time':0,'value':[0,1,2],"
                       "'interpolation':'CUBICSPLINE','outTangent':[3,-1,4]}");
    say(&document, SET "'clip':1,'node':0,'path':'translation','time':2,'value':[5,-1,0],"
                       "'inTangent':[-2,6,1]}");
    sn_document *before = sn_document_retain(document);
    const sn_track *old = edit_track(before, WAVE, ROOT, SN_PATH_TRANSLATION);
    test_random random = {3};
    for (int i = 0; i < 40; i++) {
        float time = test_random_between(&random, 0, 2.5f);
        float v[3];
        sn_track_evaluate(edit_track(document, WAVE, ROOT, SN_PATH_TRANSLATION), time, v);
        say(&document,
            SET "'clip':1,'node':0,'path':'translation','time':%.9g,'value':[%.9g,%.9g,%.9g]}",
            (double)time, (double)v[0], (double)v[1], (double)v[2]);
        edit_same_motion(edit_track(document, WAVE, ROOT, SN_PATH_TRANSLATION), old, 2e-5);
    }
    sn_document_release(before);

    before = sn_document_retain(document);
    old = edit_track(before, WALK, LEFT_ARM, SN_PATH_ROTATION);
    const float time = 0.3f;
    const float h = 0.001f;
    float q[4];
    float left[4];
    float right[4];
    sn_track_evaluate(old, time, q);
    sn_track_evaluate(old, time - h, left);
    sn_track_evaluate(old, time + h, right);
    say(&document, SET ARM_TURN "'time':0.3,'value':[%.9g,%.9g,%.9g,%.9g]}", (double)q[0],
        (double)q[1], (double)q[2], (double)q[3]);
    const sn_track *track = edit_track(document, WALK, LEFT_ARM, SN_PATH_ROTATION);
    const float *in_tangent = value_of(track, 1) - 4;
    for (int i = 0; i < 4; i++)
        assert_true(fabs(in_tangent[i] - ((double)right[i] - left[i]) / (2.0 * h)) < 1e-3);
    assert_memory_equal(in_tangent, in_tangent + 8, 4 * sizeof(float));
    edit_same_motion(track, old, 5e-3);

    double speed = 2 * length_of(in_tangent);
    /* another rotation there turns with the same angular velocity: 2 q' q* */
    say(&document, SET ARM_TURN "'time':0.3,'value':[0.1,0.7,0.1,0.7]}");
    track = edit_track(document, WALK, LEFT_ARM, SN_PATH_ROTATION);
    const float *v = value_of(track, 1);
    const float *slope = v + 4;
    assert_true(fabs(2 * length_of(slope) - speed) < 1e-5);
    double z = 2 * ((double)slope[2] * v[3] - (double)slope[3] * v[2] -
                    ((double)slope[0] * v[1] - (double)slope[1] * v[0]));
    assert_true(fabs(z - speed) < 1e-5); /* about +z, as the arm turns */
    sn_document_release(before);
    sn_document_release(document);
}

static void ends_of_a_spline_stand_still(void **state) {
    (void)state;
    sn_document *document = edit_open();
    say(&document, SET ARM_TURN "'time':1.5,'value':[0,0,0,1]}");
    const sn_track *track = edit_track(document, WALK, LEFT_ARM, SN_PATH_ROTATION);
    const float row[] = {0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0};
    assert_memory_equal(value_of(track, 3) - 4, row, sizeof row);
    /* a replaced key keeps its tangents, one that is given excepted */
    say(&document, SET ARM_TURN "'time':0.5,'value':[0,0,0.258819045,0.965925826],"
                                "'outTangent':[0,0,5,0]}");
    track = edit_track(document, WALK, LEFT_ARM, SN_PATH_ROTATION);
    assert_memory_equal(value_of(track, 1) - 4, edit_left_r + 12, 8 * sizeof(float));
    assert_true(value_of(track, 1)[6] == 5);
    sn_document_release(document);
}

/* ---- Moving ---- */

static void a_moved_key_replaces_what_it_lands_on(void **state) {
    (void)state;
    sn_document *document = edit_open();
    sn_document *before = sn_document_retain(document);
    say(&document, MOVE HIPS_MOVE "'time':0.5,'to':1}");
    const sn_track *track = edit_track(document, WALK, HIPS, SN_PATH_TRANSLATION);
    const float values[] = {0, 1, 0, 0, 1.5f, 0.25f};
    assert_int_equal(track->key_count, 2);
    assert_memory_equal(track->values, values, sizeof values);
    assert_int_equal(edit_track(before, WALK, HIPS, SN_PATH_TRANSLATION)->key_count, 3);
    sn_document_release(before);

    /* the last key goes, and the track with it */
    say(&document, "{'op':'keys.remove','clip':0,'keys':[{'node':1,'path':'translation','time':0},"
                   "{'node':1,'path':'translation','time':1},"
                   "{'node':1,'path':'translation','time':1},"
                   "{'node':7,'path':'weights','time':0.5}]}");
    assert_null(edit_track(document, WALK, HIPS, SN_PATH_TRANSLATION));
    assert_int_equal(edit_clip(document, WALK)->track_count, WALK_TRACKS - 1);
    assert_int_equal(edit_track(document, WALK, BODY, SN_PATH_WEIGHTS)->key_count, 2);
    assert_ptr_equal(edit_track(document, WALK, RIGHT_ARM, SN_PATH_SCALE), &edit_tracks[RIGHT_S]);
    sn_document_release(document);
}

/* Keys that move together do not replace one another; those they pass stay. */
static void keys_move_together(void **state) {
    (void)state;
    sn_document *document = edit_open();
    say(&document, "{'op':'keys.move','clip':0,'by':0.5,'keys':["
                   "{'node':1,'path':'translation','time':0.5},"
                   "{'node':1,'path':'translation','time':0},"
                   "{'node':1,'path':'translation','time':0}," /* twice is once */
                   "{'node':7,'path':'weights','time':0}]}");
    const sn_track *track = edit_track(document, WALK, HIPS, SN_PATH_TRANSLATION);
    const float times[] = {0.5f, 1};
    const float values[] = {0, 1, 0, 0, 1.5f, 0.25f};
    assert_int_equal(track->key_count, 2);
    assert_memory_equal(track->times, times, sizeof times);
    assert_memory_equal(track->values, values, sizeof values);
    track = edit_track(document, WALK, BODY, SN_PATH_WEIGHTS);
    const float weights[] = {0, 0, 0, 0};
    assert_int_equal(track->key_count, 2);
    assert_memory_equal(track->times, times, sizeof times);
    assert_memory_equal(track->values, weights, sizeof weights);

    say(&document, "{'op':'keys.move','clip':0,'by':-0.75,'keys':["
                   "{'node':1,'path':'translation','time':1}]}");
    track = edit_track(document, WALK, HIPS, SN_PATH_TRANSLATION);
    assert_true(track->times[0] == 0.25f && track->times[1] == 0.5f);
    assert_true(value_of(track, 0)[1] == 1.5f);
    sn_document_release(document);
}

/* Some files have keys before 0: they can be named and brought where they play, not put there. */
static void keys_before_zero_can_be_moved(void **state) {
    (void)state;
    const float times[] = {-1, -0.5f, 1};
    const sn_track track = {HIPS, SN_PATH_TRANSLATION, SN_LINEAR, 3, 3, times, edit_hips_t, 0};
    const sn_track *tracks[] = {&track};
    const sn_clip clip = {.name = "Early", .track_count = 1, .tracks = tracks, .duration = 1};
    sn_model model = edit_model;
    model.clips = &clip;
    model.clip_count = 1;
    sn_document *document = NULL;
    assert_int_equal(sn_document_create(&model, NULL, &document, NULL), SN_OK);
    edit_do_nothing(document, "{'op':'keys.scale','clip':0,'pivot':0.1,'factor':1}");
    edit_fail(document, "{'op':'keys.scale','clip':0,'pivot':0,'factor':0.5}", "command.value",
              "/factor");
    edit_fail(document, "{" HIPS_MOVE "'op':'key.set','time':-1,'value':[0,0,0]}", "command.value",
              "/time");
    say(&document, MOVE HIPS_MOVE "'time':-0.5,'to':0.5}");
    say(&document, "{'op':'keys.move','clip':0,'by':1,'keys':["
                   "{'node':1,'path':'translation','time':-1}]}");
    const sn_track *moved = edit_track(document, 0, HIPS, SN_PATH_TRANSLATION);
    assert_memory_equal(moved->times, edit_times, sizeof edit_times);
    assert_memory_equal(moved->values, edit_hips_t, sizeof edit_hips_t);
    sn_document_release(document);
}

/* A key that passes another one gets the sign of its new neighbours, tangents included; keys that
 * keep their order keep every bit. */
static void a_passing_rotation_changes_its_sign_if_it_must(void **state) {
    (void)state;
    const float times[] = {0, 1, 2, 3};
    const float values[48] = {
        0, 0, 0,  0, 0, 0, 0,    1,    0, 0, 1,  0, /**/
        0, 0, -1, 0, 0, 0, -S15, -C15, 0, 0, -2, 0, /* the other side */
        0, 0, 1,  0, 0, 0, S30,  C30,  0, 0, 1,  0, /**/
        0, 0, 1,  0, 0, 0, S30,  C30,  0, 0, 0,  0,
    };
    const sn_track track = {HIPS, SN_PATH_ROTATION, SN_CUBICSPLINE, 4, 4, times, values, 0};
    const sn_track *tracks[] = {&track};
    const sn_clip clip = {.name = "Flip", .track_count = 1, .tracks = tracks, .duration = 3};
    sn_model model = edit_model;
    model.clips = &clip;
    model.clip_count = 1;
    sn_document *document = NULL;
    assert_int_equal(sn_document_create(&model, NULL, &document, NULL), SN_OK);

    sn_document *shifted = sn_document_retain(document);
    say(&shifted, MOVE HIPS_TURN "'time':1,'to':1.5}");
    const sn_track *moved = edit_track(shifted, 0, HIPS, SN_PATH_ROTATION);
    assert_memory_equal(moved->values, values, sizeof values);
    sn_document_release(shifted);

    say(&document, MOVE HIPS_TURN "'time':1,'to':2.5}");
    moved = edit_track(document, 0, HIPS, SN_PATH_ROTATION);
    const float row[] = {0, 0, 1, 0, 0, 0, S15, C15, 0, 0, 2, 0};
    for (int i = 0; i < 12; i++)
        assert_true(moved->values[24 + i] == row[i]);
    assert_memory_equal(moved->values, values, 12 * sizeof(float));
    assert_memory_equal(moved->values + 12, values + 24, 12 * sizeof(float));
    sn_document_release(document);
}

/* ---- Scaling ---- */

/* Scaled curves run through the same values at scaled times, backward ones too. */
static void scaling_keeps_the_shape(void **state) {
    (void)state;
    const double factors[] = {0.5, 2, 0.3, -1, -0.5};
    for (size_t f = 0; f < sizeof factors / sizeof *factors; f++) {
        double pivot = factors[f] < 0 ? 1.25 : factors[f] > 1 ? 0 : 0.5;
        sn_document *document = edit_open();
        say(&document, "{'op':'keys.scale','clip':0,'pivot':%g,'factor':%g}", pivot, factors[f]);
        for (uint32_t t = 0; t < WALK_TRACKS; t++) {
            const sn_track *old = &edit_tracks[t];
            if (old->interpolation == SN_STEP) /* holds a key until the next, in either direction */
                continue;
            const sn_track *track = edit_track(document, WALK, old->node, old->path);
            assert_int_equal(track->key_count, old->key_count);
            for (int i = 0; i <= 100; i++) {
                double seconds = i / 100.0;
                float a[4];
                float b[4];
                sn_track_evaluate(old, (float)seconds, a);
                sn_track_evaluate(track, (float)(pivot + (seconds - pivot) * factors[f]), b);
                assert_floats(b, a, old->width, 2e-6);
            }
        }
        sn_document_release(document);
    }
    /* chosen keys only */
    sn_document *document = edit_open();
    say(&document,
        "{'op':'keys.scale','clip':0,'pivot':0.5,'factor':3,'keys':["
        "{'node':1,'path':'rotation','time':1},{'node':1,'path':'rotation','time':0.5}]}");
    const sn_track *track = edit_track(document, WALK, HIPS, SN_PATH_ROTATION);
    const float times[] = {0, 0.5f, 2};
    assert_memory_equal(track->times, times, sizeof times);
    say(&document, "{'op':'keys.scale','clip':0,'pivot':0,'factor':2,'tracks':["
                   "{'node':1,'path':'rotation'},{'node':1,'path':'rotation'}]}");
    assert_true(edit_track(document, WALK, HIPS, SN_PATH_ROTATION)->times[2] == 4);
    assert_ptr_equal(edit_track(document, WALK, HIPS, SN_PATH_TRANSLATION), &edit_tracks[HIPS_T]);
    sn_document_release(document);
}

/* A broken file may have two tracks for one target: the last is the one that shows. */
static void of_two_tracks_for_one_target_the_last_is_edited(void **state) {
    (void)state;
    const sn_track *tracks[] = {&edit_tracks[HIPS_T], &edit_tracks[HIPS_R], &edit_tracks[HIPS_T]};
    const sn_clip clip = {.name = "Twice", .track_count = 3, .tracks = tracks, .duration = 1};
    sn_model model = edit_model;
    model.clips = &clip;
    model.clip_count = 1;
    sn_document *document = NULL;
    assert_int_equal(sn_document_create(&model, NULL, &document, NULL), SN_OK);
    say(&document, SET HIPS_MOVE "'time':0,'value':[1,2,3]}");
    const sn_clip *edited = edit_clip(document, 0);
    assert_ptr_equal(edited->tracks[0], &edit_tracks[HIPS_T]);
    assert_true(edited->tracks[2]->values[0] == 1);
    sn_document_release(document);
}

/* ---- Pasting ---- */

static void pasted_keys_replace_and_join(void **state) {
    (void)state;
    sn_document *document = edit_open();
    /* in any order, onto a key, past the end, and to a node that has no track */
    say(&document, "{'op':'keys.paste','clip':0,'at':0.5,'keys':["
                   "{'node':1,'path':'translation','time':1,'value':[9,0,0]},"
                   "{'node':3,'path':'translation','time':0.5,'value':[7,0,0]},"
                   "{'node':1,'path':'translation','time':0,'value':[8,0,0]},"
                   "{'node':3,'path':'translation','time':-0.5,'value':[6,0,0]}]}");
    const sn_track *track = edit_track(document, WALK, HIPS, SN_PATH_TRANSLATION);
    const float times[] = {0, 0.5f, 1, 1.5f};
    const float values[] = {0, 1, 0, 8, 0, 0, 0, 1, 0.5f, 9, 0, 0};
    assert_int_equal(track->key_count, 4);
    assert_memory_equal(track->times, times, sizeof times);
    assert_memory_equal(track->values, values, sizeof values);
    track = edit_track(document, WALK, RIGHT_ARM, SN_PATH_TRANSLATION);
    assert_int_equal(track->key_count, 2);
    assert_true(track->times[0] == 0 && track->times[1] == 1);
    assert_true(value_of(track, 0)[0] == 6 && value_of(track, 1)[0] == 7);

    /* quaternions of either sign: each follows the one before it */
    say(&document, "{'op':'keys.paste','clip':2,'at':0,'keys':["
                   "{'node':1,'path':'rotation','time':0,'value':[0,0,0,1]},"
                   "{'node':1,'path':'rotation','time':1,'value':[0,0,-0.5,-0.866025404]},"
                   "{'node':1,'path':'rotation','time':2,'value':[0,0,0.258819045,0.965925826]}]}");
    track = edit_track(document, IDLE_A, HIPS, SN_PATH_ROTATION);
    assert_true(value_of(track, 1)[3] > 0 && value_of(track, 2)[3] > 0);
    sn_document_release(document);
}

/* ---- pose.key ---- */

/* Many keys at once find their tracks by a table, a few by looking: old tracks and new ones. */
static void many_pasted_keys_are_as_if_set_one_by_one(void **state) {
    (void)state;
    static const char *const nodes[] = {"Hips", "LeftArm", "RightArm"};
    sn_document *pasted = edit_open(), *set = edit_open();
    char paste[4096] = "{'op':'keys.paste','clip':0,'at':0,'keys':[";
    for (int i = 0; i < 30; i++) {
        char key[256];
        snprintf(key, sizeof key, "'node':'%s','path':'translation','value':[%d,2,3],'time':%g}",
                 nodes[i % 3], i, 2 + i * 0.25);
        say(&set, "{'op':'key.set','clip':0,%s", key);
        snprintf(paste + strlen(paste), sizeof paste - strlen(paste), "%s{%s", i ? "," : "", key);
    }
    strcat(paste, "]}");
    edit_do(&pasted, paste);
    const sn_clip *a, *b;
    sn_document_clips(pasted, &a);
    sn_document_clips(set, &b);
    assert_int_equal(a->track_count, WALK_TRACKS + 2);
    assert_int_equal(a->track_count, b->track_count);
    for (uint32_t i = 0; i < a->track_count; i++) {
        const sn_track *x = a->tracks[i], *y = b->tracks[i];
        assert_int_equal(x->node, y->node);
        assert_int_equal(x->path, y->path);
        assert_int_equal(x->key_count, y->key_count);
        assert_memory_equal(x->times, y->times, x->key_count * sizeof *x->times);
        assert_floats(x->values, y->values, (size_t)x->key_count * x->width, 0);
    }
    sn_document_release(pasted);
    sn_document_release(set);
}

static void a_keyed_pose_is_the_pose_that_was(void **state) {
    (void)state;
    test_random random = {11};
    for (int round = 0; round < 50; round++) {
        sn_document *document = edit_open();
        float time = round ? test_random_between(&random, 0, 1.5f) : 0.5f;
        say(&document, "{'op':'pose.key','clip':'Walk','time':%.9g}", (double)time);
        const sn_clip *clip = edit_clip(document, WALK);
        /* the tracks that were there, and a rotation for the joint that had none */
        assert_int_equal(clip->track_count, WALK_TRACKS + 1);
        for (uint32_t t = 0; t < WALK_TRACKS; t++) {
            const sn_track *old = &edit_tracks[t];
            const sn_track *track = edit_track(document, WALK, old->node, old->path);
            assert_true(track->times[sn_track_find(track, time).index] == time);
            /* a spline of rotations is only near: normalising is no part of its polynomial */
            bool spline = old->interpolation == SN_CUBICSPLINE;
            edit_same_motion(track, old, spline ? 5e-3 : 2e-6);
        }
        const sn_track *made = edit_track(document, WALK, RIGHT_ARM, SN_PATH_ROTATION);
        assert_int_equal(made->key_count, 1);
        assert_memory_equal(made->values, edit_nodes[RIGHT_ARM].rest.rotation, 4 * sizeof(float));
        /* and again: nothing more to key */
        char again[100];
        snprintf(again, sizeof again, "{'op':'pose.key','clip':0,'time':%.9g}", (double)time);
        edit_do_nothing(document, again);
        sn_document_release(document);
    }
}

static void only_the_nodes_asked_for_are_keyed(void **state) {
    (void)state;
    sn_document *document = edit_open();
    say(&document, "{'op':'pose.key','clip':0,'time':0.75,'nodes':['Root','Hips',1]}");
    assert_int_equal(edit_track(document, WALK, ROOT, SN_PATH_ROTATION)->key_count, 1);
    assert_int_equal(edit_track(document, WALK, HIPS, SN_PATH_ROTATION)->key_count, 4);
    assert_int_equal(edit_track(document, WALK, HIPS, SN_PATH_TRANSLATION)->key_count, 4);
    assert_ptr_equal(edit_track(document, WALK, LEFT_ARM, SN_PATH_ROTATION), &edit_tracks[LEFT_R]);
    assert_ptr_equal(edit_track(document, WALK, BODY, SN_PATH_WEIGHTS), &edit_tracks[BODY_W]);
    sn_document_release(document);

    /* a node that cannot be animated is left out, although a broken file animates it */
    const sn_track lamp = {LAMP, SN_PATH_SCALE, SN_LINEAR, 3, 3, edit_times, edit_hips_t, 0};
    const sn_track *lamp_tracks[] = {&lamp};
    const sn_clip lamp_clip = {.name = "Lamp", .track_count = 1, .tracks = lamp_tracks};
    sn_model broken = edit_model;
    broken.clips = &lamp_clip;
    broken.clip_count = 1;
    assert_int_equal(sn_document_create(&broken, NULL, &document, NULL), SN_OK);
    say(&document, "{'op':'pose.key','clip':0,'time':0.25}");
    assert_ptr_equal(edit_track(document, 0, LAMP, SN_PATH_SCALE), &lamp);
    sn_document_release(document);

    /* a model without joints, a clip without tracks: nothing to guess from */
    sn_model model = edit_model;
    model.skin_count = 0;
    assert_int_equal(sn_document_create(&model, NULL, &document, NULL), SN_OK);
    edit_fail(document, "{'op':'pose.key','clip':2,'time':0}", "command.target", "/clip");
    say(&document, "{'op':'pose.key','clip':0,'time':0.25}");
    assert_int_equal(edit_clip(document, WALK)->track_count, WALK_TRACKS); /* no new track */
    assert_int_equal(edit_track(document, WALK, BODY, SN_PATH_WEIGHTS)->key_count, 4);
    sn_document_release(document);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_key_is_inserted_or_replaced),
        cmocka_unit_test(keys_are_found_by_their_exact_time),
        cmocka_unit_test(a_track_is_made_where_there_is_none),
        cmocka_unit_test(setting_what_is_there_changes_nothing),
        cmocka_unit_test(rotations_are_normalised_and_take_the_near_sign),
        cmocka_unit_test(a_replaced_rotation_stays_on_its_side),
        cmocka_unit_test(no_new_key_turns_the_long_way),
        cmocka_unit_test(a_key_on_a_spline_keeps_the_spline),
        cmocka_unit_test(ends_of_a_spline_stand_still),
        cmocka_unit_test(a_moved_key_replaces_what_it_lands_on),
        cmocka_unit_test(keys_move_together),
        cmocka_unit_test(keys_before_zero_can_be_moved),
        cmocka_unit_test(a_passing_rotation_changes_its_sign_if_it_must),
        cmocka_unit_test(scaling_keeps_the_shape),
        cmocka_unit_test(of_two_tracks_for_one_target_the_last_is_edited),
        cmocka_unit_test(pasted_keys_replace_and_join),
        cmocka_unit_test(many_pasted_keys_are_as_if_set_one_by_one),
        cmocka_unit_test(a_keyed_pose_is_the_pose_that_was),
        cmocka_unit_test(only_the_nodes_asked_for_are_keyed),
    };
    return cmocka_run_group_tests_name("commands on keys", tests, NULL, NULL);
}
