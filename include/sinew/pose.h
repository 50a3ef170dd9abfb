/* Skeletons, poses, sampling, blending and hierarchy: the runtime.
 *
 * A skeleton is every node of a model, immutable, ordered breadth-first; joints are indices in
 * that order, nodes are indices in the file's order, and the skeleton maps one to the other.
 *
 * A pose holds local translation, rotation and scale of every joint as structure of arrays:
 * groups of `lanes` joints (8 with AVX2, 4 with SSE2, NEON and WebAssembly), ten vectors a group:
 * qx qy qz qw tx ty tz sx sy sz. The lanes past the last joint hold the identity, to within
 * rounding.
 *
 * Every kernel gives the same bits: none fuses a multiplication with an addition or sums in another
 * order.
 *
 * Nothing here allocates except the functions named create. */
#ifndef SINEW_POSE_H
#define SINEW_POSE_H

#include "sinew/memory.h"
#include "sinew/track.h"
#include "sinew/transform.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which instruction set the kernels use. SN_KERNEL_BEST is the widest this machine has. */
typedef enum sn_kernel {
    SN_KERNEL_BEST,
    SN_KERNEL_SCALAR, /* the reference: plain loops, 4 lanes */
    SN_KERNEL_SIMD4,  /* SSE2, NEON or WebAssembly SIMD */
    SN_KERNEL_AVX2
} sn_kernel;

typedef struct sn_skeleton sn_skeleton;

typedef struct sn_skeleton_desc {
    uint32_t node_count;
    const uint32_t *parents;  /* node_count; SN_NONE for a root. Must be free of cycles. */
    const sn_transform *rest; /* node_count */
    /* Nodes whose matrix has no TRS form keep it: local matrices that replace the pose's. */
    uint32_t fixed_count;
    const uint32_t *fixed_nodes;
    const sn_affine *fixed_matrices;
    sn_kernel kernel; /* default: the best */
} sn_skeleton_desc;

/* Errors: memory, node.cycle, reference (a parent or fixed node beyond node_count), argument (a
 * kernel this machine lacks). */
sn_result sn_skeleton_create(const sn_skeleton_desc *desc, const sn_allocator *allocator,
                             sn_skeleton **out, sn_error *error);
void sn_skeleton_free(sn_skeleton *skeleton);
size_t sn_skeleton_bytes(const sn_skeleton *skeleton); /* memory it holds */

uint32_t sn_skeleton_joint_count(const sn_skeleton *skeleton);
uint32_t sn_skeleton_lanes(const sn_skeleton *skeleton);
sn_kernel sn_skeleton_kernel(const sn_skeleton *skeleton);
const char *sn_kernel_name(sn_kernel kernel); /* "scalar", "sse2", "neon", "wasm-simd128", "avx2" */
uint32_t sn_skeleton_joint_of_node(const sn_skeleton *skeleton, uint32_t node);
uint32_t sn_skeleton_node_of_joint(const sn_skeleton *skeleton, uint32_t joint);
uint32_t sn_skeleton_parent(const sn_skeleton *skeleton, uint32_t joint); /* a joint or SN_NONE */

/* ---- Poses: buffers of the caller, aligned to 64 bytes ---- */

typedef struct sn_pose {
    float *data;
} sn_pose;

size_t sn_pose_size(const sn_skeleton *skeleton); /* bytes */
void sn_pose_rest(const sn_skeleton *skeleton, sn_pose pose);
void sn_pose_copy(const sn_skeleton *skeleton, sn_pose to, sn_pose from);
void sn_pose_get(const sn_skeleton *skeleton, sn_pose pose, uint32_t joint, sn_transform *out);
void sn_pose_set(const sn_skeleton *skeleton, sn_pose pose, uint32_t joint,
                 const sn_transform *value);

/* Samples a clip from its own keys: no set-up, binary search, any clip. The reference for
 * sn_clip_view_sample, and the way for a clip that is being edited. Joints without a track take
 * the rest pose; of several tracks with one target the last decides. Morph weights are
 * sn_track_evaluate's. */
void sn_clip_sample(const sn_skeleton *skeleton, const sn_clip *clip, float time, sn_pose out);

/* ---- Clip views: a clip laid out for playing ---- */

typedef struct sn_clip_view sn_clip_view;

/* Times are deduplicated by content; channels that share them become frame-major streams in the
 * pose's own layout, others keep keys of their own with a bucket index. Immutable, shareable. */
sn_result sn_clip_view_create(const sn_skeleton *skeleton, const sn_clip *clip,
                              const sn_allocator *allocator, sn_clip_view **out, sn_error *error);
void sn_clip_view_free(sn_clip_view *view);
size_t sn_clip_view_bytes(const sn_clip_view *view);

/* The pose that sn_clip_sample gives, to within 1e-6 (rotations up to their sign). */
void sn_clip_view_sample(const sn_clip_view *view, float time, sn_pose out);

/* Which of the clip's tracks are morph weights: a view lays out poses only, and spares its users
 * the search. */
const uint32_t *sn_clip_view_weight_tracks(const sn_clip_view *view, uint32_t *count);

/* ---- Blending ---- */

typedef struct sn_blend_layer {
    sn_pose pose;
    float weight;            /* 0 … 1 */
    const float *joint_mask; /* 0 … 1, sn_skeleton_mask_count of them; NULL: all 1 */
    bool additive;           /* the pose is a difference made by sn_pose_difference */
} sn_blend_layer;

/* Weighted mean of the ordinary layers: weights are normalised joint by joint, rotations are
 * brought to one hemisphere, added and made of unit length; a joint that no layer reaches takes
 * `base`. Then the additive layers on top, in order, each by its weight. A layer whose weight is
 * not above 0 is left out. `out` may be any of the inputs. */
void sn_pose_blend(const sn_skeleton *skeleton, sn_pose base, const sn_blend_layer *layers,
                   size_t layer_count, sn_pose out);
uint32_t sn_skeleton_mask_count(const sn_skeleton *skeleton); /* entries of a joint_mask */

/* What leads from the reference to the pose, for additive layers: rotation inverse(reference) *
 * pose, translation the step, scale the ratio (1 where the reference's is 0). */
void sn_pose_difference(const sn_skeleton *skeleton, sn_pose pose, sn_pose reference, sn_pose out);

/* ---- Hierarchy ---- */

/* Stage 4. Local to world for every joint, in joint order; `root` (may be NULL: identity) stands
 * above the roots. `world` is aligned to 64 bytes. */
void sn_hierarchy_update(const sn_skeleton *skeleton, sn_pose pose, const sn_affine *root,
                         sn_affine *world);

#ifdef __cplusplus
}
#endif
#endif
