#include "base/error.h"
#include "edit/document.h"
#include "sinew/vrm.h"

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

static sn_result create(const sn_model *model, const sn_humanoid *bones,
                        const sn_allocator *allocator, sn_document **out, sn_error *error) {
    sn_document *document = sn_document_allocate(allocator, model, model->clip_count);
    sn_result result = document ? SN_OK : SN_ERROR_MEMORY;
    for (uint32_t i = 0; !result && i < model->clip_count; i++) {
        document->shared[i] = sn_shared_clip_borrow(allocator, &model->clips[i]);
        document->clips[i] = model->clips[i];
        if (!document->shared[i]) {
            document->clip_count = i; /* what release has to let go */
            result = SN_ERROR_MEMORY;
        }
    }
    if (!result)
        result = sn_shared_modifiers_load(allocator, model, bones, &document->modifiers, NULL);
    if (result) {
        sn_document_release(document);
        return sn_fail(error, SN_MESSAGE_MEMORY, NULL, "not enough memory for the document");
    }
    *out = document;
    return SN_OK;
}

sn_result sn_document_create(const sn_model *model, const sn_allocator *allocator,
                             sn_document **out, sn_error *error) {
    return create(model, NULL, allocator ? allocator : sn_allocator_default(), out, error);
}

sn_result sn_document_open(const sn_gltf *gltf, const sn_allocator *allocator, sn_document **out,
                           sn_error *error) {
    if (!allocator)
        allocator = sn_allocator_default();
    sn_arena arena;
    sn_arena_init(&arena, allocator);
    sn_vrm_humanoid human;
    sn_result result = sn_vrm_find_humanoid(gltf, &arena, &human, error);
    if (!result)
        result = create(sn_gltf_model(gltf), &human.bones, allocator, out, error);
    sn_arena_free(&arena);
    return result;
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
    sn_shared_modifiers_release(&allocator, document->modifiers);
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

const sn_modifier_stack *sn_document_modifiers(const sn_document *document) {
    return document->modifiers->stack;
}

const sn_error *sn_document_modifier_error(const sn_document *document) {
    return document->modifiers->error.id ? &document->modifiers->error : NULL;
}

/* ---- Writing ---- */

/* The modifiers that the file has, but for white space. */
static sn_result is_as_loaded(const sn_document *document, bool *out) {
    const sn_allocator *allocator = &document->allocator;
    const sn_shared_modifiers *now = document->modifiers;
    sn_shared_modifiers *loaded = NULL;
    sn_result result =
        sn_shared_modifiers_load(allocator, document->model, &now->bones, &loaded, NULL);
    if (result)
        return result;
    *out = now->error.id || sn_shared_modifiers_equal(now, loaded);
    sn_shared_modifiers_release(allocator, loaded);
    return SN_OK;
}

sn_result sn_document_write(const sn_document *document, const sn_gltf *gltf,
                            const sn_gltf_write_options *options, sn_output *out, sn_error *error) {
    sn_gltf_write_options own = *options;
    own.replace_clips = true;
    own.clip_count = sn_document_clips(document, &own.clips);
    sn_text text;
    sn_text_init(&text, &document->allocator);
    bool is_kept;
    sn_result result = is_as_loaded(document, &is_kept);
    if (!result && !is_kept) {
        own.replace_modifiers = true;
        if (sn_modifier_stack_count(document->modifiers->stack))
            sn_modifier_stack_write(document->modifiers->stack, &text);
        own.modifiers = text.data;
        result = text.failed ? SN_ERROR_MEMORY : SN_OK;
    }
    result = result ? sn_fail(error, SN_MESSAGE_MEMORY, NULL, "no memory to write the file")
                    : sn_gltf_write(gltf, &own, out, error);
    sn_text_free(&text);
    return result;
}

/* Sets the mark of every block of the document and adds up those that did not have it so. */
static size_t mark(const sn_document *document, bool counted) {
    sn_block *modifiers = &document->modifiers->block;
    size_t bytes = modifiers->counted == counted ? 0 : modifiers->bytes;
    modifiers->counted = counted;
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
