/* 4 lanes: SSE2, NEON or WebAssembly SIMD, whichever this is compiled for. */
#include "anim/kernels.h"

#if defined(SN_HAS_SIMD4)

#define SN_LANES 4
#include "math/simd.h"

#include "anim/lanes_blend.h"
#include "anim/lanes_hierarchy.h"

#include "anim/lanes_crowd.h"
#include "anim/lanes_sample.h"

#if defined(__SSE2__)
#define NAME "sse2"
#elif defined(__aarch64__)
#define NAME "neon"
#else
#define NAME "wasm-simd128"
#endif

const sn_kernels sn_kernels_simd4 = {
    .kernel = SN_KERNEL_SIMD4,
    .lanes = SN_LANES,
    .name = NAME,
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
