/* A rotation as a twist about an axis, followed by a swing. Also rotations about axes, by vectors.
 *
 * With p the projection of the quaternion's vector on the axis, (p, w) is the twist but for its
 * length, and the swing is what is left (Dobrowolski, "Swing-twist decomposition in Clifford
 * algebra", 2015). Both vanish in a swing by half a turn. */
#ifndef SN_RIG_SWING_TWIST_H
#define SN_RIG_SWING_TWIST_H

#include <stdbool.h>

#include "math/angle.h"
#include "math/dquat.h"

static inline sn_dquat sn_dquat_about(sn_dvec3 unit, double angle) {
    double s = sin(angle / 2);
    return (sn_dquat){unit.x * s, unit.y * s, unit.z * s, cos(angle / 2)};
}

/* Rotation vectors: radians along the axis. */
static inline sn_dquat sn_dquat_of_vector(sn_dvec3 v) {
    double angle = sn_dvec3_length(v);
    return angle > 0 ? sn_dquat_about(sn_dvec3_scale(v, 1 / angle), angle) : (sn_dquat){0, 0, 0, 1};
}

/* The short way: at most pi long. */
static inline sn_dvec3 sn_dquat_to_vector(sn_dquat q) {
    sn_dvec3 v = {q.x, q.y, q.z};
    double sine = sn_dvec3_length(v), w = q.w;
    if (!(sine > 0))
        return (sn_dvec3){0, 0, 0};
    if (w < 0)
        v = sn_dvec3_scale(v, -1), w = -w;
    return sn_dvec3_scale(v, 2 * atan2(sine, w) / sine);
}

typedef struct sn_swing_twist {
    sn_dquat swing;
    double twist; /* radians in [-pi, pi] about the axis */
    bool is_told; /* false: a swing by half a turn; the twist is then 0 */
} sn_swing_twist;

static inline sn_swing_twist sn_swing_twist_of(sn_dquat q, sn_dvec3 axis) {
    double along = q.x * axis.x + q.y * axis.y + q.z * axis.z;
    if (!(along * along + q.w * q.w > 1e-12))
        return (sn_swing_twist){q, 0, false};
    double angle = 2 * atan2(q.w < 0 ? -along : along, fabs(q.w));
    sn_dquat back = sn_dquat_about(axis, -angle);
    return (sn_swing_twist){sn_dquat_unit(sn_dquat_multiply(q, back)), angle, true};
}

#endif
