/* Feet on the ground: legs by two-bone inverse kinematics, soles along the slope, toes bent up
 * where the ground rises before them, hips lowered so that both feet reach. Runtime: allocates
 * nothing and knows no model.
 *
 * A clip is made for a floor, the plane y = `floor` of model space. Each foot is placed over the
 * ground as the clip has it over that floor: one in swing is as high above it, one that rolls on
 * its heel still does, and one that sinks in the clip sinks no deeper; toes are bent out of the
 * ground. Ground that is where the floor is changes nothing.
 *
 * +Y is up, in the model (glTF 2.0, 3.4) and in the world; the root may turn, scale evenly and
 * lean by less than 60 degrees. Heights are measured along the world's +Y, metres. */
#ifndef SINEW_FEET_H
#define SINEW_FEET_H

#include "sinew/ground.h"
#include "sinew/humanoid.h"
#include "sinew/joints.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SN_FEET_CHAIN = 16 }; /* joints from upper leg to foot, twist bones included */

/* Where the soles are: on the floor in the rest pose. Metres in model space; zeros: from the
 * skeleton, by the proportions of the foot in Winter, "Biomechanics and Motor Control of Human
 * Movement", fig. 4.1. */
typedef struct sn_feet_shape {
    float floor;   /* y of the floor in model space; default 0 */
    float heel;    /* from below the ankle back; default 0.4 of the way from ankle to ball */
    float ball;    /* from below the ankle forward; default the toe joint, else 0.14 of the leg */
    float toes;    /* from the ball forward; default 0.65 of the way from ankle to ball */
    float breadth; /* of the sole; default 0.6 of the way from ankle to ball */
} sn_feet_shape;

/* Set up once. The corners of the sole in the spaces of the joints that move them. */
typedef struct sn_foot {
    uint32_t upper_leg, lower_leg, foot;
    uint32_t toes;                /* SN_NONE: the tip is part of the foot */
    float heel[2][3], ball[2][3]; /* in the foot's space */
    float tip[2][3];              /* in the toes' */
    float hinge[3];               /* the axis about which the knee flexes, in its own space */
} sn_foot;

typedef struct sn_feet {
    uint32_t hips;
    float floor;
    sn_foot feet[2]; /* left, right */
} sn_feet;

/* From the rest pose of `joints`. `shape` may be NULL. Errors leave `out` untouched: chain.joints
 * (a bone of hips and legs that is missing, not below the one before, or has a matrix without a
 * TRS form), chain.value (a shape that is not finite or below 0, an ankle that is below the
 * floor), chain.length (a leg without length, a scale of zero). Toes may be missing. */
sn_result sn_feet_set_up(const sn_joints *joints, const sn_humanoid *humanoid,
                         const sn_feet_shape *shape, sn_feet *out, sn_error *error);

/* Zeros are the defaults. */
typedef struct sn_feet_options {
    bool is_level;   /* soles do not follow the slope */
    float slope_max; /* the most that a sole turns, radians; default 0.7 */
    float toes_max;  /* the most that toes are bent up more than in the clip; default 0.8 */
    float hips_drop; /* the most that the hips are lowered, metres; default 0.25 of the leg */
    float hips_rise; /* and raised with the lower foot; default 0: not above the clip */
    /* Share of its length to which a leg is stretched before the hips are lowered, [0, 1]; default
     * 0.99. One that is longer in the clip stays so. */
    float extension;
    float rate; /* with a state: of the damping of jumps, 1 / s; default 12 */
} sn_feet_options;

/* What the ground asks of the pose. */
typedef struct sn_feet_offsets {
    double hips; /* up, metres */
    struct {
        double height;    /* up, metres */
        double normal[3]; /* that the sole follows, world */
        double toes;      /* bent up, radians */
    } feet[2];
} sn_feet_offsets;

/* With it the ground may jump, as at a step: the foot follows by damping (filter.h), the same at
 * all frame rates, and the hips with it; meanwhile a foot may be in or above the step. Slopes, and
 * ground that rises by less than half a leg's length a second, are followed at once. Zeros: no
 * frame before, as after a jump in time. */
typedef struct sn_foot_state {
    double jump;                        /* metres up, what is left of the ground's jumps */
    double ground[3], slope[3];         /* below the ankle, and the normal there; world */
    double normal[3], normal_wanted[3]; /* that the sole follows, and where that goes */
    double toes, toes_wanted;           /* radians */
} sn_foot_state;

typedef struct sn_feet_state {
    bool is_started;
    sn_foot_state feet[2];
} sn_feet_state;

typedef struct sn_feet_job {
    const sn_feet *feet;
    sn_ground ground;
    float weight; /* [0, 1]: share of the offsets; 0 leaves the pose as it is, bit for bit */
    const sn_feet_options *options; /* NULL: the defaults */
    sn_feet_state *state;           /* NULL: stateless */
    float seconds;                  /* since the state's frame */
} sn_feet_job;

/* Bits of sn_foot_output.flags. */
typedef enum sn_foot_flag {
    SN_FOOT_REACHED = 1 << 0, /* the ankle is within 1e-5 of the leg's length of its place */
    SN_FOOT_TOO_FAR = 1 << 1, /* the hips may not go as low as the leg would need */
    SN_FOOT_TOO_NEAR = 1 << 2,
    SN_FOOT_SLOPE_LIMITED = 1 << 3, /* steeper than `slope_max` */
    SN_FOOT_NO_GROUND = 1 << 4      /* under no part of the sole: the foot stays as in the clip */
} sn_foot_flag;

typedef struct sn_foot_output {
    uint32_t flags;
    float residual; /* metres between the ankle and its place, world */
} sn_foot_output;

typedef struct sn_feet_output {
    sn_feet_offsets offsets; /* as applied: with what is left of jumps, and weighted */
    sn_foot_output feet[2];
} sn_feet_output;

/* Reads the pose as the clip has it, never as this function left it: writes the translation of the
 * hips and the rotations of legs, feet and toes. `out` may be NULL. Errors leave pose, state and
 * `out` untouched: chain.value (a number that is not finite or not in its range, a root that lies
 * down), ground.value, and those of sn_two_bone_solve. */
sn_result sn_feet_apply(const sn_feet_job *job, const sn_joints *joints, sn_feet_output *out,
                        sn_error *error);

#ifdef __cplusplus
}
#endif
#endif
