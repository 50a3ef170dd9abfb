/* Decimal text and binary floating point, exactly and without the C library: its functions
 * follow the locale. Private to the library. */
#ifndef SN_BASE_DECIMAL_H
#define SN_BASE_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 sn_uint128;

/* 10^k as significand * 2^(exponent - 127) with the top bit of the significand set, rounded
 * down. Exact for k in 0 ... 55. */
#define SN_POWER10_MIN (-364)
#define SN_POWER10_MAX 335
typedef struct sn_power10 {
    uint64_t high, low;
    int exponent;
} sn_power10;
sn_power10 sn_power10_of(int k);

/* The double nearest to a number in JSON's grammar (ties to even), which `text` must be. Beyond
 * the largest double it is an infinity. */
double sn_decimal_read(const char *text, size_t length);

/* Writes the shortest decimal that reads back as the same number (a float also by way of a double,
 * as most readers go), the nearest one where several are shortest, in the layout of ECMAScript's
 * Number::toString except that -0 keeps its sign. The value must be finite. Returns the length,
 * below SN_DECIMAL_SIZE; no terminator. */
#define SN_DECIMAL_SIZE 32
size_t sn_decimal_write_float(float value, char out[SN_DECIMAL_SIZE]);
size_t sn_decimal_write_double(double value, char out[SN_DECIMAL_SIZE]);

#endif
