/* Files and folders. */
#ifndef SN_CLI_FILE_H
#define SN_CLI_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* The bytes of a file ("-": standard input), NUL-terminated, to be freed; NULL when it cannot be
 * read, with the reason: a script that is longer than 256 MiB is none. */
char *cli_read_file(const char *path, size_t *size, const char **reason);

/* The same of a file that another one names: "-" is a name like others, and what is no regular file
 * (a pipe, which may never come, a device, which may never end) is not read. */
char *cli_read_regular_file(const char *path, size_t *size, const char **reason);

/* Length of the part of a path up to its last slash and with it; 0 when it has none. */
size_t cli_folder_length(const char *path);

/* Whether two files are in one folder, however their paths are written. */
bool cli_same_folder(const char *a, const char *b);

#endif
