/* Following a pointer: the right angles, quiet where it is quiet, the same at any frame rate, and
 * nothing left behind. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sinew/follow.h"
#include "tests/unit/heads.h"

#define ASPECT (1920 / 1080.0)

static const double camera_z = 5, half_view = 15 * 3.14159265358979323846 / 180;

/* A head at (0, 1.4, 0) that looks towards +z, and a camera 5 m before it. */
typedef struct scene {
    test_head head;
    sn_follow state;
    sn_follow_options options;
    sn_follow_frame frame;
    sn_follow_output out;
} scene;

/* Column-major, as gluPerspective's inverse; without a far plane where that is infinite. */
static void perspective_inverse(double near, double far, float out[16]) {
    memset(out, 0, 16 * sizeof *out);
    out[0] = (float)(tan(half_view) * ASPECT);
    out[5] = (float)tan(half_view);
    out[11] = (float)(isinf(far) ? -1 / (2 * near) : (near - far) / (2 * far * near));
    out[14] = -1;
    out[15] = (float)(isinf(far) ? 1 / (2 * near) : (near + far) / (2 * far * near));
}

static void scene_make(scene *s, float facing, test_random *random) {
    memset(s, 0, sizeof *s);
    test_head_make(&s->head, facing, random, NULL);
    s->options = sn_follow_defaults();
    s->frame.seconds = 1 / 60.0;
    s->frame.activity = SN_FOLLOW_STILL;
    for (int i = 0; i < 4; i++)
        s->frame.camera_world[5 * i] = 1;
    s->frame.camera_world[13] = 1.4f;
    s->frame.camera_world[14] = (float)camera_z;
    perspective_inverse(0.1, 100, s->frame.camera_projection_inverse);
}

/* A frame on the base pose, as an application does it. */
static void step(scene *s) {
    memcpy(s->head.pose, s->head.rest, sizeof s->head.rest);
    sn_follow_job job = {&s->head.rig, &s->options, &s->frame, &s->state};
    sn_error error = {0};
    if (sn_follow_apply(&job, &s->head.joints, &s->out, &error) != SN_OK)
        fail_msg("%s", error.text);
}

static void point(scene *s, double x, double y) {
    s->frame.has_pointer = true;
    s->frame.pointer[0] = (float)x;
    s->frame.pointer[1] = (float)y;
}

static void settle(scene *s) {
    for (int i = 0; i < 1200; i++)
        step(s);
}

typedef struct angles {
    double yaw, pitch; /* degrees */
} angles;

/* On a plane 2.4 m before the head, which is 2.6 m before the camera. */
static angles wanted_at(double x, double y) {
    double reach = (camera_z - 2.4) * tan(half_view);
    double right = x * reach * ASPECT, above = y * reach;
    return (angles){test_degrees(atan2(right, 2.4)), test_degrees(atan2(above, hypot(right, 2.4)))};
}

static angles face_of(const scene *s, uint32_t joint) {
    double facing = (double)s->head.humanoid.facing;
    sn_dvec3 v = test_head_turned(&s->head, joint, (sn_dvec3){0, 0, facing});
    return (angles){test_degrees(atan2(v.x, v.z)), test_degrees(atan2(v.y, hypot(v.x, v.z)))};
}

static void assert_angles(angles a, angles b, double within) {
    assert_true(fabs(a.yaw - b.yaw) < within);
    assert_true(fabs(a.pitch - b.pitch) < within);
}

static const double cursors[7][2] = {{0.5, 0},   {-0.5, 0},    {0, 0.3},  {0, -0.3},
                                     {0.3, 0.3}, {-0.3, -0.3}, {0.001, 0}};

static void test_seven_cursors(void **state) {
    (void)state;
    assert_angles(wanted_at(0.5, 0), (angles){14.47, 0}, 0.005);
    assert_angles(wanted_at(0, 0.3), (angles){0, 4.98}, 0.005);
    assert_angles(wanted_at(0.3, 0.3), (angles){8.80, 4.92}, 0.005);
    for (int i = 0; i < 28; i++) {
        scene s;
        test_random random = {(uint64_t)i};
        scene_make(&s, i % 2 ? 1 : -1, i < 14 ? NULL : &random);
        const double *cursor = cursors[i / 2 % 7];
        point(&s, cursor[0], cursor[1]);
        settle(&s);
        angles wanted = wanted_at(cursor[0], cursor[1]);
        angles found = {test_degrees(s.out.head.yaw), test_degrees(s.out.head.pitch)};
        assert_angles(found, wanted, 0.001);
        assert_angles(face_of(&s, TEST_HEAD), wanted, 0.001);
        angles neck = {wanted.yaw * 0.6, wanted.pitch * 0.6};
        assert_angles(face_of(&s, TEST_NECK), neck, 0.001);
    }
}

static void test_limits_hold(void **state) {
    (void)state;
    for (int i = 0; i < 8; i++) {
        scene s;
        scene_make(&s, i & 4 ? 1 : -1, NULL);
        point(&s, i & 1 ? 3 : -3, i & 2 ? 3 : -3);
        settle(&s);
        assert_angles(face_of(&s, TEST_HEAD), (angles){i & 1 ? 20 : -20, i & 2 ? 12 : -10}, 0.001);
    }
}

/* After the head's turn the eyes look at the very point: they do not overshoot by the turn. */
static void test_eyes_look_at_the_point(void **state) {
    (void)state;
    for (int i = 0; i < 14; i++) {
        scene s;
        scene_make(&s, i % 2 ? 1 : -1, NULL);
        const double *cursor = cursors[i / 2];
        point(&s, cursor[0], cursor[1]);
        settle(&s);
        double reach = (camera_z - 2.4) * tan(half_view);
        sn_dvec3 on_plane = {cursor[0] * reach * ASPECT, 1.4 + cursor[1] * reach, 2.4};
        sn_affine eye = sn_joints_world(&s.head.joints, TEST_HEAD);
        sn_dvec3 from = {(double)eye.m[0][3], (double)eye.m[1][3], (double)eye.m[2][3]};
        for (int c = 0; c < 3; c++)
            (&from.x)[c] += (double)eye.m[c][1] * (double)0.06f;
        sn_dvec3 sight = sn_dvec3_subtract(on_plane, from);
        double facing = (double)s.head.humanoid.facing;
        for (uint32_t joint = TEST_LEFT_EYE; joint <= TEST_RIGHT_EYE; joint++) {
            sn_dvec3 v = test_head_turned(&s.head, joint, (sn_dvec3){0, 0, facing});
            assert_true(test_degrees(test_angle(v, sight)) < 0.001);
        }
        sn_dvec3 target = sn_dvec3_subtract(test_dvec3(s.out.eyes_target), from);
        assert_true(test_degrees(test_angle(target, sight)) < 0.001);
    }
}

/* Every kind of projection, and a root that is moved, turned and scaled with the camera. */
static void test_cameras(void **state) {
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        scene s;
        scene_make(&s, 1, NULL);
        point(&s, 0.3, 0.2);
        angles wanted = wanted_at(0.3, 0.2);
        float *inverse = s.frame.camera_projection_inverse;
        if (kind == 1)
            perspective_inverse(0.1, INFINITY, inverse);
        if (kind == 2) { /* depth reversed, from 1 at the near plane to 0 at infinity */
            inverse[11] = 1 / 0.1f;
            inverse[15] = 0;
        }
        if (kind == 3) { /* orthographic, 2 m high */
            inverse[0] = (float)ASPECT, inverse[5] = 1, inverse[10] = -50, inverse[11] = 0;
            inverse[14] = -50, inverse[15] = 1;
            double right = 0.3 * ASPECT;
            wanted = (angles){test_degrees(atan2(right, 2.4)),
                              test_degrees(atan2(0.2, hypot(right, 2.4)))};
        }
        settle(&s);
        assert_angles((angles){test_degrees(s.out.head.yaw), test_degrees(s.out.head.pitch)},
                      wanted, 0.001);
    }
}

/* Nearer than the plane would be: it lies half way, and the head still follows. */
static void test_near_camera(void **state) {
    (void)state;
    scene s;
    scene_make(&s, 1, NULL);
    s.frame.camera_world[14] = 1.5f;
    point(&s, 0.5, 0);
    settle(&s);
    double yaw = test_degrees(atan(0.5 * tan(half_view) * ASPECT));
    assert_true(fabs(test_degrees(s.out.head.yaw) - yaw) < 0.001);
}

/* A ray that goes away from the head, a camera behind it: finite, within limits, no jump. */
static void test_camera_goes_round(void **state) {
    (void)state;
    scene s;
    scene_make(&s, 1, NULL);
    point(&s, 0.2, 0.1);
    double before = 0;
    for (int i = 0; i <= 720; i++) {
        double angle = test_radians(i / 2.0);
        s.frame.camera_world[0] = s.frame.camera_world[10] = (float)cos(angle);
        s.frame.camera_world[2] = (float)-sin(angle);
        s.frame.camera_world[8] = (float)sin(angle);
        s.frame.camera_world[12] = (float)(camera_z * sin(angle));
        s.frame.camera_world[14] = (float)(camera_z * cos(angle));
        step(&s);
        double yaw = test_degrees(s.out.head.yaw * s.out.weight);
        assert_true(fabs(yaw) <= 20.001);
        assert_true(fabs(yaw - before) < 2);
        before = yaw;
    }
}

static void test_quiet_pointer(void **state) {
    (void)state;
    scene s;
    scene_make(&s, 1, NULL);
    test_random random = {1};
    point(&s, 0.25, 0.1);
    settle(&s);
    angles still = face_of(&s, TEST_HEAD);
    for (int i = 0; i < 3000; i++) {
        double x = (int)test_random_below(&random, 3) - 1,
               y = (int)test_random_below(&random, 3) - 1;
        point(&s, 0.25 + x * 2 / 1920, 0.1 + y * 2 / 1080);
        step(&s);
        assert_angles(face_of(&s, TEST_HEAD), still, 0.05);
    }
}

static void test_nothing_before_the_first_pointer(void **state) {
    (void)state;
    scene s;
    static const sn_follow fresh;
    scene_make(&s, 1, NULL);
    for (int i = 0; i < 100; i++) {
        step(&s);
        assert_memory_equal(s.head.pose, s.head.rest, sizeof s.head.rest);
        assert_memory_equal(&s.state, &fresh, sizeof fresh);
    }
    point(&s, 1, 1);
    step(&s); /* the first event sets out from where the head is */
    assert_memory_equal(s.head.pose, s.head.rest, sizeof s.head.rest);
    step(&s);
    assert_true(test_degrees(s.out.head.yaw * s.out.weight) < 1);
    settle(&s);
    assert_true(test_degrees(s.out.head.yaw * s.out.weight) > 19);
}

/* A model after a reset moves as it does when it is the first. */
static void test_reset_leaves_nothing(void **state) {
    (void)state;
    scene used, fresh;
    scene_make(&used, -1, NULL);
    point(&used, 0.9, 0.4);
    settle(&used);
    sn_follow carried = used.state;
    scene_make(&used, 1, NULL);
    used.state = carried;
    used.state = (sn_follow){0};
    scene_make(&fresh, 1, NULL);
    for (int i = 0; i < 100; i++) {
        point(&used, -0.3, 0.01 * i);
        point(&fresh, -0.3, 0.01 * i);
        step(&used);
        step(&fresh);
        assert_memory_equal(used.head.pose, fresh.head.pose, sizeof fresh.head.pose);
        assert_memory_equal(&used.out, &fresh.out, sizeof fresh.out);
    }
}

static void test_frame_rates_agree(void **state) {
    (void)state;
    static const int rates[3] = {30, 60, 144};
    static const sn_follow_activity activities[6] = {SN_FOLLOW_STILL, SN_FOLLOW_IDLE,
                                                     SN_FOLLOW_DRAG,  SN_FOLLOW_ACTION,
                                                     SN_FOLLOW_IDLE,  SN_FOLLOW_STILL};
    enum { LOOKS = 36 }; /* six times a second all three have a frame */
    angles heads[3][LOOKS], eyes[3][LOOKS];
    double greatest = 0;
    for (int r = 0; r < 3; r++) {
        scene s;
        scene_make(&s, 1, NULL);
        s.frame.seconds = 1.0 / rates[r];
        for (int i = 0; i < LOOKS * rates[r] / 6; i++) {
            double t = (double)i / rates[r];
            s.frame.activity = activities[i / rates[r] % 6];
            s.frame.is_disabled = t >= 5.5;
            point(&s, 0.6 * sin(2.5 * t + 0.4), 0.5 * sin(3.7 * t));
            step(&s);
            if (i % (rates[r] / 6) == 0) {
                int look = i / (rates[r] / 6);
                heads[r][look] = face_of(&s, TEST_HEAD);
                eyes[r][look] = face_of(&s, TEST_LEFT_EYE);
                greatest = fmax(greatest, fabs(heads[r][look].yaw));
            }
        }
    }
    assert_true(greatest > 10);
    for (int r = 0; r < 2; r++)
        for (int i = 0; i < LOOKS; i++) {
            assert_angles(heads[r][i], heads[2][i], 0.1);
            assert_angles(eyes[r][i], eyes[2][i], 0.1);
        }
}

static void test_weights_by_activity(void **state) {
    (void)state;
    static const double weights[] = {1, 0.7, 0.15, 0};
    scene s;
    scene_make(&s, 1, NULL);
    point(&s, 0.5, 0.2);
    for (int activity = 0; activity < SN_FOLLOW_ACTIVITY_COUNT; activity++) {
        s.frame.activity = (sn_follow_activity)activity;
        step(&s); /* known from here on */
        double before = s.out.weight;
        for (int i = 0; i < 12; i++)
            step(&s);
        double left = (s.out.weight - weights[activity]) / (before - weights[activity]);
        assert_true(fabs(left - exp(-1)) < 1e-6); /* 12 frames are the time constant, 0.2 s */
        settle(&s);
        assert_true(fabs(s.out.weight - weights[activity]) < 1e-6);
        angles wanted = wanted_at(0.5, 0.2);
        angles face = face_of(&s, TEST_HEAD);
        assert_true(fabs(face.yaw - wanted.yaw * weights[activity]) < 0.001);
        assert_true(fabs(s.out.eyes_weight - 1) < 1e-6);
    }
    assert_memory_equal(&s.head.pose[TEST_HEAD], &s.head.rest[TEST_HEAD], sizeof *s.head.pose);
}

static void test_disabled_fades(void **state) {
    (void)state;
    scene s;
    scene_make(&s, 1, NULL);
    point(&s, 0.5, 0.2);
    settle(&s);
    double full = face_of(&s, TEST_HEAD).yaw, before = full;
    s.frame.is_disabled = true;
    for (int i = 0; i < 120; i++) {
        step(&s);
        double yaw = face_of(&s, TEST_HEAD).yaw;
        assert_true(yaw <= before + 1e-5 && yaw > before - 0.1 * full);
        before = yaw;
    }
    assert_memory_equal(s.head.pose, s.head.rest, sizeof s.head.rest);
    s.frame.is_disabled = false;
    for (int i = 0; i < 120; i++) {
        step(&s);
        double yaw = face_of(&s, TEST_HEAD).yaw;
        assert_true(yaw >= before - 1e-5 && yaw < before + 0.1 * full);
        before = yaw;
    }
    assert_true(fabs(before - full) < 0.1);
}

/* Added to what a clip does with the head, and not to what was added before. */
static void test_added_to_the_base_pose(void **state) {
    (void)state;
    scene s;
    scene_make(&s, 1, NULL);
    point(&s, 0.5, 0);
    settle(&s);
    sn_transform once[TEST_HEAD_JOINTS];
    memcpy(once, s.head.pose, sizeof once);
    settle(&s);
    assert_memory_equal(once, s.head.pose, sizeof once);
    double turned = face_of(&s, TEST_HEAD).yaw;
    float half = (float)sin(test_radians(2.5));
    s.head.rest[TEST_HEAD].rotation[1] = half; /* a clip that looks 5 degrees to the left */
    s.head.rest[TEST_HEAD].rotation[3] = sqrtf(1 - half * half);
    step(&s);
    s.head.rest[TEST_HEAD] = sn_transform_identity();
    s.head.rest[TEST_HEAD].translation[1] = 0.1f;
    assert_true(fabs(face_of(&s, TEST_HEAD).yaw - turned - 5) < 0.3);
}

static void test_errors(void **state) {
    (void)state;
    enum { CASES = 14 };
    for (int i = 0; i < CASES; i++) {
        scene s;
        scene_make(&s, 1, NULL);
        point(&s, 0.5, 0.2);
        settle(&s);
        sn_message_id id = SN_MESSAGE_CHAIN_VALUE;
        switch (i) {
        case 0:
            s.frame.pointer[0] = NAN;
            break;
        case 1:
            s.frame.pointer[1] = INFINITY;
            break;
        case 2:
            s.frame.seconds = (double)NAN;
            break;
        case 3:
            s.frame.seconds = -1;
            break;
        case 4:
            s.frame.camera_world[12] = NAN;
            break;
        case 5:
            s.frame.camera_projection_inverse[0] = NAN;
            break;
        case 6:
            memset(s.frame.camera_projection_inverse, 0, 64);
            break;
        case 7:
            memset(s.frame.camera_world, 0, 64);
            break;
        case 8:
            s.frame.activity = (sn_follow_activity)SN_FOLLOW_ACTIVITY_COUNT;
            break;
        case 9:
            s.options.head_limits.yaw = NAN;
            break;
        case 10:
            s.options.weights[1] = 2;
            break;
        case 11:
            s.options.distance = 0;
            break;
        case 12:
            s.head.pose[TEST_CHEST].translation[0] = NAN;
            break;
        default:
            s.head.joints.root.m[1][1] = 0;
            id = SN_MESSAGE_CHAIN_LENGTH;
        }
        sn_transform pose[TEST_HEAD_JOINTS];
        memcpy(pose, s.head.pose, sizeof pose);
        sn_follow before = s.state;
        sn_follow_output out = s.out;
        sn_follow_job job = {&s.head.rig, &s.options, &s.frame, &s.state};
        sn_error error = {0};
        assert_int_not_equal(sn_follow_apply(&job, &s.head.joints, &s.out, &error), SN_OK);
        assert_int_equal(error.id, id);
        assert_memory_equal(pose, s.head.pose, sizeof pose);
        assert_memory_equal(&before, &s.state, sizeof before);
        assert_memory_equal(&out, &s.out, sizeof out);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_seven_cursors),
        cmocka_unit_test(test_limits_hold),
        cmocka_unit_test(test_eyes_look_at_the_point),
        cmocka_unit_test(test_cameras),
        cmocka_unit_test(test_near_camera),
        cmocka_unit_test(test_camera_goes_round),
        cmocka_unit_test(test_quiet_pointer),
        cmocka_unit_test(test_nothing_before_the_first_pointer),
        cmocka_unit_test(test_reset_leaves_nothing),
        cmocka_unit_test(test_frame_rates_agree),
        cmocka_unit_test(test_weights_by_activity),
        cmocka_unit_test(test_disabled_fades),
        cmocka_unit_test(test_added_to_the_base_pose),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
