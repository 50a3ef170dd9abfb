#include "rig/arm_chain.h"

static const uint32_t one_before[SN_ARM_CHAIN] = {SN_NONE, 0,  1,  2,  3,  4,  5,  6,  7,  8,  9,
                                                  10,      11, 12, 13, 14, 15, 16, 17, 18, 19, 20,
                                                  21,      22, 23, 24, 25, 26, 27, 28, 29, 30};

void sn_arm_chain_make(sn_arm_chain *chain, const sn_joints *joints, const uint32_t *places,
                       uint32_t count, const sn_affine *root) {
    chain->joints = (sn_joints){.count = count,
                                .parents = one_before,
                                .rest = chain->rest,
                                .local = chain->pose,
                                .root = *root};
    for (uint32_t i = 0; i < count; i++) {
        chain->rest[i] = joints->rest[places[i]];
        chain->pose[i] = joints->local[places[i]];
    }
}
