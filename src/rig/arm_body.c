#include "rig/arm_body.h"

#include "rig/joint_range.h"
#include "rig/swing_twist.h"

/* Distance to the target, as a share of the arm's length, from which they help, and the width over
 * which they set in. The arm is then nearly straight; what is missing to straight is the room that
 * the search below needs to come to rest. */
#define CLAVICLE_FROM 0.9
#define SPINE_FROM 0.94
#define SETTING_IN 0.04

static const float clavicle_max[2] = {(float)(30 * SN_DEGREE), (float)(25 * SN_DEGREE)};
static const float clavicle_min[2] = {(float)(10 * SN_DEGREE), (float)(15 * SN_DEGREE)};
#define SPINE_MAX (20 * SN_DEGREE)

/* A clavicle lifts with a raised arm, a third of the way (the scapulohumeral rhythm: Inman,
 * Saunders and Abbott, "Observations on the function of the shoulder joint", 1944). It begins at an
 * elevation of 15 degrees, as a sine, and needs a target that is not too near to tell where the arm
 * points. */
#define LIFT (30 * SN_DEGREE)
#define LIFT_FROM 0.26
#define LIFT_NEAR 0.3
#define LIFT_FAR 0.7

/* Damping of the steps, as the sine of the angle between lever and pull: straight along the lever
 * nothing can be gained, and near it nothing should be tried hard. */
#define DAMPING 0.35
#define STEPS 4

/* From 0 with slope 0 to slope 1. */
static double setting_in(double missing, double width) {
    return missing > 0 ? missing * missing / (missing + width) : 0;
}

/* From 1 at 0 downwards, so that x * ease(x) is never over 1: (1 - (4 / (x + 4))^4) / x. */
static double ease(double x) {
    double r = 4 / (x + 4);
    return x > 1e-6 ? (1 - r * r * r * r) / x : 1;
}

static double smooth_step(double from, double to, double x) {
    double t = (x - from) / (to - from);
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return t * t * (3 - 2 * t);
}

/* By which rotation vector a lever is to turn for its tip to come nearer by `missing` along the
 * unit vector `pull`: a step of Gauss and Newton, damped. */
static sn_dvec3 step(sn_dvec3 lever, sn_dvec3 pull, double missing) {
    double length = sn_dvec3_length(lever);
    if (!(length > 0))
        return (sn_dvec3){0, 0, 0};
    sn_dvec3 axis = sn_dvec3_scale(sn_dvec3_cross(lever, pull), 1 / length);
    double square = sn_dvec3_dot(axis, axis) + DAMPING * DAMPING;
    return sn_dvec3_scale(axis, missing / (length * square));
}

typedef struct body {
    const sn_arm *arm;
    sn_arm_chain *chain;
    double clavicle, spine, length;
    sn_dvec3 clavicle_turn, spine_turn; /* unbounded; in the space of the parent, of the world */
    sn_dquat base[SN_ARM_SPINE + 1];    /* the pose that came in, of spine and clavicle */
    sn_similarity space[SN_ARM_SPINE];  /* of the parents, in that pose */
} body;

static void set_clavicle(const body *b) {
    const sn_arm *arm = b->arm;
    double turn[2];
    for (int i = 0; i < 2; i++)
        turn[i] = sn_dvec3_dot(b->clavicle_turn, sn_dvec3_of(arm->clavicle_axes[i]));
    double ratio = sn_half_ellipse(turn, clavicle_max, clavicle_min) / b->clavicle;
    sn_dvec3 bounded =
        sn_dvec3_add(sn_dvec3_scale(sn_dvec3_of(arm->clavicle_axes[0]), turn[0] * ease(ratio)),
                     sn_dvec3_scale(sn_dvec3_of(arm->clavicle_axes[1]), turn[1] * ease(ratio)));
    sn_store_quat(b->chain->pose[arm->shoulder].rotation,
                  sn_dquat_multiply(sn_dquat_of_vector(bounded), b->base[SN_ARM_SPINE]));
}

static void set_spine(const body *b) {
    double most = b->spine * SPINE_MAX;
    sn_dvec3 bounded = sn_dvec3_scale(b->spine_turn, ease(sn_dvec3_length(b->spine_turn) / most));
    for (uint32_t i = 0; i < b->arm->spine_count; i++) {
        /* They all turn about one axis, which therefore stays where it was in each one's parent. */
        sn_dvec3 axis = sn_similarity_axis(&b->space[i], bounded);
        sn_dquat turn = sn_dquat_of_vector(sn_dvec3_scale(axis, (double)b->arm->spine_share[i]));
        sn_store_quat(b->chain->pose[b->arm->spine[i]].rotation,
                      sn_dquat_multiply(turn, b->base[i]));
    }
}

/* Unit vector from the upper arm to the target; false where that is none. */
static bool pull(const body *b, sn_dvec3 target, double from, sn_dvec3 *out, double *missing) {
    sn_dvec3 line = sn_dvec3_subtract(target, sn_arm_chain_position(b->chain, b->arm->upper));
    double distance = sn_dvec3_length(line);
    *missing = setting_in(distance - from * b->length, SETTING_IN * b->length);
    if (!(*missing > 0))
        return false;
    *out = sn_dvec3_scale(line, 1 / distance);
    return true;
}

static bool lift_clavicle(body *b, sn_dvec3 target) {
    sn_dvec3 line = sn_dvec3_subtract(target, sn_arm_chain_position(b->chain, b->arm->upper));
    double distance = sn_dvec3_length(line);
    if (!(distance > 0))
        return false;
    sn_similarity space = sn_arm_chain_parent_space(b->chain, b->arm->shoulder);
    sn_dvec3 direction = sn_similarity_direction(&space, sn_dvec3_scale(line, 1 / distance));
    double elevation = sn_dvec3_dot(direction, sn_dvec3_of(b->arm->up));
    double lift = LIFT * smooth_step(LIFT_FROM, 1, elevation) *
                  smooth_step(LIFT_NEAR, LIFT_FAR, distance / b->length);
    if (!(lift > 0))
        return false;
    b->clavicle_turn = sn_dvec3_scale(sn_dvec3_of(b->arm->clavicle_axes[0]), lift);
    set_clavicle(b);
    return true;
}

static bool step_clavicle(body *b, sn_dvec3 target) {
    sn_dvec3 direction;
    double missing;
    if (!pull(b, target, CLAVICLE_FROM, &direction, &missing))
        return false;
    sn_dvec3 lever = sn_dvec3_subtract(sn_arm_chain_position(b->chain, b->arm->upper),
                                       sn_arm_chain_position(b->chain, b->arm->shoulder));
    sn_similarity space = sn_arm_chain_parent_space(b->chain, b->arm->shoulder);
    b->clavicle_turn =
        sn_dvec3_add(b->clavicle_turn, sn_similarity_axis(&space, step(lever, direction, missing)));
    set_clavicle(b);
    return true;
}

/* Joints that share a rotation turn the arm about the mean of their places, to first order. */
static bool step_spine(body *b, sn_dvec3 target) {
    sn_dvec3 direction;
    double missing;
    if (!pull(b, target, SPINE_FROM, &direction, &missing))
        return false;
    sn_dvec3 lever = sn_arm_chain_position(b->chain, b->arm->upper);
    for (uint32_t i = 0; i < b->arm->spine_count; i++)
        lever = sn_dvec3_subtract(lever,
                                  sn_dvec3_scale(sn_arm_chain_position(b->chain, b->arm->spine[i]),
                                                 (double)b->arm->spine_share[i]));
    b->spine_turn = sn_dvec3_add(b->spine_turn, step(lever, direction, missing));
    set_spine(b);
    return true;
}

bool sn_arm_body_reach(const sn_arm *arm, sn_arm_chain *chain, sn_dvec3 target, double length,
                       double clavicle, double spine) {
    body b = {.arm = arm, .chain = chain, .clavicle = clavicle, .spine = spine, .length = length};
    bool has_clavicle = arm->shoulder != SN_NONE && clavicle > 0;
    bool has_spine = arm->spine_count > 0 && spine > 0, is_moved = false;
    if (has_clavicle)
        b.base[SN_ARM_SPINE] = sn_dquat_of(chain->pose[arm->shoulder].rotation);
    for (uint32_t i = 0; has_spine && i < arm->spine_count; i++) {
        b.base[i] = sn_dquat_of(chain->pose[arm->spine[i]].rotation);
        b.space[i] = sn_arm_chain_parent_space(chain, arm->spine[i]);
    }
    if (has_clavicle)
        is_moved |= lift_clavicle(&b, target);
    for (int i = 0; i < STEPS; i++) {
        if (has_clavicle)
            is_moved |= step_clavicle(&b, target);
        if (has_spine)
            is_moved |= step_spine(&b, target);
    }
    return is_moved;
}
