#include "sinew/grip.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "rig/hand.h"
#include "rig/swing_twist.h"

/* A hand's roll and its forearm's depend on each other; more passes change nothing to see. */
enum { ROLL_PASSES = 3, TURN_PASSES = 3 };

/* ---- what cannot be done ---- */

static bool is_in(float value, float least, float most) {
    return value >= least && value <= most;
}

static bool has_length(const float v[3]) {
    return sn_are_finite(v, 3) && sn_dvec3_length(sn_dvec3_of(v)) > 0;
}

static const char *bad_hold(const sn_grip_hold *hold) {
    if (!sn_are_finite(hold->position, 3))
        return "position";
    if (!has_length(hold->axis))
        return "axis";
    if (!sn_are_finite(hold->palm, 3))
        return "palm";
    if (!is_in(hold->roll, 0, SN_HALF_TURN_MAX))
        return "roll";
    if (!(hold->radius > 0 && isfinite(hold->radius)))
        return "radius";
    if (!is_in(hold->tilt, -1.5f, 1.5f))
        return "tilt";
    return is_in(hold->curl, 0, 1) ? NULL : "curl";
}

static sn_result check(const sn_grip_job *job, sn_error *error) {
    const char *bad = NULL;
    if (job->hold_count < 1 || job->hold_count > 2)
        bad = "number of hands";
    else if (!sn_are_finite(&job->prop.m[0][0], 12))
        bad = "prop";
    else if (!is_in(job->favour, 0, 1))
        bad = "favour";
    else if (!(job->shift >= 0 && isfinite(job->shift)))
        bad = "shift";
    else if (!is_in(job->turn, 0, SN_HALF_TURN_MAX))
        bad = "turn";
    else if (!is_in(job->weight, 0, 1))
        bad = "weight";
    for (uint32_t i = 0; i < job->hold_count && !bad; i++)
        bad = bad_hold(&job->holds[i]);
    return bad ? sn_fail(error, SN_MESSAGE_CHAIN_VALUE, NULL,
                         "the %s of the grip is not finite or not in its range", bad)
               : SN_OK;
}

/* ---- model space ---- */

static sn_affine affine_of(const sn_space *s) {
    sn_affine out;
    for (int c = 0; c < 3; c++) {
        float column[3];
        sn_store_vec3(column, s->axes.columns[c]);
        for (int r = 0; r < 3; r++)
            out.m[r][c] = column[r];
    }
    float origin[3];
    sn_store_vec3(origin, s->origin);
    for (int r = 0; r < 3; r++)
        out.m[r][3] = origin[r];
    return out;
}

static sn_space multiply(const sn_space *left, const sn_space *right) {
    return (sn_space){sn_dmat3_multiply(&left->axes, &right->axes),
                      sn_space_point(left, right->origin)};
}

static sn_dmat3 matrix_of(sn_dquat q) {
    return (sn_dmat3){{sn_dquat_rotate(q, (sn_dvec3){1, 0, 0}),
                       sn_dquat_rotate(q, (sn_dvec3){0, 1, 0}),
                       sn_dquat_rotate(q, (sn_dvec3){0, 0, 1})}};
}

/* ---- one hand ---- */

typedef struct grip grip;

/* A hold while it is solved, in model space. */
typedef struct hand_state {
    const sn_grip_hold *hold;
    sn_transform chain[SN_GRIP_CHAIN]; /* the base pose */
    sn_affine parent;                  /* of the upper arm */
    sn_two_bone_options options;
    double scale;             /* of the hand: model for a unit of hand space */
    sn_hand_line line;        /* the rod in the fist, hand space */
    sn_dquat hanging;         /* as the hand hangs on the forearm of the last pass */
    sn_dvec3 point;           /* the hold's position */
    sn_dvec3 wrist, shoulder; /* where it is wanted; of the base pose */
    sn_dquat orientation;
    double roll;
    sn_two_bone_output arm;
} hand_state;

struct grip {
    const sn_grip_job *job;
    const sn_joints *joints;
    sn_space from_world, root;
    double world_scale; /* world for a unit of the model */
    sn_space prop;      /* model */
    hand_state hands[2];
};

static sn_dquat rest_rotation(const sn_hand *hand) {
    return (sn_dquat){hand->rest[0], hand->rest[1], hand->rest[2], hand->rest[3]};
}

static void write_arm(const grip *g, const hand_state *h, const sn_two_bone_output *out) {
    const sn_grip_arm *arm = h->hold->arm;
    sn_transform *local = g->joints->local;
    memcpy(local[arm->chain[0]].rotation, out->root_rotation, sizeof out->root_rotation);
    memcpy(local[arm->chain[arm->elbow]].rotation, out->middle_rotation,
           sizeof out->middle_rotation);
    memcpy(local[arm->hand.wrist].rotation, out->end_rotation, sizeof out->end_rotation);
}

static void restore_arm(const grip *g, const hand_state *h) {
    const sn_grip_arm *arm = h->hold->arm;
    for (uint32_t i = 0; i < arm->count; i++)
        g->joints->local[arm->chain[i]] = h->chain[i];
}

/* Model rotation of the hand when it hangs on the forearm as in the base pose. */
static sn_dquat hanging_rotation(const grip *g, const hand_state *h) {
    sn_space wrist = sn_space_of_joint(g->joints, g->joints->local, h->hold->arm->hand.wrist);
    return sn_similarity_of(&wrist.axes).rotation;
}

/* Within its range; what is opposite to it fades to the middle, so that a prop that is turned
 * through there does not throw the hand from one end to the other. */
static double limit_roll(double roll, double most) {
    double size = fabs(roll), back = fmax(most, SN_PI * 5 / 6);
    if (size > back)
        return copysign(most * (SN_PI - size) / (SN_PI - back), roll);
    return copysign(fmin(size, most), roll);
}

/* Where the wrist is wanted for the prop as it is and the forearm of the pass before. */
static void place_wrist(const grip *g, hand_state *h) {
    const sn_hand *hand = &h->hold->arm->hand;
    sn_dvec3 axis = sn_dvec3_unit(sn_dmat3_apply(&g->prop.axes, sn_dvec3_of(h->hold->axis)));
    bool is_any = !has_length(h->hold->palm);
    sn_dvec3 palm = sn_dmat3_apply(&g->prop.axes, sn_dvec3_of(h->hold->palm));
    sn_dframe held = sn_dframe_make(axis, is_any ? sn_dvec3_perpendicular(axis) : palm);
    sn_dframe own = sn_dframe_make(h->line.direction, sn_dvec3_load(hand->palm));
    sn_dquat turn = sn_dquat_between(&own, &held), rest = rest_rotation(hand);
    /* The angle about the axis that maximises the dot product of the two quaternions. */
    sn_dquat to = sn_dquat_multiply(h->hanging, sn_dquat_conjugate(sn_dquat_multiply(turn, rest)));
    double roll = 2 * atan2(sn_dvec3_dot(axis, (sn_dvec3){to.x, to.y, to.z}), to.w);
    roll -= 2 * SN_PI * floor(roll / (2 * SN_PI) + 0.5);
    h->roll = is_any ? roll : limit_roll(roll, (double)h->hold->roll);
    turn = sn_dquat_multiply(sn_dquat_about(axis, h->roll), turn);
    h->point = sn_space_point(&g->prop, sn_dvec3_of(h->hold->position));
    sn_dvec3 lever = sn_dvec3_scale(sn_dquat_rotate(turn, h->line.point), h->scale);
    h->wrist = sn_dvec3_subtract(h->point, lever);
    h->orientation = sn_dquat_multiply(turn, rest);
}

static sn_result solve_arm(const hand_state *h, float weight, sn_two_bone_output *out,
                           sn_error *error) {
    const sn_grip_arm *arm = h->hold->arm;
    sn_two_bone_job job = {.parent_world = h->parent,
                           .joints = h->chain,
                           .joint_count = arm->count,
                           .middle = arm->elbow,
                           .weight = weight,
                           .is_oriented = true,
                           .options = &h->options};
    sn_store_vec3(job.target, h->wrist);
    sn_store_quat(job.orientation, h->orientation);
    return sn_two_bone_solve(&job, out, error);
}

/* Wrist and arm for the prop as it is. */
static sn_result solve_hand(const grip *g, hand_state *h, sn_error *error) {
    for (int pass = 0; pass < ROLL_PASSES; pass++) {
        place_wrist(g, h);
        sn_result result = solve_arm(h, 1, &h->arm, error);
        if (result != SN_OK)
            return result;
        sn_two_bone_output forearm = h->arm;
        memcpy(forearm.end_rotation, h->chain[h->hold->arm->count - 1].rotation,
               sizeof forearm.end_rotation);
        write_arm(g, h, &forearm);
        h->hanging = hanging_rotation(g, h);
        restore_arm(g, h);
    }
    return SN_OK;
}

static sn_dvec3 missing(const hand_state *h) {
    return sn_dvec3_subtract(h->wrist, sn_dvec3_of(h->arm.end_position));
}

static sn_result set_up_hand(grip *g, uint32_t i, sn_error *error) {
    hand_state *h = &g->hands[i];
    h->hold = &g->job->holds[i];
    const sn_grip_arm *arm = h->hold->arm;
    const sn_joints *joints = g->joints;
    sn_result result = sn_space_check(joints, joints->local, arm->hand.wrist, "the hand", error);
    if (result != SN_OK)
        return result;
    for (uint32_t j = 0; j < arm->count; j++)
        h->chain[j] = joints->local[arm->chain[j]];
    sn_space parent = sn_space_of_joint(joints, joints->local, joints->parents[arm->chain[0]]);
    h->parent = affine_of(&parent);
    h->shoulder = sn_space_point(&parent, sn_dvec3_of(h->chain[0].translation));
    h->options = (sn_two_bone_options){.bend = SN_BEND_FIELD};
    memcpy(h->options.hinge, arm->hinge, sizeof arm->hinge);
    memcpy(h->options.field_reach, arm->field_reach, sizeof arm->field_reach);
    memcpy(h->options.field_bend, arm->field_bend, sizeof arm->field_bend);
    if (h->hold->bend) {
        h->options = *h->hold->bend;
        h->options.stretch_max = 0;
        sn_dvec3 pole = sn_dvec3_of(h->options.pole);
        if (h->options.bend == SN_BEND_POSITION)
            sn_store_vec3(h->options.pole, sn_space_point(&g->from_world, pole));
        if (h->options.bend == SN_BEND_DIRECTION)
            sn_store_vec3(h->options.pole, sn_dmat3_apply(&g->from_world.axes, pole));
    }
    double world = sn_hand_scale(&arm->hand, joints);
    h->scale = world / g->world_scale;
    if (!(h->scale > 0) || !isfinite(1 / h->scale))
        return sn_fail(error, SN_MESSAGE_CHAIN_LENGTH, NULL, "the scale of the hand is zero");
    double radius = (double)h->hold->radius / world + sn_hand_padding(&arm->hand);
    h->line = sn_hand_rod_line(&arm->hand, radius, (double)h->hold->tilt);
    h->hanging = hanging_rotation(g, h);
    return SN_OK;
}

/* ---- the prop gives way ---- */

static sn_result solve_hands(grip *g, sn_error *error) {
    sn_result result = SN_OK;
    for (uint32_t i = 0; i < g->job->hold_count && result == SN_OK; i++)
        result = solve_hand(g, &g->hands[i], error);
    return result;
}

static bool is_reached(const hand_state *h) {
    return h->arm.flags & SN_TWO_BONE_REACHED;
}

/* Towards the hands, each by its share of what it misses. */
static bool shift_prop(grip *g) {
    const sn_grip_job *job = g->job;
    if (is_reached(&g->hands[0]) && (job->hold_count < 2 || is_reached(&g->hands[1])))
        return false;
    double most = (double)job->shift / g->world_scale;
    double second = job->hold_count > 1 ? (double)job->favour : 0;
    sn_dvec3 way = sn_dvec3_scale(missing(&g->hands[0]), -(1 - second));
    if (job->hold_count > 1)
        way = sn_dvec3_subtract(way, sn_dvec3_scale(missing(&g->hands[1]), second));
    double length = sn_dvec3_length(way);
    if (!(most > 0) || !(length > 0))
        return false;
    g->prop.origin =
        sn_dvec3_add(g->prop.origin, sn_dvec3_scale(way, length > most ? most / length : 1));
    return true;
}

/* About the favoured hold, until the other one is as far from its shoulder as the arm goes. In the
 * triangle of the two holds and the point where the other one would have the wrist in the shoulder,
 * all sides are known, and so is the angle at the favoured hold. */
static bool turn_prop(grip *g, double most, double *turned) {
    if (g->job->hold_count < 2)
        return false;
    uint32_t fixed = g->job->favour > 0.5f ? 1 : 0;
    const hand_state *a = &g->hands[fixed], *b = &g->hands[1 - fixed];
    sn_dvec3 lever = sn_dvec3_subtract(b->point, b->wrist);
    sn_dvec3 from = sn_dvec3_subtract(b->point, a->point);
    sn_dvec3 to = sn_dvec3_subtract(sn_dvec3_add(b->shoulder, lever), a->point);
    double reach =
        sn_dvec3_length(sn_dvec3_subtract(sn_dvec3_of(b->arm.end_position), b->shoulder));
    double size = sn_dvec3_length(from), far = sn_dvec3_length(to);
    sn_dvec3 axis = sn_dvec3_cross(from, to);
    double sine = sn_dvec3_length(axis);
    if (is_reached(b) || !(most > 0) || !(sine > 1e-9 * size * far))
        return false;
    double cosine = (size * size + far * far - reach * reach) / (2 * size * far);
    cosine = fmin(fmax(cosine, -1), 1);
    double angle = atan2(sine, sn_dvec3_dot(from, to)) - atan2(sqrt(1 - cosine * cosine), cosine);
    angle = fmin(fmax(angle, -most), most);
    sn_dquat turn = sn_dquat_about(sn_dvec3_scale(axis, 1 / sine), angle);
    sn_dmat3 matrix = matrix_of(turn);
    g->prop.axes = sn_dmat3_multiply(&matrix, &g->prop.axes);
    g->prop.origin =
        sn_dvec3_add(a->point, sn_dquat_rotate(turn, sn_dvec3_subtract(g->prop.origin, a->point)));
    *turned += fabs(angle);
    return true;
}

/* ---- all ---- */

static void report_wrist(const grip *g, const hand_state *h, sn_grip_wrist *out) {
    sn_dmat3 turn = matrix_of(h->orientation), world = sn_dmat3_multiply(&g->root.axes, &turn);
    sn_store_vec3(out->position, sn_space_point(&g->root, h->wrist));
    sn_store_quat(out->orientation, sn_similarity_of(&world).rotation);
    out->roll = (float)h->roll;
    out->residual = (float)((double)h->arm.residual * g->world_scale);
    out->flags = h->arm.flags;
}

/* Arms and fingers, at the job's weight. */
static sn_result write_hand(const grip *g, hand_state *h, uint32_t *flags, sn_error *error) {
    sn_two_bone_output arm;
    sn_result result = solve_arm(h, g->job->weight, &arm, error);
    if (result != SN_OK)
        return result;
    write_arm(g, h, &arm);
    sn_hand_pose pose = {.radius = h->hold->radius, .tilt = h->hold->tilt};
    for (int f = 0; f < SN_FINGER_COUNT; f++)
        pose.curl[f] = h->hold->curl;
    sn_hand_output hand;
    sn_hand_job job = {&h->hold->arm->hand, &pose, g->job->weight};
    result = sn_hand_apply(&job, g->joints, &hand, error);
    if (result == SN_OK && hand.flags & SN_HAND_LOOSE)
        *flags |= SN_GRIP_LOOSE;
    return result;
}

static sn_result solve(grip *g, sn_grip_output *out, sn_error *error) {
    sn_result result = solve_hands(g, error);
    bool is_shifted = result == SN_OK && shift_prop(g);
    if (is_shifted)
        result = solve_hands(g, error);
    /* The wrist turns about its hold with the prop: once more takes that in. */
    double turned = 0;
    for (int pass = 0; pass < TURN_PASSES && result == SN_OK; pass++) {
        if (!turn_prop(g, (double)g->job->turn - turned, &turned))
            break;
        result = solve_hands(g, error);
    }
    if (result != SN_OK)
        return result;
    bool is_turned = turned > 0;
    *out = (sn_grip_output){.flags = SN_GRIP_REACHED, .prop = g->job->prop};
    if (is_shifted || is_turned) {
        sn_space world = multiply(&g->root, &g->prop);
        out->prop = affine_of(&world);
        out->flags |= (is_shifted ? SN_GRIP_SHIFTED : 0) | (is_turned ? SN_GRIP_TURNED : 0);
    }
    for (uint32_t i = 0; i < g->job->hold_count; i++) {
        sn_grip_wrist *wrist = &out->wrists[i];
        report_wrist(g, &g->hands[i], wrist);
        out->residual = fmaxf(out->residual, wrist->residual);
        if (!is_reached(&g->hands[i]))
            out->flags &= ~(uint32_t)SN_GRIP_REACHED;
        if (wrist->flags & SN_TWO_BONE_TOO_FAR)
            out->flags |= SN_GRIP_TOO_FAR;
        if (wrist->flags & SN_TWO_BONE_TOO_NEAR)
            out->flags |= SN_GRIP_TOO_NEAR;
    }
    return SN_OK;
}

sn_result sn_grip_apply(const sn_grip_job *job, const sn_joints *joints, sn_grip_output *out,
                        sn_error *error) {
    grip g = {.job = job, .joints = joints, .root = sn_space_of_affine(&joints->root)};
    sn_result result = check(job, error);
    if (result == SN_OK)
        result = sn_space_from_world(joints, &g.from_world, error);
    if (result != SN_OK)
        return result;
    g.world_scale = cbrt(fabs(sn_dmat3_determinant(&g.root.axes)));
    sn_space prop = sn_space_of_affine(&job->prop);
    g.prop = multiply(&g.from_world, &prop);
    if (!isfinite(1 / sn_dmat3_determinant(&prop.axes)))
        return sn_fail(error, SN_MESSAGE_CHAIN_LENGTH, NULL, "the prop's matrix has no inverse");
    for (uint32_t i = 0; i < job->hold_count; i++) {
        result = set_up_hand(&g, i, error);
        if (result != SN_OK)
            return result;
    }
    sn_grip_output found;
    result = solve(&g, &found, error);
    /* Fingers do not fail once the first hand's were written, but for a pose that is not finite. */
    for (uint32_t i = 0; i < job->hold_count && result == SN_OK; i++)
        result = sn_hand_check(&job->holds[i].arm->hand, joints, error);
    for (uint32_t i = 0; i < job->hold_count && result == SN_OK; i++)
        result = write_hand(&g, &g.hands[i], &found.flags, error);
    if (result == SN_OK && out)
        *out = found;
    return result;
}

bool sn_grip_latch(const sn_affine *prop, const float axis_point[3], const float axis[3],
                   const float point[3], float out[3]) {
    sn_space space = sn_space_of_affine(prop);
    sn_dmat3 inverse;
    if (!has_length(axis) || !sn_dmat3_inverse(&space.axes, &inverse))
        return false;
    /* Along the axis in the world, where distances count. */
    sn_dvec3 start = sn_space_point(&space, sn_dvec3_of(axis_point));
    sn_dvec3 along = sn_dmat3_apply(&space.axes, sn_dvec3_of(axis));
    double share = sn_dvec3_dot(sn_dvec3_subtract(sn_dvec3_of(point), start), along) /
                   sn_dvec3_dot(along, along);
    sn_store_vec3(out,
                  sn_dvec3_add(sn_dvec3_of(axis_point), sn_dvec3_scale(sn_dvec3_of(axis), share)));
    return true;
}
