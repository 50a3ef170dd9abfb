#include <arpa/inet.h>
#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/uri.h"
#include "listen.h"
#include "offer.h"
#include "path.h"
#include "server.h"

struct sn_server {
    struct MHD_Daemon *daemon;
    char *host;
    uint16_t port;
    char *web;      /* real path */
    offer *samples; /* or NULL */
    offer *files;   /* or NULL */
    sn_text start_path;
};

/* ---- Answers ---- */

/* 'wasm-unsafe-eval' lets the page compile WebAssembly and nothing else. Textures come as blobs. */
static const char content_security_policy[] =
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
    "img-src 'self' blob: data:; connect-src 'self' blob: data:; worker-src 'self' blob:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/* Every answer is kept from being framed, embedded, sniffed or read by other origins; a copy in the
 * browser is used only after asking whether it is still good. */
static enum MHD_Result answer(struct MHD_Connection *connection, unsigned status,
                              struct MHD_Response *response) {
    static const char *const headers[][2] = {
        {"Content-Security-Policy", content_security_policy},
        {"X-Content-Type-Options", "nosniff"},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Cache-Control", "no-cache"},
    };
    if (!response)
        return MHD_NO; /* closes the connection */
    bool complete = true;
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        complete =
            complete && MHD_add_response_header(response, headers[i][0], headers[i][1]) == MHD_YES;
    enum MHD_Result queued = complete ? MHD_queue_response(connection, status, response) : MHD_NO;
    MHD_destroy_response(response);
    return queued;
}

static enum MHD_Result answer_text(struct MHD_Connection *connection, unsigned status,
                                   const char *text) {
    struct MHD_Response *response = MHD_create_response_from_buffer(
        strlen(text), (void *)(uintptr_t)text, MHD_RESPMEM_PERSISTENT);
    if (response)
        MHD_add_response_header(response, "Content-Type", "text/plain; charset=utf-8");
    if (response && status == MHD_HTTP_METHOD_NOT_ALLOWED)
        MHD_add_response_header(response, "Allow", "GET, HEAD");
    return answer(connection, status, response);
}

static enum MHD_Result not_found(struct MHD_Connection *connection) {
    return answer_text(connection, MHD_HTTP_NOT_FOUND, "There is no such file here.\n");
}

/* A list of entity tags as If-None-Match has it; ours holds no comma. */
static bool has_tag(const char *list, const char *tag) {
    size_t length = strlen(tag);
    for (const char *at = list; at && *at; at = strchr(at, ',')) {
        at += strspn(at, ", \t");
        if (*at == '*')
            return true;
        if (strncmp(at, "W/", 2) == 0)
            at += 2;
        if (strncmp(at, tag, length) == 0 && strchr(", \t", at[length]))
            return true;
    }
    return false;
}

static enum MHD_Result answer_file(struct MHD_Connection *connection, int file,
                                   const struct stat *status, const char *type) {
    if (file < 0)
        return not_found(connection);
    char tag[64];
    snprintf(tag, sizeof tag, "\"%llx-%llx-%lx\"", (unsigned long long)status->st_size,
             (unsigned long long)status->st_mtim.tv_sec, (unsigned long)status->st_mtim.tv_nsec);
    const char *known =
        MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_IF_NONE_MATCH);
    bool same = known && has_tag(known, tag);
    struct MHD_Response *response =
        same ? MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT)
             : MHD_create_response_from_fd64((uint64_t)status->st_size, file);
    if (same || !response)
        close(file); /* else the response has it */
    if (response) {
        MHD_add_response_header(response, "ETag", tag);
        MHD_add_response_header(response, "Content-Type", type);
    }
    return answer(connection, same ? MHD_HTTP_NOT_MODIFIED : MHD_HTTP_OK, response);
}

static void append_list(sn_text *json, const char *name, offer *o, const char *url_prefix) {
    sn_text_append(json, name);
    if (o)
        offer_list(o, url_prefix, json);
    else
        sn_text_append(json, "[]");
}

static enum MHD_Result answer_lists(struct MHD_Connection *connection, const sn_server *server) {
    sn_text json;
    sn_text_init(&json, NULL); /* the C library's: the response frees it */
    append_list(&json, "{\"files\": ", server->files, "/files/");
    append_list(&json, ",\n\"samples\": ", server->samples, "/samples/");
    sn_text_append(&json, "}\n");
    if (json.failed) {
        sn_text_free(&json);
        return answer_text(connection, MHD_HTTP_INTERNAL_SERVER_ERROR, "No memory.\n");
    }
    struct MHD_Response *response =
        MHD_create_response_from_buffer(json.length, json.data, MHD_RESPMEM_MUST_FREE);
    if (response)
        MHD_add_response_header(response, "Content-Type", "application/json");
    else
        sn_text_free(&json);
    return answer(connection, MHD_HTTP_OK, response);
}

/* ---- Requests ---- */

static bool is_address(const char *host, size_t length) {
    char text[INET6_ADDRSTRLEN + 1];
    unsigned char address[16];
    bool bracketed = length > 2 && host[0] == '[' && host[length - 1] == ']';
    if (bracketed) {
        host++;
        length -= 2;
    }
    if (length >= sizeof text)
        return false;
    memcpy(text, host, length);
    text[length] = '\0';
    return inet_pton(bracketed ? AF_INET6 : AF_INET, text, address) == 1;
}

/* A page of another origin can make the browser ask us under its own host name (DNS rebinding),
 * never under an address or localhost. The port may differ: tunnels change it. */
static bool is_own_host(const sn_server *server, const char *host) {
    size_t length = strlen(host);
    while (length && host[length - 1] >= '0' && host[length - 1] <= '9')
        length--;
    if (length && host[length - 1] == ':')
        length--;
    else
        length = strlen(host);
    static const char local[] = "localhost";
    return is_address(host, length) ||
           (length == sizeof local - 1 && strncasecmp(host, local, length) == 0) ||
           (length == strlen(server->host) && strncasecmp(host, server->host, length) == 0);
}

/* A folder of the page asked for without its slash: from there its relative links would lead
 * astray. */
static enum MHD_Result add_slash(struct MHD_Connection *connection, const char *url) {
    sn_text location;
    sn_text_init(&location, NULL);
    sn_text_append(&location, url);
    sn_text_append(&location, "/");
    struct MHD_Response *response =
        location.failed ? NULL : MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
    if (response)
        MHD_add_response_header(response, "Location", location.data);
    sn_text_free(&location);
    return answer(connection, MHD_HTTP_MOVED_PERMANENTLY, response);
}

/* The page's file at a decoded path; a folder is its index.html. */
static enum MHD_Result answer_page(const sn_server *server, struct MHD_Connection *connection,
                                   const char *url, const char *path) {
    struct stat status;
    bool folder = url[1] && url[strlen(url) - 1] == '/';
    int file = folder ? -1 : open_below(server->web, path, &status);
    if (file >= 0)
        return answer_file(connection, file, &status, path_page_type(path));
    sn_text index;
    sn_text_init(&index, NULL);
    sn_text_append(&index, path);
    sn_text_append(&index, "/index.html");
    file = index.failed ? -1 : open_below(server->web, index.data, &status);
    sn_text_free(&index);
    if (file < 0 || folder)
        return answer_file(connection, file, &status, path_page_type("index.html"));
    close(file);
    return add_slash(connection, url);
}

static const char *after(const char *url, const char *prefix) {
    size_t length = strlen(prefix);
    return strncmp(url, prefix, length) == 0 ? url + length : NULL;
}

static enum MHD_Result route(sn_server *server, struct MHD_Connection *connection,
                             const char *url) {
    if (strcmp(url, "/api/files") == 0)
        return answer_lists(connection, server);
    const char *rest = after(url, "/files/");
    offer *o = server->files;
    if (!rest) {
        rest = after(url, "/samples/");
        o = server->samples;
    }
    bool model = rest != NULL;
    if (!model)
        rest = strcmp(url, "/") == 0 ? "index.html" : url + 1;

    size_t length = strlen(rest);
    if (!model && rest[length - 1] == '/')
        length--;
    char *path = malloc(length + 1);
    if (!path || !path_decode(rest, length, path)) {
        free(path);
        return not_found(connection);
    }
    enum MHD_Result result;
    if (model) {
        struct stat status;
        int file = o ? offer_open(o, path, &status) : -1;
        result = answer_file(connection, file, &status, path_model_type(path));
    } else {
        result = answer_page(server, connection, url, path);
    }
    free(path);
    return result;
}

static enum MHD_Result handle(void *user, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *upload,
                              size_t *upload_size, void **request) {
    (void)version;
    (void)upload;
    (void)upload_size;
    sn_server *server = user;
    static char seen;
    const char *host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Host");
    if (!host || !is_own_host(server, host))
        return answer_text(connection, MHD_HTTP_MISDIRECTED_REQUEST,
                           "This server answers to localhost and to addresses only.\n");
    if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0)
        return answer_text(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "This server only reads.\n");
    if (!*request) { /* an answer before the second call would close the connection */
        *request = &seen;
        return MHD_YES;
    }
    return route(server, connection, url);
}

/* Paths are decoded once, by path_decode, which refuses what the library's decoder lets through. */
static size_t leave_escaped(void *user, struct MHD_Connection *connection, char *text) {
    (void)user;
    (void)connection;
    return strlen(text);
}

/* ---- Starting and stopping ---- */

static sn_result open_folders(sn_server *server, const sn_server_options *options,
                              sn_error *error) {
    server->web = realpath(options->web, NULL);
    struct stat status;
    int index = server->web ? open_below(server->web, "index.html", &status) : -1;
    if (index < 0)
        return sn_fail(error, SN_MESSAGE_IO_READ, NULL,
                       "there is no page at %s/index.html; `make web` makes it, --web names "
                       "another folder",
                       options->web);
    close(index);
    sn_result result = SN_OK;
    if (options->samples && access(options->samples, R_OK) == 0)
        result = offer_create(options->samples, &server->samples, error);
    if (!result && options->target)
        result = offer_create(options->target, &server->files, error);
    return result;
}

static sn_result start(sn_server *server, const sn_server_options *options, sn_error *error) {
    server->host = strdup(options->host ? options->host : "127.0.0.1");
    sn_text_init(&server->start_path, NULL);
    sn_text_append(&server->start_path, "/");
    if (!server->host)
        return sn_fail(error, SN_MESSAGE_MEMORY, NULL, "no memory for a server");
    sn_result result = open_folders(server, options, error);
    if (result)
        return result;
    if (server->files && offer_only(server->files)) {
        sn_text_append(&server->start_path, "?open=/files/");
        sn_uri_append_path(&server->start_path, offer_only(server->files));
    }
    if (server->start_path.failed)
        return sn_fail(error, SN_MESSAGE_MEMORY, NULL, "no memory for a server");
    int socket;
    server->port = options->port;
    result = listen_on(server->host, &server->port, &socket, error);
    if (result)
        return result;
    /* One thread answers all: files are sent by the kernel, and `offer` needs no lock. */
    server->daemon =
        MHD_start_daemon(MHD_USE_AUTO | MHD_USE_INTERNAL_POLLING_THREAD, 0, NULL, NULL, handle,
                         server, MHD_OPTION_LISTEN_SOCKET, socket, MHD_OPTION_CONNECTION_TIMEOUT,
                         60u, MHD_OPTION_UNESCAPE_CALLBACK, leave_escaped, NULL, MHD_OPTION_END);
    if (server->daemon)
        return SN_OK;
    close(socket);
    return sn_fail(error, SN_MESSAGE_SERVER_LISTEN, NULL, "the HTTP server does not start");
}

sn_result sn_server_start(const sn_server_options *options, sn_server **out, sn_error *error) {
    sn_server *server = calloc(1, sizeof *server);
    if (!server)
        return sn_fail(error, SN_MESSAGE_MEMORY, NULL, "no memory for a server");
    sn_result result = start(server, options, error);
    if (result)
        sn_server_stop(server);
    else
        *out = server;
    return result;
}

void sn_server_stop(sn_server *server) {
    if (!server)
        return;
    if (server->daemon)
        MHD_stop_daemon(server->daemon); /* closes the listening socket too */
    offer_free(server->files);
    offer_free(server->samples);
    sn_text_free(&server->start_path);
    free(server->web);
    free(server->host);
    free(server);
}

uint16_t sn_server_port(const sn_server *server) {
    return server->port;
}

const char *sn_server_start_path(const sn_server *server) {
    return server->start_path.data;
}
