#include "rig/joint_range.h"

#include "rig/limb.h"
#include "rig/swing_twist.h"

double sn_half_ellipse(const double v[2], const float max[2], const float min[2]) {
    double sum = 0;
    for (int i = 0; i < 2; i++) {
        double half = (double)(v[i] < 0 ? min[i] : max[i]);
        double share = v[i] / fmax(half, 1e-9);
        sum += share * share;
    }
    return sqrt(sum);
}

static sn_swing_twist away_from(const sn_joint_zero *zero, sn_dquat rotation) {
    sn_dquat back = sn_dquat_conjugate(sn_dquat_of(zero->rotation));
    return sn_swing_twist_of(sn_dquat_multiply(rotation, back), sn_dvec3_of(zero->twist_axis));
}

static sn_joint_away measure(const sn_joint_zero *zero, const sn_swing_twist *parts) {
    sn_dvec3 swing = sn_dquat_to_vector(parts->swing);
    sn_joint_away out = {.twist = parts->twist};
    for (int i = 0; i < 2; i++)
        out.swing[i] = sn_dvec3_dot(swing, sn_dvec3_of(zero->swing_axes[i]));
    return out;
}

sn_joint_away sn_joint_measure(const sn_joint_zero *zero, sn_dquat rotation) {
    sn_swing_twist parts = away_from(zero, rotation);
    return measure(zero, &parts);
}

/* Of the swing that the range allows; 1 and below: all of it. */
static double swing_ratio(const sn_joint_range *range, const sn_joint_away *away) {
    return sn_half_ellipse(away->swing, range->swing_max, range->swing_min);
}

/* Beyond its ends the twist goes to the nearer one, the circle round. */
static double twist_within(const sn_joint_range *range, double twist) {
    double low = (double)range->twist_min, high = (double)range->twist_max;
    if (twist >= low && twist <= high)
        return twist;
    double over = twist > high ? twist - high : twist + 2 * SN_PI - high;
    double under = twist < low ? low - twist : low + 2 * SN_PI - twist;
    return over < under ? high : low;
}

static double turn_between(double a, double b) {
    return fabs(remainder(a - b, 2 * SN_PI));
}

void sn_joint_beyond(const sn_joint_range *range, const sn_joint_away *away, double out[2]) {
    double ratio = swing_ratio(range, away);
    double swing = hypot(away->swing[0], away->swing[1]);
    out[0] = ratio > 1 ? swing * (1 - 1 / ratio) : 0;
    out[1] = turn_between(away->twist, twist_within(range, away->twist));
}

sn_dquat sn_joint_clamp(const sn_joint_zero *zero, const sn_joint_range *range, sn_dquat rotation,
                        bool *is_clamped) {
    sn_swing_twist parts = away_from(zero, rotation);
    sn_joint_away away = measure(zero, &parts);
    double ratio = swing_ratio(range, &away), twist = twist_within(range, away.twist);
    /* A hair of slack: what lies on the edge stays as it is and is no news. */
    *is_clamped = ratio > 1 + 1e-6 || turn_between(away.twist, twist) > 1e-6;
    if (!*is_clamped)
        return rotation;
    sn_dvec3 swing = sn_dquat_to_vector(parts.swing);
    if (ratio > 1)
        swing = sn_dvec3_scale(swing, 1 / ratio);
    sn_dquat turned = sn_dquat_multiply(sn_dquat_of_vector(swing),
                                        sn_dquat_about(sn_dvec3_of(zero->twist_axis), twist));
    return sn_dquat_multiply(turned, sn_dquat_of(zero->rotation));
}
