/* Where the middle joint of a limb goes: a unit vector at right angles to the line to the target.
 *
 * No choice of it is continuous for all directions of that line (the hairy ball theorem): a pole
 * has two singular ones, itself and its opposite, a field has one. A state passes them at a limited
 * rate instead. */
#ifndef SN_RIG_BEND_H
#define SN_RIG_BEND_H

#include "rig/limb.h"

/* In the space of the root's parent. */
typedef struct sn_bend_input {
    sn_dvec3 direction;   /* unit, root to target */
    sn_dvec3 rest_end;    /* unit, root to end in the base pose */
    sn_dvec3 rest_middle; /* root to middle joint in the base pose */
    sn_dvec3 hinge;       /* unit, of the flexion in the base pose, or zero: unknown */
    sn_dvec3 pole;        /* relative to the root, or a direction; of no meaning without one */
    const sn_two_bone_options *options;
    sn_two_bone_state *state;
    double seconds;
} sn_bend_input;

/* The new state is left in `state`, which may be the caller's copy. */
sn_dvec3 sn_bend_find(const sn_bend_input *input, uint32_t *flags);

#endif
