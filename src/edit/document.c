#include "base/error.h"
#include "edit/document.h"

sn_document *sn_document_allocate(const sn_allocator *allocator, const sn_model *model,
                                  uint32_t clip_count) {
    size_t arrays = sn_bytes_of(clip_count, sizeof(sn_clip) + sizeof(sn_shared_clip *));
    size_t bytes = sn_bytes_add(sizeof(sn_document), arrays);
    if (bytes > SIZE_MAX / 2)
        return NULL;
    sn_document *document = allocator->resize(allocator->user, NULL, 0, bytes);
    if (!document)
        return NULL;
    *document = (sn_document){
        .references = 1,
        .bytes = bytes,
        .allocator = *allocator,
        .model = model,
        .clip_count = clip_count,
    };
    document->clips = (sn_clip *)(document + 1);
    document->shared = (sn_shared_clip **)(document->clips + clip_count);
    return document;
}

sn_result sn_document_create(const sn_model *model, const sn_allocator *allocator,
                             sn_document **out, sn_error *error) {
    if (!allocator)
        allocator = sn_allocator_default();
    sn_document *document = sn_document_allocate(allocator, model, model->clip_count);
    bool failed = !document;
    for (uint32_t i = 0; !failed && i < model->clip_count; i++) {
        document->shared[i] = sn_shared_clip_borrow(allocator, &model->clips[i]);
        failed = !document->shared[i];
        document->clips[i] = model->clips[i];
        if (failed)
            document->clip_count = i; /* what release has to let go */
    }
    if (failed) {
        sn_document_release(document);
        return sn_fail(error, SN_MESSAGE_MEMORY, NULL, "not enough memory for the document");
    }
    *out = document;
    return SN_OK;
}

sn_document *sn_document_retain(sn_document *document) {
    document->references++;
    return document;
}

void sn_document_release(sn_document *document) {
    if (!document || --document->references)
        return;
    sn_allocator allocator = document->allocator;
    for (uint32_t i = 0; i < document->clip_count; i++)
        sn_shared_clip_release(&allocator, document->shared[i]);
    allocator.resize(allocator.user, document, document->bytes, 0);
}

const sn_model *sn_document_model(const sn_document *document) {
    return document->model;
}

size_t sn_document_clips(const sn_document *document, const sn_clip **out) {
    if (out)
        *out = document->clips;
    return document->clip_count;
}

/* Sets the mark of every block of the document and adds up those that did not have it so. */
static size_t mark(const sn_document *document, bool counted) {
    size_t bytes = 0;
    for (uint32_t i = 0; i < document->clip_count; i++) {
        sn_shared_clip *clip = document->shared[i];
        bytes += clip->block.counted == counted ? 0 : clip->block.bytes;
        clip->block.counted = counted;
        if (clip->markers) {
            bytes += clip->markers->block.counted == counted ? 0 : clip->markers->block.bytes;
            clip->markers->block.counted = counted;
        }
        for (uint32_t t = 0; clip->owned && t < clip->clip.track_count; t++) {
            sn_shared_track *track = clip->owned[t];
            if (track) {
                bytes += track->block.counted == counted ? 0 : track->block.bytes;
                track->block.counted = counted;
            }
        }
    }
    return bytes;
}

size_t sn_document_bytes(const sn_document *document, const sn_document *other) {
    if (document == other)
        return 0;
    mark(document, false);
    if (other) {
        mark(other, false);
        mark(other, true);
    }
    return document->bytes + mark(document, true);
}
