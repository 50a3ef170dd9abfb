/* Vectors, quaternions and rigid transforms of the generator, in double.
 * Metres, right-handed, +Y up; quaternions are x y z w. */
#ifndef MANNEQUIN_VEC_H
#define MANNEQUIN_VEC_H

#include <math.h>

#define MQ_PI 3.14159265358979323846

typedef struct {
    double x, y, z;
} vec3;

typedef struct {
    double x, y, z, w;
} quat;

/* A rotation followed by a translation. */
typedef struct {
    quat rotation;
    vec3 translation;
} rigid;

static inline vec3 v3(double x, double y, double z) {
    return (vec3){x, y, z};
}

static inline vec3 v3_add(vec3 a, vec3 b) {
    return v3(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline vec3 v3_sub(vec3 a, vec3 b) {
    return v3(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline vec3 v3_scale(vec3 a, double s) {
    return v3(a.x * s, a.y * s, a.z * s);
}

static inline vec3 v3_add_scaled(vec3 a, vec3 b, double s) {
    return v3(a.x + b.x * s, a.y + b.y * s, a.z + b.z * s);
}

static inline double v3_dot(vec3 a, vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline vec3 v3_cross(vec3 a, vec3 b) {
    return v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double v3_length(vec3 a) {
    return sqrt(v3_dot(a, a));
}

static inline double v3_distance(vec3 a, vec3 b) {
    return v3_length(v3_sub(a, b));
}

/* The zero vector stays zero. */
static inline vec3 v3_normalize(vec3 a) {
    double length = v3_length(a);
    return length > 0.0 ? v3_scale(a, 1.0 / length) : a;
}

static inline vec3 v3_lerp(vec3 a, vec3 b, double t) {
    return v3_add_scaled(v3_scale(a, 1.0 - t), b, t);
}

static inline vec3 v3_mirror_x(vec3 a) {
    return v3(-a.x, a.y, a.z);
}

static inline double clamp(double x, double low, double high) {
    return x < low ? low : x > high ? high : x;
}

static inline double radians(double degrees) {
    return degrees * (MQ_PI / 180.0);
}

/* 0 below `low`, 1 above `high`, with level ends (Perlin's quintic: curvature has no step). */
static inline double smooth_ramp(double low, double high, double x) {
    double t = clamp((x - low) / (high - low), 0.0, 1.0);
    return t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
}

static inline quat quat_identity(void) {
    return (quat){0.0, 0.0, 0.0, 1.0};
}

static inline quat quat_axis_angle(vec3 axis, double angle) {
    vec3 n = v3_normalize(axis);
    double s = sin(angle * 0.5);
    return (quat){n.x * s, n.y * s, n.z * s, cos(angle * 0.5)};
}

static inline quat quat_mul(quat a, quat b) {
    return (quat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                  a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                  a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
                  a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

static inline quat quat_conjugate(quat q) {
    return (quat){-q.x, -q.y, -q.z, q.w};
}

static inline quat quat_normalize(quat q) {
    double s = 1.0 / sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return (quat){q.x * s, q.y * s, q.z * s, q.w * s};
}

static inline vec3 quat_rotate(quat q, vec3 v) {
    vec3 u = v3(q.x, q.y, q.z);
    vec3 t = v3_scale(v3_cross(u, v), 2.0);
    return v3_add(v3_add_scaled(v, t, q.w), v3_cross(u, t));
}

/* Rotation about X, then Y, then Z of the parent (degrees): R = Rz * Ry * Rx. */
static inline quat quat_euler(double x, double y, double z) {
    quat qx = quat_axis_angle(v3(1.0, 0.0, 0.0), radians(x));
    quat qy = quat_axis_angle(v3(0.0, 1.0, 0.0), radians(y));
    quat qz = quat_axis_angle(v3(0.0, 0.0, 1.0), radians(z));
    return quat_mul(qz, quat_mul(qy, qx));
}

/* The same rotation seen in a mirror that swaps left and right. */
static inline quat quat_mirror_x(quat q) {
    return (quat){q.x, -q.y, -q.z, q.w};
}

/* Spherical interpolation along the shorter arc. */
static inline quat quat_slerp(quat a, quat b, double t) {
    double d = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    double sign = d < 0.0 ? -1.0 : 1.0;
    double angle = acos(clamp(d * sign, -1.0, 1.0));
    double wa = 1.0 - t, wb = t;
    if (angle > 1e-6) {
        wa = sin((1.0 - t) * angle) / sin(angle);
        wb = sin(t * angle) / sin(angle);
    }
    wb *= sign;
    return quat_normalize(
        (quat){a.x * wa + b.x * wb, a.y * wa + b.y * wb, a.z * wa + b.z * wb, a.w * wa + b.w * wb});
}

/* The shortest rotation that turns the direction `from` into `to`. */
static inline quat quat_between(vec3 from, vec3 to) {
    vec3 a = v3_normalize(from), b = v3_normalize(to);
    vec3 c = v3_cross(a, b);
    quat q = {c.x, c.y, c.z, 1.0 + v3_dot(a, b)};
    return q.w < 1e-9 ? quat_axis_angle(v3(0.0, 0.0, 1.0), MQ_PI) : quat_normalize(q);
}

static inline vec3 rigid_apply(rigid m, vec3 p) {
    return v3_add(quat_rotate(m.rotation, p), m.translation);
}

static inline vec3 rigid_apply_inverse(rigid m, vec3 p) {
    return quat_rotate(quat_conjugate(m.rotation), v3_sub(p, m.translation));
}

static inline rigid rigid_mul(rigid a, rigid b) {
    return (rigid){quat_mul(a.rotation, b.rotation), rigid_apply(a, b.translation)};
}

#endif
