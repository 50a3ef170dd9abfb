#include "tests/unit/allocators.h"

static void *resize(void *user, void *block, size_t old_size, size_t new_size) {
    test_allocator *test = user;
    if (new_size > old_size) {
        test->calls++;
        if (test->fail_at && test->calls >= test->fail_at)
            return NULL;
    }
    const sn_allocator *libc = sn_allocator_default();
    void *result = libc->resize(libc->user, block, old_size, new_size);
    if (result || !new_size)
        test->in_use = test->in_use - old_size + new_size;
    return result;
}

void test_allocator_init(test_allocator *allocator, size_t fail_at) {
    *allocator = (test_allocator){.fail_at = fail_at};
    allocator->allocator = (sn_allocator){resize, allocator};
}
