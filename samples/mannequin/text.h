/* A text that grows: the JSON of the file is put together in it. */
#ifndef MANNEQUIN_TEXT_H
#define MANNEQUIN_TEXT_H

#include <stddef.h>

/* All zeros is an empty text. `data` ends in a zero byte once something has been added. */
typedef struct {
    char *data;
    size_t size, capacity;
} text;

void text_bytes(text *t, const void *bytes, size_t size);

/* Appends as printf does; at most 511 bytes at once. */
void text_add(text *t, const char *format, ...);

void text_free(text *t);

#endif
