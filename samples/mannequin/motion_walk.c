#include "motion.h"

/* Level walking after the normative curves in Perry and Burnfield, "Gait Analysis" (2nd ed.), and
 * Winter, "Biomechanics and Motor Control of Human Movement" (4th ed., appendix A): stance takes
 * 62 % of the cycle; heel strike with the foot 20 degrees up, flat at 8 %, heel off at 36 %, toe
 * off with the heel turned up by 60 degrees; knee bent by 15-20 degrees at 14 % and 60-65 at 72 %.
 * The pelvis bobs twice a cycle by 4 cm and sways by 2 cm to the standing leg (Inman, Ralston and
 * Todd, "Human Walking"), turns by 5 degrees forward with the swinging leg and drops by 4 on its
 * side; shoulders turn against it.
 *
 * Phase 0 is the left heel strike; the right leg is half a cycle behind. Everything is relative to
 * the walker, so the ground moves backwards at WALK_SPEED. While a foot touches the ground, its
 * motion follows from the part that touches: rolling on the heel, flat, rolling on the toes, at
 * last turning on their tips. The legs are then solved from pelvis and foot. */

#define CYCLE 1.1
#define STRIDE (WALK_SPEED * CYCLE)
#define FLAT_BEGINS 0.08
#define TOE_OFF 0.62
#define PASSING 0.234 /* phase at which the standing ankle passes below the hips */
#define TOES_BEND_MOST 42.0
#define STEP_HALF_WIDTH 0.062

/* Seen from the left, in the plane of the walk: z forward, y up. */
typedef struct {
    double z, y;
} point2;

typedef struct {
    double ground; /* where on the ground the ankle of the flat foot would be */
    point2 ankle;  /* z from there, along the foot */
    double pitch;  /* degrees, toes up */
    double toes;   /* degrees, bent upwards */
} foot_state;

/* Where the parts of the foot are, from the ankle. */
static const point2 heel = {-0.026, -0.046}; /* centre of the ball of the heel */
static const double heel_radius = 0.036;
static const point2 ball = {0.122, -0.062};
static const point2 tip_from_ball = {0.080, -0.016};

static point2 turned(point2 v, double degrees) {
    double c = cos(radians(degrees)), s = sin(radians(degrees));
    return (point2){v.z * c - v.y * s, v.z * s + v.y * c};
}

static double foot_pitch(double phase) {
    static const curve_key keys[] = {
        {0.00, 20.0},  {0.03, 12.5},  {0.08, 0.0},   {0.36, 0.0},    {0.42, -3.5},  {0.48, -12.5},
        {0.54, -31.0}, {0.59, -52.0}, {0.62, -60.0}, {0.655, -64.0}, {0.70, -56.0}, {0.75, -38.0},
        {0.80, -18.0}, {0.85, -1.0},  {0.90, 11.0},  {0.95, 19.0},   {0.98, 21.5},
    };
    return curve_cycle(keys, (int)(sizeof keys / sizeof keys[0]), phase);
}

/* The foot while it touches the ground, 0 <= phase <= TOE_OFF. */
static foot_state foot_on_ground(double phase) {
    double height = joint_rest(JOINT_LEFT_FOOT).y;
    double pitch = foot_pitch(phase);
    foot_state s = {STRIDE * (PASSING - phase), {0.0, height}, pitch, 0.0};
    if (pitch > 0.0) {
        point2 from_heel = turned((point2){-heel.z, -heel.y}, pitch);
        s.ankle.z = heel.z - heel_radius * radians(pitch) + from_heel.z;
        s.ankle.y = heel_radius + from_heel.y;
    } else if (pitch < 0.0) {
        /* The toes bend less and less; what is left lifts the ball off, turning on the tips. */
        const double soft = 10.0;
        double over = -pitch - TOES_BEND_MOST;
        s.toes = -pitch;
        if (over > soft)
            s.toes -= over;
        else if (over > -soft)
            s.toes -= (over + soft) * (over + soft) / (4.0 * soft);
        point2 back = turned((point2){-tip_from_ball.z, -tip_from_ball.y}, pitch + s.toes);
        point2 up = turned((point2){-ball.z, -ball.y}, pitch);
        s.ankle.z = ball.z + tip_from_ball.z + back.z + up.z;
        s.ankle.y = height + ball.y + tip_from_ball.y + back.y + up.y;
    }
    return s;
}

/* Hermite spline through points with given end slopes; inner slopes are those of the neighbours'
 * chord. */
static double through(const double *at, const double *value, int count, double first_slope,
                      double last_slope, double t) {
    int i = 0;
    while (i < count - 2 && t > at[i + 1])
        i++;
    double slope[2];
    for (int k = 0; k < 2; k++) {
        int n = i + k;
        slope[k] = n == 0           ? first_slope
                   : n == count - 1 ? last_slope
                                    : (value[n + 1] - value[n - 1]) / (at[n + 1] - at[n - 1]);
    }
    double width = at[i + 1] - at[i], x = (t - at[i]) / width, x2 = x * x, x3 = x2 * x;
    return (2.0 * x3 - 3.0 * x2 + 1.0) * value[i] + (x3 - 2.0 * x2 + x) * width * slope[0] +
           (3.0 * x2 - 2.0 * x3) * value[i + 1] + (x3 - x2) * width * slope[1];
}

static foot_state foot_in_air(double phase) {
    const double step = 1e-4;
    foot_state off = foot_on_ground(TOE_OFF), before = foot_on_ground(TOE_OFF - step);
    foot_state strike = foot_on_ground(0.0), after = foot_on_ground(step);
    double off_z = off.ground + off.ankle.z, strike_z = strike.ground + strike.ankle.z;
    double off_speed = (off_z - before.ground - before.ankle.z) / step;
    double strike_speed = (after.ground + after.ankle.z - strike_z) / step;
    double at[] = {TOE_OFF, 0.68, 0.74, 0.80, 0.86, 0.93, 1.0};
    double z[] = {off_z, -0.288, -0.150, 0.024, 0.184, 0.272, strike_z};
    double y[] = {off.ankle.y, 0.210, 0.199, 0.160, 0.124, 0.106, strike.ankle.y};
    int count = (int)(sizeof at / sizeof at[0]);
    /* Fades from the toes' place on the ground to the heel's. */
    double over = smooth_ramp(TOE_OFF, 1.0, phase);
    foot_state s;
    s.ankle.z = off.ankle.z + (strike.ankle.z - off.ankle.z) * over;
    s.ground = through(at, z, count, off_speed, strike_speed, phase) - s.ankle.z;
    s.ankle.y = through(at, y, count, (off.ankle.y - before.ankle.y) / step,
                        (after.ankle.y - strike.ankle.y) / step, phase);
    s.pitch = foot_pitch(phase);
    double loose = 1.0 - smooth_ramp(TOE_OFF, 0.80, phase);
    double lifted = smooth_ramp(0.82, 0.95, phase) * (1.0 - smooth_ramp(0.97, 1.0, phase));
    s.toes = off.toes * loose + 6.0 * lifted;
    return s;
}

static double wave_at(double phase, double peak, double per_cycle) {
    return cos(2.0 * MQ_PI * per_cycle * (phase - peak));
}

static void place_leg(pose *p, int side, double phase) {
    int offset = side * JOINTS_PER_SIDE;
    double sign = side ? -1.0 : 1.0;
    foot_state s = phase <= TOE_OFF ? foot_on_ground(phase) : foot_in_air(phase);
    double swing = phase > TOE_OFF ? sin(MQ_PI * (phase - TOE_OFF) / (1.0 - TOE_OFF)) : 0.0;
    double lateral = STEP_HALF_WIDTH + 0.012 * swing * swing;
    quat yaw = quat_euler(0.0, sign * 3.0, 0.0);
    quat foot = quat_mul(yaw, quat_euler(-s.pitch, 0.0, 0.0));
    vec3 ankle =
        v3_add(v3(sign * lateral, 0.0, s.ground), quat_rotate(yaw, v3(0.0, s.ankle.y, s.ankle.z)));
    pose_place_foot(p, JOINT_LEFT_UPPER_LEG + offset, ankle, foot, v3(sign * 0.07, 0.0, 1.0));
    p->rotation[JOINT_LEFT_TOES + offset] = quat_euler(-s.toes, 0.0, 0.0);
}

static void swing_arm(pose *p, int side, double phase) {
    /* `phase` is that of the leg on the same side; the arm goes forward with the other leg. */
    int offset = side * JOINTS_PER_SIDE;
    double sign = side ? -1.0 : 1.0;
    double swing = wave_at(phase, 0.52, 1.0);
    double late = wave_at(phase, 0.57, 1.0), later = wave_at(phase, 0.62, 1.0);
    quat *r = p->rotation + offset;
    r[JOINT_LEFT_SHOULDER] =
        quat_mul(quat_euler(0.0, sign * (1.0 - 4.0 * swing), sign * 0.8 * wave_at(phase, 0.3, 2.0)),
                 r[JOINT_LEFT_SHOULDER]);
    r[JOINT_LEFT_UPPER_ARM] = quat_mul(
        quat_euler(2.0 - 18.0 * swing, 0.0, sign * (-0.5 - 1.5 * swing)), r[JOINT_LEFT_UPPER_ARM]);
    double forward = 0.5 + 0.5 * late;
    double bend = 1.0 + 8.0 * forward + 7.0 * forward * forward;
    r[JOINT_LEFT_LOWER_ARM] = quat_mul(quat_euler(0.0, -sign * bend, 0.0), r[JOINT_LEFT_LOWER_ARM]);
    r[JOINT_LEFT_HAND] =
        quat_mul(quat_euler(0.0, sign * 4.0 * later, sign * 2.0 * later), r[JOINT_LEFT_HAND]);
    for (int j = JOINT_LEFT_INDEX; j <= JOINT_LEFT_LITTLE_3; j++)
        r[j] = quat_mul(quat_euler(0.0, 0.0, -sign * (4.0 + 2.5 * later)), r[j]);
}

static void walk_pose(double phase, pose *out) {
    pose_rest(out);
    pose_hang_arms(out);
    double to_left = wave_at(phase, 0.31, 1.0); /* over the left foot in its single support */
    double turn = wave_at(phase, 0.0, 1.0);     /* left hip forward at its heel strike */
    double list = wave_at(phase, 0.19, 1.0);    /* right hip low while the left leg takes over */
    double bob = wave_at(phase, 0.295, 2.0);

    out->hips = v3_add(joint_rest(JOINT_HIPS), v3(0.020 * to_left, -0.0310 + 0.0165 * bob,
                                                  0.004 + 0.006 * wave_at(phase, 0.20, 2.0)));
    out->rotation[JOINT_HIPS] =
        quat_euler(3.0 + 0.8 * wave_at(phase, 0.10, 2.0), -5.0 * turn, 3.6 * list);
    double counter = wave_at(phase, 0.02, 1.0);
    out->rotation[JOINT_SPINE] = quat_euler(0.5, 3.0 * counter, -1.8 * list);
    out->rotation[JOINT_CHEST] =
        quat_euler(0.5 - 0.5 * bob, 3.6 * counter, -1.7 * wave_at(phase, 0.21, 1.0));
    out->rotation[JOINT_UPPER_CHEST] =
        quat_euler(0.5, 4.0 * wave_at(phase, 0.04, 1.0), -1.0 * wave_at(phase, 0.23, 1.0));
    /* Neck and head give back what the chest turns, and nod against the bob. */
    out->rotation[JOINT_NECK] = quat_euler(-1.0 + 0.4 * wave_at(phase, 0.40, 2.0),
                                           -2.6 * wave_at(phase, 0.03, 1.0), 0.3 * to_left);
    out->rotation[JOINT_HEAD] = quat_euler(-2.5 + 0.9 * wave_at(phase, 0.40, 2.0),
                                           -2.6 * wave_at(phase, 0.04, 1.0), 0.5 * to_left);
    double right = phase + 0.5 - floor(phase + 0.5);
    place_leg(out, 0, phase);
    place_leg(out, 1, right);
    swing_arm(out, 0, phase);
    swing_arm(out, 1, right);
}

void motion_walk(motion *out) {
    motion_alloc(out, "walk", CYCLE);
    int last = out->frame_count - 1;
    for (int i = 0; i < last; i++)
        walk_pose((double)i / last, &out->frames[i]);
    out->frames[last] = out->frames[0];
}
