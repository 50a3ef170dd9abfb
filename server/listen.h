/* A listening TCP socket. */
#ifndef SN_SERVER_LISTEN_H
#define SN_SERVER_LISTEN_H

#include "sinew/result.h"

/* Listens on the first address of `host`; *port 0 takes any that is free and receives it. */
sn_result listen_on(const char *host, uint16_t *port, int *socket, sn_error *error);

#endif
