/* What a skin mesh holds. Private to the folder. */
#ifndef SN_SKIN_SKIN_MESH_H
#define SN_SKIN_SKIN_MESH_H

#include "skin/kernels.h"

/* The vertices that a morph target moves in one attribute; most targets move few. */
typedef struct sn_morph_deltas {
    uint32_t count;
    const uint32_t *vertices; /* in partition order */
    const float *deltas;      /* 4 floats each: x y z 0 */
} sn_morph_deltas;

enum { SN_MORPH_POSITIONS, SN_MORPH_NORMALS, SN_MORPH_TANGENTS, SN_MORPH_ATTRIBUTES };

typedef struct sn_morph {
    sn_morph_deltas attributes[SN_MORPH_ATTRIBUTES];
} sn_morph;

struct sn_skin_mesh {
    sn_arena arena; /* holds the mesh itself too */
    size_t bytes;
    const sn_skin_kernels *kernels;
    uint32_t vertex_count;                  /* in the partitions, repeated ones included */
    uint32_t *order;                        /* partition order -> the file's */
    float *attributes[SN_MORPH_ATTRIBUTES]; /* 4 floats a vertex in partition order, or NULL */
    uint32_t partition_count;
    sn_skin_partition *partitions;
    uint32_t palette_count; /* joints that some vertex follows */
    uint32_t *palette_joints;
    uint32_t target_count;
    sn_morph *targets;
};

#endif
