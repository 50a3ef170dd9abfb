/* Paths of URLs: what leads to a file, and everything that must not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/uri.h"
#include "server/path.h"

typedef bool decoder(const char *text, size_t length, char *out);

/* The result, or NULL for a refusal; in a block of just the size that the contract asks for, so
 * that the sanitizers see a byte too many. */
static const char *decode(decoder *f, const char *text) {
    static char kept[256];
    size_t length = strlen(text);
    char *in = malloc(length ? length : 1), *out = malloc(length + 1);
    assert_true(in && out);
    memcpy(in, text, length);
    bool good = f(in, length, out);
    if (good)
        strcpy(kept, out);
    free(in);
    free(out);
    return good ? kept : NULL;
}

static void expect(decoder *f, const char *text, const char *wanted) {
    const char *result = decode(f, text);
    if (wanted && (!result || strcmp(result, wanted) != 0))
        fail_msg("\"%s\" gives \"%s\", not \"%s\"", text, result ? result : "nothing", wanted);
    if (!wanted && result)
        fail_msg("\"%s\" gives \"%s\", but must be refused", text, result);
}

static void test_urls(void **state) {
    (void)state;
    expect(path_decode, "a.glb", "a.glb");
    expect(path_decode, "folder/a%20b.glb", "folder/a b.glb");
    expect(path_decode, "%C3%BC.vrm", "\xC3\xBC.vrm");
    expect(path_decode, "100%25.png", "100%.png");
    expect(path_decode, "100%.png", "100%.png");
    expect(path_decode, "..a/b..", "..a/b..");
    expect(path_decode, "%2e.a", "..a");
    static const char *const refused[] = {
        "",       "/",        "a/",        "/a",     "a//b",     ".",        "..",
        "a/..",   "../a",     "a/./b",     "a/../b", "%2e%2e/a", "%2E%2e/a", "a%2fb",
        "..%2fa", "a%2Fb",    "a%5cb",     "..\\a",  "a%00",     "%00",      "a%0ab",
        "a%7f",   "a/%2e%2e", "a/..%2f..", "%2e",    "a/%2e/b",
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        expect(path_decode, refused[i], NULL);
}

static void test_uris_of_models(void **state) {
    (void)state;
    expect(path_resolve, "a.bin", "a.bin");
    expect(path_resolve, "./a.bin", "a.bin");
    expect(path_resolve, "a/../b/./c.bin", "b/c.bin");
    expect(path_resolve, "a/b/../../c.bin", "c.bin");
    expect(path_resolve, "a//b.bin", "a/b.bin");
    expect(path_resolve, "a%20b%2Fc.bin", "a b/c.bin");
    expect(path_resolve, "100%.bin", "100%.bin");
    expect(path_resolve, "what?.bin", "what?.bin");
    expect(path_resolve, "a/b:c", "a/b:c");
    static const char *const refused[] = {
        "",         "..",      "../a",          "a/../../b",   "/etc/passwd", "%2Fetc/passwd",
        "%2e%2e/a", "a/../..", "file:///a",     "https://x/a", "data:,x",     "C:/a",
        "a\\b",     "a%00b",   "%2e%2e%2fa",    "a%0ab",       ".",           "./",
        "a/..",     "./../a",  "a/%2e%2e/../b",
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        expect(path_resolve, refused[i], NULL);
}

/* What sn_uri_append_path writes, path_decode reads. */
static void test_round_trip(void **state) {
    (void)state;
    static const char *const paths[] = {
        "a.glb", "my model #1?.glb", "100%.png", "\xC3\xBC/\"q\".vrm", "a%2fb", "+&=;,"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        sn_text text;
        sn_text_init(&text, NULL);
        sn_uri_append_path(&text, paths[i]);
        assert_false(text.failed);
        expect(path_decode, text.data, paths[i]);
        for (const char *c = text.data; *c; c++)
            assert_true(
                strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/%", *c));
        sn_text_free(&text);
    }
}

static void test_types(void **state) {
    (void)state;
    assert_true(path_is_model("A.GLB"));
    assert_true(path_is_model("x.y/a.vrma"));
    assert_false(path_is_model("a.glb/b"));
    assert_false(path_is_model("glb"));
    assert_string_equal(path_page_type("styles/x.css"), "text/css; charset=utf-8");
    assert_string_equal(path_page_type("x"), "application/octet-stream");
    static const char *const active[] = {"a.html", "a.js", "a.css", "a.svg", "a.xml", "a.htm", "a"};
    for (size_t i = 0; i < sizeof active / sizeof *active; i++)
        assert_string_equal(path_model_type(active[i]), "application/octet-stream");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_urls),
        cmocka_unit_test(test_uris_of_models),
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_types),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
