#include "rig/hand.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

#define PADDING 0.18 /* from the bones to the skin, of a first bone's length */

/* ---- the rod ---- */

double sn_hand_padding(const sn_hand *hand) {
    return PADDING * hand->proximal;
}

sn_hand_line sn_hand_rod_line(const sn_hand *hand, double radius, double tilt) {
    sn_dvec3 forward = sn_dvec3_load(hand->forward);
    double behind = fmin(hand->proximal / 2, radius);
    sn_dvec3 point = sn_dvec3_load(hand->knuckles);
    point = sn_dvec3_subtract(point, sn_dvec3_scale(forward, behind));
    point = sn_dvec3_add(point, sn_dvec3_scale(sn_dvec3_load(hand->palm), radius + hand->depth));
    sn_dvec3 direction = sn_dvec3_add(sn_dvec3_scale(sn_dvec3_load(hand->radial), cos(tilt)),
                                      sn_dvec3_scale(forward, sin(tilt)));
    return (sn_hand_line){point, direction};
}

static sn_dmat3 load_matrix(const double m[9]) {
    return (sn_dmat3){{sn_dvec3_load(m), sn_dvec3_load(m + 3), sn_dvec3_load(m + 6)}};
}

double sn_hand_scale(const sn_hand *hand, const sn_joints *joints) {
    sn_space wrist = sn_space_of_joint(joints, joints->local, hand->wrist);
    sn_dmat3 root = sn_dmat3_of_affine(&joints->root), rest = load_matrix(hand->rest_axes);
    return cbrt(fabs(sn_dmat3_determinant(&root) * sn_dmat3_determinant(&wrist.axes) /
                     sn_dmat3_determinant(&rest)));
}

/* World to hand space, as the wrist is in the pose. */
static sn_result rod_line(const sn_hand *hand, const sn_joints *joints, const sn_rod *rod,
                          sn_hand_line *out, sn_error *error) {
    sn_space from_world, wrist = sn_space_of_joint(joints, joints->local, hand->wrist);
    sn_result result = sn_space_from_world(joints, &from_world, error);
    if (result != SN_OK)
        return result;
    sn_dmat3 inverse, rest = load_matrix(hand->rest_axes);
    if (!sn_dmat3_inverse(&wrist.axes, &inverse))
        return sn_fail(error, SN_MESSAGE_CHAIN_LENGTH, NULL, "a scale above the wrist is zero");
    sn_dmat3 to_hand = sn_dmat3_multiply(&rest, &inverse);
    sn_dvec3 point = sn_space_point(&from_world, sn_dvec3_of(rod->point));
    sn_dvec3 direction = sn_dmat3_apply(&from_world.axes, sn_dvec3_of(rod->direction));
    out->point = sn_dmat3_apply(&to_hand, sn_dvec3_subtract(point, wrist.origin));
    out->direction = sn_dvec3_unit(sn_dmat3_apply(&to_hand, direction));
    return SN_OK;
}

/* ---- fingers ---- */

/* The turn in hand space as one in a joint's own. */
static sn_dquat own_turn(const sn_phalanx *p, sn_dquat turn) {
    sn_dmat3 own = load_matrix(p->own);
    sn_dvec3 axis = sn_dmat3_apply(&own, (sn_dvec3){turn.x, turn.y, turn.z});
    double before = sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);
    double after = sn_dvec3_length(axis);
    if (!(after > 0))
        return (sn_dquat){0, 0, 0, 1};
    axis = sn_dvec3_scale(axis, before / after);
    return (sn_dquat){axis.x, axis.y, axis.z, turn.w};
}

static void store(const sn_hand_finger *finger, const sn_finger_turns *turns, double weight,
                  const sn_joints *joints) {
    for (uint32_t i = 0; i < finger->count; i++) {
        const sn_phalanx *p = &finger->phalanges[i];
        float *rotation = joints->local[p->joint].rotation;
        sn_dquat rest = sn_dquat_unit(sn_dquat_of(p->rest));
        sn_dquat wanted = sn_dquat_multiply(rest, own_turn(p, turns->of[i]));
        sn_dquat from = sn_dquat_unit(sn_dquat_of(rotation));
        sn_turn_store(rotation,
                      sn_turn_share(sn_dquat_multiply(wanted, sn_dquat_conjugate(from)), weight));
    }
}

/* ---- applying ---- */

sn_result sn_hand_check(const sn_hand *hand, const sn_joints *joints, sn_error *error) {
    for (uint32_t f = 0; f < SN_FINGER_COUNT; f++)
        for (uint32_t i = 0; i < hand->fingers[f].count; i++) {
            uint32_t joint = hand->fingers[f].phalanges[i].joint;
            sn_dquat q = sn_dquat_of(joints->local[joint].rotation);
            double square = sn_dquat_dot(q, q);
            if (!isfinite(square) || !(square > 0))
                return sn_fail(error, SN_MESSAGE_CHAIN_VALUE, NULL,
                               "the rotation of a finger (joint %u) is not finite, or zero", joint);
        }
    return SN_OK;
}

static const char *bad_value(const sn_hand_pose *pose, float weight) {
    if (!(weight >= 0 && weight <= 1))
        return "weight";
    for (uint32_t f = 0; f < SN_FINGER_COUNT; f++) {
        if (!(pose->curl[f] >= 0 && pose->curl[f] <= 1))
            return "curl";
    }
    if (!isfinite(pose->spread))
        return "spread";
    if (!(pose->radius >= 0 && isfinite(pose->radius)))
        return "radius";
    if (!(fabsf(pose->tilt) <= 1.5f))
        return "tilt";
    if (!(pose->padding >= 0 && isfinite(pose->padding)))
        return "padding";
    const sn_rod *rod = pose->rod;
    if (rod && !(sn_are_finite(rod->point, 3) && sn_are_finite(rod->direction, 3) &&
                 sn_dvec3_length(sn_dvec3_of(rod->direction)) > 0))
        return "rod";
    if (rod && !(rod->radius > 0 && isfinite(rod->radius)))
        return "radius of the rod";
    return NULL;
}

sn_result sn_hand_apply(const sn_hand_job *job, const sn_joints *joints, sn_hand_output *out,
                        sn_error *error) {
    const sn_hand *hand = job->hand;
    const sn_hand_pose *pose = job->pose;
    float weight = job->weight;
    const char *bad = bad_value(pose, weight);
    if (bad)
        return sn_fail(error, SN_MESSAGE_CHAIN_VALUE, NULL,
                       "the %s is not finite or not in its range", bad);
    sn_result result = sn_hand_check(hand, joints, error);
    if (result != SN_OK)
        return result;
    bool has_rod = pose->rod || pose->radius > 0;
    sn_hand_rod rod;
    double scale = 1;
    if (has_rod) {
        result = sn_space_check(joints, joints->local, hand->wrist, "the wrist", error);
        if (result != SN_OK)
            return result;
        scale = sn_hand_scale(hand, joints);
        if (!(scale > 0) || !isfinite(1 / scale))
            return sn_fail(error, SN_MESSAGE_CHAIN_LENGTH, NULL, "the wrist's scale is zero");
        rod.radius = (double)(pose->rod ? pose->rod->radius : pose->radius) / scale;
        rod.radius += pose->padding > 0 ? (double)pose->padding / scale : sn_hand_padding(hand);
        rod.line = sn_hand_rod_line(hand, rod.radius, (double)pose->tilt);
        result = pose->rod ? rod_line(hand, joints, pose->rod, &rod.line, error) : SN_OK;
        if (result != SN_OK)
            return result;
    }
    sn_hand_output found = {.flags = SN_HAND_REACHED};
    double residual = 0;
    for (uint32_t f = 0; f < SN_FINGER_COUNT; f++) {
        if (hand->fingers[f].count == 0)
            continue;
        sn_finger_turns turns = sn_finger_bend(hand, (sn_finger)f, pose, has_rod ? &rod : NULL);
        if (has_rod && pose->curl[f] > 0 && !turns.is_touching) {
            found.flags = SN_HAND_LOOSE;
            residual = fmax(residual, turns.gap * scale);
        }
        if (weight > 0)
            store(&hand->fingers[f], &turns, (double)weight, joints);
    }
    found.residual = (float)residual;
    if (out)
        *out = found;
    return SN_OK;
}
