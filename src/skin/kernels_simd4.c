/* 4 lanes: SSE2, NEON or WebAssembly SIMD, whichever this is compiled for. */
#include "skin/kernels.h"

#if defined(SN_HAS_SIMD4)

#define SN_LANES 4
#include "math/simd.h"

#include "skin/lanes_skin.h"

const sn_skin_kernels sn_skin_kernels_simd4 = {.skin = skin};

#endif
