#include "anim/kernels.h"

const sn_kernels *sn_kernels_find(sn_kernel kernel) {
    bool is_best = kernel == SN_KERNEL_BEST;
#if defined(SN_HAS_AVX2)
    if ((kernel == SN_KERNEL_AVX2 || is_best) && __builtin_cpu_supports("avx2"))
        return &sn_kernels_avx2;
#endif
#if defined(SN_HAS_SIMD4)
    if (kernel == SN_KERNEL_SIMD4 || is_best)
        return &sn_kernels_simd4;
#endif
    return kernel == SN_KERNEL_SCALAR || is_best ? &sn_kernels_scalar : NULL;
}
