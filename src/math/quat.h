/* Quaternions x y z w. The double versions are the reference that kernels are tested against. */
#ifndef SN_MATH_QUAT_H
#define SN_MATH_QUAT_H

#include <math.h>

/* Weights of the two ends in a spherical interpolation (Shoemake, "Animating rotation with
 * quaternion curves", 1985; glTF 2.0, C.4): from * a + to * b, for an angle whose cosine is
 * `cosine` (not negative). At a cosine of 1, which is all that rounding leaves of a small angle,
 * the limit is linear. */
static inline void sn_slerp_weights(double cosine, double t, double *from, double *to) {
    *from = 1 - t;
    *to = t;
    if (cosine < 1) {
        double angle = acos(cosine), sine = sin(angle);
        *from = sin(*from * angle) / sine;
        *to = sin(t * angle) / sine;
    }
}

static inline double sn_quat_dot(const float a[4], const float b[4]) {
    return (double)a[0] * (double)b[0] + (double)a[1] * (double)b[1] + (double)a[2] * (double)b[2] +
           (double)a[3] * (double)b[3];
}

/* The identity when there is no direction to keep. */
static inline void sn_quat_normalize(float q[4]) {
    double length = sqrt(sn_quat_dot(q, q));
    for (int i = 0; i < 4; i++)
        q[i] = length > 0 ? (float)((double)q[i] / length) : (i == 3 ? 1.0f : 0.0f);
}

/* The rotation that applies `b` first, then `a`. */
static inline void sn_quat_multiply(const float a[4], const float b[4], float out[4]) {
    float x = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    float y = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
    float z = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
    float w = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
    out[0] = x, out[1] = y, out[2] = z, out[3] = w;
}

#endif
