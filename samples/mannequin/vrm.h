/* What makes a VRM 1.0 avatar of the figure: names of bones, use, the range of the eyes. */
#ifndef MANNEQUIN_VRM_H
#define MANNEQUIN_VRM_H

#include "text.h"

/* The value of the file's "extensions". */
void vrm_extension(text *out);

#endif
