/* The text of {"modifiers": […]} as the texts of its modifiers. */
#include "base/error.h"
#include "base/names.h"
#include "sinew/modifier.h"

static sn_result fail(sn_error *error, sn_message_id id, const sn_json *json, uint32_t value) {
    return sn_fail(error, id, sn_json_place_of(json, value).text,
                   id == SN_MESSAGE_MODIFIER_TYPE
                       ? "this must be an object {\"modifiers\": [{…}, …]}"
                       : "beside \"modifiers\" there is no other field here");
}

sn_result sn_modifier_texts_read(const char *text, size_t length, sn_arena *arena,
                                 sn_modifier_text **out, uint32_t *count, sn_error *error) {
    sn_json json;
    sn_result result = sn_json_parse(text, length, arena, &json, error);
    if (result)
        return result;
    uint32_t list = sn_json_member(&json, 0, "modifiers");
    if (list == SN_NONE)
        return fail(error, SN_MESSAGE_MODIFIER_TYPE, &json, 0);
    if (json.nodes[list].type != SN_JSON_ARRAY)
        return fail(error, SN_MESSAGE_MODIFIER_TYPE, &json, list);
    uint32_t name = sn_json_first(&json, 0);
    for (uint32_t n = json.nodes[0].count; n > 0; n--) {
        if (name + 1 != list)
            return fail(error, SN_MESSAGE_MODIFIER_FIELD, &json, name + 1);
        name = json.nodes[name + 1].next;
    }
    sn_modifier_text *texts = SN_ARENA_NEW(arena, sn_modifier_text, json.nodes[list].count);
    if (!texts)
        return sn_fail(error, SN_MESSAGE_MEMORY, NULL, "not enough memory for the modifiers");
    uint32_t element = sn_json_first(&json, list);
    for (uint32_t i = 0; i < json.nodes[list].count; i++, element = json.nodes[element].next)
        texts[i] =
            (sn_modifier_text){text + json.nodes[element].offset, json.nodes[element].length};
    *out = texts;
    *count = json.nodes[list].count;
    return SN_OK;
}
