/* One limb after the other, in plain floats. */
#include <math.h>
#include <stdint.h>

#include "rig/batch.h"

#define SN_INLINE static inline
#define BATCH_LANES 1

typedef float number;
typedef int mask;

SN_INLINE number splat(float x) {
    return x;
}

SN_INLINE number load(const float *from) {
    return *from;
}

SN_INLINE void store(float *to, number value) {
    *to = value;
}

SN_INLINE number root_of(number x) {
    return sqrtf(x);
}

SN_INLINE number choose(mask m, number a, number b) {
    return m ? a : b;
}

SN_INLINE number absolute(number x) {
    return fabsf(x);
}

SN_INLINE mask is_negative(number x) {
    return signbit(x) != 0;
}

SN_INLINE number negate_if(mask m, number x) {
    return m ? -x : x;
}

SN_INLINE bool all_of(mask m) {
    return m;
}

#include "rig/lanes_two_bone.h"

void sn_two_bone_batch_scalar(const sn_two_bone_batch *batch) {
    solve_all(batch);
}
