/* What an arm's rest pose tells: its chain, and which way the elbow bends. */
#include <math.h>

#include "base/error.h"
#include "rig/hand.h"
#include "sinew/grip.h"

/* Bend of the rest pose, as a sine, from which on it shows the elbow's hinge. */
#define LEAST_BEND 0.05

static sn_result find_chain(const sn_joints *joints, uint32_t upper, uint32_t lower, uint32_t wrist,
                            sn_grip_arm *out, sn_error *error) {
    uint32_t count = 0;
    for (uint32_t at = wrist; at != SN_NONE && count <= SN_GRIP_CHAIN; at = joints->parents[at]) {
        count++;
        if (at == upper)
            break;
    }
    bool is_chain = lower != upper && lower != wrist && sn_joints_is_above(joints, upper, lower) &&
                    sn_joints_is_above(joints, lower, wrist);
    if (!is_chain || count > SN_GRIP_CHAIN)
        return sn_fail(error, SN_MESSAGE_CHAIN_JOINTS, NULL,
                       "upper arm, lower arm and hand (joints %u, %u, %u) are no chain of at most "
                       "%u joints",
                       upper, lower, wrist, (uint32_t)SN_GRIP_CHAIN);
    out->count = count;
    for (uint32_t at = wrist; count > 0; at = joints->parents[at]) {
        out->chain[--count] = at;
        if (at == lower)
            out->elbow = count;
    }
    return SN_OK;
}

/* In the space that `parent` gives its children. */
static sn_dvec3 below(const sn_space *parent, sn_dvec3 direction) {
    sn_dmat3 inverse;
    if (!sn_dmat3_inverse(&parent->axes, &inverse))
        return direction; /* cannot be: sn_space_check */
    return sn_dvec3_unit(sn_dmat3_apply(&inverse, direction));
}

static void find_bend(const sn_joints *joints, double facing, sn_grip_arm *out) {
    uint32_t upper = out->chain[0], lower = out->chain[out->elbow];
    sn_dvec3 shoulder = sn_space_at_rest(joints, upper).origin,
             elbow = sn_space_at_rest(joints, lower).origin;
    sn_dvec3 hand = sn_space_at_rest(joints, out->hand.wrist).origin, front = {0, 0, facing};
    sn_dvec3 arm = sn_dvec3_subtract(elbow, shoulder), fore = sn_dvec3_subtract(hand, elbow);
    sn_dvec3 hinge = sn_dvec3_cross(fore, front), bend = sn_dvec3_cross(arm, fore);
    double sine = sn_dvec3_length(bend) / (sn_dvec3_length(arm) * sn_dvec3_length(fore));
    if ((sine > LEAST_BEND && sn_dvec3_dot(bend, hinge) > 0) ||
        !(sn_dvec3_length(hinge) > 1e-3 * sn_dvec3_length(fore)))
        hinge = bend;
    sn_space above = sn_space_at_rest(joints, joints->parents[lower]);
    if (sn_dvec3_length(hinge) > 0) {
        sn_dquat own = sn_dquat_unit(sn_dquat_of(joints->rest[lower].rotation));
        hinge = sn_dquat_rotate(sn_dquat_conjugate(own), below(&above, hinge));
        if (sn_dmat3_determinant(&above.axes) < 0)
            hinge = sn_dvec3_scale(hinge, -1);
        sn_store_vec3(out->hinge, hinge);
    }
    double side = out->hand.is_left ? facing : -facing;
    sn_space parent = sn_space_at_rest(joints, joints->parents[upper]);
    sn_store_vec3(out->field_reach, below(&parent, (sn_dvec3){0.25 * side, -0.15, facing}));
    sn_store_vec3(out->field_bend, below(&parent, (sn_dvec3){0.5 * side, -1, -0.25 * facing}));
}

sn_result sn_grip_arm_set_up(const sn_joints *joints, const sn_humanoid *humanoid,
                             sn_human_bone bone, sn_grip_arm *out, sn_error *error) {
    sn_grip_arm arm = {.count = 0};
    sn_result result = sn_hand_set_up(joints, humanoid, bone, &arm.hand, error);
    uint32_t chain[3];
    for (int i = 0; i < 3 && result == SN_OK; i++) {
        sn_human_bone part = (sn_human_bone)(bone - 2 + (unsigned)i);
        chain[i] = humanoid->joints[part];
        const char *name = sn_human_bone_name(part);
        if (chain[i] == SN_NONE)
            return sn_fail(error, SN_MESSAGE_CHAIN_JOINTS, NULL, "the model has no %s", name);
        result = sn_space_check(joints, joints->rest, chain[i], name, error);
    }
    if (result == SN_OK)
        result = find_chain(joints, chain[0], chain[1], chain[2], &arm, error);
    if (result != SN_OK)
        return result;
    find_bend(joints, humanoid->facing < 0 ? -1 : 1, &arm);
    *out = arm;
    return SN_OK;
}
