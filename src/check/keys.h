/* What the keys of a track are like, apart from what the track drives. */
#ifndef SN_CHECK_KEYS_H
#define SN_CHECK_KEYS_H

#include "check/checker.h"

/* How many keys are so, and the first of them. */
typedef struct key_tally {
    uint32_t count, first;
} key_tally;

typedef struct key_summary {
    key_tally not_finite; /* when there are any, nothing else is looked at */
    key_tally negative;   /* times below 0 */
    key_tally disorder;   /* times not above the one before */
    key_tally not_unit;   /* rotations */
    float worst_length;
    key_tally flips; /* rotations with the opposite sign of the one before */
    key_tally
        spikes; /* rotations far off both neighbours, which are near each other in time and turn */
    bool constant; /* equal values (q and -q are one rotation), and no tangent leads away */
} key_summary;

/* The value of a key; with CUBICSPLINE its tangents are the rows before and after. */
const float *key_value(const sn_track *track, uint32_t key);

/* Equal values; for a rotation q and -q are one. */
bool same_value(const sn_track *track, const float *a, const float *b);

/* A summary for each track, in the order of clips and their tracks; NULL when out of memory. Tracks
 * on the same keys are looked at once: a file may have one sampler drive every node it has. */
const key_summary **summarise_keys(checker *c);

#endif
