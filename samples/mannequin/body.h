/* The body as one smooth field, in the design pose. */
#ifndef MANNEQUIN_BODY_H
#define MANNEQUIN_BODY_H

#include "field.h"
#include "skeleton.h"

enum { FINGER_THUMB, FINGER_INDEX, FINGER_MIDDLE, FINGER_RING, FINGER_LITTLE, FINGER_COUNT };

/* A round curve through joints and tip: four coefficients for each of the three bones, of the place
 * and of the finger's radius. */
typedef struct {
    vec3 place[3][4];
    double radius[3][4];
} finger_curve;

typedef struct {
    rigid frame[JOINT_COUNT];     /* the design pose */
    rigid foot;                   /* on the ground below the left ankle, turned out a little */
    vec3 finger[FINGER_COUNT][4]; /* left: three joints and the centre of the tip */
    finger_curve curve[FINGER_COUNT];
    loft torso, arm, leg, foot_shape, face;
} body;

#define EYE_RADIUS 0.0125

void body_prepare(body *b);

/* Left and right are equal: the sign of p.x does not matter. */
double body_distance(const body *b, vec3 p);

/* Unit vector along which the distance grows fastest. */
vec3 body_normal(const body *b, vec3 p);

/* Walks from `p` to the surface (Newton's method along the gradient). */
vec3 body_project(const body *b, vec3 p);

/* The point in the space of the left upper arm, as if the bent elbow were straight: going over from
 * the space of one bone to that of the other. */
vec3 body_arm_straightened(const body *b, vec3 p);

/* Parts of the left side, for the weights. */
double body_finger_distance(const body *b, vec3 p, int finger);
double body_thumb_distance(const body *b, vec3 p); /* with its ball */
double body_palm_distance(const body *b, vec3 p);  /* without */

/* In body_head.c, body_hand.c, body_foot.c. */
void head_prepare(body *b);
double head_distance(const body *b, vec3 p);
double head_openings(double distance, vec3 p);
void hand_prepare(body *b);
double hand_distance(const body *b, vec3 p);
void foot_prepare(body *b);
double foot_distance(const body *b, vec3 p);

#endif
