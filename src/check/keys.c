#include "check/keys.h"

#include <math.h>
#include <stdlib.h>

/* Four signed bytes round a unit quaternion to a length off by up to 0.008; what is further off
 * was never normalised. */
static const float unit_tolerance = 0.01f;

static bool is_cubic(const sn_track *t) {
    return t->interpolation == SN_CUBICSPLINE;
}

const float *key_value(const sn_track *t, uint32_t key) {
    return t->values + (size_t)t->width * (is_cubic(t) ? 3 * (size_t)key + 1 : key);
}

static bool near(const float *a, const float *b, uint32_t width) {
    for (uint32_t i = 0; i < width; i++)
        if (!(fabsf(a[i] - b[i]) <= 1e-6f * fmaxf(1, fabsf(a[i]))))
            return false;
    return true;
}

bool same_value(const sn_track *t, const float *a, const float *b) {
    if (near(a, b, t->width))
        return true;
    if (t->path != SN_PATH_ROTATION)
        return false;
    const float opposite[4] = {-b[0], -b[1], -b[2], -b[3]};
    return near(a, opposite, 4);
}

static void tally(key_tally *t, uint32_t key) {
    if (!t->count++)
        t->first = key;
}

static void find_not_finite(const sn_track *t, key_summary *s) {
    size_t row = (size_t)t->width * (is_cubic(t) ? 3 : 1);
    for (uint32_t key = 0; key < t->key_count; key++) {
        bool finite = is_finite(t->times[key]);
        for (size_t i = 0; i < row; i++)
            finite = finite && is_finite(t->values[row * key + i]);
        if (!finite)
            tally(&s->not_finite, key);
    }
}

static void look_at_times(const sn_track *t, key_summary *s) {
    for (uint32_t key = 0; key < t->key_count; key++) {
        if (t->times[key] < 0)
            tally(&s->negative, key);
        if (key && t->times[key] <= t->times[key - 1])
            tally(&s->disorder, key);
    }
}

static void look_at_rotations(const sn_track *t, key_summary *s) {
    s->worst_length = 1;
    for (uint32_t key = 0; key < t->key_count; key++) {
        const float *q = key_value(t, key);
        float length = sqrtf(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        if (fabsf(length - 1) > unit_tolerance) {
            tally(&s->not_unit, key);
            if (fabsf(length - 1) > fabsf(s->worst_length - 1))
                s->worst_length = length;
        }
        const float *p = key ? key_value(t, key - 1) : q;
        if (p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3] < 0)
            tally(&s->flips, key);
    }
}

/* Radians between two rotations. */
static float angle_between(const float *p, const float *q) {
    float dot = p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3];
    float lengths = sqrtf((p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]) *
                          (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]));
    return lengths > 0 ? 2 * acosf(fminf(fabsf(dot) / lengths, 1)) : 0;
}

/* A single key that turns far away and is back with the next one: motion that is quick, but meant,
 * takes more than one key of a recording there and back. */
static void find_spikes(const sn_track *t, key_summary *s) {
    const float far = 0.785f; /* 45 degrees */
    const float soon = 0.1f;  /* seconds from a key to the next */
    for (uint32_t key = 1; key + 1 < t->key_count; key++) {
        if (t->times[key] - t->times[key - 1] > soon || t->times[key + 1] - t->times[key] > soon)
            continue;
        const float *before = key_value(t, key - 1), *after = key_value(t, key + 1);
        float away = fminf(angle_between(before, key_value(t, key)),
                           angle_between(key_value(t, key), after));
        if (away > far && angle_between(before, after) < away / 4)
            tally(&s->spikes, key);
    }
}

static bool is_constant(const sn_track *t) {
    for (uint32_t key = 0; key < t->key_count; key++) {
        const float *value = key_value(t, key);
        if (!same_value(t, key_value(t, 0), value))
            return false;
        for (uint32_t i = 0; is_cubic(t) && i < t->width; i++)
            if (fabsf(*(value - t->width + i)) > 1e-6f || fabsf(value[t->width + i]) > 1e-6f)
                return false;
    }
    return true;
}

static key_summary summarise(const sn_track *t) {
    key_summary s = {.constant = false};
    find_not_finite(t, &s);
    if (s.not_finite.count)
        return s;
    look_at_times(t, &s);
    if (t->path == SN_PATH_ROTATION) {
        look_at_rotations(t, &s);
        if (t->interpolation != SN_STEP)
            find_spikes(t, &s);
    }
    s.constant = is_constant(t);
    return s;
}

/* ---- Once for the same keys ---- */

typedef struct numbered {
    const sn_track *track;
    uint32_t number; /* among all tracks */
} numbered;

static int compare_numbers(uintptr_t a, uintptr_t b) {
    return (a > b) - (a < b);
}

/* 0 when two tracks have the same keys. */
static int by_keys(const void *x, const void *y) {
    const sn_track *a = ((const numbered *)x)->track, *b = ((const numbered *)y)->track;
    int order = compare_numbers((uintptr_t)a->values, (uintptr_t)b->values);
    if (!order)
        order = compare_numbers((uintptr_t)a->times, (uintptr_t)b->times);
    if (!order)
        order = compare_numbers(a->key_count, b->key_count);
    if (!order)
        order = compare_numbers(a->width, b->width);
    if (!order)
        order = compare_numbers(a->interpolation, b->interpolation);
    if (!order)
        order = compare_numbers(a->path == SN_PATH_ROTATION, b->path == SN_PATH_ROTATION);
    return order;
}

const key_summary **summarise_keys(checker *c) {
    size_t count = 0;
    for (uint32_t i = 0; i < c->model->clip_count; i++)
        count += c->model->clips[i].track_count;
    numbered *tracks = CHECKER_NEW(c, numbered, count);
    const key_summary **summaries = CHECKER_NEW(c, const key_summary *, count);
    if (!tracks || !summaries)
        return NULL;
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->model->clip_count; i++)
        for (uint32_t k = 0; k < c->model->clips[i].track_count; k++, n++)
            tracks[n] = (numbered){c->model->clips[i].tracks[k], n};
    qsort(tracks, count, sizeof *tracks, by_keys);
    for (size_t i = 0; i < count; i++) {
        const key_summary *known =
            i && by_keys(&tracks[i], &tracks[i - 1]) == 0 ? summaries[tracks[i - 1].number] : NULL;
        if (!known) {
            key_summary *fresh = CHECKER_NEW(c, key_summary, 1);
            if (!fresh)
                return NULL;
            *fresh = summarise(tracks[i].track);
            known = fresh;
        }
        summaries[tracks[i].number] = known;
    }
    return summaries;
}
