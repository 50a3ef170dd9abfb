/* What the files of the scalar kernel share. */
#ifndef SN_ANIM_SCALAR_H
#define SN_ANIM_SCALAR_H

#include "anim/kernels.h"

enum { SN_SCALAR_LANES = 4 };

/* The first component of a joint in a pose; the next is SN_SCALAR_LANES floats on. */
static inline float *sn_scalar_lane(float *pose, uint32_t joint) {
    size_t group = joint / SN_SCALAR_LANES;
    return pose + group * SN_POSE_VECTORS * SN_SCALAR_LANES + joint % SN_SCALAR_LANES;
}

void sn_scalar_sample(const sn_clip_view *view, float time, float *pose);

#endif
