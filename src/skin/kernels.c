#include "skin/kernels.h"

const sn_skin_kernels *sn_skin_kernels_find(sn_kernel kernel) {
    const sn_kernels *found = sn_kernels_find(kernel);
    if (!found)
        return NULL;
    switch (found->kernel) {
#if defined(SN_HAS_AVX2)
    case SN_KERNEL_AVX2:
        return &sn_skin_kernels_avx2;
#endif
#if defined(SN_HAS_SIMD4)
    case SN_KERNEL_SIMD4:
        return &sn_skin_kernels_simd4;
#endif
    default:
        return &sn_skin_kernels_scalar;
    }
}
