/* What clavicle and spine do for a target that is far. */
#ifndef SN_RIG_ARM_BODY_H
#define SN_RIG_ARM_BODY_H

#include "rig/arm_chain.h"

/* Turns them in the chain's pose, towards a point of the world that an arm of that length is to
 * reach; clavicle and spine: the share of their range. Returns whether they moved. */
bool sn_arm_body_reach(const sn_arm *arm, sn_arm_chain *chain, sn_dvec3 target, double length,
                       double clavicle, double spine);

#endif
