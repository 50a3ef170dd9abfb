/* Accessors and views that an edit frees, those that new data takes, and the numbers of all. */
#include <stdlib.h>

#include "base/error.h"
#include "gltf/writer.h"

/* ---- Counting ---- */

static void count_reference(void *user, const sn_reference *reference) {
    sn_writer *w = user;
    switch (reference->kind) {
    case SN_REFERENCE_MAYBE_ACCESSOR:
        w->keep_numbers = true;
        w->accessors[reference->target].uses++;
        break;
    case SN_REFERENCE_ACCESSOR:
        w->accessors[reference->target].uses++;
        break;
    case SN_REFERENCE_BASE_VIEW:
        w->views[reference->target].uses++;
        break;
    case SN_REFERENCE_MAYBE_VIEW:
        w->keep_numbers = true;
        w->views[reference->target].uses++;
        w->views[reference->target].other_uses++;
        break;
    case SN_REFERENCE_MAYBE_BUFFER:
        w->keep_gaps = true;
        break;
    case SN_REFERENCE_SPARSE_VIEW:
    case SN_REFERENCE_VIEW:
        w->views[reference->target].uses++;
        w->views[reference->target].other_uses++;
        break;
    }
}

static sn_slot *new_slots(sn_writer *w, size_t count) {
    sn_slot *slots = SN_ARENA_NEW(w->arena, sn_slot, count);
    for (size_t i = 0; slots && i < count; i++)
        slots[i].occupant = SN_NONE;
    return slots;
}

sn_result sn_write_references(sn_writer *w) {
    size_t added = 0; /* every new track may need two accessors, and a view for each */
    for (size_t i = 0; i < w->options->clip_count; i++)
        added += 2 * (size_t)w->options->clips[i].track_count;
    w->accessor_count = w->gltf->count[SN_ROOT_ACCESSORS];
    w->view_count = w->gltf->count[SN_ROOT_BUFFER_VIEWS];
    w->accessors = new_slots(w, w->accessor_count + added);
    w->views = new_slots(w, w->view_count + added);
    if (!w->accessors || !w->views)
        return sn_writer_no_memory(w);
    sn_visit_references(w->gltf, count_reference, w);
    return SN_OK;
}

/* ---- Slots ---- */

/* New accessors take the slots of those they replace, then other free ones, then new ones. */
static void assign_accessors(sn_writer *w) {
    for (uint32_t i = 0; i < w->new_count; i++) {
        sn_new_accessor *accessor = &w->news[i];
        uint32_t slot = accessor->preferred;
        bool take = slot != SN_NONE && sn_slot_is_free(&w->accessors[slot]) &&
                    w->accessors[slot].occupant == SN_NONE;
        accessor->accessor = take ? slot : SN_NONE;
        if (take)
            w->accessors[slot].occupant = i;
    }
    uint32_t next = 0;
    for (uint32_t i = 0; i < w->new_count; i++) {
        if (w->news[i].accessor != SN_NONE)
            continue;
        while (next < w->accessor_count &&
               (!sn_slot_is_free(&w->accessors[next]) || w->accessors[next].occupant != SN_NONE))
            next++;
        if (next == w->accessor_count)
            w->accessor_count++;
        w->accessors[next].occupant = i;
        w->news[i].accessor = next++;
    }
}

static void keep_orphans(sn_writer *w, sn_slot *slots, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (sn_slot_is_free(&slots[i]) && slots[i].occupant == SN_NONE) {
            slots[i].orphan = true;
            w->orphan_count++;
        }
    }
}

static void release_view(void *user, const sn_reference *reference) {
    sn_writer *w = user;
    bool base = reference->kind == SN_REFERENCE_BASE_VIEW;
    if (!base && reference->kind != SN_REFERENCE_SPARSE_VIEW)
        return;
    if (!sn_slot_is_free(&w->accessors[reference->holder]))
        return;
    sn_slot *view = &w->views[reference->target];
    view->uses--;
    view->other_uses -= !base;
    view->released = true;
}

/* A free view goes to the new accessor that replaces its last one. */
static void assign_views(sn_writer *w) {
    for (uint32_t i = 0; i < w->new_count; i++) {
        sn_new_accessor *accessor = &w->news[i];
        accessor->view = SN_NONE;
        if (accessor->accessor >= w->gltf->count[SN_ROOT_ACCESSORS])
            continue;
        uint32_t view = w->gltf->accessors[accessor->accessor].view;
        if (view == SN_NONE || !sn_slot_is_free(&w->views[view]) ||
            w->views[view].occupant != SN_NONE)
            continue;
        w->views[view].occupant = i;
        accessor->view = view;
    }
}

sn_result sn_write_slots(sn_writer *w) {
    assign_accessors(w);
    if (w->keep_numbers)
        keep_orphans(w, w->accessors, w->gltf->count[SN_ROOT_ACCESSORS]);
    sn_visit_references(w->gltf, release_view, w);
    assign_views(w);
    if (w->keep_numbers)
        keep_orphans(w, w->views, w->gltf->count[SN_ROOT_BUFFER_VIEWS]);
    return SN_OK;
}

uint32_t sn_write_add_view(sn_writer *w, uint32_t occupant) {
    uint32_t next = 0;
    for (next = w->next_view; next < w->view_count; next++)
        if (sn_slot_is_free(&w->views[next]) && w->views[next].occupant == SN_NONE)
            break;
    if (next == w->view_count)
        w->view_count++;
    w->views[next].occupant = occupant;
    w->next_view = next + 1;
    return next;
}

/* ---- Numbers ---- */

static void number_slots(sn_slot *slots, uint32_t file_count, uint32_t count) {
    uint32_t number = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool there =
            slots[i].occupant != SN_NONE || (i < file_count && !sn_slot_is_free(&slots[i]));
        slots[i].number = there ? number++ : SN_NONE;
    }
}

static void add_splice(void *user, const sn_reference *reference) {
    sn_writer *w = user;
    bool accessor = reference->kind == SN_REFERENCE_ACCESSOR;
    if (reference->kind == SN_REFERENCE_MAYBE_ACCESSOR ||
        reference->kind == SN_REFERENCE_MAYBE_VIEW || reference->kind == SN_REFERENCE_MAYBE_BUFFER)
        return; /* whatever it means, its number stands */
    uint32_t number = (accessor ? w->accessors : w->views)[reference->target].number;
    if (number == reference->target || number == SN_NONE)
        return;
    const sn_json_node *node = &w->json->nodes[reference->value];
    if (w->splices)
        w->splices[w->splice_count] = (sn_splice){node->offset, node->length, number};
    w->splice_count++;
}

static int compare_splices(const void *left, const void *right) {
    uint32_t a = ((const sn_splice *)left)->offset, b = ((const sn_splice *)right)->offset;
    return (a > b) - (a < b);
}

sn_result sn_write_numbers(sn_writer *w) {
    number_slots(w->accessors, w->gltf->count[SN_ROOT_ACCESSORS], w->accessor_count);
    number_slots(w->views, w->gltf->count[SN_ROOT_BUFFER_VIEWS], w->view_count);
    sn_visit_references(w->gltf, add_splice, w); /* counts */
    sn_splice *splices = SN_ARENA_NEW(w->arena, sn_splice, w->splice_count);
    if (!splices)
        return sn_writer_no_memory(w);
    w->splices = splices;
    w->splice_count = 0;
    sn_visit_references(w->gltf, add_splice, w);
    qsort(splices, w->splice_count, sizeof *splices, compare_splices);
    return SN_OK;
}
