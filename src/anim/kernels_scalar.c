/* The reference: plain loops over one joint after the other, in the layout of 4 lanes. */
#include "anim/skeleton.h"

#define LANES 4

static sn_transform load_joint(const float *pose, uint32_t joint) {
    const float *lane = pose + (size_t)(joint / LANES) * SN_POSE_VECTORS * LANES + joint % LANES;
    sn_transform out;
    for (int i = 0; i < 4; i++)
        out.rotation[i] = lane[(SN_POSE_ROTATION + i) * LANES];
    for (int i = 0; i < 3; i++) {
        out.translation[i] = lane[(SN_POSE_TRANSLATION + i) * LANES];
        out.scale[i] = lane[(SN_POSE_SCALE + i) * LANES];
    }
    return out;
}

static void hierarchy(const sn_skeleton *skeleton, const float *pose, const sn_affine *root,
                      sn_affine *world) {
    uint32_t fixed = 0;
    for (uint32_t joint = 0; joint < skeleton->joint_count; joint++) {
        sn_transform transform = load_joint(pose, joint);
        sn_affine local = sn_affine_from_transform(&transform);
        if (fixed < skeleton->fixed_count && skeleton->fixed_joints[fixed] == joint)
            local = skeleton->fixed_matrices[fixed++];
        uint32_t parent = skeleton->parents[joint];
        world[joint] = sn_affine_multiply(parent == SN_NONE ? root : &world[parent], &local);
    }
}

static void multiply(const sn_affine *left, const uint32_t *at, const sn_affine *right,
                     uint32_t count, sn_affine *out) {
    for (uint32_t i = 0; i < count; i++)
        out[i] = sn_affine_multiply(&left[at[i]], &right[i]);
}

const sn_kernels sn_kernels_scalar = {
    .kernel = SN_KERNEL_SCALAR,
    .lanes = LANES,
    .name = "scalar",
    .hierarchy = hierarchy,
    .multiply = multiply,
};
