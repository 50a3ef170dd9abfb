/* Skinning with vectors of SN_LANES floats. Included by one source an instruction set.
 *
 * Positions go vertex by vertex, with the columns of the matrix in vectors. Normals and tangents
 * need cofactors and square roots, so they go SN_LANES vertices at once: the columns of those
 * vertices are kept and turned into one vector for each element. */
#include <float.h>
#include <string.h>

#include "skin/kernels.h"

/* A vertex's matrix: with 8 lanes two columns a vector, with 4 lanes one. */
typedef struct blended {
    sn_vf columns[16 / SN_LANES];
} blended;

SN_INLINE blended blend(const float *palette, const sn_skin_influence *influences, uint32_t count) {
    blended out = {0};
    for (uint32_t i = 0; i < count; i++) {
        const float *m = palette + influences[i].offset;
        for (size_t c = 0; c < 16 / SN_LANES; c++) {
            sn_vf part = sn_load(m + c * SN_LANES) * influences[i].weight;
            if (i == 0)
                out.columns[c] = part;
            else
                out.columns[c] += part;
        }
    }
    return out;
}

SN_INLINE void store3(float *to, sn_f4 value) {
    memcpy(to, &value, 2 * sizeof *to);
    to[2] = value[2];
}

SN_INLINE void store_position(const blended *m, const float *position, float *out) {
    sn_f4 p = sn_f4_load(position);
#if SN_LANES == 8
    sn_vf xy = SN_SHUFFLE(p, p, 0, 0, 0, 0, 1, 1, 1, 1);
    sn_vf z1 = SN_SHUFFLE(p, p, 2, 2, 2, 2, 3, 3, 3, 3);
    sn_vf sum = m->columns[0] * xy + m->columns[1] * z1;
    store3(out, sn_low(sum) + sn_high(sum));
#else
    sn_f4 x = SN_SHUFFLE(p, p, 0, 0, 0, 0), y = SN_SHUFFLE(p, p, 1, 1, 1, 1);
    sn_f4 z = SN_SHUFFLE(p, p, 2, 2, 2, 2);
    store3(out, (m->columns[0] * x + m->columns[2] * z) + (m->columns[1] * y + m->columns[3]));
#endif
}

SN_INLINE void skin_positions(const sn_skin_job *job, const sn_skin_partition *partition,
                              uint32_t count) {
    const sn_skin_influence *influences = partition->influences;
    const float *position = job->positions + (size_t)partition->first * 4;
    const uint32_t *order = job->order + partition->first;
    for (uint32_t v = 0; v < partition->vertex_count; v++) {
        blended m = blend(job->palette, influences, count);
        store_position(&m, position, job->out.positions + (size_t)order[v] * 3);
        influences += count;
        position += 4;
    }
}

/* ---- SN_LANES vertices at once ---- */

/* Rows of 4 floats as 4 vectors of components. */
SN_INLINE void gather(const float *rows, sn_vf out[4]) {
    sn_vf joined[4];
    for (size_t i = 0; i < 4; i++) {
#if SN_LANES == 8
        joined[i] = sn_join(sn_f4_load(rows + i * 4), sn_f4_load(rows + (i + 4) * 4));
#else
        joined[i] = sn_f4_load(rows + i * 4);
#endif
    }
    sn_transpose(joined, out);
}

/* The reverse: row i is what lane i holds. */
SN_INLINE void scatter(const sn_vf components[4], sn_f4 rows[SN_LANES]) {
    sn_vf joined[4];
    sn_transpose(components, joined);
    for (int i = 0; i < 4; i++) {
#if SN_LANES == 8
        rows[i] = sn_low(joined[i]);
        rows[i + 4] = sn_high(joined[i]);
#else
        rows[i] = joined[i];
#endif
    }
}

SN_INLINE void cross(const sn_vf a[3], const sn_vf b[3], sn_vf out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* a * v[0] + b * v[1] + c * v[2] */
SN_INLINE void combine(const sn_vf a[3], const sn_vf b[3], const sn_vf c[3], const sn_vf v[3],
                       sn_vf out[3]) {
    for (int i = 0; i < 3; i++)
        out[i] = a[i] * v[0] + b[i] * v[1] + c[i] * v[2];
}

SN_INLINE void make_unit(sn_vf v[3], sn_vi sign) {
    sn_vf square = sn_dot3(v, v);
    sn_vf reciprocal = sn_xor(1.0f / sn_sqrt(sn_max(square, sn_splat(FLT_MIN))), sign);
    for (int i = 0; i < 3; i++)
        v[i] *= reciprocal;
}

/* What SN_LANES vertices leave for the work on all of them: the first three columns of each. */
typedef struct kept_columns {
    _Alignas(32) float rows[3][SN_LANES][4];
} kept_columns;

SN_INLINE void keep_columns(const blended *m, kept_columns *kept, size_t lane) {
#if SN_LANES == 8
    *(sn_f4 *)kept->rows[0][lane] = sn_low(m->columns[0]);
    *(sn_f4 *)kept->rows[1][lane] = sn_high(m->columns[0]);
    *(sn_f4 *)kept->rows[2][lane] = sn_low(m->columns[1]);
#else
    for (int c = 0; c < 3; c++)
        *(sn_f4 *)kept->rows[c][lane] = m->columns[c];
#endif
}

/* The vertices of a batch; past the last one of a partition it is repeated. */
typedef struct batch {
    uint32_t vertices[SN_LANES]; /* in partition order */
    bool is_whole;
} batch;

SN_INLINE void load_attribute(const float *attribute, const batch *b, sn_vf out[4]) {
    if (b->is_whole) {
        gather(attribute + (size_t)b->vertices[0] * 4, out);
        return;
    }
    float rows[SN_LANES][4];
    for (int i = 0; i < SN_LANES; i++)
        memcpy(rows[i], attribute + (size_t)b->vertices[i] * 4, sizeof rows[i]);
    gather(rows[0], out);
}

SN_INLINE void skin_directions(const sn_skin_job *job, const kept_columns *kept, const batch *b) {
    sn_vf c0[4], c1[4], c2[4], yz[3], zx[3], xy[3], v[4], out[4];
    sn_f4 rows[SN_LANES];
    gather(kept->rows[0][0], c0);
    gather(kept->rows[1][0], c1);
    gather(kept->rows[2][0], c2);
    /* The cofactors are the inverse transpose times the determinant, whose sign mirroring changes;
     * its size goes with the length. */
    cross(c1, c2, yz);
    sn_vi mirrored = sn_sign(sn_dot3(c0, yz));
    if (job->normals) {
        cross(c2, c0, zx);
        cross(c0, c1, xy);
        load_attribute(job->normals, b, v);
        combine(yz, zx, xy, v, out);
        make_unit(out, mirrored);
        out[3] = out[2]; /* any value */
        scatter(out, rows);
        for (int i = 0; i < SN_LANES; i++)
            store3(job->out.normals + (size_t)job->order[b->vertices[i]] * 3, rows[i]);
    }
    if (job->tangents) {
        load_attribute(job->tangents, b, v);
        combine(c0, c1, c2, v, out);
        make_unit(out, (sn_vi){0});
        out[3] = sn_xor(v[3], mirrored);
        scatter(out, rows);
        for (int i = 0; i < SN_LANES; i++)
            *(sn_f4_unaligned *)(job->out.tangents + (size_t)job->order[b->vertices[i]] * 4) =
                rows[i];
    }
}

SN_INLINE void skin_all(const sn_skin_job *job, const sn_skin_partition *partition,
                        uint32_t count) {
    uint32_t last = partition->vertex_count - 1;
    for (uint32_t start = 0; start <= last; start += SN_LANES) {
        kept_columns kept;
        batch b = {.is_whole = last - start >= SN_LANES - 1};
        for (uint32_t i = 0; i < SN_LANES; i++) {
            uint32_t at = i < last - start ? start + i : last;
            uint32_t vertex = partition->first + at;
            b.vertices[i] = vertex;
            blended m = blend(job->palette, partition->influences + (size_t)at * count, count);
            store_position(&m, job->positions + (size_t)vertex * 4,
                           job->out.positions + (size_t)job->order[vertex] * 3);
            keep_columns(&m, &kept, i);
        }
        skin_directions(job, &kept, &b);
    }
}

SN_INLINE void skin_count(const sn_skin_job *job, const sn_skin_partition *partition,
                          uint32_t count) {
    if (job->normals || job->tangents)
        skin_all(job, partition, count);
    else
        skin_positions(job, partition, count);
}

static void skin(const sn_skin_job *job, const sn_skin_partition *partition) {
    switch (partition->influence_count) { /* each usual count becomes code of its own */
    case 1:
        skin_count(job, partition, 1);
        break;
    case 2:
        skin_count(job, partition, 2);
        break;
    case 3:
        skin_count(job, partition, 3);
        break;
    case 4:
        skin_count(job, partition, 4);
        break;
    default:
        skin_count(job, partition, partition->influence_count);
    }
}
