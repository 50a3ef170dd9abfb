/* A file of modifiers, and what they report. */
#ifndef SN_CLI_RIG_H
#define SN_CLI_RIG_H

#include "sinew/document.h"
#include "writer.h"

/* Reads RIG.json and compiles it for the model of `gltf`. Returns CLI_DONE or, having said why,
 * CLI_FAILED. */
int cli_rig_open(const char *path, const sn_gltf *gltf, sn_modifier_stack **out);

/* Opens the document of a file, and warns of modifiers in it that cannot be used. The same returns.
 */
int cli_open_document(const char *path, const sn_gltf *gltf, sn_document **out);

/* The array of reports, one for each of the first `count` modifiers. */
void cli_rig_write(cli_writer *w, const sn_modifier_stack *stack, const sn_modifier_report *reports,
                   uint32_t count);

/* A line for each. */
void cli_rig_print(const sn_modifier_stack *stack, const sn_modifier_report *reports,
                   uint32_t count);

#endif
