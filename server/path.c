#include <string.h>
#include <strings.h>

#include "base/uri.h"
#include "path.h"

bool path_is_name(const char *segment, size_t length) {
    if (length == 0 || (segment[0] == '.' && (length == 1 || (length == 2 && segment[1] == '.'))))
        return false;
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)segment[i] < 0x20 || segment[i] == 0x7f || segment[i] == '\\')
            return false;
    return true;
}

bool path_decode(const char *url, size_t length, char *out) {
    size_t used = 0, segment = 0;
    for (const char *at = url, *end = url + length; at < end;) {
        bool separator = *at == '/';
        char c = sn_uri_next_byte(&at, end);
        if (separator) {
            if (!path_is_name(out + segment, used - segment))
                return false;
            segment = used + 1;
        } else if (c == '/') {
            return false;
        }
        out[used++] = c;
    }
    out[used] = '\0';
    return path_is_name(out + segment, used - segment);
}

bool path_normalize(const char *path, char *out) {
    size_t first = strcspn(path, "/");
    if (first == 0 || memchr(path, ':', first))
        return false; /* begins with a slash, or has a scheme */
    memmove(out, path, strlen(path) + 1);
    sn_uri_remove_dots(out);
    for (const char *segment = out;; segment++) {
        size_t length = strcspn(segment, "/");
        if (!path_is_name(segment, length)) /* ".." leads out of the folder */
            return false;
        segment += length;
        if (!*segment)
            return true;
    }
}

bool path_resolve(const char *uri, size_t length, char *out) {
    size_t used = 0;
    for (const char *at = uri, *end = uri + length; at < end;)
        if (!(out[used++] = sn_uri_next_byte(&at, end)))
            return false;
    out[used] = '\0';
    return path_normalize(out, out);
}

const char *path_extension(const char *path) {
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash ? slash : path, '.');
    return dot ? dot + 1 : "";
}

typedef struct media_type {
    const char *extension, *type;
} media_type;

static const char *find_type(const media_type *types, size_t count, const char *path) {
    const char *extension = path_extension(path);
    for (size_t i = 0; i < count; i++)
        if (strcasecmp(types[i].extension, extension) == 0)
            return types[i].type;
    return "application/octet-stream";
}

const char *path_page_type(const char *path) {
    static const media_type types[] = {
        {"html", "text/html; charset=utf-8"},
        {"js", "text/javascript; charset=utf-8"},
        {"mjs", "text/javascript; charset=utf-8"},
        {"css", "text/css; charset=utf-8"},
        {"txt", "text/plain; charset=utf-8"},
        {"json", "application/json"},
        {"map", "application/json"},
        {"webmanifest", "application/manifest+json"},
        {"wasm", "application/wasm"},
        {"svg", "image/svg+xml"},
        {"png", "image/png"},
        {"jpg", "image/jpeg"},
        {"webp", "image/webp"},
        {"ico", "image/x-icon"},
        {"woff2", "font/woff2"},
    };
    return find_type(types, sizeof types / sizeof *types, path);
}

const char *path_model_type(const char *path) {
    static const media_type types[] = {
        {"gltf", "model/gltf+json"},   {"glb", "model/gltf-binary"}, {"vrm", "model/gltf-binary"},
        {"vrma", "model/gltf-binary"}, {"png", "image/png"},         {"jpg", "image/jpeg"},
        {"jpeg", "image/jpeg"},        {"webp", "image/webp"},       {"ktx2", "image/ktx2"},
    };
    return find_type(types, sizeof types / sizeof *types, path);
}

bool path_is_model(const char *path) {
    static const char *const extensions[] = {"gltf", "glb", "vrm", "vrma"};
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
        if (strcasecmp(path_extension(path), extensions[i]) == 0)
            return true;
    return false;
}
