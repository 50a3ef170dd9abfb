/* Rotations as quaternions of doubles, for solvers that store float but must not lose to it. */
#ifndef SN_MATH_DQUAT_H
#define SN_MATH_DQUAT_H

#include "math/vec3.h"

typedef struct sn_dquat {
    double x, y, z, w;
} sn_dquat;

static inline double sn_dquat_dot(sn_dquat a, sn_dquat b) {
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

static inline sn_dquat sn_dquat_scale(sn_dquat q, double s) {
    return (sn_dquat){q.x * s, q.y * s, q.z * s, q.w * s};
}

static inline sn_dquat sn_dquat_unit(sn_dquat q) {
    return sn_dquat_scale(q, 1 / sqrt(sn_dquat_dot(q, q)));
}

/* Of unit length; not finite where that of `q` is zero or not finite. */
static inline sn_dquat sn_dquat_of(const float q[4]) {
    return sn_dquat_unit((sn_dquat){(double)q[0], (double)q[1], (double)q[2], (double)q[3]});
}

static inline sn_dquat sn_dquat_conjugate(sn_dquat q) {
    return (sn_dquat){-q.x, -q.y, -q.z, q.w};
}

/* The rotation that applies `b` first, then `a`. */
static inline sn_dquat sn_dquat_multiply(sn_dquat a, sn_dquat b) {
    return (sn_dquat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                      a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
                      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

static inline sn_dvec3 sn_dquat_rotate(sn_dquat q, sn_dvec3 v) {
    sn_dvec3 axis = {q.x, q.y, q.z};
    sn_dvec3 twice = sn_dvec3_scale(sn_dvec3_cross(axis, v), 2);
    return sn_dvec3_add(sn_dvec3_add(v, sn_dvec3_scale(twice, q.w)), sn_dvec3_cross(axis, twice));
}

/* What is left of `v` at right angles to the unit vector `u`. */
static inline sn_dvec3 sn_dvec3_across(sn_dvec3 v, sn_dvec3 u) {
    return sn_dvec3_subtract(v, sn_dvec3_scale(u, sn_dvec3_dot(u, v)));
}

static inline sn_dvec3 sn_dvec3_unit(sn_dvec3 v) {
    return sn_dvec3_scale(v, 1 / sn_dvec3_length(v));
}

/* The unit vector at right angles to the unit vector `u` nearest to `v`, or any. */
static inline sn_dvec3 sn_dvec3_unit_across(sn_dvec3 v, sn_dvec3 u) {
    sn_dvec3 across = sn_dvec3_across(v, u);
    double length = sn_dvec3_length(across);
    return length > 1e-9 * sn_dvec3_length(v) ? sn_dvec3_scale(across, 1 / length)
                                              : sn_dvec3_perpendicular(u);
}

/* The shortest rotation between unit vectors, exact up to a half turn; at one, about the axis
 * nearest to `half_turn`.
 *
 * With p = from + to and m = from - to, the sine and cosine of the half angle are |m| / 2 and
 * |p| / 2, and the axis is along m x p = 2 from x to. Near opposite vectors the sum is exact
 * (Sterbenz), so that its direction keeps all its digits, where from x to cancels and loses them.
 */
static inline sn_dquat sn_dquat_from_to(sn_dvec3 from, sn_dvec3 to, sn_dvec3 half_turn) {
    sn_dvec3 p = sn_dvec3_add(from, to), m = sn_dvec3_subtract(from, to);
    double cosine = sn_dvec3_length(p) / 2, sine = sn_dvec3_length(m) / 2;
    sn_dvec3 axis = sn_dvec3_cross(m, p);
    double length = sn_dvec3_length(axis);
    if (!(length > 0)) {
        if (cosine > sine)
            return (sn_dquat){0, 0, 0, 1};
        axis = sn_dvec3_unit_across(half_turn, from);
        return (sn_dquat){axis.x, axis.y, axis.z, 0};
    }
    axis = sn_dvec3_scale(axis, sine / length);
    return sn_dquat_unit((sn_dquat){axis.x, axis.y, axis.z, cosine});
}

/* A direction and a vector to one side of it, as right-handed orthonormal axes. */
typedef struct sn_dframe {
    sn_dvec3 axes[3];
} sn_dframe;

static inline sn_dframe sn_dframe_make(sn_dvec3 unit, sn_dvec3 side) {
    sn_dvec3 across = sn_dvec3_unit_across(side, unit);
    return (sn_dframe){{unit, across, sn_dvec3_cross(unit, across)}};
}

/* The rotation of a matrix given by rows: the largest component is found first, so that nothing
 * small is divided by (Shepperd, "Quaternion from rotation matrix", 1978). */
static inline sn_dquat sn_dquat_from_matrix(double m[3][3]) {
    double trace = m[0][0] + m[1][1] + m[2][2];
    if (trace > m[0][0] && trace > m[1][1] && trace > m[2][2])
        return sn_dquat_unit(
            (sn_dquat){m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1], 1 + trace});
    if (m[0][0] >= m[1][1] && m[0][0] >= m[2][2])
        return sn_dquat_unit((sn_dquat){1 + m[0][0] - m[1][1] - m[2][2], m[0][1] + m[1][0],
                                        m[0][2] + m[2][0], m[2][1] - m[1][2]});
    if (m[1][1] >= m[2][2])
        return sn_dquat_unit((sn_dquat){m[0][1] + m[1][0], 1 - m[0][0] + m[1][1] - m[2][2],
                                        m[1][2] + m[2][1], m[0][2] - m[2][0]});
    return sn_dquat_unit((sn_dquat){m[0][2] + m[2][0], m[1][2] + m[2][1],
                                    1 - m[0][0] - m[1][1] + m[2][2], m[1][0] - m[0][1]});
}

/* The rotation that takes one frame to another. */
static inline sn_dquat sn_dquat_between(const sn_dframe *from, const sn_dframe *to) {
    double m[3][3] = {{0}};
    for (int i = 0; i < 3; i++) {
        double f[3] = {from->axes[i].x, from->axes[i].y, from->axes[i].z};
        double t[3] = {to->axes[i].x, to->axes[i].y, to->axes[i].z};
        for (int row = 0; row < 3; row++)
            for (int column = 0; column < 3; column++)
                m[row][column] += t[row] * f[column];
    }
    return sn_dquat_from_matrix(m);
}

#endif
