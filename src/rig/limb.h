/* The chain of a two-bone job in the space of the root's parent, with the root at the origin. */
#ifndef SN_RIG_LIMB_H
#define SN_RIG_LIMB_H

#include "math/dmat3.h"
#include "math/dquat.h"
#include "sinew/two_bone.h"

typedef struct sn_limb_rotations {
    sn_dquat root, middle; /* local */
    double stretch;
} sn_limb_rotations;

typedef struct sn_limb {
    sn_dvec3 middle, end;   /* positions */
    sn_dmat3 middle_parent; /* of the joint above the middle one */
    sn_dmat3 end_parent;    /* of the joint above the end */
} sn_limb;

sn_limb sn_limb_place(const sn_two_bone_job *job, const sn_limb_rotations *rotations);

#endif
