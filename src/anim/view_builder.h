/* What the files that build a clip view share: clip_view.c decides which tracks count and how, then
 * view_streams.c and view_channels.c lay them out. */
#ifndef SN_ANIM_VIEW_BUILDER_H
#define SN_ANIM_VIEW_BUILDER_H

#include "anim/clip_view.h"

/* A track that decides one part of one joint, and that changes over time. */
typedef struct sn_view_entry {
    const sn_track *track;
    uint32_t joint;
    uint32_t part;
    uint32_t offset; /* of its block in a pose, in floats */
    uint32_t times;  /* which of the distinct arrays of times */
    bool in_stream;
} sn_view_entry;

typedef struct sn_view_builder {
    sn_clip_view *view;
    const sn_clip *clip;
    sn_arena *scratch;
    uint32_t lanes, joint_count;
    uint32_t entry_count;
    sn_view_entry *entries; /* by part, then by joint: those of a block follow each other */
    uint32_t times_count;   /* distinct arrays of times, by content */
    float *base;
} sn_view_builder;

/* Decides which entries are in streams and makes those. False when there is no memory, as below. */
bool sn_view_make_streams(sn_view_builder *b);

/* Makes channels of the entries that are in no stream. */
bool sn_view_make_channels(sn_view_builder *b);

/* Memory that the view keeps, counted. */
static inline void *sn_view_keep(sn_view_builder *b, size_t count, size_t size) {
    void *memory = sn_arena_alloc(&b->view->arena, count, size);
    if (memory)
        b->view->bytes += count * size;
    return memory;
}

static inline bool sn_track_is_cubic(const sn_track *track) {
    return track->interpolation == SN_CUBICSPLINE;
}

static inline uint32_t sn_track_rows(const sn_track *track) {
    return sn_track_is_cubic(track) ? 3 : 1;
}

/* The value of a key, past the in-tangent of a cubic one. */
static inline const float *sn_track_value(const sn_track *track, uint32_t key) {
    size_t row = (size_t)key * sn_track_rows(track) + sn_track_is_cubic(track);
    return track->values + row * track->width;
}

/* The sign that a key is written with, given that of the key before it: LINEAR rotations are
 * brought to the hemisphere of the key before them once, here, instead of at each sampling. */
float sn_view_key_sign(const sn_track *track, uint32_t key, float sign_before);

#endif
