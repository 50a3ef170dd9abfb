/* What every command on keys comes down to: keys taken out of tracks and put in, collected first
 * and then carried out track by track. */
#ifndef SN_EDIT_KEY_EDITS_H
#define SN_EDIT_KEY_EDITS_H

#include "edit/keys.h"
#include "edit/operations.h"

/* Where the keys of a node's path are: a track of the clip, or from track_count on one that this
 * command makes. */
typedef uint32_t sn_slot;

typedef struct sn_key_edit {
    sn_slot slot;
    uint32_t from; /* the key to take out, or SN_NONE */
    float time;
    const float *row;             /* the key to put in, or NULL */
    const sn_arguments *argument; /* for what a failure says */
    uint32_t order;
} sn_key_edit;

typedef struct sn_key_edits {
    const sn_call *call;
    const sn_clip *clip;
    sn_track *fresh; /* shapes of the tracks to be made */
    uint32_t fresh_count;
    sn_slot
        *slots; /* 1 + that of each path of each node, or 0; NULL for a few edits: then searched */
    sn_key_edit *items;
    uint32_t count;
} sn_key_edits;

/* Room for `capacity` edits. */
sn_result sn_key_edits_begin(sn_key_edits *edits, const sn_call *call, uint32_t capacity);

/* The slot of a node's path, in the clip or of those to be made, or SN_NONE. Of several tracks with
 * the same target it is the last, which is the one that shows. */
sn_slot sn_key_edits_find(const sn_key_edits *edits, uint32_t node, sn_path path);

/* The track that `argument` names by node and path. Errors: command.missing. */
sn_result sn_key_edits_track(const sn_key_edits *edits, const sn_arguments *argument, sn_slot *out);

/* Adds the edit that takes out the key that `argument` names. Errors: command.missing. */
sn_result sn_key_edits_take(sn_key_edits *edits, const sn_arguments *argument);

/* Adds the edits that take out every key of a track. */
void sn_key_edits_take_all(sn_key_edits *edits, sn_slot slot, const sn_arguments *argument);

/* Adds the edit that puts in a key with the value (and tangents) that `argument` gives for its
 * node and path; the track is made when there is none. A key that is there already is no edit.
 * Errors: command.target, command.value. */
sn_result sn_key_edits_put(sn_key_edits *edits, const sn_arguments *argument, float time);

/* Carries all out. Errors: command.value when two keys fall on the same time. */
sn_result sn_key_edits_apply(sn_key_edits *edits);

#endif
