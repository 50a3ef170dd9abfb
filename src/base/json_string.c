/* JSON strings: UTF-8, escapes, comparing and decoding. */
#include <string.h>

#include "base/json.h"

size_t sn_utf8_sequence(const char *p, const char *end) {
    const unsigned char *s = (const unsigned char *)p;
    size_t left = (size_t)(end - p);
    if (!left)
        return 0;
    unsigned char lead = s[0], low = 0x80, high = 0xBF;
    size_t length;
    if (lead < 0x80)
        return 1;
    if (lead >= 0xC2 && lead <= 0xDF) {
        length = 2;
    } else if (lead >= 0xE0 && lead <= 0xEF) {
        length = 3;
        if (lead == 0xE0)
            low = 0xA0; /* shorter forms below */
        if (lead == 0xED)
            high = 0x9F; /* surrogates above */
    } else if (lead >= 0xF0 && lead <= 0xF4) {
        length = 4;
        if (lead == 0xF0)
            low = 0x90;
        if (lead == 0xF4)
            high = 0x8F; /* beyond U+10FFFF above */
    } else {
        return 0;
    }
    if (left < length || s[1] < low || s[1] > high)
        return 0;
    for (size_t i = 2; i < length; i++)
        if ((s[i] & 0xC0) != 0x80)
            return 0;
    return length;
}

size_t sn_utf8_write(uint32_t code, char out[4]) {
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        out[0] = (char)(0xC0 | code >> 6);
        out[1] = (char)(0x80 | (code & 0x3F));
        return 2;
    }
    if (code < 0x10000) {
        out[0] = (char)(0xE0 | code >> 12);
        out[1] = (char)(0x80 | (code >> 6 & 0x3F));
        out[2] = (char)(0x80 | (code & 0x3F));
        return 3;
    }
    out[0] = (char)(0xF0 | code >> 18);
    out[1] = (char)(0x80 | (code >> 12 & 0x3F));
    out[2] = (char)(0x80 | (code >> 6 & 0x3F));
    out[3] = (char)(0x80 | (code & 0x3F));
    return 4;
}

/* Four hexadecimal digits at p, or UINT32_MAX. */
static uint32_t read_hex4(const char *p, const char *end) {
    if (end - p < 4)
        return UINT32_MAX;
    uint32_t value = 0;
    for (int i = 0; i < 4; i++) {
        char c = p[i];
        if (c >= '0' && c <= '9')
            value = value << 4 | (uint32_t)(c - '0');
        else if (c >= 'a' && c <= 'f')
            value = value << 4 | (uint32_t)(c - 'a' + 10);
        else if (c >= 'A' && c <= 'F')
            value = value << 4 | (uint32_t)(c - 'A' + 10);
        else
            return UINT32_MAX;
    }
    return value;
}

const char *sn_json_escape(const char *p, const char *end, uint32_t *code) {
    if (end - p < 2)
        return NULL;
    switch (p[1]) {
    case '"':
    case '\\':
    case '/':
        *code = (uint32_t)p[1];
        return p + 2;
    case 'b':
        *code = '\b';
        return p + 2;
    case 'f':
        *code = '\f';
        return p + 2;
    case 'n':
        *code = '\n';
        return p + 2;
    case 'r':
        *code = '\r';
        return p + 2;
    case 't':
        *code = '\t';
        return p + 2;
    case 'u':
        break;
    default:
        return NULL;
    }
    uint32_t first = read_hex4(p + 2, end);
    if (first == UINT32_MAX || (first >= 0xDC00 && first <= 0xDFFF))
        return NULL;
    if (first < 0xD800 || first > 0xDBFF) {
        *code = first;
        return p + 6;
    }
    if (end - p < 12 || p[6] != '\\' || p[7] != 'u')
        return NULL;
    uint32_t second = read_hex4(p + 8, end);
    if (second < 0xDC00 || second > 0xDFFF)
        return NULL;
    *code = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
    return p + 12;
}

/* ---- Walking a string's decoded bytes ---- */

typedef struct walk {
    const char *at, *end;
    char pending[4]; /* bytes of an escape, not yet given */
    size_t given, count;
} walk;

static walk walk_string(const sn_json *json, uint32_t value) {
    const sn_json_node *node = &json->nodes[value];
    const char *text = json->text + node->offset;
    return (walk){.at = text + 1, .end = text + node->length - 1};
}

/* The next decoded byte, or -1 at the end. The text was checked by the reader. */
static int walk_next(walk *w) {
    if (w->given < w->count)
        return (unsigned char)w->pending[w->given++];
    if (w->at >= w->end)
        return -1;
    if (*w->at != '\\')
        return (unsigned char)*w->at++;
    uint32_t code = 0;
    w->at = sn_json_escape(w->at, w->end, &code);
    w->count = sn_utf8_write(code, w->pending);
    w->given = 1;
    return (unsigned char)w->pending[0];
}

bool sn_json_equals(const sn_json *json, uint32_t value, const char *name) {
    if (value == SN_NONE)
        return false;
    const sn_json_node *node = &json->nodes[value];
    if (node->type != SN_JSON_STRING)
        return false;
    size_t length = strlen(name);
    if (!node->count)
        return node->length - 2 == length &&
               memcmp(json->text + node->offset + 1, name, length) == 0;
    walk w = walk_string(json, value);
    for (size_t i = 0; i < length; i++)
        if (walk_next(&w) != (unsigned char)name[i])
            return false;
    return walk_next(&w) < 0;
}

const char *sn_json_string(const sn_json *json, uint32_t value, sn_arena *arena, size_t *length) {
    const sn_json_node *node = &json->nodes[value];
    size_t most = node->length - 2; /* decoding never lengthens */
    char *out = SN_ARENA_NEW(arena, char, most + 1);
    if (!out)
        return NULL;
    size_t n = 0;
    if (!node->count) {
        memcpy(out, json->text + node->offset + 1, most);
        n = most;
    } else {
        walk w = walk_string(json, value);
        for (int byte; (byte = walk_next(&w)) >= 0;)
            out[n++] = (char)byte;
    }
    if (length)
        *length = n;
    return out;
}

/* ---- Duplicate member names ---- */

typedef struct name {
    uint32_t hash;
    uint32_t value;
} name;

static uint32_t hash_name(const sn_json *json, uint32_t value) {
    uint32_t hash = 2166136261u; /* FNV-1a */
    walk w = walk_string(json, value);
    for (int byte; (byte = walk_next(&w)) >= 0;)
        hash = (hash ^ (uint32_t)byte) * 16777619u;
    return hash;
}

/* By hash, then by decoded bytes. */
static int compare_names(const sn_json *json, name a, name b) {
    if (a.hash != b.hash)
        return a.hash < b.hash ? -1 : 1;
    const sn_json_node *left = &json->nodes[a.value], *right = &json->nodes[b.value];
    if (!left->count && !right->count) {
        uint32_t shorter = left->length < right->length ? left->length : right->length;
        int order =
            memcmp(json->text + left->offset + 1, json->text + right->offset + 1, shorter - 2);
        return order ? order : (left->length > right->length) - (left->length < right->length);
    }
    walk x = walk_string(json, a.value), y = walk_string(json, b.value);
    for (;;) {
        int p = walk_next(&x), q = walk_next(&y);
        if (p != q)
            return p < q ? -1 : 1;
        if (p < 0)
            return 0;
    }
}

/* Merge sort, bottom up: names that somebody chose to collide do not make it slow. */
static name *sort_names(const sn_json *json, name *names, name *other, uint32_t count) {
    for (uint32_t width = 1; width < count; width *= 2) {
        for (uint32_t start = 0; start < count; start += 2 * width) {
            uint32_t middle = count - start > width ? start + width : count;
            uint32_t end = count - middle > width ? middle + width : count;
            uint32_t a = start, b = middle;
            for (uint32_t i = start; i < end; i++) {
                bool left =
                    a < middle && (b >= end || compare_names(json, names[a], names[b]) <= 0);
                other[i] = left ? names[a++] : names[b++];
            }
        }
        name *swap = names;
        names = other;
        other = swap;
    }
    return names;
}

bool sn_json_find_duplicate(const sn_json *json, uint32_t object, const sn_allocator *allocator,
                            uint32_t *duplicate) {
    *duplicate = SN_NONE;
    uint32_t count = json->nodes[object].count;
    name few[2 * 16];
    name *names = few;
    size_t bytes = 2 * (size_t)count * sizeof *names;
    if (bytes > sizeof few) {
        names = allocator->resize(allocator->user, NULL, 0, bytes);
        if (!names)
            return false;
    }
    uint32_t value = object + 1;
    for (uint32_t i = 0; i < count; i++) {
        names[i] = (name){hash_name(json, value), value};
        value = json->nodes[value + 1].next;
    }
    const name *sorted = sort_names(json, names, names + count, count);
    for (uint32_t i = 1; i < count; i++) /* the first in the text that has an equal before it */
        if (!compare_names(json, sorted[i - 1], sorted[i]) && sorted[i].value < *duplicate)
            *duplicate = sorted[i].value;
    if (names != few)
        allocator->resize(allocator->user, names, bytes, 0);
    return true;
}
