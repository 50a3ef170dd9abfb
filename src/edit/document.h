/* What a document is made of. */
#ifndef SN_EDIT_DOCUMENT_H
#define SN_EDIT_DOCUMENT_H

#include "edit/modifiers.h"
#include "edit/shared.h"
#include "sinew/document.h"

struct sn_document {
    size_t references;
    size_t bytes; /* of this block, the two arrays behind it included */
    sn_allocator allocator;
    const sn_model *model;
    uint32_t clip_count;
    sn_clip *clips; /* shared[i]->clip */
    sn_shared_clip **shared;
    sn_shared_modifiers *modifiers;
};

/* A document whose clips and modifiers are still to be filled in; NULL without memory. */
sn_document *sn_document_allocate(const sn_allocator *allocator, const sn_model *model,
                                  uint32_t clip_count);

#endif
