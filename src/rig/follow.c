#include "sinew/follow.h"

#include <math.h>

#include "base/error.h"
#include "rig/gaze.h"

#define FADED 1e-3 /* a weight below it, on its way to 0, is 0 */

sn_follow_options sn_follow_defaults(void) {
    const float degree = (float)SN_DEGREE;
    return (sn_follow_options){
        .distance = 2.4f,
        .eyes_filter = {.min_cutoff = 1.5, .beta = 0.5, .derivative_cutoff = 1},
        .head_filter = {.min_cutoff = 0.8, .beta = 0.3, .derivative_cutoff = 1},
        .eyes_rate = 12,
        .head_rate = 5,
        .eyes_limits = {30 * degree, 18 * degree, 14 * degree},
        .head_limits = {20 * degree, 12 * degree, 10 * degree},
        .neck_share = 0.6f,
        .weights = {1, 0.7f, 0.15f, 0},
        .eyes_weight = 1,
        .fade_seconds = 0.2f,
    };
}

/* ---- what cannot be followed ---- */

static bool is_share(float x) {
    return x >= 0 && x <= 1;
}

static bool is_filter(const sn_one_euro_options *o) {
    return o->min_cutoff >= 0 && isfinite(o->min_cutoff) && o->beta >= 0 && isfinite(o->beta) &&
           o->derivative_cutoff >= 0 && isfinite(o->derivative_cutoff);
}

static bool is_positive(float x) {
    return x > 0 && isfinite(x);
}

static const char *bad_option(const sn_follow_options *o) {
    if (!is_positive(o->distance))
        return "distance";
    if (!is_filter(&o->eyes_filter))
        return "eyes_filter";
    if (!is_filter(&o->head_filter))
        return "head_filter";
    if (!is_positive(o->eyes_rate))
        return "eyes_rate";
    if (!is_positive(o->head_rate))
        return "head_rate";
    if (!sn_gaze_are_limits(&o->eyes_limits))
        return "eyes_limits";
    if (!sn_gaze_are_limits(&o->head_limits))
        return "head_limits";
    if (!is_share(o->neck_share))
        return "neck_share";
    for (int i = 0; i < SN_FOLLOW_ACTIVITY_COUNT; i++)
        if (!is_share(o->weights[i]))
            return "weights";
    if (!is_share(o->eyes_weight))
        return "eyes_weight";
    return is_positive(o->fade_seconds) ? NULL : "fade_seconds";
}

static const char *bad_frame(const sn_follow_frame *f) {
    if (!(f->seconds >= 0 && isfinite(f->seconds)))
        return "seconds";
    if (f->has_pointer && !sn_are_finite(f->pointer, 2))
        return "pointer";
    if (!sn_are_finite(f->camera_world, 16))
        return "camera_world";
    if (!sn_are_finite(f->camera_projection_inverse, 16))
        return "camera_projection_inverse";
    return (unsigned)f->activity < SN_FOLLOW_ACTIVITY_COUNT ? NULL : "activity";
}

static sn_result check(const sn_follow_job *job, const sn_joints *joints,
                       const sn_follow_options *options, sn_space *from_world, sn_error *error) {
    const char *bad = bad_frame(job->frame);
    if (!bad)
        bad = bad_option(options);
    if (bad)
        return sn_fail(error, SN_MESSAGE_CHAIN_VALUE, NULL,
                       "%s of following is not finite or not in its range", bad);
    return sn_look_at_check(job->rig, joints, from_world, error);
}

/* ---- from the screen into the model ---- */

typedef struct line {
    sn_dvec3 origin, direction;
} line;

/* A camera in the model's space. */
typedef struct view {
    const sn_follow_frame *frame;
    sn_space model;    /* from the camera's space */
    sn_dvec3 towards;  /* unit: from what it looks at to the camera */
    sn_head_pose head; /* of the base pose */
    double distance;   /* of the plane from the head */
} view;

static sn_dvec3 column(const float matrix[16], int c) {
    return sn_dvec3_of(&matrix[4 * c]);
}

/* With z from the near to the far side, the point (x, y, z, 1) of the screen is
 *     (A + z B) / (a + z b)
 * before the camera, a line along B a - A b, whatever the projection: perspective, orthographic,
 * with the far plane at infinity or with depth reversed. */
static line line_of_sight(const view *v, double x, double y) {
    const float *m = v->frame->camera_projection_inverse;
    sn_dvec3 across =
        sn_dvec3_add(sn_dvec3_scale(column(m, 0), x), sn_dvec3_scale(column(m, 1), y));
    sn_dvec3 A = sn_dvec3_add(across, column(m, 3)), B = column(m, 2);
    double a = (double)m[3] * x + (double)m[7] * y + (double)m[15], b = (double)m[11];
    sn_dvec3 along = sn_dvec3_subtract(sn_dvec3_scale(B, a), sn_dvec3_scale(A, b));
    bool is_nearer = fabs(a) >= fabs(a + b);
    sn_dvec3 from =
        is_nearer ? sn_dvec3_scale(A, 1 / a) : sn_dvec3_scale(sn_dvec3_add(A, B), 1 / (a + b));
    return (line){sn_space_point(&v->model, from), sn_dmat3_apply(&v->model.axes, along)};
}

static bool is_line(const line *l) {
    double square = sn_dvec3_dot(l->direction, l->direction);
    return square > 0 && isfinite(square) && isfinite(sn_dvec3_dot(l->origin, l->origin));
}

/* False for a camera that is no camera. A camera nearer than the plane would look away from it:
 * the plane is at most half way to it. */
static bool view_make(view *v, const sn_follow_job *job, const sn_joints *joints, double distance,
                      const sn_space *from_world) {
    const float *camera = job->frame->camera_world;
    sn_dmat3 axes = {{column(camera, 0), column(camera, 1), column(camera, 2)}};
    *v = (view){.frame = job->frame,
                .model = {sn_dmat3_multiply(&from_world->axes, &axes),
                          sn_space_point(from_world, column(camera, 3))},
                .distance = distance};
    v->head = sn_head_pose_of(job->rig, joints);
    v->towards = sn_dvec3_unit(v->model.axes.columns[2]);
    double depth = sn_dvec3_dot(v->towards, sn_dvec3_subtract(v->model.origin, v->head.joint));
    if (depth > 0 && v->distance > depth / 2)
        v->distance = depth / 2;
    line middle = line_of_sight(v, 0, 0);
    return is_line(&middle) && isfinite(sn_dvec3_dot(v->towards, v->towards));
}

/* Where the ray meets the plane; for one that does not, the point before the head. */
static sn_dvec3 pointed_at(const view *v, const double pointer[2]) {
    sn_dvec3 before = sn_dvec3_add(v->head.joint, sn_dvec3_scale(v->towards, v->distance));
    line sight = line_of_sight(v, pointer[0], pointer[1]);
    double slope = sn_dvec3_dot(v->towards, sight.direction);
    double way = sn_dvec3_dot(v->towards, sn_dvec3_subtract(before, sight.origin)) / slope;
    sn_dvec3 hit = sn_dvec3_add(sight.origin, sn_dvec3_scale(sight.direction, way));
    double ahead = sn_dvec3_dot(v->towards, sn_dvec3_subtract(v->model.origin, before));
    return is_line(&sight) && ahead > 0 && isfinite(sn_dvec3_dot(hit, hit)) ? hit : before;
}

/* ---- over time ---- */

static double faded(double value, double goal, double fade_seconds, double seconds) {
    value = sn_damp(value, goal, 1 / fade_seconds, seconds);
    return value < FADED && !(goal > 0) ? 0 : value;
}

/* Angles of the model's own axes, from the head's joint. */
static sn_gaze head_goal(const sn_follow_job *job, const sn_follow_options *o, const view *v,
                         sn_dvec3 point) {
    const sn_dquat model_axes = {0, 0, 0, 1};
    return sn_gaze_clamp(sn_gaze_to(job->rig, model_axes, v->head.joint, point), &o->head_limits);
}

/* What holds from this frame on is known from it; the time up to it went by under what held before.
 * So a frame rate changes nothing but how often one looks. */
static void advance(const sn_follow_job *job, const sn_follow_options *o, const view *v,
                    sn_follow *s) {
    const sn_follow_frame *f = job->frame;
    double seconds = f->seconds, eyes_at[2], head_at[2];
    for (int i = 0; i < 2; i++) {
        double eyes_sample = (double)f->pointer[i], head_sample = eyes_sample;
        if (!f->has_pointer) {
            eyes_sample = s->eyes_pointer[i].sample;
            head_sample = s->head_pointer[i].sample;
        }
        eyes_at[i] = sn_one_euro_filter(&s->eyes_pointer[i], &o->eyes_filter, eyes_sample, seconds);
        head_at[i] = sn_one_euro_filter(&s->head_pointer[i], &o->head_filter, head_sample, seconds);
    }
    sn_dvec3 point = pointed_at(v, eyes_at);
    sn_gaze goal = head_goal(job, o, v, pointed_at(v, head_at));
    double to[3] = {point.x, point.y, point.z};
    if (!s->is_started) {
        sn_dvec3 ahead = {0, 0, job->rig->facing * v->distance};
        sn_dvec3 from = sn_dvec3_add(v->head.eyes, ahead);
        s->eyes[0] = from.x, s->eyes[1] = from.y, s->eyes[2] = from.z;
        s->is_started = true;
    } else {
        for (int i = 0; i < 3; i++)
            s->eyes[i] =
                sn_damp_moving(s->eyes[i], s->eyes_goal[i], to[i], (double)o->eyes_rate, seconds);
        double rate = (double)o->head_rate;
        s->head.yaw = sn_damp_moving(s->head.yaw, s->head_goal.yaw, goal.yaw, rate, seconds);
        s->head.pitch =
            sn_damp_moving(s->head.pitch, s->head_goal.pitch, goal.pitch, rate, seconds);
        double fade = (double)o->fade_seconds;
        s->weight = faded(s->weight, s->weight_goal, fade, seconds);
        s->eyes_weight = faded(s->eyes_weight, s->eyes_weight_goal, fade, seconds);
    }
    for (int i = 0; i < 3; i++)
        s->eyes_goal[i] = to[i];
    s->head_goal = goal;
    s->weight_goal = f->is_disabled ? 0 : (double)o->weights[f->activity];
    s->eyes_weight_goal = f->is_disabled ? 0 : (double)o->eyes_weight;
}

/* ---- onto the pose ---- */

static sn_gaze scaled(sn_gaze gaze, double by) {
    return (sn_gaze){gaze.yaw * by, gaze.pitch * by};
}

static void eyes_target(const sn_affine *root, const sn_head_pose *head, double facing,
                        double distance, sn_gaze gaze, float out[3]) {
    sn_dvec3 sight = sn_dquat_rotate(head->turned, sn_gaze_direction(gaze, facing));
    sn_dvec3 point = sn_dvec3_add(head->eyes, sn_dvec3_scale(sight, distance));
    sn_dmat3 axes = sn_dmat3_of_affine(root);
    sn_dvec3 world = sn_dmat3_apply(&axes, point);
    out[0] = (float)(world.x + (double)root->m[0][3]);
    out[1] = (float)(world.y + (double)root->m[1][3]);
    out[2] = (float)(world.z + (double)root->m[2][3]);
}

sn_result sn_follow_apply(const sn_follow_job *job, const sn_joints *joints, sn_follow_output *out,
                          sn_error *error) {
    sn_follow *state = job->state;
    sn_follow_options defaults = sn_follow_defaults();
    const sn_follow_options *options = job->options ? job->options : &defaults;
    sn_space from_world;
    sn_result result = check(job, joints, options, &from_world, error);
    if (result != SN_OK)
        return result;
    view v;
    if (!view_make(&v, job, joints, (double)options->distance, &from_world))
        return sn_fail(error, SN_MESSAGE_CHAIN_VALUE, NULL,
                       "the camera's matrices give no line of sight");
    if (state->is_started || job->frame->has_pointer)
        advance(job, options, &v, state);

    sn_head_turn turn = {
        SN_GAZE_MODEL, {0, 0}, scaled(state->head, state->weight), (double)options->neck_share};
    sn_look_at_turn_head(job->rig, joints, &turn);
    sn_head_pose head = sn_head_pose_of(job->rig, joints);
    sn_gaze eyes = {0, 0};
    if (state->is_started) {
        sn_dvec3 at = {state->eyes[0], state->eyes[1], state->eyes[2]};
        eyes =
            sn_gaze_clamp(sn_gaze_to(job->rig, head.turned, head.eyes, at), &options->eyes_limits);
        sn_look_at_turn_eyes(job->rig, joints, eyes, state->eyes_weight);
    }
    if (out) {
        *out = (sn_follow_output){.head = state->head,
                                  .weight = state->weight,
                                  .eyes = eyes,
                                  .eyes_weight = state->eyes_weight};
        eyes_target(&joints->root, &head, job->rig->facing, v.distance,
                    scaled(eyes, state->eyes_weight), out->eyes_target);
    }
    return SN_OK;
}
