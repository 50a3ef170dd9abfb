/* Meshes: attributes, influences, morph targets, indices (glTF 2.0, 3.7.2). */
#include <string.h>

#include "gltf/internal.h"

/* What an attribute may be made of: glTF 2.0, 3.7.2.1, widened by KHR_mesh_quantization to any
 * integer of 8 or 16 bits, whether that extension is declared or not. */
typedef struct format {
    uint8_t rows;
    bool small_integers;
} format;

static const char *const attribute_names[] = {"POSITION", "NORMAL", "TANGENT"};
static const format base_formats[] = {{3, true}, {3, true}, {4, true}};
static const format target_formats[] = {{3, true}, {3, true}, {3, true}};

static sn_result check_format(sn_reader *r, uint32_t value, const sn_gltf_accessor *accessor,
                              format wanted) {
    uint32_t size = sn_component_size(accessor->component_type);
    bool good = accessor->rows == wanted.rows && accessor->columns == 1 &&
                (accessor->component_type == 5126 || (wanted.small_integers && size < 4));
    return good ? SN_OK
                : sn_reader_fail(r, SN_MESSAGE_ACCESSOR_TYPE, value,
                                 "this attribute is VEC%u of FLOAT or small integers",
                                 (uint32_t)wanted.rows);
}

/* One of POSITION, NORMAL, TANGENT; NULL where absent. */
static sn_result read_attribute(sn_reader *r, uint32_t object, int which, format wanted,
                                uint32_t vertex_count, const float **out) {
    *out = NULL;
    uint32_t value = sn_json_member(r->json, object, attribute_names[which]), index;
    if (value == SN_NONE)
        return SN_OK;
    sn_result result =
        sn_reader_index(r, value, r->gltf->count[SN_ROOT_ACCESSORS], "accessor", &index);
    if (result)
        return result;
    const sn_gltf_accessor *accessor = &r->gltf->accessors[index];
    result = check_format(r, value, accessor, wanted);
    if (result)
        return result;
    if (accessor->count != vertex_count)
        return sn_reader_fail(r, SN_MESSAGE_MESH_ATTRIBUTE, value,
                              "%u elements; the primitive has %u vertices", accessor->count,
                              vertex_count);
    return sn_reader_decode_floats(r, index, out);
}

/* ---- Influences: JOINTS_n and WEIGHTS_n ---- */

/* n of a member name PREFIXn, SN_NONE for other names. */
static uint32_t set_number(const sn_json *json, uint32_t name, const char *prefix) {
    const sn_json_node *node = &json->nodes[name];
    const char *p = json->text + node->offset + 1, *end = p + node->length - 2;
    size_t length = strlen(prefix);
    if ((size_t)(end - p) <= length || memcmp(p, prefix, length) != 0)
        return SN_NONE;
    p += length;
    if (end - p > 8 || (*p == '0' && end - p > 1))
        return SN_NONE;
    uint32_t number = 0;
    for (; p < end; p++) {
        if (*p < '0' || *p > '9')
            return SN_NONE;
        number = number * 10 + (uint32_t)(*p - '0');
    }
    return number;
}

/* JSON values of the sets 0 … capacity - 1, SN_NONE where absent, in one pass: a file may have
 * any number of them. */
typedef struct influence_sets {
    uint32_t count; /* of whole sets from 0 on */
    uint32_t *joints, *weights;
} influence_sets;

static sn_result find_sets(sn_reader *r, uint32_t attributes, influence_sets *sets) {
    const sn_json *json = r->json;
    uint32_t members = json->nodes[attributes].count, name, most = 0;
    *sets = (influence_sets){0};
    name = attributes + 1;
    for (uint32_t i = 0; i < members; i++, name = json->nodes[name + 1].next)
        most += set_number(json, name, "JOINTS_") != SN_NONE ||
                set_number(json, name, "WEIGHTS_") != SN_NONE;
    if (most == 0)
        return SN_OK;
    sets->joints = SN_ARENA_NEW(r->arena, uint32_t, 2 * (size_t)most);
    if (!sets->joints)
        return sn_reader_no_memory(r);
    sets->weights = sets->joints + most;
    memset(sets->joints, 0xFF, 2 * (size_t)most * sizeof *sets->joints);
    name = attributes + 1;
    for (uint32_t i = 0; i < members; i++, name = json->nodes[name + 1].next) {
        uint32_t joints = set_number(json, name, "JOINTS_");
        uint32_t weights = set_number(json, name, "WEIGHTS_");
        if (joints < most)
            sets->joints[joints] = name + 1;
        if (weights < most)
            sets->weights[weights] = name + 1;
    }
    while (sets->count < most && sets->joints[sets->count] != SN_NONE &&
           sets->weights[sets->count] != SN_NONE)
        sets->count++;
    if (most != 2 * sets->count)
        sn_reader_warn(r, SN_MESSAGE_MESH_ATTRIBUTE, attributes,
                       "JOINTS_n and WEIGHTS_n come in pairs, from 0 on without a gap: %u of %u "
                       "are used",
                       2 * sets->count, most);
    return SN_OK;
}

/* Replaces the sets' JSON values by the accessors they name. */
static sn_result check_sets(sn_reader *r, const influence_sets *sets, uint32_t vertex_count) {
    uint32_t limit = r->gltf->count[SN_ROOT_ACCESSORS];
    for (uint32_t n = 0; n < sets->count; n++) {
        uint32_t values[2] = {sets->joints[n], sets->weights[n]};
        uint32_t *const indices[2] = {&sets->joints[n], &sets->weights[n]};
        for (int i = 0; i < 2; i++) {
            sn_result result = sn_reader_index(r, values[i], limit, "accessor", indices[i]);
            if (result)
                return result;
            const sn_gltf_accessor *a = &r->gltf->accessors[*indices[i]];
            bool small = a->component_type == 5121 || a->component_type == 5123;
            bool good = i == 0 ? small : a->component_type == 5126 || (small && a->normalized);
            if (a->rows != 4 || a->columns != 1 || !good)
                return sn_reader_fail(
                    r, SN_MESSAGE_ACCESSOR_TYPE, values[i],
                    i == 0 ? "joints are VEC4 of UNSIGNED_BYTE or UNSIGNED_SHORT"
                           : "weights are VEC4 of FLOAT or of normalized unsigned integers");
            if (a->count != vertex_count)
                return sn_reader_fail(r, SN_MESSAGE_MESH_ATTRIBUTE, values[i],
                                      "%u elements; the primitive has %u vertices", a->count,
                                      vertex_count);
        }
    }
    return SN_OK;
}

/* Several sets become one list a vertex. */
static sn_result join_sets(sn_reader *r, const influence_sets *sets, sn_geometry *geometry) {
    size_t vertices = geometry->vertex_count, width = 4 * (size_t)sets->count;
    if (vertices && width > SIZE_MAX / 8 / vertices)
        return sn_reader_fail(r, SN_MESSAGE_LIMIT_SIZE, SN_NONE, "too many influences");
    uint16_t *joints = SN_ARENA_NEW(r->arena, uint16_t, vertices *width);
    float *weights = SN_ARENA_NEW(r->arena, float, vertices *width);
    if (!joints || !weights)
        return sn_reader_no_memory(r);
    for (uint32_t n = 0; n < sets->count; n++) {
        const uint16_t *j;
        const float *w;
        sn_result result = sn_reader_decode_joints(r, sets->joints[n], &j);
        if (!result)
            result = sn_reader_decode_floats(r, sets->weights[n], &w);
        if (result)
            return result;
        for (size_t v = 0; v < vertices; v++) {
            memcpy(joints + v * width + 4 * n, j + v * 4, 4 * sizeof *j);
            memcpy(weights + v * width + 4 * n, w + v * 4, 4 * sizeof *w);
        }
    }
    geometry->joints = joints;
    geometry->weights = weights;
    return SN_OK;
}

static sn_result read_influences(sn_reader *r, uint32_t attributes, sn_geometry *geometry) {
    influence_sets sets;
    sn_result result = find_sets(r, attributes, &sets);
    if (!result)
        result = check_sets(r, &sets, geometry->vertex_count);
    if (result || sets.count == 0)
        return result;
    geometry->influence_count = 4 * sets.count;
    if (sets.count == 1) {
        result = sn_reader_decode_joints(r, sets.joints[0], &geometry->joints);
        return result ? result : sn_reader_decode_floats(r, sets.weights[0], &geometry->weights);
    }
    /* Primitives of a mesh often share their vertices. */
    size_t size = sets.count * sizeof *sets.joints;
    if (r->last_set_count != sets.count || memcmp(r->last_sets, sets.joints, size) != 0 ||
        memcmp(r->last_sets + sets.count, sets.weights, size) != 0) {
        uint32_t *copy = SN_ARENA_NEW(r->arena, uint32_t, 2 * (size_t)sets.count);
        if (!copy)
            return sn_reader_no_memory(r);
        memcpy(copy, sets.joints, size);
        memcpy(copy + sets.count, sets.weights, size);
        result = join_sets(r, &sets, geometry);
        if (result)
            return result;
        r->last_sets = copy;
        r->last_set_count = sets.count;
        r->last_influences = *geometry;
    }
    geometry->joints = r->last_influences.joints;
    geometry->weights = r->last_influences.weights;
    return SN_OK;
}

/* ---- Primitives ---- */

static sn_result read_targets(sn_reader *r, uint32_t targets, sn_geometry *geometry) {
    uint32_t count = targets == SN_NONE ? 0 : r->json->nodes[targets].count;
    sn_morph_target *out = SN_ARENA_NEW(r->arena, sn_morph_target, count);
    if (!out)
        return sn_reader_no_memory(r);
    uint32_t target = targets + 1;
    for (uint32_t i = 0; i < count; i++, target = r->json->nodes[target].next) {
        const float **parts[] = {&out[i].positions, &out[i].normals, &out[i].tangents};
        for (int which = 0; which < 3; which++) {
            sn_result result = read_attribute(r, target, which, target_formats[which],
                                              geometry->vertex_count, parts[which]);
            if (result)
                return result;
        }
    }
    geometry->targets = count ? out : NULL;
    geometry->target_count = count;
    return SN_OK;
}

/* One beyond the largest index; looked for once, however many primitives share them. */
static uint32_t index_limit(sn_gltf_accessor *accessor, const uint32_t *indices) {
    if (accessor->index_limit)
        return accessor->index_limit;
    uint32_t largest = 0;
    for (uint32_t i = 0; i < accessor->count; i++)
        if (indices[i] > largest)
            largest = indices[i];
    accessor->index_limit = largest < UINT32_MAX ? largest + 1 : UINT32_MAX;
    return accessor->index_limit;
}

static sn_result read_indices(sn_reader *r, uint32_t value, sn_primitive *primitive) {
    uint32_t index;
    sn_result result =
        sn_reader_index(r, value, r->gltf->count[SN_ROOT_ACCESSORS], "accessor", &index);
    if (result || value == SN_NONE)
        return result;
    sn_gltf_accessor *accessor = &r->gltf->accessors[index];
    uint32_t type = accessor->component_type;
    if (accessor->rows != 1 || accessor->columns != 1 ||
        (type != 5121 && type != 5123 && type != 5125))
        return sn_reader_fail(r, SN_MESSAGE_ACCESSOR_TYPE, value,
                              "indices are SCALAR of an unsigned integer type");
    const uint32_t *indices;
    result = sn_reader_decode_integers(r, index, &indices);
    if (result)
        return result;
    uint32_t vertices = primitive->geometry.vertex_count;
    if (accessor->count && index_limit(accessor, indices) > vertices)
        for (uint32_t i = 0; i < accessor->count; i++)
            if (indices[i] >= vertices)
                return sn_reader_fail(r, SN_MESSAGE_MESH_INDEX, value,
                                      "index %u is vertex %u; the primitive has %u", i, indices[i],
                                      vertices);
    primitive->indices = indices;
    primitive->index_count = accessor->count;
    return SN_OK;
}

static sn_result read_geometry(sn_reader *r, uint32_t attributes, uint32_t targets,
                               uint32_t indices, sn_primitive *primitive) {
    sn_geometry *geometry = &primitive->geometry;
    uint32_t position = sn_json_member(r->json, attributes, "POSITION"), index;
    if (position == SN_NONE)
        return SN_OK; /* nothing to draw or to skin; its other attributes are kept */
    sn_result result =
        sn_reader_index(r, position, r->gltf->count[SN_ROOT_ACCESSORS], "accessor", &index);
    if (result)
        return result;
    geometry->vertex_count = r->gltf->accessors[index].count;
    const float **parts[] = {&geometry->positions, &geometry->normals, &geometry->tangents};
    for (int which = 0; which < 3 && !result; which++)
        result = read_attribute(r, attributes, which, base_formats[which], geometry->vertex_count,
                                parts[which]);
    if (!result)
        result = read_influences(r, attributes, geometry);
    if (!result)
        result = read_targets(r, targets, geometry);
    return result ? result : read_indices(r, indices, primitive);
}

/* Draco's geometry stays closed, unless the file also carries it open: then its accessors have
 * views. */
static bool is_opaque(const sn_reader *r, uint32_t extensions, uint32_t attributes) {
    if (sn_extension_of(r->json, extensions, "KHR_draco_mesh_compression") == SN_NONE)
        return false;
    uint32_t position = sn_json_member(r->json, attributes, "POSITION");
    uint64_t index;
    return position == SN_NONE || !sn_json_unsigned(r->json, position, &index) ||
           index >= r->gltf->count[SN_ROOT_ACCESSORS] || r->gltf->accessors[index].view == SN_NONE;
}

static sn_result read_primitive(sn_reader *r, uint32_t value, sn_primitive *primitive,
                                uint32_t *target_count) {
    enum { ATTRIBUTES, INDICES, MATERIAL, MODE, TARGETS, EXTENSIONS, COUNT };
    static const sn_member members[COUNT] = {
        [ATTRIBUTES] = SN_MEMBER("attributes", SN_IS(OBJECT) | SN_REQUIRED),
        [INDICES] = SN_MEMBER("indices", SN_IS(NUMBER)),
        [MATERIAL] = SN_MEMBER("material", SN_IS(NUMBER)),
        [MODE] = SN_MEMBER("mode", SN_IS(NUMBER)),
        [TARGETS] = SN_MEMBER("targets", SN_IS(ARRAY)),
        [EXTENSIONS] = SN_MEMBER("extensions", SN_IS(OBJECT)),
    };
    uint32_t values[COUNT];
    uint64_t mode = 4;
    sn_result result = sn_reader_members(r, value, members, COUNT, values);
    if (!result)
        result = sn_reader_index(r, values[MATERIAL], r->gltf->count[SN_ROOT_MATERIALS], "material",
                                 &primitive->material);
    if (!result)
        result = sn_reader_size(r, values[MODE], UINT32_MAX, &mode);
    if (result)
        return result;
    primitive->mode = (uint32_t)mode;
    uint32_t targets = values[TARGETS] == SN_NONE ? 0 : r->json->nodes[values[TARGETS]].count;
    if (*target_count == SN_NONE)
        *target_count = targets;
    if (targets != *target_count)
        return sn_reader_fail(
            r, SN_MESSAGE_MESH_TARGETS, values[TARGETS] == SN_NONE ? value : values[TARGETS],
            "%u morph targets; the mesh's first primitive has %u", targets, *target_count);
    primitive->opaque = is_opaque(r, values[EXTENSIONS], values[ATTRIBUTES]);
    if (primitive->opaque)
        sn_reader_warn(r, SN_MESSAGE_GEOMETRY_OPAQUE, value,
                       "the geometry is compressed with Draco: it is kept, not opened");
    if (primitive->opaque || r->options->skip_geometry)
        return SN_OK;
    return read_geometry(r, values[ATTRIBUTES], values[TARGETS], values[INDICES], primitive);
}

static sn_result read_weights(sn_reader *r, uint32_t value, uint32_t target_count,
                              const float **out) {
    float *weights = SN_ARENA_NEW(r->arena, float, target_count);
    if (!weights)
        return sn_reader_no_memory(r);
    *out = weights;
    if (value != SN_NONE && r->json->nodes[value].count != target_count) {
        sn_reader_warn(r, SN_MESSAGE_WEIGHTS_COUNT, value,
                       "%u weights for %u morph targets: zeros are used instead",
                       (uint32_t)r->json->nodes[value].count, target_count);
        return SN_OK;
    }
    return sn_reader_floats(r, value, target_count, weights);
}

static sn_result read_mesh(sn_reader *r, uint32_t value, uint32_t index, sn_mesh *mesh) {
    enum { PRIMITIVES, WEIGHTS, NAME, COUNT };
    static const sn_member members[COUNT] = {
        [PRIMITIVES] = SN_MEMBER("primitives", SN_IS(ARRAY) | SN_REQUIRED),
        [WEIGHTS] = SN_MEMBER("weights", SN_IS(ARRAY)),
        [NAME] = SN_MEMBER("name", SN_IS(STRING)),
    };
    uint32_t values[COUNT], target_count = SN_NONE;
    sn_result result = sn_reader_members(r, value, members, COUNT, values);
    if (result)
        return result;
    mesh->name = sn_reader_string(r, values[NAME]);
    mesh->primitive_count = r->json->nodes[values[PRIMITIVES]].count;
    sn_primitive *primitives = SN_ARENA_NEW(r->arena, sn_primitive, mesh->primitive_count);
    if (!mesh->name || !primitives)
        return sn_reader_no_memory(r);
    mesh->primitives = primitives;
    uint32_t primitive = values[PRIMITIVES] + 1;
    for (uint32_t i = 0; i < mesh->primitive_count; i++) {
        result = read_primitive(r, primitive, &primitives[i], &target_count);
        if (result)
            return result;
        primitive = r->json->nodes[primitive].next;
    }
    mesh->target_count = target_count == SN_NONE ? 0 : target_count;
    return read_weights(r, values[WEIGHTS], mesh->target_count, &r->gltf->mesh_weights[index]);
}

sn_result sn_reader_meshes(sn_reader *r) {
    sn_gltf *gltf = r->gltf;
    uint32_t count = gltf->count[SN_ROOT_MESHES];
    sn_mesh *meshes = SN_ARENA_NEW(r->arena, sn_mesh, count);
    gltf->mesh_weights = SN_ARENA_NEW(r->arena, const float *, count);
    if (!meshes || !gltf->mesh_weights)
        return sn_reader_no_memory(r);
    uint32_t value = gltf->root[SN_ROOT_MESHES] + 1;
    for (uint32_t i = 0; i < count; i++, value = r->json->nodes[value].next) {
        sn_result result = read_mesh(r, value, i, &meshes[i]);
        if (result)
            return result;
    }
    gltf->model.meshes = meshes;
    gltf->model.mesh_count = count;
    return SN_OK;
}
