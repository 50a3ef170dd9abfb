/* Gazes as angles and directions. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rig/gaze.h"
#include "tests/unit/limbs.h"

static void assert_near(double a, double b, double within) {
    if (!(fabs(a - b) <= within))
        fail_msg("%.9g is not %.9g", a, b);
}

/* three-vrm, calcAzimuthAltitude.test.ts: its azimuth is measured from +x, a yaw from +z, so that
 * a quarter turn lies between them. */
static void test_azimuth_and_altitude(void **state) {
    (void)state;
    const double half = sqrt(0.5), quarter = SN_PI / 4, third = SN_PI / 3;
    const struct {
        sn_dvec3 direction;
        double azimuth, altitude;
    } cases[] = {{{1, 0, 0}, 0, 0},
                 {{half, 0, -half}, quarter, 0},
                 {{half, half, 0}, 0, quarter},
                 {{0.25, sqrt(0.75), -sqrt(0.1875)}, third, third}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sn_gaze gaze = sn_gaze_of_direction(cases[i].direction, 1);
        assert_near(gaze.yaw, cases[i].azimuth + SN_PI / 2, 1e-12);
        assert_near(gaze.pitch, cases[i].altitude, 1e-12);
    }
}

/* three-vrm, sanitizeAngle.test.ts. */
static void test_wrapped(void **state) {
    (void)state;
    assert_near(sn_angle_wrapped(0.75 * SN_PI), 0.75 * SN_PI, 1e-12);
    assert_near(sn_angle_wrapped(1.5 * SN_PI), -0.5 * SN_PI, 1e-12);
    assert_near(sn_angle_wrapped(-3.25 * SN_PI), 0.75 * SN_PI, 1e-12);
}

/* A direction and its angles, and the rotation that takes the front there, are the same thing,
 * whichever way the model faces. */
static void test_there_and_back(void **state) {
    (void)state;
    test_random random = {1};
    for (int i = 0; i < 10000; i++) {
        double facing = i % 2 ? 1 : -1;
        sn_dvec3 direction = test_random_direction(&random);
        sn_gaze gaze = sn_gaze_of_direction(direction, facing);
        sn_dvec3 back = sn_gaze_direction(gaze, facing);
        sn_dvec3 turned = sn_dquat_rotate(sn_gaze_rotation(gaze, facing), (sn_dvec3){0, 0, facing});
        assert_near(test_distance(direction, back), 0, 1e-12);
        assert_near(test_distance(direction, turned), 0, 1e-12);
    }
    sn_gaze none = sn_gaze_of_direction((sn_dvec3){0, 0, 0}, 1);
    assert_near(none.yaw, 0, 0);
    assert_near(none.pitch, 0, 0);
}

/* Half-way between two sides of the back is the back, not the front. */
static void test_between(void **state) {
    (void)state;
    sn_gaze left = {170 * SN_DEGREE, 0.2}, right = {-170 * SN_DEGREE, 0.4};
    sn_gaze half = sn_gaze_between(left, right, 0.5);
    assert_near(fabs(half.yaw), SN_PI, 1e-12);
    assert_near(half.pitch, 0.3, 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_azimuth_and_altitude),
        cmocka_unit_test(test_wrapped),
        cmocka_unit_test(test_there_and_back),
        cmocka_unit_test(test_between),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
