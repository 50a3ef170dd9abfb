/* The document's modifiers on the session's one instance. */
#include "base/error.h"
#include "session.h"

static const sn_modifier_stack *stack_of(const sn_document *document) {
    return sn_document_modifiers(document);
}

void modifiers_free(session *s) {
    const sn_allocator *allocator = &s->budget.allocator;
    sn_modifier_state_free(s->modifier_state);
    if (s->reports)
        allocator->resize(allocator->user, s->reports,
                          sn_modifier_stack_count(stack_of(s->modified)) * sizeof *s->reports, 0);
    sn_document_release(s->modified);
    s->modified = NULL;
    s->modifier_state = NULL;
    s->reports = NULL;
    s->modifier_error = (sn_error){0};
}

/* A state for the modifiers of this document. */
static sn_result make_state(session *s, sn_document *document) {
    const sn_allocator *allocator = &s->budget.allocator;
    const sn_modifier_stack *stack = stack_of(document);
    modifiers_free(s);
    s->modified = sn_document_retain(document);
    size_t size = sn_modifier_stack_count(stack) * sizeof *s->reports;
    if (size)
        s->reports = allocator->resize(allocator->user, NULL, 0, size);
    if (size && !s->reports)
        return sn_fail(&s->modifier_error, SN_MESSAGE_MEMORY, NULL,
                       "there is not enough memory for the modifiers");
    return sn_modifier_state_create(stack, allocator, &s->modifier_state, &s->modifier_error);
}

void modifiers_apply(session *s, float time, float seconds) {
    sn_document *document = sn_history_document(s->history);
    const sn_modifier_stack *stack = stack_of(document);
    /* A document that shares its modifiers with the one before keeps the state. */
    bool is_new = !s->modified || stack_of(s->modified) != stack || !s->modifier_state;
    if (is_new && make_state(s, document))
        return;
    s->modifier_error = (sn_error){0};
    sn_modifier_frame frame = {.time = time, .seconds = seconds};
    if (sn_modifier_stack_apply(stack, s->modifier_state, sn_prepared_model_skeleton(s->prepared),
                                sn_instance_pose(s->instance), &frame, s->reports,
                                &s->modifier_error))
        sn_modifier_state_reset(s->modifier_state);
}
