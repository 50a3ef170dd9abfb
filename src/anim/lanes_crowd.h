/* Characters side by side: SN_LANES of them at once, one a lane. A matrix is 12 vectors, row by
 * row. Included by one source an instruction set, behind lanes_hierarchy.h. */
#include <string.h>

enum { CROWD_MATRIX = 12 * SN_LANES, CROWD_JOINT = SN_POSE_VECTORS * SN_LANES };

/* out[k] is lane k of all rows. */
SN_INLINE void transpose_all(const sn_vf rows[SN_LANES], sn_vf out[SN_LANES]) {
#if SN_LANES == 8
    sn_vf low[4], high[4];
    sn_transpose(rows, low);
    sn_transpose(rows + 4, high);
    for (int k = 0; k < 4; k++) {
        out[k] = SN_SHUFFLE(low[k], high[k], 0, 1, 2, 3, 8, 9, 10, 11);
        out[k + 4] = SN_SHUFFLE(low[k], high[k], 4, 5, 6, 7, 12, 13, 14, 15);
    }
#else
    sn_transpose(rows, out);
#endif
}

/* The joints of one group, each with a character a lane where its group has a joint a lane. */
SN_INLINE void crowd_joints(const float *const *poses, size_t group, float *joints) {
    const float *from[SN_LANES];
    for (int i = 0; i < SN_LANES; i++)
        from[i] = poses[i] + group * CROWD_JOINT;
#pragma GCC unroll 10
    for (int vector = 0; vector < SN_POSE_VECTORS; vector++) {
        sn_vf rows[SN_LANES], transposed[SN_LANES];
        for (int i = 0; i < SN_LANES; i++)
            rows[i] = sn_load(from[i] + vector * SN_LANES);
        transpose_all(rows, transposed);
        for (int i = 0; i < SN_LANES; i++)
            sn_store(joints + i * CROWD_JOINT + vector * SN_LANES, transposed[i]);
    }
}

SN_INLINE void crowd_matrices(const sn_affine *const *matrices, float *out) {
    for (int i = 0; i < 12; i++)
        for (int lane = 0; lane < SN_LANES; lane++)
            out[i * SN_LANES + lane] = matrices[lane]->m[i / 4][i % 4];
}

SN_INLINE void splat_matrix(const sn_affine *matrix, sn_vf out[12]) {
    for (int row = 0; row < 3; row++) {
        sn_f4 r = sn_f4_load(matrix->m[row]);
        out[row * 4] = sn_splat_lane(r, 0);
        out[row * 4 + 1] = sn_splat_lane(r, 1);
        out[row * 4 + 2] = sn_splat_lane(r, 2);
        out[row * 4 + 3] = sn_splat_lane(r, 3);
    }
}

/* A row of the product, in the order of operations of product_row; `left` is the same row of the
 * left matrix. */
SN_INLINE void crowd_row(const float *left, const sn_vf right[12], sn_vf out[4]) {
    sn_vf x = sn_load(left), y = sn_load(left + SN_LANES), z = sn_load(left + 2 * SN_LANES);
    for (int column = 0; column < 4; column++)
        out[column] = x * right[column] + y * right[4 + column] + z * right[8 + column] +
                      (column == 3 ? sn_load(left + 3 * SN_LANES) : sn_splat(0));
}

/* `world` begins with the roots: that of a joint is behind the one with its number, and the parent
 * SN_NONE is the first. */
SN_INLINE const float *crowd_world(const float *world, uint32_t joint) {
    return world + (size_t)(uint32_t)(joint + 1) * CROWD_MATRIX;
}

static void crowd_hierarchy(const sn_skeleton *skeleton, const float *const *poses,
                            const sn_affine *const *roots, float *world) {
    _Alignas(sn_vf) float joints[SN_LANES * CROWD_JOINT];
    crowd_matrices(roots, world);
    const uint32_t *parents = skeleton->parents;
    const uint32_t *fixed = skeleton->fixed_joints, *fixed_end = fixed + skeleton->fixed_count;
    const sn_affine *fixed_matrix = skeleton->fixed_matrices;
    uint32_t joint_count = skeleton->joint_count;
    float *out = world + CROWD_MATRIX;
    for (uint32_t first = 0; first < joint_count; first += SN_LANES) {
        crowd_joints(poses, first / SN_LANES, joints);
        uint32_t end = joint_count - first < SN_LANES ? joint_count : first + SN_LANES;
        const float *transform = joints;
        for (uint32_t joint = first; joint < end; joint++) {
            sn_vf local[12];
            if (fixed < fixed_end && *fixed == joint) {
                splat_matrix(fixed_matrix++, local);
                fixed++;
            } else {
                build_matrices(transform, local);
            }
            const float *above = crowd_world(world, parents[joint]);
            for (int row = 0; row < 3; row++) {
                sn_vf product[4];
                crowd_row(above + row * 4 * SN_LANES, local, product);
                for (int column = 0; column < 4; column++)
                    sn_store(out + (row * 4 + column) * SN_LANES, product[column]);
            }
            out += CROWD_MATRIX;
            transform += CROWD_JOINT;
        }
    }
}

/* Row `which` of matrix `at` of each character. */
SN_INLINE void store_crowd_row(const sn_vf row[4], sn_affine *const *out, uint32_t at, int which) {
    sn_vf transposed[4];
    sn_transpose(row, transposed);
    for (int k = 0; k < 4; k++) {
#if SN_LANES == 8
        *(sn_f4_unaligned *)out[k][at].m[which] = sn_low(transposed[k]);
        *(sn_f4_unaligned *)out[k + 4][at].m[which] = sn_high(transposed[k]);
#else
        *(sn_f4_unaligned *)out[k][at].m[which] = transposed[k];
#endif
    }
}

static void crowd_copy(const float *world, const uint32_t *at, uint32_t count,
                       sn_affine *const *out) {
    for (uint32_t i = 0; i < count; i++) {
        const float *matrix = crowd_world(world, at[i]);
        for (int row = 0; row < 3; row++) {
            sn_vf elements[4];
            for (int column = 0; column < 4; column++)
                elements[column] = sn_load(matrix + (row * 4 + column) * SN_LANES);
            store_crowd_row(elements, out, i, row);
        }
    }
}

static void crowd_multiply(const float *world, const uint32_t *at, const sn_affine *right,
                           uint32_t count, sn_affine *const *out) {
    sn_affine *to[SN_LANES]; /* of its own: nothing that is written changes it */
    memcpy(to, out, sizeof to);
    if (!right) {
        crowd_copy(world, at, count, to);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        const float *left = crowd_world(world, at[i]);
        sn_vf elements[12];
        splat_matrix(&right[i], elements);
        for (int row = 0; row < 3; row++) {
            sn_vf product[4];
            crowd_row(left + row * 4 * SN_LANES, elements, product);
            store_crowd_row(product, to, i, row);
        }
    }
}
