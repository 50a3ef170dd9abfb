/* The document: an immutable value that holds the clips of a model. A command makes a new document
 * that shares every untouched track with the old one; undo is choosing an older value.
 *
 * Commands are JSON objects: {"op": "key.set", "clip": "Walk", "node": "LeftLowerLeg", …}. */
#ifndef SINEW_DOCUMENT_H
#define SINEW_DOCUMENT_H

#include "sinew/json.h"
#include "sinew/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sn_document sn_document;

/* A document with the clips of a model, whose tracks it borrows: the model must outlive it. */
sn_result sn_document_create(const sn_model *model, const sn_allocator *allocator,
                             sn_document **out, sn_error *error);

/* Documents are counted references, not for use by several threads at once. */
sn_document *sn_document_retain(sn_document *document);
void sn_document_release(sn_document *document);

const sn_model *sn_document_model(const sn_document *document);
/* Clips as sn_gltf_write and sn_clip_view_create take them; they live as long as the document.
 * An untouched track is the model's own, by pointer. */
size_t sn_document_clips(const sn_document *document, const sn_clip **out);

typedef struct sn_marker {
    float time; /* seconds */
    const char *name;
} sn_marker;
size_t sn_document_markers(const sn_document *document, uint32_t clip, const sn_marker **out);

/* Applies one command (JSON text of one object) and gives a new document; the old one is as it
 * was. A command that changes nothing gives the same document, retained. Errors: argument and
 * json.* with a pointer into the command ("/node"); the text lists candidates of an ambiguous
 * name. Operations: key.set, key.remove, key.move, keys.paste, keys.scale, pose.key, track.remove,
 * clip.add, clip.remove, clip.rename, clip.copy, marker.set; docs/commands.md describes them. */
sn_result sn_document_apply(sn_document *document, const char *command, size_t length,
                            sn_document **out, sn_error *error);

/* Bytes that this document holds and `other` (may be NULL) does not share. */
size_t sn_document_bytes(const sn_document *document, const sn_document *other);

/* ---- History ---- */

typedef struct sn_history sn_history;

typedef struct sn_history_options {
    size_t step_limit; /* default 1,000 */
    size_t byte_limit; /* of unshared tracks; default 64 MiB; the oldest steps go first, but at
                          least the last step always stays */
} sn_history_options;

/* Starts at `document` (retained). */
sn_result sn_history_create(sn_document *document, const sn_history_options *options,
                            const sn_allocator *allocator, sn_history **out, sn_error *error);
void sn_history_free(sn_history *history);

sn_document *sn_history_document(const sn_history *history); /* now; borrowed */

/* Applies a command as a step of its own (or, during a gesture, as its update: the command is
 * applied to the document as it was when the gesture began). */
sn_result sn_history_apply(sn_history *history, const char *command, size_t length,
                           sn_error *error);

/* A drag is one step: begin, any number of applies (each replaces the one before), end. A gesture
 * that ends as it began leaves no step. Cancel goes back to the beginning. */
void sn_history_begin(sn_history *history);
void sn_history_end(sn_history *history);
void sn_history_cancel(sn_history *history);

bool sn_history_undo(sn_history *history); /* false: nothing to undo */
bool sn_history_redo(sn_history *history);
size_t sn_history_undo_count(const sn_history *history);
size_t sn_history_redo_count(const sn_history *history);
/* The command texts of all steps up to now, oldest first, that lead from the oldest document
 * kept: what a draft stores. i < sn_history_undo_count. */
const char *sn_history_command(const sn_history *history, size_t i, size_t *length);
size_t sn_history_bytes(const sn_history *history);

#ifdef __cplusplus
}
#endif
#endif
