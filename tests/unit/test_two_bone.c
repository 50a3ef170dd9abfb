/* Two-bone inverse kinematics: reach, poles, spaces, axes. What is measured is where the stored
 * rotations put the joints. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/limbs.h"

static const double length = 0.55, margin = 0.25e-4;

static void aim(test_limb *limb, sn_dvec3 direction, double distance) {
    test_store3(limb->job.target, sn_dvec3_scale(sn_dvec3_unit(direction), distance));
}

static double miss(const test_limb *limb, const sn_two_bone_output *out) {
    test_placed placed = test_limb_place(limb, out);
    return test_distance(placed.end, test_dvec3(limb->job.target));
}

static void assert_unit(const sn_two_bone_output *out) {
    const float *rotations[] = {out->root_rotation, out->middle_rotation, out->end_rotation};
    for (int i = 0; i < 3; i++) {
        double square = 0;
        for (int c = 0; c < 4; c++)
            square += (double)rotations[i][c] * (double)rotations[i][c];
        assert_true(fabs(sqrt(square) - 1) <= 2e-7);
    }
}

static void test_reachable(void **state) {
    (void)state;
    test_random random = {1};
    for (int i = 0; i < 1000; i++) {
        test_limb limb;
        test_limb_arm(&limb);
        sn_dvec3 pole = test_random_direction(&random);
        limb.options.bend = SN_BEND_POSITION;
        test_store3(limb.options.pole, pole);
        aim(&limb, test_random_direction(&random), 0.40);
        sn_two_bone_output out = test_limb_solve(&limb);
        test_placed placed = test_limb_place(&limb, &out);
        assert_true(miss(&limb, &out) <= 1e-6 * length);
        assert_true(sn_dvec3_dot(test_limb_bend(&placed), pole) > 0);
        assert_int_equal(out.flags, SN_TWO_BONE_REACHED);
        assert_true((double)out.residual <= 1e-6 * length);
        assert_true(test_distance(placed.middle, test_dvec3(out.middle_position)) < 1e-6 * length);
        assert_true(test_distance(placed.end, test_dvec3(out.end_position)) < 1e-6 * length);
    }
}

static void test_too_far(void **state) {
    (void)state;
    test_random random = {2};
    for (int i = 0; i < 200; i++) {
        test_limb limb;
        test_limb_arm(&limb);
        sn_dvec3 direction = test_random_direction(&random);
        aim(&limb, direction, 2 * length);
        sn_two_bone_output out = test_limb_solve(&limb);
        test_placed placed = test_limb_place(&limb, &out);
        assert_true(fabs(sn_dvec3_length(placed.end) - (length - margin)) <= 1e-6 * length);
        assert_true(test_angle(placed.end, direction) < 1e-6);
        assert_int_equal(out.flags, SN_TWO_BONE_TOO_FAR);
        assert_true(fabs((double)out.residual - (2 * length - (length - margin))) <= 2e-6 * length);
    }
}

static void test_too_near(void **state) {
    (void)state;
    test_limb limb;
    test_limb_arm(&limb);
    aim(&limb, (sn_dvec3){0.3, 1, -0.4}, 0.01);
    sn_two_bone_output out = test_limb_solve(&limb);
    test_placed placed = test_limb_place(&limb, &out);
    assert_true(fabs(sn_dvec3_length(placed.end) - (0.05 + margin)) <= 1e-6 * length);
    assert_true(test_angle(placed.end, test_dvec3(limb.job.target)) < 1e-5);
    assert_int_equal(out.flags, SN_TWO_BONE_TOO_NEAR);
}

/* With a shortest arc that takes nearly opposite vectors for opposite ones, the end returns to the
 * root: https://github.com/mrdoob/three.js/issues/31286. */
static void test_target_at_root(void **state) {
    (void)state;
    static const double distances[] = {0, 1e-9, 1e-5};
    for (int roll = 0; roll < 2; roll++)
        for (int i = 0; i < 3; i++) {
            test_limb limb;
            test_limb_make(&limb, &(test_limb_shape){
                                      .upper = {1, 0, 0}, .fore = {1, 0, 0}, .axis = {1, 0, 0}});
            limb.options.roll = roll ? SN_ROLL_KEEP : SN_ROLL_HINGE;
            aim(&limb, (sn_dvec3){0, 1, 0}, distances[i]);
            sn_two_bone_output out = test_limb_solve(&limb);
            test_placed placed = test_limb_place(&limb, &out);
            assert_true(fabs(sn_dvec3_length(placed.end) - 1e-4) <= 2e-7);
            assert_int_equal(!!(out.flags & SN_TWO_BONE_NO_DIRECTION), distances[i] <= 0);
            assert_true(out.flags & SN_TWO_BONE_TOO_NEAR);
            assert_unit(&out);
        }
}

static void test_target_at_root_of_folded(void **state) {
    (void)state;
    test_limb limb;
    test_limb_make(&limb,
                   &(test_limb_shape){.upper = {0, 1, 0}, .fore = {0, -1, 0}, .axis = {0, 0, 1}});
    aim(&limb, (sn_dvec3){1, 0, 0}, 0);
    sn_two_bone_output out = test_limb_solve(&limb);
    test_placed placed = test_limb_place(&limb, &out);
    assert_true(test_angle(placed.end, (sn_dvec3){0, 1, 0}) < 2e-3); /* 1e-4 m, stored in float */
    assert_true(fabs(sn_dvec3_length(placed.end) - 1e-4) <= 3e-7);
    assert_true(out.flags & SN_TWO_BONE_NO_DIRECTION);
    assert_unit(&out);
}

static void test_pole_on_line(void **state) {
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        test_limb limb;
        test_limb_arm(&limb);
        sn_dvec3 side = test_limb_place(&limb, NULL).middle, direction = {0.2, 0.9, -0.3};
        limb.options.bend = SN_BEND_POSITION;
        test_store3(limb.options.pole, sn_dvec3_scale(direction, sign * 0.5));
        test_store3(limb.job.target, sn_dvec3_scale(direction, 0.4));
        sn_two_bone_output out = test_limb_solve(&limb);
        test_placed placed = test_limb_place(&limb, &out);
        assert_int_equal(out.flags, SN_TWO_BONE_REACHED | SN_TWO_BONE_NO_BEND);
        assert_true(sn_dvec3_dot(test_limb_bend(&placed), side) > 0);
        assert_true(miss(&limb, &out) <= 1e-6 * length);
        assert_unit(&out);
    }
}

static void test_no_bend_at_all(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        test_limb limb;
        test_limb_make(&limb, &(test_limb_shape){
                                  .upper = {0.3, 0, 0}, .fore = {0.25, 0, 0}, .axis = {1, 0, 0}});
        limb.options.bend = SN_BEND_POSITION;
        limb.options.pole[0] = i ? 0 : 1;
        aim(&limb, (sn_dvec3){1, 0, 0}, 0.4);
        sn_two_bone_output first = test_limb_solve(&limb), again = test_limb_solve(&limb);
        assert_memory_equal(&first, &again, sizeof first);
        assert_int_equal(first.flags, SN_TWO_BONE_REACHED | SN_TWO_BONE_NO_BEND);
        assert_true(miss(&limb, &first) <= 1e-6 * length);
    }
}

static sn_transform parent_of(test_random *random, float scale) {
    sn_transform parent = sn_transform_identity();
    test_random_quat(random, parent.rotation);
    for (int i = 0; i < 3; i++)
        parent.scale[i] = scale;
    return parent;
}

static sn_dvec3 apply(const sn_affine *m, const float v[3]) {
    double out[3];
    for (int r = 0; r < 3; r++)
        out[r] = (double)m->m[r][0] * (double)v[0] + (double)m->m[r][1] * (double)v[1] +
                 (double)m->m[r][2] * (double)v[2] + (double)m->m[r][3];
    return (sn_dvec3){out[0], out[1], out[2]};
}

/* Rotated, then scaled as well: what is solved stays the same but for the parent's matrix. */
static void test_parent(void **state) {
    (void)state;
    static const float scales[] = {1, 0.01f, 100, -1, -0.01f};
    test_random random = {8};
    for (int i = 0; i < 500; i++) {
        float scale = scales[i % 5];
        test_limb plain, moved;
        test_limb_arm(&plain);
        plain.options.bend = SN_BEND_POSITION;
        test_store3(plain.options.pole, test_random_direction(&random));
        aim(&plain, test_random_direction(&random), 0.2 + 0.3 * i / 500);
        test_limb_arm(&moved);
        sn_transform parent = parent_of(&random, scale);
        moved.job.parent_world = sn_affine_from_transform(&parent);
        moved.options = plain.options;
        test_store3(moved.job.target, apply(&moved.job.parent_world, plain.job.target));
        test_store3(moved.options.pole, apply(&moved.job.parent_world, plain.options.pole));
        sn_two_bone_output a = test_limb_solve(&plain), b = test_limb_solve(&moved);
        double world_length = length * fabs((double)scale);
        assert_true(miss(&moved, &b) <= 1e-6 * world_length);
        assert_int_equal(a.flags, b.flags);
        test_placed at = test_limb_place(&plain, &a), there = test_limb_place(&moved, &b);
        float middle[3];
        test_store3(middle, at.middle);
        assert_true(test_distance(apply(&moved.job.parent_world, middle), there.middle) <=
                    1e-6 * world_length);
        assert_true(test_rotation_angle(a.root_rotation, b.root_rotation) <= 1e-5);
        assert_true(test_rotation_angle(a.middle_rotation, b.middle_rotation) <= 1e-5);
    }
}

static void test_local_axes(void **state) {
    (void)state;
    static const sn_dvec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, -1}};
    test_random random = {10};
    for (int i = 0; i < 200; i++) {
        sn_dvec3 direction = test_random_direction(&random), pole = test_random_direction(&random);
        test_limb_shape shape = {.upper = sn_dvec3_scale(test_random_direction(&random), 0.3),
                                 .fore = sn_dvec3_scale(test_random_direction(&random), 0.25)};
        test_placed first = {0};
        for (int k = 0; k < 3; k++) {
            test_limb limb;
            shape.axis = axes[k];
            shape.roll = 0.7 * k;
            test_limb_make(&limb, &shape);
            limb.options.bend = SN_BEND_DIRECTION;
            test_store3(limb.options.pole, pole);
            aim(&limb, direction, 0.35);
            sn_two_bone_output out = test_limb_solve(&limb);
            test_placed placed = test_limb_place(&limb, &out);
            if (k == 0)
                first = placed;
            assert_true(test_distance(first.middle, placed.middle) <= 2e-6 * length);
            assert_true(test_distance(first.end, placed.end) <= 2e-6 * length);
        }
    }
}

static void test_repeated(void **state) {
    (void)state;
    for (int roll = 0; roll < 2; roll++) {
        test_limb limb;
        test_limb_arm(&limb);
        limb.options.roll = roll ? SN_ROLL_KEEP : SN_ROLL_HINGE;
        limb.options.bend = SN_BEND_POSITION;
        test_store3(limb.options.pole, (sn_dvec3){0.1, -1, 0.2});
        aim(&limb, (sn_dvec3){0.3, 0.2, 0.9}, 0.4);
        sn_two_bone_output first = test_limb_solve(&limb), again = test_limb_solve(&limb);
        assert_memory_equal(&first, &again, sizeof first);
        for (int i = 0; i < 10000; i++) {
            memcpy(limb.joints[0].rotation, again.root_rotation, sizeof again.root_rotation);
            memcpy(limb.joints[1].rotation, again.middle_rotation, sizeof again.middle_rotation);
            again = test_limb_solve(&limb);
        }
        double degree = 3.14159265358979 / 180;
        assert_true(test_rotation_angle(first.root_rotation, again.root_rotation) <= 1e-4 * degree);
        assert_true(test_rotation_angle(first.middle_rotation, again.middle_rotation) <=
                    1e-4 * degree);
    }
}

/* The fore bone has to turn by nearly half a turn. */
static void test_nearly_opposite(void **state) {
    (void)state;
    for (int roll = 0; roll < 2; roll++)
        for (double gap = 0.1; gap > 0.5e-7; gap /= 10) {
            test_limb limb;
            test_limb_make(&limb, &(test_limb_shape){.upper = {1, 0, 0},
                                                     .fore = {cos(gap), 0, sin(gap)},
                                                     .axis = {0, 1, 0}});
            limb.options.roll = roll ? SN_ROLL_KEEP : SN_ROLL_HINGE;
            limb.options.bend = SN_BEND_DIRECTION;
            test_store3(limb.options.pole, (sn_dvec3){1, 0, 0});
            test_store3(limb.job.target, (sn_dvec3){0, 0, -2 * sin(0.01)});
            sn_two_bone_output out = test_limb_solve(&limb);
            assert_true(miss(&limb, &out) <= 2e-6);
            assert_true(out.flags & SN_TWO_BONE_REACHED);
        }
}

static void test_isolation(void **state) {
    (void)state;
    test_limb limbs[2];
    memset(limbs, 0, sizeof limbs);
    test_limb_arm(&limbs[0]);
    test_limb_arm(&limbs[1]);
    sn_transform before[2][TEST_LIMB_JOINTS];
    memcpy(before[0], limbs[0].joints, sizeof before[0]);
    memcpy(before[1], limbs[1].joints, sizeof before[1]);
    sn_two_bone_output alone = test_limb_solve(&limbs[1]);
    aim(&limbs[0], (sn_dvec3){0, 1, 0}, 0.3);
    (void)test_limb_solve(&limbs[0]);
    sn_two_bone_output after = test_limb_solve(&limbs[1]);
    assert_memory_equal(&alone, &after, sizeof alone);
    assert_memory_equal(before[0], limbs[0].joints, sizeof before[0]);
    assert_memory_equal(before[1], limbs[1].joints, sizeof before[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reachable),
        cmocka_unit_test(test_too_far),
        cmocka_unit_test(test_too_near),
        cmocka_unit_test(test_target_at_root),
        cmocka_unit_test(test_target_at_root_of_folded),
        cmocka_unit_test(test_pole_on_line),
        cmocka_unit_test(test_no_bend_at_all),
        cmocka_unit_test(test_parent),
        cmocka_unit_test(test_local_axes),
        cmocka_unit_test(test_repeated),
        cmocka_unit_test(test_nearly_opposite),
        cmocka_unit_test(test_isolation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
