#include <math.h>

#include "base/error.h"
#include "rig/footing.h"
#include "rig/similarity.h"
#include "rig/swing_twist.h"
#include "sinew/feet.h"
#include "sinew/filter.h"
#include "sinew/two_bone.h"

/* Of the leg's length: a foot that moves less stays as it is. Solving it again would bend a leg
 * that is straight, which two bones can be only nearly. */
#define LEAST_MOVE 1e-6

/* Leg lengths a second: ground that rises or falls less fast is no jump. */
#define LEAST_JUMP 0.5

/* Sines of the flexion of the knee below which its plane is that of the rest pose, and above which
 * it is that of the clip. */
#define STRAIGHT 0.01
#define BENT 0.1

/* ---- what cannot be applied ---- */

static sn_result bad_value(sn_error *error, const char *name) {
    return sn_fail(error, SN_MESSAGE_CHAIN_VALUE, NULL, "%s is not finite or outside its range",
                   name);
}

static bool is_length(float value) {
    return value >= 0 && isfinite(value);
}

static sn_result check(const sn_feet_job *job, const sn_feet_options *o, const sn_joints *joints,
                       sn_error *error) {
    if (!(job->weight >= 0 && job->weight <= 1))
        return bad_value(error, "weight");
    if (job->state && !is_length(job->seconds))
        return bad_value(error, "seconds");
    if (!is_length(o->slope_max) || o->slope_max > 1.57f)
        return bad_value(error, "slope_max");
    if (!is_length(o->toes_max) || o->toes_max > 1.57f)
        return bad_value(error, "toes_max");
    if (!is_length(o->hips_drop))
        return bad_value(error, "hips_drop");
    if (!is_length(o->hips_rise))
        return bad_value(error, "hips_rise");
    if (!(o->extension >= 0 && o->extension <= 1))
        return bad_value(error, "extension");
    if (!is_length(o->rate))
        return bad_value(error, "rate");
    for (int i = 0; i < 12; i++)
        if (!isfinite(joints->root.m[i / 4][i % 4]))
            return bad_value(error, "root");
    return sn_ground_check(&job->ground, error);
}

static double or_default(float value, double otherwise) {
    return value > 0 ? (double)value : otherwise;
}

/* ---- the clip ---- */

static sn_dvec3 apply(const sn_affine *m, const float v[3]) {
    sn_dmat3 linear = sn_dmat3_of_affine(m);
    return sn_dvec3_add(sn_dmat3_apply(&linear, sn_dvec3_of(v)), sn_dvec3_of_affine(m));
}

/* False where the root lies down. */
static bool find_floor(const sn_affine *root, float height, sn_floor *out) {
    sn_dmat3 linear = sn_dmat3_of_affine(root);
    sn_dvec3 normal = sn_dvec3_cross(linear.columns[2], linear.columns[0]);
    if (sn_dmat3_determinant(&linear) < 0)
        normal = sn_dvec3_scale(normal, -1);
    normal = sn_dvec3_unit(normal);
    *out = (sn_floor){apply(root, (float[3]){0, height, 0}), normal};
    return normal.y > 0.5;
}

/* A leg in the pose of the clip, world. */
typedef struct clip_leg {
    const sn_foot *foot;
    sn_affine parent, lower_leg, foot_world, toes_parent;
    sn_dvec3 hip, knee, ankle;
    double length;
    sn_sole sole;
    sn_transform chain[SN_FEET_CHAIN]; /* upper leg to foot, local */
    uint32_t chain_count, middle;
} clip_leg;

static void gather_chain(clip_leg *leg, const sn_joints *joints) {
    uint32_t count = 1;
    for (uint32_t j = leg->foot->foot; j != leg->foot->upper_leg; j = joints->parents[j])
        count++;
    leg->chain_count = count;
    for (uint32_t j = leg->foot->foot, i = count; i-- > 0; j = joints->parents[j]) {
        leg->chain[i] = joints->local[j];
        if (j == leg->foot->lower_leg)
            leg->middle = i;
    }
}

static void measure(clip_leg *leg, const sn_joints *joints, const sn_foot *foot,
                    const sn_floor *floor) {
    leg->foot = foot;
    gather_chain(leg, joints);
    sn_affine upper = sn_joints_world(joints, foot->upper_leg);
    leg->parent = sn_joints_world(joints, joints->parents[foot->upper_leg]);
    leg->lower_leg = sn_joints_world(joints, foot->lower_leg);
    leg->foot_world = sn_joints_world(joints, foot->foot);
    leg->hip = sn_dvec3_of_affine(&upper);
    leg->knee = sn_dvec3_of_affine(&leg->lower_leg);
    leg->ankle = sn_dvec3_of_affine(&leg->foot_world);
    leg->length = sn_dvec3_length(sn_dvec3_subtract(leg->knee, leg->hip)) +
                  sn_dvec3_length(sn_dvec3_subtract(leg->ankle, leg->knee));

    sn_sole *sole = &leg->sole;
    *sole = (sn_sole){.ankle = leg->ankle, .has_toes = foot->toes != SN_NONE};
    sn_affine toes = leg->foot_world;
    if (sole->has_toes) {
        toes = sn_joints_world(joints, foot->toes);
        leg->toes_parent = sn_joints_world(joints, joints->parents[foot->toes]);
        sole->toe_joint = sn_dvec3_of_affine(&toes);
    }
    for (int i = 0; i < 2; i++) {
        sole->heel[i] = apply(&leg->foot_world, foot->heel[i]);
        sole->ball[i] = apply(&leg->foot_world, foot->ball[i]);
        sole->tip[i] = apply(&toes, foot->tip[i]);
    }
    sn_dmat3 linear = sn_dmat3_of_affine(&toes);
    sn_dvec3 across = sn_dvec3_unit(sn_dvec3_subtract(sole->tip[1], sole->tip[0]));
    sole->toe_axis = sn_dmat3_determinant(&linear) < 0 ? sn_dvec3_scale(across, -1) : across;
    sn_sole_measure(sole, floor);
}

/* A matrix can be made of a rotation that is zero, but no other rotation. */
static bool can_be_turned(const sn_joints *joints, uint32_t toes) {
    if (toes == SN_NONE)
        return true;
    sn_dquat q = sn_dquat_of(joints->local[toes].rotation);
    return isfinite(sn_dquat_dot(q, q));
}

/* ---- hips ---- */

/* How far the hips have to go down so that the leg reaches the ankle's place. */
static double drop_for(const clip_leg *leg, sn_dvec3 ankle, double extension) {
    double reach = sn_dvec3_length(sn_dvec3_subtract(leg->ankle, leg->hip));
    /* Two bones reach a little less than their length. */
    if (sn_dvec3_length(sn_dvec3_subtract(ankle, leg->ankle)) >= LEAST_MOVE * leg->length)
        reach = fmin(fmax(reach, extension * leg->length), (1 - 2e-4) * leg->length);
    sn_dvec3 to = sn_dvec3_subtract(ankle, leg->hip);
    double square = reach * reach - to.x * to.x - to.z * to.z;
    return -to.y - (square > 0 ? sqrt(square) : 0);
}

static double find_hips(const clip_leg legs[2], const sn_footing footings[2], const sn_floor *floor,
                        const sn_feet_options *o) {
    double length = fmax(legs[0].length, legs[1].length), drop = 0;
    double rise = fmin(footings[0].height, footings[1].height);
    rise = fmin(fmax(rise, 0), (double)o->hips_rise);
    for (int i = 0; i < 2; i++) {
        sn_dquat turn = sn_footing_turn(&footings[i], floor);
        sn_dvec3 ankle = sn_footing_place(&footings[i], turn, &legs[i].sole, legs[i].ankle);
        double need = drop_for(&legs[i], ankle, or_default(o->extension, 0.99));
        drop = fmax(drop, need + rise);
    }
    return rise - fmin(drop, or_default(o->hips_drop, 0.25 * length) + rise);
}

/* ---- jumps ---- */

static void put(double out[3], sn_dvec3 v) {
    out[0] = v.x, out[1] = v.y, out[2] = v.z;
}

static sn_dvec3 get(const double v[3]) {
    return (sn_dvec3){v[0], v[1], v[2]};
}

/* The ground is on the slope of the frame before, or has jumped. */
static double jump_of(const sn_foot_state *before, sn_dvec3 ground, double least) {
    sn_floor slope = {get(before->ground), get(before->slope)};
    double jump = ground.y - sn_floor_under(&slope, ground);
    return fabs(jump) > least ? jump : 0;
}

static void damp_axis(double *value, double *from, double to, double rate, double seconds) {
    *value = sn_damp_moving(*value, *from, to, rate, seconds);
    *from = to;
}

/* The footing as it is in time; `state` is that of the frame before. */
static void smooth(sn_footing *footing, const clip_leg *leg, const sn_floor *floor, double rate,
                   double seconds, bool is_started, sn_foot_state *state) {
    sn_dvec3 ground = leg->ankle;
    ground.y = sn_floor_under(floor, ground) + footing->height;
    const double normal[3] = {footing->normal.x, footing->normal.y, footing->normal.z};
    if (!is_started) {
        *state = (sn_foot_state){.toes = footing->toes, .toes_wanted = footing->toes};
        put(state->normal, footing->normal);
        put(state->normal_wanted, footing->normal);
    } else {
        state->jump = sn_damp(state->jump, 0, rate, seconds) -
                      jump_of(state, ground, LEAST_JUMP * leg->length * seconds);
        for (int i = 0; i < 3; i++)
            damp_axis(&state->normal[i], &state->normal_wanted[i], normal[i], rate, seconds);
        damp_axis(&state->toes, &state->toes_wanted, footing->toes, rate, seconds);
    }
    put(state->ground, ground);
    put(state->slope, footing->slope);
    footing->height += state->jump;
    footing->normal = sn_dvec3_unit(get(state->normal));
    footing->toes = state->toes;
}

static sn_feet_offsets offsets_of(double hips, const sn_footing footings[2]) {
    sn_feet_offsets out = {.hips = hips};
    for (int i = 0; i < 2; i++) {
        out.feet[i].height = footings[i].height;
        put(out.feet[i].normal, footings[i].normal);
        out.feet[i].toes = footings[i].toes;
    }
    return out;
}

static void weigh(sn_feet_offsets *offsets, double weight, const sn_floor *floor) {
    offsets->hips *= weight;
    for (int i = 0; i < 2; i++) {
        offsets->feet[i].height *= weight;
        offsets->feet[i].toes *= weight;
        double *n = offsets->feet[i].normal;
        sn_dvec3 normal = {n[0], n[1], n[2]};
        normal =
            sn_dvec3_add(sn_dvec3_scale(normal, weight), sn_dvec3_scale(floor->normal, 1 - weight));
        normal = sn_dvec3_unit(normal);
        n[0] = normal.x, n[1] = normal.y, n[2] = normal.z;
    }
}

/* ---- the leg ---- */

/* The axis of the knee in its own space; zero: that of the clip, which is bent enough to tell. */
static void find_hinge(const clip_leg *leg, float out[3]) {
    sn_dvec3 upper = sn_dvec3_unit(sn_dvec3_subtract(leg->knee, leg->hip));
    sn_dvec3 lower = sn_dvec3_unit(sn_dvec3_subtract(leg->ankle, leg->knee));
    sn_dvec3 bent = sn_dvec3_cross(upper, lower);
    double sine = sn_dvec3_length(bent), x = (sine - STRAIGHT) / (BENT - STRAIGHT);
    out[0] = out[1] = out[2] = 0;
    if (x >= 1)
        return;
    sn_dvec3 hinge = sn_dvec3_of(leg->foot->hinge);
    sn_dmat3 space = sn_dmat3_of_affine(&leg->lower_leg), inverse;
    if (x > 0 && sn_dmat3_inverse(&space, &inverse)) {
        double sign = sn_dmat3_determinant(&space) < 0 ? -1 : 1;
        sn_dvec3 in_clip = sn_dvec3_scale(sn_dvec3_unit(sn_dmat3_apply(&inverse, bent)), sign);
        double share = x * x * (3 - 2 * x);
        hinge = sn_dvec3_add(sn_dvec3_scale(hinge, 1 - share), sn_dvec3_scale(in_clip, share));
    }
    out[0] = (float)hinge.x, out[1] = (float)hinge.y, out[2] = (float)hinge.z;
}

typedef struct leg_pose {
    bool is_moved;
    sn_two_bone_output bones;
    float toes[4];
} leg_pose;

static sn_dquat world_rotation(const sn_affine *m) {
    sn_transform parts;
    sn_affine_decompose(m, &parts);
    return sn_dquat_of(parts.rotation);
}

static void bend_toes(const clip_leg *leg, const float base[4], double angle, float out[4]) {
    sn_dmat3 space = sn_dmat3_of_affine(&leg->toes_parent), inverse;
    if (!(angle > 0) || !sn_dmat3_inverse(&space, &inverse)) {
        for (int i = 0; i < 4; i++)
            out[i] = base[i];
        return;
    }
    sn_dvec3 axis = sn_dvec3_unit(sn_dmat3_apply(&inverse, leg->sole.toe_axis));
    sn_dquat turn = sn_dquat_about(axis, sn_dmat3_determinant(&space) < 0 ? -angle : angle);
    sn_store_quat(out, sn_dquat_multiply(turn, sn_dquat_of(base)));
}

static sn_result solve_leg(const clip_leg *leg, const sn_footing *footing, double hips,
                           const sn_floor *floor, leg_pose *pose, sn_foot_output *out,
                           sn_error *error) {
    sn_dquat turn = sn_footing_turn(footing, floor);
    sn_dvec3 place = sn_footing_place(footing, turn, &leg->sole, leg->ankle);
    sn_dvec3 move = sn_dvec3_subtract(place, leg->ankle);
    double turned = sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);
    double least = LEAST_MOVE * leg->length;
    if (sn_dvec3_length(move) < least && fabs(hips) < least && turned < LEAST_MOVE) {
        out->flags |= SN_FOOT_REACHED;
        out->residual = (float)sn_dvec3_length(move);
        return SN_OK;
    }
    sn_two_bone_options options = {.bend = SN_BEND_POSE};
    find_hinge(leg, options.hinge);
    sn_dquat q = sn_dquat_multiply(turn, world_rotation(&leg->foot_world));
    sn_two_bone_job job = {.parent_world = leg->parent,
                           .joints = leg->chain,
                           .joint_count = leg->chain_count,
                           .middle = leg->middle,
                           .target = {(float)place.x, (float)place.y, (float)place.z},
                           .weight = 1,
                           .is_oriented = true,
                           .orientation = {(float)q.x, (float)q.y, (float)q.z, (float)q.w},
                           .options = &options};
    job.parent_world.m[1][3] += (float)hips;
    sn_result result = sn_two_bone_solve(&job, &pose->bones, error);
    if (result != SN_OK)
        return result;
    pose->is_moved = true;
    uint32_t flags = pose->bones.flags;
    out->flags |= flags & SN_TWO_BONE_REACHED ? SN_FOOT_REACHED : 0u;
    out->flags |= flags & SN_TWO_BONE_TOO_FAR ? SN_FOOT_TOO_FAR : 0u;
    out->flags |= flags & SN_TWO_BONE_TOO_NEAR ? SN_FOOT_TOO_NEAR : 0u;
    out->residual = pose->bones.residual;
    return SN_OK;
}

static void write_leg(const clip_leg *leg, const leg_pose *pose, const sn_joints *joints) {
    const float *from[] = {pose->bones.root_rotation, pose->bones.middle_rotation,
                           pose->bones.end_rotation, pose->toes};
    const uint32_t to[] = {leg->foot->upper_leg, leg->foot->lower_leg, leg->foot->foot,
                           leg->foot->toes};
    for (int i = pose->is_moved ? 0 : 3; i < (leg->sole.has_toes ? 4 : 3); i++)
        for (int c = 0; c < 4; c++)
            joints->local[to[i]].rotation[c] = from[i][c];
}

/* The translation of the hips that moves them up in the world. */
static sn_result move_hips(const sn_joints *joints, uint32_t hips, double up, float out[3],
                           sn_error *error) {
    sn_affine above = sn_joints_world(joints, joints->parents[hips]);
    sn_dmat3 space = sn_dmat3_of_affine(&above), inverse;
    if (!sn_dmat3_inverse(&space, &inverse))
        return sn_fail(error, SN_MESSAGE_CHAIN_LENGTH, NULL,
                       "the matrix above the hips has no inverse");
    sn_dvec3 move = sn_dmat3_apply(&inverse, (sn_dvec3){0, up, 0});
    const float *at = joints->local[hips].translation;
    out[0] = (float)((double)at[0] + move.x);
    out[1] = (float)((double)at[1] + move.y);
    out[2] = (float)((double)at[2] + move.z);
    return SN_OK;
}

sn_result sn_feet_apply(const sn_feet_job *job, const sn_joints *joints, sn_feet_output *out,
                        sn_error *error) {
    static const sn_feet_options defaults;
    const sn_feet_options *options = job->options ? job->options : &defaults;
    sn_result result = check(job, options, joints, error);
    if (result != SN_OK)
        return result;
    const sn_feet *feet = job->feet;
    sn_floor floor;
    if (!find_floor(&joints->root, feet->floor, &floor))
        return sn_fail(error, SN_MESSAGE_CHAIN_VALUE, NULL,
                       "the root leans by 60 degrees or more: its +Y must point upwards");
    sn_footing_limits limits = {options->is_level, or_default(options->slope_max, 0.7),
                                or_default(options->toes_max, 0.8)};
    clip_leg legs[2];
    sn_footing footings[2];
    sn_feet_output output = {0};
    sn_feet_state state = {0};
    if (job->state)
        state = *job->state;
    for (int i = 0; i < 2; i++) {
        measure(&legs[i], joints, &feet->feet[i], &floor);
        if (!isfinite(legs[i].length) || !isfinite(legs[i].sole.lift + legs[i].sole.tip_lift) ||
            !can_be_turned(joints, feet->feet[i].toes))
            return bad_value(error, i ? "the pose of the right leg" : "the pose of the left leg");
        if (!sn_footing_find(&legs[i].sole, &floor, &job->ground, &limits, &footings[i],
                             &output.feet[i].flags))
            return sn_fail(error, SN_MESSAGE_GROUND_VALUE, NULL,
                           "the ground under the %s foot is not finite, or its normal does not "
                           "point upwards",
                           i ? "right" : "left");
    }
    for (int i = 0; i < 2; i++)
        smooth(&footings[i], &legs[i], &floor, or_default(options->rate, 12), (double)job->seconds,
               state.is_started, &state.feet[i]);
    state.is_started = true;
    output.offsets = offsets_of(find_hips(legs, footings, &floor, options), footings);
    weigh(&output.offsets, (double)job->weight, &floor);

    float hips[3];
    leg_pose poses[2] = {0};
    result = move_hips(joints, feet->hips, output.offsets.hips, hips, error);
    for (int i = 0; i < 2 && result == SN_OK; i++) {
        sn_footing footing = {.height = output.offsets.feet[i].height,
                              .normal = get(output.offsets.feet[i].normal),
                              .toes = output.offsets.feet[i].toes};
        result = solve_leg(&legs[i], &footing, output.offsets.hips, &floor, &poses[i],
                           &output.feet[i], error);
        if (result == SN_OK && legs[i].sole.has_toes)
            bend_toes(&legs[i], joints->local[legs[i].foot->toes].rotation, footing.toes,
                      poses[i].toes);
    }
    if (result != SN_OK)
        return result;
    if (job->state)
        *job->state = state;
    if (out)
        *out = output;
    if (!(job->weight > 0))
        return SN_OK;
    for (int c = 0; c < 3; c++)
        joints->local[feet->hips].translation[c] = hips[c];
    for (int i = 0; i < 2; i++)
        write_leg(&legs[i], &poses[i], joints);
    return SN_OK;
}
