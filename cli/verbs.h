/* The verbs, one file each. argv holds what follows the verb; the result is the exit code. */
#ifndef SN_CLI_VERBS_H
#define SN_CLI_VERBS_H

int cli_bake(int argc, char **argv);
int cli_check(int argc, char **argv);
int cli_edit(int argc, char **argv);
int cli_info(int argc, char **argv);
int cli_pose(int argc, char **argv);
int cli_serve(int argc, char **argv);

#endif
