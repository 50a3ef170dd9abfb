/* sinew edit: runs editing commands and writes the file, all or nothing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "images.h"
#include "open.h"
#include "options.h"
#include "report.h"
#include "rig.h"
#include "save.h"
#include "script.h"
#include "verbs.h"
#include "writer.h"

typedef struct request {
    const char *in, *out;
    cli_script script;
    bool json;
    sn_container container;
} request;

static int apply_commands(const request *r, sn_document **document) {
    for (size_t i = 0; i < r->script.count; i++) {
        const cli_command *command = &r->script.commands[i];
        sn_document *next;
        sn_error error;
        if (sn_document_apply(*document, command->text, command->length, &next, &error)) {
            char name[CLI_COMMAND_NAME];
            return cli_fail_error(cli_command_name(command, name), &error);
        }
        sn_document_release(*document);
        *document = next;
    }
    return CLI_DONE;
}

static int report_files(const request *r, const sn_output *all) {
    if (r->json) {
        cli_writer w;
        cli_writer_init(&w);
        cli_begin_object(&w);
        cli_key(&w, "file");
        cli_string(&w, cli_file_name(r->in));
        cli_key(&w, "commands");
        cli_unsigned(&w, r->script.count);
        cli_write_files(&w, r->out, all);
        cli_end_object(&w);
        return cli_writer_print(&w, CLI_DONE);
    }
    printf("%s: %zu command%s, ", r->out, r->script.count, r->script.count == 1 ? "" : "s");
    return cli_print_files(all);
}

static int save(const request *r, const sn_gltf *gltf, const sn_document *document) {
    char *name = cli_buffer_name(r->out);
    if (!name)
        return cli_fail(r->out, "no memory for its name");
    sn_gltf_write_options options = {.container = r->container, .buffer_name = name};
    sn_output output = {0}, all = {0};
    sn_error error;
    int code = sn_document_write(document, gltf, &options, &output, &error)
                   ? cli_fail_error(cli_file_name(r->in), &error)
                   : cli_save(gltf, r->in, r->out, &output, &all);
    if (code == CLI_DONE && strcmp(r->out, "-") != 0)
        code = report_files(r, &all);
    cli_free_images(&all, &output);
    sn_output_free(&output);
    free(name);
    return code;
}

static int edit(request *r) {
    sn_gltf *gltf;
    if (cli_open(r->in, false, &gltf) != CLI_DONE)
        return CLI_FAILED;
    sn_document *document = NULL;
    int code = cli_settle_container(r->out, gltf, &r->container);
    if (code == CLI_DONE)
        code = cli_open_document(r->in, gltf, &document);
    if (code == CLI_DONE)
        code = apply_commands(r, &document);
    if (code == CLI_DONE)
        code = save(r, gltf, document);
    sn_document_release(document);
    sn_gltf_free(gltf);
    return code;
}

static int settle_request(request *r) {
    if (!r->out)
        return cli_fail("edit", "-o OUT is missing: where to write; it may be the input itself");
    if (!r->script.count && !r->script.text_count)
        return cli_fail("edit", "there is no command: give -e '{…}' or --script FILE");
    if (r->script.takes_input && strcmp(r->in, "-") == 0)
        return cli_fail("edit", "the file and --script both want standard input; name one of them");
    if (r->json && strcmp(r->out, "-") == 0)
        return cli_fail("edit", "-o - and --json both want standard output; give one of them");
    return CLI_DONE;
}

int cli_edit(int argc, char **argv) {
    request r = {0};
    const cli_option options[] = {
        {.name = "output",
         .letter = 'o',
         .value = "OUT",
         .text = &r.out,
         .help = "file to write: .glb, .vrm, .vrma or .gltf; - is standard output"},
        {.name = "command",
         .letter = 'e',
         .value = "'{…}'",
         .take = cli_script_take_command,
         .user = &r.script,
         .help = "one command; as often as needed"},
        {.name = "script",
         .value = "FILE",
         .take = cli_script_take_file,
         .user = &r.script,
         .help = "commands, one a line; - is standard input"},
        {.name = "json", .flag = &r.json, .help = "what was written as one JSON document"},
    };
    const cli_syntax syntax = {
        .verb = "edit",
        .operands = "FILE",
        .operand_min = 1,
        .operand_max = 1,
        .summary = "Runs editing commands in their order and writes the file, all or nothing.",
        .details = "docs/commands.md describes the commands. What they do not name is written as\n"
                   "it was read. A .gltf keeps its buffers and images beside it.",
        .example =
            "sinew edit build/samples/mannequin.glb -o raised.glb -e '{\"op\": \"key.set\", "
            "\"clip\": 0, \"node\": \"leftUpperArm\",\n    \"path\": \"rotation\", \"time\": "
            "0.5, \"value\": [0, 0, 0.5, 0.866]}'",
        .options = options,
        .option_count = sizeof options / sizeof *options,
    };
    int operands;
    int code = cli_parse(&syntax, argc, argv, &operands);
    if (code == CLI_RUN && r.script.failed)
        code = CLI_FAILED;
    if (code == CLI_RUN) {
        r.in = argv[0];
        code = settle_request(&r);
        if (code == CLI_DONE)
            code = edit(&r);
    }
    cli_script_free(&r.script);
    return code;
}
