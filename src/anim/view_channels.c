#include <math.h>

#include "anim/view_builder.h"

/* ---- Keys ---- */

/* Rows of 4 floats, the time in the last float of a key: see sn_channel_block. Behind the last key
 * `padding` more, of infinite time, for searches that look too far. */
static const float *write_keys(sn_view_builder *b, const sn_track *track, uint32_t stride,
                               size_t padding) {
    float *keys = sn_view_keep(b, track->key_count + padding, stride * sizeof *keys);
    float *to = keys, sign = 1;
    for (uint32_t key = 0; keys && key < track->key_count; key++, to += stride) {
        sign = sn_view_key_sign(track, key, sign);
        for (size_t row = 0; row < sn_track_rows(track); row++) {
            size_t from = ((size_t)key * sn_track_rows(track) + row) * track->width;
            for (size_t i = 0; i < track->width; i++)
                to[row * 4 + i] = sign * track->values[from + i];
        }
        to[stride - 1] = track->times[key];
    }
    for (size_t i = 0; keys && i < padding; i++)
        to[i * stride + stride - 1] = INFINITY;
    return keys;
}

/* ---- Blocks ---- */

static bool is_in_block(const sn_view_entry *e, uint32_t offset, bool is_cubic) {
    return !e->in_stream && e->offset == offset && sn_track_is_cubic(e->track) == is_cubic;
}

/* `tracks` has an entry for each lane of each block; filled lane by lane. */
typedef struct channel_list {
    uint32_t block_count;
    sn_channel_block *blocks;
    const sn_track **tracks;
} channel_list;

static void add_lane(const sn_track *track, uint32_t lane, sn_channel_block *block,
                     const sn_track **tracks) {
    tracks[lane] = track;
    block->mask.lanes[lane] = -1;
    block->moves.lanes[lane] = track->interpolation == SN_STEP ? 0 : -1;
}

/* One block of the entries start … end - 1 that are not in a stream, splines or the others. */
static void list_block(const sn_view_builder *b, uint32_t start, uint32_t end, bool is_cubic,
                       channel_list *list) {
    const sn_view_entry *first = &b->entries[start];
    uint32_t width = sn_part_width(first->part);
    sn_channel_block block = {.offset = first->offset,
                              .vector_count = width,
                              .is_cubic = is_cubic,
                              .stride = sn_channel_stride(width, is_cubic)};
    const sn_track **tracks = list->tracks + (size_t)list->block_count * b->lanes, *any = NULL;
    for (uint32_t i = start; i < end; i++) {
        const sn_view_entry *e = &b->entries[i];
        if (is_in_block(e, first->offset, is_cubic)) {
            add_lane(e->track, e->joint % b->lanes, &block, tracks);
            any = any ? any : e->track;
        }
    }
    if (!any)
        return;
    for (uint32_t lane = 0; lane < b->lanes; lane++)
        tracks[lane] = tracks[lane] ? tracks[lane] : any;
    list->blocks[list->block_count++] = block;
}

static bool list_blocks(sn_view_builder *b, channel_list *list) {
    uint32_t alone = 0; /* a block has at least one entry */
    for (uint32_t i = 0; i < b->entry_count; i++)
        alone += !b->entries[i].in_stream;
    list->blocks = sn_view_keep(b, alone, sizeof *list->blocks);
    list->tracks = SN_ARENA_NEW(b->scratch, const sn_track *, (size_t)alone * b->lanes);
    if (!list->blocks || !list->tracks)
        return false;
    for (uint32_t start = 0, end; start < b->entry_count; start = end) {
        for (end = start + 1; end < b->entry_count; end++)
            if (b->entries[end].offset != b->entries[start].offset)
                break;
        list_block(b, start, end, false, list);
        list_block(b, start, end, true, list);
    }
    return true;
}

/* ---- The grid ---- */

/* Two buckets for each key of the longest channel, but no more than four for each of an average
 * one: a single long channel must not cost memory for all the others. */
static bool make_grid(sn_view_builder *b, const channel_list *list) {
    sn_bucket_grid *grid = &b->view->grid;
    size_t slots = (size_t)list->block_count * b->lanes;
    if (!slots)
        return true;
    uint32_t most = 0;
    uint64_t sum = 0;
    grid->first = INFINITY;
    grid->last = -INFINITY;
    for (size_t slot = 0; slot < slots; slot++) {
        const sn_track *track = list->tracks[slot];
        most = track->key_count > most ? track->key_count : most;
        sum += track->key_count;
        grid->first = fminf(grid->first, track->times[0]);
        grid->last = fmaxf(grid->last, track->times[track->key_count - 1]);
    }
    uint64_t average = sum / slots + 1, wanted = most < 2 * average ? 2 * most : 4 * average;
    grid->buckets_per_second = (float)wanted / (grid->last - grid->first);
    if (!isfinite(grid->buckets_per_second)) /* extremely close: one bucket */
        grid->buckets_per_second = 0;
    grid->bucket_count = sn_bucket_of(grid, grid->last) + 1;
    grid->slot_count = (uint32_t)slots;
    if (most > UINT16_MAX)
        grid->wide_firsts = sn_view_keep(b, grid->bucket_count, slots * sizeof(uint32_t));
    else
        grid->firsts = sn_view_keep(b, grid->bucket_count, slots * sizeof(uint16_t));
    return grid->firsts || grid->wide_firsts;
}

/* Writes the grid's column of a slot, and returns how far at most the last key in a bucket is from
 * the bucket's first. */
static uint32_t fill_column(const sn_bucket_grid *grid, const sn_track *track, size_t slot) {
    uint16_t *narrow = (uint16_t *)(uintptr_t)grid->firsts;
    uint32_t *wide = (uint32_t *)(uintptr_t)grid->wide_firsts;
    uint32_t farthest = 0;
    for (uint32_t bucket = 0, key = 0; bucket < grid->bucket_count; bucket++) {
        uint32_t first = key ? key - 1 : 0;
        size_t at = (size_t)bucket * grid->slot_count + slot;
        if (narrow)
            narrow[at] = (uint16_t)first;
        else
            wide[at] = first;
        while (key < track->key_count && sn_bucket_of(grid, track->times[key]) <= bucket)
            key++;
        if (key && key - 1 - first > farthest)
            farthest = key - 1 - first;
    }
    return farthest;
}

/* ---- All of it ---- */

static bool fill_lane(sn_view_builder *b, const channel_list *list, uint32_t index, uint32_t lane) {
    sn_channel_block *block = &list->blocks[index];
    size_t slot = (size_t)index * b->lanes + lane;
    const sn_track *track = list->tracks[slot];
    uint32_t step = sn_search_step(fill_column(&b->view->grid, track, slot));
    block->first[lane] = track->times[0];
    block->last[lane] = track->times[track->key_count - 1];
    block->steps[lane] = step * block->stride;
    for (uint32_t before = 0; before < lane; before++)
        if (list->tracks[slot - lane + before] == track) /* one of the two is not animated */
            block->keys[lane] = block->keys[before];
    if (!block->keys[lane])
        block->keys[lane] = write_keys(b, track, block->stride, (size_t)step + 1);
    return block->keys[lane];
}

bool sn_view_make_channels(sn_view_builder *b) {
    channel_list list = {0};
    if (!list_blocks(b, &list) || !make_grid(b, &list))
        return false;
    for (uint32_t i = 0; i < list.block_count; i++)
        for (uint32_t lane = 0; lane < b->lanes; lane++)
            if (!fill_lane(b, &list, i, lane))
                return false;
    b->view->channel_blocks = list.blocks;
    b->view->channel_block_count = list.block_count;
    return true;
}
