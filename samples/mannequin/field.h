/* Shapes as signed distances: negative inside, zero on the surface, metres. The distances of the
 * ellipsoid and the loft are first-order estimates, good near the surface. */
#ifndef MANNEQUIN_FIELD_H
#define MANNEQUIN_FIELD_H

#include "vec.h"

/* Union and intersection whose seam is rounded over a width of `k` metres (second derivative is
 * continuous, so that highlights run across the seam without a kink). */
double field_union(double a, double b, double k);
double field_intersection(double a, double b, double k);

/* `a` without `b`. */
double field_difference(double a, double b, double k);

/* The convex hull of two balls. */
double field_round_cone(vec3 p, vec3 a, double radius_a, vec3 b, double radius_b);

double field_ellipsoid(vec3 p, vec3 centre, vec3 radii);

/* The ellipsoid's own axes are turned by `turn`. */
double field_ellipsoid_turned(vec3 p, vec3 centre, vec3 radii, quat turn);

/* |x| with its corner rounded over `r`: mirrors a part without a crease in the middle plane. */
double field_smooth_abs(double x, double r);

/* A generalised cylinder: cross sections along an axis, each a rounded box between ellipse and
 * rectangle with a radius of its own to every side; cubic splines run through the sections. */
#define LOFT_SECTIONS_MAX 18

enum {
    LOFT_CENTRE_U,
    LOFT_CENTRE_V,
    LOFT_PLUS_U, /* radius towards +u */
    LOFT_MINUS_U,
    LOFT_PLUS_V,
    LOFT_MINUS_V,
    LOFT_EXPONENT, /* 2 is an ellipse, more is boxier */
    LOFT_CHANNELS
};

typedef struct {
    double t; /* place along the axis */
    double value[LOFT_CHANNELS];
} loft_section;

typedef struct {
    int count;
    double cap_start, cap_end; /* how far the rounded ends reach beyond the outer sections */
    loft_section sections[LOFT_SECTIONS_MAX];
    double second[LOFT_SECTIONS_MAX][LOFT_CHANNELS]; /* second derivatives of the splines */
} loft;

void loft_prepare(loft *l);

/* Distance of the point with axial coordinate t and cross-section coordinates u, v. */
double loft_distance(const loft *l, double t, double u, double v);

#endif
