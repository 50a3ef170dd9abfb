/* What the name of a joint says it is, in the manners of naming that are about: VRM, Mixamo and
 * MotionBuilder, Unreal, Blender and Rigify, Biped, Daz, Maya. Only the name: what a "shoulder" or
 * an "arm" is among the others is for who sees the hierarchy. */
#ifndef SN_RIG_BONE_NAME_H
#define SN_RIG_BONE_NAME_H

#include "sinew/result.h"

/* Ordered, so that a range of it is a kind of limb. */
typedef enum sn_part {
    SN_PART_NONE,
    SN_PART_HIPS, /* of one side: the joint of a thigh */
    SN_PART_SPINE,
    SN_PART_CHEST,
    SN_PART_UPPER_CHEST,
    SN_PART_NECK,
    SN_PART_HEAD,
    SN_PART_JAW,
    SN_PART_EYE,
    SN_PART_CLAVICLE,
    SN_PART_SHOULDER, /* the clavicle's joint or the upper arm's */
    SN_PART_UPPER_ARM,
    SN_PART_ARM, /* the whole, or one of its bones */
    SN_PART_LOWER_ARM,
    SN_PART_HAND,
    SN_PART_THIGH_JOINT,
    SN_PART_UPPER_LEG,
    SN_PART_LEG, /* the whole, or one of its bones */
    SN_PART_LOWER_LEG,
    SN_PART_ANKLE,
    SN_PART_FOOT, /* beyond an ankle: the toes */
    SN_PART_TOES,
    SN_PART_THUMB,
    SN_PART_INDEX,
    SN_PART_MIDDLE,
    SN_PART_RING,
    SN_PART_LITTLE
} sn_part;

typedef enum sn_side { SN_SIDE_NONE, SN_SIDE_LEFT, SN_SIDE_RIGHT } sn_side;

typedef struct sn_bone_name {
    uint8_t part; /* sn_part */
    uint8_t side; /* sn_side */
    bool is_zero; /* numbered 0 within its part */
} sn_bone_name;

/* SN_PART_NONE for a name that says nothing sure: twist joints, tips, targets, hair. */
sn_bone_name sn_bone_name_read(const char *name);

#endif
