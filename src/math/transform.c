#include <math.h>

#include "math/vec3.h"
#include "sinew/transform.h"

sn_transform sn_transform_identity(void) {
    return (sn_transform){{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
}

sn_affine sn_affine_identity(void) {
    return (sn_affine){{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
}

/* The order of operations is that of the hierarchy kernels, so that both give the same bits. */
sn_affine sn_affine_from_transform(const sn_transform *transform) {
    const float *q = transform->rotation, *t = transform->translation, *s = transform->scale;
    float x2 = q[0] + q[0], y2 = q[1] + q[1], z2 = q[2] + q[2];
    float xx = q[0] * x2, yy = q[1] * y2, zz = q[2] * z2;
    float xy = q[0] * y2, xz = q[0] * z2, yz = q[1] * z2;
    float wx = q[3] * x2, wy = q[3] * y2, wz = q[3] * z2;
    return (sn_affine){{
        {(1 - (yy + zz)) * s[0], (xy - wz) * s[1], (xz + wy) * s[2], t[0]},
        {(xy + wz) * s[0], (1 - (xx + zz)) * s[1], (yz - wx) * s[2], t[1]},
        {(xz - wy) * s[0], (yz + wx) * s[1], (1 - (xx + yy)) * s[2], t[2]},
    }};
}

sn_affine sn_affine_multiply(const sn_affine *left, const sn_affine *right) {
    sn_affine out;
    for (int row = 0; row < 3; row++) {
        const float *l = left->m[row];
        for (int column = 0; column < 4; column++) {
            float sum = l[0] * right->m[0][column] + l[1] * right->m[1][column] +
                        l[2] * right->m[2][column];
            out.m[row][column] = sum + (column == 3 ? l[3] : 0); /* + 0 as the kernels have it */
        }
    }
    return out;
}

static sn_dvec3 axis_of(const sn_affine *affine, int column) {
    return (sn_dvec3){(double)affine->m[0][column], (double)affine->m[1][column],
                      (double)affine->m[2][column]};
}

bool sn_affine_inverse(const sn_affine *affine, sn_affine *out) {
    sn_dvec3 x = axis_of(affine, 0), y = axis_of(affine, 1), z = axis_of(affine, 2);
    sn_dvec3 rows[3] = {sn_dvec3_cross(y, z), sn_dvec3_cross(z, x), sn_dvec3_cross(x, y)};
    double determinant = sn_dvec3_dot(x, rows[0]);
    double reciprocal = 1 / determinant;
    if (!isfinite(reciprocal) || determinant == 0)
        return false;
    sn_dvec3 translation = axis_of(affine, 3);
    for (int row = 0; row < 3; row++) {
        sn_dvec3 r = sn_dvec3_scale(rows[row], reciprocal);
        out->m[row][0] = (float)r.x;
        out->m[row][1] = (float)r.y;
        out->m[row][2] = (float)r.z;
        out->m[row][3] = (float)-sn_dvec3_dot(r, translation);
    }
    return true;
}

/* Orthonormal right-handed axes: one axis that has a length keeps its direction, the second is made
 * square to it, the third follows. */
static void orthonormal(const sn_dvec3 axes[3], const double lengths[3], sn_dvec3 out[3]) {
    int first = lengths[0] > 0 ? 0 : lengths[1] > 0 ? 1 : 2;
    int second = (first + 1) % 3;
    if (!(lengths[second] > 0))
        second = (first + 2) % 3;
    int third = 3 - first - second;

    out[first] = lengths[first] > 0 ? sn_dvec3_scale(axes[first], 1 / lengths[first])
                                    : (sn_dvec3){first == 0, first == 1, first == 2};
    sn_dvec3 across = sn_dvec3_subtract(
        axes[second], sn_dvec3_scale(out[first], sn_dvec3_dot(axes[second], out[first])));
    double length = sn_dvec3_length(across);
    out[second] = length > 1e-9 * lengths[second] ? sn_dvec3_scale(across, 1 / length)
                                                  : sn_dvec3_perpendicular(out[first]);
    out[third] = sn_dvec3_cross(out[(third + 1) % 3], out[(third + 2) % 3]);
}

/* Shepperd's method: the largest of the four candidates is divided by, so none loses digits. */
static void quaternion_from_axes(const sn_dvec3 a[3], float out[4]) {
    double xx = a[0].x, yy = a[1].y, zz = a[2].z;
    double candidates[4] = {1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz, 1 + xx + yy + zz};
    int largest = 3;
    for (int i = 0; i < 3; i++)
        if (candidates[i] > candidates[largest])
            largest = i;
    double q[4];
    switch (largest) {
    case 0:
        q[0] = candidates[0], q[1] = a[0].y + a[1].x, q[2] = a[0].z + a[2].x,
        q[3] = a[1].z - a[2].y;
        break;
    case 1:
        q[0] = a[0].y + a[1].x, q[1] = candidates[1], q[2] = a[1].z + a[2].y,
        q[3] = a[2].x - a[0].z;
        break;
    case 2:
        q[0] = a[0].z + a[2].x, q[1] = a[1].z + a[2].y, q[2] = candidates[2],
        q[3] = a[0].y - a[1].x;
        break;
    default:
        q[0] = a[1].z - a[2].y, q[1] = a[2].x - a[0].z, q[2] = a[0].y - a[1].x,
        q[3] = candidates[3];
    }
    double scale = 1 / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; i++)
        out[i] = (float)(q[i] * scale);
}

bool sn_affine_decompose(const sn_affine *affine, sn_transform *out) {
    sn_dvec3 axes[3] = {axis_of(affine, 0), axis_of(affine, 1), axis_of(affine, 2)};
    double lengths[3], longest = 0;
    for (int i = 0; i < 3; i++) {
        lengths[i] = sn_dvec3_length(axes[i]);
        longest = fmax(longest, lengths[i]);
        out->translation[i] = affine->m[i][3];
        out->scale[i] = (float)lengths[i];
    }
    if (sn_dvec3_dot(axes[0], sn_dvec3_cross(axes[1], axes[2])) < 0) {
        axes[0] = sn_dvec3_scale(axes[0], -1);
        out->scale[0] = -out->scale[0];
    }
    sn_dvec3 unit[3];
    orthonormal(axes, lengths, unit);
    quaternion_from_axes(unit, out->rotation);

    /* What single precision leaves of an exact product, with room for a few roundings. */
    double tolerance = 4e-6 * longest;
    sn_affine again = sn_affine_from_transform(out);
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            if (!(fabs((double)again.m[row][column] - (double)affine->m[row][column]) <= tolerance))
                return false;
    return true;
}

void sn_affine_to_matrix(const sn_affine *affine, float matrix[16]) {
    for (int column = 0; column < 4; column++) {
        for (int row = 0; row < 3; row++)
            matrix[column * 4 + row] = affine->m[row][column];
        matrix[column * 4 + 3] = column == 3 ? 1 : 0;
    }
}

sn_affine sn_affine_from_matrix(const float matrix[16]) {
    sn_affine out;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++)
            out.m[row][column] = matrix[column * 4 + row];
    return out;
}
