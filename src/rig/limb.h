/* The chain of a two-bone job in the space of the root's parent, with the root at the origin. */
#ifndef SN_RIG_LIMB_H
#define SN_RIG_LIMB_H

#include <stdbool.h>

#include "math/dquat.h"
#include "sinew/two_bone.h"

/* By columns. */
typedef struct sn_dmat3 {
    sn_dvec3 columns[3];
} sn_dmat3;

sn_dvec3 sn_dmat3_apply(const sn_dmat3 *m, sn_dvec3 v);
sn_dvec3 sn_dmat3_apply_transposed(const sn_dmat3 *m, sn_dvec3 v);
sn_dmat3 sn_dmat3_multiply(const sn_dmat3 *left, const sn_dmat3 *right);
double sn_dmat3_determinant(const sn_dmat3 *m);
bool sn_dmat3_inverse(const sn_dmat3 *m, sn_dmat3 *out);
sn_dmat3 sn_dmat3_of_parent(const sn_affine *affine); /* without the translation */

/* What is left of a matrix that maps as a rotation and one scale do, mirrored or not. */
typedef struct sn_similarity {
    sn_dquat rotation;
    bool is_mirrored; /* then x is turned about before the rotation */
    bool is_exact;    /* no axis differs by more than 2e-6: this is the matrix but for its scale */
} sn_similarity;

sn_similarity sn_similarity_of(const sn_dmat3 *m);

typedef struct sn_limb_rotations {
    sn_dquat root, middle; /* local */
    double stretch;
} sn_limb_rotations;

typedef struct sn_limb {
    sn_dvec3 middle, end;   /* positions */
    sn_dmat3 middle_parent; /* of the joint above the middle one */
    sn_dmat3 end_parent;    /* of the joint above the end */
} sn_limb;

sn_dquat sn_dquat_of(const float q[4]);
sn_dvec3 sn_dvec3_of(const float v[3]);

sn_limb sn_limb_place(const sn_two_bone_job *job, const sn_limb_rotations *rotations);

#endif
