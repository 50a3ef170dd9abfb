/* Writing a file that a verb has made, and what belongs beside it. */
#ifndef SN_CLI_SAVE_H
#define SN_CLI_SAVE_H

#include "sinew/gltf.h"
#include "writer.h"

/* What to write, by the output's extension; standard output gets what the input is. Returns
 * CLI_DONE or, having said why, CLI_FAILED, as do the functions below. */
int cli_settle_container(const char *out, const sn_gltf *gltf, sn_container *container);

/* How a GLB's binary chunk is named when it becomes a file: after the output. To be freed. NULL: no
 * memory. */
char *cli_buffer_name(const char *out);

/* Puts the files of `output` and the images beside them in their places, or none of them. Gives in
 * *all what was written, for cli_free_images. */
int cli_save(const sn_gltf *gltf, const char *in, const char *out, const sn_output *output,
             sn_output *all);

/* The members "output" and "files" of a document; the end of a line. */
void cli_write_files(cli_writer *w, const char *out, const sn_output *all);
int cli_print_files(const sn_output *all);

#endif
