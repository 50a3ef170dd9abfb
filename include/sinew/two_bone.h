/* Two-bone inverse kinematics: shoulder, elbow and wrist, or hip, knee and ankle. Runtime: a plain
 * function on the caller's data that allocates nothing and knows no model.
 *
 * The solution starts from the pose it is given, the base pose, and never from its own output of
 * the frame before: feeding that back makes the upper bone roll with every loop of the target.
 *
 * The chain is solved in the space of the root's parent, where turning the root is rigid whatever
 * scale or mirroring lies above: only positions are carried through that matrix. */
#ifndef SINEW_TWO_BONE_H
#define SINEW_TWO_BONE_H

#include "sinew/result.h"
#include "sinew/transform.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where the middle joint goes: it may lie anywhere on a circle about the line root to end. */
typedef enum sn_bend {
    SN_BEND_POSE = 0,  /* the bend of the base pose, turned with the line from root to end */
    SN_BEND_POSITION,  /* towards the point `pole`, world */
    SN_BEND_DIRECTION, /* towards the direction `pole`, world */
    /* `field_bend` turned by the shortest rotation from `field_reach` to the target's direction:
     * continuous everywhere but opposite `field_reach`. Both in the space of the root's parent. */
    SN_BEND_FIELD
} sn_bend;

typedef enum sn_roll {
    /* The hinge of the middle joint is turned into the new bend plane with the bones, so that the
     * elbow bends about the same axis of its bones as in the base pose. */
    SN_ROLL_HINGE = 0,
    SN_ROLL_KEEP /* each bone takes the shortest way from the base pose: its roll is kept */
} sn_roll;

/* More would take the bones out of what floats can say. */
#define SN_TWO_BONE_STRETCH_LIMIT 1000.0f

/* Zeros are the defaults. */
typedef struct sn_two_bone_options {
    sn_bend bend;
    sn_roll roll;
    float pole[3];
    float field_reach[3];
    float field_bend[3];
    float swivel; /* radians about root to target, added to the bend */
    /* Axis in the middle joint's own space about which its bone flexes by the right hand. Zero:
     * that of the base pose's bend; a base pose that is straight needs it, or a pole. */
    float hinge[3];
    /* Fraction of the reach, (0, 1], beyond which the end lags behind the target so that the middle
     * joint does not snap straight; the same width at the near end. Default 1: a hard limit. */
    float soften;
    /* Range of flexion, radians from straight, [0, pi]. Default, both 0: none. */
    float flexion_min, flexion_max;
    /* Both bones grow by up to `stretch_max` (above 1, to SN_TWO_BONE_STRETCH_LIMIT; default:
     * none), beginning where the target is `stretch_start` of the reach away (default 1). */
    float stretch_max, stretch_start;
    float bend_rate; /* with a state: the most that the bend turns, radians a second; default 6 */
} sn_two_bone_options;

/* The bend of the frame before, in the space of the root's parent; zeros: none, as after a jump in
 * time. With it the bend passes the pole's singular directions at a limited rate; without it a
 * frame is a function of its input alone, which is what seeking and exporting want. */
typedef struct sn_two_bone_state {
    float bend[3];
} sn_two_bone_state;

typedef struct sn_two_bone_job {
    sn_affine parent_world; /* of the root's parent; any invertible matrix */
    /* The base pose, local, from the root to the end: joint_count of them, at least 3. Joints
     * between root, middle and end (twist bones) are carried along as they are. */
    const sn_transform *joints;
    uint32_t joint_count;
    uint32_t middle;      /* index of the middle joint in `joints` */
    float target[3];      /* of the end, world */
    float weight;         /* [0, 1]: 0 gives the base pose bit for bit, 1 the solution */
    bool is_oriented;     /* the end takes `orientation`; if not, it keeps its local rotation */
    float orientation[4]; /* world; under a mirroring parent as sn_affine_decompose has it */
    const sn_two_bone_options *options; /* NULL: the defaults */
    sn_two_bone_state *state;           /* NULL: stateless */
    float seconds;                      /* since the state's frame; of no meaning without one */
} sn_two_bone_job;

/* Bits of sn_two_bone_output.flags. */
typedef enum sn_two_bone_flag {
    SN_TWO_BONE_REACHED = 1 << 0,   /* the end is within 1e-5 of the chain's length of the target */
    SN_TWO_BONE_TOO_FAR = 1 << 1,   /* beyond the bones: the end is on the line to the target */
    SN_TWO_BONE_TOO_NEAR = 1 << 2,  /* nearer than the bones can fold */
    SN_TWO_BONE_SOFTENED = 1 << 3,  /* held back by `soften` */
    SN_TWO_BONE_LIMITED = 1 << 4,   /* held back by the range of flexion */
    SN_TWO_BONE_STRETCHED = 1 << 5, /* see `stretch` */
    SN_TWO_BONE_NO_DIRECTION = 1 << 6, /* the target is at the root: the base pose's was taken */
    SN_TWO_BONE_NO_BEND = 1 << 7, /* the pole or the base pose tells no side: another was taken */
    /* A joint inside the chain has scales that differ by axis, so that turning the middle joint
     * changes a length: solved by search; `residual` says how well. */
    SN_TWO_BONE_SHEARED = 1 << 8
} sn_two_bone_flag;

typedef struct sn_two_bone_output {
    float root_rotation[4], middle_rotation[4], end_rotation[4]; /* local */
    float stretch; /* factor for the translations of all joints after the root; 1: none */
    uint32_t flags;
    float residual; /* metres between end and target, world */
    /* Where the two joints are with these rotations, world. */
    float middle_position[3], end_position[3];
} sn_two_bone_output;

/* Errors leave `out` and the state untouched: chain.joints (no three joints), chain.value (a number
 * that is not finite or not in its range), chain.length (a bone without length, a parent matrix
 * without inverse). That a target cannot be reached is a flag. */
sn_result sn_two_bone_solve(const sn_two_bone_job *job, sn_two_bone_output *out, sn_error *error);

#ifdef __cplusplus
}
#endif
#endif
