/* From mesh, skeleton and motions to a glTF file. */
#ifndef MANNEQUIN_EXPORT_H
#define MANNEQUIN_EXPORT_H

#include "motion.h"
#include "weights.h"

#include <stdbool.h>

typedef struct {
    const body *body;
    const mesh *mesh; /* whole, in the design pose */
    const influence *weights;
    const motion *motions;
    int motion_count;
} mannequin;

/* Writes `path`, as VRM 1.0 or as plain glTF; says why on standard error and returns false when
 * that fails. */
bool mannequin_export(const mannequin *m, bool vrm, const char *path);

#endif
