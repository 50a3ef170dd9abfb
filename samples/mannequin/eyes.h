/* The eyes: balls with an iris, each bound to its own joint. */
#ifndef MANNEQUIN_EYES_H
#define MANNEQUIN_EYES_H

#include "skeleton.h"

#include <stdint.h>

#define EYE_RINGS 17
#define EYE_SECTORS 28
#define EYE_VERTICES (EYE_RINGS * (EYE_SECTORS + 1))
#define EYE_TRIANGLES ((EYE_RINGS - 1) * EYE_SECTORS * 2 - 2 * EYE_SECTORS)

/* One eye round the origin, looking along +z. Rings are doubled where the colour changes. */
typedef struct {
    vec3 position[EYE_VERTICES];
    vec3 normal[EYE_VERTICES];
    uint8_t colour[EYE_VERTICES][4]; /* linear */
    int triangle[EYE_TRIANGLES][3];
    int triangle_count;
} eye;

void eye_make(eye *out, double radius);

#endif
