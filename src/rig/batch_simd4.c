/* 4 lanes: SSE2, NEON or WebAssembly SIMD, whichever this is compiled for. */
#include "rig/batch.h"

#if defined(SN_HAS_SIMD4)

#define SN_LANES 4
#include "rig/batch_vector.h"

void sn_two_bone_batch_simd4(const sn_two_bone_batch *batch) {
    solve_all(batch);
}

#endif
