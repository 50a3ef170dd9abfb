#include "base/error.h"
#include "sinew/model.h"

sn_result sn_model_skeleton(const sn_model *model, sn_kernel kernel, const sn_allocator *allocator,
                            sn_skeleton **out, sn_error *error) {
    sn_arena scratch;
    sn_arena_init(&scratch, allocator);
    uint32_t *parents = SN_ARENA_NEW(&scratch, uint32_t, model->node_count);
    sn_transform *rest = SN_ARENA_NEW(&scratch, sn_transform, model->node_count);
    sn_result result;
    if (parents && rest) {
        for (uint32_t node = 0; node < model->node_count; node++) {
            parents[node] = model->nodes[node].parent;
            rest[node] = model->nodes[node].rest;
        }
        sn_skeleton_desc desc = {
            .node_count = model->node_count,
            .parents = parents,
            .rest = rest,
            .fixed_count = model->fixed_count,
            .fixed_nodes = model->fixed_nodes,
            .fixed_matrices = model->fixed_matrices,
            .kernel = kernel,
        };
        result = sn_skeleton_create(&desc, allocator, out, error);
    } else {
        result = sn_fail(error, SN_MESSAGE_MEMORY, NULL, "no memory for a skeleton");
    }
    sn_arena_free(&scratch);
    return result;
}
