#include <math.h>

#include "base/error.h"
#include "rig/space.h"
#include "sinew/feet.h"

/* Of the leg's length, from ankle to ball, where there is no toe joint that tells. */
#define BALL_OF_LEG 0.14

/* Of the leg's length: an ankle that is farther below the floor is not on it. */
#define LEAST_HEIGHT 0.01

/* ---- bones ---- */

/* From `bone` up to `above`, which is SN_HUMAN_NONE for the hips. */
static sn_result check_bone(const sn_joints *joints, const sn_humanoid *humanoid,
                            sn_human_bone bone, sn_human_bone above, sn_error *error) {
    const char *name = sn_human_bone_name(bone);
    uint32_t joint = humanoid->joints[bone];
    if (joint >= joints->count)
        return sn_fail(error, SN_MESSAGE_CHAIN_JOINTS, NULL, "the model has no bone %s", name);
    uint32_t top = above == SN_HUMAN_NONE ? joint : humanoid->joints[above];
    if (above != SN_HUMAN_NONE && (joint == top || !sn_joints_is_above(joints, top, joint)))
        return sn_fail(error, SN_MESSAGE_CHAIN_JOINTS, NULL, "the bone %s is not below %s", name,
                       sn_human_bone_name(above));
    if (sn_joints_fixed(joints, joint))
        return sn_fail(error, SN_MESSAGE_CHAIN_JOINTS, NULL,
                       "the bone %s has a matrix that no translation, rotation and scale give, so "
                       "that it cannot be turned",
                       name);
    return SN_OK;
}

static sn_result check_leg(const sn_joints *joints, const sn_humanoid *humanoid, int side,
                           sn_error *error) {
    static const sn_human_bone bones[] = {SN_HUMAN_HIPS, SN_HUMAN_LEFT_UPPER_LEG,
                                          SN_HUMAN_LEFT_LOWER_LEG, SN_HUMAN_LEFT_FOOT,
                                          SN_HUMAN_LEFT_TOES};
    sn_human_bone above = SN_HUMAN_HIPS;
    for (int i = 1; i < 5; i++) {
        sn_human_bone bone = (sn_human_bone)((int)bones[i] + side * (int)SN_HUMAN_SIDE);
        if (i == 4 && humanoid->joints[bone] == SN_NONE)
            break;
        sn_result result = check_bone(joints, humanoid, bone, above, error);
        if (result != SN_OK)
            return result;
        above = bone;
    }
    int offset = side * (int)SN_HUMAN_SIDE;
    uint32_t top = humanoid->joints[(int)SN_HUMAN_LEFT_UPPER_LEG + offset], count = 1;
    for (uint32_t joint = humanoid->joints[(int)SN_HUMAN_LEFT_FOOT + offset]; joint != top;
         joint = joints->parents[joint]) {
        if (sn_joints_fixed(joints, joint))
            return sn_fail(error, SN_MESSAGE_CHAIN_JOINTS, NULL,
                           "joint %u inside a leg has a matrix that no translation, rotation and "
                           "scale give",
                           joint);
        if (++count > SN_FEET_CHAIN)
            return sn_fail(error, SN_MESSAGE_CHAIN_JOINTS, NULL,
                           "more than %u joints from upper leg to foot", (uint32_t)SN_FEET_CHAIN);
    }
    return SN_OK;
}

/* ---- the rest pose ---- */

/* A direction of model space in a joint's own. */
static bool into_joint(const sn_affine *joint, sn_dvec3 v, sn_dvec3 *out) {
    sn_dmat3 space = sn_dmat3_of_affine(joint), inverse;
    if (!sn_dmat3_inverse(&space, &inverse))
        return false;
    *out = sn_dmat3_apply(&inverse, v);
    return true;
}

static void store(float out[3], sn_dvec3 v) {
    out[0] = (float)v.x, out[1] = (float)v.y, out[2] = (float)v.z;
}

typedef struct rest_leg {
    sn_affine lower_leg, foot, toes;
    sn_dvec3 hip, knee, ankle;
    double length;
} rest_leg;

static rest_leg place_leg(const sn_joints *joints, const sn_foot *foot) {
    sn_affine upper = sn_joints_rest_model(joints, foot->upper_leg);
    rest_leg out = {.lower_leg = sn_joints_rest_model(joints, foot->lower_leg),
                    .foot = sn_joints_rest_model(joints, foot->foot)};
    out.toes = foot->toes == SN_NONE ? out.foot : sn_joints_rest_model(joints, foot->toes);
    out.hip = sn_dvec3_of_affine(&upper);
    out.knee = sn_dvec3_of_affine(&out.lower_leg);
    out.ankle = sn_dvec3_of_affine(&out.foot);
    out.length = sn_dvec3_length(sn_dvec3_subtract(out.knee, out.hip)) +
                 sn_dvec3_length(sn_dvec3_subtract(out.ankle, out.knee));
    return out;
}

/* Flexing takes the heel back: the lower leg hangs down and turns away from where the body looks.
 * A rest pose that is bent so tells more exactly. */
static bool find_hinge(const rest_leg *leg, double facing, float out[3]) {
    sn_dvec3 lateral = {facing, 0, 0};
    sn_dvec3 bent = sn_dvec3_cross(sn_dvec3_subtract(leg->knee, leg->hip),
                                   sn_dvec3_subtract(leg->ankle, leg->knee));
    sn_dvec3 axis = lateral, local;
    if (sn_dvec3_dot(bent, lateral) > 0.01 * leg->length * leg->length / 4)
        axis = sn_dvec3_unit(bent);
    if (!into_joint(&leg->lower_leg, axis, &local))
        return false;
    /* A rotation's axis in a mirrored space turns the other way round. */
    sn_dmat3 space = sn_dmat3_of_affine(&leg->lower_leg);
    store(out, sn_dvec3_scale(sn_dvec3_unit(local), sn_dmat3_determinant(&space) < 0 ? -1 : 1));
    return true;
}

typedef struct sole_frame {
    sn_dvec3 below, forward, side; /* below the ankle on the floor */
} sole_frame;

static bool store_corners(const sole_frame *frame, double along, double half,
                          const sn_affine *joint, float out[2][3]) {
    sn_dvec3 middle = sn_dvec3_add(frame->below, sn_dvec3_scale(frame->forward, along));
    for (int i = 0; i < 2; i++) {
        sn_dvec3 corner = sn_dvec3_add(middle, sn_dvec3_scale(frame->side, i ? half : -half));
        sn_dvec3 local;
        if (!into_joint(joint, sn_dvec3_subtract(corner, sn_dvec3_of_affine(joint)), &local))
            return false;
        store(out[i], local);
    }
    return true;
}

static bool find_sole(const rest_leg *leg, double facing, const sn_feet_shape *shape,
                      sn_foot *foot) {
    sn_dvec3 to_toes = sn_dvec3_subtract(sn_dvec3_of_affine(&leg->toes), leg->ankle);
    to_toes.y = 0;
    double ball = sn_dvec3_length(to_toes);
    sole_frame frame = {.below = leg->ankle, .forward = {0, 0, facing}};
    frame.below.y = (double)shape->floor;
    if (ball > 0.05 * leg->length)
        frame.forward = sn_dvec3_scale(to_toes, 1 / ball);
    else
        ball = BALL_OF_LEG * leg->length;
    if (shape->ball > 0)
        ball = (double)shape->ball;
    /* Turning about it by the right hand raises what is in front. */
    frame.side = sn_dvec3_cross(frame.forward, (sn_dvec3){0, 1, 0});
    double heel = shape->heel > 0 ? (double)shape->heel : 0.4 * ball;
    double tip = shape->toes > 0 ? (double)shape->toes : 0.65 * ball;
    double half = shape->breadth > 0 ? (double)shape->breadth / 2 : 0.3 * ball;
    return store_corners(&frame, -heel, half, &leg->foot, foot->heel) &&
           store_corners(&frame, ball, half, &leg->foot, foot->ball) &&
           store_corners(&frame, ball + tip, half, &leg->toes, foot->tip);
}

static sn_result set_up_foot(const sn_joints *joints, const sn_humanoid *humanoid, int side,
                             const sn_feet_shape *shape, sn_foot *out, sn_error *error) {
    int offset = side * (int)SN_HUMAN_SIDE;
    *out = (sn_foot){.upper_leg = humanoid->joints[(int)SN_HUMAN_LEFT_UPPER_LEG + offset],
                     .lower_leg = humanoid->joints[(int)SN_HUMAN_LEFT_LOWER_LEG + offset],
                     .foot = humanoid->joints[(int)SN_HUMAN_LEFT_FOOT + offset],
                     .toes = humanoid->joints[(int)SN_HUMAN_LEFT_TOES + offset]};
    rest_leg leg = place_leg(joints, out);
    const char *name = side ? "right" : "left";
    if (!(leg.length > 0 && isfinite(leg.length)))
        return sn_fail(error, SN_MESSAGE_CHAIN_LENGTH, NULL, "the %s leg has no length", name);
    double height = leg.ankle.y - (double)shape->floor;
    if (!(height >= -LEAST_HEIGHT * leg.length)) /* some place the joint on the floor */
        return sn_fail(error, SN_MESSAGE_CHAIN_VALUE, NULL,
                       "the %s ankle is %g m above the floor in the rest pose: give as `floor` the "
                       "height on which the model stands",
                       name, height);
    double facing = humanoid->facing < 0 ? -1 : 1;
    if (!find_hinge(&leg, facing, out->hinge) || !find_sole(&leg, facing, shape, out))
        return sn_fail(error, SN_MESSAGE_CHAIN_LENGTH, NULL, "a joint of the %s leg has no scale",
                       name);
    return SN_OK;
}

sn_result sn_feet_set_up(const sn_joints *joints, const sn_humanoid *humanoid,
                         const sn_feet_shape *shape, sn_feet *out, sn_error *error) {
    static const sn_feet_shape from_skeleton;
    if (!shape)
        shape = &from_skeleton;
    if (!isfinite(shape->floor))
        return sn_fail(error, SN_MESSAGE_CHAIN_VALUE, NULL, "floor is not finite");
    const float lengths[] = {shape->heel, shape->ball, shape->toes, shape->breadth};
    static const char *const names[] = {"heel", "ball", "toes", "breadth"};
    for (int i = 0; i < 4; i++)
        if (!(lengths[i] >= 0 && isfinite(lengths[i])))
            return sn_fail(error, SN_MESSAGE_CHAIN_VALUE, NULL, "%s must be a length, not %g",
                           names[i], (double)lengths[i]);
    sn_result result = check_bone(joints, humanoid, SN_HUMAN_HIPS, SN_HUMAN_NONE, error);
    sn_feet feet = {.hips = humanoid->joints[SN_HUMAN_HIPS], .floor = shape->floor};
    for (int side = 0; side < 2 && result == SN_OK; side++) {
        result = check_leg(joints, humanoid, side, error);
        if (result == SN_OK)
            result = set_up_foot(joints, humanoid, side, shape, &feet.feet[side], error);
    }
    if (result == SN_OK)
        *out = feet;
    return result;
}
