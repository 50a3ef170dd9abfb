/* The document: an immutable value that holds the clips and modifiers of a model. A command makes a
 * new document that shares every untouched track with the old one; undo is choosing an older value.
 *
 * Commands are JSON objects: {"op": "key.set", "clip": "Walk", "node": "LeftLowerLeg", …}.
 * docs/commands.md describes them, docs/commands.schema.json is their JSON Schema. */
#ifndef SINEW_DOCUMENT_H
#define SINEW_DOCUMENT_H

#include "sinew/gltf.h"
#include "sinew/json.h"
#include "sinew/model.h"
#include "sinew/modifier.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sn_document sn_document;

/* A document with the clips, markers and modifiers of a file, whose tracks it borrows: the file
 * must outlive it, and every document made from it. Errors: memory. */
sn_result sn_document_open(const sn_gltf *gltf, const sn_allocator *allocator, sn_document **out,
                           sn_error *error);
/* The same of a model of which no human bones are known. */
sn_result sn_document_create(const sn_model *model, const sn_allocator *allocator,
                             sn_document **out, sn_error *error);

/* Documents are counted references, not for use by several threads at once. */
sn_document *sn_document_retain(sn_document *document);
void sn_document_release(sn_document *document); /* NULL does nothing */

const sn_model *sn_document_model(const sn_document *document);

/* Clips as sn_gltf_write and sn_clip_view_create take them; they live as long as the document.
 * An untouched track is the model's own, by pointer; an edited one keeps the `origin` of the track
 * it came from. A copied clip shares the tracks of the clip it was copied from. */
size_t sn_document_clips(const sn_document *document, const sn_clip **out);

/* The modifiers, compiled; they live as long as the document. Empty when the file's cannot be
 * used: then the error says why, such files are written with what they have, and no command on
 * modifiers succeeds. NULL: they can be used. */
const sn_modifier_stack *sn_document_modifiers(const sn_document *document);
const sn_error *sn_document_modifier_error(const sn_document *document);

/* Writes the file that the document was opened from with the document's clips and modifiers
 * (extension SINEW_modifiers) in place of those that `options` says. Errors: sn_gltf_write's. */
sn_result sn_document_write(const sn_document *document, const sn_gltf *gltf,
                            const sn_gltf_write_options *options, sn_output *out, sn_error *error);

/* Applies one command (JSON text of one object) and gives a new document; the old one is as it
 * was, whatever happens. A command that changes nothing gives the same document, retained.
 *
 * Errors: json.* with line and column; command.* with a pointer into the command ("/keys/2/node"):
 *   command.operation  no such `op`; the text suggests close ones
 *   command.field      a field that the operation does not know, or lacks
 *   command.type       a field of the wrong type
 *   command.value      a value out of its range, or keys that would fall on the same time
 *   command.name       no clip, node or modifier so named or numbered, or a name that is taken
 *   command.ambiguous  a name that several have; the text lists them with their indices
 *   command.missing    there is no such key, track or marker
 *   command.target     what is named cannot take this
 *   modifier.*, chain.*  a modifier that is none (modifier.h)
 * and memory. */
sn_result sn_document_apply(sn_document *document, const char *command, size_t length,
                            sn_document **out, sn_error *error);

/* Bytes that this document holds and `other` (may be NULL) does not share. What it borrows from
 * the model does not count. */
size_t sn_document_bytes(const sn_document *document, const sn_document *other);

/* ---- History ---- */

typedef struct sn_history sn_history;

typedef struct sn_history_options {
    size_t step_limit; /* default 1,000 */
    size_t byte_limit; /* of the kept documents, shared tracks counted once; default 64 MiB. The
                          oldest steps go first, but at least the last step always stays */
} sn_history_options;

/* Starts at `document` (retained). `options` NULL: the defaults. */
sn_result sn_history_create(sn_document *document, const sn_history_options *options,
                            const sn_allocator *allocator, sn_history **out, sn_error *error);
void sn_history_free(sn_history *history);

sn_document *sn_history_document(const sn_history *history); /* now; borrowed */

/* Applies a command as a step of its own (or, during a gesture, as its update: the command is
 * applied to the document as it was when the gesture began). A failure changes nothing; a command
 * that changes nothing leaves no step, and what can be redone stays. */
sn_result sn_history_apply(sn_history *history, const char *command, size_t length,
                           sn_error *error);

/* A drag is one step: begin, any number of applies (each replaces the one before), end. A gesture
 * that ends as it began leaves no step. Cancel goes back to the beginning. Begin during a gesture
 * ends that one first; end and cancel without a gesture do nothing. */
void sn_history_begin(sn_history *history);
void sn_history_end(sn_history *history);
void sn_history_cancel(sn_history *history);
bool sn_history_in_gesture(const sn_history *history);

/* False: nothing to undo. During a gesture, undo cancels the gesture and redo does nothing. */
bool sn_history_undo(sn_history *history);
bool sn_history_redo(sn_history *history);
size_t sn_history_undo_count(const sn_history *history);
size_t sn_history_redo_count(const sn_history *history);

/* The journal: the command texts of all steps, oldest first. The first sn_history_command_count
 * lead from the document the history was created with to the document now (a running gesture not
 * included): what a draft stores. The sn_history_redo_count after them are what redo would do.
 * Dropped steps keep their texts, so that the journal always starts at the beginning. */
size_t sn_history_command_count(const sn_history *history);
const char *sn_history_command(const sn_history *history, size_t i, size_t *length);

/* Bytes of the documents that can be reached by undo and redo, shared tracks counted once: what
 * byte_limit bounds. The journal's texts are not in it. */
size_t sn_history_bytes(const sn_history *history);

#ifdef __cplusplus
}
#endif
#endif
