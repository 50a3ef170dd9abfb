/* Which joints of a model are the bones of a human: the 55 of VRM 1.0 (VRMC_vrm-1.0, humanoid.md),
 * under its names. */
#ifndef SINEW_HUMANOID_H
#define SINEW_HUMANOID_H

#include "sinew/joints.h"
#include "sinew/memory.h"
#include "sinew/result.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Order: parents before children; the left side before the right one. X(id, name, parent), the
 * parent being the nearest bone that must be there when this one hangs in a full set. */
#define SN_HUMAN_BONES(X)                                                                          \
    X(HIPS, "hips", NONE)                                                                          \
    X(SPINE, "spine", HIPS)                                                                        \
    X(CHEST, "chest", SPINE)                                                                       \
    X(UPPER_CHEST, "upperChest", CHEST)                                                            \
    X(NECK, "neck", UPPER_CHEST)                                                                   \
    X(HEAD, "head", NECK)                                                                          \
    X(LEFT_EYE, "leftEye", HEAD)                                                                   \
    X(RIGHT_EYE, "rightEye", HEAD)                                                                 \
    X(JAW, "jaw", HEAD)                                                                            \
    SN_HUMAN_LIMBS(X, LEFT, "left")                                                                \
    SN_HUMAN_LIMBS(X, RIGHT, "right")

/* One side; the distance from LEFT to RIGHT is SN_HUMAN_SIDE for each. */
#define SN_HUMAN_LIMBS(X, S, s)                                                                    \
    X(S##_UPPER_LEG, s "UpperLeg", HIPS)                                                           \
    X(S##_LOWER_LEG, s "LowerLeg", S##_UPPER_LEG)                                                  \
    X(S##_FOOT, s "Foot", S##_LOWER_LEG)                                                           \
    X(S##_TOES, s "Toes", S##_FOOT)                                                                \
    X(S##_SHOULDER, s "Shoulder", UPPER_CHEST)                                                     \
    X(S##_UPPER_ARM, s "UpperArm", S##_SHOULDER)                                                   \
    X(S##_LOWER_ARM, s "LowerArm", S##_UPPER_ARM)                                                  \
    X(S##_HAND, s "Hand", S##_LOWER_ARM)                                                           \
    X(S##_THUMB_METACARPAL, s "ThumbMetacarpal", S##_HAND)                                         \
    X(S##_THUMB_PROXIMAL, s "ThumbProximal", S##_THUMB_METACARPAL)                                 \
    X(S##_THUMB_DISTAL, s "ThumbDistal", S##_THUMB_PROXIMAL)                                       \
    X(S##_INDEX_PROXIMAL, s "IndexProximal", S##_HAND)                                             \
    X(S##_INDEX_INTERMEDIATE, s "IndexIntermediate", S##_INDEX_PROXIMAL)                           \
    X(S##_INDEX_DISTAL, s "IndexDistal", S##_INDEX_INTERMEDIATE)                                   \
    X(S##_MIDDLE_PROXIMAL, s "MiddleProximal", S##_HAND)                                           \
    X(S##_MIDDLE_INTERMEDIATE, s "MiddleIntermediate", S##_MIDDLE_PROXIMAL)                        \
    X(S##_MIDDLE_DISTAL, s "MiddleDistal", S##_MIDDLE_INTERMEDIATE)                                \
    X(S##_RING_PROXIMAL, s "RingProximal", S##_HAND)                                               \
    X(S##_RING_INTERMEDIATE, s "RingIntermediate", S##_RING_PROXIMAL)                              \
    X(S##_RING_DISTAL, s "RingDistal", S##_RING_INTERMEDIATE)                                      \
    X(S##_LITTLE_PROXIMAL, s "LittleProximal", S##_HAND)                                           \
    X(S##_LITTLE_INTERMEDIATE, s "LittleIntermediate", S##_LITTLE_PROXIMAL)                        \
    X(S##_LITTLE_DISTAL, s "LittleDistal", S##_LITTLE_INTERMEDIATE)

typedef enum sn_human_bone {
#define SN_HUMAN_BONE(id, name, parent) SN_HUMAN_##id,
    SN_HUMAN_BONES(SN_HUMAN_BONE)
#undef SN_HUMAN_BONE
        SN_HUMAN_BONE_COUNT,
    SN_HUMAN_NONE = SN_HUMAN_BONE_COUNT,
    SN_HUMAN_SIDE = SN_HUMAN_RIGHT_UPPER_LEG - SN_HUMAN_LEFT_UPPER_LEG
} sn_human_bone;

typedef struct sn_humanoid {
    uint32_t joints[SN_HUMAN_BONE_COUNT]; /* SN_NONE: the model has no such bone */
    /* The model faces +z (1: glTF, VRM 1.0) or -z (-1: VRM 0.x) in its rest pose. */
    float facing;
} sn_humanoid;

/* "leftUpperArm"; static storage. */
const char *sn_human_bone_name(sn_human_bone bone);
/* SN_HUMAN_NONE when there is no bone so named. */
sn_human_bone sn_human_bone_find(const char *name);
/* The bone that this one hangs on in a full set; SN_HUMAN_NONE for the hips. */
sn_human_bone sn_human_bone_parent(sn_human_bone bone);

/* No bones, facing +z. */
sn_humanoid sn_humanoid_none(void);
/* How many bones the model has. */
uint32_t sn_humanoid_count(const sn_humanoid *humanoid);
/* Which way the model faces in its rest pose, from the order of left and right: 1, +z, or -1.
 * Model space is y up. What tells nothing gives 1. */
float sn_humanoid_rest_facing(const sn_humanoid *humanoid, const sn_joints *joints);

/* Finds the bones by the names of the joints, in the manners of VRM, Mixamo and MotionBuilder,
 * Unreal, Blender and Rigify, Biped, Daz and Maya; a name alone never decides, the hierarchy has to
 * agree: a lower arm hangs below an upper arm of its side. What is not sure is left out, and
 * without a whole limb or a trunk up to the head there are no bones at all.
 *
 * `names[i]` NULL: joint i is not looked at. Of `joints` only the parents and the rest pose, for
 * `facing`, are read; `rest` may be NULL. Takes time linear in the joints. Errors: memory. */
sn_result sn_humanoid_from_names(const sn_joints *joints, const char *const *names,
                                 const sn_allocator *allocator, sn_humanoid *out, sn_error *error);

#ifdef __cplusplus
}
#endif
#endif
