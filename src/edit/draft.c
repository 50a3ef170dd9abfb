#include <string.h>

#include "base/error.h"
#include "edit/draft.h"

sn_result sn_draft_no_memory(const sn_draft *draft) {
    return sn_fail(draft->error, SN_MESSAGE_MEMORY, NULL, "not enough memory for this command");
}

static bool reserve_clips(sn_draft *draft, uint32_t count) {
    if (count <= draft->clip_capacity)
        return true;
    uint32_t capacity = count + count / 2;
    size_t size = sizeof *draft->clips;
    sn_shared_clip **clips =
        draft->allocator->resize(draft->allocator->user, draft->clips, draft->clip_capacity * size,
                                 sn_bytes_of(capacity, size));
    if (!clips)
        return false;
    draft->clips = clips;
    draft->clip_capacity = capacity;
    return true;
}

sn_result sn_draft_begin(sn_draft *draft, sn_document *document, sn_arena *arena, sn_error *error) {
    *draft = (sn_draft){
        .document = document,
        .allocator = &document->allocator,
        .model = document->model,
        .arena = arena,
        .error = error,
        .modifiers = document->modifiers,
    };
    draft->modifiers->block.references++;
    if (!reserve_clips(draft, document->clip_count))
        return sn_draft_no_memory(draft);
    draft->clip_count = document->clip_count;
    for (uint32_t i = 0; i < document->clip_count; i++) {
        draft->clips[i] = document->shared[i];
        draft->clips[i]->block.references++;
    }
    return SN_OK;
}

sn_result sn_draft_end(sn_draft *draft, sn_result result, sn_document **out) {
    uint32_t count = draft->clip_count;
    sn_document *document = NULL;
    if (result == SN_OK && !draft->changed) {
        *out = sn_document_retain(draft->document);
    } else if (result == SN_OK) {
        document = sn_document_allocate(draft->allocator, draft->model, count);
        if (!document)
            result = sn_draft_no_memory(draft);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (document) { /* the reference moves over */
            document->shared[i] = draft->clips[i];
            document->clips[i] = draft->clips[i]->clip;
        } else {
            sn_shared_clip_release(draft->allocator, draft->clips[i]);
        }
    }
    if (document) {
        document->modifiers = draft->modifiers;
        *out = document;
    } else {
        sn_shared_modifiers_release(draft->allocator, draft->modifiers);
    }
    if (draft->clips)
        draft->allocator->resize(draft->allocator->user, draft->clips,
                                 draft->clip_capacity * sizeof *draft->clips, 0);
    return result;
}

/* Replaces the clip by one that can be written, with room for `more` tracks. */
static sn_shared_clip *open_clip(sn_draft *draft, uint32_t clip, const char *name, uint32_t more) {
    sn_shared_clip *old = draft->clips[clip];
    sn_shared_clip *fresh =
        sn_shared_clip_create(draft->allocator, old, name ? name : old->clip.name, more);
    if (!fresh)
        return NULL;
    sn_shared_clip_release(draft->allocator, old);
    draft->clips[clip] = fresh;
    draft->changed = true;
    return fresh;
}

static bool same_track(const sn_track *a, const sn_track *b) {
    if (a->interpolation != b->interpolation || a->width != b->width ||
        a->key_count != b->key_count)
        return false;
    size_t rows = a->interpolation == SN_CUBICSPLINE ? 3 : 1;
    return memcmp(a->times, b->times, a->key_count * sizeof(float)) == 0 &&
           memcmp(a->values, b->values, a->key_count * rows * a->width * sizeof(float)) == 0;
}

/* Closes the gaps that removed tracks left, and finds the duration anew. */
static void settle_tracks(sn_shared_clip *clip) {
    uint32_t kept = 0;
    float duration = 0;
    for (uint32_t i = 0; i < clip->clip.track_count; i++) {
        const sn_track *track = clip->tracks[i];
        if (!track)
            continue;
        clip->tracks[kept] = track;
        clip->owned[kept++] = clip->owned[i];
        float last = track->times[track->key_count - 1];
        if (last > duration)
            duration = last;
    }
    clip->clip.track_count = kept;
    clip->clip.duration = duration;
}

sn_result sn_draft_change_tracks(sn_draft *draft, uint32_t clip, const sn_track_change *changes,
                                 uint32_t count) {
    const sn_clip *old = sn_draft_clip(draft, clip);
    uint32_t old_count = old->track_count;
    uint32_t added = 0;
    uint32_t changed = 0;
    for (uint32_t i = 0; i < count; i++) {
        const sn_track_change *change = &changes[i];
        if (change->index >= old_count)
            added += change->track ? 1 : 0;
        else if (!change->track || !same_track(&change->track->track, old->tracks[change->index]))
            changed++;
    }
    sn_shared_clip *open = NULL;
    if (added || changed) {
        open = open_clip(draft, clip, NULL, added);
        if (!open) {
            for (uint32_t i = 0; i < count; i++)
                sn_shared_track_release(draft->allocator, changes[i].track);
            return sn_draft_no_memory(draft);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        sn_shared_track *track = changes[i].track;
        uint32_t index = changes[i].index;
        if (index >= old_count) {
            if (!track)
                continue;
            index = open->clip.track_count++;
        } else if (track && same_track(&track->track, sn_draft_clip(draft, clip)->tracks[index])) {
            sn_shared_track_release(draft->allocator, track);
            continue;
        } else {
            sn_shared_track_release(draft->allocator, open->owned[index]);
        }
        open->owned[index] = track;
        open->tracks[index] = track ? &track->track : NULL;
    }
    if (open)
        settle_tracks(open);
    return SN_OK;
}

sn_result sn_draft_set_markers(sn_draft *draft, uint32_t clip, const sn_marker *markers,
                               uint32_t count) {
    sn_shared_markers *fresh = sn_shared_markers_create(draft->allocator, markers, count);
    sn_shared_clip *open = fresh ? open_clip(draft, clip, NULL, 0) : NULL;
    if (!open) {
        sn_shared_markers_release(draft->allocator, fresh);
        return sn_draft_no_memory(draft);
    }
    sn_shared_markers_release(draft->allocator, open->markers);
    open->markers = fresh;
    open->clip.markers = fresh->items;
    open->clip.marker_count = count;
    return SN_OK;
}

sn_result sn_draft_rename_clip(sn_draft *draft, uint32_t clip, const char *name) {
    return open_clip(draft, clip, name, 0) ? SN_OK : sn_draft_no_memory(draft);
}

sn_result sn_draft_add_clip(sn_draft *draft, const char *name, uint32_t source) {
    const sn_shared_clip *from = source == SN_NONE ? NULL : draft->clips[source];
    if (!reserve_clips(draft, draft->clip_count + 1))
        return sn_draft_no_memory(draft);
    sn_shared_clip *fresh = sn_shared_clip_create(draft->allocator, from, name, 0);
    if (!fresh)
        return sn_draft_no_memory(draft);
    fresh->clip.origin = SN_NONE;
    draft->clips[draft->clip_count++] = fresh;
    draft->changed = true;
    return SN_OK;
}

void sn_draft_remove_clip(sn_draft *draft, uint32_t clip) {
    sn_shared_clip_release(draft->allocator, draft->clips[clip]);
    draft->clip_count--;
    memmove(draft->clips + clip, draft->clips + clip + 1,
            (draft->clip_count - clip) * sizeof *draft->clips);
    draft->changed = true;
}

sn_result sn_draft_check_modifiers(const sn_draft *draft) {
    const sn_error *broken = &draft->modifiers->error;
    if (!broken->id)
        return SN_OK;
    return sn_fail(draft->error, broken->id, broken->pointer,
                   "the modifiers of the file cannot be used, and so not be changed: %s",
                   broken->text);
}

sn_result sn_draft_set_modifiers(sn_draft *draft, const sn_modifier_text *texts, uint32_t count) {
    sn_shared_modifiers *fresh = NULL;
    sn_result result = sn_shared_modifiers_create(draft->allocator, draft->model, draft->modifiers,
                                                  texts, count, &fresh, draft->error);
    if (result)
        return result;
    bool same = sn_shared_modifiers_equal(draft->modifiers, fresh);
    sn_shared_modifiers_release(draft->allocator, same ? fresh : draft->modifiers);
    draft->modifiers = same ? draft->modifiers : fresh;
    draft->changed = draft->changed || !same;
    return SN_OK;
}
