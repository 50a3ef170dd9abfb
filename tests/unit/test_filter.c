/* The filters of compressed views: what an encoder of the specification's formulas folds comes back
 * within the precision that the folding leaves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "gltf/internal.h"

#define DIRECTIONS 500

/* Points spread evenly over the sphere (a Fibonacci lattice). */
static void direction(int i, double out[3]) {
    double z = 1 - (2 * i + 1.0) / DIRECTIONS, angle = i * 2.399963229728653;
    double radius = sqrt(1 - z * z);
    out[0] = radius * cos(angle);
    out[1] = radius * sin(angle);
    out[2] = z;
}

static double sign(double x) {
    return x < 0 ? -1 : 1;
}

/* Meyer and others, On floating-point precision of octahedral normal vectors, 2010. */
static void fold(const double n[3], double one, int16_t out[4]) {
    double sum = fabs(n[0]) + fabs(n[1]) + fabs(n[2]), x = n[0] / sum, y = n[1] / sum;
    if (n[2] < 0) {
        double folded = (1 - fabs(y)) * sign(x);
        y = (1 - fabs(x)) * sign(y);
        x = folded;
    }
    out[0] = (int16_t)lround(x * one);
    out[1] = (int16_t)lround(y * one);
    out[2] = (int16_t)one;
    out[3] = 42;
}

static void test_octahedral(void **state) {
    (void)state;
    for (int bits = 4; bits <= 16; bits++) {
        double one = (1 << (bits - 1)) - 1;
        for (int i = 0; i < DIRECTIONS; i++) {
            double n[3];
            int16_t wide[4];
            int8_t narrow[4];
            direction(i, n);
            fold(n, one, wide);
            for (int k = 0; k < 4; k++)
                narrow[k] = (int8_t)wide[k];
            sn_meshopt_unfilter((uint8_t *)wide, 1, 8, SN_FILTER_OCTAHEDRAL);
            for (int k = 0; k < 3; k++)
                assert_float_equal((float)(wide[k] / 32767.0), (float)n[k], (float)(2.5 / one));
            assert_int_equal(wide[3], 42);
            if (bits > 8)
                continue;
            sn_meshopt_unfilter((uint8_t *)narrow, 1, 4, SN_FILTER_OCTAHEDRAL);
            for (int k = 0; k < 3; k++)
                assert_float_equal((float)(narrow[k] / 127.0), (float)n[k],
                                   (float)(2.5 / one + 0.5 / 127));
            assert_int_equal(narrow[3], 42);
        }
    }
}

static void test_quaternion(void **state) {
    (void)state;
    for (int bits = 6; bits <= 16; bits++) {
        int one = (1 << (bits - 1)) - 1;
        for (int i = 0; i < DIRECTIONS; i++) {
            double axis[3], half = i * 0.013;
            direction(i, axis);
            double q[4] = {axis[0] * sin(half), axis[1] * sin(half), axis[2] * sin(half),
                           cos(half)};
            int largest = 0;
            for (int k = 1; k < 4; k++)
                if (fabs(q[k]) > fabs(q[largest]))
                    largest = k;
            int16_t packed[4];
            for (int k = 0; k < 3; k++)
                packed[k] =
                    (int16_t)lround(q[(largest + 1 + k) % 4] * sign(q[largest]) * sqrt(2) * one);
            packed[3] = (int16_t)((one & ~3) | largest);
            sn_meshopt_unfilter((uint8_t *)packed, 1, 8, SN_FILTER_QUATERNION);
            double dot = 0, length = 0;
            for (int k = 0; k < 4; k++) {
                dot += packed[k] / 32767.0 * q[k];
                length += packed[k] / 32767.0 * packed[k] / 32767.0;
            }
            assert_float_equal((float)sqrt(length), 1, 1e-4f);
            assert_true(2 * acos(fmin(1, fabs(dot) / sqrt(length))) < 4.0 / one);
        }
    }
}

static void test_exponential(void **state) {
    (void)state;
    const float values[] = {0, 1, -1, 0.15625f, -1234.5f, 1e-20f, 3e30f, 1.17549435e-38f};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        /* 23 bits beside the sign hold every bit of a float but the last. */
        int exponent;
        double mantissa = frexp(values[i], &exponent);
        int32_t whole = (int32_t)lround(ldexp(mantissa, 23));
        uint32_t packed = (uint32_t)(exponent - 23) << 24 | ((uint32_t)whole & 0xFFFFFF);
        uint8_t bytes[4];
        float result;
        memcpy(bytes, &packed, 4);
        sn_meshopt_unfilter(bytes, 1, 4, SN_FILTER_EXPONENTIAL);
        memcpy(&result, bytes, 4);
        assert_float_equal(result, values[i], fabsf(values[i]) * 1.2e-7f);
    }
}

/* The forward transform of KHR_meshopt_compression: Y, Co, Cg, and alpha of one bit less with the
 * highest bit set. */
static void test_color(void **state) {
    (void)state;
    for (int i = 0; i < 4096; i++) {
        const int rgba[4] = {i % 16 * 17, i / 16 % 16 * 17, i / 256 * 17, (i * 7) % 256};
        int co = (rgba[0] - rgba[2]) / 2, middle = rgba[2] + co;
        int cg = (rgba[1] - middle) / 2, y = middle + cg;
        uint8_t bytes[4] = {(uint8_t)y, (uint8_t)co, (uint8_t)cg, (uint8_t)(0x80 | rgba[3] >> 1)};
        sn_meshopt_unfilter(bytes, 1, 4, SN_FILTER_COLOR);
        for (int k = 0; k < 4; k++)
            assert_in_range(bytes[k], rgba[k] > 2 ? rgba[k] - 2 : 0, rgba[k] + 2);
    }
}

/* Any bytes: no undefined behaviour, which the sanitizer build would report. */
static void test_garbage(void **state) {
    (void)state;
    uint32_t seed = 1;
    for (int filter = SN_FILTER_NONE; filter <= SN_FILTER_COLOR; filter++)
        for (int i = 0; i < 20000; i++) {
            uint8_t bytes[8];
            for (int k = 0; k < 8; k++) {
                seed = seed * 1664525u + 1013904223u;
                bytes[k] = seed >> 28 < 4 ? 0 : (uint8_t)(seed >> 20);
            }
            sn_meshopt_unfilter(bytes, 1, 8, (sn_meshopt_filter)filter);
        }
    uint8_t zeros[8] = {0};
    sn_meshopt_unfilter(zeros, 1, 8, SN_FILTER_OCTAHEDRAL);
    sn_meshopt_unfilter(zeros, 2, 4, SN_FILTER_COLOR);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_octahedral),  cmocka_unit_test(test_quaternion),
        cmocka_unit_test(test_exponential), cmocka_unit_test(test_color),
        cmocka_unit_test(test_garbage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
