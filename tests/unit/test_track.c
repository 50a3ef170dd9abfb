/* The first three stages: clip time, key search, interpolation. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "math/quat.h"
#include "sinew/track.h"
#include "tests/unit/motion.h"

static void once_stops_at_the_ends(void **state) {
    (void)state;
    assert_true(sn_clip_time(2, -1, 1, SN_LOOP_ONCE) == 0);
    assert_true(sn_clip_time(2, 0.5f, 1, SN_LOOP_ONCE) == 0.5f);
    assert_true(sn_clip_time(2, 0.5f, 3, SN_LOOP_ONCE) == 1.5f);
    assert_true(sn_clip_time(2, 9, 1, SN_LOOP_ONCE) == 2);
    assert_true(sn_clip_time(2, 0, -1, SN_LOOP_ONCE) == 2);
    assert_true(sn_clip_time(2, 0.5f, -2, SN_LOOP_ONCE) == 1);
    assert_true(sn_clip_time(2, 9, -1, SN_LOOP_ONCE) == 0);
    assert_true(sn_clip_time(2, 9, 0, SN_LOOP_ONCE) == 0);
}

static void repeating_wraps_the_end_to_the_start(void **state) {
    (void)state;
    assert_true(sn_clip_time(2, 2, 1, SN_LOOP_REPEAT) == 0);
    assert_true(sn_clip_time(2, 4.5f, 1, SN_LOOP_REPEAT) == 0.5f);
    assert_true(sn_clip_time(2, -0.5f, 1, SN_LOOP_REPEAT) == 1.5f);
    assert_true(sn_clip_time(2, 0, -1, SN_LOOP_REPEAT) == 2);
    assert_true(sn_clip_time(2, 0.5f, -1, SN_LOOP_REPEAT) == 1.5f);
    assert_true(sn_clip_time(2, 2.5f, -1, SN_LOOP_REPEAT) == 1.5f);
    assert_true(sn_clip_time(2, -1e-30f, 1, SN_LOOP_REPEAT) == 0); /* rounds to the end itself */
}

static void ping_pong_turns_around_at_both_ends(void **state) {
    (void)state;
    assert_true(sn_clip_time(2, 2, 1, SN_LOOP_PING_PONG) == 2);
    assert_true(sn_clip_time(2, 2.5f, 1, SN_LOOP_PING_PONG) == 1.5f);
    assert_true(sn_clip_time(2, 4, 1, SN_LOOP_PING_PONG) == 0);
    assert_true(sn_clip_time(2, 4.5f, 1, SN_LOOP_PING_PONG) == 0.5f);
    assert_true(sn_clip_time(2, -0.5f, 1, SN_LOOP_PING_PONG) == 0.5f);
    assert_true(sn_clip_time(2, 0.5f, -1, SN_LOOP_PING_PONG) == 1.5f);
    assert_true(sn_clip_time(2, 2.5f, -1, SN_LOOP_PING_PONG) == 0.5f);
}

static void a_running_time_may_be_long(void **state) {
    (void)state;
    assert_true(sn_clip_time(2, 1e9 + 0.5, 1, SN_LOOP_REPEAT) == 0.5f); /* no float */
    assert_true(sn_clip_time(2, 86400.001953125, 1, SN_LOOP_REPEAT) == 0.001953125f);
    assert_true(sn_clip_time(2, 1e300, 1, SN_LOOP_ONCE) == 2);
    assert_true(sn_clip_time(2, -1e300, 1, SN_LOOP_ONCE) == 0);
    assert_true(sn_clip_time(2, 1e308, 100, SN_LOOP_ONCE) == 2); /* beyond doubles too */
    assert_true(sn_clip_time(2, -1e308, 100, SN_LOOP_ONCE) == 0);
    assert_true(sn_clip_time(2, 1e308, -100, SN_LOOP_ONCE) == 0);
}

static void clip_time_is_always_inside_the_clip(void **state) {
    (void)state;
    const float strange[] = {0,         -0.0f, 1e-45f, 1e30f, -1e30f,   3.4e38f, INFINITY,
                             -INFINITY, NAN,   0.1f,   -7,    16777216, 1.0f / 3};
    enum { COUNT = sizeof strange / sizeof *strange };
    for (int d = 0; d < COUNT; d++)
        for (int t = 0; t < COUNT; t++)
            for (int s = 0; s < COUNT; s++)
                for (int mode = SN_LOOP_ONCE; mode <= SN_LOOP_PING_PONG; mode++) {
                    float at = sn_clip_time(strange[d], strange[t], strange[s], (sn_loop_mode)mode);
                    assert_true(at >= 0);
                    assert_true(at == 0 || at <= strange[d]);
                    if (!isfinite(strange[t]))
                        assert_true(at == 0 || at == strange[d]); /* as time 0: an end */
                }
}

static void the_segment_found_holds_the_time(void **state) {
    (void)state;
    test_random random = {1};
    for (int round = 0; round < 300; round++) {
        float times[40];
        uint32_t count = 1 + test_random_below(&random, 40);
        times[0] = test_random_between(&random, 0, 1);
        for (uint32_t i = 1; i < count; i++)
            times[i] = times[i - 1] + test_random_between(&random, 0.001f, 0.3f);
        sn_track track = {.key_count = count, .times = times};
        for (int probe = 0; probe < 100; probe++) {
            float time = test_random_between(&random, times[0] - 0.5f, times[count - 1] + 0.5f);
            if (probe % 4 == 0)
                time = times[test_random_below(&random, count)];
            sn_key_span span = sn_track_find(&track, time);
            assert_true(span.index < count);
            if (time < times[0]) {
                assert_true(span.index == 0 && span.fraction == 0);
            } else if (time >= times[count - 1]) {
                assert_true(span.index == count - 1 && span.fraction == 0);
            } else {
                float start = times[span.index], end = times[span.index + 1];
                assert_true(start <= time && time < end);
                assert_true(fabsf(start + span.fraction * (end - start) - time) < 1e-6f);
            }
        }
    }
    float times[2] = {1, 2};
    sn_track track = {.key_count = 2, .times = times};
    assert_true(sn_track_find(&track, NAN).index == 0 && sn_track_find(&track, NAN).fraction == 0);
}

static void step_holds_until_the_next_key(void **state) {
    (void)state;
    float times[] = {1, 2, 4}, values[] = {1, 10, 100, 2, 20, 200, 3, 30, 300}, out[3];
    sn_track track = {.path = SN_PATH_TRANSLATION,
                      .interpolation = SN_STEP,
                      .width = 3,
                      .key_count = 3,
                      .times = times,
                      .values = values};
    const struct {
        float time;
        int key;
    } cases[] = {{0, 0}, {1, 0}, {1.999f, 0}, {2, 1}, {3.999f, 1}, {4, 2}, {9, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sn_track_evaluate(&track, cases[i].time, out);
        assert_memory_equal(out, values + cases[i].key * 3, sizeof out);
    }
}

static void linear_is_a_straight_line(void **state) {
    (void)state;
    float times[] = {1, 3}, values[] = {0, -1, 5, 10, 0, 0, 10, 0, 0, -2}, out[5];
    sn_track track = {.path = SN_PATH_WEIGHTS,
                      .interpolation = SN_LINEAR,
                      .width = 5,
                      .key_count = 2,
                      .times = times,
                      .values = values};
    sn_track_evaluate(&track, 1.5f, out);
    const float quarter[] = {0, 1.75f, 3.75f, 7.5f, -0.5f}; /* from a to b by a quarter */
    for (int i = 0; i < 5; i++)
        assert_true(fabsf(out[i] - quarter[i]) < 1e-6f);
    sn_track_evaluate(&track, 0, out);
    assert_memory_equal(out, values, sizeof out);
    sn_track_evaluate(&track, 3, out);
    assert_memory_equal(out, values + 5, sizeof out);
}

/* Slerp is the one curve of constant speed on the short great arc: unit length, in the plane of
 * the keys, and its angle to the first key grows as the time does. */
static void rotations_turn_at_constant_speed_by_the_short_way(void **state) {
    (void)state;
    test_random random = {2};
    float times[] = {0, 1};
    for (int round = 0; round < 500; round++) {
        float keys[8], out[4];
        test_random_quat(&random, keys);
        test_random_quat(&random, keys + 4);
        double whole = acos(fmin(1, fabs(sn_quat_dot(keys, keys + 4))));
        sn_track track = {.path = SN_PATH_ROTATION,
                          .interpolation = SN_LINEAR,
                          .width = 4,
                          .key_count = 2,
                          .times = times,
                          .values = keys};
        for (int step = 0; step <= 10; step++) {
            float t = (float)step / 10;
            sn_track_evaluate(&track, t, out);
            assert_true(fabs(sn_quat_dot(out, out) - 1) < 1e-6);
            double a = acos(fmin(1, fabs(sn_quat_dot(keys, out))));
            double b = acos(fmin(1, fabs(sn_quat_dot(keys + 4, out))));
            assert_true(fabs(a - whole * (double)t) < 1e-3); /* acos loses digits near 1 */
            assert_true(fabs(a + b - whole) < 1e-3);
            assert_true(whole < 0.1 || t == 0 || fabs(a / whole - (double)t) < 1e-2);
        }
    }
}

/* A Hermite spline reproduces every cubic polynomial exactly from its values and slopes. */
static void cubic_splines_reproduce_cubic_polynomials(void **state) {
    (void)state;
    test_random random = {3};
    for (int round = 0; round < 200; round++) {
        enum { KEYS = 4 };
        double c[3][4];
        float times[KEYS], rows[KEYS * 9];
        for (int i = 0; i < 12; i++)
            c[i / 4][i % 4] = (double)test_random_between(&random, -1, 1);
        for (int key = 0; key < KEYS; key++) {
            times[key] = (key ? times[key - 1] : 0) + test_random_between(&random, 0.1f, 0.5f);
            double t = (double)times[key];
            for (int i = 0; i < 3; i++) {
                float slope = (float)(c[i][1] + 2 * c[i][2] * t + 3 * c[i][3] * t * t);
                rows[key * 9 + i] = rows[key * 9 + 6 + i] = slope;
                rows[key * 9 + 3 + i] =
                    (float)(c[i][0] + t * (c[i][1] + t * (c[i][2] + t * c[i][3])));
            }
        }
        sn_track track = {.path = SN_PATH_SCALE,
                          .interpolation = SN_CUBICSPLINE,
                          .width = 3,
                          .key_count = KEYS,
                          .times = times,
                          .values = rows};
        for (int probe = 0; probe < 50; probe++) {
            float time = test_random_between(&random, times[0], times[KEYS - 1]), out[3];
            double t = (double)time;
            sn_track_evaluate(&track, time, out);
            for (int i = 0; i < 3; i++) {
                double expected = c[i][0] + t * (c[i][1] + t * (c[i][2] + t * c[i][3]));
                assert_true(fabs((double)out[i] - expected) < 2e-6);
            }
        }
        float out[3];
        sn_track_evaluate(&track, times[0] - 1, out);
        assert_memory_equal(out, rows + 3, sizeof out);
        sn_track_evaluate(&track, times[KEYS - 1] + 1, out);
        assert_memory_equal(out, rows + (KEYS - 1) * 9 + 3, sizeof out);
    }
}

/* The tangents on the inner side of a segment are the out-tangent of its first key and the
 * in-tangent of its second, in units a second: seen as the slope of the curve. */
static void cubic_tangents_are_the_slopes_of_their_own_side(void **state) {
    (void)state;
    float times[] = {0, 2, 3}, out[1], near[1];
    float rows[] = {/* in, value, out */ 99, 1, 0.5f, -2, 4, 3, 7, -1, 99};
    sn_track track = {.path = SN_PATH_WEIGHTS,
                      .interpolation = SN_CUBICSPLINE,
                      .width = 1,
                      .key_count = 3,
                      .times = times,
                      .values = rows};
    const struct {
        float at, toward, slope;
    } sides[] = {{0, 0.001f, 0.5f}, {2, 1.999f, -2}, {2, 2.001f, 3}, {3, 2.999f, 7}};
    for (int i = 0; i < 4; i++) {
        sn_track_evaluate(&track, sides[i].at, out);
        sn_track_evaluate(&track, sides[i].toward, near);
        float slope = (near[0] - out[0]) / (sides[i].toward - sides[i].at);
        assert_true(fabsf(slope - sides[i].slope) < 0.1f);
    }
}

static void cubic_rotations_are_normalised(void **state) {
    (void)state;
    test_random random = {4};
    for (int round = 0; round < 100; round++) {
        float times[] = {0, 1}, rows[24], out[4];
        for (int i = 0; i < 24; i++)
            rows[i] = test_random_between(&random, -1, 1);
        sn_track track = {.path = SN_PATH_ROTATION,
                          .interpolation = SN_CUBICSPLINE,
                          .width = 4,
                          .key_count = 2,
                          .times = times,
                          .values = rows};
        for (int step = -1; step <= 11; step++) {
            sn_track_evaluate(&track, (float)step / 10, out);
            assert_true(fabs(sn_quat_dot(out, out) - 1) < 1e-6);
        }
    }
}

static void one_key_is_a_constant(void **state) {
    (void)state;
    float time = 0.5f, rows[] = {9, 9, 9, 1, 2, 3, 9, 9, 9}, out[3];
    for (int i = SN_STEP; i <= SN_CUBICSPLINE; i++) {
        sn_track track = {.path = SN_PATH_TRANSLATION,
                          .interpolation = (sn_interpolation)i,
                          .width = 3,
                          .key_count = 1,
                          .times = &time,
                          .values = i == SN_CUBICSPLINE ? rows : rows + 3};
        for (int t = -1; t <= 2; t++) {
            sn_track_evaluate(&track, (float)t, out);
            assert_memory_equal(out, rows + 3, sizeof out);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(once_stops_at_the_ends),
        cmocka_unit_test(repeating_wraps_the_end_to_the_start),
        cmocka_unit_test(ping_pong_turns_around_at_both_ends),
        cmocka_unit_test(a_running_time_may_be_long),
        cmocka_unit_test(clip_time_is_always_inside_the_clip),
        cmocka_unit_test(the_segment_found_holds_the_time),
        cmocka_unit_test(step_holds_until_the_next_key),
        cmocka_unit_test(linear_is_a_straight_line),
        cmocka_unit_test(rotations_turn_at_constant_speed_by_the_short_way),
        cmocka_unit_test(cubic_splines_reproduce_cubic_polynomials),
        cmocka_unit_test(cubic_tangents_are_the_slopes_of_their_own_side),
        cmocka_unit_test(cubic_rotations_are_normalised),
        cmocka_unit_test(one_key_is_a_constant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
