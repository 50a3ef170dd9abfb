/* The skeleton: VRM 1.0 bone names, T-pose at rest, every rest rotation the identity. */
#ifndef MANNEQUIN_SKELETON_H
#define MANNEQUIN_SKELETON_H

#include "vec.h"

/* The bones of one arm and one leg; the right side repeats the left one. */
#define MQ_SIDE(SIDE)                                                                              \
    JOINT_##SIDE##_SHOULDER, JOINT_##SIDE##_UPPER_ARM, JOINT_##SIDE##_LOWER_ARM,                   \
        JOINT_##SIDE##_HAND, JOINT_##SIDE##_THUMB, JOINT_##SIDE##_THUMB_2, JOINT_##SIDE##_THUMB_3, \
        JOINT_##SIDE##_INDEX, JOINT_##SIDE##_INDEX_2, JOINT_##SIDE##_INDEX_3,                      \
        JOINT_##SIDE##_MIDDLE, JOINT_##SIDE##_MIDDLE_2, JOINT_##SIDE##_MIDDLE_3,                   \
        JOINT_##SIDE##_RING, JOINT_##SIDE##_RING_2, JOINT_##SIDE##_RING_3, JOINT_##SIDE##_LITTLE,  \
        JOINT_##SIDE##_LITTLE_2, JOINT_##SIDE##_LITTLE_3, JOINT_##SIDE##_UPPER_LEG,                \
        JOINT_##SIDE##_LOWER_LEG, JOINT_##SIDE##_FOOT, JOINT_##SIDE##_TOES, JOINT_##SIDE##_EYE

enum joint {
    JOINT_ROOT,
    JOINT_HIPS,
    JOINT_SPINE,
    JOINT_CHEST,
    JOINT_UPPER_CHEST,
    JOINT_NECK,
    JOINT_HEAD,
    MQ_SIDE(LEFT),
    MQ_SIDE(RIGHT),
    JOINT_COUNT,
    JOINT_NONE = -1
};

#define JOINTS_PER_SIDE (JOINT_RIGHT_SHOULDER - JOINT_LEFT_SHOULDER)

/* Local rotations and the place of the hips; every other translation is the rest one. */
typedef struct {
    quat rotation[JOINT_COUNT];
    vec3 hips; /* world */
    vec3 root; /* world */
} pose;

const char *joint_name(int joint);
int joint_parent(int joint);

/* The same bone of the other side; bones of the middle are their own. */
int joint_opposite(int joint);

/* World position in the T-pose. */
vec3 joint_rest(int joint);

/* Position in the parent's space. */
vec3 joint_offset(int joint);

/* The pose in which every rotation is the identity: the T-pose. */
void pose_rest(pose *out);

/* The pose the body is modelled in: arms half lowered, elbows and fingers a little bent. Flesh is
 * right in the pose it is modelled in and gets worse with distance from it, so the middle of the
 * arm's range is a better place for that than the T-pose at its edge. */
void pose_design(pose *out);

/* World transforms of all joints. */
void pose_world(const pose *p, rigid world[JOINT_COUNT]);

/* The same pose with left and right exchanged. */
void pose_mirror(const pose *p, pose *out);

#endif
