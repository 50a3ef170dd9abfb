#include "math/dmat3.h"

sn_dvec3 sn_dmat3_apply_transposed(const sn_dmat3 *m, sn_dvec3 v) {
    return (sn_dvec3){sn_dvec3_dot(m->columns[0], v), sn_dvec3_dot(m->columns[1], v),
                      sn_dvec3_dot(m->columns[2], v)};
}

sn_dmat3 sn_dmat3_multiply(const sn_dmat3 *left, const sn_dmat3 *right) {
    sn_dmat3 out;
    for (int i = 0; i < 3; i++)
        out.columns[i] = sn_dmat3_apply(left, right->columns[i]);
    return out;
}

double sn_dmat3_determinant(const sn_dmat3 *m) {
    return sn_dvec3_dot(m->columns[0], sn_dvec3_cross(m->columns[1], m->columns[2]));
}

bool sn_dmat3_inverse(const sn_dmat3 *m, sn_dmat3 *out) {
    const sn_dvec3 *c = m->columns;
    double reciprocal = 1 / sn_dmat3_determinant(m);
    if (!isfinite(reciprocal))
        return false;
    sn_dvec3 x = sn_dvec3_scale(sn_dvec3_cross(c[1], c[2]), reciprocal);
    sn_dvec3 y = sn_dvec3_scale(sn_dvec3_cross(c[2], c[0]), reciprocal);
    sn_dvec3 z = sn_dvec3_scale(sn_dvec3_cross(c[0], c[1]), reciprocal);
    *out = (sn_dmat3){{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
    return true;
}

sn_dmat3 sn_dmat3_of_affine(const sn_affine *affine) {
    sn_dmat3 out;
    for (int i = 0; i < 3; i++)
        out.columns[i] =
            (sn_dvec3){(double)affine->m[0][i], (double)affine->m[1][i], (double)affine->m[2][i]};
    return out;
}
