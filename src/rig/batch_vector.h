/* The numbers of lanes_two_bone.h as vectors of SN_LANES floats. */
#include "math/simd.h"
#include "rig/batch.h"

#define BATCH_LANES SN_LANES

typedef sn_vf number;
typedef sn_vi mask;

SN_INLINE number splat(float x) {
    return sn_splat(x);
}

SN_INLINE number load(const float *from) {
    return *(const sn_vf_unaligned *)from;
}

SN_INLINE void store(float *to, number value) {
    *(sn_vf_unaligned *)to = value;
}

SN_INLINE number root_of(number x) {
    return sn_sqrt(x);
}

SN_INLINE number choose(mask m, number a, number b) {
    return sn_select(m, a, b);
}

SN_INLINE number absolute(number x) {
    return (number)((mask)x & 0x7FFFFFFF);
}

SN_INLINE mask is_negative(number x) {
    return (mask)x < 0;
}

SN_INLINE number negate_if(mask m, number x) {
    return sn_xor(x, m & INT32_MIN);
}

SN_INLINE bool all_of(mask m) {
    return sn_all(m);
}

#include "rig/lanes_two_bone.h"
