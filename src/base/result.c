#include <stdarg.h>
#include <string.h>

#include "base/error.h"

typedef struct message {
    const char *name;
    sn_result result;
} message;

static const message messages[SN_MESSAGE_COUNT] = {
    [SN_MESSAGE_NONE] = {"", SN_OK},
#define SN_MESSAGE(id, name, result) [id] = {name, result},
#include "sinew/messages.h"
#undef SN_MESSAGE
};

const char *sn_message_name(sn_message_id id) {
    return (unsigned)id < SN_MESSAGE_COUNT ? messages[id].name : "";
}

sn_result sn_message_result(sn_message_id id) {
    return (unsigned)id < SN_MESSAGE_COUNT ? messages[id].result : SN_ERROR_ARGUMENT;
}

/* A fixed buffer that cuts instead of overflowing. */
typedef struct cursor {
    char *out;
    size_t size;
    size_t length;
} cursor;

static void put(cursor *c, char byte) {
    if (c->length < c->size)
        c->out[c->length] = byte;
    c->length++;
}

static void put_string(cursor *c, const char *string) {
    while (string && *string)
        put(c, *string++);
}

static void put_unsigned(cursor *c, uint64_t value) {
    char digits[20];
    int n = 0;
    do
        digits[n++] = (char)('0' + value % 10);
    while (value /= 10);
    while (n)
        put(c, digits[--n]);
}

/* Good enough for a message: nine significant digits, no exponent between 1e-5 and 1e9. */
static void put_number(cursor *c, double value) {
    if (value != value) {
        put_string(c, "NaN");
        return;
    }
    if (value < 0) {
        put(c, '-');
        value = -value;
    }
    if (value > 1e300) {
        put_string(c, "infinity");
        return;
    }
    int exponent = 0;
    if (value != 0 && (value < 1e-5 || value >= 1e9)) {
        for (; value >= 10; value /= 10)
            exponent++;
        for (; value < 1; value *= 10)
            exponent--;
    }
    uint64_t scale = 100000000;
    for (double v = value; v >= 10 && scale > 1; v /= 10)
        scale /= 10;
    uint64_t fixed = (uint64_t)(value * (double)scale + 0.5);
    put_unsigned(c, fixed / scale);
    uint64_t fraction = fixed % scale;
    if (fraction) {
        put(c, '.');
        for (uint64_t digit = scale / 10; fraction; digit /= 10) {
            put(c, (char)('0' + fraction / digit));
            fraction %= digit;
        }
    }
    if (exponent) {
        put(c, 'e');
        if (exponent < 0)
            put(c, '-');
        put_unsigned(c, (uint64_t)(exponent < 0 ? -exponent : exponent));
    }
}

/* At most `length` bytes of a longer text, without cutting a UTF-8 sequence. */
static size_t whole_characters(const char *text, size_t length) {
    while (length && ((unsigned char)text[length] & 0xC0) == 0x80)
        length--;
    return length;
}

void sn_format_list(char *out, size_t size, const char *format, va_list arguments) {
    cursor c = {out, size, 0};
    for (; *format; format++) {
        if (*format != '%') {
            put(&c, *format);
            continue;
        }
        switch (*++format) {
        case 's':
            put_string(&c, va_arg(arguments, const char *));
            break;
        case 'u':
            put_unsigned(&c, va_arg(arguments, uint32_t));
            break;
        case 'z':
            put_unsigned(&c, va_arg(arguments, size_t));
            break;
        case 'd': {
            int value = va_arg(arguments, int);
            if (value < 0)
                put(&c, '-');
            put_unsigned(&c, value < 0 ? 0u - (unsigned)value : (unsigned)value);
            break;
        }
        case 'g':
            put_number(&c, va_arg(arguments, double));
            break;
        default:
            put(&c, *format);
        }
    }
    out[c.length < size ? c.length : whole_characters(out, size - 1)] = '\0';
}

void sn_format(char *out, size_t size, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    sn_format_list(out, size, format, arguments);
    va_end(arguments);
}

static void copy_string(char *out, size_t size, const char *string) {
    size_t length = string ? strlen(string) : 0;
    if (length >= size)
        length = whole_characters(string, size - 1);
    if (length)
        memcpy(out, string, length);
    out[length] = '\0';
}

sn_result sn_fail(sn_error *error, sn_message_id id, const char *pointer, const char *format, ...) {
    if (error) {
        *error = (sn_error){.id = id};
        copy_string(error->pointer, sizeof error->pointer, pointer);
        va_list arguments;
        va_start(arguments, format);
        sn_format_list(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
    }
    return sn_message_result(id);
}

sn_result sn_fail_at(sn_error *error, sn_message_id id, uint32_t line, uint32_t column,
                     const char *format, ...) {
    if (error) {
        *error = (sn_error){.id = id, .line = line, .column = column};
        va_list arguments;
        va_start(arguments, format);
        sn_format_list(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
    }
    return sn_message_result(id);
}
