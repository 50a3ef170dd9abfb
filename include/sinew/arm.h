/* A whole arm: the wrist, or a point of the hand, to a target. Spine and clavicle help where the
 * arm is too short, the elbow swivels clear of the torso and of the joints' limits, the hand takes
 * an orientation as far as the wrist allows, and the forearm takes its share of the hand's twist.
 * The same for a leg, which has no clavicle. Runtime: plain functions on the caller's data that
 * allocate nothing.
 *
 * As with sn_two_bone_solve, start from the pose of the animation and not from this one's output.
 * Without a state the result is a function of its input alone, and continuous in it but where no
 * continuous choice exists: a target opposite the natural reach (behind and above an arm's
 * shoulder) or at the shoulder, an end of a range seen from its far side, and an orientation that
 * is no nearer to the natural hand however it rolls. */
#ifndef SINEW_ARM_H
#define SINEW_ARM_H

#include "sinew/humanoid.h"
#include "sinew/joints.h"
#include "sinew/twist.h"
#include "sinew/two_bone.h"

#ifdef __cplusplus
extern "C" {
#endif

/* From the lowest joint that is turned to the hand. */
enum { SN_ARM_CHAIN = 32, SN_ARM_SPINE = 3 };

enum { SN_ARM_CAPSULES = 16 }; /* at most */

typedef enum sn_limb_kind {
    SN_LIMB_LEFT_ARM = 0,
    SN_LIMB_RIGHT_ARM,
    SN_LIMB_LEFT_LEG,
    SN_LIMB_RIGHT_LEG
} sn_limb_kind;

/* Joints; between them others may be. A leg's are upper leg, lower leg and foot. */
typedef struct sn_arm_bones {
    sn_limb_kind kind;
    uint32_t upper, lower, hand;
    uint32_t shoulder;            /* the clavicle; SN_NONE: none */
    uint32_t spine[SN_ARM_SPINE]; /* spine, chest, upper chest, those that help; SN_NONE: none */
    /* First joints of these fingers, which tell where the palm is. SN_NONE: it faces down in a
     * rest pose with the arms at the sides or spread. */
    uint32_t index, little;
    float facing; /* of the rest pose, as sn_humanoid has it: 1 to +z, -1 to -z */
} sn_arm_bones;

/* SN_NONE where the humanoid has no such bone. */
sn_arm_bones sn_arm_bones_of(const sn_humanoid *humanoid, sn_limb_kind kind);

/* Range of a joint away from its zero: a swing within an ellipse, a half axis for each sense, and a
 * twist. Radians, at least 0, twist_min at most 0. */
typedef struct sn_joint_range {
    float swing_max[2], swing_min[2]; /* about the two axes, both as sizes */
    float twist_max, twist_min;
} sn_joint_range;

typedef struct sn_arm_limits {
    /* Zero: the arm spread at the side, the elbow flexing forwards (a leg: straight down, the knee
     * flexing backwards), whatever the rest pose. Swings: [0] up (a leg: outwards), [1] forwards;
     * twist: outwards. */
    sn_joint_range shoulder;
    /* Zero: the rest pose. Swings: [0] flexion towards the palm, [1] towards the thumb; twist:
     * supination, the thumb outwards. */
    sn_joint_range wrist;
    float flexion_min, flexion_max; /* of the elbow, radians from straight, [0, pi] */
} sn_arm_limits;

/* Ranges of a healthy adult (AAOS, "Joint Motion: Method of Measuring and Recording", 1965): elbow
 * 0 to 150 degrees; wrist 80 flexion, 70 extension, 20 radial, 30 ulnar; forearm 80 to either side;
 * of the shoulder 180 flexion and abduction and 60 extension, as swings from the spread arm: 90 up,
 * 90 down, 135 forwards, 60 back. Its twist is 120 to either side: beside the 90 and 70 of the
 * spread arm there is what comes with the swings to the nape and to the small of the back. */
sn_arm_limits sn_arm_limits_human(void);

typedef enum sn_arm_bend {
    /* The elbow down, back and out; a knee forwards. A field that is continuous everywhere but
     * opposite the natural reach. */
    SN_ARM_BEND_NATURAL = 0,
    SN_ARM_BEND_POSE,     /* as SN_BEND_POSE */
    SN_ARM_BEND_POSITION, /* as SN_BEND_POSITION */
    SN_ARM_BEND_DIRECTION /* as SN_BEND_DIRECTION */
} sn_arm_bend;

/* A part of the body, or anything else, that the elbow and the forearm keep clear of. */
typedef struct sn_capsule {
    uint32_t joint;   /* SN_NONE: world */
    float a[3], b[3]; /* ends of its axis, in the joint's space; equal ones are a sphere */
    float radius;     /* in the joint's space too */
} sn_capsule;

/* Two capsules for a human's torso, belly and chest, sized by how far the shoulders are apart in
 * the rest pose. Returns how many: 0 without hips or upper arms, or where a scale is zero. */
enum { SN_TORSO_CAPSULES = 2 };
uint32_t sn_torso_capsules(const sn_joints *joints, const sn_humanoid *humanoid,
                           sn_capsule out[SN_TORSO_CAPSULES]);

/* Zeros are the defaults. */
typedef struct sn_arm_options {
    sn_arm_bend bend;
    float pole[3];
    float swivel;   /* radians about the line from shoulder to wrist, added to the bend */
    float hinge[3]; /* as of two bones; default: told from the rest pose */
    float soften;   /* as of two bones; default 1: none */
    /* How much of its range the clavicle may use, (0, 1]: 30 degrees up, 10 down, 25 forwards, 15
     * back. It helps with a target that is far, and lifts under an arm that is raised. Default 1;
     * below 0: it stays. */
    float clavicle;
    /* The same of the spine, which leans by up to 20 degrees towards what arm and clavicle do not
     * reach, a fifth, three tenths and half of it in spine, chest and upper chest. Default 0. */
    float spine;
    /* Share of the hand's twist that the lower arm takes, (0, 1], where no joints between lower
     * arm and hand take it by their places. Default 0.5; below 0: none, nor do those joints. */
    float twist;
    const sn_arm_limits *limits; /* NULL: none */
    const sn_capsule *capsules;
    uint32_t capsule_count;
    float thickness; /* metres, radius of elbow and forearm for the capsules; default 0.04 */
} sn_arm_options;

typedef enum sn_hand_orientation {
    SN_HAND_AS_POSED = 0, /* the hand keeps its local rotation */
    SN_HAND_EXACT,        /* it takes `orientation` */
    /* It takes `orientation`, turned about `roll_axis` within the range so that the wrist is bent
     * and twisted least. */
    SN_HAND_FREE_ROLL
} sn_hand_orientation;

/* Zeros: nothing before, as after a jump in time. Made by the first frame. */
typedef struct sn_arm_state {
    sn_two_bone_state bend;
    sn_twist_state forearm, upper_arm;
} sn_arm_state;

typedef struct sn_arm_job {
    const struct sn_arm *arm;
    float target[3]; /* world */
    float grip[3];   /* the point of the hand that goes there, in its own space; zero: the wrist */
    sn_hand_orientation hand;
    float orientation[4];          /* of the hand, world */
    float roll_axis[3];            /* world, any length but zero */
    float roll_min, roll_max;      /* radians about it; both 0: any */
    float weight;                  /* [0, 1]: 0 leaves the pose as it is bit for bit */
    const sn_arm_options *options; /* NULL: the defaults */
    sn_arm_state *state;           /* NULL: stateless */
    float seconds;                 /* since the state's frame; of no meaning without one */
} sn_arm_job;

/* Bits of sn_arm_output.flags, beside those of sn_two_bone_flag. SN_TWO_BONE_REACHED is about the
 * whole: the grip is within 1e-5 of the arm's length of the target in the pose written. */
typedef enum sn_arm_flag {
    SN_ARM_SHOULDER_LIMITED = 1 << 16, /* no swivel keeps to the shoulder's range: it was cut */
    SN_ARM_WRIST_LIMITED = 1 << 17,    /* the orientation is outside the wrist's range */
    SN_ARM_ROLL_LIMITED = 1 << 18,     /* the wrist would rather roll beyond the range */
    SN_ARM_COLLIDES = 1 << 19,         /* elbow or forearm are still within a capsule */
    SN_ARM_BODY_MOVED = 1 << 20        /* clavicle or spine help */
} sn_arm_flag;

typedef struct sn_arm_output {
    uint32_t flags;
    float residual;             /* metres between grip and target */
    float orientation_residual; /* radians between the hand and what was asked for */
    float swivel;               /* radians, by which the elbow keeps clear; without `swivel` */
    float roll;                 /* radians about roll_axis */
    float twist;                /* radians, the hand's about the forearm, before it is spread */
    float elbow_position[3], hand_position[3]; /* world */
} sn_arm_output;

/* One of the two ranges as the solver measures it, in the space of the joint's parent. */
typedef struct sn_joint_zero {
    float rotation[4];
    float twist_axis[3], swing_axes[2][3];
} sn_joint_zero;

/* Made from the rest pose by sn_arm_set_up, and only read afterwards. */
typedef struct sn_arm {
    sn_limb_kind kind;
    uint32_t chain[SN_ARM_CHAIN]; /* joints, the lowest turned first, the hand last */
    uint32_t chain_count;
    /* Places in the chain. */
    uint32_t spine[SN_ARM_SPINE], spine_count, shoulder, upper, lower, hand;
    float spine_share[SN_ARM_SPINE];
    float clavicle_axes[2][3], up[3]; /* up, forwards; in the space of the clavicle's parent */
    float hinge[3];                   /* in the lower arm's own space */
    /* In the space of the upper arm's parent; the swivel is `field_swivel` times the direction. */
    float field_reach[3], field_bend[3], field_swivel[3];
    sn_joint_zero shoulder_zero, wrist_zero;
    sn_twist forearm, upper_arm; /* of places in the chain */
    bool has_twist_joints;       /* between lower arm and hand */
} sn_arm;

/* Errors leave `out` untouched: chain.joints (a joint that does not exist, is not above the next
 * one, or has a fixed matrix; more than SN_ARM_CHAIN of them), chain.length (a bone without length,
 * a scale of zero), chain.value (a rest pose that is not finite). */
sn_result sn_arm_set_up(const sn_joints *joints, const sn_arm_bones *bones, sn_arm *out,
                        sn_error *error);

/* Writes the rotations of spine, clavicle, arm, hand and the joints between upper arm and hand;
 * only of those that it turns. Errors leave the pose, `out` (may be NULL) and the state untouched:
 * chain.value, chain.length, as sn_two_bone_solve has them; chain.joints (a capsule's joint does
 * not exist). */
sn_result sn_arm_apply(const sn_arm_job *job, const sn_joints *joints, sn_arm_output *out,
                       sn_error *error);

#ifdef __cplusplus
}
#endif
#endif
