#include <math.h>
#include <string.h>

#include "anim/clip_view.h"
#include "anim/slerp.h"
#include "base/error.h"
#include "math/quat.h"

static const struct path {
    uint32_t vector, width, section;
} paths[] = {
    [SN_PATH_TRANSLATION] = {SN_POSE_TRANSLATION, 3, SN_SECTION_TRANSLATION},
    [SN_PATH_ROTATION] = {SN_POSE_ROTATION, 4, SN_SECTION_ROTATION},
    [SN_PATH_SCALE] = {SN_POSE_SCALE, 3, SN_SECTION_SCALE},
};
/* In the order of a pose. */
static const sn_path section_paths[SN_SECTIONS] = {SN_PATH_ROTATION, SN_PATH_TRANSLATION,
                                                   SN_PATH_SCALE};

/* A track that decides one path of one joint, and that changes over time. */
typedef struct entry {
    const sn_track *track;
    uint32_t joint;
    uint32_t time_set;
    bool in_stream;
} entry;

typedef struct builder {
    sn_clip_view *view;
    const sn_clip *clip;
    sn_arena *scratch;
    uint32_t lanes, joint_count;
    uint32_t entry_count;
    bool is_wide;            /* some track has more keys than 16 bits count */
    entry *entries;          /* by section, then by joint */
    uint32_t *by_stream;     /* entries by time set and interpolation, else in the same order */
    uint32_t *stream_starts; /* 3 * time_set_count + 1 */
    float *base;
} builder;

static void *keep(builder *b, size_t count, size_t size) {
    void *memory = sn_arena_alloc(&b->view->arena, count, size);
    if (memory)
        b->view->bytes += count * size;
    return memory;
}

static uint32_t pose_offset(const builder *b, const entry *e) {
    uint32_t vector = paths[e->track->path].vector;
    return (e->joint / b->lanes * SN_POSE_VECTORS + vector) * b->lanes;
}

static bool is_rotation(const entry *e) {
    return e->track->path == SN_PATH_ROTATION;
}

/* The value of a key, past the in-tangent of a cubic one. */
static const float *value_of(const sn_track *track, uint32_t key) {
    bool is_cubic = track->interpolation == SN_CUBICSPLINE;
    return track->values + ((size_t)key * (is_cubic ? 3 : 1) + is_cubic) * track->width;
}

/* ---- Which track decides what ---- */

static bool is_constant(const sn_track *track) {
    if (track->interpolation == SN_CUBICSPLINE)
        return track->key_count == 1;
    for (uint32_t key = 1; key < track->key_count; key++)
        if (memcmp(value_of(track, key), value_of(track, 0), track->width * sizeof(float)) != 0)
            return false;
    return true;
}

static void set_base(builder *b, const entry *e) {
    float value[4];
    sn_track_evaluate(e->track, 0, value);
    float *to = b->base + pose_offset(b, e) + e->joint % b->lanes;
    for (uint32_t i = 0; i < e->track->width; i++)
        to[(size_t)i * b->lanes] = value[i];
}

/* Lists the tracks that decide: of several with one target the last. One that never changes is
 * written into the base pose instead. */
static bool list_entries(builder *b) {
    const sn_skeleton *skeleton = b->view->skeleton;
    size_t slots = (size_t)b->joint_count * SN_SECTIONS;
    const sn_track **deciding = SN_ARENA_NEW(b->scratch, const sn_track *, slots);
    b->entries = SN_ARENA_NEW(b->scratch, entry, slots);
    b->base = keep(b, sn_pose_floats(skeleton), sizeof *b->base);
    if (!deciding || !b->entries || !b->base)
        return false;
    memcpy(b->base, skeleton->rest, sn_pose_floats(skeleton) * sizeof *b->base);
    for (uint32_t i = 0; i < b->clip->track_count; i++) {
        const sn_track *track = b->clip->tracks[i];
        if (track->path == SN_PATH_WEIGHTS || track->node >= b->joint_count)
            continue;
        uint32_t joint = skeleton->joint_of_node[track->node];
        deciding[(size_t)paths[track->path].section * b->joint_count + joint] = track;
    }
    for (size_t slot = 0; slot < slots; slot++) {
        if (!deciding[slot])
            continue;
        entry e = {.track = deciding[slot], .joint = (uint32_t)(slot % b->joint_count)};
        if (is_constant(e.track))
            set_base(b, &e);
        else
            b->entries[b->entry_count++] = e;
        b->is_wide |= e.track->key_count > UINT16_MAX;
    }
    return true;
}

/* ---- Times ---- */

static uint32_t hash_times(const sn_track *track) { /* FNV-1a, a word at a time */
    uint64_t hash = 14695981039346656037u ^ track->key_count;
    for (uint32_t i = 0; i < track->key_count; i++) {
        uint32_t bits;
        memcpy(&bits, &track->times[i], sizeof bits);
        hash = (hash ^ bits) * 1099511628211u;
    }
    return (uint32_t)(hash ^ (hash >> 32));
}

static bool add_time_set(builder *b, const sn_track *track, uint32_t *out) {
    *out = b->view->time_set_count++;
    sn_time_set *set = &b->view->time_sets[*out];
    if (!sn_time_set_init(set, track->times, track->key_count, b->is_wide, &b->view->arena))
        return false;
    b->view->bytes += sn_time_set_bytes(set);
    return true;
}

/* Gives each entry its time set; arrays of the same content share one. */
static bool find_time_sets(builder *b) {
    b->view->time_sets = keep(b, b->entry_count, sizeof *b->view->time_sets);
    size_t slots = 16;
    while (slots < (size_t)b->entry_count * 2)
        slots *= 2;
    uint32_t *table = SN_ARENA_NEW(b->scratch, uint32_t, slots); /* 1 + time set */
    if (!b->view->time_sets || !table)
        return false;
    const sn_track *previous = NULL;
    for (uint32_t i = 0; i < b->entry_count; i++) {
        entry *e = &b->entries[i];
        const sn_track *track = e->track;
        if (previous && track->times == previous->times &&
            track->key_count == previous->key_count) { /* one accessor for both, as usual */
            e->time_set = b->entries[i - 1].time_set;
            continue;
        }
        previous = track;
        size_t slot = hash_times(track) & (slots - 1);
        for (; table[slot]; slot = (slot + 1) & (slots - 1)) {
            const sn_time_set *set = &b->view->time_sets[table[slot] - 1];
            if (set->count == track->key_count &&
                memcmp(set->times, track->times, set->count * sizeof(float)) == 0)
                break;
        }
        if (table[slot])
            e->time_set = table[slot] - 1;
        else if (add_time_set(b, track, &e->time_set))
            table[slot] = e->time_set + 1;
        else
            return false;
    }
    return true;
}

/* ---- How rotations are interpolated, the same for the whole view, so that the choice does not
 * depend on the number of lanes ---- */

static void survey_rotations(builder *b) {
    bool is_loose = false;
    double least = 1;
    for (uint32_t i = 0; i < b->entry_count; i++) {
        const sn_track *track = b->entries[i].track;
        if (!is_rotation(&b->entries[i]) || track->interpolation != SN_LINEAR)
            continue;
        for (uint32_t key = 0; key < track->key_count; key++) {
            const float *q = value_of(track, key);
            if (!(fabs(sn_quat_dot(q, q) - 1) <= 1e-6)) /* more than rounding leaves */
                is_loose = true;
            if (key)
                least = fmin(least, fabs(sn_quat_dot(q, q - 4)));
        }
    }
    b->view->slerp_kind = is_loose                               ? SN_SLERP_LOOSE
                          : least >= (double)SN_SLERP_FEW_COSINE ? SN_SLERP_CLOSE
                                                                 : SN_SLERP_WIDE;
}

/* ---- Streams ---- */

/* A stream costs memory for each lane of its blocks. It is worth that when at least half of them
 * are used; channels that are more alone keep keys of their own. */
static bool decide_streams(builder *b) {
    sn_clip_view *view = b->view;
    size_t keys = (size_t)view->time_set_count * 3;
    b->stream_starts = SN_ARENA_NEW(b->scratch, uint32_t, keys + 1);
    b->by_stream = SN_ARENA_NEW(b->scratch, uint32_t, b->entry_count);
    uint32_t *blocks = SN_ARENA_NEW(b->scratch, uint32_t, keys);
    uint32_t *last_offsets = SN_ARENA_NEW(b->scratch, uint32_t, keys);
    uint32_t *next = SN_ARENA_NEW(b->scratch, uint32_t, keys);
    if (!b->stream_starts || !b->by_stream || !blocks || !last_offsets || !next)
        return false;
    for (uint32_t i = 0; i < b->entry_count; i++) {
        const entry *e = &b->entries[i];
        size_t key = (size_t)e->time_set * 3 + e->track->interpolation;
        uint32_t offset = pose_offset(b, e) + 1;
        blocks[key] += offset != last_offsets[key]; /* entries of a block follow each other */
        last_offsets[key] = offset;
        b->stream_starts[key + 1]++;
    }
    for (size_t key = 0; key < keys; key++) {
        b->stream_starts[key + 1] += b->stream_starts[key];
        next[key] = b->stream_starts[key];
    }
    for (uint32_t i = 0; i < b->entry_count; i++) {
        entry *e = &b->entries[i];
        size_t key = (size_t)e->time_set * 3 + e->track->interpolation;
        uint32_t channels = b->stream_starts[key + 1] - b->stream_starts[key];
        e->in_stream = (uint64_t)channels * 2 >= (uint64_t)blocks[key] * b->lanes;
        b->by_stream[next[key]++] = i;
    }
    for (size_t key = 0; key < keys; key++) {
        uint32_t start = b->stream_starts[key];
        if (start < b->stream_starts[key + 1] && b->entries[b->by_stream[start]].in_stream)
            view->stream_count++;
    }
    return true;
}

/* A block while its stream is laid out. */
typedef struct block_plan {
    uint32_t offset;     /* in the pose */
    uint32_t row_offset; /* in a row of the stream */
    uint32_t lane_count;
    sn_lane_mask mask;
} block_plan;

/* The lanes past the last joint count as animated: they hold the identity in every frame. */
static bool is_full(const builder *b, const block_plan *plan) {
    uint32_t first = plan->offset / (SN_POSE_VECTORS * b->lanes) * b->lanes;
    uint32_t used = b->joint_count - first < b->lanes ? b->joint_count - first : b->lanes;
    return plan->lane_count == used;
}

/* Blocks of one section: full ones first, each kind in the order of the pose. */
static bool lay_section(builder *b, sn_stream *stream, sn_section *section, block_plan *plans,
                        uint32_t count, uint32_t width) {
    uint32_t full = 0;
    for (uint32_t i = 0; i < count; i++)
        full += is_full(b, &plans[i]);
    uint32_t *offsets = keep(b, count, sizeof *offsets);
    sn_lane_mask *masks = keep(b, count - full, sizeof *masks);
    if (!offsets || !masks)
        return false;
    *section = (sn_section){full, count, offsets, masks};
    uint32_t next_full = 0, next_partial = full;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = is_full(b, &plans[i]) ? next_full++ : next_partial++;
        offsets[at] = plans[i].offset;
        if (at >= full)
            masks[at - full] = plans[i].mask;
        plans[i].row_offset = stream->row_floats + at * width * b->lanes;
    }
    stream->row_floats += count * width * b->lanes;
    return true;
}

/* Lanes that are not animated hold the identity at each key, with tangents of zero. */
static void clear_frames(const builder *b, const sn_stream *stream, float *frames, size_t rows) {
    const sn_section *sections = stream->sections;
    bool is_cubic = stream->interpolation == SN_CUBICSPLINE;
    size_t lanes = b->lanes, rotations = sections[SN_SECTION_ROTATION].block_count;
    size_t scales = (rotations * 4 + sections[SN_SECTION_TRANSLATION].block_count * 3) * lanes;
    for (size_t row = is_cubic; row < rows; row += is_cubic ? 3 : 1) {
        float *to = frames + row * stream->row_floats;
        for (size_t block = 0; block < rotations; block++)
            for (size_t lane = 0; lane < lanes; lane++)
                to[(block * 4 + 3) * lanes + lane] = 1;
        for (size_t at = scales; at < stream->row_floats; at++)
            to[at] = 1;
    }
}

/* How the keys of a track are written: LINEAR rotations are brought to the hemisphere of the key
 * before them here, once, instead of at each sampling. Returns the sign of the next key. */
static float next_sign(const sn_track *track, uint32_t key, float sign) {
    bool align = track->path == SN_PATH_ROTATION && track->interpolation == SN_LINEAR;
    if (align && key && sn_quat_dot(value_of(track, key), value_of(track, key - 1)) < 0)
        return -sign;
    return sign;
}

/* Writes a track with `row` floats from one row to the next and `step` from one component to the
 * next. */
static void write_keys(const sn_track *track, float *to, size_t row, size_t step) {
    uint32_t rows = track->interpolation == SN_CUBICSPLINE ? 3 : 1;
    float sign = 1;
    for (uint32_t key = 0; key < track->key_count; key++) {
        sign = next_sign(track, key, sign);
        for (uint32_t r = 0; r < rows; r++) {
            const float *from = track->values + ((size_t)key * rows + r) * track->width;
            for (uint32_t i = 0; i < track->width; i++)
                to[i * step] = sign * from[i];
            to += row;
        }
    }
}

static bool make_stream(builder *b, sn_stream *stream, const uint32_t *members, uint32_t count) {
    block_plan *plans = SN_ARENA_NEW(b->scratch, block_plan, count);
    uint32_t *plan_of = SN_ARENA_NEW(b->scratch, uint32_t, count);
    if (!plans || !plan_of)
        return false;
    const entry *first = &b->entries[members[0]];
    stream->time_set = first->time_set;
    stream->interpolation = first->track->interpolation;

    uint32_t plan_count = 0, at = 0;
    for (uint32_t section = 0; section < SN_SECTIONS; section++) {
        uint32_t start = plan_count;
        for (; at < count; at++) {
            const entry *e = &b->entries[members[at]];
            if (paths[e->track->path].section != section)
                break;
            uint32_t offset = pose_offset(b, e);
            if (plan_count == start || plans[plan_count - 1].offset != offset)
                plans[plan_count++].offset = offset;
            block_plan *plan = &plans[plan_count - 1];
            plan->mask.lanes[e->joint % b->lanes] = -1;
            plan->lane_count++;
            plan_of[at] = plan_count - 1;
        }
        if (!lay_section(b, stream, &stream->sections[section], plans + start, plan_count - start,
                         paths[section_paths[section]].width))
            return false;
    }

    size_t rows = (size_t)b->view->time_sets[stream->time_set].count *
                  (stream->interpolation == SN_CUBICSPLINE ? 3 : 1);
    if (stream->row_floats > SIZE_MAX / 8 / rows)
        return false;
    float *frames = keep(b, rows * stream->row_floats, sizeof *frames);
    if (!frames)
        return false;
    stream->frames = frames;
    clear_frames(b, stream, frames, rows);
    for (uint32_t i = 0; i < count; i++) {
        const entry *e = &b->entries[members[i]];
        float *lane = frames + plans[plan_of[i]].row_offset + e->joint % b->lanes;
        write_keys(e->track, lane, stream->row_floats, b->lanes);
    }
    return true;
}

static bool make_streams(builder *b) {
    sn_clip_view *view = b->view;
    view->streams = keep(b, view->stream_count, sizeof *view->streams);
    if (!view->streams)
        return false;
    sn_stream *next = view->streams;
    for (size_t key = 0; key < (size_t)view->time_set_count * 3; key++) {
        const uint32_t *members = b->by_stream + b->stream_starts[key];
        uint32_t count = b->stream_starts[key + 1] - b->stream_starts[key];
        if (count && b->entries[members[0]].in_stream && !make_stream(b, next++, members, count))
            return false;
    }
    return true;
}

/* ---- Channels with times of their own ---- */

static bool add_channel(builder *b, const entry *e, sn_channel_block *block) {
    const sn_track *track = e->track;
    const sn_time_set *set = &b->view->time_sets[e->time_set];
    uint32_t rows = track->interpolation == SN_CUBICSPLINE ? 3 : 1, lane = e->joint % b->lanes;
    float *keys = keep(b, (size_t)track->key_count * rows, 4 * sizeof *keys);
    if (!keys)
        return false;
    write_keys(track, keys, 4, 1);
    block->lanes[block->lane_count++] = (uint8_t)lane;
    block->mask.lanes[lane] = -1;
    block->moves.lanes[lane] = track->interpolation == SN_STEP ? 0 : -1;
    block->first[lane] = set->first;
    block->last[lane] = set->last;
    block->buckets_per_second[lane] = set->buckets_per_second;
    block->time_sets[lane] = set;
    block->keys[lane] = keys;
    return true;
}

static void fill_idle_lanes(const builder *b, sn_channel_block *block) {
    uint32_t next = block->lane_count, from = block->lanes[0];
    for (uint32_t lane = 0; lane < b->lanes; lane++) {
        if (block->mask.lanes[lane])
            continue;
        block->lanes[next++] = (uint8_t)lane;
        block->first[lane] = block->first[from];
        block->last[lane] = block->last[from];
        block->buckets_per_second[lane] = block->buckets_per_second[from];
        block->time_sets[lane] = block->time_sets[from];
        block->keys[lane] = block->keys[from];
    }
}

/* One block of the entries start … end - 1 that are not in a stream, splines or the others. */
static bool make_channel_block(builder *b, uint32_t start, uint32_t end, bool is_cubic) {
    const entry *first = &b->entries[start];
    sn_channel_block block = {
        .offset = pose_offset(b, first), .vector_count = first->track->width, .is_cubic = is_cubic};
    for (uint32_t i = start; i < end; i++) {
        const entry *e = &b->entries[i];
        if (!e->in_stream && (e->track->interpolation == SN_CUBICSPLINE) == is_cubic &&
            !add_channel(b, e, &block))
            return false;
    }
    if (!block.lane_count)
        return true;
    fill_idle_lanes(b, &block);
    b->view->channel_blocks[b->view->channel_block_count++] = block;
    b->view->bytes += sizeof block;
    return true;
}

/* Entries of one block follow each other. */
static bool make_channel_blocks(builder *b) {
    sn_clip_view *view = b->view;
    view->channel_blocks = SN_ARENA_NEW(&view->arena, sn_channel_block, b->entry_count);
    if (!view->channel_blocks)
        return false;
    for (uint32_t start = 0, end; start < b->entry_count; start = end) {
        uint32_t offset = pose_offset(b, &b->entries[start]);
        for (end = start; end < b->entry_count && pose_offset(b, &b->entries[end]) == offset;)
            end++;
        if (!make_channel_block(b, start, end, false) || !make_channel_block(b, start, end, true))
            return false;
    }
    return true;
}

/* ---- The base pose ---- */

/* Blocks that one full block overwrites need no copy. */
static bool make_base_runs(builder *b) {
    sn_clip_view *view = b->view;
    uint32_t group_count = view->skeleton->group_count;
    bool *covered = SN_ARENA_NEW(b->scratch, bool, (size_t)group_count *SN_POSE_VECTORS);
    sn_base_run *runs = keep(b, (size_t)group_count * SN_SECTIONS, sizeof *runs);
    if (!covered || !runs)
        return false;
    for (uint32_t i = 0; i < view->stream_count; i++)
        for (uint32_t s = 0; s < SN_SECTIONS; s++) {
            const sn_section *section = &view->streams[i].sections[s];
            for (uint32_t k = 0; k < section->full_count; k++)
                covered[section->offsets[k] / b->lanes] = true;
        }
    for (uint32_t i = 0; i < view->channel_block_count; i++)
        if (view->channel_blocks[i].lane_count == b->lanes)
            covered[view->channel_blocks[i].offset / b->lanes] = true;
    view->base_runs = runs;
    for (uint32_t group = 0; group < group_count; group++)
        for (uint32_t s = 0; s < SN_SECTIONS; s++) {
            const struct path *path = &paths[section_paths[s]];
            uint32_t vector = group * SN_POSE_VECTORS + path->vector;
            uint32_t offset = vector * b->lanes, count = path->width * b->lanes;
            if (covered[vector])
                continue;
            sn_base_run *last = view->base_run_count ? &runs[view->base_run_count - 1] : NULL;
            if (last && last->offset + last->count == offset)
                last->count += count;
            else
                runs[view->base_run_count++] = (sn_base_run){offset, count};
        }
    return true;
}

static bool list_weight_tracks(builder *b) {
    const sn_clip *clip = b->clip;
    sn_clip_view *view = b->view;
    for (uint32_t i = 0; i < clip->track_count; i++)
        view->weight_track_count += clip->tracks[i]->path == SN_PATH_WEIGHTS;
    view->weight_tracks = keep(b, view->weight_track_count, sizeof *view->weight_tracks);
    uint32_t *next = view->weight_tracks;
    for (uint32_t i = 0; next && i < clip->track_count; i++)
        if (clip->tracks[i]->path == SN_PATH_WEIGHTS)
            *next++ = i;
    return next;
}

/* ---- The interface ---- */

static bool build(builder *b) {
    if (!list_weight_tracks(b) || !list_entries(b) || !find_time_sets(b))
        return false;
    survey_rotations(b);
    return decide_streams(b) && make_streams(b) && make_channel_blocks(b) && make_base_runs(b);
}

sn_result sn_clip_view_create(const sn_skeleton *skeleton, const sn_clip *clip,
                              const sn_allocator *allocator, sn_clip_view **out, sn_error *error) {
    sn_arena arena, scratch;
    sn_arena_init(&arena, allocator);
    sn_arena_init(&scratch, allocator);
    sn_clip_view *view = SN_ARENA_NEW(&arena, sn_clip_view, 1);
    bool is_built = false;
    if (view) {
        view->arena = arena;
        view->bytes = sizeof *view;
        view->skeleton = skeleton;
        builder b = {.view = view,
                     .clip = clip,
                     .scratch = &scratch,
                     .lanes = skeleton->kernels->lanes,
                     .joint_count = skeleton->joint_count};
        is_built = build(&b);
        view->base = b.base;
    }
    sn_arena_free(&scratch);
    if (!is_built) {
        sn_clip_view_free(view);
        return sn_fail(error, SN_MESSAGE_MEMORY, NULL, "no memory to lay out clip \"%s\"",
                       clip->name);
    }
    *out = view;
    return SN_OK;
}

void sn_clip_view_free(sn_clip_view *view) {
    if (!view)
        return;
    sn_arena arena = view->arena; /* the view lies in its own arena */
    sn_arena_free(&arena);
}

size_t sn_clip_view_bytes(const sn_clip_view *view) {
    return view->bytes;
}

const uint32_t *sn_clip_view_weight_tracks(const sn_clip_view *view, uint32_t *count) {
    *count = view->weight_track_count;
    return view->weight_tracks;
}

void sn_clip_view_sample(const sn_clip_view *view, float time, sn_pose out) {
    view->skeleton->kernels->sample(view, time, out.data);
}
