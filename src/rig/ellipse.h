/* A limb whose middle joint hangs in a space with scales that differ by axis: there turning it
 * moves the end on a circle, which is an ellipse in the space of the root's parent, so that the
 * length of the fore bone changes with the angle and the law of cosines does not hold. */
#ifndef SN_RIG_ELLIPSE_H
#define SN_RIG_ELLIPSE_H

#include "rig/limb.h"
#include "rig/reach.h"

typedef struct sn_ellipse {
    sn_dmat3 space; /* above the middle joint */
    sn_dvec3 upper; /* the upper bone, in the space of the root's parent */
    sn_dvec3 fore;  /* the fore bone in `space`, in the base pose */
    sn_dvec3 axis;  /* of the circle, in `space` */
    double angle;   /* between the bones in `space`, in the base pose */
} sn_ellipse;

/* `space` has an inverse; `hinge` is of use where the limb is straight, and may be zero. */
sn_ellipse sn_ellipse_make(const sn_dmat3 *space, sn_dvec3 upper, sn_dvec3 fore, sn_dvec3 hinge);

/* The distances that it reaches, in place of those that constant lengths would give. */
void sn_ellipse_range(const sn_ellipse *ellipse, sn_reach *reach);

/* The angle at which the end is `distance` from the root, or as near to that as it comes. */
double sn_ellipse_find(const sn_ellipse *ellipse, double distance);

sn_dvec3 sn_ellipse_end(const sn_ellipse *ellipse, double angle);  /* root to end */
sn_dquat sn_ellipse_turn(const sn_ellipse *ellipse, double angle); /* in `space` */

#endif
