#include <math.h>

#include "base/error.h"
#include "rig/arm_chain.h"
#include "rig/space.h"
#include "rig/swing_twist.h"

/* Flexion of the rest pose, as a sine, from which it tells the elbow's hinge: 5 degrees. */
#define TELLING_FLEXION 0.087

static const float spine_shares[SN_ARM_SPINE] = {0.2f, 0.3f, 0.5f};

sn_arm_limits sn_arm_limits_human(void) {
    const float degree = (float)(SN_PI / 180);
    return (sn_arm_limits){
        .shoulder = {.swing_max = {90 * degree, 135 * degree},
                     .swing_min = {90 * degree, 60 * degree},
                     .twist_max = 120 * degree,
                     .twist_min = -120 * degree},
        .wrist = {.swing_max = {80 * degree, 20 * degree},
                  .swing_min = {70 * degree, 30 * degree},
                  .twist_max = 80 * degree,
                  .twist_min = -80 * degree},
        .flexion_max = 150 * degree,
    };
}

sn_arm_bones sn_arm_bones_of(const sn_humanoid *humanoid, sn_limb_kind kind) {
    bool is_leg = kind == SN_LIMB_LEFT_LEG || kind == SN_LIMB_RIGHT_LEG;
    bool is_right = kind == SN_LIMB_RIGHT_ARM || kind == SN_LIMB_RIGHT_LEG;
    const uint32_t *of = humanoid->joints;
    const uint32_t *side = of + (is_right ? SN_HUMAN_SIDE : 0);
    sn_arm_bones bones = {
        .kind = kind,
        .upper = side[SN_HUMAN_LEFT_UPPER_ARM],
        .lower = side[SN_HUMAN_LEFT_LOWER_ARM],
        .hand = side[SN_HUMAN_LEFT_HAND],
        .shoulder = side[SN_HUMAN_LEFT_SHOULDER],
        .spine = {of[SN_HUMAN_SPINE], of[SN_HUMAN_CHEST], of[SN_HUMAN_UPPER_CHEST]},
        .index = side[SN_HUMAN_LEFT_INDEX_PROXIMAL],
        .little = side[SN_HUMAN_LEFT_LITTLE_PROXIMAL],
        .facing = humanoid->facing};
    if (is_leg)
        bones = (sn_arm_bones){.kind = kind,
                               .upper = side[SN_HUMAN_LEFT_UPPER_LEG],
                               .lower = side[SN_HUMAN_LEFT_LOWER_LEG],
                               .hand = side[SN_HUMAN_LEFT_FOOT],
                               .shoulder = SN_NONE,
                               .spine = {SN_NONE, SN_NONE, SN_NONE},
                               .index = SN_NONE,
                               .little = SN_NONE,
                               .facing = humanoid->facing};
    return bones;
}

/* ---- the chain ---- */

/* From the hand up to the lowest of the bones, then turned about. */
static sn_result find_chain(sn_arm *arm, const sn_joints *joints, uint32_t lowest, uint32_t hand,
                            sn_error *error) {
    uint32_t count = 0;
    for (uint32_t joint = hand; joint != SN_NONE; joint = joints->parents[joint]) {
        if (count == SN_ARM_CHAIN)
            return sn_fail(error, SN_MESSAGE_CHAIN_JOINTS, NULL,
                           "more than %u joints from joint %u to the hand", (uint32_t)SN_ARM_CHAIN,
                           lowest);
        if (sn_joints_fixed(joints, joint))
            return sn_fail(error, SN_MESSAGE_CHAIN_JOINTS, NULL,
                           "joint %u has a matrix that no rotation can be written to", joint);
        arm->chain[count++] = joint;
        if (joint == lowest)
            break;
    }
    arm->chain_count = count;
    for (uint32_t i = 0; i < count / 2; i++) {
        uint32_t other = arm->chain[count - 1 - i];
        arm->chain[count - 1 - i] = arm->chain[i];
        arm->chain[i] = other;
    }
    return SN_OK;
}

static uint32_t place_of(const sn_arm *arm, uint32_t joint) {
    uint32_t place = 0;
    while (place < arm->chain_count && arm->chain[place] != joint)
        place++;
    return joint == SN_NONE || place == arm->chain_count ? SN_NONE : place;
}

static sn_result find_places(sn_arm *arm, const sn_joints *joints, const sn_arm_bones *bones,
                             sn_error *error) {
    const uint32_t order[] = {bones->spine[0], bones->spine[1], bones->spine[2], bones->shoulder,
                              bones->upper,    bones->lower,    bones->hand};
    enum { BONES = sizeof order / sizeof order[0], REQUIRED = BONES - 3 };
    static const char *const names[BONES] = {"spine",     "chest",     "upper chest", "shoulder",
                                             "upper arm", "lower arm", "hand"};
    uint32_t lowest = SN_NONE;
    for (int i = 0; i < BONES; i++) {
        if (order[i] == SN_NONE && i >= REQUIRED)
            return sn_fail(error, SN_MESSAGE_CHAIN_JOINTS, NULL, "there is no joint for the %s",
                           names[i]);
        if (order[i] != SN_NONE && order[i] >= joints->count)
            return sn_fail(error, SN_MESSAGE_CHAIN_JOINTS, NULL, "the %s is joint %u of %u",
                           names[i], order[i], joints->count);
        if (order[i] == SN_NONE)
            continue;
        if (lowest == SN_NONE)
            lowest = order[i];
        for (int k = i + 1; k < BONES; k++)
            if (order[k] != SN_NONE && order[k] < joints->count &&
                (order[k] == order[i] || !sn_joints_is_above(joints, order[i], order[k])))
                return sn_fail(error, SN_MESSAGE_CHAIN_JOINTS, NULL,
                               "the %s, joint %u, does not stand on the %s, joint %u", names[k],
                               order[k], names[i], order[i]);
    }
    sn_result result = find_chain(arm, joints, lowest, bones->hand, error);
    if (result != SN_OK)
        return result;
    for (int i = 0; i < SN_ARM_SPINE; i++)
        if (bones->spine[i] != SN_NONE) {
            arm->spine_share[arm->spine_count] = spine_shares[i];
            arm->spine[arm->spine_count++] = place_of(arm, bones->spine[i]);
        }
    float sum = 0;
    for (uint32_t i = 0; i < arm->spine_count; i++)
        sum += arm->spine_share[i];
    for (uint32_t i = 0; i < arm->spine_count; i++)
        arm->spine_share[i] /= sum;
    arm->shoulder = place_of(arm, bones->shoulder);
    arm->upper = place_of(arm, bones->upper);
    arm->lower = place_of(arm, bones->lower);
    arm->hand = place_of(arm, bones->hand);
    return SN_OK;
}

/* ---- the body's directions, and zeros of the joints ---- */

typedef struct rest_pose {
    const sn_joints *joints;
    const sn_arm_bones *bones;
    bool is_leg;
    double side;                           /* 1 left, -1 right */
    sn_dvec3 up, forward, out;             /* of the body, model space */
    sn_dvec3 shoulder, upper, lower, hand; /* positions */
    sn_dvec3 upper_bone, fore_bone;        /* unit */
    sn_dvec3 hinge;                        /* unit */
} rest_pose;

static sn_similarity space_of(const rest_pose *rest, uint32_t joint) {
    sn_space at_rest = sn_space_at_rest(rest->joints, joint);
    return sn_similarity_of(&at_rest.axes);
}

/* Flexing turns the lower bone forwards, a knee's backwards. */
static sn_dvec3 hinge_of(const rest_pose *rest, sn_dvec3 bone, sn_dvec3 otherwise) {
    sn_dvec3 to = rest->is_leg ? sn_dvec3_scale(rest->forward, -1) : rest->forward;
    sn_dvec3 hinge = sn_dvec3_cross(bone, to);
    if (sn_dvec3_length(hinge) < TELLING_FLEXION) /* it points there itself */
        hinge = sn_dvec3_cross(bone, otherwise);
    return sn_dvec3_unit(hinge);
}

static sn_result rest_pose_of(const sn_joints *joints, const sn_arm_bones *bones, rest_pose *out,
                              sn_error *error) {
    rest_pose rest = {
        .joints = joints,
        .bones = bones,
        .is_leg = bones->kind == SN_LIMB_LEFT_LEG || bones->kind == SN_LIMB_RIGHT_LEG,
        .side = bones->kind == SN_LIMB_LEFT_ARM || bones->kind == SN_LIMB_LEFT_LEG ? 1 : -1,
        .up = {0, 1, 0},
        .forward = {0, 0, bones->facing < 0 ? -1 : 1}};
    rest.out = sn_dvec3_scale(sn_dvec3_cross(rest.up, rest.forward), rest.side);
    rest.upper = sn_space_at_rest(joints, bones->upper).origin;
    rest.lower = sn_space_at_rest(joints, bones->lower).origin;
    rest.hand = sn_space_at_rest(joints, bones->hand).origin;
    sn_dvec3 upper = sn_dvec3_subtract(rest.lower, rest.upper);
    sn_dvec3 fore = sn_dvec3_subtract(rest.hand, rest.lower);
    sn_affine hand = sn_joints_rest_model(joints, bones->hand);
    sn_dmat3 linear = sn_dmat3_of_affine(&hand);
    double a = sn_dvec3_length(upper), b = sn_dvec3_length(fore);
    if (!isfinite(a + b) || !isfinite(sn_dmat3_determinant(&linear)))
        return sn_fail(error, SN_MESSAGE_CHAIN_VALUE, NULL, "the rest pose is not finite");
    if (!(a > 0 && b > 0) || !isfinite(1 / sn_dmat3_determinant(&linear)))
        return sn_fail(error, SN_MESSAGE_CHAIN_LENGTH, NULL,
                       "a bone has no length, or a joint the scale zero: %g and %g", a, b);
    rest.upper_bone = sn_dvec3_scale(upper, 1 / a);
    rest.fore_bone = sn_dvec3_scale(fore, 1 / b);
    sn_dvec3 flexing = sn_dvec3_cross(rest.upper_bone, rest.fore_bone);
    rest.hinge = sn_dvec3_length(flexing) > TELLING_FLEXION
                     ? sn_dvec3_unit(flexing)
                     : hinge_of(&rest, rest.upper_bone, rest.up);
    *out = rest;
    return SN_OK;
}

/* The axes of a joint's swings move its bone towards these; outwards is against the right hand
 * about the bone on the left side. */
static sn_joint_zero zero_make(const rest_pose *rest, uint32_t joint, sn_dquat turn, sn_dvec3 bone,
                               const sn_dvec3 towards[2]) {
    sn_similarity space = space_of(rest, rest->joints->parents[joint]);
    sn_dquat local = sn_dquat_of(rest->joints->rest[joint].rotation);
    sn_joint_zero zero;
    sn_store_quat(zero.rotation,
                  sn_similarity_rotation(
                      &space, sn_dquat_multiply(turn, sn_similarity_rotation_out(&space, local))));
    sn_store_vec3(zero.twist_axis, sn_similarity_axis(&space, sn_dvec3_scale(bone, -rest->side)));
    for (int i = 0; i < 2; i++)
        sn_store_vec3(zero.swing_axes[i],
                      sn_similarity_axis(&space, sn_dvec3_unit(sn_dvec3_cross(bone, towards[i]))));
    return zero;
}

static sn_joint_zero shoulder_zero(const rest_pose *rest) {
    sn_dvec3 bone = rest->is_leg ? sn_dvec3_scale(rest->up, -1) : rest->out;
    sn_dframe from = sn_dframe_make(rest->upper_bone, rest->hinge);
    sn_dframe to = sn_dframe_make(bone, hinge_of(rest, bone, rest->up));
    const sn_dvec3 towards[2] = {rest->is_leg ? rest->out : rest->up, rest->forward};
    return zero_make(rest, rest->bones->upper, sn_dquat_between(&from, &to), bone, towards);
}

static sn_joint_zero wrist_zero(const rest_pose *rest) {
    const sn_arm_bones *bones = rest->bones;
    sn_dvec3 bone = rest->fore_bone;
    sn_dvec3 palm = sn_dvec3_scale(rest->is_leg ? rest->forward : rest->up, -1);
    if (bones->index < rest->joints->count && bones->little < rest->joints->count) {
        sn_dvec3 across = sn_dvec3_subtract(sn_space_at_rest(rest->joints, bones->index).origin,
                                            sn_space_at_rest(rest->joints, bones->little).origin);
        sn_dvec3 normal = sn_dvec3_scale(sn_dvec3_cross(bone, across), rest->side);
        if (sn_dvec3_length(normal) > 0)
            palm = sn_dvec3_unit(normal);
    }
    palm = sn_dvec3_unit_across(palm, bone);
    const sn_dvec3 towards[2] = {palm, sn_dvec3_scale(sn_dvec3_cross(palm, bone), rest->side)};
    return zero_make(rest, bones->hand, (sn_dquat){0, 0, 0, 1}, bone, towards);
}

static void set_clavicle_axes(sn_arm *arm, const rest_pose *rest) {
    uint32_t joint = rest->bones->shoulder;
    if (joint == SN_NONE)
        return;
    sn_dvec3 bone = sn_dvec3_subtract(rest->upper, sn_space_at_rest(rest->joints, joint).origin);
    double length = sn_dvec3_length(bone);
    if (!(length > 0)) { /* a clavicle without length moves nothing */
        arm->shoulder = SN_NONE;
        return;
    }
    bone = sn_dvec3_scale(bone, 1 / length);
    sn_similarity space = space_of(rest, rest->joints->parents[joint]);
    sn_dvec3 lift = sn_dvec3_unit_across(sn_dvec3_cross(bone, rest->up), bone);
    sn_dvec3 forwards =
        sn_dvec3_unit_across(sn_dvec3_across(sn_dvec3_cross(bone, rest->forward), lift), bone);
    sn_store_vec3(arm->clavicle_axes[0], sn_similarity_axis(&space, lift));
    sn_store_vec3(arm->clavicle_axes[1], sn_similarity_axis(&space, forwards));
    sn_store_vec3(arm->up, sn_similarity_direction(&space, rest->up));
}

/* By out, up and forward: a direction of reach that lies amid all of them, the elbow's side there,
 * and the swivel that is added, radians by each component of the direction. The arm's are a fit to
 * how people hold the elbow in everyday reaches (forwards, across, to the mouth, to the other
 * shoulder, overhead, behind the back, ...; tests/unit/test_arm.c has them), with the field's one
 * singular direction behind and above the shoulder, where no hand gets. */
static const struct {
    double reach[3], bend[3], swivel[3];
} fields[2] = {{{0, -0.481, 0.877}, {0.779, -0.55, -0.301}, {-0.432, 0.348, -0.619}},
               {{0, -1, 0}, {0, 0, 1}, {0, 0, 0}}};

static sn_dvec3 of_body(const rest_pose *rest, const double v[3]) {
    return sn_dvec3_add(
        sn_dvec3_add(sn_dvec3_scale(rest->out, v[0]), sn_dvec3_scale(rest->up, v[1])),
        sn_dvec3_scale(rest->forward, v[2]));
}

static void set_field(sn_arm *arm, const rest_pose *rest) {
    sn_similarity space = space_of(rest, rest->joints->parents[rest->bones->upper]);
    sn_dvec3 reach = of_body(rest, fields[rest->is_leg].reach);
    sn_dvec3 bend = of_body(rest, fields[rest->is_leg].bend);
    sn_dvec3 swivel = of_body(rest, fields[rest->is_leg].swivel);
    sn_store_vec3(arm->field_reach, sn_similarity_direction(&space, reach));
    sn_store_vec3(arm->field_bend, sn_similarity_direction(&space, bend));
    double sense = space.is_mirrored ? -rest->side : rest->side;
    sn_store_vec3(arm->field_swivel,
                  sn_dvec3_scale(sn_similarity_direction(&space, swivel), sense));
}

/* ---- twist ---- */

/* Where along the bone between two places of the chain a joint is, 0 to 1. */
static float along(const sn_arm_chain *rest, uint32_t from, uint32_t to, uint32_t place) {
    sn_dvec3 a = sn_arm_chain_position(rest, from);
    sn_dvec3 bone = sn_dvec3_subtract(sn_arm_chain_position(rest, to), a);
    sn_dvec3 at = sn_dvec3_subtract(sn_arm_chain_position(rest, place), a);
    double t = sn_dvec3_dot(at, bone) / sn_dvec3_dot(bone, bone);
    return (float)(t < 0 ? 0 : t > 1 ? 1 : t);
}

/* Each joint along the forearm has the hand's twist by its place. */
static sn_result set_forearm(sn_arm *arm, const sn_arm_chain *rest, sn_error *error) {
    sn_twist_share shares[SN_ARM_CHAIN] = {{arm->lower, 1}};
    uint32_t count = 0;
    float before = 0;
    for (uint32_t place = arm->lower + 1; place < arm->hand; place++) {
        float total = fmaxf(before, along(rest, arm->lower, arm->hand, place));
        shares[count++] = (sn_twist_share){place, total - before};
        before = total;
    }
    arm->has_twist_joints = count > 0;
    sn_twist_bone bone = {.source = arm->hand,
                          .end = SN_NONE,
                          .joints = shares,
                          .joint_count = count > 0 ? count : 1};
    return sn_twist_set_up(&rest->joints, &bone, &arm->forearm, error);
}

/* The upper arm twists little at the shoulder and in full at the elbow: each joint has the twist of
 * where its part of the bone ends. */
static sn_result set_upper_arm(sn_arm *arm, const sn_arm_chain *rest, sn_error *error) {
    sn_twist_share shares[SN_ARM_CHAIN];
    uint32_t count = 0;
    float before = 0;
    for (uint32_t place = arm->upper + 1; place <= arm->lower; place++) {
        float total =
            place < arm->lower ? fmaxf(before, along(rest, arm->upper, arm->lower, place)) : 1;
        if (place > arm->upper + 1)
            shares[count++] = (sn_twist_share){place - 1, total - before};
        before = total;
    }
    sn_twist_bone bone = {
        .source = arm->upper, .end = arm->lower, .joints = shares, .joint_count = count};
    return sn_twist_set_up(&rest->joints, &bone, &arm->upper_arm, error);
}

sn_result sn_arm_set_up(const sn_joints *joints, const sn_arm_bones *bones, sn_arm *out,
                        sn_error *error) {
    sn_arm arm = {.kind = bones->kind};
    rest_pose rest;
    sn_result result = find_places(&arm, joints, bones, error);
    if (result == SN_OK)
        result = rest_pose_of(joints, bones, &rest, error);
    if (result != SN_OK)
        return result;
    arm.shoulder_zero = shoulder_zero(&rest);
    arm.wrist_zero = wrist_zero(&rest);
    set_clavicle_axes(&arm, &rest);
    set_field(&arm, &rest);
    sn_similarity lower = space_of(&rest, bones->lower);
    sn_store_vec3(arm.hinge, sn_similarity_axis(&lower, rest.hinge));

    sn_arm_chain chain;
    sn_affine root = sn_joints_rest_model(joints, joints->parents[arm.chain[0]]);
    sn_arm_chain_make(&chain, joints, arm.chain, arm.chain_count, &root);
    for (uint32_t i = 0; i < arm.chain_count; i++)
        chain.pose[i] = chain.rest[i]; /* places are measured in the rest pose */
    result = set_forearm(&arm, &chain, error);
    if (result == SN_OK)
        result = set_upper_arm(&arm, &chain, error);
    if (result == SN_OK)
        *out = arm;
    return result;
}
