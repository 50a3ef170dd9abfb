/* Looking things up in a JSON tree. */
#include <string.h>

#include "base/decimal.h"
#include "base/json.h"

static bool is_type(const sn_json *json, uint32_t value, sn_json_type type) {
    return value != SN_NONE && json->nodes[value].type == (unsigned)type;
}

uint32_t sn_json_member(const sn_json *json, uint32_t object, const char *name) {
    if (!is_type(json, object, SN_JSON_OBJECT))
        return SN_NONE;
    uint32_t member = object + 1;
    for (uint32_t i = json->nodes[object].count; i > 0; i--) {
        if (sn_json_equals(json, member, name))
            return member + 1;
        member = json->nodes[member + 1].next;
    }
    return SN_NONE;
}

uint32_t sn_json_first(const sn_json *json, uint32_t parent) {
    if (!is_type(json, parent, SN_JSON_ARRAY) && !is_type(json, parent, SN_JSON_OBJECT))
        return SN_NONE;
    return json->nodes[parent].count ? parent + 1 : SN_NONE;
}

uint32_t sn_json_element(const sn_json *json, uint32_t array, uint32_t i) {
    if (!is_type(json, array, SN_JSON_ARRAY) || i >= json->nodes[array].count)
        return SN_NONE;
    uint32_t element = array + 1;
    for (; i > 0; i--)
        element = json->nodes[element].next;
    return element;
}

double sn_json_number(const sn_json *json, uint32_t value) {
    const sn_json_node *node = &json->nodes[value];
    return sn_decimal_read(json->text + node->offset, node->length);
}

bool sn_json_unsigned(const sn_json *json, uint32_t value, uint64_t *out) {
    if (!is_type(json, value, SN_JSON_NUMBER))
        return false;
    const sn_json_node *node = &json->nodes[value];
    const char *text = json->text + node->offset;
    if (node->length <= 15) { /* plain digits, as nearly all are */
        uint64_t sum = 0;
        uint32_t i = 0;
        for (; i < node->length && text[i] >= '0' && text[i] <= '9'; i++)
            sum = sum * 10 + (uint64_t)(text[i] - '0');
        if (i == node->length) {
            *out = sum;
            return true;
        }
    }
    double number = sn_decimal_read(text, node->length);
    if (!(number >= 0 && number <= 9007199254740992.0) || number != (double)(uint64_t)number)
        return false;
    *out = (uint64_t)number;
    return true;
}

/* ---- Pointers (RFC 6901) ---- */

typedef struct pointer {
    char *out;
    size_t size, length;
    bool full; /* nothing after the first token that did not fit */
} pointer;

static void put(pointer *p, const char *bytes, size_t length) {
    if (p->full || p->length + length >= p->size) {
        p->full = true;
        return;
    }
    memcpy(p->out + p->length, bytes, length);
    p->length += length;
}

static void put_index(pointer *p, uint32_t index) {
    char digits[10];
    size_t n = sizeof digits;
    do
        digits[--n] = (char)('0' + index % 10);
    while (index /= 10);
    put(p, digits + n, sizeof digits - n);
}

static void put_name(pointer *p, const sn_json *json, uint32_t name) {
    const sn_json_node *node = &json->nodes[name];
    const char *at = json->text + node->offset + 1, *end = at + node->length - 2;
    while (at < end) {
        char bytes[4];
        const char *sequence = at;
        size_t length;
        if (*at == '\\') {
            uint32_t code = 0;
            at = sn_json_escape(at, end, &code);
            length = sn_utf8_write(code, bytes);
            sequence = bytes;
        } else {
            length = sn_utf8_sequence(at, end);
            at += length;
        }
        if (*sequence == '~')
            put(p, "~0", 2);
        else if (*sequence == '/')
            put(p, "~1", 2);
        else
            put(p, sequence, length);
    }
}

void sn_json_pointer(const sn_json *json, uint32_t value, char *out, size_t size) {
    if (!size)
        return;
    pointer p = {out, size, 0, false};
    uint32_t parent = 0;
    while (parent < value) {
        const sn_json_node *node = &json->nodes[parent];
        uint32_t child = parent + 1;
        put(&p, "/", 1);
        if (node->type == SN_JSON_OBJECT) {
            while (json->nodes[child + 1].next <= value)
                child = json->nodes[child + 1].next;
            put_name(&p, json, child);
            if (child == value)
                break;
            child++;
        } else {
            uint32_t index = 0;
            for (; json->nodes[child].next <= value; index++)
                child = json->nodes[child].next;
            put_index(&p, index);
        }
        parent = child;
    }
    out[p.length] = '\0';
}
