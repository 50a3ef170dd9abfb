/* A document in the making: starts as the old one, sharing all, and becomes the new one when every
 * part of a command has succeeded. Dropping it leaves no trace. */
#ifndef SN_EDIT_DRAFT_H
#define SN_EDIT_DRAFT_H

#include "edit/document.h"

typedef struct sn_draft {
    sn_document *document; /* what it started as; borrowed */
    sn_allocator *allocator;
    const sn_model *model;
    sn_arena *arena; /* scratch for the length of one command */
    sn_error *error;
    uint32_t clip_count;
    uint32_t clip_capacity;
    sn_shared_clip **clips;         /* clip_capacity; each is a counted reference */
    sn_shared_modifiers *modifiers; /* a counted reference */
    bool changed;
} sn_draft;

/* One track of a clip made new: `index` is its place in the clip, or from track_count on a new
 * place; `track` NULL removes it. */
typedef struct sn_track_change {
    uint32_t index;
    sn_shared_track *track;
} sn_track_change;

sn_result sn_draft_begin(sn_draft *draft, sn_document *document, sn_arena *arena, sn_error *error);

/* Ends a draft, also one that could not begin. With SN_OK: the new document, or the old one
 * retained when nothing changed; with a failure, that failure, and nothing is left of the draft. */
sn_result sn_draft_end(sn_draft *draft, sn_result result, sn_document **out);

static inline const sn_clip *sn_draft_clip(const sn_draft *draft, uint32_t clip) {
    return &draft->clips[clip]->clip;
}

/* Takes over every track of `changes`, also on failure. New places are appended in the order of
 * `changes`. A track that equals the one it replaces bit by bit is no change. */
sn_result sn_draft_change_tracks(sn_draft *draft, uint32_t clip, const sn_track_change *changes,
                                 uint32_t count);

sn_result sn_draft_set_markers(sn_draft *draft, uint32_t clip, const sn_marker *markers,
                               uint32_t count);

sn_result sn_draft_rename_clip(sn_draft *draft, uint32_t clip, const char *name);

/* Appends a clip, empty, or with the tracks and markers of clip `source` (SN_NONE: none). */
sn_result sn_draft_add_clip(sn_draft *draft, const char *name, uint32_t source);
void sn_draft_remove_clip(sn_draft *draft, uint32_t clip);

/* Fails with what is wrong with the modifiers of the file: what Sinew cannot use it does not
 * change.
 */
sn_result sn_draft_check_modifiers(const sn_draft *draft);

/* Compiles other modifiers. The same texts as before are no change. Errors: those of
 * sn_modifier_stack_create. */
sn_result sn_draft_set_modifiers(sn_draft *draft, const sn_modifier_text *texts, uint32_t count);

/* Fails with `memory`. */
sn_result sn_draft_no_memory(const sn_draft *draft);

#endif
