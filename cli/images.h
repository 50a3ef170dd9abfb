/* Images that a model names by a relative URI, which belong beside a copy of it too. */
#ifndef SN_CLI_IMAGES_H
#define SN_CLI_IMAGES_H

#include "sinew/gltf.h"

/* Gives in *all the files of `output` and, when `out_path` is in another folder than `in_path`, the
 * images that can be read; the others are warned of. `all` borrows the files of `output`.
 * Returns CLI_DONE or, having said why, CLI_FAILED. */
int cli_add_images(const sn_gltf *gltf, const char *in_path, const char *out_path,
                   const sn_output *output, sn_output *all);
void cli_free_images(sn_output *all, const sn_output *output);

#endif
