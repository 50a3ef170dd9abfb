/* The batched two-bone solver, one function an instruction set, all with the same bits. */
#ifndef SN_RIG_BATCH_H
#define SN_RIG_BATCH_H

#include "anim/kernels.h"
#include "sinew/two_bone_batch.h"

void sn_two_bone_batch_scalar(const sn_two_bone_batch *batch);
#if defined(SN_HAS_SIMD4)
void sn_two_bone_batch_simd4(const sn_two_bone_batch *batch);
#endif
#if defined(SN_HAS_AVX2)
void sn_two_bone_batch_avx2(const sn_two_bone_batch *batch);
#endif

#endif
