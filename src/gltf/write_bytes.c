/* Where new data lie in the buffers.
 *
 * Free bytes are those of accessors and views that lost their last user, less what any other still
 * uses, and those that no view covers, which earlier edits may have left. New data go where the
 * data they replace were, if they fit or can grow there; else into the first free stretch that is
 * large enough, the last of which is the end of the buffer, open upward. A buffer whose end is free
 * in the end becomes shorter. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "gltf/writer.h"

typedef struct stretch {
    uint32_t buffer;
    size_t start, end;
} stretch;

typedef struct stretches {
    stretch *items;
    size_t count;
} stretches;

static void add(stretches *list, uint32_t buffer, size_t start, size_t end) {
    if (start < end)
        list->items[list->count++] = (stretch){buffer, start, end};
}

static int compare(const void *left, const void *right) {
    const stretch *a = left, *b = right;
    if (a->buffer != b->buffer)
        return a->buffer < b->buffer ? -1 : 1;
    return (a->start > b->start) - (a->start < b->start);
}

/* Sorts, and joins those that overlap or touch. */
static void merge(stretches *list) {
    qsort(list->items, list->count, sizeof *list->items, compare);
    size_t n = 0;
    for (size_t i = 0; i < list->count; i++) {
        stretch s = list->items[i];
        if (n && list->items[n - 1].buffer == s.buffer && list->items[n - 1].end >= s.start) {
            if (s.end > list->items[n - 1].end)
                list->items[n - 1].end = s.end;
        } else {
            list->items[n++] = s;
        }
    }
    list->count = n;
}

/* ---- What is used, and what the edit frees ---- */

static bool accessor_stretch(const sn_gltf *gltf, uint32_t index, stretch *out) {
    const sn_gltf_accessor *accessor = &gltf->accessors[index];
    if (accessor->view == SN_NONE || accessor->count == 0)
        return false;
    const sn_gltf_view *view = &gltf->views[accessor->view];
    if (view->compression != SN_NONE)
        return false;
    size_t end = view->offset + view->length;
    out->buffer = view->buffer;
    out->start = view->offset + accessor->offset;
    size_t size =
        sn_accessor_stride(gltf, accessor) * (accessor->count - 1u) + sn_element_size(accessor);
    out->end = size < end - out->start ? out->start + size : end; /* the last padding may lack */
    return true;
}

/* A view's own range and, where it is compressed, that of the compressed bytes. */
static void add_view(const sn_gltf *gltf, uint32_t index, stretches *list) {
    const sn_gltf_view *view = &gltf->views[index];
    add(list, view->buffer, view->offset, view->offset + view->length);
    if (view->compression == SN_NONE)
        return;
    const sn_json *json = &gltf->json;
    uint64_t buffer, offset = 0, length;
    uint32_t value = sn_json_member(json, view->compression, "byteOffset");
    if (value != SN_NONE && !sn_json_unsigned(json, value, &offset))
        return;
    value = sn_json_member(json, view->compression, "buffer");
    if (value == SN_NONE || !sn_json_unsigned(json, value, &buffer) ||
        buffer >= gltf->count[SN_ROOT_BUFFERS])
        return;
    value = sn_json_member(json, view->compression, "byteLength");
    if (value == SN_NONE || !sn_json_unsigned(json, value, &length))
        return;
    size_t size = gltf->buffers[buffer].length;
    if (offset <= size && length <= size - offset)
        add(list, (uint32_t)buffer, (size_t)offset, (size_t)(offset + length));
}

static void gather(const sn_writer *w, stretches *used, stretches *freed) {
    const sn_gltf *gltf = w->gltf;
    for (uint32_t i = 0; i < gltf->count[SN_ROOT_ACCESSORS]; i++) {
        stretch s;
        if (accessor_stretch(gltf, i, &s))
            add(sn_slot_is_free(&w->accessors[i]) ? freed : used, s.buffer, s.start, s.end);
    }
    for (uint32_t i = 0; i < gltf->count[SN_ROOT_BUFFER_VIEWS]; i++) {
        const sn_slot *slot = &w->views[i];
        if (sn_slot_is_free(slot))
            add_view(gltf, i, freed);
        else if (slot->other_uses || slot->uses == 0 || gltf->views[i].compression != SN_NONE)
            add_view(gltf, i, used); /* whole: who knows which bytes of it count */
    }
}

/* What no view covers. The end of a buffer counts only if the edit frees what is before it: padding
 * stays padding. */
static bool gather_gaps(const sn_writer *w, stretches *covered, stretches *freed) {
    const sn_gltf *gltf = w->gltf;
    uint32_t count = gltf->count[SN_ROOT_BUFFERS];
    size_t *ends = SN_ARENA_NEW(w->arena, size_t, count); /* of what views cover */
    bool *open = SN_ARENA_NEW(w->arena, bool, count);
    if (!ends || !open)
        return false;
    for (uint32_t i = 0; i < gltf->count[SN_ROOT_BUFFER_VIEWS]; i++)
        add_view(gltf, i, covered);
    merge(covered);
    size_t already = freed->count;
    for (size_t c = 0; c < covered->count; c++) {
        const stretch *s = &covered->items[c];
        add(freed, s->buffer, ends[s->buffer], s->start);
        ends[s->buffer] = s->end;
    }
    for (size_t f = 0; f < already; f++)
        open[freed->items[f].buffer] |= freed->items[f].end == ends[freed->items[f].buffer];
    for (uint32_t b = 0; b < count; b++)
        if (open[b])
            add(freed, b, ends[b], gltf->buffers[b].length);
    return true;
}

/* ---- Free stretches: freed less used, sorted, apart from one another ---- */

static void subtract(const stretches *freed, const stretches *used, stretches *out) {
    size_t u = 0;
    out->count = 0;
    for (size_t f = 0; f < freed->count;) {
        stretch s = freed->items[f++];
        while (f < freed->count && freed->items[f].buffer == s.buffer &&
               freed->items[f].start <= s.end) { /* overlapping or touching: one */
            if (freed->items[f].end > s.end)
                s.end = freed->items[f].end;
            f++;
        }
        while (u < used->count &&
               (used->items[u].buffer < s.buffer ||
                (used->items[u].buffer == s.buffer && used->items[u].end <= s.start)))
            u++;
        for (size_t k = u;
             k < used->count && used->items[k].buffer == s.buffer && used->items[k].start < s.end;
             k++) {
            add(out, s.buffer, s.start, used->items[k].start);
            if (used->items[k].end > s.start)
                s.start = used->items[k].end;
        }
        add(out, s.buffer, s.start, s.end);
    }
}

static const stretch *find_holder(const stretches *list, const stretch *wanted) {
    size_t low = 0, high = list->count;
    while (low < high) { /* the last that starts at or before */
        size_t middle = low + (high - low) / 2;
        if (compare(&list->items[middle], wanted) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return NULL;
    const stretch *s = &list->items[low - 1];
    return s->buffer == wanted->buffer && wanted->end <= s->end ? s : NULL;
}

/* ---- Placing ---- */

static size_t size_of(const sn_new_accessor *accessor) {
    return (size_t)accessor->count * accessor->rows * sizeof(float);
}

static bool is_writable(const sn_gltf *gltf, uint32_t buffer) {
    return gltf->buffers[buffer].bytes != NULL;
}

/* Whether a view that others use too can go on to hold key data. */
static bool suits(const sn_writer *w, uint32_t view) {
    const sn_gltf_view *v = &w->gltf->views[view];
    return !sn_slot_is_free(&w->views[view]) && v->stride == 0 && v->compression == SN_NONE &&
           v->offset % sizeof(float) == 0 && sn_json_member(w->json, v->value, "target") == SN_NONE;
}

/* A new accessor whose data fit where the data it replaces are. */
typedef struct candidate {
    stretch old;
    uint32_t index;
} candidate;

static int compare_candidates(const void *left, const void *right) {
    const candidate *a = left, *b = right;
    int order = compare(&a->old, &b->old);
    return order ? order : (a->index > b->index) - (a->index < b->index);
}

static bool fits_back(const sn_writer *w, const sn_new_accessor *accessor,
                      const stretches *free_list, stretch *old) {
    return accessor->accessor < w->gltf->count[SN_ROOT_ACCESSORS] &&
           accessor_stretch(w->gltf, accessor->accessor, old) &&
           is_writable(w->gltf, old->buffer) && size_of(accessor) <= old->end - old->start &&
           old->start % sizeof(float) == 0 && find_holder(free_list, old);
}

/* Back to where the data they replace were: reserved before anything else is placed. Accessors may
 * share bytes: the first of those that replace such ones gets them. */
static bool place_back(sn_writer *w, const stretches *free_list, stretches *used) {
    candidate *candidates = SN_ARENA_NEW(w->arena, candidate, w->new_count);
    if (!candidates)
        return false;
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->new_count; i++) {
        w->news[i].buffer = SN_NONE;
        candidates[count].index = i;
        count += fits_back(w, &w->news[i], free_list, &candidates[count].old) ? 1 : 0;
    }
    qsort(candidates, count, sizeof *candidates, compare_candidates);
    stretch last = {SN_NONE, 0, 0};
    for (uint32_t i = 0; i < count; i++) {
        sn_new_accessor *accessor = &w->news[candidates[i].index];
        stretch at = candidates[i].old;
        if (at.buffer == last.buffer && at.start < last.end)
            continue;
        uint32_t view = w->gltf->accessors[accessor->accessor].view;
        if (accessor->view == SN_NONE && suits(w, view)) {
            accessor->in_place = true;
            accessor->view = view;
            w->views[view].uses++;
        }
        accessor->buffer = at.buffer;
        accessor->offset = at.start;
        last = (stretch){at.buffer, at.start, at.start + size_of(accessor)};
        add(used, last.buffer, last.start, last.end);
    }
    return true;
}

/* Where to put what has no place yet: the buffer of what it replaces, else the first that can be
 * written to, else a new one. */
static uint32_t choose_buffer(sn_writer *w, const sn_new_accessor *accessor) {
    const sn_gltf *gltf = w->gltf;
    uint32_t count = gltf->count[SN_ROOT_BUFFERS];
    stretch old;
    if (accessor->accessor < gltf->count[SN_ROOT_ACCESSORS] &&
        accessor_stretch(gltf, accessor->accessor, &old) && is_writable(gltf, old.buffer))
        return old.buffer;
    for (uint32_t i = 0; i < count; i++)
        if (is_writable(gltf, i))
            return i;
    w->buffer_count = count + 1;
    return count;
}

/* A buffer's free stretches; the last is its end, open upward. */
typedef struct room {
    stretch *items;
    size_t count;
    size_t first; /* those before are used up */
} room;

/* No search goes through more stretches than this, so that many edits stay linear. */
#define SEARCH 256

static size_t place(room *space, size_t size) {
    while (space->first + 1 < space->count &&
           space->items[space->first].end - space->items[space->first].start < sizeof(float))
        space->first++;
    size_t last = space->count - 1;
    for (size_t i = space->first; i <= last; i++) {
        if (i > space->first + SEARCH)
            i = last;
        stretch *s = &space->items[i];
        size_t start = (s->start + 3) & ~(size_t)3;
        if (start >= s->end || s->end - start < size)
            continue;
        s->start = start + size;
        return start;
    }
    return SIZE_MAX; /* not reached: the last has no end */
}

/* Data that no longer fit where they were grow from there if what follows is free too. */
static void grow(const sn_writer *w, room *rooms, sn_new_accessor *accessor) {
    stretch old;
    if (accessor->accessor >= w->gltf->count[SN_ROOT_ACCESSORS] ||
        !accessor_stretch(w->gltf, accessor->accessor, &old) || !is_writable(w->gltf, old.buffer) ||
        old.start % sizeof(float) != 0)
        return;
    const room *space = &rooms[old.buffer];
    size_t low = 0, high = space->count;
    while (low < high) { /* the first free stretch that starts there or later */
        size_t middle = low + (high - low) / 2;
        if (space->items[middle].start < old.start)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == space->count || space->items[low].start != old.start ||
        space->items[low].end - old.start < size_of(accessor))
        return;
    accessor->buffer = old.buffer;
    accessor->offset = old.start;
    space->items[low].start += size_of(accessor);
}

/* Each buffer's part of the free list, with its end. `items` holds one more a buffer. */
static void split_rooms(const sn_writer *w, const stretches *free_list, room *rooms,
                        stretch *items) {
    size_t f = 0, n = 0;
    for (uint32_t b = 0; b < w->gltf->count[SN_ROOT_BUFFERS] + 1; b++) {
        size_t length = w->buffers[b].length;
        rooms[b].items = items + n;
        while (f < free_list->count && free_list->items[f].buffer == b)
            items[n++] = free_list->items[f++];
        size_t count = (size_t)(items + n - rooms[b].items);
        if (count && items[n - 1].end == length)
            items[n - 1].end = SIZE_MAX;
        else
            items[n++] = (stretch){b, length, SIZE_MAX};
        rooms[b].count = (size_t)(items + n - rooms[b].items);
    }
}

/* ---- Writing ---- */

static void store_floats(uint8_t *out, const float *values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        for (int k = 0; k < 4; k++)
            *out++ = (uint8_t)(bits >> (8 * k));
    }
}

static sn_result write_data(sn_writer *w) {
    const sn_gltf *gltf = w->gltf;
    for (uint32_t i = 0; i < w->new_count; i++) {
        const sn_new_accessor *accessor = &w->news[i];
        sn_write_buffer *buffer = &w->buffers[accessor->buffer];
        buffer->changed = true;
    }
    for (uint32_t b = 0; b < w->buffer_count; b++) {
        sn_write_buffer *buffer = &w->buffers[b];
        const sn_gltf_buffer *old = b < gltf->count[SN_ROOT_BUFFERS] ? &gltf->buffers[b] : NULL;
        if (!buffer->changed && old && buffer->length == old->length)
            continue;
        buffer->changed = true;
        buffer->bytes = SN_ARENA_NEW(w->arena, uint8_t, buffer->length);
        if (!buffer->bytes)
            return sn_writer_no_memory(w);
        if (old && old->bytes)
            memcpy(buffer->bytes, old->bytes,
                   buffer->length < old->length ? buffer->length : old->length);
    }
    for (uint32_t i = 0; i < w->new_count; i++) {
        const sn_new_accessor *accessor = &w->news[i];
        store_floats(w->buffers[accessor->buffer].bytes + accessor->offset, accessor->values,
                     (size_t)accessor->count * accessor->rows);
    }
    return SN_OK;
}

/* Up to the end of every view that stays, although bytes at its end may be free; and no buffer is
 * empty (3.6.1). */
static size_t least_length(const sn_writer *w, const stretches *stays, uint32_t buffer) {
    stretch key = {buffer, SIZE_MAX, SIZE_MAX};
    size_t low = 0, high = stays->count;
    while (low < high) { /* the last of the buffer */
        size_t middle = low + (high - low) / 2;
        if (compare(&stays->items[middle], &key) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low && stays->items[low - 1].buffer == buffer)
        return stays->items[low - 1].end;
    return w->buffers[buffer].length < 4 ? w->buffers[buffer].length : 4;
}

sn_result sn_write_bytes(sn_writer *w) {
    const sn_gltf *gltf = w->gltf;
    uint32_t buffers = gltf->count[SN_ROOT_BUFFERS];
    size_t most = (size_t)gltf->count[SN_ROOT_ACCESSORS] +
                  4 * (size_t)gltf->count[SN_ROOT_BUFFER_VIEWS] + w->new_count +
                  2 * (size_t)buffers;
    stretches used = {SN_ARENA_NEW(w->arena, stretch, most), 0};
    stretches freed = {SN_ARENA_NEW(w->arena, stretch, most), 0};
    /* subtracting splits a freed stretch at each used one at most */
    stretches stays = {SN_ARENA_NEW(w->arena, stretch, most), 0};
    stretches free_list = {SN_ARENA_NEW(w->arena, stretch, 2 * most), 0};
    stretch *items = SN_ARENA_NEW(w->arena, stretch, 2 * most + buffers + 1);
    room *rooms = SN_ARENA_NEW(w->arena, room, (size_t)buffers + 1);
    if (!used.items || !freed.items || !stays.items || !free_list.items || !items || !rooms)
        return sn_writer_no_memory(w);
    gather(w, &used, &freed);
    for (uint32_t i = 0; i < gltf->count[SN_ROOT_BUFFER_VIEWS]; i++)
        if (!sn_slot_is_free(&w->views[i]))
            add_view(gltf, i, &stays);
    merge(&stays);
    if (!w->keep_gaps && !gather_gaps(w, &free_list, &freed))
        return sn_writer_no_memory(w);
    merge(&used);
    merge(&freed);
    subtract(&freed, &used, &free_list);
    if (!place_back(w, &free_list, &used))
        return sn_writer_no_memory(w);
    merge(&used);
    subtract(&freed, &used, &free_list);
    split_rooms(w, &free_list, rooms, items);
    for (uint32_t i = 0; i < w->new_count; i++)
        if (w->news[i].buffer == SN_NONE)
            grow(w, rooms, &w->news[i]);
    for (uint32_t i = 0; i < w->new_count; i++) {
        sn_new_accessor *accessor = &w->news[i];
        if (accessor->buffer == SN_NONE) {
            accessor->buffer = choose_buffer(w, accessor);
            accessor->offset = place(&rooms[accessor->buffer], size_of(accessor));
        }
        if (accessor->view == SN_NONE)
            accessor->view = sn_write_add_view(w, i);
    }
    for (uint32_t b = 0; b < w->buffer_count; b++) {
        if (b < buffers && !is_writable(gltf, b))
            continue;
        size_t length = rooms[b].items[rooms[b].count - 1].start;
        size_t least = least_length(w, &stays, b);
        w->buffers[b].length = length > least ? length : least;
    }
    return write_data(w);
}
