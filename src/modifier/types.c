#include "modifier/types.h"

const sn_modifier_type *const sn_modifier_types[] = {
    &sn_modifier_aim,  &sn_modifier_arm,     &sn_modifier_feet,  &sn_modifier_grip,
    &sn_modifier_hand, &sn_modifier_look_at, &sn_modifier_twist, &sn_modifier_two_bone,
};
const uint32_t sn_modifier_type_count = sizeof sn_modifier_types / sizeof *sn_modifier_types;
