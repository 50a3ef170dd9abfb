/* The counted blocks that documents share: tracks, markers, clips. A block is written by whoever
 * made it until it is handed over, and never again after.
 *
 * Blocks take the allocator as an argument instead of keeping it: all blocks of a document come
 * from the document's own. */
#ifndef SN_EDIT_SHARED_H
#define SN_EDIT_SHARED_H

#include "sinew/memory.h"
#include "sinew/track.h"

typedef struct sn_block {
    size_t references;
    size_t bytes;
    bool counted; /* scratch of sn_document_bytes */
} sn_block;

/* A track that is not the model's. `track` comes first, so that a pointer to it is one to the
 * block; its times and values lie behind it. */
typedef struct sn_shared_track {
    sn_track track;
    sn_block block;
} sn_shared_track;

/* Markers set by commands; their names lie behind them. */
typedef struct sn_shared_markers {
    sn_block block;
    uint32_t count;
    sn_marker *items;
} sn_shared_markers;

/* A clip. Its track array lies behind it, except in a clip as the model has it: there it is the
 * model's own. */
typedef struct sn_shared_clip {
    sn_clip clip;
    sn_block block;
    uint32_t track_capacity;
    const sn_track **tracks;    /* track_capacity; clip.tracks for the one who may still write */
    sn_shared_track **owned;    /* for each track its block, or NULL where it is the model's; NULL
                                   when all are the model's */
    sn_shared_markers *markers; /* NULL: clip.markers is the model's, or there are none */
} sn_shared_clip;

/* Bytes from `count` things of `size`, SIZE_MAX when that is too many: no allocator has those. */
size_t sn_bytes_of(size_t count, size_t size);
size_t sn_bytes_add(size_t a, size_t b);

/* A track of this node, path, interpolation, width, key_count and origin; times and values are
 * still to be written through these. NULL without memory. */
sn_shared_track *sn_shared_track_create(const sn_allocator *allocator, const sn_track *shape);
float *sn_shared_track_times(sn_shared_track *track);
float *sn_shared_track_values(sn_shared_track *track);
void sn_shared_track_release(const sn_allocator *allocator, sn_shared_track *track);

/* A copy of `items`, names included. NULL without memory. */
sn_shared_markers *sn_shared_markers_create(const sn_allocator *allocator, const sn_marker *items,
                                            uint32_t count);
void sn_shared_markers_release(const sn_allocator *allocator, sn_shared_markers *markers);

/* A clip as the model has it, borrowing all. NULL without memory. */
sn_shared_clip *sn_shared_clip_borrow(const sn_allocator *allocator, const sn_clip *clip);

/* A clip of this name, with the tracks and markers of `source` (NULL: with none) and room for
 * `more` tracks. NULL without memory. */
sn_shared_clip *sn_shared_clip_create(const sn_allocator *allocator, const sn_shared_clip *source,
                                      const char *name, uint32_t more);
void sn_shared_clip_release(const sn_allocator *allocator, sn_shared_clip *clip);

#endif
