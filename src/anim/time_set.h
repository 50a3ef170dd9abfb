/* Key times, and finding a time among them in a few steps. */
#ifndef SN_ANIM_TIME_SET_H
#define SN_ANIM_TIME_SET_H

#include "sinew/memory.h"

/* Marks a condition that is better not guessed: searches end wherever the time happens to be. */
#if defined(__has_builtin)
#if __has_builtin(__builtin_unpredictable)
#define SN_UNPREDICTABLE(condition) __builtin_unpredictable(condition)
#endif
#endif
#if !defined(SN_UNPREDICTABLE)
#define SN_UNPREDICTABLE(condition) (condition)
#endif

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

/* At least two times. Copies them into the arena; false when there is no memory. */
bool sn_time_set_init(sn_time_set *set, const float *times, uint32_t count, sn_arena *arena);
size_t sn_time_set_bytes(const sn_time_set *set); /* what it took from the arena */

/* The first step of a search that must reach `farthest` keys on: 0, or the largest power of two
 * such that it and all smaller ones together do not stop short. */
uint32_t sn_search_step(uint32_t farthest);

/* A segment and where in it: between the keys `index` and `next`, which are the same before the
 * first key and from the last one on. The fraction is elapsed / length, 0 where they are the same.
 */
typedef struct sn_segment {
    uint32_t index, next;
    float elapsed, length; /* seconds; the length is never 0 */
} sn_segment;

/* The bucket so many seconds from the first key; grows with them, whatever is rounded. Keys farther
 * apart than a float can say have one bucket: no number of seconds times 0 is none either. */
static inline uint32_t sn_time_bucket(float seconds, float buckets_per_second) {
    float bucket = seconds * buckets_per_second;
    return bucket > 0 ? (uint32_t)bucket : 0;
}

/* `time` between the first and the last key. */
static inline uint32_t sn_time_set_bucket(const sn_time_set *set, float time) {
    return sn_time_bucket(time - set->first, set->buckets_per_second);
}

/* The segment that sn_track_find finds. */
static inline sn_segment sn_time_set_find(const sn_time_set *set, float time) {
    const float *times = set->times;
    float clamped = time > set->first ? time : set->first; /* NaN becomes the first */
    clamped = clamped < set->last ? clamped : set->last;
    uint32_t bucket = sn_time_set_bucket(set, clamped);
    uint32_t index = set->firsts ? set->firsts[bucket] : set->wide_firsts[bucket];
    for (uint32_t step = set->search_step; step; step >>= 1)
        index = SN_UNPREDICTABLE(times[index + step] <= clamped) ? index + step : index;
    bool is_inside = time >= set->first && time < set->last;
    return (sn_segment){index, index + is_inside, clamped - times[index],
                        times[index + 1] - times[index]};
}

#endif
