#include "body.h"

/* Breadths and depths are read off the mean figures for adult men in NASA-STD-3000, volume 1,
 * section 3 (chest breadth 0.32, waist breadth 0.30, hip breadth 0.34, chest depth 0.24, biceps
 * girth 0.31, forearm girth 0.28, calf girth 0.37, thigh girth 0.57 m), slimmed towards an athletic
 * figure of both sexes' middle. Columns of the tables: place along the axis, then centre u, centre
 * v, radius +u, -u, +v, -v, exponent. */

/* Pelvis to the top of the neck. Axis y; u is x, v is z. */
static const loft torso_shape = {
    .count = 17,
    .cap_start = 0.085,
    .cap_end = 0.040,
    .sections =
        {
            {0.905, {0.0, -0.005, 0.138, 0.138, 0.094, 0.088, 2.0}},
            {0.925, {0.0, -0.004, 0.146, 0.146, 0.097, 0.088, 2.1}},
            {0.955, {0.0, -0.003, 0.149, 0.149, 0.099, 0.086, 2.2}},
            {1.000, {0.0, 0.000, 0.141, 0.141, 0.096, 0.079, 2.2}},
            {1.050, {0.0, 0.003, 0.128, 0.128, 0.090, 0.074, 2.2}},
            {1.100, {0.0, 0.004, 0.120, 0.120, 0.087, 0.073, 2.2}},
            {1.150, {0.0, 0.003, 0.122, 0.122, 0.090, 0.078, 2.25}},
            {1.210, {0.0, -0.001, 0.133, 0.133, 0.100, 0.088, 2.3}},
            {1.270, {0.0, -0.007, 0.144, 0.144, 0.109, 0.098, 2.35}},
            {1.330, {0.0, -0.013, 0.151, 0.151, 0.111, 0.104, 2.35}},
            {1.380, {0.0, -0.019, 0.147, 0.147, 0.104, 0.101, 2.25}},
            {1.425, {0.0, -0.026, 0.122, 0.122, 0.085, 0.088, 2.1}},
            {1.460, {0.0, -0.031, 0.084, 0.084, 0.067, 0.072, 2.0}},
            {1.490, {0.0, -0.031, 0.061, 0.061, 0.060, 0.062, 2.0}},
            {1.520, {0.0, -0.027, 0.0535, 0.0535, 0.056, 0.057, 2.0}},
            {1.560, {0.0, -0.019, 0.0510, 0.0510, 0.054, 0.056, 2.0}},
            {1.600, {0.0, -0.012, 0.0500, 0.0500, 0.050, 0.056, 2.0}},
        },
};

/* Axis x from shoulder over the elbow (0.285) to the wrist (0.536), straightened; u is z (biceps
 * and thumb forward), v is y (the elbow's width, then the back of the hand). */
static const loft arm_shape = {
    .count = 14,
    .cap_start = 0.050,
    .cap_end = 0.020,
    .sections =
        {
            {0.000, {0.000, 0.000, 0.048, 0.048, 0.047, 0.047, 2.0}},
            {0.060, {0.000, 0.000, 0.048, 0.048, 0.047, 0.046, 2.0}},
            {0.115, {0.002, 0.000, 0.046, 0.046, 0.042, 0.042, 2.0}},
            {0.165, {0.002, 0.000, 0.046, 0.044, 0.0395, 0.0395, 2.0}},
            {0.215, {0.001, 0.000, 0.040, 0.041, 0.0365, 0.0365, 2.0}},
            {0.255, {0.001, 0.000, 0.035, 0.038, 0.0365, 0.0365, 2.0}},
            {0.285, {0.002, 0.000, 0.034, 0.038, 0.0385, 0.0385, 2.0}},
            {0.325, {0.003, 0.001, 0.037, 0.036, 0.0410, 0.0405, 2.0}},
            {0.365, {0.002, 0.001, 0.037, 0.035, 0.0395, 0.0390, 2.0}},
            {0.410, {0.001, 0.000, 0.034, 0.033, 0.0345, 0.0345, 2.0}},
            {0.455, {0.000, 0.000, 0.030, 0.030, 0.0280, 0.0285, 2.05}},
            {0.490, {0.000, 0.000, 0.0275, 0.0275, 0.0235, 0.0240, 2.1}},
            {0.520, {0.000, 0.000, 0.0268, 0.0268, 0.0205, 0.0210, 2.2}},
            {0.536, {0.000, 0.000, 0.0270, 0.0270, 0.0195, 0.0200, 2.2}},
        },
};

/* Axis from hip down over the knee (0.427) to the ankle (0.843); u is x (outwards), v is z from the
 * line through the joints. */
static const loft leg_shape = {
    .count = 15,
    .cap_start = 0.075,
    .cap_end = 0.030,
    .sections =
        {
            {0.000, {-0.003, -0.003, 0.074, 0.076, 0.083, 0.084, 2.05}},
            {0.060, {-0.004, 0.000, 0.076, 0.078, 0.085, 0.085, 2.05}},
            {0.140, {-0.004, 0.004, 0.071, 0.074, 0.081, 0.080, 2.05}},
            {0.230, {-0.003, 0.006, 0.062, 0.065, 0.072, 0.071, 2.0}},
            {0.310, {-0.001, 0.007, 0.053, 0.055, 0.061, 0.061, 2.0}},
            {0.375, {0.000, 0.008, 0.0465, 0.0480, 0.0530, 0.0540, 2.0}},
            {0.427, {0.000, 0.008, 0.0440, 0.0460, 0.0500, 0.0490, 2.0}},
            {0.475, {0.001, 0.005, 0.0430, 0.0440, 0.0450, 0.0490, 2.0}},
            {0.525, {0.001, -0.001, 0.0470, 0.0465, 0.0410, 0.0560, 2.0}},
            {0.575, {0.001, -0.004, 0.0465, 0.0465, 0.0390, 0.0580, 2.0}},
            {0.635, {0.000, -0.003, 0.0405, 0.0410, 0.0370, 0.0500, 2.0}},
            {0.700, {0.000, 0.000, 0.0335, 0.0340, 0.0340, 0.0400, 2.0}},
            {0.765, {0.000, 0.002, 0.0290, 0.0300, 0.0310, 0.0340, 2.0}},
            {0.815, {0.000, 0.003, 0.0285, 0.0295, 0.0300, 0.0325, 2.0}},
            {0.843, {0.000, 0.004, 0.0290, 0.0300, 0.0300, 0.0320, 2.0}},
        },
};

void body_prepare(body *b) {
    pose design;
    pose_design(&design);
    pose_world(&design, b->frame);
    b->torso = torso_shape;
    b->arm = arm_shape;
    b->leg = leg_shape;
    loft_prepare(&b->torso);
    loft_prepare(&b->arm);
    loft_prepare(&b->leg);
    head_prepare(b);
    hand_prepare(b);
    foot_prepare(b);
}

/* A part further off than this cannot touch the surface near p: no seam is that wide. */
#define REACH 0.09

/* Lower bound of the distance of a part inside a ball, if it is beyond reach; else zero. */
static double far_off(vec3 p, vec3 centre, double radius) {
    double d = v3_distance(p, centre) - radius;
    return d > REACH ? d : 0.0;
}

static double torso_distance(const body *b, vec3 p) {
    double far = far_off(p, v3(0.0, 1.20, 0.0), 0.44);
    if (far > 0.0)
        return far;
    vec3 q = v3(field_smooth_abs(p.x, 0.016), p.y, p.z);
    double d = loft_distance(&b->torso, p.y, p.x, p.z);

    double pectoral = field_ellipsoid_turned(q, v3(0.074, 1.352, 0.056), v3(0.090, 0.064, 0.044),
                                             quat_euler(-8.0, 22.0, 14.0));
    /* Its tail runs out to the arm and makes the front wall of the armpit. */
    double tail =
        field_round_cone(q, v3(0.120, 1.372, 0.036), 0.040, v3(0.186, 1.392, 0.006), 0.036);
    pectoral = field_union(pectoral, tail, 0.030);
    double below_collar =
        field_round_cone(q, v3(0.060, 1.408, 0.034), 0.026, v3(0.140, 1.412, 0.012), 0.034);
    d = field_union(d, field_union(pectoral, below_collar, 0.030), 0.050);
    double lat =
        field_round_cone(q, v3(0.128, 1.355, -0.056), 0.046, v3(0.070, 1.110, -0.020), 0.030);
    d = field_union(d, lat, 0.060);
    double shoulder_blade = field_ellipsoid_turned(
        q, v3(0.082, 1.378, -0.086), v3(0.064, 0.090, 0.030), quat_euler(6.0, -18.0, -8.0));
    d = field_union(d, shoulder_blade, 0.060);
    double trapezius =
        field_round_cone(q, v3(0.026, 1.506, -0.044), 0.032, v3(0.150, 1.436, -0.034), 0.028);
    d = field_union(d, trapezius, 0.060);
    double collar_bone =
        field_round_cone(q, v3(0.020, 1.442, 0.030), 0.008, v3(0.150, 1.448, 0.004), 0.014);
    d = field_union(d, collar_bone, 0.034);
    double buttock = field_ellipsoid_turned(q, v3(0.068, 0.902, -0.044), v3(0.074, 0.086, 0.074),
                                            quat_euler(0.0, 0.0, 8.0));
    d = field_union(d, buttock, 0.055);
    double spine_groove =
        field_round_cone(p, v3(0.0, 1.060, -0.092), 0.006, v3(0.0, 1.420, -0.142), 0.006);
    d = field_difference(d, spine_groove, 0.036);
    double middle_line =
        field_round_cone(p, v3(0.0, 1.040, 0.112), 0.006, v3(0.0, 1.290, 0.126), 0.006);
    d = field_difference(d, middle_line, 0.034);
    vec3 s = v3(field_smooth_abs(p.x, 0.006), p.y, p.z);
    double sternomastoid =
        field_round_cone(s, v3(0.012, 1.450, 0.024), 0.007, v3(0.050, 1.590, -0.022), 0.012);
    d = field_union(d, sternomastoid, 0.026);
    return d;
}

vec3 body_arm_straightened(const body *b, vec3 p) {
    vec3 joint = joint_offset(JOINT_LEFT_LOWER_ARM);
    vec3 upper = rigid_apply_inverse(b->frame[JOINT_LEFT_UPPER_ARM], p);
    vec3 lower = rigid_apply_inverse(b->frame[JOINT_LEFT_LOWER_ARM], p);
    double over = smooth_ramp(joint.x - 0.07, joint.x + 0.07, upper.x);
    return v3_lerp(upper, v3_add(lower, joint), over);
}

static double arm_distance(const body *b, vec3 p) {
    vec3 elbow = b->frame[JOINT_LEFT_LOWER_ARM].translation;
    double far = far_off(p, elbow, 0.36);
    if (far > 0.0)
        return far;
    vec3 straight = body_arm_straightened(b, p);
    vec3 upper = rigid_apply_inverse(b->frame[JOINT_LEFT_UPPER_ARM], p);
    vec3 lower = rigid_apply_inverse(b->frame[JOINT_LEFT_LOWER_ARM], p);
    double d = loft_distance(&b->arm, straight.x, straight.z, straight.y);
    double deltoid = field_ellipsoid_turned(upper, v3(0.046, 0.006, 0.000), v3(0.092, 0.048, 0.055),
                                            quat_euler(0.0, 0.0, -4.0));
    d = field_union(d, deltoid, 0.030);
    double olecranon = field_ellipsoid(lower, v3(-0.002, 0.000, -0.0195), v3(0.028, 0.018, 0.015));
    return field_union(d, olecranon, 0.026);
}

static double leg_distance(const body *b, vec3 p) {
    double far = far_off(p, v3(0.09, 0.50, -0.01), 0.52);
    if (far > 0.0)
        return far;
    vec3 hip = b->frame[JOINT_LEFT_UPPER_LEG].translation;
    vec3 knee = b->frame[JOINT_LEFT_LOWER_LEG].translation;
    vec3 ankle = b->frame[JOINT_LEFT_FOOT].translation;
    double down = clamp((knee.y - p.y) / (knee.y - ankle.y), 0.0, 1.0);
    double line = knee.z + (ankle.z - knee.z) * down * down * (2.0 - down);
    vec3 lower = v3_sub(p, knee);
    double d = loft_distance(&b->leg, hip.y - p.y, p.x - hip.x, p.z - line);
    double knee_cap = field_ellipsoid(lower, v3(0.0, 0.010, 0.0425), v3(0.024, 0.036, 0.0130));
    d = field_union(d, knee_cap, 0.034);
    double calf_inner = field_ellipsoid_turned(lower, v3(-0.020, -0.125, -0.036),
                                               v3(0.027, 0.090, 0.031), quat_euler(5.0, 0.0, 3.0));
    d = field_union(d, calf_inner, 0.034);
    double calf_outer = field_ellipsoid_turned(lower, v3(0.021, -0.110, -0.034),
                                               v3(0.026, 0.085, 0.030), quat_euler(5.0, 0.0, -3.0));
    d = field_union(d, calf_outer, 0.034);
    double ankle_outer =
        field_ellipsoid(v3_sub(p, ankle), v3(0.023, -0.004, 0.000), v3(0.013, 0.020, 0.014));
    d = field_union(d, ankle_outer, 0.022);
    double ankle_inner =
        field_ellipsoid(v3_sub(p, ankle), v3(-0.023, 0.006, 0.006), v3(0.013, 0.020, 0.015));
    d = field_union(d, ankle_inner, 0.022);
    return field_union(d, foot_distance(b, p), 0.040);
}

double body_distance(const body *b, vec3 p) {
    vec3 q = v3(fabs(p.x), p.y, p.z);
    vec3 leg = v3(field_smooth_abs(p.x, 0.005), p.y, p.z);
    double d = torso_distance(b, q);
    d = field_union(d, head_distance(b, q), 0.022);
    d = head_openings(d, q);
    double arm = arm_distance(b, q);
    arm = field_union(arm, hand_distance(b, q), 0.016);
    d = field_union(d, arm, 0.046);
    return field_union(d, leg_distance(b, leg), 0.050);
}

vec3 body_normal(const body *b, vec3 p) {
    /* The corners of a tetrahedron: four samples serve for all three derivatives. */
    static const vec3 corner[4] = {
        {1.0, -1.0, -1.0}, {-1.0, -1.0, 1.0}, {-1.0, 1.0, -1.0}, {1.0, 1.0, 1.0}};
    vec3 sum = v3(0.0, 0.0, 0.0);
    for (int i = 0; i < 4; i++)
        sum = v3_add_scaled(sum, corner[i], body_distance(b, v3_add_scaled(p, corner[i], 1e-4)));
    return v3_normalize(sum);
}

vec3 body_project(const body *b, vec3 p) {
    static const vec3 corner[4] = {
        {1.0, -1.0, -1.0}, {-1.0, -1.0, 1.0}, {-1.0, 1.0, -1.0}, {1.0, 1.0, 1.0}};
    const double step = 1e-4;
    for (int pass = 0; pass < 4; pass++) {
        vec3 slope = v3(0.0, 0.0, 0.0);
        double mean = 0.0;
        for (int i = 0; i < 4; i++) {
            double d = body_distance(b, v3_add_scaled(p, corner[i], step));
            slope = v3_add_scaled(slope, corner[i], d / (4.0 * step));
            mean += d * 0.25;
        }
        double squared = v3_dot(slope, slope);
        if (fabs(mean) < 1e-6 || squared < 1e-6)
            break;
        double move = clamp(mean / squared, -0.01, 0.01);
        p = v3_add_scaled(p, slope, -move);
    }
    return p;
}
