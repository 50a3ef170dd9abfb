#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/uri.h"
#include "offer.h"
#include "path.h"

/* A model, and what it names; read again when its time or size changes. */
typedef struct offered {
    char *name;
    struct timespec changed;
    off_t size;
    bool known; /* `resources` belong to `changed` and `size` */
    char **resources;
    size_t resource_count;
    bool present; /* seen by the running scan */
} offered;

struct offer {
    char *root; /* real path of the folder */
    char *only; /* the one file's name, or NULL */
    offered *models;
    size_t count, capacity;
};

int open_below(const char *root, const char *path, struct stat *status) {
    size_t root_length = strlen(root), path_length = strlen(path);
    char *full = malloc(root_length + path_length + 2);
    if (!full)
        return -1;
    memcpy(full, root, root_length);
    full[root_length] = '/';
    memcpy(full + root_length + 1, path, path_length + 1);
    char *real = realpath(full, NULL);
    free(full);
    bool below = real && strncmp(real, root, root_length) == 0 &&
                 (real[root_length] == '/' || root_length == 1);
    /* Not blocking: a pipe that nobody writes to must not stop the server. */
    int file = below ? open(real, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) : -1;
    free(real);
    if (file >= 0 && (fstat(file, status) != 0 || !S_ISREG(status->st_mode))) {
        close(file);
        return -1;
    }
    return file;
}

/* ---- What a model names ---- */

static void forget_resources(offered *m) {
    for (size_t i = 0; i < m->resource_count; i++)
        free(m->resources[i]);
    free(m->resources);
    m->resources = NULL;
    m->resource_count = 0;
    m->known = false;
}

/* The bytes of a model's JSON: the whole of a .gltf, the first chunk of a GLB container. */
static char *read_json(int file, off_t size, size_t *length) {
    unsigned char head[20];
    size_t start = 0, count = (size_t)size;
    if (size > 0x7fffffff)
        return NULL;
    if (pread(file, head, sizeof head, 0) == (ssize_t)sizeof head && memcmp(head, "glTF", 4) == 0) {
        start = sizeof head;
        count = head[12] | (size_t)head[13] << 8 | (size_t)head[14] << 16 | (size_t)head[15] << 24;
        if (count > (size_t)size - start)
            return NULL;
    }
    char *text = malloc(count + 1);
    for (size_t done = 0; text && done < count;) {
        ssize_t n = pread(file, text + done, count - done, (off_t)(start + done));
        if (n <= 0) {
            free(text);
            return NULL;
        }
        done += (size_t)n;
    }
    *length = count;
    return text;
}

static void add_resource(offered *m, const sn_json *json, uint32_t value, sn_arena *arena) {
    size_t length;
    if (value == SN_NONE || json->nodes[value].type != SN_JSON_STRING)
        return;
    const char *uri = sn_json_string(json, value, arena, &length);
    if (!uri || (length >= 5 && strncmp(uri, "data:", 5) == 0))
        return;
    char *path = malloc(length + 1);
    char **grown = realloc(m->resources, (m->resource_count + 1) * sizeof *grown);
    if (grown)
        m->resources = grown;
    if (path && grown && path_resolve(uri, length, path))
        m->resources[m->resource_count++] = path;
    else
        free(path);
}

static void read_resources(offered *m, int file) {
    size_t length;
    char *text = read_json(file, m->size, &length);
    if (!text)
        return;
    sn_arena arena;
    sn_arena_init(&arena, NULL);
    sn_json json;
    if (sn_json_parse(text, length, &arena, &json, NULL) == SN_OK) {
        static const char *const arrays[] = {"buffers", "images"};
        for (size_t i = 0; i < 2; i++) {
            uint32_t array = sn_json_member(&json, 0, arrays[i]);
            for (uint32_t at = sn_json_first(&json, array);
                 at != SN_NONE && at < json.nodes[array].next; at = json.nodes[at].next)
                add_resource(m, &json, sn_json_member(&json, at, "uri"), &arena);
        }
    }
    sn_arena_free(&arena);
    free(text);
    m->known = true;
}

/* ---- Which models there are ---- */

static offered *find_model(const offer *o, const char *name) {
    for (size_t i = 0; i < o->count; i++)
        if (strcmp(o->models[i].name, name) == 0)
            return &o->models[i];
    return NULL;
}

/* What is known of a model as long as it has this time and size. */
static bool is_current(const offered *m, const struct stat *status) {
    return m->changed.tv_sec == status->st_mtim.tv_sec &&
           m->changed.tv_nsec == status->st_mtim.tv_nsec && m->size == status->st_size;
}

static bool is_offered_name(const offer *o, const char *name) {
    return o->only ? strcmp(name, o->only) == 0
                   : name[0] != '.' && path_is_name(name, strlen(name)) && !strchr(name, '/') &&
                         path_is_model(name);
}

static void see_model(offer *o, const char *name) {
    struct stat status;
    int file = open_below(o->root, name, &status);
    if (file < 0)
        return;
    close(file);
    offered *m = find_model(o, name);
    if (!m) {
        if (o->count == o->capacity) {
            size_t capacity = o->capacity ? o->capacity * 2 : 16;
            offered *grown = realloc(o->models, capacity * sizeof *grown);
            if (!grown)
                return;
            o->models = grown;
            o->capacity = capacity;
        }
        char *copy = strdup(name);
        if (!copy)
            return;
        m = &o->models[o->count++];
        *m = (offered){.name = copy};
    }
    if (!is_current(m, &status))
        forget_resources(m);
    m->changed = status.st_mtim;
    m->size = status.st_size;
    m->present = true;
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const offered *)a)->name, ((const offered *)b)->name);
}

/* Looks at the folder again; models come and go while the server runs. */
static void scan(offer *o) {
    for (size_t i = 0; i < o->count; i++)
        o->models[i].present = false;
    DIR *folder = o->only ? NULL : opendir(o->root);
    if (o->only)
        see_model(o, o->only);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (is_offered_name(o, entry->d_name))
            see_model(o, entry->d_name);
    if (folder)
        closedir(folder);
    size_t kept = 0;
    for (size_t i = 0; i < o->count; i++) {
        if (o->models[i].present) {
            o->models[kept++] = o->models[i];
        } else {
            forget_resources(&o->models[i]);
            free(o->models[i].name);
        }
    }
    o->count = kept;
    if (o->count)
        qsort(o->models, o->count, sizeof *o->models, by_name);
}

static bool names(const offered *m, const char *path) {
    for (size_t i = 0; i < m->resource_count; i++)
        if (strcmp(m->resources[i], path) == 0)
            return true;
    return false;
}

/* By what is known already: a page asks for a model's textures one by one, and looking through a
 * folder of thousands for each would take minutes. */
static bool is_known_to_be_named(const offer *o, const char *path) {
    for (size_t i = 0; i < o->count; i++) {
        const offered *m = &o->models[i];
        struct stat status;
        int file = m->known && names(m, path) ? open_below(o->root, m->name, &status) : -1;
        if (file < 0)
            continue;
        close(file);
        if (is_current(m, &status))
            return true;
    }
    return false;
}

static bool is_named_by_a_model(offer *o, const char *path) {
    for (size_t i = 0; i < o->count; i++) {
        offered *m = &o->models[i];
        if (!m->known) {
            struct stat status;
            int file = open_below(o->root, m->name, &status);
            if (file < 0)
                continue;
            read_resources(m, file);
            close(file);
        }
        if (names(m, path))
            return true;
    }
    return false;
}

/* ---- The interface ---- */

sn_result offer_create(const char *path, offer **out, sn_error *error) {
    struct stat status;
    char *real = realpath(path, NULL);
    if (!real || stat(real, &status) != 0) {
        free(real);
        return sn_fail(error, SN_MESSAGE_IO_READ, NULL, "there is no file or folder %s", path);
    }
    offer *o = calloc(1, sizeof *o);
    if (!o) {
        free(real);
        return sn_fail(error, SN_MESSAGE_MEMORY, NULL, "no memory to offer files");
    }
    o->root = real;
    *out = o;
    if (S_ISDIR(status.st_mode))
        return SN_OK;
    char *slash = strrchr(real, '/');
    o->only = strdup(slash + 1);
    slash[slash == real ? 1 : 0] = '\0';
    if (o->only && path_is_model(o->only))
        return SN_OK;
    sn_result result =
        o->only ? sn_fail(error, SN_MESSAGE_IO_READ, NULL,
                          "%s is no model; a .gltf, .glb, .vrm or .vrma file or a folder would be",
                          path)
                : sn_fail(error, SN_MESSAGE_MEMORY, NULL, "no memory to offer files");
    offer_free(o);
    *out = NULL;
    return result;
}

void offer_free(offer *o) {
    if (!o)
        return;
    for (size_t i = 0; i < o->count; i++) {
        forget_resources(&o->models[i]);
        free(o->models[i].name);
    }
    free(o->models);
    free(o->root);
    free(o->only);
    free(o);
}

const char *offer_only(const offer *o) {
    return o->only;
}

void offer_list(offer *o, const char *url_prefix, sn_text *json) {
    scan(o);
    sn_text_append(json, "[");
    for (size_t i = 0; i < o->count; i++) {
        const offered *m = &o->models[i];
        sn_text_append(json, i ? ",\n {\"name\": " : "\n {\"name\": ");
        sn_text_append_string(json, m->name, strlen(m->name));
        sn_text_append(json, ", \"size\": ");
        sn_text_append_unsigned(json, (uint64_t)m->size);
        sn_text_append(json, ", \"url\": \"");
        sn_text_append(json, url_prefix);
        sn_uri_append_path(json, m->name);
        sn_text_append(json, "\"}");
    }
    sn_text_append(json, o->count ? "\n]" : "]");
}

int offer_open(offer *o, const char *path, struct stat *status) {
    bool given = is_offered_name(o, path) || is_known_to_be_named(o, path);
    if (!given) {
        scan(o);
        given = is_named_by_a_model(o, path);
    }
    return given ? open_below(o->root, path, status) : -1;
}
