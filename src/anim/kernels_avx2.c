/* 8 lanes; compiled with AVX2 on, and called only where the processor has it. */
#include "anim/kernels.h"

#if defined(SN_HAS_AVX2)

#define SN_LANES 8
#include "math/simd.h"

#include "anim/lanes_blend.h"
#include "anim/lanes_hierarchy.h"

#include "anim/lanes_crowd.h"
#include "anim/lanes_sample.h"

const sn_kernels sn_kernels_avx2 = {
    .kernel = SN_KERNEL_AVX2,
    .lanes = SN_LANES,
    .name = "avx2",
    .sample = sample,
    .blend_two = blend_two,
    .blend = blend,
    .difference = difference,
    .hierarchy = hierarchy,
    .multiply = multiply,
    .crowd_hierarchy = crowd_hierarchy,
    .crowd_multiply = crowd_multiply,
};

#endif
