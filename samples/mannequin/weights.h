/* Which joints move which part of the skin. */
#ifndef MANNEQUIN_WEIGHTS_H
#define MANNEQUIN_WEIGHTS_H

#include "mesh.h"

#define INFLUENCES 4

typedef struct {
    int joint[INFLUENCES];
    double weight[INFLUENCES]; /* sum 1 */
} influence;

/* Weights of the whole (mirrored) mesh, vertex for vertex; free() it. */
influence *weights_compute(const mesh *m, const body *b);

/* Takes a vertex and its normal from the design pose to the T-pose, so that skinning takes it back
 * exactly. */
void weights_unpose(const influence *w, const body *b, vec3 *position, vec3 *normal);

#endif
