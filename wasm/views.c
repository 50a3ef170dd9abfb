/* Clip views of the document, made when a clip is played and kept while it is unchanged.
 *
 * Clips are told apart by the addresses of their tracks. An address says nothing once its owner is
 * gone, since the next allocation may get it; so the document whose clips the slots describe is
 * retained until the slots have been compared with the next one. */
#include <string.h>

#include "session.h"

static clip_slot *slots_resize(session *s, clip_slot *slots, size_t old_count, size_t new_count) {
    return s->budget.allocator.resize(s->budget.allocator.user, slots, old_count * sizeof *slots,
                                      new_count * sizeof *slots);
}

static bool same_keys(const sn_clip *a, const sn_clip *b) {
    if (a->track_count != b->track_count)
        return false;
    if (a->tracks == b->tracks || a->track_count == 0)
        return true;
    return memcmp(a->tracks, b->tracks, a->track_count * sizeof(const sn_track *)) == 0;
}

static void free_slots(session *s, clip_slot *slots, size_t count) {
    for (size_t i = 0; i < count; i++)
        sn_clip_view_free(slots[i].view);
    if (slots)
        slots_resize(s, slots, count, 0);
}

void views_free(session *s) {
    free_slots(s, s->slots, s->slot_count);
    sn_document_release(s->viewed);
    s->slots = NULL;
    s->slot_count = 0;
    s->viewed = NULL;
}

void views_update(session *s) {
    sn_document *document = sn_history_document(s->history);
    if (document == s->viewed)
        return;
    const sn_clip *clips;
    size_t count = sn_document_clips(document, &clips);
    clip_slot *slots = count ? slots_resize(s, NULL, 0, count) : NULL;
    if (count && !slots) { /* play from the keys: slower, and just as right */
        views_free(s);
        return;
    }
    if (count)
        memset(slots, 0, count * sizeof *slots);
    if (s->viewed) {
        const sn_clip *old_clips;
        size_t old_count = sn_document_clips(s->viewed, &old_clips);
        for (size_t i = 0; i < count; i++) {
            size_t j = i; /* most often nothing moved */
            if (j >= old_count || !same_keys(&clips[i], &old_clips[j]))
                for (j = 0; j < old_count && !same_keys(&clips[i], &old_clips[j]); j++)
                    continue;
            if (j == old_count)
                continue;
            slots[i] = s->slots[j];
            s->slots[j] = (clip_slot){0};
        }
    }
    free_slots(s, s->slots, s->slot_count);
    sn_document_release(s->viewed);
    s->viewed = sn_document_retain(document);
    s->slots = slots;
    s->slot_count = count;
}

const sn_clip_view *views_get(session *s, uint32_t clip, bool now) {
    views_update(s);
    if (clip >= s->slot_count)
        return NULL;
    clip_slot *slot = &s->slots[clip];
    /* A clip is drawn once after each change of a drag, and making a view costs more than that
     * saves: a view pays from the second evaluation on. */
    bool wanted = now || (slot->sampled > 0 && !sn_history_in_gesture(s->history));
    slot->sampled = 1;
    if (!slot->view && !slot->unviewable && wanted) {
        const sn_clip *clips;
        sn_document_clips(s->viewed, &clips);
        const sn_skeleton *skeleton = sn_prepared_model_skeleton(s->prepared);
        slot->unviewable = sn_clip_view_create(skeleton, &clips[clip], &s->budget.allocator,
                                               &slot->view, NULL) != SN_OK;
    }
    return slot->view;
}
