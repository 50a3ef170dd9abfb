#include <string.h>

#include "base/error.h"
#include "sinew/document.h"

#define DEFAULT_STEP_LIMIT 1000
#define DEFAULT_BYTE_LIMIT ((size_t)64 << 20)

/* One command and the document that it led to. */
typedef struct sn_step {
    char *command; /* NUL-terminated in length + 1 bytes */
    size_t length;
    sn_document *document; /* NULL once undo cannot reach it any more */
    size_t bytes;          /* that it does not share with the document before it */
} step;

/* Steps 0 … count - 1; those before `cursor` are done, those after can be redone, those before
 * `floor` cannot be undone and have only their texts. A block belongs to a row of neighbouring
 * documents, because a command shares only with the document before it; so the bytes of all are
 * the sum of what each does not share with its predecessor. */
struct sn_history {
    sn_allocator allocator;
    sn_history_options options;
    sn_document *oldest; /* before step `floor` */
    step *steps;
    size_t count, capacity, cursor, floor;
    size_t bytes;
    bool in_gesture;
    step pending; /* of the gesture; its document is NULL while nothing has changed */
};

sn_result sn_history_create(sn_document *document, const sn_history_options *options,
                            const sn_allocator *allocator, sn_history **out, sn_error *error) {
    if (!allocator)
        allocator = sn_allocator_default();
    sn_history *history = allocator->resize(allocator->user, NULL, 0, sizeof *history);
    if (!history)
        return sn_fail(error, SN_MESSAGE_MEMORY, NULL, "not enough memory for the history");
    *history = (sn_history){
        .allocator = *allocator,
        .options = options ? *options : (sn_history_options){0},
        .oldest = sn_document_retain(document),
        .bytes = sn_document_bytes(document, NULL),
    };
    if (!history->options.step_limit)
        history->options.step_limit = DEFAULT_STEP_LIMIT;
    if (!history->options.byte_limit)
        history->options.byte_limit = DEFAULT_BYTE_LIMIT;
    *out = history;
    return SN_OK;
}

static void free_step(sn_history *history, step *s) {
    sn_document_release(s->document);
    if (s->command)
        history->allocator.resize(history->allocator.user, s->command, s->length + 1, 0);
    *s = (step){0};
}

void sn_history_free(sn_history *history) {
    if (!history)
        return;
    sn_allocator allocator = history->allocator;
    free_step(history, &history->pending);
    for (size_t i = 0; i < history->count; i++)
        free_step(history, &history->steps[i]);
    if (history->steps)
        allocator.resize(allocator.user, history->steps, history->capacity * sizeof(step), 0);
    sn_document_release(history->oldest);
    allocator.resize(allocator.user, history, sizeof *history, 0);
}

/* The document that undo and redo stand at, a running gesture aside. */
static sn_document *settled(const sn_history *history) {
    return history->cursor == history->floor ? history->oldest
                                             : history->steps[history->cursor - 1].document;
}

sn_document *sn_history_document(const sn_history *history) {
    return history->pending.document ? history->pending.document : settled(history);
}

static void drop_oldest(sn_history *history) {
    step *first = &history->steps[history->floor];
    history->bytes -= sn_document_bytes(history->oldest, first->document);
    sn_document_release(history->oldest);
    history->oldest = first->document;
    first->document = NULL;
    history->floor++;
}

/* Takes over `s`; there is room for it. */
static void push(sn_history *history, const step *s) {
    while (history->count > history->cursor) {
        step *undone = &history->steps[--history->count];
        history->bytes -= undone->bytes;
        free_step(history, undone);
    }
    step *added = &history->steps[history->count++];
    *added = *s;
    added->bytes = sn_document_bytes(added->document, settled(history));
    history->bytes += added->bytes;
    history->cursor = history->count;
    while (history->cursor - history->floor > 1 &&
           (history->cursor - history->floor > history->options.step_limit ||
            history->bytes > history->options.byte_limit))
        drop_oldest(history);
}

static bool reserve(sn_history *history) {
    if (history->cursor < history->capacity)
        return true;
    size_t capacity = history->capacity ? history->capacity * 2 : 64;
    step *steps =
        history->allocator.resize(history->allocator.user, history->steps,
                                  history->capacity * sizeof *steps, capacity * sizeof *steps);
    if (!steps)
        return false;
    history->steps = steps;
    history->capacity = capacity;
    return true;
}

sn_result sn_history_apply(sn_history *history, const char *command, size_t length,
                           sn_error *error) {
    step s = {.length = length};
    if (reserve(history) && length < SIZE_MAX / 2)
        s.command = history->allocator.resize(history->allocator.user, NULL, 0, length + 1);
    if (!s.command)
        return sn_fail(error, SN_MESSAGE_MEMORY, NULL, "not enough memory for the history");
    if (length)
        memcpy(s.command, command, length);
    s.command[length] = '\0';
    sn_document *before = settled(history);
    sn_result result = sn_document_apply(before, command, length, &s.document, error);
    if (result == SN_OK && history->in_gesture)
        free_step(history, &history->pending);
    if (result != SN_OK || s.document == before)
        free_step(history, &s);
    else if (history->in_gesture)
        history->pending = s;
    else
        push(history, &s);
    return result;
}

void sn_history_begin(sn_history *history) {
    sn_history_end(history);
    history->in_gesture = true;
}

void sn_history_end(sn_history *history) {
    step done = history->pending;
    history->pending = (step){0};
    history->in_gesture = false;
    if (done.document)
        push(history, &done);
}

void sn_history_cancel(sn_history *history) {
    free_step(history, &history->pending);
    history->in_gesture = false;
}

bool sn_history_in_gesture(const sn_history *history) {
    return history->in_gesture;
}

bool sn_history_undo(sn_history *history) {
    if (history->in_gesture) {
        sn_history_cancel(history);
        return true;
    }
    if (history->cursor == history->floor)
        return false;
    history->cursor--;
    return true;
}

bool sn_history_redo(sn_history *history) {
    if (history->in_gesture || history->cursor == history->count)
        return false;
    history->cursor++;
    return true;
}

size_t sn_history_undo_count(const sn_history *history) {
    return history->cursor - history->floor;
}

size_t sn_history_redo_count(const sn_history *history) {
    return history->count - history->cursor;
}

size_t sn_history_command_count(const sn_history *history) {
    return history->cursor;
}

const char *sn_history_command(const sn_history *history, size_t i, size_t *length) {
    if (length)
        *length = history->steps[i].length;
    return history->steps[i].command;
}

size_t sn_history_bytes(const sn_history *history) {
    size_t bytes = history->bytes;
    if (history->pending.document)
        bytes += sn_document_bytes(history->pending.document, settled(history));
    return bytes;
}
