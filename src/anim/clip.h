/* Comparing clips. */
#ifndef SN_ANIM_CLIP_H
#define SN_ANIM_CLIP_H

#include "sinew/track.h"

/* Whether the markers have the same times and names. */
bool sn_clip_same_markers(const sn_clip *a, const sn_clip *b);

#endif
