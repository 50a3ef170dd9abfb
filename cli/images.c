#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "images.h"
#include "report.h"
#include "server/path.h"

static bool is_listed(const sn_output *all, const char *path) {
    for (size_t i = 0; i < all->file_count; i++)
        if (strcmp(all->files[i].path, path) == 0)
            return true;
    return false;
}

static char *read_beside(const char *model, const char *path, size_t *size, const char **reason) {
    size_t folder = cli_folder_length(model);
    char *full = malloc(folder + strlen(path) + 1);
    *reason = "no memory";
    if (!full)
        return NULL;
    memcpy(full, model, folder);
    strcpy(full + folder, path);
    char *bytes = cli_read_regular_file(full, size, reason);
    free(full);
    return bytes;
}

/* Reads one image into the list, which has room for it, or says why not. */
static void add_image(sn_output *all, const char *in_path, const char *image) {
    const char *file = cli_file_name(in_path);
    char *path = malloc(strlen(image) + 1);
    if (!path) {
        cli_warn(file, "image %s is not copied: no memory", image);
    } else if (!path_normalize(image, path)) {
        cli_warn(file, "image %s is not copied: it is outside the file's folder", image);
    } else if (!is_listed(all, path)) {
        size_t size;
        const char *reason;
        char *bytes = read_beside(in_path, path, &size, &reason);
        if (bytes) {
            all->files[all->file_count++] = (sn_output_file){path, (uint8_t *)bytes, size};
            return; /* the list has the path now */
        }
        cli_warn(file, "image %s is not copied: %s", image, reason);
    }
    free(path);
}

int cli_add_images(const sn_gltf *gltf, const char *in_path, const char *out_path,
                   const sn_output *output, sn_output *all) {
    const char *const *images;
    size_t count = sn_gltf_image_paths(gltf, &images);
    *all = *output;
    all->file_capacity = output->file_count + count;
    all->files = malloc(all->file_capacity * sizeof *all->files);
    if (!all->files)
        return cli_fail(cli_file_name(in_path), "no memory for its %zu images", count);
    memcpy(all->files, output->files, output->file_count * sizeof *all->files);
    bool piped = strcmp(in_path, "-") == 0 || strcmp(out_path, "-") == 0;
    if (!piped && cli_same_folder(in_path, out_path)) {
        const char *name = out_path + cli_folder_length(out_path);
        for (size_t i = 0; i < count; i++)
            if (strcmp(images[i], name) == 0)
                return cli_fail(out_path, "this is an image of %s, which would be lost", in_path);
        return CLI_DONE;
    }
    for (size_t i = 0; i < count; i++) {
        if (piped)
            cli_warn(cli_file_name(in_path), "image %s is not copied along a pipe", images[i]);
        else
            add_image(all, in_path, images[i]);
    }
    return CLI_DONE;
}

void cli_free_images(sn_output *all, const sn_output *output) {
    for (size_t i = output->file_count; i < all->file_count; i++) {
        free(all->files[i].path);
        free(all->files[i].bytes);
    }
    free(all->files);
}
