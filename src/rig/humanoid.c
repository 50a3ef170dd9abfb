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
