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

/* Cubic through p1 and p2 with the slopes of the chords of their neighbours (Catmull-Rom). */
static void cubic(double p0, double p1, double p2, double p3, double out[4]) {
    double m1 = 0.5 * (p2 - p0), m2 = 0.5 * (p3 - p1);
    out[0] = p1;
    out[1] = m1;
    out[2] = 3.0 * (p2 - p1) - 2.0 * m1 - m2;
    out[3] = 2.0 * (p1 - p2) + m1 + m2;
}

/* Bent fingers are round on the outer side too, not broken at the joints. */
static void bend_finger(const vec3 joint[4], const double radius[4], finger_curve *out) {
    for (int k = 0; k < 3; k++) {
        vec3 p1 = joint[k], p2 = joint[k + 1];
        vec3 p0 = k > 0 ? joint[k - 1] : v3_sub(v3_scale(p1, 2.0), p2);
        vec3 p3 = k < 2 ? joint[k + 2] : v3_sub(v3_scale(p2, 2.0), p1);
        double x[4], y[4], z[4];
        cubic(p0.x, p1.x, p2.x, p3.x, x);
        cubic(p0.y, p1.y, p2.y, p3.y, y);
        cubic(p0.z, p1.z, p2.z, p3.z, z);
        for (int i = 0; i < 4; i++)
            out->place[k][i] = v3(x[i], y[i], z[i]);
        double r0 = k > 0 ? radius[k - 1] : 2.0 * radius[k] - radius[k + 1];
        double r3 = k < 2 ? radius[k + 2] : 2.0 * radius[k + 1] - radius[k];
        cubic(r0, radius[k], radius[k + 1], r3, out->radius[k]);
    }
}

/* Place on the curve, 0 <= t <= 3, with first and second derivative. */
static vec3 curve_at(const finger_curve *c, double t, vec3 *first, vec3 *second) {
    int k = t >= 2.0 ? 2 : t >= 1.0 ? 1 : 0;
    const vec3 *q = c->place[k];
    double u = t - k;
    *first = v3_add_scaled(v3_add_scaled(q[1], q[2], 2.0 * u), q[3], 3.0 * u * u);
    *second = v3_add_scaled(v3_scale(q[2], 2.0), q[3], 6.0 * u);
    return v3_add_scaled(v3_add_scaled(v3_add_scaled(q[0], q[1], u), q[2], u * u), q[3], u * u * u);
}

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
        bend_finger(b->finger[f], finger_radius[f], &b->curve[f]);
    }
}

double body_finger_distance(const body *b, vec3 p, int finger) {
    const finger_curve *curve = &b->curve[finger];
    double far = v3_distance(p, b->finger[finger][1]) - 0.070;
    if (far > 0.03)
        return far;
    /* The nearest of some places, then Newton's method towards the foot of the perpendicular. */
    vec3 first, second;
    double t = 0.0, least = 1.0;
    for (int i = 0; i <= 12; i++) {
        double d = v3_distance(p, curve_at(curve, i * 0.25, &first, &second));
        if (d < least) {
            least = d;
            t = i * 0.25;
        }
    }
    for (int pass = 0; pass < 3; pass++) {
        vec3 from = v3_sub(curve_at(curve, t, &first, &second), p);
        double speed = v3_dot(first, first);
        double step = v3_dot(from, first) / fmax(speed + v3_dot(from, second), 0.3 * speed);
        t = clamp(t - step, 0.0, 3.0);
    }
    int k = t >= 2.0 ? 2 : t >= 1.0 ? 1 : 0;
    const double *r = curve->radius[k];
    double u = t - k;
    return v3_distance(p, curve_at(curve, t, &first, &second)) -
           (r[0] + u * (r[1] + u * (r[2] + u * r[3])));
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
