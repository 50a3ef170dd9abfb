/* What the command says on standard error: one line each, `sinew: SUBJECT: TEXT`. */
#ifndef SN_CLI_REPORT_H
#define SN_CLI_REPORT_H

#include "sinew/result.h"

/* Exit codes; see docs/cli.md. */
enum { CLI_DONE = 0, CLI_FINDINGS = 1, CLI_FAILED = 2 };

/* Says why something could not be done. Returns CLI_FAILED. */
int cli_fail(const char *subject, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same from the library's error, with its id and where it is. */
int cli_fail_error(const char *subject, const sn_error *error);

/* Says something that does not stop the work. */
void cli_warn(const char *subject, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* How messages and documents call a file: "standard input" for "-". */
const char *cli_file_name(const char *path);

/* A name from a file in quotes, or "(no name)": cut between characters when it is long, and with
 * its control characters replaced, so that it cannot break a line, drive the terminal or turn the
 * order of what follows. */
enum { CLI_QUOTED = 128 };
const char *cli_quote(const char *name, char out[CLI_QUOTED]);

/* Writes all of `size` bytes to standard output; says so and returns CLI_FAILED when it cannot
 * (a full disk, a closed pipe), else CLI_DONE. */
int cli_print(const void *bytes, size_t size);

#endif
