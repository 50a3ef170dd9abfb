/* A clip laid out for playing. Private to the folder.
 *
 * The unit is a block: one part (rotation, translation or scale) of one group of joints, 4 or 3
 * vectors that lie together in a pose.
 *
 * Channels that share their times and interpolation become a stream: for each key time a frame, one
 * after the other, and in it every block of the stream in the pose's own layout. Sampling reads two
 * neighbouring frames from front to back. Channels with times of their own keep their keys one
 * after the other, find their segment alone, and are gathered into blocks lane by lane. */
#ifndef SN_ANIM_CLIP_VIEW_H
#define SN_ANIM_CLIP_VIEW_H

#include "anim/skeleton.h"
#include "anim/time_set.h"

/* Which lanes of a block are animated, as all ones or all zeros. */
typedef struct sn_lane_mask {
    int32_t lanes[8];
} sn_lane_mask;

/* ---- Streams ---- */

/* The blocks of one part in a stream: first those with every lane animated. */
typedef struct sn_section {
    uint32_t full_count, block_count;
    const uint32_t *offsets;   /* of each block in a pose, in floats */
    const sn_lane_mask *masks; /* of those that are not full */
} sn_section;

/* A frame holds the sections one after the other; with SN_CUBICSPLINE all of them three times:
 * in-tangents, values, out-tangents. */
typedef struct sn_stream {
    sn_time_set times;
    sn_interpolation interpolation;
    uint32_t row_floats; /* of the sections once */
    const float *frames;
    sn_section sections[SN_PARTS]; /* rotation, translation, scale */
} sn_stream;

/* ---- Channels with times of their own ---- */

/* Where every such channel begins to search: their time from the earliest key to the latest is cut
 * into buckets, and for each bucket the last key of each channel before it, or 0, is written side
 * by side, as channels are looked up side by side. */
typedef struct sn_bucket_grid {
    float first, last;
    float buckets_per_second;
    uint32_t bucket_count;
    uint32_t slot_count;         /* lanes of all blocks */
    const uint16_t *firsts;      /* or NULL: */
    const uint32_t *wide_firsts; /* with 32 bits where 16 are too few */
} sn_bucket_grid;

/* A block of such channels. A key is one row of 4 floats, or three with SN_CUBICSPLINE, and its
 * time: the last row's fourth float with translations and scales, a float of its own with
 * rotations. Past the last key there are some whose time is infinite. Lanes that are not animated
 * repeat the first that is. */
typedef struct sn_channel_block {
    uint32_t offset; /* in a pose, in floats */
    uint32_t vector_count;
    bool is_cubic;
    uint32_t stride;         /* floats from a key to the next; the time is the last of them */
    sn_lane_mask mask;       /* animated lanes */
    sn_lane_mask moves;      /* those that are not STEP */
    float first[8], last[8]; /* key times */
    uint32_t steps[8];       /* the search's first, in floats: stride times a power of two, or 0 */
    const float *keys[8];
} sn_channel_block;

static inline uint32_t sn_channel_stride(uint32_t vector_count, bool is_cubic) {
    return (is_cubic ? 12u : 4u) + (vector_count == 4 ? 1u : 0u);
}

/* `time` between the grid's first and last. */
static inline uint32_t sn_bucket_of(const sn_bucket_grid *grid, float time) {
    return sn_time_bucket(time - grid->first, grid->buckets_per_second);
}

static inline float sn_bucket_grid_clamp(const sn_bucket_grid *grid, float time) {
    float clamped = time > grid->first ? time : grid->first; /* NaN becomes the first */
    return clamped < grid->last ? clamped : grid->last;
}

/* The key at or before `time`, which is finite, from the one that the grid says. */
static inline const float *sn_channel_search(const float *key, uint32_t step, uint32_t stride,
                                             float time) {
    for (; step >= stride; step >>= 1) {
        const float *later = key + step;
        key = SN_UNPREDICTABLE(later[stride - 1] <= time) ? later : key;
    }
    return key;
}

/* ---- The view ---- */

/* A part of the pose that is not overwritten whole: copied from `base` first. */
typedef struct sn_base_run {
    uint32_t offset, count; /* floats, multiples of the lanes */
} sn_base_run;

/* How far apart neighbouring rotations are, see slerp.h; SN_SLERP_LOOSE when some are not of unit
 * length, see sn_track_evaluate. */
typedef enum sn_slerp_kind { SN_SLERP_CLOSE, SN_SLERP_WIDE, SN_SLERP_LOOSE } sn_slerp_kind;

struct sn_clip_view {
    sn_arena arena; /* holds the view itself too */
    size_t bytes;
    const sn_skeleton *skeleton;
    const float *base;        /* the rest pose, with the channels that never change */
    sn_slerp_kind slerp_kind; /* of all LINEAR rotations */
    uint32_t base_run_count, stream_count, channel_block_count, weight_track_count;
    const sn_base_run *base_runs;
    sn_stream *streams;
    sn_bucket_grid grid;
    sn_channel_block *channel_blocks;
    uint32_t *weight_tracks;
};

#endif
