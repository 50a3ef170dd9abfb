/* Where joints stand in the model's space, in double: the space that the rig's modules solve in, so
 * that neither a far-off root nor one that mirrors or shears touches what they find. */
#ifndef SN_RIG_SPACE_H
#define SN_RIG_SPACE_H

#include <float.h>
#include <math.h>

#include "rig/similarity.h"
#include "sinew/joints.h"

typedef struct sn_space {
    sn_dmat3 axes;
    sn_dvec3 origin;
} sn_space;

/* Of a joint in `pose` (joints->local or joints->rest), under the root; SN_NONE: the root's own. */
sn_space sn_space_of_joint(const sn_joints *joints, const sn_transform *pose, uint32_t joint);

/* The same in the rest pose. */
static inline sn_space sn_space_at_rest(const sn_joints *joints, uint32_t joint) {
    return sn_space_of_joint(joints, joints->rest, joint);
}

static inline sn_space sn_space_of_affine(const sn_affine *affine) {
    return (sn_space){sn_dmat3_of_affine(affine), sn_dvec3_of_affine(affine)};
}

sn_dvec3 sn_space_point(const sn_space *space, sn_dvec3 point);

/* A matrix of a joint without a TRS form, or NULL. */
const sn_affine *sn_joints_fixed(const sn_joints *joints, uint32_t joint);

/* World to model; an error where the root has no inverse. */
sn_result sn_space_from_world(const sn_joints *joints, sn_space *out, sn_error *error);

static inline bool sn_are_finite(const float *values, int count) {
    bool are_all = true; /* no branch for each of the many that are */
    for (int i = 0; i < count; i++)
        are_all &= fabsf(values[i]) <= FLT_MAX;
    return are_all;
}

/* Whether a joint of a pose can be turned: it is there, has a rotation, and all above it is finite
 * and has an inverse. */
sn_result sn_space_check(const sn_joints *joints, const sn_transform *pose, uint32_t joint,
                         const char *what, sn_error *error);

/* The rotation that does in a joint's space what `turn` does in the model's. Mirroring turns x
 * about, and with it the sense of the rotation. */
sn_dquat sn_turn_below(const sn_similarity *space, sn_dquat turn);

/* A share of a turn, by the short way: 0 is none, 1 is all of it. */
sn_dquat sn_turn_share(sn_dquat turn, double share);

/* Turns a local rotation in its parent's space, storing the float on the same side of the sphere.
 * An identity leaves the bits as they are. */
void sn_turn_store(float rotation[4], sn_dquat turn);

/* Turns the joint by `turn` in the model's space. */
void sn_turn_joint(const sn_joints *joints, uint32_t joint, sn_dquat turn);

#endif
