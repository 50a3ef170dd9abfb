#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "report.h"
#include "script.h"

static bool add(cli_script *script, cli_command command) {
    if (script->count == script->capacity) {
        size_t capacity = script->capacity ? script->capacity * 2 : 16;
        cli_command *grown = realloc(script->commands, capacity * sizeof *grown);
        if (!grown)
            return false;
        script->commands = grown;
        script->capacity = capacity;
    }
    script->commands[script->count++] = command;
    return true;
}

bool cli_script_take_command(void *user, const char *text) {
    cli_script *script = user;
    return add(script, (cli_command){text, strlen(text), NULL, ++script->inline_count});
}

static bool is_blank(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (text[i] != ' ' && text[i] != '\t' && text[i] != '\r')
            return false;
    return true;
}

bool cli_script_take_file(void *user, const char *path) {
    cli_script *script = user;
    if (script->failed)
        return true;
    script->takes_input = script->takes_input || strcmp(path, "-") == 0;
    size_t size;
    const char *reason;
    char *text = cli_read_file(path, &size, &reason);
    script->failed = text == NULL;
    if (!text) {
        cli_fail(cli_file_name(path), "cannot be read: %s", reason);
        return true;
    }
    char **grown = realloc(script->texts, (script->text_count + 1) * sizeof *grown);
    if (!grown) {
        free(text);
        return false;
    }
    script->texts = grown;
    script->texts[script->text_count++] = text;
    size_t line = 1;
    for (const char *at = text, *end = text + size; at < end; line++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((stop ? stop : end) - at);
        if (!is_blank(at, length) &&
            !add(script, (cli_command){at, length, cli_file_name(path), line}))
            return false;
        at += length + 1;
    }
    return true;
}

void cli_script_free(cli_script *script) {
    for (size_t i = 0; i < script->text_count; i++)
        free(script->texts[i]);
    free(script->texts);
    free(script->commands);
}

const char *cli_command_name(const cli_command *command, char out[CLI_COMMAND_NAME]) {
    if (command->source)
        snprintf(out, CLI_COMMAND_NAME, "%s: line %zu", command->source, command->line);
    else
        snprintf(out, CLI_COMMAND_NAME, "-e %zu", command->line);
    return out;
}
