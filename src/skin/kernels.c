#include "skin/kernels.h"

const sn_skin_kernels *sn_skin_kernels_find(sn_kernel kernel) {
    return kernel <= SN_KERNEL_SCALAR ? &sn_skin_kernels_scalar : NULL;
}
