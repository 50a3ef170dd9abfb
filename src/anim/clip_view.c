#include <math.h>
#include <string.h>

#include "anim/slerp.h"
#include "anim/view_builder.h"
#include "base/error.h"
#include "math/quat.h"

/* ---- Which track decides what ---- */

static bool is_constant(const sn_track *track) {
    if (sn_track_is_cubic(track))
        return track->key_count == 1;
    for (uint32_t key = 1; key < track->key_count; key++)
        if (memcmp(sn_track_value(track, key), sn_track_value(track, 0),
                   track->width * sizeof(float)) != 0)
            return false;
    return true;
}

static void set_base(sn_view_builder *b, const sn_view_entry *e) {
    float value[4];
    sn_track_evaluate(e->track, 0, value);
    float *to = b->base + e->offset + e->joint % b->lanes;
    for (uint32_t i = 0; i < e->track->width; i++)
        to[(size_t)i * b->lanes] = value[i];
}

/* Lists the tracks that decide: of several with one target the last. One that never changes is
 * written into the base pose instead. */
static bool list_entries(sn_view_builder *b) {
    const sn_skeleton *skeleton = b->view->skeleton;
    size_t slots = (size_t)b->joint_count * SN_PARTS;
    const sn_track **deciding = SN_ARENA_NEW(b->scratch, const sn_track *, slots);
    b->entries = SN_ARENA_NEW(b->scratch, sn_view_entry, slots);
    b->base = sn_view_keep(b, sn_pose_floats(skeleton), sizeof *b->base);
    if (!deciding || !b->entries || !b->base)
        return false;
    memcpy(b->base, skeleton->rest, sn_pose_floats(skeleton) * sizeof *b->base);
    for (uint32_t i = 0; i < b->clip->track_count; i++) {
        const sn_track *track = b->clip->tracks[i];
        if (track->path == SN_PATH_WEIGHTS || track->node >= b->joint_count)
            continue;
        uint32_t joint = skeleton->joint_of_node[track->node];
        deciding[(size_t)sn_part_of(track->path) * b->joint_count + joint] = track;
    }
    for (size_t slot = 0; slot < slots; slot++) {
        const sn_track *track = deciding[slot];
        if (!track)
            continue;
        uint32_t joint = (uint32_t)(slot % b->joint_count);
        uint32_t part = (uint32_t)(slot / b->joint_count);
        uint32_t vector = joint / b->lanes * SN_POSE_VECTORS + sn_part_vector(part);
        sn_view_entry e = {
            .track = track, .joint = joint, .part = part, .offset = vector * b->lanes};
        if (is_constant(track))
            set_base(b, &e);
        else
            b->entries[b->entry_count++] = e;
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

static bool have_equal_times(const sn_track *a, const sn_track *b) {
    return a->key_count == b->key_count &&
           (a->times == b->times ||
            memcmp(a->times, b->times, a->key_count * sizeof *a->times) == 0);
}

/* Numbers the distinct arrays of times: real files have one a clip, whatever the number of
 * accessors that hold it. */
static bool number_times(sn_view_builder *b) {
    size_t slots = 16;
    while (slots < (size_t)b->entry_count * 2)
        slots *= 2;
    uint32_t *table = SN_ARENA_NEW(b->scratch, uint32_t, slots); /* 1 + the entry that was first */
    if (!table)
        return false;
    for (uint32_t i = 0; i < b->entry_count; i++) {
        sn_view_entry *e = &b->entries[i];
        if (i && e->track->times == e[-1].track->times && have_equal_times(e->track, e[-1].track)) {
            e->times = e[-1].times; /* one accessor for both: no need to read it */
            continue;
        }
        size_t slot = hash_times(e->track) & (slots - 1);
        while (table[slot] && !have_equal_times(e->track, b->entries[table[slot] - 1].track))
            slot = (slot + 1) & (slots - 1);
        if (!table[slot]) {
            e->times = b->times_count++;
            table[slot] = i + 1;
        } else {
            e->times = b->entries[table[slot] - 1].times;
        }
    }
    return true;
}

/* ---- How rotations are interpolated, the same for the whole view, so that the choice does not
 * depend on the number of lanes ---- */

float sn_view_key_sign(const sn_track *track, uint32_t key, float sign_before) {
    bool align = track->path == SN_PATH_ROTATION && track->interpolation == SN_LINEAR;
    if (align && key && sn_quat_dot(sn_track_value(track, key), sn_track_value(track, key - 1)) < 0)
        return -sign_before;
    return sign_before;
}

static void survey_rotations(sn_view_builder *b) {
    bool is_loose = false;
    double least = 1;
    for (uint32_t i = 0; i < b->entry_count; i++) {
        const sn_track *track = b->entries[i].track;
        if (b->entries[i].part != SN_PART_ROTATION || track->interpolation != SN_LINEAR)
            continue;
        for (uint32_t key = 0; key < track->key_count; key++) {
            const float *q = sn_track_value(track, key);
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

/* ---- The base pose ---- */

/* Blocks that one full block overwrites need no copy. */
static bool make_base_runs(sn_view_builder *b) {
    sn_clip_view *view = b->view;
    uint32_t group_count = view->skeleton->group_count;
    bool *covered = SN_ARENA_NEW(b->scratch, bool, (size_t)group_count *SN_POSE_VECTORS);
    sn_base_run *runs = sn_view_keep(b, (size_t)group_count * SN_PARTS, sizeof *runs);
    if (!covered || !runs)
        return false;
    for (uint32_t i = 0; i < view->stream_count; i++)
        for (uint32_t s = 0; s < SN_PARTS; s++) {
            const sn_section *section = &view->streams[i].sections[s];
            for (uint32_t k = 0; k < section->full_count; k++)
                covered[section->offsets[k] / b->lanes] = true;
        }
    for (uint32_t i = 0; i < view->channel_block_count; i++) {
        const sn_channel_block *block = &view->channel_blocks[i];
        bool is_full = true;
        for (uint32_t lane = 0; lane < b->lanes; lane++)
            is_full &= block->mask.lanes[lane] != 0;
        if (is_full)
            covered[block->offset / b->lanes] = true;
    }
    view->base_runs = runs;
    for (uint32_t group = 0; group < group_count; group++)
        for (uint32_t s = 0; s < SN_PARTS; s++) {
            uint32_t vector = group * SN_POSE_VECTORS + sn_part_vector(s);
            uint32_t offset = vector * b->lanes, count = sn_part_width(s) * b->lanes;
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

static bool list_weight_tracks(sn_view_builder *b) {
    const sn_clip *clip = b->clip;
    sn_clip_view *view = b->view;
    for (uint32_t i = 0; i < clip->track_count; i++)
        view->weight_track_count += clip->tracks[i]->path == SN_PATH_WEIGHTS;
    view->weight_tracks = sn_view_keep(b, view->weight_track_count, sizeof *view->weight_tracks);
    uint32_t *next = view->weight_tracks;
    for (uint32_t i = 0; next && i < clip->track_count; i++)
        if (clip->tracks[i]->path == SN_PATH_WEIGHTS)
            *next++ = i;
    return next;
}

/* ---- The interface ---- */

static bool build(sn_view_builder *b) {
    if (!list_weight_tracks(b) || !list_entries(b) || !number_times(b))
        return false;
    survey_rotations(b);
    return sn_view_make_streams(b) && sn_view_make_channels(b) && make_base_runs(b);
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
        sn_view_builder b = {.view = view,
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
