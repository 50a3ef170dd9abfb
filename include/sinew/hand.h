/* Hands: fingers that curl, and that close around a rod. Runtime: plain functions on the caller's
 * data that allocate nothing.
 *
 * About what a finger bends is found from where the joints are in the rest pose, and never from
 * their local axes, which differ from tool to tool. Fingers start from their rest: whatever the
 * pose does with them is blended out by the weight, so that a frame depends on nothing before it.
 *
 * Hand space is the model's space of the rest pose with the wrist as its origin; lengths are those
 * of the rest pose. "Palm" is the direction out of the palm, "radial" that to the thumb's side. */
#ifndef SINEW_HAND_H
#define SINEW_HAND_H

#include "sinew/humanoid.h"
#include "sinew/joints.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sn_finger {
    SN_FINGER_THUMB,
    SN_FINGER_INDEX,
    SN_FINGER_MIDDLE,
    SN_FINGER_RING,
    SN_FINGER_LITTLE,
    SN_FINGER_COUNT
} sn_finger;

/* One joint of a finger and the bone that it turns. */
typedef struct sn_phalanx {
    uint32_t joint;
    uint32_t place;           /* 0 at the palm, to 2 at the tip: the finger may lack some */
    double origin[3], end[3]; /* hand space; the end of a last one without a child is guessed */
    double axis[3];           /* unit, hand space, across the bone: by the right hand it curls */
    double own[9];            /* by columns: takes axes of hand space to the joint's own */
    double flexion;           /* radians from straight, in the rest pose */
    float rest[4];            /* local */
} sn_phalanx;

typedef struct sn_hand_finger {
    uint32_t count; /* 0: the hand has no such finger */
    sn_phalanx phalanges[3];
    double splay; /* radians from the palm's axis to the radial side, in the rest pose */
} sn_hand_finger;

/* What the rest pose tells, computed once a model. */
typedef struct sn_hand {
    uint32_t wrist;
    bool is_left;
    double forward[3], radial[3], palm[3]; /* unit, across each other, hand space */
    double knuckles[3];                    /* where the fingers begin, without the thumb: mean */
    double depth;    /* by how much one of them lies further out of the palm than the mean */
    double proximal; /* length of the fingers' first bones: mean */
    double rest[4];  /* rotation of the wrist in the model */
    double rest_axes[9], rest_axes_inverse[9]; /* its matrix, by columns */
    sn_hand_finger fingers[SN_FINGER_COUNT];
} sn_hand;

/* `bone` is SN_HUMAN_LEFT_HAND or SN_HUMAN_RIGHT_HAND. Fingers and their joints may be missing; so
 * may all fingers, where there is a lower arm to tell the hand's axis. Errors leave `out` as it is:
 * chain.joints (no such bone, a finger's joint that does not hang below the hand or has no TRS
 * form, nothing that tells the axis), chain.value (a rest pose that is not finite), chain.length (a
 * scale of zero, knuckles in the wrist). */
sn_result sn_hand_set_up(const sn_joints *joints, const sn_humanoid *humanoid, sn_human_bone bone,
                         sn_hand *out, sn_error *error);

/* A cylinder without ends, world. */
typedef struct sn_rod {
    float point[3], direction[3]; /* the direction of any length */
    float radius;
} sn_rod;

/* Zeros are the defaults. */
typedef struct sn_hand_pose {
    /* [0, 1] by sn_finger: 0 is the rest pose, 1 a fist or, with a radius, the finger closed on the
     * rod: each bone flexed, from the palm outwards, until it touches. */
    float curl[SN_FINGER_COUNT];
    float spread; /* radians between neighbouring fingers more than at rest; curling takes it out */
    float radius; /* world, of a rod across the palm; 0: none. Of no meaning with `rod` */
    float tilt;   /* radians by which that rod crosses the palm aslant, the thumb's end forward */
    const sn_rod *rod; /* where it is, if it is not where the hand would have it; may be NULL */
    float padding;     /* from the bones to the skin, world; 0: guessed from their lengths */
} sn_hand_pose;

typedef struct sn_hand_job {
    const sn_hand *hand;
    const sn_hand_pose *pose;
    float weight; /* [0, 1]: 0 leaves the pose bit for bit */
} sn_hand_job;

/* Bits of sn_hand_output.flags. */
typedef enum sn_hand_flag {
    SN_HAND_REACHED = 1 << 0, /* every finger that has a rod to close on touches it */
    SN_HAND_LOOSE = 1 << 1    /* one does not: its joints bend no further */
} sn_hand_flag;

typedef struct sn_hand_output {
    uint32_t flags;
    float residual; /* world, the widest gap that is left between a closed finger and the rod */
} sn_hand_output;

/* Writes the rotations of the fingers' joints. Errors leave pose and `out` (may be NULL) as they
 * are: chain.value (a number that is not finite or not in its range, a wrist that is not finite),
 * chain.length (a scale of zero). */
sn_result sn_hand_apply(const sn_hand_job *job, const sn_joints *joints, sn_hand_output *out,
                        sn_error *error);

#ifdef __cplusplus
}
#endif
#endif
