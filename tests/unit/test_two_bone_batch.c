/* Limbs in lanes: every kernel bit for bit, and the solution that of the solver in double. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sinew/two_bone_batch.h"
#include "tests/unit/limbs.h"

enum { LIMBS = 20003, ROOM = 20008 };

static float inputs[12][ROOM], outputs[3][9][ROOM];

static sn_two_bone_batch make_batch(float (*out)[ROOM]) {
    sn_two_bone_batch batch = {.count = LIMBS, .residual = out[8]};
    for (int i = 0; i < 3; i++) {
        batch.upper[i] = inputs[i];
        batch.fore[i] = inputs[3 + i];
        batch.target[i] = inputs[6 + i];
        batch.pole[i] = inputs[9 + i];
    }
    for (int i = 0; i < 4; i++) {
        batch.root[i] = out[i];
        batch.middle[i] = out[4 + i];
    }
    return batch;
}

static void set(uint32_t at, int first, sn_dvec3 v) {
    float values[3];
    test_store3(values, v);
    for (int i = 0; i < 3; i++)
        inputs[first + i][at] = values[i];
}

static sn_dvec3 get(uint32_t at, int first) {
    float values[3] = {inputs[first][at], inputs[first + 1][at], inputs[first + 2][at]};
    return test_dvec3(values);
}

static void fill(void) {
    test_random random = {9};
    for (uint32_t at = 0; at < ROOM; at++) {
        double a = (double)test_random_between(&random, 0.1f, 1);
        double b = (double)test_random_between(&random, 0.1f, 1);
        double ratio = (double)test_random_between(&random, 0, 1.3f);
        sn_dvec3 upper = test_random_direction(&random), fore = test_random_direction(&random);
        if (at % 16 == 0) /* straight */
            fore = upper;
        set(at, 0, sn_dvec3_scale(upper, a));
        set(at, 3, sn_dvec3_scale(fore, b));
        sn_dvec3 direction = test_random_direction(&random);
        if (at % 16 == 1) /* opposite the upper bone */
            direction = sn_dvec3_scale(upper, -1);
        set(at, 6, sn_dvec3_scale(direction, at % 16 == 2 ? 0 : ratio * (a + b)));
        set(at, 9, at % 16 == 3 ? direction : test_random_direction(&random));
    }
}

static sn_dquat turn(float (*out)[ROOM], int first, uint32_t at) {
    return (sn_dquat){(double)out[first][at], (double)out[first + 1][at],
                      (double)out[first + 2][at], (double)out[first + 3][at]};
}

static void test_kernels_agree(void **state) {
    (void)state;
    fill();
    sn_kernel kernels[3];
    size_t count = test_kernels(kernels);
    for (size_t k = 0; k < count; k++) {
        sn_two_bone_batch batch = make_batch(outputs[k]);
        assert_true(sn_two_bone_batch_solve(&batch, kernels[k]));
        print_message("%s\n", sn_kernel_name(kernels[k]));
        for (int i = 0; i < 9; i++)
            assert_memory_equal(outputs[0][i], outputs[k][i], LIMBS * sizeof(float));
    }
}

static void test_solution(void **state) {
    (void)state;
    fill();
    sn_two_bone_batch batch = make_batch(outputs[0]);
    assert_true(sn_two_bone_batch_solve(&batch, SN_KERNEL_BEST));
    double worst = 0;
    for (uint32_t at = 0; at < LIMBS; at++) {
        sn_dvec3 upper = get(at, 0), fore = get(at, 3), target = get(at, 6), pole = get(at, 9);
        sn_dquat root = turn(outputs[0], 0, at), middle = turn(outputs[0], 4, at);
        assert_true(fabs(sqrt(sn_dquat_dot(root, root)) - 1) <= 5e-7);
        assert_true(fabs(sqrt(sn_dquat_dot(middle, middle)) - 1) <= 5e-7);
        sn_dvec3 elbow = sn_dquat_rotate(root, upper);
        sn_dvec3 bone = sn_dquat_rotate(root, sn_dquat_rotate(middle, fore));
        sn_dvec3 end = sn_dvec3_add(elbow, bone);
        double a = sn_dvec3_length(upper), b = sn_dvec3_length(fore), length = a + b;
        double wanted = sn_dvec3_length(target), margin = 1e-4 * fmin(a, b);
        double clamped = fmin(fmax(wanted, fabs(a - b) + margin), length - margin);
        if (wanted > 0) {
            sn_dvec3 reached = sn_dvec3_scale(target, clamped / wanted);
            worst = fmax(worst, test_distance(end, reached) / length);
        }
        assert_true(fabs(sn_dvec3_length(end) - clamped) <= 2e-6 * length);
        assert_true(fabs((double)outputs[0][8][at] - fabs(wanted - clamped)) <= 2e-6 * length);
        if (wanted > 0 && at % 16 > 3) {
            sn_dvec3 line = sn_dvec3_scale(target, 1 / wanted);
            sn_dvec3 side = sn_dvec3_across(pole, line);
            if (sn_dvec3_length(side) > 0.01)
                assert_true(sn_dvec3_dot(sn_dvec3_unit(side), elbow) >= -1e-6 * length);
        }
    }
    print_message("end: %.2g of the length\n", worst);
    assert_true(worst <= 2e-6);
}

/* The turns are those of sn_two_bone_solve, where the base pose has a hinge. */
static void test_same_as_double(void **state) {
    (void)state;
    fill();
    sn_two_bone_batch batch = make_batch(outputs[0]);
    assert_true(sn_two_bone_batch_solve(&batch, SN_KERNEL_BEST));
    for (uint32_t at = 0; at < LIMBS; at++) {
        sn_dvec3 upper = get(at, 0), fore = get(at, 3), target = get(at, 6), pole = get(at, 9);
        double hinge = sn_dvec3_length(sn_dvec3_cross(sn_dvec3_unit(upper), sn_dvec3_unit(fore)));
        if (at % 16 < 4 || hinge < 0.1)
            continue;
        if (sn_dvec3_length(sn_dvec3_across(pole, sn_dvec3_unit(target))) < 0.1)
            continue;
        test_limb limb;
        test_limb_make(&limb, &(test_limb_shape){.upper = upper, .fore = fore, .axis = {1, 0, 0}});
        limb.options.bend = SN_BEND_POSITION;
        test_store3(limb.options.pole, pole);
        test_store3(limb.job.target, target);
        sn_two_bone_output out = test_limb_solve(&limb);
        sn_dquat before = {(double)limb.joints[0].rotation[0], (double)limb.joints[0].rotation[1],
                           (double)limb.joints[0].rotation[2], (double)limb.joints[0].rotation[3]};
        sn_dquat after = sn_dquat_multiply(turn(outputs[0], 0, at), before);
        float rotation[4] = {(float)after.x, (float)after.y, (float)after.z, (float)after.w};
        assert_true(test_rotation_angle(rotation, out.root_rotation) <= 2e-4);
        test_placed placed = test_limb_place(&limb, &out);
        sn_dvec3 elbow = sn_dquat_rotate(turn(outputs[0], 0, at), upper);
        assert_true(test_distance(elbow, placed.middle) <= 1e-4 * (limb.upper + limb.fore));
    }
}

static void test_unsolvable(void **state) {
    (void)state;
    static const float bad[] = {NAN, INFINITY, -INFINITY};
    sn_kernel kernels[3];
    size_t count = test_kernels(kernels);
    for (size_t k = 0; k < count; k++) {
        fill();
        for (uint32_t i = 0; i < 36; i++)
            inputs[i / 3][40 + i] = bad[i % 3];
        set(76, 0, (sn_dvec3){0, 0, 0});
        set(77, 3, (sn_dvec3){0, 0, 0});
        sn_two_bone_batch batch = make_batch(outputs[k]);
        assert_true(sn_two_bone_batch_solve(&batch, kernels[k]));
        for (uint32_t at = 38; at < 80; at++) {
            bool is_bad = at >= 40 && at < 78;
            assert_int_equal(outputs[k][8][at] < 0, is_bad);
            for (int i = 0; i < 8 && is_bad; i++)
                assert_true(fabsf(outputs[k][i][at] - (i % 4 == 3 ? 1.0f : 0.0f)) <= 0);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernels_agree),
        cmocka_unit_test(test_solution),
        cmocka_unit_test(test_same_as_double),
        cmocka_unit_test(test_unsolvable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
