/* Tracks made new with keys taken out and put in. */
#ifndef SN_EDIT_KEYS_H
#define SN_EDIT_KEYS_H

#include "edit/shared.h"

/* Floats of one key: its value, or with CUBICSPLINE in-tangent, value and out-tangent. */
static inline size_t sn_track_stride(const sn_track *track) {
    return (track->interpolation == SN_CUBICSPLINE ? 3 : 1) * (size_t)track->width;
}

static inline const float *sn_track_row(const sn_track *track, uint32_t key) {
    return track->values + key * sn_track_stride(track);
}

/* The value inside a row. */
static inline size_t sn_track_value_offset(const sn_track *track) {
    return track->interpolation == SN_CUBICSPLINE ? track->width : 0;
}

/* The first key that is not before `time`; key_count when all are. */
uint32_t sn_track_lower_bound(const sn_track *track, float time);

/* The key at exactly this time, or SN_NONE. */
uint32_t sn_track_key_at(const sn_track *track, float time);

/* The slope of a CUBICSPLINE track at a time that is no key's, a second, `width` floats; zero
 * outside the keys, where the value stands still. For a rotation it is the slope of the
 * normalised curve, turned so that `value`, in place of the curve's own value there, turns with the
 * same angular velocity. */
void sn_track_slope(const sn_track *track, float time, const float *value, float *out);

/* Negative when the quaternions are on different sides: one of them negated is nearer. */
double sn_rotation_dot(const float a[4], const float b[4]);

/* The tangent that gives rotation `to` the angular velocity that `slope` gives rotation `from`.
 * False when it is not finite. */
bool sn_rotation_transport(const float slope[4], const float from[4], const float to[4],
                           float out[4]);

/* Writes `value` as a unit quaternion, and by what it was divided; false when it has no direction.
 * One that is a unit quaternion to the precision of its floats stays as it is, bit by bit. */
bool sn_rotation_normalize(const float value[4], float out[4], double *length);

/* A key to be put in. */
typedef struct sn_new_key {
    float time;
    uint32_t from;    /* the key of the source that it was, or SN_NONE: it is new */
    const float *row; /* sn_track_stride floats */
} sn_new_key;

typedef struct sn_rewrite {
    const sn_track *source; /* NULL: there was none */
    sn_track shape;         /* node, path, interpolation, width and origin of the result */
    const bool *removed;    /* for each key of the source; NULL: none is */
    const sn_new_key *keys; /* in order of time, no two at the same; a key of the source at the
                               same time gives way */
    uint32_t key_count;
} sn_rewrite;

/* Makes the new track. Its other keys are bit by bit those of the source. A new or moved rotation
 * takes the sign (q and -q are the same rotation) that is nearer to its neighbours, so that
 * CUBICSPLINE, and players that do not look for the short way, do not turn the long way round;
 * keys that keep their order keep their signs. `*out` is NULL when no key is left. False: no
 * memory. */
bool sn_rewrite_track(const sn_rewrite *rewrite, const sn_allocator *allocator, sn_arena *arena,
                      sn_shared_track **out);

#endif
