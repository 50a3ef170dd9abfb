#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gltf/markers.h"

static bool is(const sn_json *json, uint32_t value, sn_json_type type) {
    return value != SN_NONE && json->nodes[value].type == type;
}

/* A member of an object; SN_NONE where there is no such object or member. */
static uint32_t member(const sn_json *json, uint32_t object, const char *name) {
    return is(json, object, SN_JSON_OBJECT) ? sn_json_member(json, object, name) : SN_NONE;
}

/* ---- Reading ---- */

static sn_result read_marker(sn_reader *r, uint32_t value, sn_marker *out, bool *valid) {
    uint32_t time = member(r->json, value, "time");
    uint32_t name = member(r->json, value, "name");
    *valid = false;
    if (!is(r->json, time, SN_JSON_NUMBER) || !is(r->json, name, SN_JSON_STRING)) {
        sn_reader_warn(r, SN_MESSAGE_ANIMATION_MARKERS, value,
                       "a marker is an object with a \"time\" and a \"name\"");
        return SN_OK;
    }
    size_t length;
    out->time = (float)sn_json_number(r->json, time) + 0.0f; /* no negative zero */
    out->name = sn_json_string(r->json, name, r->arena, &length);
    if (!out->name)
        return sn_reader_no_memory(r);
    *valid = out->time >= 0 && isfinite(out->time) && length > 0 && strlen(out->name) == length;
    if (!*valid)
        sn_reader_warn(r, SN_MESSAGE_ANIMATION_MARKERS, value,
                       "a marker has a time of 0 or more, and a name that is not empty");
    return SN_OK;
}

/* A marker and where it is written. */
typedef struct sn_found_marker {
    sn_marker marker;
    uint32_t value;
} found_marker;

static int compare(const void *left, const void *right) {
    const found_marker *a = left;
    const found_marker *b = right;
    if (a->marker.time != b->marker.time)
        return a->marker.time < b->marker.time ? -1 : 1;
    return a->value < b->value ? -1 : a->value > b->value;
}

/* Those of the list that are markers, in the list's order. */
static sn_result find_markers(sn_reader *r, uint32_t list, found_marker *found, uint32_t *count) {
    uint32_t value = sn_json_first(r->json, list);
    *count = 0;
    for (uint32_t n = r->json->nodes[list].count; n > 0; n--, value = r->json->nodes[value].next) {
        bool valid;
        sn_result result = read_marker(r, value, &found[*count].marker, &valid);
        if (result)
            return result;
        found[*count].value = value;
        *count += valid ? 1 : 0;
    }
    return SN_OK;
}

sn_result sn_reader_markers(sn_reader *r, uint32_t animation, sn_clip *clip) {
    uint32_t sinew = member(r->json, member(r->json, animation, "extras"), "sinew");
    uint32_t list = member(r->json, sinew, "markers");
    if (list == SN_NONE)
        return SN_OK;
    if (!is(r->json, list, SN_JSON_ARRAY)) {
        sn_reader_warn(r, SN_MESSAGE_ANIMATION_MARKERS, list, "markers are an array of objects");
        return SN_OK;
    }
    uint32_t count = r->json->nodes[list].count;
    found_marker *found = SN_ARENA_NEW(r->arena, found_marker, count);
    sn_marker *markers = SN_ARENA_NEW(r->arena, sn_marker, count);
    uint32_t *values = SN_ARENA_NEW(r->arena, uint32_t, count);
    if (!found || !markers || !values)
        return sn_reader_no_memory(r);
    sn_result result = find_markers(r, list, found, &count);
    if (result)
        return result;
    if (count > 1)
        qsort(found, count, sizeof *found, compare);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t kept = clip->marker_count;
        if (kept && markers[kept - 1].time == found[i].marker.time) {
            sn_reader_warn(r, SN_MESSAGE_ANIMATION_MARKERS, found[i].value,
                           "there is a marker at %g s already: \"%s\"",
                           (double)markers[kept - 1].time, markers[kept - 1].name);
            continue;
        }
        markers[kept] = found[i].marker;
        values[kept] = found[i].value;
        clip->marker_count++;
    }
    clip->markers = markers;
    r->gltf->marker_values[clip->origin] = values;
    return SN_OK;
}

/* ---- Writing ---- */

static void append_value(const sn_json *json, uint32_t value, sn_text *out) {
    sn_text_append_bytes(out, json->text + json->nodes[value].offset, json->nodes[value].length);
}

/* A marker that the file has is copied, with whatever else it says there. */
static void append_markers(const sn_gltf *gltf, const sn_clip *clip, sn_text *out) {
    sn_clip file = {0};
    if (clip->origin < gltf->model.clip_count)
        file = gltf->model.clips[clip->origin];
    uint32_t next = 0; /* of the file's; both are in order of time */
    sn_text_append(out, "[");
    for (uint32_t i = 0; i < clip->marker_count; i++) {
        const sn_marker *marker = &clip->markers[i];
        sn_text_append(out, i ? "," : "");
        while (next < file.marker_count && file.markers[next].time < marker->time)
            next++;
        if (next < file.marker_count && file.markers[next].time == marker->time &&
            strcmp(file.markers[next].name, marker->name) == 0) {
            append_value(&gltf->json, gltf->marker_values[clip->origin][next], out);
            continue;
        }
        sn_text_append(out, "{\"time\":");
        sn_text_append_float(out, marker->time);
        sn_text_append(out, ",\"name\":");
        sn_text_append_string(out, marker->name, strlen(marker->name));
        sn_text_append(out, "}");
    }
    sn_text_append(out, "]");
}

/* An object being written anew: the members of an old one (SN_NONE: none) in their order. */
typedef struct members {
    const sn_json *json;
    uint32_t name, left;
    bool any; /* one was written */
    sn_text *out;
} members;

static members start(const sn_json *json, uint32_t object, sn_text *out) {
    members m = {.json = json, .out = out};
    if (is(json, object, SN_JSON_OBJECT)) {
        m.name = sn_json_first(json, object);
        m.left = json->nodes[object].count;
    }
    sn_text_append(out, "{");
    return m;
}

static void append_name(members *m, const char *name) {
    sn_text_append(m->out, m->any ? "," : "");
    sn_text_append_string(m->out, name, strlen(name));
    sn_text_append(m->out, ":");
    m->any = true;
}

/* Copies members up to the one named, which is passed over, or to the end. */
static void copy_until(members *m, const char *name) {
    while (m->left > 0) {
        uint32_t value = m->json->nodes[m->name].next;
        uint32_t this_name = m->name;
        m->name = m->json->nodes[value].next;
        m->left--;
        if (name && sn_json_equals(m->json, this_name, name))
            return;
        sn_text_append(m->out, m->any ? "," : "");
        append_value(m->json, this_name, m->out);
        sn_text_append(m->out, ":");
        append_value(m->json, value, m->out);
        m->any = true;
    }
}

/* Members beside the one named. */
static bool has_others(const sn_json *json, uint32_t object, const char *name) {
    return is(json, object, SN_JSON_OBJECT) &&
           json->nodes[object].count > (sn_json_member(json, object, name) == SN_NONE ? 0u : 1u);
}

bool sn_write_marker_extras(const sn_gltf *gltf, uint32_t extras, const sn_clip *clip,
                            sn_text *out) {
    const sn_json *json = &gltf->json;
    uint32_t sinew = member(json, extras, "sinew");
    /* glTF lets extras be anything; what is no object is kept inside ours */
    bool displaced = extras != SN_NONE && !is(json, extras, SN_JSON_OBJECT);
    bool has_sinew = clip->marker_count > 0 || has_others(json, sinew, "markers") || displaced;
    if (!has_sinew && !has_others(json, extras, "sinew"))
        return false;
    members outer = start(json, extras, out);
    copy_until(&outer, "sinew");
    if (has_sinew) {
        append_name(&outer, "sinew");
        members inner = start(json, sinew, out);
        copy_until(&inner, "markers");
        if (clip->marker_count) {
            append_name(&inner, "markers");
            append_markers(gltf, clip, out);
        }
        copy_until(&inner, NULL);
        if (displaced) {
            append_name(&inner, "extras");
            append_value(json, extras, out);
        }
        sn_text_append(out, "}");
    }
    copy_until(&outer, NULL);
    sn_text_append(out, "}");
    return true;
}
