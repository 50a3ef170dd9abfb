/* What VRM says of a model: VRMC_vrm 1.0, VRM 0.x, VRMC_vrm_animation 1.0. */
#ifndef SINEW_VRM_H
#define SINEW_VRM_H

#include "sinew/gltf.h"
#include "sinew/humanoid.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sn_vrm_kind {
    SN_VRM_NONE, /* the file has none of the extensions */
    SN_VRM_0,
    SN_VRM_1,
    SN_VRM_ANIMATION
} sn_vrm_kind;

typedef struct sn_vrm_humanoid {
    sn_vrm_kind kind;
    const char *version; /* specVersion; "" when the file gives none */
    sn_humanoid bones;   /* to nodes of the model */
    /* Bones that were left out, and why: vrm.bone, reference; at most 64, then warning.limit. */
    size_t warning_count;
    const sn_warning *warnings;
} sn_vrm_humanoid;

/* The bones of a human among a file's nodes: by the VRM extension, detected by its object in the
 * file whatever extensionsUsed says, VRMC_vrm before VRM before VRMC_vrm_animation; in a file
 * without one by names (humanoid.h), looking at the joints of the skins and what is above them, or
 * at every node where there are no skins.
 *
 * Bones of VRM 0.x get their names of 1.0: its thumb is proximal, intermediate, distal. Of a bone
 * or a node that is named twice the first is kept. Files of VRM 0.x face -z, the others of VRM +z.
 * What `out` refers to is in `arena`. Errors: memory. */
sn_result sn_vrm_find_humanoid(const sn_gltf *gltf, sn_arena *arena, sn_vrm_humanoid *out,
                               sn_error *error);

#ifdef __cplusplus
}
#endif
#endif
