/* Damping and the One Euro filter: the same at any frame rate, quiet where the input is quiet, and
 * close behind where it is fast. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sinew/filter.h"
#include "tests/unit/motion.h"

#define PI 3.14159265358979323846

static const int frame_rates[] = {30, 60, 144};

static void test_damping_is_exponential(void **state) {
    (void)state;
    for (int i = 0; i < 3; i++) {
        double value = 3;
        for (int frame = 0; frame < frame_rates[i]; frame++)
            value = sn_damp(value, 1, 5, 1.0 / frame_rates[i]);
        assert_true(fabs(value - (1 + 2 * exp(-5))) < 1e-12);
    }
    assert_true(fabs(sn_damp(0, 1, 5, 1000) - 1) < 1e-12); /* never over */
}

/* Against small steps of the differential equation. */
static void test_damping_of_moving_target(void **state) {
    (void)state;
    static const double rates[] = {0.01, 1, 12, 300};
    for (int i = 0; i < 4; i++) {
        const int steps = 200000;
        double value = 0.5, seconds = 0.25;
        for (int k = 0; k < steps; k++) {
            double target = 1 + 2 * (k + 0.5) / steps;
            /* The implicit midpoint, which is of second order. */
            double h = rates[i] * seconds / steps;
            value = (value * (1 - h / 2) + h * target) / (1 + h / 2);
        }
        assert_true(fabs(sn_damp_moving(0.5, 1, 3, rates[i], seconds) - value) < 1e-7);
    }
    double tiny = sn_damp_moving(0, 0, 1, 1, 1e-4), near = sn_damp_moving(0, 0, 1, 1, 1.0001e-4);
    assert_true(near > tiny && near - tiny < 1e-8); /* where one formula follows the other */
}

static void test_no_time(void **state) {
    (void)state;
    static const double bad[] = {0, -1, NAN};
    for (int i = 0; i < 3; i++) {
        assert_true(fabs(sn_damp(2, 7, 3, bad[i]) - 2) <= 0);
        assert_true(fabs(sn_damp(2, 7, bad[i], 3) - 2) <= 0);
    }
}

/* A hand that draws a wave of 20 degrees, at the settings of a head that follows it. */
static double wave(double time) {
    return 20 * sin(2 * PI * 0.4 * time) + 5 * sin(2 * PI * 0.9 * time + 1);
}

static void test_frame_rates_agree(void **state) {
    (void)state;
    sn_one_euro_options options = {.min_cutoff = 0.8, .beta = 0.3};
    double paths[3][31];
    for (int i = 0; i < 3; i++) {
        sn_one_euro filter = {0};
        double value = 0;
        for (int frame = 0; frame <= frame_rates[i] * 5; frame++) {
            value = sn_one_euro_filter(&filter, &options, wave((double)frame / frame_rates[i]),
                                       1.0 / frame_rates[i]);
            int per = frame_rates[i] / 6; /* six times a second all three have a frame */
            if (frame % per == 0)
                paths[i][frame / per] = value;
        }
    }
    for (int k = 0; k <= 30; k++)
        for (int i = 0; i < 2; i++)
            assert_true(fabs(paths[i][k] - paths[2][k]) < 0.1);
}

static void test_linear_input_lags_by_time_constant(void **state) {
    (void)state;
    sn_one_euro_options options = {.min_cutoff = 2};
    for (int i = 0; i < 3; i++) {
        sn_one_euro filter = {0};
        double value = 0;
        for (int frame = 0; frame <= frame_rates[i] * 4; frame++)
            value = sn_one_euro_filter(&filter, &options, 3.0 * frame / frame_rates[i],
                                       1.0 / frame_rates[i]);
        assert_true(fabs(value - (12 - 3 / (2 * PI * 2))) < 1e-9);
    }
}

static void test_quiet_and_quick(void **state) {
    (void)state;
    test_random random = {1};
    sn_one_euro_options options = {.min_cutoff = 1, .beta = 0.5};
    sn_one_euro filter = {0};
    double noise = 0, left = 0;
    for (int frame = 0; frame < 6000; frame++) {
        double sample = (double)test_random_between(&random, -0.01f, 0.01f);
        double value = sn_one_euro_filter(&filter, &options, sample, 1 / 60.0);
        if (frame >= 60) {
            noise += sample * sample;
            left += value * value;
        }
    }
    assert_true(left < 0.1 * noise); /* in power */

    double lag[2];
    for (int is_fast = 0; is_fast < 2; is_fast++) {
        filter = (sn_one_euro){0};
        double speed = is_fast ? 100 : 1, value = 0;
        for (int frame = 0; frame <= 240; frame++)
            value = sn_one_euro_filter(&filter, &options, speed * frame / 60, 1 / 60.0);
        lag[is_fast] = (speed * 4 - value) / speed; /* seconds */
    }
    assert_true(lag[1] < lag[0] / 20);
    assert_true(lag[1] > 0);
}

static void test_bad_samples(void **state) {
    (void)state;
    sn_one_euro filter = {0};
    assert_true(fabs(sn_one_euro_filter(&filter, NULL, NAN, 1)) <= 0);
    assert_false(filter.is_started);
    assert_true(fabs(sn_one_euro_filter(&filter, NULL, 4, 0) - 4) <= 0);
    double value = sn_one_euro_filter(&filter, NULL, 5, 0.1);
    assert_true(value > 4 && value < 5);
    sn_one_euro before = filter;
    assert_true(fabs(sn_one_euro_filter(&filter, NULL, NAN, 0.1) - value) <= 0);
    assert_true(fabs(sn_one_euro_filter(&filter, NULL, INFINITY, 0.1) - value) <= 0);
    assert_true(fabs(sn_one_euro_filter(&filter, NULL, 9, 0) - value) <= 0);
    assert_true(fabs(sn_one_euro_filter(&filter, NULL, 9, -1) - value) <= 0);
    assert_true(fabs(sn_one_euro_filter(&filter, NULL, 9, NAN) - value) <= 0);
    assert_true(fabs(sn_one_euro_filter(&filter, NULL, 9, INFINITY) - value) <= 0);
    assert_memory_equal(&before, &filter, sizeof filter);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_damping_is_exponential),
        cmocka_unit_test(test_damping_of_moving_target),
        cmocka_unit_test(test_no_time),
        cmocka_unit_test(test_frame_rates_agree),
        cmocka_unit_test(test_linear_input_lags_by_time_constant),
        cmocka_unit_test(test_quiet_and_quick),
        cmocka_unit_test(test_bad_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
