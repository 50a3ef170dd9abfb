/* Runs calls of sinew_rig.wasm natively, on the same bytes: each call on stdin as
 *   uint32 module, joint count; parents, rest pose, pose; 12 floats above them; the block
 * and its outcome to stdout as
 *   uint32 result; pose; block; the id of the error in 32 bytes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/joints.h"

sn_joints *export_joints_create(uint32_t count);
size_t export_two_bone_size(void);
struct two_bone;
sn_result export_two_bone_solve(struct two_bone *block, const sn_joints *joints, sn_error *error);

typedef struct module {
    size_t (*size)(void);
    sn_result (*solve)(void *block, sn_joints *joints, sn_error *error);
} module;

static sn_result solve_two_bone(void *block, sn_joints *joints, sn_error *error) {
    return export_two_bone_solve(block, joints, error);
}

/* Their order is that of MODULES in tests/support/rig-native.mjs. */
static const module modules[] = {
    {export_two_bone_size, solve_two_bone},
};

enum { LARGEST_BLOCK = 4096, ID_SIZE = 32 };

static void need(bool is_done) {
    if (!is_done) {
        fprintf(stderr,
                "rig_native: the input ends within a call, or the output cannot be written\n");
        exit(1);
    }
}

static void get(void *out, size_t size) {
    need(fread(out, 1, size, stdin) == size);
}

static void put(const void *bytes, size_t size) {
    need(fwrite(bytes, 1, size, stdout) == size);
}

int main(void) {
    uint32_t head[2];
    while (fread(head, sizeof head, 1, stdin) == 1) {
        need(head[0] < sizeof modules / sizeof modules[0]);
        const module *m = &modules[head[0]];
        sn_joints *joints = export_joints_create(head[1]);
        need(joints != NULL);
        uint32_t block[LARGEST_BLOCK / 4];
        need(m->size() <= sizeof block);
        size_t pose = head[1] * sizeof(sn_transform);
        get((void *)(uintptr_t)joints->parents, head[1] * sizeof(uint32_t));
        get((void *)(uintptr_t)joints->rest, pose);
        get(joints->local, pose);
        get(joints->root.m, sizeof joints->root.m);
        get(block, m->size());
        sn_error error = {0};
        uint32_t result = (uint32_t)m->solve(block, joints, &error);
        char id[ID_SIZE] = {0};
        strncpy(id, sn_message_name(error.id), ID_SIZE - 1);
        put(&result, sizeof result);
        put(joints->local, pose);
        put(block, m->size());
        put(id, sizeof id);
        free(joints);
    }
    need(fflush(stdout) == 0);
    return 0;
}
