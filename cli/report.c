#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "report.h"

static void clean(char *text) {
    for (unsigned char *c = (unsigned char *)text; *c; c++)
        if (*c < 0x20 || *c == 0x7f)
            *c = '?';
}

/* One write a line, so that lines of several threads do not mix. */
static void say(const char *kind, const char *subject, const char *format, va_list arguments) {
    char line[2048];
    int length = snprintf(line, sizeof line, "sinew: %s: %s", subject, kind);
    size_t used = length < 0 ? 0 : (size_t)length;
    if (used < sizeof line)
        vsnprintf(line + used, sizeof line - used, format, arguments);
    clean(line);
    used = strlen(line);
    if (used > sizeof line - 2)
        used = sizeof line - 2;
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
        for (length = room; length && ((unsigned char)name[length] & 0xC0) == 0x80;)
            length--;
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
