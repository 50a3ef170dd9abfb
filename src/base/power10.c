#include "base/decimal.h"

/* 5^(28 i) for i in -13 ... 11, the top 192 bits of it, rounded down. 10^k differs from 5^k by a
 * power of two only, and 5^28 is the first power of five that does not fit 64 bits, so that every
 * other power is one of these times one that fits. */
#define STEP 28
static const uint64_t coarse[][3] = {
    {0xE1AFA13AFBD14D6D, 0x82189C09A3A1EC21, 0x7A43516213C7E04C}, /* 10^-364 */
    {0xE3E27A444D8D98B7, 0xFD1B1B2308169B25, 0x363B1F2C568DC3E2}, /* 10^-336 */
    {0xE61ACF033D1A45DF, 0x6FB92487298E33BD, 0xADD7728C20B99BD1}, /* 10^-308 */
    {0xE858AD248F5C22C9, 0xD1B3400F8F9CFF68, 0xF910F9F648232F14}, /* 10^-280 */
    {0xEA9C227723EE8BCB, 0x465E15A979C1CADC, 0x0A0CE827EAC11F2D}, /* 10^-252 */
    {0xECE53CEC4A314EBD, 0xA4F8BF5635246428, 0x4609AC5C7899CA36}, /* 10^-224 */
    {0xEF340A98172AACE4, 0x86FB897116C87C34, 0x9C39C1DA4C49278D}, /* 10^-196 */
    {0xF18899B1BC3F8CA1, 0xDC44E6C3CB279AC1, 0xF80F36174730CA34}, /* 10^-168 */
    {0xF3E2F893DEC3F126, 0x5A89DBA3C3EFCCFA, 0xD8ECB58659BE9C90}, /* 10^-140 */
    {0xF64335BCF065D37D, 0x4D4617B5FF4A16D5, 0xAA09501D5954A559}, /* 10^-112 */
    {0xF8A95FCF88747D94, 0x75A44C6397CE912A, 0x33CCA6C06B07B74D}, /* 10^-84 */
    {0xFB158592BE068D2E, 0xEED6E2F0F0D56712, 0xAC2E4F162CFAD40A}, /* 10^-56 */
    {0xFD87B5F28300CA0D, 0x8BCA9D6E188853FC, 0x76DCB60081CE0FA5}, /* 10^-28 */
    {0x8000000000000000, 0x0000000000000000, 0x0000000000000000}, /* 10^0 */
    {0x813F3978F8940984, 0x4000000000000000, 0x0000000000000000}, /* 10^28 */
    {0x82818F1281ED449F, 0xBFF8F10E7A8921A4, 0x2000000000000000}, /* 10^56 */
    {0x83C7088E1AAB65DB, 0x792667C6DA79E0FA, 0x0861D3EE22D1CC53}, /* 10^84 */
    {0x850FADC09923329E, 0x03E2CF6BC604DDB0, 0x74A7EF0198791097}, /* 10^112 */
    {0x865B86925B9BC5C2, 0x0B8A2392BA45A9B2, 0x5C6658D409FB8BF7}, /* 10^140 */
    {0x87AA9AFF79042286, 0x90FB44D2F05D0842, 0xFB118FC9C217A1D2}, /* 10^168 */
    {0x88FCF317F22241E2, 0x441FECE3BDF81F03, 0x12F274928400100D}, /* 10^196 */
    {0x8A5296FFE33CC92F, 0x82BD6B70D99AAA6F, 0xBC10C5C5CDA97C8D}, /* 10^224 */
    {0x8BAB8EEFB6409C1A, 0x1AD089B6C2F7548E, 0x25C7B885BA466E37}, /* 10^252 */
    {0x8D07E33455637EB2, 0xDB0B487B6423E1E8, 0x7EC63730F500B406}, /* 10^280 */
    {0x8E679C2F5E44FF8F, 0x570F09EAA7EA7648, 0x5961DB50C6D2B886}, /* 10^308 */
};

static const uint64_t fine[STEP] = {
    1u,
    5u,
    25u,
    125u,
    625u,
    3125u,
    15625u,
    78125u,
    390625u,
    1953125u,
    9765625u,
    48828125u,
    244140625u,
    1220703125u,
    6103515625u,
    30517578125u,
    152587890625u,
    762939453125u,
    3814697265625u,
    19073486328125u,
    95367431640625u,
    476837158203125u,
    2384185791015625u,
    11920928955078125u,
    59604644775390625u,
    298023223876953125u,
    1490116119384765625u,
    7450580596923828125u,
};

/* floor(log2(10^k)), exact for |k| <= 1650 (R. Giulietti, The Schubfach way to render doubles) */
static int floor_log2_power10(int k) {
    return (k * 1741647) >> 19;
}

/* The product of a row and a power of five that is scaled to 64 bits has an error below 2^64 units
 * of its 256 bits, which reaches its top 128 bits only when the 64 bits between are all ones. That
 * happens for no k of the range: tests/unit/test_decimal.c compares every one with big integers. */
sn_power10 sn_power10_of(int k) {
    int index = (k - SN_POWER10_MIN) / STEP;
    const uint64_t *row = coarse[index];
    uint64_t five = fine[k - SN_POWER10_MIN - index * STEP];
    five <<= __builtin_clzll(five);
    sn_uint128 low = (sn_uint128)row[2] * five;
    sn_uint128 middle = (sn_uint128)row[1] * five + (uint64_t)(low >> 64);
    sn_uint128 high = (sn_uint128)row[0] * five + (uint64_t)(middle >> 64);
    sn_power10 power = {(uint64_t)(high >> 64), (uint64_t)high, floor_log2_power10(k)};
    if (!(power.high >> 63)) {
        power.high = power.high << 1 | power.low >> 63;
        power.low = power.low << 1 | (uint64_t)middle >> 63;
    }
    return power;
}
