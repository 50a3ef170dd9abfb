/* modifier.*: each makes the list of texts anew and compiles it, so that what a document holds has
 * always been checked as a whole. */
#include <string.h>

#include "base/error.h"
#include "edit/operations.h"

/* The texts as they are, with room for one more. NULL: no memory. */
static sn_modifier_text *list(const sn_call *call, uint32_t *count) {
    const sn_modifier_stack *stack = call->draft->modifiers->stack;
    *count = sn_modifier_stack_count(stack);
    sn_modifier_text *texts =
        SN_ARENA_NEW(call->draft->arena, sn_modifier_text, (size_t)*count + 1);
    for (uint32_t i = 0; texts && i < *count; i++)
        texts[i] = sn_modifier_stack_text(stack, i);
    return texts;
}

static void insert(sn_modifier_text *texts, uint32_t count, uint32_t index, sn_modifier_text text) {
    memmove(texts + index + 1, texts + index, (count - index) * sizeof *texts);
    texts[index] = text;
}

static void take_out(sn_modifier_text *texts, uint32_t count, uint32_t index) {
    memmove(texts + index, texts + index + 1, (count - index - 1) * sizeof *texts);
}

static sn_modifier_text text_of(const sn_json *json, uint32_t value) {
    return (sn_modifier_text){json->text + json->nodes[value].offset, json->nodes[value].length};
}

/* An index of the list, up to `most`. */
static sn_result check_index(const sn_call *call, sn_field field, uint32_t index, uint32_t most) {
    if (index <= most)
        return SN_OK;
    return sn_fail(call->draft->error, SN_MESSAGE_COMMAND_VALUE,
                   sn_call_place(call, call->arguments, field).text,
                   "this must be a place in the list, at most %u", most);
}

/* The first name of a JSON pointer (RFC 6901); "" of an empty one. */
static void first_name(const char *pointer, char *out) {
    for (pointer += *pointer ? 1 : 0; *pointer && *pointer != '/'; pointer++) {
        *out = *pointer;
        if (*pointer == '~' && pointer[1])
            *out = *++pointer == '1' ? '/' : '~';
        out++;
    }
    *out = '\0';
}

/* A failure in modifier `index`, "/modifiers/2/target", as one in the command's field. What the
 * field does not spell out is in the field as a whole. */
static void place_error(const sn_call *call, sn_field field, uint32_t index) {
    sn_error *error = call->draft->error;
    char prefix[32];
    sn_format(prefix, sizeof prefix, "/modifiers/%u", index);
    if (!error || strncmp(error->pointer, prefix, strlen(prefix)) != 0)
        return;
    char rest[sizeof error->pointer];
    strcpy(rest, error->pointer + strlen(prefix));
    char name[sizeof rest];
    first_name(rest, name);
    uint32_t value = sn_arguments_field(call->json, call->arguments, field);
    bool is_whole = field == SN_FIELD_NEW_MODIFIER;
    bool is_said = is_whole || sn_json_member(call->json, value, name) != SN_NONE;
    sn_format(error->pointer, sizeof error->pointer, "%s%s",
              sn_call_place(call, call->arguments, field).text, is_said ? rest : "");
}

sn_result sn_run_modifier_add(const sn_call *call) {
    const sn_arguments *arguments = call->arguments;
    uint32_t count;
    sn_modifier_text *texts = list(call, &count);
    sn_result result =
        texts ? sn_draft_check_modifiers(call->draft) : sn_draft_no_memory(call->draft);
    uint32_t index = arguments->given & SN_BIT(INDEX) ? arguments->index : count;
    if (!result)
        result = check_index(call, SN_FIELD_INDEX, index, count);
    if (result)
        return result;
    insert(texts, count, index, text_of(call->json, arguments->value_object));
    result = sn_draft_set_modifiers(call->draft, texts, count + 1);
    if (result)
        place_error(call, SN_FIELD_NEW_MODIFIER, index);
    return result;
}

/* An object being written, whose members come from two others. */
typedef struct merger {
    const sn_json *old, *fields;
    uint32_t object; /* of `fields` */
    sn_arena *arena;
    sn_text *out;
    bool any;
} merger;

static void put_member(merger *m, const sn_json *name_json, uint32_t name, const sn_json *json,
                       uint32_t value) {
    if (json->nodes[value].type == SN_JSON_NULL) /* takes the field away */
        return;
    sn_modifier_text name_text = text_of(name_json, name), text = text_of(json, value);
    sn_text_append(m->out, m->any ? "," : "");
    sn_text_append_bytes(m->out, name_text.text, name_text.length);
    sn_text_append(m->out, ":");
    sn_text_append_bytes(m->out, text.text, text.length);
    m->any = true;
}

/* The members of one object: those that the other has too are passed over, or taken from it. */
static bool put_members(merger *m, bool is_old) {
    const sn_json *json = is_old ? m->old : m->fields, *other = is_old ? m->fields : m->old;
    uint32_t object = is_old ? 0 : m->object, other_object = is_old ? m->object : 0;
    uint32_t name = sn_json_first(json, object);
    for (uint32_t n = json->nodes[object].count; n > 0; n--) {
        const char *spelt = sn_json_string(json, name, m->arena, NULL);
        if (!spelt)
            return false;
        uint32_t found = sn_json_member(other, other_object, spelt);
        if (found == SN_NONE)
            put_member(m, json, name, json, name + 1);
        else if (is_old)
            put_member(m, json, name, other, found);
        name = json->nodes[name + 1].next;
    }
    return true;
}

/* The old modifier with the fields that the command gives: replaced in their places, or added. */
static bool merge(merger *m) {
    sn_text_append(m->out, "{");
    bool done = put_members(m, true) && put_members(m, false);
    sn_text_append(m->out, "}");
    return done && !m->out->failed;
}

sn_result sn_run_modifier_set(const sn_call *call) {
    const sn_arguments *arguments = call->arguments;
    sn_draft *draft = call->draft;
    uint32_t count;
    sn_modifier_text *texts = list(call, &count);
    sn_json old;
    sn_result result = texts ? sn_draft_check_modifiers(call->draft) : sn_draft_no_memory(draft);
    if (result)
        return result;
    uint32_t index = arguments->modifier;
    result =
        sn_json_parse(texts[index].text, texts[index].length, draft->arena, &old, draft->error);
    if (result)
        return result;
    sn_text merged;
    sn_text_init(&merged, draft->allocator);
    merger m = {&old, call->json, arguments->value_object, draft->arena, &merged, false};
    bool done = merge(&m);
    texts[index] = (sn_modifier_text){merged.data, merged.length};
    result = done ? sn_draft_set_modifiers(draft, texts, count) : sn_draft_no_memory(draft);
    sn_text_free(&merged);
    if (result)
        place_error(call, SN_FIELD_MODIFIER_FIELDS, index);
    return result;
}

sn_result sn_run_modifier_remove(const sn_call *call) {
    uint32_t count;
    sn_modifier_text *texts = list(call, &count);
    sn_result result =
        texts ? sn_draft_check_modifiers(call->draft) : sn_draft_no_memory(call->draft);
    if (result)
        return result;
    take_out(texts, count, call->arguments->modifier);
    return sn_draft_set_modifiers(call->draft, texts, count - 1);
}

sn_result sn_run_modifier_move(const sn_call *call) {
    const sn_arguments *arguments = call->arguments;
    uint32_t count;
    sn_modifier_text *texts = list(call, &count);
    sn_result result =
        texts ? sn_draft_check_modifiers(call->draft) : sn_draft_no_memory(call->draft);
    if (!result)
        result = check_index(call, SN_FIELD_TO_INDEX, arguments->index, count - 1);
    if (result)
        return result;
    sn_modifier_text moved = texts[arguments->modifier];
    take_out(texts, count, arguments->modifier);
    insert(texts, count - 1, arguments->index, moved);
    return sn_draft_set_modifiers(call->draft, texts, count);
}
