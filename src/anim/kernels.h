/* The inner loops over groups of joints, one table of functions an instruction set.
 *
 * Every kernel does the same operations in the same order for each joint, without fused
 * multiply-add and without reassociation, so that all of them give the same bits. */
#ifndef SN_ANIM_KERNELS_H
#define SN_ANIM_KERNELS_H

#include "sinew/pose.h"

/* Vectors of a group in a pose. */
enum { SN_POSE_ROTATION = 0, SN_POSE_TRANSLATION = 4, SN_POSE_SCALE = 7, SN_POSE_VECTORS = 10 };

typedef struct sn_kernels {
    sn_kernel kernel;
    uint32_t lanes;
    const char *name;
    void (*sample)(const sn_clip_view *view, float time, float *pose);
    /* Two layers without masks; b has the share `share`, at most 0.5, a the rest. */
    void (*blend_two)(uint32_t group_count, sn_pose a, sn_pose b, float share, sn_pose out);
    void (*blend)(uint32_t group_count, sn_pose base, const sn_blend_layer *layers,
                  size_t layer_count, sn_pose out);
    void (*difference)(uint32_t group_count, sn_pose pose, sn_pose reference, sn_pose out);
    void (*hierarchy)(const sn_skeleton *skeleton, const float *pose, const sn_affine *root,
                      sn_affine *world);
    /* out[i] = left[at[i]] * right[i] */
    void (*multiply)(const sn_affine *left, const uint32_t *at, const sn_affine *right,
                     uint32_t count, sn_affine *out);
    /* Both for `lanes` characters side by side, one a lane; `poses`, `roots` and `out` have an
     * entry for each of them. `world` holds the roots, then a matrix a joint: 12 vectors, row by
     * row. */
    void (*crowd_hierarchy)(const sn_skeleton *skeleton, const float *const *poses,
                            const sn_affine *const *roots, float *world);
    /* out[lane][i] = world[at[i]] * right[i]; without the factor where `right` is NULL */
    void (*crowd_multiply)(const float *world, const uint32_t *at, const sn_affine *right,
                           uint32_t count, sn_affine *const *out);
} sn_kernels;

/* NULL when this build or this machine lacks it. */
const sn_kernels *sn_kernels_find(sn_kernel kernel);

extern const sn_kernels sn_kernels_scalar;
#if defined(__SSE2__) || defined(__aarch64__) || defined(__wasm_simd128__)
#define SN_HAS_SIMD4 1
extern const sn_kernels sn_kernels_simd4;
#endif
#if defined(__x86_64__)
#define SN_HAS_AVX2 1
extern const sn_kernels sn_kernels_avx2;
#endif

#endif
