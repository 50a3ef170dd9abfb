/* The filters of compressed buffer views, undone (EXT_meshopt_compression, appendix B; COLOR is of
 * KHR_meshopt_compression).
 *
 * By hand, although meshoptimizer has them: its SIMD versions round a few values in a million the
 * other way, so that the same file would give another pose on another machine. Divisions and square
 * roots are exact everywhere, so these give the same bits everywhere. */
#include <math.h>
#include <string.h>

#include "gltf/internal.h"

/* To nearest, halves away from zero; what garbage gives is no number of the format: 0. */
static int32_t rounded(float value) {
    if (!(fabsf(value) <= 65535.0f))
        return 0;
    return (int32_t)(value + (value < 0 ? -0.5f : 0.5f));
}

/* A unit vector folded into an octahedron: x, y, and what stands for 1. */
static void octahedral(const int32_t in[4], int32_t out[4], float most) {
    float one = (float)in[2];
    float x = (float)in[0] / one, y = (float)in[1] / one;
    float z = 1.0f - fabsf(x) - fabsf(y);
    float fold = fminf(z, 0.0f);
    x += x < 0 ? -fold : fold;
    y += y < 0 ? -fold : fold;
    float scale = most / sqrtf(x * x + y * y + z * z);
    out[0] = rounded(x * scale);
    out[1] = rounded(y * scale);
    out[2] = rounded(z * scale);
    out[3] = in[3];
}

/* The three smaller components, and which one is missing beside what stands for 1. */
static void quaternion(const int32_t in[4], int32_t out[4]) {
    float scale = sqrtf(0.5f) / (float)(in[3] | 3);
    float small[3], square = 1.0f;
    for (int i = 0; i < 3; i++) {
        small[i] = (float)in[i] * scale;
        square -= small[i] * small[i];
    }
    int largest = in[3] & 3;
    for (int i = 0; i < 3; i++)
        out[(largest + 1 + i) & 3] = rounded(small[i] * 32767.0f);
    out[largest] = rounded(sqrtf(fmaxf(square, 0.0f)) * 32767.0f);
}

/* YCoCg of fewer bits; the highest set bit of alpha says how many. */
static void color(const int32_t in[4], int32_t out[4], float most) {
    int32_t ones = in[3];
    for (int shift = 1; shift < 16; shift *= 2)
        ones |= ones >> shift;
    float scale = most / (float)ones;
    int32_t y = in[0], orange = in[1], green = in[2];
    const int32_t plain[4] = {y + orange - green, y + green, y - orange - green,
                              ((in[3] << 1) & ones) | (in[3] & 1)};
    for (int i = 0; i < 4; i++)
        out[i] = rounded((float)plain[i] * scale);
}

static void exponential(uint8_t *bytes) {
    int32_t packed;
    memcpy(&packed, bytes, sizeof packed);
    int32_t exponent = packed >> 24;
    int32_t mantissa = (int32_t)((uint32_t)packed << 8) >> 8;
    float value = ldexpf((float)mantissa, exponent);
    memcpy(bytes, &value, sizeof value);
}

/* Integers of one or two bytes; of a colour, the first and the last are unsigned. */
static void load(const uint8_t *bytes, size_t size, sn_meshopt_filter filter, int32_t out[4]) {
    for (size_t i = 0; i < 4; i++) {
        uint16_t value = bytes[i];
        if (size == 2)
            memcpy(&value, bytes + i * 2, 2);
        if (filter == SN_FILTER_COLOR && (i == 0 || i == 3))
            out[i] = value;
        else
            out[i] = size == 1 ? (int8_t)value : (int16_t)value;
    }
}

static void store(uint8_t *bytes, size_t size, const int32_t in[4]) {
    for (size_t i = 0; i < 4; i++) {
        uint16_t value = (uint16_t)in[i];
        if (size == 2)
            memcpy(bytes + i * 2, &value, 2);
        else
            bytes[i] = (uint8_t)value;
    }
}

void sn_meshopt_unfilter(uint8_t *bytes, size_t count, size_t stride, sn_meshopt_filter filter) {
    if (filter == SN_FILTER_NONE)
        return;
    if (filter == SN_FILTER_EXPONENTIAL) {
        for (size_t i = 0; i < count * stride; i += 4)
            exponential(bytes + i);
        return;
    }
    size_t size = stride / 4; /* four components an element: the caller has checked that */
    float most_signed = size == 1 ? 127.0f : 32767.0f,
          most_unsigned = size == 1 ? 255.0f : 65535.0f;
    for (size_t i = 0; i < count; i++, bytes += stride) {
        int32_t in[4], out[4];
        load(bytes, size, filter, in);
        if (filter == SN_FILTER_OCTAHEDRAL)
            octahedral(in, out, most_signed);
        else if (filter == SN_FILTER_QUATERNION)
            quaternion(in, out);
        else
            color(in, out, most_unsigned);
        store(bytes, size, out);
    }
}
