/* The parts of the skin that have the second material: seams at the joints. */
#ifndef MANNEQUIN_ACCENT_H
#define MANNEQUIN_ACCENT_H

#include "body.h"

/* Positive inside the seams; in metres from their edges along the limb. Design pose. */
double accent_level(const body *b, vec3 p);

/* Zero along one and the other edge of the seams. They jump half-way between two seams. */
double accent_near_edge(const body *b, vec3 p);
double accent_far_edge(const body *b, vec3 p);

#endif
