#include <float.h>
#include <math.h>

#include "base/error.h"
#include "sinew/instance.h"

typedef struct box {
    float low[3], high[3];
} box;

static void include(box *b, const float point[3]) {
    for (int axis = 0; axis < 3; axis++) {
        if (!(fabsf(point[axis]) <= FLT_MAX)) /* files may hold any bits */
            continue;
        b->low[axis] = fminf(b->low[axis], point[axis]);
        b->high[axis] = fmaxf(b->high[axis], point[axis]);
    }
}

static uint32_t largest_primitive(const sn_model *model) {
    uint32_t most = 0;
    for (uint32_t i = 0; i < model->mesh_count; i++)
        for (uint32_t k = 0; k < model->meshes[i].primitive_count; k++)
            if (model->meshes[i].primitives[k].geometry.vertex_count > most)
                most = model->meshes[i].primitives[k].geometry.vertex_count;
    return most;
}

static void include_node(box *b, sn_instance *instance, const sn_model *model, uint32_t node,
                         float *positions) {
    float matrix[16];
    sn_instance_world_matrix(instance, node, matrix);
    include(b, matrix + 12);
    if (model->nodes[node].mesh == SN_NONE)
        return;
    const sn_mesh *mesh = &model->meshes[model->nodes[node].mesh];
    for (uint32_t i = 0; i < mesh->primitive_count; i++) {
        sn_skin_output out = {.positions = positions};
        if (sn_instance_skin(instance, node, i, &out, NULL))
            continue; /* read without its geometry */
        for (uint32_t v = 0; v < mesh->primitives[i].geometry.vertex_count; v++)
            include(b, positions + (size_t)v * 3);
    }
}

sn_result sn_prepared_model_size(const sn_prepared_model *prepared, const sn_allocator *allocator,
                                 float *out, sn_error *error) {
    const sn_model *model = sn_prepared_model_model(prepared);
    sn_arena arena;
    sn_arena_init(&arena, allocator);
    sn_instance *instance = NULL;
    float *positions = SN_ARENA_NEW(&arena, float, (size_t)largest_primitive(model) * 3);
    sn_result result = positions
                           ? sn_instance_create(prepared, allocator, &instance, error)
                           : sn_fail(error, SN_MESSAGE_MEMORY, NULL, "no memory for the vertices");
    if (!result) {
        box b = {{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};
        for (uint32_t i = 0; i < model->node_count; i++)
            include_node(&b, instance, model, i, positions);
        double square = 0;
        for (int axis = 0; axis < 3; axis++) {
            double extent = fmax(0, (double)b.high[axis] - b.low[axis]);
            square += extent * extent;
        }
        *out = fmaxf((float)(sqrt(square) / 2), FLT_MIN);
    }
    sn_instance_free(instance);
    sn_arena_free(&arena);
    return result;
}
