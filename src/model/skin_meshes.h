/* Skin meshes by geometry: primitives of the same vertices share one. Private to the folder. */
#ifndef SN_MODEL_SKIN_MESHES_H
#define SN_MODEL_SKIN_MESHES_H

#include "sinew/memory.h"
#include "sinew/skin.h"

/* A hash table; nothing is removed. Geometries are the same when their arrays are the same in
 * memory, which they are where primitives of a file name the same accessors. */
typedef struct sn_skin_meshes {
    struct sn_skin_meshes_slot *slots;
    uint32_t slot_count;
} sn_skin_meshes;

/* Room for `most` of them; false when there is no memory. */
bool sn_skin_meshes_init(sn_skin_meshes *meshes, uint64_t most, sn_arena *arena);

/* Where the skin mesh of the geometry is kept: NULL as long as nobody has put it there. */
sn_skin_mesh **sn_skin_meshes_find(sn_skin_meshes *meshes, const sn_skin_mesh_desc *desc);

#endif
