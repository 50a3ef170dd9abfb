/* The JSON reader, its tree and growing text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "sinew/json.h"

static sn_json parse(sn_arena *arena, const char *text) {
    sn_json json;
    sn_error error;
    if (sn_json_parse(text, strlen(text), arena, &json, &error) != SN_OK)
        fail_msg("%s: %s", text, error.text);
    return json;
}

/* Length -1 takes the string's own. Reading goes through a copy of exactly that size, so that the
 * sanitizer sees any byte read past the end. */
static void refuse(const char *text, int length, sn_message_id id, uint32_t line, uint32_t column) {
    size_t size = length < 0 ? strlen(text) : (size_t)length;
    char *copy = malloc(size + !size);
    memcpy(copy, text, size);
    sn_arena arena;
    sn_arena_init(&arena, NULL);
    sn_json json;
    sn_error error = {0};
    sn_result result = sn_json_parse(copy, size, &arena, &json, &error);
    free(copy);
    if (result != sn_message_result(id) || error.id != id || error.line != line ||
        error.column != column)
        fail_msg("%s: %s at %u:%u (%s)", text, sn_message_name(error.id), error.line, error.column,
                 error.text);
    assert_true(error.text[0] != '\0');
    sn_arena_free(&arena);
}

static void what_is_not_json_is_refused_with_its_place(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int length;
        sn_message_id id;
        uint32_t line, column;
    } cases[] = {
        {"", -1, SN_MESSAGE_JSON_SYNTAX, 1, 1},
        {" \n ", -1, SN_MESSAGE_JSON_SYNTAX, 2, 2},
        {"{", -1, SN_MESSAGE_JSON_SYNTAX, 1, 2},
        {"[", -1, SN_MESSAGE_JSON_SYNTAX, 1, 2},
        {"[1", -1, SN_MESSAGE_JSON_SYNTAX, 1, 3},
        {"[1,", -1, SN_MESSAGE_JSON_SYNTAX, 1, 4},
        {"[1,]", -1, SN_MESSAGE_JSON_SYNTAX, 1, 4},
        {"[,1]", -1, SN_MESSAGE_JSON_SYNTAX, 1, 2},
        {"[1 2]", -1, SN_MESSAGE_JSON_SYNTAX, 1, 4},
        {"[1}", -1, SN_MESSAGE_JSON_SYNTAX, 1, 3},
        {"{\"a\":1]", -1, SN_MESSAGE_JSON_SYNTAX, 1, 7},
        {"{\"a\"}", -1, SN_MESSAGE_JSON_SYNTAX, 1, 5},
        {"{\"a\":}", -1, SN_MESSAGE_JSON_SYNTAX, 1, 6},
        {"{\"a\":1,}", -1, SN_MESSAGE_JSON_SYNTAX, 1, 8},
        {"{a:1}", -1, SN_MESSAGE_JSON_SYNTAX, 1, 2},
        {"{1:1}", -1, SN_MESSAGE_JSON_SYNTAX, 1, 2},
        {"{'a':1}", -1, SN_MESSAGE_JSON_SYNTAX, 1, 2},
        {"]", -1, SN_MESSAGE_JSON_SYNTAX, 1, 1},
        {"tru", -1, SN_MESSAGE_JSON_SYNTAX, 1, 1},
        {"nul", -1, SN_MESSAGE_JSON_SYNTAX, 1, 1},
        {"True", -1, SN_MESSAGE_JSON_SYNTAX, 1, 1},
        {"truer", -1, SN_MESSAGE_JSON_TRAILING, 1, 5},
        {"NaN", -1, SN_MESSAGE_JSON_SYNTAX, 1, 1},
        {"Infinity", -1, SN_MESSAGE_JSON_SYNTAX, 1, 1},
        {"-Infinity", -1, SN_MESSAGE_JSON_SYNTAX, 1, 1},
        {"01", -1, SN_MESSAGE_JSON_SYNTAX, 1, 1},
        {"-", -1, SN_MESSAGE_JSON_SYNTAX, 1, 1},
        {"+1", -1, SN_MESSAGE_JSON_SYNTAX, 1, 1},
        {".5", -1, SN_MESSAGE_JSON_SYNTAX, 1, 1},
        {"5.", -1, SN_MESSAGE_JSON_SYNTAX, 1, 1},
        {"1e", -1, SN_MESSAGE_JSON_SYNTAX, 1, 1},
        {"1e+", -1, SN_MESSAGE_JSON_SYNTAX, 1, 1},
        {"1.e5", -1, SN_MESSAGE_JSON_SYNTAX, 1, 1},
        {"0x10", -1, SN_MESSAGE_JSON_TRAILING, 1, 2},
        {"1 2", -1, SN_MESSAGE_JSON_TRAILING, 1, 3},
        {"{}\n{}", -1, SN_MESSAGE_JSON_TRAILING, 2, 1},
        {"1\0", 2, SN_MESSAGE_JSON_TRAILING, 1, 2},
        {"/* */1", -1, SN_MESSAGE_JSON_SYNTAX, 1, 1},
        {"\"abc", -1, SN_MESSAGE_JSON_SYNTAX, 1, 1},
        {"\"abc\\\"", -1, SN_MESSAGE_JSON_SYNTAX, 1, 1},
        {"\"a\nb\"", -1, SN_MESSAGE_JSON_SYNTAX, 1, 3},
        {"\"a\0b\"", 5, SN_MESSAGE_JSON_SYNTAX, 1, 3},
        {"\"12345678\x1F\"", -1, SN_MESSAGE_JSON_SYNTAX, 1, 10},
        {"\"\\x41\"", -1, SN_MESSAGE_JSON_SYNTAX, 1, 2},
        {"\"\\u12G4\"", -1, SN_MESSAGE_JSON_SYNTAX, 1, 2},
        {"\"\\u123", -1, SN_MESSAGE_JSON_SYNTAX, 1, 2},
        {"\"\\", -1, SN_MESSAGE_JSON_SYNTAX, 1, 2},
        {"\"\\uD800\"", -1, SN_MESSAGE_JSON_SYNTAX, 1, 2},
        {"\"\\uD800\\u0041\"", -1, SN_MESSAGE_JSON_SYNTAX, 1, 2},
        {"\"\\uD800\\uD800\"", -1, SN_MESSAGE_JSON_SYNTAX, 1, 2},
        {"\"\\uDC00\"", -1, SN_MESSAGE_JSON_SYNTAX, 1, 2},
        {"\xEF\xBB\xBF{}", -1, SN_MESSAGE_JSON_SYNTAX, 1, 1},
        {"\xC3\xA9", -1, SN_MESSAGE_JSON_SYNTAX, 1, 1},
        {"\xFF", -1, SN_MESSAGE_JSON_UTF8, 1, 1},
        {"[1,\n \"\xC3\"]", -1, SN_MESSAGE_JSON_UTF8, 2, 3},
        {"\"\x80\"", -1, SN_MESSAGE_JSON_UTF8, 1, 2},
        {"\"\xC0\xAF\"", -1, SN_MESSAGE_JSON_UTF8, 1, 2},
        {"\"\xE0\x9F\xBF\"", -1, SN_MESSAGE_JSON_UTF8, 1, 2},
        {"\"\xED\xA0\x80\"", -1, SN_MESSAGE_JSON_UTF8, 1, 2},
        {"\"\xF0\x8F\xBF\xBF\"", -1, SN_MESSAGE_JSON_UTF8, 1, 2},
        {"\"\xF4\x90\x80\x80\"", -1, SN_MESSAGE_JSON_UTF8, 1, 2},
        {"\"\xF5\x80\x80\x80\"", -1, SN_MESSAGE_JSON_UTF8, 1, 2},
        {"\"\xE2\x82\"", -1, SN_MESSAGE_JSON_UTF8, 1, 2},
        {"\"\xE2\x82", -1, SN_MESSAGE_JSON_UTF8, 1, 2},
        {"{\"a\":1,\n\"a\":2}", -1, SN_MESSAGE_JSON_DUPLICATE, 2, 1},
        {"{\"a\":1,\"\\u0061\":2}", -1, SN_MESSAGE_JSON_DUPLICATE, 1, 8},
        {"{\"\":1,\"\":2}", -1, SN_MESSAGE_JSON_DUPLICATE, 1, 7},
        {"[{\"\xF0\x9F\x98\x80\":1,\"b\":{},\"\\ud83d\\uDE00\":2}]", -1, SN_MESSAGE_JSON_DUPLICATE,
         1, 19},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refuse(cases[i].text, cases[i].length, cases[i].id, cases[i].line, cases[i].column);
}

static void nesting_has_a_limit(void **state) {
    (void)state;
    char text[4 * SN_JSON_MAX_DEPTH + 8];
    for (int extra = 0; extra < 2; extra++) {
        size_t depth = SN_JSON_MAX_DEPTH + (size_t)extra;
        memset(text, '[', depth);
        memset(text + depth, ']', depth);
        text[2 * depth] = '\0';
        if (extra)
            refuse(text, -1, SN_MESSAGE_JSON_DEPTH, 1, SN_JSON_MAX_DEPTH + 1);
        else {
            sn_arena arena;
            sn_arena_init(&arena, NULL);
            assert_int_equal(parse(&arena, text).node_count, SN_JSON_MAX_DEPTH);
            sn_arena_free(&arena);
        }
    }
}

/* Every cut of a text that is one object is refused; the whole is not. */
static void every_truncation_is_refused(void **state) {
    (void)state;
    static const char text[] = "{\"a\": [1.5e+3, -0, true, false, null, {}, []], \"b\\u00e9\":"
                               " \"\\ud83d\\ude00 \xE2\x82\xAC\", \"c\": {\"d\": {\"e\": \"\"}}}";
    sn_arena arena;
    sn_arena_init(&arena, NULL);
    for (size_t length = 0; length < sizeof text - 1; length++) {
        char *copy = malloc(length + 1);
        memcpy(copy, text, length);
        copy = realloc(copy, length + !length);
        sn_json json;
        sn_error error;
        assert_int_not_equal(sn_json_parse(copy, length, &arena, &json, &error), SN_OK);
        free(copy);
    }
    parse(&arena, text);
    sn_arena_free(&arena);
}

static void the_tree_points_into_the_text(void **state) {
    (void)state;
    static const char text[] =
        " {\"nodes\": [{\"name\": \"x\"}, {\"skin\": 3.0, \"a~/b\": [[], 7]}],"
        " \"\\u0065\": {} } ";
    sn_arena arena;
    sn_arena_init(&arena, NULL);
    sn_json json = parse(&arena, text);
    assert_int_equal(json.node_count, 15);
    for (uint32_t i = 0; i < json.node_count; i++) {
        const sn_json_node *node = &json.nodes[i];
        assert_true(node->next > i && node->next <= json.node_count);
        const char *value = text + node->offset;
        char last = value[node->length - 1];
        switch (node->type) {
        case SN_JSON_OBJECT:
            assert_true(*value == '{' && last == '}');
            break;
        case SN_JSON_ARRAY:
            assert_true(*value == '[' && last == ']');
            break;
        case SN_JSON_STRING:
            assert_true(*value == '"' && last == '"');
            break;
        default:
            assert_true(node->type == SN_JSON_NUMBER);
        }
    }
    uint32_t nodes = sn_json_member(&json, 0, "nodes");
    assert_int_equal(json.nodes[nodes].count, 2);
    uint32_t second = sn_json_element(&json, nodes, 1);
    assert_int_equal(sn_json_element(&json, nodes, 2), SN_NONE);
    uint32_t skin = sn_json_member(&json, second, "skin");
    uint64_t number;
    assert_true(sn_json_unsigned(&json, skin, &number) && number == 3);
    char pointer[64];
    sn_json_pointer(&json, skin, pointer, sizeof pointer);
    assert_string_equal(pointer, "/nodes/1/skin");
    uint32_t odd = sn_json_member(&json, second, "a~/b");
    sn_json_pointer(&json, sn_json_element(&json, odd, 1), pointer, sizeof pointer);
    assert_string_equal(pointer, "/nodes/1/a~0~1b/1");
    sn_json_pointer(&json, odd - 1, pointer, sizeof pointer); /* the name of the member */
    assert_string_equal(pointer, "/nodes/1/a~0~1b");
    sn_json_pointer(&json, 0, pointer, sizeof pointer);
    assert_string_equal(pointer, "");
    sn_json_pointer(&json, skin, pointer, 9);
    assert_string_equal(pointer, "/nodes/1");
    uint32_t escaped = sn_json_member(&json, 0, "e");
    assert_int_not_equal(escaped, SN_NONE);
    assert_int_equal(sn_json_first(&json, escaped), SN_NONE);
    assert_int_equal(sn_json_first(&json, nodes), nodes + 1);
    assert_int_equal(sn_json_member(&json, nodes, "nodes"), SN_NONE);
    assert_int_equal(sn_json_member(&json, SN_NONE, "nodes"), SN_NONE);
    sn_arena_free(&arena);
}

static void strings_are_decoded(void **state) {
    (void)state;
    sn_arena arena;
    sn_arena_init(&arena, NULL);
    static const char expected[] = "\"\\/\b\f\n\r\t A\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\0z";
    sn_json json = parse(&arena, "\"\\\"\\\\\\/\\b\\f\\n\\r\\t \\u0041\\u00E9\\u20ac\\uD83D\\uDE00"
                                 "\\u0000z\"");
    size_t length;
    const char *string = sn_json_string(&json, 0, &arena, &length);
    assert_int_equal(length, sizeof expected - 1);
    assert_memory_equal(string, expected, sizeof expected);
    assert_false(sn_json_equals(&json, 0, "\"\\/\b\f\n\r\t A"));

    json = parse(&arena, "[\"a\\u00e9\", \"a\xC3\xA9\", 5]");
    assert_true(sn_json_equals(&json, 1, "a\xC3\xA9"));
    assert_true(sn_json_equals(&json, 2, "a\xC3\xA9"));
    assert_false(sn_json_equals(&json, 1, "a"));
    assert_false(sn_json_equals(&json, 1, "a\xC3\xA9x"));
    assert_false(sn_json_equals(&json, 3, "5"));
    assert_false(sn_json_equals(&json, SN_NONE, ""));
    sn_arena_free(&arena);
}

static void integers_are_told_from_other_numbers(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool is;
        uint64_t value;
    } cases[] = {
        {"0", true, 0},
        {"-0", true, 0},
        {"12", true, 12},
        {"1e3", true, 1000},
        {"1.50e1", true, 15},
        {"9007199254740992", true, UINT64_C(9007199254740992)},
        {"9007199254740994", false, 0},
        {"-1", false, 0},
        {"0.5", false, 0},
        {"1e300", false, 0},
        {"1e999", false, 0},
        {"\"1\"", false, 0},
        {"null", false, 0},
        {"4294967295", true, UINT32_MAX},
    };
    sn_arena arena;
    sn_arena_init(&arena, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sn_json json = parse(&arena, cases[i].text);
        uint64_t value = 0;
        assert_int_equal(sn_json_unsigned(&json, 0, &value), cases[i].is);
        assert_true(!cases[i].is || value == cases[i].value);
    }
    sn_json json = parse(&arena, "-1.25e-2");
    assert_true(sn_json_number(&json, 0) == -0.0125);
    sn_arena_free(&arena);
}

static void append_long_name(sn_text *text, uint32_t i) {
    sn_text_append(text, "\"a name that begins like all the others ");
    sn_text_append_unsigned(text, i);
    sn_text_append(text, "\":0");
}

/* A large object is checked for duplicates, wherever they stand, and in time that does not grow
 * with the square of its members. */
static void large_objects_are_checked_quickly(void **state) {
    (void)state;
    const uint32_t count = 100000;
    for (uint32_t duplicate = 0; duplicate < 3; duplicate++) {
        sn_text text;
        sn_text_init(&text, NULL);
        sn_text_append(&text, "{");
        for (uint32_t i = 0; i < count; i++) {
            if (i)
                sn_text_append(&text, ",");
            append_long_name(&text, i == count / 2 * duplicate && i ? 7 : i);
        }
        sn_text_append(&text, "}");
        sn_arena arena;
        sn_arena_init(&arena, NULL);
        sn_json json;
        sn_error error;
        clock_t start = clock();
        sn_result result = sn_json_parse(text.data, text.length, &arena, &json, &error);
        assert_true(clock() - start < 2 * CLOCKS_PER_SEC);
        bool inside = duplicate == 1;
        assert_int_equal(result, inside ? SN_ERROR_SYNTAX : SN_OK);
        if (inside)
            assert_int_equal(error.id, SN_MESSAGE_JSON_DUPLICATE);
        else
            assert_int_equal(json.nodes[0].count, count);
        sn_arena_free(&arena);
        sn_text_free(&text);
    }
}

/* 16 bytes a value beside the text, whatever the text. */
static void memory_is_bounded_by_the_text(void **state) {
    (void)state;
    enum { SIZE = 200000 };
    char *text = malloc(SIZE);
    static const char *const units[] = {"[],", "1,", "\"\",", "{},", "\",,,,,,,\","};
    for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
        size_t length = strlen(units[u]), n = 0;
        text[n++] = '[';
        while (n + length < SIZE) {
            memcpy(text + n, units[u], length);
            n += length;
        }
        text[n - 1] = ']';
        sn_budget budget;
        sn_budget_init(&budget, NULL, 16 * SIZE + 8192);
        sn_arena arena;
        sn_arena_init(&arena, &budget.allocator);
        sn_json json;
        assert_int_equal(sn_json_parse(text, n, &arena, &json, NULL), SN_OK);
        sn_arena_free(&arena);
        assert_int_equal(budget.used, 0);
    }
    sn_budget small;
    sn_budget_init(&small, NULL, 1000);
    sn_arena arena;
    sn_arena_init(&arena, &small.allocator);
    sn_json json;
    memset(text, '[', SIZE);
    assert_int_equal(sn_json_parse(text, SIZE, &arena, &json, NULL), SN_ERROR_MEMORY);
    sn_arena_free(&arena);
    free(text);
}

/* ---- Growing text ---- */

static void text_grows(void **state) {
    (void)state;
    sn_text text;
    sn_text_init(&text, NULL);
    sn_text_append(&text, "{");
    sn_text_append_string(&text, "a\"\\\b\f\n\r\t\x01\x1F/\x7F\xC3\xA9", 14);
    sn_text_append(&text, ":[");
    sn_text_append_unsigned(&text, UINT64_MAX);
    sn_text_append(&text, ",");
    sn_text_append_signed(&text, INT64_MIN);
    sn_text_append(&text, ",");
    sn_text_append_float(&text, 0.1f);
    sn_text_append(&text, ",");
    sn_text_append_double(&text, 0.1);
    sn_text_append(&text, ",");
    sn_text_append_double(&text, NAN);
    sn_text_append(&text, ",");
    sn_text_append_float(&text, -INFINITY);
    sn_text_append(&text, "]}");
    assert_string_equal(text.data,
                        "{\"a\\\"\\\\\\b\\f\\n\\r\\t\\u0001\\u001f/\x7F\xC3\xA9\":"
                        "[18446744073709551615,-9223372036854775808,0.1,0.1,null,null]}");
    assert_int_equal(strlen(text.data), text.length);
    sn_text_free(&text);
    assert_null(text.data);

    sn_text_append_string(&text, "\xFF\0z\xE2",
                          4); /* not UTF-8: replaced, so that JSON stays whole */
    assert_string_equal(text.data, "\"\xEF\xBF\xBD\\u0000z\xEF\xBF\xBD\"");
    sn_text_free(&text);
}

static void text_that_runs_out_of_memory_says_so(void **state) {
    (void)state;
    sn_budget budget;
    sn_budget_init(&budget, NULL, 100);
    sn_text text;
    sn_text_init(&text, &budget.allocator);
    for (int i = 0; i < 99; i++)
        sn_text_append(&text, "x");
    assert_false(text.failed);
    assert_int_equal(text.length, 99);
    sn_text_append(&text, "y");
    assert_true(text.failed);
    sn_text_append(&text, "");
    assert_int_equal(text.length, 99);
    sn_text_free(&text);
    assert_int_equal(budget.used, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_json_is_refused_with_its_place),
        cmocka_unit_test(nesting_has_a_limit),
        cmocka_unit_test(every_truncation_is_refused),
        cmocka_unit_test(the_tree_points_into_the_text),
        cmocka_unit_test(strings_are_decoded),
        cmocka_unit_test(integers_are_told_from_other_numbers),
        cmocka_unit_test(large_objects_are_checked_quickly),
        cmocka_unit_test(memory_is_bounded_by_the_text),
        cmocka_unit_test(text_grows),
        cmocka_unit_test(text_that_runs_out_of_memory_says_so),
    };
    return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
