/* The ground under a character: a plane, a field of heights or the caller's own function. World
 * space, metres, +Y up: over each x, z there is at most one height. */
#ifndef SINEW_GROUND_H
#define SINEW_GROUND_H

#include "sinew/result.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sn_ground_point {
    float height;    /* y */
    float normal[3]; /* of any length, y above 0; zeros: straight up */
} sn_ground_point;

/* False where there is no ground. */
typedef bool sn_ground_function(void *context, float x, float z, sn_ground_point *out);

/* Heights on a grid. There is no ground outside it. */
typedef struct sn_height_field {
    uint32_t columns, rows; /* along +x and +z, at least 2 each */
    float origin[3];        /* of the first height; y is added to all of them */
    float spacing[2];       /* along x and z, above 0 */
    const float *heights;   /* row by row: heights[row * columns + column] */
    /* The square of one spacing around each point is flat at its height, as stairs are; if not,
     * heights are interpolated bilinearly between the points. */
    bool is_stepped;
} sn_height_field;

/* Zeros: the plane y = 0. */
typedef struct sn_ground {
    sn_ground_function *function; /* if not NULL, this is the ground */
    void *context;                /* its first argument */
    const sn_height_field *field; /* else this, if not NULL */
    float point[3], normal[3];    /* else the plane through `point`; normal as in a ground point */
} sn_ground;

/* Error ground.value: a number is not finite, a normal does not point upwards, a field has no
 * cell. Does not look at the heights of a field. */
sn_result sn_ground_check(const sn_ground *ground, sn_error *error);

/* The ground at x, z with a normal of unit length; false where there is none. On bad data the
 * height or the normal is not finite. */
bool sn_ground_at(const sn_ground *ground, float x, float z, sn_ground_point *out);

#ifdef __cplusplus
}
#endif
#endif
