#include <math.h>

#include "base/error.h"
#include "rig/space.h"
#include "sinew/ground.h"

static bool is_upward(const float normal[3]) {
    bool is_zero = !(fabsf(normal[0]) > 0 || fabsf(normal[1]) > 0 || fabsf(normal[2]) > 0);
    return is_zero || (sn_are_finite(normal, 3) && normal[1] > 0);
}

sn_result sn_ground_check(const sn_ground *ground, sn_error *error) {
    if (ground->function)
        return SN_OK;
    const sn_height_field *field = ground->field;
    if (!field) {
        if (!sn_are_finite(ground->point, 3))
            return sn_fail(error, SN_MESSAGE_GROUND_VALUE, NULL, "point is not finite");
        if (!is_upward(ground->normal))
            return sn_fail(error, SN_MESSAGE_GROUND_VALUE, NULL,
                           "the normal of the ground must point upwards: its y above 0");
        return SN_OK;
    }
    if (field->columns < 2 || field->rows < 2 || !field->heights)
        return sn_fail(error, SN_MESSAGE_GROUND_VALUE, NULL,
                       "a field of heights has 2 columns and 2 rows or more, not %u and %u",
                       field->columns, field->rows);
    if (!sn_are_finite(field->origin, 3))
        return sn_fail(error, SN_MESSAGE_GROUND_VALUE, NULL, "origin is not finite");
    for (int i = 0; i < 2; i++)
        if (!(field->spacing[i] > 0 && isfinite(field->spacing[i])))
            return sn_fail(error, SN_MESSAGE_GROUND_VALUE, NULL, "spacing must be above 0, not %g",
                           (double)field->spacing[i]);
    return SN_OK;
}

static double height_of(const sn_height_field *field, uint32_t column, uint32_t row) {
    return (double)field->heights[(size_t)row * field->columns + column];
}

/* Where on an axis of `count` points: the cell, and how far into it, 0 to 1. */
static bool find_cell(double at, uint32_t count, uint32_t *cell, double *share) {
    if (!(at >= 0 && at <= (double)(count - 1)))
        return false;
    uint32_t last = count - 2;
    *cell = at < (double)last ? (uint32_t)at : last;
    *share = at - (double)*cell;
    return true;
}

static bool field_at(const sn_height_field *field, double x, double z, sn_ground_point *out) {
    double dx = (double)field->spacing[0], dz = (double)field->spacing[1], u, v;
    uint32_t column, row;
    if (!find_cell((x - (double)field->origin[0]) / dx, field->columns, &column, &u) ||
        !find_cell((z - (double)field->origin[2]) / dz, field->rows, &row, &v))
        return false;
    double base = (double)field->origin[1];
    if (field->is_stepped) {
        double height = height_of(field, column + (u >= 0.5), row + (v >= 0.5));
        *out = (sn_ground_point){(float)(base + height), {0, 1, 0}};
        return true;
    }
    double a = height_of(field, column, row), b = height_of(field, column + 1, row);
    double c = height_of(field, column, row + 1), d = height_of(field, column + 1, row + 1);
    double height = (a * (1 - u) + b * u) * (1 - v) + (c * (1 - u) + d * u) * v;
    double along_x = ((b - a) * (1 - v) + (d - c) * v) / dx;
    double along_z = ((c - a) * (1 - u) + (d - b) * u) / dz;
    *out = (sn_ground_point){(float)(base + height), {(float)-along_x, 1, (float)-along_z}};
    return true;
}

static void make_unit(float normal[3]) {
    double x = (double)normal[0], y = (double)normal[1], z = (double)normal[2];
    double length = sqrt(x * x + y * y + z * z);
    if (!is_upward(normal))
        length = NAN;
    else if (!(length > 0))
        y = length = 1;
    normal[0] = (float)(x / length), normal[1] = (float)(y / length),
    normal[2] = (float)(z / length);
}

bool sn_ground_at(const sn_ground *ground, float x, float z, sn_ground_point *out) {
    *out = (sn_ground_point){0};
    if (ground->function) {
        if (!ground->function(ground->context, x, z, out))
            return false;
    } else if (ground->field) {
        if (!field_at(ground->field, (double)x, (double)z, out))
            return false;
    } else {
        for (int i = 0; i < 3; i++)
            out->normal[i] = ground->normal[i];
        double dx = (double)x - (double)ground->point[0], dz = (double)z - (double)ground->point[2];
        double up = (double)ground->normal[1];
        double slope =
            up > 0 ? (double)ground->normal[0] / up * dx + (double)ground->normal[2] / up * dz : 0;
        out->height = (float)((double)ground->point[1] - slope);
    }
    make_unit(out->normal);
    return true;
}
