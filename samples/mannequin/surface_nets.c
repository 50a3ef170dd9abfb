#include "mesh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *mq_grow(void *data, size_t count, size_t size) {
    void *grown = realloc(data, (count ? count : 1) * size);
    if (!grown) {
        fputs("mannequin: out of memory\n", stderr);
        exit(2);
    }
    return grown;
}

int mesh_add_vertex(mesh *m, vec3 position, double size) {
    if (m->vertex_count == m->vertex_capacity) {
        m->vertex_capacity = m->vertex_capacity ? m->vertex_capacity * 2 : 4096;
        m->position = mq_grow(m->position, (size_t)m->vertex_capacity, sizeof *m->position);
        m->size = mq_grow(m->size, (size_t)m->vertex_capacity, sizeof *m->size);
        m->fixed = mq_grow(m->fixed, (size_t)m->vertex_capacity, 1);
    }
    m->position[m->vertex_count] = position;
    m->size[m->vertex_count] = size;
    m->fixed[m->vertex_count] = 0;
    return m->vertex_count++;
}

void mesh_add_triangle(mesh *m, int a, int b, int c) {
    if (m->triangle_count == m->triangle_capacity) {
        m->triangle_capacity = m->triangle_capacity ? m->triangle_capacity * 2 : 8192;
        m->triangles = mq_grow(m->triangles, (size_t)m->triangle_capacity, sizeof *m->triangles);
    }
    m->triangles[m->triangle_count++] = (triangle){{a, b, c}};
}

void mesh_free(mesh *m) {
    free(m->position);
    free(m->size);
    free(m->fixed);
    free(m->triangles);
    memset(m, 0, sizeof *m);
}

/* Cells are visited one layer of constant height at a time; two slices of samples and two layers of
 * cell vertices are all that is kept. Coarse blocks without surface are not sampled at all. */
#define BLOCK 4

typedef struct {
    const body *b;
    double cell;
    vec3 origin;
    int nx, ny, nz;     /* corners */
    int bx, by, bz;     /* blocks */
    signed char *block; /* 0: has surface, else the sign of the distance */
    double *low, *high; /* samples of the slices below and above the layer */
    int *below, *layer; /* vertices of the cells below and of this layer; -1: none */
} net;

static vec3 corner_position(const net *n, int i, int j, int k) {
    return v3(n->origin.x + i * n->cell, n->origin.y + j * n->cell, n->origin.z + k * n->cell);
}

static void classify_blocks(net *n) {
    double edge = n->cell * BLOCK;
    /* Twice the half diagonal of a block: the field may overestimate distances by that much. */
    double reach = edge * 1.74;
    for (int y = 0; y < n->by; y++)
        for (int z = 0; z < n->bz; z++)
            for (int x = 0; x < n->bx; x++) {
                vec3 centre = v3(n->origin.x + (x + 0.5) * edge, n->origin.y + (y + 0.5) * edge,
                                 n->origin.z + (z + 0.5) * edge);
                double d = body_distance(n->b, centre);
                signed char *block = &n->block[(y * n->bz + z) * n->bx + x];
                *block = fabs(d) < reach ? 0 : d < 0.0 ? -1 : 1;
            }
}

static double sample_corner(const net *n, int i, int j, int k) {
    signed char sign = 1;
    for (int y = (j - 1) / BLOCK; y <= j / BLOCK; y++)
        for (int z = (k - 1) / BLOCK; z <= k / BLOCK; z++)
            for (int x = (i - 1) / BLOCK; x <= i / BLOCK; x++) {
                if (x >= n->bx || y >= n->by || z >= n->bz)
                    continue;
                sign = n->block[(y * n->bz + z) * n->bx + x];
                if (sign == 0)
                    return body_distance(n->b, corner_position(n, i, j, k));
            }
    return sign;
}

/* The mean of the crossings on the cell's edges. */
static int cell_vertex(const net *n, mesh *m, int i, int j, int k) {
    double value[8];
    int negative = 0;
    for (int c = 0; c < 8; c++) {
        const double *slice = c & 2 ? n->high : n->low;
        value[c] = slice[(k + (c >> 2)) * n->nx + i + (c & 1)];
        negative += value[c] < 0.0;
    }
    if (negative == 0 || negative == 8)
        return -1;
    vec3 sum = v3(0.0, 0.0, 0.0);
    int crossings = 0;
    for (int c = 0; c < 8; c++)
        for (int axis = 1; axis < 8; axis <<= 1) {
            int other = c | axis;
            if (other == c || (value[c] < 0.0) == (value[other] < 0.0))
                continue;
            double t = value[c] / (value[c] - value[other]);
            vec3 a = v3(c & 1, (c >> 1) & 1, c >> 2);
            vec3 e = v3(other & 1, (other >> 1) & 1, other >> 2);
            sum = v3_add(sum, v3_lerp(a, e, t));
            crossings++;
        }
    vec3 p = v3_add_scaled(corner_position(n, i, j, k), sum, n->cell / crossings);
    if (i == 0)
        p.x = 0.0;
    return mesh_add_vertex(m, p, n->cell);
}

static void add_quad(mesh *m, int a, int b, int c, int d, int flip) {
    if (flip) {
        int t = b;
        b = d;
        d = t;
    }
    if (v3_distance(m->position[a], m->position[c]) < v3_distance(m->position[b], m->position[d])) {
        mesh_add_triangle(m, a, b, c);
        mesh_add_triangle(m, a, c, d);
    } else {
        mesh_add_triangle(m, b, c, d);
        mesh_add_triangle(m, b, d, a);
    }
}

/* A quad around each edge of the grid that the surface crosses. */
static void connect_layer(const net *n, mesh *m) {
    for (int k = 0; k < n->nz - 1; k++)
        for (int i = 0; i < n->nx - 1; i++) {
            int at = k * n->nx + i;
            double here = n->low[at];
            int inside = here < 0.0;
            if (i > 0 && k > 0 && inside != (n->high[at] < 0.0))
                add_quad(m, n->layer[at - n->nx - 1], n->layer[at - 1], n->layer[at],
                         n->layer[at - n->nx], !inside);
            if (k > 0 && inside != (n->low[at + 1] < 0.0))
                add_quad(m, n->below[at - n->nx], n->layer[at - n->nx], n->layer[at], n->below[at],
                         !inside);
            if (i > 0 && inside != (n->low[at + n->nx] < 0.0))
                add_quad(m, n->below[at - 1], n->layer[at - 1], n->layer[at], n->below[at], inside);
        }
}

void mesh_extract(mesh *m, const body *b, double cell) {
    const vec3 low = {0.0, -0.02, -0.22}, high = {0.74, 1.78, 0.30};
    net n = {.b = b, .cell = cell};
    /* The first layer of cells straddles the middle plane. */
    n.origin = v3(-0.5 * cell, low.y, low.z);
    n.bx = (int)ceil((high.x - n.origin.x) / (cell * BLOCK));
    n.by = (int)ceil((high.y - n.origin.y) / (cell * BLOCK));
    n.bz = (int)ceil((high.z - n.origin.z) / (cell * BLOCK));
    n.nx = n.bx * BLOCK + 1;
    n.ny = n.by * BLOCK + 1;
    n.nz = n.bz * BLOCK + 1;
    size_t slice = (size_t)n.nx * (size_t)n.nz;
    n.block = mq_grow(NULL, (size_t)n.bx * (size_t)n.by * (size_t)n.bz, 1);
    n.low = mq_grow(NULL, slice, sizeof *n.low);
    n.high = mq_grow(NULL, slice, sizeof *n.high);
    n.below = mq_grow(NULL, slice, sizeof *n.below);
    n.layer = mq_grow(NULL, slice, sizeof *n.layer);
    classify_blocks(&n);
    for (size_t i = 0; i < slice; i++) {
        n.high[i] = 1.0;
        n.layer[i] = -1;
    }
    for (int j = 0; j < n.ny - 1; j++) {
        double *free_slice = n.low;
        int *free_layer = n.below;
        n.low = n.high;
        n.high = free_slice;
        n.below = n.layer;
        n.layer = free_layer;
        for (int k = 0; k < n.nz; k++)
            for (int i = 0; i < n.nx; i++)
                n.high[k * n.nx + i] = sample_corner(&n, i, j + 1, k);
        for (int k = 0; k < n.nz - 1; k++)
            for (int i = 0; i < n.nx - 1; i++)
                n.layer[k * n.nx + i] = cell_vertex(&n, m, i, j, k);
        connect_layer(&n, m);
    }
    free(n.block);
    free(n.low);
    free(n.high);
    free(n.below);
    free(n.layer);
}
