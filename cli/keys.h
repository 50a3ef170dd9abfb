/* The keys of a track, as `sinew info --keys` gives them: times and values to the last bit. */
#ifndef SN_CLI_KEYS_H
#define SN_CLI_KEYS_H

#include "sinew/track.h"
#include "writer.h"

/* Members of an object: times, values, and the tangents of a cubic spline. */
void cli_write_keys(cli_writer *w, const sn_track *track);

/* A line for each key. */
void cli_append_keys(sn_text *text, const sn_track *track);

#endif
