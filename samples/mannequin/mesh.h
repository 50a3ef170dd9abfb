/* The surface of the body as triangles. */
#ifndef MANNEQUIN_MESH_H
#define MANNEQUIN_MESH_H

#include "body.h"

#include <stddef.h>

typedef struct {
    int v[3];
} triangle;

/* The left half of the body: x >= 0, open along the middle plane. */
typedef struct {
    int vertex_count, vertex_capacity;
    vec3 *position;
    double *size; /* wanted edge length */
    char *fixed;  /* lies on a line that has been cut */
    int triangle_count, triangle_capacity;
    triangle *triangles;
} mesh;

int mesh_add_vertex(mesh *m, vec3 position, double size);
void mesh_add_triangle(mesh *m, int a, int b, int c);
void mesh_free(mesh *m);

/* Naive surface nets (Gibson 1998) over a grid of `cell` metres. */
void mesh_extract(mesh *m, const body *b, double cell);

/* Brings the edges to a length that follows the curvature, with nearly equilateral triangles
 * (Botsch and Kobbelt 2004, "A remeshing approach to multiresolution modeling"; curvature-driven
 * sizes from Dunyach et al. 2013, "Adaptive remeshing for real-time mesh deformation"). */
void mesh_refine(mesh *m, const body *b);

/* Lays edges along the line where `level` is zero, so that no triangle lies on both sides. */
void mesh_cut(mesh *m, const body *b, double (*level)(const body *, vec3));

/* Adds the mirrored right half; vertices of the middle plane are shared. */
void mesh_mirror(mesh *m);

/* Grows an array; ends the program when memory is out. */
void *mq_grow(void *data, size_t count, size_t size);

#endif
