/* The joints of an arm as joints of their own, each standing on the one before: places in the
 * chain instead of joints of the model, and a copy of the pose to work on. */
#ifndef SN_RIG_ARM_CHAIN_H
#define SN_RIG_ARM_CHAIN_H

#include "rig/similarity.h"
#include "sinew/arm.h"

/* Not to be copied: `joints` points into it. */
typedef struct sn_arm_chain {
    sn_joints joints;
    sn_transform rest[SN_ARM_CHAIN];
    sn_transform pose[SN_ARM_CHAIN + 1]; /* and the grip, as a joint that the hand carries */
} sn_arm_chain;

/* `root`: world matrix above the first. */
void sn_arm_chain_make(sn_arm_chain *chain, const sn_joints *joints, const uint32_t *places,
                       uint32_t count, const sn_affine *root);

static inline sn_dvec3 sn_arm_chain_position(const sn_arm_chain *chain, uint32_t place) {
    sn_affine world = sn_joints_world(&chain->joints, place);
    return sn_dvec3_of_affine(&world);
}

static inline sn_similarity sn_arm_chain_space(const sn_arm_chain *chain, uint32_t place) {
    sn_affine world = sn_joints_world(&chain->joints, place);
    return sn_affine_similarity(&world);
}

/* The space that the rotation of a joint is in. */
static inline sn_similarity sn_arm_chain_parent_space(const sn_arm_chain *chain, uint32_t place) {
    return sn_arm_chain_space(chain, chain->joints.parents[place]);
}

#endif
