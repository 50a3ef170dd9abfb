/* One character: whatever changes from frame to frame. Instances share the model and its
 * prepared data, and nothing else; one belongs to one thread at a time.
 *
 * A prepared model ("rig-ready") is made once: skeleton, skin bindings, skin meshes. */
#ifndef SINEW_INSTANCE_H
#define SINEW_INSTANCE_H

#include "sinew/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Immutable, shared by every instance and thread: the skeleton, the skins bound to it, the meshes
 * ready for skinning. The model must outlive it.
 * Errors: memory; node.cycle; reference, with the primitive as pointer (a vertex that follows a
 * joint its skin does not have); limit.size (more than 2^24 morph weights in all nodes together);
 * argument (a kernel this machine lacks). */
typedef struct sn_prepared_model sn_prepared_model;
sn_result sn_prepared_model_create(const sn_model *model, sn_kernel kernel,
                                   const sn_allocator *allocator, sn_prepared_model **out,
                                   sn_error *error);
void sn_prepared_model_free(sn_prepared_model *prepared);
size_t sn_prepared_model_bytes(const sn_prepared_model *prepared); /* memory, meshes included */
const sn_skeleton *sn_prepared_model_skeleton(const sn_prepared_model *prepared);
const sn_model *sn_prepared_model_model(const sn_prepared_model *prepared);

/* What tolerances are relative to: half the diagonal of the box about all nodes and vertices in the
 * rest pose, in metres, at least a tiny positive number. Errors: memory. */
sn_result sn_prepared_model_size(const sn_prepared_model *prepared, const sn_allocator *allocator,
                                 float *out, sn_error *error);

typedef struct sn_instance sn_instance;
/* The only allocation an instance makes. Starts in the rest pose, with its matrices made. */
sn_result sn_instance_create(const sn_prepared_model *prepared, const sn_allocator *allocator,
                             sn_instance **out, sn_error *error);
void sn_instance_free(sn_instance *instance);
size_t sn_instance_bytes(const sn_instance *instance);

/* Stages, in order; each reads what the one before wrote and allocates nothing. Sampling writes
 * the whole pose and all morph weights. A weights track whose width is not the node's number of
 * morph targets is left out. */
void sn_instance_sample_rest(sn_instance *instance);
void sn_instance_sample_clip(sn_instance *instance, const sn_clip *clip, float time);
/* `view` was made from `clip`, whose weights tracks are sampled from their keys. */
void sn_instance_sample_view(sn_instance *instance, const sn_clip_view *view, const sn_clip *clip,
                             float time);
sn_pose sn_instance_pose(sn_instance *instance); /* local pose, may be changed by the caller */
/* Morph weights of a mesh node, may be changed by the caller; `count` (may be NULL) says how many.
 */
float *sn_instance_weights(sn_instance *instance, uint32_t node, uint32_t *count);
void sn_instance_update_hierarchy(sn_instance *instance, const sn_affine *root);
void sn_instance_update_joint_matrices(sn_instance *instance);

/* Results. Joint order, or by node as column-major 4x4 for other libraries. */
const sn_affine *sn_instance_world(const sn_instance *instance);
void sn_instance_world_matrix(const sn_instance *instance, uint32_t node, float matrix[16]);
const sn_affine *sn_instance_joint_matrices(const sn_instance *instance, uint32_t skin);
/* Computes the joint matrices of one skin into the caller's array, aligned to 16 bytes: what
 * sn_instance_update_joint_matrices does for all skins into the instance's own. */
void sn_instance_write_joint_matrices(const sn_instance *instance, uint32_t skin, sn_affine *out);

/* Skins one primitive of a mesh node into the caller's arrays, in world space. A skinned node's own
 * transform plays no part (glTF 2.0, 3.7.3.1): only its joints move the mesh. A node without a
 * skin, or a primitive without joints, follows the node. Errors: argument (no such primitive, or
 * one read without geometry). */
sn_result sn_instance_skin(sn_instance *instance, uint32_t node, uint32_t primitive,
                           const sn_skin_output *out, sn_error *error);

#ifdef __cplusplus
}
#endif
#endif
