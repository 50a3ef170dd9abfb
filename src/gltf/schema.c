/* JSON by schema: named members with checked types, numbers, indices, strings. */
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "gltf/internal.h"

static const char *type_name(uint32_t type) {
    static const char *const names[] = {"null",     "false",    "true",     "a number",
                                        "a string", "an array", "an object"};
    return names[type];
}

static const char *wanted_name(uint32_t types) {
    if ((types & SN_IS_BOOL) == SN_IS_BOOL)
        return "true or false";
    for (uint32_t type = 0; type < 7; type++)
        if (types >> type & 1)
            return type_name(type);
    return "nothing";
}

static sn_result wrong_type(sn_reader *r, uint32_t value, uint32_t types) {
    return sn_reader_fail(r, SN_MESSAGE_JSON_TYPE, value, "this is %s, %s is wanted",
                          type_name(r->json->nodes[value].type), wanted_name(types));
}

static inline bool is_named(const sn_json *json, uint32_t name, const sn_member *member) {
    const sn_json_node *node = &json->nodes[name];
    if (node->length - 2 != member->length || node->count) /* count: it has escapes */
        return node->count && sn_json_equals(json, name, member->name);
    const char *text = json->text + node->offset + 1;
    if (json->length - node->offset <= SN_MEMBER_ROOM)
        return memcmp(text, member->name, member->length) == 0;
    /* bytes after the name are compared with the padding's mask, a word at a time */
    for (uint32_t i = 0; i < member->length; i += 8) {
        uint64_t x, y, mask = ~(uint64_t)0;
        memcpy(&x, text + i, sizeof x);
        memcpy(&y, member->name + i, sizeof y);
        if (member->length - i < 8)
            mask = sn_first_bytes(member->length - i);
        if ((x ^ y) & mask)
            return false;
    }
    return true;
}

sn_result sn_reader_members(sn_reader *r, uint32_t object, const sn_member *members, uint32_t count,
                            uint32_t *values) {
    const sn_json *json = r->json;
    if (json->nodes[object].type != SN_JSON_OBJECT)
        return wrong_type(r, object, SN_IS(OBJECT));
    for (uint32_t i = 0; i < count; i++)
        values[i] = SN_NONE;
    uint32_t name = object + 1;
    uint32_t guess = 0; /* writers keep an order: the next member is likely the next of the list */
    for (uint32_t n = json->nodes[object].count; n > 0; n--) {
        uint32_t value = name + 1, i = guess;
        do {
            if (is_named(json, name, &members[i])) {
                if (!(members[i].types >> json->nodes[value].type & 1))
                    return wrong_type(r, value, members[i].types);
                values[i] = value;
                guess = i + 1 < count ? i + 1 : 0;
                break;
            }
            i = i + 1 < count ? i + 1 : 0;
        } while (i != guess);
        name = json->nodes[value].next;
    }
    for (uint32_t i = 0; i < count; i++)
        if ((members[i].types & SN_REQUIRED) && values[i] == SN_NONE)
            return sn_reader_fail(r, SN_MESSAGE_MEMBER_MISSING, object, "`%s` is missing",
                                  members[i].name);
    return SN_OK;
}

/* A number of a few plain digits, as nearly all are. */
static inline bool few_digits(const sn_json *json, uint32_t value, uint32_t *out) {
    const sn_json_node *node = &json->nodes[value];
    if (node->type != SN_JSON_NUMBER || node->length > 9)
        return false;
    const char *text = json->text + node->offset;
    uint32_t number = 0;
    for (uint32_t i = 0; i < node->length; i++) {
        uint32_t digit = (uint32_t)(text[i] - '0');
        if (digit > 9)
            return false;
        number = number * 10 + digit;
    }
    *out = number;
    return true;
}

sn_result sn_reader_size(sn_reader *r, uint32_t value, uint64_t most, uint64_t *out) {
    if (value == SN_NONE)
        return SN_OK;
    uint32_t small;
    if (few_digits(r->json, value, &small) && small <= most) {
        *out = small;
        return SN_OK;
    }
    uint64_t number;
    if (r->json->nodes[value].type != SN_JSON_NUMBER)
        return wrong_type(r, value, SN_IS(NUMBER));
    if (!sn_json_unsigned(r->json, value, &number))
        return sn_reader_fail(r, SN_MESSAGE_JSON_TYPE, value,
                              "an integer from 0 to 2^53 is wanted");
    if (number > most)
        return sn_reader_fail(r, SN_MESSAGE_VALUE_RANGE, value, "%g is more than %g",
                              (double)number, (double)most);
    *out = number;
    return SN_OK;
}

sn_result sn_reader_index(sn_reader *r, uint32_t value, uint32_t limit, const char *what,
                          uint32_t *out) {
    *out = SN_NONE;
    if (value == SN_NONE)
        return SN_OK;
    uint32_t small;
    if (few_digits(r->json, value, &small) && small < limit) {
        *out = small;
        return SN_OK;
    }
    uint64_t number = 0;
    sn_result result = sn_reader_size(r, value, UINT64_MAX, &number);
    if (result)
        return result;
    if (number >= limit)
        return sn_reader_fail(r, SN_MESSAGE_REFERENCE, value, "there is no %s %g: the file has %u",
                              what, (double)number, limit);
    *out = (uint32_t)number;
    return SN_OK;
}

sn_result sn_reader_floats(sn_reader *r, uint32_t value, uint32_t count, float *out) {
    if (value == SN_NONE)
        return SN_OK;
    const sn_json_node *node = &r->json->nodes[value];
    if (node->type != SN_JSON_ARRAY)
        return wrong_type(r, value, SN_IS(ARRAY));
    if (node->count != count)
        return sn_reader_fail(r, SN_MESSAGE_VALUE_RANGE, value, "%u numbers are wanted, not %u",
                              count, (uint32_t)node->count);
    uint32_t element = value + 1;
    for (uint32_t i = 0; i < count; i++, element = r->json->nodes[element].next) {
        if (r->json->nodes[element].type != SN_JSON_NUMBER)
            return wrong_type(r, element, SN_IS(NUMBER));
        out[i] = (float)sn_json_number(r->json, element);
        if (!isfinite(out[i]))
            return sn_reader_fail(r, SN_MESSAGE_VALUE_RANGE, element,
                                  "the number is beyond single precision");
    }
    return SN_OK;
}

sn_result sn_reader_indices(sn_reader *r, uint32_t value, uint32_t limit, const char *what,
                            const uint32_t **out, uint32_t *count) {
    *out = NULL;
    *count = 0;
    if (value == SN_NONE)
        return SN_OK;
    uint32_t n = r->json->nodes[value].count;
    if (n == 0)
        return SN_OK;
    uint32_t *indices = SN_ARENA_NEW(r->arena, uint32_t, n);
    if (!indices)
        return sn_reader_no_memory(r);
    uint32_t element = value + 1;
    for (uint32_t i = 0; i < n; i++, element = r->json->nodes[element].next) {
        sn_result result = sn_reader_index(r, element, limit, what, &indices[i]);
        if (result)
            return result;
    }
    *out = indices;
    *count = n;
    return SN_OK;
}

const char *sn_reader_string(sn_reader *r, uint32_t value) {
    if (value == SN_NONE || r->json->nodes[value].length == 2)
        return "";
    size_t room = r->json->nodes[value].length - 1; /* decoded, with its terminator, at most */
    if (room > 256 || r->json->nodes[value].count)
        return sn_json_string(r->json, value, r->arena, NULL);
    if (room > r->name_left) { /* the arena aligns every block, which is too much for a name */
        enum { ROOM = 4096 };
        r->name_at = SN_ARENA_NEW(r->arena, char, ROOM);
        r->name_left = r->name_at ? ROOM : 0;
        if (!r->name_at)
            return NULL;
    }
    char *name = r->name_at;
    memcpy(name, r->json->text + r->json->nodes[value].offset + 1, room - 1);
    name[room - 1] = '\0';
    r->name_at += room;
    r->name_left -= room;
    return name;
}

const char *sn_reader_text(sn_reader *r, uint32_t value, size_t *length) {
    const sn_json_node *node = &r->json->nodes[value];
    if (node->count)
        return sn_json_string(r->json, value, r->arena, length);
    *length = node->length - 2;
    return r->json->text + node->offset + 1;
}

uint32_t sn_extension_of(const sn_json *json, uint32_t extensions, const char *name) {
    return extensions == SN_NONE ? SN_NONE : sn_json_member(json, extensions, name);
}
