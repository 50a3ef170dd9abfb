/* Joints as the rig's modules take them: plain arrays of the caller, one entry a joint, in any
 * order. A module reads and writes `local` and nothing else. */
#ifndef SINEW_JOINTS_H
#define SINEW_JOINTS_H

#include "sinew/result.h"
#include "sinew/transform.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sn_joints {
    uint32_t count;
    const uint32_t *parents;  /* SN_NONE: stands on `root`. Free of cycles */
    const sn_transform *rest; /* local */
    sn_transform *local;      /* the pose, local */
    sn_affine root;           /* world, above the joints without a parent */
    /* Joints whose local matrix has no TRS form keep it, whatever `local` says; ascending. */
    uint32_t fixed_count;
    const uint32_t *fixed_joints;
    const sn_affine *fixed_matrices;
} sn_joints;

/* World matrix of a joint in the pose, found by walking up; SN_NONE gives the root. */
sn_affine sn_joints_world(const sn_joints *joints, uint32_t joint);

/* The same in the rest pose under an identity root: model space. */
sn_affine sn_joints_rest_model(const sn_joints *joints, uint32_t joint);

/* Whether `ancestor` is `joint` or above it. */
bool sn_joints_is_above(const sn_joints *joints, uint32_t ancestor, uint32_t joint);

#ifdef __cplusplus
}
#endif
#endif
