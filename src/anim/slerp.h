/* Spherical interpolation by a polynomial instead of trigonometry (D. Eberly, "A fast and accurate
 * algorithm for computing SLERP", 2011).
 *
 * With x = cos(angle) - 1, the weight W(t) = sin(t angle) / sin(angle) is
 *
 *   t (1 + f1 x (1 + f2 x (1 + ...))),  fi = t^2 / (i (2 i + 1)) - i / (2 i + 1).
 *
 * The factors depend on the time alone, so their running products t, t f1, t f1 f2, ... are made
 * once, and what remains for each joint is a polynomial in x. For t in 0 … 1 every fi is negative,
 * and so is x: all terms have one sign and none cancels.
 *
 * Up to 21 degrees, that is 43 of rotation between two keys, 4 factors leave an error below 4e-8.
 *
 * Beyond, the arc is halved first, and 8 factors serve up to 45 degrees, the last enlarged to
 * spread the error of cutting the series there (Eberly's table); the error is below 6e-8. With the
 * arc's middle m = (a + b) / (2 h), h = cos(angle / 2), and the time u from the nearer end to m in
 * 0 … 1, the farther end has the weight W(u) / (2 h) and the nearer one W(1 - u) + W(u) / (2 h), W
 * for half the angle. These are identities: they hold for keys of any length as long as the angle
 * is acos(dot(a, b)). */
#ifndef SN_ANIM_SLERP_H
#define SN_ANIM_SLERP_H

enum { SN_SLERP_FEW = 4, SN_SLERP_MOST = 8 };

/* The cosine down to which 4 factors suffice. */
#define SN_SLERP_FEW_COSINE 0.93f

/* From here on two rotations count as near each other: see sn_track_evaluate. */
#define SN_SLERP_NEAR_COSINE 0.9995f

/* 1 / (i (2 i + 1)) and i / (2 i + 1), the last enlarged. */
static const float sn_slerp_u[SN_SLERP_MOST] = {
    1.0f / 3,  1.0f / 10, 1.0f / 21,  1.0f / 36,
    1.0f / 55, 1.0f / 78, 1.0f / 105, (float)(1.85298109240830 / 136),
};
static const float sn_slerp_v[SN_SLERP_MOST] = {
    1.0f / 3,  2.0f / 5,  3.0f / 7,  4.0f / 9,
    5.0f / 11, 6.0f / 13, 7.0f / 15, (float)(1.85298109240830 * 8 / 17),
};

#endif
