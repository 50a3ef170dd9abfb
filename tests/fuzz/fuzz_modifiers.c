/* A file of modifiers for a human. Whatever it says, failures say why, the kept text compiles to
 * the same again, and a pose comes out finite, or as it was where applying fails. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/modifier.h"
#include "tests/unit/human_model.c"

static void require(bool holds) {
    if (!holds)
        abort();
}

static sn_modifier_stack *compile(const test_human *human, const char *text, size_t size) {
    sn_arena arena;
    sn_arena_init(&arena, NULL);
    sn_error error = {0};
    sn_modifier_text *texts = NULL;
    sn_modifier_stack_desc desc = {.model = &human->model, .humanoid = &human->bones};
    sn_modifier_stack *stack = NULL;
    sn_result result =
        sn_modifier_texts_read(text, size, &arena, &texts, &desc.modifier_count, &error);
    desc.modifiers = texts;
    if (result == SN_OK)
        result = sn_modifier_stack_create(&desc, NULL, &stack, &error);
    require(result == SN_OK ? stack != NULL : error.id != SN_MESSAGE_NONE && error.text[0]);
    sn_arena_free(&arena);
    return stack;
}

static void check_text(const test_human *human, const sn_modifier_stack *stack) {
    sn_text text, again;
    sn_text_init(&text, NULL);
    sn_text_init(&again, NULL);
    sn_modifier_stack_write(stack, &text);
    sn_modifier_stack *copy = compile(human, text.data, text.length);
    require(copy != NULL);
    sn_modifier_stack_write(copy, &again);
    require(text.length == again.length && memcmp(text.data, again.data, text.length) == 0);
    sn_modifier_stack_free(copy);
    sn_text_free(&text);
    sn_text_free(&again);
}

static void apply(const test_human *human, const sn_modifier_stack *stack) {
    sn_skeleton *skeleton = NULL;
    sn_modifier_state *state = NULL;
    require(sn_model_skeleton(&human->model, SN_KERNEL_BEST, NULL, &skeleton, NULL) == SN_OK);
    require(sn_modifier_state_create(stack, NULL, &state, NULL) == SN_OK);
    sn_arena arena;
    sn_arena_init(&arena, NULL);
    size_t size = sn_pose_size(skeleton);
    sn_pose rest = {sn_arena_alloc(&arena, size, 1)}, moved = {sn_arena_alloc(&arena, size, 1)};
    sn_pose_rest(skeleton, rest);
    sn_pose_rest(skeleton, moved);
    for (int i = 0; i < 3; i++) {
        sn_modifier_frame frame = {.time = (float)i / 4, .seconds = i ? 0.25f : 0};
        sn_error error = {0};
        sn_pose_copy(skeleton, moved, rest);
        if (sn_modifier_stack_apply(stack, state, skeleton, moved, &frame, NULL, &error)) {
            require(error.id != SN_MESSAGE_NONE && error.text[0]);
            require(memcmp(moved.data, rest.data, size) == 0);
            continue;
        }
        for (size_t k = 0; k < size / sizeof(float); k++)
            require(isfinite(moved.data[k]));
    }
    sn_arena_free(&arena);
    sn_modifier_state_free(state);
    sn_skeleton_free(skeleton);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    test_human human;
    test_human_init(&human);
    sn_modifier_stack *stack = compile(&human, (const char *)data, size);
    if (stack) {
        check_text(&human, stack);
        apply(&human, stack);
        sn_modifier_stack_free(stack);
    }
    return 0;
}
