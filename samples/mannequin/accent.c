#include "accent.h"

#define SEAM 0.0036 /* half the width of a seam */

static double plane(vec3 p, vec3 point, vec3 normal) {
    return v3_dot(v3_sub(p, point), v3_normalize(normal));
}

static double nearer(double a, double b) {
    return fabs(b) < fabs(a) ? b : a;
}

/* Distance along the limb from the middle of the nearest seam; positive beyond it. */
static double seam_distance(const body *b, vec3 p) {
    p.x = fabs(p.x);
    double d = 1.0;
    if (p.y > 1.40 && p.x < 0.12) /* neck */
        d = nearer(d, plane(p, v3(0.0, 1.502, -0.02), v3(0.0, 0.94, 0.34)));
    if (p.y > 1.25 && p.x < 0.30) /* shoulder */
        d = nearer(d, plane(p, v3(0.214, 1.390, 0.0), v3(0.98, -0.18, 0.0)));
    if (p.y > 1.00 && p.y < 1.20 && p.x < 0.20) /* waist */
        d = nearer(d, p.y + 0.12 * p.z - 1.090);
    if (p.y > 0.75 && p.y < 1.05 && p.x < 0.20) /* hip */
        d = nearer(d, plane(p, v3(0.090, 0.898, 0.0), v3(0.66, -0.75, 0.0)));
    if (p.x > 0.22 && p.y > 0.80) { /* elbow and wrist */
        double s = body_arm_straightened(b, p).x;
        d = nearer(nearer(d, s - 0.285), s - 0.520);
    }
    if (p.y < 0.70 && p.x < 0.30) { /* knee and ankle */
        d = nearer(d, p.y - 0.10 * p.z - 0.494);
        d = nearer(d, p.y - 0.25 * p.z - 0.128);
    }
    return d;
}

double accent_level(const body *b, vec3 p) {
    return SEAM - fabs(seam_distance(b, p));
}

double accent_near_edge(const body *b, vec3 p) {
    return seam_distance(b, p) + SEAM;
}

double accent_far_edge(const body *b, vec3 p) {
    return seam_distance(b, p) - SEAM;
}
