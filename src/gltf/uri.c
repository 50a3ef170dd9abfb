/* URIs in glTF files: data: (RFC 2397) and relative references (RFC 3986). */
#include <string.h>

#include "base/uri.h"
#include "gltf/internal.h"

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool starts_with(const char *text, size_t length, const char *prefix) {
    size_t n = strlen(prefix);
    if (length < n)
        return false;
    for (size_t i = 0; i < n; i++)
        if (lower(text[i]) != prefix[i])
            return false;
    return true;
}

bool sn_uri_is_data(const char *uri, size_t length) {
    return starts_with(uri, length, "data:");
}

/* 0 … 63, or 64 for a byte that base64 has not. */
static uint8_t base64_value(uint8_t c) {
    if (c >= 'A' && c <= 'Z')
        return (uint8_t)(c - 'A');
    if (c >= 'a' && c <= 'z')
        return (uint8_t)(c - 'a' + 26);
    if (c >= '0' && c <= '9')
        return (uint8_t)(c - '0' + 52);
    return c == '+' ? 62 : c == '/' ? 63 : 64;
}

static const char *decode_base64(const char *at, const char *end, uint8_t *out, size_t *size) {
    uint8_t table[256];
    for (unsigned i = 0; i < 256; i++)
        table[i] = base64_value((uint8_t)i);
    uint8_t *start = out;
    for (; end - at > 4; at += 4) { /* whole groups; the last may be padded */
        uint8_t a = table[(uint8_t)at[0]], b = table[(uint8_t)at[1]];
        uint8_t c = table[(uint8_t)at[2]], d = table[(uint8_t)at[3]];
        if ((a | b | c | d) & 64)
            break; /* escapes, or an error */
        *out++ = (uint8_t)(a << 2 | b >> 4);
        *out++ = (uint8_t)(b << 4 | c >> 2);
        *out++ = (uint8_t)(c << 6 | d);
    }
    uint32_t group = 0, digits = 0, padding = 0;
    while (at < end) {
        uint8_t byte = (uint8_t)sn_uri_next_byte(&at, end);
        if (byte == '=') {
            padding++;
            continue;
        }
        if (table[byte] == 64 || padding)
            return "its base64 has a character that base64 has not";
        group = group << 6 | table[byte];
        if (++digits == 4) {
            *out++ = (uint8_t)(group >> 16);
            *out++ = (uint8_t)(group >> 8);
            *out++ = (uint8_t)group;
            group = digits = 0;
        }
    }
    if (digits == 1 || (padding && digits + padding != 4))
        return "its base64 is cut short";
    if (digits == 2) {
        *out++ = (uint8_t)(group >> 4);
    } else if (digits == 3) {
        *out++ = (uint8_t)(group >> 10);
        *out++ = (uint8_t)(group >> 2);
    }
    *size = (size_t)(out - start);
    return NULL;
}

uint8_t *sn_uri_decode_data(const char *uri, size_t length, sn_arena *arena, size_t *size,
                            const char **reason) {
    const char *end = uri + length, *comma = memchr(uri, ',', length);
    if (!comma) {
        *reason = "a data: URI has a comma before its data";
        return NULL;
    }
    *reason = NULL;
    const char *data = comma + 1;
    size_t most = (size_t)(end - data);
    uint8_t *out = SN_ARENA_NEW(arena, uint8_t, most);
    if (!out)
        return NULL;
    static const char base64[] = ";base64";
    size_t marker = sizeof base64 - 1;
    if ((size_t)(comma - uri) >= marker && starts_with(comma - marker, marker, base64)) {
        *reason = decode_base64(data, end, out, size);
        return *reason ? NULL : out;
    }
    size_t n = 0;
    while (data < end)
        out[n++] = (uint8_t)sn_uri_next_byte(&data, end);
    *size = n;
    return out;
}

char *sn_uri_decode_path(const char *uri, size_t length, sn_arena *arena, const char **reason) {
    const char *at = uri, *end = uri + length;
    *reason = NULL;
    char *path = SN_ARENA_NEW(arena, char, length + 1);
    if (!path)
        return NULL;
    size_t n = 0;
    while (at < end)
        path[n++] = sn_uri_next_byte(&at, end);
    size_t first_segment = strcspn(path, "/");
    if (memchr(path, 0, n))
        *reason = "it has a NUL";
    else if (path[0] == '/' || path[0] == '\\')
        *reason = "it is absolute; only files relative to this one are read";
    else if (memchr(path, ':', first_segment))
        *reason = "it has a scheme; only data: and files relative to this one are read";
    if (*reason)
        return NULL;
    sn_uri_remove_dots(path);
    if (!path[0])
        *reason = "it names no file";
    return *reason ? NULL : path;
}

bool sn_path_leaves_folder(const char *path) {
    uint32_t depth = 0;
    for (const char *segment = path; *segment;) {
        size_t length = strcspn(segment, "/");
        if (length == 2 && segment[0] == '.' && segment[1] == '.') {
            if (depth-- == 0)
                return true;
        } else if (length > 0 && !(length == 1 && segment[0] == '.')) {
            depth++;
        }
        segment += length;
        segment += *segment == '/';
    }
    return false;
}

void sn_uri_append_data(sn_text *out, const char *head, size_t head_length, const uint8_t *bytes,
                        size_t size) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    sn_text_append_bytes(out, head, head_length);
    char chunk[1024];
    size_t n = 0;
    for (size_t i = 0; i < size; i += 3) {
        size_t left = size - i;
        uint32_t group = (uint32_t)bytes[i] << 16;
        if (left > 1)
            group |= (uint32_t)bytes[i + 1] << 8;
        if (left > 2)
            group |= bytes[i + 2];
        chunk[n++] = digits[group >> 18];
        chunk[n++] = digits[group >> 12 & 63];
        chunk[n++] = left > 1 ? digits[group >> 6 & 63] : '=';
        chunk[n++] = left > 2 ? digits[group & 63] : '=';
        if (n == sizeof chunk) {
            sn_text_append_bytes(out, chunk, n);
            n = 0;
        }
    }
    sn_text_append_bytes(out, chunk, n);
}
