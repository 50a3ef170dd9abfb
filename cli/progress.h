/* A bar on a terminal while long work runs; nothing in a pipe. */
#ifndef SN_CLI_PROGRESS_H
#define SN_CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct cli_progress {
    const char *what; /* "checking" */
    size_t total;
    bool visible;
    int width; /* of what is on the screen */
} cli_progress;

/* Shown only when standard error is a terminal and there is more than one thing to do. */
void cli_progress_start(cli_progress *progress, const char *what, size_t total);
void cli_progress_show(cli_progress *progress, size_t done, const char *now);
void cli_progress_end(cli_progress *progress); /* takes the bar off the screen */

#endif
