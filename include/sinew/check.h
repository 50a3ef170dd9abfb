/* Preflight: what is wrong or unusual in a file, beyond what the reader refuses. */
#ifndef SINEW_CHECK_H
#define SINEW_CHECK_H

#include "sinew/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sn_finding {
    const char *id; /* stable: a message name such as "weights.sum" */
    sn_severity severity;
    const char *pointer; /* JSON pointer into the file */
    const char *message;
    const char *fix; /* what `sinew fix` would do, or NULL */
} sn_finding;

typedef struct sn_findings {
    size_t count;
    const sn_finding *items; /* in the arena */
} sn_findings;

/* Structure of skeleton, skins, weights, clips and keys. Read with geometry for the weights. */
sn_result sn_check_model(const sn_model *model, sn_arena *arena, sn_findings *out, sn_error *error);

#ifdef __cplusplus
}
#endif
#endif
