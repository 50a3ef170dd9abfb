#include "sinew/twist.h"

#include <math.h>

#include "base/error.h"
#include "rig/similarity.h"
#include "rig/space.h"
#include "rig/swing_twist.h"

double sn_twist_angle(const float rotation[4], const float axis[3]) {
    return sn_swing_twist_of(sn_dquat_of(rotation), sn_dvec3_of(axis)).twist;
}

void sn_twist_split(const float rotation[4], const float axis[3], float swing[4], float twist[4]) {
    sn_swing_twist parts = sn_swing_twist_of(sn_dquat_of(rotation), sn_dvec3_of(axis));
    sn_store_quat(swing, parts.swing);
    sn_store_quat(twist, sn_dquat_about(sn_dvec3_of(axis), parts.twist));
}

/* ---- setting up ---- */

static sn_result check_joint(const sn_joints *joints, uint32_t joint, const char *what,
                             sn_error *error) {
    if (joint >= joints->count)
        return sn_fail(error, SN_MESSAGE_CHAIN_JOINTS, NULL, "%s is joint %u of %u", what, joint,
                       joints->count);
    if (sn_joints_fixed(joints, joint))
        return sn_fail(error, SN_MESSAGE_CHAIN_JOINTS, NULL,
                       "%s, joint %u, has a matrix that no rotation can be written to", what,
                       joint);
    return SN_OK;
}

static bool is_strictly_above(const sn_joints *joints, uint32_t ancestor, uint32_t joint) {
    return ancestor != joint && sn_joints_is_above(joints, ancestor, joint);
}

static sn_result check(const sn_joints *joints, const sn_twist_bone *bone, sn_error *error) {
    sn_result result = check_joint(joints, bone->source, "the source", error);
    if (result == SN_OK && bone->end != SN_NONE)
        result = check_joint(joints, bone->end, "the end", error);
    if (result != SN_OK)
        return result;
    if (joints->parents[bone->source] == SN_NONE && bone->end == SN_NONE)
        return sn_fail(error, SN_MESSAGE_CHAIN_JOINTS, NULL,
                       "the source, joint %u, stands on no joint: its bone begins nowhere",
                       bone->source);
    if (bone->end != SN_NONE && !is_strictly_above(joints, bone->source, bone->end))
        return sn_fail(error, SN_MESSAGE_CHAIN_JOINTS, NULL,
                       "the end, joint %u, is not below the source, joint %u", bone->end,
                       bone->source);
    if (bone->joint_count >= SN_TWIST_JOINTS)
        return sn_fail(error, SN_MESSAGE_CHAIN_JOINTS, NULL, "%u joints share, at most %u can",
                       bone->joint_count, (uint32_t)SN_TWIST_JOINTS - 1);
    for (uint32_t i = 0; i < bone->joint_count; i++) {
        const sn_twist_share *share = &bone->joints[i];
        result = check_joint(joints, share->joint, "one with a share", error);
        if (result != SN_OK)
            return result;
        bool is_twice = share->joint == bone->source || share->joint == bone->end;
        for (uint32_t k = 0; k < i; k++)
            is_twice |= bone->joints[k].joint == share->joint;
        if (is_twice)
            return sn_fail(error, SN_MESSAGE_CHAIN_JOINTS, NULL,
                           "joint %u is there twice: the source and the end take what is left",
                           share->joint);
        if (!isfinite(share->share))
            return sn_fail(error, SN_MESSAGE_CHAIN_VALUE, NULL,
                           "the share of joint %u is not finite", share->joint);
    }
    return SN_OK;
}

/* From the highest joint that shares, or else the one above the source; and if the source lies
 * where that does, as twist bones may, from the nearest above that is elsewhere. */
static sn_dvec3 bone_above(const sn_joints *joints, const sn_twist_bone *bone) {
    uint32_t from = joints->parents[bone->source];
    for (uint32_t i = 0; i < bone->joint_count; i++)
        if (sn_joints_is_above(joints, bone->joints[i].joint, from))
            from = bone->joints[i].joint;
    sn_dvec3 tip = sn_space_at_rest(joints, bone->source).origin, line = {0, 0, 0};
    for (; from != SN_NONE; from = joints->parents[from]) {
        line = sn_dvec3_subtract(tip, sn_space_at_rest(joints, from).origin);
        if (sn_dvec3_length(line) > 1e-6 * sn_dvec3_length(tip))
            break;
    }
    return line;
}

/* A twist is by the right hand about the bone's direction, in the model. */
static void store_axis(const sn_joints *joints, uint32_t space, sn_dvec3 bone, float out[3]) {
    sn_space at_rest = sn_space_at_rest(joints, space);
    sn_similarity similarity = sn_similarity_of(&at_rest.axes);
    sn_store_vec3(out, sn_dvec3_unit(sn_similarity_axis(&similarity, bone)));
}

static void insert(sn_twist *twist, const sn_joints *joints, sn_dvec3 bone, sn_twist_share share) {
    struct sn_twist_turn *turn = &twist->turns[twist->count++];
    *turn = (struct sn_twist_turn){
        .joint = share.joint,
        .share = share.share,
        .is_in_line = is_strictly_above(joints, share.joint, twist->tip),
    };
    store_axis(joints, share.joint, bone, turn->axis);
    if (turn->is_in_line &&
        (twist->top == SN_NONE || sn_joints_is_above(joints, share.joint, twist->top)))
        twist->top = share.joint;
}

sn_result sn_twist_set_up(const sn_joints *joints, const sn_twist_bone *bone, sn_twist *out,
                          sn_error *error) {
    sn_result result = check(joints, bone, error);
    if (result != SN_OK)
        return result;
    bool has_end = bone->end != SN_NONE;
    sn_dvec3 along = has_end ? sn_dvec3_subtract(sn_space_at_rest(joints, bone->end).origin,
                                                 sn_space_at_rest(joints, bone->source).origin)
                             : bone_above(joints, bone);
    sn_twist twist = {
        .source = bone->source, .tip = has_end ? bone->end : bone->source, .top = SN_NONE};
    double length = sn_dvec3_length(along);
    if (!(length > 0 && isfinite(length)))
        return sn_fail(error, SN_MESSAGE_CHAIN_LENGTH, NULL, "the bone of joint %u has no length",
                       bone->source);
    store_axis(joints, joints->parents[bone->source], along, twist.axis);
    float handed_down = 0;
    for (uint32_t i = 0; i < bone->joint_count; i++) {
        insert(&twist, joints, along, bone->joints[i]);
        uint32_t joint = bone->joints[i].joint;
        if (has_end && is_strictly_above(joints, bone->source, joint) &&
            is_strictly_above(joints, joint, bone->end))
            handed_down += bone->joints[i].share;
    }
    if (has_end)
        insert(&twist, joints, along, (sn_twist_share){bone->source, -handed_down});
    for (uint32_t i = 0; i < twist.count; i++)
        for (int c = 0; c < 3; c++)
            if (!isfinite(twist.turns[i].axis[c]) || !isfinite(twist.axis[c]))
                return sn_fail(error, SN_MESSAGE_CHAIN_LENGTH, NULL,
                               "a joint above joint %u has the scale zero", twist.turns[i].joint);
    *out = twist;
    return SN_OK;
}

/* ---- applying ---- */

static double source_angle(const sn_twist *twist, const sn_joints *joints, sn_twist_state *state) {
    sn_dquat rest = sn_dquat_of(joints->rest[twist->source].rotation);
    sn_dquat away = sn_dquat_multiply(sn_dquat_of(joints->local[twist->source].rotation),
                                      sn_dquat_conjugate(rest));
    sn_swing_twist parts = sn_swing_twist_of(away, sn_dvec3_of(twist->axis));
    double angle = parts.twist;
    if (!state)
        return angle;
    if (state->is_set) {
        double before = (double)state->angle;
        angle =
            parts.is_told ? angle + 2 * SN_PI * nearbyint((before - angle) / (2 * SN_PI)) : before;
    }
    *state = (sn_twist_state){(float)angle, true};
    return angle;
}

/* Rotation of the joint above the tip, seen from above the top. */
static sn_dquat above_tip(const sn_twist *twist, const sn_joints *joints) {
    sn_dquat q = {0, 0, 0, 1};
    for (uint32_t joint = joints->parents[twist->tip];; joint = joints->parents[joint]) {
        q = sn_dquat_multiply(sn_dquat_of(joints->local[joint].rotation), q);
        if (joint == twist->top)
            return q;
    }
}

/* Where the tip is, by the translations, rotations and scales down to it, between the joint's
 * rotation and its scale: a turn about this leaves the tip in its place. */
static sn_dvec3 tip_from(const sn_joints *joints, uint32_t joint, uint32_t tip) {
    sn_dvec3 p = sn_dvec3_of(joints->local[tip].translation);
    for (uint32_t at = joints->parents[tip];; at = joints->parents[at]) {
        const sn_transform *t = &joints->local[at];
        p = (sn_dvec3){p.x * (double)t->scale[0], p.y * (double)t->scale[1],
                       p.z * (double)t->scale[2]};
        if (at == joint)
            return p;
        p = sn_dvec3_add(sn_dquat_rotate(sn_dquat_of(t->rotation), p), sn_dvec3_of(t->translation));
    }
}

static sn_dvec3 turn_axis(const sn_twist *twist, const sn_joints *joints,
                          const struct sn_twist_turn *turn) {
    sn_dvec3 rest = sn_dvec3_of(turn->axis);
    if (!turn->is_in_line)
        return rest;
    sn_dvec3 tip = tip_from(joints, turn->joint, twist->tip);
    double length = sn_dvec3_length(tip);
    if (!(length > 0))
        return rest;
    tip = sn_dvec3_scale(tip, 1 / length);
    /* The same line: in a mirrored space the sense of the rotation is the other one. */
    return sn_dvec3_dot(tip, rest) < 0 ? sn_dvec3_scale(tip, -1) : tip;
}

static sn_result check_pose(const sn_joints *joints, uint32_t joint, sn_error *error) {
    const sn_transform *local = &joints->local[joint];
    sn_dquat q = sn_dquat_of(local->rotation);
    if (isfinite(sn_dquat_dot(q, q)) && sn_are_finite(local->translation, 3) &&
        sn_are_finite(local->scale, 3))
        return SN_OK;
    return sn_fail(error, SN_MESSAGE_CHAIN_VALUE, NULL,
                   "joint %u is not finite, or its rotation is zero", joint);
}

static sn_result check_job(const sn_twist_job *job, const sn_joints *joints, sn_error *error) {
    const sn_twist *twist = job->twist;
    if (!(job->weight >= 0 && job->weight <= 1))
        return sn_fail(error, SN_MESSAGE_CHAIN_VALUE, NULL,
                       "weight is not finite or outside its range");
    sn_result result = check_pose(joints, twist->source, error);
    for (uint32_t i = 0; i < twist->count && result == SN_OK; i++)
        result = check_pose(joints, twist->turns[i].joint, error);
    uint32_t above_top = twist->top == SN_NONE ? twist->tip : joints->parents[twist->top];
    for (uint32_t joint = twist->tip; joint != above_top && result == SN_OK;
         joint = joints->parents[joint])
        result = check_pose(joints, joint, error);
    return result;
}

static void spread(const sn_twist *twist, const sn_joints *joints, double angle) {
    sn_dquat before = {0, 0, 0, 1};
    if (twist->top != SN_NONE)
        before = above_tip(twist, joints);
    for (uint32_t i = 0; i < twist->count; i++) {
        const struct sn_twist_turn *turn = &twist->turns[i];
        float *rotation = joints->local[turn->joint].rotation;
        sn_dquat by = sn_dquat_about(turn_axis(twist, joints, turn), angle * (double)turn->share);
        sn_store_quat(rotation, sn_dquat_multiply(sn_dquat_of(rotation), by));
    }
    if (twist->top != SN_NONE) {
        float *tip = joints->local[twist->tip].rotation;
        sn_dquat back = sn_dquat_multiply(sn_dquat_conjugate(above_tip(twist, joints)), before);
        sn_store_quat(tip, sn_dquat_multiply(back, sn_dquat_of(tip)));
    }
}

sn_result sn_twist_apply(const sn_twist_job *job, const sn_joints *joints, double *angle,
                         sn_error *error) {
    sn_result result = check_job(job, joints, error);
    if (result != SN_OK)
        return result;
    double twist = source_angle(job->twist, joints, job->state);
    if (job->weight > 0)
        spread(job->twist, joints, twist * (double)job->weight);
    if (angle)
        *angle = twist;
    return SN_OK;
}
