#include "anim/clip.h"

#include <string.h>

bool sn_clip_same_markers(const sn_clip *a, const sn_clip *b) {
    if (a->marker_count != b->marker_count)
        return false;
    for (uint32_t i = 0; a->markers != b->markers && i < a->marker_count; i++)
        if (a->markers[i].time != b->markers[i].time ||
            strcmp(a->markers[i].name, b->markers[i].name) != 0)
            return false;
    return true;
}
