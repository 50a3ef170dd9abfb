/* Baking: clips sampled with their modifiers and made into keys, so that every player shows what
 * the modifiers do. */
#ifndef SINEW_BAKE_H
#define SINEW_BAKE_H

#include "sinew/modifier.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sn_bake_desc {
    const sn_model *model;
    const sn_skeleton *skeleton; /* over the model */
    const sn_modifier_stack *modifiers;
    float frames_per_second; /* above 0, to 1,000; 0: 30 */
    /* Each frame follows the one before, for modifiers that smooth over time: what is seen when the
     * clip is played in a loop, from its second round on. Without it each frame is evaluated by
     * itself, as seeking there would show it. */
    bool plays;
} sn_bake_desc;

/* Makes `clip` (a clip of the model, of a document, or an empty one: the rest pose) into one that
 * needs no modifiers. Each translation, rotation or scale that they move anywhere in the clip gets
 * a LINEAR track with a key at every frame from 0 and at the end, in place of the track that it
 * had, or with two where it does not move; all other tracks are the very ones of `clip`. The clip
 * ends where it did; one without tracks ends with the last key of the modifiers. Rotations are unit
 * quaternions, each on the side of the one before it.
 *
 * What is new is in `arena`; `out` borrows the rest from `clip`.
 *
 * Errors: argument (frames_per_second), limit.size (more than 2^20 frames), node.matrix (a node
 * that is moved and that the file gives by a matrix, which glTF does not animate), those of
 * sn_modifier_stack_apply, memory. */
sn_result sn_bake_clip(const sn_bake_desc *desc, const sn_clip *clip, sn_arena *arena, sn_clip *out,
                       sn_error *error);

#ifdef __cplusplus
}
#endif
#endif
