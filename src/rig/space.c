#include "rig/space.h"

#include <math.h>

#include "base/error.h"

const sn_affine *sn_joints_fixed(const sn_joints *joints, uint32_t joint) {
    uint32_t low = 0, high = joints->fixed_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (joints->fixed_joints[middle] == joint)
            return &joints->fixed_matrices[middle];
        if (joints->fixed_joints[middle] < joint)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static sn_space local_space(const sn_joints *joints, const sn_transform *pose, uint32_t joint) {
    const sn_affine *fixed = sn_joints_fixed(joints, joint);
    if (fixed)
        return sn_space_of_affine(fixed);
    const sn_transform *t = &pose[joint];
    sn_dquat q = sn_dquat_of(t->rotation);
    sn_dvec3 s = sn_dvec3_of(t->scale);
    return (sn_space){
        {{sn_dquat_rotate(q, (sn_dvec3){s.x, 0, 0}), sn_dquat_rotate(q, (sn_dvec3){0, s.y, 0}),
          sn_dquat_rotate(q, (sn_dvec3){0, 0, s.z})}},
        sn_dvec3_of(t->translation)};
}

sn_dvec3 sn_space_point(const sn_space *space, sn_dvec3 point) {
    return sn_dvec3_add(sn_dmat3_apply(&space->axes, point), space->origin);
}

sn_space sn_space_of_joint(const sn_joints *joints, const sn_transform *pose, uint32_t joint) {
    sn_space out = {{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {0, 0, 0}};
    for (; joint != SN_NONE; joint = joints->parents[joint]) {
        sn_space above = local_space(joints, pose, joint);
        out.origin = sn_space_point(&above, out.origin);
        out.axes = sn_dmat3_multiply(&above.axes, &out.axes);
    }
    return out;
}

static bool is_finite(sn_dvec3 v) {
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

sn_result sn_space_from_world(const sn_joints *joints, sn_space *out, sn_error *error) {
    sn_dvec3 origin = sn_dvec3_of_affine(&joints->root);
    sn_dmat3 axes = sn_dmat3_of_affine(&joints->root), inverse;
    if (!is_finite(origin) || !sn_dmat3_inverse(&axes, &inverse))
        return sn_fail(error, SN_MESSAGE_CHAIN_LENGTH, NULL,
                       "the matrix of the root has no inverse");
    *out = (sn_space){inverse, sn_dmat3_apply(&inverse, sn_dvec3_scale(origin, -1))};
    return SN_OK;
}

sn_result sn_space_check(const sn_joints *joints, const sn_transform *pose, uint32_t joint,
                         const char *what, sn_error *error) {
    if (joint >= joints->count)
        return sn_fail(error, SN_MESSAGE_CHAIN_JOINTS, NULL, "%s is joint %u of %u", what, joint,
                       joints->count);
    if (sn_joints_fixed(joints, joint))
        return sn_fail(error, SN_MESSAGE_CHAIN_JOINTS, NULL,
                       "%s (joint %u) has a matrix that no rotation can change", what, joint);
    sn_dquat q = sn_dquat_of(pose[joint].rotation);
    sn_space own = sn_space_of_joint(joints, pose, joint);
    if (!isfinite(sn_dquat_dot(q, q)) || !is_finite(own.origin))
        return sn_fail(error, SN_MESSAGE_CHAIN_VALUE, NULL,
                       "%s (joint %u) or a joint above it is not finite, or its rotation is zero",
                       what, joint);
    if (!isfinite(1 / sn_dmat3_determinant(&own.axes)))
        return sn_fail(error, SN_MESSAGE_CHAIN_LENGTH, NULL,
                       "the scale of %s (joint %u) or of a joint above it is zero", what, joint);
    return SN_OK;
}

sn_dquat sn_turn_below(const sn_similarity *space, sn_dquat turn) {
    sn_dquat r = space->rotation;
    sn_dquat q = sn_dquat_multiply(sn_dquat_multiply(sn_dquat_conjugate(r), turn), r);
    return space->is_mirrored ? (sn_dquat){q.x, -q.y, -q.z, q.w} : q;
}

sn_dquat sn_turn_share(sn_dquat turn, double share) {
    if (turn.w < 0)
        turn = sn_dquat_scale(turn, -1);
    double sine = sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);
    double half = atan2(sine, turn.w) * share;
    double scale = sine > 0 ? sin(half) / sine : 0;
    return (sn_dquat){turn.x * scale, turn.y * scale, turn.z * scale, cos(half)};
}

void sn_turn_store(float rotation[4], sn_dquat turn) {
    if (!(fabs(turn.x) > 0 || fabs(turn.y) > 0 || fabs(turn.z) > 0))
        return;
    sn_dquat before = sn_dquat_of(rotation);
    sn_dquat after = sn_dquat_unit(sn_dquat_multiply(turn, before));
    if (sn_dquat_dot(before, after) < 0)
        after = sn_dquat_scale(after, -1);
    rotation[0] = (float)after.x, rotation[1] = (float)after.y;
    rotation[2] = (float)after.z, rotation[3] = (float)after.w;
}

void sn_turn_joint(const sn_joints *joints, uint32_t joint, sn_dquat turn) {
    sn_space parent = sn_space_of_joint(joints, joints->local, joints->parents[joint]);
    sn_similarity space = sn_similarity_of(&parent.axes);
    sn_turn_store(joints->local[joint].rotation, sn_turn_below(&space, turn));
}
