/* Reading from the file system. */
#define _POSIX_C_SOURCE 200809L
#include "gltf/internal.h"

#if !defined(__wasm__)
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

static sn_result read_failed(sn_error *error, const char *path) {
    return sn_fail(error, SN_MESSAGE_IO_READ, NULL, "%s cannot be read: %s", path, strerror(errno));
}

/* How much of a stream is read, by how it begins. One without an end, such as /dev/zero, must not
 * take all memory: a GLB container ends within 4 GiB (its length has 32 bits), JSON that comes
 * through a pipe within 1 GiB. 0: it is neither, and has been read far enough to be refused. */
static size_t stream_most(const uint8_t *bytes, size_t length) {
    if (length >= 4 && memcmp(bytes, "glTF", 4) == 0)
        return UINT32_MAX;
    if (!strchr("{ \t\r\n", bytes[0]))
        return 0;
    for (size_t i = 0; i < length; i++) /* JSON has no other controls, noise has them soon */
        if (bytes[i] < 0x20 && bytes[i] != '\t' && bytes[i] != '\r' && bytes[i] != '\n')
            return 0;
    return (size_t)1 << 30;
}

/* Reads to the end. `expected` is a first guess at the size, 0 for a stream: then what is no glTF
 * may be left half read. */
static sn_result read_whole(int file, const char *path, size_t expected, size_t most,
                            const sn_allocator *allocator, uint8_t **bytes, size_t *size,
                            sn_error *error) {
    bool stream = expected == 0;
    if (stream)
        expected = 65535;
    size_t capacity = expected < most ? expected + 1 : most; /* one more sees the end at once */
    size_t length = 0;
    sn_result result = SN_OK;
    uint8_t *block = allocator->resize(allocator->user, NULL, 0, capacity);
    if (!block)
        return sn_fail(error, SN_MESSAGE_MEMORY, NULL, "no memory to read %s", path);
    for (;;) {
        if (length == capacity) {
            size_t bound = stream ? stream_most(block, length) : most;
            if (bound == 0)
                break; /* what it is not, the reader tells */
            most = bound < most ? bound : most;
            size_t larger = capacity < most / 2 ? capacity * 2 : most;
            uint8_t *grown = larger > capacity
                                 ? allocator->resize(allocator->user, block, capacity, larger)
                                 : NULL;
            if (!grown) {
                result = sn_fail(error, SN_MESSAGE_LIMIT_MEMORY, NULL,
                                 "%s is larger than the %z bytes that are read of it at most", path,
                                 capacity);
                break;
            }
            block = grown;
            capacity = larger;
        }
        ssize_t n = read(file, block + length, capacity - length);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            result = read_failed(error, path);
        if (n <= 0)
            break;
        length += (size_t)n;
    }
    if (!result && length > 0 && length < capacity) {
        uint8_t *shrunk = allocator->resize(allocator->user, block, capacity, length);
        if (shrunk) {
            block = shrunk;
            capacity = length;
        } else {
            result = sn_fail(error, SN_MESSAGE_MEMORY, NULL, "no memory to read %s", path);
        }
    }
    if (result || length == 0) {
        allocator->resize(allocator->user, block, capacity, 0);
        block = NULL;
    }
    *bytes = block;
    *size = result ? 0 : length;
    return result;
}

/* ---- Files beside the main one ---- */

typedef struct folder {
    const char *path; /* up to and with the last slash, or "" */
    size_t length;
} folder;

static sn_result load_beside(void *user, const char *path, const sn_allocator *allocator,
                             uint8_t **bytes, size_t *size, sn_error *error) {
    const folder *beside = user;
    size_t full_size = beside->length + strlen(path) + 1;
    char *full = allocator->resize(allocator->user, NULL, 0, full_size);
    if (!full)
        return sn_fail(error, SN_MESSAGE_MEMORY, NULL, "no memory to read %s", path);
    memcpy(full, beside->path, beside->length);
    strcpy(full + beside->length, path);
    int file = open(full, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe must not block */
    allocator->resize(allocator->user, full, full_size, 0);
    if (file < 0)
        return read_failed(error, path);
    struct stat status;
    sn_result result;
    if (fstat(file, &status) != 0)
        result = read_failed(error, path);
    else if (!S_ISREG(status.st_mode))
        result = sn_fail(error, SN_MESSAGE_IO_READ, NULL, "%s is no regular file", path);
    else
        result = read_whole(file, path, (size_t)status.st_size, SIZE_MAX / 2, allocator, bytes,
                            size, error);
    close(file);
    return result;
}

sn_result sn_gltf_read_file(const char *path, const sn_gltf_options *options, sn_gltf **out,
                            sn_error *error) {
    sn_gltf_options own = options ? *options : (sn_gltf_options){0};
    const sn_allocator *allocator = own.allocator ? own.allocator : sn_allocator_default();
    bool standard_input = strcmp(path, "-") == 0;
    int file = standard_input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return read_failed(error, path);
    struct stat status;
    uint8_t *bytes;
    size_t size;
    size_t most = own.memory_limit ? own.memory_limit : SIZE_MAX / 2;
    sn_result result;
    if (fstat(file, &status) != 0)
        result = read_failed(error, path);
    else if (S_ISDIR(status.st_mode))
        result = sn_fail(error, SN_MESSAGE_IO_READ, NULL, "%s is a folder", path);
    else
        result = read_whole(file, path, S_ISREG(status.st_mode) ? (size_t)status.st_size : 0, most,
                            allocator, &bytes, &size, error);
    if (!standard_input)
        close(file);
    if (result)
        return result;
    const char *slash = strrchr(path, '/');
    folder beside = {path, standard_input || !slash ? 0 : (size_t)(slash - path) + 1};
    if (!own.loader.load)
        own.loader = (sn_resource_loader){load_beside, &beside};
    return sn_gltf_read_from(bytes, size, SN_BYTES_GIVEN, &own, out, error);
}
#endif
