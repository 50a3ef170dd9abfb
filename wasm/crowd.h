/* Many characters of one session: instances that play the document's clips, evaluated in one call.
 */
#ifndef SINEW_WASM_CROWD_H
#define SINEW_WASM_CROWD_H

#include "session.h"
#include "sinew/crowd.h"

typedef struct crowd {
    session *session; /* must outlive the crowd */
    uint32_t count;
    uint32_t matrix_count; /* joint matrices of one character: all skins, one after the other */
    sn_crowd *lanes;
    uint32_t *clips; /* for each character, SN_NONE for the rest pose; written by the host */
    float *times;    /* for each character, seconds; written by the host */
    float *roots;    /* for each character, a 3x4 matrix of rows; written by the host */
    sn_affine *joint_matrices; /* count * matrix_count */
    sn_arena arena;
} crowd;

/* NULL: no memory, the session's error is set. */
crowd *crowd_create(session *s, uint32_t count);
void crowd_free(crowd *c);
/* argument when a character's clip does not exist; nothing is evaluated then. */
sn_result crowd_evaluate(crowd *c);

#endif
