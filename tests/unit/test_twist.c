/* Twist: split from a swing, spread over joints in line and aside, through half a turn. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sinew/twist.h"
#include "tests/unit/limbs.h"

#define PI 3.14159265358979323846

/* A bone from joint 1 to joint 4, with joints 2 and 3 along it; 0 above, 5 aside on joint 1. */
enum { ABOVE, LOWER, FIRST, SECOND, HAND, ASIDE, JOINTS };
static const uint32_t parents[JOINTS] = {SN_NONE, ABOVE, LOWER, FIRST, SECOND, LOWER};

typedef struct forearm {
    sn_transform rest[JOINTS], local[JOINTS];
    sn_joints joints;
    sn_dvec3 bone; /* unit, model space */
} forearm;

static sn_dquat dquat(const float q[4]) {
    return (sn_dquat){(double)q[0], (double)q[1], (double)q[2], (double)q[3]};
}

static sn_dquat about(sn_dvec3 unit, double angle) {
    double s = sin(angle / 2);
    return (sn_dquat){unit.x * s, unit.y * s, unit.z * s, cos(angle / 2)};
}

static void store(float out[4], sn_dquat q) {
    out[0] = (float)q.x, out[1] = (float)q.y, out[2] = (float)q.z, out[3] = (float)q.w;
}

/* Every joint has axes of its own; `off_line`: how far the joints in line lie beside the bone. */
static void make(forearm *f, test_random *random, double off_line) {
    f->bone = test_random_direction(random);
    static const double along[JOINTS] = {-0.3, 0, 0.08, 0.15, 0.25, 0.1};
    sn_dvec3 places[JOINTS];
    float model[JOINTS][4];
    for (int i = 0; i < JOINTS; i++) {
        f->rest[i] = sn_transform_identity();
        test_random_quat(random, model[i]);
        sn_dquat own = dquat(model[i]), above = {0, 0, 0, 1};
        places[i] = sn_dvec3_scale(f->bone, along[i]);
        if (i == FIRST || i == SECOND)
            places[i] =
                sn_dvec3_add(places[i], sn_dvec3_scale(test_random_direction(random), off_line));
        sn_dvec3 from = {0, 0, 0};
        if (parents[i] != SN_NONE) {
            above = dquat(model[parents[i]]);
            from = places[parents[i]];
        }
        sn_dquat back = sn_dquat_conjugate(above);
        store(f->rest[i].rotation, sn_dquat_multiply(back, own));
        test_store3(f->rest[i].translation,
                    sn_dquat_rotate(back, sn_dvec3_subtract(places[i], from)));
        f->local[i] = f->rest[i];
    }
    f->joints = (sn_joints){.count = JOINTS,
                            .parents = parents,
                            .rest = f->rest,
                            .local = f->local,
                            .root = sn_affine_identity()};
}

static sn_dquat model_rotation(const forearm *f, uint32_t joint) {
    sn_dquat q = {0, 0, 0, 1};
    for (; joint != SN_NONE; joint = parents[joint])
        q = sn_dquat_multiply(dquat(f->local[joint].rotation), q);
    return q;
}

/* Turns a joint by a rotation of the model's space, which is that of its rest pose. */
static void turn(forearm *f, uint32_t joint, sn_dquat by) {
    sn_dquat above = model_rotation(f, parents[joint]);
    sn_dquat own = sn_dquat_multiply(by, model_rotation(f, joint));
    store(f->local[joint].rotation, sn_dquat_multiply(sn_dquat_conjugate(above), own));
}

/* Twist about the bone that a joint has gained over a pose; radians. */
static double gained(const forearm *f, uint32_t joint, const sn_transform before[JOINTS]) {
    sn_dquat change = sn_dquat_multiply(sn_dquat_conjugate(dquat(before[joint].rotation)),
                                        dquat(f->local[joint].rotation));
    forearm rest = *f;
    rest.joints.local = rest.local;
    memcpy(rest.local, f->rest, sizeof rest.local);
    sn_dvec3 axis = sn_dquat_rotate(sn_dquat_conjugate(model_rotation(&rest, joint)), f->bone);
    double along = change.x * axis.x + change.y * axis.y + change.z * axis.z;
    return remainder(2 * atan2(along, change.w), 2 * PI);
}

static sn_twist set_up(const forearm *f, const sn_twist_bone *bone) {
    sn_twist twist;
    sn_error error = {0};
    if (sn_twist_set_up(&f->joints, bone, &twist, &error) != SN_OK)
        fail_msg("%s", error.text);
    return twist;
}

static double apply(const sn_twist *twist, const sn_joints *joints, float weight,
                    sn_twist_state *state) {
    double angle;
    sn_error error = {0};
    sn_twist_job job = {twist, weight, state};
    if (sn_twist_apply(&job, joints, &angle, &error) != SN_OK)
        fail_msg("%s", error.text);
    return angle;
}

static void assert_same_place(const sn_affine *a, const sn_affine *b) {
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 4; c++)
            assert_true(fabsf(a->m[r][c] - b->m[r][c]) <= 4e-6f); /* ten products in float */
}

static void test_split(void **state) {
    (void)state;
    test_random random = {1};
    for (int i = 0; i < 10000; i++) {
        float q[4], axis[3], swing[4], twist[4];
        test_random_quat(&random, q);
        sn_dvec3 unit = test_random_direction(&random);
        test_store3(axis, unit);
        sn_twist_split(q, axis, swing, twist);
        float product[4];
        store(product, sn_dquat_multiply(dquat(swing), dquat(twist)));
        assert_true(test_rotation_angle(q, product) <= 1e-6);
        assert_true(fabs(sn_dvec3_dot(unit, (sn_dvec3){(double)swing[0], (double)swing[1],
                                                       (double)swing[2]})) <= 1e-6);
        double angle = sn_twist_angle(q, axis);
        assert_true(fabs(angle) <= PI);
        store(product, about(unit, angle));
        assert_true(test_rotation_angle(product, twist) <= 1e-6);
    }
    float half_turn[4] = {1, 0, 0, 0}, axis[3] = {0, 0, 1};
    assert_true(sn_twist_angle(half_turn, axis) <= 0 && sn_twist_angle(half_turn, axis) >= 0);
}

/* What the joints gain and what the hand is left with add up, and the hand stays as it was, even
 * where the joints in line are not quite in line. */
static void test_forearm(void **state) {
    (void)state;
    test_random random = {2};
    for (int i = 0; i < 2000; i++) {
        forearm f;
        make(&f, &random, i % 2 ? 0.01 : 0);
        double theta = (double)test_random_between(&random, -3, 3);
        sn_dvec3 across = sn_dvec3_perpendicular(f.bone);
        double bend = (double)test_random_between(&random, -1, 1);
        turn(&f, ABOVE, about(test_random_direction(&random), bend));
        sn_dvec3 axis = f.bone; /* the pose above turned the forearm's bone; the hand's joint not */
        sn_dquat hand = sn_dquat_multiply(about(across, bend), about(axis, theta));
        forearm rest = f;
        memcpy(rest.local, f.rest, sizeof rest.local);
        sn_dquat above = model_rotation(&rest, SECOND);
        sn_dquat local = sn_dquat_multiply(sn_dquat_multiply(sn_dquat_conjugate(above), hand),
                                           model_rotation(&rest, HAND));
        store(f.local[HAND].rotation, local);

        sn_transform before[JOINTS];
        memcpy(before, f.local, sizeof before);
        sn_affine hand_before = sn_joints_world(&f.joints, HAND);
        sn_twist_share shares[] = {{SECOND, 0.3f}, {LOWER, 0.1f}, {FIRST, 0.25f}, {ASIDE, 0.5f}};
        sn_twist twist = set_up(
            &f,
            &(sn_twist_bone){.source = HAND, .end = SN_NONE, .joints = shares, .joint_count = 4});
        double angle = apply(&twist, &f.joints, 1, NULL);
        assert_true(fabs(angle - theta) <= 1e-5);
        sn_affine hand_after = sn_joints_world(&f.joints, HAND);
        assert_same_place(&hand_before, &hand_after);
        assert_true(fabs(gained(&f, ASIDE, before) - 0.5 * theta) <= 1e-5);
        assert_memory_equal(&f.local[ABOVE], &before[ABOVE], sizeof before[ABOVE]);
        if (i % 2)
            continue;
        assert_true(fabs(gained(&f, LOWER, before) - 0.1 * theta) <= 1e-5);
        assert_true(fabs(gained(&f, FIRST, before) - 0.25 * theta) <= 1e-5);
        assert_true(fabs(gained(&f, SECOND, before) - 0.3 * theta) <= 1e-5);
        memcpy(rest.local, f.local, sizeof rest.local);
        double left = apply(&twist, &rest.joints, 0, NULL);
        assert_true(fabs(left - 0.35 * theta) <= 1e-5);
    }
}

/* An upper arm: the source itself is turned back by what it hands down; the tip stays. */
static void test_upper_arm(void **state) {
    (void)state;
    test_random random = {3};
    for (int i = 0; i < 2000; i++) {
        forearm f;
        make(&f, &random, 0);
        double theta = (double)test_random_between(&random, -3, 3);
        turn(&f, LOWER, about(f.bone, theta));
        sn_transform before[JOINTS];
        memcpy(before, f.local, sizeof before);
        sn_affine tip_before = sn_joints_world(&f.joints, HAND);
        sn_twist_share shares[] = {{FIRST, 0.25f}, {SECOND, 0.35f}, {ASIDE, -0.1f}};
        sn_twist twist = set_up(
            &f, &(sn_twist_bone){.source = LOWER, .end = HAND, .joints = shares, .joint_count = 3});
        assert_true(fabs(apply(&twist, &f.joints, 1, NULL) - theta) <= 1e-5);
        sn_affine tip_after = sn_joints_world(&f.joints, HAND);
        assert_same_place(&tip_before, &tip_after);
        assert_true(fabs(gained(&f, LOWER, before) + 0.6 * theta) <= 1e-5);
        assert_true(fabs(gained(&f, FIRST, before) - 0.25 * theta) <= 1e-5);
        assert_true(fabs(gained(&f, SECOND, before) - 0.35 * theta) <= 1e-5);
        assert_true(fabs(gained(&f, ASIDE, before) + 0.1 * theta) <= 1e-5);
    }
}

/* Twice round: with a state no joint moves by more than its share of a step; without one they jump,
 * which is what the state is for. */
static void test_through_half_a_turn(void **state) {
    (void)state;
    test_random random = {4};
    const double step = 4 * PI / 1000;
    for (int with_state = 0; with_state < 2; with_state++) {
        forearm f;
        make(&f, &random, 0);
        sn_twist_share shares[] = {{LOWER, 0.5f}, {ASIDE, 0.3f}};
        sn_twist twist = set_up(
            &f,
            &(sn_twist_bone){.source = HAND, .end = SN_NONE, .joints = shares, .joint_count = 2});
        sn_twist_state kept = {0};
        sn_transform before[JOINTS];
        double most = 0;
        for (int i = 0; i <= 1000; i++) {
            memcpy(f.local, f.rest, sizeof f.local);
            turn(&f, HAND, about(f.bone, step * i));
            double angle = apply(&twist, &f.joints, 1, with_state ? &kept : NULL);
            if (with_state)
                assert_true(fabs(angle - step * i) <= 1e-5);
            for (int k = 0; k < JOINTS && i > 0; k++)
                most = fmax(most, test_rotation_angle(before[k].rotation, f.local[k].rotation));
            memcpy(before, f.local, sizeof before);
        }
        if (with_state)
            assert_true(most <= step + 1e-3);
        else
            assert_true(most > 1);
    }
}

static void test_weight(void **state) {
    (void)state;
    test_random random = {5};
    forearm f;
    make(&f, &random, 0);
    turn(&f, HAND, about(f.bone, 1.2));
    sn_transform before[JOINTS];
    memcpy(before, f.local, sizeof before);
    sn_twist_share shares[] = {{LOWER, 0.5f}};
    sn_twist twist = set_up(
        &f, &(sn_twist_bone){.source = HAND, .end = SN_NONE, .joints = shares, .joint_count = 1});
    (void)apply(&twist, &f.joints, 0, NULL);
    assert_memory_equal(before, f.local, sizeof before);
    (void)apply(&twist, &f.joints, 0.5f, NULL);
    assert_true(fabs(gained(&f, LOWER, before) - 0.3) <= 1e-5);
}

static void assert_refused(const sn_joints *joints, const sn_twist_bone *bone, sn_message_id id) {
    sn_twist twist, before;
    memset(&twist, 0x5a, sizeof twist);
    before = twist;
    sn_error error = {0};
    assert_int_not_equal(sn_twist_set_up(joints, bone, &twist, &error), SN_OK);
    assert_int_equal(error.id, id);
    assert_memory_equal(&twist, &before, sizeof twist);
}

static void test_errors(void **state) {
    (void)state;
    test_random random = {6};
    forearm f;
    make(&f, &random, 0);
    sn_twist_share share = {LOWER, 0.5f}, twice[] = {{LOWER, 0.5f}, {LOWER, 0.1f}};
    sn_twist_bone good = {.source = HAND, .end = SN_NONE, .joints = &share, .joint_count = 1};
    (void)set_up(&f, &good);

    sn_twist_bone bad = good;
    bad.source = JOINTS;
    assert_refused(&f.joints, &bad, SN_MESSAGE_CHAIN_JOINTS);
    bad.source = ABOVE; /* stands on nothing */
    assert_refused(&f.joints, &bad, SN_MESSAGE_CHAIN_JOINTS);
    bad = good;
    bad.end = LOWER; /* above the source */
    assert_refused(&f.joints, &bad, SN_MESSAGE_CHAIN_JOINTS);
    bad = good;
    bad.joints = twice;
    bad.joint_count = 2;
    assert_refused(&f.joints, &bad, SN_MESSAGE_CHAIN_JOINTS);
    share.joint = HAND;
    assert_refused(&f.joints, &good, SN_MESSAGE_CHAIN_JOINTS);
    share = (sn_twist_share){LOWER, NAN};
    assert_refused(&f.joints, &good, SN_MESSAGE_CHAIN_VALUE);
    share.share = 0.5f;
    sn_affine matrix = sn_affine_identity();
    const uint32_t fixed = LOWER;
    f.joints.fixed_count = 1;
    f.joints.fixed_joints = &fixed;
    f.joints.fixed_matrices = &matrix;
    assert_refused(&f.joints, &good, SN_MESSAGE_CHAIN_JOINTS);
    f.joints.fixed_count = 0;
    for (int i = 0; i < JOINTS; i++)
        memset(f.rest[i].translation, 0, sizeof f.rest[i].translation);
    assert_refused(&f.joints, &good, SN_MESSAGE_CHAIN_LENGTH);
}

/* A pose that cannot be: whatever is broken in it, all of it stays, and so does the state. */
static void test_bad_pose(void **state) {
    (void)state;
    test_random random = {7};
    for (int i = 0; i < 7; i++) {
        forearm f;
        make(&f, &random, 0);
        sn_twist_share shares[] = {{LOWER, 0.5f}, {ASIDE, 0.3f}};
        sn_twist twist = set_up(
            &f,
            &(sn_twist_bone){.source = HAND, .end = SN_NONE, .joints = shares, .joint_count = 2});
        sn_twist_state kept = {0.5f, true}, kept_before = kept;
        sn_twist_job job = {&twist, 1, &kept};
        if (i == 0)
            f.local[HAND].rotation[1] = NAN;
        if (i == 1)
            memset(f.local[LOWER].rotation, 0, sizeof f.local[LOWER].rotation);
        if (i == 2)
            f.local[ASIDE].rotation[3] = INFINITY;
        if (i == 3)
            f.local[SECOND].translation[0] = NAN; /* between the lower arm and the hand */
        if (i == 4)
            f.local[FIRST].scale[2] = INFINITY;
        if (i == 5)
            job.weight = NAN;
        if (i == 6)
            job.weight = 1.5f;
        sn_transform before[JOINTS];
        memcpy(before, f.local, sizeof before);
        double angle = 42;
        sn_error error = {0};
        assert_int_equal(sn_twist_apply(&job, &f.joints, &angle, &error), SN_ERROR_INVALID);
        assert_int_equal(error.id, SN_MESSAGE_CHAIN_VALUE);
        assert_memory_equal(before, f.local, sizeof before);
        assert_memory_equal(&kept, &kept_before, sizeof kept);
        assert_true(angle >= 42 && angle <= 42);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_split),     cmocka_unit_test(test_forearm),
        cmocka_unit_test(test_upper_arm), cmocka_unit_test(test_through_half_a_turn),
        cmocka_unit_test(test_weight),    cmocka_unit_test(test_errors),
        cmocka_unit_test(test_bad_pose),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
