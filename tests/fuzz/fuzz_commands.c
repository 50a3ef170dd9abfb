/* A line is a command, or one letter for what the history does: b(egin), e(nd), c(ancel), u(ndo),
 * r(edo). Whatever they are, the document stays well-formed, failures say why, and undoing all
 * gives the model back. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/edit_model.h"

static void require(bool holds) {
    if (!holds)
        abort();
}

static void check_track(const sn_track *track) {
    require(track->node < EDIT_NODES && track->key_count > 0 && track->width > 0);
    size_t rows = track->interpolation == SN_CUBICSPLINE ? 3 : 1;
    for (uint32_t k = 0; k < track->key_count; k++) {
        require(track->times[k] >= 0 && isfinite(track->times[k]));
        require(k == 0 || track->times[k] > track->times[k - 1]);
    }
    for (size_t i = 0; i < rows * track->width * track->key_count; i++)
        require(isfinite(track->values[i]));
    for (uint32_t k = 0; track->path == SN_PATH_ROTATION && k < track->key_count; k++) {
        const float *q = track->values + (k * rows + rows / 2) * 4;
        double square = 0;
        for (int i = 0; i < 4; i++)
            square += (double)q[i] * q[i];
        require(fabs(square - 1) < 1e-5);
    }
}

static void check_document(const sn_document *document) {
    const sn_clip *clips;
    size_t count = sn_document_clips(document, &clips);
    for (size_t c = 0; c < count; c++) {
        float duration = 0;
        for (uint32_t t = 0; t < clips[c].track_count; t++) {
            const sn_track *track = clips[c].tracks[t];
            check_track(track);
            duration = fmaxf(duration, track->times[track->key_count - 1]);
        }
        require(clips[c].duration == duration);
        for (uint32_t m = 0; m < clips[c].marker_count; m++)
            require(clips[c].markers[m].name[0] &&
                    (m == 0 || clips[c].markers[m].time > clips[c].markers[m - 1].time));
    }
}

static void apply(sn_history *history, const char *line, size_t length) {
    sn_document *before = sn_history_document(history);
    sn_error error = {0};
    sn_result result = sn_history_apply(history, line, length, &error);
    if (result != SN_OK) {
        require(sn_history_document(history) == before);
        require(error.id != SN_MESSAGE_NONE && error.text[0]);
    }
}

static void run_line(sn_history *history, const char *line, size_t length) {
    switch (length == 1 ? line[0] : 0) {
    case 'b':
        sn_history_begin(history);
        break;
    case 'e':
        sn_history_end(history);
        break;
    case 'c':
        sn_history_cancel(history);
        break;
    case 'u':
        sn_history_undo(history);
        break;
    case 'r':
        sn_history_redo(history);
        break;
    default:
        apply(history, line, length);
    }
}

static bool same_text(const sn_text *a, const sn_text *b) {
    return a->length == b->length && memcmp(a->data, b->data, a->length) == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sn_document *document = NULL;
    sn_history *history = NULL;
    require(sn_document_create(&edit_model, NULL, &document, NULL) == SN_OK);
    require(sn_history_create(document, NULL, NULL, &history, NULL) == SN_OK);
    sn_text original;
    sn_text restored;
    sn_text_init(&original, NULL);
    sn_text_init(&restored, NULL);
    edit_print(document, &original);
    sn_document_release(document);

    const char *text = (const char *)data;
    while (size) {
        const char *end = memchr(text, '\n', size);
        size_t length = end ? (size_t)(end - text) : size;
        run_line(history, text, length);
        check_document(sn_history_document(history));
        size_t used = end ? length + 1 : length;
        text += used;
        size -= used;
    }

    while (sn_history_undo(history))
        continue;
    edit_print(sn_history_document(history), &restored);
    require(same_text(&original, &restored));
    sn_history_free(history);
    sn_text_free(&original);
    sn_text_free(&restored);
    return 0;
}
