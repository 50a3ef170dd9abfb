#include "anim/view_builder.h"

/* A stream costs memory for each lane of its blocks. It is worth that when at least half of them
 * are used; channels that are more alone keep keys of their own. */
typedef struct stream_plan {
    uint32_t entry_count, block_count, last_offset;
    uint32_t first; /* of its entries in `order` */
} stream_plan;

typedef struct plans {
    uint32_t count;
    stream_plan *list; /* by times and interpolation */
    uint32_t *order;   /* entries by stream, else in the order they have */
} plans;

static size_t plan_of_entry(const sn_view_entry *e) {
    return (size_t)e->times * 3 + e->track->interpolation;
}

static bool plan_streams(sn_view_builder *b, plans *out) {
    out->count = b->times_count * 3;
    out->list = SN_ARENA_NEW(b->scratch, stream_plan, out->count);
    out->order = SN_ARENA_NEW(b->scratch, uint32_t, b->entry_count);
    if (!out->list || !out->order)
        return false;
    for (uint32_t i = 0; i < b->entry_count; i++) {
        const sn_view_entry *e = &b->entries[i];
        stream_plan *plan = &out->list[plan_of_entry(e)];
        plan->block_count += !plan->entry_count || plan->last_offset != e->offset;
        plan->last_offset = e->offset;
        plan->entry_count++;
    }
    for (uint32_t i = 1; i < out->count; i++)
        out->list[i].first = out->list[i - 1].first + out->list[i - 1].entry_count;
    for (uint32_t i = 0; i < b->entry_count; i++) {
        sn_view_entry *e = &b->entries[i];
        stream_plan *plan = &out->list[plan_of_entry(e)];
        e->in_stream = (uint64_t)plan->entry_count * 2 >= (uint64_t)plan->block_count * b->lanes;
        out->order[plan->first++] = i;
    }
    for (uint32_t i = 0; i < out->count; i++)
        out->list[i].first -= out->list[i].entry_count;
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
static bool is_full(const sn_view_builder *b, const block_plan *block) {
    uint32_t first = block->offset / (SN_POSE_VECTORS * b->lanes) * b->lanes;
    uint32_t used = b->joint_count - first < b->lanes ? b->joint_count - first : b->lanes;
    return block->lane_count == used;
}

/* Blocks of one section: full ones first, each kind in the order of the pose. */
static bool lay_section(sn_view_builder *b, sn_stream *stream, uint32_t part, block_plan *blocks,
                        uint32_t count) {
    uint32_t width = sn_part_width(part);
    uint32_t full = 0;
    for (uint32_t i = 0; i < count; i++)
        full += is_full(b, &blocks[i]);
    uint32_t *offsets = sn_view_keep(b, count, sizeof *offsets);
    sn_lane_mask *masks = sn_view_keep(b, count - full, sizeof *masks);
    if (!offsets || !masks)
        return false;
    stream->sections[part] = (sn_section){full, count, offsets, masks};
    uint32_t next_full = 0, next_partial = full;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = is_full(b, &blocks[i]) ? next_full++ : next_partial++;
        offsets[at] = blocks[i].offset;
        if (at >= full)
            masks[at - full] = blocks[i].mask;
        blocks[i].row_offset = stream->row_floats + at * width * b->lanes;
    }
    stream->row_floats += count * width * b->lanes;
    return true;
}

/* Lanes that are not animated hold the identity at each key, with tangents of zero. */
static void clear_frames(const sn_view_builder *b, const sn_stream *stream, float *frames,
                         size_t rows) {
    const sn_section *sections = stream->sections;
    bool is_cubic = stream->interpolation == SN_CUBICSPLINE;
    size_t lanes = b->lanes, rotations = sections[SN_PART_ROTATION].block_count;
    size_t scales = (rotations * 4 + sections[SN_PART_TRANSLATION].block_count * 3) * lanes;
    for (size_t row = is_cubic; row < rows; row += is_cubic ? 3 : 1) {
        float *to = frames + row * stream->row_floats;
        for (size_t block = 0; block < rotations; block++)
            for (size_t lane = 0; lane < lanes; lane++)
                to[(block * 4 + 3) * lanes + lane] = 1;
        for (size_t at = scales; at < stream->row_floats; at++)
            to[at] = 1;
    }
}

/* Writes a track with `row` floats from one row to the next and `step` from one component to the
 * next. */
static void write_keys(const sn_track *track, float *to, size_t row, size_t step) {
    uint32_t rows = sn_track_rows(track);
    float sign = 1;
    for (uint32_t key = 0; key < track->key_count; key++) {
        sign = sn_view_key_sign(track, key, sign);
        for (uint32_t r = 0; r < rows; r++) {
            const float *from = track->values + ((size_t)key * rows + r) * track->width;
            for (uint32_t i = 0; i < track->width; i++)
                to[i * step] = sign * from[i];
            to += row;
        }
    }
}

/* The blocks of the members of one stream; plan_of says which is whose. */
static bool lay_out(sn_view_builder *b, sn_stream *stream, const uint32_t *members, uint32_t count,
                    block_plan *blocks, uint32_t *block_of) {
    uint32_t block_count = 0, at = 0;
    for (uint32_t part = 0; part < SN_PARTS; part++) {
        uint32_t start = block_count;
        for (; at < count && b->entries[members[at]].part == part; at++) {
            const sn_view_entry *e = &b->entries[members[at]];
            if (block_count == start || blocks[block_count - 1].offset != e->offset)
                blocks[block_count++].offset = e->offset;
            block_plan *block = &blocks[block_count - 1];
            block->mask.lanes[e->joint % b->lanes] = -1;
            block->lane_count++;
            block_of[at] = block_count - 1;
        }
        if (!lay_section(b, stream, part, blocks + start, block_count - start))
            return false;
    }
    return true;
}

static bool make_stream(sn_view_builder *b, sn_stream *stream, const uint32_t *members,
                        uint32_t count) {
    block_plan *blocks = SN_ARENA_NEW(b->scratch, block_plan, count);
    uint32_t *block_of = SN_ARENA_NEW(b->scratch, uint32_t, count);
    const sn_track *track = b->entries[members[0]].track;
    stream->interpolation = track->interpolation;
    if (!blocks || !block_of ||
        !sn_time_set_init(&stream->times, track->times, track->key_count, &b->view->arena) ||
        !lay_out(b, stream, members, count, blocks, block_of))
        return false;
    b->view->bytes += sn_time_set_bytes(&stream->times);

    size_t rows = (size_t)track->key_count * sn_track_rows(track);
    float *frames = sn_view_keep(b, rows, stream->row_floats * sizeof *frames);
    if (!frames)
        return false;
    stream->frames = frames;
    clear_frames(b, stream, frames, rows);
    for (uint32_t i = 0; i < count; i++) {
        const sn_view_entry *e = &b->entries[members[i]];
        float *lane = frames + blocks[block_of[i]].row_offset + e->joint % b->lanes;
        write_keys(e->track, lane, stream->row_floats, b->lanes);
    }
    return true;
}

bool sn_view_make_streams(sn_view_builder *b) {
    sn_clip_view *view = b->view;
    plans p;
    if (!plan_streams(b, &p))
        return false;
    for (uint32_t i = 0; i < p.count; i++)
        view->stream_count +=
            p.list[i].entry_count && b->entries[p.order[p.list[i].first]].in_stream;
    view->streams = sn_view_keep(b, view->stream_count, sizeof *view->streams);
    if (!view->streams)
        return false;
    sn_stream *next = view->streams;
    for (uint32_t i = 0; i < p.count; i++) {
        const uint32_t *members = p.order + p.list[i].first;
        if (p.list[i].entry_count && b->entries[members[0]].in_stream &&
            !make_stream(b, next++, members, p.list[i].entry_count))
            return false;
    }
    return true;
}
