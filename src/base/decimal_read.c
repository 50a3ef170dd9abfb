/* Decimal text to the nearest double.
 *
 * A number is w * 10^q with up to 19 digits in w. Where w and 10^|q| are both exact doubles one
 * operation rounds correctly (W. Clinger, How to read floating-point numbers accurately). Else
 * the product of w and a 128-bit power of ten gives an interval that holds the number; when both
 * of its ends round to the same double, that is the answer (after D. Lemire, Number parsing at a
 * gigabyte per second). In the few cases left big integers compare the decimal with the point
 * half way between the two candidates. */
#include <string.h>

#include "base/decimal.h"

#define MANTISSA_BITS 52
#define EXPONENT_BIAS 1075 /* of an integer significand: value = significand * 2^(e - bias) */
/* No more digits than this decide on a rounding; one more stands for any that follow. */
#define DIGITS_MAX 768

typedef struct number {
    uint64_t w; /* the first 19 significant digits */
    int64_t q;  /* value = (w ... w + 1) * 10^q */
    bool cut;   /* more digits than w holds, and not all of them 0 */
    bool negative;
    const char *first; /* first significant digit */
    const char *point; /* or NULL */
    const char *end;   /* after the last digit, before the exponent */
    int64_t exponent;  /* as written, e.g. 5 in 1e5 */
} number;

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static number scan(const char *p, const char *end) {
    number n = {0};
    if (*p == '-') {
        n.negative = true;
        p++;
    }
    int digits = 0;
    int64_t dropped = 0; /* integer digits after the 19th */
    int64_t places = 0;  /* digits after the point that are in w */
    for (; p < end && (is_digit(*p) || *p == '.'); p++) {
        if (*p == '.') {
            n.point = p;
            continue;
        }
        unsigned digit = (unsigned)(*p - '0');
        if (!n.first) {
            if (digit == 0) {
                places += n.point != NULL;
                continue;
            }
            n.first = p;
        }
        if (digits < 19) {
            n.w = n.w * 10 + digit;
            digits++;
            places += n.point != NULL;
        } else {
            n.cut |= digit != 0;
            dropped += n.point == NULL;
        }
    }
    n.end = p;
    if (p < end) { /* e or E */
        p++;
        bool minus = *p == '-';
        if (*p == '-' || *p == '+')
            p++;
        int64_t exponent = 0;
        for (; p < end; p++)
            if (exponent < (int64_t)1 << 40) /* far beyond what any text length can balance */
                exponent = exponent * 10 + (*p - '0');
        n.exponent = minus ? -exponent : exponent;
    }
    n.q = n.exponent + dropped - places;
    return n;
}

static double make_double(bool negative, uint64_t bits) {
    bits |= (uint64_t)negative << 63;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* ---- Big integers: 32-bit limbs, lowest first ---- */

/* 769 digits take 2,555 bits; the largest power of ten that meets them, and the other side's
 * 10^(342 + 769) * 2^53, stay below 4,000. */
#define LIMBS 160
typedef struct big {
    uint32_t limb[LIMBS];
    int count;
} big;

static void big_multiply_add(big *b, uint32_t factor, uint32_t addend) {
    uint64_t carry = addend;
    for (int i = 0; i < b->count; i++) {
        carry += (uint64_t)b->limb[i] * factor;
        b->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry)
        b->limb[b->count++] = (uint32_t)carry;
}

static void big_multiply_power5(big *b, int64_t power) {
    for (; power >= 13; power -= 13)
        big_multiply_add(b, 1220703125u /* 5^13 */, 0);
    for (; power > 0; power--)
        big_multiply_add(b, 5, 0);
}

static void big_shift_left(big *b, int64_t bits) {
    int whole = (int)(bits / 32);
    if (bits % 32)
        big_multiply_add(b, (uint32_t)1 << (bits % 32), 0);
    memmove(b->limb + whole, b->limb, (size_t)b->count * sizeof *b->limb);
    memset(b->limb, 0, (size_t)whole * sizeof *b->limb);
    b->count += whole;
}

static int big_compare(const big *a, const big *b) {
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    for (int i = a->count - 1; i >= 0; i--)
        if (a->limb[i] != b->limb[i])
            return a->limb[i] < b->limb[i] ? -1 : 1;
    return 0;
}

/* The sign of (the number) - significand * 2^exponent, exactly. */
static int compare_exactly(const number *n, uint64_t significand, int exponent) {
    big left = {{0}, 0};
    int64_t power = n->exponent; /* of ten: the number is left * 10^power */
    int digits = 0;
    bool fraction = n->point && n->point < n->first;
    if (fraction)
        power -= n->first - n->point - 1; /* zeros after the point */
    bool rest = false;
    for (const char *p = n->first; p < n->end; p++) {
        if (*p == '.') {
            fraction = true;
            continue;
        }
        if (digits == DIGITS_MAX) {
            rest |= *p != '0';
            power += !fraction;
            continue;
        }
        big_multiply_add(&left, 10, (uint32_t)(*p - '0'));
        digits++;
        power -= fraction;
    }
    if (rest) {
        big_multiply_add(&left, 10, 1);
        power--;
    }
    big right = {{(uint32_t)significand, (uint32_t)(significand >> 32)}, 2};
    if (!right.limb[1])
        right.count = 1;
    big_multiply_power5(power >= 0 ? &left : &right, power >= 0 ? power : -power);
    int64_t shift = power - exponent; /* binary exponents of both sides, brought together */
    big_shift_left(shift >= 0 ? &left : &right, shift >= 0 ? shift : -shift);
    return big_compare(&left, &right);
}

/* ---- The interval ---- */

/* The double at or below a number whose leading 128 bits are `bits` * 2^exponent, as its bits;
 * `half` says whether the number lies at or above the middle to the next, `rest` whether beyond
 * it. Overflow gives infinity's bits. */
typedef struct candidate {
    uint64_t bits;
    bool half, rest;
} candidate;

static candidate round_down(sn_uint128 bits, int exponent, bool sticky) {
    int shift = 128 - (MANTISSA_BITS + 1);
    int biased = exponent + shift + EXPONENT_BIAS;
    if (biased <= 0) { /* subnormal: fewer bits */
        shift += 1 - biased;
        biased = 0;
    }
    if (shift > 128)
        return (candidate){0, false, true};
    uint64_t mantissa = shift == 128 ? 0 : (uint64_t)(bits >> shift);
    sn_uint128 below = shift == 128 ? bits : bits & (((sn_uint128)1 << shift) - 1);
    sn_uint128 middle = (sn_uint128)1 << (shift - 1);
    if (biased >= 0x7FF)
        return (candidate){(uint64_t)0x7FF << MANTISSA_BITS, false, false};
    if (biased)
        mantissa &= ((uint64_t)1 << MANTISSA_BITS) - 1;
    return (candidate){(uint64_t)biased << MANTISSA_BITS | mantissa, below >= middle,
                       below > middle || sticky};
}

static uint64_t round_up_to_nearest(candidate c) {
    return c.bits + (c.half && (c.rest || (c.bits & 1)));
}

/* Half way between a finite double and the next one up, as an integer times a power of two. */
static int compare_with_middle(const number *n, uint64_t bits) {
    uint64_t fraction = bits & (((uint64_t)1 << MANTISSA_BITS) - 1);
    int exponent = (int)(bits >> MANTISSA_BITS);
    uint64_t significand = exponent ? fraction | (uint64_t)1 << MANTISSA_BITS : fraction;
    return compare_exactly(n, 2 * significand + 1, (exponent ? exponent : 1) - EXPONENT_BIAS - 1);
}

static uint64_t read_by_interval(const number *n) {
    if (n->q < -342 || n->w == 0)
        return 0; /* below 2^64 * 10^-343, which is below half the smallest double */
    if (n->q > 308)
        return (uint64_t)0x7FF << MANTISSA_BITS;
    int zeros = __builtin_clzll(n->w);
    uint64_t w = n->w << zeros;
    sn_power10 power = sn_power10_of((int)n->q);
    sn_uint128 lower = (sn_uint128)w * power.low;
    sn_uint128 upper = (sn_uint128)w * power.high + (uint64_t)(lower >> 64);
    uint64_t lowest = (uint64_t)lower;
    /* The number is (upper, lowest) * 2^(exponent - 64) and, where the power is not exact, less
     * than w of the lowest units more; with digits cut off, also up to 10^q more, which is
     * power << zeros of them. (w has 19 digits then, so zeros is at most 4.) */
    int exponent = power.exponent - 127 - zeros + 64;
    bool exact = n->q >= 0 && n->q <= 55 && !n->cut;
    sn_uint128 error = n->cut ? ((sn_uint128)1 << 64 << zeros) + 1 : 1;
    if (!(upper >> 127)) {
        upper = upper << 1 | lowest >> 63;
        lowest <<= 1;
        error <<= 1;
        exponent--;
    }
    candidate low = round_down(upper, exponent, lowest != 0);
    if (exact)
        return round_up_to_nearest(low);
    sn_uint128 top = upper + error + 1;
    if (top > upper) { /* else carried out of 128 bits */
        candidate high = round_down(top, exponent, true);
        /* A lower end that lies on the middle itself is not clear of it. */
        bool clear = !low.half || low.rest;
        if (low.bits == high.bits && low.half == high.half && clear)
            return round_up_to_nearest(low);
        if (low.bits + 1 == high.bits && low.half && low.rest && !high.half)
            return high.bits;
    }
    int side = compare_with_middle(n, low.bits);
    return low.bits + (side > 0 || (side == 0 && (low.bits & 1)));
}

double sn_decimal_read(const char *text, size_t length) {
    static const double exact_powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                          1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                          1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    number n = scan(text, text + length);
    if (!n.cut && n.w <= (uint64_t)1 << 53 && n.q >= -22 && n.q <= 22) {
        double value = (double)n.w;
        value = n.q < 0 ? value / exact_powers[-n.q] : value * exact_powers[n.q];
        return n.negative ? -value : value;
    }
    return make_double(n.negative, read_by_interval(&n));
}
