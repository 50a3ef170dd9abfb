#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"

/* What has no end, such as /dev/zero, must not take all memory. */
#define STREAM_MOST ((size_t)256 << 20)

static char *read_stream(FILE *file, size_t most, size_t *size, const char **reason) {
    size_t capacity = 1 << 16, used = 0;
    char *bytes = malloc(capacity);
    while (bytes) {
        size_t n = fread(bytes + used, 1, capacity - used - 1, file); /* 1 is the terminator's */
        used += n;
        if (!n)
            break;
        if (used > most) {
            free(bytes);
            *reason = "it is longer than 256 MiB";
            return NULL;
        }
        if (capacity - used > 1)
            continue;
        char *grown = capacity < SIZE_MAX / 2 ? realloc(bytes, capacity * 2) : NULL;
        if (!grown)
            free(bytes);
        bytes = grown;
        capacity *= 2;
    }
    *reason = bytes ? strerror(errno) : "no memory to read it";
    if (!bytes || ferror(file)) {
        free(bytes);
        return NULL;
    }
    bytes[used] = '\0';
    *size = used;
    return bytes;
}

char *cli_read_file(const char *path, size_t *size, const char **reason) {
    if (strcmp(path, "-") == 0)
        return read_stream(stdin, STREAM_MOST, size, reason);
    FILE *file = fopen(path, "rb");
    if (!file) {
        *reason = strerror(errno);
        return NULL;
    }
    char *bytes = read_stream(file, STREAM_MOST, size, reason);
    fclose(file);
    return bytes;
}

char *cli_read_regular_file(const char *path, size_t *size, const char **reason) {
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe must not block */
    struct stat status;
    bool found = file >= 0 && fstat(file, &status) == 0;
    bool regular = found && S_ISREG(status.st_mode);
    FILE *stream = regular ? fdopen(file, "rb") : NULL;
    if (!stream) {
        *reason = found && !regular ? "it is no regular file" : strerror(errno);
        if (file >= 0)
            close(file);
        return NULL;
    }
    char *bytes = read_stream(stream, SIZE_MAX, size, reason);
    fclose(stream);
    return bytes;
}

size_t cli_folder_length(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

static bool stat_folder(const char *path, struct stat *status) {
    size_t length = cli_folder_length(path);
    char *folder = malloc(length + 2);
    if (!folder)
        return false;
    memcpy(folder, path, length);
    memcpy(folder + length, ".", 2);
    bool found = stat(folder, status) == 0;
    free(folder);
    return found;
}

bool cli_same_folder(const char *a, const char *b) {
    struct stat x, y;
    return stat_folder(a, &x) && stat_folder(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}
