/* The arithmetic of gazes: limits, range maps, curves, weights of expressions. */
#include <math.h>

#include "rig/gaze.h"

#define LEAST_INPUT (1e-3 * SN_DEGREE)
#define BEHIND (150 * SN_DEGREE)

static double clamp(double x, double low, double high) {
    return x < low ? low : x > high ? high : x;
}

sn_gaze sn_gaze_clamp(sn_gaze gaze, const sn_gaze_limits *limits) {
    double most = (double)limits->yaw, yaw = clamp(gaze.yaw, -most, most);
    double over = fabs(gaze.yaw) - BEHIND;
    if (over > 0 && most < BEHIND)
        yaw *= 1 - over / (SN_PI - BEHIND);
    return (sn_gaze){yaw, clamp(gaze.pitch, -(double)limits->down, (double)limits->up)};
}

static bool is_limit(float x) {
    return x >= 0 && x <= (float)SN_PI;
}

bool sn_gaze_are_limits(const sn_gaze_limits *limits) {
    return is_limit(limits->yaw) && is_limit(limits->up) && is_limit(limits->down);
}

/* Cubic Hermite between two keys; constant outside all of them. */
static double curve(const sn_gaze_key *keys, uint32_t count, double x) {
    uint32_t i = 0;
    while (i < count && (double)keys[i].time <= x)
        i++;
    if (i == 0 || i == count)
        return (double)keys[i ? i - 1 : 0].value;
    const sn_gaze_key *a = &keys[i - 1], *b = &keys[i];
    double span = (double)b->time - (double)a->time, t = (x - (double)a->time) / span;
    double t2 = t * t, t3 = t2 * t;
    return (2 * t3 - 3 * t2 + 1) * (double)a->value +
           (t3 - 2 * t2 + t) * span * (double)a->out_tangent +
           (3 * t2 - 2 * t3) * (double)b->value + (t3 - t2) * span * (double)b->in_tangent;
}

double sn_gaze_map_apply(const sn_gaze_map *map, double angle) {
    double x = clamp(angle / fmax((double)map->input_max, LEAST_INPUT), 0, 1);
    return (double)map->output_max * (map->key_count ? curve(map->keys, map->key_count, x) : x);
}

sn_gaze_maps sn_gaze_maps_identity(void) {
    sn_gaze_map same = {.input_max = (float)(SN_PI / 2), .output_max = (float)(SN_PI / 2)};
    return (sn_gaze_maps){same, same, same, same};
}

sn_gaze_weights sn_gaze_weights_of(const sn_gaze_maps *maps, sn_gaze gaze) {
    sn_gaze_weights out = {0};
    *(gaze.yaw > 0 ? &out.left : &out.right) = sn_gaze_map_apply(&maps->outer, fabs(gaze.yaw));
    *(gaze.pitch > 0 ? &out.up : &out.down) =
        sn_gaze_map_apply(gaze.pitch > 0 ? &maps->up : &maps->down, fabs(gaze.pitch));
    return out;
}

sn_gaze sn_gaze_mapped(const sn_gaze_maps *maps, bool is_left, sn_gaze gaze) {
    const sn_gaze_map *yaw = (gaze.yaw > 0) == is_left ? &maps->outer : &maps->inner;
    const sn_gaze_map *pitch = gaze.pitch > 0 ? &maps->up : &maps->down;
    return (sn_gaze){copysign(sn_gaze_map_apply(yaw, fabs(gaze.yaw)), gaze.yaw),
                     copysign(sn_gaze_map_apply(pitch, fabs(gaze.pitch)), gaze.pitch)};
}

double sn_angle_wrapped(double angle) {
    return angle - 2 * SN_PI * round(angle / (2 * SN_PI));
}

sn_gaze sn_gaze_between(sn_gaze from, sn_gaze to, double share) {
    return (sn_gaze){from.yaw + share * sn_angle_wrapped(to.yaw - from.yaw),
                     from.pitch + share * (to.pitch - from.pitch)};
}

sn_gaze sn_gaze_of_direction(sn_dvec3 d, double facing) {
    return (sn_gaze){atan2(facing * d.x, facing * d.z), atan2(d.y, hypot(d.x, d.z))};
}

sn_dvec3 sn_gaze_direction(sn_gaze gaze, double facing) {
    double level = cos(gaze.pitch);
    return (sn_dvec3){facing * level * sin(gaze.yaw), sin(gaze.pitch),
                      facing * level * cos(gaze.yaw)};
}

sn_dquat sn_gaze_rotation(sn_gaze gaze, double facing) {
    double x = -facing * gaze.pitch / 2, y = gaze.yaw / 2;
    return sn_dquat_multiply((sn_dquat){0, sin(y), 0, cos(y)}, (sn_dquat){sin(x), 0, 0, cos(x)});
}
