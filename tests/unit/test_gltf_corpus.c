/* The glTF reader on the files of the corpus. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sinew/gltf.h"
#include "tests/unit/allocators.h"
#include "tests/unit/gltf_files.h"

/* What the validator passes although a client need not read it. glTF 2.0, 3.2 Asset: a client must
 * make sure that it supports minVersion. 3.12: what extensionsRequired lists is needed to load the
 * file. 2.8 URIs: relative paths and data: must be supported, schemes such as http may be. */
static bool is_beyond_us(const sn_error *error) {
    return error->id == SN_MESSAGE_ASSET_VERSION || error->id == SN_MESSAGE_EXTENSION_REQUIRED ||
           (error->id == SN_MESSAGE_BUFFER_URI && strstr(error->text, "scheme"));
}

/* Files beside which the corpus has the verdict of the Khronos validator: those without an error
 * are accepted. */
static void what_the_validator_passes_is_accepted(void **state) {
    (void)state;
    test_files files = test_corpus();
    if (!files.count)
        skip();
    size_t judged = 0;
    for (size_t i = 0; i < files.count; i++) {
        char report_path[4096];
        snprintf(report_path, sizeof report_path, "%s.report.json", files.paths[i]);
        size_t size;
        char *report = (char *)test_read_bytes(report_path, &size);
        if (!report)
            continue;
        sn_arena arena;
        sn_arena_init(&arena, NULL);
        sn_json json;
        assert_int_equal(sn_json_parse(report, size, &arena, &json, NULL), SN_OK);
        uint32_t errors = sn_json_member(&json, sn_json_member(&json, 0, "issues"), "numErrors");
        uint64_t count;
        assert_true(sn_json_unsigned(&json, errors, &count));
        sn_gltf *gltf;
        sn_error error;
        sn_result result = sn_gltf_read_file(files.paths[i], NULL, &gltf, &error);
        judged++;
        if (result == SN_OK)
            sn_gltf_free(gltf);
        else if (count == 0 && !is_beyond_us(&error))
            fail_msg("%s: %s %s %s", test_corpus_name(files.paths[i]), sn_message_name(error.id),
                     error.pointer, error.text);
        sn_arena_free(&arena);
        free(report);
    }
    assert_true(judged > 0);
    test_files_free(&files);
}

/* Any file, cut at 50 places: an error, and whatever it holds is freed. */
static void every_truncation_is_refused(void **state) {
    (void)state;
    test_files files = test_corpus();
    if (!files.count)
        skip();
    size_t cut_files = 0;
    for (size_t i = 0; i < files.count; i += files.count / 40 + 1) {
        size_t size;
        uint8_t *bytes = test_read_bytes(files.paths[i], &size);
        sn_gltf *gltf;
        if (sn_gltf_read_file(files.paths[i], NULL, &gltf, NULL) != SN_OK) {
            free(bytes);
            continue;
        }
        sn_gltf_free(gltf);
        for (size_t k = 0; k < 50; k++) {
            size_t length = size * k / 50 + k % 3;
            while (length && length < size && bytes[length] <= ' ')
                length--; /* white space at the end may go */
            if (length >= size)
                continue;
            uint8_t *copy = malloc(length + !length);
            memcpy(copy, bytes, length);
            sn_error error = {0};
            sn_result result = sn_gltf_read(copy, length, NULL, &gltf, &error);
            free(copy);
            if (result == SN_OK)
                fail_msg("%s is accepted with %zu of %zu bytes", test_corpus_name(files.paths[i]),
                         length, size);
            assert_true(error.text[0] != '\0');
        }
        cut_files++;
        free(bytes);
    }
    assert_true(cut_files >= 20);
    test_files_free(&files);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_validator_passes_is_accepted),
        cmocka_unit_test(every_truncation_is_refused),
    };
    return cmocka_run_group_tests_name("gltf corpus", tests, NULL, NULL);
}
