/* Paths in URIs (RFC 3986), as files and servers have them. */
#ifndef SN_BASE_URI_H
#define SN_BASE_URI_H

#include "sinew/json.h"

/* The byte at *at, percent-decoded, and *at behind it; *at is before `end`. A % that no two digits
 * follow stands for itself: files named "100%.bin" exist. */
char sn_uri_next_byte(const char **at, const char *end);

/* Takes "." and ".." out of a decoded path (5.2.4), and empty segments, which file systems pass
 * over: a file has one path. What leads up from where the path starts stays at its beginning. */
void sn_uri_remove_dots(char *path);

/* Appends a path as it is written in a URI. */
void sn_uri_append_path(sn_text *out, const char *path);

#endif
