/* What was loaded, free of any file format: plain data, immutable once made, shared by every
 * instance. Indices are the file's. */
#ifndef SINEW_MODEL_H
#define SINEW_MODEL_H

#include "sinew/pose.h"
#include "sinew/skin.h"
#include "sinew/track.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sn_node {
    const char *name;      /* "" when the file gives none */
    uint32_t parent;       /* SN_NONE for a root */
    uint32_t mesh;         /* or SN_NONE */
    uint32_t skin;         /* or SN_NONE */
    uint32_t camera;       /* or SN_NONE */
    sn_transform rest;     /* from TRS, or decomposed from the matrix */
    bool has_matrix;       /* the file gives a matrix, so the node must not be animated */
    uint32_t weight_count; /* morph weights at rest: node's, else mesh's, else zeros */
    const float *weights;
} sn_node;

typedef struct sn_primitive {
    uint32_t mode;        /* glTF's: 4 is triangles */
    uint32_t material;    /* or SN_NONE */
    bool opaque;          /* geometry that Sinew cannot decode (Draco): kept, not skinned */
    sn_geometry geometry; /* all zero when read without geometry */
    uint32_t index_count; /* 0: not indexed */
    const uint32_t *indices;
} sn_primitive;

typedef struct sn_mesh {
    const char *name;
    uint32_t primitive_count;
    const sn_primitive *primitives;
    uint32_t target_count; /* morph targets, the same for every primitive */
} sn_mesh;

typedef struct sn_skin {
    const char *name;
    uint32_t joint_count;
    const uint32_t *joints;        /* nodes */
    const sn_affine *inverse_bind; /* joint_count, or NULL: identity */
    uint32_t skeleton_root;        /* a node, or SN_NONE */
} sn_skin;

typedef struct sn_scene {
    const char *name;
    uint32_t root_count;
    const uint32_t *roots; /* nodes */
} sn_scene;

typedef struct sn_model {
    const char *generator; /* asset.generator, "" when absent */
    uint32_t node_count, mesh_count, skin_count, scene_count, clip_count;
    uint32_t default_scene; /* or SN_NONE */
    const sn_node *nodes;
    const sn_mesh *meshes;
    const sn_skin *skins;
    const sn_scene *scenes;
    const sn_clip *clips;
    uint32_t fixed_count; /* nodes whose matrix has no TRS form, and those matrices */
    const uint32_t *fixed_nodes;
    const sn_affine *fixed_matrices;
    /* Modifiers that the file brings, as the JSON text {"modifiers": [{…}, …]} (modifier.h), not
     * looked at yet; NULL: none. */
    const char *modifiers;
    size_t modifiers_length;
} sn_model;

/* A skeleton over every node of the model. */
sn_result sn_model_skeleton(const sn_model *model, sn_kernel kernel, const sn_allocator *allocator,
                            sn_skeleton **out, sn_error *error);

#ifdef __cplusplus
}
#endif
#endif
