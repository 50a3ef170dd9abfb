/* The JSON reader: one pass, no recursion, an explicit stack of open containers.
 *
 * Functions that read something take where it starts and give where it ends; NULL when it is wrong,
 * which they have reported then. */
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/json.h"
#include "sinew/json.h"

typedef struct reader {
    const char *text, *end;
    sn_json_node *nodes;
    const sn_allocator *allocator;
    sn_error *error;
    sn_result result; /* of what failed */
} reader;

/* Kept out of the functions that nearly always do without. */
#define SELDOM __attribute__((noinline, cold))

SELDOM static const char *fail_at(reader *r, const char *where, sn_message_id id,
                                  const char *format, const char *argument) {
    uint32_t line = 1;
    const char *start = r->text;
    for (const char *p = r->text; p < where; p++) {
        if (*p == '\n') {
            line++;
            start = p + 1;
        }
    }
    r->result = sn_fail_at(r->error, id, line, (uint32_t)(where - start) + 1, format, argument);
    return NULL;
}

/* What stands where something else was wanted. */
SELDOM static const char *unexpected(reader *r, const char *p, const char *wanted) {
    if (p >= r->end)
        return fail_at(r, p, SN_MESSAGE_JSON_SYNTAX, "the text ends where %s is wanted", wanted);
    unsigned char byte = (unsigned char)*p;
    if (byte >= 0x80 && !sn_utf8_sequence(p, r->end))
        return fail_at(r, p, SN_MESSAGE_JSON_UTF8, "these bytes are not UTF-8", NULL);
    if (p == r->text && r->end - p >= 3 && memcmp(p, "\xEF\xBB\xBF", 3) == 0)
        return fail_at(r, p, SN_MESSAGE_JSON_SYNTAX,
                       "the text starts with a byte order mark, which JSON must not", NULL);
    return fail_at(r, p, SN_MESSAGE_JSON_SYNTAX, "%s is wanted here", wanted);
}

/* The byte at p, or 0, which is none of JSON's, at the end. */
static inline char peek(const reader *r, const char *p) {
    return p < r->end ? *p : '\0';
}

/* The same after white space, which *p steps over. */
static inline char next_byte(const reader *r, const char **p) {
    char byte = peek(r, *p);
    while ((unsigned char)byte <= ' ' &&
           (byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t'))
        byte = peek(r, ++*p);
    return byte;
}

/* A value without others inside. */
static inline void set_node(const reader *r, sn_json_node *node, sn_json_type type,
                            const char *start, const char *end, bool escapes) {
    *node = (sn_json_node){.offset = (uint32_t)(start - r->text),
                           .length = (uint32_t)(end - start),
                           .next = (uint32_t)(node - r->nodes) + 1,
                           .type = (unsigned)type & 7,
                           .count = escapes};
}

/* ---- Strings ---- */

/* Sixteen bytes of text at a time, by the vector extension of gcc and clang: one instruction or two
 * on every target that has lanes. */
typedef int8_t block __attribute__((vector_size(16)));
#define BLOCK 16
#define EACH(x)                                                                                    \
    (block) {                                                                                      \
        x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x                                             \
    }

/* Where in eight bytes the first is that is not 0, of which there must be one. */
static inline size_t first_set(uint64_t bytes) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return (size_t)__builtin_ctzll(bytes) / 8;
#else
    return (size_t)__builtin_clzll(bytes) / 8;
#endif
}

/* Bytes that are printable ASCII other than quote and backslash: BLOCK, or how many come before the
 * first that is not. */
static inline size_t count_plain(const char *p) {
    block v;
    memcpy(&v, p, sizeof v);
    block special = (v == EACH('"')) | (v == EACH('\\')) | (v < EACH(0x20)); /* 0x80 on are < 0 */
    uint64_t half[2];
    memcpy(half, &special, sizeof half);
    if (half[0])
        return first_set(half[0]);
    return half[1] ? 8 + first_set(half[1]) : BLOCK;
}

/* What in a string is neither plain nor the closing quote. */
SELDOM static const char *read_special(reader *r, const char *start, const char *p) {
    if (p >= r->end)
        return fail_at(r, start, SN_MESSAGE_JSON_SYNTAX, "this string has no end", NULL);
    unsigned char byte = (unsigned char)*p;
    if (byte == '\\') {
        uint32_t ignored;
        const char *after = sn_json_escape(p, r->end, &ignored);
        if (after)
            return after;
        bool unicode = p + 1 < r->end && p[1] == 'u';
        return fail_at(r, p, SN_MESSAGE_JSON_SYNTAX,
                       unicode ? "\\u takes four hexadecimal digits, and surrogates come in pairs"
                               : "no such escape in a string",
                       NULL);
    }
    if (byte < 0x20)
        return fail_at(r, p, SN_MESSAGE_JSON_SYNTAX,
                       "a control character in a string must be escaped", NULL);
    size_t length = sn_utf8_sequence(p, r->end);
    if (!length)
        return fail_at(r, p, SN_MESSAGE_JSON_UTF8, "these bytes are not UTF-8", NULL);
    return p + length;
}

static inline const char *skip_plain(const char *p, const char *end) {
    for (size_t n = BLOCK; n == BLOCK && end - p >= BLOCK; p += n)
        n = count_plain(p);
    return p;
}

/* ASCII that stands for itself; whether a char has a sign is the compiler's choice. */
static inline bool is_plain(char byte) {
    return (unsigned char)byte >= 0x20 && (unsigned char)byte < 0x80 && byte != '\\';
}

/* The rest of a string, from where something in it is not plain, or the text soon ends. */
SELDOM static const char *read_string_slowly(reader *r, const char *start, const char *p,
                                             sn_json_node *node) {
    bool escapes = false;
    while (peek(r, p) != '"') {
        escapes |= peek(r, p) == '\\';
        if (is_plain(peek(r, p)))
            p++;
        else
            p = read_special(r, start, p);
        if (!p)
            return NULL;
        p = skip_plain(p, r->end);
    }
    set_node(r, node, SN_JSON_STRING, start, ++p, escapes);
    return p;
}

static inline const char *read_string(reader *r, const char *start, sn_json_node *node) {
    const char *p = skip_plain(start + 1, r->end);
    if (peek(r, p) != '"')
        return read_string_slowly(r, start, p, node);
    set_node(r, node, SN_JSON_STRING, start, p + 1, false);
    return p + 1;
}

/* ---- Numbers and words ---- */

static inline const char *skip_digits(const char *p, const char *end) {
    while (p < end && (unsigned)*p - '0' <= 9)
        p++;
    return p;
}

SELDOM static const char *bad_number(reader *r, const char *start) {
    return fail_at(r, start, SN_MESSAGE_JSON_SYNTAX, "not a number as JSON writes it: -0.5e+10",
                   NULL);
}

static inline const char *read_number(reader *r, const char *start, sn_json_node *node) {
    const char *digits = start + (*start == '-'), *end = r->end;
    const char *p = skip_digits(digits, end);
    if (p == digits || (*digits == '0' && p > digits + 1))
        return bad_number(r, start);
    if (p < end && *p == '.') {
        digits = ++p;
        p = skip_digits(p, end);
        if (p == digits)
            return bad_number(r, start);
    }
    if (p < end && (*p | 0x20) == 'e') {
        p++;
        p += p < end && (*p == '+' || *p == '-');
        digits = p;
        p = skip_digits(p, end);
        if (p == digits)
            return bad_number(r, start);
    }
    set_node(r, node, SN_JSON_NUMBER, start, p, false);
    return p;
}

SELDOM static const char *read_word(reader *r, const char *p, sn_json_node *node) {
    static const char *const words[] = {"true", "false", "null"};
    static const sn_json_type types[] = {SN_JSON_TRUE, SN_JSON_FALSE, SN_JSON_NULL};
    for (int i = 0; i < 3; i++) {
        size_t length = strlen(words[i]);
        if ((size_t)(r->end - p) >= length && memcmp(p, words[i], length) == 0) {
            set_node(r, node, types[i], p, p + length, false);
            return p + length;
        }
    }
    return unexpected(r, p, "a value");
}

/* ---- Containers ---- */

/* Names of an object that has no more members than this are told apart while they are read. */
#define FEW 16

typedef struct container {
    sn_json_node *node;
    uint32_t count; /* members or elements so far */
    char close;
    bool doubtful; /* names that only a full comparison tells apart */
    uint64_t keys[FEW];
} container;

/* The first eight bytes of a name and its length; two names with different keys differ. */
static inline uint64_t key_of(const reader *r, const char *text, size_t length) {
    uint64_t bytes = 0;
    if (r->end - text >= 8)
        memcpy(&bytes, text, 8);
    else
        memcpy(&bytes, text, length);
    if (length < 8)
        bytes &= sn_first_bytes(length);
    return bytes ^ (uint64_t)length * UINT64_C(0x9E3779B97F4A7C15);
}

static inline void remember_name(const reader *r, container *c, const sn_json_node *name) {
    if (c->count >= FEW)
        return;
    uint64_t key = key_of(r, r->text + name->offset + 1, name->length - 2);
    c->keys[c->count] = key;
    for (uint32_t i = 0; i < c->count; i++)
        c->doubtful |= c->keys[i] == key;
    c->doubtful |= name->count; /* escapes: it may be spelled otherwise */
}

/* A member's name and the colon after it. */
static inline const char *read_name(reader *r, const char *p, container *c, sn_json_node *node) {
    if (next_byte(r, &p) != '"')
        return unexpected(r, p, "a member name in quotes");
    p = read_string(r, p, node);
    if (!p)
        return NULL;
    remember_name(r, c, node);
    return next_byte(r, &p) == ':' ? p + 1 : unexpected(r, p, "a colon");
}

SELDOM static const char *check_names(reader *r, const char *p, const container *c) {
    uint32_t duplicate;
    sn_json json = {r->text, (size_t)(r->end - r->text), r->nodes, c->node->next};
    if (!sn_json_find_duplicate(&json, (uint32_t)(c->node - r->nodes), r->allocator, &duplicate)) {
        r->result = sn_fail(r->error, SN_MESSAGE_MEMORY, NULL,
                            "no memory to compare the names of %u members", c->count);
        return NULL;
    }
    if (duplicate == SN_NONE)
        return p;
    return fail_at(r, r->text + r->nodes[duplicate].offset, SN_MESSAGE_JSON_DUPLICATE,
                   "the object has a member of this name already", NULL);
}

/* `p` is at the closing bracket; `next` is the node after all that is inside. */
static inline const char *close_container(reader *r, const char *p, const container *c,
                                          const sn_json_node *next) {
    bool object = c->close == '}';
    p++;
    *c->node = (sn_json_node){.offset = c->node->offset,
                              .length = (uint32_t)(p - r->text) - c->node->offset,
                              .next = (uint32_t)(next - r->nodes),
                              .type = object ? SN_JSON_OBJECT : SN_JSON_ARRAY,
                              .count = c->count & 0x1FFFFFFF};
    return object && (c->doubtful || c->count > FEW) ? check_names(r, p, c) : p;
}

/* The root value with all that is inside; the nodes after it begin at *next. */
static const char *read_root(reader *r, const char *p, sn_json_node **next) {
    container open[SN_JSON_MAX_DEPTH];
    uint32_t depth = 0;
    sn_json_node *node = r->nodes;
    for (;;) {
        char byte = next_byte(r, &p);
        if (byte == '"') {
            p = read_string(r, p, node++);
        } else if (byte == '-' || (unsigned)byte - '0' <= 9) {
            p = read_number(r, p, node++);
        } else if (byte == '{' || byte == '[') {
            if (depth == SN_JSON_MAX_DEPTH)
                return fail_at(r, p, SN_MESSAGE_JSON_DEPTH,
                               "arrays and objects may be nested 128 deep at most", NULL);
            container *c = &open[depth++];
            c->node = node;
            c->count = 0;
            c->close = byte == '{' ? '}' : ']';
            c->doubtful = false;
            node++->offset = (uint32_t)(p - r->text);
            p++;
            if (next_byte(r, &p) != c->close) {
                if (byte == '{')
                    p = read_name(r, p, c, node++);
                if (!p)
                    return NULL;
                continue;
            }
            depth--;
            p = close_container(r, p, c, node);
        } else {
            p = read_word(r, p, node++);
        }
        /* A value is complete: close what ends here, step over the comma. */
        for (;;) {
            if (!p || depth == 0) {
                *next = node;
                return p;
            }
            container *c = &open[depth - 1];
            c->count++;
            byte = next_byte(r, &p);
            if (byte == ',') {
                p++;
                if (c->close == '}')
                    p = read_name(r, p, c, node++);
                if (!p)
                    return NULL;
                break;
            }
            if (byte != c->close)
                return unexpected(r, p, c->close == '}' ? "a comma or }" : "a comma or ]");
            depth--;
            p = close_container(r, p, c, node);
        }
    }
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
    reader r = {.text = text, .end = text + length, .allocator = arena->allocator, .error = error};
    r.nodes = sn_arena_alloc_unset(arena, most, sizeof *r.nodes);
    if (!r.nodes)
        return sn_fail(error, SN_MESSAGE_MEMORY, NULL, "no memory for %z JSON values", most);
    sn_json_node *next;
    const char *p = read_root(&r, text, &next);
    if (!p)
        return r.result;
    next_byte(&r, &p);
    if (p < r.end) {
        fail_at(&r, p, SN_MESSAGE_JSON_TRAILING,
                "the value is complete; only white space may follow", NULL);
        return r.result;
    }
    *out = (sn_json){text, length, r.nodes, (uint32_t)(next - r.nodes)};
    return SN_OK;
}
