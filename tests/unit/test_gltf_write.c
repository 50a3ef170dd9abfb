/* Writing files back: unedited ones are as they were, and an edit changes what it must and no
 * more. On every file of the corpus that the reader accepts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gltf/writer.h"
#include "tests/unit/gltf_files.h"

static const char *current; /* the file at hand, for messages */

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fail_msg("%s: %s", current, #condition);                                               \
    } while (0)

/* ---- Comparing ---- */

/* Values of the text that are references to accessors or views: their numbers may change. */
typedef struct reference_list {
    sn_reference *items;
    size_t count, capacity;
    bool animations; /* only those of animations, or only others */
} reference_list;

static void append_reference(void *user, const sn_reference *reference) {
    reference_list *list = user;
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : 64;
        list->items = realloc(list->items, list->capacity * sizeof *list->items);
    }
    list->items[list->count++] = *reference;
}

static reference_list list_references(const sn_gltf *gltf) {
    reference_list list = {0};
    sn_visit_references(gltf, append_reference, &list);
    return list;
}

static bool is_reference(const reference_list *list, uint32_t value) {
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].value == value)
            return true;
    return false;
}

/* The same tree: types, names, spelled numbers, order of members. References excepted. */
static bool same_tree(const sn_json *a, uint32_t x, const sn_json *b, uint32_t y,
                      const reference_list *references) {
    uint32_t count = a->nodes[x].next - x;
    if (b->nodes[y].next - y != count)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const sn_json_node *p = &a->nodes[x + i], *q = &b->nodes[y + i];
        if (p->type != q->type || p->count != q->count)
            return false;
        if (p->type == SN_JSON_OBJECT || p->type == SN_JSON_ARRAY)
            continue;
        if (p->length == q->length && !memcmp(a->text + p->offset, b->text + q->offset, p->length))
            continue;
        if (p->type != SN_JSON_NUMBER || !is_reference(references, x + i))
            return false;
    }
    return true;
}

static bool is_data_root(const sn_json *json, uint32_t name) {
    static const char *const names[] = {"animations", "accessors", "bufferViews", "buffers"};
    for (int i = 0; i < 4; i++)
        if (sn_json_equals(json, name, names[i]))
            return true;
    return false;
}

/* The members of the root other than animations and data are the same, in the same order. */
static void check_roots(const sn_gltf *before, const sn_gltf *after) {
    const sn_json *a = &before->json, *b = &after->json;
    reference_list references = list_references(before);
    uint32_t x = 1, y = 1;
    uint32_t i = a->nodes[0].count, j = b->nodes[0].count;
    for (;;) {
        while (i && is_data_root(a, x))
            x = a->nodes[x + 1].next, i--;
        while (j && is_data_root(b, y))
            y = b->nodes[y + 1].next, j--;
        CHECK((i == 0) == (j == 0));
        if (!i)
            break;
        CHECK(same_tree(a, x, b, y, &references));
        CHECK(same_tree(a, x + 1, b, y + 1, &references));
        x = a->nodes[x + 1].next, i--;
        y = b->nodes[y + 1].next, j--;
    }
    free(references.items);
}

static const uint8_t *view_bytes(const sn_gltf *gltf, uint32_t view) {
    const sn_gltf_buffer *buffer = &gltf->buffers[gltf->views[view].buffer];
    return buffer->bytes ? buffer->bytes + gltf->views[view].offset : NULL;
}

static void check_same_view(const sn_gltf *before, uint32_t x, const sn_gltf *after, uint32_t y) {
    const sn_gltf_view *v = &before->views[x], *u = &after->views[y];
    CHECK(v->length == u->length && v->stride == u->stride);
    CHECK((v->compression == SN_NONE) == (u->compression == SN_NONE));
    const uint8_t *p = view_bytes(before, x), *q = view_bytes(after, y);
    CHECK(!p == !q);
    if (v->compression != SN_NONE) {
        sn_compressed_view c, d;
        CHECK(sn_gltf_compressed_view(before, x, &c, NULL) == SN_OK);
        CHECK(sn_gltf_compressed_view(after, y, &d, NULL) == SN_OK);
        CHECK(c.source_size == d.source_size && !memcmp(c.source, d.source, c.source_size));
    }
}

static void check_same_accessor(const sn_gltf *before, uint32_t x, const sn_gltf *after,
                                uint32_t y) {
    const sn_gltf_accessor *a = &before->accessors[x], *b = &after->accessors[y];
    CHECK(a->count == b->count && a->component_type == b->component_type && a->rows == b->rows &&
          a->columns == b->columns && a->normalized == b->normalized);
    CHECK((a->view == SN_NONE) == (b->view == SN_NONE));
    CHECK((a->sparse == SN_NONE) == (b->sparse == SN_NONE));
    if (a->view == SN_NONE || a->count == 0)
        return;
    check_same_view(before, a->view, after, b->view);
    if (before->views[a->view].compression != SN_NONE)
        return;
    const uint8_t *p = view_bytes(before, a->view), *q = view_bytes(after, b->view);
    size_t stride = sn_accessor_stride(before, a), size = sn_element_size(a);
    size_t length = before->views[a->view].length;
    for (size_t i = 0; p && i < a->count; i++) {
        size_t from = a->offset + i * stride;
        size_t n = size < length - from ? size : length - from;
        CHECK(!memcmp(p + from, q + b->offset + i * stride, n));
    }
}

static bool within(const sn_json *json, uint32_t array, uint32_t value) {
    return array != SN_NONE && value > array && value < json->nodes[array].next;
}

/* Everything that is not an animation refers to the same data as before. */
static void check_data(const sn_gltf *before, const sn_gltf *after) {
    reference_list a = list_references(before), b = list_references(after);
    size_t i = 0, j = 0;
    for (;; i++, j++) {
        /* accessors' own views are looked at through them */
        while (i < a.count &&
               (a.items[i].holder != SN_NONE ||
                within(&before->json, before->root[SN_ROOT_ANIMATIONS], a.items[i].value)))
            i++;
        while (j < b.count &&
               (b.items[j].holder != SN_NONE ||
                within(&after->json, after->root[SN_ROOT_ANIMATIONS], b.items[j].value)))
            j++;
        CHECK((i == a.count) == (j == b.count));
        if (i == a.count)
            break;
        const sn_reference *p = &a.items[i], *q = &b.items[j];
        CHECK(p->kind == q->kind);
        if (p->kind == SN_REFERENCE_ACCESSOR)
            check_same_accessor(before, p->target, after, q->target);
        else if (p->kind == SN_REFERENCE_VIEW) {
            check_same_view(before, p->target, after, q->target);
            const uint8_t *x = view_bytes(before, p->target), *y = view_bytes(after, q->target);
            CHECK(!x || !memcmp(x, y, before->views[p->target].length));
        } else {
            CHECK(p->target == q->target);
        }
    }
    free(a.items);
    free(b.items);
}

static size_t value_count(const sn_track *track) {
    return (size_t)track->key_count * track->width *
           (track->interpolation == SN_CUBICSPLINE ? 3 : 1);
}

static void check_same_track(const sn_track *a, const sn_track *b) {
    CHECK(a->node == b->node && a->path == b->path && a->interpolation == b->interpolation);
    CHECK(a->width == b->width && a->key_count == b->key_count);
    CHECK(!memcmp(a->times, b->times, a->key_count * sizeof *a->times));
    CHECK(!memcmp(a->values, b->values, value_count(a) * sizeof *a->values));
}

/* A clip without tracks is left out, unless its animation has channels that are none. */
static bool has_form(const sn_gltf *before, const sn_clip *clip) {
    if (clip->track_count)
        return true;
    if (clip->origin >= before->model.clip_count)
        return false;
    if (sn_same_clip(clip, &before->model.clips[clip->origin]))
        return true;
    uint32_t animation =
        sn_json_element(&before->json, before->root[SN_ROOT_ANIMATIONS], clip->origin);
    uint32_t channels = sn_json_member(&before->json, animation, "channels");
    return before->json.nodes[channels].count > before->model.clips[clip->origin].track_count;
}

/* What was written is what was asked for, bit by bit; channels may come in another order. */
static void check_clips(const sn_gltf *before, const sn_clip *wanted, size_t count,
                        const sn_model *got) {
    uint32_t at = 0;
    for (size_t i = 0; i < count; i++) {
        if (!has_form(before, &wanted[i]))
            continue;
        CHECK(at < got->clip_count);
        const sn_clip *a = &wanted[i], *b = &got->clips[at];
        CHECK(!strcmp(a->name, b->name));
        CHECK(a->track_count == b->track_count);
        /* of several tracks for a property, the last one counts */
        size_t properties = 4 * (size_t)got->node_count;
        const sn_track **first = calloc(properties, sizeof *first);
        const sn_track **second = calloc(properties, sizeof *second);
        for (uint32_t k = 0; k < a->track_count; k++)
            first[a->tracks[k]->node * 4 + a->tracks[k]->path] = a->tracks[k];
        for (uint32_t k = 0; k < b->track_count; k++)
            second[b->tracks[k]->node * 4 + b->tracks[k]->path] = b->tracks[k];
        for (size_t k = 0; k < properties; k++) {
            CHECK(!first[k] == !second[k]);
            if (first[k])
                check_same_track(first[k], second[k]);
        }
        free(first);
        free(second);
        at++;
    }
    CHECK(at == got->clip_count);
}

static size_t count_unused(const sn_gltf *gltf, bool views) {
    reference_list list = list_references(gltf);
    size_t unused = 0;
    uint32_t count = gltf->count[views ? SN_ROOT_BUFFER_VIEWS : SN_ROOT_ACCESSORS];
    uint8_t *used = calloc(count + 1, 1);
    for (size_t i = 0; i < list.count; i++) {
        sn_reference_kind kind = list.items[i].kind;
        bool accessor = kind == SN_REFERENCE_ACCESSOR || kind == SN_REFERENCE_MAYBE_ACCESSOR;
        if (accessor != views)
            used[list.items[i].target] = 1;
    }
    for (uint32_t i = 0; i < count; i++)
        unused += !used[i];
    free(used);
    free(list.items);
    return unused;
}

static size_t buffer_bytes(const sn_gltf *gltf) {
    size_t sum = 0;
    for (uint32_t i = 0; i < gltf->count[SN_ROOT_BUFFERS]; i++)
        if (gltf->buffers[i].bytes)
            sum += gltf->buffers[i].length;
    return sum;
}

/* ---- Unedited ---- */

static void write_or_fail(const sn_gltf *gltf, const sn_gltf_write_options *options,
                          sn_output *output) {
    sn_error error = {0};
    if (sn_gltf_write(gltf, options, output, &error) != SN_OK)
        fail_msg("%s: writing: %s", current, error.text);
}

static sn_gltf *read_back(const sn_output *output) {
    sn_gltf *gltf = NULL;
    sn_error error = {0};
    if (test_read_output(output, NULL, &gltf, &error) != SN_OK)
        fail_msg("%s: reading back: %s %s %s", current, sn_message_name(error.id), error.pointer,
                 error.text);
    return gltf;
}

static sn_container container_of(const sn_gltf *gltf) {
    return sn_gltf_is_binary(gltf) ? SN_CONTAINER_GLB : SN_CONTAINER_GLTF;
}

static void check_identical(const sn_gltf *gltf, const char *path) {
    sn_output output;
    write_or_fail(gltf, &(sn_gltf_write_options){.container = container_of(gltf)}, &output);
    size_t size;
    uint8_t *bytes = test_read_bytes(path, &size);
    CHECK(output.files[0].size == size && !memcmp(output.files[0].bytes, bytes, size));
    free(bytes);
    for (size_t i = 1; i < output.file_count; i++) {
        char beside[4096];
        snprintf(beside, sizeof beside, "%.*s%s", (int)(strrchr(path, '/') + 1 - path), path,
                 output.files[i].path);
        bytes = test_read_bytes(beside, &size);
        CHECK(bytes && output.files[i].size == size && !memcmp(output.files[i].bytes, bytes, size));
        free(bytes);
    }
    sn_output_free(&output);
}

/* Into the other container and back: the same tree, the same data. */
static void check_conversion(const sn_gltf *gltf) {
    sn_container other = sn_gltf_is_binary(gltf) ? SN_CONTAINER_GLTF : SN_CONTAINER_GLB;
    sn_output output;
    write_or_fail(gltf, &(sn_gltf_write_options){.container = other}, &output);
    sn_gltf *converted = read_back(&output);
    CHECK(sn_gltf_is_binary(converted) == (other == SN_CONTAINER_GLB));
    check_roots(gltf, converted);
    check_data(gltf, converted);
    check_clips(gltf, gltf->model.clips, gltf->model.clip_count, &converted->model);
    for (uint32_t i = 0; i < gltf->count[SN_ROOT_BUFFERS]; i++) {
        const sn_gltf_buffer *a = &gltf->buffers[i], *b = &converted->buffers[i];
        CHECK(a->length == b->length && !a->bytes == !b->bytes);
        CHECK(!a->bytes || !memcmp(a->bytes, b->bytes, a->length));
        if (other == SN_CONTAINER_GLB)
            CHECK(b->kind != SN_BUFFER_EXTERNAL);
    }
    sn_output again;
    write_or_fail(converted, &(sn_gltf_write_options){.container = container_of(gltf)}, &again);
    sn_gltf *back = read_back(&again);
    check_roots(gltf, back);
    check_data(gltf, back);
    sn_gltf_free(back);
    sn_output_free(&again);
    sn_gltf_free(converted);
    sn_output_free(&output);
}

/* ---- Edits ---- */

/* A clip list to be changed: tracks of its own where they differ from the model's. */
typedef struct edited {
    sn_clip *clips;
    size_t count;
    const sn_track **tracks; /* of the edited clip */
    sn_track track;
    float *times, *values;
} edited;

static edited start_edit(const sn_model *model) {
    edited e = {.count = model->clip_count};
    e.clips = calloc(model->clip_count + 2u, sizeof *e.clips);
    for (uint32_t i = 0; i < model->clip_count; i++)
        e.clips[i] = model->clips[i];
    return e;
}

static void end_edit(edited *e) {
    free(e->clips);
    free(e->tracks);
    free(e->times);
    free(e->values);
}

/* Replaces track `index` of `clip` with one of `key_count` keys, to be filled in. */
static void replace_track(edited *e, uint32_t clip, uint32_t index, uint32_t key_count) {
    sn_clip *c = &e->clips[clip];
    e->tracks = calloc(c->track_count + 2u, sizeof *e->tracks);
    memcpy(e->tracks, c->tracks, c->track_count * sizeof *e->tracks);
    const sn_track *old = c->tracks[index];
    e->track = *old;
    e->track.key_count = key_count;
    e->times = calloc(key_count + 1u, sizeof *e->times);
    e->values = calloc(value_count(&e->track) + 1, sizeof *e->values);
    uint32_t keys = old->key_count < key_count ? old->key_count : key_count;
    memcpy(e->times, old->times, keys * sizeof *e->times);
    memcpy(e->values, old->values, value_count(old) / old->key_count * keys * sizeof *e->values);
    e->track.times = e->times;
    e->track.values = e->values;
    e->tracks[index] = &e->track;
    c->tracks = e->tracks;
}

typedef enum edit_kind {
    CHANGE_VALUE,
    MOVE_KEY,
    ADD_KEY,
    REMOVE_KEY,
    MAKE_STEP,
    REMOVE_TRACK,
    COPY_CLIP,
    RENAME_CLIP,
    REMOVE_CLIP,
    REMOVE_ALL,
    REVERSE_CLIPS,
    EDIT_KINDS
} edit_kind;

/* False where the file has nothing for this edit. */
static bool make_edit(const sn_model *model, edit_kind kind, uint32_t clip, uint32_t index,
                      edited *e) {
    *e = start_edit(model);
    if (kind == REMOVE_ALL) {
        e->count = 0;
        return true;
    }
    if (kind == REVERSE_CLIPS) {
        for (uint32_t i = 0; i < model->clip_count; i++)
            e->clips[i] = model->clips[model->clip_count - 1 - i];
        return true;
    }
    sn_clip *c = &e->clips[clip];
    if (kind == RENAME_CLIP) {
        c->name = "a \"name\" \xE2\x82\xAC";
        return true;
    }
    if (kind == REMOVE_CLIP) {
        memmove(c, c + 1, (e->count - clip - 1) * sizeof *c);
        e->count--;
        return true;
    }
    if (c->track_count == 0)
        return false;
    index %= c->track_count;
    uint32_t keys = c->tracks[index]->key_count;
    switch (kind) {
    case CHANGE_VALUE:
        replace_track(e, clip, index, keys);
        e->values[value_count(&e->track) / 2] += 0.25f;
        return true;
    case MOVE_KEY:
        replace_track(e, clip, index, keys);
        e->times[keys - 1] += 0.5f;
        return true;
    case ADD_KEY:
        replace_track(e, clip, index, keys + 1);
        e->times[keys] = e->times[keys - 1] + 1;
        e->values[value_count(&e->track) - 1] = 1;
        return true;
    case REMOVE_KEY:
        if (keys < 2)
            return false;
        replace_track(e, clip, index, keys - 1);
        return true;
    case MAKE_STEP:
        if (c->tracks[index]->interpolation != SN_LINEAR)
            return false;
        replace_track(e, clip, index, keys);
        e->track.interpolation = SN_STEP;
        return true;
    case REMOVE_TRACK:
        replace_track(e, clip, index, keys);
        c->track_count--;
        memmove(e->tracks + index, e->tracks + index + 1,
                (c->track_count - index) * sizeof *e->tracks);
        return true;
    default: /* COPY_CLIP, with one track of the copy edited */
        e->clips[e->count] = *c;
        e->clips[e->count].origin = SN_NONE;
        e->clips[e->count].name = "copy";
        e->count++;
        replace_track(e, (uint32_t)e->count - 1, index, keys);
        e->values[0] += 0.5f;
        return true;
    }
}

/* Whether another track of the clip has the same times, which are then written once. */
static bool has_companion(const sn_clip *clip, const sn_track *track) {
    for (uint32_t i = 0; i < clip->track_count; i++) {
        const sn_track *other = clip->tracks[i];
        if (other != track && other->key_count == track->key_count &&
            !memcmp(other->times, track->times, track->key_count * sizeof *track->times))
            return true;
    }
    return false;
}

/* How many bytes the buffers may be larger afterwards. */
static size_t allowed_growth(edit_kind kind, const edited *e) {
    size_t values = e->values ? value_count(&e->track) : 0;
    size_t keys = e->values ? e->track.key_count : 0;
    switch (kind) {
    case CHANGE_VALUE: /* in place, but for data that were shared or compressed */
    case ADD_KEY:
    case REMOVE_KEY:
    case MOVE_KEY:
        return (values + keys) * sizeof(float) + 6;
    case COPY_CLIP:
        return (values + (has_companion(&e->clips[e->count - 1], &e->track) ? 0 : keys)) *
                   sizeof(float) +
               6;
    default:
        return 0;
    }
}

static void check_edit(const sn_gltf *gltf, edit_kind kind, uint32_t clip, uint32_t index) {
    edited e;
    if (!make_edit(&gltf->model, kind, clip, index, &e)) {
        end_edit(&e);
        return;
    }
    sn_output output;
    write_or_fail(gltf,
                  &(sn_gltf_write_options){.replace_clips = true,
                                           .clips = e.clips,
                                           .clip_count = e.count,
                                           .container = container_of(gltf)},
                  &output);
    sn_gltf *after = read_back(&output);
    check_roots(gltf, after);
    check_data(gltf, after);
    check_clips(gltf, e.clips, e.count, &after->model);
    if (output.orphan_count == 0) {
        CHECK(count_unused(after, false) <= count_unused(gltf, false));
        CHECK(count_unused(after, true) <= count_unused(gltf, true));
    }
    if (buffer_bytes(after) > buffer_bytes(gltf) + allowed_growth(kind, &e))
        fail_msg("%s: edit %d: %zu bytes of buffers became %zu", current, kind, buffer_bytes(gltf),
                 buffer_bytes(after));
    sn_gltf_free(after);
    sn_output_free(&output);
    end_edit(&e);
}

/* The same edit over and over, each time on what the last one wrote: nothing piles up. */
static void check_repeated(const sn_gltf *first) {
    sn_gltf *gltf = NULL;
    size_t accessors = 0, views = 0;
    for (int round = 0; round < 6; round++) {
        const sn_gltf *from = gltf ? gltf : first;
        if (from->model.clip_count == 0)
            break;
        edited e;
        if (make_edit(&from->model, round % 3 == 2 ? REMOVE_KEY : ADD_KEY, 0, 1, &e)) {
            sn_output output;
            write_or_fail(from,
                          &(sn_gltf_write_options){.replace_clips = true,
                                                   .clips = e.clips,
                                                   .clip_count = e.count,
                                                   .container = container_of(first)},
                          &output);
            sn_gltf *next = read_back(&output);
            check_clips(from, e.clips, e.count, &next->model);
            if (round > 0) { /* by then the track has accessors of its own */
                CHECK(next->count[SN_ROOT_ACCESSORS] == accessors);
                CHECK(next->count[SN_ROOT_BUFFER_VIEWS] == views);
            }
            accessors = next->count[SN_ROOT_ACCESSORS];
            views = next->count[SN_ROOT_BUFFER_VIEWS];
            /* key by key at the end of a buffer */
            if (round > 1)
                CHECK(buffer_bytes(next) <=
                      buffer_bytes(from) + 4 +
                          (1 + value_count(&e.track) / e.track.key_count) * sizeof(float));
            sn_output_free(&output);
            sn_gltf_free(gltf);
            gltf = next;
        }
        end_edit(&e);
    }
    sn_gltf_free(gltf);
}

typedef void (*file_check)(const sn_gltf *gltf, const char *path);

static void for_each_file(file_check check) {
    test_files files = test_corpus();
    if (!files.count)
        skip();
    size_t accepted = 0;
    for (size_t i = 0; i < files.count; i++) {
        current = test_corpus_name(files.paths[i]);
        sn_gltf *gltf;
        if (sn_gltf_read_file(files.paths[i], NULL, &gltf, NULL) != SN_OK)
            continue;
        accepted++;
        check(gltf, files.paths[i]);
        sn_gltf_free(gltf);
    }
    print_message("%zu of %zu files\n", accepted, files.count);
    test_files_free(&files);
}

static void check_unedited(const sn_gltf *gltf, const char *path) {
    check_identical(gltf, path);
    check_conversion(gltf);
}

static void an_unedited_file_comes_back_as_it_was(void **state) {
    (void)state;
    for_each_file(check_unedited);
}

static void check_edits(const sn_gltf *gltf, const char *path) {
    (void)path;
    uint32_t clips = gltf->model.clip_count;
    check_edit(gltf, REMOVE_ALL, 0, 0);
    check_edit(gltf, REVERSE_CLIPS, 0, 0);
    for (uint32_t c = 0; c < clips && c < 2; c++) {
        uint32_t clip = c ? clips - 1 : 0;
        uint32_t tracks = gltf->model.clips[clip].track_count;
        for (int kind = 0; kind < REMOVE_ALL; kind++) {
            check_edit(gltf, (edit_kind)kind, clip, c);
            if (kind <= REMOVE_TRACK && tracks > 2 && c == 0)
                check_edit(gltf, (edit_kind)kind, clip, tracks - 1);
        }
    }
    check_repeated(gltf);
}

static void an_edit_changes_what_it_must_and_no_more(void **state) {
    (void)state;
    for_each_file(check_edits);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_unedited_file_comes_back_as_it_was),
        cmocka_unit_test(an_edit_changes_what_it_must_and_no_more),
    };
    return cmocka_run_group_tests_name("gltf write", tests, NULL, NULL);
}
