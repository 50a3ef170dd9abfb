#include <math.h>
#include <string.h>

#include "anim/time_set.h"

uint32_t sn_search_step(uint32_t farthest) {
    uint32_t step = 0;
    while (step * 2 < farthest + 1)
        step = step ? step * 2 : 1;
    return farthest ? step : 0;
}

/* The search may look `search_step` keys past the last one. */
static size_t padded_count(const sn_time_set *set) {
    return (size_t)set->count + set->search_step + 1;
}

/* Fills firsts, and returns how far at most the last key in a bucket is from the bucket's first. */
static uint32_t fill_firsts(const sn_time_set *set, const float *times, uint16_t *narrow,
                            uint32_t *wide) {
    uint32_t farthest = 0;
    for (uint32_t bucket = 0, key = 0; bucket < set->bucket_count; bucket++) {
        uint32_t first = key ? key - 1 : 0;
        if (narrow)
            narrow[bucket] = (uint16_t)first;
        else
            wide[bucket] = first;
        while (key < set->count && sn_time_set_bucket(set, times[key]) <= bucket)
            key++;
        if (key && key - 1 - first > farthest)
            farthest = key - 1 - first;
    }
    return farthest;
}

bool sn_time_set_init(sn_time_set *set, const float *times, uint32_t count, sn_arena *arena) {
    *set = (sn_time_set){.count = count, .first = times[0], .last = times[count - 1]};
    set->buckets_per_second = 2 * (float)count / (set->last - set->first);
    if (!isfinite(set->buckets_per_second)) /* extremely close: one bucket */
        set->buckets_per_second = 0;
    set->bucket_count = sn_time_set_bucket(set, set->last) + 1;
    bool is_wide = count > UINT16_MAX;
    uint16_t *narrow = is_wide ? NULL : SN_ARENA_NEW(arena, uint16_t, set->bucket_count);
    uint32_t *wide = is_wide ? SN_ARENA_NEW(arena, uint32_t, set->bucket_count) : NULL;
    if (!narrow && !wide)
        return false;
    set->firsts = narrow;
    set->wide_firsts = wide;
    set->search_step = sn_search_step(fill_firsts(set, times, narrow, wide));

    float *padded = SN_ARENA_NEW(arena, float, padded_count(set));
    if (!padded)
        return false;
    memcpy(padded, times, count * sizeof *padded);
    for (size_t i = count; i < padded_count(set); i++)
        padded[i] = fmaxf(set->last + 1, nextafterf(set->last, INFINITY));
    set->times = padded;
    return true;
}

size_t sn_time_set_bytes(const sn_time_set *set) {
    return padded_count(set) * sizeof(float) +
           set->bucket_count * (set->firsts ? sizeof *set->firsts : sizeof *set->wide_firsts);
}
