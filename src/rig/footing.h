/* One foot over the ground: what the ground under its sole asks of it. World, metres, +Y up. */
#ifndef SN_RIG_FOOTING_H
#define SN_RIG_FOOTING_H

#include "math/dquat.h"
#include "sinew/ground.h"

/* The plane that the clip is made for. */
typedef struct sn_floor {
    sn_dvec3 point, normal;
} sn_floor;

/* A foot as the clip has it. Corners: inner and outer ones in any order. */
typedef struct sn_sole {
    sn_dvec3 heel[2], ball[2], tip[2];
    sn_dvec3 ankle;
    bool has_toes;
    sn_dvec3 toe_joint, toe_axis; /* turning about it by the right hand bends the toes up */
    double lift;                  /* of the lowest corner over the floor; below 0: it sinks */
    double tip_lift;              /* the same of the tip alone; if it bends, `lift` is without it */
    sn_dvec3 pivot;               /* below the ankle, as high over the floor as that corner */
} sn_sole;

/* Fills in lift and pivot. */
void sn_sole_measure(sn_sole *sole, const sn_floor *floor);

typedef struct sn_footing {
    double height;   /* up */
    sn_dvec3 normal; /* that the sole follows: the floor's turns into it */
    sn_dvec3 slope;  /* of the ground itself; the floor's where there is none */
    double toes;     /* bent up, radians */
} sn_footing;

typedef struct sn_footing_limits {
    bool is_level;
    double slope_max, toes_max; /* radians */
} sn_footing_limits;

/* Adds to `flags` (sn_foot_flag). False: the ground is not finite somewhere under the sole. */
bool sn_footing_find(const sn_sole *sole, const sn_floor *floor, const sn_ground *ground,
                     const sn_footing_limits *limits, sn_footing *out, uint32_t *flags);

/* The height of the plane under a point. */
double sn_floor_under(const sn_floor *floor, sn_dvec3 at);

/* How a footing turns the foot, about the pivot, and where it takes a point of it. */
sn_dquat sn_footing_turn(const sn_footing *footing, const sn_floor *floor);
sn_dvec3 sn_footing_place(const sn_footing *footing, sn_dquat turn, const sn_sole *sole,
                          sn_dvec3 point);

#endif
