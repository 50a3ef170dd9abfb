/* The reference: one vertex after the other. The order of every sum is that of the SIMD kernels. */
#include <float.h>
#include <math.h>

#include "skin/kernels.h"

typedef struct vec3 {
    float x, y, z;
} vec3;

/* Columns x y z of the blended matrix, and its translation. */
typedef struct blended {
    vec3 c[4];
} blended;

static blended blend(const float *palette, const sn_skin_influence *influences, uint32_t count) {
    blended out = {0};
    for (uint32_t i = 0; i < count; i++) {
        const float *m = palette + influences[i].offset;
        float w = influences[i].weight;
        for (int c = 0; c < 4; c++) {
            const float *column = m + (size_t)c * 4;
            vec3 part = {column[0] * w, column[1] * w, column[2] * w};
            if (i == 0)
                out.c[c] = part;
            else
                out.c[c] = (vec3){out.c[c].x + part.x, out.c[c].y + part.y, out.c[c].z + part.z};
        }
    }
    return out;
}

static vec3 cross(vec3 a, vec3 b) {
    return (vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static float dot(vec3 a, vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* a * v[0] + b * v[1] + c * v[2] */
static vec3 combine(vec3 a, vec3 b, vec3 c, const float *v) {
    return (vec3){a.x * v[0] + b.x * v[1] + c.x * v[2], a.y * v[0] + b.y * v[1] + c.y * v[2],
                  a.z * v[0] + b.z * v[1] + c.z * v[2]};
}

/* A vector without length stays as it is. */
static void store_unit(vec3 v, float sign, float *out) {
    float square = dot(v, v);
    float reciprocal = 1 / sqrtf(square > FLT_MIN ? square : FLT_MIN);
    reciprocal = copysignf(reciprocal, sign);
    out[0] = v.x * reciprocal;
    out[1] = v.y * reciprocal;
    out[2] = v.z * reciprocal;
}

static void store_position(const blended *m, const float *p, float *out) {
    const vec3 *c = m->c;
    out[0] = (c[0].x * p[0] + c[2].x * p[2]) + (c[1].x * p[1] + c[3].x);
    out[1] = (c[0].y * p[0] + c[2].y * p[2]) + (c[1].y * p[1] + c[3].y);
    out[2] = (c[0].z * p[0] + c[2].z * p[2]) + (c[1].z * p[1] + c[3].z);
}

static void skin(const sn_skin_job *job, const sn_skin_partition *partition) {
    for (uint32_t i = 0; i < partition->vertex_count; i++) {
        size_t from = (size_t)(partition->first + i) * 4, to = job->order[partition->first + i];
        uint32_t count = partition->influence_count;
        blended m = blend(job->palette, partition->influences + (size_t)i * count, count);
        store_position(&m, job->positions + from, job->out.positions + to * 3);
        if (!job->normals && !job->tangents)
            continue;
        /* The cofactors are the inverse transpose times the determinant, whose sign mirroring
         * changes; its size goes with the length. */
        vec3 yz = cross(m.c[1], m.c[2]), zx = cross(m.c[2], m.c[0]), xy = cross(m.c[0], m.c[1]);
        float determinant = dot(m.c[0], yz);
        if (job->normals)
            store_unit(combine(yz, zx, xy, job->normals + from), determinant,
                       job->out.normals + to * 3);
        if (job->tangents) {
            const float *t = job->tangents + from;
            float *out = job->out.tangents + to * 4;
            store_unit(combine(m.c[0], m.c[1], m.c[2], t), 1, out);
            out[3] = signbit(determinant) ? -t[3] : t[3];
        }
    }
}

const sn_skin_kernels sn_skin_kernels_scalar = {.skin = skin};
