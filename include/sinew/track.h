/* Tracks and clips: keys over time, as they are in the file. Immutable plain data.
 *
 * Times are seconds, translations metres, rotations unit quaternions x y z w. */
#ifndef SINEW_TRACK_H
#define SINEW_TRACK_H

#include "sinew/result.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sn_path {
    SN_PATH_TRANSLATION,
    SN_PATH_ROTATION,
    SN_PATH_SCALE,
    SN_PATH_WEIGHTS /* morph target weights of the node's mesh */
} sn_path;

typedef enum sn_interpolation { SN_STEP, SN_LINEAR, SN_CUBICSPLINE } sn_interpolation;

/* Keys of one property of one node (glTF 2.0, 3.11 Animations).
 *
 * values: key_count rows of `width` floats; with SN_CUBICSPLINE three rows a key: in-tangent,
 * value, out-tangent. Nothing here is owned: a track is a view that must outlive its users. */
typedef struct sn_track {
    uint32_t node; /* index in the file's order */
    sn_path path;
    sn_interpolation interpolation;
    uint32_t width;     /* 3, 4, or the number of morph targets */
    uint32_t key_count; /* at least 1 */
    const float *times; /* strictly increasing, finite */
    const float *values;
    uint32_t origin; /* the channel of the file this track was read from, or SN_NONE */
} sn_track;

/* A named instant of a clip: "foot down", "hit". */
typedef struct sn_marker {
    float time;       /* seconds, not negative */
    const char *name; /* not empty */
} sn_marker;

typedef struct sn_clip {
    const char *name; /* "" when the file gives none */
    uint32_t track_count;
    const sn_track *const *tracks;
    float duration;  /* seconds: the largest key time of any track, 0 without keys */
    uint32_t origin; /* the animation of the file this clip was read from, or SN_NONE */
    uint32_t marker_count;
    const sn_marker *markers; /* times strictly increasing */
} sn_clip;

/* ---- The four stages, one by one: time, key, value (hierarchy is in pose.h) ---- */

typedef enum sn_loop_mode { SN_LOOP_ONCE, SN_LOOP_REPEAT, SN_LOOP_PING_PONG } sn_loop_mode;

/* Stage 1. Maps a running time in seconds to clip time in [0, duration].
 * `speed` scales it; a negative speed plays backward from the end (a running time of 0 is then
 * the end of the clip). A non-finite time counts as 0. With SN_LOOP_REPEAT the end itself wraps
 * to 0 (played forward). Running times are doubles: a float holds 8 ms at best after a day. */
float sn_clip_time(float duration, double time, float speed, sn_loop_mode mode);

/* Stage 2. The segment that holds `time`: keys[index] <= time < keys[index + 1], and where in it
 * (0 … 1). Before the first key: index 0, fraction 0; at or after the last: last index, 0.
 * Binary search. */
typedef struct sn_key_span {
    uint32_t index;
    float fraction;
} sn_key_span;
sn_key_span sn_track_find(const sn_track *track, float time);

/* Stage 3, the scalar reference. The value at a time, `width` floats: STEP, LINEAR, CUBICSPLINE as
 * glTF 2.0 appendix C has them, before the first key and after the last one that key's value.
 * LINEAR rotations go by spherical interpolation along the short way, on the keys as they are;
 * where two keys differ by less than 3.6 degrees of rotation the result is normalised. CUBICSPLINE
 * rotations are always normalised. */
void sn_track_evaluate(const sn_track *track, float time, float *out);

#ifdef __cplusplus
}
#endif
#endif
