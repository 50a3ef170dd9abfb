/* JSON (RFC 8259), strict and lossless: the tree points into the text it was read from, so that
 * every number keeps its spelling and every untouched value can be written back as it was.
 *
 * The tree is a flat array in document order; a value is an index into it. Reading takes linear
 * time (n log n for the names of one object), and beside the text at most 16 bytes for each comma,
 * colon and opening bracket, wherever it stands, and for a while 16 for each member of an object.
 */
#ifndef SINEW_JSON_H
#define SINEW_JSON_H

#include "sinew/memory.h"
#include "sinew/result.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SN_JSON_MAX_DEPTH 128

typedef enum sn_json_type {
    SN_JSON_NULL,
    SN_JSON_FALSE,
    SN_JSON_TRUE,
    SN_JSON_NUMBER,
    SN_JSON_STRING,
    SN_JSON_ARRAY,
    SN_JSON_OBJECT
} sn_json_type;

typedef struct sn_json_node {
    uint32_t offset; /* first byte of the value in the text (a string's opening quote) */
    uint32_t length; /* bytes of the whole value, quotes and brackets included */
    uint32_t next;   /* index of the value after this one and all it contains */
    uint32_t type : 3;
    uint32_t count : 29; /* array: elements; object: members; string: 1 when it has escapes */
} sn_json_node;

/* A member of an object is two values: its name (a string), then its value. */
typedef struct sn_json {
    const char *text;
    size_t length;
    const sn_json_node *nodes; /* nodes[0] is the root */
    uint32_t node_count;
} sn_json;

/* Reads the whole text as one value. Errors: json.utf8, json.syntax, json.trailing,
 * json.duplicate, json.depth (all with line and column), memory. A byte order mark is an error.
 * The tree lives in `arena` and borrows `text`. */
sn_result sn_json_parse(const char *text, size_t length, sn_arena *arena, sn_json *out,
                        sn_error *error);

/* The value of a member, or SN_NONE when `object` is SN_NONE, no object, or has none so named. */
uint32_t sn_json_member(const sn_json *json, uint32_t object, const char *name);

/* Iterates: first child of an array or object (an object's first member name), SN_NONE if empty.
 * The next child of the same parent is nodes[child].next, until it equals nodes[parent].next. */
uint32_t sn_json_first(const sn_json *json, uint32_t parent);

/* element i, linear in i; SN_NONE when there is none */
uint32_t sn_json_element(const sn_json *json, uint32_t array, uint32_t i);

/* Correctly rounded, independent of the locale. Overflow gives an infinity. */
double sn_json_number(const sn_json *json, uint32_t value);

/* True and the number, when the value is a number that is an integer in 0 … 2^53. */
bool sn_json_unsigned(const sn_json *json, uint32_t value, uint64_t *out);

/* The decoded string, NUL-terminated, in `arena` (a string without escapes too); NULL when out of
 * memory. `length` (may be NULL) receives its bytes: a decoded string may hold NUL. */
const char *sn_json_string(const sn_json *json, uint32_t value, sn_arena *arena, size_t *length);

/* True when the value is a string equal to `name` after decoding. */
bool sn_json_equals(const sn_json *json, uint32_t value, const char *name);

/* Writes the JSON pointer of a value ("/nodes/3/skin"), cut to size. */
void sn_json_pointer(const sn_json *json, uint32_t value, char *out, size_t size);

/* Growing text; `failed` is set once memory runs out, and further writes do nothing. */
typedef struct sn_text {
    const sn_allocator *allocator;
    char *data; /* NUL-terminated once anything was written */
    size_t length;
    size_t capacity;
    bool failed;
} sn_text;

void sn_text_init(sn_text *text, const sn_allocator *allocator);
void sn_text_free(sn_text *text);
void sn_text_append(sn_text *text, const char *string);
void sn_text_append_bytes(sn_text *text, const void *bytes, size_t length);
void sn_text_append_unsigned(sn_text *text, uint64_t value);
void sn_text_append_signed(sn_text *text, int64_t value);
/* The shortest decimal that reads back as the same number; "null" for NaN and infinities. */
void sn_text_append_float(sn_text *text, float value);
void sn_text_append_double(sn_text *text, double value);
/* A JSON string with quotes and escapes; `length` bytes of UTF-8. */
void sn_text_append_string(sn_text *text, const char *string, size_t length);

#ifdef __cplusplus
}
#endif
#endif
