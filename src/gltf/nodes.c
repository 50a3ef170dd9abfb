/* Nodes, their tree, and scenes (glTF 2.0, 3.5). */
#include <math.h>

#include "gltf/internal.h"

enum {
    CAMERA,
    CHILDREN,
    SKIN,
    MATRIX,
    MESH,
    ROTATION,
    SCALE,
    TRANSLATION,
    WEIGHTS,
    NAME,
    NODE_MEMBERS
};
static const sn_member node_members[NODE_MEMBERS] = {
    [CAMERA] = SN_MEMBER("camera", SN_IS(NUMBER)),
    [CHILDREN] = SN_MEMBER("children", SN_IS(ARRAY)),
    [SKIN] = SN_MEMBER("skin", SN_IS(NUMBER)),
    [MATRIX] = SN_MEMBER("matrix", SN_IS(ARRAY)),
    [MESH] = SN_MEMBER("mesh", SN_IS(NUMBER)),
    [ROTATION] = SN_MEMBER("rotation", SN_IS(ARRAY)),
    [SCALE] = SN_MEMBER("scale", SN_IS(ARRAY)),
    [TRANSLATION] = SN_MEMBER("translation", SN_IS(ARRAY)),
    [WEIGHTS] = SN_MEMBER("weights", SN_IS(ARRAY)),
    [NAME] = SN_MEMBER("name", SN_IS(STRING)),
};

/* Matrices without a TRS form, gathered before their number is known. */
typedef struct fixed_list {
    uint32_t count, capacity;
    uint32_t *nodes;
    sn_affine *matrices;
} fixed_list;

static sn_result add_fixed(sn_reader *r, fixed_list *list, uint32_t node, const sn_affine *matrix) {
    if (list->count == list->capacity) {
        uint32_t capacity = list->capacity ? list->capacity * 2 : 4;
        uint32_t *nodes = SN_ARENA_NEW(r->arena, uint32_t, capacity);
        sn_affine *matrices = SN_ARENA_NEW(r->arena, sn_affine, capacity);
        if (!nodes || !matrices)
            return sn_reader_no_memory(r);
        for (uint32_t i = 0; i < list->count; i++) {
            nodes[i] = list->nodes[i];
            matrices[i] = list->matrices[i];
        }
        *list = (fixed_list){list->count, capacity, nodes, matrices};
    }
    list->nodes[list->count] = node;
    list->matrices[list->count++] = *matrix;
    return SN_OK;
}

static sn_result read_matrix(sn_reader *r, const uint32_t *values, uint32_t index, sn_node *node,
                             fixed_list *fixed) {
    float m[16];
    sn_result result = sn_reader_floats(r, values[MATRIX], 16, m);
    if (result)
        return result;
    node->has_matrix = true;
    if (values[TRANSLATION] != SN_NONE || values[ROTATION] != SN_NONE || values[SCALE] != SN_NONE)
        sn_reader_warn(r, SN_MESSAGE_NODE_MATRIX, values[MATRIX],
                       "the node has a matrix and translation, rotation or scale: the matrix wins");
    if (m[3] != 0 || m[7] != 0 || m[11] != 0 || m[15] != 1)
        sn_reader_warn(r, SN_MESSAGE_NODE_MATRIX, values[MATRIX],
                       "the last row is not 0 0 0 1 and is taken as such");
    sn_affine affine = sn_affine_from_matrix(m);
    if (sn_affine_decompose(&affine, &node->rest))
        return SN_OK;
    sn_reader_warn(r, SN_MESSAGE_NODE_MATRIX, values[MATRIX],
                   "the matrix shears, so that no translation, rotation and scale give it: the "
                   "node stands still in it");
    return add_fixed(r, fixed, index, &affine);
}

static sn_result read_trs(sn_reader *r, const uint32_t *values, sn_transform *rest) {
    sn_result result = sn_reader_floats(r, values[TRANSLATION], 3, rest->translation);
    if (!result)
        result = sn_reader_floats(r, values[ROTATION], 4, rest->rotation);
    if (!result)
        result = sn_reader_floats(r, values[SCALE], 3, rest->scale);
    if (result || values[ROTATION] == SN_NONE)
        return result;
    double length = 0;
    for (int i = 0; i < 4; i++)
        length += (double)rest->rotation[i] * (double)rest->rotation[i];
    /* Half the tolerance of the Khronos validator, on the square. */
    if (fabs(length - 1) > 5e-4)
        sn_reader_warn(r, SN_MESSAGE_NODE_ROTATION, values[ROTATION],
                       "the quaternion's length is %g; it is used as it is", sqrt(length));
    return SN_OK;
}

static sn_result read_node(sn_reader *r, uint32_t value, uint32_t index, sn_node *node,
                           fixed_list *fixed) {
    sn_gltf *gltf = r->gltf;
    uint32_t values[NODE_MEMBERS];
    sn_result result = sn_reader_members(r, value, node_members, NODE_MEMBERS, values);
    if (!result)
        result = sn_reader_index(r, values[MESH], gltf->count[SN_ROOT_MESHES], "mesh", &node->mesh);
    if (!result)
        result = sn_reader_index(r, values[SKIN], gltf->count[SN_ROOT_SKINS], "skin", &node->skin);
    if (!result)
        result = sn_reader_index(r, values[CAMERA], gltf->count[SN_ROOT_CAMERAS], "camera",
                                 &node->camera);
    if (result)
        return result;
    gltf->node_values[index] = (sn_node_values){values[CHILDREN], values[WEIGHTS]};
    if (node->skin != SN_NONE && node->mesh == SN_NONE)
        sn_reader_warn(r, SN_MESSAGE_NODE_SKIN, values[SKIN],
                       "the node has a skin and no mesh to put it on");
    node->rest = sn_transform_identity();
    node->name = sn_reader_string(r, values[NAME]);
    if (!node->name)
        return sn_reader_no_memory(r);
    return values[MATRIX] == SN_NONE ? read_trs(r, values, &node->rest)
                                     : read_matrix(r, values, index, node, fixed);
}

static sn_result set_parents(sn_reader *r, sn_node *nodes, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t children = r->gltf->node_values[i].children;
        uint32_t child_value = sn_json_first(r->json, children);
        while (child_value != SN_NONE && child_value != r->json->nodes[children].next) {
            uint32_t child;
            sn_result result = sn_reader_index(r, child_value, count, "node", &child);
            if (result)
                return result;
            if (nodes[child].parent != SN_NONE)
                return sn_reader_fail(r, SN_MESSAGE_NODE_PARENT, child_value,
                                      "node %u is a child of node %u already", child,
                                      nodes[child].parent);
            nodes[child].parent = i;
            child_value = r->json->nodes[child_value].next;
        }
    }
    return SN_OK;
}

/* Every node has one parent at most, so what no walk from a root reaches is on a cycle or below
 * one. Walking up, with each node marked by the walk that met it, takes linear time. */
static sn_result check_cycles(sn_reader *r, const sn_node *nodes, uint32_t count) {
    uint32_t *met = SN_ARENA_NEW(r->arena, uint32_t, count);
    if (!met)
        return sn_reader_no_memory(r);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = i;
        for (; at != SN_NONE && !met[at]; at = nodes[at].parent)
            met[at] = i + 1;
        if (at != SN_NONE && met[at] == i + 1) {
            uint32_t value = sn_json_element(r->json, r->gltf->root[SN_ROOT_NODES], at);
            return sn_reader_fail(r, SN_MESSAGE_NODE_CYCLE, value, "node %u is its own ancestor",
                                  at);
        }
    }
    return SN_OK;
}

sn_result sn_reader_nodes(sn_reader *r) {
    sn_gltf *gltf = r->gltf;
    sn_model *model = &gltf->model;
    uint32_t count = gltf->count[SN_ROOT_NODES];
    sn_node *nodes = SN_ARENA_NEW(r->arena, sn_node, count);
    gltf->node_values = SN_ARENA_NEW(r->arena, sn_node_values, count);
    if (!nodes || !gltf->node_values)
        return sn_reader_no_memory(r);
    fixed_list fixed = {0};
    uint32_t value = gltf->root[SN_ROOT_NODES] + 1;
    for (uint32_t i = 0; i < count; i++, value = r->json->nodes[value].next) {
        nodes[i].parent = SN_NONE;
        sn_result result = read_node(r, value, i, &nodes[i], &fixed);
        if (result)
            return result;
    }
    model->nodes = nodes;
    model->node_count = count;
    model->fixed_count = fixed.count;
    model->fixed_nodes = fixed.nodes;
    model->fixed_matrices = fixed.matrices;
    sn_result result = set_parents(r, nodes, count);
    return result ? result : check_cycles(r, nodes, count);
}

/* Morph weights at rest: the node's, else the mesh's, else zeros (glTF 2.0, 3.7.4). */
sn_result sn_reader_node_weights(sn_reader *r) {
    sn_gltf *gltf = r->gltf;
    for (uint32_t i = 0; i < gltf->model.node_count; i++) {
        sn_node *node = (sn_node *)(uintptr_t)&gltf->model.nodes[i];
        uint32_t count = node->mesh == SN_NONE ? 0 : gltf->model.meshes[node->mesh].target_count;
        uint32_t weights = gltf->node_values[i].weights;
        if (weights != SN_NONE && r->json->nodes[weights].count != count) {
            sn_reader_warn(r, SN_MESSAGE_WEIGHTS_COUNT, weights,
                           "%u weights for %u morph targets: the mesh's are used instead",
                           (uint32_t)r->json->nodes[weights].count, count);
            weights = SN_NONE;
        }
        node->weight_count = count;
        if (count == 0)
            continue;
        node->weights = gltf->mesh_weights[node->mesh];
        if (weights == SN_NONE)
            continue;
        float *own = SN_ARENA_NEW(r->arena, float, count);
        if (!own)
            return sn_reader_no_memory(r);
        sn_result result = sn_reader_floats(r, weights, count, own);
        if (result)
            return result;
        node->weights = own;
    }
    return SN_OK;
}

/* ---- Scenes ---- */

static sn_result read_scene(sn_reader *r, uint32_t value, sn_scene *scene) {
    enum { NODES, SCENE_NAME, COUNT };
    static const sn_member members[COUNT] = {
        [NODES] = SN_MEMBER("nodes", SN_IS(ARRAY)),
        [SCENE_NAME] = SN_MEMBER("name", SN_IS(STRING)),
    };
    const sn_model *model = &r->gltf->model;
    uint32_t values[COUNT];
    sn_result result = sn_reader_members(r, value, members, COUNT, values);
    if (!result)
        result = sn_reader_indices(r, values[NODES], model->node_count, "node", &scene->roots,
                                   &scene->root_count);
    if (result)
        return result;
    for (uint32_t i = 0; i < scene->root_count; i++)
        if (model->nodes[scene->roots[i]].parent != SN_NONE)
            sn_reader_warn(r, SN_MESSAGE_SCENE_ROOT, values[NODES],
                           "node %u is a child of node %u, so no root of a scene", scene->roots[i],
                           model->nodes[scene->roots[i]].parent);
    scene->name = sn_reader_string(r, values[SCENE_NAME]);
    return scene->name ? SN_OK : sn_reader_no_memory(r);
}

sn_result sn_reader_scenes(sn_reader *r) {
    sn_gltf *gltf = r->gltf;
    uint32_t count = gltf->count[SN_ROOT_SCENES];
    sn_scene *scenes = SN_ARENA_NEW(r->arena, sn_scene, count);
    if (!scenes)
        return sn_reader_no_memory(r);
    uint32_t value = gltf->root[SN_ROOT_SCENES] + 1;
    for (uint32_t i = 0; i < count; i++, value = r->json->nodes[value].next) {
        sn_result result = read_scene(r, value, &scenes[i]);
        if (result)
            return result;
    }
    gltf->model.scenes = scenes;
    gltf->model.scene_count = count;
    return sn_reader_index(r, gltf->root[SN_ROOT_SCENE], count, "scene",
                           &gltf->model.default_scene);
}
