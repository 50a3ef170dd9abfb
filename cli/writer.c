#include <string.h>

#include "report.h"
#include "writer.h"

void cli_writer_init(cli_writer *w) {
    *w = (cli_writer){0};
    sn_text_init(&w->text, NULL);
}

/* Values of the outer levels start lines of their own, so that a large document can be read and
 * compared line by line. */
static void separate(cli_writer *w) {
    if (w->comma)
        sn_text_append(&w->text, w->depth <= 2 ? ",\n" : ", ");
    w->comma = true;
}

static void begin(cli_writer *w, const char *bracket) {
    separate(w);
    sn_text_append(&w->text, bracket);
    w->comma = false;
    w->depth++;
}

static void end(cli_writer *w, const char *bracket) {
    sn_text_append(&w->text, bracket);
    w->comma = true;
    w->depth--;
}

void cli_begin_object(cli_writer *w) {
    begin(w, "{");
}

void cli_end_object(cli_writer *w) {
    end(w, "}");
}

void cli_begin_array(cli_writer *w) {
    begin(w, "[");
}

void cli_end_array(cli_writer *w) {
    end(w, "]");
}

void cli_key(cli_writer *w, const char *name) {
    cli_string(w, name);
    sn_text_append(&w->text, ": ");
    w->comma = false;
}

void cli_string(cli_writer *w, const char *string) {
    separate(w);
    if (string)
        sn_text_append_string(&w->text, string, strlen(string));
    else
        sn_text_append(&w->text, "null");
}

void cli_unsigned(cli_writer *w, uint64_t value) {
    separate(w);
    sn_text_append_unsigned(&w->text, value);
}

void cli_index(cli_writer *w, uint32_t index) {
    if (index == SN_NONE)
        cli_string(w, NULL);
    else
        cli_unsigned(w, index);
}

void cli_float(cli_writer *w, float value) {
    separate(w);
    sn_text_append_float(&w->text, value);
}

void cli_floats(cli_writer *w, const float *values, size_t count) {
    cli_begin_array(w);
    w->depth += 2; /* on one line, whatever the level */
    for (size_t i = 0; i < count; i++)
        cli_float(w, values[i]);
    w->depth -= 2;
    cli_end_array(w);
}

void cli_bool(cli_writer *w, bool value) {
    separate(w);
    sn_text_append(&w->text, value ? "true" : "false");
}

int cli_writer_print(cli_writer *w, int code) {
    sn_text_append(&w->text, "\n");
    int printed = w->text.failed ? cli_fail("standard output", "no memory for the document")
                                 : cli_print(w->text.data, w->text.length);
    sn_text_free(&w->text);
    return printed == CLI_DONE ? code : printed;
}
