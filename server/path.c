#include <string.h>
#include <strings.h>

#include "path.h"

static int hex_digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/* The byte at *i, percent-decoded; a % that no two digits follow stands for itself. */
static char next_byte(const char *text, size_t length, size_t *i) {
    size_t at = (*i)++;
    if (text[at] != '%' || length - at < 3)
        return text[at];
    int high = hex_digit(text[at + 1]), low = hex_digit(text[at + 2]);
    if (high < 0 || low < 0)
        return text[at];
    *i += 2;
    return (char)(high * 16 + low);
}

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
    for (size_t i = 0; i < length;) {
        bool separator = url[i] == '/';
        char c = next_byte(url, length, &i);
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
    size_t used = 0; /* whole segments, with slashes between them */
    for (const char *at = path; *at;) {
        size_t size = strcspn(at, "/");
        if (at == path && (size == 0 || memchr(at, ':', size)))
            return false; /* begins with a slash, or has a scheme */
        if (path_is_name(at, size)) {
            if (used)
                out[used++] = '/';
            memmove(out + used, at, size);
            used += size;
        } else if (size == 2 && at[0] == '.' && at[1] == '.') {
            if (!used)
                return false;
            while (used && out[used - 1] != '/')
                used--;
            if (used)
                used--;
        } else if (size && !(size == 1 && at[0] == '.')) {
            return false;
        }
        at += size;
        if (*at)
            at++;
    }
    out[used] = '\0';
    return used != 0;
}

bool path_resolve(const char *uri, size_t length, char *out) {
    size_t used = 0;
    for (size_t i = 0; i < length;)
        if (!(out[used++] = next_byte(uri, length, &i)))
            return false;
    out[used] = '\0';
    return path_normalize(out, out); /* what it writes is never longer than what it has read */
}

void path_append_encoded(sn_text *text, const char *path) {
    static const char digits[] = "0123456789ABCDEF";
    for (const char *c = path; *c; c++) {
        bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
                     (*c >= '0' && *c <= '9') || strchr("-._~/", *c);
        char escape[3] = {'%', digits[(unsigned char)*c >> 4], digits[(unsigned char)*c & 15]};
        if (plain)
            sn_text_append_bytes(text, c, 1);
        else
            sn_text_append_bytes(text, escape, 3);
    }
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
