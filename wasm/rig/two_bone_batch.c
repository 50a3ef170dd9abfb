/* Two-bone inverse kinematics for many limbs at once. */
#include <stdlib.h>

#include "export.h"
#include "rig/batch.h"

enum { ARRAYS = 4 * 3 + 2 * 4 + 1, LANES = 8 };
#define MOST_LIMBS (1u << 20)

/* In one block with its arrays; `release` frees it. 0 when there is no memory. */
EXPORT(two_bone_batch_create) sn_two_bone_batch *export_two_bone_batch_create(uint32_t count) {
    if (count > MOST_LIMBS)
        return NULL;
    size_t stride = (count + LANES - 1) / LANES * LANES;
    sn_two_bone_batch *batch = calloc(1, sizeof *batch + ARRAYS * stride * sizeof(float));
    if (!batch)
        return NULL;
    float *next = (float *)(void *)(batch + 1);
    const float **inputs[] = {batch->upper, batch->fore, batch->target, batch->pole};
    for (int i = 0; i < 4; i++)
        for (int axis = 0; axis < 3; axis++, next += stride)
            inputs[i][axis] = next;
    float **outputs[] = {batch->root, batch->middle};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 4; k++, next += stride)
            outputs[i][k] = next;
    batch->residual = next;
    batch->count = count;
    return batch;
}

/* The first of the arrays of components, which follow each other in the order of the struct, each
 * as long as the count rounded up to a multiple of 8. */
EXPORT(two_bone_batch_values)
const float *export_two_bone_batch_values(const sn_two_bone_batch *batch) {
    return batch->upper[0];
}

EXPORT(two_bone_batch_solve) void export_two_bone_batch_solve(const sn_two_bone_batch *batch) {
    /* Not by the choice of kernels, which would link all of them. */
    sn_two_bone_batch_simd4(batch);
}
