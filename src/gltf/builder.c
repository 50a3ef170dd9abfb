/* A file from nothing. What goes wrong on the way is kept until the end, so that callers check
 * once. */
#include <string.h>

#include "base/error.h"
#include "gltf/internal.h"

typedef struct member {
    sn_text name;
    sn_text value; /* of an array: its elements, commas between */
    uint32_t count;
    bool array;
} member;

struct sn_gltf_builder {
    const sn_allocator *allocator;
    member *members;
    uint32_t member_count, member_capacity;
    sn_text binary;
    bool failed;
};

sn_gltf_builder *sn_gltf_builder_create(const sn_allocator *allocator) {
    if (!allocator)
        allocator = sn_allocator_default();
    sn_gltf_builder *builder = allocator->resize(allocator->user, NULL, 0, sizeof *builder);
    if (!builder)
        return NULL;
    *builder = (sn_gltf_builder){.allocator = allocator};
    sn_text_init(&builder->binary, allocator);
    return builder;
}

static void free_builder(sn_gltf_builder *builder) {
    const sn_allocator *allocator = builder->allocator;
    for (uint32_t i = 0; i < builder->member_count; i++) {
        sn_text_free(&builder->members[i].name);
        sn_text_free(&builder->members[i].value);
    }
    if (builder->members)
        allocator->resize(allocator->user, builder->members,
                          builder->member_capacity * sizeof *builder->members, 0);
    sn_text_free(&builder->binary);
    allocator->resize(allocator->user, builder, sizeof *builder, 0);
}

/* The member of that name, made on first use; NULL when out of memory. */
static member *find_member(sn_gltf_builder *builder, const char *name, bool array) {
    for (uint32_t i = 0; i < builder->member_count; i++)
        if (!strcmp(builder->members[i].name.data, name))
            return &builder->members[i];
    if (builder->member_count == builder->member_capacity) {
        uint32_t capacity = builder->member_capacity ? 2 * builder->member_capacity : 16;
        member *grown = builder->allocator->resize(builder->allocator->user, builder->members,
                                                   builder->member_capacity * sizeof *grown,
                                                   capacity * sizeof *grown);
        if (!grown) {
            builder->failed = true;
            return NULL;
        }
        builder->members = grown;
        builder->member_capacity = capacity;
    }
    member made = {.array = array};
    sn_text_init(&made.name, builder->allocator);
    sn_text_init(&made.value, builder->allocator);
    sn_text_append(&made.name, name);
    if (made.name.failed) {
        builder->failed = true;
        return NULL;
    }
    builder->members[builder->member_count] = made;
    return &builder->members[builder->member_count++];
}

uint32_t sn_gltf_builder_append(sn_gltf_builder *builder, const char *array, const char *json) {
    member *m = find_member(builder, array, true);
    if (!m)
        return 0;
    if (m->count)
        sn_text_append(&m->value, ",");
    sn_text_append(&m->value, json);
    return m->count++;
}

void sn_gltf_builder_set(sn_gltf_builder *builder, const char *name, const char *json) {
    member *m = find_member(builder, name, false);
    if (!m)
        return;
    sn_text_free(&m->value);
    sn_text_append(&m->value, json);
    m->array = false;
}

/* ---- Accessors ---- */

static double component(const sn_accessor_desc *desc, size_t index) {
    const uint8_t *p =
        (const uint8_t *)desc->data + index * sn_component_size(desc->component_type);
    uint16_t u16;
    uint32_t u32;
    float f32;
    switch (desc->component_type) {
    case 5120:
        return (int8_t)*p;
    case 5121:
        return *p;
    case 5122:
        memcpy(&u16, p, sizeof u16);
        return (int16_t)u16;
    case 5123:
        memcpy(&u16, p, sizeof u16);
        return u16;
    case 5125:
        memcpy(&u32, p, sizeof u32);
        return u32;
    default:
        memcpy(&f32, p, sizeof f32);
        return (double)f32;
    }
}

static void append_bounds(sn_text *json, const sn_accessor_desc *desc, bool largest) {
    sn_text_append(json, largest ? ",\"max\":[" : ",\"min\":[");
    for (uint32_t c = 0; c < desc->component_count; c++) {
        double bound = component(desc, c);
        for (uint32_t i = 1; i < desc->count; i++) {
            double value = component(desc, (size_t)i * desc->component_count + c);
            if (largest ? value > bound : value < bound)
                bound = value;
        }
        sn_text_append(json, c ? "," : "");
        if (desc->component_type == 5126)
            sn_text_append_float(json, (float)bound);
        else
            sn_text_append_double(json, bound);
    }
    sn_text_append(json, "]");
}

/* An element, from the machine's byte order to the file's. */
static void append_element(sn_text *binary, const uint8_t *element, uint32_t count, uint32_t size) {
    for (uint32_t c = 0; c < count; c++, element += size) {
        uint8_t bytes[4];
        for (uint32_t i = 0; i < size; i++)
            bytes[i] = element[sn_is_little_endian() ? i : size - 1 - i];
        sn_text_append_bytes(binary, bytes, size);
    }
}

static void append_data(sn_text *binary, const sn_accessor_desc *desc, size_t pitch) {
    uint32_t size = sn_component_size(desc->component_type);
    size_t element = (size_t)desc->component_count * size;
    const uint8_t *data = desc->data;
    if (pitch == element && sn_is_little_endian()) {
        sn_text_append_bytes(binary, data, element * desc->count);
    } else {
        for (uint32_t i = 0; i < desc->count; i++) {
            append_element(binary, data + i * element, desc->component_count, size);
            sn_text_append_bytes(binary, "\0\0\0", pitch - element);
        }
    }
    while (binary->length % 4 && !binary->failed)
        sn_text_append_bytes(binary, "", 1);
}

uint32_t sn_gltf_builder_accessor(sn_gltf_builder *builder, const sn_accessor_desc *desc) {
    static const char *const types[] = {"SCALAR", "VEC2", "VEC3", "VEC4"};
    size_t element = (size_t)desc->component_count * sn_component_size(desc->component_type);
    /* Vertices start at multiples of 4 (3.6.2.4); all else is tight. */
    size_t pitch = desc->target == 34962 ? (element + 3) & ~(size_t)3 : element;
    size_t start = builder->binary.length;
    append_data(&builder->binary, desc, pitch);
    sn_text view, accessor;
    sn_text_init(&view, builder->allocator);
    sn_text_init(&accessor, builder->allocator);
    sn_text_append(&view, "{\"buffer\":0,\"byteOffset\":");
    sn_text_append_unsigned(&view, start);
    sn_text_append(&view, ",\"byteLength\":");
    sn_text_append_unsigned(&view, pitch * desc->count);
    if (pitch != element) {
        sn_text_append(&view, ",\"byteStride\":");
        sn_text_append_unsigned(&view, pitch);
    }
    if (desc->target) {
        sn_text_append(&view, ",\"target\":");
        sn_text_append_unsigned(&view, desc->target);
    }
    sn_text_append(&view, "}");
    uint32_t index = 0;
    if (!view.failed) {
        sn_text_append(&accessor, "{\"bufferView\":");
        sn_text_append_unsigned(&accessor,
                                sn_gltf_builder_append(builder, "bufferViews", view.data));
        sn_text_append(&accessor, ",\"componentType\":");
        sn_text_append_unsigned(&accessor, desc->component_type);
        sn_text_append(&accessor, ",\"count\":");
        sn_text_append_unsigned(&accessor, desc->count);
        sn_text_append(&accessor, ",\"type\":\"");
        sn_text_append(&accessor, desc->component_count == 16     ? "MAT4"
                                  : desc->component_count - 1 < 4 ? types[desc->component_count - 1]
                                                                  : "");
        sn_text_append(&accessor, desc->normalized ? "\",\"normalized\":true" : "\"");
        if (desc->write_bounds && desc->count) {
            append_bounds(&accessor, desc, false);
            append_bounds(&accessor, desc, true);
        }
        sn_text_append(&accessor, "}");
    }
    if (!accessor.failed && !view.failed)
        index = sn_gltf_builder_append(builder, "accessors", accessor.data);
    builder->failed |= view.failed || accessor.failed;
    sn_text_free(&view);
    sn_text_free(&accessor);
    return index;
}

/* ---- The file ---- */

static void append_member(sn_text *json, const member *m) {
    sn_text_append(json, json->length > 1 ? "," : "");
    sn_text_append_string(json, m->name.data, m->name.length);
    sn_text_append(json, m->array ? ":[" : ":");
    sn_text_append_bytes(json, m->value.data, m->value.length);
    sn_text_append(json, m->array ? "]" : "");
}

sn_result sn_gltf_builder_finish(sn_gltf_builder *builder, sn_gltf **out, sn_error *error) {
    const sn_allocator *allocator = builder->allocator;
    sn_text buffer, json;
    sn_text_init(&buffer, allocator);
    sn_text_init(&json, allocator);
    if (builder->binary.length) {
        sn_text_append(&buffer, "{\"byteLength\":");
        sn_text_append_unsigned(&buffer, builder->binary.length);
        sn_text_append(&buffer, "}");
        if (!buffer.failed)
            sn_gltf_builder_append(builder, "buffers", buffer.data);
    }
    sn_text_append(&json, "{");
    for (uint32_t i = 0; i < builder->member_count; i++) {
        append_member(&json, &builder->members[i]);
        builder->failed |= builder->members[i].value.failed;
    }
    sn_text_append(&json, "}");
    bool failed = builder->failed || builder->binary.failed || buffer.failed || json.failed;
    sn_glb_chunk chunks[2] = {
        {SN_GLB_JSON, json.data, json.length, false},
        {SN_GLB_BIN, builder->binary.data, builder->binary.length, false},
    };
    uint32_t count = builder->binary.length ? 2 : 1;
    uint64_t size = sn_glb_size(chunks, count);
    uint8_t *bytes = NULL;
    sn_result result = SN_OK;
    if (!failed && size > UINT32_MAX)
        result = sn_fail(error, SN_MESSAGE_LIMIT_SIZE, NULL, "a GLB holds 4 GiB at most");
    else if (!failed)
        bytes = allocator->resize(allocator->user, NULL, 0, (size_t)size);
    if (!result && !bytes)
        result = sn_fail(error, SN_MESSAGE_MEMORY, NULL, "no memory to build the file");
    if (bytes)
        sn_glb_write(chunks, count, bytes);
    sn_text_free(&buffer);
    sn_text_free(&json);
    free_builder(builder);
    sn_gltf_options options = {.allocator = allocator};
    return result ? result
                  : sn_gltf_read_from(bytes, (size_t)size, SN_BYTES_GIVEN, &options, out, error);
}
