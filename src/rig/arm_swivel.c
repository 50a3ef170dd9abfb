#include "rig/arm_swivel.h"

#include "rig/arm_hand.h"
#include "rig/joint_range.h"
#include "rig/swing_twist.h"

/* The least of a cost jumps from one valley to the other where they are equally deep. What does not
 * jump is a mean: of all swivels, weighed by how near they are to the natural one (a Gaussian of
 * SPREAD) and how little is in their way. Against one wall it is the mean of what is left of the
 * Gaussian on the free side, so the elbow gives way a little before it is touched. */
#define HALF_SAMPLES 20
#define WIDEST (150 * SN_PI / 180)
#define SPREAD 0.25

/* What weighs as much as one SPREAD: radians beyond the shoulder's range, and beyond the wrist's,
 * and the depth in a capsule, as a share of the arm's length. */
#define BEYOND_SHOULDER 0.03
#define BEYOND_WRIST 0.05
#define DEPTH 0.02

/* What each can weigh at most. The wrist less: where it cannot have its orientation, the hand is
 * turned wrong; where the shoulder is cut, it is not on the target, which is worse. And where all
 * is hopeless the elbow is not driven from the least bad to the next. */
#define MOST_OF_SHOULDER 40.0
#define MOST_OF_WRIST 8.0
#define MOST_OF_DEPTH 40.0

/* The search keeps that far from the ends of the ranges, so that the mean is inside. */
#define MARGIN 0.05

static sn_dvec3 turned(const sn_swivel_input *input, sn_dquat turn, sn_dvec3 point) {
    return sn_dvec3_add(input->root, sn_dquat_rotate(turn, sn_dvec3_subtract(point, input->root)));
}

static double to_segment(sn_dvec3 p, sn_dvec3 a, sn_dvec3 b) {
    sn_dvec3 line = sn_dvec3_subtract(b, a), from = sn_dvec3_subtract(p, a);
    double square = sn_dvec3_dot(line, line);
    double t = square > 0 ? sn_dvec3_dot(from, line) / square : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return sn_dvec3_length(sn_dvec3_subtract(from, sn_dvec3_scale(line, t)));
}

/* Points of the arm that are looked at: towards the elbow, and on to the wrist, which stays. */
enum { POINTS = 6 };
static void arm_points(const sn_swivel_input *input, sn_dquat turn, sn_dvec3 out[POINTS]) {
    static const double shares[POINTS] = {-0.5, -0.25, 0, 0.25, 0.5, 0.75};
    sn_dvec3 elbow = turned(input, turn, input->elbow);
    for (int i = 0; i < POINTS; i++) {
        sn_dvec3 other = shares[i] < 0 ? input->root : input->wrist;
        out[i] =
            sn_dvec3_add(elbow, sn_dvec3_scale(sn_dvec3_subtract(other, elbow), fabs(shares[i])));
    }
}

static double depth_at(const sn_swivel_capsule *capsule, sn_dvec3 point) {
    return fmax(0, capsule->radius - to_segment(point, capsule->a, capsule->b));
}

static sn_dquat swivel_turn(const sn_swivel_input *input, double swivel) {
    sn_dvec3 line = sn_dvec3_subtract(input->wrist, input->root);
    return sn_dquat_about(sn_dvec3_unit(line), swivel);
}

double sn_arm_swivel_depth(const sn_swivel_input *input, double swivel) {
    sn_dvec3 points[POINTS];
    arm_points(input, swivel_turn(input, swivel), points);
    double deepest = 0;
    for (uint32_t i = 0; i < input->capsule_count; i++)
        for (int k = 0; k < POINTS; k++)
            deepest = fmax(deepest, depth_at(&input->capsules[i], points[k]));
    return deepest;
}

static sn_joint_range narrowed(const sn_joint_range *range) {
    const float margin = (float)MARGIN;
    sn_joint_range out = *range;
    for (int i = 0; i < 2; i++) {
        out.swing_max[i] -= fminf(margin, range->swing_max[i] / 4);
        out.swing_min[i] -= fminf(margin, range->swing_min[i] / 4);
    }
    out.twist_max -= fminf(margin, range->twist_max / 4);
    out.twist_min += fminf(margin, -range->twist_min / 4);
    return out;
}

/* Squared radians. */
static double beyond(const sn_joint_zero *zero, const sn_joint_range *range, sn_dquat rotation) {
    sn_joint_away away = sn_joint_measure(zero, rotation);
    sn_joint_range inner = narrowed(range);
    double out[2];
    sn_joint_beyond(&inner, &away, out);
    return out[0] * out[0] + out[1] * out[1];
}

/* Evenly up to the most, which it never reaches. */
static double at_most(double cost, double most) {
    return most * cost / (most + cost);
}

static double shoulder_cost(const sn_swivel_input *input, sn_dquat turn) {
    const sn_similarity *space = &input->upper_parent;
    sn_dquat upper = sn_dquat_multiply(turn, sn_similarity_rotation_out(space, input->upper));
    double square = beyond(&input->arm->shoulder_zero, &input->limits->shoulder,
                           sn_similarity_rotation(space, upper));
    return at_most(square / (BEYOND_SHOULDER * BEYOND_SHOULDER), MOST_OF_SHOULDER);
}

static double wrist_cost(const sn_swivel_input *input, sn_dquat turn) {
    sn_similarity fore = input->fore;
    fore.rotation = sn_dquat_multiply(turn, fore.rotation);
    sn_dquat hand = sn_arm_hand_wanted(input->job, &fore, input->hand_rest).rotation;
    double square =
        beyond(&input->arm->wrist_zero, &input->limits->wrist, sn_similarity_rotation(&fore, hand));
    return at_most(square / (BEYOND_WRIST * BEYOND_WRIST), MOST_OF_WRIST);
}

static double depth_cost(const sn_swivel_input *input, double length, sn_dquat turn) {
    sn_dvec3 points[POINTS];
    arm_points(input, turn, points);
    double sum = 0;
    for (uint32_t i = 0; i < input->capsule_count; i++)
        for (int k = 0; k < POINTS; k++) {
            double depth = depth_at(&input->capsules[i], points[k]) / (DEPTH * length);
            sum += depth * depth;
        }
    return at_most(sum, MOST_OF_DEPTH);
}

static double obstruction(const sn_swivel_input *input, double length, double swivel) {
    sn_dquat turn = swivel_turn(input, swivel);
    double cost = depth_cost(input, length, turn);
    if (input->limits)
        cost += shoulder_cost(input, turn);
    if (input->limits && input->job->hand != SN_HAND_AS_POSED)
        cost += wrist_cost(input, turn);
    return cost;
}

double sn_arm_swivel_find(const sn_swivel_input *input) {
    double length = sn_dvec3_length(sn_dvec3_subtract(input->elbow, input->root)) +
                    sn_dvec3_length(sn_dvec3_subtract(input->wrist, input->elbow));
    if (!(sn_dvec3_length(sn_dvec3_subtract(input->wrist, input->root)) > 1e-9 * length))
        return 0;
    enum { SAMPLES = 2 * HALF_SAMPLES + 1 };
    double costs[SAMPLES], least = INFINITY;
    for (int i = 0; i < SAMPLES; i++) {
        double swivel = WIDEST * (i - HALF_SAMPLES) / HALF_SAMPLES;
        costs[i] = obstruction(input, length, swivel) + swivel * swivel / (2 * SPREAD * SPREAD);
        least = fmin(least, costs[i]);
    }
    /* In pairs, so that they cancel exactly where nothing is in the way. */
    double sum = 0, weights = exp(least - costs[HALF_SAMPLES]);
    for (int i = 1; i <= HALF_SAMPLES; i++) {
        double plus = exp(least - costs[HALF_SAMPLES + i]);
        double minus = exp(least - costs[HALF_SAMPLES - i]);
        sum += WIDEST * i / HALF_SAMPLES * (plus - minus);
        weights += plus + minus;
    }
    return sum / weights;
}
