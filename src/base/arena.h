/* Arena memory as it comes. Private to the library. */
#ifndef SN_BASE_ARENA_H
#define SN_BASE_ARENA_H

#include "sinew/memory.h"

/* sn_arena_alloc without the zeros: for large arrays of which each element is written anyway. */
void *sn_arena_alloc_unset(sn_arena *arena, size_t count, size_t size);

#endif
