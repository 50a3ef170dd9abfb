#include <math.h>

#include "base/error.h"
#include "math/angle.h"
#include "rig/bend.h"
#include "rig/ellipse.h"
#include "rig/limb.h"
#include "rig/reach.h"
#include "rig/similarity.h"
#include "rig/space.h"

/* Flexion of the base pose, as a sine, below which its hinge is rounding. */
#define LEAST_FLEXION 1e-3

#define REACHED 1e-5 /* of the chain's length */

/* The job in the space of the root's parent, relative to the root. */
typedef struct problem {
    const sn_two_bone_job *job;
    const sn_two_bone_options *options;
    sn_dmat3 parent, parent_inverse;
    sn_dvec3 root_world;
    sn_limb_rotations rotations; /* of the base pose */
    sn_limb limb;                /* of the base pose, stretched */
    sn_similarity middle_space;
    sn_dvec3 upper, fore; /* bones */
    double upper_length, fore_length;
    sn_dvec3 target, hinge; /* hinge: unit, or zero: unknown */
    uint32_t flags;
} problem;

/* ---- what cannot be solved ---- */

static bool is_rotation(const float q[4]) {
    double square = 0;
    for (int i = 0; i < 4; i++)
        square += (double)q[i] * (double)q[i];
    return isfinite(square) && square > 0;
}

static bool is_zero(const float v[3]) {
    return !(fabsf(v[0]) > 0 || fabsf(v[1]) > 0 || fabsf(v[2]) > 0);
}

static const char *bad_option(const sn_two_bone_options *o) {
    if ((unsigned)o->bend > SN_BEND_FIELD)
        return "bend";
    if ((unsigned)o->roll > SN_ROLL_KEEP)
        return "roll";
    if (!sn_are_finite(o->pole, 3) || (o->bend == SN_BEND_DIRECTION && is_zero(o->pole)))
        return "pole";
    if (!sn_are_finite(o->field_reach, 3) || (o->bend == SN_BEND_FIELD && is_zero(o->field_reach)))
        return "field_reach";
    if (!sn_are_finite(o->field_bend, 3) || (o->bend == SN_BEND_FIELD && is_zero(o->field_bend)))
        return "field_bend";
    if (!isfinite(o->swivel))
        return "swivel";
    if (!sn_are_finite(o->hinge, 3))
        return "hinge";
    if (!(o->soften >= 0 && o->soften <= 1))
        return "soften";
    if (!(o->flexion_min >= 0 && o->flexion_min <= o->flexion_max))
        return "flexion_min";
    if (!(o->flexion_max <= SN_HALF_TURN_MAX))
        return "flexion_max";
    if (!(o->stretch_max >= 0 && o->stretch_max <= SN_TWO_BONE_STRETCH_LIMIT))
        return "stretch_max";
    if (!(o->stretch_start >= 0 && isfinite(o->stretch_start)))
        return "stretch_start";
    if (!(o->bend_rate >= 0 && isfinite(o->bend_rate)))
        return "bend_rate";
    return NULL;
}

static sn_result check(const sn_two_bone_job *job, const sn_two_bone_options *options,
                       sn_error *error) {
    if (!job->joints || job->joint_count < 3 || job->middle < 1 ||
        job->middle > job->joint_count - 2)
        return sn_fail(error, SN_MESSAGE_CHAIN_JOINTS, NULL,
                       "joint %u of %u cannot be the middle one: one before and one after it are "
                       "needed",
                       job->middle, job->joints ? job->joint_count : 0);
    const char *bad = NULL;
    if (!sn_are_finite(&job->parent_world.m[0][0], 12))
        bad = "parent_world";
    else if (!sn_are_finite(job->target, 3))
        bad = "target";
    else if (!(job->weight >= 0 && job->weight <= 1))
        bad = "weight";
    else if (job->is_oriented && !is_rotation(job->orientation))
        bad = "orientation";
    else if (job->state && !(job->seconds >= 0 && isfinite(job->seconds)))
        bad = "seconds";
    else
        bad = bad_option(options);
    if (bad)
        return sn_fail(error, SN_MESSAGE_CHAIN_VALUE, NULL, "%s is not finite or outside its range",
                       bad);
    for (uint32_t i = 0; i < job->joint_count; i++) {
        const sn_transform *joint = &job->joints[i];
        float grown[3];
        for (int axis = 0; axis < 3; axis++)
            grown[axis] = joint->translation[axis] * fmaxf(options->stretch_max, 1);
        if (!sn_are_finite(grown, 3) || !is_rotation(joint->rotation) ||
            !sn_are_finite(joint->scale, 3))
            return sn_fail(error, SN_MESSAGE_CHAIN_VALUE, NULL,
                           "joint %u of the chain is not finite, or its rotation is zero", i);
    }
    return SN_OK;
}

/* ---- setting up ---- */

static sn_dvec3 root_relative(const problem *p, const float world[3]) {
    sn_dvec3 from = sn_dvec3_subtract(sn_dvec3_of(world), p->root_world);
    return sn_dmat3_apply(&p->parent_inverse, from);
}

static void measure(problem *p) {
    p->limb = sn_limb_place(p->job, &p->rotations);
    p->upper = p->limb.middle;
    p->fore = sn_dvec3_subtract(p->limb.end, p->limb.middle);
    p->upper_length = sn_dvec3_length(p->upper);
    p->fore_length = sn_dvec3_length(p->fore);
}

/* The axis about which the base pose flexes: upper bone x fore bone. */
static sn_dvec3 rest_hinge(const problem *p) {
    const float *given = p->options->hinge;
    sn_dvec3 axis = sn_dvec3_cross(p->upper, p->fore);
    if (!is_zero(given)) {
        sn_dvec3 turned = sn_dquat_rotate(p->rotations.middle, sn_dvec3_of(given));
        axis = sn_dmat3_apply(&p->limb.middle_parent, turned);
        /* Flexing the other way round in a mirrored space. */
        if (sn_dmat3_determinant(&p->limb.middle_parent) < 0)
            axis = sn_dvec3_scale(axis, -1);
    } else if (sn_dvec3_length(axis) < LEAST_FLEXION * p->upper_length * p->fore_length) {
        return (sn_dvec3){0, 0, 0};
    }
    double length = sn_dvec3_length(axis);
    return length > 0 ? sn_dvec3_scale(axis, 1 / length) : axis;
}

static sn_result set_up(const sn_two_bone_job *job, const sn_two_bone_options *options, problem *p,
                        sn_error *error) {
    *p = (problem){.job = job, .options = options};
    p->parent = sn_dmat3_of_affine(&job->parent_world);
    if (!sn_dmat3_inverse(&p->parent, &p->parent_inverse))
        return sn_fail(error, SN_MESSAGE_CHAIN_LENGTH, NULL,
                       "the matrix above the root has no inverse");
    p->rotations = (sn_limb_rotations){sn_dquat_of(job->joints[0].rotation),
                                       sn_dquat_of(job->joints[job->middle].rotation), 1};
    sn_dvec3 origin = sn_dmat3_apply(&p->parent, sn_dvec3_of(job->joints[0].translation));
    const float(*m)[4] = job->parent_world.m;
    p->root_world =
        sn_dvec3_add(origin, (sn_dvec3){(double)m[0][3], (double)m[1][3], (double)m[2][3]});
    p->target = root_relative(p, job->target);
    measure(p);
    double longer = fmax(p->upper_length, p->fore_length);
    double shorter = fmin(p->upper_length, p->fore_length);
    if (!(shorter > 1e-9 * longer) || !isfinite(longer * longer) || !(shorter * shorter > 0))
        return sn_fail(error, SN_MESSAGE_CHAIN_LENGTH, NULL, "a bone has no length: %g and %g",
                       p->upper_length, p->fore_length);
    double determinant = sn_dmat3_determinant(&p->limb.middle_parent);
    if (!isfinite(1 / determinant))
        return sn_fail(error, SN_MESSAGE_CHAIN_LENGTH, NULL,
                       "the scale of a joint above the middle one is zero");
    if (job->is_oriented && !isfinite(1 / sn_dmat3_determinant(&p->limb.end_parent)))
        return sn_fail(error, SN_MESSAGE_CHAIN_LENGTH, NULL,
                       "the scale of a joint above the end is zero: no rotation turns it");

    if (options->stretch_max > 1) {
        double start = options->stretch_start > 0 ? (double)options->stretch_start : 1;
        double most = (double)options->stretch_max;
        double ratio = sn_dvec3_length(p->target) / (p->upper_length + p->fore_length);
        double share = most > start ? (ratio - start) / (most - start) : ratio > start;
        if (share > 0) {
            p->flags |= SN_TWO_BONE_STRETCHED;
            p->rotations.stretch = 1 + (most - 1) * (share < 1 ? share : 1);
            measure(p);
        }
    }
    p->middle_space = sn_similarity_of(&p->limb.middle_parent);
    p->hinge = rest_hinge(p);
    return SN_OK;
}

/* Root to target; if they coincide, root to end in the base pose, then along the upper bone. */
static sn_dvec3 target_direction(problem *p, sn_dvec3 rest_end) {
    double length = sn_dvec3_length(p->target);
    if (length > 1e-12 * (p->upper_length + p->fore_length))
        return sn_dvec3_scale(p->target, 1 / length);
    p->flags |= SN_TWO_BONE_NO_DIRECTION;
    return rest_end;
}

static sn_dvec3 rest_end_direction(const problem *p) {
    double length = sn_dvec3_length(p->limb.end);
    return length > 1e-9 * (p->upper_length + p->fore_length)
               ? sn_dvec3_scale(p->limb.end, 1 / length)
               : sn_dvec3_scale(p->upper, 1 / p->upper_length);
}

/* ---- turning the bones ---- */

/* The bones' directions in the solution, and the axis about which it flexes. */
typedef struct placed {
    sn_dvec3 upper, fore, hinge;
} placed;

/* Turns of the two bones from the base pose, in the space of the root's parent. */
typedef struct turns {
    sn_dquat upper, fore;
} turns;

static turns turn_bones(const problem *p, const placed *to) {
    sn_dvec3 upper = sn_dvec3_scale(p->upper, 1 / p->upper_length);
    sn_dvec3 fore = sn_dvec3_scale(p->fore, 1 / p->fore_length);
    turns out;
    if (p->options->roll == SN_ROLL_KEEP) {
        out.upper = sn_dquat_from_to(upper, to->upper, p->hinge);
        sn_dquat rest = sn_dquat_from_to(sn_dquat_rotate(out.upper, fore), to->fore, to->hinge);
        out.fore = sn_dquat_multiply(rest, out.upper);
        return out;
    }
    sn_dvec3 hinge = p->hinge;
    if (!(sn_dvec3_length(hinge) > 0)) /* straight: whichever the shortest way makes it */
        hinge = sn_dquat_rotate(sn_dquat_conjugate(sn_dquat_from_to(upper, to->upper, to->hinge)),
                                to->hinge);
    sn_dframe from = sn_dframe_make(upper, hinge), into = sn_dframe_make(to->upper, to->hinge);
    out.upper = sn_dquat_between(&from, &into);
    from = sn_dframe_make(fore, hinge);
    into = sn_dframe_make(to->fore, to->hinge);
    out.fore = sn_dquat_between(&from, &into);
    return out;
}

/* The local rotation that turns the middle joint's bone by `turn` in the space of the root's
 * parent. A space that only rotates and scales takes the axis with it; mirroring turns x about, and
 * with it the sense of the rotation. */
static sn_dquat middle_local(const problem *p, sn_dquat turn) {
    sn_dquat r = p->middle_space.rotation;
    sn_dquat inside = sn_dquat_multiply(sn_dquat_multiply(sn_dquat_conjugate(r), turn), r);
    if (p->middle_space.is_mirrored)
        inside = (sn_dquat){inside.x, -inside.y, -inside.z, inside.w};
    return sn_dquat_multiply(inside, p->rotations.middle);
}

static sn_limb_rotations solve_rigid(problem *p, sn_dvec3 direction, sn_dvec3 bend,
                                     double distance) {
    sn_triangle triangle = sn_triangle_make(p->upper_length, p->fore_length, distance);
    sn_dvec3 upper =
        sn_dvec3_add(sn_dvec3_scale(direction, triangle.along), sn_dvec3_scale(bend, triangle.off));
    sn_dvec3 fore = sn_dvec3_subtract(sn_dvec3_scale(direction, distance), upper);
    placed to = {sn_dvec3_unit(upper), sn_dvec3_unit(fore), sn_dvec3_cross(bend, direction)};
    turns t = turn_bones(p, &to);
    return (sn_limb_rotations){
        .root = sn_dquat_multiply(t.upper, p->rotations.root),
        .middle = middle_local(p, sn_dquat_multiply(sn_dquat_conjugate(t.upper), t.fore)),
        .stretch = p->rotations.stretch};
}

/* Scales that differ by axis inside the chain: the angle between the bones is searched for. */
static sn_limb_rotations solve_sheared(problem *p, const sn_ellipse *ellipse, sn_dvec3 direction,
                                       sn_dvec3 bend, double distance) {
    double angle = sn_ellipse_find(ellipse, distance);
    sn_dvec3 end = sn_ellipse_end(ellipse, angle);
    sn_dvec3 hinge = sn_dvec3_cross(p->upper, sn_dvec3_subtract(end, p->upper));
    sn_dframe from = sn_dframe_make(sn_dvec3_unit(end), hinge);
    sn_dframe to = sn_dframe_make(direction, sn_dvec3_cross(bend, direction));
    return (sn_limb_rotations){
        .root = sn_dquat_multiply(sn_dquat_between(&from, &to), p->rotations.root),
        .middle = sn_dquat_multiply(sn_ellipse_turn(ellipse, angle), p->rotations.middle),
        .stretch = p->rotations.stretch};
}

/* ---- results ---- */

/* The short way from the base pose, and the float of it on the base pose's side of the sphere. */
static void store_rotation(const float base[4], sn_dquat solved, float weight, float out[4]) {
    sn_dquat from = sn_dquat_of(base);
    if (sn_dquat_dot(from, solved) < 0)
        solved = sn_dquat_scale(solved, -1);
    double w = (double)weight;
    sn_dquat sum = {from.x + (solved.x - from.x) * w, from.y + (solved.y - from.y) * w,
                    from.z + (solved.z - from.z) * w, from.w + (solved.w - from.w) * w};
    sum = sn_dquat_unit(weight < 1 ? sum : solved);
    float values[4] = {(float)sum.x, (float)sum.y, (float)sum.z, (float)sum.w};
    for (int i = 0; i < 4; i++)
        out[i] = weight > 0 ? values[i] : base[i];
}

/* Mirrored spaces: world = rotation * flip x, as sn_affine_decompose has it. */
static sn_dquat end_local(problem *p, const sn_limb *limb) {
    sn_dmat3 space = sn_dmat3_multiply(&p->parent, &limb->end_parent);
    sn_similarity parent = sn_similarity_of(&space);
    if (!parent.is_exact) /* a rotation cannot undo shear: the nearest is taken */
        p->flags |= SN_TWO_BONE_SHEARED;
    sn_dquat local =
        sn_dquat_multiply(sn_dquat_conjugate(parent.rotation), sn_dquat_of(p->job->orientation));
    return parent.is_mirrored ? (sn_dquat){local.x, -local.y, -local.z, local.w} : local;
}

static void store_world(const problem *p, sn_dvec3 relative, float out[3]) {
    sn_dvec3 world = sn_dvec3_add(sn_dmat3_apply(&p->parent, relative), p->root_world);
    out[0] = (float)world.x, out[1] = (float)world.y, out[2] = (float)world.z;
}

static void store(problem *p, const sn_limb_rotations *solved, sn_two_bone_output *out) {
    const sn_two_bone_job *job = p->job;
    const float *end = job->joints[job->joint_count - 1].rotation;
    float w = job->weight;
    store_rotation(job->joints[0].rotation, solved->root, w, out->root_rotation);
    store_rotation(job->joints[job->middle].rotation, solved->middle, w, out->middle_rotation);
    if (job->is_oriented) {
        sn_limb limb = sn_limb_place(job, solved);
        store_rotation(end, end_local(p, &limb), w, out->end_rotation);
    } else {
        for (int i = 0; i < 4; i++)
            out->end_rotation[i] = end[i];
    }
    out->stretch = (float)(1 + (solved->stretch - 1) * (double)w);
    sn_limb_rotations stored = {sn_dquat_of(out->root_rotation), sn_dquat_of(out->middle_rotation),
                                (double)out->stretch};
    sn_limb limb = sn_limb_place(job, &stored);
    sn_dvec3 missing = sn_dvec3_subtract(p->target, limb.end);
    if (sn_dvec3_length(missing) <= REACHED * (p->upper_length + p->fore_length))
        p->flags |= SN_TWO_BONE_REACHED;
    out->residual = (float)sn_dvec3_length(sn_dmat3_apply(&p->parent, missing));
    store_world(p, limb.middle, out->middle_position);
    store_world(p, limb.end, out->end_position);
    out->flags = p->flags;
}

sn_result sn_two_bone_solve(const sn_two_bone_job *job, sn_two_bone_output *out, sn_error *error) {
    static const sn_two_bone_options defaults;
    const sn_two_bone_options *options = job->options ? job->options : &defaults;
    problem p;
    sn_result result = check(job, options, error);
    if (result == SN_OK)
        result = set_up(job, options, &p, error);
    if (result != SN_OK)
        return result;

    sn_reach reach = sn_reach_make(p.upper_length, p.fore_length, options);
    sn_ellipse ellipse;
    if (!p.middle_space.is_exact) {
        p.flags |= SN_TWO_BONE_SHEARED;
        ellipse = sn_ellipse_make(&p.limb.middle_parent, p.upper, p.fore, p.hinge);
        sn_ellipse_range(&ellipse, &reach);
    }
    double distance = sn_reach_clamp(&reach, sn_dvec3_length(p.target), &p.flags);
    sn_dvec3 rest_end = rest_end_direction(&p);
    sn_bend_input input = {.direction = target_direction(&p, rest_end),
                           .rest_end = rest_end,
                           .rest_middle = p.upper,
                           .hinge = p.hinge,
                           .options = options,
                           .state = job->state,
                           .seconds = (double)job->seconds};
    if (options->bend == SN_BEND_POSITION)
        input.pole = root_relative(&p, options->pole);
    else if (options->bend == SN_BEND_DIRECTION)
        input.pole = sn_dmat3_apply(&p.parent_inverse, sn_dvec3_of(options->pole));
    sn_dvec3 bend = sn_bend_find(&input, &p.flags);
    sn_limb_rotations solved = p.middle_space.is_exact
                                   ? solve_rigid(&p, input.direction, bend, distance)
                                   : solve_sheared(&p, &ellipse, input.direction, bend, distance);
    store(&p, &solved, out);
    return SN_OK;
}
