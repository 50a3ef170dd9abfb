/* A small writer of binary glTF: arrays go into one buffer, the JSON of everything else is the
 * caller's. */
#ifndef MANNEQUIN_GLB_H
#define MANNEQUIN_GLB_H

#include "text.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    const void *data;
    uint32_t count;
    uint32_t component_type;  /* 5121 u8, 5123 u16, 5125 u32, 5126 float */
    uint32_t component_count; /* 1, 2, 3, 4; 16 is MAT4 */
    bool normalized;
    bool write_bounds; /* min and max */
    uint32_t target;   /* 34962 vertices, 34963 indices, 0 none */
} glb_accessor_desc;

#define GLB_ARRAYS_MAX 16

typedef struct {
    text binary, views, accessors;
    uint32_t accessor_count;
    struct {
        const char *name;
        text json;
        uint32_t count;
    } arrays[GLB_ARRAYS_MAX];
    text members;
} glb_builder;

/* The accessor's index. */
uint32_t glb_accessor(glb_builder *b, const glb_accessor_desc *desc);

/* Appends an object to a top-level array; its index. */
uint32_t glb_append(glb_builder *b, const char *array, const char *json);

void glb_set(glb_builder *b, const char *member, const char *json);

/* Writes the file and frees the builder; false when the file cannot be written. */
bool glb_save(glb_builder *b, const char *path);

#endif
