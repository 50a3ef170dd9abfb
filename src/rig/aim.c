#include "sinew/aim.h"

#include <math.h>

#include "base/error.h"
#include "rig/space.h"
#include "rig/swing_twist.h"

#define REACHED 1e-5  /* radians */
#define PARALLEL 1e-6 /* as a sine: no side is to be told */

/* All vectors in the space of the joint's parent, from the joint. */
typedef struct problem {
    const sn_aim_job *job;
    const sn_joints *joints;
    const sn_aim_options *options;
    sn_space from_world, parent;
    sn_dmat3 parent_inverse;
    sn_dquat rotation; /* of the pose */
    sn_dvec3 scale;    /* the joint's own */
    sn_dvec3 position;
    sn_dvec3 forward, offset; /* as the pose turns them; forward is unit */
    sn_dvec3 target;
    uint32_t flags;
} problem;

static sn_dvec3 or_axis(const float v[3], sn_dvec3 otherwise) {
    sn_dvec3 given = sn_dvec3_of(v);
    return sn_dvec3_dot(given, given) > 0 ? given : otherwise;
}

static sn_result check(const sn_aim_job *job, const sn_joints *joints, const sn_aim_options *o,
                       sn_error *error) {
    const char *bad = NULL;
    if (!(job->weight >= 0 && job->weight <= 1))
        bad = "weight";
    else if (!sn_are_finite(job->target, 3))
        bad = "target";
    else if (!sn_are_finite(o->forward, 3))
        bad = "forward";
    else if (!sn_are_finite(o->offset, 3))
        bad = "offset";
    else if (!sn_are_finite(o->up, 3))
        bad = "up";
    else if ((unsigned)o->up_mode > SN_AIM_UP_DIRECTION)
        bad = "up_mode";
    else if (!sn_are_finite(o->pole, 3))
        bad = "pole";
    else if (!isfinite(o->twist))
        bad = "twist";
    if (bad)
        return sn_fail(error, SN_MESSAGE_CHAIN_VALUE, NULL,
                       "%s of the aim is not finite or not in its range", bad);
    return sn_space_check(joints, joints->local, job->joint, "the joint that aims", error);
}

/* The joint's own vector as its scale and a rotation have it. */
static sn_dvec3 turned(const problem *p, sn_dquat rotation, sn_dvec3 v) {
    return sn_dquat_rotate(rotation,
                           (sn_dvec3){v.x * p->scale.x, v.y * p->scale.y, v.z * p->scale.z});
}

static sn_dvec3 from_joint(const problem *p, const float world[3]) {
    sn_dvec3 model = sn_space_point(&p->from_world, sn_dvec3_of(world));
    sn_dvec3 below = sn_dvec3_subtract(model, p->parent.origin);
    return sn_dvec3_subtract(sn_dmat3_apply(&p->parent_inverse, below), p->position);
}

static sn_result set_up(const sn_aim_job *job, const sn_joints *joints,
                        const sn_aim_options *options, problem *p, sn_error *error) {
    const sn_transform *local = &joints->local[job->joint];
    sn_space from_world;
    sn_result result = sn_space_from_world(joints, &from_world, error);
    if (result != SN_OK)
        return result;
    *p = (problem){.job = job,
                   .joints = joints,
                   .options = options,
                   .from_world = from_world,
                   .parent = sn_space_of_joint(joints, joints->local, joints->parents[job->joint]),
                   .rotation = sn_dquat_of(local->rotation),
                   .scale = sn_dvec3_of(local->scale),
                   .position = sn_dvec3_of(local->translation)};
    if (!sn_dmat3_inverse(&p->parent.axes, &p->parent_inverse))
        return sn_fail(error, SN_MESSAGE_CHAIN_LENGTH, NULL,
                       "the matrix above the joint that aims has no inverse");
    sn_dvec3 forward = turned(p, p->rotation, or_axis(options->forward, (sn_dvec3){0, 0, 1}));
    p->forward = sn_dvec3_unit(forward);
    p->offset = turned(p, p->rotation, sn_dvec3_of(options->offset));
    p->target = from_joint(p, job->target);
    return SN_OK;
}

/* The vector from the joint to where the ray leaves the sphere on which the target lies, which is
 * what has to point to the target: offset + s * forward, with s from the triangle of the joint, the
 * ray's nearest point and that. */
static bool pointing_vector(const problem *p, double distance, sn_dvec3 *out) {
    double along = sn_dvec3_dot(p->offset, p->forward);
    sn_dvec3 nearest = sn_dvec3_subtract(p->offset, sn_dvec3_scale(p->forward, along));
    double square = distance * distance - sn_dvec3_dot(nearest, nearest);
    if (!(square >= 0) || sqrt(square) < along)
        return false;
    *out = sn_dvec3_add(nearest, sn_dvec3_scale(p->forward, sqrt(square)));
    return true;
}

static sn_dvec3 side_of_pole(const problem *p) {
    const sn_aim_options *o = p->options;
    if (o->up_mode == SN_AIM_UP_POSITION)
        return from_joint(p, o->pole);
    return sn_dmat3_apply(&p->parent_inverse,
                          sn_dmat3_apply(&p->from_world.axes, sn_dvec3_of(o->pole)));
}

/* Unit vectors: `pointing` goes to `direction`, the roll as the options have it. */
static sn_dquat full_turn(problem *p, sn_dvec3 pointing, sn_dvec3 direction) {
    const sn_aim_options *o = p->options;
    sn_dvec3 up = turned(p, p->rotation, or_axis(o->up, (sn_dvec3){0, 1, 0}));
    sn_dquat turn = sn_dquat_from_to(pointing, direction, up);
    if (o->up_mode != SN_AIM_UP_POSE) {
        sn_dvec3 pole = side_of_pole(p);
        double up_side = sn_dvec3_length(sn_dvec3_across(up, pointing));
        double pole_side = sn_dvec3_length(sn_dvec3_across(pole, direction));
        if (up_side > PARALLEL * sn_dvec3_length(up) &&
            pole_side > PARALLEL * sn_dvec3_length(pole)) {
            sn_dframe from = sn_dframe_make(pointing, up), to = sn_dframe_make(direction, pole);
            turn = sn_dquat_between(&from, &to);
        } else {
            p->flags |= SN_AIM_NO_UP;
        }
    }
    return sn_dquat_multiply(sn_dquat_about(direction, (double)o->twist), turn);
}

/* Radians, world, with the rotation as it is stored. */
static double residual(const problem *p) {
    sn_dquat stored = sn_dquat_of(p->joints->local[p->job->joint].rotation);
    sn_dmat3 root = sn_dmat3_of_affine(&p->joints->root);
    sn_dmat3 world = sn_dmat3_multiply(&root, &p->parent.axes);
    sn_dvec3 forward = turned(p, stored, or_axis(p->options->forward, (sn_dvec3){0, 0, 1}));
    sn_dvec3 offset = turned(p, stored, sn_dvec3_of(p->options->offset));
    forward = sn_dmat3_apply(&world, forward);
    sn_dvec3 sight = sn_dmat3_apply(&world, sn_dvec3_subtract(p->target, offset));
    return atan2(sn_dvec3_length(sn_dvec3_cross(forward, sight)), sn_dvec3_dot(forward, sight));
}

sn_result sn_aim_apply(const sn_aim_job *job, const sn_joints *joints, sn_aim_output *out,
                       sn_error *error) {
    static const sn_aim_options defaults;
    const sn_aim_options *options = job->options ? job->options : &defaults;
    problem p;
    sn_result result = check(job, joints, options, error);
    if (result == SN_OK)
        result = set_up(job, joints, options, &p, error);
    if (result != SN_OK)
        return result;

    double distance = sn_dvec3_length(p.target);
    sn_dvec3 pointing;
    if (!(distance > 1e-12)) {
        p.flags |= SN_AIM_NO_DIRECTION;
    } else if (!pointing_vector(&p, distance, &pointing)) {
        p.flags |= SN_AIM_TOO_NEAR;
    } else {
        sn_dquat turn =
            full_turn(&p, sn_dvec3_unit(pointing), sn_dvec3_scale(p.target, 1 / distance));
        float *rotation = joints->local[job->joint].rotation;
        sn_turn_store(rotation, sn_turn_share(turn, (double)job->weight));
    }
    double missed = residual(&p);
    if (missed <= REACHED && !(p.flags & SN_AIM_NO_DIRECTION))
        p.flags |= SN_AIM_REACHED;
    if (out)
        *out = (sn_aim_output){.flags = p.flags, .residual = (float)missed};
    return SN_OK;
}
