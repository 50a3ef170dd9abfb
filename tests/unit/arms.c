#include "tests/unit/arms.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static sn_dquat dquat(const float q[4]) {
    return (sn_dquat){(double)q[0], (double)q[1], (double)q[2], (double)q[3]};
}

void test_arm_make(test_arm *arm, const test_figure_shape *shape, sn_limb_kind kind) {
    memset(arm, 0, sizeof *arm);
    test_figure_make(&arm->figure, shape);
    arm->bones = sn_arm_bones_of(&arm->figure.humanoid, kind);
    sn_error error = {0};
    if (sn_arm_set_up(&arm->figure.joints, &arm->bones, &arm->arm, &error) != SN_OK)
        fail_msg("%s", error.text);
    arm->job = (sn_arm_job){
        .arm = &arm->arm, .weight = 1, .orientation = {0, 0, 0, 1}, .options = &arm->options};
}

void test_arm_random(test_arm *arm, test_random *random) {
    test_figure_shape shape = {.facing = test_random_below(random, 2) ? 1 : -1,
                               .arms_down = (double)test_random_between(random, -0.1f, 0.9f),
                               .has_twist_joints = test_random_below(random, 2),
                               .random = random};
    test_arm_make(arm, &shape, (sn_limb_kind)test_random_below(random, 2));
}

void test_arm_shake(test_arm *arm, test_random *random, float most) {
    for (uint32_t i = 0; i < arm->arm.chain_count; i++) {
        float angle = test_random_between(random, -most, most), *q;
        sn_dvec3 axis = sn_dvec3_scale(test_random_direction(random), sin((double)angle / 2));
        q = arm->figure.local[arm->arm.chain[i]].rotation;
        sn_dquat turned =
            sn_dquat_multiply((sn_dquat){axis.x, axis.y, axis.z, cos((double)angle / 2)}, dquat(q));
        q[0] = (float)turned.x, q[1] = (float)turned.y;
        q[2] = (float)turned.z, q[3] = (float)turned.w;
    }
}

sn_arm_output test_arm_solve(test_arm *arm) {
    sn_arm_output out;
    sn_error error = {0};
    if (sn_arm_apply(&arm->job, &arm->figure.joints, &out, &error) != SN_OK)
        fail_msg("%s", error.text);
    return out;
}

static sn_dvec3 carried(const test_arm *arm, uint32_t joint, sn_dvec3 p) {
    for (; joint != SN_NONE; joint = arm->figure.parents[joint]) {
        const sn_transform *t = &arm->figure.local[joint];
        p = sn_dvec3_add(sn_dquat_rotate(dquat(t->rotation), p), test_dvec3(t->translation));
    }
    const float(*m)[4] = arm->figure.joints.root.m;
    double world[3];
    for (int r = 0; r < 3; r++)
        world[r] =
            (double)m[r][0] * p.x + (double)m[r][1] * p.y + (double)m[r][2] * p.z + (double)m[r][3];
    return (sn_dvec3){world[0], world[1], world[2]};
}

sn_dvec3 test_arm_position(const test_arm *arm, uint32_t joint) {
    return carried(arm, joint, (sn_dvec3){0, 0, 0});
}

sn_dvec3 test_arm_grip(const test_arm *arm) {
    return carried(arm, arm->bones.hand, test_dvec3(arm->job.grip));
}

sn_dquat test_arm_hand(const test_arm *arm) {
    return sn_dquat_unit(test_figure_rotation(&arm->figure, arm->bones.hand));
}

sn_dvec3 test_arm_body(const test_arm *arm, double out, double up, double forward) {
    double facing = (double)arm->bones.facing;
    bool is_left = arm->bones.kind == SN_LIMB_LEFT_ARM || arm->bones.kind == SN_LIMB_LEFT_LEG;
    return (sn_dvec3){(is_left ? facing : -facing) * out, up, facing * forward};
}

void test_arm_target(test_arm *arm, sn_dvec3 from_shoulder) {
    test_store3(arm->job.target,
                sn_dvec3_add(test_arm_position(arm, arm->bones.upper), from_shoulder));
}
