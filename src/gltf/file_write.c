/* Saving to the file system: all files or none. */
#define _XOPEN_SOURCE 700
#include "gltf/internal.h"

#if !defined(__wasm__)
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

/* One file on its way: written under `temporary`, then renamed to `target`. */
typedef struct saving {
    const sn_output_file *file;
    char *target;
    char *temporary; /* NULL: not there (any more) */
    char *backup;    /* of what was at the target, while others may still fail */
    bool moved;      /* the backup is the old file itself: nothing is at the target */
    bool replaced;
} saving;

static sn_result write_failed(sn_error *error, const char *path) {
    return sn_fail(error, SN_MESSAGE_IO_WRITE, NULL, "%s cannot be written: %s", path,
                   strerror(errno));
}

static sn_result write_bytes(int file, const uint8_t *bytes, size_t size, const char *path,
                             sn_error *error) {
    while (size > 0) {
        ssize_t n = write(file, bytes, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return write_failed(error, path);
        bytes += n;
        size -= (size_t)n;
    }
    return SN_OK;
}

/* ---- Paths, on the C library's heap: they live as long as one saving ---- */

static char *join(const char *head, size_t head_length, const char *tail) {
    size_t length = strlen(tail);
    char *path = malloc(head_length + length + 1);
    if (path) {
        memcpy(path, head, head_length);
        memcpy(path + head_length, tail, length + 1);
    }
    return path;
}

static size_t folder_length(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* A name beside the target that nobody has: .NAME.PID.N */
static char *beside(const char *target, unsigned number, char kind) {
    char tail[64];
    sn_format(tail, sizeof tail, ".%u.%u.%s", (uint32_t)getpid(), (uint32_t)number,
              kind == 'b' ? "old" : "new");
    size_t folder = folder_length(target), length = strlen(target);
    char *name = malloc(length + strlen(tail) + 2);
    if (!name)
        return NULL;
    memcpy(name, target, folder);
    name[folder] = '.';
    memcpy(name + folder + 1, target + folder, length - folder);
    strcpy(name + length + 1, tail);
    return name;
}

static void make_folders(char *path, size_t from) {
    for (char *p = path + from; (p = strchr(p, '/')) != NULL; p++) {
        *p = '\0';
        mkdir(path, 0777); /* where it fails, opening the file tells why */
        *p = '/';
    }
}

/* ---- The two phases ---- */

static sn_result write_temporary(saving *s, sn_error *error) {
    struct stat status;
    bool exists = stat(s->target, &status) == 0;
    for (unsigned number = 0;; number++) {
        char *name = beside(s->target, number, 'n');
        if (!name)
            return sn_fail(error, SN_MESSAGE_MEMORY, NULL, "no memory to save %s", s->target);
        int file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file < 0) {
            int reason = errno;
            free(name);
            errno = reason;
            if (errno == EEXIST && number < 1000)
                continue;
            return write_failed(error, s->target);
        }
        s->temporary = name;
        if (exists)
            (void)fchmod(file, status.st_mode & 07777); /* as it was, where that is allowed */
        sn_result result = write_bytes(file, s->file->bytes, s->file->size, s->target, error);
        if (!result && fsync(file) != 0)
            result = write_failed(error, s->target);
        if (close(file) != 0 && !result)
            result = write_failed(error, s->target);
        return result;
    }
}

/* FAT and some network file systems have no hard links. */
static bool lacks_links(int reason) {
    return reason == EPERM || reason == EOPNOTSUPP || reason == ENOSYS || reason == EMLINK ||
           reason == EACCES;
}

/* Keeps what is at the target under a second name, so that it can come back. Where there are no
 * second names it gets another one, and for a moment the target is missing. */
static sn_result keep_backup(saving *s, sn_error *error) {
    for (unsigned number = 0; number < 1000; number++) {
        char *name = beside(s->target, number, 'b');
        if (!name)
            return sn_fail(error, SN_MESSAGE_MEMORY, NULL, "no memory to save %s", s->target);
        if (link(s->target, name) == 0) {
            s->backup = name;
            return SN_OK;
        }
        int reason = errno;
        if (reason == ENOENT || access(s->target, F_OK) != 0) { /* nothing there yet */
            free(name);
            return SN_OK;
        }
        if (lacks_links(reason) && access(name, F_OK) != 0 && rename(s->target, name) == 0) {
            s->backup = name;
            s->moved = true;
            return SN_OK;
        }
        free(name);
        errno = reason;
        if (errno != EEXIST)
            break;
    }
    return write_failed(error, s->target);
}

static sn_result replace(saving *savings, size_t count, sn_error *error) {
    for (size_t i = 0; count > 1 && i < count; i++) {
        sn_result result = keep_backup(&savings[i], error);
        if (result)
            return result;
    }
    /* The main file last: until then the old one goes with whatever is beside it. */
    for (size_t i = count; i-- > 0;) {
        saving *s = &savings[i];
        if (rename(s->temporary, s->target) != 0)
            return write_failed(error, s->target);
        free(s->temporary);
        s->temporary = NULL;
        s->replaced = true;
    }
    return SN_OK;
}

static void roll_back(saving *savings, size_t count) {
    for (size_t i = 0; i < count; i++) {
        saving *s = &savings[i];
        if (!s->replaced && !s->moved)
            continue;
        if (s->backup)
            (void)rename(s->backup, s->target);
        else
            (void)unlink(s->target);
    }
}

static void clean_up(saving *savings, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (savings[i].temporary)
            (void)unlink(savings[i].temporary);
        if (savings[i].backup)
            (void)unlink(savings[i].backup);
        free(savings[i].target);
        free(savings[i].temporary);
        free(savings[i].backup);
    }
}

static void flush_folder(const char *path) {
    size_t length = folder_length(path);
    char *folder = length ? join(path, length, "") : join(".", 1, "");
    int file = folder ? open(folder, O_RDONLY | O_CLOEXEC) : -1;
    if (file >= 0) {
        (void)fsync(file); /* some file systems cannot; the files themselves are safe */
        close(file);
    }
    free(folder);
}

/* ---- The entry ---- */

/* Devices and pipes are written to, not replaced. */
static sn_result write_through(const sn_output *output, int file, const char *path,
                               sn_error *error) {
    if (output->file_count > 1)
        return sn_fail(error, SN_MESSAGE_IO_WRITE, NULL,
                       "%z files come of this, which %s cannot take; a .glb is one file",
                       output->file_count, path);
    return write_bytes(file, output->files[0].bytes, output->files[0].size, path, error);
}

static sn_result check_paths(const sn_output *output, sn_error *error) {
    for (size_t i = 1; i < output->file_count; i++) {
        const char *path = output->files[i].path;
        if (path[0] == '\0' || path[0] == '/' || sn_path_leaves_folder(path))
            return sn_fail(error, SN_MESSAGE_IO_WRITE, NULL,
                           "%s is no path within the folder that is written to", path);
    }
    return SN_OK;
}

static sn_result save_all(const sn_output *output, const char *path, saving *savings,
                          sn_error *error) {
    size_t folder = folder_length(path);
    for (size_t i = 0; i < output->file_count; i++) {
        saving *s = &savings[i];
        s->file = &output->files[i];
        s->target = i ? join(path, folder, s->file->path) : join(path, strlen(path), "");
        if (!s->target)
            return sn_fail(error, SN_MESSAGE_MEMORY, NULL, "no memory to save %s", path);
        if (i && !strcmp(s->target, savings[0].target))
            return sn_fail(error, SN_MESSAGE_IO_WRITE, NULL,
                           "%s is the name of a buffer or an image of the file too", s->target);
        if (i)
            make_folders(s->target, folder);
        sn_result result = write_temporary(s, error);
        if (result)
            return result;
    }
    return replace(savings, output->file_count, error);
}

sn_result sn_output_save(const sn_output *output, const char *path, sn_error *error) {
    if (strcmp(path, "-") == 0)
        return write_through(output, STDOUT_FILENO, "standard output", error);
    struct stat status;
    bool exists = stat(path, &status) == 0;
    if (exists && !S_ISREG(status.st_mode)) {
        int file = open(path, O_WRONLY | O_CLOEXEC);
        if (file < 0)
            return write_failed(error, path);
        sn_result result = write_through(output, file, path, error);
        close(file);
        return result;
    }
    sn_result result = check_paths(output, error);
    if (result)
        return result;
    if (!exists && lstat(path, &status) == 0)
        return sn_fail(error, SN_MESSAGE_IO_WRITE, NULL,
                       "%s cannot be written: it is a link that leads nowhere", path);
    char *real = exists ? realpath(path, NULL) : NULL; /* a link stays one */
    saving *savings = calloc(output->file_count, sizeof *savings);
    if (!savings) {
        free(real);
        return sn_fail(error, SN_MESSAGE_MEMORY, NULL, "no memory to save %s", path);
    }
    const char *target = real ? real : path;
    result = save_all(output, target, savings, error);
    if (result)
        roll_back(savings, output->file_count);
    else
        flush_folder(target);
    clean_up(savings, output->file_count);
    free(savings);
    free(real);
    return result;
}
#endif
