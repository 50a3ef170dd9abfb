/* The hand of an arm: where it takes an orientation, how it rolls about a grip, what the wrist
 * allows, and how the forearm shares its twist. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "rig/joint_range.h"
#include "tests/unit/arms.h"

static const double length = TEST_ARM_LENGTH, pi = 3.14159265358979323846;

static sn_dquat dquat(const float q[4]) {
    return sn_dquat_unit((sn_dquat){(double)q[0], (double)q[1], (double)q[2], (double)q[3]});
}

static sn_dquat about(sn_dvec3 unit, double angle) {
    double s = sin(angle / 2);
    return (sn_dquat){unit.x * s, unit.y * s, unit.z * s, cos(angle / 2)};
}

static double angle_between(sn_dquat a, sn_dquat b) {
    sn_dquat r = sn_dquat_multiply(a, sn_dquat_conjugate(b));
    return 2 * atan2(sqrt(r.x * r.x + r.y * r.y + r.z * r.z), fabs(r.w));
}

static void random_target(test_arm *arm, test_random *random, float least, float most) {
    test_arm_target(arm, sn_dvec3_scale(test_random_direction(random),
                                        length * (double)test_random_between(random, least, most)));
}

/* What the hand is away from its rest, before the forearm took its share. */
static sn_dquat hand_local(const test_arm *arm) {
    return dquat(arm->figure.local[arm->bones.hand].rotation);
}

static void test_exact(void **state) {
    (void)state;
    test_random random = {1};
    for (int i = 0; i < 2000; i++) {
        test_arm arm;
        test_arm_random(&arm, &random);
        test_arm_shake(&arm, &random, 0.2f);
        arm.job.hand = SN_HAND_EXACT;
        test_random_quat(&random, arm.job.orientation);
        for (int c = 0; c < 3 && i % 2; c++)
            arm.job.grip[c] = test_random_between(&random, -0.05f, 0.05f);
        random_target(&arm, &random, 0.35f, 0.75f);
        sn_arm_output out = test_arm_solve(&arm);
        assert_true(angle_between(test_arm_hand(&arm), dquat(arm.job.orientation)) <= 1e-5);
        assert_true(out.orientation_residual <= 1e-5f);
        assert_true(out.flags & SN_TWO_BONE_REACHED);
        assert_true(test_distance(test_arm_grip(&arm), test_dvec3(arm.job.target)) <=
                    5e-6 * length);
    }
}

/* A hand that keeps its local rotation, and is to be there with a point of it. */
static void test_grip_as_posed(void **state) {
    (void)state;
    test_random random = {2};
    for (int i = 0; i < 2000; i++) {
        test_arm arm;
        test_arm_random(&arm, &random);
        for (int c = 0; c < 3; c++)
            arm.job.grip[c] = test_random_between(&random, -0.05f, 0.05f);
        random_target(&arm, &random, 0.35f, 0.8f);
        sn_arm_output out = test_arm_solve(&arm);
        assert_true(out.flags & SN_TWO_BONE_REACHED);
        assert_true(test_distance(test_arm_grip(&arm), test_dvec3(arm.job.target)) <=
                    5e-6 * length);
        assert_memory_equal(&arm.figure.local[arm.bones.hand], &arm.figure.rest[arm.bones.hand],
                            sizeof arm.figure.rest[0]);
    }
}

static void test_wrist_limits(void **state) {
    (void)state;
    test_random random = {3};
    sn_arm_limits limits = sn_arm_limits_human();
    int inside = 0, swung = 0, twisted = 0;
    for (int i = 0; i < 4000; i++) {
        test_arm arm;
        test_arm_random(&arm, &random);
        arm.options.limits = &limits;
        arm.options.twist = -1; /* the hand's joint has it all */
        random_target(&arm, &random, 0.4f, 0.85f);
        /* About where the hand is anyway, so that some are inside. */
        (void)test_arm_solve(&arm);
        sn_dquat wanted = sn_dquat_multiply(
            about(test_random_direction(&random), (double)test_random_between(&random, 0, 2.0f)),
            test_arm_hand(&arm));
        arm.job.orientation[0] = (float)wanted.x, arm.job.orientation[1] = (float)wanted.y;
        arm.job.orientation[2] = (float)wanted.z, arm.job.orientation[3] = (float)wanted.w;
        arm.job.hand = SN_HAND_EXACT;
        test_figure_relax(&arm.figure);
        sn_arm_output out = test_arm_solve(&arm);
        double off = angle_between(test_arm_hand(&arm), wanted);
        assert_true(fabs(off - (double)out.orientation_residual) <= 2e-6);
        sn_joint_away away = sn_joint_measure(&arm.arm.wrist_zero, hand_local(&arm));
        double edge = sn_half_ellipse(away.swing, limits.wrist.swing_max, limits.wrist.swing_min);
        double twist = away.twist;
        assert_true(edge <= 1 + 1e-4 && twist <= (double)limits.wrist.twist_max + 1e-4 &&
                    twist >= (double)limits.wrist.twist_min - 1e-4);
        if (!(out.flags & SN_ARM_WRIST_LIMITED)) {
            assert_true(off <= 1e-5);
            inside++;
            continue;
        }
        assert_true(off > 1e-7);
        /* It stands on the edge of what was beyond, which is what the forearm as it is asks for. */
        sn_dquat fore = test_figure_rotation(&arm.figure, arm.figure.parents[arm.bones.hand]);
        sn_joint_away asked = sn_joint_measure(&arm.arm.wrist_zero,
                                               sn_dquat_multiply(sn_dquat_conjugate(fore), wanted));
        double beyond[2];
        sn_joint_beyond(&limits.wrist, &asked, beyond);
        if (beyond[0] > 1e-4) {
            assert_true(fabs(edge - 1) <= 1e-4);
            assert_true(fabs(away.swing[0] * asked.swing[1] - away.swing[1] * asked.swing[0]) <=
                        1e-4 * hypot(asked.swing[0], asked.swing[1])); /* the same way */
            swung++;
        }
        if (beyond[1] > 1e-4) {
            assert_true(fmin(fabs(twist - (double)limits.wrist.twist_max),
                             fabs(twist - (double)limits.wrist.twist_min)) <= 1e-4);
            twisted++;
        }
    }
    assert_true(inside > 500 && swung > 500 && twisted > 100);
}

/* The senses of the wrist's axes, in a T-pose whose palms face down: flexion turns the fingers
 * down, radial forwards, supination the thumb up. */
static void test_wrist_senses(void **state) {
    (void)state;
    for (int i = 0; i < 8; i++) {
        test_arm arm;
        test_arm_make(&arm, &(test_figure_shape){.facing = i < 4 ? 1 : -1}, (sn_limb_kind)(i % 2));
        if (i % 4 > 1) { /* without fingers the palms are taken to face down */
            arm.bones.index = SN_NONE;
            sn_error error;
            assert_int_equal(sn_arm_set_up(&arm.figure.joints, &arm.bones, &arm.arm, &error),
                             SN_OK);
        }
        sn_dvec3 fingers = test_arm_body(&arm, 1, 0, 0), thumb = test_arm_body(&arm, 0, 0, 1);
        sn_dvec3 down = {0, -1, 0}, up = {0, 1, 0};
        const struct {
            sn_dvec3 from, to;
            int swing;
        } senses[] = {{fingers, down, 0}, {fingers, thumb, 1}, {thumb, up, 2}};
        for (int k = 0; k < 3; k++) {
            sn_dquat turn = about(sn_dvec3_unit(sn_dvec3_cross(senses[k].from, senses[k].to)), 0.4);
            sn_joint_away away = sn_joint_measure(&arm.arm.wrist_zero, turn);
            const double got[3] = {away.swing[0], away.swing[1], away.twist};
            for (int c = 0; c < 3; c++)
                assert_true(fabs(got[c] - (c == senses[k].swing ? 0.4 : 0)) <= 1e-6);
        }
    }
}

/* Of all rolls the one that leaves the wrist nearest to its rest, and the grip in place. */
static void test_free_roll(void **state) {
    (void)state;
    test_random random = {4};
    int nearly = 0;
    for (int i = 0; i < 1000; i++) {
        test_arm arm;
        test_arm_random(&arm, &random);
        arm.options.twist = -1;
        arm.job.hand = SN_HAND_FREE_ROLL;
        test_random_quat(&random, arm.job.orientation);
        sn_dvec3 axis = test_random_direction(&random);
        test_store3(arm.job.roll_axis, sn_dvec3_scale(axis, 3));
        bool has_grip = i % 2, has_range = i % 4 > 1;
        if (has_grip)
            test_store3(arm.job.grip, sn_dvec3_scale(test_random_direction(&random), 0.08));
        double low = (double)test_random_between(&random, -8, 3), high = low + 1.5;
        if (has_range) {
            arm.job.roll_min = (float)low;
            arm.job.roll_max = (float)high;
        }
        random_target(&arm, &random, 0.4f, 0.75f);
        sn_arm_output out = test_arm_solve(&arm);
        assert_true(out.flags & SN_TWO_BONE_REACHED);
        assert_true(test_distance(test_arm_grip(&arm), test_dvec3(arm.job.target)) <=
                    5e-6 * length);
        sn_dquat expected =
            sn_dquat_multiply(about(axis, (double)out.roll), dquat(arm.job.orientation));
        assert_true(angle_between(test_arm_hand(&arm), expected) <= 1e-5);
        if (has_range)
            assert_true((double)out.roll >= low - 1e-5 && (double)out.roll <= high + 1e-5);

        sn_dquat fore = test_figure_rotation(&arm.figure, arm.figure.parents[arm.bones.hand]);
        sn_dquat natural =
            sn_dquat_multiply(sn_dquat_unit(fore), dquat(arm.figure.rest[arm.bones.hand].rotation));
        double chosen = angle_between(natural, test_arm_hand(&arm));
        bool is_limited = out.flags & SN_ARM_ROLL_LIMITED;
        double worse = 0;
        assert_true(has_range || !is_limited);
        for (int k = 0; k < 64; k++) {
            double roll = 2 * pi * k / 64;
            if (has_range && (roll = low + 1.5 * k / 63) > high)
                continue;
            sn_dquat other = sn_dquat_multiply(about(axis, roll), dquat(arm.job.orientation));
            worse = fmax(worse, chosen - angle_between(natural, other));
        }
        /* A grip moves the forearm with each roll: the passes end near the best, as a rule, even of
         * orientations that no wrist takes. */
        assert_true(has_grip || worse <= 1e-5);
        nearly += worse > 0.01;
    }
    assert_true(nearly < 50);
}

/* The lower arm takes half, or its joints by their places; the hand is where it was. */
static void test_shares(void **state) {
    (void)state;
    test_random random = {5};
    for (int i = 0; i < 1000; i++) {
        test_arm arm;
        test_figure_shape shape = {.facing = 1, .random = &random, .has_twist_joints = i % 2};
        test_arm_make(&arm, &shape, (sn_limb_kind)(i / 2 % 2));
        arm.job.hand = SN_HAND_EXACT;
        test_random_quat(&random, arm.job.orientation);
        random_target(&arm, &random, 0.4f, 0.8f);
        arm.options.twist = -1;
        sn_arm_output none = test_arm_solve(&arm);
        sn_transform before[TEST_FIGURE_JOINTS];
        memcpy(before, arm.figure.local, sizeof before);
        sn_dvec3 elbow = test_arm_position(&arm, arm.bones.lower);
        sn_dvec3 fore =
            sn_dvec3_unit(sn_dvec3_subtract(test_arm_position(&arm, arm.bones.hand), elbow));
        sn_dquat above[TEST_FIGURE_JOINTS];
        for (uint32_t k = 0; k < arm.figure.joints.count; k++)
            above[k] = sn_dquat_unit(test_figure_rotation(&arm.figure, k));

        test_figure_relax(&arm.figure);
        arm.options.twist = 0;
        sn_arm_output out = test_arm_solve(&arm);
        assert_true(fabs((double)(out.twist - none.twist)) <= 1e-5);
        assert_true(angle_between(test_arm_hand(&arm), dquat(arm.job.orientation)) <= 1e-5);
        assert_true(test_distance(test_arm_position(&arm, arm.bones.hand),
                                  test_dvec3(arm.job.target)) <= 5e-6 * length);
        assert_true(test_distance(elbow, test_arm_position(&arm, arm.bones.lower)) <= 1e-6);
        static const double halves[] = {0.5}, thirds[] = {0, 1 / 3.0, 2 / 3.0};
        const double *share = i % 2 ? thirds : halves;
        for (uint32_t k = arm.arm.lower; k < arm.arm.hand; k++) {
            uint32_t joint = arm.arm.chain[k];
            sn_dquat now = sn_dquat_unit(test_figure_rotation(&arm.figure, joint));
            sn_dquat expected = sn_dquat_multiply(
                about(fore, (double)out.twist * share[k - arm.arm.lower]), above[joint]);
            assert_true(angle_between(now, expected) <= 2e-5);
        }
    }
}

/* With a state the forearm follows a hand that is turned twice round. */
static void test_beyond_half_a_turn(void **state) {
    (void)state;
    test_arm arm;
    test_arm_make(&arm, &(test_figure_shape){.facing = 1}, SN_LIMB_LEFT_ARM);
    test_arm_target(&arm, (sn_dvec3){0.35, -0.1, 0.1});
    (void)test_arm_solve(&arm);
    sn_dquat start = test_arm_hand(&arm);
    sn_dvec3 fore = sn_dvec3_unit(sn_dvec3_subtract(test_arm_position(&arm, arm.bones.hand),
                                                    test_arm_position(&arm, arm.bones.lower)));
    sn_arm_state kept = {0};
    arm.job.state = &kept;
    arm.job.seconds = 1 / 60.0f;
    arm.job.hand = SN_HAND_EXACT;
    float before[4];
    const double step = 4 * pi / 720;
    for (int i = 0; i <= 720; i++) {
        sn_dquat q = sn_dquat_multiply(about(fore, step * i), start);
        arm.job.orientation[0] = (float)q.x, arm.job.orientation[1] = (float)q.y;
        arm.job.orientation[2] = (float)q.z, arm.job.orientation[3] = (float)q.w;
        test_figure_relax(&arm.figure);
        sn_arm_output out = test_arm_solve(&arm);
        assert_true(fabs((double)out.twist - step * i) <= 1e-4);
        const float *lower = arm.figure.local[arm.bones.lower].rotation;
        if (i > 0)
            assert_true(test_rotation_angle(before, lower) <= step + 1e-3);
        memcpy(before, lower, sizeof before);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact),
        cmocka_unit_test(test_grip_as_posed),
        cmocka_unit_test(test_wrist_limits),
        cmocka_unit_test(test_wrist_senses),
        cmocka_unit_test(test_free_roll),
        cmocka_unit_test(test_shares),
        cmocka_unit_test(test_beyond_half_a_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
