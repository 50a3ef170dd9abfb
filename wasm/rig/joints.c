/* The joints that a module of the rig works on. */
#include <stdlib.h>

#include "export.h"
#include "sinew/joints.h"

/* Far more than a scene binds, and few enough for no size to overflow. */
#define MOST_JOINTS UINT16_MAX

/* In one block with its arrays; `release` frees it. 0 when there is no memory. */
EXPORT(joints_create) sn_joints *export_joints_create(uint32_t count) {
    if (count > MOST_JOINTS)
        return NULL;
    size_t each = 2 * sizeof(sn_transform) + sizeof(uint32_t);
    sn_joints *joints = calloc(1, sizeof *joints + count * each);
    if (!joints)
        return NULL;
    sn_transform *rest = (sn_transform *)(void *)(joints + 1), *local = rest + count;
    joints->count = count;
    joints->rest = rest;
    joints->local = local;
    joints->parents = (const uint32_t *)(const void *)(local + count);
    joints->root = sn_affine_identity();
    return joints;
}

/* What the host writes: indices of joints, 0xFFFFFFFF for none; ten floats a joint, translation,
 * rotation and scale; 12 floats, rows of the matrix above the joints. */
EXPORT(joints_parents) const uint32_t *export_joints_parents(const sn_joints *joints) {
    return joints->parents;
}

EXPORT(joints_rest) const sn_transform *export_joints_rest(const sn_joints *joints) {
    return joints->rest;
}

EXPORT(joints_local) sn_transform *export_joints_local(const sn_joints *joints) {
    return joints->local;
}

EXPORT(joints_root) const float *export_joints_root(const sn_joints *joints) {
    return joints->root.m[0];
}
