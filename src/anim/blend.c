#include "anim/skeleton.h"

/* The two layers, when that is all there is to blend; `a` has the larger weight. */
typedef struct pair {
    const sn_blend_layer *a, *b;
} pair;

static bool find_pair(const sn_blend_layer *layers, size_t layer_count, pair *out) {
    *out = (pair){0};
    for (size_t i = 0; i < layer_count; i++) {
        const sn_blend_layer *layer = &layers[i];
        if (!(layer->weight > 0))
            continue;
        if (layer->additive || layer->joint_mask || out->b)
            return false;
        if (out->a)
            out->b = layer;
        else
            out->a = layer;
    }
    if (!out->b)
        return false;
    if (out->b->weight > out->a->weight)
        *out = (pair){out->b, out->a};
    return true;
}

void sn_pose_blend(const sn_skeleton *skeleton, sn_pose base, const sn_blend_layer *layers,
                   size_t layer_count, sn_pose out) {
    const sn_kernels *kernels = skeleton->kernels;
    pair two;
    if (find_pair(layers, layer_count, &two)) {
        float share = two.b->weight / (two.a->weight + two.b->weight);
        kernels->blend_two(skeleton->group_count, two.a->pose, two.b->pose, share, out);
    } else
        kernels->blend(skeleton->group_count, base, layers, layer_count, out);
}

uint32_t sn_skeleton_mask_count(const sn_skeleton *skeleton) {
    return skeleton->group_count * skeleton->kernels->lanes;
}

void sn_pose_difference(const sn_skeleton *skeleton, sn_pose pose, sn_pose reference, sn_pose out) {
    skeleton->kernels->difference(skeleton->group_count, pose, reference, out);
}
