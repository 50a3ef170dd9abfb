#include "body.h"

/* Axis forward from below the ankle; u is x (outwards), v is height above the ground. */
static const loft foot_loft = {
    .count = 7,
    .cap_start = 0.026,
    .cap_end = 0.030,
    .sections =
        {
            {-0.026, {0.000, 0.036, 0.027, 0.027, 0.040, 0.038, 2.1}},
            {0.000, {0.000, 0.038, 0.030, 0.030, 0.050, 0.040, 2.2}},
            {0.035, {0.002, 0.034, 0.031, 0.031, 0.046, 0.034, 2.2}},
            {0.070, {0.004, 0.029, 0.036, 0.034, 0.037, 0.027, 2.2}},
            {0.100, {0.004, 0.024, 0.042, 0.039, 0.028, 0.024, 2.2}},
            {0.125, {0.004, 0.020, 0.044, 0.042, 0.021, 0.021, 2.2}},
            {0.140, {0.005, 0.018, 0.043, 0.041, 0.017, 0.019, 2.2}},
        },
};

void foot_prepare(body *b) {
    vec3 ankle = joint_rest(JOINT_LEFT_FOOT);
    b->foot = (rigid){quat_euler(0.0, 4.0, 0.0), v3(ankle.x, 0.0, ankle.z)};
    b->foot_shape = foot_loft;
    loft_prepare(&b->foot_shape);
}

double foot_distance(const body *b, vec3 p) {
    /* Start (at the ball), end, and both radii of the toes, big toe first. */
    static const struct {
        vec3 start;
        double start_radius;
        vec3 end;
        double end_radius;
    } toes[] = {
        {{-0.021, 0.018, 0.132}, 0.0175, {-0.023, 0.0135, 0.188}, 0.0130},
        {{0.002, 0.016, 0.136}, 0.0120, {0.001, 0.0100, 0.187}, 0.0094},
        {{0.017, 0.015, 0.134}, 0.0115, {0.018, 0.0095, 0.178}, 0.0088},
        {{0.031, 0.014, 0.127}, 0.0110, {0.034, 0.0090, 0.166}, 0.0084},
        {{0.042, 0.013, 0.118}, 0.0110, {0.047, 0.0085, 0.151}, 0.0082},
    };
    vec3 f = rigid_apply_inverse(b->foot, p);
    double far = v3_distance(f, v3(0.0, 0.03, 0.07)) - 0.15;
    if (far > 0.09)
        return far;
    double d = loft_distance(&b->foot_shape, f.z, f.x, f.y);
    double toe = 1.0;
    for (int i = 0; i < 5; i++) {
        double one = field_round_cone(f, toes[i].start, toes[i].start_radius, toes[i].end,
                                      toes[i].end_radius);
        toe = i == 0 ? one : field_union(toe, one, 0.0035);
    }
    d = field_union(d, toe, 0.014);
    double arch = field_ellipsoid(f, v3(-0.040, 0.000, 0.052), v3(0.026, 0.015, 0.050));
    d = field_difference(d, arch, 0.020);
    /* The sole is pressed flat; the rounding of the edge takes away 0.8 mm. */
    return field_intersection(d, -0.0008 - f.y, 0.010);
}
