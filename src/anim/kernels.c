#include "anim/kernels.h"

const sn_kernels *sn_kernels_find(sn_kernel kernel) {
    switch (kernel) {
    case SN_KERNEL_BEST:
    case SN_KERNEL_SCALAR:
        return &sn_kernels_scalar;
    case SN_KERNEL_SIMD4:
    case SN_KERNEL_AVX2:
        break;
    }
    return NULL;
}
