#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "open.h"
#include "options.h"
#include "report.h"

#define WARNINGS_SHOWN 5

static void show_warnings(const char *path, const sn_gltf *gltf) {
    const sn_warning *warnings;
    size_t count = sn_gltf_warnings(gltf, &warnings);
    for (size_t i = 0; i < count && i < WARNINGS_SHOWN; i++)
        cli_warn(cli_file_name(path), "%s (%s, %s)", warnings[i].text,
                 sn_message_name(warnings[i].id), warnings[i].pointer);
    if (count > WARNINGS_SHOWN)
        cli_warn(cli_file_name(path), "%zu more; `sinew check` lists them all",
                 count - WARNINGS_SHOWN);
}

int cli_open(const char *path, bool geometry, sn_gltf **out) {
    sn_error error;
    sn_gltf_options options = {.skip_geometry = !geometry};
    if (sn_gltf_read_file(path, &options, out, &error))
        return cli_fail_error(cli_file_name(path), &error);
    show_warnings(path, *out);
    return CLI_DONE;
}

/* ---- By name or index ---- */

/* The names to choose from, whatever they belong to. */
typedef struct named_list {
    const char *what; /* "clip" */
    uint32_t count;
    const char *(*name)(const sn_model *model, uint32_t i);
    const sn_model *model;
} named_list;

static const char *clip_name(const sn_model *model, uint32_t i) {
    return model->clips[i].name;
}

static const char *node_name(const sn_model *model, uint32_t i) {
    return model->nodes[i].name;
}

/* Appends `INDEX "NAME"` for each entry that has the name (NULL: each), as far as there is room. */
static void list_entries(const named_list *list, const char *name, char *out, size_t size) {
    size_t used = 0;
    out[0] = '\0';
    for (uint32_t i = 0; i < list->count; i++) {
        const char *own = list->name(list->model, i);
        if (name && strcmp(own, name) != 0)
            continue;
        char entry[CLI_QUOTED + 16], quoted[CLI_QUOTED];
        snprintf(entry, sizeof entry, "%s%u %s", used ? ", " : "", i, cli_quote(own, quoted));
        size_t length = strlen(entry);
        if (used + length + 6 > size) {
            strcpy(out + used, ", …");
            return;
        }
        memcpy(out + used, entry, length + 1);
        used += length;
    }
}

static int fail_unknown(const char *path, const named_list *list, const char *word) {
    if (!list->count)
        return cli_fail(cli_file_name(path), "the file has no %s", list->what);
    const char **names = malloc(list->count * sizeof *names);
    const char *close = NULL;
    if (names) {
        for (uint32_t i = 0; i < list->count; i++)
            names[i] = list->name(list->model, i);
        close = cli_closest(word, names, list->count);
    }
    free(names);
    if (close && *close)
        return cli_fail(cli_file_name(path), "there is no %s \"%s\"; did you mean \"%s\"?",
                        list->what, word, close);
    char entries[600];
    list_entries(list, NULL, entries, sizeof entries);
    return cli_fail(cli_file_name(path), "there is no %s \"%s\"; there are %s", list->what, word,
                    entries);
}

static int find(const char *path, const named_list *list, const char *word, uint32_t *found) {
    if (word[0] && word[strspn(word, "0123456789")] == '\0') {
        errno = 0;
        unsigned long long index = strtoull(word, NULL, 10);
        if (errno || index >= list->count)
            return list->count ? cli_fail(cli_file_name(path), "there is no %s %s; the last is %u",
                                          list->what, word, list->count - 1)
                               : cli_fail(cli_file_name(path), "the file has no %s", list->what);
        *found = (uint32_t)index;
        return CLI_DONE;
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        if (strcmp(list->name(list->model, i), word) != 0)
            continue;
        if (!count++)
            *found = i;
    }
    if (count == 1)
        return CLI_DONE;
    if (!count)
        return fail_unknown(path, list, word);
    char entries[600];
    list_entries(list, word, entries, sizeof entries);
    return cli_fail(cli_file_name(path), "%u %ss are named \"%s\": %s; give the index", count,
                    list->what, word, entries);
}

int cli_find_clip(const char *path, const sn_model *model, const char *word, uint32_t *clip) {
    return find(path, &(named_list){"clip", model->clip_count, clip_name, model}, word, clip);
}

int cli_find_node(const char *path, const sn_model *model, const char *word, uint32_t *node) {
    return find(path, &(named_list){"node", model->node_count, node_name, model}, word, node);
}
