/* The editor's page, the models it may open and the samples, over HTTP to this machine.
 *
 *   GET /                the page (index.html of the web folder) and what belongs to it
 *   GET /FOLDER/         index.html of a folder of the page
 *   GET /api/files       {"files": [{name, size, url}], "samples": [the same]}, sorted by name
 *   GET /files/PATH      an offered model, or a file that one of them names
 *   GET /samples/PATH    the same of the samples
 *
 * It reads and never writes. A request by any host name but localhost, an address or the host it
 * was told to listen on is refused, so that no web page can reach it by a name of its own. */
#ifndef SN_SERVER_SERVER_H
#define SN_SERVER_SERVER_H

#include "sinew/result.h"

typedef struct sn_server_options {
    const char *host;    /* address or name to listen on; default "127.0.0.1" */
    uint16_t port;       /* 0: any that is free */
    const char *web;     /* folder of the page, with index.html */
    const char *samples; /* folder of models, or NULL */
    const char *target;  /* model or folder of models to offer, or NULL */
} sn_server_options;

typedef struct sn_server sn_server;

/* Serves from a thread of its own until sn_server_stop. Errors: io.read (target or page, with the
 * path in the text), server.listen, memory. */
sn_result sn_server_start(const sn_server_options *options, sn_server **out, sn_error *error);
void sn_server_stop(sn_server *server);

uint16_t sn_server_port(const sn_server *server);

/* Path and query to open: "/?open=/files/NAME" when one model is offered, else "/". Static until
 * the server stops. */
const char *sn_server_start_path(const sn_server *server);

#endif
