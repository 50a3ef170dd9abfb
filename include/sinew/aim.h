/* Aim: one joint turns until an axis of it passes through a target. Runtime: a plain function on
 * the caller's data that allocates nothing.
 *
 * The axis need not start at the joint: with an offset, as that of a muzzle beside a wrist or of
 * eyes above a head joint, the ray offset + s * forward is what passes through the target. The
 * joint is turned in its parent's space, where that is rigid whatever scale or mirroring lies
 * above. It starts from the pose it is given and never from its own output of the frame before. */
#ifndef SINEW_AIM_H
#define SINEW_AIM_H

#include "sinew/joints.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sn_aim_up {
    SN_AIM_UP_POSE = 0,  /* the shortest way from the pose: its roll is kept */
    SN_AIM_UP_POSITION,  /* `up` points to the side on which the point `pole` lies, world */
    SN_AIM_UP_DIRECTION, /* `up` points to the side of the direction `pole`, world */
} sn_aim_up;

/* Zeros are the defaults. */
typedef struct sn_aim_options {
    float forward[3]; /* of any length, in the joint's own space; default +z */
    float offset[3];  /* where the ray starts, in the joint's own space */
    float up[3];      /* in the joint's own space, default +y; of no meaning with SN_AIM_UP_POSE */
    sn_aim_up up_mode;
    float pole[3];
    float twist; /* radians about joint to target, by the right hand, added to the roll */
} sn_aim_options;

typedef struct sn_aim_job {
    uint32_t joint;
    float target[3]; /* world */
    float weight;    /* [0, 1]: 0 leaves the rotation bit for bit; between, by the short way */
    const sn_aim_options *options; /* NULL: the defaults */
} sn_aim_job;

/* Bits of sn_aim_output.flags. */
typedef enum sn_aim_flag {
    SN_AIM_REACHED = 1 << 0, /* the ray is within 1e-5 radians of the target */
    /* The offset is longer than the target is away, so that the ray passes it by however the joint
     * turns: the pose is left as it is. */
    SN_AIM_TOO_NEAR = 1 << 1,
    SN_AIM_NO_DIRECTION = 1 << 2, /* the target is at the joint: the pose is left as it is */
    SN_AIM_NO_UP = 1 << 3         /* up or pole is along the line to the target: roll is kept */
} sn_aim_flag;

typedef struct sn_aim_output {
    uint32_t flags;
    float residual; /* radians between the ray and the target, seen from where the ray starts */
} sn_aim_output;

/* Writes the rotation of the joint. Errors leave it and `out` (may be NULL) as they are:
 * chain.joints (no such joint, or one without a TRS form), chain.value (a number that is not finite
 * or not in its range), chain.length (a scale of zero above). */
sn_result sn_aim_apply(const sn_aim_job *job, const sn_joints *joints, sn_aim_output *out,
                       sn_error *error);

#ifdef __cplusplus
}
#endif
#endif
