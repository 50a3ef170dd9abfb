/* 8 lanes; compiled with AVX2 on, and called only where the processor has it. */
#include "skin/kernels.h"

#if defined(SN_HAS_AVX2)

#define SN_LANES 8
#include "math/simd.h"

#include "skin/lanes_skin.h"

const sn_skin_kernels sn_skin_kernels_avx2 = {.skin = skin};

#endif
