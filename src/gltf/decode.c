/* Accessors into plain arrays (glTF 2.0, 3.6.2). */
#include <string.h>

#include "gltf/internal.h"

static uint32_t load_component(const uint8_t *p, uint32_t size) {
    uint32_t bits = p[0];
    if (size > 1)
        bits |= (uint32_t)p[1] << 8;
    if (size > 2)
        bits |= (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
    return bits;
}

/* glTF 2.0, 3.6.2.2: the integer formats of normalized components. */
static float to_float(uint32_t bits, uint32_t component_type, bool normalized) {
    float value;
    switch (component_type) {
    case 5120:
        value = (float)(int8_t)bits;
        return !normalized ? value : value < -127 ? -1.0f : value / 127.0f;
    case 5121:
        return normalized ? (float)bits / 255.0f : (float)bits;
    case 5122:
        value = (float)(int16_t)bits;
        return !normalized ? value : value < -32767 ? -1.0f : value / 32767.0f;
    case 5123:
        return normalized ? (float)bits / 65535.0f : (float)bits;
    case 5125:
        return normalized ? (float)((double)bits / 4294967295.0) : (float)bits;
    default:
        memcpy(&value, &bits, sizeof value);
        return value;
    }
}

/* Elements of one accessor's shape, somewhere in bytes. */
typedef struct source {
    const uint8_t *bytes;
    size_t stride;
    const sn_gltf_accessor *shape;
} source;

static void read_floats(const source *s, size_t element, float *out) {
    const sn_gltf_accessor *a = s->shape;
    uint32_t size = sn_component_size(a->component_type);
    size_t column_stride = sn_column_stride(a);
    const uint8_t *column = s->bytes + element * s->stride;
    for (uint32_t c = 0; c < a->columns; c++, column += column_stride)
        for (uint32_t row = 0; row < a->rows; row++)
            *out++ = to_float(load_component(column + row * size, size), a->component_type,
                              a->normalized);
}

static void read_integers(const source *s, size_t element, uint32_t *out) {
    for (uint32_t i = 0; i < s->shape->rows; i++)
        out[i] = load_component(s->bytes + element * s->stride +
                                    i * sn_component_size(s->shape->component_type),
                                sn_component_size(s->shape->component_type));
}

/* All elements of a vector accessor: as read_floats does for each, in a loop that knows its type.
 */
#define READ_ALL(type, size)                                                                       \
    for (size_t i = 0; i < a->count; i++) {                                                        \
        const uint8_t *p = s->bytes + i * s->stride;                                               \
        for (uint32_t row = 0; row < rows; row++)                                                  \
            *out++ = to_float(load_component(p + row * (size), size), type, normalized);           \
    }                                                                                              \
    break

static void read_all_floats(const source *s, float *out) {
    const sn_gltf_accessor *a = s->shape;
    const uint32_t rows = a->rows;
    const bool normalized = a->normalized;
    switch (a->columns > 1 ? 0 : a->component_type) {
    case 5120:
        READ_ALL(5120, 1);
    case 5121:
        READ_ALL(5121, 1);
    case 5122:
        READ_ALL(5122, 2);
    case 5123:
        READ_ALL(5123, 2);
    case 5126:
        READ_ALL(5126, 4);
    default:
        for (size_t i = 0; i < a->count; i++)
            read_floats(s, i, out + i * rows * a->columns);
    }
}

/* ---- Sparse accessors (glTF 2.0, 3.6.2.3) ---- */

typedef struct sparse {
    uint32_t count;
    sn_gltf_accessor indices; /* shapes, with view and offset */
    sn_gltf_accessor values;
    source index_source, value_source;
} sparse;

static sn_result read_part(sn_reader *r, uint32_t object, sn_gltf_accessor *part, source *out) {
    enum { VIEW, BYTE_OFFSET, COMPONENT_TYPE, COUNT };
    static const sn_member members[COUNT] = {
        [VIEW] = SN_MEMBER("bufferView", SN_IS(NUMBER) | SN_REQUIRED),
        [BYTE_OFFSET] = SN_MEMBER("byteOffset", SN_IS(NUMBER)),
        [COMPONENT_TYPE] = SN_MEMBER("componentType", SN_IS(NUMBER)),
    };
    uint32_t values[COUNT];
    uint64_t offset = 0, type = part->component_type;
    sn_result result = sn_reader_members(r, object, members, COUNT, values);
    if (!result)
        result = sn_reader_index(r, values[VIEW], r->gltf->count[SN_ROOT_BUFFER_VIEWS],
                                 "buffer view", &part->view);
    if (!result)
        result = sn_reader_size(r, values[BYTE_OFFSET], UINT64_MAX, &offset);
    if (!result && !part->component_type) /* indices: a type of their own */
        result = sn_reader_size(r, values[COMPONENT_TYPE], UINT64_MAX, &type);
    if (result)
        return result;
    if (!part->component_type && type != 5121 && type != 5123 && type != 5125)
        return sn_reader_fail(r, SN_MESSAGE_ACCESSOR_TYPE, object,
                              "the componentType of sparse indices is 5121, 5123 or 5125");
    part->component_type = (uint32_t)type;
    part->value = object;
    part->offset = (size_t)offset;
    if (!part->count)
        return SN_OK;
    result = sn_reader_accessor_place(r, part, offset);
    const uint8_t *bytes = NULL;
    if (!result)
        result = sn_reader_view_bytes(r, part->view, &bytes);
    if (!result && bytes)
        *out = (source){bytes + part->offset, sn_accessor_stride(r->gltf, part), part};
    return result;
}

static sn_result read_sparse(sn_reader *r, sn_gltf_accessor *accessor, sparse *out) {
    enum { ELEMENTS, INDICES, VALUES, COUNT };
    static const sn_member members[COUNT] = {
        [ELEMENTS] = SN_MEMBER("count", SN_IS(NUMBER) | SN_REQUIRED),
        [INDICES] = SN_MEMBER("indices", SN_IS(OBJECT) | SN_REQUIRED),
        [VALUES] = SN_MEMBER("values", SN_IS(OBJECT) | SN_REQUIRED),
    };
    uint32_t values[COUNT];
    uint64_t count = 0;
    sn_result result = sn_reader_members(r, accessor->sparse, members, COUNT, values);
    if (!result)
        result = sn_reader_size(r, values[ELEMENTS], accessor->count, &count);
    if (result)
        return result;
    *out = (sparse){.count = (uint32_t)count};
    out->indices = (sn_gltf_accessor){.count = out->count, .rows = 1, .columns = 1};
    out->values = *accessor;
    out->values.count = out->count;
    result = read_part(r, values[INDICES], &out->indices, &out->index_source);
    if (!result)
        result = read_part(r, values[VALUES], &out->values, &out->value_source);
    if (!out->index_source.bytes || !out->value_source.bytes) {
        accessor->missing |= out->count > 0;
        out->count = 0;
    }
    for (uint32_t i = 0; i < out->count && !result; i++) {
        uint32_t index;
        read_integers(&out->index_source, i, &index);
        if (index >= accessor->count)
            result = sn_reader_fail(r, SN_MESSAGE_ACCESSOR_BOUNDS, values[INDICES],
                                    "index %u is beyond the accessor's %u elements", index,
                                    accessor->count);
    }
    return result;
}

/* ---- What others ask for ---- */

/* The accessor's own bytes; NULL for one that is zeros, for want of a view or of bytes. */
static sn_result find_source(sn_reader *r, sn_gltf_accessor *accessor, source *out) {
    *out = (source){NULL, sn_accessor_stride(r->gltf, accessor), accessor};
    if (accessor->view == SN_NONE || accessor->count == 0)
        return SN_OK;
    const uint8_t *bytes;
    sn_result result = sn_reader_view_bytes(r, accessor->view, &bytes);
    if (!result && bytes)
        out->bytes = bytes + accessor->offset;
    accessor->missing = !out->bytes;
    return result;
}

sn_result sn_reader_decode_floats(sn_reader *r, uint32_t index, const float **out) {
    sn_gltf_accessor *accessor = &r->gltf->accessors[index];
    *out = accessor->floats;
    if (*out)
        return SN_OK;
    source base;
    sn_result result = find_source(r, accessor, &base);
    if (result)
        return result;
    size_t width = (size_t)accessor->rows * accessor->columns;
    bool tight = accessor->component_type == 5126 && base.stride == width * sizeof(float);
    if (tight && base.bytes && accessor->sparse == SN_NONE && sn_is_little_endian() &&
        (uintptr_t)base.bytes % sizeof(float) == 0) {
        *out = accessor->floats = (const float *)(const void *)base.bytes; /* as they are */
        return SN_OK;
    }
    if (accessor->count > SIZE_MAX / 2 / (width * sizeof(float)))
        return sn_reader_fail(r, SN_MESSAGE_LIMIT_SIZE, accessor->value, "too many elements");
    float *floats = SN_ARENA_NEW(r->arena, float, accessor->count *width);
    if (!floats)
        return sn_reader_no_memory(r);
    if (base.bytes)
        read_all_floats(&base, floats);
    if (accessor->sparse != SN_NONE) {
        sparse s;
        result = read_sparse(r, accessor, &s);
        for (uint32_t i = 0; !result && i < s.count; i++) {
            uint32_t element;
            read_integers(&s.index_source, i, &element);
            read_floats(&s.value_source, i, floats + element * width);
        }
    }
    *out = accessor->floats = floats;
    return result;
}

sn_result sn_reader_decode_joints(sn_reader *r, uint32_t index, const uint16_t **out) {
    sn_gltf_accessor *accessor = &r->gltf->accessors[index];
    *out = accessor->joints;
    if (*out)
        return SN_OK;
    source base;
    sn_result result = find_source(r, accessor, &base);
    if (result)
        return result;
    if (accessor->component_type == 5123 && base.stride == 4 * sizeof **out && base.bytes &&
        accessor->sparse == SN_NONE && sn_is_little_endian() &&
        (uintptr_t)base.bytes % sizeof **out == 0) {
        *out = accessor->joints = (const uint16_t *)(const void *)base.bytes;
        return SN_OK;
    }
    uint16_t *joints = SN_ARENA_NEW(r->arena, uint16_t, 4 * (size_t)accessor->count);
    if (!joints)
        return sn_reader_no_memory(r);
    uint32_t four[4];
    for (size_t i = 0; base.bytes && i < accessor->count; i++) {
        read_integers(&base, i, four);
        for (size_t k = 0; k < 4; k++)
            joints[4 * i + k] = (uint16_t)four[k];
    }
    if (accessor->sparse != SN_NONE) {
        sparse s;
        result = read_sparse(r, accessor, &s);
        for (uint32_t i = 0; !result && i < s.count; i++) {
            uint32_t element;
            read_integers(&s.index_source, i, &element);
            read_integers(&s.value_source, i, four);
            for (size_t k = 0; k < 4; k++)
                joints[4 * (size_t)element + k] = (uint16_t)four[k];
        }
    }
    *out = accessor->joints = joints;
    return result;
}

sn_result sn_reader_decode_integers(sn_reader *r, uint32_t index, const uint32_t **out) {
    sn_gltf_accessor *accessor = &r->gltf->accessors[index];
    *out = accessor->integers;
    if (*out)
        return SN_OK;
    source base;
    sn_result result = find_source(r, accessor, &base);
    if (result)
        return result;
    if (accessor->component_type == 5125 && base.stride == 4 && base.bytes &&
        accessor->sparse == SN_NONE && sn_is_little_endian() && (uintptr_t)base.bytes % 4 == 0) {
        *out = accessor->integers = (const uint32_t *)(const void *)base.bytes;
        return SN_OK;
    }
    uint32_t *integers = SN_ARENA_NEW(r->arena, uint32_t, accessor->count);
    if (!integers)
        return sn_reader_no_memory(r);
    for (size_t i = 0; base.bytes && i < accessor->count; i++)
        read_integers(&base, i, integers + i);
    if (accessor->sparse != SN_NONE) {
        sparse s;
        result = read_sparse(r, accessor, &s);
        for (uint32_t i = 0; !result && i < s.count; i++) {
            uint32_t element;
            read_integers(&s.index_source, i, &element);
            read_integers(&s.value_source, i, integers + element);
        }
    }
    *out = accessor->integers = integers;
    return result;
}
