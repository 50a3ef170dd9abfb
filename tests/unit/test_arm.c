/* An arm: it reaches, whatever the axes and the rest pose; the elbow is where people have it and
 * keeps clear; clavicle and spine help; nothing else moves. And what it refuses. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "rig/joint_range.h"
#include "tests/unit/arms.h"

static const double length = TEST_ARM_LENGTH, degree = 3.14159265358979323846 / 180;

static sn_dquat dquat(const float q[4]) {
    return sn_dquat_unit((sn_dquat){(double)q[0], (double)q[1], (double)q[2], (double)q[3]});
}

static double turned_by(const float a[4], const float b[4]) {
    return test_rotation_angle(a, b);
}

static void test_reach(void **state) {
    (void)state;
    test_random random = {1};
    for (int i = 0; i < 4000; i++) {
        test_arm arm;
        test_arm_random(&arm, &random);
        test_arm_shake(&arm, &random, 0.3f);
        arm.options.clavicle = -1;
        double distance = length * (double)test_random_between(&random, 0.15f, 0.9f);
        test_arm_target(&arm, sn_dvec3_scale(test_random_direction(&random), distance));
        sn_transform before[TEST_FIGURE_JOINTS];
        memcpy(before, arm.figure.local, sizeof before);
        sn_arm_output out = test_arm_solve(&arm);
        assert_true(out.flags & SN_TWO_BONE_REACHED);
        sn_dvec3 hand = test_arm_position(&arm, arm.bones.hand);
        assert_true(test_distance(hand, test_dvec3(arm.job.target)) <= 3e-6 * length);
        assert_true(test_distance(hand, test_dvec3(out.hand_position)) <= 1e-5 * length);
        assert_true(test_distance(test_arm_position(&arm, arm.bones.lower),
                                  test_dvec3(out.elbow_position)) <= 1e-5 * length);
        for (uint32_t k = 0; k < arm.figure.joints.count; k++) {
            sn_transform *now = &arm.figure.local[k];
            bool is_arm = k == arm.bones.upper || k == arm.bones.lower ||
                          (arm.arm.lower > arm.arm.upper + 1 &&
                           sn_joints_is_above(&arm.figure.joints, arm.bones.upper, k) &&
                           sn_joints_is_above(&arm.figure.joints, k, arm.bones.lower));
            if (is_arm) /* only its rotation */
                memcpy(now->rotation, before[k].rotation, sizeof now->rotation);
            assert_memory_equal(now, &before[k], sizeof *now);
        }
    }
}

/* A root that turns, scales and mirrors takes the whole solution along. */
static void test_any_root(void **state) {
    (void)state;
    test_random random = {2};
    sn_arm_limits limits = sn_arm_limits_human();
    sn_capsule torso = {.joint = SN_NONE, .radius = 0.12f};
    for (int i = 0; i < 1000; i++) {
        test_arm arm;
        test_arm_random(&arm, &random);
        arm.options.spine = 1;
        if (i % 2)
            arm.options.limits = &limits;
        test_arm_target(&arm, sn_dvec3_scale(test_random_direction(&random),
                                             (double)test_random_between(&random, 0.1f, 0.8f)));
        torso.joint = test_figure_joint(&arm.figure, SN_HUMAN_CHEST);
        arm.options.capsules = &torso;
        float scale = test_random_between(&random, 0.5f, 2) * (i % 4 < 2 ? 0.01f : 10);
        torso.radius = 0.12f;
        arm.options.thickness = 0.04f;
        arm.options.capsule_count = i % 3 == 0;
        sn_arm_output at_home = test_arm_solve(&arm);
        sn_dvec3 elbow = test_arm_position(&arm, arm.bones.lower);
        sn_dvec3 hand = test_arm_position(&arm, arm.bones.hand);

        sn_transform motion = sn_transform_identity();
        test_random_quat(&random, motion.rotation);
        for (int c = 0; c < 3; c++) {
            motion.scale[c] = scale * (c == i % 5 ? -1.0f : 1.0f);
            motion.translation[c] = scale * test_random_between(&random, -1, 1);
        }
        sn_affine root = sn_affine_from_transform(&motion);
        float target[3];
        for (int r = 0; r < 3; r++)
            target[r] = root.m[r][0] * arm.job.target[0] + root.m[r][1] * arm.job.target[1] +
                        root.m[r][2] * arm.job.target[2] + root.m[r][3];
        memcpy(arm.job.target, target, sizeof target);
        arm.figure.joints.root = root;
        arm.options.thickness *= scale;
        test_figure_relax(&arm.figure);
        sn_arm_output out = test_arm_solve(&arm);
        arm.figure.joints.root = sn_affine_identity();
        assert_true(test_distance(elbow, test_arm_position(&arm, arm.bones.lower)) <= 1e-4);
        assert_true(test_distance(hand, test_arm_position(&arm, arm.bones.hand)) <= 3e-5);
        assert_true(fabs((double)(out.residual / scale - at_home.residual)) <= 3e-5);
    }
}

/* Far from the world's origin a target has few digits left, and the arm reaches what is left. */
static void test_far_from_origin(void **state) {
    (void)state;
    static const float far[] = {0, 1e3f, 1e5f};
    test_random random = {10};
    for (int i = 0; i < 600; i++) {
        test_arm arm;
        test_arm_random(&arm, &random);
        arm.options.bend = (sn_arm_bend)(i / 3 % 3);
        arm.figure.joints.root.m[0][3] = far[i % 3];
        arm.figure.joints.root.m[2][3] = -far[i % 3];
        double distance = length * (double)test_random_between(&random, 0.3f, 0.8f);
        test_arm_target(&arm, sn_dvec3_scale(test_random_direction(&random), distance));
        sn_dvec3 pole = test_arm_position(&arm, arm.bones.upper);
        test_store3(arm.options.pole, sn_dvec3_add(pole, test_random_direction(&random)));
        sn_arm_output out = test_arm_solve(&arm);
        assert_true(out.flags & SN_TWO_BONE_REACHED);
        assert_true(test_distance(test_arm_position(&arm, arm.bones.hand),
                                  test_dvec3(arm.job.target)) <= 5e-6 * length);
    }
}

/* Where people hold the elbow, seen from the shoulder, when the wrist is there: out, up, forward.
 * Judged by eye from one's own arm, so to 35 degrees. */
static void test_natural_elbow(void **state) {
    (void)state;
    static const struct {
        double wrist[3], elbow[3];
    } reaches[] = {
        {{0, 0, 0.45}, {0.35, -0.95, 0}},            /* forwards */
        {{0.43, 0, 0}, {0, -0.75, -0.65}},           /* to the side */
        {{0.03, 0.48, 0.06}, {0.85, 0, 0.5}},        /* overhead */
        {{0, -0.45, 0.05}, {0.25, 0, -0.97}},        /* hanging */
        {{-0.32, -0.07, 0.31}, {0.35, -0.85, 0.3}},  /* across the chest */
        {{-0.17, -0.32, -0.19}, {0.75, -0.1, -0.6}}, /* the small of the back */
        {{-0.17, 0.13, 0.16}, {0.35, -0.8, 0.5}},    /* the mouth */
        {{-0.34, 0, 0.09}, {0.15, -0.6, 0.78}},      /* the other shoulder */
        {{-0.12, -0.12, 0.21}, {0.45, -0.85, -0.1}}, /* the chest */
        {{0, -0.3, 0.3}, {0.35, -0.65, -0.65}},      /* a table */
        {{-0.07, 0.23, -0.11}, {0.85, 0.4, 0.3}},    /* the nape */
    };
    for (size_t i = 0; i < 2 * sizeof reaches / sizeof *reaches; i++) {
        test_arm arm;
        const double *w = reaches[i / 2].wrist, *e = reaches[i / 2].elbow;
        test_figure_shape shape = {.facing = i % 4 < 2 ? 1 : -1};
        test_arm_make(&arm, &shape, i % 2 ? SN_LIMB_RIGHT_ARM : SN_LIMB_LEFT_ARM);
        test_arm_target(&arm, test_arm_body(&arm, w[0], w[1], w[2]));
        (void)test_arm_solve(&arm);
        test_placed placed = {.root = test_arm_position(&arm, arm.bones.upper),
                              .middle = test_arm_position(&arm, arm.bones.lower),
                              .end = test_arm_position(&arm, arm.bones.hand)};
        sn_dvec3 line = sn_dvec3_unit(sn_dvec3_subtract(placed.end, placed.root));
        sn_dvec3 side = sn_dvec3_across(test_arm_body(&arm, e[0], e[1], e[2]), line);
        assert_true(test_angle(test_limb_bend(&placed), side) <= 35 * degree);
    }
}

/* The elbow flexes about its hinge, forwards out of a T-pose: the forearm does not roll over. */
static void test_flexes_forwards(void **state) {
    (void)state;
    for (int i = 0; i < 4; i++) {
        test_arm arm;
        test_figure_shape shape = {.facing = i < 2 ? 1 : -1};
        test_arm_make(&arm, &shape, (sn_limb_kind)(i % 2));
        arm.options.bend = SN_ARM_BEND_DIRECTION;
        test_store3(arm.options.pole, test_arm_body(&arm, 0, 0, -1));
        test_arm_target(&arm, test_arm_body(&arm, 0.45, 0, 0));
        (void)test_arm_solve(&arm);
        sn_dvec3 hinge = sn_dvec3_cross(test_arm_body(&arm, 1, 0, 0), test_arm_body(&arm, 0, 0, 1));
        sn_dquat upper = test_figure_rotation(&arm.figure, arm.bones.upper);
        assert_true(test_angle(sn_dquat_rotate(upper, hinge), hinge) <= 1e-5);
    }
}

static void test_leg(void **state) {
    (void)state;
    for (int i = 0; i < 4; i++) {
        test_arm leg;
        test_figure_shape shape = {.facing = i < 2 ? 1 : -1};
        test_arm_make(&leg, &shape, (sn_limb_kind)(SN_LIMB_LEFT_LEG + i % 2));
        test_arm_target(&leg, test_arm_body(&leg, 0.05, -0.6, 0.2));
        sn_arm_output out = test_arm_solve(&leg);
        assert_true(out.flags & SN_TWO_BONE_REACHED);
        sn_dvec3 hip = test_arm_position(&leg, leg.bones.upper);
        sn_dvec3 knee = sn_dvec3_subtract(test_arm_position(&leg, leg.bones.lower), hip);
        sn_dvec3 line = sn_dvec3_unit(test_arm_body(&leg, 0.05, -0.6, 0.2));
        assert_true(test_angle(sn_dvec3_across(knee, line),
                               sn_dvec3_across(test_arm_body(&leg, 0, 0, 1), line)) <= 20 * degree);
    }
}

/* Right is left seen in a mirror, with all that an arm does. */
static void test_mirror(void **state) {
    (void)state;
    test_random random = {3};
    sn_arm_limits limits = sn_arm_limits_human();
    for (int i = 0; i < 1000; i++) {
        test_arm sides[2];
        test_figure_shape shape = {.facing = 1,
                                   .arms_down = (double)test_random_between(&random, 0, 0.9f)};
        sn_dvec3 from = sn_dvec3_scale(test_random_direction(&random),
                                       length * (double)test_random_between(&random, 0.2f, 1.4f));
        float orientation[4], axis[3];
        test_random_quat(&random, orientation);
        test_store3(axis, test_random_direction(&random));
        sn_arm_output out[2];
        sn_capsule torso = {.joint = SN_NONE, .a = {0, 1, 0}, .b = {0, 1.4f, 0}, .radius = 0.13f};
        for (int side = 0; side < 2; side++) {
            test_arm *arm = &sides[side];
            float sign = side ? -1 : 1;
            test_arm_make(arm, &shape, side ? SN_LIMB_RIGHT_ARM : SN_LIMB_LEFT_ARM);
            test_arm_target(arm, test_arm_body(arm, from.x, from.y, from.z));
            arm->options.spine = i % 3 == 0;
            arm->options.limits = i % 2 ? &limits : NULL;
            arm->options.capsules = &torso;
            arm->options.capsule_count = i % 4 > 1;
            arm->job.hand = (sn_hand_orientation)(i % 3);
            arm->job.grip[0] = sign * 0.06f;
            arm->job.grip[1] = -0.02f;
            arm->job.orientation[0] = orientation[0];
            arm->job.orientation[1] = sign * orientation[1];
            arm->job.orientation[2] = sign * orientation[2];
            arm->job.orientation[3] = orientation[3];
            arm->job.roll_axis[0] = axis[0]; /* an axis of rotation */
            arm->job.roll_axis[1] = sign * axis[1];
            arm->job.roll_axis[2] = sign * axis[2];
            out[side] = test_arm_solve(arm);
        }
        assert_int_equal(out[0].flags, out[1].flags);
        assert_true(fabs((double)(out[0].residual - out[1].residual)) <= 1e-5);
        for (uint32_t k = 0; k < sides[0].arm.chain_count; k++) {
            const float *q = sides[0].figure.local[sides[0].arm.chain[k]].rotation;
            const float mirrored[4] = {q[0], -q[1], -q[2], q[3]};
            const float *right = sides[1].figure.local[sides[1].arm.chain[k]].rotation;
            if (!(out[0].flags & SN_ARM_WRIST_LIMITED)) /* whose far side is an edge */
                assert_true(turned_by(mirrored, right) <= 1e-5);
        }
    }
}

/* A target that the arm alone misses is reached with clavicle and spine, within their ranges; one
 * that is near moves neither. */
static void test_body(void **state) {
    (void)state;
    test_random random = {4};
    int helped = 0, tried = 0;
    for (int i = 0; i < 2000; i++) {
        test_arm arm;
        test_arm_random(&arm, &random);
        sn_dvec3 direction =
            sn_dvec3_unit(test_arm_body(&arm, (double)test_random_between(&random, -0.8f, 0.4f),
                                        (double)test_random_between(&random, -0.6f, 0.2f), 1));
        double distance = length * (double)test_random_between(&random, 0.5f, 1.15f);
        test_arm_target(&arm, sn_dvec3_scale(direction, distance));
        arm.options.spine = 1;
        sn_transform before[TEST_FIGURE_JOINTS];
        memcpy(before, arm.figure.local, sizeof before);
        sn_arm_output out = test_arm_solve(&arm);
        assert_int_equal(!!(out.flags & SN_ARM_BODY_MOVED), distance > 0.9 * length);
        if (distance > length) {
            tried++;
            helped += !!(out.flags & SN_TWO_BONE_REACHED);
        } else {
            assert_true(out.flags & SN_TWO_BONE_REACHED);
        }
        double lean = 0;
        for (int k = 0; k < 3; k++) {
            uint32_t joint = arm.bones.spine[k];
            if (distance <= 0.9 * length)
                assert_memory_equal(&before[joint], &arm.figure.local[joint], sizeof before[joint]);
            lean += turned_by(before[joint].rotation, arm.figure.local[joint].rotation);
        }
        assert_true(lean <= 20.01 * degree);
        uint32_t joint = arm.bones.shoulder;
        assert_true(turned_by(before[joint].rotation, arm.figure.local[joint].rotation) <=
                    30.01 * degree);

        memcpy(arm.figure.local, before, sizeof before);
        arm.options.spine = 0;
        arm.options.clavicle = -1;
        out = test_arm_solve(&arm);
        if (fabs(distance - length) > 1e-4) /* but for the margin to straight */
            assert_int_equal(!!(out.flags & SN_TWO_BONE_REACHED), distance < length);
        for (int k = 0; k < 3; k++)
            assert_memory_equal(&before[arm.bones.spine[k]], &arm.figure.local[arm.bones.spine[k]],
                                sizeof before[0]);
    }
    assert_true(tried > 300 && helped > tried * 0.9);
}

/* A clavicle lifts with a raised arm, and stays under one that hangs or points forwards. */
static void test_clavicle_lifts(void **state) {
    (void)state;
    test_random random = {9};
    for (int i = 0; i < 200; i++) {
        test_arm arm;
        test_arm_random(&arm, &random);
        double before = 0;
        for (int k = -90; k <= 90; k += 5) { /* degrees of elevation, to the side */
            test_figure_relax(&arm.figure);
            sn_dvec3 to = test_arm_body(&arm, cos(k * degree), sin(k * degree), 0);
            test_arm_target(&arm, sn_dvec3_scale(to, 0.8 * length));
            sn_dvec3 rest = test_arm_position(&arm, arm.bones.upper);
            sn_arm_output out = test_arm_solve(&arm);
            double lift = test_arm_position(&arm, arm.bones.upper).y - rest.y;
            assert_int_equal(!!(out.flags & SN_ARM_BODY_MOVED), k > 15);
            assert_true(lift >= before - 1e-6 && (k > 15) == (lift > 1e-6));
            before = lift;
        }
        assert_true(before > 0.02 && before < 0.14 * sin(30 * degree));
    }
}

/* Within the ranges, or said not to be; and where it is, on the target. */
static void test_shoulder_limits(void **state) {
    (void)state;
    test_random random = {5};
    sn_arm_limits limits = sn_arm_limits_human();
    int limited = 0, swivelled = 0;
    for (int i = 0; i < 4000; i++) {
        test_arm arm;
        test_arm_random(&arm, &random);
        arm.options.clavicle = -1;
        arm.options.limits = &limits;
        sn_dvec3 from = sn_dvec3_scale(test_random_direction(&random),
                                       length * (double)test_random_between(&random, 0.35f, 0.95f));
        test_arm_target(&arm, from);
        sn_arm_output out = test_arm_solve(&arm);
        sn_joint_away away = sn_joint_measure(&arm.arm.shoulder_zero,
                                              dquat(arm.figure.local[arm.bones.upper].rotation));
        if (!arm.arm.has_twist_joints) { /* they take the twist away from the joint itself */
            double beyond[2];
            sn_joint_beyond(&limits.shoulder, &away, beyond);
            assert_true(beyond[0] <= 1e-4 && beyond[1] <= 1e-4);
        }
        bool is_limited = out.flags & SN_ARM_SHOULDER_LIMITED;
        assert_int_equal(!!(out.flags & SN_TWO_BONE_REACHED), !is_limited);
        double missing =
            test_distance(test_arm_position(&arm, arm.bones.hand), test_dvec3(arm.job.target));
        assert_true(fabs(missing - (double)out.residual) <= 1e-5);
        limited += is_limited;
        swivelled += !is_limited && fabsf(out.swivel) > 0.3f;
    }
    assert_true(limited > 100 && limited < 2000 && swivelled > 100);
}

/* Targets in front of the chest: the arm gives way to the torso, the wrist stays. */
static void test_torso(void **state) {
    (void)state;
    test_random random = {6};
    sn_capsule torso = {.a = {0, -0.05f, 0}, .b = {0, 0.12f, 0}, .radius = 0.15f};
    int freed = 0, met = 0;
    for (int i = 0; i < 2000; i++) {
        test_arm arm;
        test_figure_shape shape = {.facing = i % 4 < 2 ? 1 : -1};
        test_arm_make(&arm, &shape, (sn_limb_kind)(i % 2));
        torso.joint = test_figure_joint(&arm.figure, SN_HUMAN_CHEST);
        arm.options.capsules = &torso;
        arm.options.capsule_count = 1;
        arm.options.clavicle = -1;
        test_arm_target(&arm,
                        test_arm_body(&arm, (double)test_random_between(&random, -0.35f, 0.05f),
                                      (double)test_random_between(&random, -0.25f, 0),
                                      (double)test_random_between(&random, 0.22f, 0.32f)));
        arm.options.capsule_count = 0;
        (void)test_arm_solve(&arm);
        sn_dvec3 elbow = test_arm_position(&arm, arm.bones.lower);
        double inside = 0.19 - hypot(elbow.x, elbow.z); /* the torso stands upright */
        test_figure_relax(&arm.figure);
        arm.options.capsule_count = 1;
        sn_arm_output out = test_arm_solve(&arm);
        assert_true(out.flags & SN_TWO_BONE_REACHED);
        elbow = test_arm_position(&arm, arm.bones.lower);
        if (inside > 0.01 && elbow.y > 1.12) {
            met++;
            freed += 0.19 - hypot(elbow.x, elbow.z) <= 0.01;
        }
        if (!(out.flags & SN_ARM_COLLIDES))
            assert_true(elbow.y < 1.12 || hypot(elbow.x, elbow.z) >= 0.19 - 0.02);
    }
    assert_true(met > 50 && freed > met * 0.9);
}

/* A capsule goes along with the spine that leans: tied to the chest and to the world, where the
 * chest is then, it is the same. */
static void test_capsule_leans(void **state) {
    (void)state;
    test_random random = {11};
    int leaned = 0;
    for (int i = 0; i < 300; i++) {
        test_arm arm;
        test_arm_random(&arm, &random);
        arm.options.spine = 1;
        test_arm_target(&arm,
                        sn_dvec3_scale(sn_dvec3_unit(test_arm_body(&arm, -0.8, -0.3, 0.6)), 0.53));
        uint32_t chest = test_figure_joint(&arm.figure, SN_HUMAN_UPPER_CHEST);
        sn_capsule ball = {.joint = chest, .radius = 0.25f};
        test_store3(ball.a, sn_dvec3_scale(test_random_direction(&random), 0.2));
        memcpy(ball.b, ball.a, sizeof ball.b);
        arm.options.capsules = &ball;
        arm.options.capsule_count = 1;
        sn_arm_output out = test_arm_solve(&arm);
        sn_dvec3 elbow = test_arm_position(&arm, arm.bones.lower);
        sn_affine world = sn_joints_world(&arm.figure.joints, chest);
        for (int r = 0; r < 3; r++)
            ball.b[r] = world.m[r][0] * ball.a[0] + world.m[r][1] * ball.a[1] +
                        world.m[r][2] * ball.a[2] + world.m[r][3];
        memcpy(ball.a, ball.b, sizeof ball.a);
        ball.joint = SN_NONE;
        test_figure_relax(&arm.figure);
        sn_arm_output same = test_arm_solve(&arm);
        assert_true(fabsf(out.swivel - same.swivel) <= 1e-4f);
        assert_true(test_distance(elbow, test_arm_position(&arm, arm.bones.lower)) <= 1e-4);
        leaned += (out.flags & SN_ARM_BODY_MOVED) && fabsf(out.swivel) > 0.05f;
    }
    assert_true(leaned > 30);
}

/* A torso by the skeleton: an arm that hangs is clear of it, a breast bone is inside; and it goes
 * with the joints whatever their axes and scale. */
static void test_torso_by_skeleton(void **state) {
    (void)state;
    test_random random = {8};
    for (int i = 0; i < 100; i++) {
        test_arm arm;
        test_figure_shape shape = {.facing = i % 2 ? 1 : -1, .random = i % 4 ? &random : NULL};
        test_arm_make(&arm, &shape, (sn_limb_kind)(i % 2));
        sn_capsule torso[SN_TORSO_CAPSULES];
        assert_int_equal(sn_torso_capsules(&arm.figure.joints, &arm.figure.humanoid, torso),
                         SN_TORSO_CAPSULES);
        arm.options.capsules = torso;
        arm.options.capsule_count = SN_TORSO_CAPSULES;
        arm.figure.joints.root = sn_affine_identity();
        double scale = i % 3 ? 0.01 : 1;
        for (int r = 0; r < 3; r++)
            arm.figure.joints.root.m[r][r] = (float)scale;
        arm.options.thickness = (float)(0.04 * scale);
        test_arm_target(&arm, sn_dvec3_scale(test_arm_body(&arm, 0, -0.53, 0), scale));
        sn_arm_output out = test_arm_solve(&arm);
        assert_true(!(out.flags & SN_ARM_COLLIDES) && fabsf(out.swivel) < 0.05f);
        test_figure_relax(&arm.figure);
        test_arm_target(&arm, sn_dvec3_scale(test_arm_body(&arm, -0.17, -0.12, 0.05), scale));
        out = test_arm_solve(&arm);
        assert_true(out.flags & SN_ARM_COLLIDES);
    }
    test_arm arm;
    test_arm_make(&arm, &(test_figure_shape){.facing = 1}, SN_LIMB_LEFT_ARM);
    sn_capsule torso[SN_TORSO_CAPSULES];
    arm.figure.humanoid.joints[SN_HUMAN_HIPS] = SN_NONE;
    assert_int_equal(sn_torso_capsules(&arm.figure.joints, &arm.figure.humanoid, torso), 0);
}

static void test_weight(void **state) {
    (void)state;
    test_random random = {7};
    sn_arm_limits limits = sn_arm_limits_human();
    for (int i = 0; i < 500; i++) {
        test_arm arm;
        test_arm_random(&arm, &random);
        test_arm_shake(&arm, &random, 0.5f);
        if (i % 2)
            for (int c = 0; c < 4; c++)
                arm.figure.local[arm.bones.upper].rotation[c] *= -1;
        arm.options.spine = 1;
        arm.options.limits = i % 3 ? &limits : NULL;
        arm.job.hand = SN_HAND_EXACT;
        test_random_quat(&random, arm.job.orientation);
        test_arm_target(&arm, sn_dvec3_scale(test_random_direction(&random),
                                             (double)test_random_between(&random, 0.2f, 0.8f)));
        sn_transform before[TEST_FIGURE_JOINTS], full[TEST_FIGURE_JOINTS];
        memcpy(before, arm.figure.local, sizeof before);
        arm.job.weight = 0;
        (void)test_arm_solve(&arm);
        assert_memory_equal(before, arm.figure.local, sizeof before);
        arm.job.weight = 1;
        (void)test_arm_solve(&arm);
        memcpy(full, arm.figure.local, sizeof full);
        double last[TEST_FIGURE_JOINTS] = {0};
        for (int k = 1; k <= 4; k++) {
            memcpy(arm.figure.local, before, sizeof before);
            arm.job.weight = 0.25f * (float)k;
            (void)test_arm_solve(&arm);
            for (uint32_t j = 0; j < arm.figure.joints.count; j++) {
                double now = turned_by(before[j].rotation, arm.figure.local[j].rotation);
                double whole = turned_by(before[j].rotation, full[j].rotation);
                assert_true(now >= last[j] - 1e-6 && now <= whole + 1e-6);
                last[j] = now;
            }
        }
        assert_memory_equal(full, arm.figure.local, sizeof full);
    }
}

/* ---- what is refused ---- */

static void assert_no_set_up(const test_arm *arm, const sn_arm_bones *bones, sn_message_id id) {
    sn_arm out, before;
    memset(&out, 0x5a, sizeof out);
    before = out;
    sn_error error = {0};
    assert_int_not_equal(sn_arm_set_up(&arm->figure.joints, bones, &out, &error), SN_OK);
    assert_int_equal(error.id, id);
    assert_memory_equal(&out, &before, sizeof out);
}

static void test_set_up_errors(void **state) {
    (void)state;
    test_arm arm;
    test_arm_make(&arm, &(test_figure_shape){.facing = 1}, SN_LIMB_LEFT_ARM);
    sn_arm_bones bones = arm.bones;
    bones.lower = SN_NONE;
    assert_no_set_up(&arm, &bones, SN_MESSAGE_CHAIN_JOINTS);
    bones = arm.bones;
    bones.hand = arm.figure.joints.count;
    assert_no_set_up(&arm, &bones, SN_MESSAGE_CHAIN_JOINTS);
    bones = arm.bones;
    bones.upper = arm.bones.lower;
    bones.lower = arm.bones.upper;
    assert_no_set_up(&arm, &bones, SN_MESSAGE_CHAIN_JOINTS);
    bones = arm.bones;
    bones.shoulder = test_figure_joint(&arm.figure, SN_HUMAN_RIGHT_SHOULDER);
    assert_no_set_up(&arm, &bones, SN_MESSAGE_CHAIN_JOINTS);
    bones = arm.bones;
    bones.spine[1] = bones.upper;
    assert_no_set_up(&arm, &bones, SN_MESSAGE_CHAIN_JOINTS);

    sn_affine matrix = sn_affine_identity();
    arm.figure.joints.fixed_count = 1;
    arm.figure.joints.fixed_joints = &arm.bones.lower;
    arm.figure.joints.fixed_matrices = &matrix;
    assert_no_set_up(&arm, &arm.bones, SN_MESSAGE_CHAIN_JOINTS);
    arm.figure.joints.fixed_count = 0;

    sn_transform *rest = &arm.figure.rest[arm.bones.hand], kept = *rest;
    memset(rest->translation, 0, sizeof rest->translation);
    assert_no_set_up(&arm, &arm.bones, SN_MESSAGE_CHAIN_LENGTH);
    rest->translation[0] = NAN;
    assert_no_set_up(&arm, &arm.bones, SN_MESSAGE_CHAIN_VALUE);
    *rest = kept;
    rest = &arm.figure.rest[arm.bones.upper];
    rest->scale[1] = 0;
    assert_no_set_up(&arm, &arm.bones, SN_MESSAGE_CHAIN_LENGTH);
}

static void assert_no_solution(test_arm *arm, sn_message_id id) {
    sn_transform before[TEST_FIGURE_JOINTS];
    memcpy(before, arm->figure.local, sizeof before);
    sn_arm_state kept = {.bend = {{0, 1, 0}}}, kept_before = kept;
    arm->job.state = &kept;
    sn_arm_output out, out_before;
    memset(&out, 0x5a, sizeof out);
    out_before = out;
    sn_error error = {0};
    assert_int_not_equal(sn_arm_apply(&arm->job, &arm->figure.joints, &out, &error), SN_OK);
    assert_int_equal(error.id, id);
    assert_memory_equal(before, arm->figure.local, sizeof before);
    assert_memory_equal(&out, &out_before, sizeof out);
    assert_memory_equal(&kept, &kept_before, sizeof kept);
}

static void assert_bad_float(test_arm *arm, float *value, float bad) {
    float kept = *value;
    *value = bad;
    assert_no_solution(arm, SN_MESSAGE_CHAIN_VALUE);
    *value = kept;
}

static void test_solve_errors(void **state) {
    (void)state;
    test_arm arm;
    test_arm_make(&arm, &(test_figure_shape){.facing = 1}, SN_LIMB_LEFT_ARM);
    sn_arm_limits limits = sn_arm_limits_human();
    sn_capsule capsule = {.joint = SN_NONE, .radius = 0.1f};
    arm.options.limits = &limits;
    arm.options.capsules = &capsule;
    arm.options.capsule_count = 1;
    arm.job.hand = SN_HAND_FREE_ROLL;
    arm.job.roll_axis[1] = 1;
    test_arm_target(&arm, (sn_dvec3){0.3, 0, 0});
    sn_transform before[TEST_FIGURE_JOINTS];
    memcpy(before, arm.figure.local, sizeof before);
    (void)test_arm_solve(&arm);
    memcpy(arm.figure.local, before, sizeof before);

    float *const finite[] = {&arm.job.target[0],
                             &arm.job.grip[1],
                             &arm.job.orientation[2],
                             &arm.job.roll_axis[1],
                             &arm.job.roll_max,
                             &arm.job.weight,
                             &arm.job.seconds,
                             &arm.options.pole[0],
                             &arm.options.swivel,
                             &arm.options.hinge[2],
                             &arm.options.soften,
                             &arm.options.clavicle,
                             &arm.options.spine,
                             &arm.options.twist,
                             &arm.options.thickness,
                             &limits.shoulder.swing_max[1],
                             &limits.wrist.twist_min,
                             &limits.flexion_max,
                             &capsule.a[1],
                             &capsule.radius,
                             &arm.figure.local[arm.bones.lower].rotation[0],
                             &arm.figure.local[arm.bones.spine[0]].translation[1]};
    for (size_t i = 0; i < sizeof finite / sizeof *finite; i++) {
        assert_bad_float(&arm, finite[i], NAN);
        assert_bad_float(&arm, finite[i], INFINITY);
    }
    assert_bad_float(&arm, &arm.job.weight, 1.5f);
    assert_bad_float(&arm, &arm.job.roll_min, 1);
    assert_bad_float(&arm, &arm.options.spine, -1);
    assert_bad_float(&arm, &arm.options.clavicle, 2);
    assert_bad_float(&arm, &limits.wrist.twist_min, 1);
    arm.job.roll_axis[1] = 0;
    assert_no_solution(&arm, SN_MESSAGE_CHAIN_VALUE);
    arm.job.roll_axis[1] = 1;
    capsule.joint = arm.figure.joints.count;
    assert_no_solution(&arm, SN_MESSAGE_CHAIN_JOINTS);
    capsule.joint = SN_NONE;
    arm.figure.joints.root.m[0][0] = 0;
    assert_no_solution(&arm, SN_MESSAGE_CHAIN_LENGTH);
    arm.figure.joints.root = sn_affine_identity();
    memset(arm.figure.local[arm.bones.hand].translation, 0, sizeof(float[3]));
    assert_no_solution(&arm, SN_MESSAGE_CHAIN_LENGTH);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reach),
        cmocka_unit_test(test_any_root),
        cmocka_unit_test(test_far_from_origin),
        cmocka_unit_test(test_natural_elbow),
        cmocka_unit_test(test_flexes_forwards),
        cmocka_unit_test(test_leg),
        cmocka_unit_test(test_mirror),
        cmocka_unit_test(test_body),
        cmocka_unit_test(test_clavicle_lifts),
        cmocka_unit_test(test_shoulder_limits),
        cmocka_unit_test(test_torso),
        cmocka_unit_test(test_capsule_leans),
        cmocka_unit_test(test_torso_by_skeleton),
        cmocka_unit_test(test_weight),
        cmocka_unit_test(test_set_up_errors),
        cmocka_unit_test(test_solve_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
