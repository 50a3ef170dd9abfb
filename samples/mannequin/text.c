#include "text.h"

#include "mesh.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void text_bytes(text *t, const void *bytes, size_t size) {
    if (t->size + size + 1 > t->capacity) {
        t->capacity = (t->size + size + 1) * 2;
        t->data = mq_grow(t->data, t->capacity, 1);
    }
    if (size)
        memcpy(t->data + t->size, bytes, size);
    t->size += size;
    t->data[t->size] = '\0';
}

void text_add(text *t, const char *format, ...) {
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof line) {
        fputs("mannequin: a piece of JSON is too long\n", stderr);
        exit(2);
    }
    text_bytes(t, line, (size_t)length);
}

void text_free(text *t) {
    free(t->data);
    memset(t, 0, sizeof *t);
}
