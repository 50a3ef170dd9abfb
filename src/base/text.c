/* Growing text. */
#include <math.h>
#include <string.h>

#include "base/decimal.h"
#include "base/json.h"
#include "sinew/json.h"

void sn_text_init(sn_text *text, const sn_allocator *allocator) {
    *text = (sn_text){.allocator = allocator ? allocator : sn_allocator_default()};
}

void sn_text_free(sn_text *text) {
    if (text->data)
        text->allocator->resize(text->allocator->user, text->data, text->capacity, 0);
    *text = (sn_text){.allocator = text->allocator};
}

/* Room for `more` bytes and the terminator. */
static bool reserve(sn_text *text, size_t more) {
    if (text->failed)
        return false;
    if (more < text->capacity - text->length) /* capacity 0: length 0, so nothing fits */
        return true;
    size_t most = SIZE_MAX / 2;
    if (more >= most - text->length) {
        text->failed = true;
        return false;
    }
    size_t needed = text->length + more + 1;
    size_t capacity = text->capacity < most / 2 ? text->capacity * 2 : most;
    if (capacity < 64)
        capacity = 64;
    if (capacity < needed)
        capacity = needed;
    char *data =
        text->allocator->resize(text->allocator->user, text->data, text->capacity, capacity);
    if (!data && capacity > needed) { /* just what is needed may still fit below a limit */
        capacity = needed;
        data = text->allocator->resize(text->allocator->user, text->data, text->capacity, capacity);
    }
    if (!data) {
        text->failed = true;
        return false;
    }
    text->data = data;
    text->capacity = capacity;
    return true;
}

void sn_text_append_bytes(sn_text *text, const void *bytes, size_t length) {
    if (!reserve(text, length))
        return;
    if (length)
        memcpy(text->data + text->length, bytes, length);
    text->length += length;
    text->data[text->length] = '\0';
}

void sn_text_append(sn_text *text, const char *string) {
    sn_text_append_bytes(text, string, strlen(string));
}

void sn_text_append_unsigned(sn_text *text, uint64_t value) {
    char digits[20];
    size_t n = sizeof digits;
    do
        digits[--n] = (char)('0' + value % 10);
    while (value /= 10);
    sn_text_append_bytes(text, digits + n, sizeof digits - n);
}

void sn_text_append_signed(sn_text *text, int64_t value) {
    if (value < 0)
        sn_text_append_bytes(text, "-", 1);
    sn_text_append_unsigned(text, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

void sn_text_append_float(sn_text *text, float value) {
    char number[SN_DECIMAL_SIZE];
    if (isfinite(value))
        sn_text_append_bytes(text, number, sn_decimal_write_float(value, number));
    else
        sn_text_append(text, "null");
}

void sn_text_append_double(sn_text *text, double value) {
    char number[SN_DECIMAL_SIZE];
    if (isfinite(value))
        sn_text_append_bytes(text, number, sn_decimal_write_double(value, number));
    else
        sn_text_append(text, "null");
}

static void append_escape(sn_text *text, unsigned char byte) {
    static const char hex[] = "0123456789abcdef";
    static const char from[] = "\"\\\b\f\n\r\t", to[] = "\"\\bfnrt";
    const char *short_form = byte ? strchr(from, byte) : NULL;
    if (short_form) {
        sn_text_append_bytes(text, (char[]){'\\', to[short_form - from]}, 2);
    } else {
        char escape[6] = {'\\', 'u', '0', '0', hex[byte >> 4], hex[byte & 15]};
        sn_text_append_bytes(text, escape, sizeof escape);
    }
}

void sn_text_append_string(sn_text *text, const char *string, size_t length) {
    const char *end = string + length;
    sn_text_append_bytes(text, "\"", 1);
    while (string < end) {
        const char *plain = string;
        size_t sequence = 1;
        while (string < end && (unsigned char)*string >= 0x20 && *string != '"' &&
               *string != '\\' && (sequence = sn_utf8_sequence(string, end)) != 0)
            string += sequence;
        sn_text_append_bytes(text, plain, (size_t)(string - plain));
        if (string >= end)
            break;
        if (!sequence)
            sn_text_append(text, "\xEF\xBF\xBD"); /* U+FFFD for a byte that is not UTF-8 */
        else
            append_escape(text, (unsigned char)*string);
        string++;
    }
    sn_text_append_bytes(text, "\"", 1);
}
