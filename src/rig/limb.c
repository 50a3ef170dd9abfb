#include "rig/limb.h"

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
