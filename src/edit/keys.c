#include <math.h>
#include <string.h>

#include "edit/keys.h"

uint32_t sn_track_lower_bound(const sn_track *track, float time) {
    uint32_t low = 0;
    uint32_t high = track->key_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (track->times[middle] < time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t sn_track_key_at(const sn_track *track, float time) {
    uint32_t key = sn_track_lower_bound(track, time);
    return key < track->key_count && track->times[key] == time ? key : SN_NONE;
}

/* ---- Slopes ---- */

static void quaternion_product(const double a[4], const double b[4], double out[4]) {
    out[0] = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    out[1] = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
    out[2] = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
    out[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

/* A rotation that passes r at the slope r' has r' r⁻¹ as half its angular velocity and, in the real
 * part, the growth of its length. A rotation v that moves alike has the slope r' r⁻¹ v. */
static void transport(const double slope[4], const double r[4], const double v[4], double out[4]) {
    double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3];
    double inverse[4] = {-r[0] / square, -r[1] / square, -r[2] / square, r[3] / square};
    double velocity[4];
    quaternion_product(slope, inverse, velocity);
    quaternion_product(velocity, v, out);
}

bool sn_rotation_transport(const float slope[4], const float from[4], const float to[4],
                           float out[4]) {
    const double s[4] = {slope[0], slope[1], slope[2], slope[3]};
    const double r[4] = {from[0], from[1], from[2], from[3]};
    const double v[4] = {to[0], to[1], to[2], to[3]};
    double moved[4];
    transport(s, r, v, moved);
    for (int i = 0; i < 4; i++)
        out[i] = (float)moved[i];
    return isfinite(out[0]) && isfinite(out[1]) && isfinite(out[2]) && isfinite(out[3]);
}

/* glTF 2.0, appendix C.5: with u = (t - t0) / d,
 * p = (2u³-3u²+1) v0 + d (u³-2u²+u) b0 + (-2u³+3u²) v1 + d (u³-u²) a1. */
void sn_track_slope(const sn_track *track, float time, const float *value, float *out) {
    uint32_t next = sn_track_lower_bound(track, time);
    uint32_t width = track->width;
    if (next == 0 || next == track->key_count) {
        memset(out, 0, width * sizeof *out);
        return;
    }
    double start = track->times[next - 1];
    double d = track->times[next] - start;
    double u = (time - start) / d;
    const float *row0 = sn_track_row(track, next - 1);
    const float *row1 = sn_track_row(track, next);
    double r[4];
    double r_slope[4];
    for (uint32_t i = 0; i < width; i++) {
        double v0 = row0[width + i];
        double b0 = row0[2 * (size_t)width + i];
        double a1 = row1[i];
        double v1 = row1[width + i];
        double slope = (6 * u * u - 6 * u) / d * (v0 - v1) + (3 * u * u - 4 * u + 1) * b0 +
                       (3 * u * u - 2 * u) * a1;
        if (track->path != SN_PATH_ROTATION) {
            out[i] = (float)slope;
            continue;
        }
        r_slope[i] = slope;
        r[i] = (2 * u * u * u - 3 * u * u + 1) * v0 + d * (u * u * u - 2 * u * u + u) * b0 +
               (3 * u * u - 2 * u * u * u) * v1 + d * (u * u * u - u * u) * a1;
    }
    if (track->path == SN_PATH_ROTATION) {
        const double v[4] = {value[0], value[1], value[2], value[3]};
        double moved[4];
        transport(r_slope, r, v, moved);
        double growth = moved[0] * v[0] + moved[1] * v[1] + moved[2] * v[2] + moved[3] * v[3];
        for (int i = 0; i < 4; i++)
            out[i] = (float)(moved[i] - growth * v[i]);
    }
    for (uint32_t i = 0; i < width; i++)
        if (!isfinite(out[i])) { /* too steep for a float, or a rotation that passes by zero */
            memset(out, 0, width * sizeof *out);
            return;
        }
}

double sn_rotation_dot(const float a[4], const float b[4]) {
    double sum = 0;
    for (int i = 0; i < 4; i++)
        sum += (double)a[i] * b[i];
    return sum;
}

bool sn_rotation_normalize(const float value[4], float out[4], double *length) {
    double square = 0;
    for (int i = 0; i < 4; i++)
        square += (double)value[i] * value[i];
    if (!(square > 0) || !isfinite(square))
        return false;
    /* Rounding the four components to float moves the squared length by less than
     * 2 * 4 * 2^-25 = 2.4e-7. */
    *length = fabs(square - 1) <= 2.4e-7 ? 1 : sqrt(square);
    for (int i = 0; i < 4; i++)
        out[i] = (float)(value[i] / *length);
    return true;
}

/* ---- Merging ---- */

/* Walks source and new keys together, in order of time. */
typedef struct merge {
    const sn_rewrite *rewrite;
    uint32_t source; /* next of each */
    uint32_t fresh;
} merge;

/* The next key of the result: `*fresh` says whether `*index` counts new keys or the source's. */
static bool merge_next(merge *m, bool *fresh, uint32_t *index) {
    const sn_rewrite *rewrite = m->rewrite;
    const sn_track *source = rewrite->source;
    uint32_t source_count = source ? source->key_count : 0;
    while (m->source < source_count && rewrite->removed && rewrite->removed[m->source])
        m->source++;
    bool has_source = m->source < source_count;
    bool has_fresh = m->fresh < rewrite->key_count;
    if (has_fresh) {
        float time = rewrite->keys[m->fresh].time;
        if (!has_source || time <= source->times[m->source]) {
            if (has_source && time == source->times[m->source])
                m->source++;
            *fresh = true;
            *index = m->fresh++;
            return true;
        }
    }
    *fresh = false;
    *index = m->source++;
    return has_source;
}

/* ---- Signs of rotations ---- */

/* A key of the result: where it came from. */
typedef struct sn_provenance {
    uint32_t from; /* the key of the source, or SN_NONE */
    bool fresh;
} provenance;

/* Gives each run of new keys the sign that fits its neighbours. Inside a run, keys that moved
 * together keep their signs to each other, and each new one follows the key before it. */
static void align_signs(sn_shared_track *track, const provenance *keys) {
    const sn_track *t = &track->track;
    size_t stride = sn_track_stride(t);
    float *values = sn_shared_track_values(track);
    float *value = values + sn_track_value_offset(t);
    uint32_t count = t->key_count;
    for (uint32_t first = 0; first < count; first++) {
        if (!keys[first].fresh)
            continue;
        uint32_t last = first;
        while (last + 1 < count && keys[last + 1].fresh) {
            last++;
            if (keys[last].from == SN_NONE &&
                sn_rotation_dot(value + (last - 1) * stride, value + last * stride) < 0)
                for (size_t i = 0; i < stride; i++)
                    values[last * stride + i] = -values[last * stride + i];
        }
        double sum = 0;
        if (first > 0)
            sum += sn_rotation_dot(value + (first - 1) * stride, value + first * stride);
        if (last + 1 < count)
            sum += sn_rotation_dot(value + last * stride, value + (last + 1) * stride);
        if (sum < 0)
            for (size_t i = first * stride; i < (last + 1) * stride; i++)
                values[i] = -values[i];
        first = last;
    }
}

/* No key passed another, came or went. */
static bool same_order(const provenance *keys, uint32_t count, const sn_track *source) {
    if (!source || count != source->key_count)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (keys[i].from != i)
            return false;
    return true;
}

bool sn_rewrite_track(const sn_rewrite *rewrite, const sn_allocator *allocator, sn_arena *arena,
                      sn_shared_track **out) {
    *out = NULL;
    bool fresh;
    uint32_t index;
    size_t count = 0;
    for (merge m = {rewrite, 0, 0}; merge_next(&m, &fresh, &index);)
        count++;
    if (count == 0)
        return true;
    if (count > UINT32_MAX - 1)
        return false;
    sn_track shape = rewrite->shape;
    shape.key_count = (uint32_t)count;
    provenance *keys = SN_ARENA_NEW(arena, provenance, count);
    sn_shared_track *track = keys ? sn_shared_track_create(allocator, &shape) : NULL;
    if (!track)
        return false;
    float *times = sn_shared_track_times(track);
    float *values = sn_shared_track_values(track);
    size_t stride = sn_track_stride(&shape);
    merge m = {rewrite, 0, 0};
    for (size_t i = 0; merge_next(&m, &fresh, &index); i++) {
        const sn_new_key *key = fresh ? &rewrite->keys[index] : NULL;
        keys[i] = (provenance){key ? key->from : index, fresh};
        times[i] = key ? key->time : rewrite->source->times[index];
        memcpy(values + i * stride, key ? key->row : sn_track_row(rewrite->source, index),
               stride * sizeof *values);
    }
    if (shape.path == SN_PATH_ROTATION && !same_order(keys, shape.key_count, rewrite->source))
        align_signs(track, keys);
    *out = track;
    return true;
}
