/* Following a pointer with head, neck and eyes. */
#include <string.h>

#include "export.h"
#include "sinew/follow.h"

typedef struct limits {
    float yaw, up, down;
} limits;

typedef struct filter {
    float min_cutoff, beta, derivative_cutoff;
} filter;

typedef struct map {
    float input, output;
} map;

typedef struct cursor_follow {
    /* In, for setting up. */
    float eye_offset[3];
    map inner, outer, up, down;
    /* In. */
    float seconds;
    uint32_t has_pointer;
    float pointer[2];
    float camera_world[16], camera_projection_inverse[16];
    uint32_t activity;
    uint32_t is_disabled;
    float distance;
    filter eyes_filter, head_filter;
    float eyes_rate, head_rate;
    limits eyes_limits, head_limits;
    float neck_share;
    float weights[SN_FOLLOW_ACTIVITY_COUNT];
    float eyes_weight_wanted;
    float fade_seconds;
    /* Out. */
    float head_yaw, head_pitch, weight;
    float eyes_yaw, eyes_pitch, eyes_weight;
    float eyes_target[3];
} cursor_follow;

/* What the host does not look into. */
typedef struct follower {
    sn_look_at rig;
    sn_follow state;
} follower;

EXPORT(cursor_follow_size) size_t export_cursor_follow_size(void) {
    return sizeof(cursor_follow);
}

EXPORT(cursor_follow_state_size) size_t export_cursor_follow_state_size(void) {
    return sizeof(follower);
}

/* The defaults of sn_follow_defaults() and sn_look_at_defaults() into the block. */
EXPORT(cursor_follow_defaults) void export_cursor_follow_defaults(cursor_follow *b) {
    sn_follow_options o = sn_follow_defaults();
    sn_look_at_options l = sn_look_at_defaults();
    memcpy(b->eye_offset, l.eye_offset, sizeof b->eye_offset);
    b->inner = (map){l.eyes.inner.input_max, l.eyes.inner.output_max};
    b->outer = b->up = b->down = b->inner;
    b->distance = o.distance;
    b->eyes_filter = (filter){(float)o.eyes_filter.min_cutoff, (float)o.eyes_filter.beta,
                              (float)o.eyes_filter.derivative_cutoff};
    b->head_filter = (filter){(float)o.head_filter.min_cutoff, (float)o.head_filter.beta,
                              (float)o.head_filter.derivative_cutoff};
    b->eyes_rate = o.eyes_rate;
    b->head_rate = o.head_rate;
    b->eyes_limits = (limits){o.eyes_limits.yaw, o.eyes_limits.up, o.eyes_limits.down};
    b->head_limits = (limits){o.head_limits.yaw, o.head_limits.up, o.head_limits.down};
    b->neck_share = o.neck_share;
    memcpy(b->weights, o.weights, sizeof b->weights);
    b->eyes_weight_wanted = o.eyes_weight;
    b->fade_seconds = o.fade_seconds;
}

static sn_gaze_map gaze_map(map m) {
    return (sn_gaze_map){.input_max = m.input, .output_max = m.output};
}

/* From the joints' rest pose; the state becomes a fresh one. */
EXPORT(cursor_follow_set_up)
sn_result export_cursor_follow_set_up(const cursor_follow *b, follower *f, const sn_joints *joints,
                                      const sn_humanoid *humanoid, sn_error *error) {
    sn_look_at_options options = {.eyes = {.inner = gaze_map(b->inner),
                                           .outer = gaze_map(b->outer),
                                           .up = gaze_map(b->up),
                                           .down = gaze_map(b->down)}};
    memcpy(options.eye_offset, b->eye_offset, sizeof options.eye_offset);
    sn_result result = sn_look_at_set_up(joints, humanoid, &options, &f->rig, error);
    if (result == SN_OK)
        f->state = (sn_follow){0};
    return result;
}

EXPORT(cursor_follow_reset) void export_cursor_follow_reset(follower *f) {
    f->state = (sn_follow){0};
}

static sn_one_euro_options one_euro(filter f) {
    return (sn_one_euro_options){(double)f.min_cutoff, (double)f.beta, (double)f.derivative_cutoff};
}

static sn_gaze_limits gaze_limits(limits l) {
    return (sn_gaze_limits){l.yaw, l.up, l.down};
}

/* Turns neck, head and eyes. */
EXPORT(cursor_follow_solve)
sn_result export_cursor_follow_solve(cursor_follow *b, follower *f, const sn_joints *joints,
                                     sn_error *error) {
    sn_follow_options options = {.distance = b->distance,
                                 .eyes_filter = one_euro(b->eyes_filter),
                                 .head_filter = one_euro(b->head_filter),
                                 .eyes_rate = b->eyes_rate,
                                 .head_rate = b->head_rate,
                                 .eyes_limits = gaze_limits(b->eyes_limits),
                                 .head_limits = gaze_limits(b->head_limits),
                                 .neck_share = b->neck_share,
                                 .eyes_weight = b->eyes_weight_wanted,
                                 .fade_seconds = b->fade_seconds};
    memcpy(options.weights, b->weights, sizeof options.weights);
    sn_follow_frame frame = {.seconds = (double)b->seconds,
                             .has_pointer = b->has_pointer != 0,
                             .pointer = {b->pointer[0], b->pointer[1]},
                             .activity = (sn_follow_activity)b->activity,
                             .is_disabled = b->is_disabled != 0};
    memcpy(frame.camera_world, b->camera_world, sizeof frame.camera_world);
    memcpy(frame.camera_projection_inverse, b->camera_projection_inverse,
           sizeof frame.camera_projection_inverse);
    sn_follow_job job = {.rig = &f->rig, .options = &options, .frame = &frame, .state = &f->state};
    sn_follow_output out;
    sn_result result = sn_follow_apply(&job, joints, &out, error);
    if (result != SN_OK)
        return result;
    b->head_yaw = (float)out.head.yaw;
    b->head_pitch = (float)out.head.pitch;
    b->weight = (float)out.weight;
    b->eyes_yaw = (float)out.eyes.yaw;
    b->eyes_pitch = (float)out.eyes.pitch;
    b->eyes_weight = (float)out.eyes_weight;
    memcpy(b->eyes_target, out.eyes_target, sizeof b->eyes_target);
    return SN_OK;
}
