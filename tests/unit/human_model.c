#include "tests/unit/human_model.h"

void test_human_init(test_human *human) {
    *human = (test_human){.bones = {.facing = 1}};
    for (uint32_t bone = 0; bone < SN_HUMAN_BONE_COUNT; bone++)
        human->bones.joints[bone] = SN_NONE;
    for (uint32_t i = 0; i < JOINT_COUNT; i++) {
        vec3 offset = joint_offset((int)i);
        int parent = joint_parent((int)i);
        human->nodes[i] = (sn_node){
            .name = joint_name((int)i),
            .parent = parent == JOINT_NONE ? SN_NONE : (uint32_t)parent,
            .mesh = SN_NONE,
            .skin = SN_NONE,
            .camera = SN_NONE,
            .rest = {.translation = {(float)offset.x, (float)offset.y, (float)offset.z},
                     .rotation = {0, 0, 0, 1},
                     .scale = {1, 1, 1}},
        };
        sn_human_bone bone = sn_human_bone_find(human->nodes[i].name);
        if (bone != SN_HUMAN_NONE)
            human->bones.joints[bone] = i;
    }
    human->model = (sn_model){.generator = "",
                              .node_count = JOINT_COUNT,
                              .default_scene = SN_NONE,
                              .nodes = human->nodes};
}
