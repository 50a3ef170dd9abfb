/* Accessors and where they may lie (glTF 2.0, 3.6.2). */
#include "gltf/internal.h"

uint32_t sn_component_size(uint32_t component_type) {
    switch (component_type) {
    case 5120: /* BYTE */
    case 5121: /* UNSIGNED_BYTE */
        return 1;
    case 5122: /* SHORT */
    case 5123: /* UNSIGNED_SHORT */
        return 2;
    case 5125: /* UNSIGNED_INT */
    case 5126: /* FLOAT */
        return 4;
    default:
        return 0;
    }
}

size_t sn_column_stride(const sn_gltf_accessor *accessor) {
    size_t column = accessor->rows * sn_component_size(accessor->component_type);
    return accessor->columns > 1 ? (column + 3) & ~(size_t)3 : column;
}

size_t sn_element_size(const sn_gltf_accessor *accessor) {
    return sn_column_stride(accessor) * accessor->columns;
}

/* Without the padding after the last column, which the last element may lack. */
static size_t least_size(const sn_gltf_accessor *accessor) {
    return sn_column_stride(accessor) * (accessor->columns - 1u) +
           accessor->rows * sn_component_size(accessor->component_type);
}

/* Whether `count` elements fit into `length` bytes from `offset`. */
static bool fits(uint64_t offset, uint64_t count, uint64_t stride, uint64_t element,
                 uint64_t length) {
    if (count == 0)
        return offset <= length;
    if (offset > length || element > length - offset)
        return false;
    return count - 1 <= (length - offset - element) / stride;
}

size_t sn_accessor_stride(const sn_gltf *gltf, const sn_gltf_accessor *accessor) {
    uint32_t stride = accessor->view == SN_NONE ? 0 : gltf->views[accessor->view].stride;
    return stride ? stride : sn_element_size(accessor);
}

/* SCALAR, VEC2 … MAT4; false for any other. */
static bool read_shape(const sn_json *json, uint32_t value, sn_gltf_accessor *accessor) {
    static const char *const words[] = {"SCALAR", "VEC3", "VEC4", "VEC2", "MAT4", "MAT3", "MAT2"};
    static const uint8_t rows[] = {1, 3, 4, 2, 4, 3, 2}, columns[] = {1, 1, 1, 1, 4, 3, 2};
    for (int i = 0; i < 7; i++) {
        if (sn_json_equals(json, value, words[i])) {
            accessor->rows = rows[i];
            accessor->columns = columns[i];
            return true;
        }
    }
    return false;
}

static sn_result read_type(sn_reader *r, uint32_t component_type, uint32_t type,
                           sn_gltf_accessor *accessor) {
    uint64_t number = 0;
    sn_result result = sn_reader_size(r, component_type, UINT64_MAX, &number);
    if (result)
        return result;
    accessor->component_type = number <= UINT32_MAX ? (uint32_t)number : 0;
    if (!sn_component_size(accessor->component_type))
        return sn_reader_fail(r, SN_MESSAGE_ACCESSOR_TYPE, component_type,
                              "a component type is 5120, 5121, 5122, 5123, 5125 or 5126");
    if (!read_shape(r->json, type, accessor))
        return sn_reader_fail(r, SN_MESSAGE_ACCESSOR_TYPE, type,
                              "a type is SCALAR, VEC2, VEC3, VEC4, MAT2, MAT3 or MAT4");
    return SN_OK;
}

sn_result sn_reader_accessor_place(sn_reader *r, const sn_gltf_accessor *accessor,
                                   uint64_t offset) {
    const sn_gltf_view *view = &r->gltf->views[accessor->view];
    size_t element = sn_element_size(accessor), stride = sn_accessor_stride(r->gltf, accessor);
    if (!fits(offset, accessor->count, stride, least_size(accessor), view->length))
        return sn_reader_fail(r, SN_MESSAGE_ACCESSOR_BOUNDS, accessor->value,
                              "%u elements of %z bytes, every %z from byte %g, end beyond their "
                              "view's %z bytes",
                              accessor->count, element, stride, (double)offset, view->length);
    if (stride < element)
        sn_reader_warn(r, SN_MESSAGE_BUFFER_VIEW_STRIDE, accessor->value,
                       "elements of %z bytes lie only %z apart", element, stride);
    uint32_t size = sn_component_size(accessor->component_type);
    if (offset % size || view->offset % size)
        sn_reader_warn(r, SN_MESSAGE_ACCESSOR_ALIGNMENT, accessor->value,
                       "components of %u bytes do not lie at a multiple of it", size);
    return SN_OK;
}

static sn_result read_accessor(sn_reader *r, uint32_t value, sn_gltf_accessor *accessor) {
    enum { VIEW, BYTE_OFFSET, COMPONENT_TYPE, NORMALIZED, ELEMENTS, TYPE, MAX, MIN, SPARSE, COUNT };
    static const sn_member members[COUNT] = {
        [VIEW] = SN_MEMBER("bufferView", SN_IS(NUMBER)),
        [BYTE_OFFSET] = SN_MEMBER("byteOffset", SN_IS(NUMBER)),
        [COMPONENT_TYPE] = SN_MEMBER("componentType", SN_IS(NUMBER) | SN_REQUIRED),
        [NORMALIZED] = SN_MEMBER("normalized", SN_IS_BOOL),
        [ELEMENTS] = SN_MEMBER("count", SN_IS(NUMBER) | SN_REQUIRED),
        [TYPE] = SN_MEMBER("type", SN_IS(STRING) | SN_REQUIRED),
        [MAX] = SN_MEMBER("max", SN_IS(ARRAY)),
        [MIN] = SN_MEMBER("min", SN_IS(ARRAY)),
        [SPARSE] = SN_MEMBER("sparse", SN_IS(OBJECT)),
    };
    uint32_t values[COUNT];
    uint64_t offset = 0, count = 0;
    sn_result result = sn_reader_members(r, value, members, COUNT, values);
    if (!result)
        result = sn_reader_index(r, values[VIEW], r->gltf->count[SN_ROOT_BUFFER_VIEWS],
                                 "buffer view", &accessor->view);
    if (!result)
        result = sn_reader_size(r, values[BYTE_OFFSET], UINT64_MAX, &offset);
    if (!result)
        result = sn_reader_size(r, values[ELEMENTS], UINT32_MAX - 1, &count);
    if (!result)
        result = read_type(r, values[COMPONENT_TYPE], values[TYPE], accessor);
    if (result)
        return result;
    accessor->value = value;
    accessor->count = (uint32_t)count;
    accessor->sparse = values[SPARSE];
    uint32_t normalized = values[NORMALIZED];
    accessor->normalized = normalized != SN_NONE && r->json->nodes[normalized].type == SN_JSON_TRUE;
    if (accessor->view == SN_NONE)
        return SN_OK;
    result = sn_reader_accessor_place(r, accessor, offset);
    accessor->offset = (size_t)offset;
    return result;
}

sn_result sn_reader_accessors(sn_reader *r) {
    sn_gltf *gltf = r->gltf;
    uint32_t count = gltf->count[SN_ROOT_ACCESSORS];
    gltf->accessors = SN_ARENA_NEW(r->arena, sn_gltf_accessor, count);
    if (!gltf->accessors)
        return sn_reader_no_memory(r);
    uint32_t value = gltf->root[SN_ROOT_ACCESSORS] + 1;
    for (uint32_t i = 0; i < count; i++, value = r->json->nodes[value].next) {
        sn_result result = read_accessor(r, value, &gltf->accessors[i]);
        if (result)
            return result;
    }
    return SN_OK;
}
