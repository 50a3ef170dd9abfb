/* Two-bone inverse kinematics. */
#include <string.h>

#include "export.h"
#include "sinew/joints.h"
#include "sinew/two_bone.h"

typedef struct two_bone {
    /* In. */
    sn_two_bone_options options;
    float target[3];
    float weight;
    uint32_t is_oriented;
    float orientation[4];
    uint32_t has_state;
    float seconds;
    uint32_t middle; /* index of the joint */
    /* Kept between frames; the host zeroes it after a jump in time. */
    sn_two_bone_state state;
    /* Out. */
    uint32_t flags;
    float residual;
} two_bone;

EXPORT(two_bone_size) size_t export_two_bone_size(void) {
    return sizeof(two_bone);
}

/* The joints are the chain: the root first, each the parent of the next, the end last. Turns root,
 * middle and end; with stretch it lengthens the translations after the root. */
EXPORT(two_bone_solve)
sn_result export_two_bone_solve(two_bone *t, const sn_joints *joints, sn_error *error) {
    sn_two_bone_job job = {.parent_world = joints->root,
                           .joints = joints->local,
                           .joint_count = joints->count,
                           .middle = t->middle,
                           .weight = t->weight,
                           .is_oriented = t->is_oriented != 0,
                           .options = &t->options,
                           .state = t->has_state ? &t->state : NULL,
                           .seconds = t->seconds};
    memcpy(job.target, t->target, sizeof job.target);
    memcpy(job.orientation, t->orientation, sizeof job.orientation);
    sn_two_bone_output out;
    sn_result result = sn_two_bone_solve(&job, &out, error);
    if (result != SN_OK)
        return result;
    sn_transform *local = joints->local;
    memcpy(local[0].rotation, out.root_rotation, sizeof out.root_rotation);
    memcpy(local[t->middle].rotation, out.middle_rotation, sizeof out.middle_rotation);
    memcpy(local[joints->count - 1].rotation, out.end_rotation, sizeof out.end_rotation);
    if (out.flags & SN_TWO_BONE_STRETCHED)
        for (uint32_t i = 1; i < joints->count; i++)
            for (int axis = 0; axis < 3; axis++)
                local[i].translation[axis] *= out.stretch;
    t->flags = out.flags;
    t->residual = out.residual;
    return SN_OK;
}
