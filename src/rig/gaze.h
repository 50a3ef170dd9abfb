/* Gazes as rotations and directions, for look_at.c and follow.c. */
#ifndef SN_RIG_GAZE_H
#define SN_RIG_GAZE_H

#include "math/dquat.h"
#include "rig/space.h"
#include "sinew/look_at.h"

#define SN_PI 3.14159265358979323846
#define SN_DEGREE (SN_PI / 180)

/* `facing` as in sn_humanoid: 1 or -1. A vector of no length gives zeros. */
sn_gaze sn_gaze_of_direction(sn_dvec3 direction, double facing);
sn_dvec3 sn_gaze_direction(sn_gaze gaze, double facing); /* unit */

/* Takes the front to the gaze: Euler angles YXZ of (pitch, yaw, 0), the pitch's sign being that of
 * a right-handed turn about +x. */
sn_dquat sn_gaze_rotation(sn_gaze gaze, double facing);

/* What an eye bone turns by. */
sn_gaze sn_gaze_mapped(const sn_gaze_maps *maps, bool is_left, sn_gaze gaze);

double sn_angle_wrapped(double angle); /* from -pi to pi */
sn_gaze sn_gaze_between(sn_gaze from, sn_gaze to, double share);

/* Between the eyes, in the model's space. */
sn_dvec3 sn_look_at_eye_point(const sn_look_at *rig, const sn_joints *joints);

/* To a point of the model's space. */
sn_gaze sn_look_at_measure_model(const sn_look_at *rig, const sn_joints *joints,
                                 sn_gaze_space space, sn_dvec3 target);

/* The unit vector, in the model's space, that such a gaze has in the pose. */
sn_dvec3 sn_look_at_direction_model(const sn_look_at *rig, const sn_joints *joints,
                                    sn_gaze_space space, sn_gaze gaze);

/* Each from 0 to pi. */
bool sn_gaze_are_limits(const sn_gaze_limits *limits);

/* Whether all that is turned can be, and a root with an inverse is there. */
sn_result sn_look_at_check(const sn_look_at *rig, const sn_joints *joints, sn_space *from_world,
                           sn_error *error);

#endif
