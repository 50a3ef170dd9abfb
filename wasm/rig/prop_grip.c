/* Hands on a prop. */
#include <string.h>

#include "export.h"
#include "sinew/grip.h"

typedef struct hold {
    /* In. */
    uint32_t arm; /* index in the arms */
    float position[3], axis[3], palm[3];
    float roll, radius, tilt, curl;
    uint32_t bend; /* SN_BEND_POSE: as the arm has it, _POSITION or _DIRECTION: towards the pole */
    float pole[3];
    /* Out. */
    float wrist_position[3], wrist_orientation[4], wrist_roll, wrist_residual;
    uint32_t wrist_flags;
} hold;

typedef struct prop_grip {
    /* In. */
    float prop[12]; /* rows */
    uint32_t hold_count;
    float favour, shift, turn, weight;
    /* Out. */
    uint32_t flags;
    float residual;
    float moved_prop[12];
    /* Both. */
    hold holds[2];
} prop_grip;

EXPORT(prop_grip_size) size_t export_prop_grip_size(void) {
    return sizeof(prop_grip);
}

/* Of an sn_grip_arm, which the host does not look into. */
EXPORT(prop_grip_arm_size) size_t export_prop_grip_arm_size(void) {
    return sizeof(sn_grip_arm);
}

/* From the joints' rest pose; `arms` has room for two. */
EXPORT(prop_grip_set_up)
sn_result export_prop_grip_set_up(sn_grip_arm *arms, uint32_t arm, const sn_joints *joints,
                                  const sn_humanoid *humanoid, uint32_t is_left, sn_error *error) {
    sn_human_bone bone = is_left ? SN_HUMAN_LEFT_HAND : SN_HUMAN_RIGHT_HAND;
    return sn_grip_arm_set_up(joints, humanoid, bone, &arms[arm], error);
}

/* Turns upper arms, lower arms, hands and fingers. */
EXPORT(prop_grip_solve)
sn_result export_prop_grip_solve(prop_grip *b, const sn_grip_arm *arms, const sn_joints *joints,
                                 sn_error *error) {
    sn_grip_job job = {.hold_count = b->hold_count,
                       .favour = b->favour,
                       .shift = b->shift,
                       .turn = b->turn,
                       .weight = b->weight};
    memcpy(job.prop.m, b->prop, sizeof job.prop.m);
    sn_two_bone_options bends[2];
    for (uint32_t i = 0; i < 2 && i < b->hold_count; i++) {
        const hold *in = &b->holds[i];
        sn_grip_hold *out = &job.holds[i];
        *out = (sn_grip_hold){.arm = &arms[in->arm],
                              .roll = in->roll,
                              .radius = in->radius,
                              .tilt = in->tilt,
                              .curl = in->curl};
        memcpy(out->position, in->position, sizeof out->position);
        memcpy(out->axis, in->axis, sizeof out->axis);
        memcpy(out->palm, in->palm, sizeof out->palm);
        if (in->bend == SN_BEND_POSE)
            continue;
        bends[i] = (sn_two_bone_options){.bend = (sn_bend)in->bend};
        memcpy(bends[i].pole, in->pole, sizeof bends[i].pole);
        memcpy(bends[i].hinge, arms[in->arm].hinge, sizeof bends[i].hinge);
        out->bend = &bends[i];
    }
    sn_grip_output found;
    sn_result result = sn_grip_apply(&job, joints, &found, error);
    if (result != SN_OK)
        return result;
    b->flags = found.flags;
    b->residual = found.residual;
    memcpy(b->moved_prop, found.prop.m, sizeof b->moved_prop);
    for (uint32_t i = 0; i < b->hold_count; i++) {
        const sn_grip_wrist *wrist = &found.wrists[i];
        hold *out = &b->holds[i];
        memcpy(out->wrist_position, wrist->position, sizeof out->wrist_position);
        memcpy(out->wrist_orientation, wrist->orientation, sizeof out->wrist_orientation);
        out->wrist_roll = wrist->roll;
        out->wrist_residual = wrist->residual;
        out->wrist_flags = wrist->flags;
    }
    return SN_OK;
}
