#include "rig/similarity.h"

sn_similarity sn_similarity_of(const sn_dmat3 *m) {
    sn_similarity out = {.is_mirrored = sn_dmat3_determinant(m) < 0};
    sn_dvec3 x = m->columns[0], y = m->columns[1], z = m->columns[2];
    double xx = sn_dvec3_dot(x, x), yy = sn_dvec3_dot(y, y), zz = sn_dvec3_dot(z, z);
    double tolerance = 2e-6 * xx;
    out.is_exact = fabs(yy - xx) <= 2 * tolerance && fabs(zz - xx) <= 2 * tolerance &&
                   fabs(sn_dvec3_dot(x, y)) <= tolerance && fabs(sn_dvec3_dot(y, z)) <= tolerance &&
                   fabs(sn_dvec3_dot(z, x)) <= tolerance;
    sn_dframe frame = sn_dframe_make(sn_dvec3_unit(out.is_mirrored ? sn_dvec3_scale(x, -1) : x), y);
    const sn_dvec3 *a = frame.axes;
    double rows[3][3] = {
        {a[0].x, a[1].x, a[2].x}, {a[0].y, a[1].y, a[2].y}, {a[0].z, a[1].z, a[2].z}};
    out.rotation = sn_dquat_from_matrix(rows);
    return out;
}
