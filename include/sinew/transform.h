/* Transforms: translation, rotation and scale apart, and as one affine matrix.
 *
 * Metres; quaternions x y z w; column vectors, so that `world = parent * local`. */
#ifndef SINEW_TRANSFORM_H
#define SINEW_TRANSFORM_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Local translation (metres), rotation (unit quaternion x y z w) and scale of one joint. */
typedef struct sn_transform {
    float translation[3];
    float rotation[4];
    float scale[3];
} sn_transform;

/* Affine transform, 3 rows of 4: world = rows * (x y z 1). The last row (0 0 0 1) is implied. */
typedef struct sn_affine {
    float m[3][4];
} sn_affine;

sn_transform sn_transform_identity(void);
sn_affine sn_affine_identity(void);

/* translation * rotation * scale (glTF 2.0, 3.5.3). The quaternion is taken as it is: one that is
 * not of unit length scales and shears, as it does in every renderer that follows the formula. */
sn_affine sn_affine_from_transform(const sn_transform *transform);

/* The matrix that applies `right` first, then `left`. */
sn_affine sn_affine_multiply(const sn_affine *left, const sn_affine *right);

/* False, and `out` untouched, when the matrix has no inverse. `out` may be the argument. */
bool sn_affine_inverse(const sn_affine *affine, sn_affine *out);

/* Splits into translation, rotation and scale; a mirroring matrix gets a negative x scale. False
 * when no such transform gives the matrix back (shear): the result is then the nearest simple one.
 * An axis of length 0 keeps scale 0 and a rotation that the other axes allow. */
bool sn_affine_decompose(const sn_affine *affine, sn_transform *out);

/* 16 floats, column-major, as glTF and three.js have it. The last row of `matrix` is ignored. */
void sn_affine_to_matrix(const sn_affine *affine, float matrix[16]);
sn_affine sn_affine_from_matrix(const float matrix[16]);

#ifdef __cplusplus
}
#endif
#endif
