#include "rig/batch.h"

bool sn_two_bone_batch_solve(const sn_two_bone_batch *batch, sn_kernel kernel) {
    const sn_kernels *found = sn_kernels_find(kernel);
    if (!found)
        return false;
    switch (found->kernel) {
#if defined(SN_HAS_AVX2)
    case SN_KERNEL_AVX2:
        sn_two_bone_batch_avx2(batch);
        break;
#endif
#if defined(SN_HAS_SIMD4)
    case SN_KERNEL_SIMD4:
        sn_two_bone_batch_simd4(batch);
        break;
#endif
    default:
        sn_two_bone_batch_scalar(batch);
    }
    return true;
}
