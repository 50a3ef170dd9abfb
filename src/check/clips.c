/* Clips and their keys (glTF 2.0, 3.11 Animations and appendix C). */
#include <math.h>

#include "check/keys.h"

/* One frame of the slowest common rate: less than this, a clip's tracks end together. */
static const float frame = 1.0f / 24;

static const char *const path_names[] = {"translation", "rotation", "scale", "weights"};

static float track_end(const sn_track *t) {
    return t->times[t->key_count - 1];
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

static void report_times(checker *c, const sn_track *t, const key_summary *s, place at) {
    if (t->times[0] > 0)
        checker_add(c, RULE_KEY_FIRST, at,
                    "the first key is at %g s; until then its value holds, from 0 s on",
                    (double)t->times[0]);
    if (s->negative.count)
        checker_add(c, RULE_KEY_NEGATIVE_TIME, at,
                    "%u of %u keys are before 0 s, the first is at %g s; a clip starts at 0 s",
                    s->negative.count, t->key_count, (double)t->times[s->negative.first]);
    if (s->disorder.count)
        checker_add(c, RULE_KEY_ORDER, at,
                    "key %u at %g s does not come after key %u at %g s; times must increase",
                    s->disorder.first, (double)t->times[s->disorder.first], s->disorder.first - 1,
                    (double)t->times[s->disorder.first - 1]);
}

static void report_rotations(checker *c, const sn_track *t, const key_summary *s, place at) {
    if (s->not_unit.count)
        checker_add(c, RULE_KEY_UNIT, at,
                    "%u of %u rotations are no unit quaternions, the first is key %u, the worst "
                    "length is %g; it should be 1",
                    s->not_unit.count, t->key_count, s->not_unit.first, (double)s->worst_length);
    if (s->spikes.count)
        checker_add(c, RULE_KEY_SPIKE, at,
                    "the rotation of node %u is far away and back again at %u of %u keys, the "
                    "first is key %u at %g s; does the joint flip there?",
                    t->node, s->spikes.count, t->key_count, s->spikes.first,
                    (double)t->times[s->spikes.first]);
    if (s->flips.count && t->interpolation == SN_CUBICSPLINE)
        checker_add(c, RULE_KEY_FLIP_SPLINE, at,
                    "the quaternion changes sign at %u of %u keys, the first is key %u; a spline "
                    "then goes the long way round, so neighbours should have the same sign",
                    s->flips.count, t->key_count, s->flips.first);
    else if (s->flips.count)
        checker_add(c, RULE_KEY_FLIP, at,
                    "the quaternion changes sign at %u of %u keys, the first is key %u; glTF takes "
                    "the short way all the same, tools that interpolate plainly do not",
                    s->flips.count, t->key_count, s->flips.first);
}

static void report_constant(checker *c, const sn_track *t, place at) {
    const float *rest = rest_value(c->model, t);
    if (rest && same_value(t, key_value(t, 0), rest))
        checker_add(c, RULE_KEY_REST, at,
                    "the %s of node %u keeps its rest value throughout (%u keys)",
                    path_names[t->path], t->node, t->key_count);
    else if (t->key_count > 1)
        checker_add(c, RULE_KEY_CONSTANT, at, "the %s of node %u never changes (%u keys)",
                    path_names[t->path], t->node, t->key_count);
}

static void check_track(checker *c, const sn_track *t, const key_summary *s, place at) {
    if (c->model->nodes[t->node].has_matrix && t->path != SN_PATH_WEIGHTS)
        checker_add(c, RULE_TRACK_MATRIX, at,
                    "the track animates the %s of node %u, which is given by a matrix; an animated "
                    "node must have translation, rotation and scale",
                    path_names[t->path], t->node);
    if (s->not_finite.count) {
        checker_add(c, RULE_KEY_NOT_FINITE, at,
                    "%u of %u keys hold NaN or infinity, the first is key %u; every number must be "
                    "finite",
                    s->not_finite.count, t->key_count, s->not_finite.first);
        return;
    }
    report_times(c, t, s, at);
    report_rotations(c, t, s, at);
    if (s->constant)
        report_constant(c, t, at);
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
    const key_summary **summary = summarise_keys(c);
    for (uint32_t i = 0; i < model->clip_count && !c->out_of_memory; i++) {
        const sn_clip *clip = &model->clips[i];
        if (!clip->track_count)
            checker_add(c, RULE_CLIP_EMPTY,
                        place_of("/animations/%u", clip->origin == SN_NONE ? i : clip->origin),
                        "the animation moves nothing that Sinew can evaluate");
        for (uint32_t k = 0; k < clip->track_count; k++)
            check_track(c, clip->tracks[k], *summary++, track_place(c, i, k));
        check_duplicates(c, i, drivers);
        check_overrun(c, i);
    }
}
