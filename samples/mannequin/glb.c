#include "glb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_bounds(text *json, const glb_accessor_desc *desc) {
    const float *values = desc->data;
    for (int side = 0; side < 2; side++) {
        text_add(json, side ? ",\"max\":[" : ",\"min\":[");
        for (uint32_t c = 0; c < desc->component_count; c++) {
            float best = values[c];
            for (uint32_t i = 1; i < desc->count; i++) {
                float v = values[i * desc->component_count + c];
                if (side ? v > best : v < best)
                    best = v;
            }
            text_add(json, "%s%.9g", c ? "," : "", (double)best);
        }
        text_add(json, "]");
    }
}

uint32_t glb_accessor(glb_builder *b, const glb_accessor_desc *desc) {
    static const char *const types[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
    size_t component = desc->component_type == 5121 ? 1 : desc->component_type == 5123 ? 2 : 4;
    size_t size = component * desc->component_count * desc->count;
    uint32_t index = b->accessor_count++;
    text_add(&b->views, "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu", index ? "," : "",
             b->binary.size, size);
    if (desc->target)
        text_add(&b->views, ",\"target\":%u", (unsigned)desc->target);
    text_add(&b->views, "}");
    text_add(
        &b->accessors, "%s{\"bufferView\":%u,\"componentType\":%u,\"count\":%u,\"type\":\"%s\"",
        index ? "," : "", (unsigned)index, (unsigned)desc->component_type, (unsigned)desc->count,
        desc->component_count == 16 ? "MAT4" : types[desc->component_count]);
    if (desc->normalized)
        text_add(&b->accessors, ",\"normalized\":true");
    if (desc->write_bounds)
        add_bounds(&b->accessors, desc);
    text_add(&b->accessors, "}");
    text_bytes(&b->binary, desc->data, size);
    while (b->binary.size % 4)
        text_bytes(&b->binary, "", 1);
    return index;
}

uint32_t glb_append(glb_builder *b, const char *array, const char *json) {
    int i = 0;
    while (b->arrays[i].name && strcmp(b->arrays[i].name, array) != 0)
        i++;
    b->arrays[i].name = array;
    if (b->arrays[i].count)
        text_bytes(&b->arrays[i].json, ",", 1);
    text_bytes(&b->arrays[i].json, json, strlen(json));
    return b->arrays[i].count++;
}

void glb_set(glb_builder *b, const char *member, const char *json) {
    text_add(&b->members, "\"%s\":", member);
    text_bytes(&b->members, json, strlen(json));
    text_bytes(&b->members, ",", 1);
}

static void put_u32(FILE *file, size_t value) {
    for (int i = 0; i < 4; i++)
        fputc((int)(value >> (8 * i) & 0xff), file);
}

bool glb_save(glb_builder *b, const char *path) {
    text json = {NULL, 0, 0};
    text_add(&json, "{");
    text_bytes(&json, b->members.data, b->members.size);
    for (int i = 0; i < GLB_ARRAYS_MAX && b->arrays[i].name; i++) {
        text_add(&json, "\"%s\":[", b->arrays[i].name);
        text_bytes(&json, b->arrays[i].json.data, b->arrays[i].json.size);
        text_add(&json, "],");
        text_free(&b->arrays[i].json);
    }
    text_add(&json, "\"accessors\":[");
    text_bytes(&json, b->accessors.data, b->accessors.size);
    text_add(&json, "],\"bufferViews\":[");
    text_bytes(&json, b->views.data, b->views.size);
    text_add(&json, "],\"buffers\":[{\"byteLength\":%zu}]}", b->binary.size);
    while (json.size % 4)
        text_bytes(&json, " ", 1);

    FILE *file = fopen(path, "wb");
    bool good = file != NULL;
    if (file) {
        put_u32(file, 0x46546C67);
        put_u32(file, 2);
        put_u32(file, 28 + json.size + b->binary.size);
        put_u32(file, json.size);
        put_u32(file, 0x4E4F534A);
        fwrite(json.data, 1, json.size, file);
        put_u32(file, b->binary.size);
        put_u32(file, 0x004E4942);
        fwrite(b->binary.data, 1, b->binary.size, file);
        good = !ferror(file);
        good = fclose(file) == 0 && good;
    }
    text_free(&json);
    text_free(&b->binary);
    text_free(&b->views);
    text_free(&b->accessors);
    text_free(&b->members);
    return good;
}
