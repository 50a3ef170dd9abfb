/* Distinct arrays of key times, and finding a time in them in a few steps. */
#ifndef SN_ANIM_TIME_SET_H
#define SN_ANIM_TIME_SET_H

#include "sinew/memory.h"

/* The key times, and behind them a later one a few times over.
 *
 * The time from the first key to the last is cut into buckets of equal length, two a key; firsts[b]
 * is the last key before bucket b, or 0. From there the segment of a time in that bucket is at most
 * 2 * search_step - 1 keys on. For times that are anything like even, that is one or two
 * comparisons, the same number at every look-up, whatever the length of the clip; for the most
 * uneven ones it is a binary search. */
typedef struct sn_time_set {
    const float *times;
    uint32_t count;
    uint32_t search_step; /* a power of two, or 0 */
    float first, last;
    float buckets_per_second;
    uint32_t bucket_count;
    const uint16_t *firsts;      /* or NULL: */
    const uint32_t *wide_firsts; /* with 32 bits where 16 are too few */
} sn_time_set;

/* At least two times. Copies them into the arena; false when there is no memory. `is_wide`: more
 * keys than 16 bits count, here or in a set that is searched together with this one. */
bool sn_time_set_init(sn_time_set *set, const float *times, uint32_t count, bool is_wide,
                      sn_arena *arena);
size_t sn_time_set_bytes(const sn_time_set *set); /* what it took from the arena */

/* A segment and where in it: between the keys `index` and `next`, which are the same before the
 * first key and from the last one on. The fraction is elapsed / length, 0 where they are the same.
 */
typedef struct sn_segment {
    uint32_t index, next;
    float elapsed, length; /* seconds; never 0 */
} sn_segment;

/* `time` between the first and the last key. Grows with the time, whatever is rounded. */
static inline uint32_t sn_time_set_bucket(const sn_time_set *set, float time) {
    return (uint32_t)((time - set->first) * set->buckets_per_second);
}

#if defined(__has_builtin)
#if __has_builtin(__builtin_unpredictable)
#define SN_UNPREDICTABLE(condition) __builtin_unpredictable(condition)
#endif
#endif
#if !defined(SN_UNPREDICTABLE)
#define SN_UNPREDICTABLE(condition) (condition)
#endif

/* The last key at or before `time`, which is not before `index`. No branch on the times: no
 * processor could foresee it. */
static inline uint32_t sn_time_set_search(const float *times, uint32_t index, uint32_t step,
                                          float time) {
    for (; step; step >>= 1)
        index = SN_UNPREDICTABLE(times[index + step] <= time) ? index + step : index;
    return index;
}

/* The segment that sn_track_find finds. */
static inline sn_segment sn_time_set_find(const sn_time_set *set, float time) {
    const float *times = set->times;
    float clamped = time > set->first ? time : set->first; /* NaN becomes the first */
    clamped = clamped < set->last ? clamped : set->last;
    uint32_t bucket = sn_time_set_bucket(set, clamped);
    uint32_t first = set->firsts ? set->firsts[bucket] : set->wide_firsts[bucket];
    uint32_t index = sn_time_set_search(times, first, set->search_step, clamped);
    bool is_inside = time >= set->first && time < set->last;
    return (sn_segment){index, index + is_inside, clamped - times[index],
                        times[index + 1] - times[index]};
}

#endif
