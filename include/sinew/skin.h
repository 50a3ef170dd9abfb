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

/* A geometry prepared for skinning: vertices partitioned by influence count, with copies of all it
 * needs. Immutable, shared by any number of characters and threads. */
typedef struct sn_skin_mesh sn_skin_mesh;

typedef struct sn_skin_mesh_desc {
    const sn_geometry *geometry;
    uint32_t joint_count; /* of the skin; of no meaning for a geometry without joints */
    sn_kernel kernel;     /* default: the best */
} sn_skin_mesh_desc;

/* Influences of weight 0 are dropped, whatever joint they name.
 * Errors: memory; reference (a joint index beyond joint_count, with the vertex in the text);
 * argument (a kernel this machine lacks). */
sn_result sn_skin_mesh_create(const sn_skin_mesh_desc *desc, const sn_allocator *allocator,
                              sn_skin_mesh **out, sn_error *error);
void sn_skin_mesh_free(sn_skin_mesh *mesh);
size_t sn_skin_mesh_bytes(const sn_skin_mesh *mesh);        /* memory it holds */
size_t sn_skin_mesh_scratch_size(const sn_skin_mesh *mesh); /* bytes, for sn_skin_mesh_update */

typedef struct sn_skin_input {
    /* One a joint of the skin; for a geometry without joints one alone, its node's world matrix. */
    const sn_affine *joint_matrices;
    const float *morph_weights; /* target_count, or NULL: none */
    void *scratch;              /* sn_skin_mesh_scratch_size bytes, aligned to 64 */
} sn_skin_input;

/* Arrays of the caller, none of which may overlap. */
typedef struct sn_skin_output {
    float *positions; /* vertex_count * 3, in the file's vertex order */
    float *normals;   /* vertex_count * 3, or NULL; unit length */
    float *tangents;  /* vertex_count * 4, or NULL; xyz unit length */
} sn_skin_output;

/* Morphs, then blends each vertex's matrix from its joints and applies it (glTF 2.0, 3.7.3).
 * Weights are divided by the sum of their magnitudes over all sets, which is what the division by w
 * does to the weighted sum of 4x4 matrices; a vertex without any weight follows its first joint.
 * Normals go by the inverse transpose of the blended matrix, so that they stay square to the
 * surface under scales that differ by axis and outside under mirroring; there a tangent's
 * handedness changes its sign, so that cross(normal, tangent) * w still is the moved bitangent. */
void sn_skin_mesh_update(const sn_skin_mesh *mesh, const sn_skin_input *input,
                         const sn_skin_output *out);

#ifdef __cplusplus
}
#endif
#endif
