#include "rig/arm_hand.h"

#include "rig/joint_range.h"
#include "rig/swing_twist.h"

/* Within the range, or at the end that is nearer, the circle round. */
static double roll_within(double low, double high, double roll, bool *is_limited) {
    *is_limited = false;
    if (!(low < 0 || low > 0 || high < 0 || high > 0) || (roll >= low && roll <= high))
        return roll;
    roll += 2 * SN_PI * ceil((low - roll) / (2 * SN_PI)); /* the first at or above the lower end */
    if (roll <= high)
        return roll;
    *is_limited = true;
    return roll - high < low - (roll - 2 * SN_PI) ? high : low;
}

/* Of the rotations rot(axis, roll) * orientation the one nearest to the natural hand, the rest pose
 * on this forearm: the dot product of the two quaternions is greatest where the roll is the twist
 * between them about the axis. */
sn_arm_hand sn_arm_hand_wanted(const sn_arm_job *job, const sn_similarity *fore, sn_dquat rest) {
    sn_dquat orientation = sn_dquat_of(job->orientation);
    if (job->hand != SN_HAND_FREE_ROLL)
        return (sn_arm_hand){.rotation = orientation};
    sn_dquat natural = sn_similarity_rotation_out(fore, rest);
    sn_dquat between = sn_dquat_multiply(natural, sn_dquat_conjugate(orientation));
    sn_dvec3 axis = sn_dvec3_unit(sn_dvec3_of(job->roll_axis));
    sn_arm_hand out;
    out.roll = roll_within((double)job->roll_min, (double)job->roll_max,
                           sn_swing_twist_of(between, axis).twist, &out.is_limited);
    out.rotation = sn_dquat_multiply(sn_dquat_about(axis, out.roll), orientation);
    return out;
}

sn_dquat sn_arm_hand_allowed(const sn_arm *arm, const sn_arm_limits *limits,
                             const sn_similarity *fore, sn_dquat wanted, bool *is_limited) {
    sn_dquat local = sn_similarity_rotation(fore, wanted);
    *is_limited = false;
    return limits ? sn_joint_clamp(&arm->wrist_zero, &limits->wrist, local, is_limited) : local;
}
