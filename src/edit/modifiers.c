#include "edit/modifiers.h"

#include <string.h>

#include "base/error.h"

static sn_result create(const sn_allocator *allocator, const sn_model *model,
                        const sn_humanoid *bones, const sn_modifier_text *texts, uint32_t count,
                        sn_shared_modifiers **out, sn_error *error) {
    sn_modifier_stack_desc desc = {
        .model = model, .humanoid = bones, .modifiers = texts, .modifier_count = count};
    sn_modifier_stack *stack = NULL;
    sn_result result = sn_modifier_stack_create(&desc, allocator, &stack, error);
    if (result)
        return result;
    sn_shared_modifiers *shared = allocator->resize(allocator->user, NULL, 0, sizeof *shared);
    if (!shared) {
        sn_modifier_stack_free(stack);
        return sn_fail(error, SN_MESSAGE_MEMORY, NULL, "not enough memory for the modifiers");
    }
    *shared = (sn_shared_modifiers){
        .block = {.references = 1, .bytes = sizeof *shared + sn_modifier_stack_bytes(stack)},
        .stack = stack,
        .bones = *bones};
    *out = shared;
    return SN_OK;
}

sn_result sn_shared_modifiers_load(const sn_allocator *allocator, const sn_model *model,
                                   const sn_humanoid *bones, sn_shared_modifiers **out,
                                   sn_error *error) {
    sn_humanoid none = {.facing = 1};
    for (uint32_t i = 0; i < SN_HUMAN_BONE_COUNT; i++)
        none.joints[i] = SN_NONE;
    bones = bones ? bones : &none;
    sn_arena arena;
    sn_arena_init(&arena, allocator);
    sn_modifier_text *texts = NULL;
    uint32_t count = 0;
    sn_error own = {0};
    sn_result result = SN_OK;
    if (model->modifiers)
        result = sn_modifier_texts_read(model->modifiers, model->modifiers_length, &arena, &texts,
                                        &count, &own);
    if (result == SN_OK)
        result = create(allocator, model, bones, texts, count, out, &own);
    if (result != SN_OK && result != SN_ERROR_MEMORY) {
        sn_error why = own;
        sn_format(why.pointer, sizeof why.pointer, "/extensions/SINEW_modifiers%s", own.pointer);
        result = create(allocator, model, bones, NULL, 0, out, &own);
        if (result == SN_OK)
            (*out)->error = why;
    }
    if (result != SN_OK && error)
        *error = own;
    sn_arena_free(&arena);
    return result;
}

sn_result sn_shared_modifiers_create(const sn_allocator *allocator, const sn_model *model,
                                     const sn_shared_modifiers *source,
                                     const sn_modifier_text *texts, uint32_t count,
                                     sn_shared_modifiers **out, sn_error *error) {
    return create(allocator, model, &source->bones, texts, count, out, error);
}

bool sn_shared_modifiers_equal(const sn_shared_modifiers *a, const sn_shared_modifiers *b) {
    uint32_t count = sn_modifier_stack_count(a->stack);
    if (count != sn_modifier_stack_count(b->stack))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        sn_modifier_text x = sn_modifier_stack_text(a->stack, i);
        sn_modifier_text y = sn_modifier_stack_text(b->stack, i);
        if (x.length != y.length || memcmp(x.text, y.text, x.length) != 0)
            return false;
    }
    return true;
}

void sn_shared_modifiers_release(const sn_allocator *allocator, sn_shared_modifiers *modifiers) {
    if (!modifiers || --modifiers->block.references)
        return;
    sn_modifier_stack_free(modifiers->stack);
    allocator->resize(allocator->user, modifiers, sizeof *modifiers, 0);
}
