/* track.interpolation and track.remove. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "edit/key_edits.h"

static sn_result find(const sn_call *call, sn_slot *slot) {
    sn_key_edits edits = {.call = call, .clip = sn_draft_clip(call->draft, call->arguments->clip)};
    return sn_key_edits_track(&edits, call->arguments, slot);
}

sn_result sn_run_track_remove(const sn_call *call) {
    sn_track_change change = {0};
    sn_result result = find(call, &change.index);
    return result == SN_OK ? sn_draft_change_tracks(call->draft, call->arguments->clip, &change, 1)
                           : result;
}

/* ---- Interpolation ---- */

static const float *value_of(const sn_track *track, uint32_t key) {
    return sn_track_row(track, key) + sn_track_value_offset(track);
}

/* Slope of the straight line from a key to the next. */
static float straight_slope(const sn_track *track, uint32_t key, uint32_t i) {
    double rise = (double)value_of(track, key + 1)[i] - value_of(track, key)[i];
    return (float)(rise / ((double)track->times[key + 1] - track->times[key]));
}

/* Every key has the same value, and no tangent leads away from it: then any interpolation gives
 * the same motion. */
static bool stands_still(const sn_track *track) {
    size_t width = track->width;
    for (uint32_t key = 0; key < track->key_count; key++)
        for (size_t i = 0; i < width; i++) {
            if (value_of(track, key)[i] != value_of(track, 0)[i])
                return false;
            if (track->interpolation != SN_CUBICSPLINE)
                continue;
            const float *row = sn_track_row(track, key);
            bool comes_in = key > 0 && row[i] != 0;
            bool goes_out = key + 1 < track->key_count && row[2 * width + i] != 0;
            if (comes_in || goes_out)
                return false;
        }
    return true;
}

/* A CUBICSPLINE track that runs along straight lines. */
static bool runs_straight(const sn_track *track) {
    uint32_t width = track->width;
    for (uint32_t key = 0; key + 1 < track->key_count; key++)
        for (uint32_t i = 0; i < width; i++) {
            float slope = straight_slope(track, key, i);
            float out_tangent = sn_track_row(track, key)[2 * (size_t)width + i];
            if (out_tangent != slope || sn_track_row(track, key + 1)[i] != slope)
                return false;
        }
    return true;
}

/* Whether the motion between the keys stays what it is. Of rotations a straight line of
 * quaternions is not the slerp that LINEAR means. */
static bool keeps_motion(const sn_track *track, sn_interpolation to) {
    if (stands_still(track))
        return true;
    if (track->path == SN_PATH_ROTATION)
        return false;
    return (track->interpolation == SN_LINEAR && to == SN_CUBICSPLINE) ||
           (track->interpolation == SN_CUBICSPLINE && to == SN_LINEAR && runs_straight(track));
}

/* Tangents along the straight lines between the keys. */
static void straight_tangents(const sn_track *source, float *rows) {
    size_t width = source->width;
    for (uint32_t key = 0; key + 1 < source->key_count; key++)
        for (uint32_t i = 0; i < width; i++) {
            float slope = straight_slope(source, key, i);
            rows[key * 3 * width + 2 * width + i] = slope;
            rows[(key + 1) * 3 * width + i] = slope;
        }
}

/* Puts every rotation on the side of the one before it, so that the spline turns the short way. */
static void align(float *rows, uint32_t key_count) {
    for (uint32_t key = 1; key < key_count; key++) {
        float *value = rows + (size_t)key * 12 + 4;
        if (sn_rotation_dot(value - 12, value) < 0)
            for (int i = 0; i < 4; i++)
                value[i] = -value[i];
    }
}

/* Tangents of a smooth curve: at each key the slope of the parabola through it and its neighbours,
 * at the ends the slope of the line to the only neighbour. */
static void smooth_tangents(float *rows, const sn_track *shape, const float *times) {
    size_t width = shape->width;
    uint32_t count = shape->key_count;
    for (uint32_t key = 0; key < count && count > 1; key++) {
        float *tangent = rows + key * 3 * width;
        float *value = tangent + width;
        uint32_t left = key > 0 ? key - 1 : key;
        uint32_t right = key + 1 < count ? key + 1 : key;
        const float *before = rows + left * 3 * width + width;
        const float *after = rows + right * 3 * width + width;
        double before_time = (double)times[key] - times[left];
        double after_time = (double)times[right] - times[key];
        double along = 0;
        for (size_t i = 0; i < width; i++) {
            double slope_in = ((double)value[i] - before[i]) / before_time;
            double slope_out = ((double)after[i] - value[i]) / after_time;
            double slope = left == key    ? slope_out
                           : right == key ? slope_in
                                          : (slope_in * after_time + slope_out * before_time) /
                                                (before_time + after_time);
            tangent[i] = (float)slope;
            along += slope * value[i];
        }
        /* of a rotation only the part that turns, not the one that stretches the quaternion */
        if (shape->path == SN_PATH_ROTATION)
            for (size_t i = 0; i < width; i++)
                tangent[i] = (float)(tangent[i] - along * value[i]);
        memcpy(value + width, tangent, width * sizeof *tangent);
    }
}

static bool all_finite(const float *values, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return false;
    return true;
}

static sn_shared_track *convert(const sn_call *call, const sn_track *source) {
    const sn_arguments *arguments = call->arguments;
    sn_track shape = *source;
    shape.interpolation = arguments->interpolation;
    sn_shared_track *track = sn_shared_track_create(call->draft->allocator, &shape);
    if (!track)
        return NULL;
    float *times = sn_shared_track_times(track);
    float *rows = sn_shared_track_values(track);
    size_t width = shape.width;
    size_t stride = sn_track_stride(&shape);
    memcpy(times, source->times, shape.key_count * sizeof *times);
    memset(rows, 0, shape.key_count * stride * sizeof *rows);
    for (uint32_t key = 0; key < shape.key_count; key++)
        memcpy(rows + key * stride + sn_track_value_offset(&shape), value_of(source, key),
               width * sizeof *rows);
    if (shape.interpolation != SN_CUBICSPLINE)
        return track;
    if (arguments->keep_motion) {
        straight_tangents(source, rows);
        return track;
    }
    if (shape.path == SN_PATH_ROTATION)
        align(rows, shape.key_count);
    smooth_tangents(rows, &shape, times);
    return track;
}

sn_result sn_run_track_interpolation(const sn_call *call) {
    static const char *const names[] = {"STEP", "LINEAR", "CUBICSPLINE"};
    const sn_arguments *arguments = call->arguments;
    sn_track_change change = {0};
    sn_result result = find(call, &change.index);
    if (result != SN_OK)
        return result;
    const sn_track *source = sn_draft_clip(call->draft, arguments->clip)->tracks[change.index];
    if (source->interpolation == arguments->interpolation)
        return SN_OK;
    if (arguments->keep_motion && !keeps_motion(source, arguments->interpolation))
        return sn_fail(call->draft->error, SN_MESSAGE_COMMAND_TARGET,
                       sn_call_place(call, arguments, SN_FIELD_KEEP).text,
                       "%s keys cannot say exactly what this %s track does between its keys; "
                       "\"keep\": \"keys\" keeps the keys and lets that change",
                       names[arguments->interpolation], names[source->interpolation]);
    change.track = convert(call, source);
    if (!change.track)
        return sn_draft_no_memory(call->draft);
    size_t floats = sn_track_stride(&change.track->track) * change.track->track.key_count;
    if (!all_finite(change.track->track.values, floats)) {
        sn_shared_track_release(call->draft->allocator, change.track);
        return sn_fail(
            call->draft->error, SN_MESSAGE_COMMAND_TARGET,
            sn_call_place(call, arguments, SN_FIELD_INTERPOLATION).text,
            "keys of this track are so far apart that their tangents do not fit 32 bits");
    }
    return sn_draft_change_tracks(call->draft, arguments->clip, &change, 1);
}
