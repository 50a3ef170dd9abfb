#include "motion.h"

/* The arm is posed by the directions of its bones: the hinge of the elbow and with it the twist of
 * the upper arm follow from them. */

#define WAVE_SECONDS 2.5

/* World rotations of the left arm's bones for a direction of upper and lower arm. */
static quat arm_frame(vec3 along, vec3 side) {
    vec3 x = v3_normalize(along);
    vec3 z = v3_normalize(v3_add_scaled(side, x, -v3_dot(side, x)));
    vec3 y = v3_cross(z, x);
    /* Quaternion of the matrix with columns x, y, z; its trace stays positive here. */
    double w = 0.5 * sqrt(fmax(1e-12, 1.0 + x.x + y.y + z.z));
    return quat_normalize(
        (quat){(y.z - z.y) / (4.0 * w), (z.x - x.z) / (4.0 * w), (x.y - y.x) / (4.0 * w), w});
}

/* The raised arm in a pose whose trunk is set; `swing` in -1..1 leads the hand to and fro. */
static void raised_arm(pose *p, double swing, double lag) {
    int offset = JOINTS_PER_SIDE;
    quat collar = quat_mirror_x(quat_euler(0.0, -4.0, 8.0));
    p->rotation[JOINT_LEFT_SHOULDER + offset] = collar;
    rigid world[JOINT_COUNT];
    pose_world(p, world);
    /* Think of the left arm in the mirror. */
    quat parent = quat_mirror_x(world[JOINT_RIGHT_SHOULDER].rotation);
    vec3 upper = v3(0.76, -0.47 + 0.05 * swing, 0.45);
    vec3 lower = quat_rotate(quat_axis_angle(v3(-0.30, 0.0, 1.0), radians(-4.0 - 17.0 * swing)),
                             v3(0.10, 0.95, 0.22));
    quat upper_world = arm_frame(upper, lower);
    vec3 lower_local = quat_rotate(quat_conjugate(upper_world), v3_normalize(lower));
    double bend = atan2(lower_local.z, lower_local.x);
    p->rotation[JOINT_RIGHT_UPPER_ARM] =
        quat_mirror_x(quat_normalize(quat_mul(quat_conjugate(parent), upper_world)));
    p->rotation[JOINT_RIGHT_LOWER_ARM] = quat_mirror_x(
        quat_mul(quat_axis_angle(v3(0.0, -1.0, 0.0), bend), quat_euler(-16.0, 0.0, 0.0)));
    p->rotation[JOINT_RIGHT_HAND] =
        quat_mirror_x(quat_mul(quat_euler(-8.0, 0.0, 0.0), quat_euler(0.0, -11.0 * lag, 10.0)));

    static const double spread[4] = {7.0, 1.0, -5.0, -11.0};
    for (int f = 0; f < 4; f++)
        for (int i = 0; i < 3; i++) {
            double curl = i == 0 ? -6.0 - 2.0 * f : -8.0 - 1.0 * f;
            quat q = quat_euler(0.0, i == 0 ? -spread[f] * 0.7 : 0.0, curl + 3.0 * lag);
            p->rotation[JOINT_RIGHT_INDEX + 3 * f + i] = quat_mirror_x(q);
        }
    p->rotation[JOINT_RIGHT_THUMB] = quat_mirror_x(quat_euler(0.0, -8.0, 2.0));
    p->rotation[JOINT_RIGHT_THUMB_2] = quat_mirror_x(quat_euler(0.0, 4.0, 0.0));
    p->rotation[JOINT_RIGHT_THUMB_3] = quat_mirror_x(quat_euler(0.0, 6.0, -2.0));
}

static double up_and_down(double seconds, double start, double end, double fall, double low) {
    return smooth_ramp(start, end, seconds) * (1.0 - smooth_ramp(fall, low, seconds));
}

static void blend(pose *p, const pose *target, int first, int last, double amount) {
    for (int j = first; j <= last; j++)
        p->rotation[j] = quat_slerp(p->rotation[j], target->rotation[j], amount);
}

static void add(pose *p, int joint, quat q) {
    p->rotation[joint] = quat_normalize(quat_mul(q, p->rotation[joint]));
}

static void wave_pose(double seconds, pose *out) {
    idle_pose(0.0, out);
    /* The trunk leads, the upper arm follows, then forearm, hand and fingers. */
    double trunk = up_and_down(seconds, 0.00, 0.62, 1.72, 2.46);
    double upper = up_and_down(seconds, 0.04, 0.66, 1.76, 2.46);
    double fore = up_and_down(seconds, 0.02, 0.70, 1.78, 2.48);
    double hand = up_and_down(seconds, 0.10, 0.78, 1.72, 2.44);
    /* Three swings, growing from nothing and dying down. */
    double beat = 2.0 * MQ_PI * (seconds - 0.50) / 0.46;
    double strength = up_and_down(seconds, 0.42, 0.80, 1.62, 1.98);
    double swing = strength * sin(beat), lag = strength * sin(beat - 0.9);

    out->hips = v3_add(out->hips, v3(0.012 * trunk, 0.002 * trunk, 0.004 * trunk));
    add(out, JOINT_HIPS, quat_euler(0.0, -1.0 * trunk, 1.2 * trunk));
    idle_place_feet(out);
    add(out, JOINT_SPINE, quat_euler(-0.6 * trunk, -1.5 * trunk, 1.6 * trunk));
    add(out, JOINT_CHEST, quat_euler(-0.6 * trunk, -2.0 * trunk, 1.8 * trunk + 0.4 * swing));
    add(out, JOINT_UPPER_CHEST, quat_euler(-0.6 * trunk, -2.5 * trunk, 1.6 * trunk + 0.5 * swing));
    add(out, JOINT_NECK, quat_euler(-0.5 * trunk, 2.0 * trunk, -3.0 * trunk));
    add(out, JOINT_HEAD, quat_euler(-1.5 * trunk, 3.0 * trunk, -4.5 * trunk - 0.8 * lag));
    add(out, JOINT_LEFT_UPPER_ARM, quat_euler(2.5 * trunk, 0.0, 2.0 * trunk));

    pose raised = *out;
    raised_arm(&raised, swing, lag);
    blend(out, &raised, JOINT_RIGHT_SHOULDER, JOINT_RIGHT_UPPER_ARM, upper);
    blend(out, &raised, JOINT_RIGHT_LOWER_ARM, JOINT_RIGHT_LOWER_ARM, fore);
    blend(out, &raised, JOINT_RIGHT_HAND, JOINT_RIGHT_LITTLE_3, hand);
}

void motion_wave(motion *out) {
    motion_alloc(out, "wave", WAVE_SECONDS);
    for (int i = 0; i < out->frame_count; i++)
        wave_pose((double)i / MOTION_RATE, &out->frames[i]);
    out->frames[out->frame_count - 1] = out->frames[0];
}
