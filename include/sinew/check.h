/* Preflight: what is wrong or unusual in a file, beyond what the reader refuses. */
#ifndef SINEW_CHECK_H
#define SINEW_CHECK_H

#include "sinew/memory.h"
#include "sinew/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One kind of finding. docs/check.md describes them all. */
typedef struct sn_check_rule {
    const char *id; /* stable, such as "weights.sum" */
    sn_severity severity;
    const char *fix; /* the repair that mends it, in words; NULL: a person has to decide */
} sn_check_rule;

/* All rules, sorted by id; static storage. */
const sn_check_rule *sn_check_rules(size_t *count);

typedef struct sn_finding {
    const char *id;
    sn_severity severity;
    const char *pointer; /* JSON pointer into the file; "" is the file as a whole */
    const char *message; /* what is so, and what would be right */
    const char *fix;     /* as in the rule; may be NULL */
} sn_finding;

typedef struct sn_findings {
    size_t count;
    const sn_finding *items; /* in the arena, in the file's order: nodes, skins, meshes, clips */
} sn_findings;

/* Structure of skeleton, skins, weights, clips and keys, in time linear in the model. Without
 * geometry (see sn_gltf_options) the rules on weights have nothing to look at. Fails only for want
 * of memory. */
sn_result sn_check_model(const sn_model *model, sn_arena *arena, sn_findings *out, sn_error *error);

#ifdef __cplusplus
}
#endif
#endif
