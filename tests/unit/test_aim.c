/* Aim: the ray through the target, whatever offset, axes and spaces; up, twist and weight. What is
 * measured is where the stored rotation puts the ray. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sinew/aim.h"
#include "tests/unit/limbs.h"

enum { JOINTS = 3, HAND = 2 };

static const uint32_t parents[JOINTS] = {SN_NONE, 0, 1};

/* A joint that hangs on two others, turned at random, under a root turned and moved. */
typedef struct arm {
    sn_transform pose[JOINTS];
    sn_joints joints;
    sn_aim_options options;
    sn_aim_job job;
} arm;

static void arm_make(arm *a, test_random *random, float scale) {
    memset(a, 0, sizeof *a);
    for (int i = 0; i < JOINTS; i++) {
        a->pose[i] = sn_transform_identity();
        test_random_quat(random, a->pose[i].rotation);
        a->pose[i].translation[1] = 0.3f;
    }
    sn_transform root = sn_transform_identity();
    test_random_quat(random, root.rotation);
    for (int i = 0; i < 3; i++) {
        root.translation[i] = test_random_between(random, -1, 1);
        root.scale[i] = scale;
    }
    a->joints = (sn_joints){.count = JOINTS,
                            .parents = parents,
                            .rest = a->pose,
                            .local = a->pose,
                            .root = sn_affine_from_transform(&root)};
    a->job = (sn_aim_job){.joint = HAND, .weight = 1, .options = &a->options};
}

static sn_dvec3 apply(const sn_affine *m, sn_dvec3 v, double one) {
    double out[3];
    for (int r = 0; r < 3; r++)
        out[r] = (double)m->m[r][0] * v.x + (double)m->m[r][1] * v.y + (double)m->m[r][2] * v.z +
                 (double)m->m[r][3] * one;
    return (sn_dvec3){out[0], out[1], out[2]};
}

static void put_target(arm *a, sn_dvec3 from_joint) {
    sn_affine world = sn_joints_world(&a->joints, HAND);
    sn_dvec3 origin = {(double)world.m[0][3], (double)world.m[1][3], (double)world.m[2][3]};
    test_store3(a->job.target, sn_dvec3_add(origin, from_joint));
}

static sn_dvec3 forward_of(const arm *a) {
    sn_affine world = sn_joints_world(&a->joints, HAND);
    return sn_dvec3_unit(apply(&world, test_dvec3(a->options.forward), 0));
}

/* How far from the target the ray passes, as a part of the target's distance. */
static double miss(const arm *a) {
    sn_affine world = sn_joints_world(&a->joints, HAND);
    sn_dvec3 start = apply(&world, test_dvec3(a->options.offset), 1);
    sn_dvec3 sight = sn_dvec3_subtract(test_dvec3(a->job.target), start);
    if (sn_dvec3_dot(sight, forward_of(a)) < 0)
        return INFINITY;
    sn_dvec3 across = sn_dvec3_across(sight, forward_of(a));
    return sn_dvec3_length(across) / sn_dvec3_length(sight);
}

static sn_aim_output solve(const arm *a) {
    sn_aim_output out;
    sn_error error = {0};
    if (sn_aim_apply(&a->job, &a->joints, &out, &error) != SN_OK)
        fail_msg("%s", error.text);
    return out;
}

static void test_ray_passes_through_target(void **state) {
    (void)state;
    static const float scales[] = {1, 0.01f, 100, -1};
    test_random random = {1};
    for (int i = 0; i < 1000; i++) {
        arm a;
        float scale = scales[i % 4];
        arm_make(&a, &random, scale);
        test_store3(a.options.forward, sn_dvec3_scale(test_random_direction(&random), 3));
        test_store3(a.options.offset, sn_dvec3_scale(test_random_direction(&random), 0.2));
        put_target(&a, sn_dvec3_scale(test_random_direction(&random), 0.7 * fabs((double)scale)));
        sn_transform before[JOINTS];
        memcpy(before, a.pose, sizeof before);
        sn_aim_output out = solve(&a);
        double most = scale < 1 && scale > 0 ? 3e-5 : 1e-6; /* a small arm at metres, in floats */
        assert_true(miss(&a) < most);
        assert_int_equal(out.flags, SN_AIM_REACHED);
        assert_true((double)out.residual < most);
        assert_memory_equal(before, a.pose, 2 * sizeof *before); /* nothing but the joint */
        assert_memory_equal(before[HAND].translation, a.pose[HAND].translation, 12);
    }
}

/* Nearer than the offset is long, and across: no turn brings the ray there. */
static void test_offset_longer_than_distance(void **state) {
    (void)state;
    test_random random = {2};
    for (int is_along = 0; is_along < 2; is_along++) {
        arm a;
        arm_make(&a, &random, 1);
        a.options.forward[0] = 1;
        a.options.offset[is_along ? 0 : 2] = 0.5f;
        put_target(&a, sn_dvec3_scale(test_random_direction(&random), 0.499));
        sn_transform before[JOINTS];
        memcpy(before, a.pose, sizeof before);
        sn_aim_output out = solve(&a);
        assert_int_equal(out.flags, SN_AIM_TOO_NEAR);
        assert_true(out.residual > 0.01f);
        assert_memory_equal(before, a.pose, sizeof before);
        put_target(&a, sn_dvec3_scale(test_random_direction(&random), 0.501));
        assert_int_equal(solve(&a).flags, SN_AIM_REACHED);
    }
}

static void test_target_at_joint(void **state) {
    (void)state;
    arm a;
    test_random random = {3};
    arm_make(&a, &random, 1);
    a.joints.root = sn_affine_identity();
    for (int i = 0; i < JOINTS; i++)
        a.pose[i] = sn_transform_identity();
    sn_transform before[JOINTS];
    memcpy(before, a.pose, sizeof before);
    assert_int_equal(solve(&a).flags, SN_AIM_NO_DIRECTION);
    assert_memory_equal(before, a.pose, sizeof before);
}

static void test_opposite(void **state) {
    (void)state;
    for (int i = 0; i < 12; i++) {
        arm a;
        test_random random = {4};
        arm_make(&a, &random, 1);
        a.options.forward[2] = 1;
        sn_dvec3 away = sn_dvec3_scale(forward_of(&a), -1);
        sn_dvec3 aside = sn_dvec3_scale(sn_dvec3_perpendicular(away), pow(10, -i));
        put_target(&a, sn_dvec3_add(away, aside));
        assert_int_equal(solve(&a).flags, SN_AIM_REACHED);
        assert_true(miss(&a) < 1e-6);
    }
}

static void test_up_and_twist(void **state) {
    (void)state;
    test_random random = {5};
    for (int i = 0; i < 500; i++) {
        arm a;
        arm_make(&a, &random, i % 2 ? 1 : 3);
        bool is_position = i % 3 == 0;
        a.options.up_mode = is_position ? SN_AIM_UP_POSITION : SN_AIM_UP_DIRECTION;
        a.options.forward[0] = 1;
        a.options.up[1] = 0.5f;
        test_store3(a.options.pole, test_random_direction(&random));
        double twist = i % 5 == 0 ? 0.4 : 0;
        a.options.twist = (float)twist;
        put_target(&a, test_random_direction(&random));
        sn_aim_output out = solve(&a);
        assert_int_equal(out.flags, SN_AIM_REACHED);
        sn_affine world = sn_joints_world(&a.joints, HAND);
        sn_dvec3 origin = {(double)world.m[0][3], (double)world.m[1][3], (double)world.m[2][3]};
        sn_dvec3 pole = test_dvec3(a.options.pole), line = forward_of(&a);
        if (is_position)
            pole = sn_dvec3_subtract(pole, origin);
        sn_dvec3 wanted = sn_dvec3_unit_across(pole, line);
        wanted = sn_dvec3_add(sn_dvec3_scale(wanted, cos(twist)),
                              sn_dvec3_scale(sn_dvec3_cross(line, wanted), sin(twist)));
        sn_dvec3 up = apply(&world, (sn_dvec3){0, 1, 0}, 0);
        assert_true(test_angle(sn_dvec3_across(up, line), wanted) < 1e-5);
    }
}

static void test_up_along_target(void **state) {
    (void)state;
    arm a;
    test_random random = {6};
    arm_make(&a, &random, 1);
    a.options.up_mode = SN_AIM_UP_DIRECTION;
    a.options.pole[1] = 1;
    put_target(&a, (sn_dvec3){0, 2, 0});
    a.options.forward[2] = 1;
    assert_int_equal(solve(&a).flags, SN_AIM_REACHED | SN_AIM_NO_UP);
    assert_true(miss(&a) < 1e-6);
}

/* The turn of a weight is that share of the turn, though the rotation between the two is more than
 * a half turn on the sphere of quaternions. */
static void test_weight(void **state) {
    (void)state;
    test_random random = {7};
    for (int i = 0; i < 200; i++) {
        arm a;
        arm_make(&a, &random, 1);
        a.options.forward[2] = 1;
        a.options.up_mode = SN_AIM_UP_DIRECTION;
        test_store3(a.options.pole, test_random_direction(&random));
        put_target(&a, test_random_direction(&random));
        sn_transform base = a.pose[HAND];
        a.job.weight = 0;
        solve(&a);
        assert_memory_equal(&base, &a.pose[HAND], sizeof base);
        a.job.weight = 1;
        solve(&a);
        double full = test_rotation_angle(base.rotation, a.pose[HAND].rotation);
        for (float weight = 0.25f; weight < 1; weight += 0.25f) {
            a.pose[HAND] = base;
            a.job.weight = weight;
            solve(&a);
            double part = test_rotation_angle(base.rotation, a.pose[HAND].rotation);
            assert_true(fabs(part - (double)weight * full) < 1e-5);
        }
    }
}

static void test_far_from_origin(void **state) {
    (void)state;
    arm a;
    test_random random = {8};
    arm_make(&a, &random, 1);
    a.options.forward[2] = 1;
    put_target(&a, test_random_direction(&random));
    arm moved = a;
    moved.joints.local = moved.pose;
    moved.job.options = &moved.options;
    for (int i = 0; i < 3; i++) {
        moved.joints.root.m[i][3] = 4096; /* exact in float, as is the sum with what follows */
        a.joints.root.m[i][3] = 0;
        a.job.target[i] = (float)i - 0.5f;
        moved.job.target[i] = a.job.target[i] + 4096;
    }
    solve(&a);
    solve(&moved);
    assert_memory_equal(a.pose, moved.pose, sizeof a.pose);
}

static void test_errors(void **state) {
    (void)state;
    enum { CASES = 9 };
    static const sn_message_id ids[CASES] = {
        SN_MESSAGE_CHAIN_VALUE,  SN_MESSAGE_CHAIN_VALUE,  SN_MESSAGE_CHAIN_VALUE,
        SN_MESSAGE_CHAIN_VALUE,  SN_MESSAGE_CHAIN_VALUE,  SN_MESSAGE_CHAIN_JOINTS,
        SN_MESSAGE_CHAIN_LENGTH, SN_MESSAGE_CHAIN_LENGTH, SN_MESSAGE_CHAIN_JOINTS,
    };
    for (int i = 0; i < CASES; i++) {
        arm a;
        test_random random = {9};
        arm_make(&a, &random, 1);
        const uint32_t fixed = HAND;
        const sn_affine matrix = sn_affine_identity();
        put_target(&a, (sn_dvec3){0, 1, 0});
        if (i == 0)
            a.job.target[1] = NAN;
        if (i == 1)
            a.job.weight = 1.5f;
        if (i == 2)
            a.options.offset[0] = INFINITY;
        if (i == 3)
            a.pose[0].translation[2] = NAN;
        if (i == 4)
            memset(a.pose[HAND].rotation, 0, sizeof a.pose[HAND].rotation);
        if (i == 5)
            a.job.joint = JOINTS;
        if (i == 6)
            a.pose[1].scale[1] = 0;
        if (i == 7)
            memset(&a.joints.root, 0, sizeof a.joints.root);
        if (i == 8) {
            a.joints.fixed_count = 1;
            a.joints.fixed_joints = &fixed;
            a.joints.fixed_matrices = &matrix;
        }
        sn_transform before[JOINTS];
        memcpy(before, a.pose, sizeof before);
        sn_aim_output out, untouched;
        memset(&out, 7, sizeof out);
        untouched = out;
        sn_error error = {0};
        assert_int_not_equal(sn_aim_apply(&a.job, &a.joints, &out, &error), SN_OK);
        assert_int_equal(error.id, ids[i]);
        assert_memory_equal(before, a.pose, sizeof before);
        assert_memory_equal(&out, &untouched, sizeof out);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ray_passes_through_target),
        cmocka_unit_test(test_offset_longer_than_distance),
        cmocka_unit_test(test_target_at_joint),
        cmocka_unit_test(test_opposite),
        cmocka_unit_test(test_up_and_twist),
        cmocka_unit_test(test_up_along_target),
        cmocka_unit_test(test_weight),
        cmocka_unit_test(test_far_from_origin),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
