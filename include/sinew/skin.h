/* Joint matrices, morphing and CPU skinning. Runtime: allocates only in the create functions. */
#ifndef SINEW_SKIN_H
#define SINEW_SKIN_H

#include "sinew/pose.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The joints of one skin and their inverse bind matrices. Borrowed. */
typedef struct sn_skin_binding {
    uint32_t joint_count;
    const uint32_t *joints;        /* skeleton joints (not nodes), joint_count */
    const sn_affine *inverse_bind; /* joint_count, or NULL: identity */
} sn_skin_binding;

/* out[i] = world[joints[i]] * inverse_bind[i] (glTF 2.0, 3.7.3 Skins). */
void sn_joint_matrices(const sn_skeleton *skeleton, const sn_skin_binding *binding,
                       const sn_affine *world, sn_affine *out);

/* Deltas of one morph target; NULL where the target has none. */
typedef struct sn_morph_target {
    const float *positions; /* vertex_count * 3 */
    const float *normals;   /* vertex_count * 3 */
    const float *tangents;  /* vertex_count * 3 */
} sn_morph_target;

/* Vertex data of one primitive as plain floats, in the mesh's own space. Borrowed. */
typedef struct sn_geometry {
    uint32_t vertex_count;
    const float *positions;   /* vertex_count * 3 */
    const float *normals;     /* vertex_count * 3, or NULL */
    const float *tangents;    /* vertex_count * 4 (w: handedness), or NULL */
    uint32_t influence_count; /* joints a vertex: 4 a JOINTS_n set; 0 when not skinned */
    const uint16_t *joints;   /* vertex_count * influence_count: indices into the skin's joints */
    const float *weights;     /* vertex_count * influence_count */
    uint32_t target_count;
    const sn_morph_target *targets;
} sn_geometry;

/* A geometry prepared for skinning: vertices partitioned by influence count. */
typedef struct sn_skin_mesh sn_skin_mesh;

/* Errors: memory; reference (a joint index beyond joint_count, with the vertex in the text). */
sn_result sn_skin_mesh_create(const sn_geometry *geometry, uint32_t joint_count, sn_kernel kernel,
                              const sn_allocator *allocator, sn_skin_mesh **out, sn_error *error);
void sn_skin_mesh_free(sn_skin_mesh *mesh);
size_t sn_skin_mesh_scratch_size(const sn_skin_mesh *mesh); /* bytes, 64-aligned, for morphing */

typedef struct sn_skin_output {
    float *positions; /* vertex_count * 3, in the file's vertex order */
    float *normals;   /* vertex_count * 3, or NULL; unit length */
    float *tangents;  /* vertex_count * 4, or NULL; xyz unit length */
} sn_skin_output;

/* Morphs by `morph_weights` (target_count, or NULL: none) and skins by joint matrices (or, for a
 * geometry without joints, transforms by `world_if_rigid`). `scratch` as big as
 * sn_skin_mesh_scratch_size says. Weights are used as they are: a sum other than 1 is not
 * normalised. Normals go by the inverse transpose. */
void sn_skin_mesh_update(const sn_skin_mesh *mesh, const sn_affine *joint_matrices,
                         const sn_affine *world_if_rigid, const float *morph_weights, void *scratch,
                         const sn_skin_output *out);

#ifdef __cplusplus
}
#endif
#endif
