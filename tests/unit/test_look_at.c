/* Looking at targets: angles, range maps and curves, eyes with rests of their own, head and neck.
 * Numbers named as three-vrm's are those of its tests (MIT), said in other words. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/heads.h"

static const sn_dvec3 up = {0, 1, 0};

/* Model rotation of a turn to yaw and pitch (up), as Euler angles YXZ. */
static sn_dvec3 front_at(double facing, double yaw, double pitch) {
    return (sn_dvec3){facing * cos(pitch) * sin(yaw), sin(pitch), facing * cos(pitch) * cos(yaw)};
}

/* In the space of the root, which is its own inverse here: a half turn about y, or none. */
static sn_dvec3 from_root(const test_head *head, sn_dvec3 v) {
    double s = (double)head->humanoid.facing;
    return (sn_dvec3){s * v.x, v.y, s * v.z};
}

static void assert_gaze(sn_gaze gaze, double yaw_degrees, double pitch_degrees, double within) {
    assert_true(fabs(test_degrees(gaze.yaw) - yaw_degrees) < within);
    assert_true(fabs(test_degrees(gaze.pitch) - pitch_degrees) < within);
}

static sn_gaze measure(const test_head *head, sn_gaze_space space, sn_dvec3 world) {
    float target[3];
    test_store3(target, world);
    sn_gaze gaze;
    sn_error error = {0};
    if (sn_look_at_measure(&head->rig, &head->joints, space, target, &gaze, &error) != SN_OK)
        fail_msg("%s", error.text);
    return gaze;
}

/* three-vrm, VRMLookAt.test.ts: a head whose rest is turned by a quarter about y looks straight at
 * a target in front; when it turns by another quarter, the target is 90 degrees to its right. */
static void test_turned_head_and_its_rest(void **state) {
    (void)state;
    test_head head;
    sn_look_at_options options = sn_look_at_defaults();
    options.eye_offset[1] = 0;
    test_head_make(&head, 1, NULL, &options);
    float half = (float)sqrt(0.5);
    head.rest[TEST_HEAD].rotation[1] = head.rest[TEST_HEAD].rotation[3] = half;
    head.pose[TEST_HEAD] = head.rest[TEST_HEAD];
    head.humanoid.joints[SN_HUMAN_LEFT_EYE] = head.humanoid.joints[SN_HUMAN_RIGHT_EYE] = SN_NONE;
    assert_int_equal(sn_look_at_set_up(&head.joints, &head.humanoid, &options, &head.rig, NULL),
                     SN_OK);
    sn_dvec3 target = {0, 1.4, 5};
    assert_gaze(measure(&head, SN_GAZE_HEAD, target), 0, 0, 1e-4);
    test_head_turn_joint(&head, TEST_HEAD, up, test_radians(90));
    assert_gaze(measure(&head, SN_GAZE_HEAD, target), -90, 0, 1e-4);
    assert_gaze(measure(&head, SN_GAZE_MODEL, target), 0, 0, 1e-4);
}

/* Left is left and up is up, whichever way the model faces and however its bones rest. */
static void test_signs(void **state) {
    (void)state;
    for (int i = 0; i < 40; i++) {
        test_random random = {(uint64_t)i};
        test_head head;
        sn_look_at_options options = sn_look_at_defaults();
        options.eye_offset[1] = 0;
        float facing = i % 2 ? 1 : -1;
        test_head_make(&head, facing, i < 2 ? NULL : &random, &options);
        double yaw = -1.2 + 0.06 * i, pitch = 0.7 - 0.03 * i;
        sn_dvec3 direction = front_at(1, yaw, pitch); /* of the world: the root turns it */
        sn_dvec3 target = sn_dvec3_add((sn_dvec3){0, 1.4, 0}, sn_dvec3_scale(direction, 3));
        for (int space = SN_GAZE_MODEL; space <= SN_GAZE_HEAD; space++)
            assert_gaze(measure(&head, (sn_gaze_space)space, target), test_degrees(yaw),
                        test_degrees(pitch), 1e-4);
        sn_gaze facing_gaze = sn_look_at_facing(&head.rig, &head.joints, SN_GAZE_BODY);
        assert_gaze(facing_gaze, 0, 0, 1e-4);
    }
}

/* three-vrm, VRMLookAtBoneApplier.test.ts: a map from 30 to 5 degrees turns 15 into 2.5 on both
 * axes, composed with rests of the eyes that differ. */
static void test_eyes_keep_their_rests(void **state) {
    (void)state;
    for (int i = 0; i < 40; i++) {
        test_random random = {(uint64_t)i};
        sn_look_at_options options = sn_look_at_defaults();
        sn_gaze_map map = {(float)test_radians(30), (float)test_radians(5), NULL, 0};
        options.eyes = (sn_gaze_maps){map, map, map, map};
        test_head head;
        double facing = i % 2 ? 1 : -1;
        test_head_make(&head, (float)facing, i < 2 ? NULL : &random, &options);
        double yaw = i % 3 ? 15 : -15, pitch = i % 5 ? -15 : 15;
        sn_gaze gaze = {test_radians(yaw), test_radians(pitch)};
        sn_look_at_turn_eyes(&head.rig, &head.joints, gaze, 1);
        sn_dvec3 wanted = front_at(facing, test_radians(yaw / 6), test_radians(pitch / 6));
        for (uint32_t eye = TEST_LEFT_EYE; eye <= TEST_RIGHT_EYE; eye++) {
            sn_dvec3 sight = test_head_turned(&head, eye, (sn_dvec3){0, 0, facing});
            assert_true(test_angle(from_root(&head, sight), wanted) < 1e-6);
            sn_dvec3 side = test_head_turned(&head, eye, (sn_dvec3){1, 0, 0});
            assert_true(fabs(side.y) < 1e-6); /* no roll in the order YXZ */
        }
        assert_memory_equal(&head.pose[TEST_HEAD], &head.rest[TEST_HEAD], sizeof *head.pose);
    }
}

/* Each side of each eye by its own map. */
static void test_maps_by_side(void **state) {
    (void)state;
    static const double outputs[4] = {5, 10, 15, 20}; /* inner outer up down, of 90 degrees */
    sn_gaze_map maps[4];
    for (int i = 0; i < 4; i++)
        maps[i] = (sn_gaze_map){(float)test_radians(90), (float)test_radians(outputs[i]), NULL, 0};
    sn_look_at_options options = sn_look_at_defaults();
    options.eyes = (sn_gaze_maps){maps[0], maps[1], maps[2], maps[3]};
    for (int i = 0; i < 4; i++) {
        test_head head;
        test_head_make(&head, 1, NULL, &options);
        double yaw = i & 1 ? 45 : -45, pitch = i & 2 ? 45 : -45;
        sn_gaze gaze = {test_radians(yaw), test_radians(pitch)};
        sn_look_at_turn_eyes(&head.rig, &head.joints, gaze, 1);
        double tall = test_radians(pitch > 0 ? 7.5 : -10);
        double left = test_radians(yaw > 0 ? 5 : -2.5), right = test_radians(yaw > 0 ? 2.5 : -5);
        sn_dvec3 front = {0, 0, 1};
        sn_dvec3 sights[2] = {test_head_turned(&head, TEST_LEFT_EYE, front),
                              test_head_turned(&head, TEST_RIGHT_EYE, front)};
        assert_true(test_angle(sights[0], front_at(1, left, tall)) < 1e-6);
        assert_true(test_angle(sights[1], front_at(1, right, tall)) < 1e-6);
    }
}

static void test_map_without_range(void **state) {
    (void)state;
    sn_gaze_map map = {.input_max = 0, .output_max = 0.3f};
    assert_true(fabs(sn_gaze_map_apply(&map, 0)) <= 0);
    assert_true(fabs(sn_gaze_map_apply(&map, test_radians(1)) - (double)0.3f) <= 0);
    map = (sn_gaze_map){.input_max = 1, .output_max = 0.5f};
    assert_true(fabs(sn_gaze_map_apply(&map, 0.5) - 0.25) < 1e-12);
    assert_true(fabs(sn_gaze_map_apply(&map, 3) - 0.5) < 1e-12);
}

/* The straight line as a curve (VRM 0.x, the default); a quarter of a cubic whose tangents are
 * flat: 3 t^2 - 2 t^3; and one whose keys do not span the range. */
static void test_curves(void **state) {
    (void)state;
    const sn_gaze_key line[] = {{0, 0, 0, 1}, {1, 1, 1, 0}};
    const sn_gaze_key smooth[] = {{0, 0, 0, 0}, {1, 1, 0, 0}};
    const sn_gaze_key inside[] = {{0.25f, 0.5f, 0, 2}, {0.5f, 1, 2, 0}, {0.75f, 0, 0, 0}};
    for (double t = 0; t <= 1; t += 1.0 / 64) {
        sn_gaze_map map = {1, 2, line, 2};
        assert_true(fabs(sn_gaze_map_apply(&map, t) - 2 * t) < 1e-12);
        map.keys = smooth;
        assert_true(fabs(sn_gaze_map_apply(&map, t) - 2 * t * t * (3 - 2 * t)) < 1e-12);
        map.keys = inside, map.key_count = 3;
        double wanted = t <= 0.25 ? 0.5 : t <= 0.5 ? 2 * t : -1;
        double s = (t - 0.5) * 4;
        if (wanted < 0)
            wanted = t < 0.75 ? 1 - s * s * (3 - 2 * s) : 0;
        assert_true(fabs(sn_gaze_map_apply(&map, t) - 2 * wanted) < 1e-12);
    }
}

static void test_expression_weights(void **state) {
    (void)state;
    sn_gaze_maps maps = sn_gaze_maps_identity();
    maps.outer.output_max = maps.up.output_max = 1;
    maps.down.output_max = 0.5f;
    maps.inner.output_max = 77; /* has no say */
    sn_gaze_weights w = sn_gaze_weights_of(&maps, (sn_gaze){test_radians(45), test_radians(30)});
    assert_true(fabs(w.left - 0.5) < 1e-6 && fabs(w.up - 1 / 3.0) < 1e-6);
    assert_true(!(w.right > 0) && !(w.down > 0));
    w = sn_gaze_weights_of(&maps, (sn_gaze){test_radians(-90), test_radians(-90)});
    assert_true(fabs(w.right - 1) < 1e-6 && fabs(w.down - 0.5) < 1e-6);
    assert_true(!(w.left > 0) && !(w.up > 0));
}

static void test_limits(void **state) {
    (void)state;
    sn_gaze_limits limits = {0.5f, 0.25f, 0.125f};
    assert_gaze(sn_gaze_clamp((sn_gaze){0.1, 0.1}, &limits), test_degrees(0.1), test_degrees(0.1),
                1e-9);
    assert_gaze(sn_gaze_clamp((sn_gaze){2, 2}, &limits), test_degrees(0.5), test_degrees(0.25),
                1e-9);
    assert_gaze(sn_gaze_clamp((sn_gaze){-2, -2}, &limits), -test_degrees(0.5), -test_degrees(0.125),
                1e-9);
    double before = sn_gaze_clamp((sn_gaze){2, 0}, &limits).yaw;
    for (double yaw = 2; yaw < 4.28; yaw += 0.01) { /* once behind, from one side to the other */
        double wrapped = yaw > test_radians(180) ? yaw - test_radians(360) : yaw;
        double now = sn_gaze_clamp((sn_gaze){wrapped, 0}, &limits).yaw;
        assert_true(fabs(now - before) < 0.011);
        before = now;
    }
    assert_true(before < -0.49);
}

/* Added to what the head does: the sum of both shares is exactly the whole, whatever the share. */
static void test_shares_sum_exactly(void **state) {
    (void)state;
    for (int i = 0; i < 60; i++) {
        test_random random = {(uint64_t)i};
        test_head head;
        double facing = i % 2 ? 1 : -1;
        test_head_make(&head, (float)facing, &random, NULL);
        test_head_turn_joint(&head, TEST_NECK, test_random_direction(&random), 0.3);
        test_head_turn_joint(&head, TEST_HEAD, test_random_direction(&random), 0.5);
        double yaw = 0.8 - 0.03 * i, pitch = -0.6 + 0.02 * i, share = (i % 6) / 5.0;
        sn_dvec3 axes[2] = {{1, 0, 0}, {0, 0, 1}}, before[2], neck_before[2];
        for (int k = 0; k < 2; k++) {
            before[k] = from_root(&head, test_head_turned(&head, TEST_HEAD, axes[k]));
            neck_before[k] = from_root(&head, test_head_turned(&head, TEST_NECK, axes[k]));
        }
        sn_head_turn turn = {SN_GAZE_MODEL, {0, 0}, {yaw, pitch}, share};
        sn_look_at_turn_head(&head.rig, &head.joints, &turn);
        for (int k = 0; k < 4; k++) {
            bool is_neck = k >= 2;
            double part = is_neck ? share : 1;
            /* first about x, then about y */
            double x = -facing * pitch * part, y = yaw * part;
            sn_dvec3 v = is_neck ? neck_before[k - 2] : before[k];
            v = (sn_dvec3){v.x, v.y * cos(x) - v.z * sin(x), v.y * sin(x) + v.z * cos(x)};
            v = (sn_dvec3){v.x * cos(y) + v.z * sin(y), v.y, v.z * cos(y) - v.x * sin(y)};
            uint32_t joint = is_neck ? TEST_NECK : TEST_HEAD;
            sn_dvec3 now = from_root(&head, test_head_turned(&head, joint, axes[k % 2]));
            assert_true(test_angle(now, v) < 1e-6);
        }
    }
}

/* The face, from between the eyes, goes through the target, whatever head and body do. */
static void test_face_reaches_target(void **state) {
    (void)state;
    for (int i = 0; i < 200; i++) {
        test_random random = {(uint64_t)i};
        test_head head;
        double facing = i % 2 ? 1 : -1;
        test_head_make(&head, (float)facing, &random, NULL);
        head.rig.eyes[0] = head.rig.eyes[1] = SN_NONE;
        head.joints.root.m[1][3] = 3;
        test_head_turn_joint(&head, TEST_CHEST, test_random_direction(&random), 0.5);
        test_head_turn_joint(&head, TEST_HEAD, test_random_direction(&random), 0.5);
        sn_look_at_job job = sn_look_at_job_defaults(&head.rig);
        sn_affine eye = sn_joints_world(&head.joints, TEST_HEAD);
        double yaw = (double)test_random_between(&random, -0.9f, 0.9f);
        double pitch = (double)test_random_between(&random, -0.6f, 0.6f);
        sn_dvec3 front = test_head_turned(&head, TEST_CHEST, front_at(facing, yaw, pitch));
        sn_dvec3 origin = {(double)eye.m[0][3], (double)eye.m[1][3], (double)eye.m[2][3]};
        test_store3(job.target, sn_dvec3_add(origin, sn_dvec3_scale(front, 1.5)));
        sn_look_at_output out;
        sn_error error = {0};
        if (sn_look_at_apply(&job, &head.joints, &out, &error) != SN_OK)
            fail_msg("%s", error.text);
        assert_int_equal(out.flags, SN_LOOK_AT_REACHED);
        eye = sn_joints_world(&head.joints, TEST_HEAD);
        sn_dvec3 start = {(double)eye.m[0][3], (double)eye.m[1][3], (double)eye.m[2][3]};
        for (int c = 0; c < 3; c++)
            (&start.x)[c] += (double)eye.m[c][1] * (double)0.06f;
        sn_dvec3 face = test_head_turned(&head, TEST_HEAD, (sn_dvec3){0, 0, facing});
        sn_dvec3 sight = sn_dvec3_subtract(test_dvec3(job.target), start);
        assert_true(test_angle(face, sight) < 3e-6);
        assert_true(out.residual < 3e-6f);
    }
}

/* What the head may not, the eyes do; what they may not either is the residual. */
static void test_eyes_make_up_the_rest(void **state) {
    (void)state;
    for (int degrees = 0; degrees <= 120; degrees += 5) {
        test_head head;
        test_head_make(&head, 1, NULL, NULL);
        sn_look_at_job job = sn_look_at_job_defaults(&head.rig);
        sn_dvec3 sight = front_at(1, test_radians(degrees), 0);
        test_store3(job.target, sn_dvec3_add((sn_dvec3){0, 1.46, 0}, sn_dvec3_scale(sight, 1000)));
        sn_look_at_output out;
        assert_int_equal(sn_look_at_apply(&job, &head.joints, &out, NULL), SN_OK);
        double face = fmin(degrees, 60), eyes = fmin(degrees - face, 30);
        assert_gaze(out.head, face, 0, 0.01);
        assert_gaze(out.eyes, eyes, 0, 0.01);
        sn_dvec3 eye = test_head_turned(&head, TEST_LEFT_EYE, (sn_dvec3){0, 0, 1});
        assert_true(test_angle(eye, front_at(1, test_radians(face + eyes), 0)) < 2e-4);
        assert_true(fabs(test_degrees((double)out.residual) - (degrees - face - eyes)) < 0.01);
        assert_int_equal(!!(out.flags & SN_LOOK_AT_HEAD_LIMITED), degrees > 60);
        assert_int_equal(!!(out.flags & SN_LOOK_AT_EYES_LIMITED), degrees > 90);
        assert_int_equal(!!(out.flags & SN_LOOK_AT_REACHED), degrees <= 90);
    }
}

static void test_shares_and_weight(void **state) {
    (void)state;
    test_head head;
    test_head_make(&head, 1, NULL, NULL);
    sn_look_at_job job = sn_look_at_job_defaults(&head.rig);
    test_store3(job.target, sn_dvec3_add((sn_dvec3){0, 1.46, 0},
                                         sn_dvec3_scale(front_at(1, test_radians(40), 0), 1000)));
    sn_look_at_output out;
    job.head_share = 0.5f;
    assert_int_equal(sn_look_at_apply(&job, &head.joints, &out, NULL), SN_OK);
    assert_gaze(out.head, 20, 0, 0.01);
    assert_gaze(out.eyes, 20, 0, 0.01);
    sn_dvec3 neck = test_head_turned(&head, TEST_NECK, (sn_dvec3){0, 0, 1});
    assert_true(test_angle(neck, front_at(1, test_radians(12), 0)) < 2e-4);

    memcpy(head.pose, head.rest, sizeof head.rest);
    job.weight = 0;
    assert_int_equal(sn_look_at_apply(&job, &head.joints, &out, NULL), SN_OK);
    assert_memory_equal(head.pose, head.rest, sizeof head.rest);
    job.weight = 0.5f;
    assert_int_equal(sn_look_at_apply(&job, &head.joints, &out, NULL), SN_OK);
    assert_gaze(out.head, 10, 0, 0.01);
    assert_int_equal(out.flags & SN_LOOK_AT_REACHED, 0);
}

static void test_errors(void **state) {
    (void)state;
    for (int i = 0; i < 8; i++) {
        test_head head;
        test_head_make(&head, 1, NULL, NULL);
        sn_look_at_job job = sn_look_at_job_defaults(&head.rig);
        sn_message_id id = SN_MESSAGE_CHAIN_VALUE;
        job.target[2] = 2;
        if (i == 0)
            job.target[0] = NAN;
        if (i == 1)
            job.weight = NAN;
        if (i == 2)
            job.head_limits.up = -1;
        if (i == 3)
            head.pose[TEST_CHEST].rotation[0] = NAN;
        if (i == 4)
            head.pose[TEST_LEFT_EYE].rotation[0] = INFINITY;
        if (i == 5)
            job.neck_share = 2;
        if (i == 6)
            head.pose[TEST_NECK].scale[0] = 0, id = SN_MESSAGE_CHAIN_LENGTH;
        if (i == 7)
            head.joints.root.m[0][0] = 0, id = SN_MESSAGE_CHAIN_LENGTH;
        sn_transform before[TEST_HEAD_JOINTS];
        memcpy(before, head.pose, sizeof before);
        sn_look_at_output out, untouched;
        memset(&out, 7, sizeof out);
        untouched = out;
        sn_error error = {0};
        assert_int_not_equal(sn_look_at_apply(&job, &head.joints, &out, &error), SN_OK);
        assert_int_equal(error.id, id);
        assert_memory_equal(before, head.pose, sizeof before);
        assert_memory_equal(&out, &untouched, sizeof out);
    }
}

static void test_set_up_errors(void **state) {
    (void)state;
    for (int i = 0; i < 6; i++) {
        test_head head;
        test_head_make(&head, 1, NULL, NULL);
        sn_look_at_options options = sn_look_at_defaults();
        const sn_gaze_key backwards[] = {{1, 0, 0, 0}, {0, 1, 0, 0}};
        sn_message_id id = SN_MESSAGE_CHAIN_JOINTS;
        if (i == 0)
            head.humanoid.joints[SN_HUMAN_HEAD] = SN_NONE;
        if (i == 1)
            head.humanoid.joints[SN_HUMAN_HEAD] = TEST_HEAD_JOINTS;
        if (i == 2)
            head.humanoid.joints[SN_HUMAN_NECK] = TEST_LEFT_EYE;
        if (i == 3)
            head.humanoid.joints[SN_HUMAN_LEFT_EYE] = TEST_CHEST;
        if (i == 4)
            options.eyes.up.keys = backwards, options.eyes.up.key_count = 2;
        if (i == 5)
            options.eye_offset[1] = NAN;
        if (i >= 4)
            id = SN_MESSAGE_CHAIN_VALUE;
        sn_look_at before = head.rig;
        sn_error error = {0};
        sn_result result =
            sn_look_at_set_up(&head.joints, &head.humanoid, &options, &head.rig, &error);
        assert_int_not_equal(result, SN_OK);
        assert_int_equal(error.id, id);
        assert_memory_equal(&before, &head.rig, sizeof before);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_turned_head_and_its_rest),
        cmocka_unit_test(test_signs),
        cmocka_unit_test(test_eyes_keep_their_rests),
        cmocka_unit_test(test_maps_by_side),
        cmocka_unit_test(test_map_without_range),
        cmocka_unit_test(test_curves),
        cmocka_unit_test(test_expression_weights),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_shares_sum_exactly),
        cmocka_unit_test(test_face_reaches_target),
        cmocka_unit_test(test_eyes_make_up_the_rest),
        cmocka_unit_test(test_shares_and_weight),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_set_up_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
