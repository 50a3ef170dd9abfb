/* How a file is written with other clips: the parts of the writer and what they share.
 *
 *   references.c     who refers to which accessor and buffer view
 *   write_clips.c    which channels and samplers stay, change, go or come
 *   write_slots.c    which accessors and views that frees, which of them new data takes, and the
 *                    numbers that all have in the end
 *   write_bytes.c    where the new data lie in the buffers
 *   write_json.c     the text, spliced
 *   write.c          the files
 *
 * Private to the folder. */
#ifndef SN_GLTF_WRITER_H
#define SN_GLTF_WRITER_H

#include "gltf/internal.h"

/* ---- References (references.c) ---- */

typedef enum sn_reference_kind {
    SN_REFERENCE_ACCESSOR,       /* to an accessor */
    SN_REFERENCE_BASE_VIEW,      /* an accessor's own view; holder is the accessor */
    SN_REFERENCE_SPARSE_VIEW,    /* views of its sparse part */
    SN_REFERENCE_VIEW,           /* any other, to a view */
    SN_REFERENCE_MAYBE_ACCESSOR, /* a number that an unknown extension may mean so */
    SN_REFERENCE_MAYBE_VIEW,
    SN_REFERENCE_MAYBE_BUFFER
} sn_reference_kind;

typedef struct sn_reference {
    sn_reference_kind kind;
    uint32_t value;  /* the JSON number */
    uint32_t target; /* below the number of accessors, views or buffers */
    uint32_t holder; /* an accessor, or SN_NONE */
} sn_reference;

typedef void (*sn_reference_visitor)(void *user, const sn_reference *reference);

/* Visits every reference to an accessor or a view in linear time. */
void sn_visit_references(const sn_gltf *gltf, sn_reference_visitor visit, void *user);

/* ---- The plan ---- */

/* An accessor of the output: one of the file's (below the file's number of accessors), or that
 * number plus the index of a new one. */
typedef uint32_t sn_accessor_ref;

/* Data that the output needs and the file does not have. */
typedef struct sn_new_accessor {
    const float *values;
    uint32_t count;     /* elements */
    uint8_t rows;       /* 1, 3, 4 */
    bool bounds;        /* min and max */
    uint32_t preferred; /* the file's accessor whose place it takes if that comes free, SN_NONE */
    uint32_t accessor;  /* slot */
    uint32_t view;      /* slot */
    bool in_place;      /* it keeps the view and the offset of the one whose slot it takes */
    uint32_t buffer;
    size_t offset; /* in the buffer */
} sn_new_accessor;

typedef enum sn_fate { SN_KEEP, SN_REWRITE, SN_REMOVE } sn_fate;

typedef struct sn_sampler_plan {
    sn_fate fate;
    uint32_t value;         /* JSON object in the file, SN_NONE for a new one */
    uint32_t input, output; /* in the file; SN_NONE where they are unusable */
    uint32_t users;         /* channels in the file that stay or are rewritten into it */
    uint32_t number;        /* in the output */
    sn_accessor_ref new_input, new_output;
    sn_interpolation interpolation;
} sn_sampler_plan;

typedef struct sn_channel_plan {
    sn_fate fate;
    uint32_t value;        /* JSON object in the file, SN_NONE for a new one */
    uint32_t sampler;      /* in the plan's samplers */
    const sn_track *track; /* of the file, or NULL for a channel that is no track */
} sn_channel_plan;

/* An animation of the file, taken apart. */
typedef struct sn_animation_plan {
    uint32_t value;
    uint32_t channel_count, sampler_count;
    sn_channel_plan *channels;
    sn_sampler_plan *samplers;
} sn_animation_plan;

/* An animation of the output. */
typedef struct sn_clip_plan {
    const sn_clip *clip;
    const sn_animation_plan *origin; /* or NULL: a new animation */
    bool raw;                        /* written as it is in the file */
    /* Channels and samplers of the origin first, in its order; new ones after. */
    sn_channel_plan *channels;
    sn_sampler_plan *samplers;
    uint32_t channel_count, sampler_count;
    const sn_track **added; /* what the new channels are made from */
} sn_clip_plan;

/* An animation needs a channel (glTF 2.0, 5.5, animation.channels). */
static inline bool sn_clip_is_written(const sn_clip_plan *clip) {
    for (uint32_t i = 0; i < clip->channel_count && !clip->raw; i++)
        if (clip->channels[i].fate != SN_REMOVE)
            return true;
    return clip->raw;
}

/* An accessor or view of the file, or a new one. */
typedef struct sn_slot {
    uint32_t uses;       /* references that are left */
    uint32_t other_uses; /* views: those of them that are not an accessor's own view */
    bool released;       /* it has lost one; without any left it is free */
    bool orphan;         /* free, but it has to stay */
    uint32_t number;     /* in the output */
    uint32_t occupant;   /* the new accessor that takes this slot, or SN_NONE */
} sn_slot;

static inline bool sn_slot_is_free(const sn_slot *slot) {
    return slot->released && slot->uses == 0 && !slot->orphan;
}

typedef struct sn_write_buffer {
    size_t length; /* in the output */
    bool changed;
    uint8_t *bytes; /* of the output when changed */
} sn_write_buffer;

/* A number in the text that becomes another. */
typedef struct sn_splice {
    uint32_t offset, length;
    uint32_t number;
} sn_splice;

typedef struct sn_writer {
    const sn_gltf *gltf;
    const sn_json *json;
    const sn_gltf_write_options *options;
    sn_arena *arena;
    sn_error *error;

    bool edited;        /* the clips */
    bool new_modifiers; /* the extension SINEW_modifiers changes */
    sn_clip_plan *clips;
    uint32_t clip_count;
    sn_new_accessor *news; /* as many as there is room for: two a new track */
    uint32_t new_count;

    sn_slot *accessors, *views; /* the file's, then new ones */
    uint32_t accessor_count, view_count;
    uint32_t next_view; /* slots before it are taken */
    bool keep_numbers;  /* an unknown extension may hold numbers of accessors or views */
    bool keep_gaps;     /* one may know bytes that no view covers */
    uint32_t orphan_count;

    sn_write_buffer *buffers; /* the file's, and room for one more */
    uint32_t buffer_count;    /* of the output */

    sn_splice *splices; /* sorted by offset */
    uint32_t splice_count;
} sn_writer;

sn_result sn_writer_no_memory(sn_writer *w);

/* The same tracks by pointer, the same name and markers. */
bool sn_same_clip(const sn_clip *clip, const sn_clip *was);

/* The steps, in this order. */
sn_result sn_write_references(sn_writer *w);
sn_result sn_write_clips(sn_writer *w);
sn_result sn_write_slots(sn_writer *w);
sn_result sn_write_bytes(sn_writer *w);
sn_result sn_write_numbers(sn_writer *w);

/* A slot for a view that no slot of the file serves. */
uint32_t sn_write_add_view(sn_writer *w, uint32_t occupant);

/* Appends the JSON text of the output. `uris` has for each buffer the JSON string of a URI to give
 * it, "" for none (the member goes), or NULL to leave it as it is. */
sn_result sn_write_json(sn_writer *w, const char *const *uris, sn_text *out);

#endif
