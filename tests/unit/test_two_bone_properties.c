/* Properties that two-bone inverse kinematics has on any limb: 100,000 of them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/limbs.h"

enum { LIMBS = 100000 };

static double between(test_random *random, double low, double high) {
    return (double)test_random_between(random, (float)low, (float)high);
}

/* Any bones, axes, rolls, twist joints and ways to bend; `distance` of the target as a ratio. */
static void random_limb(test_random *random, test_limb *limb, double distance) {
    test_limb_shape shape = {
        .upper = sn_dvec3_scale(test_random_direction(random), between(random, 0.1, 1)),
        .fore = sn_dvec3_scale(test_random_direction(random), between(random, 0.1, 1)),
        .axis = test_random_direction(random),
        .roll = between(random, -3, 3),
        .has_twist = test_random_below(random, 4) == 0};
    test_limb_make(limb, &shape);
    limb->options.bend = (sn_bend)test_random_below(random, 4);
    limb->options.roll = (sn_roll)test_random_below(random, 2);
    test_store3(limb->options.pole, test_random_direction(random));
    test_store3(limb->options.field_reach, test_random_direction(random));
    test_store3(limb->options.field_bend, test_random_direction(random));
    test_store3(limb->job.target, sn_dvec3_scale(test_random_direction(random),
                                                 distance * (limb->upper + limb->fore)));
}

/* Of a target that the bones reach. */
static double reachable(const test_limb *limb, double share) {
    double low = fabs(limb->upper - limb->fore), high = limb->upper + limb->fore;
    return low + (high - low) * share;
}

static void set_distance(test_limb *limb, double distance) {
    sn_dvec3 direction = sn_dvec3_unit(test_dvec3(limb->job.target));
    test_store3(limb->job.target, sn_dvec3_scale(direction, distance));
}

/* P1 lengths, P2 unit quaternions, P3 the end on the clamped target, P4 the middle joint in the
 * plane of line and bend, P9 the flag says what is so, P10 nothing else is written. */
static void test_solution(void **state) {
    (void)state;
    test_random random = {100};
    for (int i = 0; i < LIMBS; i++) {
        test_limb limb;
        random_limb(&random, &limb, between(&random, 0, 1.5));
        sn_transform before[TEST_LIMB_JOINTS];
        memcpy(before, limb.joints, sizeof before);
        struct {
            uint32_t low;
            sn_two_bone_output out;
            uint32_t high;
        } guarded = {.low = 0xa5a5a5a5, .high = 0x5a5a5a5a};
        assert_int_equal(sn_two_bone_solve(&limb.job, &guarded.out, NULL), SN_OK);
        assert_memory_equal(before, limb.joints, sizeof before);
        assert_int_equal(guarded.low, 0xa5a5a5a5);
        assert_int_equal(guarded.high, 0x5a5a5a5a);
        const sn_two_bone_output *out = &guarded.out;
        test_placed placed = test_limb_place(&limb, out);
        double length = limb.upper + limb.fore;

        assert_true(fabs(sn_dvec3_length(placed.middle) - limb.upper) <= 1e-6 * limb.upper);
        assert_true(fabs(test_distance(placed.middle, placed.end) - limb.fore) <= 1e-6 * limb.fore);
        const float *rotations[] = {out->root_rotation, out->middle_rotation};
        for (int k = 0; k < 2; k++) {
            const float *q = rotations[k];
            double square = 0;
            for (int c = 0; c < 4; c++)
                square += (double)q[c] * (double)q[c];
            assert_true(fabs(sqrt(square) - 1) <= 2e-7);
        }
        double margin = 1e-4 * fmin(limb.upper, limb.fore);
        sn_dvec3 target = test_dvec3(limb.job.target);
        double wanted = sn_dvec3_length(target);
        double clamped = fmin(fmax(wanted, fabs(limb.upper - limb.fore) + margin), length - margin);
        sn_dvec3 direction = sn_dvec3_scale(target, 1 / wanted);
        assert_true(test_distance(placed.end, sn_dvec3_scale(direction, clamped)) <= 1e-6 * length);
        if (limb.options.bend == SN_BEND_DIRECTION && !(out->flags & SN_TWO_BONE_NO_BEND)) {
            sn_dvec3 pole = sn_dvec3_unit_across(test_dvec3(limb.options.pole), direction);
            sn_dvec3 side = sn_dvec3_cross(direction, pole);
            assert_true(fabs(sn_dvec3_dot(side, placed.middle)) <= 1e-6 * length);
            assert_true(sn_dvec3_dot(pole, placed.middle) >= 0);
        }
        double miss = test_distance(placed.end, target);
        assert_true(fabs(miss - (double)out->residual) <= 2e-6 * length);
        if (miss < 0.9e-5 * length || miss > 1.1e-5 * length)
            assert_int_equal(!!(out->flags & SN_TWO_BONE_REACHED), miss <= 1e-5 * length);
    }
}

static sn_dvec3 apply(const sn_affine *m, sn_dvec3 v) {
    double out[3];
    for (int r = 0; r < 3; r++)
        out[r] = (double)m->m[r][0] * v.x + (double)m->m[r][1] * v.y + (double)m->m[r][2] * v.z +
                 (double)m->m[r][3];
    return (sn_dvec3){out[0], out[1], out[2]};
}

/* P5 moving and P6 scaling the world moves and scales the solution. */
static void test_equivariance(void **state) {
    (void)state;
    test_random random = {101};
    for (int i = 0; i < LIMBS; i++) {
        test_limb limb;
        random_limb(&random, &limb, 1);
        set_distance(&limb, reachable(&limb, between(&random, 0.05, 0.95)));
        sn_two_bone_output plain = test_limb_solve(&limb);
        test_placed at = test_limb_place(&limb, &plain);
        sn_dvec3 pole = test_dvec3(limb.options.pole), target = test_dvec3(limb.job.target);
        double length = limb.upper + limb.fore;
        sn_dvec3 line = sn_dvec3_unit(target);
        if (limb.options.bend == SN_BEND_POSITION || limb.options.bend == SN_BEND_DIRECTION)
            if (sn_dvec3_length(sn_dvec3_cross(pole, line)) < 0.1)
                continue; /* the bend there follows rounding */

        sn_transform motion = sn_transform_identity();
        test_random_quat(&random, motion.rotation);
        float scale = i % 2 ? 1 : test_random_between(&random, 0.01f, 100);
        for (int c = 0; c < 3; c++) {
            motion.scale[c] = scale;
            motion.translation[c] = scale * test_random_between(&random, -1, 1);
        }
        limb.job.parent_world = sn_affine_from_transform(&motion);
        test_store3(limb.job.target, apply(&limb.job.parent_world, target));
        sn_affine turn = limb.job.parent_world;
        if (limb.options.bend == SN_BEND_DIRECTION)
            for (int r = 0; r < 3; r++)
                turn.m[r][3] = 0;
        test_store3(limb.options.pole, apply(&turn, pole));
        sn_two_bone_output moved = test_limb_solve(&limb);
        test_placed there = test_limb_place(&limb, &moved);
        double tolerance = 2e-6 * length * (double)scale * (1 + 1 / length);
        assert_true(test_distance(there.end, apply(&limb.job.parent_world, at.end)) <= tolerance);
        /* The middle joint turns about the line: what rounds in the pole counts more there. */
        assert_true(test_distance(there.middle, apply(&limb.job.parent_world, at.middle)) <=
                    10 * tolerance);
    }
}

/* P7: solving the solution changes nothing. */
static void test_idempotence(void **state) {
    (void)state;
    test_random random = {102};
    for (int i = 0; i < LIMBS; i++) {
        test_limb limb;
        random_limb(&random, &limb, 1);
        set_distance(&limb, reachable(&limb, between(&random, 0.02, 0.98)));
        sn_two_bone_output first = test_limb_solve(&limb);
        memcpy(limb.joints[0].rotation, first.root_rotation, sizeof first.root_rotation);
        memcpy(limb.joints[limb.job.middle].rotation, first.middle_rotation,
               sizeof first.middle_rotation);
        sn_two_bone_output again = test_limb_solve(&limb);
        if (first.flags & SN_TWO_BONE_NO_BEND)
            continue;
        test_placed a = test_limb_place(&limb, &first), b = test_limb_place(&limb, &again);
        double length = limb.upper + limb.fore;
        assert_true(test_distance(a.end, b.end) <= 2e-6 * length);
        assert_true(test_distance(a.middle, b.middle) <= 2e-6 * length);
        assert_true(test_rotation_angle(first.root_rotation, again.root_rotation) <= 1e-5);
        assert_true(test_rotation_angle(first.middle_rotation, again.middle_rotation) <= 1e-5);
    }
}

/* P8: away from straight, folded and the pole's line the middle joint moves in proportion to the
 * target. Differentiating the triangle: along the line by at most 1 / sin(angle between the bones)
 * times L / shorter, about it by the rate of the bend, 1 / sin(angle to the pole), times its
 * distance to the line over that of the target. */
static void test_lipschitz(void **state) {
    (void)state;
    test_random random = {103};
    for (int i = 0; i < LIMBS; i++) {
        test_limb limb;
        random_limb(&random, &limb, 1);
        limb.options.bend = SN_BEND_DIRECTION;
        double distance = reachable(&limb, between(&random, 0.05, 0.95));
        set_distance(&limb, distance);
        double length = limb.upper + limb.fore, shorter = fmin(limb.upper, limb.fore);
        sn_dvec3 line = sn_dvec3_unit(test_dvec3(limb.job.target));
        double pole = sn_dvec3_length(sn_dvec3_cross(line, test_dvec3(limb.options.pole)));
        if (pole < 0.05)
            continue;
        sn_two_bone_output out = test_limb_solve(&limb);
        test_placed before = test_limb_place(&limb, &out);
        sn_dvec3 from = test_dvec3(limb.job.target);
        double step = 1e-4 * shorter;
        test_store3(limb.job.target,
                    sn_dvec3_add(from, sn_dvec3_scale(test_random_direction(&random), step)));
        out = test_limb_solve(&limb);
        test_placed after = test_limb_place(&limb, &out);
        double moved = test_distance(from, test_dvec3(limb.job.target));
        double sine = sin(test_limb_flexion(&before));
        double along = limb.upper / (shorter * sine), about = limb.upper / (distance * pole);
        double bound = 2 * (1 + along + about);
        assert_true(test_distance(before.middle, after.middle) <= bound * moved + 1e-6 * length);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_solution),
        cmocka_unit_test(test_equivariance),
        cmocka_unit_test(test_idempotence),
        cmocka_unit_test(test_lipschitz),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
