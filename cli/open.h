/* Opening a file, and finding in it what an option names. */
#ifndef SN_CLI_OPEN_H
#define SN_CLI_OPEN_H

#include "sinew/gltf.h"

/* Reads a file and says what the reader warns of. `geometry` false leaves vertices undecoded.
 * Returns CLI_DONE or, having said why, CLI_FAILED. */
int cli_open(const char *path, bool geometry, sn_gltf **out);

/* The clip or node that `word` names or numbers; CLI_FAILED, having said what there is, when there
 * is none or several are so named. A word of digits is an index. */
int cli_find_clip(const char *path, const sn_model *model, const char *word, uint32_t *clip);
int cli_find_node(const char *path, const sn_model *model, const char *word, uint32_t *node);

#endif
