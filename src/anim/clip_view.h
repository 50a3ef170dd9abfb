/* A clip laid out for playing. Private to the folder.
 *
 * The unit is a block: one path (rotation, translation or scale) of one group of joints, 4 or 3
 * vectors that lie together in a pose.
 *
 * Channels that share their times and interpolation become a stream: for each key time a frame, one
 * after the other, and in it every block of the stream in the pose's own layout. Sampling reads two
 * neighbouring frames from front to back. Channels with times of their own keep their keys one
 * after the other and find their segment alone; they are gathered into blocks lane by lane. */
#ifndef SN_ANIM_CLIP_VIEW_H
#define SN_ANIM_CLIP_VIEW_H

#include "anim/skeleton.h"
#include "anim/time_set.h"

/* Which lanes of a block are animated, as all ones or all zeros. */
typedef struct sn_lane_mask {
    int32_t lanes[8];
} sn_lane_mask;

/* The blocks of one path in a stream: first those with every lane animated. */
typedef struct sn_section {
    uint32_t full_count, block_count;
    const uint32_t *offsets;   /* of each block in a pose, in floats */
    const sn_lane_mask *masks; /* of those that are not full */
} sn_section;

enum { SN_SECTION_ROTATION, SN_SECTION_TRANSLATION, SN_SECTION_SCALE, SN_SECTIONS };

/* A frame holds the sections one after the other; with SN_CUBICSPLINE all of them three times:
 * in-tangents, values, out-tangents. */
typedef struct sn_stream {
    uint32_t time_set;
    sn_interpolation interpolation;
    uint32_t row_floats; /* of the sections once */
    const float *frames;
    sn_section sections[SN_SECTIONS];
} sn_stream;

/* A block of channels with times of their own. Each animated lane has keys in rows of 4 floats, one
 * a key or three with SN_CUBICSPLINE, and what is needed to find its segment, side by side for all
 * lanes. Lanes that are not animated repeat the first that is. */
typedef struct sn_channel_block {
    uint32_t offset; /* in a pose, in floats */
    uint32_t vector_count;
    bool is_cubic;
    uint32_t lane_count;                            /* animated ones */
    uint8_t lanes[8];                               /* those first, then the others */
    sn_lane_mask mask;                              /* the animated ones */
    sn_lane_mask moves;                             /* those that are not STEP */
    float first[8], last[8], buckets_per_second[8]; /* as in the lane's time set */
    const sn_time_set *time_sets[8];
    const float *keys[8];
} sn_channel_block;

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
    const float *base; /* the rest pose, with the channels that never change */
    uint32_t base_run_count, time_set_count, stream_count, channel_block_count;
    const sn_base_run *base_runs;
    sn_time_set *time_sets;
    sn_stream *streams;
    sn_channel_block *channel_blocks;
    uint32_t weight_track_count;
    uint32_t *weight_tracks;
    sn_slerp_kind slerp_kind; /* of all LINEAR rotations */
};

#endif
