#include "sinew/humanoid.h"

#include <string.h>

static const char *const names[] = {
#define NAME(id, name, parent) name,
    SN_HUMAN_BONES(NAME)
#undef NAME
};

static const unsigned char parents[] = {
#define PARENT(id, name, parent) SN_HUMAN_##parent,
    SN_HUMAN_BONES(PARENT)
#undef PARENT
};

const char *sn_human_bone_name(sn_human_bone bone) {
    return names[bone];
}

sn_human_bone sn_human_bone_find(const char *name) {
    unsigned bone = 0;
    while (bone < SN_HUMAN_BONE_COUNT && strcmp(names[bone], name) != 0)
        bone++;
    return (sn_human_bone)bone;
}

sn_human_bone sn_human_bone_parent(sn_human_bone bone) {
    return (sn_human_bone)parents[bone];
}

sn_humanoid sn_humanoid_none(void) {
    sn_humanoid out = {.facing = 1};
    for (uint32_t bone = 0; bone < SN_HUMAN_BONE_COUNT; bone++)
        out.joints[bone] = SN_NONE;
    return out;
}

uint32_t sn_humanoid_count(const sn_humanoid *humanoid) {
    uint32_t count = 0;
    for (uint32_t bone = 0; bone < SN_HUMAN_BONE_COUNT; bone++)
        count += humanoid->joints[bone] != SN_NONE ? 1 : 0;
    return count;
}

float sn_humanoid_rest_facing(const sn_humanoid *humanoid, const sn_joints *joints) {
    static const unsigned char left[] = {SN_HUMAN_LEFT_UPPER_ARM, SN_HUMAN_LEFT_UPPER_LEG,
                                         SN_HUMAN_LEFT_SHOULDER, SN_HUMAN_LEFT_HAND,
                                         SN_HUMAN_LEFT_EYE};
    for (size_t i = 0; i < sizeof left; i++) {
        unsigned right = left[i] == SN_HUMAN_LEFT_EYE ? (unsigned)SN_HUMAN_RIGHT_EYE
                                                      : (unsigned)left[i] + SN_HUMAN_SIDE;
        uint32_t l = humanoid->joints[left[i]], r = humanoid->joints[right];
        if (l == SN_NONE || r == SN_NONE)
            continue;
        sn_affine at_left = sn_joints_rest_model(joints, l);
        sn_affine at_right = sn_joints_rest_model(joints, r);
        float across = at_left.m[0][3] - at_right.m[0][3];
        if (across > 0 || across < 0)
            return across > 0 ? 1 : -1;
    }
    return 1;
}
