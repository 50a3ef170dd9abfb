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

SN_INLINE blended blend(const float *palette, const sn_skin_influence *influences, uint32_t count,
                        bool is_whole) {
    blended out = {0};
    for (uint32_t i = 0; i < count; i++) {
        const float *m = palette + influences[i].offset;
        for (size_t c = 0; c < 16 / SN_LANES; c++) {
            sn_vf column = sn_load(m + c * SN_LANES);
            if (!is_whole)
                column *= influences[i].weight;
            if (i == 0)
                out.columns[c] = column;
            else
                out.columns[c] += column;
        }
    }
    return out;
}

SN_INLINE void store3(float *to, sn_f4 value) {
    memcpy(to, &value, 2 * sizeof *to);
    to[2] = value[2];
}

#if SN_LANES == 8

/* x and y of a position, four times each; z and 1. */
typedef struct spread {
    sn_vi xy, z1;
} spread;

SN_INLINE spread make_spread(void) {
    return (spread){sn_hidden((sn_vi){0, 0, 0, 0, 1, 1, 1, 1}),
                    sn_hidden((sn_vi){2, 2, 2, 2, 3, 3, 3, 3})};
}

SN_INLINE void store_position(const blended *m, const float *position, spread s, float *out) {
    sn_vf xy = sn_load_permuted(position, s.xy), z1 = sn_load_permuted(position, s.z1);
    sn_vf sum = m->columns[0] * xy + m->columns[1] * z1;
    store3(out, sn_low(sum) + sn_high(sum));
}

#else

typedef struct spread {
    char unused;
} spread;

SN_INLINE spread make_spread(void) {
    return (spread){0};
}

SN_INLINE void store_position(const blended *m, const float *position, spread s, float *out) {
    (void)s;
    sn_f4 p = sn_f4_load(position);
    sn_f4 x = SN_SHUFFLE(p, p, 0, 0, 0, 0), y = SN_SHUFFLE(p, p, 1, 1, 1, 1);
    sn_f4 z = SN_SHUFFLE(p, p, 2, 2, 2, 2);
    store3(out, (m->columns[0] * x + m->columns[2] * z) + (m->columns[1] * y + m->columns[3]));
}

#endif

SN_INLINE void skin_positions(const sn_skin_job *job, const sn_skin_partition *partition,
                              uint32_t count, bool is_whole) {
    const float *palette = job->palette, *position = job->positions + (size_t)partition->first * 4;
    const sn_skin_influence *influences = partition->influences;
    const uint32_t *order = job->order + partition->first;
    float *positions = job->out.positions;
    spread s = make_spread();
    size_t vertex_count = partition->vertex_count;
    for (size_t v = 0; v < vertex_count; v++) {
        blended m = blend(palette, influences + v * count, count, is_whole);
        store_position(&m, position + v * 4, s, positions + (size_t)order[v] * 3);
    }
}

/* ---- SN_LANES vertices at once ---- */

/* Vertices between two calls of skin_directions; more where it is a call. */
#if defined(__wasm__)
enum { BATCH = SN_SKIN_BATCH };
#else
enum { BATCH = SN_LANES };
#endif

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

/* What a batch of vertices leaves for the work on all of them: the first three columns of each. */
typedef struct kept_columns {
    _Alignas(32) float rows[3][BATCH][4];
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

/* A batch on its way: pointers at its first vertex, outputs by the file's vertex. */
typedef struct batch {
    const uint32_t *order;
    const float *positions, *normals, *tangents;
    sn_skin_output out;
} batch;

/* SN_LANES vertices of a batch, from the one numbered `at`. */
SN_INLINE void skin_lanes(batch b, const kept_columns *kept, size_t at) {
    sn_vf c0[4], c1[4], c2[4], yz[3], zx[3], xy[3], v[4], out[4];
    sn_f4 rows[SN_LANES];
    gather(kept->rows[0][at], c0);
    gather(kept->rows[1][at], c1);
    gather(kept->rows[2][at], c2);
    /* The cofactors are the inverse transpose times the determinant, whose sign mirroring changes;
     * its size goes with the length. */
    cross(c1, c2, yz);
    sn_vi mirrored = sn_sign(sn_dot3(c0, yz));
    if (b.normals) {
        cross(c2, c0, zx);
        cross(c0, c1, xy);
        gather(b.normals + at * 4, v);
        combine(yz, zx, xy, v, out);
        make_unit(out, mirrored);
        out[3] = out[2]; /* any value */
        scatter(out, rows);
        for (size_t i = 0; i < SN_LANES; i++)
            store3(b.out.normals + (size_t)b.order[at + i] * 3, rows[i]);
    }
    if (b.tangents) {
        gather(b.tangents + at * 4, v);
        combine(c0, c1, c2, v, out);
        make_unit(out, (sn_vi){0});
        out[3] = sn_xor(v[3], mirrored);
        scatter(out, rows);
        for (size_t i = 0; i < SN_LANES; i++)
            *(sn_f4_unaligned *)(b.out.tangents + (size_t)b.order[at + i] * 4) = rows[i];
    }
}

SN_INLINE_IF_CHEAP void skin_directions(batch b, const kept_columns *kept) {
    for (size_t at = 0; at < BATCH; at += SN_LANES)
        skin_lanes(b, kept, at);
}

SN_INLINE void skin_all(const sn_skin_job *job, const sn_skin_partition *partition, uint32_t count,
                        bool is_whole) {
    const float *palette = job->palette;
    const sn_skin_influence *influences = partition->influences;
    size_t skip = (size_t)partition->first * 4;
    batch b = {job->order + partition->first, job->positions + skip,
               job->normals ? job->normals + skip : NULL,
               job->tangents ? job->tangents + skip : NULL, job->out};
    spread s = make_spread();
    for (uint32_t done = 0; done < partition->vertex_count; done += BATCH) {
        kept_columns kept;
        for (size_t i = 0; i < BATCH; i++) {
            blended m = blend(palette, influences, count, is_whole);
            store_position(&m, b.positions + i * 4, s, b.out.positions + (size_t)b.order[i] * 3);
            keep_columns(&m, &kept, i);
            influences += count;
        }
        skin_directions(b, &kept);
        b.order += BATCH;
        b.positions += BATCH * 4;
        if (b.normals)
            b.normals += BATCH * 4;
        if (b.tangents)
            b.tangents += BATCH * 4;
    }
}

SN_INLINE void skin_count(const sn_skin_job *job, const sn_skin_partition *partition,
                          uint32_t count, bool is_whole) {
    if (job->normals || job->tangents)
        skin_all(job, partition, count, is_whole);
    else
        skin_positions(job, partition, count, is_whole);
}

static void skin(const sn_skin_job *job, const sn_skin_partition *partition) {
    switch (partition->influence_count) { /* each usual count becomes code of its own */
    case 1:
        if (partition->is_whole)
            skin_count(job, partition, 1, true);
        else
            skin_count(job, partition, 1, false);
        break;
    case 2:
        skin_count(job, partition, 2, false);
        break;
    case 3:
        skin_count(job, partition, 3, false);
        break;
    case 4:
        skin_count(job, partition, 4, false);
        break;
    default:
        skin_count(job, partition, partition->influence_count, false);
    }
}
