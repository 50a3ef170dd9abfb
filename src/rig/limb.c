#include "rig/limb.h"

/* The columns of a rotation's matrix (glTF 2.0, 3.5.3), each by its scale. */
static sn_dmat3 local_matrix(sn_dquat q, const float scale[3]) {
    double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z, xy = q.x * q.y, xz = q.x * q.z;
    double yz = q.y * q.z, wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    sn_dvec3 x = {1 - 2 * (yy + zz), 2 * (xy + wz), 2 * (xz - wy)};
    sn_dvec3 y = {2 * (xy - wz), 1 - 2 * (xx + zz), 2 * (yz + wx)};
    sn_dvec3 z = {2 * (xz + wy), 2 * (yz - wx), 1 - 2 * (xx + yy)};
    return (sn_dmat3){{sn_dvec3_scale(x, (double)scale[0]), sn_dvec3_scale(y, (double)scale[1]),
                       sn_dvec3_scale(z, (double)scale[2])}};
}

sn_limb sn_limb_place(const sn_two_bone_job *job, const sn_limb_rotations *rotations) {
    sn_limb out = {0};
    sn_dmat3 space = {0};
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
        sn_dmat3 local = local_matrix(q, joint->scale);
        space = i == 0 ? local : sn_dmat3_multiply(&space, &local);
    }
    out.end = position;
    out.end_parent = space;
    return out;
}
