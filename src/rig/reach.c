#include <math.h>

#include "rig/reach.h"

/* Distance at a flexion f, whose triangle has the angle pi - f between the bones: the law of
 * cosines without its cancellation, d^2 = (a - b)^2 + 4 a b cos^2(f / 2). */
static double distance_at(double a, double b, double flexion) {
    double half = cos(flexion / 2);
    return sqrt((a - b) * (a - b) + 4 * a * b * half * half);
}

sn_reach sn_reach_make(double upper, double fore, const sn_two_bone_options *options) {
    double shorter = upper < fore ? upper : fore;
    double margin = 1e-4 * shorter;
    sn_reach reach = {.low = fabs(upper - fore) + margin, .high = upper + fore - margin};
    reach.limited_low = reach.low;
    reach.limited_high = reach.high;
    if (options->flexion_max > 0) {
        double low = distance_at(upper, fore, (double)options->flexion_max);
        double high = distance_at(upper, fore, (double)options->flexion_min);
        reach.limited_low = fmin(fmax(low, reach.low), reach.high);
        reach.limited_high = fmax(fmin(high, reach.high), reach.limited_low);
    }
    if (options->soften > 0 && options->soften < 1) {
        reach.band = (1 - (double)options->soften) * (upper + fore);
        double room = (reach.limited_high - reach.limited_low) / 2;
        reach.band = reach.band < room ? reach.band : room;
    }
    return reach;
}

/* From 0 with slope 1 to 1 with slope 0, never over it: 1 - (4 / (x + 4))^4. */
static double soft(double x) {
    double r = 4 / (x + 4);
    return 1 - r * r * r * r;
}

double sn_reach_clamp(const sn_reach *reach, double distance, uint32_t *flags) {
    if (distance > reach->high)
        *flags |= SN_TWO_BONE_TOO_FAR;
    else if (distance > reach->limited_high)
        *flags |= SN_TWO_BONE_LIMITED;
    if (distance < reach->low)
        *flags |= SN_TWO_BONE_TOO_NEAR;
    else if (distance < reach->limited_low)
        *flags |= SN_TWO_BONE_LIMITED;
    double far = reach->limited_high - reach->band, near = reach->limited_low + reach->band;
    if (reach->band > 0 && (distance > far || distance < near)) {
        *flags |= SN_TWO_BONE_SOFTENED;
        return distance > far ? far + reach->band * soft((distance - far) / reach->band)
                              : near - reach->band * soft((near - distance) / reach->band);
    }
    return distance > far ? far : distance < near ? near : distance;
}

/* Heron's formula in factors, as Kahan has it ("Miscalculating Area and Angles of a Needle-like
 * Triangle"): sqrt(a^2 - x^2) loses half the digits where the limb is nearly straight. */
sn_triangle sn_triangle_make(double upper, double fore, double distance) {
    double sum = upper + fore, difference = upper - fore;
    double square =
        (sum + distance) * (sum - distance) * (distance + difference) * (distance - difference);
    return (sn_triangle){.along = (distance + difference * (sum / distance)) / 2,
                         .off = square > 0 ? sqrt(square) / (2 * distance) : 0};
}
