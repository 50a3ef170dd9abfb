/* The orientation of an arm's hand: what is asked for with a forearm as it is, and what the wrist
 * allows of it. */
#ifndef SN_RIG_ARM_HAND_H
#define SN_RIG_ARM_HAND_H

#include "rig/arm_chain.h"

typedef struct sn_arm_hand {
    sn_dquat rotation; /* world */
    double roll;       /* radians about the job's axis */
    bool is_limited;   /* the roll is at an end of its range */
} sn_arm_hand;

/* `fore`: the space that the hand's rotation is in; `rest`: the hand's local rotation at rest. Not
 * for a hand that stays as posed. */
sn_arm_hand sn_arm_hand_wanted(const sn_arm_job *job, const sn_similarity *fore, sn_dquat rest);

/* Local. `limits` may be NULL. */
sn_dquat sn_arm_hand_allowed(const sn_arm *arm, const sn_arm_limits *limits,
                             const sn_similarity *fore, sn_dquat wanted, bool *is_limited);

#endif
