#include "motion.h"

/* A loop of four seconds: one slow breath (15 a minute, the resting rate of adults), one shift of
 * the weight. Every wave has a whole number of periods, so that the loop closes. */

#define IDLE_SECONDS 4.0

static double wave_of(double seconds, double periods, double phase) {
    return sin(2.0 * MQ_PI * (seconds / IDLE_SECONDS * periods - phase));
}

static quat turn(double x, double y, double z) {
    return quat_euler(x, y, z);
}

/* Adds a rotation in the parent's space. */
static void add(pose *p, int joint, quat q) {
    p->rotation[joint] = quat_normalize(quat_mul(q, p->rotation[joint]));
}

void idle_place_feet(pose *p) {
    vec3 left = v3_add(joint_rest(JOINT_LEFT_FOOT), v3(0.018, 0.0, 0.030));
    vec3 right = v3_add(joint_rest(JOINT_RIGHT_FOOT), v3(0.004, 0.0, -0.014));
    quat left_foot = turn(0.0, 9.0, 0.0), right_foot = turn(0.0, -5.0, 0.0);
    vec3 forward = v3(0.0, 0.0, 1.0);
    pose_place_foot(p, JOINT_LEFT_UPPER_LEG, left, left_foot, quat_rotate(left_foot, forward));
    pose_place_foot(p, JOINT_RIGHT_UPPER_LEG, right, right_foot, quat_rotate(right_foot, forward));
}

void idle_pose(double seconds, pose *out) {
    double sway = wave_of(seconds, 1.0, 0.10);
    double slow = wave_of(seconds, 1.0, 0.35);
    double breath = 0.5 - 0.5 * cos(2.0 * MQ_PI * seconds / IDLE_SECONDS);
    double late_breath = 0.5 - 0.5 * cos(2.0 * MQ_PI * (seconds / IDLE_SECONDS - 0.08));

    pose_rest(out);
    pose_hang_arms(out);
    /* The weight rests on the right leg; the left knee is loose and the hip on its side sinks. */
    out->hips = v3_add(joint_rest(JOINT_HIPS),
                       v3(-0.022 + 0.010 * sway, -0.014 + 0.0015 * slow, -0.006 + 0.003 * slow));
    out->rotation[JOINT_HIPS] = turn(1.0, 2.0 + 0.8 * sway, -2.2 + 0.9 * sway);
    out->rotation[JOINT_SPINE] = turn(-0.5, -0.5, 1.6 - 0.6 * sway);
    out->rotation[JOINT_CHEST] = turn(0.4 - 0.7 * breath, -0.8, 1.4 - 0.5 * sway);
    out->rotation[JOINT_UPPER_CHEST] = turn(0.4 - 1.1 * breath, -1.0 - 0.4 * sway, 0.4);
    out->rotation[JOINT_NECK] = turn(1.0 + 0.8 * late_breath, 1.2 * slow, -0.4 + 0.3 * sway);
    out->rotation[JOINT_HEAD] = turn(-0.6 + 1.0 * late_breath + 0.5 * wave_of(seconds, 2.0, 0.2),
                                     0.5 + 2.6 * slow, -0.8 - 0.6 * sway);

    /* The collar bones rise with the breath, the arms follow a little later. */
    for (int side = 0; side < 2; side++) {
        int offset = side * JOINTS_PER_SIDE;
        double sign = side ? -1.0 : 1.0;
        add(out, JOINT_LEFT_SHOULDER + offset, turn(0.0, 0.0, sign * (1.6 * breath - 0.4)));
        add(out, JOINT_LEFT_UPPER_ARM + offset,
            turn(-1.0 + 0.8 * sway * sign, 0.0, sign * (-0.6 * late_breath - 0.5)));
        add(out, JOINT_LEFT_LOWER_ARM + offset, turn(0.0, sign * -1.4 * late_breath, 0.0));
        for (int j = JOINT_LEFT_INDEX; j <= JOINT_LEFT_LITTLE_3; j++)
            add(out, j + offset,
                turn(0.0, 0.0, sign * (0.9 * wave_of(seconds, 1.0, 0.05 * (j % 3) + 0.2 * side))));
    }
    /* Small differences between the sides keep the figure from looking like a doll. */
    add(out, JOINT_LEFT_LOWER_ARM, turn(0.0, -4.0, 0.0));
    add(out, JOINT_RIGHT_UPPER_ARM, turn(2.0, 0.0, 1.0));

    idle_place_feet(out);
}

void motion_idle(motion *out) {
    motion_alloc(out, "idle", IDLE_SECONDS);
    for (int i = 0; i < out->frame_count - 1; i++)
        idle_pose((double)i / MOTION_RATE, &out->frames[i]);
    out->frames[out->frame_count - 1] = out->frames[0];
}
