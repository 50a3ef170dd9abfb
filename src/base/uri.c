#include "base/uri.h"

#include <string.h>

static int hex_digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

char sn_uri_next_byte(const char **at, const char *end) {
    const char *p = *at;
    if (*p == '%' && end - p >= 3 && hex_digit(p[1]) >= 0 && hex_digit(p[2]) >= 0) {
        *at = p + 3;
        return (char)(hex_digit(p[1]) << 4 | hex_digit(p[2]));
    }
    *at = p + 1;
    return *p;
}

void sn_uri_remove_dots(char *path) {
    char *end = path; /* of what is kept */
    for (const char *segment = path; *segment;) {
        size_t length = strcspn(segment, "/");
        const char *next = segment + length + (segment[length] == '/');
        bool up = length == 2 && segment[0] == '.' && segment[1] == '.';
        char *last = end; /* the last segment kept */
        while (last > path && last[-1] != '/')
            last--;
        bool last_up = end - last == 2 && last[0] == '.' && last[1] == '.';
        if (up && end > path && !last_up) {
            end = last > path ? last - 1 : path;
        } else if (length > 0 && !(length == 1 && segment[0] == '.')) {
            if (end > path)
                *end++ = '/';
            memmove(end, segment, length);
            end += length;
        }
        segment = next;
    }
    *end = '\0';
}

static bool is_plain(char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           strchr("-._~/", c);
}

void sn_uri_append_path(sn_text *out, const char *path) {
    static const char hex[] = "0123456789ABCDEF";
    for (; *path; path++) {
        unsigned char byte = (unsigned char)*path;
        char escape[3] = {'%', hex[byte >> 4], hex[byte & 15]};
        if (is_plain(*path))
            sn_text_append_bytes(out, path, 1);
        else
            sn_text_append_bytes(out, escape, sizeof escape);
    }
}
