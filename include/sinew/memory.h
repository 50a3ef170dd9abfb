/* Allocators, byte limits and arenas. */
#ifndef SINEW_MEMORY_H
#define SINEW_MEMORY_H

#include "sinew/result.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where memory comes from. `resize` allocates (block NULL, old_size 0), grows, shrinks and
 * frees (new_size 0, returns NULL); NULL for a new_size above 0 means no memory, and the old
 * block is untouched. Blocks are aligned to 16 bytes. Must be safe to call from every thread
 * that uses it. */
typedef struct sn_allocator {
    void *(*resize)(void *user, void *block, size_t old_size, size_t new_size);
    void *user;
} sn_allocator;

/* The C library's realloc and free. */
const sn_allocator *sn_allocator_default(void);

/* An allocator with a byte limit on top of another; not for use by several threads. */
typedef struct sn_budget {
    sn_allocator allocator; /* hand out &budget.allocator; its user is the budget itself */
    const sn_allocator *parent;
    size_t limit;  /* bytes in use at once, at most */
    size_t used;   /* bytes in use now */
    size_t peak;   /* the largest `used` so far */
    bool exceeded; /* an allocation was refused because of `limit` */
} sn_budget;

/* parent NULL is the default allocator. The budget must not move while it is in use. */
void sn_budget_init(sn_budget *budget, const sn_allocator *parent, size_t limit);

/* Memory that is released all at once. Zero-initialise, then sn_arena_init. */
typedef struct sn_arena {
    const sn_allocator *allocator;
    struct sn_arena_block *last;
} sn_arena;

void sn_arena_init(sn_arena *arena, const sn_allocator *allocator);

/* count * size bytes, zeroed, aligned to 64; NULL when the product overflows or there is no
 * memory. A count of 0 gives a valid pointer that must not be read. */
void *sn_arena_alloc(sn_arena *arena, size_t count, size_t size);

void sn_arena_free(sn_arena *arena);

#define SN_ARENA_NEW(arena, type, count) ((type *)sn_arena_alloc((arena), (count), sizeof(type)))

#ifdef __cplusplus
}
#endif
#endif
