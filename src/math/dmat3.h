/* 3 by 3 matrices of doubles, the linear part of an affine. */
#ifndef SN_MATH_DMAT3_H
#define SN_MATH_DMAT3_H

#include <stdbool.h>

#include "math/vec3.h"
#include "sinew/transform.h"

/* By columns. */
typedef struct sn_dmat3 {
    sn_dvec3 columns[3];
} sn_dmat3;

static inline sn_dvec3 sn_dmat3_apply(const sn_dmat3 *m, sn_dvec3 v) {
    const sn_dvec3 *c = m->columns;
    return sn_dvec3_add(sn_dvec3_add(sn_dvec3_scale(c[0], v.x), sn_dvec3_scale(c[1], v.y)),
                        sn_dvec3_scale(c[2], v.z));
}

sn_dvec3 sn_dmat3_apply_transposed(const sn_dmat3 *m, sn_dvec3 v);
sn_dmat3 sn_dmat3_multiply(const sn_dmat3 *left, const sn_dmat3 *right);
double sn_dmat3_determinant(const sn_dmat3 *m);
/* False, and nothing written, for a matrix that has none in double. */
bool sn_dmat3_inverse(const sn_dmat3 *m, sn_dmat3 *out);
sn_dmat3 sn_dmat3_of_affine(const sn_affine *affine);

static inline sn_dvec3 sn_dvec3_of_affine(const sn_affine *affine) { /* its translation */
    const float(*m)[4] = affine->m;
    return (sn_dvec3){(double)m[0][3], (double)m[1][3], (double)m[2][3]};
}

#endif
