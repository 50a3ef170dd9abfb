/* How far a limb of two bones reaches, and the triangle at a distance. Lengths in any one unit. */
#ifndef SN_RIG_REACH_H
#define SN_RIG_REACH_H

#include <stdint.h>

#include "sinew/two_bone.h"

typedef struct sn_reach {
    double low, high;                 /* distances that the bones allow */
    double limited_low, limited_high; /* and those that the range of flexion leaves */
    double band;                      /* width of the softening at either end; 0: hard */
} sn_reach;

/* Full extension and full folding are singular: of both, 1e-4 of the shorter bone is kept away. */
sn_reach sn_reach_make(double upper, double fore, const sn_two_bone_options *options);

/* The distance to solve for, and the flags that say why it is another. */
double sn_reach_clamp(const sn_reach *reach, double distance, uint32_t *flags);

/* The middle joint: `along` the line from root to end, and `off` it. */
typedef struct sn_triangle {
    double along, off;
} sn_triangle;

sn_triangle sn_triangle_make(double upper, double fore, double distance);

#endif
