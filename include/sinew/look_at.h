/* Looking at a target: head and neck turn towards it, the eyes make up the rest. Runtime: plain
 * functions on the caller's data that allocate nothing.
 *
 * Everything starts from the pose it is given and never from its own output of the frame before.
 * Targets are points of the world; angles are radians in the model's space, the joints' under their
 * root, whatever scale or mirroring the root has.
 *
 * Sources: VRMC_vrm-1.0, lookAt.md; for VRM 0.x the curves of UniVRM's CurveMapper. Where the
 * pseudo code of lookAt.md overwrites an eye's rotation, an eye here keeps its own rest. */
#ifndef SINEW_LOOK_AT_H
#define SINEW_LOOK_AT_H

#include "sinew/humanoid.h"
#include "sinew/joints.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Yaw is positive to the character's left, pitch upwards, for models that face +z and -z alike.
 * (VRM's own pitch is positive downwards: the negative of this one.) */
typedef struct sn_gaze {
    double yaw, pitch;
} sn_gaze;

/* Magnitudes, from 0 to pi. */
typedef struct sn_gaze_limits {
    float yaw, up, down;
} sn_gaze_limits;

/* Within the limits. What is behind, from 150 degrees of yaw on, fades to the front instead of
 * holding the limit, so that a target may pass behind without a jump from side to side. */
sn_gaze sn_gaze_clamp(sn_gaze gaze, const sn_gaze_limits *limits);

/* A key of a VRM 0.x curve: `time` and `value` from 0 to 1, tangents in value over time. */
typedef struct sn_gaze_key {
    float time, value, in_tangent, out_tangent;
} sn_gaze_key;

/* How far an eye turns, or how strong an expression is, for a gaze of so many radians to one side:
 *     output_max * curve(clamp(angle / input_max, 0, 1))
 * with the straight line as the curve where there are no keys (VRM 1.0). An input_max below a
 * thousandth of a degree counts as that: 0 turns a step on instead of dividing by it. */
typedef struct sn_gaze_map {
    float input_max;         /* radians */
    float output_max;        /* radians for eye bones, a weight for expressions */
    const sn_gaze_key *keys; /* ascending times; the caller's, as long as the map is used */
    uint32_t key_count;
} sn_gaze_map;

double sn_gaze_map_apply(const sn_gaze_map *map, double angle);

typedef struct sn_gaze_maps {
    sn_gaze_map inner, outer; /* horizontally: towards the nose, away from it */
    sn_gaze_map up, down;
} sn_gaze_maps;

/* Each angle as it is, up to a quarter turn. */
sn_gaze_maps sn_gaze_maps_identity(void);

/* Weights of the expressions lookLeft, lookRight, lookUp, lookDown; of each pair one is 0.
 * Horizontally the outer map alone counts (lookAt.md, "Expression Type"). */
typedef struct sn_gaze_weights {
    double left, right, up, down;
} sn_gaze_weights;

sn_gaze_weights sn_gaze_weights_of(const sn_gaze_maps *maps, sn_gaze gaze);

typedef struct sn_look_at_options {
    float eye_offset[3]; /* between the eyes, in the head's own space: where a gaze starts */
    sn_gaze_maps eyes;   /* for eye bones */
} sn_look_at_options;

sn_look_at_options sn_look_at_defaults(void); /* {0, 0.06, 0} metres, identity maps */

/* What the rest pose tells, computed once a model. */
typedef struct sn_look_at {
    uint32_t head, neck, eyes[2];      /* left, right; SN_NONE: there is none */
    double facing;                     /* see sn_humanoid */
    double head_rest[4], body_rest[4]; /* model rotations; of what the neck hangs on */
    double eye_parent_rest[2][4];
    bool is_eye_parent_mirrored[2];
    float eye_rest[2][4]; /* local */
    sn_look_at_options options;
} sn_look_at;

/* Needs a head; neck and eyes are used where they are. `options` may be NULL: the defaults. Errors
 * leave `out` as it is: chain.joints (no head, or a bone that is no joint or has no TRS form),
 * chain.value (a number that is not finite or not in its range), chain.length (a scale of zero in
 * the rest pose). */
sn_result sn_look_at_set_up(const sn_joints *joints, const sn_humanoid *humanoid,
                            const sn_look_at_options *options, sn_look_at *out, sn_error *error);

/* Where angles are measured from. */
typedef enum sn_gaze_space {
    SN_GAZE_MODEL, /* axes of the model; from the head joint */
    SN_GAZE_BODY,  /* turned with what the neck hangs on; from between the eyes */
    SN_GAZE_HEAD   /* turned with the head, VRM's look-at space; from between the eyes */
} sn_gaze_space;

/* chain.value: a target, or a joint at or above the head, that is not finite. */
sn_result sn_look_at_measure(const sn_look_at *rig, const sn_joints *joints, sn_gaze_space space,
                             const float target[3], sn_gaze *out, sn_error *error);

/* Where the face points in the pose, in model or body space. */
sn_gaze sn_look_at_facing(const sn_look_at *rig, const sn_joints *joints, sn_gaze_space space);

typedef struct sn_head_turn {
    sn_gaze_space space; /* model or body */
    /* The turn takes a face from `from` to `to`. With zeros as `from` it is added to whatever the
     * head does: Euler angles (pitch, yaw, 0) of the order YXZ. */
    sn_gaze from, to;
    double neck_share; /* [0, 1], of the turn; the head's is the rest, so that the sum is exact */
} sn_head_turn;

/* Writes the local rotations of neck and head; without a neck the head takes all. */
void sn_look_at_turn_head(const sn_look_at *rig, const sn_joints *joints, const sn_head_turn *turn);

/* Writes the local rotations of the eye bones: each from its rest, by its maps. `gaze` in head
 * space; weight [0, 1] from the pose, by the short way. */
void sn_look_at_turn_eyes(const sn_look_at *rig, const sn_joints *joints, sn_gaze gaze,
                          double weight);

/* ---- all of it: gaze at a point ---- */

typedef struct sn_look_at_job {
    const sn_look_at *rig;
    float target[3];            /* world */
    float weight;               /* [0, 1] */
    float head_share;           /* [0, 1] of the way that head and neck go; the eyes go the rest */
    float neck_share;           /* [0, 1] of that */
    sn_gaze_limits head_limits; /* of the face from the body's front */
    sn_gaze_limits eye_limits;  /* of the eyes from the face */
} sn_look_at_job;

/* With that rig: weight 1, shares 1 and 0.6; the head 60, 45 and 45 degrees, the eyes 30, 18 and
 * 14. */
sn_look_at_job sn_look_at_job_defaults(const sn_look_at *rig);

/* Bits of sn_look_at_output.flags. */
typedef enum sn_look_at_flag {
    SN_LOOK_AT_REACHED = 1 << 0, /* the gaze is within 1e-4 radians of the target */
    SN_LOOK_AT_HEAD_LIMITED = 1 << 1,
    SN_LOOK_AT_EYES_LIMITED = 1 << 2
} sn_look_at_flag;

typedef struct sn_look_at_output {
    uint32_t flags;
    /* Radians between gaze and target. The gaze is the face's, where there are eye bones with what
     * the eyes add within their limits; how far the maps turn the bones for it is a matter of the
     * model's style. */
    float residual;
    sn_gaze head; /* where the face points now, in body space */
    sn_gaze eyes; /* within the limits, in head space: for the expressions, times the weight */
} sn_look_at_output;

/* Head, neck and eyes at once. The face goes to the target whatever the pose does with it, and
 * exactly: that the eyes move as the head turns is accounted for. Errors as sn_look_at_measure;
 * they leave pose and `out` (may be NULL) as they are. */
sn_result sn_look_at_apply(const sn_look_at_job *job, const sn_joints *joints,
                           sn_look_at_output *out, sn_error *error);

#ifdef __cplusplus
}
#endif
#endif
