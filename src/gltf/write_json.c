/* The JSON text of the output: the file's own text, spliced.
 *
 * Whatever an edit does not touch is copied as it stands, white space included; only numbers that
 * refer to accessors or views that have moved are exchanged. A new element of a list gets the white
 * space that stands before the list's first. */
#include <string.h>

#include "anim/clip.h"
#include "gltf/markers.h"
#include "gltf/writer.h"

/* ---- Copying ---- */

static void copy(const sn_writer *w, sn_text *out, uint32_t start, uint32_t end) {
    uint32_t low = 0, high = w->splice_count;
    while (low < high) { /* the first splice at or after the start */
        uint32_t middle = low + (high - low) / 2;
        if (w->splices[middle].offset < start)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < w->splice_count && w->splices[low].offset < end; low++) {
        const sn_splice *splice = &w->splices[low];
        sn_text_append_bytes(out, w->json->text + start, splice->offset - start);
        sn_text_append_unsigned(out, splice->number);
        start = splice->offset + splice->length;
    }
    sn_text_append_bytes(out, w->json->text + start, end - start);
}

static uint32_t end_of(const sn_writer *w, uint32_t value) {
    return w->json->nodes[value].offset + w->json->nodes[value].length;
}

static void copy_value(const sn_writer *w, sn_text *out, uint32_t value) {
    copy(w, out, w->json->nodes[value].offset, end_of(w, value));
}

/* ---- Lists: arrays and objects, with items left out and added ---- */

typedef struct list {
    const sn_writer *w;
    sn_text *out;
    uint32_t container; /* JSON value, SN_NONE for a new one */
    char close;
    bool any; /* an item was written */
} list;

static list open_list(const sn_writer *w, sn_text *out, uint32_t container, char open) {
    sn_text_append_bytes(out, &open, 1);
    return (list){w, out, container, open == '[' ? ']' : '}', false};
}

/* Where the white space before an item starts: after the bracket, or the comma after the item
 * before. */
static uint32_t gap_start(const sn_writer *w, uint32_t container, uint32_t before) {
    if (before == SN_NONE)
        return w->json->nodes[container].offset + 1;
    uint32_t at = end_of(w, before);
    while (w->json->text[at] != ',')
        at++;
    return at + 1;
}

static void separate(list *l) {
    if (l->any)
        sn_text_append_bytes(l->out, ",", 1);
    l->any = true;
}

/* Announces an item of the container; `before` is the value that ends before it. */
static void old_item(list *l, uint32_t item, uint32_t before) {
    separate(l);
    uint32_t start = gap_start(l->w, l->container, before);
    sn_text_append_bytes(l->out, l->w->json->text + start, l->w->json->nodes[item].offset - start);
}

static void new_item(list *l) {
    separate(l);
    if (l->container == SN_NONE || l->w->json->nodes[l->container].count == 0)
        return;
    uint32_t start = l->w->json->nodes[l->container].offset + 1;
    sn_text_append_bytes(l->out, l->w->json->text + start,
                         l->w->json->nodes[l->container + 1].offset - start);
}

/* `last` is the container's last value, or SN_NONE. */
static void close_list(list *l, uint32_t last) {
    if (l->container != SN_NONE && last != SN_NONE && l->any) {
        uint32_t start = end_of(l->w, last);
        sn_text_append_bytes(l->out, l->w->json->text + start,
                             end_of(l->w, l->container) - 1 - start);
    }
    sn_text_append_bytes(l->out, &l->close, 1);
}

/* ---- Objects with some members set, others removed ---- */

typedef struct edit {
    const char *name;
    const char *text; /* the value's JSON; NULL removes the member */
} edit;

static void copy_object(const sn_writer *w, sn_text *out, uint32_t object, const edit *edits,
                        uint32_t edit_count) {
    const sn_json *json = w->json;
    list l = open_list(w, out, object, '{');
    uint32_t before = SN_NONE;
    uint32_t done = 0; /* bits of the edits met */
    uint32_t name = object == SN_NONE ? 0 : object + 1;
    for (uint32_t n = object == SN_NONE ? 0 : json->nodes[object].count; n > 0; n--) {
        uint32_t value = name + 1, i = 0;
        while (i < edit_count && !sn_json_equals(json, name, edits[i].name))
            i++;
        if (i == edit_count || edits[i].text) {
            old_item(&l, name, before);
            sn_text_append_bytes(out, json->text + json->nodes[name].offset,
                                 json->nodes[value].offset - json->nodes[name].offset);
            if (i == edit_count)
                copy_value(w, out, value);
            else
                sn_text_append(out, edits[i].text);
        }
        if (i < edit_count)
            done |= 1u << i;
        before = value;
        name = json->nodes[value].next;
    }
    for (uint32_t i = 0; i < edit_count; i++) {
        if (done >> i & 1 || !edits[i].text)
            continue;
        new_item(&l);
        sn_text_append_string(out, edits[i].name, strlen(edits[i].name));
        sn_text_append(out, ":");
        sn_text_append(out, edits[i].text);
    }
    close_list(&l, before);
}

/* Small texts for edits. */
typedef struct number_text {
    char digits[24];
} number_text;

static const char *unsigned_text(number_text *text, uint64_t value) {
    char *p = text->digits + sizeof text->digits;
    *--p = '\0';
    do
        *--p = (char)('0' + value % 10);
    while (value /= 10);
    return p;
}

/* ---- Animations ---- */

static uint32_t accessor_number(const sn_writer *w, sn_accessor_ref ref) {
    uint32_t count = w->gltf->count[SN_ROOT_ACCESSORS];
    return w->accessors[ref < count ? ref : w->news[ref - count].accessor].number;
}

static void write_sampler(const sn_writer *w, sn_text *out, const sn_sampler_plan *plan) {
    static const char *const words[] = {"\"STEP\"", "\"LINEAR\"", "\"CUBICSPLINE\""};
    number_text input, output;
    edit edits[3] = {{"input", unsigned_text(&input, accessor_number(w, plan->new_input))},
                     {"output", unsigned_text(&output, accessor_number(w, plan->new_output))},
                     {"interpolation", words[plan->interpolation]}};
    bool implied = plan->interpolation == SN_LINEAR &&
                   (plan->value == SN_NONE ||
                    sn_json_member(w->json, plan->value, "interpolation") == SN_NONE);
    copy_object(w, out, plan->value, edits, implied ? 2 : 3);
}

static void write_channel(const sn_writer *w, sn_text *out, const sn_clip_plan *clip,
                          uint32_t index) {
    static const char *const paths[] = {"translation", "rotation", "scale", "weights"};
    const sn_channel_plan *plan = &clip->channels[index];
    if (plan->value != SN_NONE) {
        number_text sampler;
        uint32_t was = clip->origin->channels[index].sampler;
        uint32_t number = plan->sampler == SN_NONE ? SN_NONE : clip->samplers[plan->sampler].number;
        edit edits[1] = {{"sampler", unsigned_text(&sampler, number)}};
        copy_object(w, out, plan->value, edits, number == was ? 0 : 1);
        return;
    }
    const sn_track *track = clip->added[index - (clip->origin ? clip->origin->channel_count : 0)];
    sn_text_append(out, "{\"sampler\":");
    sn_text_append_unsigned(out, clip->samplers[plan->sampler].number);
    sn_text_append(out, ",\"target\":{\"node\":");
    sn_text_append_unsigned(out, track->node);
    sn_text_append(out, ",\"path\":\"");
    sn_text_append(out, paths[track->path]);
    sn_text_append(out, "\"}}");
}

static uint32_t last_of(const sn_writer *w, uint32_t container) {
    uint32_t last = SN_NONE, end = w->json->nodes[container].next;
    for (uint32_t child = sn_json_first(w->json, container); child != SN_NONE && child != end;
         child = w->json->nodes[child].next)
        last = child;
    return last;
}

static void write_samplers(const sn_writer *w, sn_text *out, sn_clip_plan *clip) {
    uint32_t array =
        clip->origin ? sn_json_member(w->json, clip->origin->value, "samplers") : SN_NONE;
    list l = open_list(w, out, array, '[');
    uint32_t number = 0, before = SN_NONE;
    for (uint32_t i = 0; i < clip->sampler_count; i++) {
        sn_sampler_plan *plan = &clip->samplers[i];
        plan->number = SN_NONE;
        if (plan->fate != SN_REMOVE) {
            plan->number = number++;
            if (plan->value != SN_NONE)
                old_item(&l, plan->value, before);
            else
                new_item(&l);
            if (plan->fate == SN_KEEP)
                copy_value(w, out, plan->value);
            else
                write_sampler(w, out, plan);
        }
        if (plan->value != SN_NONE)
            before = plan->value;
    }
    close_list(&l, before);
}

static void write_channels(const sn_writer *w, sn_text *out, const sn_clip_plan *clip) {
    uint32_t array =
        clip->origin ? sn_json_member(w->json, clip->origin->value, "channels") : SN_NONE;
    list l = open_list(w, out, array, '[');
    uint32_t before = SN_NONE;
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const sn_channel_plan *plan = &clip->channels[i];
        if (plan->fate != SN_REMOVE) {
            if (plan->value != SN_NONE)
                old_item(&l, plan->value, before);
            else
                new_item(&l);
            write_channel(w, out, clip, i);
        }
        if (plan->value != SN_NONE)
            before = plan->value;
    }
    close_list(&l, before);
}

static void write_animation(const sn_writer *w, sn_text *out, sn_clip_plan *plan) {
    enum { CHANNELS, SAMPLERS, NAME, EXTRAS, COUNT };
    const sn_clip *clip = plan->clip;
    uint32_t value = plan->origin ? plan->origin->value : SN_NONE;
    const sn_clip none = {.name = ""};
    const sn_clip *was = plan->origin ? &w->gltf->model.clips[clip->origin] : &none;
    sn_text texts[COUNT];
    for (int i = 0; i < COUNT; i++)
        sn_text_init(&texts[i], out->allocator);
    write_samplers(w, &texts[SAMPLERS], plan); /* first: it numbers them */
    write_channels(w, &texts[CHANNELS], plan);
    edit edits[COUNT] = {{"channels", texts[CHANNELS].data}, {"samplers", texts[SAMPLERS].data}};
    uint32_t count = 2;
    if (strcmp(clip->name, was->name) != 0) {
        if (clip->name[0])
            sn_text_append_string(&texts[NAME], clip->name, strlen(clip->name));
        edits[count++] = (edit){"name", texts[NAME].data};
    }
    if (!sn_clip_same_markers(clip, was)) {
        uint32_t extras = value == SN_NONE ? SN_NONE : sn_json_member(w->json, value, "extras");
        sn_write_marker_extras(w->gltf, extras, clip, &texts[EXTRAS]);
        edits[count++] = (edit){"extras", texts[EXTRAS].data};
    }
    for (int i = 0; i < COUNT; i++)
        out->failed |= texts[i].failed;
    if (!out->failed)
        copy_object(w, out, value, edits, count);
    for (int i = 0; i < COUNT; i++)
        sn_text_free(&texts[i]);
}

static void write_animations(const sn_writer *w, sn_text *out) {
    uint32_t array = w->gltf->root[SN_ROOT_ANIMATIONS];
    list l = open_list(w, out, array, '[');
    for (uint32_t i = 0; i < w->clip_count; i++) {
        sn_clip_plan *clip = &w->clips[i];
        if (!sn_clip_is_written(clip))
            continue;
        new_item(&l); /* clips may come in any order: all get the space of the first */
        if (clip->raw)
            copy_value(w, out, clip->origin->value);
        else
            write_animation(w, out, clip);
    }
    close_list(&l, array == SN_NONE ? SN_NONE : last_of(w, array));
}

/* ---- Accessors ---- */

typedef struct bounds {
    float low[4], high[4];
    bool finite;
} bounds;

static bounds find_bounds(const sn_new_accessor *accessor) {
    bounds b = {.finite = true};
    for (uint32_t row = 0; row < accessor->rows; row++) {
        float low = accessor->values[row], high = low;
        for (size_t i = 0; i < accessor->count; i++) {
            float value = accessor->values[i * accessor->rows + row];
            b.finite &= value - value == 0;
            low = value < low ? value : low;
            high = value > high ? value : high;
        }
        b.low[row] = low;
        b.high[row] = high;
    }
    return b;
}

static void append_floats(sn_text *out, const float *values, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        sn_text_append(out, i ? "," : "[");
        sn_text_append_float(out, values[i]);
    }
    sn_text_append(out, "]");
}

static void write_accessor(const sn_writer *w, sn_text *out, uint32_t value,
                           const sn_new_accessor *accessor) {
    number_text view, offset, count;
    sn_text low, high;
    sn_text_init(&low, out->allocator);
    sn_text_init(&high, out->allocator);
    bounds b = find_bounds(accessor);
    bool bounded = accessor->bounds && b.finite;
    append_floats(&low, b.low, accessor->rows);
    append_floats(&high, b.high, accessor->rows);
    out->failed |= low.failed || high.failed;
    if (!out->failed) {
        const char *offset_text = NULL;
        if (accessor->in_place) {
            const sn_gltf_accessor *old = &w->gltf->accessors[accessor->accessor];
            offset_text = old->offset ? unsigned_text(&offset, old->offset) : NULL;
        }
        edit edits[] = {
            {"bufferView", unsigned_text(&view, w->views[accessor->view].number)},
            {"byteOffset", offset_text},
            {"componentType", "5126"},
            {"count", unsigned_text(&count, accessor->count)},
            {"max", bounded ? high.data : NULL},
            {"min", bounded ? low.data : NULL},
            {"normalized", NULL},
            {"sparse", NULL},
            {"type", accessor->rows == 1   ? "\"SCALAR\""
                     : accessor->rows == 3 ? "\"VEC3\""
                                           : "\"VEC4\""},
        };
        copy_object(w, out, value, edits, sizeof edits / sizeof *edits);
    }
    sn_text_free(&low);
    sn_text_free(&high);
}

/* ---- Views and buffers ---- */

static void write_view(const sn_writer *w, sn_text *out, uint32_t value,
                       const sn_new_accessor *accessor) {
    number_text buffer, offset, length;
    size_t size = (size_t)accessor->count * accessor->rows * sizeof(float);
    edit edits[] = {
        {"buffer", unsigned_text(&buffer, accessor->buffer)},
        {"byteOffset", accessor->offset ? unsigned_text(&offset, accessor->offset) : NULL},
        {"byteLength", unsigned_text(&length, size)},
        {"byteStride", NULL},
        {"target", NULL},
        {"extensions", NULL}, /* how the old bytes were compressed */
    };
    copy_object(w, out, value, edits, sizeof edits / sizeof *edits);
}

/* Accessors or views: those that stay are copied, new ones written into the places they take. */
static void write_slots(const sn_writer *w, sn_text *out, sn_root_member member,
                        const sn_slot *slots, uint32_t count,
                        void (*write_new)(const sn_writer *w, sn_text *out, uint32_t value,
                                          const sn_new_accessor *accessor)) {
    uint32_t array = w->gltf->root[member], file_count = w->gltf->count[member];
    list l = open_list(w, out, array, '[');
    uint32_t before = SN_NONE, value = array + 1;
    for (uint32_t i = 0; i < count; i++) {
        const sn_slot *slot = &slots[i];
        bool old = i < file_count;
        if (slot->number != SN_NONE) {
            if (old)
                old_item(&l, value, before);
            else
                new_item(&l);
            if (slot->occupant == SN_NONE)
                copy_value(w, out, value);
            else
                write_new(w, out, old ? value : SN_NONE, &w->news[slot->occupant]);
        }
        if (old) {
            before = value;
            value = w->json->nodes[value].next;
        }
    }
    close_list(&l, before);
}

static void write_buffers(const sn_writer *w, sn_text *out, const char *const *uris) {
    uint32_t array = w->gltf->root[SN_ROOT_BUFFERS], count = w->gltf->count[SN_ROOT_BUFFERS];
    list l = open_list(w, out, array, '[');
    uint32_t before = SN_NONE;
    for (uint32_t i = 0; i < w->buffer_count; i++) {
        uint32_t value = i < count ? w->gltf->buffers[i].value : SN_NONE;
        if (value != SN_NONE)
            old_item(&l, value, before);
        else
            new_item(&l);
        number_text length;
        edit edits[2] = {{"byteLength", unsigned_text(&length, w->buffers[i].length)},
                         {"uri", NULL}};
        bool same_length = value != SN_NONE && w->buffers[i].length == w->gltf->buffers[i].length;
        const edit *first = same_length ? edits + 1 : edits;
        edits[1].text = uris[i] && uris[i][0] ? uris[i] : NULL;
        copy_object(w, out, value, first, (same_length ? 0 : 1) + (uris[i] ? 1u : 0u));
        if (value != SN_NONE)
            before = value;
    }
    close_list(&l, before);
}

/* ---- Extensions ---- */

/* A list of names with this one in it, or without it. False: none is left, and the list goes. */
static bool write_names(const sn_writer *w, sn_text *out, sn_root_member member, const char *name,
                        bool is_wanted) {
    uint32_t array = w->gltf->root[member], count = w->gltf->count[member];
    list l = open_list(w, out, array, '[');
    uint32_t before = SN_NONE, value = array + 1;
    for (uint32_t i = 0; i < count; i++) {
        bool is_name = sn_json_equals(w->json, value, name);
        if (!is_name || is_wanted) {
            old_item(&l, value, before);
            copy_value(w, out, value);
        }
        is_wanted = is_wanted && !is_name;
        before = value;
        value = w->json->nodes[value].next;
    }
    if (is_wanted) {
        new_item(&l);
        sn_text_append_string(out, name, strlen(name));
    }
    close_list(&l, before);
    return l.any;
}

/* The object "extensions" with the modifiers that are wanted. False: it is empty, and goes. */
static bool write_extensions(const sn_writer *w, sn_text *out) {
    const char *text = w->options->modifiers;
    uint32_t object = w->gltf->root[SN_ROOT_EXTENSIONS];
    edit modifiers = {SN_MODIFIERS_EXTENSION, text};
    copy_object(w, out, object, &modifiers, 1);
    return text || w->json->nodes[object].count > 1;
}

/* ---- The whole ---- */

static bool any_number(const sn_slot *slots, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (slots[i].number != SN_NONE)
            return true;
    return false;
}

static bool any_animation(const sn_writer *w) {
    for (uint32_t i = 0; i < w->clip_count; i++)
        if (sn_clip_is_written(&w->clips[i]))
            return true;
    return false;
}

sn_result sn_write_json(sn_writer *w, const char *const *uris, sn_text *out) {
    enum { ANIMATIONS, ACCESSORS, VIEWS, BUFFERS, EXTENSIONS, USED, REQUIRED, COUNT };
    sn_text parts[COUNT];
    for (int i = 0; i < COUNT; i++)
        sn_text_init(&parts[i], out->allocator);
    edit edits[COUNT];
    uint32_t edit_count = 0;
    if (w->edited) {
        /* An array that nothing is left in goes: glTF has no empty ones. */
        if (any_animation(w))
            write_animations(w, &parts[ANIMATIONS]);
        if (any_number(w->accessors, w->accessor_count))
            write_slots(w, &parts[ACCESSORS], SN_ROOT_ACCESSORS, w->accessors, w->accessor_count,
                        write_accessor);
        if (any_number(w->views, w->view_count))
            write_slots(w, &parts[VIEWS], SN_ROOT_BUFFER_VIEWS, w->views, w->view_count,
                        write_view);
        edits[edit_count++] = (edit){"animations", parts[ANIMATIONS].data};
        edits[edit_count++] = (edit){"accessors", parts[ACCESSORS].data};
        edits[edit_count++] = (edit){"bufferViews", parts[VIEWS].data};
    }
    if (w->buffer_count) {
        write_buffers(w, &parts[BUFFERS], uris);
        edits[edit_count++] = (edit){"buffers", parts[BUFFERS].data};
    }
    if (w->new_modifiers) {
        const char *name = SN_MODIFIERS_EXTENSION;
        bool is_wanted = w->options->modifiers;
        bool any = write_extensions(w, &parts[EXTENSIONS]);
        edits[edit_count++] = (edit){"extensions", any ? parts[EXTENSIONS].data : NULL};
        any = write_names(w, &parts[USED], SN_ROOT_EXTENSIONS_USED, name, is_wanted);
        edits[edit_count++] = (edit){"extensionsUsed", any ? parts[USED].data : NULL};
        if (!is_wanted) { /* what is not there cannot be required */
            any = write_names(w, &parts[REQUIRED], SN_ROOT_EXTENSIONS_REQUIRED, name, false);
            edits[edit_count++] = (edit){"extensionsRequired", any ? parts[REQUIRED].data : NULL};
        }
    }
    for (int i = 0; i < COUNT; i++)
        out->failed |= parts[i].failed;
    if (!out->failed)
        copy_object(w, out, 0, edits, edit_count);
    for (int i = 0; i < COUNT; i++)
        sn_text_free(&parts[i]);
    return out->failed ? sn_writer_no_memory(w) : SN_OK;
}
