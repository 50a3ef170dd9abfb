#include "body.h"

/* Lengths of the finger bones keep the ratios of Buryanov and Kotiuk (2010), "Proportions of hand
 * segments"; thickness is that of a slim hand. */

static const double finger_radius[FINGER_COUNT][4] = {
    {0.0125, 0.0108, 0.0098, 0.0078}, /* thumb */
    {0.0098, 0.0088, 0.0078, 0.0066}, {0.0098, 0.0090, 0.0080, 0.0067},
    {0.0095, 0.0084, 0.0075, 0.0063}, {0.0085, 0.0074, 0.0066, 0.0056},
};

static const int first_bone[FINGER_COUNT] = {JOINT_LEFT_THUMB, JOINT_LEFT_INDEX, JOINT_LEFT_MIDDLE,
                                             JOINT_LEFT_RING, JOINT_LEFT_LITTLE};

void hand_prepare(body *b) {
    /* From the last joint to the centre of the finger tip, in that joint's space. */
    static const vec3 tip[FINGER_COUNT] = {{0.0170, -0.0025, 0.0155},
                                           {0.0165, -0.0010, 0.0012},
                                           {0.0175, -0.0010, 0.0003},
                                           {0.0165, -0.0010, -0.0012},
                                           {0.0140, -0.0010, -0.0028}};
    for (int f = 0; f < FINGER_COUNT; f++) {
        for (int i = 0; i < 3; i++)
            b->finger[f][i] = b->frame[first_bone[f] + i].translation;
        b->finger[f][3] = rigid_apply(b->frame[first_bone[f] + 2], tip[f]);
    }
}

double body_finger_distance(const body *b, vec3 p, int finger) {
    const vec3 *joint = b->finger[finger];
    const double *radius = finger_radius[finger];
    double d = field_round_cone(p, joint[0], radius[0], joint[1], radius[1]);
    d = field_union(d, field_round_cone(p, joint[1], radius[1], joint[2], radius[2]), 0.002);
    return field_union(d, field_round_cone(p, joint[2], radius[2], joint[3], radius[3]), 0.002);
}

double body_palm_distance(const body *b, vec3 p) {
    vec3 h = rigid_apply_inverse(b->frame[JOINT_LEFT_HAND], p);
    double d =
        field_round_cone(h, v3(0.014, 0.000, 0.010), 0.0165, v3(0.088, 0.000, 0.027), 0.0115);
    d = field_union(
        d, field_round_cone(h, v3(0.012, 0.001, 0.003), 0.0170, v3(0.092, 0.002, 0.005), 0.0120),
        0.012);
    d = field_union(
        d, field_round_cone(h, v3(0.012, 0.000, -0.004), 0.0168, v3(0.087, 0.000, -0.016), 0.0115),
        0.012);
    d = field_union(
        d,
        field_round_cone(h, v3(0.014, -0.002, -0.010), 0.0155, v3(0.079, -0.003, -0.034), 0.0105),
        0.012);
    double heel_of_hand =
        field_round_cone(h, v3(0.020, -0.008, -0.016), 0.0140, v3(0.060, -0.007, -0.030), 0.0105);
    d = field_union(d, heel_of_hand, 0.014);
    double hollow = field_ellipsoid(h, v3(0.055, -0.026, -0.002), v3(0.030, 0.012, 0.016));
    return field_difference(d, hollow, 0.020);
}

double body_thumb_distance(const body *b, vec3 p) {
    vec3 h = rigid_apply_inverse(b->frame[JOINT_LEFT_HAND], p);
    double ball_of_thumb =
        field_round_cone(h, v3(0.018, -0.008, 0.014), 0.0170, v3(0.050, -0.016, 0.048), 0.0125);
    return field_union(ball_of_thumb, body_finger_distance(b, p, FINGER_THUMB), 0.012);
}

double hand_distance(const body *b, vec3 p) {
    vec3 centre = rigid_apply(b->frame[JOINT_LEFT_HAND], v3(0.09, -0.01, 0.0));
    double far = v3_distance(p, centre) - 0.125;
    if (far > 0.09)
        return far;
    double d = field_union(body_palm_distance(b, p), body_thumb_distance(b, p), 0.014);
    /* Fingers melt into the palm, not into one another. */
    double fingers = body_finger_distance(b, p, FINGER_INDEX);
    for (int f = FINGER_MIDDLE; f < FINGER_COUNT; f++)
        fingers = field_union(fingers, body_finger_distance(b, p, f), 0.002);
    return field_union(d, fingers, 0.009);
}
