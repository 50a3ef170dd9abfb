/* Editing commands from the command line and from files of one JSON object a line. */
#ifndef SN_CLI_SCRIPT_H
#define SN_CLI_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cli_command {
    const char *text; /* not NUL-terminated */
    size_t length;
    const char *source; /* file, or NULL for the command line */
    size_t line;        /* from 1; on the command line, which command it is */
} cli_command;

typedef struct cli_script {
    cli_command *commands;
    size_t count, capacity;
    char **texts; /* of the files read */
    size_t text_count;
    size_t inline_count;
    bool takes_input; /* one of the files was standard input */
    bool failed;      /* what went wrong was said */
} cli_script;

/* For cli_option.take: adds a command, or all commands of a file ("-": standard input), in the
 * order in which the options stand. Blank lines are passed over. */
bool cli_script_take_command(void *script, const char *text);
bool cli_script_take_file(void *script, const char *path);
void cli_script_free(cli_script *script);

/* How messages name a command: "cmds.jsonl: line 3", or "-e 2". */
enum { CLI_COMMAND_NAME = 1024 };
const char *cli_command_name(const cli_command *command, char out[CLI_COMMAND_NAME]);

#endif
