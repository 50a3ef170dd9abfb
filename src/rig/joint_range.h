/* How far a joint is from its zero, within its range or not: swing in an ellipse, and twist. */
#ifndef SN_RIG_JOINT_RANGE_H
#define SN_RIG_JOINT_RANGE_H

#include "math/dquat.h"
#include "sinew/arm.h"

typedef struct sn_joint_away {
    double swing[2]; /* radians about the two axes */
    double twist;    /* radians */
} sn_joint_away;

/* `rotation`: local. */
sn_joint_away sn_joint_measure(const sn_joint_zero *zero, sn_dquat rotation);

/* Radians beyond the range, of the swing and of the twist: 0 inside, and growing evenly outside. */
void sn_joint_beyond(const sn_joint_range *range, const sn_joint_away *away, double out[2]);

/* The rotation with swing and twist each brought back to the edge where they are beyond; the same
 * rotation where they are not. */
sn_dquat sn_joint_clamp(const sn_joint_zero *zero, const sn_joint_range *range, sn_dquat rotation,
                        bool *is_clamped);

/* Length of (x, y) in an ellipse with a half axis for each sense; 1 on its edge. */
double sn_half_ellipse(const double v[2], const float max[2], const float min[2]);

#endif
