/* Vectors of SN_LANES floats, 4 or 8, by the vector extensions of gcc and clang. The including file
 * defines SN_LANES; the only intrinsics of the library are here. Every operation is the IEEE one of
 * single precision in each lane: 4 lanes, 8 lanes and plain floats give the same bits.
 *
 * 8 lanes are for AVX2 alone: without it gcc keeps 32-byte vectors in memory. */
#ifndef SN_MATH_SIMD_H
#define SN_MATH_SIMD_H

#include <stdbool.h>
#include <stdint.h>

#ifndef SN_LANES
#error "define SN_LANES as 4 or 8 before including math/simd.h"
#endif

#if defined(__SSE2__)
#include <immintrin.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#define SN_INLINE static inline __attribute__((always_inline))

/* For what several variants of a loop have in common: a copy in each runs faster, but a module that
 * is downloaded had better be small. */
#if defined(__wasm__)
#define SN_INLINE_IF_CHEAP static __attribute__((noinline))
#else
#define SN_INLINE_IF_CHEAP SN_INLINE
#endif

typedef float sn_vf __attribute__((vector_size(SN_LANES * 4), may_alias));
typedef float sn_vf_unaligned __attribute__((vector_size(SN_LANES * 4), may_alias, aligned(4)));
typedef int32_t sn_vi __attribute__((vector_size(SN_LANES * 4), may_alias));
typedef float sn_f4 __attribute__((vector_size(16), may_alias));
typedef int32_t sn_i4 __attribute__((vector_size(16), may_alias));
typedef float sn_f4_unaligned __attribute__((vector_size(16), may_alias, aligned(4)));

#define SN_SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)

SN_INLINE sn_f4 sn_f4_splat(float x) {
    return (sn_f4){x, x, x, x};
}

SN_INLINE sn_f4 sn_f4_load(const float *from) {
    return *(const sn_f4_unaligned *)from;
}

SN_INLINE sn_f4 sn_f4_sqrt(sn_f4 a) {
#if defined(__SSE2__)
    return (sn_f4)_mm_sqrt_ps((__m128)a);
#elif defined(__wasm_simd128__)
    return (sn_f4)wasm_f32x4_sqrt((v128_t)a); /* clang does not find it from a loop */
#elif defined(__aarch64__)
    return (sn_f4)vsqrtq_f32((float32x4_t)a);
#else
    for (int i = 0; i < 4; i++)
        a[i] = __builtin_sqrtf(a[i]);
    return a;
#endif
}

/* A value of which the compiler does not see where it comes from. Of a mask that it knows, clang
 * makes three shuffles where SSE2 has one `and`. */
SN_INLINE sn_i4 sn_f4_hidden(sn_i4 value) {
#if defined(__SSE2__)
    __asm__("" : "+x"(value));
#endif
    return value;
}

#if SN_LANES == 8

SN_INLINE sn_vf sn_splat(float x) {
    return (sn_vf){x, x, x, x, x, x, x, x};
}

/* Lane `lane` of 4, a constant, in all. */
#define sn_splat_lane(a, lane) SN_SHUFFLE(a, a, lane, lane, lane, lane, lane, lane, lane, lane)

SN_INLINE sn_vf sn_sqrt(sn_vf a) {
    return (sn_vf)_mm256_sqrt_ps((__m256)a);
}

/* A value of which the compiler does not see where it comes from. clang makes two instructions of a
 * permutation whose lanes it knows, and nine loads of three that are shuffled afterwards. */
SN_INLINE sn_vi sn_hidden(sn_vi value) {
    __asm__("" : "+x"(value));
    return value;
}

/* Lanes 0 … 3 from `low`, 4 … 7 from `high`. */
SN_INLINE sn_vf sn_join(sn_f4 low, sn_f4 high) {
    return SN_SHUFFLE(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
}

/* Any lanes of the 8 floats at `from`, whose alignment is that of a float. */
SN_INLINE sn_vf sn_load_permuted(const float *from, sn_vi lanes) {
    return (sn_vf)_mm256_permutevar8x32_ps(_mm256_loadu_ps(from), (__m256i)lanes);
}

SN_INLINE sn_f4 sn_low(sn_vf a) {
    return SN_SHUFFLE(a, a, 0, 1, 2, 3);
}

SN_INLINE sn_f4 sn_high(sn_vf a) {
    return SN_SHUFFLE(a, a, 4, 5, 6, 7);
}

/* Transposes each half as a matrix of 4 by 4: lane i of out[k] is lane k of rows[i], and the same
 * 4 lanes on. */
SN_INLINE void sn_transpose(const sn_vf rows[4], sn_vf out[4]) {
    sn_vf ab_low = SN_SHUFFLE(rows[0], rows[1], 0, 8, 1, 9, 4, 12, 5, 13);
    sn_vf ab_high = SN_SHUFFLE(rows[0], rows[1], 2, 10, 3, 11, 6, 14, 7, 15);
    sn_vf cd_low = SN_SHUFFLE(rows[2], rows[3], 0, 8, 1, 9, 4, 12, 5, 13);
    sn_vf cd_high = SN_SHUFFLE(rows[2], rows[3], 2, 10, 3, 11, 6, 14, 7, 15);
    out[0] = SN_SHUFFLE(ab_low, cd_low, 0, 1, 8, 9, 4, 5, 12, 13);
    out[1] = SN_SHUFFLE(ab_low, cd_low, 2, 3, 10, 11, 6, 7, 14, 15);
    out[2] = SN_SHUFFLE(ab_high, cd_high, 0, 1, 8, 9, 4, 5, 12, 13);
    out[3] = SN_SHUFFLE(ab_high, cd_high, 2, 3, 10, 11, 6, 7, 14, 15);
}

#else

SN_INLINE sn_vf sn_splat(float x) {
    return sn_f4_splat(x);
}

#define sn_splat_lane(a, lane) SN_SHUFFLE(a, a, lane, lane, lane, lane)

SN_INLINE sn_vf sn_sqrt(sn_vf a) {
    return sn_f4_sqrt(a);
}

/* Lane i of out[k] is lane k of rows[i]. */
SN_INLINE void sn_transpose(const sn_vf rows[4], sn_vf out[4]) {
    sn_vf ab_low = SN_SHUFFLE(rows[0], rows[1], 0, 4, 1, 5);
    sn_vf ab_high = SN_SHUFFLE(rows[0], rows[1], 2, 6, 3, 7);
    sn_vf cd_low = SN_SHUFFLE(rows[2], rows[3], 0, 4, 1, 5);
    sn_vf cd_high = SN_SHUFFLE(rows[2], rows[3], 2, 6, 3, 7);
    out[0] = SN_SHUFFLE(ab_low, cd_low, 0, 1, 4, 5);
    out[1] = SN_SHUFFLE(ab_low, cd_low, 2, 3, 6, 7);
    out[2] = SN_SHUFFLE(ab_high, cd_high, 0, 1, 4, 5);
    out[3] = SN_SHUFFLE(ab_high, cd_high, 2, 3, 6, 7);
}

#endif

SN_INLINE sn_vf sn_load(const float *aligned) {
    return *(const sn_vf *)aligned;
}

SN_INLINE void sn_store(float *aligned, sn_vf value) {
    *(sn_vf *)aligned = value;
}

/* `a` in the lanes whose mask is all ones, `b` in those where it is all zeros. */
SN_INLINE sn_vf sn_select(sn_vi mask, sn_vf a, sn_vf b) {
    return (sn_vf)(((sn_vi)a & mask) | ((sn_vi)b & ~mask));
}

/* The sign bit of each lane, for sn_xor. */
SN_INLINE sn_vi sn_sign(sn_vf a) {
    return (sn_vi)a & ((sn_vi)sn_splat(-0.0f));
}

SN_INLINE sn_vf sn_xor(sn_vf a, sn_vi bits) {
    return (sn_vf)((sn_vi)a ^ bits);
}

/* Whether a mask is all ones in every lane. */
SN_INLINE bool sn_all(sn_vi mask) {
#if SN_LANES == 8
    return _mm256_movemask_ps((__m256)mask) == 0xFF;
#elif defined(__SSE2__)
    return _mm_movemask_ps((__m128)mask) == 0xF;
#elif defined(__wasm_simd128__)
    return wasm_i32x4_all_true((v128_t)mask);
#elif defined(__aarch64__)
    return vminvq_u32((uint32x4_t)mask) != 0;
#else
    return (mask[0] & mask[1] & mask[2] & mask[3]) != 0;
#endif
}

SN_INLINE sn_vf sn_max(sn_vf a, sn_vf b) {
    return sn_select((sn_vi)(a > b), a, b);
}

/* The sum of products, in the order of the components, as the scalar reference has it. */
SN_INLINE sn_vf sn_dot3(const sn_vf a[3], const sn_vf b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

SN_INLINE sn_vf sn_dot4(const sn_vf a[4], const sn_vf b[4]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

#endif
