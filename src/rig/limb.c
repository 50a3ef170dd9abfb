#include "rig/limb.h"

sn_dvec3 sn_dvec3_of(const float v[3]) {
    return (sn_dvec3){(double)v[0], (double)v[1], (double)v[2]};
}

sn_dquat sn_dquat_of(const float q[4]) {
    return sn_dquat_unit((sn_dquat){(double)q[0], (double)q[1], (double)q[2], (double)q[3]});
}

sn_dvec3 sn_dmat3_apply(const sn_dmat3 *m, sn_dvec3 v) {
    const sn_dvec3 *c = m->columns;
    return sn_dvec3_add(sn_dvec3_add(sn_dvec3_scale(c[0], v.x), sn_dvec3_scale(c[1], v.y)),
                        sn_dvec3_scale(c[2], v.z));
}

sn_dvec3 sn_dmat3_apply_transposed(const sn_dmat3 *m, sn_dvec3 v) {
    return (sn_dvec3){sn_dvec3_dot(m->columns[0], v), sn_dvec3_dot(m->columns[1], v),
                      sn_dvec3_dot(m->columns[2], v)};
}

sn_dmat3 sn_dmat3_multiply(const sn_dmat3 *left, const sn_dmat3 *right) {
    sn_dmat3 out;
    for (int i = 0; i < 3; i++)
        out.columns[i] = sn_dmat3_apply(left, right->columns[i]);
    return out;
}

double sn_dmat3_determinant(const sn_dmat3 *m) {
    return sn_dvec3_dot(m->columns[0], sn_dvec3_cross(m->columns[1], m->columns[2]));
}

bool sn_dmat3_inverse(const sn_dmat3 *m, sn_dmat3 *out) {
    const sn_dvec3 *c = m->columns;
    double reciprocal = 1 / sn_dmat3_determinant(m);
    if (!isfinite(reciprocal))
        return false;
    sn_dvec3 x = sn_dvec3_scale(sn_dvec3_cross(c[1], c[2]), reciprocal);
    sn_dvec3 y = sn_dvec3_scale(sn_dvec3_cross(c[2], c[0]), reciprocal);
    sn_dvec3 z = sn_dvec3_scale(sn_dvec3_cross(c[0], c[1]), reciprocal);
    *out = (sn_dmat3){{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
    return true;
}

sn_dmat3 sn_dmat3_of_parent(const sn_affine *affine) {
    sn_dmat3 out;
    for (int i = 0; i < 3; i++)
        out.columns[i] =
            (sn_dvec3){(double)affine->m[0][i], (double)affine->m[1][i], (double)affine->m[2][i]};
    return out;
}

sn_similarity sn_similarity_of(const sn_dmat3 *m) {
    sn_similarity out = {.is_mirrored = sn_dmat3_determinant(m) < 0};
    sn_dvec3 x = m->columns[0], y = m->columns[1], z = m->columns[2];
    double xx = sn_dvec3_dot(x, x), yy = sn_dvec3_dot(y, y), zz = sn_dvec3_dot(z, z);
    double tolerance = 2e-6 * xx;
    out.is_exact = fabs(yy - xx) <= 2 * tolerance && fabs(zz - xx) <= 2 * tolerance &&
                   fabs(sn_dvec3_dot(x, y)) <= tolerance && fabs(sn_dvec3_dot(y, z)) <= tolerance &&
                   fabs(sn_dvec3_dot(z, x)) <= tolerance;
    sn_dframe frame = sn_dframe_make(sn_dvec3_unit(out.is_mirrored ? sn_dvec3_scale(x, -1) : x), y);
    const sn_dvec3 *a = frame.axes;
    double rows[3][3] = {
        {a[0].x, a[1].x, a[2].x}, {a[0].y, a[1].y, a[2].y}, {a[0].z, a[1].z, a[2].z}};
    out.rotation = sn_dquat_from_matrix(rows);
    return out;
}

sn_limb sn_limb_place(const sn_two_bone_job *job, const sn_limb_rotations *rotations) {
    sn_limb out = {0};
    sn_dmat3 space = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    sn_dvec3 position = {0, 0, 0};
    for (uint32_t i = 0; i < job->joint_count; i++) {
        const sn_transform *joint = &job->joints[i];
        if (i > 0) {
            sn_dvec3 offset = sn_dvec3_scale(sn_dvec3_of(joint->translation), rotations->stretch);
            position = sn_dvec3_add(position, sn_dmat3_apply(&space, offset));
        }
        if (i == job->middle) {
            out.middle = position;
            out.middle_parent = space;
        }
        if (i == job->joint_count - 1)
            break;
        sn_dquat q = i == 0             ? rotations->root
                     : i == job->middle ? rotations->middle
                                        : sn_dquat_of(joint->rotation);
        double s[3] = {(double)joint->scale[0], (double)joint->scale[1], (double)joint->scale[2]};
        sn_dmat3 local = {{sn_dquat_rotate(q, (sn_dvec3){s[0], 0, 0}),
                           sn_dquat_rotate(q, (sn_dvec3){0, s[1], 0}),
                           sn_dquat_rotate(q, (sn_dvec3){0, 0, s[2]})}};
        space = sn_dmat3_multiply(&space, &local);
    }
    out.end = position;
    out.end_parent = space;
    return out;
}
