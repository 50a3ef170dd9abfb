#include <string.h>

#include "tests/unit/edit_random.h"

typedef struct writer {
    test_random *random;
    const sn_model *model;
    const sn_clip *clips;
    uint32_t clip_count;
    uint32_t clip; /* the one that the command is about */
    sn_text *out;
} writer;

static const char *const paths[] = {"translation", "rotation", "scale", "weights"};
static const char *const interpolations[] = {"STEP", "LINEAR", "CUBICSPLINE"};

static uint32_t below(writer *w, uint32_t bound) {
    return test_random_below(w->random, bound);
}

static void put(writer *w, const char *text) {
    sn_text_append(w->out, text);
}

static void put_name(writer *w) {
    char name[] = "clip a\xC3\xA9";
    name[5] = (char)('a' + below(w, 26));
    put(w, ",\"name\":");
    sn_text_append_string(w->out, name, strlen(name));
}

static void put_number(writer *w, const char *field, float value) {
    put(w, ",\"");
    put(w, field);
    put(w, "\":");
    sn_text_append_float(w->out, value);
}

static void put_clip(writer *w) {
    put(w, ",\"clip\":");
    sn_text_append_unsigned(w->out, w->clip);
}

/* Times are multiples of 1/16 so that keys meet; one in eight is not. */
static float any_time(writer *w) {
    return below(w, 8) ? (float)below(w, 48) / 16 : test_random_between(w->random, 0, 3);
}

static const sn_track *any_track(writer *w) {
    const sn_clip *clip = &w->clips[w->clip];
    return clip->track_count ? clip->tracks[below(w, clip->track_count)] : NULL;
}

static float any_key(writer *w, const sn_track *track) {
    return track && below(w, 16) ? track->times[below(w, track->key_count)] : any_time(w);
}

/* "node":1,"path":"scale" of a track, or of a node that may have none */
static void put_target(writer *w, const sn_track *track, uint32_t *node, uint32_t *path) {
    *node = track ? track->node : below(w, w->model->node_count);
    *path = track ? track->path : below(w, 4);
    put(w, "\"node\":");
    sn_text_append_unsigned(w->out, *node);
    put(w, ",\"path\":\"");
    put(w, paths[*path]);
    put(w, "\"");
}

static void put_floats(writer *w, const char *field, uint32_t count) {
    put(w, ",\"");
    put(w, field);
    put(w, "\":[");
    for (uint32_t i = 0; i < count; i++) {
        put(w, i ? "," : "");
        sn_text_append_float(w->out, test_random_between(w->random, -1, 1));
    }
    put(w, "]");
}

/* "node", "path", "time", "value" and what belongs to it */
static void put_key(writer *w, float time) {
    const sn_track *track = below(w, 3) ? any_track(w) : NULL;
    uint32_t node;
    uint32_t path;
    put_target(w, track, &node, &path);
    put_number(w, "time", time);
    uint32_t width = path == SN_PATH_ROTATION  ? 4
                     : path == SN_PATH_WEIGHTS ? w->model->nodes[node].weight_count
                                               : 3;
    put_floats(w, "value", width);
    bool cubic = track ? track->interpolation == SN_CUBICSPLINE : below(w, 4) == 0;
    if (!track && cubic)
        put(w, ",\"interpolation\":\"CUBICSPLINE\"");
    if (cubic && below(w, 2))
        put_floats(w, "inTangent", width);
    if (cubic && below(w, 2))
        put_floats(w, "outTangent", width);
}

static void put_keys(writer *w) {
    uint32_t node;
    uint32_t path;
    put(w, ",\"keys\":[");
    for (uint32_t i = below(w, 6); i > 0; i--) {
        const sn_track *track = any_track(w);
        put(w, "{");
        put_target(w, track, &node, &path);
        put_number(w, "time", track ? track->times[below(w, track->key_count)] : 0);
        put(w, i > 1 ? "}," : "}");
    }
    put(w, "]");
}

static void put_scale(writer *w) {
    uint32_t node;
    uint32_t path;
    put_number(w, "pivot", any_time(w));
    put_number(w, "factor", below(w, 4) ? test_random_between(w->random, 0.25f, 2) : -1);
    uint32_t what = below(w, 3);
    if (what == 0)
        put_keys(w);
    if (what != 1)
        return;
    put(w, ",\"tracks\":[");
    for (uint32_t i = below(w, 3); i > 0; i--) {
        put(w, "{");
        put_target(w, any_track(w), &node, &path);
        put(w, i > 1 ? "}," : "}");
    }
    put(w, "]");
}

static void put_command(writer *w, bool nested) {
    uint32_t node;
    uint32_t path;
    const sn_track *track = any_track(w);
    uint32_t kind = below(w, nested ? 24 : 25);
    if (kind < 8) {
        put(w, "{\"op\":\"key.set\",");
        put_key(w, any_time(w));
        put_clip(w);
    } else if (kind < 11) {
        put(w, kind < 10 ? "{\"op\":\"key.move\"," : "{\"op\":\"key.remove\",");
        put_target(w, track, &node, &path);
        put_clip(w);
        put_number(w, "time", any_key(w, track));
        if (kind < 10)
            put_number(w, "to", any_time(w));
    } else if (kind == 11) {
        put(w, "{\"op\":\"keys.move\"");
        put_clip(w);
        put_keys(w);
        put_number(w, "by", (float)below(w, 16) / 16 - 0.25f);
    } else if (kind == 12) {
        put(w, "{\"op\":\"keys.scale\"");
        put_clip(w);
        put_scale(w);
    } else if (kind == 13) {
        put(w, "{\"op\":\"keys.remove\"");
        put_clip(w);
        put_keys(w);
    } else if (kind < 16) {
        put(w, "{\"op\":\"keys.paste\"");
        put_clip(w);
        put_number(w, "at", (float)below(w, 8) / 16);
        put(w, ",\"keys\":[");
        for (uint32_t i = below(w, 8); i > 0; i--) {
            put(w, "{");
            put_key(w, any_time(w));
            put(w, i > 1 ? "}," : "}");
        }
        put(w, "]");
    } else if (kind == 16) {
        put(w, "{\"op\":\"pose.key\"");
        put_clip(w);
        put_number(w, "time", any_time(w));
        if (below(w, 2))
            put(w, ",\"nodes\":[0,2,\"Hips\"]");
    } else if (kind == 17) {
        put(w, "{\"op\":\"track.interpolation\",");
        put_target(w, track, &node, &path);
        put_clip(w);
        put(w, ",\"interpolation\":\"");
        put(w, interpolations[below(w, 3)]);
        put(w, below(w, 3) ? "\"" : "\",\"keep\":\"motion\"");
    } else if (kind == 18) {
        put(w, "{\"op\":\"track.remove\",");
        put_target(w, track, &node, &path);
        put_clip(w);
    } else if (kind == 19) {
        put(w, "{\"op\":\"clip.add\"");
        put_name(w);
    } else if (kind == 20) {
        /* now and then, or nothing would be left to edit */
        bool rename = below(w, 4);
        put(w, rename ? "{\"op\":\"clip.rename\"" : "{\"op\":\"clip.remove\"");
        put_clip(w);
        if (rename)
            put_name(w);
    } else if (kind == 21) {
        put(w, "{\"op\":\"clip.copy\"");
        put_clip(w);
        put_name(w);
    } else if (kind < 24) {
        put(w, "{\"op\":\"marker.set\"");
        put_clip(w);
        put_number(w, "time", (float)below(w, 8) / 16);
        if (below(w, 4))
            put_name(w);
        else
            put(w, ",\"name\":null");
    } else {
        put(w, "{\"op\":\"batch\",\"commands\":[");
        for (uint32_t i = below(w, 4); i > 0; i--) {
            put_command(w, true);
            put(w, i > 1 ? "," : "");
        }
        put(w, "]");
    }
    put(w, "}");
}

void test_random_command(test_random *random, const sn_document *document, sn_text *out) {
    writer w = {.random = random, .model = sn_document_model(document), .out = out};
    w.clip_count = (uint32_t)sn_document_clips(document, &w.clips);
    w.clip = w.clip_count ? test_random_below(random, w.clip_count) : 0;
    out->length = 0;
    if (w.clip_count)
        put_command(&w, false);
    else
        put(&w, "{\"op\":\"clip.add\",\"name\":\"a\"}");
}
