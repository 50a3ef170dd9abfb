#include <string.h>

#include "base/error.h"
#include "model/prepared.h"
#include "model/skin_meshes.h"

static sn_result out_of_memory(sn_error *error) {
    return sn_fail(error, SN_MESSAGE_MEMORY, NULL, "no memory to prepare a model");
}

static void *keep(sn_prepared_model *prepared, size_t count, size_t size) {
    void *memory = sn_arena_alloc(&prepared->arena, count, size);
    if (memory)
        prepared->bytes += count * size;
    return memory;
}

static sn_result bind_skins(sn_prepared_model *prepared, sn_error *error) {
    const sn_model *model = prepared->model;
    prepared->skins = keep(prepared, model->skin_count, sizeof *prepared->skins);
    prepared->skin_offsets = keep(prepared, model->skin_count, sizeof *prepared->skin_offsets);
    if (!prepared->skins || !prepared->skin_offsets)
        return out_of_memory(error);
    for (uint32_t i = 0; i < model->skin_count; i++) {
        const sn_skin *skin = &model->skins[i];
        uint32_t *joints = keep(prepared, skin->joint_count, sizeof *joints);
        if (!joints)
            return out_of_memory(error);
        for (uint32_t j = 0; j < skin->joint_count; j++)
            joints[j] = sn_skeleton_joint_of_node(prepared->skeleton, skin->joints[j]);
        prepared->skins[i] = (sn_skin_binding){skin->joint_count, joints, skin->inverse_bind};
        prepared->skin_offsets[i] = prepared->joint_matrix_count;
        prepared->joint_matrix_count += skin->joint_count;
    }
    return SN_OK;
}

static sn_result place_weights(sn_prepared_model *prepared, sn_error *error) {
    const sn_model *model = prepared->model;
    prepared->weight_offsets = keep(prepared, model->node_count, sizeof *prepared->weight_offsets);
    if (!prepared->weight_offsets)
        return out_of_memory(error);
    for (uint32_t node = 0; node < model->node_count; node++) {
        if (model->nodes[node].weight_count > SN_MOST_WEIGHTS - prepared->weight_count)
            return sn_fail(error, SN_MESSAGE_LIMIT_SIZE, NULL,
                           "the nodes have more than %u morph weights together", SN_MOST_WEIGHTS);
        prepared->weight_offsets[node] = prepared->weight_count;
        prepared->weight_count += model->nodes[node].weight_count;
    }
    prepared->rest_weights = keep(prepared, prepared->weight_count, sizeof(float));
    if (!prepared->rest_weights)
        return out_of_memory(error);
    float *next = prepared->rest_weights;
    for (uint32_t node = 0; node < model->node_count; node++)
        for (uint32_t i = 0; i < model->nodes[node].weight_count; i++)
            *next++ = model->nodes[node].weights[i];
    return SN_OK;
}

/* What the meshes of a model are prepared with. */
typedef struct preparation {
    sn_kernel kernel;
    uint32_t *smallest_skins; /* for each mesh the joints of the smallest skin it is used with */
    sn_skin_meshes made;
} preparation;

static sn_result prepare_primitive(sn_prepared_model *prepared, const sn_skin_mesh_desc *desc,
                                   sn_skin_meshes *made, sn_skin_mesh **out, sn_error *error) {
    if (!desc->geometry->vertex_count)
        return SN_OK;
    sn_skin_mesh **shared = sn_skin_meshes_find(made, desc);
    if (!*shared) {
        sn_result result = sn_skin_mesh_create(desc, prepared->arena.allocator, shared, error);
        if (result)
            return result;
        prepared->skin_meshes[prepared->skin_mesh_count++] = *shared;
        prepared->bytes += sn_skin_mesh_bytes(*shared);
        size_t scratch = sn_skin_mesh_scratch_size(*shared);
        if (scratch > prepared->scratch_size)
            prepared->scratch_size = scratch;
    }
    *out = *shared;
    return SN_OK;
}

/* Vertices of a mesh must not follow a joint beyond them. */
static bool find_smallest_skins(const sn_model *model, uint32_t *smallest) {
    if (!smallest)
        return false;
    memset(smallest, 0xFF, model->mesh_count * sizeof *smallest);
    for (uint32_t node = 0; node < model->node_count; node++) {
        const sn_node *user = &model->nodes[node];
        if (user->mesh != SN_NONE && user->skin != SN_NONE &&
            model->skins[user->skin].joint_count < smallest[user->mesh])
            smallest[user->mesh] = model->skins[user->skin].joint_count;
    }
    return true;
}

static sn_result prepare_mesh(sn_prepared_model *prepared, const sn_node *user, preparation *with,
                              sn_error *error) {
    const sn_mesh *mesh = &prepared->model->meshes[user->mesh];
    sn_prepared_mesh *to = &prepared->meshes[user->mesh];
    bool is_skinned = user->skin != SN_NONE;
    sn_skin_mesh ***list = is_skinned ? &to->skinned : &to->rigid;
    if (*list)
        return SN_OK;
    *list = keep(prepared, mesh->primitive_count, sizeof **list);
    if (!*list)
        return out_of_memory(error);
    uint32_t joint_count = is_skinned ? with->smallest_skins[user->mesh] : 0;
    for (uint32_t i = 0; i < mesh->primitive_count; i++) {
        sn_geometry geometry = mesh->primitives[i].geometry;
        if (!is_skinned)
            geometry.influence_count = 0;
        sn_skin_mesh_desc desc = {&geometry, joint_count, with->kernel};
        sn_result result = prepare_primitive(prepared, &desc, &with->made, &(*list)[i], error);
        if (result) {
            if (error)
                sn_format(error->pointer, sizeof error->pointer, "/meshes/%u/primitives/%u",
                          user->mesh, i);
            return result;
        }
    }
    return SN_OK;
}

/* Skin meshes that are needed at most: for each primitive one with a skin and one without. */
static uint64_t most_skin_meshes(const sn_model *model) {
    uint64_t primitives = 0;
    for (uint32_t i = 0; i < model->mesh_count; i++)
        primitives += model->meshes[i].primitive_count;
    return 2 * primitives;
}

static sn_result prepare_meshes(sn_prepared_model *prepared, sn_kernel kernel, sn_error *error) {
    const sn_model *model = prepared->model;
    sn_arena scratch;
    sn_arena_init(&scratch, prepared->arena.allocator);
    uint64_t most = most_skin_meshes(model);
    preparation with = {.kernel = kernel,
                        .smallest_skins = SN_ARENA_NEW(&scratch, uint32_t, model->mesh_count)};
    prepared->meshes = keep(prepared, model->mesh_count, sizeof *prepared->meshes);
    prepared->skin_meshes = keep(prepared, (size_t)most, sizeof *prepared->skin_meshes);
    sn_result result = SN_OK;
    if (!prepared->meshes || !prepared->skin_meshes ||
        !find_smallest_skins(model, with.smallest_skins) ||
        !sn_skin_meshes_init(&with.made, most, &scratch))
        result = out_of_memory(error);
    for (uint32_t node = 0; node < model->node_count && !result; node++)
        if (model->nodes[node].mesh != SN_NONE)
            result = prepare_mesh(prepared, &model->nodes[node], &with, error);
    sn_arena_free(&scratch);
    return result;
}

sn_result sn_prepared_model_create(const sn_model *model, sn_kernel kernel,
                                   const sn_allocator *allocator, sn_prepared_model **out,
                                   sn_error *error) {
    sn_arena arena;
    sn_arena_init(&arena, allocator);
    sn_prepared_model *prepared = SN_ARENA_NEW(&arena, sn_prepared_model, 1);
    if (!prepared)
        return out_of_memory(error);
    prepared->arena = arena;
    prepared->bytes = sizeof *prepared;
    prepared->model = model;
    sn_result result = sn_model_skeleton(model, kernel, allocator, &prepared->skeleton, error);
    if (!result)
        result = bind_skins(prepared, error);
    if (!result)
        result = place_weights(prepared, error);
    if (!result)
        result = prepare_meshes(prepared, kernel, error);
    if (result) {
        sn_prepared_model_free(prepared);
        return result;
    }
    *out = prepared;
    return SN_OK;
}

void sn_prepared_model_free(sn_prepared_model *prepared) {
    if (!prepared)
        return;
    for (uint32_t i = 0; i < prepared->skin_mesh_count; i++)
        sn_skin_mesh_free(prepared->skin_meshes[i]);
    sn_skeleton_free(prepared->skeleton);
    sn_arena arena = prepared->arena; /* the prepared model lies in its own arena */
    sn_arena_free(&arena);
}

size_t sn_prepared_model_bytes(const sn_prepared_model *prepared) {
    return prepared->bytes + sn_skeleton_bytes(prepared->skeleton);
}

const sn_skeleton *sn_prepared_model_skeleton(const sn_prepared_model *prepared) {
    return prepared->skeleton;
}

const sn_model *sn_prepared_model_model(const sn_prepared_model *prepared) {
    return prepared->model;
}
