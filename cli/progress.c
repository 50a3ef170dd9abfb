#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "progress.h"
#include "report.h"

void cli_progress_start(cli_progress *progress, const char *what, size_t total) {
    *progress = (cli_progress){.what = what, .total = total};
    progress->visible = total > 1 && isatty(STDERR_FILENO);
}

void cli_progress_show(cli_progress *progress, size_t done, const char *now) {
    if (!progress->visible)
        return;
    enum { BAR = 24 };
    char bar[BAR + 1], name[CLI_QUOTED];
    size_t filled = done * BAR / progress->total;
    for (size_t i = 0; i < BAR; i++)
        bar[i] = i < filled ? '#' : '.';
    bar[BAR] = '\0';
    cli_quote(now, name);
    int width = fprintf(stderr, "\r%s [%s] %zu of %zu %.40s", progress->what, bar, done,
                        progress->total, name);
    if (width < progress->width)
        fprintf(stderr, "%*s", progress->width - width, "");
    progress->width = width;
    fflush(stderr);
}

void cli_progress_end(cli_progress *progress) {
    if (progress->visible)
        fprintf(stderr, "\r%*s\r", progress->width, "");
}
