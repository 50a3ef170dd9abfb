/* Hand space, for hand.c, hand_set_up.c and grip.c. */
#ifndef SN_RIG_HAND_H
#define SN_RIG_HAND_H

#include "rig/space.h"
#include "sinew/hand.h"

/* A cylinder without ends in hand space. */
typedef struct sn_hand_line {
    sn_dvec3 point, direction; /* unit */
} sn_hand_line;

/* The axis of a rod that lies in the fist, from the little finger's side to the thumb's. `radius`
 * is that of the rod and what is around the bones, hand space; `tilt` turns the axis from the
 * radial direction towards the fingers, radians.
 *
 * It touches the palm below the knuckles and so far behind them that the first bones of the fingers
 * touch it at their middle: the tangents from a point to a circle are of one length. Thin rods lie
 * nearer to the knuckles, since a finger bends there by no more than a right angle. */
sn_hand_line sn_hand_rod_line(const sn_hand *hand, double radius, double tilt);

typedef struct sn_hand_rod {
    sn_hand_line line;
    double radius; /* with what is around the bones */
} sn_hand_rod;

/* What the joints of a finger turn by, from the rest, in hand space: each before those above it. */
typedef struct sn_finger_turns {
    sn_dquat of[3];
    bool is_touching; /* the rod, when closed; true without one */
    double gap;       /* between them, hand space */
} sn_finger_turns;

/* `rod` may be NULL: towards a fist. The finger must have a joint. */
sn_finger_turns sn_finger_bend(const sn_hand *hand, sn_finger f, const sn_hand_pose *pose,
                               const sn_hand_rod *rod);

/* chain.value: a finger whose rotation in the pose is not finite. */
sn_result sn_hand_check(const sn_hand *hand, const sn_joints *joints, sn_error *error);

/* From the bones to the skin, guessed, in hand space. */
double sn_hand_padding(const sn_hand *hand);

/* A unit of hand space in the world, as the wrist is in the pose. */
double sn_hand_scale(const sn_hand *hand, const sn_joints *joints);

static inline sn_dvec3 sn_dvec3_load(const double v[3]) {
    return (sn_dvec3){v[0], v[1], v[2]};
}

static inline void sn_dvec3_store(double out[3], sn_dvec3 v) {
    out[0] = v.x, out[1] = v.y, out[2] = v.z;
}

#endif
