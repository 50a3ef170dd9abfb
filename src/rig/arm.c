#include "sinew/arm.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "rig/arm_body.h"
#include "rig/arm_chain.h"
#include "rig/arm_hand.h"
#include "rig/arm_swivel.h"
#include "rig/joint_range.h"
#include "rig/space.h"
#include "rig/swing_twist.h"

#define REACHED 1e-5 /* of the arm's length */
#define DEFAULT_TWIST 0.5f
#define DEFAULT_THICKNESS 0.04f

/* How often the orientation of the hand is looked for, where it depends on the forearm and that on
 * it: the forearm turns less than the hand, so that each time most of the error goes. */
#define HAND_PASSES 4

/* ---- what cannot be solved ---- */

static bool is_zero(const float *values, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (values[i] < 0 || values[i] > 0)
            return false;
    return true;
}

static bool is_range(const sn_joint_range *range) {
    const float sizes[] = {range->swing_max[0], range->swing_max[1], range->swing_min[0],
                           range->swing_min[1], range->twist_max,    -range->twist_min};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        if (!(sizes[i] >= 0 && isfinite(sizes[i])))
            return false;
    return true;
}

static const char *bad_option(const sn_arm_options *o) {
    if ((unsigned)o->bend > SN_ARM_BEND_DIRECTION)
        return "bend";
    if (!sn_are_finite(o->hinge, 3))
        return "hinge";
    if (!(o->clavicle <= 1 && isfinite(o->clavicle)))
        return "clavicle";
    if (!(o->spine >= 0 && o->spine <= 1))
        return "spine";
    if (!(o->twist <= 1 && isfinite(o->twist)))
        return "twist";
    if (!(o->thickness >= 0 && isfinite(o->thickness)))
        return "thickness";
    if (o->limits && !is_range(&o->limits->shoulder))
        return "limits of the shoulder";
    if (o->limits && !is_range(&o->limits->wrist))
        return "limits of the wrist";
    if (o->capsule_count > SN_ARM_CAPSULES)
        return "capsule_count";
    for (uint32_t i = 0; i < o->capsule_count; i++) {
        const sn_capsule *capsule = &o->capsules[i];
        if (!sn_are_finite(capsule->a, 3) || !sn_are_finite(capsule->b, 3) ||
            !(capsule->radius >= 0 && isfinite(capsule->radius)))
            return "a capsule";
    }
    return NULL;
}

/* The rest is two bones' to check. */
static const char *bad_job(const sn_arm_job *job) {
    if (!sn_are_finite(job->target, 3))
        return "target";
    if (!sn_are_finite(job->grip, 3))
        return "grip";
    if ((unsigned)job->hand > SN_HAND_FREE_ROLL)
        return "hand";
    if (job->hand != SN_HAND_AS_POSED &&
        (!sn_are_finite(job->orientation, 4) || is_zero(job->orientation, 4)))
        return "orientation";
    if (job->hand == SN_HAND_FREE_ROLL &&
        (!sn_are_finite(job->roll_axis, 3) || is_zero(job->roll_axis, 3)))
        return "roll_axis";
    if (!(job->roll_min <= job->roll_max && isfinite(job->roll_max - job->roll_min)))
        return "roll_min";
    if (!(job->weight >= 0 && job->weight <= 1))
        return "weight";
    if (job->state && !(job->seconds >= 0 && isfinite(job->seconds)))
        return "seconds";
    return NULL;
}

static sn_result check(const sn_joints *joints, const sn_arm_job *job,
                       const sn_arm_options *options, sn_error *error) {
    const char *bad = bad_job(job);
    if (!bad)
        bad = bad_option(options);
    if (bad)
        return sn_fail(error, SN_MESSAGE_CHAIN_VALUE, NULL, "%s is not finite or outside its range",
                       bad);
    for (uint32_t i = 0; i < options->capsule_count; i++)
        if (options->capsules[i].joint != SN_NONE && options->capsules[i].joint >= joints->count)
            return sn_fail(error, SN_MESSAGE_CHAIN_JOINTS, NULL,
                           "a capsule is of joint %u, there are %u", options->capsules[i].joint,
                           joints->count);
    return SN_OK;
}

static sn_result check_pose(const sn_arm_chain *chain, sn_error *error) {
    for (uint32_t i = 0; i < chain->joints.count; i++) {
        const sn_transform *joint = &chain->pose[i];
        if (!sn_are_finite(joint->translation, 3) || !sn_are_finite(joint->rotation, 4) ||
            is_zero(joint->rotation, 4) || !sn_are_finite(joint->scale, 3))
            return sn_fail(error, SN_MESSAGE_CHAIN_VALUE, NULL,
                           "joint %u of the arm's chain is not finite, or its rotation is zero", i);
    }
    sn_affine hand = sn_joints_world(&chain->joints, chain->joints.count - 1);
    sn_dmat3 linear = sn_dmat3_of_affine(&hand);
    double determinant = sn_dmat3_determinant(&linear);
    if (!isfinite(determinant) || !isfinite(1 / determinant))
        return sn_fail(error, SN_MESSAGE_CHAIN_LENGTH, NULL,
                       "the hand's world matrix has no inverse");
    return SN_OK;
}

/* ---- setting up ---- */

typedef struct problem {
    const sn_arm *arm;
    const sn_joints *joints;
    const sn_arm_job *job;
    const sn_arm_options *options;
    /* World. Positions are relative to it, since far off the origin floats have few digits. */
    sn_dvec3 origin;
    sn_affine root; /* above the chain; without the origin */
    sn_dvec3 target;
    sn_arm_chain chain;
    double length;    /* of the arm, world */
    sn_dvec3 grip;    /* wrist to grip where the hand has the orientation below */
    sn_dquat grip_at; /* world, of the hand in the pose */
    sn_two_bone_options two_bone;
    sn_two_bone_state bend;
    sn_two_bone_output limb;
    uint32_t flags;
    double swivel;
    sn_arm_hand hand; /* what was asked of it in the end */
} problem;

static void set_two_bone_options(problem *p) {
    const sn_arm_options *o = p->options;
    static const sn_bend bends[] = {SN_BEND_FIELD, SN_BEND_POSE, SN_BEND_POSITION,
                                    SN_BEND_DIRECTION};
    p->two_bone = (sn_two_bone_options){.bend = bends[o->bend], .soften = o->soften};
    const float *hinge = is_zero(o->hinge, 3) ? p->arm->hinge : o->hinge;
    for (int i = 0; i < 3; i++) {
        p->two_bone.pole[i] = o->pole[i];
        p->two_bone.field_reach[i] = p->arm->field_reach[i];
        p->two_bone.field_bend[i] = p->arm->field_bend[i];
        p->two_bone.hinge[i] = hinge[i];
    }
    if (o->bend == SN_ARM_BEND_POSITION)
        sn_store_vec3(p->two_bone.pole, sn_dvec3_subtract(sn_dvec3_of(o->pole), p->origin));
    if (o->limits) {
        p->two_bone.flexion_min = o->limits->flexion_min;
        p->two_bone.flexion_max = o->limits->flexion_max;
    }
}

static void start_from_pose(problem *p) {
    sn_arm_chain_make(&p->chain, p->joints, p->arm->chain, p->arm->chain_count, &p->root);
}

static void set_root(problem *p) {
    sn_space above =
        sn_space_of_joint(p->joints, p->joints->local, p->joints->parents[p->arm->chain[0]]);
    sn_dmat3 root = sn_dmat3_of_affine(&p->joints->root);
    sn_dmat3 axes = sn_dmat3_multiply(&root, &above.axes);
    p->origin =
        sn_dvec3_add(sn_dmat3_apply(&root, above.origin), sn_dvec3_of_affine(&p->joints->root));
    p->root = (sn_affine){0};
    for (int c = 0; c < 3; c++) {
        p->root.m[0][c] = (float)axes.columns[c].x;
        p->root.m[1][c] = (float)axes.columns[c].y;
        p->root.m[2][c] = (float)axes.columns[c].z;
    }
    p->target = sn_dvec3_subtract(sn_dvec3_of(p->job->target), p->origin);
}

static sn_result set_up(problem *p, sn_error *error) {
    set_root(p);
    start_from_pose(p);
    sn_result result = check_pose(&p->chain, error);
    if (result != SN_OK)
        return result;
    const sn_arm *arm = p->arm;
    sn_dvec3 upper = sn_arm_chain_position(&p->chain, arm->upper);
    sn_dvec3 lower = sn_arm_chain_position(&p->chain, arm->lower);
    sn_affine hand = sn_joints_world(&p->chain.joints, arm->hand);
    sn_dvec3 wrist = sn_dvec3_of_affine(&hand);
    p->length = sn_dvec3_length(sn_dvec3_subtract(lower, upper)) +
                sn_dvec3_length(sn_dvec3_subtract(wrist, lower));
    sn_dmat3 linear = sn_dmat3_of_affine(&hand);
    p->grip = sn_dmat3_apply(&linear, sn_dvec3_of(p->job->grip));
    p->grip_at = sn_similarity_of(&linear).rotation;
    if (p->job->state)
        p->bend = p->job->state->bend;
    set_two_bone_options(p);
    return SN_OK;
}

/* ---- the arm for one orientation of the hand ---- */

/* A hand that keeps its local rotation carries the grip as one piece with the forearm: the chain
 * ends at the grip. One that takes an orientation has the wrist where that asks for it. */
static bool ends_at_grip(const problem *p) {
    return p->job->hand == SN_HAND_AS_POSED && !is_zero(p->job->grip, 3);
}

static sn_dvec3 chain_target(const problem *p, sn_dquat hand) {
    if (p->job->hand == SN_HAND_AS_POSED)
        return p->target;
    sn_dquat turn = sn_dquat_multiply(hand, sn_dquat_conjugate(p->grip_at));
    return sn_dvec3_subtract(p->target, sn_dquat_rotate(turn, p->grip));
}

/* See SN_ARM_BEND_NATURAL. */
static double natural_swivel(const problem *p, sn_dvec3 target) {
    if (p->options->bend != SN_ARM_BEND_NATURAL)
        return 0;
    sn_similarity space = sn_arm_chain_parent_space(&p->chain, p->arm->upper);
    sn_dvec3 line = sn_dvec3_subtract(target, sn_arm_chain_position(&p->chain, p->arm->upper));
    double length = sn_dvec3_length(line);
    if (!(length > 0))
        return 0;
    sn_dvec3 direction = sn_similarity_direction(&space, sn_dvec3_scale(line, 1 / length));
    return sn_dvec3_dot(direction, sn_dvec3_of(p->arm->field_swivel));
}

static sn_result solve_limb(problem *p, sn_dvec3 target, double swivel, sn_two_bone_state *state,
                            sn_error *error) {
    const sn_arm *arm = p->arm;
    sn_two_bone_job job = {
        .parent_world = sn_joints_world(&p->chain.joints, p->chain.joints.parents[arm->upper]),
        .joints = p->chain.pose + arm->upper,
        .joint_count = arm->hand - arm->upper + 1,
        .middle = arm->lower - arm->upper,
        .weight = 1,
        .options = &p->two_bone,
        .state = state,
        .seconds = p->job->seconds};
    if (ends_at_grip(p)) {
        sn_transform *grip = &p->chain.pose[arm->hand + 1];
        *grip = sn_transform_identity();
        memcpy(grip->translation, p->job->grip, sizeof grip->translation);
        job.joint_count++;
    }
    sn_store_vec3(job.target, target);
    p->two_bone.swivel = (float)(natural_swivel(p, target) + (double)p->options->swivel + swivel);
    return sn_two_bone_solve(&job, &p->limb, error);
}

static void take_limb(problem *p) {
    memcpy(p->chain.pose[p->arm->upper].rotation, p->limb.root_rotation,
           sizeof p->limb.root_rotation);
    memcpy(p->chain.pose[p->arm->lower].rotation, p->limb.middle_rotation,
           sizeof p->limb.middle_rotation);
}

static uint32_t place_of(const sn_arm *arm, uint32_t joint) {
    uint32_t place = 0;
    while (place < arm->chain_count && arm->chain[place] != joint)
        place++;
    return place < arm->chain_count ? place : SN_NONE;
}

/* Of a capsule, which goes along where spine or clavicle have moved. */
static sn_affine capsule_space(const problem *p, uint32_t joint) {
    sn_affine below = sn_affine_identity();
    sn_affine root = joint != SN_NONE ? p->joints->root : sn_affine_identity();
    for (; joint != SN_NONE; joint = p->joints->parents[joint]) {
        uint32_t place = place_of(p->arm, joint);
        if (place != SN_NONE) {
            sn_affine world = sn_joints_world(&p->chain.joints, place);
            return sn_affine_multiply(&world, &below);
        }
        const sn_affine *fixed = sn_joints_fixed(p->joints, joint);
        sn_affine own = fixed ? *fixed : sn_affine_from_transform(&p->joints->local[joint]);
        below = sn_affine_multiply(&own, &below);
    }
    root.m[0][3] = (float)((double)root.m[0][3] - p->origin.x);
    root.m[1][3] = (float)((double)root.m[1][3] - p->origin.y);
    root.m[2][3] = (float)((double)root.m[2][3] - p->origin.z);
    return sn_affine_multiply(&root, &below);
}

static sn_swivel_input swivel_input(const problem *p) {
    const sn_arm *arm = p->arm;
    const sn_arm_options *o = p->options;
    sn_similarity fore = sn_arm_chain_parent_space(&p->chain, arm->hand);
    sn_swivel_input in = {.arm = arm,
                          .limits = o->limits,
                          .root = sn_arm_chain_position(&p->chain, arm->upper),
                          .elbow = sn_dvec3_of(p->limb.middle_position),
                          .wrist = sn_dvec3_of(p->limb.end_position),
                          .upper = sn_dquat_of(p->limb.root_rotation),
                          .fore = fore,
                          .upper_parent = sn_arm_chain_parent_space(&p->chain, arm->upper),
                          .job = p->job,
                          .hand_rest = sn_dquat_of(p->chain.rest[arm->hand].rotation),
                          .capsule_count = o->capsule_count};
    double thickness = (double)(o->thickness > 0 ? o->thickness : DEFAULT_THICKNESS);
    for (uint32_t i = 0; i < o->capsule_count; i++) {
        const sn_capsule *capsule = &o->capsules[i];
        sn_affine world = capsule_space(p, capsule->joint);
        sn_dmat3 linear = sn_dmat3_of_affine(&world);
        sn_dvec3 origin = sn_dvec3_of_affine(&world);
        in.capsules[i] = (sn_swivel_capsule){
            sn_dvec3_add(origin, sn_dmat3_apply(&linear, sn_dvec3_of(capsule->a))),
            sn_dvec3_add(origin, sn_dmat3_apply(&linear, sn_dvec3_of(capsule->b))),
            (double)capsule->radius * cbrt(fabs(sn_dmat3_determinant(&linear))) + thickness};
    }
    return in;
}

static void cut_shoulder(problem *p) {
    float *rotation = p->chain.pose[p->arm->upper].rotation;
    bool is_clamped;
    sn_dquat within = sn_joint_clamp(&p->arm->shoulder_zero, &p->options->limits->shoulder,
                                     sn_dquat_of(rotation), &is_clamped);
    if (!is_clamped)
        return;
    sn_store_quat(rotation, within);
    p->flags |= SN_ARM_SHOULDER_LIMITED;
}

/* The chain's pose with the wrist where a hand of that orientation needs it. */
static sn_result solve_arm(problem *p, sn_dquat hand, sn_two_bone_state *state, sn_error *error) {
    const sn_arm_options *o = p->options;
    sn_dvec3 target = chain_target(p, hand);
    p->flags = 0;
    p->swivel = 0;
    start_from_pose(p);
    double clavicle = o->clavicle < 0 ? 0 : o->clavicle > 0 ? (double)o->clavicle : 1;
    if (sn_arm_body_reach(p->arm, &p->chain, target, p->length, clavicle, (double)o->spine))
        p->flags |= SN_ARM_BODY_MOVED;
    bool is_swivelled = o->limits || o->capsule_count > 0;
    sn_result result = solve_limb(p, target, 0, is_swivelled ? NULL : state, error);
    if (result == SN_OK && is_swivelled) {
        sn_transform base[2] = {p->chain.pose[p->arm->upper], p->chain.pose[p->arm->lower]};
        take_limb(p);
        sn_swivel_input in = swivel_input(p);
        p->swivel = sn_arm_swivel_find(&in);
        if (sn_arm_swivel_depth(&in, p->swivel) > 0.01 * p->length)
            p->flags |= SN_ARM_COLLIDES;
        p->chain.pose[p->arm->upper] = base[0];
        p->chain.pose[p->arm->lower] = base[1];
        /* Found in the world; two bones swivel in the space above them. */
        double sense = in.upper_parent.is_mirrored ? -1 : 1;
        result = solve_limb(p, target, sense * p->swivel, state, error);
    }
    if (result != SN_OK)
        return result;
    take_limb(p);
    p->flags |= p->limb.flags;
    if (o->limits)
        cut_shoulder(p);
    return SN_OK;
}

/* ---- the hand ---- */

/* What is asked of the hand and the rotation it gets, local, on the forearm as it is. */
static sn_dquat find_hand(problem *p, bool is_new) {
    sn_similarity fore = sn_arm_chain_parent_space(&p->chain, p->arm->hand);
    if (is_new)
        p->hand =
            sn_arm_hand_wanted(p->job, &fore, sn_dquat_of(p->chain.rest[p->arm->hand].rotation));
    bool is_limited;
    sn_dquat local =
        sn_arm_hand_allowed(p->arm, p->options->limits, &fore, p->hand.rotation, &is_limited);
    p->flags |= p->hand.is_limited ? SN_ARM_ROLL_LIMITED : 0;
    p->flags |= is_limited ? SN_ARM_WRIST_LIMITED : 0;
    return local;
}

/* With a grip beside the wrist, a hand that is turned by what the forearm allows moves the wrist,
 * and so the forearm: a fixed point. */
static bool depends_on_itself(const problem *p) {
    return !is_zero(p->job->grip, 3) &&
           (p->job->hand == SN_HAND_FREE_ROLL ||
            (p->job->hand == SN_HAND_EXACT && p->options->limits != NULL));
}

static sn_result solve(problem *p, sn_error *error) {
    sn_two_bone_state *state = p->job->state ? &p->bend : NULL;
    sn_dquat hand = p->job->hand == SN_HAND_EXACT ? sn_dquat_of(p->job->orientation) : p->grip_at;
    bool is_fixed_point = depends_on_itself(p);
    sn_result result;
    for (int i = 1; is_fixed_point && i < HAND_PASSES; i++) {
        result = solve_arm(p, hand, NULL, error);
        if (result != SN_OK)
            return result;
        sn_dquat local = find_hand(p, true);
        sn_similarity fore = sn_arm_chain_parent_space(&p->chain, p->arm->hand);
        hand = sn_similarity_rotation_out(&fore, local);
    }
    result = solve_arm(p, hand, state, error);
    if (result == SN_OK && p->job->hand != SN_HAND_AS_POSED)
        sn_store_quat(p->chain.pose[p->arm->hand].rotation, find_hand(p, !is_fixed_point));
    return result;
}

static sn_result spread_twist(problem *p, sn_arm_state *state, double *angle, sn_error *error) {
    const sn_arm *arm = p->arm;
    sn_result result = SN_OK;
    *angle = 0;
    if (arm->lower > arm->upper + 1) {
        sn_twist_job job = {&arm->upper_arm, 1, state ? &state->upper_arm : NULL};
        result = sn_twist_apply(&job, &p->chain.joints, NULL, error);
    }
    if (p->job->hand == SN_HAND_AS_POSED || result != SN_OK)
        return result;
    float share = p->options->twist;
    float weight = share < 0 ? 0 : arm->has_twist_joints ? 1 : share > 0 ? share : DEFAULT_TWIST;
    sn_twist_job job = {&arm->forearm, weight, state ? &state->forearm : NULL};
    return sn_twist_apply(&job, &p->chain.joints, angle, error);
}

/* ---- results ---- */

/* The short way from the pose that came in, on its side of the sphere. */
static void blend(const float from[4], float to[4], float weight) {
    float dot = 0, sum[4], square = 0;
    for (int i = 0; i < 4; i++)
        dot += from[i] * to[i];
    for (int i = 0; i < 4; i++) {
        float target = dot < 0 ? -to[i] : to[i];
        sum[i] = weight < 1 ? from[i] + (target - from[i]) * weight : target;
        square += sum[i] * sum[i];
    }
    float scale = weight < 1 ? 1 / sqrtf(square) : 1;
    for (int i = 0; i < 4; i++)
        to[i] = weight > 0 ? sum[i] * scale : from[i];
}

static void write(problem *p) {
    for (uint32_t i = 0; i < p->arm->chain_count; i++) {
        float *rotation = p->joints->local[p->arm->chain[i]].rotation;
        float *solved = p->chain.pose[i].rotation;
        if (memcmp(rotation, solved, 4 * sizeof *rotation) == 0)
            continue;
        blend(rotation, solved, p->job->weight);
        memcpy(rotation, solved, 4 * sizeof *rotation);
    }
}

static void report(const problem *p, double twist, sn_arm_output *out) {
    sn_affine hand = sn_joints_world(&p->chain.joints, p->arm->hand);
    sn_dmat3 linear = sn_dmat3_of_affine(&hand);
    sn_dvec3 wrist = sn_dvec3_of_affine(&hand);
    sn_dvec3 grip = sn_dvec3_add(wrist, sn_dmat3_apply(&linear, sn_dvec3_of(p->job->grip)));
    double missing = sn_dvec3_length(sn_dvec3_subtract(grip, p->target));
    *out = (sn_arm_output){.flags = p->flags & ~(uint32_t)SN_TWO_BONE_REACHED,
                           .residual = (float)missing,
                           .swivel = (float)p->swivel,
                           .roll = (float)p->hand.roll,
                           .twist = (float)twist};
    if (missing <= REACHED * p->length)
        out->flags |= SN_TWO_BONE_REACHED;
    if (p->job->hand != SN_HAND_AS_POSED) {
        sn_dquat is = sn_similarity_of(&linear).rotation;
        sn_dquat between = sn_dquat_multiply(p->hand.rotation, sn_dquat_conjugate(is));
        out->orientation_residual = (float)sn_dvec3_length(sn_dquat_to_vector(between));
    }
    sn_dvec3 elbow = sn_arm_chain_position(&p->chain, p->arm->lower);
    sn_store_vec3(out->elbow_position, sn_dvec3_add(p->origin, elbow));
    sn_store_vec3(out->hand_position, sn_dvec3_add(p->origin, wrist));
}

sn_result sn_arm_apply(const sn_arm_job *job, const sn_joints *joints, sn_arm_output *out,
                       sn_error *error) {
    static const sn_arm_options defaults;
    const sn_arm_options *options = job->options ? job->options : &defaults;
    problem p = {.arm = job->arm, .joints = joints, .job = job, .options = options};
    sn_result result = check(joints, job, options, error);
    if (result == SN_OK)
        result = set_up(&p, error);
    if (result == SN_OK)
        result = solve(&p, error);
    sn_arm_state state = {0};
    if (job->state)
        state = *job->state;
    double twist;
    if (result == SN_OK)
        result = spread_twist(&p, job->state ? &state : NULL, &twist, error);
    if (result != SN_OK)
        return result;
    state.bend = p.bend;
    if (job->state)
        *job->state = state;
    write(&p);
    if (out)
        report(&p, twist, out);
    return SN_OK;
}
