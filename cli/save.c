#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "file.h"
#include "images.h"
#include "report.h"
#include "save.h"

int cli_settle_container(const char *out, const sn_gltf *gltf, sn_container *container) {
    static const char *const binary[] = {".glb", ".vrm", ".vrma"};
    const char *dot = strrchr(out, '.');
    if (strcmp(out, "-") == 0) {
        *container = sn_gltf_is_binary(gltf) ? SN_CONTAINER_GLB : SN_CONTAINER_GLTF;
        return CLI_DONE;
    }
    *container = SN_CONTAINER_GLTF;
    if (dot && strcasecmp(dot, ".gltf") == 0)
        return CLI_DONE;
    *container = SN_CONTAINER_GLB;
    for (size_t i = 0; dot && i < sizeof binary / sizeof *binary; i++)
        if (strcasecmp(dot, binary[i]) == 0)
            return CLI_DONE;
    return cli_fail(out, "an output must end in .glb, .vrm, .vrma or .gltf, which says what to "
                         "write");
}

char *cli_buffer_name(const char *out) {
    const char *base = out + cli_folder_length(out), *dot = strrchr(base, '.');
    size_t stem = dot ? (size_t)(dot - base) : strlen(base);
    char *name = malloc(stem + sizeof ".bin");
    if (name) {
        memcpy(name, base, stem);
        strcpy(name + stem, ".bin");
    }
    return name;
}

int cli_save(const sn_gltf *gltf, const char *in, const char *out, const sn_output *output,
             sn_output *all) {
    sn_error error;
    if (output->empty_clip_count)
        cli_warn(cli_file_name(in), "%u %s no key and so no form in glTF: not written",
                 output->empty_clip_count,
                 output->empty_clip_count == 1 ? "clip has" : "clips have");
    if (output->dropped_size)
        cli_warn(cli_file_name(in),
                 "%zu bytes of chunks of unknown types, or behind the last chunk, have no place in "
                 "a .gltf: not written",
                 output->dropped_size);
    if (output->orphan_count)
        cli_warn(
            cli_file_name(in),
            "%u accessors and buffer views that nothing uses any more stay, since an extension "
            "may refer to others by number",
            output->orphan_count);
    int code = cli_add_images(gltf, in, out, output, all);
    if (code == CLI_DONE && sn_output_save(all, out, &error))
        code = cli_fail_error(strcmp(out, "-") == 0 ? "standard output" : out, &error);
    return code;
}

void cli_write_files(cli_writer *w, const char *out, const sn_output *all) {
    cli_key(w, "output");
    cli_string(w, out);
    cli_key(w, "files");
    cli_begin_array(w);
    for (size_t i = 0; i < all->file_count; i++) {
        cli_begin_object(w);
        cli_key(w, "path");
        cli_string(w, all->files[i].path);
        cli_key(w, "size");
        cli_unsigned(w, all->files[i].size);
        cli_end_object(w);
    }
    cli_end_array(w);
}

int cli_print_files(const sn_output *all) {
    printf("%zu bytes", all->files[0].size);
    for (size_t i = 1; i < all->file_count; i++)
        printf("%s %s", i == 1 ? "; beside it" : ",", all->files[i].path);
    printf("\n");
    return cli_print("", 0);
}
