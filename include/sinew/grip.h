/* Hands on a prop: where the wrists go so that the prop's rod lies in each fist, arms that take
 * them there, fingers that close, and the prop that gives way where arms are too short. Runtime:
 * plain functions on the caller's data that allocate nothing and remember nothing.
 *
 * Where a hand holds is a point of the prop's own space, kept from the moment it takes hold: a
 * point looked for anew in each frame crawls along the rod. Both hands follow the prop and none
 * the other, which would lag behind or swing. */
#ifndef SINEW_GRIP_H
#define SINEW_GRIP_H

#include "sinew/hand.h"
#include "sinew/two_bone.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SN_GRIP_CHAIN = 16 };

/* An arm with its hand, computed once a model. */
typedef struct sn_grip_arm {
    sn_hand hand;
    uint32_t chain[SN_GRIP_CHAIN]; /* joints from the upper arm to the hand, twist joints too */
    uint32_t count;
    uint32_t elbow; /* place of the lower arm in it */
    /* Elbows down, out and a little back for hands in front; the elbow's hinge as the rest pose
     * bends it, or so that the hand comes forward. As sn_two_bone_options has them. */
    float hinge[3], field_reach[3], field_bend[3];
} sn_grip_arm;

/* `bone` is SN_HUMAN_LEFT_HAND or SN_HUMAN_RIGHT_HAND; upper and lower arm have to be there.
 * Errors: as sn_hand_set_up, and chain.joints where the three are no chain of at most
 * SN_GRIP_CHAIN joints. */
sn_result sn_grip_arm_set_up(const sn_joints *joints, const sn_humanoid *humanoid,
                             sn_human_bone bone, sn_grip_arm *out, sn_error *error);

/* One hand's hold. `position`, `axis` and `palm` are in the prop's space. */
typedef struct sn_grip_hold {
    const sn_grip_arm *arm;
    float position[3]; /* on the rod's axis: the middle of the fist */
    float axis[3];     /* of any length: from the little finger's side to the thumb's */
    /* Out of the palm, of any length; what is along the axis does not count. Zero: any, then the
     * hand takes the roll that is nearest to how it hangs on the forearm. */
    float palm[3];
    /* [0, pi]: how far it may turn about the axis to that end, either way; what would be more than
     * 150 degrees away fades to none. */
    float roll;
    float radius; /* of the rod, world */
    float tilt;   /* radians by which the rod crosses the palm aslant, the thumb's end forward */
    float curl;   /* [0, 1] */
    const sn_two_bone_options *bend; /* NULL: as the arm has it. Poles are world; `stretch_max` of
                                        no meaning */
} sn_grip_hold;

typedef struct sn_grip_job {
    sn_affine prop; /* world; invertible */
    sn_grip_hold holds[2];
    uint32_t hold_count; /* 1 or 2 */
    float favour; /* [0, 1]: whose reach counts when the prop is moved: 0 the first, 1 the second */
    float shift;  /* how far the prop may be moved, world */
    float turn;   /* radians that it may then be turned about the hold that is favoured (the first
                     at a half) so that the other one comes into reach */
    float weight; /* [0, 1]: 0 leaves the pose bit for bit */
} sn_grip_job;

/* Bits of sn_grip_output.flags. */
typedef enum sn_grip_flag {
    SN_GRIP_REACHED = 1 << 0, /* every hand is on the prop, within 1e-5 of the arm's length */
    SN_GRIP_TOO_FAR = 1 << 1,
    SN_GRIP_TOO_NEAR = 1 << 2,
    SN_GRIP_SHIFTED = 1 << 3, /* the prop was moved */
    SN_GRIP_TURNED = 1 << 4,
    SN_GRIP_LOOSE = 1 << 5 /* a finger does not touch, see sn_hand_flag */
} sn_grip_flag;

typedef struct sn_grip_wrist {
    float position[3];    /* world, where the wrist is wanted, after the prop was moved */
    float orientation[4]; /* world, as sn_two_bone_job has it */
    float roll;           /* radians about the axis from `palm` */
    float residual;       /* world, from there to where the arm takes it at weight 1 */
    uint32_t flags;       /* sn_two_bone_flag */
} sn_grip_wrist;

typedef struct sn_grip_output {
    uint32_t flags;
    float residual; /* world, the worst of the wrists' */
    sn_affine prop; /* world: where it is to be. The job's bits where it was not moved */
    sn_grip_wrist wrists[2];
} sn_grip_output;

/* Writes the rotations of upper arms, lower arms, hands and fingers. For more of the body than the
 * arms, take `wrists` as targets of another solver instead, at weight 0 here.
 *
 * Errors leave the pose and `out` (may be NULL) as they are: chain.value (a number that is not
 * finite or not in its range), chain.length (a matrix without inverse, a bone without length). */
sn_result sn_grip_apply(const sn_grip_job *job, const sn_joints *joints, sn_grip_output *out,
                        sn_error *error);

/* The point of a prop's axis that is nearest to `point`: where a hand that is there takes hold.
 * `axis_point` and `axis` are in the prop's space, and so is the answer; `point` is world. False
 * where `prop` has no inverse or the axis no length. */
bool sn_grip_latch(const sn_affine *prop, const float axis_point[3], const float axis[3],
                   const float point[3], float out[3]);

#ifdef __cplusplus
}
#endif
#endif
