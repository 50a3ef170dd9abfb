/* sinew serve: the editor in the browser, from this machine to itself. */
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "options.h"
#include "report.h"
#include "server/server.h"
#include "verbs.h"

/* The folder of the running program, without a slash at the end; false when it cannot be known. */
static bool program_folder(char out[PATH_MAX]) {
    ssize_t length = readlink("/proc/self/exe", out, PATH_MAX - 1);
    if (length <= 0)
        return false;
    out[length] = '\0';
    char *slash = strrchr(out, '/');
    if (slash)
        *slash = '\0';
    return slash != NULL;
}

/* `name` beside the program (a build folder), else in ../share/sinew (installed), else NULL. */
static char *find_folder(const char *name) {
    static const char *const places[] = {"", "/../share/sinew"};
    char program[PATH_MAX];
    if (!program_folder(program))
        return NULL;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        size_t size = strlen(program) + strlen(places[i]) + strlen(name) + 2;
        char *path = malloc(size);
        if (!path)
            return NULL;
        snprintf(path, size, "%s%s/%s", program, places[i], name);
        if (access(path, R_OK) == 0)
            return path;
        free(path);
    }
    return NULL;
}

static bool is_loopback(const char *host) {
    return strncmp(host, "127.", 4) == 0 || strcmp(host, "::1") == 0 ||
           strcmp(host, "localhost") == 0;
}

static int print_address(const sn_server *server, const char *host, bool everywhere) {
    /* A name that browsers treat as safe, which an address in plain HTTP is not. */
    const char *name = is_loopback(host) || everywhere ? "localhost" : host;
    bool bracket = strchr(name, ':') != NULL;
    printf("http://%s%s%s:%u%s\n", bracket ? "[" : "", name, bracket ? "]" : "",
           sn_server_port(server), sn_server_start_path(server));
    int code = cli_print("", 0);
    if (code == CLI_DONE && isatty(STDERR_FILENO))
        fprintf(stderr, "Open this address in a browser. Ctrl-C ends the server.\n");
    return code;
}

/* Serves until SIGINT or SIGTERM, which are blocked before the server's thread starts so that it
 * inherits that and this thread alone takes them. */
static int run(const sn_server_options *options) {
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &ends, NULL);
    signal(SIGPIPE, SIG_IGN); /* a browser that goes away */

    sn_server *server;
    sn_error error;
    if (sn_server_start(options, &server, &error))
        return cli_fail_error("serve", &error);
    bool everywhere = strcmp(options->host, "0.0.0.0") == 0 || strcmp(options->host, "::") == 0;
    if (!is_loopback(options->host))
        cli_warn("serve",
                 "whoever reaches %s on port %u can read the offered models; without "
                 "--host only this machine can",
                 options->host, sn_server_port(server));
    int code = print_address(server, options->host, everywhere);
    int signal_number;
    if (code == CLI_DONE)
        sigwait(&ends, &signal_number);
    sn_server_stop(server);
    return code;
}

int cli_serve(int argc, char **argv) {
    const char *host = "127.0.0.1", *web = NULL;
    uint32_t port = 8630;
    const cli_option options[] = {
        {.name = "port",
         .letter = 'p',
         .value = "PORT",
         .count = &port,
         .help = "8630 without it; 0 takes any that is free"},
        {.name = "host",
         .value = "ADDRESS",
         .text = &host,
         .help = "address to listen on; 127.0.0.1 without it: this machine only"},
        {.name = "web",
         .value = "FOLDER",
         .text = &web,
         .help = "the editor's page; the folder web beside the program without it"},
    };
    const cli_syntax syntax = {
        .verb = "serve",
        .operands = "[FILE|FOLDER]",
        .operand_max = 1,
        .summary = "Serves the editor, with one model open or the models of a folder to choose "
                   "from.",
        .details = "Prints the address to open, then serves until Ctrl-C. Nothing is written, and\n"
                   "nothing is fetched from elsewhere.",
        .example = "sinew serve build/samples/mannequin.glb",
        .options = options,
        .option_count = sizeof options / sizeof *options,
    };
    int operands;
    int code = cli_parse(&syntax, argc, argv, &operands);
    if (code != CLI_RUN)
        return code;
    if (port > UINT16_MAX)
        return cli_fail("serve", "there is no port %u; the last is 65535", port);
    char *found_web = web ? NULL : find_folder("web");
    char *samples = find_folder("samples");
    if (!web && !found_web) {
        code = cli_fail("serve", "there is no folder web beside the program; `make web` makes it, "
                                 "--web names another");
    } else {
        code = run(&(sn_server_options){.host = host,
                                        .port = (uint16_t)port,
                                        .web = web ? web : found_web,
                                        .samples = samples,
                                        .target = operands ? argv[0] : NULL});
    }
    free(found_web);
    free(samples);
    return code;
}
