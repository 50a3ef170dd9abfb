/* Editing files: what is written after any commands reads back as the document, and undoing all of
 * them writes the bytes that there were. */
#include "tests/unit/edit_check.h"

#include "sinew/gltf.h"
#include "tests/unit/edit_random.h"
#include "tests/unit/gltf_files.h"

static const char *current; /* the file at hand, for messages */

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fail_msg("%s: %s", current, #condition);                                               \
    } while (0)

static sn_output write_document(const sn_gltf *gltf, const sn_document *document) {
    sn_gltf_write_options options = {
        .replace_clips = document != NULL,
        .container = sn_gltf_is_binary(gltf) ? SN_CONTAINER_GLB : SN_CONTAINER_GLTF,
    };
    if (document)
        options.clip_count = sn_document_clips(document, &options.clips);
    sn_output output = {0};
    sn_error error = {0};
    if (sn_gltf_write(gltf, &options, &output, &error) != SN_OK)
        fail_msg("%s: %s", current, error.text);
    return output;
}

static void check_same_output(const sn_output *a, const sn_output *b) {
    CHECK(a->file_count == b->file_count);
    for (size_t i = 0; i < a->file_count; i++) {
        CHECK(strcmp(a->files[i].path, b->files[i].path) == 0);
        CHECK(a->files[i].size == b->files[i].size);
        CHECK(memcmp(a->files[i].bytes, b->files[i].bytes, a->files[i].size) == 0);
    }
}

static const sn_track *find(const sn_clip *clip, uint32_t node, sn_path path) {
    for (uint32_t i = clip->track_count; i-- > 0;)
        if (clip->tracks[i]->node == node && clip->tracks[i]->path == path)
            return clip->tracks[i];
    return NULL;
}

static void check_same_clip(const sn_clip *written, const sn_clip *clip) {
    CHECK(strcmp(written->name, clip->name) == 0);
    CHECK(written->track_count == clip->track_count);
    CHECK(written->duration == clip->duration);
    CHECK(written->marker_count == clip->marker_count);
    for (uint32_t i = 0; i < clip->marker_count; i++) {
        CHECK(written->markers[i].time == clip->markers[i].time);
        CHECK(strcmp(written->markers[i].name, clip->markers[i].name) == 0);
    }
    for (uint32_t i = 0; i < clip->track_count; i++) {
        const sn_track *b = clip->tracks[i];
        const sn_track *a = find(written, b->node, b->path);
        b = find(clip, b->node, b->path); /* of two for one target, the one that shows */
        CHECK(a && a->interpolation == b->interpolation && a->key_count == b->key_count);
        CHECK(a->width == b->width);
        size_t rows = a->interpolation == SN_CUBICSPLINE ? 3 : 1;
        CHECK(memcmp(a->times, b->times, a->key_count * sizeof(float)) == 0);
        CHECK(memcmp(a->values, b->values, rows * a->width * a->key_count * sizeof(float)) == 0);
    }
}

/* Written and read again, the file has the clips of the document. Clips without tracks have no form
 * in glTF, unless the file has channels of other kinds. */
static void check_reads_back(const sn_output *output, const sn_document *document) {
    sn_gltf *gltf = NULL;
    sn_error error = {0};
    if (test_read_output(output, NULL, &gltf, &error) != SN_OK)
        fail_msg("%s: %s %s", current, error.pointer, error.text);
    const sn_model *model = sn_gltf_model(gltf);
    const sn_clip *clips;
    size_t count = sn_document_clips(document, &clips);
    uint32_t written = 0;
    for (size_t i = 0; i < count; i++) {
        bool there = written < model->clip_count &&
                     strcmp(model->clips[written].name, clips[i].name) == 0 &&
                     model->clips[written].track_count == clips[i].track_count;
        if (there || clips[i].track_count)
            check_same_clip(&model->clips[written++], &clips[i]);
    }
    CHECK(written == model->clip_count);
    sn_gltf_free(gltf);
}

static void edit_file(const sn_gltf *gltf, uint64_t seed, int commands) {
    sn_document *document = NULL;
    sn_history *history = NULL;
    assert_int_equal(sn_document_create(sn_gltf_model(gltf), NULL, &document, NULL), SN_OK);
    sn_history_options options = {.byte_limit = SIZE_MAX / 2};
    assert_int_equal(sn_history_create(document, &options, NULL, &history, NULL), SN_OK);
    sn_document_release(document);
    sn_output untouched = write_document(gltf, NULL);
    sn_output original = write_document(gltf, sn_history_document(history));
    check_same_output(&original, &untouched);

    test_random random = {seed};
    sn_text command;
    sn_text_init(&command, NULL);
    for (int applied = 0, tries = 0; applied < commands && tries < 20 * commands; tries++) {
        test_random_command(&random, sn_history_document(history), &command);
        if (sn_history_apply(history, command.data, command.length, NULL) != SN_OK)
            continue;
        if (++applied % 20 != 0)
            continue;
        sn_output output = write_document(gltf, sn_history_document(history));
        check_reads_back(&output, sn_history_document(history));
        sn_output_free(&output);
    }
    sn_output edited = write_document(gltf, sn_history_document(history));
    CHECK(sn_history_undo_count(history) > 0);
    while (sn_history_undo(history))
        continue;
    sn_output undone = write_document(gltf, sn_history_document(history));
    check_same_output(&undone, &original);
    while (sn_history_redo(history))
        continue;
    sn_output redone = write_document(gltf, sn_history_document(history));
    check_same_output(&redone, &edited);
    sn_output *outputs[] = {&untouched, &original, &edited, &undone, &redone};
    for (int i = 0; i < 5; i++)
        sn_output_free(outputs[i]);
    sn_text_free(&command);
    sn_history_free(history);
}

/* A file without any animation or buffer. */
static void a_bare_skeleton_gets_clips(void **state) {
    (void)state;
    current = "a bare skeleton";
    for (uint64_t seed = 1; seed <= 20; seed++) {
        sn_gltf *gltf = test_read_text("{\"asset\":{\"version\":\"2.0\"},\"nodes\":["
                                       "{\"name\":\"Root\",\"children\":[1]},"
                                       "{\"name\":\"Hips\",\"children\":[2]},"
                                       "{\"name\":\"LeftArm\"}]}");
        edit_file(gltf, seed, 100);
        sn_gltf_free(gltf);
    }
}

/* Files small enough for the sanitizers, of every folder of the corpus. */
static void files_of_the_corpus_are_edited(void **state) {
    (void)state;
    test_files files = test_corpus();
    size_t edited = 0;
    for (size_t i = 0; i < files.count; i++) {
        sn_gltf_options options = {.skip_geometry = true};
        sn_gltf *gltf = NULL;
        current = files.paths[i];
        if (sn_gltf_read_file(current, &options, &gltf, NULL) != SN_OK)
            continue;
        sn_output output = write_document(gltf, NULL);
        size_t size = 0;
        for (size_t k = 0; k < output.file_count; k++)
            size += output.files[k].size;
        sn_output_free(&output);
        if (sn_gltf_model(gltf)->clip_count && size < (size_t)200 << 10) {
            edit_file(gltf, i + 1, 40);
            edited++;
        }
        sn_gltf_free(gltf);
    }
    if (!files.count)
        skip();
    print_message("%zu files edited\n", edited);
    assert_true(edited > 50);
    test_files_free(&files);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bare_skeleton_gets_clips),
        cmocka_unit_test(files_of_the_corpus_are_edited),
    };
    return cmocka_run_group_tests_name("editing files", tests, NULL, NULL);
}
