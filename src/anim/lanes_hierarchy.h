/* Local to world, over SN_LANES joints at once as far as they go. Included by one source an
 * instruction set. */
#include "anim/skeleton.h"

/* A row of the product of two affine matrices; `left` is the same row of the left one. */
SN_INLINE sn_f4 product_row(sn_f4 left, const sn_f4 right[3]) {
    const sn_i4 translation = sn_f4_hidden((sn_i4){0, 0, 0, -1});
    sn_f4 x = SN_SHUFFLE(left, left, 0, 0, 0, 0), y = SN_SHUFFLE(left, left, 1, 1, 1, 1);
    sn_f4 z = SN_SHUFFLE(left, left, 2, 2, 2, 2);
    return x * right[0] + y * right[1] + z * right[2] + (sn_f4)((sn_i4)left & translation);
}

/* `left` is the first of an affine matrix's floats. */
SN_INLINE void store_product(const float *left, const sn_f4 right[3], sn_affine *out) {
    for (int row = 0; row < 3; row++)
        *(sn_f4_unaligned *)out->m[row] = product_row(sn_f4_load(left + row * 4), right);
}

#if SN_LANES == 8

/* Two products at once: `right` has a row of the first in its low half and of the second in its
 * high half. */
SN_INLINE void store_two_products(const float *left_low, const float *left_high,
                                  const sn_vf right[3], sn_affine *out_low, sn_affine *out_high) {
    const sn_vi translation = {0, 0, 0, -1, 0, 0, 0, -1};
    for (int row = 0; row < 3; row++) {
        sn_vf left = sn_join(sn_f4_load(left_low + row * 4), sn_f4_load(left_high + row * 4));
        left = (sn_vf)sn_hidden((sn_vi)left);
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
static __attribute__((noinline)) void update_any(const sn_skeleton *skeleton, const float *pose,
                                                 uint32_t first, uint32_t *fixed,
                                                 const sn_affine *root, sn_affine *world) {
    sn_vf rows[4][3];
    local_rows(pose, rows);
    uint32_t left = skeleton->joint_count - first;
    for (uint32_t lane = 0; lane < SN_LANES && lane < left; lane++) {
        uint32_t joint = first + lane, parent = skeleton->parents[joint];
        const float *local = (const float *)rows[lane % 4] + lane / 4 * 4;
        size_t stride = SN_LANES; /* from a row to the next */
        if (*fixed < skeleton->fixed_count && skeleton->fixed_joints[*fixed] == joint) {
            local = (const float *)&skeleton->fixed_matrices[(*fixed)++];
            stride = 4;
        }
        const sn_f4 right[3] = {sn_f4_load(local), sn_f4_load(local + stride),
                                sn_f4_load(local + 2 * stride)};
        store_product((const float *)(parent == SN_NONE ? root : &world[parent]), right,
                      &world[joint]);
    }
}

/* `parents` are where the parents' matrices are in `world`, in floats. */
SN_INLINE void update_plain(const float *pose, const uint32_t *parents, const float *world,
                            sn_affine *out) {
    sn_vf rows[4][3];
    local_rows(pose, rows);
#if SN_LANES == 8
    for (int lane = 0; lane < 8; lane++) {
        const sn_vf *local = rows[lane % 4];
        const sn_f4 low[3] = {sn_low(local[0]), sn_low(local[1]), sn_low(local[2])};
        const sn_f4 high[3] = {sn_high(local[0]), sn_high(local[1]), sn_high(local[2])};
        store_product(world + parents[lane], lane < 4 ? low : high, &out[lane]);
    }
#else
    for (int lane = 0; lane < 4; lane++)
        store_product(world + parents[lane], rows[lane], &out[lane]);
#endif
}

#if SN_LANES == 8
SN_INLINE void update_pairs(const float *pose, const uint32_t *parents, const float *world,
                            sn_affine *out) {
    sn_vf rows[4][3];
    local_rows(pose, rows);
    for (int k = 0; k < 4; k++)
        store_two_products(world + parents[k], world + parents[k + 4], rows[k], &out[k],
                           &out[k + 4]);
}
#endif

static void hierarchy(const sn_skeleton *skeleton, const float *pose, const sn_affine *root,
                      sn_affine *world) {
    uint32_t fixed = 0;
    const float *floats = (const float *)world;
    for (uint32_t group = 0; group < skeleton->group_count; group++) {
        uint32_t first = group * SN_LANES;
        const uint32_t *parents = skeleton->parent_floats + first;
        switch (skeleton->group_kinds[group]) {
        case SN_GROUP_PLAIN:
            update_plain(pose, parents, floats, world + first);
            break;
#if SN_LANES == 8
        case SN_GROUP_PAIRED:
            update_pairs(pose, parents, floats, world + first);
            break;
#endif
        default:
            update_any(skeleton, pose, first, &fixed, root, world);
        }
        pose += SN_POSE_VECTORS * SN_LANES;
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
        store_two_products((const float *)&left[at[i]], (const float *)&left[at[i + 1]], rows,
                           &out[i], &out[i + 1]);
    }
#endif
    for (; i < count; i++) {
        sn_f4 rows[3];
        for (int row = 0; row < 3; row++)
            rows[row] = sn_f4_load(right[i].m[row]);
        store_product((const float *)&left[at[i]], rows, &out[i]);
    }
}
