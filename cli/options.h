/* Options from a table, from which the help is made too. */
#ifndef SN_CLI_OPTIONS_H
#define SN_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cli_option {
    const char *name;  /* without the dashes */
    char letter;       /* the short form, or 0 */
    const char *value; /* what the help calls the value; NULL: a switch */
    const char *help;
    /* Where it goes: one of these. */
    bool *flag;
    const char **text;
    double *number;  /* finite */
    uint32_t *count; /* a whole number */
    /* Called for each time it is given, in order; the others may be given once. */
    bool (*take)(void *user, const char *value); /* false: no memory */
    void *user;
} cli_option;

typedef struct cli_syntax {
    const char *verb;
    const char *operands; /* "FILE", "[FILE|DIR]" */
    int operand_min, operand_max;
    const char *summary;       /* what the verb does */
    const char *details;       /* further paragraphs of the help, or NULL */
    const char *example;       /* a command line that works on the samples */
    const cli_option *options; /* --help is added */
    size_t option_count;
} cli_syntax;

enum { CLI_RUN = -1 };

/* Reads the arguments after the verb. Options and operands may be mixed; "--" ends the options;
 * "-" is an operand. The operands are moved to the front of argv and counted in *operands.
 * Returns CLI_RUN, or the code to exit with: help was printed, or an error was. */
int cli_parse(const cli_syntax *syntax, int argc, char **argv, int *operands);

/* The one of `names` that `word` is most likely a slip of, or NULL. */
const char *cli_closest(const char *word, const char *const *names, size_t count);

#endif
