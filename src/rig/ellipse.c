#include "rig/ellipse.h"

#include "math/angle.h"

#define SAMPLES 64

/* Short of folded and of straight by a margin like that of constant lengths. */
#define LEAST_ANGLE 0.01
#define MOST_ANGLE (SN_PI - LEAST_ANGLE)

/* Bones nearer to one line than this sine span no plane. */
#define LEAST_SINE 1e-3

static double sample_angle(int i) {
    return LEAST_ANGLE + (MOST_ANGLE - LEAST_ANGLE) * i / SAMPLES;
}

static double distance_at(const sn_ellipse *ellipse, double angle) {
    return sn_dvec3_length(sn_ellipse_end(ellipse, angle));
}

sn_ellipse sn_ellipse_make(const sn_dmat3 *space, sn_dvec3 upper, sn_dvec3 fore, sn_dvec3 hinge) {
    sn_dmat3 inverse = *space;
    (void)sn_dmat3_inverse(space, &inverse);
    sn_ellipse e = {.space = *space, .upper = upper, .fore = sn_dmat3_apply(&inverse, fore)};
    sn_dvec3 back = sn_dvec3_unit(sn_dmat3_apply(&inverse, sn_dvec3_scale(upper, -1)));
    sn_dvec3 unit = sn_dvec3_unit(e.fore), axis = sn_dvec3_cross(back, unit);
    if (sn_dvec3_length(axis) < LEAST_SINE) {
        /* Normals of planes go by the transpose; extending is turning against the flexion. */
        axis = sn_dvec3_scale(sn_dmat3_apply_transposed(space, hinge), -1);
        axis = sn_dvec3_unit_across(axis, back);
    }
    e.axis = sn_dvec3_unit(axis);
    e.angle = atan2(sn_dvec3_dot(sn_dvec3_cross(back, unit), e.axis), sn_dvec3_dot(back, unit));
    return e;
}

sn_dquat sn_ellipse_turn(const sn_ellipse *ellipse, double angle) {
    double half = (angle - ellipse->angle) / 2;
    sn_dvec3 v = sn_dvec3_scale(ellipse->axis, sin(half));
    return (sn_dquat){v.x, v.y, v.z, cos(half)};
}

sn_dvec3 sn_ellipse_end(const sn_ellipse *ellipse, double angle) {
    sn_dvec3 turned = sn_dquat_rotate(sn_ellipse_turn(ellipse, angle), ellipse->fore);
    return sn_dvec3_add(ellipse->upper, sn_dmat3_apply(&ellipse->space, turned));
}

void sn_ellipse_range(const sn_ellipse *ellipse, sn_reach *reach) {
    double low = INFINITY, high = 0;
    for (int i = 0; i <= SAMPLES; i++) {
        double distance = distance_at(ellipse, sample_angle(i));
        low = fmin(low, distance);
        high = fmax(high, distance);
    }
    bool is_limited_low = reach->limited_low > reach->low;
    bool is_limited_high = reach->limited_high < reach->high;
    reach->low = low;
    reach->high = high;
    reach->limited_low = is_limited_low ? fmin(fmax(reach->limited_low, low), high) : low;
    reach->limited_high =
        is_limited_high ? fmax(fmin(reach->limited_high, high), reach->limited_low) : high;
    reach->band = fmin(reach->band, (reach->limited_high - reach->limited_low) / 2);
}

double sn_ellipse_find(const sn_ellipse *ellipse, double distance) {
    double best = LEAST_ANGLE, best_error = INFINITY, before = 0;
    for (int i = 0; i <= SAMPLES; i++) {
        double angle = sample_angle(i), error = distance_at(ellipse, angle) - distance;
        if (fabs(error) < best_error) {
            best_error = fabs(error);
            best = angle;
        }
        if (i == 0 || (error < 0) == (before < 0)) {
            before = error;
            continue;
        }
        double low = sample_angle(i - 1), high = angle;
        for (int step = 0; step < 52; step++) {
            double middle = (low + high) / 2;
            if ((distance_at(ellipse, middle) < distance) == (before < 0))
                low = middle;
            else
                high = middle;
        }
        return (low + high) / 2;
    }
    return best;
}
