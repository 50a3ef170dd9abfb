/* Directions, axes and turns of the world, seen from the space of a joint. A mirrored space is a
 * rotation after x is turned about: directions go along with that, axes of rotation against it. */
#ifndef SN_RIG_SIMILARITY_H
#define SN_RIG_SIMILARITY_H

#include "math/dmat3.h"
#include "math/dquat.h"

/* What is left of a matrix that maps as a rotation and one scale do, mirrored or not. */
typedef struct sn_similarity {
    sn_dquat rotation;
    bool is_mirrored; /* then x is turned about before the rotation */
    bool is_exact;    /* no axis differs by more than 2e-6: this is the matrix but for its scale */
} sn_similarity;

sn_similarity sn_similarity_of(const sn_dmat3 *m);

static inline sn_similarity sn_affine_similarity(const sn_affine *affine) {
    sn_dmat3 m = sn_dmat3_of_affine(affine);
    return sn_similarity_of(&m);
}

static inline sn_dvec3 sn_similarity_direction(const sn_similarity *space, sn_dvec3 world) {
    sn_dvec3 v = sn_dquat_rotate(sn_dquat_conjugate(space->rotation), world);
    return space->is_mirrored ? (sn_dvec3){-v.x, v.y, v.z} : v;
}

/* Of an axis about which something turns by the right hand. */
static inline sn_dvec3 sn_similarity_axis(const sn_similarity *space, sn_dvec3 world) {
    sn_dvec3 v = sn_dquat_rotate(sn_dquat_conjugate(space->rotation), world);
    return space->is_mirrored ? (sn_dvec3){v.x, -v.y, -v.z} : v;
}

static inline sn_dvec3 sn_similarity_axis_out(const sn_similarity *space, sn_dvec3 local) {
    return sn_dquat_rotate(space->rotation,
                           space->is_mirrored ? (sn_dvec3){local.x, -local.y, -local.z} : local);
}

/* A rotation in this space from one of the world, as sn_affine_decompose has it, and back. */
static inline sn_dquat sn_similarity_rotation(const sn_similarity *space, sn_dquat world) {
    sn_dquat q = sn_dquat_multiply(sn_dquat_conjugate(space->rotation), world);
    return space->is_mirrored ? (sn_dquat){q.x, -q.y, -q.z, q.w} : q;
}

static inline sn_dquat sn_similarity_rotation_out(const sn_similarity *space, sn_dquat local) {
    sn_dquat q = space->is_mirrored ? (sn_dquat){local.x, -local.y, -local.z, local.w} : local;
    return sn_dquat_multiply(space->rotation, q);
}

static inline void sn_store_quat(float out[4], sn_dquat q) {
    q = sn_dquat_unit(q);
    out[0] = (float)q.x, out[1] = (float)q.y, out[2] = (float)q.z, out[3] = (float)q.w;
}

static inline void sn_store_vec3(float out[3], sn_dvec3 v) {
    out[0] = (float)v.x, out[1] = (float)v.y, out[2] = (float)v.z;
}

#endif
