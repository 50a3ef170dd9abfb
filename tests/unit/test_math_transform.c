/* Transforms, affine matrices and spherical weights, against formulas in double or long double. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "math/quat.h"
#include "sinew/transform.h"
#include "tests/unit/motion.h"

static double apply(const sn_affine *a, const double p[3], int row) {
    double sum = (double)a->m[row][3];
    for (int i = 0; i < 3; i++)
        sum += (double)a->m[row][i] * p[i];
    return sum;
}

/* Rodrigues' formula, which knows nothing of quaternions. */
static void a_transform_scales_then_turns_then_moves(void **state) {
    (void)state;
    test_random random = {1};
    for (int round = 0; round < 1000; round++) {
        sn_transform t = test_random_transform(&random);
        double sine = sqrt(1 - (double)t.rotation[3] * (double)t.rotation[3]);
        double angle = 2 * atan2(sine, (double)t.rotation[3]);
        double axis[3], p[3], scaled[3];
        for (int i = 0; i < 3; i++) {
            axis[i] = (double)t.rotation[i] / sine;
            p[i] = (double)test_random_between(&random, -2, 2);
            scaled[i] = p[i] * (double)t.scale[i];
        }
        double along = axis[0] * scaled[0] + axis[1] * scaled[1] + axis[2] * scaled[2];
        sn_affine affine = sn_affine_from_transform(&t);
        for (int i = 0; i < 3; i++) {
            int j = (i + 1) % 3, k = (i + 2) % 3;
            double across = axis[j] * scaled[k] - axis[k] * scaled[j];
            double expected = scaled[i] * cos(angle) + across * sin(angle) +
                              axis[i] * along * (1 - cos(angle)) + (double)t.translation[i];
            assert_true(fabs(apply(&affine, p, i) - expected) < 2e-6);
        }
    }
}

static void a_product_applies_the_right_matrix_first(void **state) {
    (void)state;
    test_random random = {2};
    for (int round = 0; round < 100; round++) {
        sn_transform ta = test_random_transform(&random), tb = test_random_transform(&random);
        sn_affine a = sn_affine_from_transform(&ta), b = sn_affine_from_transform(&tb);
        sn_affine both = sn_affine_multiply(&a, &b);
        double p[3] = {0.3, -1, 0.7}, q[3];
        for (int i = 0; i < 3; i++)
            q[i] = apply(&b, p, i);
        for (int i = 0; i < 3; i++)
            assert_true(fabs(apply(&both, p, i) - apply(&a, q, i)) < 2e-6);
    }
}

static void an_inverse_undoes_its_matrix(void **state) {
    (void)state;
    test_random random = {3};
    for (int round = 0; round < 100; round++) {
        sn_transform t = test_random_transform(&random);
        t.scale[0] = -t.scale[0];
        sn_affine a = sn_affine_from_transform(&t), inverse;
        assert_true(sn_affine_inverse(&a, &inverse));
        sn_affine product = sn_affine_multiply(&a, &inverse), one = sn_affine_identity();
        for (int i = 0; i < 12; i++)
            assert_true(fabsf(product.m[i / 4][i % 4] - one.m[i / 4][i % 4]) < 2e-6f);
        assert_true(sn_affine_inverse(&a, &a));
        assert_memory_equal(&a, &inverse, sizeof a);
    }
    sn_affine flat = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 0, 0}}};
    assert_false(sn_affine_inverse(&flat, &flat));
}

static void decomposing_gives_back_the_transform(void **state) {
    (void)state;
    test_random random = {4};
    for (int round = 0; round < 1000; round++) {
        sn_transform t = test_random_transform(&random), back;
        if (round % 2)
            t.scale[0] = -t.scale[0]; /* mirrored in x: the form that decomposing chooses */
        sn_affine affine = sn_affine_from_transform(&t);
        assert_true(sn_affine_decompose(&affine, &back));
        double dot = sn_quat_dot(t.rotation, back.rotation);
        assert_true(fabs(dot) > 1 - 1e-6);
        for (int i = 0; i < 3; i++) {
            assert_true(fabsf(back.scale[i] - t.scale[i]) < 2e-6f);
            assert_true(back.translation[i] == t.translation[i]);
        }
    }
}

static void decomposing_tells_shear_and_survives_flat_axes(void **state) {
    (void)state;
    sn_transform out;
    sn_affine shear = {{{1, 0.01f, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    assert_false(sn_affine_decompose(&shear, &out));

    test_random random = {5};
    for (int flat = 1; flat < 8; flat++) {
        sn_transform t = test_random_transform(&random);
        for (int i = 0; i < 3; i++)
            if (flat & (1 << i))
                t.scale[i] = 0;
        sn_affine affine = sn_affine_from_transform(&t);
        assert_true(sn_affine_decompose(&affine, &out));
        assert_true(fabs(sn_quat_dot(out.rotation, out.rotation) - 1) < 1e-6);
        for (int i = 0; i < 3; i++)
            assert_true((out.scale[i] == 0) == (t.scale[i] == 0));
    }
    sn_affine bad = sn_affine_identity();
    bad.m[1][1] = NAN;
    assert_false(sn_affine_decompose(&bad, &out));
}

static void matrices_are_column_major(void **state) {
    (void)state;
    float matrix[16] = {1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0, 10, 11, 12, 1}, back[16];
    sn_affine affine = sn_affine_from_matrix(matrix);
    assert_true(affine.m[0][3] == 10 && affine.m[1][0] == 2 && affine.m[2][1] == 6);
    sn_affine_to_matrix(&affine, back);
    assert_memory_equal(matrix, back, sizeof matrix);
}

static void spherical_weights_follow_the_formula(void **state) {
    (void)state;
    for (int degrees = 1; degrees <= 90; degrees++)
        for (int step = 0; step <= 20; step++) {
            long double angle = (long double)degrees * 3.14159265358979323846L / 180;
            long double t = (long double)step / 20;
            double from, to;
            sn_slerp_weights((double)cosl(angle), (double)t, &from, &to);
            assert_true(fabsl(sinl((1 - t) * angle) / sinl(angle) - from) < 1e-11L);
            assert_true(fabsl(sinl(t * angle) / sinl(angle) - to) < 1e-11L);
        }
}

static void a_quaternion_product_is_a_product_of_matrices(void **state) {
    (void)state;
    test_random random = {6};
    for (int round = 0; round < 100; round++) {
        sn_transform a = sn_transform_identity(), b = a, both = a;
        test_random_quat(&random, a.rotation);
        test_random_quat(&random, b.rotation);
        sn_quat_multiply(a.rotation, b.rotation, both.rotation);
        sn_affine ma = sn_affine_from_transform(&a), mb = sn_affine_from_transform(&b);
        sn_affine expected = sn_affine_multiply(&ma, &mb);
        sn_affine got = sn_affine_from_transform(&both);
        for (int i = 0; i < 12; i++)
            assert_true(fabsf(expected.m[i / 4][i % 4] - got.m[i / 4][i % 4]) < 1e-6f);
    }
    float zero[4] = {0, 0, 0, 0};
    sn_quat_normalize(zero);
    assert_true(zero[3] == 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_transform_scales_then_turns_then_moves),
        cmocka_unit_test(a_product_applies_the_right_matrix_first),
        cmocka_unit_test(an_inverse_undoes_its_matrix),
        cmocka_unit_test(decomposing_gives_back_the_transform),
        cmocka_unit_test(decomposing_tells_shear_and_survives_flat_axes),
        cmocka_unit_test(matrices_are_column_major),
        cmocka_unit_test(spherical_weights_follow_the_formula),
        cmocka_unit_test(a_quaternion_product_is_a_product_of_matrices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
