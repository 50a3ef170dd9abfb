#include "skeleton.h"

#include <stddef.h>

/* Lengths follow the fractions of body height of Drillis and Contini (1966) as printed in Winter,
 * "Biomechanics and Motor Control of Human Movement", fig. 4.1, for a height of 1.75 m: eye 0.936,
 * chin 0.870, shoulder 0.818, hip 0.530, knee 0.285, ankle 0.039, forearm 0.146, hand 0.108, foot
 * 0.152. Joint centres lie a little inside these surface marks; the legs are some 2 % longer than
 * the mean. The knee axis lies behind the middle of the knee and the elbow axis behind the middle
 * of the elbow, as in the living joint: the skin of the outer side then has a longer way to go. */

struct bone {
    const char *name;
    int parent;
    vec3 rest;
};

static const struct bone bones[JOINT_RIGHT_SHOULDER] = {
    {"Mannequin", JOINT_NONE, {0.0, 0.0, 0.0}},
    {"hips", JOINT_ROOT, {0.0, 0.962, 0.0}},
    {"spine", JOINT_HIPS, {0.0, 1.050, -0.006}},
    {"chest", JOINT_SPINE, {0.0, 1.165, -0.010}},
    {"upperChest", JOINT_CHEST, {0.0, 1.290, -0.026}},
    {"neck", JOINT_UPPER_CHEST, {0.0, 1.468, -0.034}},
    {"head", JOINT_NECK, {0.0, 1.562, -0.008}},
    {"leftShoulder", JOINT_UPPER_CHEST, {0.028, 1.428, 0.000}},
    {"leftUpperArm", JOINT_LEFT_SHOULDER, {0.178, 1.420, -0.022}},
    {"leftLowerArm", JOINT_LEFT_UPPER_ARM, {0.463, 1.420, -0.028}},
    {"leftHand", JOINT_LEFT_LOWER_ARM, {0.714, 1.420, -0.024}},
    {"leftThumbMetacarpal", JOINT_LEFT_HAND, {0.737, 1.412, 0.000}},
    {"leftThumbProximal", JOINT_LEFT_THUMB, {0.770, 1.403, 0.030}},
    {"leftThumbDistal", JOINT_LEFT_THUMB_2, {0.795, 1.400, 0.053}},
    {"leftIndexProximal", JOINT_LEFT_HAND, {0.805, 1.421, 0.003}},
    {"leftIndexIntermediate", JOINT_LEFT_INDEX, {0.848, 1.420, 0.007}},
    {"leftIndexDistal", JOINT_LEFT_INDEX_2, {0.873, 1.419, 0.009}},
    {"leftMiddleProximal", JOINT_LEFT_HAND, {0.809, 1.423, -0.019}},
    {"leftMiddleIntermediate", JOINT_LEFT_MIDDLE, {0.856, 1.422, -0.018}},
    {"leftMiddleDistal", JOINT_LEFT_MIDDLE_2, {0.885, 1.421, -0.0175}},
    {"leftRingProximal", JOINT_LEFT_HAND, {0.804, 1.421, -0.040}},
    {"leftRingIntermediate", JOINT_LEFT_RING, {0.847, 1.420, -0.043}},
    {"leftRingDistal", JOINT_LEFT_RING_2, {0.874, 1.419, -0.045}},
    {"leftLittleProximal", JOINT_LEFT_HAND, {0.796, 1.417, -0.058}},
    {"leftLittleIntermediate", JOINT_LEFT_LITTLE, {0.830, 1.416, -0.065}},
    {"leftLittleDistal", JOINT_LEFT_LITTLE_2, {0.850, 1.415, -0.069}},
    {"leftUpperLeg", JOINT_HIPS, {0.090, 0.925, 0.000}},
    {"leftLowerLeg", JOINT_LEFT_UPPER_LEG, {0.090, 0.498, -0.004}},
    {"leftFoot", JOINT_LEFT_LOWER_LEG, {0.090, 0.082, -0.030}},
    {"leftToes", JOINT_LEFT_FOOT, {0.099, 0.020, 0.092}},
    {"leftEye", JOINT_HEAD, {0.0315, 1.640, 0.071}},
};

static const char *const right_names[JOINTS_PER_SIDE] = {
    "rightShoulder",
    "rightUpperArm",
    "rightLowerArm",
    "rightHand",
    "rightThumbMetacarpal",
    "rightThumbProximal",
    "rightThumbDistal",
    "rightIndexProximal",
    "rightIndexIntermediate",
    "rightIndexDistal",
    "rightMiddleProximal",
    "rightMiddleIntermediate",
    "rightMiddleDistal",
    "rightRingProximal",
    "rightRingIntermediate",
    "rightRingDistal",
    "rightLittleProximal",
    "rightLittleIntermediate",
    "rightLittleDistal",
    "rightUpperLeg",
    "rightLowerLeg",
    "rightFoot",
    "rightToes",
    "rightEye",
};

const char *joint_name(int joint) {
    return joint < JOINT_RIGHT_SHOULDER ? bones[joint].name
                                        : right_names[joint - JOINT_RIGHT_SHOULDER];
}

int joint_opposite(int joint) {
    if (joint < JOINT_LEFT_SHOULDER)
        return joint;
    return joint < JOINT_RIGHT_SHOULDER ? joint + JOINTS_PER_SIDE : joint - JOINTS_PER_SIDE;
}

int joint_parent(int joint) {
    if (joint < JOINT_RIGHT_SHOULDER)
        return bones[joint].parent;
    return joint_opposite(bones[joint - JOINTS_PER_SIDE].parent);
}

vec3 joint_rest(int joint) {
    if (joint < JOINT_RIGHT_SHOULDER)
        return bones[joint].rest;
    return v3_mirror_x(bones[joint - JOINTS_PER_SIDE].rest);
}

vec3 joint_offset(int joint) {
    int parent = joint_parent(joint);
    return parent == JOINT_NONE ? joint_rest(joint) : v3_sub(joint_rest(joint), joint_rest(parent));
}

void pose_rest(pose *out) {
    for (int j = 0; j < JOINT_COUNT; j++)
        out->rotation[j] = quat_identity();
    out->hips = joint_rest(JOINT_HIPS);
    out->root = joint_rest(JOINT_ROOT);
}

void pose_design(pose *out) {
    static const struct {
        int joint;
        double x, y, z;
    } turns[] = {
        {JOINT_LEFT_SHOULDER, 0.0, 0.0, -3.0},   {JOINT_LEFT_UPPER_ARM, 0.0, 0.0, -48.0},
        {JOINT_LEFT_LOWER_ARM, 0.0, -16.0, 0.0}, {JOINT_LEFT_THUMB_2, 0.0, 6.0, -4.0},
        {JOINT_LEFT_THUMB_3, 0.0, 8.0, -4.0},    {JOINT_LEFT_INDEX, 0.0, 0.0, -10.0},
        {JOINT_LEFT_INDEX_2, 0.0, 0.0, -14.0},   {JOINT_LEFT_INDEX_3, 0.0, 0.0, -8.0},
        {JOINT_LEFT_MIDDLE, 0.0, 0.0, -12.0},    {JOINT_LEFT_MIDDLE_2, 0.0, 0.0, -16.0},
        {JOINT_LEFT_MIDDLE_3, 0.0, 0.0, -9.0},   {JOINT_LEFT_RING, 0.0, 0.0, -14.0},
        {JOINT_LEFT_RING_2, 0.0, 0.0, -16.0},    {JOINT_LEFT_RING_3, 0.0, 0.0, -9.0},
        {JOINT_LEFT_LITTLE, 0.0, 0.0, -15.0},    {JOINT_LEFT_LITTLE_2, 0.0, 0.0, -15.0},
        {JOINT_LEFT_LITTLE_3, 0.0, 0.0, -9.0},
    };
    pose_rest(out);
    for (size_t i = 0; i < sizeof turns / sizeof turns[0]; i++) {
        quat q = quat_euler(turns[i].x, turns[i].y, turns[i].z);
        out->rotation[turns[i].joint] = q;
        out->rotation[joint_opposite(turns[i].joint)] = quat_mirror_x(q);
    }
}

void pose_world(const pose *p, rigid world[JOINT_COUNT]) {
    for (int j = 0; j < JOINT_COUNT; j++) {
        int parent = joint_parent(j);
        if (parent == JOINT_NONE) {
            world[j] = (rigid){p->rotation[j], p->root};
            continue;
        }
        rigid local = {p->rotation[j], joint_offset(j)};
        if (j == JOINT_HIPS)
            local.translation = v3_sub(p->hips, joint_rest(JOINT_ROOT));
        world[j] = rigid_mul(world[parent], local);
    }
}

void pose_mirror(const pose *p, pose *out) {
    pose mirrored;
    for (int j = 0; j < JOINT_COUNT; j++)
        mirrored.rotation[joint_opposite(j)] = quat_mirror_x(p->rotation[j]);
    mirrored.hips = v3_mirror_x(p->hips);
    mirrored.root = v3_mirror_x(p->root);
    *out = mirrored;
}
