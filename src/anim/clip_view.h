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

/* A distinct array of key times. The span from the first to the last is cut into buckets of equal
 * length; firsts[b] is the last key before bucket b, or 0, and firsts[b + 1] the last that can lie
 * in it. With as many buckets as keys a search ends at once whatever the length of the clip, and
 * however uneven the times are it never takes more steps than a binary search. */
typedef struct sn_time_set {
    const float *times;
    uint32_t count;
    uint32_t bucket_count;
    float buckets_per_second;
    const uint16_t *firsts;      /* bucket_count + 1, or NULL when there are too many keys */
    const uint32_t *wide_firsts; /* then these */
} sn_time_set;

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

/* One track with times of its own: rows of 4 floats, one a key or three with SN_CUBICSPLINE. */
typedef struct sn_channel {
    uint32_t time_set;
    bool is_step;
    const float *keys;
} sn_channel;

/* A block of such channels; `channels` are those of the animated lanes, `lanes` says which. */
typedef struct sn_channel_block {
    uint32_t offset; /* in a pose, in floats */
    uint32_t vector_count;
    bool is_cubic;
    uint32_t channel_count;
    const sn_channel *channels;
    uint8_t lanes[8];
    sn_lane_mask mask;
} sn_channel_block;

/* A part of the pose that is not overwritten whole: copied from `base` first. */
typedef struct sn_base_run {
    uint32_t offset, count; /* floats, multiples of the lanes */
} sn_base_run;

/* How far apart neighbouring rotations are, see slerp.h; SN_SLERP_LOOSE when some are not of unit
 * length, see sn_track_evaluate. */
typedef enum sn_slerp_kind {
    SN_SLERP_CLOSE,
    SN_SLERP_MEDIUM,
    SN_SLERP_WIDE,
    SN_SLERP_LOOSE
} sn_slerp_kind;

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

/* A segment and how far into it: frames `index` and `next`, which is the same before the first key
 * and from the last one on. */
typedef struct sn_segment {
    uint32_t index, next;
    float fraction;
    float length; /* seconds */
} sn_segment;

static inline uint32_t sn_time_set_bucket(const sn_time_set *set, float time) {
    uint32_t bucket = (uint32_t)((time - set->times[0]) * set->buckets_per_second);
    return bucket < set->bucket_count ? bucket : set->bucket_count - 1;
}

static inline sn_segment sn_time_set_find(const sn_time_set *set, float time) {
    const float *times = set->times;
    uint32_t last = set->count - 1;
    if (!(time >= times[0])) /* NaN too */
        return (sn_segment){0, 0, 0, 0};
    if (time >= times[last])
        return (sn_segment){last, last, 0, 0};
    uint32_t bucket = sn_time_set_bucket(set, time), low, high;
    if (set->firsts) {
        low = set->firsts[bucket];
        high = set->firsts[bucket + 1] + 1u;
    } else {
        low = set->wide_firsts[bucket];
        high = set->wide_firsts[bucket + 1] + 1;
    }
    while (high - low >
           1) { /* times[low] <= time, and time < times[high] or high is past the end */
        uint32_t middle = low + (high - low) / 2;
        if (times[middle] <= time)
            low = middle;
        else
            high = middle;
    }
    float length = times[low + 1] - times[low];
    return (sn_segment){low, low + 1, (time - times[low]) / length, length};
}

#endif
