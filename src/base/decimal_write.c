/* Shortest decimals by R. Giulietti, "The Schubfach way to render doubles" (2021). */
#include <string.h>

#include "base/decimal.h"

typedef struct decimal {
    uint64_t digits;
    int exponent; /* value = digits * 10^exponent */
} decimal;

/* floor(g * cp / 2^128) with the last bit set when anything was cut off, section 9.9.1 */
static uint64_t round_to_odd(uint64_t g_high, uint64_t g_low, uint64_t cp) {
    sn_uint128 x = (sn_uint128)g_low * cp;
    sn_uint128 y = (sn_uint128)g_high * cp + (uint64_t)(x >> 64);
    return (uint64_t)(y >> 64) | ((uint64_t)y > 1);
}

/* The shortest decimal in the rounding interval of c * 2^q (c > 0). `irregular` where the number
 * below is only half a step away. Names are the paper's. */
static decimal shortest(uint64_t c, int q, bool irregular) {
    uint64_t odd = c & 1; /* ties go to even: an odd significand does not own its boundaries */
    uint64_t cb = c << 2;
    uint64_t cbr = cb + 2;
    uint64_t cbl = irregular ? cb - 1 : cb - 2;
    int k = (q * 1262611 - (irregular ? 524031 : 0)) >> 22; /* floor(log10 of the interval) */
    sn_power10 power = sn_power10_of(-k);
    if (k > 0 || k < -55) { /* inexact: the paper rounds up */
        power.low++;
        power.high += power.low == 0;
    }
    int h = q + power.exponent + 1;
    uint64_t vbl = round_to_odd(power.high, power.low, cbl << h) + odd;
    uint64_t vb = round_to_odd(power.high, power.low, cb << h);
    uint64_t vbr = round_to_odd(power.high, power.low, cbr << h) - odd;

    uint64_t s = vb >> 2;
    if (s >= 10) {
        uint64_t tens = s / 10;
        bool down = vbl <= 40 * tens;
        bool up = 40 * tens + 40 <= vbr;
        if (down != up)
            return (decimal){tens + up, k + 1};
    }
    bool down = vbl <= s << 2;
    bool up = (s << 2) + 4 <= vbr;
    if (down != up)
        return (decimal){s + up, k};
    uint64_t middle = (s << 2) + 2;
    return (decimal){s + (vb > middle || (vb == middle && (s & 1))), k};
}

static size_t write_digits(uint64_t value, char *out) {
    char reversed[20];
    size_t n = 0;
    do
        reversed[n++] = (char)('0' + value % 10);
    while (value /= 10);
    for (size_t i = 0; i < n; i++)
        out[i] = reversed[n - 1 - i];
    return n;
}

/* ECMA-262, Number::toString: no exponent from 1e-6 up to below 1e21. */
static size_t layout(bool negative, decimal d, char *out) {
    char *p = out;
    if (negative)
        *p++ = '-';
    while (d.digits && d.digits % 10 == 0) {
        d.digits /= 10;
        d.exponent++;
    }
    char digits[20];
    int count = (int)write_digits(d.digits, digits);
    int point = d.digits ? count + d.exponent : 1; /* digits before the decimal point */
    if (point > 21 || point < -5) {
        *p++ = digits[0];
        if (count > 1) {
            *p++ = '.';
            memcpy(p, digits + 1, (size_t)count - 1);
            p += count - 1;
        }
        *p++ = 'e';
        *p++ = point > 0 ? '+' : '-';
        p += write_digits((uint64_t)(point > 0 ? point - 1 : 1 - point), p);
    } else if (point <= 0) {
        *p++ = '0';
        *p++ = '.';
        for (int i = point; i < 0; i++)
            *p++ = '0';
        memcpy(p, digits, (size_t)count);
        p += count;
    } else {
        for (int i = 0; i < count || i < point; i++) {
            if (i == point)
                *p++ = '.';
            *p++ = i < count ? digits[i] : '0';
        }
    }
    return (size_t)(p - out);
}

size_t sn_decimal_write_double(double value, char out[SN_DECIMAL_SIZE]) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bool negative = bits >> 63;
    uint64_t fraction = bits & (((uint64_t)1 << 52) - 1);
    int exponent = (int)(bits >> 52 & 0x7FF);
    if (!exponent && !fraction)
        return layout(negative, (decimal){0, 0}, out);
    uint64_t c = exponent ? fraction | (uint64_t)1 << 52 : fraction;
    int q = (exponent ? exponent : 1) - 1075;
    if (q <= 0 && q > -53 && !(c & (((uint64_t)1 << -q) - 1))) /* an integer */
        return layout(negative, (decimal){c >> -q, 0}, out);
    return layout(negative, shortest(c, q, !fraction && exponent > 1), out);
}

size_t sn_decimal_write_float(float value, char out[SN_DECIMAL_SIZE]) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    bool negative = bits >> 31;
    uint32_t fraction = bits & 0x7FFFFF;
    int exponent = (int)(bits >> 23 & 0xFF);
    if (!exponent && !fraction)
        return layout(negative, (decimal){0, 0}, out);
    uint32_t c = exponent ? fraction | 0x800000 : fraction;
    int q = (exponent ? exponent : 1) - 150;
    /* The shortest decimal of this one, 7.038531e-26, is so near the middle to the next float that
     * the double nearest to it is that middle, and reading by way of a double goes wrong. It is
     * the only one: all were tried. */
    if ((bits & 0x7FFFFFFF) == 0x15AE43FD)
        return layout(negative, (decimal){70385307, -33}, out);
    if (q <= 0 && q > -24 && !(c & (((uint32_t)1 << -q) - 1))) /* an integer */
        return layout(negative, (decimal){c >> -q, 0}, out);
    return layout(negative, shortest(c, q, !fraction && exponent > 1), out);
}
