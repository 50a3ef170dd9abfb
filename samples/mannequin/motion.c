#include "motion.h"

#include "mesh.h"

#include <stdlib.h>

void motion_alloc(motion *out, const char *name, double seconds) {
    out->name = name;
    out->frame_count = (int)lround(seconds * MOTION_RATE) + 1;
    out->frames = mq_grow(NULL, (size_t)out->frame_count, sizeof *out->frames);
}

void motion_free(motion *m) {
    free(m->frames);
    m->frames = NULL;
}

/* Values and slopes of the key before (or after) the wanted phase, in unrolled time. */
static double key_time(const curve_key *keys, int count, int i) {
    int lap = i < 0 ? -1 : i >= count ? 1 : 0;
    return keys[i - lap * count].at + lap;
}

static double key_value(const curve_key *keys, int count, int i) {
    return keys[(i + count) % count].value;
}

static double key_slope(const curve_key *keys, int count, int i) {
    double before = key_time(keys, count, i) - key_time(keys, count, i - 1);
    double after = key_time(keys, count, i + 1) - key_time(keys, count, i);
    double rise = (key_value(keys, count, i) - key_value(keys, count, i - 1)) / before;
    double next = (key_value(keys, count, i + 1) - key_value(keys, count, i)) / after;
    if (rise * next <= 0.0)
        return 0.0;
    double w1 = 2.0 * after + before, w2 = after + 2.0 * before;
    return (w1 + w2) / (w1 / rise + w2 / next);
}

double curve_cycle(const curve_key *keys, int count, double phase) {
    phase -= floor(phase);
    int i = -1;
    while (i + 1 < count && keys[i + 1].at <= phase)
        i++;
    if (i < 0) { /* before the first key: the interval from the last key of the lap before */
        i = count - 1;
        phase += 1.0;
    }
    double t0 = keys[i].at, t1 = i + 1 < count ? keys[i + 1].at : keys[0].at + 1.0;
    int j = (i + 1) % count;
    double width = t1 - t0, t = (phase - t0) / width;
    double m0 = key_slope(keys, count, i) * width, m1 = key_slope(keys, count, j) * width;
    double t2 = t * t, t3 = t2 * t;
    return (2.0 * t3 - 3.0 * t2 + 1.0) * keys[i].value + (t3 - 2.0 * t2 + t) * m0 +
           (3.0 * t2 - 2.0 * t3) * keys[j].value + (t3 - t2) * m1;
}

static void set_both(pose *p, int left_joint, quat q) {
    p->rotation[left_joint] = q;
    p->rotation[joint_opposite(left_joint)] = quat_mirror_x(q);
}

void pose_hang_arms(pose *p) {
    static const struct {
        int joint;
        double x, y, z;
    } turns[] = {
        {JOINT_LEFT_SHOULDER, 0.0, 2.0, -5.0},  {JOINT_LEFT_LOWER_ARM, 8.0, -17.0, 0.0},
        {JOINT_LEFT_HAND, 5.0, -2.0, -5.0},     {JOINT_LEFT_THUMB, 4.0, 10.0, -6.0},
        {JOINT_LEFT_THUMB_2, 0.0, 8.0, -4.0},   {JOINT_LEFT_THUMB_3, 0.0, 12.0, -4.0},
        {JOINT_LEFT_INDEX, 0.0, 1.0, -16.0},    {JOINT_LEFT_INDEX_2, 0.0, 0.0, -22.0},
        {JOINT_LEFT_INDEX_3, 0.0, 0.0, -12.0},  {JOINT_LEFT_MIDDLE, 0.0, 0.0, -21.0},
        {JOINT_LEFT_MIDDLE_2, 0.0, 0.0, -26.0}, {JOINT_LEFT_MIDDLE_3, 0.0, 0.0, -14.0},
        {JOINT_LEFT_RING, 0.0, -2.0, -25.0},    {JOINT_LEFT_RING_2, 0.0, 0.0, -28.0},
        {JOINT_LEFT_RING_3, 0.0, 0.0, -15.0},   {JOINT_LEFT_LITTLE, 0.0, -4.0, -28.0},
        {JOINT_LEFT_LITTLE_2, 0.0, 0.0, -29.0}, {JOINT_LEFT_LITTLE_3, 0.0, 0.0, -15.0},
    };
    for (size_t i = 0; i < sizeof turns / sizeof turns[0]; i++)
        set_both(p, turns[i].joint, quat_euler(turns[i].x, turns[i].y, turns[i].z));
    quat hang = quat_mul(quat_euler(0.0, 0.0, -75.0), quat_euler(10.0, 0.0, 0.0));
    set_both(p, JOINT_LEFT_UPPER_ARM, hang);
}

double pose_place_foot(pose *p, int upper_leg, vec3 ankle, quat foot, vec3 knee_forward) {
    int lower_leg = upper_leg + 1, foot_joint = upper_leg + 2;
    rigid world[JOINT_COUNT];
    pose_world(p, world);
    vec3 hip = world[upper_leg].translation;
    vec3 thigh = joint_offset(lower_leg), shank = joint_offset(foot_joint);
    double a = v3_length(thigh), b = v3_length(shank);
    vec3 reach = v3_sub(ankle, hip);
    double wanted = v3_length(reach), longest = (a + b) * 0.99995;
    double distance = fmin(wanted, longest);

    /* The knee is a hinge about x; at rest it is bent by a few degrees already. */
    double cosine = (distance * distance - a * a - b * b) / (2.0 * a * b);
    double rest_bend = acos(clamp(v3_dot(thigh, shank) / (a * b), -1.0, 1.0));
    quat knee = quat_axis_angle(v3(1.0, 0.0, 0.0), acos(clamp(cosine, -1.0, 1.0)) - rest_bend);
    p->rotation[lower_leg] = knee;

    /* Turn the frame of hinge and leg line at rest into the one wanted. */
    vec3 line = v3_normalize(v3_add(thigh, quat_rotate(knee, shank)));
    vec3 to = v3_normalize(reach);
    vec3 hinge = v3_normalize(v3_cross(knee_forward, to));
    quat swing = quat_between(line, to);
    vec3 turned = quat_rotate(swing, v3(1.0, 0.0, 0.0));
    double twist = atan2(v3_dot(v3_cross(turned, hinge), to), v3_dot(turned, hinge));
    quat thigh_world = quat_mul(quat_axis_angle(to, twist), swing);
    int parent = joint_parent(upper_leg);
    p->rotation[upper_leg] =
        quat_normalize(quat_mul(quat_conjugate(world[parent].rotation), thigh_world));
    p->rotation[foot_joint] =
        quat_normalize(quat_mul(quat_conjugate(quat_mul(thigh_world, knee)), foot));
    return wanted / (a + b);
}
