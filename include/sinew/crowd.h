/* Many characters of one prepared model that play clips, evaluated together, one a lane: as many at
 * once as the kernel has lanes. For who needs nothing of a character but its joint matrices, which
 * have the bits that an instance of its own would give; morph weights are not sampled. */
#ifndef SINEW_CROWD_H
#define SINEW_CROWD_H

#include "sinew/instance.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Room to work in, for any number of characters; belongs to one thread at a time. The prepared
 * model must outlive it. Creating it is the only allocation. Errors: memory. */
typedef struct sn_crowd sn_crowd;
sn_result sn_crowd_create(const sn_prepared_model *prepared, const sn_allocator *allocator,
                          sn_crowd **out, sn_error *error);
void sn_crowd_free(sn_crowd *crowd);
size_t sn_crowd_bytes(const sn_crowd *crowd);
/* Joint matrices of one character: those of all skins, one skin after the other. */
uint32_t sn_crowd_matrix_count(const sn_crowd *crowd);

typedef struct sn_crowd_member {
    const sn_clip *clip;       /* NULL: the rest pose */
    const sn_clip_view *view;  /* made from `clip`; NULL: its keys are sampled */
    float time;                /* seconds */
    const sn_affine *root;     /* above the roots; NULL: the identity */
    sn_affine *joint_matrices; /* sn_crowd_matrix_count of them, written */
} sn_crowd_member;

void sn_crowd_evaluate(sn_crowd *crowd, const sn_crowd_member *members, size_t count);

#ifdef __cplusplus
}
#endif
#endif
