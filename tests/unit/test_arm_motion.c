/* Arms over time: sweeps of the target across the reach, the torso and the limits, in steps of half
 * a millimetre. Nothing pops: no joint turns by more than a bound for each step, and the bound
 * holds when the steps are made finer. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/arms.h"

static const double degree = 3.14159265358979323846 / 180;

typedef struct path {
    sn_dvec3 from, to; /* from the shoulder: out, up, forward */
} path;

typedef struct sweep {
    double most;                  /* that a joint of the chain turns in the model over a step */
    int frames, reached, limited; /* limited: by the wrist */
} sweep;

static sweep sweep_along(test_arm *arm, const path *line, int steps) {
    sn_dquat before[SN_ARM_CHAIN];
    sweep out = {.frames = steps + 1};
    for (int i = 0; i <= steps; i++) {
        double t = (double)i / steps;
        sn_dvec3 at = sn_dvec3_add(sn_dvec3_scale(line->from, 1 - t), sn_dvec3_scale(line->to, t));
        test_figure_relax(&arm->figure);
        test_arm_target(arm, test_arm_body(arm, at.x, at.y, at.z));
        uint32_t flags = test_arm_solve(arm).flags;
        out.reached += !!(flags & SN_TWO_BONE_REACHED);
        out.limited += !!(flags & SN_ARM_WRIST_LIMITED);
        for (uint32_t k = 0; k < arm->arm.chain_count; k++) {
            sn_dquat now = sn_dquat_unit(test_figure_rotation(&arm->figure, arm->arm.chain[k]));
            sn_dquat r = sn_dquat_multiply(now, sn_dquat_conjugate(before[k]));
            if (i > 0)
                out.most =
                    fmax(out.most, 2 * atan2(sqrt(r.x * r.x + r.y * r.y + r.z * r.z), fabs(r.w)));
            before[k] = now;
        }
    }
    return out;
}

/* In steps of half a millimetre and of an eighth. */
static sweep assert_smooth(test_arm *arm, const path *p, double per_millimetre) {
    double whole = sn_dvec3_length(sn_dvec3_subtract(p->to, p->from));
    sweep out = {0};
    for (int parts = 2; parts <= 8; parts *= 4) {
        out = sweep_along(arm, p, (int)(whole * 1000) * parts);
        assert_true(out.most <= per_millimetre / parts);
    }
    return out;
}

/* Out through the reach: the arm straightens as clavicle and spine set in, and back. */
static void test_across_the_reach(void **state) {
    (void)state;
    static const path paths[] = {{{0, -0.1, 0.3}, {0, -0.1, 0.9}},
                                 {{0.3, 0, 0}, {0.9, 0.1, 0}},
                                 {{0.05, 0.3, 0.05}, {0.1, 0.9, 0.1}},
                                 {{-0.1, -0.1, 0.3}, {-0.7, -0.1, 0.4}},
                                 {{0.1, -0.3, 0.2}, {0.2, -0.9, 0.4}},
                                 {{-0.3, -0.2, 0.45}, {0.6, 0.1, 0.45}}}; /* along its edge */
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        test_arm arm;
        test_arm_make(&arm, &(test_figure_shape){.facing = 1}, SN_LIMB_LEFT_ARM);
        arm.options.spine = 1;
        arm.options.soften = 0.97f;
        sweep out = assert_smooth(&arm, &paths[i], 1 * degree);
        assert_true(out.reached > 0 && out.reached < out.frames);
    }
}

static void test_past_the_torso(void **state) {
    (void)state;
    static const path paths[] = {{{-0.35, -0.2, 0.25}, {0.3, -0.2, 0.25}},
                                 {{-0.1, -0.4, 0.25}, {-0.1, 0.2, 0.25}},
                                 {{0.3, -0.3, -0.1}, {-0.1, -0.3, -0.2}},
                                 {{-0.2, -0.3, 0.4}, {-0.2, -0.3, 0.15}}};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        test_arm arm;
        test_arm_make(&arm, &(test_figure_shape){.facing = 1}, SN_LIMB_RIGHT_ARM);
        sn_capsule torso = {.joint = test_figure_joint(&arm.figure, SN_HUMAN_CHEST),
                            .a = {0, -0.15f, 0},
                            .b = {0, 0.12f, 0},
                            .radius = 0.14f};
        arm.options.capsules = &torso;
        arm.options.capsule_count = 1;
        sweep out = assert_smooth(&arm, &paths[i], 1 * degree);
        assert_int_equal(out.reached, out.frames);
    }
}

/* In and out of the shoulder's range. The last one comes from where only an elbow held high helps
 * to where only a low one does. */
static void test_across_shoulder_limits(void **state) {
    (void)state;
    static const path paths[] = {{{0.35, -0.2, 0.1}, {0.1, 0.4, 0.1}},
                                 {{0.1, -0.3, 0.3}, {-0.4, 0, 0.15}},
                                 {{0.1, -0.35, 0.2}, {0, -0.3, -0.2}},
                                 {{0.3, 0, 0.2}, {0.3, 0, -0.35}}};
    sn_arm_limits limits = sn_arm_limits_human();
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        test_arm arm;
        test_arm_make(&arm, &(test_figure_shape){.facing = 1}, SN_LIMB_LEFT_ARM);
        arm.options.limits = &limits;
        (void)assert_smooth(&arm, &paths[i], i < 3 ? 0.5 * degree : 5 * degree);
    }
}

/* The hand round an upright pole, thumb up and fingers forwards, or as near to that as the wrist
 * allows: it leaves the range on each path, but not all the way to its far side, where what is
 * nearest is two things. */
static void test_across_wrist_limits(void **state) {
    (void)state;
    static const path paths[] = {{{0.3, -0.2, 0.2}, {-0.3, -0.15, 0.3}},
                                 {{0, -0.35, 0.2}, {0, 0.35, 0.3}},
                                 {{0.1, -0.3, 0.35}, {0.1, -0.3, 0.05}}};
    sn_arm_limits limits = sn_arm_limits_human();
    for (size_t i = 0; i < 2 * sizeof paths / sizeof *paths; i++) {
        test_arm arm;
        test_arm_make(&arm, &(test_figure_shape){.facing = 1}, SN_LIMB_LEFT_ARM);
        arm.options.limits = &limits;
        arm.job.hand = i % 2 ? SN_HAND_FREE_ROLL : SN_HAND_EXACT;
        for (int c = 0; c < 4; c++)
            arm.job.orientation[c] = c < 3 ? -0.5f : 0.5f; /* x to z, z to y, y to x */
        arm.job.roll_axis[1] = 1;
        arm.job.grip[0] = 0.07f;
        arm.job.grip[1] = -0.03f;
        sweep out = assert_smooth(&arm, &paths[i / 2], 2 * degree);
        if (i != 1) /* rolling keeps the wrist inside there */
            assert_true(out.limited > 0 && out.limited < out.frames);
    }
}

/* Each frame is a function of its target: back at the start, the same bits. */
static void test_stateless(void **state) {
    (void)state;
    test_arm arm;
    test_arm_make(&arm, &(test_figure_shape){.facing = 1}, SN_LIMB_LEFT_ARM);
    sn_transform first[TEST_FIGURE_JOINTS];
    for (int i = 0; i <= 360; i++) {
        double angle = i % 360 * degree;
        test_figure_relax(&arm.figure);
        test_arm_target(&arm, (sn_dvec3){0.1 + 0.2 * cos(angle), 0.2 * sin(angle), 0.3});
        (void)test_arm_solve(&arm);
        if (i == 0)
            memcpy(first, arm.figure.local, sizeof first);
    }
    assert_memory_equal(first, arm.figure.local, sizeof first);
}

/* With a state the elbow comes to where a pole that jumps sends it, at the bend's rate. */
static void test_state_follows(void **state) {
    (void)state;
    test_arm arm;
    test_arm_make(&arm, &(test_figure_shape){.facing = 1}, SN_LIMB_LEFT_ARM);
    sn_arm_state kept = {0};
    arm.job.state = &kept;
    arm.job.seconds = 0.05f;
    arm.options.bend = SN_ARM_BEND_DIRECTION;
    arm.options.pole[1] = -1;
    test_arm_target(&arm, (sn_dvec3){0, 0, 0.4});
    sn_dvec3 before = {0, -1, 0};
    int frames = 0;
    for (int i = 0; i < 20; i++) {
        test_figure_relax(&arm.figure);
        (void)test_arm_solve(&arm);
        test_placed placed = {.root = test_arm_position(&arm, arm.bones.upper),
                              .middle = test_arm_position(&arm, arm.bones.lower),
                              .end = test_arm_position(&arm, arm.bones.hand)};
        sn_dvec3 bend = test_limb_bend(&placed);
        double turn = test_angle(before, bend);
        assert_true(turn <= 6 * 0.05 + 1e-4); /* two bones' rate, radians a second */
        frames += turn > 1e-4;
        before = bend;
        arm.options.pole[1] = 0;
        arm.options.pole[0] = 1;
    }
    assert_int_equal(frames, 6); /* a quarter of a turn */
    assert_true(test_angle(before, (sn_dvec3){1, 0, 0}) <= 1e-4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_across_the_reach),
        cmocka_unit_test(test_past_the_torso),
        cmocka_unit_test(test_across_shoulder_limits),
        cmocka_unit_test(test_across_wrist_limits),
        cmocka_unit_test(test_stateless),
        cmocka_unit_test(test_state_follows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
