/* The fingers of one hand. */
#include <math.h>
#include <string.h>

#include "export.h"
#include "sinew/hand.h"

typedef struct hand_grip {
    /* In. */
    float curl[SN_FINGER_COUNT];
    float spread, radius, tilt, padding, weight;
    uint32_t has_rod;
    float rod_point[3], rod_direction[3];
    /* Out, of setting up: the palm in the hand's own space. */
    float forward[3], radial[3], palm[3]; /* unit */
    float knuckles[3];
    /* Out, of each frame. */
    uint32_t flags;
    float residual;
} hand_grip;

EXPORT(hand_grip_size) size_t export_hand_grip_size(void) {
    return sizeof(hand_grip);
}

/* Of an sn_hand, which the host does not look into. */
EXPORT(hand_grip_hand_size) size_t export_hand_grip_hand_size(void) {
    return sizeof(sn_hand);
}

/* `m` by columns. */
static void apply(const double m[9], const double v[3], bool is_direction, float out[3]) {
    double turned[3], square = 0;
    for (int i = 0; i < 3; i++) {
        turned[i] = m[i] * v[0] + m[3 + i] * v[1] + m[6 + i] * v[2];
        square += turned[i] * turned[i];
    }
    double scale = is_direction ? 1 / sqrt(square) : 1;
    for (int i = 0; i < 3; i++)
        out[i] = (float)(turned[i] * scale);
}

/* From the joints' rest pose. */
EXPORT(hand_grip_set_up)
sn_result export_hand_grip_set_up(hand_grip *b, sn_hand *hand, const sn_joints *joints,
                                  const sn_humanoid *humanoid, uint32_t is_left, sn_error *error) {
    sn_human_bone bone = is_left ? SN_HUMAN_LEFT_HAND : SN_HUMAN_RIGHT_HAND;
    sn_result result = sn_hand_set_up(joints, humanoid, bone, hand, error);
    if (result != SN_OK)
        return result;
    apply(hand->rest_axes_inverse, hand->forward, true, b->forward);
    apply(hand->rest_axes_inverse, hand->radial, true, b->radial);
    apply(hand->rest_axes_inverse, hand->palm, true, b->palm);
    apply(hand->rest_axes_inverse, hand->knuckles, false, b->knuckles);
    return SN_OK;
}

/* Turns the joints of the fingers. */
EXPORT(hand_grip_solve)
sn_result export_hand_grip_solve(hand_grip *b, const sn_hand *hand, const sn_joints *joints,
                                 sn_error *error) {
    sn_rod rod = {.radius = b->radius};
    memcpy(rod.point, b->rod_point, sizeof rod.point);
    memcpy(rod.direction, b->rod_direction, sizeof rod.direction);
    sn_hand_pose pose = {.spread = b->spread,
                         .radius = b->radius,
                         .tilt = b->tilt,
                         .rod = b->has_rod ? &rod : NULL,
                         .padding = b->padding};
    memcpy(pose.curl, b->curl, sizeof pose.curl);
    sn_hand_output out;
    sn_hand_job job = {hand, &pose, b->weight};
    sn_result result = sn_hand_apply(&job, joints, &out, error);
    if (result != SN_OK)
        return result;
    b->flags = out.flags;
    b->residual = out.residual;
    return SN_OK;
}
