/* Two-bone inverse kinematics over time: nothing creeps in, nothing jumps. And what it refuses. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "rig/reach.h"
#include "tests/unit/limbs.h"

#define PI 3.14159265358979323846

static const double length = 0.55, degree = PI / 180;

/* The target goes round a circle. How far the upper bone has turned between the first frame and the
 * same place after the last round, radians. */
static double turned_after(test_limb *limb, int rounds, bool feeds_back) {
    sn_two_bone_output first = {0}, last = {0};
    for (int i = 0; i <= 360 * rounds; i++) {
        double angle = 2 * PI * (i % 360) / 360;
        test_store3(limb->job.target, (sn_dvec3){0.35, 0.2 * cos(angle), 0.2 * sin(angle)});
        last = test_limb_solve(limb);
        if (i == 0)
            first = last;
        if (feeds_back) {
            memcpy(limb->joints[0].rotation, last.root_rotation, sizeof last.root_rotation);
            memcpy(limb->joints[1].rotation, last.middle_rotation, sizeof last.middle_rotation);
        }
    }
    return test_rotation_angle(first.root_rotation, last.root_rotation);
}

/* With a state too, which lasts from round to round. Started from its own output each frame, a limb
 * that takes the shortest way is rolled by some 40 degrees in each round, which this would see. */
static void test_closed_loop(void **state) {
    (void)state;
    for (int i = 0; i < 4; i++) {
        test_limb limb;
        test_limb_arm(&limb);
        sn_two_bone_state bend = {0};
        limb.options.roll = i & 1 ? SN_ROLL_KEEP : SN_ROLL_HINGE;
        if (i & 2) {
            limb.job.state = &bend;
            limb.job.seconds = 1 / 60.0f;
        }
        assert_true(turned_after(&limb, 10, false) <= 1e-5 * degree);
    }
    test_limb limb;
    test_limb_arm(&limb);
    limb.options.roll = SN_ROLL_KEEP;
    assert_true(turned_after(&limb, 1, true) > 30 * degree);
}

/* The hand passes the pole's direction at some distance from it, 240 frames at 60 a second. */
static double fastest_bend(test_limb *limb, double offset) {
    sn_dvec3 before = {0};
    double fastest = 0;
    for (int i = 0; i < 240; i++) {
        test_store3(limb->job.target, (sn_dvec3){-0.25 + 0.5 * (i + 0.5) / 240, offset, 0.4});
        sn_two_bone_output out = test_limb_solve(limb);
        assert_true(out.flags & SN_TWO_BONE_REACHED);
        test_placed placed = test_limb_place(limb, &out);
        sn_dvec3 bend = test_limb_bend(&placed);
        if (i > 0)
            fastest = fmax(fastest, test_angle(before, bend));
        before = bend;
    }
    return fastest;
}

static void test_past_the_pole(void **state) {
    (void)state;
    static const double offsets[] = {0.1, 0.03, 0.01, 0.003, 0};
    for (int i = 0; i < 5; i++) {
        test_limb limb;
        test_limb_arm(&limb);
        sn_two_bone_state bend = {0};
        limb.options.bend = SN_BEND_DIRECTION;
        limb.options.pole[2] = 1;
        limb.job.state = &bend;
        limb.job.seconds = 1 / 60.0f;
        assert_true(fastest_bend(&limb, offsets[i]) <= 6.0 / 60 + 0.1 * degree);
        limb.options.bend_rate = 3;
        bend = (sn_two_bone_state){0};
        assert_true(fastest_bend(&limb, offsets[i]) <= 3.0 / 60 + 0.1 * degree);

        limb.job.state = NULL;
        if (offsets[i] <= 0.003) /* that there is something to limit */
            assert_true(fastest_bend(&limb, offsets[i]) > 30 * degree);

        limb.options.bend = SN_BEND_FIELD;
        test_store3(limb.options.field_reach, (sn_dvec3){0.2, -0.5, 0.8});
        test_store3(limb.options.field_bend, (sn_dvec3){0.3, -1, -0.5});
        assert_true(fastest_bend(&limb, offsets[i]) <= 1 * degree);
    }
}

/* A state that is far from the wish comes to it, and zeros take it at once. */
static void test_state_follows(void **state) {
    (void)state;
    test_limb limb;
    test_limb_arm(&limb);
    limb.options.bend = SN_BEND_DIRECTION;
    limb.options.pole[1] = 1;
    test_store3(limb.job.target, (sn_dvec3){0.4, 0, 0});
    sn_two_bone_state bend = {0};
    limb.job.state = &bend;
    limb.job.seconds = 0.1f;
    (void)test_limb_solve(&limb);
    assert_true(test_angle(test_dvec3(bend.bend), (sn_dvec3){0, 1, 0}) < 1e-6);
    bend = (sn_two_bone_state){{0, 0, 1}};
    for (int i = 1; i <= 4; i++) {
        (void)test_limb_solve(&limb);
        double expected = fmax(0, PI / 2 - 0.6 * i);
        assert_true(fabs(test_angle(test_dvec3(bend.bend), (sn_dvec3){0, 1, 0}) - expected) < 1e-5);
    }
}

static void test_full_extension(void **state) {
    (void)state;
    test_limb limb;
    test_limb_make(
        &limb, &(test_limb_shape){.upper = {0.3, 0, 0}, .fore = {0, 0, 0.3}, .axis = {1, 0, 0}});
    limb.options.soften = 0.97f;
    double before = 0;
    for (int i = 0; i <= 2000; i++) {
        limb.job.target[0] = (float)(0.5 + 0.0001 * i);
        limb.job.target[2] = 0;
        sn_two_bone_output out = test_limb_solve(&limb);
        test_placed placed = test_limb_place(&limb, &out);
        double flexion = test_limb_flexion(&placed);
        if (i > 0) {
            assert_true(before - flexion <= 0.1 * degree);
            assert_true(flexion <= before + 1e-4 * degree);
        }
        before = flexion;
    }
}

static void test_soft_reach(void **state) {
    (void)state;
    sn_two_bone_options options = {.soften = 0.95f};
    sn_reach reach = sn_reach_make(0.4, 0.2, &options);
    const double step = 1e-6, starts[2] = {reach.high - reach.band, reach.low + reach.band};
    for (int i = 0; i < 2; i++) {
        uint32_t flags = 0;
        double at = sn_reach_clamp(&reach, starts[i], &flags);
        double above = sn_reach_clamp(&reach, starts[i] + step, &flags);
        double below = sn_reach_clamp(&reach, starts[i] - step, &flags);
        assert_true(fabs(at - starts[i]) < 1e-12);
        assert_true(fabs((above - at) / step - (at - below) / step) < 1e-3);
        assert_true(fabs((above - at) / step - 1) < 1e-3);
    }
    double before = 0;
    for (int i = 0; i <= 1000; i++) { /* never over, never back */
        uint32_t flags = 0;
        double distance = sn_reach_clamp(&reach, 0.001 * i, &flags);
        assert_true(distance >= reach.low && distance <= reach.high && distance >= before);
        bool is_soft = 0.001 * i > starts[0] || 0.001 * i < starts[1];
        assert_int_equal(!!(flags & SN_TWO_BONE_SOFTENED), is_soft);
        before = distance;
    }
    uint32_t flags = 0;
    assert_true(reach.high - sn_reach_clamp(&reach, 10, &flags) < 1e-7);
}

/* Near full extension rounding goes to the middle joint, not to the end. */
static void test_middle_jitter(void **state) {
    (void)state;
    for (int i = 0; i < 500; i++) {
        test_limb limb;
        test_limb_arm(&limb);
        limb.options.bend = SN_BEND_DIRECTION;
        limb.options.pole[1] = 1;
        sn_dvec3 direction = {cos(0.01 * i), 0, sin(0.01 * i)};
        test_store3(limb.job.target, sn_dvec3_scale(direction, length - 1e-4));
        sn_two_bone_output out = test_limb_solve(&limb);
        sn_dvec3 middle = test_limb_place(&limb, &out).middle;
        int axis = i % 2 ? 2 : 0;
        limb.job.target[axis] = nextafterf(limb.job.target[axis], i % 4 < 2 ? 1.0f : -1.0f);
        out = test_limb_solve(&limb);
        assert_true(test_distance(middle, test_limb_place(&limb, &out).middle) <= 3e-6 * length);
    }
}

static void test_flexion_range(void **state) {
    (void)state;
    test_random random = {18};
    double low = 10 * degree, high = 145 * degree;
    double nearest = sqrt(0.3 * 0.3 + 0.25 * 0.25 + 2 * 0.3 * 0.25 * cos(high));
    double farthest = sqrt(0.3 * 0.3 + 0.25 * 0.25 + 2 * 0.3 * 0.25 * cos(low));
    for (int i = 0; i < 2000; i++) {
        test_limb limb;
        test_limb_arm(&limb);
        limb.options.flexion_min = (float)low;
        limb.options.flexion_max = (float)high;
        double distance = 0.62 * i / 2000;
        test_store3(limb.job.target, sn_dvec3_scale(test_random_direction(&random), distance));
        sn_two_bone_output out = test_limb_solve(&limb);
        test_placed placed = test_limb_place(&limb, &out);
        double flexion = test_limb_flexion(&placed);
        assert_true(flexion >= low - 1e-4 && flexion <= high + 1e-4);
        double missing = distance < nearest    ? nearest - distance
                         : distance > farthest ? distance - farthest
                                               : 0;
        assert_true(fabs((double)out.residual - missing) <= 2e-6 * length);
        assert_int_equal(!!(out.flags & SN_TWO_BONE_REACHED), missing <= 1e-5 * length);
        bool is_limited = missing > 0 && distance > 0.05 + 0.25e-4 && distance < 0.55 - 0.25e-4;
        assert_int_equal(!!(out.flags & SN_TWO_BONE_LIMITED), is_limited);
    }
    assert_true(fabs(nearest - 0.17) < 0.005);
}

static void rotation_rows(const float q[4], double rows[3][3]) {
    double x = (double)q[0], y = (double)q[1], z = (double)q[2], w = (double)q[3];
    double r[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                      {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                      {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    memcpy(rows, r, sizeof r);
}

static void test_orientation(void **state) {
    (void)state;
    test_random random = {19};
    for (int i = 0; i < 300; i++) {
        test_limb limb;
        test_limb_arm(&limb);
        sn_transform parent = sn_transform_identity();
        test_random_quat(&random, parent.rotation);
        bool is_mirrored = i % 3 == 0;
        if (is_mirrored)
            parent.scale[i % 2] = -1;
        limb.job.parent_world = sn_affine_from_transform(&parent);
        test_random_quat(&random, limb.job.orientation);
        limb.job.is_oriented = true;
        test_store3(limb.job.target, sn_dvec3_scale(test_random_direction(&random), 0.4));
        sn_two_bone_output out = test_limb_solve(&limb);
        test_placed placed = test_limb_place(&limb, &out);
        double rows[3][3];
        rotation_rows(limb.job.orientation, rows);
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++)
                assert_true(fabs(placed.end_axes[r][c] -
                                 rows[r][c] * (is_mirrored && c == 0 ? -1 : 1)) <= 1e-6);
        assert_true(out.flags & SN_TWO_BONE_REACHED);
    }
}

static void test_weight(void **state) {
    (void)state;
    test_random random = {21};
    for (int i = 0; i < 300; i++) {
        test_limb limb;
        test_limb_arm(&limb);
        if (i % 2) /* the same rotation, other sign: a blend that is not minded goes the long way */
            for (int c = 0; c < 4; c++)
                limb.joints[0].rotation[c] *= -1;
        limb.job.is_oriented = true;
        test_random_quat(&random, limb.job.orientation);
        test_store3(limb.job.target, sn_dvec3_scale(test_random_direction(&random), 0.4));
        sn_two_bone_output full = test_limb_solve(&limb);
        limb.job.weight = 0;
        sn_two_bone_output none = test_limb_solve(&limb);
        assert_memory_equal(none.root_rotation, limb.joints[0].rotation, sizeof none.root_rotation);
        assert_memory_equal(none.middle_rotation, limb.joints[1].rotation,
                            sizeof none.middle_rotation);
        assert_memory_equal(none.end_rotation, limb.joints[2].rotation, sizeof none.end_rotation);
        double whole[3] = {test_rotation_angle(none.root_rotation, full.root_rotation),
                           test_rotation_angle(none.middle_rotation, full.middle_rotation),
                           test_rotation_angle(none.end_rotation, full.end_rotation)};
        double before[3] = {0};
        for (int k = 1; k <= 10; k++) {
            limb.job.weight = 0.1f * (float)k;
            limb.job.weight = k == 10 ? 1 : limb.job.weight;
            sn_two_bone_output out = test_limb_solve(&limb);
            double now[3] = {test_rotation_angle(none.root_rotation, out.root_rotation),
                             test_rotation_angle(none.middle_rotation, out.middle_rotation),
                             test_rotation_angle(none.end_rotation, out.end_rotation)};
            for (int j = 0; j < 3; j++) { /* never beyond, never back */
                assert_true(now[j] <= whole[j] + 1e-6 && now[j] >= before[j] - 1e-6);
                before[j] = now[j];
            }
            if (k == 10)
                assert_memory_equal(&full, &out, sizeof full);
        }
    }
}

static void test_swivel(void **state) {
    (void)state;
    test_limb limb;
    test_limb_arm(&limb);
    limb.options.bend = SN_BEND_DIRECTION;
    limb.options.pole[1] = 1;
    test_store3(limb.job.target, (sn_dvec3){0.4, 0, 0});
    limb.options.swivel = 0.5f;
    sn_two_bone_output out = test_limb_solve(&limb);
    test_placed placed = test_limb_place(&limb, &out);
    assert_true(test_angle(test_limb_bend(&placed), (sn_dvec3){0, cos(0.5), sin(0.5)}) < 1e-5);
}

static void test_stretch(void **state) {
    (void)state;
    for (int i = 0; i <= 40; i++) {
        double ratio = 0.9 + 0.01 * i;
        test_limb limb;
        test_limb_arm(&limb);
        limb.options.stretch_max = 1.2f;
        test_store3(limb.job.target, (sn_dvec3){0, ratio * length, 0});
        sn_two_bone_output out = test_limb_solve(&limb);
        double stretch = ratio < 1 ? 1 : ratio < 1.2 ? ratio : 1.2;
        assert_true(fabs((double)out.stretch - stretch) < 1e-6);
        assert_int_equal(!!(out.flags & SN_TWO_BONE_STRETCHED), ratio > 1 + 1e-7);
        test_placed placed = test_limb_place(&limb, &out);
        double reach = fmin(ratio, stretch * (1 - 0.25e-4 / length));
        assert_true(fabs(sn_dvec3_length(placed.end) - reach * length) < 2e-6 * length);
    }
}

/* The frame of the chain may be anywhere: it is the caller's matrix that loses digits far out. */
static void test_far_from_origin(void **state) {
    (void)state;
    static const float far[] = {0, 1e3f, 1e5f};
    test_random random = {23};
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 100; i++) {
            test_limb limb;
            test_limb_arm(&limb);
            limb.job.parent_world.m[0][3] = far[k];
            sn_dvec3 local = sn_dvec3_scale(test_random_direction(&random), 0.4);
            test_store3(limb.job.target, local);
            limb.job.target[0] += far[k];
            sn_two_bone_output out = test_limb_solve(&limb);
            test_placed placed = test_limb_place(&limb, &out);
            /* The target as it was stored, which is what can be reached. */
            assert_true(test_distance(placed.end, test_dvec3(limb.job.target)) <= 1e-6 * length);
        }
}

static void test_twist_joints(void **state) {
    (void)state;
    test_random random = {24};
    for (int i = 0; i < 500; i++) {
        test_limb limb;
        test_limb_make(
            &limb, &(test_limb_shape){.upper = sn_dvec3_scale(test_random_direction(&random), 0.3),
                                      .fore = sn_dvec3_scale(test_random_direction(&random), 0.25),
                                      .axis = {0, 1, 0},
                                      .has_twist = true});
        limb.options.roll = i % 2 ? SN_ROLL_KEEP : SN_ROLL_HINGE;
        test_store3(limb.job.target, sn_dvec3_scale(test_random_direction(&random), 0.4));
        sn_two_bone_output out = test_limb_solve(&limb);
        test_placed placed = test_limb_place(&limb, &out);
        assert_true(test_distance(placed.end, test_dvec3(limb.job.target)) <= 1e-6 * length);
        assert_true(out.flags & SN_TWO_BONE_REACHED);
    }
}

/* The root mirrors its own children, as a joint of a model that was mirrored by scale does. */
static void test_mirroring_root(void **state) {
    (void)state;
    test_random random = {26};
    for (int i = 0; i < 500; i++) {
        test_limb limb;
        test_limb_make(
            &limb, &(test_limb_shape){.upper = sn_dvec3_scale(test_random_direction(&random), 0.3),
                                      .fore = sn_dvec3_scale(test_random_direction(&random), 0.25),
                                      .axis = {0, 1, 0},
                                      .roll = 1,
                                      .has_twist = i % 4 < 2});
        float scale = i % 3 ? 2 : 0.5f;
        for (int c = 0; c < 3; c++)
            limb.joints[0].scale[c] = c == i % 5 || i % 5 > 2 ? -scale : scale;
        limb.options.roll = i % 2 ? SN_ROLL_KEEP : SN_ROLL_HINGE;
        double reach = (double)scale * length;
        test_store3(limb.job.target, sn_dvec3_scale(test_random_direction(&random), 0.7 * reach));
        sn_two_bone_output out = test_limb_solve(&limb);
        test_placed placed = test_limb_place(&limb, &out);
        assert_true(test_distance(placed.end, test_dvec3(limb.job.target)) <= 1e-6 * reach);
        assert_true(out.flags & SN_TWO_BONE_REACHED);
        assert_false(out.flags & SN_TWO_BONE_SHEARED);
    }
}

/* Above the chain any scale is solved exactly; within it, by search and with a flag. */
static void test_uneven_scale(void **state) {
    (void)state;
    test_random random = {25};
    int reached = 0;
    for (int i = 0; i < 2000; i++) {
        test_limb limb;
        test_limb_make(
            &limb, &(test_limb_shape){.upper = sn_dvec3_scale(test_random_direction(&random), 0.3),
                                      .fore = sn_dvec3_scale(test_random_direction(&random), 0.25),
                                      .axis = {0, 0, 1},
                                      .has_twist = i % 4 < 2});
        bool is_inside = i % 2;
        limb.options.bend = i % 5 ? SN_BEND_POSE : SN_BEND_DIRECTION;
        limb.options.pole[1] = 1;
        sn_transform parent = sn_transform_identity();
        test_random_quat(&random, parent.rotation);
        float *scale = is_inside ? limb.joints[0].scale : parent.scale;
        scale[0] = test_random_between(&random, 0.5f, 2);
        scale[1] = i % 3 ? 2 : -2;
        limb.job.parent_world = sn_affine_from_transform(&parent);
        sn_dvec3 local = sn_dvec3_scale(test_random_direction(&random), 0.35);
        float at[3];
        test_store3(at, local);
        for (int r = 0; r < 3; r++)
            limb.job.target[r] = limb.job.parent_world.m[r][0] * at[0] +
                                 limb.job.parent_world.m[r][1] * at[1] +
                                 limb.job.parent_world.m[r][2] * at[2];
        sn_two_bone_output out = test_limb_solve(&limb);
        test_placed placed = test_limb_place(&limb, &out);
        double miss = test_distance(placed.end, test_dvec3(limb.job.target));
        assert_int_equal(!!(out.flags & SN_TWO_BONE_SHEARED), is_inside);
        assert_true(fabs((double)out.residual - miss) <= 3e-6 * length);
        if (out.flags & SN_TWO_BONE_REACHED) {
            assert_true(miss <= 1e-4 * length);
            reached++;
        } else {
            assert_true(is_inside && (out.flags & (SN_TWO_BONE_TOO_FAR | SN_TWO_BONE_TOO_NEAR)));
        }
    }
    assert_true(reached > 1800);
}

/* Mirrored in the plane x = 0: rotations have y and z negated. */
static void test_mirrored_arms(void **state) {
    (void)state;
    test_random random = {27};
    for (int i = 0; i < 300; i++) {
        test_limb limbs[2];
        sn_two_bone_output out[2];
        sn_dvec3 upper = test_random_direction(&random), fore = test_random_direction(&random);
        sn_dvec3 target = test_random_direction(&random), pole = test_random_direction(&random);
        for (int side = 0; side < 2; side++) {
            double sign = side ? -1 : 1;
            test_limb_make(&limbs[side],
                           &(test_limb_shape){.upper = {sign * upper.x, upper.y, upper.z},
                                              .fore = {sign * fore.x, fore.y, fore.z},
                                              .axis = {0, 1, 0}});
            limbs[side].options.bend = i % 2 ? SN_BEND_POSE : SN_BEND_POSITION;
            limbs[side].options.roll = i % 4 < 2 ? SN_ROLL_KEEP : SN_ROLL_HINGE;
            test_store3(limbs[side].options.pole, (sn_dvec3){sign * pole.x, pole.y, pole.z});
            test_store3(limbs[side].job.target, (sn_dvec3){sign * target.x, target.y, target.z});
            out[side] = test_limb_solve(&limbs[side]);
        }
        const float *left[] = {out[0].root_rotation, out[0].middle_rotation};
        const float *right[] = {out[1].root_rotation, out[1].middle_rotation};
        for (int k = 0; k < 2; k++) {
            float mirrored[4] = {left[k][0], -left[k][1], -left[k][2], left[k][3]};
            assert_true(test_rotation_angle(mirrored, right[k]) <= 2e-6);
        }
        assert_int_equal(out[0].flags, out[1].flags);
    }
}

/* The axis about which the elbow bends is the same of its bones before and after. */
static void test_hinge(void **state) {
    (void)state;
    test_random random = {28};
    for (int i = 0; i < 300; i++) {
        test_limb limb;
        bool is_straight = i % 2;
        test_limb_make(&limb, &(test_limb_shape){.upper = {0.3, 0, 0},
                                                 .fore = {0.25, 0, is_straight ? 0 : 0.1},
                                                 .axis = {1, 0, 0}});
        /* Flexing +X towards +Z is turning about -Y, which a joint along +X has as its own -Y. */
        if (is_straight)
            limb.options.hinge[1] = -1;
        limb.options.bend = i % 4 < 2 ? SN_BEND_POSE : SN_BEND_DIRECTION;
        test_store3(limb.options.pole, test_random_direction(&random));
        test_store3(limb.job.target, sn_dvec3_scale(test_random_direction(&random), 0.4));
        sn_two_bone_output out = test_limb_solve(&limb);
        /* The elbow's local rotation is one about -Y alone, by what it flexes. */
        assert_true(fabsf(out.middle_rotation[0]) < 1e-6f && fabsf(out.middle_rotation[2]) < 1e-6f);
        assert_true(out.middle_rotation[1] * out.middle_rotation[3] < 0);
        assert_false(out.flags & SN_TWO_BONE_NO_BEND);
    }
}

/* ---- what is refused ---- */

static void assert_refused(test_limb *limb, sn_message_id id) {
    sn_two_bone_output out, before;
    memset(&out, 0xa5, sizeof out);
    before = out;
    sn_error error = {0};
    sn_two_bone_state bend = {{0, 1, 0}};
    limb->job.state = &bend;
    assert_int_equal(sn_two_bone_solve(&limb->job, &out, &error), sn_message_result(id));
    assert_int_equal(error.id, id);
    assert_true(error.text[0]);
    assert_memory_equal(&out, &before, sizeof out);
    assert_memory_equal(&bend, (&(sn_two_bone_state){{0, 1, 0}}), sizeof bend);
    assert_int_equal(sn_two_bone_solve(&limb->job, &out, NULL), sn_message_result(id));
}

static void test_bad_numbers(void **state) {
    (void)state;
    static const float bad[] = {NAN, INFINITY, -INFINITY};
    test_limb limb;
    for (int k = 0; k < 3; k++) {
        test_limb_arm(&limb);
        float *fields[] = {&limb.job.target[1],
                           &limb.job.weight,
                           &limb.job.seconds,
                           &limb.job.parent_world.m[1][2],
                           &limb.joints[0].translation[0],
                           &limb.joints[1].rotation[3],
                           &limb.joints[2].scale[2],
                           &limb.options.pole[0],
                           &limb.options.field_reach[1],
                           &limb.options.field_bend[2],
                           &limb.options.swivel,
                           &limb.options.hinge[0],
                           &limb.options.soften,
                           &limb.options.flexion_min,
                           &limb.options.flexion_max,
                           &limb.options.stretch_max,
                           &limb.options.stretch_start,
                           &limb.options.bend_rate};
        for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
            float good = *fields[i];
            *fields[i] = bad[k];
            assert_refused(&limb, SN_MESSAGE_CHAIN_VALUE);
            *fields[i] = good;
        }
        limb.job.is_oriented = true;
        assert_refused(&limb, SN_MESSAGE_CHAIN_VALUE); /* zeros */
        limb.job.orientation[0] = bad[k];
        assert_refused(&limb, SN_MESSAGE_CHAIN_VALUE);
    }
    static const struct {
        size_t field;
        float value;
    } ranges[] = {{offsetof(sn_two_bone_options, soften), 1.1f},
                  {offsetof(sn_two_bone_options, soften), -0.1f},
                  {offsetof(sn_two_bone_options, flexion_min), 1},
                  {offsetof(sn_two_bone_options, flexion_max), 3.2f},
                  {offsetof(sn_two_bone_options, stretch_max), -1},
                  {offsetof(sn_two_bone_options, stretch_max), 1000.1f},
                  {offsetof(sn_two_bone_options, stretch_start), -1},
                  {offsetof(sn_two_bone_options, bend_rate), -1}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        test_limb_arm(&limb);
        memcpy((char *)&limb.options + ranges[i].field, &ranges[i].value, sizeof(float));
        assert_refused(&limb, SN_MESSAGE_CHAIN_VALUE);
    }
    /* Bones that would grow beyond the floats. */
    test_limb_arm(&limb);
    for (int i = 1; i < 3; i++)
        limb.joints[i].translation[0] = 1e37f;
    limb.job.target[0] = 3e38f;
    sn_two_bone_output out;
    assert_int_equal(sn_two_bone_solve(&limb.job, &out, NULL), SN_OK);
    limb.options.stretch_max = 100;
    assert_refused(&limb, SN_MESSAGE_CHAIN_VALUE);
    test_limb_arm(&limb);
    limb.job.weight = 1.5f;
    assert_refused(&limb, SN_MESSAGE_CHAIN_VALUE);
    test_limb_arm(&limb);
    limb.options.bend = SN_BEND_DIRECTION;
    assert_refused(&limb, SN_MESSAGE_CHAIN_VALUE);
    limb.options.bend = SN_BEND_FIELD;
    assert_refused(&limb, SN_MESSAGE_CHAIN_VALUE);
    limb.options.bend = (sn_bend)9;
    assert_refused(&limb, SN_MESSAGE_CHAIN_VALUE);
}

static void test_no_chain(void **state) {
    (void)state;
    test_limb limb;
    test_limb_arm(&limb);
    limb.job.joint_count = 2;
    assert_refused(&limb, SN_MESSAGE_CHAIN_JOINTS);
    limb.job.joint_count = 0;
    assert_refused(&limb, SN_MESSAGE_CHAIN_JOINTS);
    limb.job.joint_count = 3;
    limb.job.middle = 0;
    assert_refused(&limb, SN_MESSAGE_CHAIN_JOINTS);
    limb.job.middle = 2;
    assert_refused(&limb, SN_MESSAGE_CHAIN_JOINTS);
    limb.job.middle = 1;
    limb.job.joints = NULL;
    assert_refused(&limb, SN_MESSAGE_CHAIN_JOINTS);
}

static void test_no_length(void **state) {
    (void)state;
    for (uint32_t i = 1; i <= 2; i++) {
        test_limb limb;
        test_limb_arm(&limb);
        memset(limb.joints[i].translation, 0, sizeof limb.joints[i].translation);
        assert_refused(&limb, SN_MESSAGE_CHAIN_LENGTH);
    }
    test_limb limb;
    test_limb_arm(&limb);
    limb.joints[0].scale[1] = 0;
    assert_refused(&limb, SN_MESSAGE_CHAIN_LENGTH);
    test_limb_arm(&limb);
    memset(limb.job.parent_world.m[2], 0, sizeof limb.job.parent_world.m[2]);
    assert_refused(&limb, SN_MESSAGE_CHAIN_LENGTH);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closed_loop),   cmocka_unit_test(test_past_the_pole),
        cmocka_unit_test(test_state_follows), cmocka_unit_test(test_full_extension),
        cmocka_unit_test(test_soft_reach),    cmocka_unit_test(test_middle_jitter),
        cmocka_unit_test(test_flexion_range), cmocka_unit_test(test_orientation),
        cmocka_unit_test(test_weight),        cmocka_unit_test(test_swivel),
        cmocka_unit_test(test_stretch),       cmocka_unit_test(test_far_from_origin),
        cmocka_unit_test(test_twist_joints),  cmocka_unit_test(test_mirroring_root),
        cmocka_unit_test(test_uneven_scale),  cmocka_unit_test(test_mirrored_arms),
        cmocka_unit_test(test_hinge),         cmocka_unit_test(test_bad_numbers),
        cmocka_unit_test(test_no_chain),      cmocka_unit_test(test_no_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
