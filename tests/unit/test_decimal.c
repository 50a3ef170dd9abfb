/* Numbers and their decimal text, against big integers and the C library (locale "C"). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/decimal.h"

static uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double double_of(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t next_random(uint64_t *state) { /* splitmix64, S. Vigna */
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

/* ---- Powers of ten ---- */

/* 2^e * 5^k or its reciprocal's digits, by schoolbook long arithmetic on bits. */
#define WORDS 64
typedef struct wide {
    uint32_t word[WORDS]; /* lowest first */
} wide;

static int top_bit(const wide *w) {
    for (int i = WORDS - 1; i >= 0; i--)
        if (w->word[i])
            return i * 32 + 31 - __builtin_clz(w->word[i]);
    return -1;
}

static bool bit(const wide *w, int i) {
    return i >= 0 && (w->word[i / 32] >> (i % 32) & 1);
}

static void times5(wide *w) {
    uint64_t carry = 0;
    for (int i = 0; i < WORDS; i++) {
        carry += (uint64_t)w->word[i] * 5;
        w->word[i] = (uint32_t)carry;
        carry >>= 32;
    }
    assert_int_equal(carry, 0);
}

/* Leading 128 bits of 1 / w by long division, bit by bit. */
static sn_uint128 reciprocal(const wide *w) {
    wide rest = {{1}};
    sn_uint128 quotient = 0;
    for (int n = 0; n < 128;) {
        for (int i = WORDS - 1; i > 0; i--) /* rest *= 2 */
            rest.word[i] = rest.word[i] << 1 | rest.word[i - 1] >> 31;
        rest.word[0] <<= 1;
        int order = 0;
        for (int i = WORDS - 1; i >= 0 && !order; i--)
            order = (rest.word[i] > w->word[i]) - (rest.word[i] < w->word[i]);
        quotient = quotient << 1 | (order >= 0);
        n += quotient != 0;
        if (order < 0)
            continue;
        int64_t borrow = 0;
        for (int i = 0; i < WORDS; i++) {
            borrow += (int64_t)rest.word[i] - w->word[i];
            rest.word[i] = (uint32_t)borrow;
            borrow >>= 32;
        }
    }
    return quotient;
}

static void every_power_of_ten_is_exact_to_128_bits(void **state) {
    (void)state;
    wide five = {{1}};
    for (int k = 0; k <= -SN_POWER10_MIN; k++, times5(&five)) {
        int top = top_bit(&five);
        sn_uint128 leading = 0;
        for (int i = 0; i < 128; i++)
            leading = leading << 1 | bit(&five, top - i);
        if (k <= SN_POWER10_MAX) {
            sn_power10 power = sn_power10_of(k);
            assert_true(((sn_uint128)power.high << 64 | power.low) == leading);
            assert_int_equal(power.exponent, top + k);
        }
        if (k == 0)
            continue;
        sn_power10 power = sn_power10_of(-k);
        assert_true(((sn_uint128)power.high << 64 | power.low) == reciprocal(&five));
        assert_int_equal(power.exponent, -(top + k) - 1);
    }
}

/* ---- Reading ---- */

static void check_read(const char *text) {
    double expected = strtod(text, NULL), got = sn_decimal_read(text, strlen(text));
    if (bits_of(expected) != bits_of(got))
        fail_msg("%s: %.17g, not %.17g", text, got, expected);
}

static void hard_cases_are_read_correctly(void **state) {
    (void)state;
    static const char *const cases[] = {
        "0",
        "-0",
        "0.0",
        "-0e5",
        "0e-999999999999999999999",
        "0e99999999999999999999",
        "1",
        "-1",
        "0.1",
        "123456789012345678",
        "9007199254740993",
        "9007199254740993.0",
        "9007199254740992.9",
        "9007199254740993.00000000000000000000000000000000000000000001",
        "9007199254740995",
        "90071992547409930e-1",
        "1e22",
        "1e23",
        "1e-22",
        "1e-23",
        "8.5e22",
        "7.0420557077594588669e-3",
        /* ends of the range */
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.7976931348623159e308",
        "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017"
        "977587207096330286416692887910946555547851940402630657488671505820681908902000708383676273"
        "854845817711531764475730270069855571366959622842914819860834936475292719074168444365510704"
        "342711559699508093042880e0",
        "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017"
        "977587207096330286416692887910946555547851940402630657488671505820681908902000708383676273"
        "854845817711531764475730270069855571366959622842914819860834936475292719074168444365510704"
        "342711559699508093042879.999999e0",
        "1e309",
        "1e308",
        "1e400",
        "1e999999999999999999999",
        "-1e400",
        "2.2250738585072014e-308",
        "2.2250738585072011e-308",
        "2.2250738585072012e-308",
        "2.225073858507201e-308",
        "4.9406564584124654e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "2.47032822920623272088e-324",
        "2.5e-324",
        "1e-323",
        "1e-324",
        "1e-400",
        "1e-999999999999",
        "7.2057594037927933e16",
        "1.4517031463050305e-309",
        "6.9294956446009195e15",
        "1448997445238699",
        "1.448997445238699e15",
        "6.8985865317742005e-290",
        "9214843084008499",
        "0.500000000000000166533453693773481063544750213623046875",
        "3.518437208883201171875e13",
        "62.5364939768271845828",
        "8.10109172351e-10",
        "1.50000000000000011102230246251565",
        "0.000000000000000000000000000000000000000012345e38",
        "2.2222222222222222222222222222222e-308",
        "1234567890123456789012345678901234567890e-340",
        "6631236871469758276785396630275967e-4",
        "5708990770823839207320493820740630171355185e-206",
        "2.4703282292062327208299000000000000000000000000000000000000000000000000000000000000e-324",
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_read(cases[i]);
}

/* The decimal of a point exactly half way between two doubles, and just beside it. */
static void half_way_points_round_to_even(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < 1200; i++) {
        uint64_t bits = next_random(&seed) >> 1;
        if (i % 3 == 0)
            bits >>= 11; /* subnormals and the smallest normals */
        if (i % 3 == 1)  /* exponents near zero, where the middle has few digits */
            bits = (bits & (((uint64_t)1 << 52) - 1)) | (uint64_t)(1000 + i % 80) << 52;
        double low = double_of(bits), high = double_of(bits + 1);
        if (!isfinite(low) || !isfinite(high))
            continue;
        char text[1200];
        long double middle = ((long double)low + (long double)high) / 2;
        int length = snprintf(text, sizeof text - 2, "%.1080Le", middle);
        char *e = strchr(text, 'e');
        assert_true(length > 1080 && e);
        check_read(text);
        char exponent[16];
        snprintf(exponent, sizeof exponent, "%s", e);
        snprintf(e, 30, "1%s", exponent); /* a digit more: above the middle */
        check_read(text);
        char *digit = e - 1;
        while (*digit == '0')
            digit--;
        if (*digit == '.')
            digit--;
        *digit = (char)(*digit - 1);
        check_read(text);
    }
}

static void random_texts_are_read_correctly(void **state) {
    (void)state;
    uint64_t seed = 2;
    for (int i = 0; i < 150000; i++) {
        char text[64];
        uint64_t digits = next_random(&seed);
        int shift = (int)(next_random(&seed) % 64),
            exponent = (int)(next_random(&seed) % 700) - 360;
        switch (i % 4) {
        case 0:
            snprintf(text, sizeof text, "%llue%d", (unsigned long long)(digits >> shift), exponent);
            break;
        case 1:
            snprintf(text, sizeof text, "-0.%020llue%d", (unsigned long long)digits, exponent);
            break;
        case 2:
            snprintf(text, sizeof text, "%llu.%llu", (unsigned long long)(digits >> shift),
                     (unsigned long long)next_random(&seed) >> (63 - shift));
            break;
        default:
            snprintf(text, sizeof text, "%.*e", shift % 20,
                     double_of(digits & ~((uint64_t)1 << 62)));
        }
        check_read(text);
    }
}

/* ---- Writing ---- */

static int significant_digits(const char *text) {
    int count = 0, zeros = 0;
    for (; *text && *text != 'e'; text++) {
        if (*text == '0')
            zeros += count > 0;
        else if (*text >= '1' && *text <= '9') {
            count += zeros + 1;
            zeros = 0;
        }
    }
    return count;
}

/* Reads back, has as few digits as any decimal that does, and is the nearest of those. */
static void check_write_double(double value) {
    char text[SN_DECIMAL_SIZE + 1], other[64];
    size_t length = sn_decimal_write_double(value, text);
    assert_true(length < SN_DECIMAL_SIZE);
    text[length] = '\0';
    if (bits_of(strtod(text, NULL)) != bits_of(value) ||
        bits_of(sn_decimal_read(text, length)) != bits_of(value))
        fail_msg("%.17g became %s", value, text);
    int digits = significant_digits(text);
    if (digits == 0)
        return;
    snprintf(other, sizeof other, "%.*e", digits - 1, value); /* nearest of that many digits */
    if (strtod(other, NULL) == value && strtod(text, NULL) == value) {
        char again[64];
        snprintf(again, sizeof again, "%.*e", digits - 1, strtod(text, NULL));
        assert_string_equal(other, again);
    }
    if (digits > 1) {
        snprintf(other, sizeof other, "%.*e", digits - 2, value);
        if (strtod(other, NULL) == value)
            fail_msg("%s is longer than %s", text, other);
    }
}

static void check_write_float(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    if (!isfinite(value))
        return;
    char text[SN_DECIMAL_SIZE + 1], other[64];
    size_t length = sn_decimal_write_float(value, text);
    assert_true(length < SN_DECIMAL_SIZE);
    text[length] = '\0';
    float narrowed = (float)sn_decimal_read(text, length); /* as readers do, by way of double */
    uint32_t back;
    memcpy(&back, &narrowed, sizeof back);
    if (back != bits)
        fail_msg("float %08x became %s", bits, text);
    int digits = significant_digits(text);
    if (digits > 1) {
        snprintf(other, sizeof other, "%.*e", digits - 2, (double)value);
        if ((float)strtod(other, NULL) == value)
            fail_msg("%s is longer than %s", text, other);
    }
}

static void doubles_are_written_as_short_as_can_be(void **state) {
    (void)state;
    uint64_t seed = 3;
    for (int i = 0; i < 120000; i++) {
        double value = double_of(next_random(&seed));
        if (isfinite(value))
            check_write_double(value);
    }
    for (int exponent = 0; exponent < 2047; exponent++) { /* powers of two and their neighbours */
        uint64_t bits = (uint64_t)exponent << 52;
        check_write_double(double_of(bits));
        check_write_double(double_of(bits + 1));
        if (exponent)
            check_write_double(double_of(bits - 1));
    }
    for (int i = -10000; i <= 10000; i++) {
        check_write_double(i);
        check_write_double(i / 100.0);
        check_write_double(i * 1e15);
    }
}

static void floats_are_written_as_short_as_can_be(void **state) {
    (void)state;
    for (uint64_t bits = 0; bits <= UINT32_MAX; bits += 16381) /* a prime: visits every exponent */
        check_write_float((uint32_t)bits);
    check_write_float(0x95AE43FD); /* 7.038531e-26 would not survive a reader of doubles */
    for (uint32_t exponent = 0; exponent < 255; exponent++)
        for (uint32_t i = 0; i < 5; i++)
            check_write_float((exponent << 23) + i - (exponent ? 2 : 0));
}

static void the_layout_is_that_of_ecmascript(void **state) {
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {0, "0"},
        {-0.0, "-0"},
        {1, "1"},
        {-1.5, "-1.5"},
        {100, "100"},
        {1e20, "100000000000000000000"},
        {1e21, "1e+21"},
        {1.5e21, "1.5e+21"},
        {123456789012345680000.0, "123456789012345680000"},
        {0.000001, "0.000001"},
        {0.0000001, "1e-7"},
        {1.5e-7, "1.5e-7"},
        {0.1, "0.1"},
        {5e-324, "5e-324"},
        {1.7976931348623157e308, "1.7976931348623157e+308"},
        {9007199254740993.0, "9007199254740992"},
        {0.30000000000000004, "0.30000000000000004"},
        {2e23, "2e+23"},
        {9.5367431640625e-7, "9.5367431640625e-7"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[SN_DECIMAL_SIZE + 1];
        text[sn_decimal_write_double(cases[i].value, text)] = '\0';
        assert_string_equal(text, cases[i].text);
    }
    char text[SN_DECIMAL_SIZE + 1];
    text[sn_decimal_write_float(0.1f, text)] = '\0';
    assert_string_equal(text, "0.1");
    text[sn_decimal_write_float(3.4028235e38f, text)] = '\0';
    assert_string_equal(text, "3.4028235e+38");
    text[sn_decimal_write_float(1e-45f, text)] = '\0';
    assert_string_equal(text, "1e-45");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_power_of_ten_is_exact_to_128_bits),
        cmocka_unit_test(hard_cases_are_read_correctly),
        cmocka_unit_test(half_way_points_round_to_even),
        cmocka_unit_test(random_texts_are_read_correctly),
        cmocka_unit_test(doubles_are_written_as_short_as_can_be),
        cmocka_unit_test(floats_are_written_as_short_as_can_be),
        cmocka_unit_test(the_layout_is_that_of_ecmascript),
    };
    return cmocka_run_group_tests_name("decimal", tests, NULL, NULL);
}
