/* Allocators for tests: one that counts, one that fails at a chosen call. */
#ifndef SN_TESTS_ALLOCATORS_H
#define SN_TESTS_ALLOCATORS_H

#include "sinew/memory.h"

/* Counts calls that ask for memory; the one numbered `fail_at` (from 1) and all later ones fail.
 * fail_at 0 never fails. `in_use` must be 0 when everything was freed. */
typedef struct test_allocator {
    sn_allocator allocator;
    size_t calls;
    size_t fail_at;
    size_t in_use;
} test_allocator;

void test_allocator_init(test_allocator *allocator, size_t fail_at);

#endif
