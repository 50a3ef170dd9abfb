/* key.* and keys.*: each collects its edits and has them carried out. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "edit/key_edits.h"

sn_result sn_run_key_set(const sn_call *call) {
    sn_key_edits edits;
    sn_result result = sn_key_edits_begin(&edits, call, 1);
    if (result == SN_OK)
        result = sn_key_edits_put(&edits, call->arguments, call->arguments->time);
    return result == SN_OK ? sn_key_edits_apply(&edits) : result;
}

sn_result sn_run_key_remove(const sn_call *call) {
    sn_key_edits edits;
    sn_result result = sn_key_edits_begin(&edits, call, 1);
    if (result == SN_OK)
        result = sn_key_edits_take(&edits, call->arguments);
    return result == SN_OK ? sn_key_edits_apply(&edits) : result;
}

sn_result sn_run_key_move(const sn_call *call) {
    sn_key_edits edits;
    sn_result result = sn_key_edits_begin(&edits, call, 1);
    if (result == SN_OK)
        result = sn_key_edits_take(&edits, call->arguments);
    if (result != SN_OK)
        return result;
    sn_key_edit *edit = &edits.items[0];
    edit->row = sn_track_row(edits.clip->tracks[edit->slot], edit->from);
    edit->time = call->arguments->to;
    return sn_key_edits_apply(&edits);
}

static sn_result take_keys(sn_key_edits *edits, const sn_call *call) {
    sn_items keys = call->arguments->keys;
    sn_result result = sn_key_edits_begin(edits, call, keys.count);
    for (uint32_t i = 0; i < keys.count && result == SN_OK; i++)
        result = sn_key_edits_take(edits, &keys.items[i]);
    return result;
}

sn_result sn_run_keys_remove(const sn_call *call) {
    sn_key_edits edits;
    sn_result result = take_keys(&edits, call);
    return result == SN_OK ? sn_key_edits_apply(&edits) : result;
}

/* A time counted in double, as the time of a key. */
static sn_result key_time(const sn_call *call, const sn_arguments *argument, sn_field field,
                          double seconds, float *out) {
    if (!(seconds >= 0 && seconds <= FLT_MAX))
        return sn_fail(call->draft->error, SN_MESSAGE_COMMAND_VALUE,
                       sn_call_place(call, argument, field).text,
                       "this would put a key at %g s; times are 0 or more", seconds);
    *out = (float)seconds;
    return SN_OK;
}

/* The new time of a key that is taken out. One that stays, of a file with keys before 0, may. */
static sn_result move_to(const sn_call *call, sn_key_edit *edit, sn_field field, double seconds) {
    return (float)seconds == edit->time
               ? SN_OK
               : key_time(call, call->arguments, field, seconds, &edit->time);
}

sn_result sn_run_keys_move(const sn_call *call) {
    sn_key_edits edits;
    sn_result result = take_keys(&edits, call);
    for (uint32_t i = 0; i < edits.count && result == SN_OK; i++) {
        sn_key_edit *edit = &edits.items[i];
        edit->row = sn_track_row(edits.clip->tracks[edit->slot], edit->from);
        result = move_to(call, edit, SN_FIELD_BY, edit->time + call->arguments->by);
    }
    return result == SN_OK ? sn_key_edits_apply(&edits) : result;
}

/* The keys that keys.scale is about: those listed, those of the tracks listed, or all. */
static sn_result take_selection(sn_key_edits *edits, const sn_call *call) {
    const sn_arguments *arguments = call->arguments;
    if (arguments->given & SN_BIT(KEYS))
        return take_keys(edits, call);
    const sn_clip *clip = sn_draft_clip(call->draft, arguments->clip);
    bool all = !(arguments->given & SN_BIT(TRACKS));
    uint32_t count = all ? clip->track_count : arguments->tracks.count;
    sn_slot *slots = SN_ARENA_NEW(call->draft->arena, sn_slot, count);
    bool *taken = SN_ARENA_NEW(call->draft->arena, bool, clip->track_count);
    if (!slots || !taken)
        return sn_draft_no_memory(call->draft);
    *edits = (sn_key_edits){.call = call, .clip = clip};
    uint32_t slot_count = 0;
    uint64_t key_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        sn_slot slot = i;
        sn_result result =
            all ? SN_OK : sn_key_edits_track(edits, &arguments->tracks.items[i], &slot);
        if (result != SN_OK)
            return result;
        if (taken[slot])
            continue;
        taken[slot] = true;
        slots[slot_count++] = slot;
        key_count += clip->tracks[slot]->key_count;
    }
    if (key_count >= UINT32_MAX)
        return sn_draft_no_memory(call->draft);
    sn_result result = sn_key_edits_begin(edits, call, (uint32_t)key_count);
    for (uint32_t i = 0; i < slot_count && result == SN_OK; i++)
        sn_key_edits_take_all(edits, slots[i], arguments);
    return result;
}

/* A key of a CUBICSPLINE track whose time runs `factor` times as fast: its tangents, which are
 * slopes a second, shrink by as much, and change sides where time runs backward. */
static sn_result scale_row(const sn_call *call, const sn_track *track, uint32_t key,
                           const float **out) {
    const float *row = sn_track_row(track, key);
    double factor = call->arguments->factor;
    *out = row;
    if (track->interpolation != SN_CUBICSPLINE || factor == 1)
        return SN_OK;
    uint32_t width = track->width;
    float *scaled = SN_ARENA_NEW(call->draft->arena, float, 3 * (size_t)width);
    if (!scaled)
        return sn_draft_no_memory(call->draft);
    const float *in_tangent = factor > 0 ? row : row + 2 * (size_t)width;
    const float *out_tangent = factor > 0 ? row + 2 * (size_t)width : row;
    memcpy(scaled + width, row + width, width * sizeof *scaled);
    for (uint32_t i = 0; i < width; i++) {
        scaled[i] = (float)(in_tangent[i] / factor);
        scaled[2 * (size_t)width + i] = (float)(out_tangent[i] / factor);
        if (!isfinite(scaled[i]) || !isfinite(scaled[2 * (size_t)width + i]))
            return sn_fail(call->draft->error, SN_MESSAGE_COMMAND_VALUE,
                           sn_call_place(call, call->arguments, SN_FIELD_FACTOR).text,
                           "this would make a tangent steeper than 32 bits can hold");
    }
    *out = scaled;
    return SN_OK;
}

sn_result sn_run_keys_scale(const sn_call *call) {
    const sn_arguments *arguments = call->arguments;
    if (arguments->factor == 0)
        return sn_fail(call->draft->error, SN_MESSAGE_COMMAND_VALUE,
                       sn_call_place(call, arguments, SN_FIELD_FACTOR).text,
                       "0 would put all keys on the same time");
    if (arguments->given & SN_BIT(KEYS) && arguments->given & SN_BIT(TRACKS))
        return sn_fail(call->draft->error, SN_MESSAGE_COMMAND_FIELD,
                       sn_call_place(call, arguments, SN_FIELD_TRACKS).text,
                       "give \"keys\", or \"tracks\", or neither to scale the whole clip");
    sn_key_edits edits;
    sn_result result = take_selection(&edits, call);
    for (uint32_t i = 0; result == SN_OK && i < edits.count; i++) {
        sn_key_edit *edit = &edits.items[i];
        double seconds = arguments->pivot + (edit->time - arguments->pivot) * arguments->factor;
        result = scale_row(call, edits.clip->tracks[edit->slot], edit->from, &edit->row);
        if (result == SN_OK)
            result = move_to(call, edit, SN_FIELD_FACTOR, seconds);
    }
    return result == SN_OK ? sn_key_edits_apply(&edits) : result;
}

sn_result sn_run_keys_paste(const sn_call *call) {
    sn_items keys = call->arguments->keys;
    sn_key_edits edits;
    sn_result result = sn_key_edits_begin(&edits, call, keys.count);
    for (uint32_t i = 0; i < keys.count && result == SN_OK; i++) {
        float time = 0;
        result = key_time(call, &keys.items[i], SN_FIELD_OFFSET,
                          call->arguments->at + keys.items[i].offset, &time);
        if (result == SN_OK)
            result = sn_key_edits_put(&edits, &keys.items[i], time);
    }
    return result == SN_OK ? sn_key_edits_apply(&edits) : result;
}
