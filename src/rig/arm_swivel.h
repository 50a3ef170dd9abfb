/* Where on its circle about the line from shoulder to wrist the elbow goes, given what it would do
 * by itself, the ranges of shoulder and wrist, and what is in the way.
 *
 * A swivel turns the arm about that line as one piece, so that every measure of it follows from
 * those of the unswivelled arm. */
#ifndef SN_RIG_ARM_SWIVEL_H
#define SN_RIG_ARM_SWIVEL_H

#include "rig/arm_chain.h"

typedef struct sn_swivel_capsule {
    sn_dvec3 a, b; /* world */
    double radius; /* with the arm's own thickness */
} sn_swivel_capsule;

typedef struct sn_swivel_input {
    const sn_arm *arm;
    const sn_arm_job *job;
    const sn_arm_limits *limits; /* NULL: none */
    sn_dvec3 root, elbow, wrist; /* world, unswivelled */
    sn_dquat upper;              /* the upper arm's local rotation */
    sn_similarity upper_parent;  /* the space of that */
    sn_similarity fore;          /* the space of the hand's local rotation */
    sn_dquat hand_rest;          /* the hand's local rotation at rest */
    sn_swivel_capsule capsules[SN_ARM_CAPSULES];
    uint32_t capsule_count;
} sn_swivel_input;

/* Radians about the line from root to wrist; 0 where nothing is in the way. */
double sn_arm_swivel_find(const sn_swivel_input *input);

/* Metres by which elbow or forearm are within a capsule. */
double sn_arm_swivel_depth(const sn_swivel_input *input, double swivel);

#endif
