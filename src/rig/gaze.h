/* Gazes as rotations and directions, for look_at.c and follow.c. */
#ifndef SN_RIG_GAZE_H
#define SN_RIG_GAZE_H

#include "math/angle.h"
#include "math/dquat.h"
#include "rig/space.h"
#include "sinew/look_at.h"

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

/* The head in a pose, in the model's space. */
typedef struct sn_head_pose {
    sn_dvec3 joint, eyes; /* points; the eyes' is between them */
    sn_dquat turned;      /* from the rest pose */
} sn_head_pose;

sn_head_pose sn_head_pose_of(const sn_look_at *rig, const sn_joints *joints);

/* From a point along axes that are turned, to a point. */
sn_gaze sn_gaze_to(const sn_look_at *rig, sn_dquat axes, sn_dvec3 from, sn_dvec3 target);

/* Each from 0 to pi. */
bool sn_gaze_are_limits(const sn_gaze_limits *limits);

/* Whether all that is turned can be, and a root with an inverse is there. */
sn_result sn_look_at_check(const sn_look_at *rig, const sn_joints *joints, sn_space *from_world,
                           sn_error *error);

#endif
