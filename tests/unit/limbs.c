#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/limbs.h"

sn_dvec3 test_dvec3(const float v[3]) {
    return (sn_dvec3){(double)v[0], (double)v[1], (double)v[2]};
}

void test_store3(float out[3], sn_dvec3 v) {
    out[0] = (float)v.x, out[1] = (float)v.y, out[2] = (float)v.z;
}

double test_distance(sn_dvec3 a, sn_dvec3 b) {
    return sn_dvec3_length(sn_dvec3_subtract(a, b));
}

double test_angle(sn_dvec3 a, sn_dvec3 b) {
    return atan2(sn_dvec3_length(sn_dvec3_cross(a, b)), sn_dvec3_dot(a, b));
}

static sn_dquat dquat(const float q[4]) {
    return (sn_dquat){(double)q[0], (double)q[1], (double)q[2], (double)q[3]};
}

double test_rotation_angle(const float a[4], const float b[4]) {
    sn_dquat r = sn_dquat_multiply(dquat(a), sn_dquat_conjugate(dquat(b)));
    return 2 * atan2(sqrt(r.x * r.x + r.y * r.y + r.z * r.z), fabs(r.w));
}

sn_dvec3 test_random_direction(test_random *random) {
    float q[4];
    test_random_quat(random, q);
    return sn_dvec3_unit(sn_dquat_rotate(dquat(q), (sn_dvec3){0, 0, 1}));
}

static void store_quat(float out[4], sn_dquat q) {
    out[0] = (float)q.x, out[1] = (float)q.y, out[2] = (float)q.z, out[3] = (float)q.w;
}

/* The rotation with the joint's axis along `bone`, rolled about it. */
static sn_dquat along(const test_limb_shape *shape, sn_dvec3 bone, double roll) {
    sn_dvec3 unit = sn_dvec3_unit(bone);
    sn_dvec3 half = sn_dvec3_scale(unit, sin(roll / 2));
    return sn_dquat_multiply((sn_dquat){half.x, half.y, half.z, cos(roll / 2)},
                             sn_dquat_from_to(shape->axis, unit, (sn_dvec3){0, 1, 0}));
}

void test_limb_make(test_limb *limb, const test_limb_shape *shape) {
    memset(limb, 0, sizeof *limb);
    for (int i = 0; i < TEST_LIMB_JOINTS; i++)
        limb->joints[i] = sn_transform_identity();
    uint32_t step = shape->has_twist ? 2 : 1;
    sn_dvec3 bones[2] = {shape->upper, shape->fore};
    sn_dquat above = {0, 0, 0, 1};
    for (uint32_t bone = 0; bone < 2; bone++) {
        sn_dquat world = along(shape, bones[bone], shape->roll);
        store_quat(limb->joints[bone * step].rotation,
                   sn_dquat_multiply(sn_dquat_conjugate(above), world));
        above = world;
        double length = sn_dvec3_length(bones[bone]) / step;
        for (uint32_t i = 1; i <= step; i++)
            test_store3(limb->joints[bone * step + i].translation,
                        sn_dvec3_scale(shape->axis, length));
        if (shape->has_twist) {
            sn_dvec3 half = sn_dvec3_scale(shape->axis, sin(0.4));
            sn_dquat twist = {half.x, half.y, half.z, cos(0.4)};
            store_quat(limb->joints[bone * step + 1].rotation, twist);
            above = sn_dquat_multiply(above, twist);
        }
    }
    limb->upper = sn_dvec3_length(shape->upper);
    limb->fore = sn_dvec3_length(shape->fore);
    limb->job = (sn_two_bone_job){.parent_world = sn_affine_identity(),
                                  .joints = limb->joints,
                                  .joint_count = 2 * step + 1,
                                  .middle = step,
                                  .weight = 1,
                                  .options = &limb->options};
    test_store3(limb->job.target, sn_dvec3_add(shape->upper, shape->fore));
}

void test_limb_arm(test_limb *limb) {
    test_limb_shape shape = {
        .upper = {0.30, 0, 0}, .fore = {0.25 * cos(0.3), 0, 0.25 * sin(0.3)}, .axis = {1, 0, 0}};
    test_limb_make(limb, &shape);
}

typedef struct matrix {
    double m[3][4];
} matrix;

static matrix multiply(const matrix *a, const matrix *b) {
    matrix out;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 4; c++)
            out.m[r][c] = a->m[r][0] * b->m[0][c] + a->m[r][1] * b->m[1][c] +
                          a->m[r][2] * b->m[2][c] + (c == 3 ? a->m[r][3] : 0);
    return out;
}

static matrix local(const float translation[3], const float q[4], const float scale[3]) {
    double x = (double)q[0], y = (double)q[1], z = (double)q[2], w = (double)q[3];
    matrix out = {{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), 0},
                   {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x), 0},
                   {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y), 0}}};
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++)
            out.m[r][c] *= (double)scale[c];
        out.m[r][3] = (double)translation[r];
    }
    return out;
}

static sn_dvec3 origin(const matrix *m) {
    return (sn_dvec3){m->m[0][3], m->m[1][3], m->m[2][3]};
}

test_placed test_limb_place(const test_limb *limb, const sn_two_bone_output *solved) {
    const sn_two_bone_job *job = &limb->job;
    test_placed out = {0};
    matrix world;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 4; c++)
            world.m[r][c] = (double)job->parent_world.m[r][c];
    for (uint32_t i = 0; i < job->joint_count; i++) {
        sn_transform joint = job->joints[i];
        const float *q = joint.rotation;
        if (solved && i == 0)
            q = solved->root_rotation;
        if (solved && i == job->middle)
            q = solved->middle_rotation;
        if (solved && i == job->joint_count - 1)
            q = solved->end_rotation;
        for (int c = 0; c < 3 && solved && i > 0; c++)
            joint.translation[c] *= solved->stretch;
        matrix m = local(joint.translation, q, joint.scale);
        world = multiply(&world, &m);
        if (i == 0)
            out.root = origin(&world);
        if (i == job->middle)
            out.middle = origin(&world);
    }
    out.end = origin(&world);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            out.end_axes[r][c] = world.m[r][c];
    return out;
}

sn_two_bone_output test_limb_solve(const test_limb *limb) {
    sn_two_bone_output out;
    sn_error error = {0};
    if (sn_two_bone_solve(&limb->job, &out, &error) != SN_OK)
        fail_msg("%s", error.text);
    return out;
}

double test_limb_flexion(const test_placed *p) {
    return test_angle(sn_dvec3_subtract(p->middle, p->root), sn_dvec3_subtract(p->end, p->middle));
}

sn_dvec3 test_limb_bend(const test_placed *p) {
    sn_dvec3 line = sn_dvec3_unit(sn_dvec3_subtract(p->end, p->root));
    return sn_dvec3_unit(sn_dvec3_across(sn_dvec3_subtract(p->middle, p->root), line));
}
