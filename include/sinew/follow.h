/* Following a pointer: the character looks at the cursor, the eyes at once, head and neck more
 * slowly. Runtime: plain functions on the caller's data that allocate nothing.
 *
 * On each of two channels, eyes and head: the pointer on the screen goes through a One Euro filter
 * (filter.h), then as a ray of the camera to a plane in front of the head that faces the camera.
 * The head's channel takes that point's yaw and pitch in the model's space, within limits and
 * damped exponentially, and adds them to whatever the pose does with head and neck, times a weight
 * that depends on what else moves the character. The eyes' channel damps the point itself; after
 * the head has turned, the eyes look there within their own limits.
 *
 * The state is a small struct of the caller; zeros are a fresh one, and resetting is setting it to
 * zeros. The pose that is read must be this frame's base pose, not the last frame's result. */
#ifndef SINEW_FOLLOW_H
#define SINEW_FOLLOW_H

#include "sinew/filter.h"
#include "sinew/look_at.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What moves the character besides. */
typedef enum sn_follow_activity {
    SN_FOLLOW_STILL,  /* nothing */
    SN_FOLLOW_IDLE,   /* an idle clip, such as breathing */
    SN_FOLLOW_DRAG,   /* the user drags it */
    SN_FOLLOW_ACTION, /* a clip of its own will */
    SN_FOLLOW_ACTIVITY_COUNT
} sn_follow_activity;

/* In sn_follow_defaults(): the values at the right; a 0 here is a 0. */
typedef struct sn_follow_options {
    float distance; /* metres from head to plane, at most half way to the camera: 2.4 */
    sn_one_euro_options eyes_filter, head_filter; /* of the pointer: 1.5, 0.5; 0.8, 0.3 */
    float eyes_rate, head_rate;                   /* of the damping, 1 / seconds: 12; 5 */
    sn_gaze_limits eyes_limits;                   /* from the face, radians: 30, 18, 14 degrees */
    sn_gaze_limits head_limits;                   /* 20, 12, 10 degrees */
    float neck_share;                             /* [0, 1] of the head's turn: 0.6 */
    float weights[SN_FOLLOW_ACTIVITY_COUNT];      /* of the head, [0, 1]: 1, 0.7, 0.15, 0 */
    float eyes_weight;                            /* [0, 1]: 1 */
    float fade_seconds;                           /* time constant of all weights: 0.2 */
} sn_follow_options;

sn_follow_options sn_follow_defaults(void);

/* Zeros: fresh. Until the first pointer nothing moves. */
typedef struct sn_follow {
    bool is_started;
    sn_one_euro eyes_pointer[2], head_pointer[2];
    double eyes_goal[3], eyes[3]; /* points in the model's space: undamped, damped */
    sn_gaze head_goal, head;
    double weight_goal, weight;
    double eyes_weight_goal, eyes_weight;
} sn_follow;

typedef struct sn_follow_frame {
    double seconds;   /* since the last frame */
    bool has_pointer; /* if not, the pointer stays where it was */
    float pointer[2]; /* normalised device coordinates: -1 … 1, to the right and upwards */
    /* Column-major. The camera's matrix in the world, looking along its -z, and the inverse of its
     * projection: three.js has them as camera.matrixWorld and camera.projectionMatrixInverse. */
    float camera_world[16], camera_projection_inverse[16];
    sn_follow_activity activity;
    bool is_disabled; /* fades out, and in again when that ends */
} sn_follow_frame;

typedef struct sn_follow_output {
    sn_gaze head;  /* of the head's channel, damped, before the weight; model space */
    double weight; /* of the head */
    sn_gaze eyes;  /* within the limits, before the weight; head space */
    double eyes_weight;
    float eyes_target[3]; /* world: where the eyes look, weighted; for a gaze applied elsewhere */
} sn_follow_output;

typedef struct sn_follow_job {
    const sn_look_at *rig;
    const sn_follow_options *options; /* NULL: the defaults */
    const sn_follow_frame *frame;
    sn_follow *state;
} sn_follow_job;

/* Writes the local rotations of neck, head and eye bones; none while the weights are 0. Errors
 * leave pose, state and `out` (may be NULL) as they are: chain.value (a number that is not finite
 * or not in its range, a camera that sees nothing), chain.joints, chain.length as in look_at.h. */
sn_result sn_follow_apply(const sn_follow_job *job, const sn_joints *joints, sn_follow_output *out,
                          sn_error *error);

#ifdef __cplusplus
}
#endif
#endif
