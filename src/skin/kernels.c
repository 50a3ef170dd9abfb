#include "anim/kernels.h"
#include "skin/kernels.h"

const sn_skin_kernels *sn_skin_kernels_find(sn_kernel kernel) {
    return sn_kernels_find(kernel) ? &sn_skin_kernels_scalar : NULL;
}
