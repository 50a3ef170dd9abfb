/* The JSON reader: one pass, no recursion, an explicit stack of open containers. */
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "sinew/json.h"

typedef struct reader {
    const char *text, *at, *end;
    sn_json_node *nodes;
    uint32_t count;
    sn_arena *arena;
    sn_error *error;
} reader;

static sn_result fail_at(reader *r, const char *where, sn_message_id id, const char *format,
                         const char *argument) {
    uint32_t line = 1;
    const char *start = r->text;
    for (const char *p = r->text; p < where; p++) {
        if (*p == '\n') {
            line++;
            start = p + 1;
        }
    }
    return sn_fail_at(r->error, id, line, (uint32_t)(where - start) + 1, format, argument);
}

static void skip_space(reader *r) {
    const char *p = r->at;
    while (p < r->end && (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t'))
        p++;
    r->at = p;
}

/* What stands where something else was wanted. */
static sn_result unexpected(reader *r, const char *wanted) {
    if (r->at >= r->end)
        return fail_at(r, r->at, SN_MESSAGE_JSON_SYNTAX, "the text ends where %s is wanted",
                       wanted);
    unsigned char byte = (unsigned char)*r->at;
    if (byte >= 0x80 && !sn_utf8_sequence(r->at, r->end))
        return fail_at(r, r->at, SN_MESSAGE_JSON_UTF8, "these bytes are not UTF-8", NULL);
    if (r->at == r->text && r->end - r->text >= 3 && memcmp(r->text, "\xEF\xBB\xBF", 3) == 0)
        return fail_at(r, r->at, SN_MESSAGE_JSON_SYNTAX,
                       "the text starts with a byte order mark, which JSON must not", NULL);
    return fail_at(r, r->at, SN_MESSAGE_JSON_SYNTAX, "%s is wanted here", wanted);
}

/* ---- Strings ---- */

/* True when all eight bytes are printable ASCII other than quote and backslash. */
static bool is_plain(const char *p) {
    uint64_t v;
    memcpy(&v, p, sizeof v);
    const uint64_t ones = UINT64_C(0x0101010101010101), tops = ones * 0x80;
    uint64_t quote = v ^ ones * '"', backslash = v ^ ones * '\\';
    /* Borrows may mark bytes above a real hit, never where there is none. */
    uint64_t hit = (v - ones * 0x20) | (quote - ones) | (backslash - ones) | v;
    return !(hit & tops);
}

static sn_result read_escape(reader *r, const char *p, const char **after) {
    uint32_t ignored;
    const char *next = sn_json_escape(p, r->end, &ignored);
    if (next) {
        *after = next;
        return SN_OK;
    }
    bool unicode = p + 1 < r->end && p[1] == 'u';
    return fail_at(r, p, SN_MESSAGE_JSON_SYNTAX,
                   unicode ? "\\u takes four hexadecimal digits, and surrogates come in pairs"
                           : "no such escape in a string",
                   NULL);
}

static sn_result read_string(reader *r) {
    const char *start = r->at, *p = start + 1;
    uint32_t escapes = 0;
    for (;;) {
        while (r->end - p >= 8 && is_plain(p))
            p += 8;
        if (p >= r->end)
            return fail_at(r, start, SN_MESSAGE_JSON_SYNTAX, "this string has no end", NULL);
        unsigned char byte = (unsigned char)*p;
        if (byte == '"')
            break;
        if (byte == '\\') {
            escapes = 1;
            sn_result result = read_escape(r, p, &p);
            if (result)
                return result;
        } else if (byte < 0x20) {
            return fail_at(r, p, SN_MESSAGE_JSON_SYNTAX,
                           "a control character in a string must be escaped", NULL);
        } else if (byte < 0x80) {
            p++;
        } else {
            size_t length = sn_utf8_sequence(p, r->end);
            if (!length)
                return fail_at(r, p, SN_MESSAGE_JSON_UTF8, "these bytes are not UTF-8", NULL);
            p += length;
        }
    }
    p++;
    r->nodes[r->count] = (sn_json_node){.offset = (uint32_t)(start - r->text),
                                        .length = (uint32_t)(p - start),
                                        .next = r->count + 1,
                                        .type = SN_JSON_STRING,
                                        .count = escapes & 1};
    r->count++;
    r->at = p;
    return SN_OK;
}

/* ---- Numbers and words ---- */

static const char *skip_digits(const char *p, const char *end) {
    while (p < end && *p >= '0' && *p <= '9')
        p++;
    return p;
}

static sn_result read_number(reader *r) {
    const char *start = r->at, *p = start, *digits;
    p += *p == '-';
    digits = p;
    p = skip_digits(p, r->end);
    bool good = p > digits && (*digits != '0' || p == digits + 1);
    if (good && p < r->end && *p == '.') {
        digits = ++p;
        p = skip_digits(p, r->end);
        good = p > digits;
    }
    if (good && p < r->end && (*p == 'e' || *p == 'E')) {
        p++;
        p += p < r->end && (*p == '+' || *p == '-');
        digits = p;
        p = skip_digits(p, r->end);
        good = p > digits;
    }
    if (!good)
        return fail_at(r, start, SN_MESSAGE_JSON_SYNTAX, "not a number as JSON writes it: -0.5e+10",
                       NULL);
    r->nodes[r->count] = (sn_json_node){.offset = (uint32_t)(start - r->text),
                                        .length = (uint32_t)(p - start),
                                        .next = r->count + 1,
                                        .type = SN_JSON_NUMBER};
    r->count++;
    r->at = p;
    return SN_OK;
}

static sn_result read_word(reader *r, const char *word, sn_json_type type) {
    size_t length = strlen(word);
    if ((size_t)(r->end - r->at) < length || memcmp(r->at, word, length) != 0)
        return unexpected(r, "a value");
    r->nodes[r->count] = (sn_json_node){.offset = (uint32_t)(r->at - r->text),
                                        .length = (uint32_t)length,
                                        .next = r->count + 1,
                                        .type = (unsigned)type & 7};
    r->count++;
    r->at += length;
    return SN_OK;
}

/* ---- Containers ---- */

static sn_result close_container(reader *r, uint32_t container) {
    sn_json_node *node = &r->nodes[container];
    r->at++;
    node->length = (uint32_t)(r->at - r->text) - node->offset;
    node->next = r->count;
    if (node->type != SN_JSON_OBJECT || node->count < 2)
        return SN_OK;
    uint32_t duplicate;
    sn_json json = {r->text, (size_t)(r->end - r->text), r->nodes, r->count};
    if (!sn_json_find_duplicate(&json, container, r->arena->allocator, &duplicate))
        return sn_fail(r->error, SN_MESSAGE_MEMORY, NULL,
                       "no memory to compare the names of %u members", node->count);
    if (duplicate == SN_NONE)
        return SN_OK;
    return fail_at(r, r->text + r->nodes[duplicate].offset, SN_MESSAGE_JSON_DUPLICATE,
                   "the object has a member of this name already", NULL);
}

static sn_result read_value(reader *r) {
    switch (r->at < r->end ? *r->at : 0) {
    case '"':
        return read_string(r);
    case 't':
        return read_word(r, "true", SN_JSON_TRUE);
    case 'f':
        return read_word(r, "false", SN_JSON_FALSE);
    case 'n':
        return read_word(r, "null", SN_JSON_NULL);
    case '-':
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
    case '8':
    case '9':
        return read_number(r);
    default:
        return unexpected(r, "a value");
    }
}

static sn_result read_name(reader *r) {
    if (r->at >= r->end || *r->at != '"')
        return unexpected(r, "a member name in quotes");
    sn_result result = read_string(r);
    if (result)
        return result;
    skip_space(r);
    if (r->at >= r->end || *r->at != ':')
        return unexpected(r, "a colon");
    r->at++;
    skip_space(r);
    return SN_OK;
}

/* After a value: closes what ends here, steps over the comma. Leaves *depth at 0 when the root is
 * complete. */
static sn_result read_after_value(reader *r, const uint32_t *open, uint32_t *depth) {
    while (*depth) {
        sn_json_node *parent = &r->nodes[open[*depth - 1]];
        bool object = parent->type == SN_JSON_OBJECT;
        parent->count++;
        skip_space(r);
        if (r->at < r->end && *r->at == ',') {
            r->at++;
            skip_space(r);
            return object ? read_name(r) : SN_OK;
        }
        if (r->at >= r->end || *r->at != (object ? '}' : ']'))
            return unexpected(r, object ? "a comma or }" : "a comma or ]");
        sn_result result = close_container(r, open[--*depth]);
        if (result)
            return result;
    }
    return SN_OK;
}

static sn_result read_text(reader *r) {
    uint32_t open[SN_JSON_MAX_DEPTH];
    uint32_t depth = 0;
    skip_space(r);
    do {
        sn_result result = SN_OK;
        char byte = r->at < r->end ? *r->at : 0;
        if (byte == '{' || byte == '[') {
            if (depth == SN_JSON_MAX_DEPTH)
                return fail_at(r, r->at, SN_MESSAGE_JSON_DEPTH,
                               "arrays and objects may be nested 128 deep at most", NULL);
            bool object = byte == '{';
            uint32_t index = r->count++;
            r->nodes[index] = (sn_json_node){.offset = (uint32_t)(r->at - r->text),
                                             .type = object ? SN_JSON_OBJECT : SN_JSON_ARRAY};
            open[depth++] = index;
            r->at++;
            skip_space(r);
            if (r->at < r->end && *r->at == (object ? '}' : ']')) {
                depth--;
                result = close_container(r, index);
            } else {
                result = object ? read_name(r) : SN_OK;
                if (!result)
                    continue;
            }
        } else {
            result = read_value(r);
        }
        if (!result)
            result = read_after_value(r, open, &depth);
        if (result)
            return result;
    } while (depth);
    skip_space(r);
    if (r->at < r->end)
        return fail_at(r, r->at, SN_MESSAGE_JSON_TRAILING,
                       "the value is complete; only white space may follow", NULL);
    return SN_OK;
}

/* Every value but the root follows one of these bytes. */
static size_t most_values(const char *text, size_t length) {
    size_t count = 1;
    while (length) {
        /* short runs with a small counter, which compilers turn into byte lanes */
        size_t run = length < 240 ? length : 240;
        uint8_t hits = 0;
        for (size_t i = 0; i < run; i++) {
            char c = text[i];
            hits = (uint8_t)(hits + ((c == ',') | (c == ':') | (c == '[') | (c == '{')));
        }
        count += hits;
        text += run;
        length -= run;
    }
    return count;
}

sn_result sn_json_parse(const char *text, size_t length, sn_arena *arena, sn_json *out,
                        sn_error *error) {
    if (!length)
        text = ""; /* may have been NULL */
    size_t most = length <= UINT32_MAX ? most_values(text, length) : SIZE_MAX;
    if (most >= (uint32_t)1 << 29)
        return sn_fail(error, SN_MESSAGE_LIMIT_SIZE, NULL,
                       "JSON text may have 4 GiB and half a billion values at most");
    reader r = {.text = text, .at = text, .end = text + length, .arena = arena, .error = error};
    r.nodes = SN_ARENA_NEW(arena, sn_json_node, most);
    if (!r.nodes)
        return sn_fail(error, SN_MESSAGE_MEMORY, NULL, "no memory for %z JSON values", most);
    sn_result result = read_text(&r);
    if (result)
        return result;
    *out = (sn_json){text, length, r.nodes, r.count};
    return SN_OK;
}
