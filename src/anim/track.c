#include <float.h>
#include <math.h>

#include "anim/slerp.h"
#include "math/quat.h"
#include "sinew/track.h"

/* Remainder in [0, period). fmod is exact, but adding the period to a tiny negative remainder can
 * round up to the period itself. */
static double wrap(double value, double period) {
    double rest = fmod(value, period);
    if (rest < 0)
        rest += period;
    return rest < period ? rest : 0;
}

float sn_clip_time(float duration, double time, float speed, sn_loop_mode mode) {
    if (!(duration > 0) || !isfinite(duration))
        return 0;
    double length = (double)duration, moved = 0, at = 0;
    if (isfinite(time) && isfinite(speed)) /* a product that is no longer finite is just far away */
        moved = fmax(-DBL_MAX, fmin(time * fabs((double)speed), DBL_MAX));
    switch (mode) {
    case SN_LOOP_ONCE:
        at = fmin(fmax(moved, 0), length);
        break;
    case SN_LOOP_REPEAT:
        at = wrap(moved, length);
        break;
    case SN_LOOP_PING_PONG:
        at = wrap(moved, 2 * length);
        at = at > length ? 2 * length - at : at;
        break;
    }
    return (float)(speed < 0 ? length - at : at);
}

sn_key_span sn_track_find(const sn_track *track, float time) {
    const float *times = track->times;
    uint32_t last = track->key_count - 1;
    if (!(time > times[0])) /* NaN too */
        return (sn_key_span){0, 0};
    if (time >= times[last])
        return (sn_key_span){last, 0};
    uint32_t low = 0, high = last; /* times[low] <= time < times[high] */
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (times[middle] <= time)
            low = middle;
        else
            high = middle;
    }
    return (sn_key_span){low, (time - times[low]) / (times[high] - times[low])};
}

/* glTF 2.0, C.4, on the keys as they are: quantised ones are not exactly of unit length, and the
 * formula keeps the length they have. Keys nearer than 1.8 degrees are interpolated linearly, as
 * C.4 allows, and normalised; equal keys are the value. That is what three.js does as well, and the
 * decision is made in single precision, so that kernels make the same. */
static void slerp(const float *a, const float *next, double t, float *out) {
    float b[4], dot = a[0] * next[0] + a[1] * next[1] + a[2] * next[2] + a[3] * next[3];
    for (int i = 0; i < 4; i++)
        b[i] = dot < 0 ? -next[i] : next[i];
    dot = fabsf(dot);
    double from = 1 - t, to = t;
    if (dot < SN_SLERP_NEAR_COSINE)
        sn_slerp_weights(sn_quat_dot(a, b), t, &from, &to);
    bool are_equal = a[0] == b[0] && a[1] == b[1] && a[2] == b[2] && a[3] == b[3];
    for (int i = 0; i < 4; i++)
        out[i] = are_equal ? a[i] : (float)((double)a[i] * from + (double)b[i] * to);
    if (dot >= SN_SLERP_NEAR_COSINE && !are_equal)
        sn_quat_normalize(out);
}

/* glTF 2.0, C.5: p(t) from values and tangents that are scaled by the segment's length. */
static void cubic(const sn_track *track, sn_key_span span, float *out) {
    const float *row = track->values + (size_t)span.index * 3 * track->width;
    const float *value = row + track->width, *tangent_out = row + 2 * track->width;
    const float *next_tangent_in = row + 3 * track->width, *next_value = row + 4 * track->width;
    double length = (double)track->times[span.index + 1] - (double)track->times[span.index];
    double t = (double)span.fraction, t2 = t * t, t3 = t2 * t;
    for (uint32_t i = 0; i < track->width; i++)
        out[i] = (float)((2 * t3 - 3 * t2 + 1) * (double)value[i] +
                         length * (t3 - 2 * t2 + t) * (double)tangent_out[i] +
                         (3 * t2 - 2 * t3) * (double)next_value[i] +
                         length * (t3 - t2) * (double)next_tangent_in[i]);
}

void sn_track_evaluate(const sn_track *track, float time, float *out) {
    sn_key_span span = sn_track_find(track, time);
    uint32_t width = track->width;
    bool is_cubic = track->interpolation == SN_CUBICSPLINE;
    bool is_inside = time >= track->times[0] && span.index + 1 < track->key_count;
    const float *key = track->values + ((size_t)span.index * (is_cubic ? 3 : 1) + is_cubic) * width;

    if (!is_inside || track->interpolation == SN_STEP) {
        for (uint32_t i = 0; i < width; i++)
            out[i] = key[i];
    } else if (is_cubic) {
        cubic(track, span, out);
    } else if (track->path == SN_PATH_ROTATION) {
        slerp(key, key + width, (double)span.fraction, out);
    } else {
        double t = (double)span.fraction;
        for (uint32_t i = 0; i < width; i++)
            out[i] = (float)((double)key[i] + ((double)key[i + width] - (double)key[i]) * t);
    }
    if (is_cubic && track->path == SN_PATH_ROTATION)
        sn_quat_normalize(out);
}
