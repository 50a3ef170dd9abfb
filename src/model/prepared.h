/* What a prepared model holds. Private to the folder. */
#ifndef SN_MODEL_PREPARED_H
#define SN_MODEL_PREPARED_H

#include "sinew/instance.h"

/* The primitives of a mesh as its nodes need them; an entry is NULL where no node does, or where
 * the primitive was read without geometry. */
typedef struct sn_prepared_mesh {
    sn_skin_mesh **skinned; /* for nodes with a skin */
    sn_skin_mesh **rigid;   /* for nodes without */
} sn_prepared_mesh;

/* Morph weights of all nodes: 64 MiB. A mesh of many targets that many nodes use is a small file
 * with a large product, which every instance would have to hold. */
#define SN_MOST_WEIGHTS ((uint32_t)1 << 24)

struct sn_prepared_model {
    sn_arena arena; /* holds the prepared model itself too */
    size_t bytes;
    const sn_model *model;
    sn_skeleton *skeleton;
    sn_skin_binding *skins;
    uint32_t *skin_offsets; /* a skin's first joint matrix, among those of all skins */
    uint32_t joint_matrix_count;
    sn_prepared_mesh *meshes;
    sn_skin_mesh **skin_meshes; /* each once, however many primitives share it */
    uint32_t skin_mesh_count;
    uint32_t *weight_offsets; /* a node's first morph weight, among those of all nodes */
    uint32_t weight_count;
    float *rest_weights;
    size_t scratch_size; /* what the most demanding mesh needs */
};

#endif
