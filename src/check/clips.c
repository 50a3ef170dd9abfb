/* Clips and their keys (glTF 2.0, 3.11 Animations and appendix C). */
#include <math.h>

#include "check/checker.h"

/* Four signed bytes round a unit quaternion to a length off by up to 0.008; what is further off
 * was never normalised. */
static const float unit_tolerance = 0.01f;

/* One frame of the slowest common rate: less than this, a clip's tracks end together. */
static const float frame = 1.0f / 24;

static const char *const path_names[] = {"translation", "rotation", "scale", "weights"};

static bool is_cubic(const sn_track *t) {
    return t->interpolation == SN_CUBICSPLINE;
}

/* The value of a key; with CUBICSPLINE its tangents are the rows before and after. */
static const float *key_value(const sn_track *t, uint32_t key) {
    return t->values + (size_t)t->width * (is_cubic(t) ? 3 * (size_t)key + 1 : key);
}

static bool near(const float *a, const float *b, uint32_t width) {
    for (uint32_t i = 0; i < width; i++)
        if (!(fabsf(a[i] - b[i]) <= 1e-6f * fmaxf(1, fabsf(a[i]))))
            return false;
    return true;
}

static float track_end(const sn_track *t) {
    return t->times[t->key_count - 1];
}

/* Equal values; for a rotation q and -q are one. */
static bool same_value(const sn_track *t, const float *a, const float *b) {
    if (near(a, b, t->width))
        return true;
    if (t->path != SN_PATH_ROTATION)
        return false;
    const float opposite[4] = {-b[0], -b[1], -b[2], -b[3]};
    return near(a, opposite, 4);
}

static bool tangents_are_zero(const sn_track *t) {
    if (!is_cubic(t))
        return true;
    for (uint32_t key = 0; key < t->key_count; key++) {
        const float *value = key_value(t, key);
        for (uint32_t i = 0; i < t->width; i++)
            if (fabsf(value[(ptrdiff_t)i - (ptrdiff_t)t->width]) > 1e-6f ||
                fabsf(value[t->width + i]) > 1e-6f)
                return false;
    }
    return true;
}

static const float *rest_value(const sn_model *model, const sn_track *t) {
    const sn_node *node = &model->nodes[t->node];
    switch (t->path) {
    case SN_PATH_TRANSLATION:
        return node->rest.translation;
    case SN_PATH_ROTATION:
        return node->rest.rotation;
    case SN_PATH_SCALE:
        return node->rest.scale;
    case SN_PATH_WEIGHTS:
        break;
    }
    return node->weight_count == t->width ? node->weights : NULL;
}

static void check_times(checker *c, const sn_track *t, place at) {
    if (t->times[0] > 0)
        checker_add(c, RULE_KEY_FIRST, at,
                    "the first key is at %g s; until then its value holds, from 0 s on",
                    (double)t->times[0]);
    uint32_t negative = 0;
    for (uint32_t i = 0; i < t->key_count; i++)
        negative += t->times[i] < 0;
    if (negative)
        checker_add(c, RULE_KEY_NEGATIVE_TIME, at,
                    "%u of %u keys are before 0 s, the first is at %g s; a clip starts at 0 s",
                    negative, t->key_count, (double)t->times[0]);
    for (uint32_t i = 1; i < t->key_count; i++) {
        if (t->times[i] > t->times[i - 1])
            continue;
        checker_add(c, RULE_KEY_ORDER, at,
                    "key %u at %g s does not come after key %u at %g s; times must increase", i,
                    (double)t->times[i], i - 1, (double)t->times[i - 1]);
        return;
    }
}

/* False when some number is not finite: then the other rules have nothing to say. */
static bool check_finite(checker *c, const sn_track *t, place at) {
    size_t row = (size_t)t->width * (is_cubic(t) ? 3 : 1);
    uint32_t broken = 0, first = 0;
    for (uint32_t key = 0; key < t->key_count; key++) {
        bool finite = is_finite(t->times[key]);
        for (size_t i = 0; i < row; i++)
            finite = finite && is_finite(t->values[row * key + i]);
        if (!finite && !broken++)
            first = key;
    }
    if (broken)
        checker_add(c, RULE_KEY_NOT_FINITE, at,
                    "%u of %u keys hold NaN or infinity, the first is key %u; every number must be "
                    "finite",
                    broken, t->key_count, first);
    return !broken;
}

static void check_rotations(checker *c, const sn_track *t, place at) {
    uint32_t off = 0, first_off = 0, flips = 0, first_flip = 0;
    float worst = 1;
    for (uint32_t key = 0; key < t->key_count; key++) {
        const float *q = key_value(t, key);
        float length = sqrtf(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        if (fabsf(length - 1) > unit_tolerance) {
            if (!off++)
                first_off = key;
            if (fabsf(length - 1) > fabsf(worst - 1))
                worst = length;
        }
        if (key == 0)
            continue;
        const float *p = key_value(t, key - 1);
        if (p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3] < 0 && !flips++)
            first_flip = key;
    }
    if (off)
        checker_add(c, RULE_KEY_UNIT, at,
                    "%u of %u rotations are no unit quaternions, the first is key %u, the worst "
                    "length is %g; it should be 1",
                    off, t->key_count, first_off, (double)worst);
    if (flips && is_cubic(t))
        checker_add(c, RULE_KEY_FLIP_SPLINE, at,
                    "the quaternion changes sign %u times, first at key %u; a spline then goes the "
                    "long way round, so neighbours should have the same sign",
                    flips, first_flip);
    else if (flips)
        checker_add(c, RULE_KEY_FLIP, at,
                    "the quaternion changes sign %u times, first at key %u; glTF takes the short "
                    "way all the same, tools that interpolate plainly do not",
                    flips, first_flip);
}

static void check_change(checker *c, const sn_track *t, place at) {
    const float *value = key_value(t, 0);
    for (uint32_t key = 1; key < t->key_count; key++)
        if (!same_value(t, value, key_value(t, key)))
            return;
    if (!tangents_are_zero(t))
        return;
    const float *rest = rest_value(c->model, t);
    if (rest && same_value(t, value, rest))
        checker_add(c, RULE_KEY_REST, at,
                    "the %s of node %u keeps its rest value throughout (%u keys)",
                    path_names[t->path], t->node, t->key_count);
    else if (t->key_count > 1)
        checker_add(c, RULE_KEY_CONSTANT, at, "the %s of node %u never changes (%u keys)",
                    path_names[t->path], t->node, t->key_count);
}

static void check_track(checker *c, const sn_track *t, place at) {
    if (c->model->nodes[t->node].has_matrix && t->path != SN_PATH_WEIGHTS)
        checker_add(c, RULE_TRACK_MATRIX, at,
                    "the track animates the %s of node %u, which is given by a matrix; an animated "
                    "node must have translation, rotation and scale",
                    path_names[t->path], t->node);
    if (!check_finite(c, t, at))
        return;
    check_times(c, t, at);
    if (t->path == SN_PATH_ROTATION)
        check_rotations(c, t, at);
    check_change(c, t, at);
}

static place track_place(const checker *c, uint32_t clip, uint32_t track) {
    const sn_clip *owner = &c->model->clips[clip];
    uint32_t channel = owner->tracks[track]->origin;
    return place_of("/animations/%u/channels/%u", owner->origin == SN_NONE ? clip : owner->origin,
                    channel == SN_NONE ? track : channel);
}

/* The track that drives each path of a node, in the clip that came last to it. */
typedef struct driver {
    uint32_t clip, track; /* clip: 1 + its index; 0: none yet */
} driver;

static void check_duplicates(checker *c, uint32_t clip, driver (*drivers)[4]) {
    const sn_clip *owner = &c->model->clips[clip];
    for (uint32_t i = 0; i < owner->track_count; i++) {
        const sn_track *t = owner->tracks[i];
        driver *d = &drivers[t->node][t->path];
        if (d->clip != clip + 1)
            *d = (driver){clip + 1, i};
        else
            checker_add(c, RULE_TRACK_DUPLICATE, track_place(c, clip, i),
                        "the %s of node %u is already driven by another channel of this animation "
                        "(%s); there must be one",
                        path_names[t->path], t->node, track_place(c, clip, d->track).pointer);
    }
}

/* A stray key far behind all others makes a clip longer than anyone meant. Tracks with one key are
 * no measure of where the motion ends. */
static void check_overrun(checker *c, uint32_t clip) {
    const sn_clip *owner = &c->model->clips[clip];
    uint32_t last = SN_NONE; /* the track with the latest key */
    for (uint32_t i = 0; i < owner->track_count; i++)
        if (last == SN_NONE || track_end(owner->tracks[i]) > track_end(owner->tracks[last]))
            last = i;
    float other = -INFINITY; /* the latest key of the other nodes */
    for (uint32_t i = 0; i < owner->track_count; i++) {
        const sn_track *t = owner->tracks[i];
        if (t->node != owner->tracks[last]->node && t->key_count > 1)
            other = fmaxf(other, track_end(t));
    }
    if (other > -INFINITY && track_end(owner->tracks[last]) - other > frame)
        checker_add(c, RULE_CLIP_OVERRUN, track_place(c, clip, last),
                    "the keys of node %u go on to %g s, those of all other nodes end at %g s",
                    owner->tracks[last]->node, (double)track_end(owner->tracks[last]),
                    (double)other);
}

void check_clips(checker *c) {
    const sn_model *model = c->model;
    if (!model->clip_count)
        checker_add(c, RULE_CLIP_NONE, place_of(""), "the file has no animation");
    driver(*drivers)[4] = checker_alloc(c, model->node_count, sizeof *drivers);
    for (uint32_t i = 0; i < model->clip_count && !c->out_of_memory; i++) {
        const sn_clip *clip = &model->clips[i];
        if (!clip->track_count)
            checker_add(c, RULE_CLIP_EMPTY,
                        place_of("/animations/%u", clip->origin == SN_NONE ? i : clip->origin),
                        "the animation moves nothing that Sinew can evaluate");
        for (uint32_t k = 0; k < clip->track_count; k++)
            check_track(c, clip->tracks[k], track_place(c, i, k));
        check_duplicates(c, i, drivers);
        check_overrun(c, i);
    }
}
