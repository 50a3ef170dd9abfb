#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/error.h"
#include "listen.h"

static sn_result fail(const char *host, uint16_t port, int reason, sn_error *error) {
    if (reason == EADDRINUSE)
        return sn_fail(error, SN_MESSAGE_SERVER_LISTEN, NULL,
                       "port %u of %s is in use; end the program that has it, or choose another "
                       "with --port",
                       (uint32_t)port, host);
    return sn_fail(error, SN_MESSAGE_SERVER_LISTEN, NULL, "cannot listen on port %u of %s: %s",
                   (uint32_t)port, host, strerror(reason));
}

static uint16_t bound_port(int file) {
    struct sockaddr_storage address;
    socklen_t size = sizeof address;
    if (getsockname(file, (struct sockaddr *)&address, &size) != 0)
        return 0;
    if (address.ss_family == AF_INET6)
        return ntohs(((const struct sockaddr_in6 *)&address)->sin6_port);
    return ntohs(((const struct sockaddr_in *)&address)->sin_port);
}

sn_result listen_on(const char *host, uint16_t *port, int *out, sn_error *error) {
    char service[8];
    snprintf(service, sizeof service, "%u", *port);
    struct addrinfo wanted = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
    struct addrinfo *found;
    int trouble = getaddrinfo(host, service, &wanted, &found);
    if (trouble)
        return sn_fail(error, SN_MESSAGE_SERVER_LISTEN, NULL,
                       "%s is no address of this machine (%s)", host, gai_strerror(trouble));
    int file = socket(found->ai_family, SOCK_STREAM, 0), on = 1;
    if (file < 0 || setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
        bind(file, found->ai_addr, found->ai_addrlen) != 0 || listen(file, 128) != 0) {
        int reason = errno;
        freeaddrinfo(found);
        if (file >= 0)
            close(file);
        return fail(host, *port, reason, error);
    }
    freeaddrinfo(found);
    *port = bound_port(file);
    *out = file;
    return SN_OK;
}
