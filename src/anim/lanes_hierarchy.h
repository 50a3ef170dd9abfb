/* Local to world, over SN_LANES joints at once as far as they go. Included by one source an
 * instruction set. */
#include "anim/skeleton.h"

/* A row of the product of two affine matrices; `left` is the same row of the left one. */
SN_INLINE sn_f4 product_row(sn_f4 left, const sn_f4 right[3]) {
    const sn_i4 translation = {0, 0, 0, -1};
    sn_f4 x = SN_SHUFFLE(left, left, 0, 0, 0, 0), y = SN_SHUFFLE(left, left, 1, 1, 1, 1);
    sn_f4 z = SN_SHUFFLE(left, left, 2, 2, 2, 2);
    return x * right[0] + y * right[1] + z * right[2] + (sn_f4)((sn_i4)left & translation);
}

SN_INLINE void store_product(const sn_affine *left, const sn_f4 right[3], sn_affine *out) {
    for (int row = 0; row < 3; row++)
        *(sn_f4_unaligned *)out->m[row] = product_row(sn_f4_load(left->m[row]), right);
}

#if SN_LANES == 8

/* Two products at once: `right` has a row of the first in its low half and of the second in its
 * high half. */
SN_INLINE void store_two_products(const sn_affine *left_low, const sn_affine *left_high,
                                  const sn_vf right[3], sn_affine *out_low, sn_affine *out_high) {
    const sn_vi translation = {0, 0, 0, -1, 0, 0, 0, -1};
    for (int row = 0; row < 3; row++) {
        sn_vf left = sn_join(sn_f4_load(left_low->m[row]), sn_f4_load(left_high->m[row]));
        sn_vf x = SN_SHUFFLE(left, left, 0, 0, 0, 0, 4, 4, 4, 4);
        sn_vf y = SN_SHUFFLE(left, left, 1, 1, 1, 1, 5, 5, 5, 5);
        sn_vf z = SN_SHUFFLE(left, left, 2, 2, 2, 2, 6, 6, 6, 6);
        sn_vf product =
            x * right[0] + y * right[1] + z * right[2] + (sn_vf)((sn_vi)left & translation);
        *(sn_f4_unaligned *)out_low->m[row] = sn_low(product);
        *(sn_f4_unaligned *)out_high->m[row] = sn_high(product);
    }
}

#endif

/* Rotation, translation and scale of a group as the 12 elements of its matrices, row by row. The
 * order of operations is that of sn_affine_from_transform. */
SN_INLINE void build_matrices(const float *pose, sn_vf out[12]) {
    sn_vf x = sn_load(pose), y = sn_load(pose + SN_LANES), z = sn_load(pose + 2 * SN_LANES);
    sn_vf w = sn_load(pose + 3 * SN_LANES);
    sn_vf x2 = x + x, y2 = y + y, z2 = z + z;
    sn_vf xx = x * x2, yy = y * y2, zz = z * z2, xy = x * y2, xz = x * z2, yz = y * z2;
    sn_vf wx = w * x2, wy = w * y2, wz = w * z2;
    const float *translation = pose + SN_POSE_TRANSLATION * SN_LANES;
    const float *scale = pose + SN_POSE_SCALE * SN_LANES;
    sn_vf sx = sn_load(scale), sy = sn_load(scale + SN_LANES), sz = sn_load(scale + 2 * SN_LANES);
    out[0] = (1.0f - (yy + zz)) * sx;
    out[1] = (xy - wz) * sy;
    out[2] = (xz + wy) * sz;
    out[3] = sn_load(translation);
    out[4] = (xy + wz) * sx;
    out[5] = (1.0f - (xx + zz)) * sy;
    out[6] = (yz - wx) * sz;
    out[7] = sn_load(translation + SN_LANES);
    out[8] = (xz - wy) * sx;
    out[9] = (yz + wx) * sy;
    out[10] = (1.0f - (xx + yy)) * sz;
    out[11] = sn_load(translation + 2 * SN_LANES);
}

/* rows[k][r]: row r of the local matrices of lane k, and of lane k + 4 behind it. */
SN_INLINE void local_rows(const float *pose, sn_vf rows[4][3]) {
    sn_vf elements[12], transposed[4];
    build_matrices(pose, elements);
    for (int row = 0; row < 3; row++) {
        sn_transpose(elements + row * 4, transposed);
        for (int k = 0; k < 4; k++)
            rows[k][row] = transposed[k];
    }
}

/* One joint after the other, whatever they are. */
static void update_one_by_one(const sn_skeleton *skeleton, uint32_t first, sn_vf rows[4][3],
                              uint32_t *fixed, const sn_affine *root, sn_affine *world) {
    uint32_t left = skeleton->joint_count - first;
    for (uint32_t lane = 0; lane < SN_LANES && lane < left; lane++) {
        uint32_t joint = first + lane, parent = skeleton->parents[joint];
        sn_f4 local[3];
        for (int row = 0; row < 3; row++) {
#if SN_LANES == 8
            local[row] = lane < 4 ? sn_low(rows[lane][row]) : sn_high(rows[lane - 4][row]);
#else
            local[row] = rows[lane][row];
#endif
        }
        if (*fixed < skeleton->fixed_count && skeleton->fixed_joints[*fixed] == joint) {
            const sn_affine *matrix = &skeleton->fixed_matrices[(*fixed)++];
            for (int row = 0; row < 3; row++)
                local[row] = sn_f4_load(matrix->m[row]);
        }
        store_product(parent == SN_NONE ? root : &world[parent], local, &world[joint]);
    }
}

static void hierarchy(const sn_skeleton *skeleton, const float *pose, const sn_affine *root,
                      sn_affine *world) {
    uint32_t fixed = 0;
    for (uint32_t group = 0; group < skeleton->group_count; group++) {
        sn_vf rows[4][3];
        uint32_t first = group * SN_LANES;
        local_rows(pose + (size_t)first * SN_POSE_VECTORS, rows);
        if (!skeleton->is_plain[group]) {
            update_one_by_one(skeleton, first, rows, &fixed, root, world);
            continue;
        }
        const uint32_t *parents = skeleton->parents + first;
        sn_affine *to = world + first;
        for (uint32_t k = 0; k < 4; k++)
#if SN_LANES == 8
            store_two_products(&world[parents[k]], &world[parents[k + 4]], rows[k], &to[k],
                               &to[k + 4]);
#else
            store_product(&world[parents[k]], rows[k], &to[k]);
#endif
    }
}

static void multiply(const sn_affine *left, const uint32_t *at, const sn_affine *right,
                     uint32_t count, sn_affine *out) {
    uint32_t i = 0;
#if SN_LANES == 8
    for (; i + 2 <= count; i += 2) {
        sn_vf rows[3];
        for (int row = 0; row < 3; row++)
            rows[row] = sn_join(sn_f4_load(right[i].m[row]), sn_f4_load(right[i + 1].m[row]));
        store_two_products(&left[at[i]], &left[at[i + 1]], rows, &out[i], &out[i + 1]);
    }
#endif
    for (; i < count; i++) {
        sn_f4 rows[3];
        for (int row = 0; row < 3; row++)
            rows[row] = sn_f4_load(right[i].m[row]);
        store_product(&left[at[i]], rows, &out[i]);
    }
}
