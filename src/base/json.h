/* What the JSON reader's parts share. Private to the library. */
#ifndef SN_BASE_JSON_H
#define SN_BASE_JSON_H

#include "sinew/json.h"

/* A mask of the first n < 8 bytes of eight that were loaded as one number. */
static inline uint64_t sn_first_bytes(size_t n) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return ((uint64_t)1 << 8 * n) - 1;
#else
    return ~(~(uint64_t)0 >> 8 * n);
#endif
}

/* Length of the UTF-8 sequence at p (RFC 3629: no overlong form, no surrogate, up to U+10FFFF),
 * or 0 when there is none. */
size_t sn_utf8_sequence(const char *p, const char *end);

/* Writes a code point as UTF-8; returns its length, 1 to 4. */
size_t sn_utf8_write(uint32_t code, char out[4]);

/* Decodes the escape at p (a backslash); a pair of surrogates is one escape. Returns where it
 * ends, or NULL when it is none or a surrogate stands alone. */
const char *sn_json_escape(const char *p, const char *end, uint32_t *code);

/* Finds a member name that an earlier one of the same object equals, after decoding: *duplicate is
 * that later name or SN_NONE. O(n log n) whatever the names. False when out of memory. */
bool sn_json_find_duplicate(const sn_json *json, uint32_t object, const sn_allocator *allocator,
                            uint32_t *duplicate);

#endif
