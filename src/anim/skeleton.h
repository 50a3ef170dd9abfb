/* What a skeleton holds. Private to the runtime. */
#ifndef SN_ANIM_SKELETON_H
#define SN_ANIM_SKELETON_H

#include "anim/kernels.h"
#include "sinew/pose.h"

enum { SN_AFFINE_FLOATS = sizeof(sn_affine) / sizeof(float) };

/* The parts of a group in a pose, in their order. */
enum { SN_PART_ROTATION, SN_PART_TRANSLATION, SN_PART_SCALE, SN_PARTS };

/* Any path but SN_PATH_WEIGHTS. */
static inline uint32_t sn_part_of(sn_path path) {
    return path == SN_PATH_ROTATION      ? SN_PART_ROTATION
           : path == SN_PATH_TRANSLATION ? SN_PART_TRANSLATION
                                         : SN_PART_SCALE;
}

/* Its first vector among the group's. */
static inline uint32_t sn_part_vector(uint32_t part) {
    return part == SN_PART_ROTATION      ? SN_POSE_ROTATION
           : part == SN_PART_TRANSLATION ? SN_POSE_TRANSLATION
                                         : SN_POSE_SCALE;
}

static inline uint32_t sn_part_width(uint32_t part) {
    return part == SN_PART_ROTATION ? 4 : 3;
}

/* How the hierarchy can go through a group. */
typedef enum sn_group_kind {
    SN_GROUP_ANY,   /* a root, a matrix of its own, or lanes without a joint are among it */
    SN_GROUP_PLAIN, /* none of these */
    /* And lanes k and k + 4 of 8 can be worked on together, in that order for k from 0 to 3: no
     * parent comes too late. */
    SN_GROUP_PAIRED
} sn_group_kind;

struct sn_skeleton {
    sn_arena arena; /* holds the skeleton itself too */
    const sn_kernels *kernels;
    uint32_t joint_count;
    uint32_t group_count;
    uint32_t *parents;       /* a joint before this one, or SN_NONE */
    uint32_t *parent_floats; /* where its world matrix is, in floats */
    uint8_t *group_kinds;    /* sn_group_kind of each group */
    uint32_t *node_of_joint;
    uint32_t *joint_of_node;
    float *rest; /* a pose */
    uint32_t fixed_count;
    uint32_t *fixed_joints; /* ascending */
    sn_affine *fixed_matrices;
};

static inline size_t sn_pose_floats(const sn_skeleton *skeleton) {
    return (size_t)skeleton->group_count * SN_POSE_VECTORS * skeleton->kernels->lanes;
}

/* Where the first component of a joint's rotation, translation or scale is; the next component is
 * `lanes` floats on. */
static inline size_t sn_pose_index(const sn_skeleton *skeleton, uint32_t joint, uint32_t vector) {
    uint32_t lanes = skeleton->kernels->lanes;
    return ((size_t)(joint / lanes) * SN_POSE_VECTORS + vector) * lanes + joint % lanes;
}

#endif
