/* Skinning loops, one function an instruction set, all with the same bits. */
#ifndef SN_SKIN_KERNELS_H
#define SN_SKIN_KERNELS_H

#include "anim/kernels.h"
#include "sinew/skin.h"

/* A joint's matrix as four columns of four floats: this is the distance from one to the next. */
enum { SN_PALETTE_FLOATS = 16 };

typedef struct sn_skin_influence {
    uint32_t offset; /* of the joint's matrix in the palette, in floats */
    float weight;
} sn_skin_influence;

/* Vertices with the same number of influences, one after the other. The last one is repeated until
 * there are a multiple of SN_SKIN_BATCH: kernels work on several vertices at once, and writing one
 * twice does no harm. */
enum { SN_SKIN_BATCH = 8 };

typedef struct sn_skin_partition {
    uint32_t first, vertex_count;
    uint32_t influence_count;
    bool is_whole;                       /* one influence, of weight 1 */
    const sn_skin_influence *influences; /* vertex_count * influence_count */
} sn_skin_partition;

typedef struct sn_skin_job {
    const float *palette;
    /* 4 floats a vertex in partition order, and 4 more that may be read. */
    const float *positions; /* x y z 1 */
    const float *normals;   /* x y z 0, or NULL */
    const float *tangents;  /* x y z and handedness, or NULL */
    const uint32_t *order;  /* the file's vertex of each */
    sn_skin_output out;     /* its normals and tangents are NULL where those above are */
} sn_skin_job;

typedef struct sn_skin_kernels {
    void (*skin)(const sn_skin_job *job, const sn_skin_partition *partition);
} sn_skin_kernels;

/* NULL when this build or this machine lacks it. */
const sn_skin_kernels *sn_skin_kernels_find(sn_kernel kernel);

extern const sn_skin_kernels sn_skin_kernels_scalar;
#if defined(SN_HAS_SIMD4)
extern const sn_skin_kernels sn_skin_kernels_simd4;
#endif
#if defined(SN_HAS_AVX2)
extern const sn_skin_kernels sn_skin_kernels_avx2;
#endif

#endif
