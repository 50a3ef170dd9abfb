/* Twist of a bone, spread over the joints along it: a hand that turns a door knob turns the whole
 * forearm, and a skin that takes all of it at one joint is wrung out there like a candy wrapper.
 *
 * A rotation is a twist about an axis, followed by a swing whose own axis is at right angles to it.
 *
 * The twist that is spread is that of one joint, the source, away from its rest pose: a hand about
 * the forearm that it stands on, or, with `end`, an upper arm about its own bone. Joints that the
 * bone's tip stands on (the lower arm, twist bones in line) hand on what they are given, so the
 * tip is turned back by as much and stays where and as it was. Joints aside (twist bones that
 * nothing stands on) are turned alone. */
#ifndef SINEW_TWIST_H
#define SINEW_TWIST_H

#include "sinew/joints.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SN_TWIST_JOINTS = 16 };

/* The twist about the unit vector `axis` in a rotation that is a twist followed by a swing, radians
 * in [-pi, pi]; 0 for a swing by half a turn, in which a twist cannot be told. */
double sn_twist_angle(const float rotation[4], const float axis[3]);

/* The two factors: rotation = swing * twist. */
void sn_twist_split(const float rotation[4], const float axis[3], float swing[4], float twist[4]);

typedef struct sn_twist_share {
    uint32_t joint;
    float share; /* of the source's twist that this joint is turned by; may be negative */
} sn_twist_share;

typedef struct sn_twist_bone {
    uint32_t source;
    /* SN_NONE: the bone that ends at the source. A joint below: the bone from the source to it. */
    uint32_t end;
    const sn_twist_share *joints; /* at most SN_TWIST_JOINTS - 1; not the source, nor the end */
    uint32_t joint_count;
} sn_twist_bone;

/* Made from the rest pose by sn_twist_set_up, and only read afterwards. */
typedef struct sn_twist {
    uint32_t source, tip, top; /* top: the highest joint that the tip stands on and is turned */
    float axis[3];             /* of the bone, in the space of the source's parent */
    uint32_t count;
    struct sn_twist_turn {
        uint32_t joint;
        float share;
        bool is_in_line;
        float axis[3]; /* of the bone in its own space; in line, only where it is at the tip */
    } turns[SN_TWIST_JOINTS];
} sn_twist;

/* The twist of the frame before; zeros: none, as after a jump in time. With it the twist goes on
 * beyond half a turn; without it it is taken the short way, and jumps to the other side there. */
typedef struct sn_twist_state {
    float angle; /* radians */
    bool is_set;
} sn_twist_state;

/* Errors leave `out` untouched: chain.joints (no such joint, a joint that is twice there, a source
 * that stands on nothing, an end that is not below the source, a joint with a fixed matrix),
 * chain.value (a share that is not finite), chain.length (the bone has none). */
sn_result sn_twist_set_up(const sn_joints *joints, const sn_twist_bone *bone, sn_twist *out,
                          sn_error *error);

typedef struct sn_twist_job {
    const sn_twist *twist;
    float weight;          /* [0, 1], a factor of all shares; 0 leaves the pose bit for bit */
    sn_twist_state *state; /* NULL: stateless */
} sn_twist_job;

/* Writes the rotations of the source, the joints with a share, and the end. The tip keeps its
 * place and its rotation in the model exactly, wherever the joints in line lie. `angle` (may be
 * NULL): the source's twist, radians.
 *
 * The twist moves from the source to other joints: applied to its own output it spreads what is
 * left once more, so start from the pose of the animation.
 *
 * Errors leave pose, state and `angle` untouched: chain.value (a weight outside its range; a
 * rotation that is turned, or what lies between the joints in line and the tip, is not finite, or a
 * rotation is zero). */
sn_result sn_twist_apply(const sn_twist_job *job, const sn_joints *joints, double *angle,
                         sn_error *error);

#ifdef __cplusplus
}
#endif
#endif
