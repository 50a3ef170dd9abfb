#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/heads.h"

static const uint32_t parents[] = {SN_NONE, TEST_CHEST, TEST_NECK, TEST_HEAD, TEST_HEAD};

/* Model positions in the rest pose; x and z for a model that faces +z. */
static const double places[][3] = {
    {0, 1.2, 0}, {0, 1.3, -0.01}, {0, 1.4, 0}, {0.03, 1.46, 0.08}, {-0.03, 1.46, 0.08}};

double test_degrees(double radians) {
    return radians * 180 / 3.14159265358979323846;
}

double test_radians(double degrees) {
    return degrees * 3.14159265358979323846 / 180;
}

static sn_dquat dquat(const float q[4]) {
    return sn_dquat_unit((sn_dquat){(double)q[0], (double)q[1], (double)q[2], (double)q[3]});
}

static void store(float out[4], sn_dquat q) {
    out[0] = (float)q.x, out[1] = (float)q.y, out[2] = (float)q.z, out[3] = (float)q.w;
}

static sn_dvec3 place(int joint, double facing) {
    const double *p = places[joint];
    return (sn_dvec3){facing * p[0], p[1], facing * p[2]};
}

void test_head_make(test_head *head, float facing, test_random *random,
                    const sn_look_at_options *options) {
    memset(head, 0, sizeof *head);
    sn_dquat world[TEST_HEAD_JOINTS];
    for (int i = 0; i < TEST_HEAD_JOINTS; i++) {
        head->rest[i] = sn_transform_identity();
        float q[4] = {0, 0, 0, 1};
        if (random)
            test_random_quat(random, q);
        world[i] = dquat(q);
        bool is_root = parents[i] == SN_NONE;
        sn_dquat above = is_root ? (sn_dquat){0, 0, 0, 1} : world[parents[i]];
        sn_dvec3 from = is_root ? (sn_dvec3){0, 0, 0} : place((int)parents[i], (double)facing);
        sn_dvec3 offset = sn_dvec3_subtract(place(i, (double)facing), from);
        sn_dquat below = sn_dquat_conjugate(above);
        store(head->rest[i].rotation, sn_dquat_multiply(below, world[i]));
        test_store3(head->rest[i].translation, sn_dquat_rotate(below, offset));
    }
    memcpy(head->pose, head->rest, sizeof head->rest);
    sn_transform root = sn_transform_identity();
    if (facing < 0)
        store(root.rotation, (sn_dquat){0, 1, 0, 0});
    head->joints = (sn_joints){.count = TEST_HEAD_JOINTS,
                               .parents = parents,
                               .rest = head->rest,
                               .local = head->pose,
                               .root = sn_affine_from_transform(&root)};
    head->humanoid.facing = facing;
    for (int i = 0; i < SN_HUMAN_BONE_COUNT; i++)
        head->humanoid.joints[i] = SN_NONE;
    head->humanoid.joints[SN_HUMAN_NECK] = TEST_NECK;
    head->humanoid.joints[SN_HUMAN_HEAD] = TEST_HEAD;
    head->humanoid.joints[SN_HUMAN_LEFT_EYE] = TEST_LEFT_EYE;
    head->humanoid.joints[SN_HUMAN_RIGHT_EYE] = TEST_RIGHT_EYE;
    sn_error error = {0};
    if (sn_look_at_set_up(&head->joints, &head->humanoid, options, &head->rig, &error) != SN_OK)
        fail_msg("%s", error.text);
}

static sn_dvec3 apply(const sn_affine *m, sn_dvec3 v, bool is_transposed) {
    double in[3] = {v.x, v.y, v.z}, out[3] = {0};
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            out[r] += (double)(is_transposed ? m->m[c][r] : m->m[r][c]) * in[c];
    return (sn_dvec3){out[0], out[1], out[2]};
}

sn_dvec3 test_head_turned(const test_head *head, uint32_t joint, sn_dvec3 rest_direction) {
    sn_affine rest = sn_joints_rest_model(&head->joints, joint);
    sn_affine world = sn_joints_world(&head->joints, joint);
    return apply(&world, apply(&rest, rest_direction, true), false);
}

void test_head_turn_joint(test_head *head, uint32_t joint, sn_dvec3 axis, double angle) {
    sn_affine above = sn_joints_world(&head->joints, parents[joint]);
    sn_dvec3 half = sn_dvec3_scale(sn_dvec3_unit(apply(&above, axis, true)), sin(angle / 2));
    sn_dquat turn = {half.x, half.y, half.z, cos(angle / 2)};
    float *q = head->pose[joint].rotation;
    store(q, sn_dquat_multiply(turn, dquat(q)));
}
