/* Animations (glTF 2.0, 3.11; KHR_animation_pointer).
 *
 * A channel whose meaning is a node's translation, rotation, scale or weights becomes a track. Any
 * other is passed over and written back as it is. */
#include <math.h>
#include <string.h>

#include "gltf/internal.h"
#include "gltf/markers.h"

/* A sampler as read for one channel; samplers shared by channels are read once. */
typedef struct sampler {
    uint32_t value; /* 0 until read: the root is no sampler */
    uint32_t input, output, input_value, output_value;
    sn_interpolation interpolation;
    const float *times;
} sampler;

/* Strictly increasing, finite; not negative, which a player would never reach. */
static sn_result check_times(sn_reader *r, uint32_t value, uint32_t index, const float *times) {
    sn_gltf_accessor *accessor = &r->gltf->accessors[index];
    if (accessor->times_checked)
        return SN_OK;
    float last = -INFINITY;
    for (uint32_t i = 0; i < accessor->count; i++) {
        if (!(times[i] > last) || times[i] == INFINITY)
            return sn_reader_fail(r, SN_MESSAGE_ANIMATION_TIMES, value,
                                  "key %u is at %g s after one at %g s: times must increase", i,
                                  (double)times[i], (double)last);
        last = times[i];
    }
    if (accessor->count && times[0] < 0)
        sn_reader_warn(r, SN_MESSAGE_ANIMATION_TIMES, value,
                       "the first key is at %g s, before the animation starts", (double)times[0]);
    accessor->times_checked = true;
    return SN_OK;
}

static sn_result read_interpolation(sn_reader *r, uint32_t value, sn_interpolation *out) {
    *out = SN_LINEAR;
    if (value == SN_NONE || sn_json_equals(r->json, value, "LINEAR"))
        return SN_OK;
    if (sn_json_equals(r->json, value, "STEP"))
        *out = SN_STEP;
    else if (sn_json_equals(r->json, value, "CUBICSPLINE"))
        *out = SN_CUBICSPLINE;
    else
        return sn_reader_fail(r, SN_MESSAGE_VALUE_RANGE, value,
                              "an interpolation is LINEAR, STEP or CUBICSPLINE");
    return SN_OK;
}

static sn_result read_sampler(sn_reader *r, uint32_t value, sampler *out) {
    enum { INPUT, INTERPOLATION, OUTPUT, COUNT };
    static const sn_member members[COUNT] = {
        [INPUT] = SN_MEMBER("input", SN_IS(NUMBER) | SN_REQUIRED),
        [INTERPOLATION] = SN_MEMBER("interpolation", SN_IS(STRING)),
        [OUTPUT] = SN_MEMBER("output", SN_IS(NUMBER) | SN_REQUIRED),
    };
    uint32_t values[COUNT], limit = r->gltf->count[SN_ROOT_ACCESSORS];
    sn_result result = sn_reader_members(r, value, members, COUNT, values);
    if (!result)
        result = sn_reader_index(r, values[INPUT], limit, "accessor", &out->input);
    if (!result)
        result = sn_reader_index(r, values[OUTPUT], limit, "accessor", &out->output);
    if (!result)
        result = read_interpolation(r, values[INTERPOLATION], &out->interpolation);
    if (result)
        return result;
    const sn_gltf_accessor *input = &r->gltf->accessors[out->input];
    if (input->component_type != 5126 || input->rows != 1 || input->columns != 1)
        return sn_reader_fail(r, SN_MESSAGE_ACCESSOR_TYPE, values[INPUT],
                              "key times are SCALAR of FLOAT (5126)");
    out->value = value;
    out->input_value = values[INPUT];
    out->output_value = values[OUTPUT];
    return SN_OK;
}

/* The elements a sampler's output has for the width of its track, and the form of each. */
static sn_result read_values(sn_reader *r, const sampler *s, sn_track *track) {
    const sn_gltf_accessor *output = &r->gltf->accessors[s->output];
    uint32_t rows = track->path == SN_PATH_WEIGHTS ? 1 : track->width;
    if (output->rows != rows || output->columns != 1 || output->component_type == 5125)
        return sn_reader_fail(r, SN_MESSAGE_ACCESSOR_TYPE, s->output_value,
                              "the values of this channel are %s of FLOAT or small integers",
                              rows == 1   ? "SCALAR"
                              : rows == 3 ? "VEC3"
                                          : "VEC4");
    uint64_t wanted = (uint64_t)track->key_count * (track->interpolation == SN_CUBICSPLINE ? 3 : 1);
    if (track->path == SN_PATH_WEIGHTS)
        wanted *= track->width;
    if (output->count != wanted)
        return sn_reader_fail(r, SN_MESSAGE_ANIMATION_VALUES, s->output_value,
                              "%u values; %u keys take %g", output->count, track->key_count,
                              (double)wanted);
    return sn_reader_decode_floats(r, s->output, &track->values);
}

/* ---- Targets ---- */

static bool read_path(const sn_json *json, uint32_t value, sn_path *out) {
    static const char *const names[] = {"translation", "rotation", "scale", "weights"};
    for (int i = 0; i < 4; i++) {
        if (sn_json_equals(json, value, names[i])) {
            *out = (sn_path)i;
            return true;
        }
    }
    return false;
}

/* /nodes/N/translation and its like; N as JSON pointers write an array's index. */
static bool read_pointer(const sn_reader *r, const char *p, size_t length, uint32_t *node,
                         sn_path *path) {
    static const char *const tails[] = {"/translation", "/rotation", "/scale", "/weights"};
    static const char head[] = "/nodes/";
    const char *end = p + length;
    size_t skip = sizeof head - 1;
    if ((size_t)(end - p) < skip || memcmp(p, head, skip) != 0)
        return false;
    p += skip;
    const char *digits = p;
    uint64_t index = 0;
    for (; p < end && *p >= '0' && *p <= '9' && p - digits < 10; p++)
        index = index * 10 + (uint64_t)(*p - '0');
    if (p == digits || (*digits == '0' && p > digits + 1) || index >= r->gltf->model.node_count)
        return false;
    for (int i = 0; i < 4; i++) {
        if ((size_t)(end - p) == strlen(tails[i]) && memcmp(p, tails[i], (size_t)(end - p)) == 0) {
            *node = (uint32_t)index;
            *path = (sn_path)i;
            return true;
        }
    }
    return false;
}

/* False where the channel animates something else, which is kept as it is. */
static sn_result read_target(sn_reader *r, uint32_t value, uint32_t *node, sn_path *path,
                             bool *is_track) {
    enum { NODE, PATH, EXTENSIONS, COUNT };
    static const sn_member members[COUNT] = {
        [NODE] = SN_MEMBER("node", SN_IS(NUMBER)),
        [PATH] = SN_MEMBER("path", SN_IS(STRING) | SN_REQUIRED),
        [EXTENSIONS] = SN_MEMBER("extensions", SN_IS(OBJECT)),
    };
    uint32_t values[COUNT];
    *is_track = false;
    sn_result result = sn_reader_members(r, value, members, COUNT, values);
    if (!result)
        result = sn_reader_index(r, values[NODE], r->gltf->model.node_count, "node", node);
    if (result)
        return result;
    uint32_t extension = sn_extension_of(r->json, values[EXTENSIONS], "KHR_animation_pointer");
    if (sn_json_equals(r->json, values[PATH], "pointer")) {
        uint32_t pointer =
            extension == SN_NONE ? SN_NONE : sn_json_member(r->json, extension, "pointer");
        if (pointer == SN_NONE || r->json->nodes[pointer].type != SN_JSON_STRING)
            return SN_OK;
        size_t length;
        const char *text = sn_reader_text(r, pointer, &length);
        if (!text)
            return sn_reader_no_memory(r);
        *is_track = read_pointer(r, text, length, node, path);
        return SN_OK;
    }
    *is_track = *node != SN_NONE && read_path(r->json, values[PATH], path);
    return SN_OK;
}

/* ---- Channels ---- */

typedef struct clip_reader {
    sampler *samplers;
    uint32_t sampler_count;
    uint32_t *sampler_values; /* its elements */
    sn_track *tracks;
    const sn_track **list;
    uint32_t track_count;
    uint32_t *animated; /* four a node: the clip after which its property was last met */
} clip_reader;

static bool find_width(const sn_model *model, sn_track *track) {
    const sn_node *node = &model->nodes[track->node];
    track->width = track->path == SN_PATH_WEIGHTS    ? node->weight_count
                   : track->path == SN_PATH_ROTATION ? 4
                                                     : 3;
    return track->width > 0;
}

/* False for an accessor that is zeros for want of a view, which says nothing about times. */
static bool has_values(const sn_gltf *gltf, uint32_t accessor) {
    return gltf->accessors[accessor].view != SN_NONE || gltf->accessors[accessor].sparse != SN_NONE;
}

static sn_result read_channel(sn_reader *r, uint32_t value, uint32_t index, clip_reader *clip) {
    enum { SAMPLER, TARGET, COUNT };
    static const sn_member members[COUNT] = {
        [SAMPLER] = SN_MEMBER("sampler", SN_IS(NUMBER) | SN_REQUIRED),
        [TARGET] = SN_MEMBER("target", SN_IS(OBJECT) | SN_REQUIRED),
    };
    uint32_t values[COUNT], sampler_index;
    sn_track *track = &clip->tracks[clip->track_count];
    bool is_track;
    sn_result result = sn_reader_members(r, value, members, COUNT, values);
    if (!result)
        result =
            sn_reader_index(r, values[SAMPLER], clip->sampler_count, "sampler", &sampler_index);
    if (!result)
        result = read_target(r, values[TARGET], &track->node, &track->path, &is_track);
    if (result)
        return result;
    sampler *s = &clip->samplers[sampler_index];
    if (!s->value)
        result = read_sampler(r, clip->sampler_values[sampler_index], s);
    if (result || !is_track)
        return result;
    if (!find_width(&r->gltf->model, track)) {
        sn_reader_warn(r, SN_MESSAGE_ANIMATION_CHANNEL, values[TARGET],
                       "node %u has no morph targets to animate: the channel is kept, not played",
                       track->node);
        return SN_OK;
    }
    if (r->gltf->model.nodes[track->node].has_matrix)
        sn_reader_warn(r, SN_MESSAGE_ANIMATION_CHANNEL, values[TARGET],
                       "node %u has a matrix, so it must not be animated", track->node);
    if (has_values(r->gltf, s->input) && !s->times) {
        result = sn_reader_decode_floats(r, s->input, &s->times);
        if (!result && !r->gltf->accessors[s->input].missing)
            result = check_times(r, s->input_value, s->input, s->times);
        if (result)
            return result;
    }
    const sn_gltf_accessor *input = &r->gltf->accessors[s->input];
    if (!s->times || input->missing || input->count == 0) {
        sn_reader_warn(r, SN_MESSAGE_ANIMATION_CHANNEL, value,
                       "the channel has no key times: it is kept, not played");
        return SN_OK;
    }
    track->interpolation = s->interpolation;
    track->key_count = input->count;
    track->times = s->times;
    track->origin = index;
    result = read_values(r, s, track);
    if (!result)
        clip->list[clip->track_count++] = track;
    return result;
}

/* Two channels for one property: which of them counts is not said anywhere (3.11). */
static void warn_duplicates(sn_reader *r, uint32_t channels, uint32_t index,
                            const clip_reader *clip) {
    for (uint32_t i = 0; i < clip->track_count; i++) {
        const sn_track *track = clip->list[i];
        uint32_t *met = &clip->animated[(size_t)track->node * 4 + track->path];
        if (*met == index + 1)
            sn_reader_warn(r, SN_MESSAGE_ANIMATION_CHANNEL, channels,
                           "channel %u animates what an earlier one does: the last one counts",
                           track->origin);
        *met = index + 1;
    }
}

static sn_result read_clip(sn_reader *r, uint32_t value, uint32_t index, uint32_t *animated,
                           sn_clip *out) {
    enum { CHANNELS, SAMPLERS, NAME, COUNT };
    static const sn_member members[COUNT] = {
        [CHANNELS] = SN_MEMBER("channels", SN_IS(ARRAY) | SN_REQUIRED),
        [SAMPLERS] = SN_MEMBER("samplers", SN_IS(ARRAY) | SN_REQUIRED),
        [NAME] = SN_MEMBER("name", SN_IS(STRING)),
    };
    uint32_t values[COUNT];
    sn_result result = sn_reader_members(r, value, members, COUNT, values);
    if (result)
        return result;
    uint32_t channels = values[CHANNELS], channel_count = r->json->nodes[channels].count;
    clip_reader clip = {.sampler_count = r->json->nodes[values[SAMPLERS]].count,
                        .animated = animated};
    clip.samplers = SN_ARENA_NEW(r->arena, sampler, clip.sampler_count);
    clip.sampler_values = SN_ARENA_NEW(r->arena, uint32_t, clip.sampler_count);
    clip.tracks = SN_ARENA_NEW(r->arena, sn_track, channel_count);
    clip.list = SN_ARENA_NEW(r->arena, const sn_track *, channel_count);
    if (!clip.samplers || !clip.sampler_values || !clip.tracks || !clip.list)
        return sn_reader_no_memory(r);
    uint32_t element = values[SAMPLERS] + 1;
    for (uint32_t i = 0; i < clip.sampler_count; i++, element = r->json->nodes[element].next)
        clip.sampler_values[i] = element;
    element = channels + 1;
    for (uint32_t i = 0; i < channel_count; i++, element = r->json->nodes[element].next) {
        result = read_channel(r, element, i, &clip);
        if (result)
            return result;
    }
    warn_duplicates(r, channels, index, &clip);
    *out = (sn_clip){.name = sn_reader_string(r, values[NAME]),
                     .track_count = clip.track_count,
                     .tracks = clip.list,
                     .origin = index};
    for (uint32_t i = 0; i < clip.track_count; i++)
        out->duration = fmaxf(out->duration, clip.list[i]->times[clip.list[i]->key_count - 1]);
    return out->name ? sn_reader_markers(r, value, out) : sn_reader_no_memory(r);
}

sn_result sn_reader_animations(sn_reader *r) {
    sn_gltf *gltf = r->gltf;
    uint32_t count = gltf->count[SN_ROOT_ANIMATIONS];
    sn_clip *clips = SN_ARENA_NEW(r->arena, sn_clip, count);
    uint32_t *animated = SN_ARENA_NEW(r->arena, uint32_t, 4 * (size_t)gltf->model.node_count);
    gltf->marker_values = SN_ARENA_NEW(r->arena, const uint32_t *, count);
    if (!clips || !animated || !gltf->marker_values)
        return sn_reader_no_memory(r);
    uint32_t value = gltf->root[SN_ROOT_ANIMATIONS] + 1;
    for (uint32_t i = 0; i < count; i++, value = r->json->nodes[value].next) {
        sn_result result = read_clip(r, value, i, animated, &clips[i]);
        if (result)
            return result;
    }
    gltf->model.clips = clips;
    gltf->model.clip_count = count;
    return SN_OK;
}
