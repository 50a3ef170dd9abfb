#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "gltf/internal.h"
#include "tests/unit/gltf_files.h"

static const char *corpus_folder(void) {
    const char *folder = getenv("SINEW_CORPUS");
    return folder ? folder : SINEW_SOURCE_DIR "/../shared/corpus";
}

static bool is_model(const char *name) {
    static const char *const endings[] = {".gltf", ".glb", ".vrm", ".vrma"};
    size_t length = strlen(name);
    for (int i = 0; i < 4; i++) {
        size_t n = strlen(endings[i]);
        if (length > n && !strcmp(name + length - n, endings[i]))
            return true;
    }
    return false;
}

static void walk(const char *folder, test_files *files) {
    DIR *directory = opendir(folder);
    if (!directory)
        return;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        if (entry->d_name[0] == '.')
            continue;
        size_t size = strlen(folder) + strlen(entry->d_name) + 2;
        char *path = malloc(size);
        snprintf(path, size, "%s/%s", folder, entry->d_name);
        struct stat status;
        if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
            walk(path, files);
        } else if (is_model(path)) {
            files->paths = realloc(files->paths, (files->count + 1) * sizeof *files->paths);
            files->paths[files->count++] = path;
            continue;
        }
        free(path);
    }
    closedir(directory);
}

static int compare(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

test_files test_corpus(void) {
    test_files files = {0};
    walk(corpus_folder(), &files);
    if (files.count)
        qsort(files.paths, files.count, sizeof *files.paths, compare);
    else
        print_message("no corpus at %s (SINEW_CORPUS names its folder)\n", corpus_folder());
    return files;
}

void test_files_free(test_files *files) {
    for (size_t i = 0; i < files->count; i++)
        free(files->paths[i]);
    free(files->paths);
}

const char *test_corpus_name(const char *path) {
    return path + strlen(corpus_folder()) + 1;
}

uint8_t *test_read_bytes(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(*size + 1);
    if (fread(bytes, 1, *size, file) != *size) {
        free(bytes);
        bytes = NULL;
    }
    fclose(file);
    return bytes;
}

static sn_result load(void *user, const char *path, const sn_allocator *allocator, uint8_t **bytes,
                      size_t *size, sn_error *error) {
    const sn_output *output = user;
    (void)error;
    for (size_t i = 1; i < output->file_count; i++) {
        if (strcmp(output->files[i].path, path) != 0)
            continue;
        *size = output->files[i].size;
        *bytes = NULL;
        if (!*size)
            return SN_OK;
        *bytes = allocator->resize(allocator->user, NULL, 0, *size);
        if (!*bytes)
            return SN_ERROR_MEMORY;
        memcpy(*bytes, output->files[i].bytes, *size);
        return SN_OK;
    }
    return SN_ERROR_IO;
}

sn_result test_read_output(const sn_output *output, const sn_gltf_options *options, sn_gltf **out,
                           sn_error *error) {
    sn_gltf_options own = options ? *options : (sn_gltf_options){0};
    own.loader = (sn_resource_loader){load, (void *)(uintptr_t)output};
    return sn_gltf_read(output->files[0].bytes, output->files[0].size, &own, out, error);
}

uint8_t *test_make_glb(const char *json, const void *binary, size_t binary_size, size_t *size) {
    sn_glb_chunk chunks[] = {{SN_GLB_JSON, json, strlen(json), false},
                             {SN_GLB_BIN, binary, binary_size, false}};
    uint32_t count = binary ? 2 : 1;
    *size = (size_t)sn_glb_size(chunks, count);
    uint8_t *glb = malloc(*size);
    sn_glb_write(chunks, count, glb);
    return glb;
}

sn_gltf *test_read_text(const char *text) {
    sn_gltf *gltf = NULL;
    sn_error error;
    if (sn_gltf_read(text, strlen(text), NULL, &gltf, &error) != SN_OK)
        fail_msg("%s %s: %s", sn_message_name(error.id), error.pointer, error.text);
    return gltf;
}
