#include <string.h>

#include "anim/skeleton.h"
#include "base/error.h"

static sn_result out_of_memory(sn_error *error) {
    return sn_fail(error, SN_MESSAGE_MEMORY, NULL, "no memory for a skeleton");
}

/* Breadth-first: the joints of a level do not depend on each other, so that the processor works on
 * several products of matrices at once, and a parent always comes before its children. Nodes of a
 * level keep the file's order below their parents. Counts the nodes reached. */
static uint32_t breadth_first(const sn_skeleton_desc *desc, uint32_t *order, uint32_t *first_child,
                              uint32_t *children) {
    uint32_t count = desc->node_count, reached = 0;
    for (uint32_t node = 0; node < count; node++)
        if (desc->parents[node] == SN_NONE)
            order[reached++] = node;
        else
            first_child[desc->parents[node] + 1]++;
    for (uint32_t node = 0; node < count; node++)
        first_child[node + 1] += first_child[node];
    for (uint32_t node = count; node-- > 0;) { /* fills each list from its end */
        uint32_t parent = desc->parents[node];
        if (parent != SN_NONE)
            children[--first_child[parent + 1]] = node;
    }
    /* first_child[n + 1] is now where the children of n begin. */
    uint32_t child_count = count - reached;
    for (uint32_t at = 0; at < reached; at++) {
        uint32_t node = order[at];
        uint32_t end = node + 2 <= count ? first_child[node + 2] : child_count;
        for (uint32_t i = first_child[node + 1]; i < end; i++)
            order[reached++] = children[i];
    }
    return reached;
}

static sn_result check(const sn_skeleton_desc *desc, sn_error *error) {
    for (uint32_t node = 0; node < desc->node_count; node++)
        if (desc->parents[node] != SN_NONE && desc->parents[node] >= desc->node_count)
            return sn_fail(error, SN_MESSAGE_REFERENCE, NULL,
                           "node %u has the parent %u, but there are %u nodes", node,
                           desc->parents[node], desc->node_count);
    for (uint32_t i = 0; i < desc->fixed_count; i++)
        if (desc->fixed_nodes[i] >= desc->node_count)
            return sn_fail(error, SN_MESSAGE_REFERENCE, NULL,
                           "a fixed matrix belongs to node %u, but there are %u nodes",
                           desc->fixed_nodes[i], desc->node_count);
    if (!sn_kernels_find(desc->kernel))
        return sn_fail(error, SN_MESSAGE_ARGUMENT, NULL,
                       "this machine or this build lacks the kernel asked for");
    return SN_OK;
}

static bool allocate(sn_skeleton *skeleton, const sn_skeleton_desc *desc) {
    sn_arena *arena = &skeleton->arena;
    skeleton->parents = SN_ARENA_NEW(arena, uint32_t, desc->node_count);
    skeleton->parent_floats = SN_ARENA_NEW(arena, uint32_t, desc->node_count);
    skeleton->group_kinds = SN_ARENA_NEW(arena, uint8_t, skeleton->group_count);
    skeleton->node_of_joint = SN_ARENA_NEW(arena, uint32_t, desc->node_count);
    skeleton->joint_of_node = SN_ARENA_NEW(arena, uint32_t, desc->node_count);
    skeleton->rest = SN_ARENA_NEW(arena, float, sn_pose_floats(skeleton));
    skeleton->fixed_joints = SN_ARENA_NEW(arena, uint32_t, desc->fixed_count);
    skeleton->fixed_matrices = SN_ARENA_NEW(arena, sn_affine, desc->fixed_count);
    return skeleton->parents && skeleton->parent_floats && skeleton->group_kinds &&
           skeleton->node_of_joint && skeleton->joint_of_node && skeleton->rest &&
           skeleton->fixed_joints && skeleton->fixed_matrices;
}

static sn_result order_joints(sn_skeleton *skeleton, const sn_skeleton_desc *desc,
                              sn_arena *scratch, sn_error *error) {
    uint32_t count = desc->node_count;
    uint32_t *first_child = SN_ARENA_NEW(scratch, uint32_t, (size_t)count + 1);
    uint32_t *children = SN_ARENA_NEW(scratch, uint32_t, count);
    if (!first_child || !children)
        return out_of_memory(error);
    uint32_t *order = skeleton->node_of_joint;
    uint32_t reached = breadth_first(desc, order, first_child, children);
    memset(skeleton->joint_of_node, 0xFF, count * sizeof *skeleton->joint_of_node); /* SN_NONE */
    for (uint32_t joint = 0; joint < reached; joint++)
        skeleton->joint_of_node[order[joint]] = joint;
    if (reached < count) {
        uint32_t node = 0;
        while (skeleton->joint_of_node[node] != SN_NONE)
            node++;
        return sn_fail(error, SN_MESSAGE_NODE_CYCLE, NULL,
                       "no root is above node %u: its parents form a circle", node);
    }
    for (uint32_t joint = 0; joint < count; joint++) {
        uint32_t parent = desc->parents[order[joint]];
        skeleton->parents[joint] = parent == SN_NONE ? SN_NONE : skeleton->joint_of_node[parent];
        skeleton->parent_floats[joint] = skeleton->parents[joint] * SN_AFFINE_FLOATS;
    }
    return SN_OK;
}

/* In the order of joints, so that the hierarchy meets them one after the other. */
static sn_result place_fixed(sn_skeleton *skeleton, const sn_skeleton_desc *desc, sn_arena *scratch,
                             sn_error *error) {
    uint32_t *which = SN_ARENA_NEW(scratch, uint32_t, desc->node_count); /* 1 + index, or 0 */
    if (!which)
        return out_of_memory(error);
    for (uint32_t i = 0; i < desc->fixed_count; i++)
        which[skeleton->joint_of_node[desc->fixed_nodes[i]]] = i + 1;
    for (uint32_t joint = 0; joint < desc->node_count; joint++)
        if (which[joint]) {
            uint32_t at = skeleton->fixed_count++;
            skeleton->fixed_joints[at] = joint;
            skeleton->fixed_matrices[at] = desc->fixed_matrices[which[joint] - 1];
        }
    return SN_OK;
}

static sn_group_kind kind_of_group(const uint32_t *parents, uint32_t first, uint32_t lanes) {
    sn_group_kind kind = lanes == 8 ? SN_GROUP_PAIRED : SN_GROUP_PLAIN;
    for (uint32_t lane = 0; lane < lanes; lane++) {
        uint32_t parent = parents[first + lane];
        if (parent == SN_NONE)
            return SN_GROUP_ANY;
        if (lane < 4 || parent < first)
            continue;
        uint32_t parent_lane = parent - first; /* must be done before the pair of this lane */
        if (parent_lane < 4 && parent_lane >= lane - 4)
            kind = SN_GROUP_PLAIN;
    }
    return kind;
}

static void find_group_kinds(sn_skeleton *skeleton) {
    uint32_t lanes = skeleton->kernels->lanes;
    for (uint32_t first = 0; first + lanes <= skeleton->joint_count; first += lanes)
        skeleton->group_kinds[first / lanes] =
            (uint8_t)kind_of_group(skeleton->parents, first, lanes);
    for (uint32_t i = 0; i < skeleton->fixed_count; i++)
        skeleton->group_kinds[skeleton->fixed_joints[i] / lanes] = SN_GROUP_ANY;
}

static void fill_rest(sn_skeleton *skeleton, const sn_skeleton_desc *desc) {
    sn_pose rest = {skeleton->rest};
    uint32_t padded = skeleton->group_count * skeleton->kernels->lanes;
    sn_transform identity = sn_transform_identity();
    for (uint32_t joint = 0; joint < padded; joint++)
        sn_pose_set(skeleton, rest, joint,
                    joint < desc->node_count ? &desc->rest[skeleton->node_of_joint[joint]]
                                             : &identity);
}

sn_result sn_skeleton_create(const sn_skeleton_desc *desc, const sn_allocator *allocator,
                             sn_skeleton **out, sn_error *error) {
    sn_result result = check(desc, error);
    if (result)
        return result;

    sn_arena arena;
    sn_arena_init(&arena, allocator);
    sn_skeleton *skeleton = SN_ARENA_NEW(&arena, sn_skeleton, 1);
    if (!skeleton)
        return out_of_memory(error);
    skeleton->kernels = sn_kernels_find(desc->kernel);
    skeleton->joint_count = desc->node_count;
    uint32_t lanes = skeleton->kernels->lanes;
    skeleton->group_count = desc->node_count / lanes + (desc->node_count % lanes != 0);
    skeleton->arena = arena;
    if (!allocate(skeleton, desc)) {
        sn_skeleton_free(skeleton);
        return out_of_memory(error);
    }

    sn_arena scratch;
    sn_arena_init(&scratch, allocator);
    result = order_joints(skeleton, desc, &scratch, error);
    if (!result)
        result = place_fixed(skeleton, desc, &scratch, error);
    sn_arena_free(&scratch);
    if (result) {
        sn_skeleton_free(skeleton);
        return result;
    }
    find_group_kinds(skeleton);
    fill_rest(skeleton, desc);
    *out = skeleton;
    return SN_OK;
}

void sn_skeleton_free(sn_skeleton *skeleton) {
    if (!skeleton)
        return;
    sn_arena arena = skeleton->arena; /* the skeleton lies in its own arena */
    sn_arena_free(&arena);
}

size_t sn_skeleton_bytes(const sn_skeleton *skeleton) {
    size_t joint = sizeof *skeleton->parents + sizeof *skeleton->parent_floats +
                   sizeof *skeleton->node_of_joint + sizeof *skeleton->joint_of_node;
    size_t fixed = sizeof *skeleton->fixed_joints + sizeof *skeleton->fixed_matrices;
    return sizeof *skeleton + skeleton->joint_count * joint + skeleton->fixed_count * fixed +
           sn_pose_floats(skeleton) * sizeof(float) +
           skeleton->group_count * sizeof *skeleton->group_kinds;
}

uint32_t sn_skeleton_joint_count(const sn_skeleton *skeleton) {
    return skeleton->joint_count;
}

uint32_t sn_skeleton_lanes(const sn_skeleton *skeleton) {
    return skeleton->kernels->lanes;
}

sn_kernel sn_skeleton_kernel(const sn_skeleton *skeleton) {
    return skeleton->kernels->kernel;
}

const char *sn_kernel_name(sn_kernel kernel) {
    const sn_kernels *kernels = sn_kernels_find(kernel);
    return kernels ? kernels->name : "";
}

uint32_t sn_skeleton_joint_of_node(const sn_skeleton *skeleton, uint32_t node) {
    return skeleton->joint_of_node[node];
}

uint32_t sn_skeleton_node_of_joint(const sn_skeleton *skeleton, uint32_t joint) {
    return skeleton->node_of_joint[joint];
}

uint32_t sn_skeleton_parent(const sn_skeleton *skeleton, uint32_t joint) {
    return skeleton->parents[joint];
}
