#include "body.h"

/* The head keeps to the classical canon: eyes half-way between crown and chin, base of the nose
 * half-way between brow and chin, ears between brow and base of the nose, eyes one eye apart. */

static const vec3 eye_centre = {0.0315, 1.640, 0.071};

/* The face from under the chin to the brow. Axis y; u is x, v is z. */
static const loft face_shape = {
    .count = 11,
    .cap_start = 0.012,
    .cap_end = 0.050,
    .sections =
        {
            {1.534, {0.0, 0.048, 0.0255, 0.0255, 0.034, 0.040, 2.1}},
            {1.545, {0.0, 0.040, 0.0355, 0.0355, 0.0440, 0.045, 2.15}},
            {1.558, {0.0, 0.033, 0.0450, 0.0450, 0.0490, 0.050, 2.15}},
            {1.572, {0.0, 0.027, 0.0518, 0.0518, 0.0560, 0.055, 2.15}},
            {1.588, {0.0, 0.021, 0.0575, 0.0575, 0.0640, 0.060, 2.15}},
            {1.605, {0.0, 0.017, 0.0628, 0.0628, 0.0680, 0.060, 2.15}},
            {1.622, {0.0, 0.013, 0.0670, 0.0670, 0.0710, 0.060, 2.15}},
            {1.640, {0.0, 0.009, 0.0690, 0.0690, 0.0745, 0.060, 2.15}},
            {1.660, {0.0, 0.005, 0.0700, 0.0700, 0.0790, 0.060, 2.1}},
            {1.675, {0.0, 0.002, 0.0690, 0.0690, 0.0810, 0.060, 2.05}},
            {1.690, {0.0, 0.000, 0.0670, 0.0670, 0.0800, 0.060, 2.0}},
        },
};

void head_prepare(body *b) {
    b->face = face_shape;
    loft_prepare(&b->face);
}

double head_distance(const body *b, vec3 p) {
    vec3 centre = v3(0.0, 1.645, 0.0);
    double far = v3_distance(p, centre) - 0.15;
    if (far > 0.09)
        return far;
    vec3 q = v3(field_smooth_abs(p.x, 0.003), p.y, p.z);
    vec3 soft = v3(field_smooth_abs(p.x, 0.010), p.y, p.z);

    double d = field_ellipsoid(p, v3(0.0, 1.664, -0.014), v3(0.0750, 0.086, 0.096));
    d = field_union(d, loft_distance(&b->face, p.y, p.x, p.z), 0.020);
    double jaw =
        field_round_cone(soft, v3(0.043, 1.578, 0.000), 0.016, v3(0.012, 1.542, 0.064), 0.014);
    d = field_union(d, jaw, 0.030);
    double cheek = field_ellipsoid_turned(q, v3(0.044, 1.617, 0.048), v3(0.020, 0.017, 0.027),
                                          quat_euler(0.0, -38.0, 0.0));
    d = field_union(d, cheek, 0.030);
    double socket = field_ellipsoid_turned(q, v3(0.031, 1.639, 0.096), v3(0.024, 0.012, 0.018),
                                           quat_euler(0.0, 15.0, -4.0));
    d = field_difference(d, socket, 0.018);
    double brow =
        field_round_cone(q, v3(0.012, 1.656, 0.078), 0.0070, v3(0.044, 1.658, 0.060), 0.0060);
    d = field_union(d, brow, 0.024);

    double bridge =
        field_round_cone(p, v3(0.0, 1.654, 0.0825), 0.0060, v3(0.0, 1.612, 0.0990), 0.0070);
    d = field_union(d, bridge, 0.014);
    double nose_tip = field_ellipsoid(p, v3(0.0, 1.6095, 0.0998), v3(0.0076, 0.0072, 0.0085));
    d = field_union(d, nose_tip, 0.010);
    double wing = field_ellipsoid_turned(q, v3(0.0086, 1.6066, 0.0900), v3(0.0052, 0.0060, 0.0088),
                                         quat_euler(0.0, -20.0, 0.0));
    d = field_union(d, wing, 0.010);

    double muzzle = field_ellipsoid(p, v3(0.0, 1.577, 0.064), v3(0.028, 0.019, 0.022));
    d = field_union(d, muzzle, 0.024);
    /* The lips follow the curve of the teeth. */
    vec3 lip = v3(q.x, q.y, q.z + 11.0 * q.x * q.x);
    double upper_lip = field_round_cone(lip, v3(0.0050, 1.5802, 0.0868), 0.0042,
                                        v3(0.0225, 1.5766, 0.0870), 0.0018);
    double lower_lip =
        field_round_cone(lip, v3(0.0, 1.5704, 0.0850), 0.0052, v3(0.0200, 1.5750, 0.0866), 0.0020);
    /* The lips meet in a crease. */
    d = field_union(d, field_union(upper_lip, lower_lip, 0.0028), 0.007);
    double chin = field_ellipsoid(p, v3(0.0, 1.540, 0.072), v3(0.017, 0.012, 0.013));
    d = field_union(d, chin, 0.022);

    quat ear_turn = quat_euler(0.0, -24.0, -8.0);
    double ear =
        field_ellipsoid_turned(q, v3(0.0745, 1.634, -0.014), v3(0.0060, 0.029, 0.0165), ear_turn);
    double lobe =
        field_ellipsoid_turned(q, v3(0.0700, 1.609, -0.006), v3(0.0055, 0.011, 0.009), ear_turn);
    ear = field_union(ear, lobe, 0.010);
    double shell =
        field_ellipsoid_turned(q, v3(0.0800, 1.636, -0.011), v3(0.0060, 0.019, 0.0095), ear_turn);
    ear = field_difference(ear, shell, 0.005);
    d = field_union(d, ear, 0.008);

    double lids = v3_distance(q, eye_centre) - (EYE_RADIUS + 0.0011);
    return field_union(d, lids, 0.008);
}

/* Cuts the almond-shaped opening between the lids: two arcs, extruded towards the front. */
double head_openings(double distance, vec3 p) {
    vec3 d = v3_sub(v3(fabs(p.x), p.y, p.z), eye_centre);
    if (v3_dot(d, d) > 0.03 * 0.03)
        return distance;
    /* The outer corner stands a little higher than the inner one. */
    double x = d.x, y = d.y - 0.06 * d.x;
    const double half_width = 0.0122;
    double upper_rise = 0.0054, lower_rise = 0.0042;
    double upper_radius = (half_width * half_width + upper_rise * upper_rise) / (2.0 * upper_rise);
    double lower_radius = (half_width * half_width + lower_rise * lower_rise) / (2.0 * lower_rise);
    double above = hypot(x, y - (upper_rise - upper_radius)) - upper_radius;
    double below = hypot(x, y - (lower_radius - lower_rise)) - lower_radius;
    double almond = fmax(above, below);
    almond = field_intersection(almond, -d.z, 0.002);
    return field_difference(distance, almond, 0.0024);
}
