/* Vectors of three doubles: set-up and reference code that wants more than float carries. */
#ifndef SN_MATH_VEC3_H
#define SN_MATH_VEC3_H

#include <math.h>

typedef struct sn_dvec3 {
    double x, y, z;
} sn_dvec3;

static inline sn_dvec3 sn_dvec3_of(const float v[3]) {
    return (sn_dvec3){(double)v[0], (double)v[1], (double)v[2]};
}

static inline sn_dvec3 sn_dvec3_scale(sn_dvec3 a, double s) {
    return (sn_dvec3){a.x * s, a.y * s, a.z * s};
}

static inline sn_dvec3 sn_dvec3_add(sn_dvec3 a, sn_dvec3 b) {
    return (sn_dvec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline sn_dvec3 sn_dvec3_subtract(sn_dvec3 a, sn_dvec3 b) {
    return (sn_dvec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline double sn_dvec3_dot(sn_dvec3 a, sn_dvec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline sn_dvec3 sn_dvec3_cross(sn_dvec3 a, sn_dvec3 b) {
    return (sn_dvec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double sn_dvec3_length(sn_dvec3 a) {
    return sqrt(sn_dvec3_dot(a, a));
}

/* A unit vector at right angles to the unit vector `a`. */
static inline sn_dvec3 sn_dvec3_perpendicular(sn_dvec3 a) {
    sn_dvec3 axis = fabs(a.x) < 0.6 ? (sn_dvec3){1, 0, 0} : (sn_dvec3){0, 1, 0};
    sn_dvec3 across = sn_dvec3_subtract(axis, sn_dvec3_scale(a, sn_dvec3_dot(a, axis)));
    return sn_dvec3_scale(across, 1 / sn_dvec3_length(across));
}

#endif
