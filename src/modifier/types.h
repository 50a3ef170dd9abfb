/* The types of modifiers, each in the file of its name. */
#ifndef SN_MODIFIER_TYPES_H
#define SN_MODIFIER_TYPES_H

#include "modifier/type.h"

extern const sn_modifier_type sn_modifier_aim;
extern const sn_modifier_type sn_modifier_arm;
extern const sn_modifier_type sn_modifier_feet;
extern const sn_modifier_type sn_modifier_grip;
extern const sn_modifier_type sn_modifier_hand;
extern const sn_modifier_type sn_modifier_look_at;
extern const sn_modifier_type sn_modifier_twist;
extern const sn_modifier_type sn_modifier_two_bone;

#endif
