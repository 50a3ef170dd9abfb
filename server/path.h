/* Paths of URLs. A path here is relative, of plain segments: no empty one, no "." and no "..". */
#ifndef SN_SERVER_PATH_H
#define SN_SERVER_PATH_H

#include <stdbool.h>
#include <stddef.h>

/* A name of a folder or file that a URL can have: none that leads elsewhere, no backslashes, no
 * control characters. */
bool path_is_name(const char *segment, size_t length);

/* Percent-decodes a URL's path, without the leading slash, into `out` (length + 1 bytes). False
 * for what no link to a file here looks like: an encoded slash, backslashes, control characters,
 * and segments that are empty or made of dots, which would lead elsewhere. */
bool path_decode(const char *url, size_t length, char *out);

/* The path that a URI in a model leads to, from the model's folder, into `out` (length + 1 bytes):
 * decoded as the reader does it; "." is dropped and ".." goes up. False for absolute URIs and for
 * paths that leave the folder. */
bool path_resolve(const char *uri, size_t length, char *out);

/* The same of a path that is decoded already, into strlen(path) + 1 bytes. */
bool path_normalize(const char *path, char *out);

/* The part after the last dot of the last segment, or "". */
const char *path_extension(const char *path);

/* The media type of a page's file; "application/octet-stream" when it is none we know. */
const char *path_page_type(const char *path);

/* The media type of a model or what belongs to it. Nothing here is a page, a script or a style, so
 * that no model file can bring any along. */
const char *path_model_type(const char *path);

/* .gltf, .glb, .vrm or .vrma, in any case. */
bool path_is_model(const char *path);

#endif
