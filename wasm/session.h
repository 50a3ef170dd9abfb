/* One open file in the browser: model, document with history, one instance to evaluate it.
 *
 * Plain C without export marks; sinew_wasm.c gives it to the host. Everything that a session
 * holds comes from its own budget, so that a host can bound it and see it. */
#ifndef SINEW_WASM_SESSION_H
#define SINEW_WASM_SESSION_H

#include "sinew/document.h"
#include "sinew/gltf.h"
#include "sinew/instance.h"

/* A file beside the main one, or a decoded buffer view: bytes that the host supplied. */
typedef struct supplied {
    struct supplied *next;
    char *path; /* NUL-terminated in path_size bytes; NULL for a buffer view */
    size_t path_size;
    uint32_t view; /* the buffer view; SN_NONE for a file */
    uint8_t *bytes;
    size_t size;
} supplied;

/* What playing a clip of the document needs; see views.c. */
typedef struct clip_slot {
    sn_clip_view *view; /* NULL: sample the keys themselves */
    uint32_t sampled;   /* evaluations since the clip last changed */
    bool unviewable;    /* making a view failed: not tried again for this clip */
} clip_slot;

typedef struct session {
    sn_budget budget;
    sn_error error;
    supplied *supplied;
    sn_gltf *layout;  /* between session_list_views and session_open */
    bool lacks_views; /* opening failed for want of decoded buffer views */

    uint8_t *bytes; /* the file, lent to `gltf` */
    size_t size;
    sn_gltf *gltf;
    sn_prepared_model *prepared;
    sn_instance *instance;
    sn_history *history;

    sn_arena arena;         /* what is made once, at opening */
    uint32_t *nodes;        /* of each joint: the order of the skeleton's world matrices */
    float *world;           /* node_count matrices of 16, file order */
    float **joint_matrices; /* for each skin, joint_count matrices of 16 */
    sn_transform transform; /* of the node last asked for */

    sn_document *viewed; /* retained: the document that `slots` belong to */
    clip_slot *slots;
    size_t slot_count;

    sn_document *modified; /* retained: the document whose modifiers the state is for */
    sn_modifier_state *modifier_state;
    sn_modifier_report *reports; /* of the last evaluation, one for each modifier */
    sn_error modifier_error;     /* why it has none; without an id when it has */

    sn_document *described; /* retained: the document the host was told of last */

    sn_text text;
    sn_output output;
    float *vertices; /* grows to the largest primitive asked for */
    size_t vertex_capacity;
    uint32_t vertex_count; /* of the primitive last asked for */
} session;

/* NULL when there is no memory. `limit` bytes at most, 0: no limit but the memory's. */
session *session_create(const sn_allocator *allocator, size_t limit);
void session_free(session *s);

/* Blocks for bytes that the host writes. */
void *session_block(session *s, size_t size);
void session_block_free(session *s, void *block, size_t size);

/* The bytes of the file, and of what it names beside itself. Blocks become the session's, also on
 * failure; what is supplied is let go once the file is open. */
void session_give(session *s, uint8_t *bytes, size_t size);
sn_result session_supply_file(session *s, char *path, size_t path_size, uint8_t *bytes,
                              size_t size);

/* Opens the file given. The module can call no decoder of compressed buffer views while it reads:
 * when opening fails with `lacks_views`, session_list_views says which there are, the host decodes
 * and supplies them, and opens again. */
sn_result session_open(session *s);
sn_result session_list_views(session *s);
sn_result session_supply_view(session *s, uint32_t view, uint8_t *bytes, size_t size);

/* The local pose and morph weights as the clip has them, before any modifier; no matrices. clip
 * SN_NONE: the rest pose. */
sn_result session_sample(session *s, uint32_t clip, float time);

/* With `seconds` since the last evaluation the modifiers may be smooth
 * over time; with 0 the result is a function of clip and time alone. Modifiers that fail leave the
 * pose without them: see describe_modifiers. */
sn_result session_evaluate(session *s, uint32_t clip, float time, float seconds);

/* World positions of a primitive after the last evaluation, in `vertices`. */
sn_result session_skin(session *s, uint32_t node, uint32_t primitive);

/* The track of the document now; argument when there is none. */
sn_result session_track(session *s, uint32_t clip, uint32_t track, const sn_track **out);

/* Into `output`, until session_release_output. */
sn_result session_save(session *s, sn_container container);
void session_release_output(session *s);

/* ---- modifiers.c ---- */

/* Applies the document's modifiers to the instance's pose. Allocates only after they have changed.
 */
void modifiers_apply(session *s, float time, float seconds);
void modifiers_free(session *s);

/* ---- views.c ---- */

/* Fits the slots to the document as it is now: what is unchanged keeps its view. */
void views_update(session *s);
/* The view to sample a clip with, or NULL. `now` makes one if it can; else one is made for a clip
 * that is evaluated a second time without a change and outside of a gesture. */
const sn_clip_view *views_get(session *s, uint32_t clip, bool now);
void views_free(session *s);

/* ---- describe.c: JSON into s->text ---- */

sn_result describe_model(session *s);
/* What differs from the description before; the format is at the definition. */
sn_result describe_clips(session *s);
/* The commands that lead from the file to the document now. */
sn_result describe_commands(session *s);
sn_result describe_findings(session *s);
sn_result describe_modifiers(session *s);
sn_result describe_resources(session *s);
/* The compressed views of `layout` that can be decoded. */
sn_result describe_views(session *s);

#endif
