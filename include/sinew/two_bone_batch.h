/* Two-bone inverse kinematics for many limbs at once: one limb a lane, float, without
 * trigonometry. Runtime: nothing is allocated, nothing fails.
 *
 * The plain case of two_bone.h: a hard reach, a pole, the hinge turned with the bend plane. The
 * end is within 2e-6 of the chain's length of the target that the bones reach. */
#ifndef SINEW_TWO_BONE_BATCH_H
#define SINEW_TWO_BONE_BATCH_H

#include "sinew/pose.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Arrays of components of the caller, each `count` floats rounded up to a multiple of 8; what lies
 * beyond `count` is computed with and of no meaning. Outputs may not overlap inputs. */
typedef struct sn_two_bone_batch {
    uint32_t count;
    /* Of the base pose, in one space for all that may scale, but by all axes alike: root to middle
     * joint, middle joint to end; and from the root to the target and to the pole. */
    const float *upper[3], *fore[3], *target[3], *pole[3];
    /* Quaternions in that space. The upper bone turns by `root`. The fore bone turns by `middle`
     * about the middle joint, and then with the upper one: where r is the rotation of the joint
     * above the middle one in the base pose, its local rotation becomes conj(r) * middle * r times
     * what it was. */
    float *root[4], *middle[4];
    /* Distance between end and target; -1 for a limb that cannot be solved (a number that is not
     * finite, a bone without length): its turns are none. */
    float *residual;
} sn_two_bone_batch;

/* Every kernel gives the same bits. False, and nothing written, for one that this machine lacks. */
bool sn_two_bone_batch_solve(const sn_two_bone_batch *batch, sn_kernel kernel);

#ifdef __cplusplus
}
#endif
#endif
