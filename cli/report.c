#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "report.h"

/* Bytes of the character at c when it drives a terminal or turns the order of what follows, else 0:
 * C0 and C1 controls, marks, embeddings and isolates of direction, separators of lines. */
static size_t control_length(const unsigned char *c) {
    if (c[0] < 0x20 || c[0] == 0x7f)
        return 1;
    if (c[0] == 0xC2 && c[1] >= 0x80 && c[1] <= 0x9F)
        return 2;
    if (c[0] != 0xE2)
        return 0;
    if (c[1] == 0x80) /* U+200E, U+200F, U+2028 … U+202E */
        return c[2] == 0x8E || c[2] == 0x8F || (c[2] >= 0xA8 && c[2] <= 0xAE) ? 3 : 0;
    return c[1] == 0x81 && c[2] >= 0xA6 && c[2] <= 0xA9 ? 3 : 0; /* U+2066 … U+2069 */
}

static void clean(char *text) {
    const unsigned char *from = (const unsigned char *)text;
    while (*from) {
        size_t length = control_length(from);
        *text++ = length ? '?' : (char)*from;
        from += length ? length : 1;
    }
    *text = '\0';
}

/* `length`, or less when that would cut a character in two. */
static size_t whole_characters(const char *text, size_t length) {
    while (length && ((unsigned char)text[length] & 0xC0) == 0x80)
        length--;
    return length;
}

/* One write a line, so that lines of several threads do not mix. */
static void say(const char *kind, const char *subject, const char *format, va_list arguments) {
    enum { SUBJECT_MOST = 512 }; /* of a longer path the end tells more */
    char line[2048];
    size_t whole = strlen(subject), skipped = whole > SUBJECT_MOST ? whole - SUBJECT_MOST : 0;
    while (((unsigned char)subject[skipped] & 0xC0) == 0x80)
        skipped++;
    int length =
        snprintf(line, sizeof line, "sinew: %s%s: %s", skipped ? "…" : "", subject + skipped, kind);
    size_t used = length < 0 ? 0 : (size_t)length;
    if (used < sizeof line)
        vsnprintf(line + used, sizeof line - used, format, arguments);
    used = strlen(line);
    if (used > sizeof line - 2)
        line[whole_characters(line, sizeof line - 2)] = '\0';
    clean(line);
    used = strlen(line);
    line[used++] = '\n';
    fwrite(line, 1, used, stderr);
}

int cli_fail(const char *subject, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say("", subject, format, arguments);
    va_end(arguments);
    return CLI_FAILED;
}

const char *cli_quote(const char *name, char out[CLI_QUOTED]) {
    size_t length = strlen(name), room = CLI_QUOTED - sizeof "\"…\"";
    bool cut = length > room;
    if (cut)
        length = whole_characters(name, room);
    snprintf(out, CLI_QUOTED, name[0] ? "\"%.*s%s\"" : "(no name)", (int)length, name,
             cut ? "…" : "");
    clean(out);
    return out;
}

void cli_warn(const char *subject, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say("warning: ", subject, format, arguments);
    va_end(arguments);
}

int cli_fail_error(const char *subject, const sn_error *error) {
    const char *id = sn_message_name(error->id);
    if (error->line)
        return cli_fail(subject, "%s (%s, line %u, column %u)", error->text, id, error->line,
                        error->column);
    if (error->pointer[0])
        return cli_fail(subject, "%s (%s, %s)", error->text, id, error->pointer);
    return cli_fail(subject, "%s (%s)", error->text, id);
}

const char *cli_file_name(const char *path) {
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

int cli_print(const void *bytes, size_t size) {
    if (fwrite(bytes, 1, size, stdout) != size || fflush(stdout) != 0)
        return cli_fail("standard output", "cannot be written; is the disk full?");
    return CLI_DONE;
}
