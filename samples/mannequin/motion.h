/* The motions: poses at equal steps of time, made by rule. */
#ifndef MANNEQUIN_MOTION_H
#define MANNEQUIN_MOTION_H

#include "skeleton.h"

#define MOTION_RATE 30 /* keys a second */

typedef struct {
    const char *name;
    int frame_count; /* the first and the last are equal in loops */
    pose *frames;
} motion;

/* Standing at ease: breathing, the weight going over to the other leg and back, the head looking
 * about. A loop of 4 s. */
void motion_idle(motion *out);

/* Two steps in place, made for a ground that moves backwards at WALK_SPEED. A loop of 1.1 s. */
#define WALK_SPEED 1.15 /* m/s */
void motion_walk(motion *out);

/* The right hand goes up, waves three times and comes back: from the first pose of the idle motion
 * to the same. 2.5 s. */
void motion_wave(motion *out);

void motion_free(motion *m);

/* For motion_*.c: */

void motion_alloc(motion *out, const char *name, double seconds);

/* The standing pose of the idle motion at a time in seconds. */
void idle_pose(double seconds, pose *out);

/* Sets the legs so that the feet stand where they stand in the idle motion. */
void idle_place_feet(pose *p);

/* Arms hanging, hands at rest. */
void pose_hang_arms(pose *p);

/* Turns the leg so that the ankle is at `ankle` and the foot has the world rotation `foot`; the
 * knee goes towards `knee_forward`. The rest of the pose above the hips must be set. Returns how
 * much of the leg's length is used (1: straight). */
double pose_place_foot(pose *p, int upper_leg, vec3 ankle, quat foot, vec3 knee_forward);

/* A closed curve through keys of one period: `at` in ascending order within 0..1. Monotone between
 * keys (Fritsch and Carlson 1980), so that it never swings past a key. */
typedef struct {
    double at, value;
} curve_key;
double curve_cycle(const curve_key *keys, int count, double phase);

#endif
