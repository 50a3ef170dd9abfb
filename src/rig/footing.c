#include "rig/footing.h"

#include "sinew/feet.h"

double sn_floor_under(const sn_floor *floor, sn_dvec3 at) {
    sn_dvec3 d = sn_dvec3_subtract(at, floor->point), n = floor->normal;
    return floor->point.y - (n.x * d.x + n.z * d.z) / n.y;
}

static double lowest(const sn_dvec3 corners[2], const sn_floor *floor) {
    return fmin(corners[0].y - sn_floor_under(floor, corners[0]),
                corners[1].y - sn_floor_under(floor, corners[1]));
}

void sn_sole_measure(sn_sole *sole, const sn_floor *floor) {
    sole->lift = fmin(lowest(sole->heel, floor), lowest(sole->ball, floor));
    sole->tip_lift = lowest(sole->tip, floor);
    if (!sole->has_toes)
        sole->lift = fmin(sole->lift, sole->tip_lift);
    sole->pivot = sole->ankle;
    sole->pivot.y = sn_floor_under(floor, sole->ankle) + sole->lift;
}

sn_dquat sn_footing_turn(const sn_footing *footing, const sn_floor *floor) {
    return sn_dquat_from_to(floor->normal, footing->normal, (sn_dvec3){1, 0, 0});
}

sn_dvec3 sn_footing_place(const sn_footing *footing, sn_dquat turn, const sn_sole *sole,
                          sn_dvec3 point) {
    sn_dvec3 turned = sn_dquat_rotate(turn, sn_dvec3_subtract(point, sole->pivot));
    turned.y += footing->height;
    return sn_dvec3_add(sole->pivot, turned);
}

/* ---- the ground ---- */

typedef struct ground_probe {
    const sn_ground *ground;
    bool is_bad, has_ground;
} ground_probe;

static bool look(ground_probe *probe, sn_dvec3 at, sn_ground_point *out) {
    if (!sn_ground_at(probe->ground, (float)at.x, (float)at.z, out))
        return false;
    const float *n = out->normal;
    if (!isfinite(out->height) || !isfinite(n[0]) || !isfinite(n[1]) || !isfinite(n[2])) {
        probe->is_bad = true;
        return false;
    }
    probe->has_ground = true;
    return true;
}

static sn_dvec3 normal_of(const sn_ground_point *point) {
    return (sn_dvec3){(double)point->normal[0], (double)point->normal[1], (double)point->normal[2]};
}

/* The mean of what lies under heel and ball, on which a foot stands. */
static sn_dvec3 find_slope(ground_probe *probe, const sn_sole *sole, const sn_floor *floor) {
    sn_dvec3 sum = {0, 0, 0};
    const sn_dvec3 *parts[] = {sole->heel, sole->ball};
    for (int i = 0; i < 2; i++) {
        sn_ground_point point;
        if (look(probe, sn_dvec3_scale(sn_dvec3_add(parts[i][0], parts[i][1]), 0.5), &point))
            sum = sn_dvec3_add(sum, normal_of(&point));
    }
    return sum.y > 0 ? sn_dvec3_unit(sum) : floor->normal;
}

/* The slope, turned no further from the floor than the limit. */
static sn_dvec3 limit_slope(sn_dvec3 normal, const sn_floor *floor, const sn_footing_limits *limits,
                            uint32_t *flags) {
    sn_dvec3 from = floor->normal;
    if (limits->is_level)
        return from;
    double sine = sn_dvec3_length(sn_dvec3_cross(from, normal)),
           cosine = sn_dvec3_dot(from, normal);
    if (atan2(sine, cosine) <= limits->slope_max)
        return normal;
    *flags |= SN_FOOT_SLOPE_LIMITED;
    return sn_dvec3_add(sn_dvec3_scale(from, cos(limits->slope_max)),
                        sn_dvec3_scale(sn_dvec3_unit_across(normal, from), sin(limits->slope_max)));
}

/* How far the ground under a corner reaches above where the corner should be over it at least. */
static double missing(ground_probe *probe, sn_dvec3 corner, double clearance) {
    sn_ground_point point;
    return look(probe, corner, &point) ? (double)point.height + clearance - corner.y : -HUGE_VAL;
}

/* ---- toes ---- */

/* The height of a corner of the toes over the plane of the ground there, as they are bent up by b:
 * constant + along cos b + across sin b. */
typedef struct bending {
    double constant, along, across, upright; /* upright: y of the plane's normal */
} bending;

static bool find_bending(ground_probe *probe, sn_dvec3 joint, sn_dvec3 axis, sn_dvec3 corner,
                         double clearance, bending *out) {
    sn_ground_point point;
    if (!look(probe, corner, &point))
        return false;
    sn_dvec3 n = normal_of(&point), arm = sn_dvec3_subtract(corner, joint);
    sn_dvec3 on_ground = {corner.x, (double)point.height + clearance, corner.z};
    double fixed = sn_dvec3_dot(n, axis) * sn_dvec3_dot(axis, arm);
    *out = (bending){.constant = sn_dvec3_dot(n, sn_dvec3_subtract(joint, on_ground)) + fixed,
                     .along = sn_dvec3_dot(n, arm) - fixed,
                     .across = sn_dvec3_dot(n, sn_dvec3_cross(axis, arm)),
                     .upright = n.y};
    return true;
}

/* Metres up, over the ground. */
static double bent_height(const bending *b, double angle) {
    return (b->constant + b->along * cos(angle) + b->across * sin(angle)) / b->upright;
}

/* The least angle up to `most` that lifts the corner to the ground. */
static double bend_to_ground(const bending *b, double most) {
    if (bent_height(b, 0) >= 0)
        return 0;
    double amplitude = sqrt(b->along * b->along + b->across * b->across);
    double peak = atan2(b->across, b->along);
    double share = -b->constant / amplitude; /* a cosine from the peak */
    double angle = share < 1 ? peak - acos(share > -1 ? share : -1) : peak;
    return angle > most ? most : angle > 0 ? angle : 0;
}

/* Of the way from ankle to toes: where their tip is comes from proportions, and how little it sinks
 * in the clip is no reason to move toes. */
#define TIP_SLACK 0.02

/* Toes bend up while that is enough. The foot rises by twice what they fail to give, until they are
 * as in the clip again: raised by a step, it stands on it flat. It does not rise for toes that sink
 * as they do in the clip. */
static void fit_toes(ground_probe *probe, const sn_sole *sole, sn_dquat turn, double most,
                     sn_footing *footing) {
    sn_dvec3 joint = sn_footing_place(footing, turn, sole, sole->toe_joint);
    sn_dvec3 axis = sn_dquat_rotate(turn, sole->toe_axis);
    double slack = TIP_SLACK * sn_dvec3_length(sn_dvec3_subtract(sole->toe_joint, sole->ankle));
    double clearance = fmin(fmin(sole->lift, 0), fmax(sole->tip_lift, -slack)), raised = 0;
    double in_clip = clearance - fmin(clearance, sole->tip_lift);
    bending bendings[4]; /* of the tip's corners, and half-way to them from the ball */
    bool is_found[4];
    for (int i = 0; i < 4; i++) {
        sn_dvec3 at = sole->tip[i % 2];
        if (i >= 2)
            at = sn_dvec3_scale(sn_dvec3_add(at, sole->ball[i % 2]), 0.5);
        sn_dvec3 corner = sn_footing_place(footing, turn, sole, at);
        is_found[i] = find_bending(probe, joint, axis, corner, clearance, &bendings[i]);
        if (!is_found[i])
            continue;
        double lack = -bent_height(&bendings[i], 0);
        double given = fmax(lack + bent_height(&bendings[i], most), 0);
        double over = lack - in_clip - given;
        if (over > 0)
            raised = fmax(raised, fmin(lack - in_clip, 2 * over));
    }
    footing->height += raised;
    for (int i = 0; i < 4; i++) {
        if (!is_found[i])
            continue;
        bendings[i].constant += raised * bendings[i].upright;
        footing->toes = fmax(footing->toes, bend_to_ground(&bendings[i], most));
    }
}

bool sn_footing_find(const sn_sole *sole, const sn_floor *floor, const sn_ground *ground,
                     const sn_footing_limits *limits, sn_footing *out, uint32_t *flags) {
    ground_probe probe = {.ground = ground};
    sn_footing footing = {.slope = find_slope(&probe, sole, floor)};
    footing.normal = limit_slope(footing.slope, floor, limits, flags);
    sn_dquat turn = sn_footing_turn(&footing, floor);
    const sn_dvec3 *corners[] = {sole->heel, sole->ball, sole->tip};
    int parts = sole->has_toes ? 2 : 3;
    double height = -HUGE_VAL;
    for (int part = 0; part < parts; part++)
        for (int i = 0; i < 2; i++) {
            sn_dvec3 corner = sn_footing_place(&footing, turn, sole, corners[part][i]);
            height = fmax(height, missing(&probe, corner, sole->lift));
        }
    bool is_over_ground = height > -HUGE_VAL;
    if (is_over_ground) {
        footing.height = height;
        if (sole->has_toes)
            fit_toes(&probe, sole, turn, limits->toes_max, &footing);
    } else {
        *flags |= SN_FOOT_NO_GROUND;
        footing = (sn_footing){.normal = floor->normal, .slope = floor->normal};
    }
    *out = footing;
    return !probe.is_bad;
}
