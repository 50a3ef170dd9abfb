/* Radians. */
#ifndef SN_MATH_ANGLE_H
#define SN_MATH_ANGLE_H

#define SN_PI 3.14159265358979323846
#define SN_DEGREE (SN_PI / 180)

/* The float above pi: what is read as half a turn is often a float that is more. */
#define SN_HALF_TURN_MAX 3.1415928f

#endif
