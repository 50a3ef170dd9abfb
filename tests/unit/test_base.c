/* Results, errors, byte limits and arenas. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "sinew/memory.h"
#include "sinew/result.h"

static void every_message_has_a_unique_name_and_a_failing_result(void **state) {
    (void)state;
    for (int i = 1; i < SN_MESSAGE_COUNT; i++) {
        const char *name = sn_message_name((sn_message_id)i);
        assert_true(name[0] != '\0');
        assert_int_not_equal(sn_message_result((sn_message_id)i), SN_OK);
        if (i > 1) /* sorted by name, so neighbours suffice for uniqueness */
            assert_true(strcmp(sn_message_name((sn_message_id)(i - 1)), name) < 0);
    }
    assert_string_equal(sn_message_name(SN_MESSAGE_COUNT), "");
}

static void a_failure_says_what_and_where(void **state) {
    (void)state;
    sn_error error = {0};
    sn_result result =
        sn_fail(&error, SN_MESSAGE_REFERENCE, "/nodes/3/skin", "%s %u %z %d %g %g %g %g%%", "skin",
                7u, (size_t)8, -9, 0.25, -1e-9, 2.5e12, 123456.789);
    assert_int_equal(result, SN_ERROR_INVALID);
    assert_int_equal(error.id, SN_MESSAGE_REFERENCE);
    assert_string_equal(error.pointer, "/nodes/3/skin");
    assert_string_equal(error.text, "skin 7 8 -9 0.25 -1e-9 2.5e12 123456.789%");
    assert_int_equal(sn_fail(NULL, SN_MESSAGE_MEMORY, NULL, "no memory"), SN_ERROR_MEMORY);
    assert_int_equal(sn_fail_at(&error, SN_MESSAGE_JSON_SYNTAX, 3, 4, "x"), SN_ERROR_SYNTAX);
    assert_int_equal(error.line, 3);
    assert_int_equal(error.column, 4);
    assert_string_equal(error.pointer, "");
}

/* Whatever its length, a cut text is whole UTF-8: the cut never falls inside a sequence. */
static void a_long_text_is_cut_between_characters(void **state) {
    (void)state;
    for (size_t lead = 0; lead < 4; lead++) {
        char text[1200];
        memset(text, 'a', lead);
        for (size_t i = lead; i + 3 < sizeof text; i += 3)
            memcpy(text + i, "\xE2\x82\xAC", 4); /* the euro sign, and a NUL */
        sn_error error;
        sn_fail(&error, SN_MESSAGE_ARGUMENT, text, "%s", text);
        size_t length = strlen(error.text);
        assert_true(length >= sizeof error.text - 4 && length < sizeof error.text);
        assert_int_equal((length - lead) % 3, 0);
        length = strlen(error.pointer);
        assert_true(length >= sizeof error.pointer - 4 && length < sizeof error.pointer);
        assert_int_equal((length - lead) % 3, 0);
    }
}

static void a_budget_refuses_what_exceeds_it_and_counts_what_is_used(void **state) {
    (void)state;
    sn_budget budget;
    sn_budget_init(&budget, NULL, 1000);
    const sn_allocator *a = &budget.allocator;
    void *block = a->resize(a->user, NULL, 0, 600);
    assert_non_null(block);
    assert_null(a->resize(a->user, NULL, 0, 401));
    assert_true(budget.exceeded);
    assert_null(a->resize(a->user, block, 600, 1001));
    assert_null(a->resize(a->user, block, 600, SIZE_MAX));
    assert_int_equal(budget.used, 600);
    block = a->resize(a->user, block, 600, 1000);
    assert_non_null(block);
    block = a->resize(a->user, block, 1000, 10);
    assert_int_equal(budget.used, 10);
    assert_int_equal(budget.peak, 1000);
    assert_null(a->resize(a->user, block, 10, 0));
    assert_int_equal(budget.used, 0);
}

static void an_arena_gives_aligned_zeroed_memory_and_returns_all_of_it(void **state) {
    (void)state;
    sn_budget budget;
    sn_budget_init(&budget, NULL, (size_t)16 << 20);
    sn_arena arena;
    sn_arena_init(&arena, &budget.allocator);
    unsigned char *previous = NULL;
    size_t previous_size = 0;
    for (size_t i = 0; i < 2000; i++) {
        size_t size = i * 37 % 4099;
        unsigned char *p = sn_arena_alloc(&arena, size, 1);
        assert_non_null(p);
        assert_int_equal((uintptr_t)p % 64, 0);
        for (size_t k = 0; k < size; k++)
            assert_int_equal(p[k], 0);
        memset(p, 0xAB, size);
        for (size_t k = 0; k < previous_size; k++)
            assert_int_equal(previous[k], 0xAB);
        previous = p;
        previous_size = size;
    }
    assert_null(sn_arena_alloc(&arena, SIZE_MAX / 2, 3));
    assert_null(sn_arena_alloc(&arena, (size_t)32 << 20, 1));
    sn_arena_free(&arena);
    assert_int_equal(budget.used, 0);
    assert_true(budget.exceeded);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_message_has_a_unique_name_and_a_failing_result),
        cmocka_unit_test(a_failure_says_what_and_where),
        cmocka_unit_test(a_long_text_is_cut_between_characters),
        cmocka_unit_test(a_budget_refuses_what_exceeds_it_and_counts_what_is_used),
        cmocka_unit_test(an_arena_gives_aligned_zeroed_memory_and_returns_all_of_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
