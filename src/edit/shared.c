#include <string.h>

#include "edit/shared.h"

size_t sn_bytes_of(size_t count, size_t size) {
    return count && size > SIZE_MAX / count ? SIZE_MAX : count * size;
}

size_t sn_bytes_add(size_t a, size_t b) {
    return a > SIZE_MAX - b ? SIZE_MAX : a + b;
}

/* Half the address space is more than any allocator gives; asking would overflow on the way. */
static void *allocate(const sn_allocator *allocator, size_t bytes) {
    return bytes > SIZE_MAX / 2 ? NULL : allocator->resize(allocator->user, NULL, 0, bytes);
}

/* True when that was the last reference. */
static bool release(sn_block *block) {
    return --block->references == 0;
}

static size_t row_count(const sn_track *track) {
    return track->interpolation == SN_CUBICSPLINE ? 3 : 1;
}

sn_shared_track *sn_shared_track_create(const sn_allocator *allocator, const sn_track *shape) {
    size_t row = sn_bytes_of(row_count(shape), sn_bytes_of(shape->width, sizeof(float)));
    size_t keys = sn_bytes_of(shape->key_count, sn_bytes_add(row, sizeof(float)));
    size_t bytes = sn_bytes_add(sizeof(sn_shared_track), keys);
    sn_shared_track *shared = allocate(allocator, bytes);
    if (!shared)
        return NULL;
    *shared = (sn_shared_track){.track = *shape, .block = {.references = 1, .bytes = bytes}};
    shared->track.times = (const float *)(shared + 1);
    shared->track.values = shared->track.times + shape->key_count;
    return shared;
}

float *sn_shared_track_times(sn_shared_track *track) {
    return (float *)(track + 1);
}

float *sn_shared_track_values(sn_shared_track *track) {
    return (float *)(track + 1) + track->track.key_count;
}

void sn_shared_track_release(const sn_allocator *allocator, sn_shared_track *track) {
    if (track && release(&track->block))
        allocator->resize(allocator->user, track, track->block.bytes, 0);
}

sn_shared_markers *sn_shared_markers_create(const sn_allocator *allocator, const sn_marker *items,
                                            uint32_t count) {
    size_t bytes = sn_bytes_add(sizeof(sn_shared_markers), sn_bytes_of(count, sizeof(sn_marker)));
    for (uint32_t i = 0; i < count; i++)
        bytes = sn_bytes_add(bytes, strlen(items[i].name) + 1);
    sn_shared_markers *markers = allocate(allocator, bytes);
    if (!markers)
        return NULL;
    *markers = (sn_shared_markers){
        .block = {.references = 1, .bytes = bytes},
        .count = count,
        .items = (sn_marker *)(markers + 1),
    };
    char *names = (char *)(markers->items + count);
    for (uint32_t i = 0; i < count; i++) {
        size_t size = strlen(items[i].name) + 1;
        memcpy(names, items[i].name, size);
        markers->items[i] = (sn_marker){items[i].time, names};
        names += size;
    }
    return markers;
}

void sn_shared_markers_release(const sn_allocator *allocator, sn_shared_markers *markers) {
    if (markers && release(&markers->block))
        allocator->resize(allocator->user, markers, markers->block.bytes, 0);
}

sn_shared_clip *sn_shared_clip_borrow(const sn_allocator *allocator, const sn_clip *clip) {
    sn_shared_clip *shared = allocate(allocator, sizeof *shared);
    if (!shared)
        return NULL;
    *shared = (sn_shared_clip){
        .clip = *clip,
        .block = {.references = 1, .bytes = sizeof *shared},
        .track_capacity = clip->track_count,
    };
    return shared;
}

sn_shared_clip *sn_shared_clip_create(const sn_allocator *allocator, const sn_shared_clip *source,
                                      const char *name, uint32_t more) {
    uint32_t count = source ? source->clip.track_count : 0;
    size_t capacity = sn_bytes_add(count, more);
    if (capacity > UINT32_MAX - 1)
        return NULL;
    size_t name_size = strlen(name) + 1;
    size_t pointers = sn_bytes_of(capacity, sizeof(sn_track *) + sizeof(sn_shared_track *));
    size_t bytes = sn_bytes_add(sizeof(sn_shared_clip), sn_bytes_add(pointers, name_size));
    sn_shared_clip *shared = allocate(allocator, bytes);
    if (!shared)
        return NULL;
    *shared = (sn_shared_clip){
        .clip = {.origin = SN_NONE},
        .block = {.references = 1, .bytes = bytes},
        .track_capacity = (uint32_t)capacity,
    };
    shared->tracks = (const sn_track **)(shared + 1);
    shared->owned = (sn_shared_track **)(shared->tracks + capacity);
    char *own_name = (char *)(shared->owned + capacity);
    memcpy(own_name, name, name_size);
    if (source)
        shared->clip = source->clip;
    shared->clip.name = own_name;
    shared->clip.tracks = shared->tracks;
    for (uint32_t i = 0; i < count; i++) {
        shared->tracks[i] = source->clip.tracks[i];
        shared->owned[i] = source->owned ? source->owned[i] : NULL;
        if (shared->owned[i])
            shared->owned[i]->block.references++;
    }
    if (source && source->markers) {
        shared->markers = source->markers;
        shared->markers->block.references++;
    }
    return shared;
}

void sn_shared_clip_release(const sn_allocator *allocator, sn_shared_clip *clip) {
    if (!clip || !release(&clip->block))
        return;
    for (uint32_t i = 0; clip->owned && i < clip->clip.track_count; i++)
        sn_shared_track_release(allocator, clip->owned[i]);
    sn_shared_markers_release(allocator, clip->markers);
    allocator->resize(allocator->user, clip, clip->block.bytes, 0);
}
