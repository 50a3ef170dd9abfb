#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "sinew/memory.h"

static void *libc_resize(void *user, void *block, size_t old_size, size_t new_size) {
    (void)user;
    (void)old_size;
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    return realloc(block, new_size);
}

const sn_allocator *sn_allocator_default(void) {
    static const sn_allocator libc = {libc_resize, NULL};
    return &libc;
}

static void *budget_resize(void *user, void *block, size_t old_size, size_t new_size) {
    sn_budget *budget = user;
    if (new_size > old_size && new_size - old_size > budget->limit - budget->used) {
        budget->exceeded = true;
        return NULL;
    }
    void *result = budget->parent->resize(budget->parent->user, block, old_size, new_size);
    if (!result && new_size)
        return NULL;
    budget->used = budget->used - old_size + new_size;
    if (budget->used > budget->peak)
        budget->peak = budget->used;
    return result;
}

void sn_budget_init(sn_budget *budget, const sn_allocator *parent, size_t limit) {
    *budget = (sn_budget){
        .allocator = {budget_resize, budget},
        .parent = parent ? parent : sn_allocator_default(),
        .limit = limit,
    };
}

/* ---- Arena ---- */

#define ARENA_ALIGNMENT 64
#define ARENA_FIRST_BLOCK ((size_t)4096)
#define ARENA_LARGEST_BLOCK ((size_t)1 << 20)

typedef struct sn_arena_block {
    struct sn_arena_block *previous;
    size_t size; /* of the whole block, this header included */
    size_t used; /* from the start of the block */
} arena_block;

void sn_arena_init(sn_arena *arena, const sn_allocator *allocator) {
    *arena = (sn_arena){allocator ? allocator : sn_allocator_default(), NULL};
}

/* Offset of the next aligned address at or after block + used. */
static size_t aligned_offset(const arena_block *block, size_t used) {
    uintptr_t address = (uintptr_t)block + used;
    return used + (size_t)(-address & (ARENA_ALIGNMENT - 1));
}

void *sn_arena_alloc_unset(sn_arena *arena, size_t count, size_t size) {
    if (size && count > (SIZE_MAX / 2) / size)
        return NULL;
    size_t bytes = count * size;
    arena_block *block = arena->last;
    size_t offset = block ? aligned_offset(block, block->used) : 0;
    if (!block || offset > block->size || bytes > block->size - offset) {
        size_t wanted = block ? block->size * 2 : ARENA_FIRST_BLOCK;
        if (wanted > ARENA_LARGEST_BLOCK)
            wanted = ARENA_LARGEST_BLOCK;
        size_t needed = sizeof *block + ARENA_ALIGNMENT + bytes;
        if (wanted < needed)
            wanted = needed;
        arena_block *fresh = arena->allocator->resize(arena->allocator->user, NULL, 0, wanted);
        if (!fresh && wanted > needed) { /* a smaller block may still fit below a limit */
            wanted = needed;
            fresh = arena->allocator->resize(arena->allocator->user, NULL, 0, wanted);
        }
        if (!fresh)
            return NULL;
        *fresh = (arena_block){block, wanted, sizeof *fresh};
        arena->last = block = fresh;
        offset = aligned_offset(block, block->used);
    }
    block->used = offset + bytes;
    return (char *)block + offset;
}

void *sn_arena_alloc(sn_arena *arena, size_t count, size_t size) {
    void *result = sn_arena_alloc_unset(arena, count, size);
    if (result)
        memset(result, 0, count * size);
    return result;
}

void sn_arena_free(sn_arena *arena) {
    for (arena_block *block = arena->last; block;) {
        arena_block *previous = block->previous;
        arena->allocator->resize(arena->allocator->user, block, block->size, 0);
        block = previous;
    }
    arena->last = NULL;
}
