/* JSON documents for standard output: sn_text with the commas kept. */
#ifndef SN_CLI_WRITER_H
#define SN_CLI_WRITER_H

#include "sinew/json.h"

typedef struct cli_writer {
    sn_text text;
    bool comma; /* the next value follows another one */
    int depth;
} cli_writer;

void cli_writer_init(cli_writer *w);

void cli_begin_object(cli_writer *w);
void cli_end_object(cli_writer *w);
void cli_begin_array(cli_writer *w);
void cli_end_array(cli_writer *w);
void cli_key(cli_writer *w, const char *name);

void cli_string(cli_writer *w, const char *string); /* NULL: null */
void cli_unsigned(cli_writer *w, uint64_t value);
void cli_index(cli_writer *w, uint32_t index); /* SN_NONE: null */
void cli_float(cli_writer *w, float value);
void cli_floats(cli_writer *w, const float *values, size_t count); /* an array */
void cli_bool(cli_writer *w, bool value);

/* Prints the document and a line feed, frees it, and returns the exit code: `code`, or CLI_FAILED
 * when there was no memory or standard output cannot be written. */
int cli_writer_print(cli_writer *w, int code);

#endif
