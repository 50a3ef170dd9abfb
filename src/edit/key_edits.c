#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "edit/key_edits.h"

static const char *const path_names[] = {"translation", "rotation", "scale", "weights"};
static const char *const interpolation_names[] = {"STEP", "LINEAR", "CUBICSPLINE"};

enum { PATHS = SN_PATH_WEIGHTS + 1, FEW_EDITS = 16 };

sn_result sn_key_edits_begin(sn_key_edits *edits, const sn_call *call, uint32_t capacity) {
    const sn_draft *draft = call->draft;
    *edits = (sn_key_edits){
        .call = call,
        .clip = sn_draft_clip(draft, call->arguments->clip),
        .fresh = SN_ARENA_NEW(draft->arena, sn_track, capacity),
        .items = SN_ARENA_NEW(draft->arena, sn_key_edit, capacity),
    };
    if (!edits->fresh || !edits->items)
        return sn_draft_no_memory(draft);
    if (capacity <= FEW_EDITS)
        return SN_OK;
    edits->slots = SN_ARENA_NEW(draft->arena, sn_slot, (size_t)draft->model->node_count * PATHS);
    if (!edits->slots)
        return sn_draft_no_memory(draft);
    for (uint32_t i = 0; i < edits->clip->track_count; i++) {
        const sn_track *track = edits->clip->tracks[i];
        edits->slots[(size_t)track->node * PATHS + track->path] = i + 1;
    }
    return SN_OK;
}

static uint32_t find_track(const sn_clip *clip, uint32_t node, sn_path path) {
    for (uint32_t i = clip->track_count; i-- > 0;)
        if (clip->tracks[i]->node == node && clip->tracks[i]->path == path)
            return i;
    return SN_NONE;
}

sn_slot sn_key_edits_find(const sn_key_edits *edits, uint32_t node, sn_path path) {
    if (edits->slots) {
        sn_slot slot = edits->slots[(size_t)node * PATHS + path];
        return slot ? slot - 1 : SN_NONE;
    }
    sn_slot slot = find_track(edits->clip, node, path);
    for (uint32_t i = 0; slot == SN_NONE && i < edits->fresh_count; i++)
        if (edits->fresh[i].node == node && edits->fresh[i].path == path)
            slot = edits->clip->track_count + i;
    return slot;
}

static sn_result fail(const sn_key_edits *edits, sn_message_id id, const sn_arguments *argument,
                      sn_field field, const char *text) {
    return sn_fail(edits->call->draft->error, id, sn_call_place(edits->call, argument, field).text,
                   "%s", text);
}

sn_result sn_key_edits_track(const sn_key_edits *edits, const sn_arguments *argument,
                             sn_slot *out) {
    *out = sn_key_edits_find(edits, argument->node, argument->path);
    if (*out < edits->clip->track_count)
        return SN_OK;
    return sn_fail(edits->call->draft->error, SN_MESSAGE_COMMAND_MISSING,
                   sn_call_place(edits->call, argument, SN_FIELD_PATH).text,
                   "node %u (\"%s\") has no %s track in clip \"%s\"", argument->node,
                   edits->call->draft->model->nodes[argument->node].name,
                   path_names[argument->path], edits->clip->name);
}

static sn_key_edit *add(sn_key_edits *edits, const sn_arguments *argument, sn_slot slot) {
    sn_key_edit *edit = &edits->items[edits->count];
    *edit = (sn_key_edit){
        .slot = slot,
        .from = SN_NONE,
        .argument = argument,
        .order = edits->count++,
    };
    return edit;
}

sn_result sn_key_edits_take(sn_key_edits *edits, const sn_arguments *argument) {
    sn_slot slot;
    sn_result result = sn_key_edits_track(edits, argument, &slot);
    if (result != SN_OK)
        return result;
    const sn_track *track = edits->clip->tracks[slot];
    uint32_t key = sn_track_key_at(track, argument->time);
    if (key == SN_NONE) {
        uint32_t next = sn_track_lower_bound(track, argument->time);
        bool before =
            next == track->key_count || (next > 0 && argument->time - track->times[next - 1] <
                                                         track->times[next] - argument->time);
        return sn_fail(edits->call->draft->error, SN_MESSAGE_COMMAND_MISSING,
                       sn_call_place(edits->call, argument, SN_FIELD_KEY).text,
                       "the track has no key at exactly %g s; the nearest is at %g s",
                       (double)argument->time, (double)track->times[before ? next - 1 : next]);
    }
    sn_key_edit *edit = add(edits, argument, slot);
    edit->from = key;
    edit->time = track->times[key];
    return SN_OK;
}

void sn_key_edits_take_all(sn_key_edits *edits, sn_slot slot, const sn_arguments *argument) {
    const sn_track *track = edits->clip->tracks[slot];
    for (uint32_t i = 0; i < track->key_count; i++) {
        sn_key_edit *edit = add(edits, argument, slot);
        edit->from = i;
        edit->time = track->times[i];
    }
}

/* ---- Putting in ---- */

/* The shape that a key put into this slot must have. */
static const sn_track *shape_of(const sn_key_edits *edits, sn_slot slot) {
    uint32_t count = edits->clip->track_count;
    return slot < count ? edits->clip->tracks[slot] : &edits->fresh[slot - count];
}

static sn_result find_or_make_slot(sn_key_edits *edits, const sn_arguments *argument,
                                   sn_slot *out) {
    const sn_node *node = &edits->call->draft->model->nodes[argument->node];
    if (node->has_matrix)
        return fail(edits, SN_MESSAGE_COMMAND_TARGET, argument, SN_FIELD_NODE,
                    "this node is given by a matrix, and glTF animates only nodes given by "
                    "translation, rotation and scale");
    sn_slot slot = sn_key_edits_find(edits, argument->node, argument->path);
    uint32_t track_count = edits->clip->track_count;
    bool given = argument->given & SN_BIT(INTERPOLATION);
    if (slot != SN_NONE) {
        *out = slot;
        sn_interpolation interpolation = shape_of(edits, slot)->interpolation;
        if (!given || interpolation == argument->interpolation)
            return SN_OK;
        return sn_fail(edits->call->draft->error, SN_MESSAGE_COMMAND_TARGET,
                       sn_call_place(edits->call, argument, SN_FIELD_INTERPOLATION).text,
                       "the track is %s; setting a key does not change that for all others, "
                       "track.interpolation does",
                       interpolation_names[interpolation]);
    }
    uint32_t width = argument->path == SN_PATH_ROTATION  ? 4
                     : argument->path == SN_PATH_WEIGHTS ? node->weight_count
                                                         : 3;
    if (width == 0)
        return fail(edits, SN_MESSAGE_COMMAND_TARGET, argument, SN_FIELD_PATH,
                    "this node has no mesh with morph targets, so there are no weights to set");
    edits->fresh[edits->fresh_count] = (sn_track){
        .node = argument->node,
        .path = argument->path,
        .interpolation = given ? argument->interpolation : SN_LINEAR,
        .width = width,
        .origin = SN_NONE,
    };
    *out = track_count + edits->fresh_count++;
    if (edits->slots)
        edits->slots[(size_t)argument->node * PATHS + argument->path] = *out + 1;
    return SN_OK;
}

static sn_result check_floats(const sn_key_edits *edits, const sn_arguments *argument,
                              sn_field field, sn_floats floats, const sn_track *shape) {
    if (floats.count == shape->width)
        return SN_OK;
    return sn_fail(edits->call->draft->error, SN_MESSAGE_COMMAND_VALUE,
                   sn_call_place(edits->call, argument, field).text,
                   "a %s of this node has %u numbers, these are %u", path_names[shape->path],
                   shape->width, floats.count);
}

/* a equals b times sign */
static bool equal(const float *a, const float *b, uint32_t count, float sign) {
    for (uint32_t i = 0; i < count; i++)
        if (a[i] != sign * b[i])
            return false;
    return true;
}

/* Whether a key says what `argument` sets; of a rotation also with the other sign. */
static bool says_the_same(const sn_track *track, const float *row, const sn_arguments *argument) {
    uint32_t width = track->width;
    const float *value = row + sn_track_value_offset(track);
    for (int flipped = 0; flipped <= (track->path == SN_PATH_ROTATION ? 1 : 0); flipped++) {
        float sign = flipped ? -1 : 1;
        bool same = equal(argument->value.items, value, width, sign);
        if (argument->given & SN_BIT(IN_TANGENT))
            same = same && equal(argument->in_tangent.items, row, width, sign);
        if (argument->given & SN_BIT(OUT_TANGENT))
            same = same && equal(argument->out_tangent.items, value + width, width, sign);
        if (same)
            return true;
    }
    return false;
}

/* Makes the value a unit quaternion, and all on the side of `old` (may be NULL) where q and -q
 * differ. A tangent that is given belongs to the value as it is given, so it goes along. */
static bool normalize_row(float *row, const sn_track *shape, const float *old, uint32_t given) {
    float *value = row + sn_track_value_offset(shape);
    double length;
    if (!sn_rotation_normalize(value, value, &length))
        return false;
    double scale = 1 / length;
    if (old && sn_rotation_dot(value, old + sn_track_value_offset(shape)) < 0) {
        scale = -scale;
        for (int i = 0; i < 4; i++)
            value[i] = -value[i];
    }
    if (shape->interpolation != SN_CUBICSPLINE)
        return true;
    bool finite = true;
    for (int i = 0; i < 4; i++) {
        if (given & SN_BIT(IN_TANGENT))
            row[i] = (float)(row[i] * scale);
        if (given & SN_BIT(OUT_TANGENT))
            row[8 + i] = (float)(row[8 + i] * scale);
        finite = finite && isfinite(row[i]) && isfinite(row[8 + i]);
    }
    return finite;
}

/* The tangent of a replaced key, for the one that takes its place: a rotation keeps its angular
 * velocity. */
static void keep_tangent(float *tangent, const float *old_tangent, const float *old_value,
                         const float *value, const sn_track *track) {
    if (track->path != SN_PATH_ROTATION || equal(value, old_value, 4, 1) ||
        !sn_rotation_transport(old_tangent, old_value, value, tangent))
        memcpy(tangent, old_tangent, track->width * sizeof *tangent);
}

/* Fills in the tangents that are not given: those of the key that is replaced, else the slope of
 * the curve there, so that a key put on the curve leaves the curve as it is. */
static void complete_tangents(float *row, const sn_track *source, float time, const float *old,
                              uint32_t given) {
    uint32_t width = source->width;
    float *value = row + width;
    float *out_tangent = value + width;
    bool needs_in = !(given & SN_BIT(IN_TANGENT));
    bool needs_out = !(given & SN_BIT(OUT_TANGENT));
    if (old) {
        const float *old_value = old + width;
        if (needs_in)
            keep_tangent(row, old, old_value, value, source);
        if (needs_out)
            keep_tangent(out_tangent, old_value + width, old_value, value, source);
        return;
    }
    if (needs_in)
        sn_track_slope(source, time, value, row);
    if (needs_out)
        sn_track_slope(source, time, value, out_tangent);
}

sn_result sn_key_edits_put(sn_key_edits *edits, const sn_arguments *argument, float time) {
    sn_slot slot;
    sn_result result = find_or_make_slot(edits, argument, &slot);
    if (result != SN_OK)
        return result;
    const sn_track *shape = shape_of(edits, slot);
    const sn_track *source = slot < edits->clip->track_count ? shape : NULL;
    uint32_t given = argument->given;
    uint32_t width = shape->width;
    bool cubic = shape->interpolation == SN_CUBICSPLINE;
    result = check_floats(edits, argument, SN_FIELD_VALUE, argument->value, shape);
    if (result == SN_OK && given & SN_BIT(IN_TANGENT))
        result = check_floats(edits, argument, SN_FIELD_IN_TANGENT, argument->in_tangent, shape);
    if (result == SN_OK && given & SN_BIT(OUT_TANGENT))
        result = check_floats(edits, argument, SN_FIELD_OUT_TANGENT, argument->out_tangent, shape);
    if (result != SN_OK)
        return result;
    if (!cubic && given & (SN_BIT(IN_TANGENT) | SN_BIT(OUT_TANGENT)))
        return fail(edits, SN_MESSAGE_COMMAND_TARGET, argument,
                    given & SN_BIT(IN_TANGENT) ? SN_FIELD_IN_TANGENT : SN_FIELD_OUT_TANGENT,
                    "only CUBICSPLINE tracks have tangents: leave them out, or change the track "
                    "by track.interpolation first");

    uint32_t key = source ? sn_track_key_at(source, time) : SN_NONE;
    const float *old = key == SN_NONE ? NULL : sn_track_row(source, key);
    if (old && says_the_same(source, old, argument))
        return SN_OK;
    float *row = SN_ARENA_NEW(edits->call->draft->arena, float, sn_track_stride(shape));
    if (!row)
        return sn_draft_no_memory(edits->call->draft);
    memcpy(row + sn_track_value_offset(shape), argument->value.items, width * sizeof *row);
    if (given & SN_BIT(IN_TANGENT))
        memcpy(row, argument->in_tangent.items, width * sizeof *row);
    if (given & SN_BIT(OUT_TANGENT))
        memcpy(row + 2 * (size_t)width, argument->out_tangent.items, width * sizeof *row);
    if (shape->path == SN_PATH_ROTATION && !normalize_row(row, shape, old, given))
        return fail(edits, SN_MESSAGE_COMMAND_VALUE, argument, SN_FIELD_VALUE,
                    "a rotation is a quaternion x y z w, best of length 1; this one is too short "
                    "to tell a rotation");
    if (cubic && source)
        complete_tangents(row, source, time, old, given);
    sn_key_edit *edit = add(edits, argument, slot);
    edit->time = time;
    edit->row = row;
    return SN_OK;
}

/* ---- Carrying out ---- */

static int compare(const void *left, const void *right) {
    const sn_key_edit *a = left;
    const sn_key_edit *b = right;
    if (a->slot != b->slot)
        return a->slot < b->slot ? -1 : 1;
    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    return a->order < b->order ? -1 : 1;
}

/* The edits of one slot. */
static sn_result apply_to_slot(const sn_key_edits *edits, const sn_key_edit *items, uint32_t count,
                               sn_track_change *change) {
    const sn_draft *draft = edits->call->draft;
    sn_slot slot = items[0].slot;
    const sn_track *source = slot < edits->clip->track_count ? edits->clip->tracks[slot] : NULL;
    bool *removed = source ? SN_ARENA_NEW(draft->arena, bool, source->key_count) : NULL;
    sn_new_key *keys = SN_ARENA_NEW(draft->arena, sn_new_key, count);
    if (!keys || (source && !removed))
        return sn_draft_no_memory(draft);
    uint32_t key_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        const sn_key_edit *edit = &items[i];
        if (edit->from != SN_NONE)
            removed[edit->from] = true;
        if (!edit->row)
            continue;
        if (key_count && keys[key_count - 1].time == edit->time) {
            if (edit->from != SN_NONE && keys[key_count - 1].from == edit->from)
                continue; /* the same key, named twice */
            return sn_fail(draft->error, SN_MESSAGE_COMMAND_VALUE,
                           sn_json_place_of(edits->call->json, edit->argument->object).text,
                           "two keys of the %s of node %u would both be at %g s",
                           path_names[shape_of(edits, slot)->path], shape_of(edits, slot)->node,
                           (double)edit->time);
        }
        keys[key_count++] = (sn_new_key){edit->time, edit->from, edit->row};
    }
    sn_rewrite rewrite = {
        .source = source,
        .shape = *shape_of(edits, slot),
        .removed = removed,
        .keys = keys,
        .key_count = key_count,
    };
    change->index = slot;
    if (!sn_rewrite_track(&rewrite, draft->allocator, draft->arena, &change->track))
        return sn_draft_no_memory(draft);
    return SN_OK;
}

sn_result sn_key_edits_apply(sn_key_edits *edits) {
    sn_draft *draft = edits->call->draft;
    sn_track_change *changes = SN_ARENA_NEW(draft->arena, sn_track_change, edits->count);
    if (!changes)
        return sn_draft_no_memory(draft);
    if (edits->count > 1)
        qsort(edits->items, edits->count, sizeof *edits->items, compare);
    sn_result result = SN_OK;
    uint32_t change_count = 0;
    for (uint32_t first = 0, end; first < edits->count && result == SN_OK; first = end) {
        for (end = first + 1; end < edits->count; end++)
            if (edits->items[end].slot != edits->items[first].slot)
                break;
        result = apply_to_slot(edits, edits->items + first, end - first, &changes[change_count]);
        change_count += result == SN_OK ? 1 : 0;
    }
    if (result == SN_OK)
        return sn_draft_change_tracks(draft, edits->call->arguments->clip, changes, change_count);
    for (uint32_t i = 0; i < change_count; i++)
        sn_shared_track_release(draft->allocator, changes[i].track);
    return result;
}
