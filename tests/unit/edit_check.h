/* What the tests of commands share: documents to apply commands to, and ways to look at them. */
#ifndef SN_TESTS_EDIT_CHECK_H
#define SN_TESTS_EDIT_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/edit_model.h"

static inline sn_document *edit_open(void) {
    sn_document *document = NULL;
    assert_int_equal(sn_document_create(&edit_model, NULL, &document, NULL), SN_OK);
    return document;
}

/* Tests write commands with apostrophes for quotation marks, which C strings would have to escape.
 */
static inline char *edit_quote(const char *command) {
    size_t size = strlen(command) + 1;
    char *quoted = malloc(size);
    assert_non_null(quoted);
    for (size_t i = 0; i < size; i++)
        quoted[i] = command[i] == '\'' ? '"' : command[i];
    return quoted;
}

static inline sn_result edit_apply(sn_document *document, const char *command, sn_document **out,
                                   sn_error *error) {
    char *quoted = edit_quote(command);
    sn_result result = sn_document_apply(document, quoted, strlen(quoted), out, error);
    free(quoted);
    return result;
}

/* Replaces the document by what the command makes of it, which must not fail. */
static inline void edit_do(sn_document **document, const char *command) {
    sn_document *next = NULL;
    sn_error error = {0};
    if (edit_apply(*document, command, &next, &error) != SN_OK)
        fail_msg("%s\n%s %s: %s", command, sn_message_name(error.id), error.pointer, error.text);
    sn_document_release(*document);
    *document = next;
}

/* The command must leave the document as it is: the very same. */
static inline void edit_do_nothing(sn_document *document, const char *command) {
    sn_document *next = sn_document_retain(document);
    edit_do(&next, command);
    if (next != document)
        fail_msg("%s\nmade a new document", command);
    sn_document_release(next);
}

/* The command must fail with this message, pointing here. */
static inline sn_error edit_fail(sn_document *document, const char *command, const char *id,
                                 const char *pointer) {
    sn_document *next = NULL;
    sn_error error = {0};
    sn_result result = edit_apply(document, command, &next, &error);
    if (result == SN_OK)
        fail_msg("%s\ndid not fail", command);
    if (strcmp(sn_message_name(error.id), id) != 0 || strcmp(error.pointer, pointer) != 0)
        fail_msg("%s\n%s at %s, not %s at %s: %s", command, sn_message_name(error.id),
                 error.pointer, id, pointer, error.text);
    assert_int_equal(result, sn_message_result(error.id));
    assert_null(next);
    assert_string_not_equal(error.text, "");
    return error;
}

static inline const sn_clip *edit_clip(const sn_document *document, uint32_t clip) {
    const sn_clip *clips;
    assert_true(clip < sn_document_clips(document, &clips));
    return &clips[clip];
}

/* NULL when there is none */
static inline const sn_track *edit_track(const sn_document *document, uint32_t clip, uint32_t node,
                                         sn_path path) {
    const sn_clip *c = edit_clip(document, clip);
    for (uint32_t i = 0; i < c->track_count; i++)
        if (c->tracks[i]->node == node && c->tracks[i]->path == path)
            return c->tracks[i];
    return NULL;
}

/* Two tracks give the same value everywhere in 0 … 3 s; of rotations the sign may differ. */
static inline void edit_same_motion(const sn_track *a, const sn_track *b, double tolerance) {
    assert_int_equal(a->width, b->width);
    for (int i = 0; i <= 3000; i++) {
        float left[8];
        float right[8];
        assert_true(a->width <= 8);
        sn_track_evaluate(a, (float)i / 1000, left);
        sn_track_evaluate(b, (float)i / 1000, right);
        double dot = 0;
        for (uint32_t k = 0; k < a->width; k++)
            dot += (double)left[k] * right[k];
        float sign = a->path == SN_PATH_ROTATION && dot < 0 ? -1 : 1;
        for (uint32_t k = 0; k < a->width; k++)
            if (!(left[k] - sign * right[k] <= tolerance &&
                  left[k] - sign * right[k] >= -tolerance))
                fail_msg("at %d ms, %u: %.9g and %.9g", i, k, (double)left[k],
                         (double)(sign * right[k]));
    }
}

#endif
