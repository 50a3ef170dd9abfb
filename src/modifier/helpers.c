/* What types of modifiers share. */
#include <string.h>

#include "modifier/type.h"
#include "rig/space.h"

void sn_modifier_target_world(const sn_modifier_target *target, const sn_joints *joints,
                              float out[3]) {
    const float *p = target->position;
    if (target->node == SN_NONE) {
        out[0] = p[0], out[1] = p[1], out[2] = p[2];
        return;
    }
    sn_affine world = sn_joints_world(joints, target->node);
    for (int row = 0; row < 3; row++) {
        const float *m = world.m[row];
        out[row] = (float)((double)m[0] * (double)p[0] + (double)m[1] * (double)p[1] +
                           (double)m[2] * (double)p[2] + (double)m[3]);
    }
}

void sn_modifier_pole_world(const sn_modifier_pole *pole, const sn_joints *joints, float out[3]) {
    if (pole->kind == SN_POLE_TARGET)
        sn_modifier_target_world(&pole->target, joints, out);
    else if (pole->kind == SN_POLE_DIRECTION)
        memcpy(out, pole->direction, sizeof pole->direction);
}

const char *const sn_modifier_sides[] = {"left", "right", NULL};

sn_result sn_modifier_chain(sn_modifier_site *site, uint32_t top, uint32_t bottom,
                            const char *field, uint32_t **out, uint32_t *count) {
    const sn_joints *joints = site->joints;
    const sn_node *nodes = site->model->nodes;
    uint32_t length = 1;
    for (uint32_t joint = bottom; joint != top; joint = joints->parents[joint], length++)
        if (joints->parents[joint] == SN_NONE)
            return sn_modifier_fail(site, SN_MESSAGE_CHAIN_JOINTS, field,
                                    "node %u \"%s\" does not hang below node %u \"%s\"", bottom,
                                    nodes[bottom].name, top, nodes[top].name);
    uint32_t *chain = SN_ARENA_NEW(site->arena, uint32_t, length);
    if (!chain)
        return sn_modifier_no_memory(site);
    for (uint32_t joint = bottom, i = length; i-- > 0; joint = joints->parents[joint]) {
        if (sn_joints_fixed(joints, joint))
            return sn_modifier_fail(site, SN_MESSAGE_CHAIN_JOINTS, field,
                                    "node %u \"%s\" of the chain has a matrix with shear, to which "
                                    "no rotation can be written",
                                    joint, nodes[joint].name);
        chain[i] = joint;
    }
    *out = chain;
    *count = length;
    return SN_OK;
}

sn_result sn_modifier_require_bone(const sn_modifier_site *site, const sn_humanoid *bones,
                                   sn_human_bone bone, const char *field) {
    if (bones->joints[bone] != SN_NONE)
        return SN_OK;
    return sn_modifier_fail(site, SN_MESSAGE_MODIFIER_BONE, field,
                            "the model has no bone \"%s\" that could be found; name its node here",
                            sn_human_bone_name(bone));
}
