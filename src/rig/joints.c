#include "sinew/joints.h"

#include "rig/space.h"

static sn_affine local_matrix(const sn_joints *joints, const sn_transform *pose, uint32_t joint) {
    const sn_affine *fixed = sn_joints_fixed(joints, joint);
    return fixed ? *fixed : sn_affine_from_transform(&pose[joint]);
}

static sn_affine walk_up(const sn_joints *joints, const sn_transform *pose, uint32_t joint,
                         const sn_affine *root) {
    if (joint == SN_NONE)
        return *root;
    sn_affine world = local_matrix(joints, pose, joint);
    for (uint32_t parent = joints->parents[joint]; parent != SN_NONE;
         parent = joints->parents[parent]) {
        sn_affine above = local_matrix(joints, pose, parent);
        world = sn_affine_multiply(&above, &world);
    }
    return sn_affine_multiply(root, &world);
}

sn_affine sn_joints_world(const sn_joints *joints, uint32_t joint) {
    return walk_up(joints, joints->local, joint, &joints->root);
}

sn_affine sn_joints_rest_model(const sn_joints *joints, uint32_t joint) {
    sn_affine identity = sn_affine_identity();
    return walk_up(joints, joints->rest, joint, &identity);
}

bool sn_joints_is_above(const sn_joints *joints, uint32_t ancestor, uint32_t joint) {
    while (joint != SN_NONE && joint != ancestor)
        joint = joints->parents[joint];
    return joint == ancestor;
}
