/* Which channels and samplers of the file stay, change, go or come, for the clips to be written.
 *
 * A track that is the file's own, by pointer, keeps its channel and sampler as they are. A track
 * for the same property of the same node takes over the channel, and the sampler too if no other
 * channel needs it. Channels that Sinew does not read as tracks always stay. */
#include <stdlib.h>
#include <string.h>

#include "anim/clip.h"
#include "base/error.h"
#include "gltf/markers.h"
#include "gltf/writer.h"

/* ---- Taking the file's animations apart ---- */

static uint32_t unsigned_member(const sn_json *json, uint32_t object, const char *name,
                                uint32_t limit) {
    uint32_t value = sn_json_member(json, object, name);
    uint64_t number;
    if (value == SN_NONE || !sn_json_unsigned(json, value, &number) || number >= limit)
        return SN_NONE;
    return (uint32_t)number;
}

static sn_result take_apart(sn_writer *w, uint32_t value, const sn_clip *clip,
                            sn_animation_plan *plan) {
    const sn_json *json = w->json;
    uint32_t channels = sn_json_member(json, value, "channels");
    uint32_t samplers = sn_json_member(json, value, "samplers");
    *plan = (sn_animation_plan){.value = value,
                                .channel_count = json->nodes[channels].count,
                                .sampler_count = json->nodes[samplers].count};
    plan->channels = SN_ARENA_NEW(w->arena, sn_channel_plan, plan->channel_count);
    plan->samplers = SN_ARENA_NEW(w->arena, sn_sampler_plan, plan->sampler_count);
    if (!plan->channels || !plan->samplers)
        return sn_writer_no_memory(w);
    uint32_t element = samplers + 1, accessors = w->gltf->count[SN_ROOT_ACCESSORS];
    for (uint32_t i = 0; i < plan->sampler_count; i++, element = json->nodes[element].next)
        plan->samplers[i] = (sn_sampler_plan){
            .value = element,
            .input = unsigned_member(json, element, "input", accessors),
            .output = unsigned_member(json, element, "output", accessors),
        };
    element = channels + 1;
    for (uint32_t i = 0; i < plan->channel_count; i++, element = json->nodes[element].next)
        plan->channels[i] = (sn_channel_plan){
            .value = element,
            .sampler = unsigned_member(json, element, "sampler", plan->sampler_count),
        };
    for (uint32_t i = 0; i < clip->track_count; i++)
        plan->channels[clip->tracks[i]->origin].track = clip->tracks[i];
    return SN_OK;
}

/* The file's track at an address: where it stands. */
typedef struct own_track {
    const sn_track *track;
    const sn_animation_plan *animation;
} own_track;

static int compare_own(const void *left, const void *right) {
    uintptr_t a = (uintptr_t)((const own_track *)left)->track;
    uintptr_t b = (uintptr_t)((const own_track *)right)->track;
    return (a > b) - (a < b);
}

/* ---- Key times, to be shared by content ---- */

typedef struct times_entry {
    const float *times; /* NULL: free */
    uint32_t count;
    sn_accessor_ref ref;
} times_entry;

typedef struct times_table {
    times_entry *entries;
    uint32_t mask;
} times_table;

/* Of some of them: many tracks may share one long array, which must not be read for each. */
static uint32_t hash_times(const float *times, uint32_t count) {
    uint32_t hash = 2166136261u ^ count; /* FNV-1a over words */
    for (uint64_t i = 0; i < count; i += count / 64 + 1) {
        uint32_t bits;
        memcpy(&bits, &times[i], sizeof bits);
        hash = (hash ^ bits) * 16777619u;
    }
    return hash ^ hash >> 15;
}

static bool same_floats(const float *a, const float *b, size_t count) {
    return a == b || !memcmp(a, b, count * sizeof *a);
}

static times_entry *find_times(const times_table *table, const float *times, uint32_t count) {
    uint32_t at = hash_times(times, count) & table->mask;
    while (table->entries[at].times) {
        const times_entry *entry = &table->entries[at];
        if (entry->count == count && same_floats(entry->times, times, count))
            break;
        at = (at + 1) & table->mask;
    }
    return &table->entries[at];
}

/* ---- One clip ---- */

typedef struct planner {
    sn_writer *w;
    sn_animation_plan *animations;
    own_track *own; /* sorted by address */
    size_t own_count;
    uint32_t *claims; /* four a node: where a track for its property is, plus one */
} planner;

static const own_track *find_own(const planner *p, const sn_track *track) {
    own_track key = {track, NULL};
    return p->own_count ? bsearch(&key, p->own, p->own_count, sizeof key, compare_own) : NULL;
}

static const sn_sampler_plan *own_sampler(const own_track *own) {
    return &own->animation->samplers[own->animation->channels[own->track->origin].sampler];
}

static void release(sn_writer *w, uint32_t accessor) {
    if (accessor == SN_NONE)
        return;
    w->accessors[accessor].uses--;
    w->accessors[accessor].released = true;
}

static void retain(sn_writer *w, sn_accessor_ref ref) {
    w->accessors[ref].uses++;
}

static size_t value_count(const sn_track *track) {
    return (size_t)track->key_count * track->width *
           (track->interpolation == SN_CUBICSPLINE ? 3 : 1);
}

static sn_accessor_ref add_accessor(sn_writer *w, const sn_new_accessor *accessor) {
    w->news[w->new_count] = *accessor;
    return w->gltf->count[SN_ROOT_ACCESSORS] + w->new_count++;
}

static bool has_bounds(const sn_writer *w, uint32_t accessor) {
    uint32_t value = w->gltf->accessors[accessor].value;
    return sn_json_member(w->json, value, "min") != SN_NONE &&
           sn_json_member(w->json, value, "max") != SN_NONE;
}

/* Fills a sampler for `track`; `old` is the track and `was` the sampler it replaces, or NULL. Data
 * that have not changed stay where they are. */
static void plan_sampler(sn_writer *w, times_table *table, const sn_track *track,
                         const sn_track *old, const sn_sampler_plan *was, sn_sampler_plan *out) {
    out->interpolation = track->interpolation;
    times_entry *entry = find_times(table, track->times, track->key_count);
    if (old && old->key_count == track->key_count &&
        same_floats(old->times, track->times, track->key_count)) {
        out->new_input = was->input;
        retain(w, was->input);
        if (!entry->times)
            *entry = (times_entry){track->times, track->key_count, was->input};
    } else if (entry->times) {
        out->new_input = entry->ref;
        if (entry->ref < w->gltf->count[SN_ROOT_ACCESSORS])
            retain(w, entry->ref);
    } else {
        out->new_input =
            add_accessor(w, &(sn_new_accessor){.values = track->times,
                                               .count = track->key_count,
                                               .rows = 1,
                                               .bounds = true,
                                               .preferred = old ? was->input : SN_NONE});
        *entry = (times_entry){track->times, track->key_count, out->new_input};
    }
    size_t count = value_count(track);
    if (old && value_count(old) == count && same_floats(old->values, track->values, count)) {
        out->new_output = was->output;
        retain(w, was->output);
        return;
    }
    uint32_t rows = track->path == SN_PATH_WEIGHTS ? 1 : track->width;
    out->new_output =
        add_accessor(w, &(sn_new_accessor){.values = track->values,
                                           .count = (uint32_t)(count / rows),
                                           .rows = (uint8_t)rows,
                                           .bounds = old && has_bounds(w, was->output),
                                           .preferred = old ? was->output : SN_NONE});
}

/* The channel that an edited track takes over: the one it came from, else one for the same
 * property of the same node. */
static uint32_t find_channel(const planner *p, const sn_clip_plan *plan, const sn_track *track) {
    if (!plan->origin)
        return SN_NONE;
    uint32_t origin = track->origin;
    for (int pass = 0; pass < 2; pass++) {
        if (origin < plan->origin->channel_count) {
            const sn_channel_plan *channel = &plan->channels[origin];
            if (channel->fate == SN_REMOVE && channel->track &&
                channel->track->node == track->node && channel->track->path == track->path)
                return origin;
        }
        origin = p->claims[(size_t)track->node * 4 + track->path] - 1;
    }
    return SN_NONE;
}

/* A sampler that a rewritten channel leaves to others, or a new channel needs. */
static uint32_t add_sampler(sn_clip_plan *plan) {
    plan->samplers[plan->sampler_count] = (sn_sampler_plan){
        .fate = SN_REWRITE, .value = SN_NONE, .input = SN_NONE, .output = SN_NONE, .users = 1};
    return plan->sampler_count++;
}

static void plan_replaced(sn_writer *w, sn_clip_plan *plan, times_table *table, uint32_t index,
                          const sn_track *track) {
    sn_channel_plan *channel = &plan->channels[index];
    const sn_track *old = channel->track;
    sn_sampler_plan was = plan->samplers[channel->sampler];
    channel->fate = SN_REWRITE;
    if (was.users == 0) {
        plan->samplers[channel->sampler].fate = SN_REWRITE;
        plan->samplers[channel->sampler].users = 1;
    } else {
        channel->sampler = add_sampler(plan);
    }
    plan_sampler(w, table, track, old, &was, &plan->samplers[channel->sampler]);
}

static void plan_added(sn_writer *w, sn_clip_plan *plan, times_table *table, const sn_track *track,
                       const own_track *own) {
    uint32_t index = plan->channel_count++;
    sn_channel_plan *channel = &plan->channels[index];
    *channel =
        (sn_channel_plan){.fate = SN_REWRITE, .value = SN_NONE, .sampler = add_sampler(plan)};
    uint32_t first = plan->origin ? plan->origin->channel_count : 0;
    plan->added[index - first] = track;
    const sn_track *old = own ? own->track : NULL; /* a copy of a clip shares the accessors */
    plan_sampler(w, table, track, old, own ? own_sampler(own) : NULL,
                 &plan->samplers[channel->sampler]);
}

/* What of the origin stays as it is: channels that are no tracks, and the clip's own ones. */
static void mark_kept(planner *p, sn_clip_plan *plan) {
    const sn_animation_plan *origin = plan->origin;
    for (uint32_t i = 0; i < origin->channel_count; i++) {
        sn_channel_plan *channel = &plan->channels[i];
        channel->fate = channel->track ? SN_REMOVE : SN_KEEP;
        if (channel->track)
            p->claims[(size_t)channel->track->node * 4 + channel->track->path] = i + 1;
    }
    for (uint32_t i = 0; i < plan->clip->track_count; i++) {
        const own_track *own = find_own(p, plan->clip->tracks[i]);
        if (own && own->animation == origin)
            plan->channels[own->track->origin].fate = SN_KEEP;
    }
    /* Samplers: `users` counts the channels that stay; one that no channel ever used stays too. */
    for (uint32_t i = 0; i < origin->channel_count; i++)
        if (plan->channels[i].sampler != SN_NONE)
            plan->samplers[plan->channels[i].sampler].fate = SN_REMOVE;
    for (uint32_t i = 0; i < origin->channel_count; i++) {
        const sn_channel_plan *channel = &plan->channels[i];
        if (channel->fate == SN_KEEP && channel->sampler != SN_NONE) {
            plan->samplers[channel->sampler].fate = SN_KEEP;
            plan->samplers[channel->sampler].users++;
        }
    }
    for (uint32_t i = 0; i < origin->sampler_count; i++) {
        if (plan->samplers[i].fate == SN_REMOVE) {
            release(p->w, plan->samplers[i].input);
            release(p->w, plan->samplers[i].output);
        }
    }
}

/* The times of the tracks that stay, or are copied, can be shared by those that change. */
static sn_result fill_times(const planner *p, const sn_clip_plan *plan, times_table *table) {
    const sn_clip *clip = plan->clip;
    uint32_t size = 16;
    while (size < 2 * (uint64_t)clip->track_count && size < (uint32_t)1 << 31)
        size *= 2;
    table->entries = SN_ARENA_NEW(p->w->arena, times_entry, size);
    table->mask = size - 1;
    if (!table->entries)
        return sn_writer_no_memory(p->w);
    for (uint32_t i = 0; i < clip->track_count; i++) {
        const sn_track *track = clip->tracks[i];
        const own_track *own = find_own(p, track);
        if (!own)
            continue;
        times_entry *entry = find_times(table, track->times, track->key_count);
        if (!entry->times)
            *entry = (times_entry){track->times, track->key_count, own_sampler(own)->input};
    }
    return SN_OK;
}

bool sn_same_clip(const sn_clip *clip, const sn_clip *was) {
    if (clip->track_count != was->track_count || strcmp(clip->name, was->name) != 0 ||
        !sn_clip_same_markers(clip, was))
        return false;
    for (uint32_t i = 0; i < clip->track_count; i++)
        if (clip->tracks[i] != was->tracks[i])
            return false;
    return true;
}

static bool is_unchanged(const planner *p, const sn_clip_plan *plan) {
    const sn_clip *clip = plan->clip;
    if (!plan->origin)
        return false;
    const sn_clip *was = &p->w->gltf->model.clips[clip->origin];
    return sn_same_clip(clip, was);
}

static sn_result plan_clip(planner *p, sn_clip_plan *plan) {
    sn_writer *w = p->w;
    const sn_clip *clip = plan->clip;
    plan->raw = is_unchanged(p, plan);
    if (plan->raw)
        return SN_OK;
    const sn_animation_plan none = {0};
    const sn_animation_plan *origin = plan->origin ? plan->origin : &none;
    size_t channels = (size_t)origin->channel_count + clip->track_count;
    size_t samplers = (size_t)origin->sampler_count + clip->track_count;
    plan->channels = SN_ARENA_NEW(w->arena, sn_channel_plan, channels);
    plan->samplers = SN_ARENA_NEW(w->arena, sn_sampler_plan, samplers);
    plan->added = SN_ARENA_NEW(w->arena, const sn_track *, clip->track_count);
    if (!plan->channels || !plan->samplers || !plan->added)
        return sn_writer_no_memory(w);
    plan->channel_count = origin->channel_count;
    plan->sampler_count = origin->sampler_count;
    if (plan->origin) {
        memcpy(plan->channels, origin->channels, origin->channel_count * sizeof *plan->channels);
        memcpy(plan->samplers, origin->samplers, origin->sampler_count * sizeof *plan->samplers);
        mark_kept(p, plan);
    }
    times_table table;
    sn_result result = fill_times(p, plan, &table);
    if (result)
        return result;
    for (uint32_t i = 0; i < clip->track_count; i++) {
        const sn_track *track = clip->tracks[i];
        const own_track *own = find_own(p, track);
        if (own && own->animation == plan->origin)
            continue;
        uint32_t channel = find_channel(p, plan, track);
        if (channel != SN_NONE)
            plan_replaced(w, plan, &table, channel, track);
        else
            plan_added(w, plan, &table, track, own);
    }
    for (uint32_t i = 0; i < origin->channel_count; i++) /* for the next clip */
        if (plan->channels[i].track)
            p->claims[(size_t)plan->channels[i].track->node * 4 + plan->channels[i].track->path] =
                0;
    return SN_OK;
}

/* ---- All of them ---- */

static sn_result check_track(sn_writer *w, const sn_track *track) {
    const sn_model *model = &w->gltf->model;
    uint32_t width = track->path == SN_PATH_ROTATION ? 4 : 3;
    if (track->node < model->node_count && track->path == SN_PATH_WEIGHTS)
        width = model->nodes[track->node].weight_count;
    if (track->node >= model->node_count || track->width != width || width == 0 ||
        track->key_count == 0 || value_count(track) > UINT32_MAX)
        return sn_fail(w->error, SN_MESSAGE_ARGUMENT, NULL,
                       "a track of node %u with %u numbers a key and %u keys fits no node",
                       track->node, track->width, track->key_count);
    return SN_OK;
}

static sn_result prepare(planner *p) {
    sn_writer *w = p->w;
    const sn_model *model = &w->gltf->model;
    const sn_gltf_write_options *options = w->options;
    size_t tracks = 0;
    for (size_t i = 0; i < options->clip_count; i++) {
        for (uint32_t k = 0; k < options->clips[i].track_count; k++) {
            sn_result result = check_track(w, options->clips[i].tracks[k]);
            if (result)
                return result;
        }
        tracks += options->clips[i].track_count;
    }
    for (uint32_t i = 0; i < model->clip_count; i++)
        p->own_count += model->clips[i].track_count;
    p->animations = SN_ARENA_NEW(w->arena, sn_animation_plan, model->clip_count);
    p->own = SN_ARENA_NEW(w->arena, own_track, p->own_count);
    p->claims = SN_ARENA_NEW(w->arena, uint32_t, 4 * (size_t)model->node_count);
    w->news = SN_ARENA_NEW(w->arena, sn_new_accessor, 2 * tracks);
    w->clips = SN_ARENA_NEW(w->arena, sn_clip_plan, options->clip_count);
    if (!p->animations || !p->own || !p->claims || !w->news || !w->clips)
        return sn_writer_no_memory(w);
    uint32_t value = w->gltf->root[SN_ROOT_ANIMATIONS] + 1;
    size_t own = 0;
    for (uint32_t i = 0; i < model->clip_count; i++, value = w->json->nodes[value].next) {
        const sn_clip *clip = &model->clips[i];
        sn_result result = take_apart(w, value, clip, &p->animations[i]);
        if (result)
            return result;
        for (uint32_t k = 0; k < clip->track_count; k++)
            p->own[own++] = (own_track){clip->tracks[k], &p->animations[i]};
    }
    qsort(p->own, p->own_count, sizeof *p->own, compare_own);
    return SN_OK;
}

static void release_animation(sn_writer *w, const sn_animation_plan *animation) {
    for (uint32_t i = 0; i < animation->sampler_count; i++) {
        release(w, animation->samplers[i].input);
        release(w, animation->samplers[i].output);
    }
}

sn_result sn_write_clips(sn_writer *w) {
    planner p = {.w = w};
    sn_result result = prepare(&p);
    if (result)
        return result;
    uint32_t count = w->gltf->model.clip_count;
    bool *claimed = SN_ARENA_NEW(w->arena, bool, count);
    if (!claimed)
        return sn_writer_no_memory(w);
    for (size_t i = 0; i < w->options->clip_count; i++) {
        const sn_clip *clip = &w->options->clips[i];
        sn_clip_plan *plan = &w->clips[i];
        plan->clip = clip;
        if (clip->origin < count && !claimed[clip->origin]) {
            claimed[clip->origin] = true;
            plan->origin = &p.animations[clip->origin];
        }
        result = plan_clip(&p, plan);
        if (result)
            return result;
    }
    w->clip_count = (uint32_t)w->options->clip_count;
    for (uint32_t i = 0; i < count; i++)
        if (!claimed[i])
            release_animation(w, &p.animations[i]);
    return SN_OK;
}
