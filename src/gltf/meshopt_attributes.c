/* Attributes of version 1, which KHR_meshopt_compression adds (its appendix A, Mode 0): the
 * libmeshoptimizer of Debian 12 (0.18) knows version 0 only.
 *
 * Elements are coded in blocks; a block holds, byte position by byte position, the deltas of its
 * elements. Four positions are a channel, which says what a delta is. */
#include <string.h>

#include "gltf/meshopt_attributes.h"

enum {
    MOST_STRIDE = 256,
    MOST_IN_BLOCK = 256,
    GROUP = 16,
    LEAST_TAIL = 24,
};

typedef struct stream {
    const uint8_t *at, *end;
} stream;

/* The next `size` bytes, or NULL. */
static const uint8_t *take(stream *s, size_t size) {
    if ((size_t)(s->end - s->at) < size)
        return NULL;
    const uint8_t *taken = s->at;
    s->at += size;
    return taken;
}

/* Sixteen deltas of `bits` each; one with all bits set stands for a byte that follows them. */
static bool read_group(stream *s, unsigned bits, uint8_t out[GROUP]) {
    const uint8_t *packed = take(s, 2 * (size_t)bits);
    if (!packed)
        return false;
    const unsigned sentinel = (1u << bits) - 1;
    for (unsigned i = 0; i < GROUP; i++) {
        if (bits == 0) {
            out[i] = 0;
            continue;
        }
        unsigned byte = packed[i * bits / 8], at = i * bits % 8;
        unsigned value = byte >> (bits == 1 ? at : 8 - bits - at) & sentinel; /* 1 bit: low first */
        if (value == sentinel && bits < 8) {
            const uint8_t *whole = take(s, 1);
            if (!whole)
                return false;
            value = *whole;
        }
        out[i] = (uint8_t)value;
    }
    return true;
}

/* The deltas of one byte position. */
static bool read_position(stream *s, unsigned control, size_t count, uint8_t out[MOST_IN_BLOCK]) {
    static const uint8_t group_bits[2][4] = {{0, 1, 2, 4}, {1, 2, 4, 8}};
    if (control == 2) {
        memset(out, 0, count);
        return true;
    }
    if (control == 3) {
        const uint8_t *literal = take(s, count);
        if (literal)
            memcpy(out, literal, count);
        return literal != NULL;
    }
    size_t groups = (count + GROUP - 1) / GROUP;
    const uint8_t *header = take(s, (groups + 3) / 4);
    bool good = header != NULL;
    for (size_t i = 0; good && i < groups; i++)
        good =
            read_group(s, group_bits[control][header[i / 4] >> (i % 4 * 2) & 3], out + i * GROUP);
    return good;
}

static uint32_t unzigzag(uint32_t value) {
    return value & 1 ? ~(value >> 1) : value >> 1;
}

/* Adds the deltas of a channel to the element before, whose four bytes `last` has. */
static void apply(uint8_t deltas[4][MOST_IN_BLOCK], unsigned mode, size_t count, uint8_t *last,
                  uint8_t *out, size_t stride) {
    unsigned rotation = (32 - (mode >> 4)) & 31;
    for (size_t i = 0; i < count; i++, out += stride) {
        switch (mode & 15) {
        case 0: /* bytes */
            for (int k = 0; k < 4; k++)
                last[k] = (uint8_t)(last[k] + unzigzag(deltas[k][i]));
            break;
        case 1: /* pairs of bytes */
            for (int k = 0; k < 4; k += 2) {
                uint32_t delta = deltas[k][i] | (uint32_t)deltas[k + 1][i] << 8;
                uint32_t sum = (last[k] | (uint32_t)last[k + 1] << 8) + unzigzag(delta);
                last[k] = (uint8_t)sum;
                last[k + 1] = (uint8_t)(sum >> 8);
            }
            break;
        default: { /* all four, turned, by exclusive or */
            uint32_t delta = 0;
            for (int k = 0; k < 4; k++)
                delta |= (uint32_t)deltas[k][i] << (8 * k);
            delta = delta << rotation | delta >> ((32 - rotation) & 31);
            for (int k = 0; k < 4; k++)
                last[k] ^= (uint8_t)(delta >> (8 * k));
        }
        }
        memcpy(out, last, 4);
    }
}

static bool read_block(stream *s, size_t count, size_t stride, const uint8_t *modes, uint8_t *last,
                       uint8_t *out) {
    uint8_t deltas[4][MOST_IN_BLOCK];
    const uint8_t *controls = take(s, stride / 4);
    if (!controls)
        return false;
    for (size_t channel = 0; channel < stride / 4; channel++) {
        for (size_t k = 0; k < 4; k++)
            if (!read_position(s, controls[channel] >> (2 * k) & 3, count, deltas[k]))
                return false;
        apply(deltas, modes[channel], count, last + channel * 4, out + channel * 4, stride);
    }
    return true;
}

bool sn_meshopt_decode_attributes(uint8_t *out, size_t count, size_t stride, const uint8_t *source,
                                  size_t size) {
    size_t channels = stride / 4, tail = stride + channels;
    tail = tail < LEAST_TAIL ? LEAST_TAIL : tail;
    if (stride == 0 || stride % 4 || stride > MOST_STRIDE || size < 1 + tail ||
        source[0] != SN_MESHOPT_ATTRIBUTES_1)
        return false;
    stream s = {source + 1, source + size - tail};
    const uint8_t *modes = source + size - channels;
    for (size_t i = 0; i < channels; i++)
        if ((modes[i] & 15) > 2 || ((modes[i] & 15) < 2 && modes[i] >> 4))
            return false;
    uint8_t last[MOST_STRIDE];
    memcpy(last, modes - stride, stride);
    size_t most = 8192 / stride & ~(size_t)(GROUP - 1);
    most = most < MOST_IN_BLOCK ? most : MOST_IN_BLOCK;
    for (size_t first = 0; first < count; first += most) {
        size_t left = count - first;
        if (!read_block(&s, left < most ? left : most, stride, modes, last, out + first * stride))
            return false;
    }
    return s.at == s.end;
}
