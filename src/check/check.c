#include <string.h>

#include "base/error.h"
#include "check/checker.h"

static const sn_check_rule rules[RULE_COUNT] = {
#define SN_CHECK_RULE(id, name, severity, fix) [RULE_##id] = {name, severity, fix},
#include "check/rules.h"
#undef SN_CHECK_RULE
};

const sn_check_rule *sn_check_rules(size_t *count) {
    *count = RULE_COUNT;
    return rules;
}

#define BLOCK_FINDINGS 64

struct finding_block {
    finding_block *next;
    sn_finding items[BLOCK_FINDINGS];
};

void *checker_alloc(checker *c, size_t count, size_t size) {
    void *memory = sn_arena_alloc(c->arena, count, size);
    if (!memory)
        c->out_of_memory = true;
    return memory;
}

place place_of(const char *format, ...) {
    place at;
    va_list arguments;
    va_start(arguments, format);
    sn_format_list(at.pointer, sizeof at.pointer, format, arguments);
    va_end(arguments);
    return at;
}

static const char *keep(checker *c, const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = checker_alloc(c, size, 1);
    if (copy)
        memcpy(copy, text, size);
    return copy;
}

void checker_add(checker *c, rule_id rule, place at, const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    sn_format_list(text, sizeof text, format, arguments);
    va_end(arguments);

    size_t used = c->count % BLOCK_FINDINGS;
    if (used == 0) {
        finding_block *block = CHECKER_NEW(c, finding_block, 1);
        if (!block)
            return;
        if (c->last)
            c->last->next = block;
        else
            c->first = block;
        c->last = block;
    }
    const char *pointer = keep(c, at.pointer);
    const char *message = keep(c, text);
    if (!pointer || !message)
        return;
    c->last->items[used] =
        (sn_finding){rules[rule].id, rules[rule].severity, pointer, message, rules[rule].fix};
    c->count++;
}

sn_result sn_check_model(const sn_model *model, sn_arena *arena, sn_findings *out,
                         sn_error *error) {
    checker c = {.model = model, .arena = arena};
    check_skins(&c);
    check_weights(&c);
    check_clips(&c);
    sn_finding *items = c.out_of_memory ? NULL : CHECKER_NEW(&c, sn_finding, c.count);
    if (!items)
        return sn_fail(error, SN_MESSAGE_MEMORY, NULL, "not enough memory to check the model");
    size_t i = 0;
    for (const finding_block *block = c.first; block; block = block->next)
        for (size_t k = 0; k < BLOCK_FINDINGS && i < c.count; k++)
            items[i++] = block->items[k];
    *out = (sn_findings){c.count, items};
    return SN_OK;
}
