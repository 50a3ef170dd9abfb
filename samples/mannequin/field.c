#include "field.h"

/* Formulas: the round cone and the ellipsoid estimate are those collected by Inigo Quilez,
 * "3D SDF functions"; the cubic smooth minimum is from the same author's "smooth minimum". */

double field_union(double a, double b, double k) {
    double h = k - fabs(a - b);
    double least = a < b ? a : b;
    if (h <= 0.0)
        return least;
    return least - h * h * h / (6.0 * k * k);
}

double field_intersection(double a, double b, double k) {
    return -field_union(-a, -b, k);
}

double field_difference(double a, double b, double k) {
    return -field_union(-a, b, k);
}

double field_round_cone(vec3 p, vec3 a, double radius_a, vec3 b, double radius_b) {
    vec3 axis = v3_sub(b, a);
    double length_squared = v3_dot(axis, axis);
    double shrink = radius_a - radius_b;
    double slant_squared = length_squared - shrink * shrink;
    vec3 from_a = v3_sub(p, a);
    double y = v3_dot(from_a, axis);
    double z = y - length_squared;
    vec3 across = v3_sub(v3_scale(from_a, length_squared), v3_scale(axis, y));
    double x_squared = v3_dot(across, across);
    double y_squared = y * y * length_squared;
    double z_squared = z * z * length_squared;
    double k = (shrink < 0.0 ? -1.0 : 1.0) * shrink * shrink * x_squared;

    if ((z < 0.0 ? -1.0 : 1.0) * slant_squared * z_squared > k)
        return sqrt(x_squared + z_squared) / length_squared - radius_b;
    if ((y < 0.0 ? -1.0 : 1.0) * slant_squared * y_squared < k)
        return sqrt(x_squared + y_squared) / length_squared - radius_a;
    return (sqrt(x_squared * slant_squared / length_squared) + y * shrink) / length_squared -
           radius_a;
}

double field_ellipsoid(vec3 p, vec3 centre, vec3 radii) {
    vec3 d = v3_sub(p, centre);
    vec3 once = v3(d.x / radii.x, d.y / radii.y, d.z / radii.z);
    vec3 twice = v3(once.x / radii.x, once.y / radii.y, once.z / radii.z);
    double level = v3_length(once);
    double slope = v3_length(twice);
    if (slope < 1e-12)
        return -fmin(radii.x, fmin(radii.y, radii.z));
    return level * (level - 1.0) / slope;
}

double field_ellipsoid_turned(vec3 p, vec3 centre, vec3 radii, quat turn) {
    vec3 own = quat_rotate(quat_conjugate(turn), v3_sub(p, centre));
    return field_ellipsoid(own, v3(0.0, 0.0, 0.0), radii);
}

double field_smooth_abs(double x, double r) {
    return sqrt(x * x + r * r);
}

/* Natural cubic splines, one a channel: the tridiagonal system of the second derivatives. */
void loft_prepare(loft *l) {
    int n = l->count;
    for (int c = 0; c < LOFT_CHANNELS; c++) {
        double scratch[LOFT_SECTIONS_MAX] = {0.0};
        l->second[0][c] = 0.0;
        for (int i = 1; i < n - 1; i++) {
            const loft_section *s = &l->sections[i];
            double below = s->t - s[-1].t, above = s[1].t - s->t;
            double ratio = below / (below + above);
            double pivot = ratio * l->second[i - 1][c] + 2.0;
            double bend =
                (s[1].value[c] - s->value[c]) / above - (s->value[c] - s[-1].value[c]) / below;
            l->second[i][c] = (ratio - 1.0) / pivot;
            scratch[i] = (6.0 * bend / (below + above) - ratio * scratch[i - 1]) / pivot;
        }
        l->second[n - 1][c] = 0.0;
        for (int i = n - 2; i >= 0; i--)
            l->second[i][c] = l->second[i][c] * l->second[i + 1][c] + scratch[i];
    }
}

/* Beyond the ends the splines go on with their slope, which fades over the length of the cap. */
static double end_value(const loft *l, int c, double beyond) {
    int last = beyond > 0.0 ? l->count - 1 : 0, next = beyond > 0.0 ? last - 1 : 1;
    double step = l->sections[last].t - l->sections[next].t;
    double at = l->sections[last].value[c];
    double slope = (at - l->sections[next].value[c]) / step + step * l->second[next][c] / 6.0;
    double outward = beyond > 0.0 ? slope : -slope;
    double fade = beyond > 0.0 ? l->cap_end : l->cap_start;
    if (c >= LOFT_PLUS_U && outward < 0.0)
        fade = fmin(fade, -0.7 * at / outward);
    return at + outward * fade * (1.0 - exp(-fabs(beyond) / fade));
}

static void loft_section_at(const loft *l, double t, double value[LOFT_CHANNELS]) {
    double start = l->sections[0].t, end = l->sections[l->count - 1].t;
    if (t < start || t > end) {
        for (int c = 0; c < LOFT_CHANNELS; c++)
            value[c] = end_value(l, c, t < start ? t - start : t - end);
        return;
    }
    int i = 0;
    while (i < l->count - 2 && t > l->sections[i + 1].t)
        i++;
    const loft_section *low = &l->sections[i], *high = low + 1;
    double width = high->t - low->t;
    double b = (t - low->t) / width, a = 1.0 - b;
    double bend_a = (a * a * a - a) * width * width / 6.0;
    double bend_b = (b * b * b - b) * width * width / 6.0;
    for (int c = 0; c < LOFT_CHANNELS; c++)
        value[c] = a * low->value[c] + b * high->value[c] + bend_a * l->second[i][c] +
                   bend_b * l->second[i + 1][c];
}

/* The radius towards `x`, going over from one side to the other without a step in curvature. */
static double side_radius(double x, double minus, double plus) {
    double half = 0.35 * (minus + plus);
    return minus + (plus - minus) * smooth_ramp(-half, half, x);
}

double loft_distance(const loft *l, double t, double u, double v) {
    double start = l->sections[0].t, end = l->sections[l->count - 1].t;
    double section[LOFT_CHANNELS];
    loft_section_at(l, t, section);
    double du = u - section[LOFT_CENTRE_U], dv = v - section[LOFT_CENTRE_V];
    double axial = t < start ? start - t : t > end ? t - end : 0.0;
    double beyond = axial / (t < start ? l->cap_start : l->cap_end);
    double nu = fabs(du) / side_radius(du, section[LOFT_MINUS_U], section[LOFT_PLUS_U]);
    double nv = fabs(dv) / side_radius(dv, section[LOFT_MINUS_V], section[LOFT_PLUS_V]);
    double exponent = section[LOFT_EXPONENT];
    double level_squared = nu * nu + nv * nv;
    if (exponent > 2.001)
        level_squared = pow(pow(nu, exponent) + pow(nv, exponent), 2.0 / exponent);
    double level = sqrt(level_squared + beyond * beyond);
    double rho = sqrt(du * du + dv * dv + axial * axial);
    if (level < 1e-9 || rho < 1e-9)
        return -fmin(section[LOFT_PLUS_V], section[LOFT_PLUS_U]);
    return rho * (1.0 - 1.0 / level);
}
