/* The ground: planes, fields of heights, the caller's function. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sinew/ground.h"
#include "tests/unit/limbs.h"

static void assert_near(float value, double wanted) {
    assert_true(fabs((double)value - wanted) <= 1e-6 * (1 + fabs(wanted)));
}

static void test_default(void **state) {
    (void)state;
    sn_ground ground = {0};
    sn_ground_point point;
    assert_int_equal(sn_ground_check(&ground, NULL), SN_OK);
    assert_true(sn_ground_at(&ground, 3, -7, &point));
    assert_near(point.height, 0);
    assert_near(point.normal[1], 1);
}

/* The point lies in the plane, and the normal is the plane's. */
static void test_plane(void **state) {
    (void)state;
    test_random random = {1};
    for (int i = 0; i < 1000; i++) {
        sn_dvec3 normal = test_random_direction(&random), at = test_random_direction(&random);
        normal.y = fabs(normal.y) + 0.1;
        sn_ground ground = {0};
        test_store3(ground.point, at);
        test_store3(ground.normal, normal);
        sn_ground_point point;
        float x = test_random_between(&random, -3, 3), z = test_random_between(&random, -3, 3);
        assert_int_equal(sn_ground_check(&ground, NULL), SN_OK);
        assert_true(sn_ground_at(&ground, x, z, &point));
        sn_dvec3 found = {(double)x, (double)point.height, (double)z};
        assert_true(fabs(sn_dvec3_dot(sn_dvec3_subtract(found, at), normal)) <= 2e-5);
        assert_true(test_angle(test_dvec3(point.normal), normal) <= 1e-6);
        assert_near((float)sn_dvec3_length(test_dvec3(point.normal)), 1);
    }
}

static double paraboloid(double x, double z) {
    return 2 + 0.3 * x - 0.2 * z + 0.1 * x * z;
}

/* A bilinear surface is its own bilinear interpolation. */
static void test_field(void **state) {
    (void)state;
    enum { COLUMNS = 5, ROWS = 4 };
    float heights[ROWS * COLUMNS];
    sn_height_field field = {.columns = COLUMNS,
                             .rows = ROWS,
                             .origin = {-1, 0.5f, 2},
                             .spacing = {0.5f, 0.25f},
                             .heights = heights};
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++)
            heights[row * COLUMNS + column] = (float)paraboloid(-1 + 0.5 * column, 2 + 0.25 * row);
    sn_ground ground = {.field = &field};
    assert_int_equal(sn_ground_check(&ground, NULL), SN_OK);
    test_random random = {2};
    sn_ground_point point;
    for (int i = 0; i < 1000; i++) {
        float x = test_random_between(&random, -1, 1), z = test_random_between(&random, 2, 2.75f);
        assert_true(sn_ground_at(&ground, x, z, &point));
        assert_near(point.height, 0.5 + paraboloid((double)x, (double)z));
        sn_dvec3 normal = {-(0.3 + 0.1 * (double)z), 1, 0.2 - 0.1 * (double)x};
        assert_true(test_angle(test_dvec3(point.normal), normal) <= 1e-5);
    }
    assert_true(sn_ground_at(&ground, 1, 2.75f, &point)); /* its last corner */
    assert_near(point.height, 0.5 + paraboloid(1, 2.75));
    assert_false(sn_ground_at(&ground, 1.001f, 2.5f, &point));
    assert_false(sn_ground_at(&ground, 0, 1.999f, &point));
    assert_false(sn_ground_at(&ground, NAN, 2, &point));
    assert_false(sn_ground_at(&ground, 3e38f, 2, &point));

    field.is_stepped = true;
    for (int i = 0; i < 1000; i++) {
        float x = test_random_between(&random, -1, 1), z = test_random_between(&random, 2, 2.75f);
        assert_true(sn_ground_at(&ground, x, z, &point));
        double column = floor(((double)x + 1) / 0.5 + 0.5);
        double row = floor(((double)z - 2) / 0.25 + 0.5);
        assert_near(point.height, 0.5 + paraboloid(-1 + 0.5 * column, 2 + 0.25 * row));
        assert_near(point.normal[1], 1);
    }
}

static bool wave(void *context, float x, float z, sn_ground_point *out) {
    *out = (sn_ground_point){x * 2, {0, 3, 0}};
    ++*(int *)context;
    return z > 0;
}

static void test_function(void **state) {
    (void)state;
    int calls = 0;
    sn_ground ground = {.function = wave, .context = &calls};
    sn_ground_point point;
    assert_true(sn_ground_at(&ground, 4, 1, &point));
    assert_near(point.height, 8);
    assert_near(point.normal[1], 1);
    assert_false(sn_ground_at(&ground, 4, -1, &point));
    assert_int_equal(calls, 2);
}

static void assert_refused(const sn_ground *ground, const char *word) {
    sn_error error = {0};
    assert_int_equal(sn_ground_check(ground, &error), SN_ERROR_INVALID);
    assert_int_equal(error.id, SN_MESSAGE_GROUND_VALUE);
    assert_non_null(strstr(error.text, word));
}

static void test_errors(void **state) {
    (void)state;
    assert_refused(&(sn_ground){.point = {0, NAN, 0}}, "point");
    assert_refused(&(sn_ground){.normal = {1, 0, 0}}, "normal");
    assert_refused(&(sn_ground){.normal = {0, -1, 0}}, "normal");
    assert_refused(&(sn_ground){.normal = {0, INFINITY, 0}}, "normal");
    const float heights[4] = {0};
    const sn_height_field good = {.columns = 2, .rows = 2, .spacing = {1, 1}, .heights = heights};
    sn_height_field field = good;
    sn_ground ground = {.field = &field};
    assert_int_equal(sn_ground_check(&ground, NULL), SN_OK);
    field.rows = 1;
    assert_refused(&ground, "2 and 1");
    field = good;
    field.heights = NULL;
    assert_refused(&ground, "heights");
    field = good;
    field.origin[2] = INFINITY;
    assert_refused(&ground, "origin");
    field = good;
    field.spacing[1] = 0;
    assert_refused(&ground, "spacing");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_default), cmocka_unit_test(test_plane),
        cmocka_unit_test(test_field),   cmocka_unit_test(test_function),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
