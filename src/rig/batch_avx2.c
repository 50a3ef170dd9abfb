/* 8 lanes; compiled with AVX2 on, and called only where the processor has it. */
#include "rig/batch.h"

#if defined(SN_HAS_AVX2)

#define SN_LANES 8
#include "rig/batch_vector.h"

void sn_two_bone_batch_avx2(const sn_two_bone_batch *batch) {
    solve_all(batch);
}

#endif
