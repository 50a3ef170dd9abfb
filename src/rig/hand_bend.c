/* How far each joint of a finger turns: towards a fist, or until the finger lies on a rod.
 *
 * All is found in hand space, with the wrist held: joints turn about axes through their rest
 * origins, the outer ones first, so that a bone's place is the product of the turns down to it. */
#include <math.h>

#include "math/angle.h"
#include "rig/hand.h"

/* How far a joint bends from straight, by its place: opened, in a fist, at most. The thumb's first
 * joint is measured from its rest. Norkin and White, "Measurement of Joint Motion", and the mean
 * active ranges of the AAOS. */
typedef struct range {
    double open, fist, most;
} range;

static const range finger_ranges[3] = {{-20 * SN_DEGREE, 85 * SN_DEGREE, 95 * SN_DEGREE},
                                       {0, 100 * SN_DEGREE, 110 * SN_DEGREE},
                                       {0, 70 * SN_DEGREE, 85 * SN_DEGREE}};
static const range thumb_ranges[3] = {{-20 * SN_DEGREE, 25 * SN_DEGREE, 45 * SN_DEGREE},
                                      {-5 * SN_DEGREE, 40 * SN_DEGREE, 60 * SN_DEGREE},
                                      {-5 * SN_DEGREE, 55 * SN_DEGREE, 80 * SN_DEGREE}};

#define THUMB_SWING (70 * SN_DEGREE) /* of its first joint from the rest, at most */
#define THUMB_OPEN (20 * SN_DEGREE)  /* of its outer joints, back from the rest */
#define THUMB_LEAN (9 * SN_DEGREE)   /* on a rod, from the way of the fingers to the radial side */

/* Between a line and the nearest point of a segment. */
static double distance_to_line(const sn_hand_line *line, sn_dvec3 from, sn_dvec3 to) {
    sn_dvec3 a = sn_dvec3_across(sn_dvec3_subtract(from, line->point), line->direction);
    sn_dvec3 b = sn_dvec3_across(sn_dvec3_subtract(to, line->point), line->direction);
    sn_dvec3 along = sn_dvec3_subtract(b, a);
    double square = sn_dvec3_dot(along, along);
    double share = square > 0 ? -sn_dvec3_dot(a, along) / square : 0;
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    return sn_dvec3_length(sn_dvec3_add(a, sn_dvec3_scale(along, share)));
}

static sn_dquat turn_about(sn_dvec3 axis, double angle) {
    double s = sin(angle / 2);
    return (sn_dquat){axis.x * s, axis.y * s, axis.z * s, cos(angle / 2)};
}

/* Where what hangs below the joints so far has been moved, from the rest. */
typedef struct motion {
    sn_dquat rotation;
    sn_dvec3 translation;
} motion;

static sn_dvec3 moved(const motion *m, const double point[3]) {
    return sn_dvec3_add(sn_dquat_rotate(m->rotation, sn_dvec3_load(point)), m->translation);
}

/* Turning a joint below `m`. */
static motion turned(const motion *m, const sn_phalanx *p, sn_dquat turn) {
    sn_dvec3 origin = sn_dvec3_load(p->origin);
    motion out = {.rotation = sn_dquat_multiply(m->rotation, turn)};
    out.translation = sn_dvec3_subtract(moved(m, p->origin), sn_dquat_rotate(out.rotation, origin));
    return out;
}

/* ---- around a rod ---- */

/* About what a joint closes, and from where to where, from the rest. */
typedef struct hinge {
    sn_dvec3 axis;
    double open, most;
} hinge;

typedef struct closing {
    const sn_hand_finger *finger;
    const sn_hand_rod *rod;
    hinge hinges[3];
    sn_finger_turns *out;
} closing;

/* A point that turns with a joint, seen along the rod: from the rod's axis, in two coordinates
 * across it, at + cosine * cos(angle) + sine * sin(angle). */
typedef struct path {
    double at[2], cosine[2], sine[2];
} path;

/* The joint itself and the ends of the bones from it on, those after it opened. */
typedef struct sweep {
    path points[4];
    uint32_t count;
} sweep;

static sweep find_sweep(const closing *c, const motion *m, uint32_t i) {
    const sn_hand_line *line = &c->rod->line;
    sn_dvec3 one = sn_dvec3_perpendicular(line->direction);
    const sn_dvec3 across[2] = {one, sn_dvec3_cross(line->direction, one)};
    sn_dvec3 joint = moved(m, c->finger->phalanges[i].origin);
    sn_dvec3 axis = sn_dquat_rotate(m->rotation, c->hinges[i].axis);
    sn_dvec3 from_line = sn_dvec3_subtract(joint, line->point);
    sweep out = {.count = 0};
    motion at = *m;
    for (uint32_t point = i; point <= c->finger->count; point++) {
        sn_dvec3 arm = {0, 0, 0};
        if (point > i) {
            const sn_phalanx *p = &c->finger->phalanges[point - 1];
            if (point - 1 > i)
                at = turned(&at, p,
                            turn_about(c->hinges[point - 1].axis, c->hinges[point - 1].open));
            arm = sn_dvec3_subtract(moved(&at, p->end), joint);
        }
        sn_dvec3 along = sn_dvec3_scale(axis, sn_dvec3_dot(axis, arm));
        sn_dvec3 still = sn_dvec3_add(from_line, along), side = sn_dvec3_cross(axis, arm);
        path *to = &out.points[out.count++];
        for (int k = 0; k < 2; k++) {
            to->at[k] = sn_dvec3_dot(across[k], still);
            to->cosine[k] = sn_dvec3_dot(across[k], sn_dvec3_subtract(arm, along));
            to->sine[k] = sn_dvec3_dot(across[k], side);
        }
    }
    return out;
}

/* Whether a bone of the sweep is nearer to the rod's axis than `radius`. */
static bool dips_in(const sweep *s, double angle, double radius) {
    double cosine = cos(angle), sine = sin(angle), a[2] = {0, 0};
    for (uint32_t i = 0; i < s->count; i++) {
        const path *p = &s->points[i];
        double b[2], along[2];
        for (int k = 0; k < 2; k++) {
            b[k] = p->at[k] + p->cosine[k] * cosine + p->sine[k] * sine;
            along[k] = b[k] - a[k];
        }
        double square = along[0] * along[0] + along[1] * along[1];
        double share = square > 0 ? -(a[0] * along[0] + a[1] * along[1]) / square : 0;
        share = share < 0 ? 0 : share > 1 ? 1 : share;
        double x = a[0] + along[0] * share, y = a[1] + along[1] * share;
        if (i > 0 && x * x + y * y < radius * radius)
            return true;
        a[0] = b[0], a[1] = b[1];
    }
    return false;
}

/* How far to turn from the rest until the finger touches the rod: the last place before the first
 * one, on the way from open to closed, where it dips in. */
static double turn_to_touch(const closing *c, const motion *m, uint32_t i) {
    enum { STEPS = 32, HALVINGS = 30 };
    const hinge *h = &c->hinges[i];
    sweep s = find_sweep(c, m, i);
    /* A joint inside the rod does not touch it with its bone by standing there. */
    double own = hypot(s.points[0].at[0], s.points[0].at[1]);
    double radius = fmin(c->rod->radius, own) - 1e-9 * c->rod->radius;
    double outside = h->open, inside = h->most;
    bool is_found = false;
    for (int step = 0; step <= STEPS && !is_found; step++) {
        double angle = h->open + (h->most - h->open) * step / (int)STEPS;
        is_found = dips_in(&s, angle, radius);
        if (is_found)
            inside = angle;
        else
            outside = angle;
    }
    for (int step = 0; step < HALVINGS && is_found && inside > outside; step++) {
        double angle = (outside + inside) / 2;
        if (dips_in(&s, angle, radius))
            inside = angle;
        else
            outside = angle;
    }
    return outside;
}

/* Joint `i` and those after it, each until the finger touches. */
static void close_from(closing *c, motion m, uint32_t i) {
    for (; i < c->finger->count; i++) {
        const sn_phalanx *p = &c->finger->phalanges[i];
        sn_dquat closed = turn_about(c->hinges[i].axis, turn_to_touch(c, &m, i));
        c->out->of[i] = sn_dquat_multiply(c->out->of[i], closed);
        m = turned(&m, p, closed);
    }
}

static void find_gap(const closing *c) {
    motion m = {{0, 0, 0, 1}, {0, 0, 0}};
    double nearest = HUGE_VAL;
    for (uint32_t i = 0; i < c->finger->count; i++) {
        const sn_phalanx *p = &c->finger->phalanges[i];
        m = turned(&m, p, c->out->of[i]);
        nearest =
            fmin(nearest, distance_to_line(&c->rod->line, moved(&m, p->origin), moved(&m, p->end)));
    }
    c->out->gap = fmax(nearest - c->rod->radius, 0);
    c->out->is_touching = c->out->gap < 1e-6 * c->rod->radius;
}

/* The thumb comes from the other side: it swings out of the palm until it lies along the rod's
 * side as a tangent, and its outer joints bend around the rod against the fingers. */
static void close_thumb(const sn_hand *hand, closing *c) {
    const sn_phalanx *p = c->finger->phalanges;
    const sn_hand_line *line = &c->rod->line;
    sn_dvec3 base = sn_dvec3_load(p->origin), palm = sn_dvec3_load(hand->palm);
    sn_dvec3 along = line->direction;
    if (sn_dvec3_dot(along, sn_dvec3_load(hand->radial)) < 0)
        along = sn_dvec3_scale(along, -1);
    sn_dvec3 to = sn_dvec3_across(sn_dvec3_subtract(line->point, base), along);
    double distance = sn_dvec3_length(to);
    to = distance > 0 ? sn_dvec3_scale(to, 1 / distance)
                      : sn_dvec3_unit_across(sn_dvec3_load(hand->forward), along);
    sn_dvec3 out = sn_dvec3_across(sn_dvec3_across(palm, along), to);
    double length = sn_dvec3_length(out);
    out = length > 1e-6 ? sn_dvec3_scale(out, 1 / length) : sn_dvec3_cross(to, along);
    /* The ball of the thumb is thick; one that lacks a joint could not bend back to the rod. */
    double radius = c->rod->radius + (c->finger->count < 3 ? 0 : sn_hand_padding(hand));
    double sine = distance > radius ? radius / distance : 1;
    sn_dvec3 tangent =
        sn_dvec3_add(sn_dvec3_scale(to, sqrt(1 - sine * sine)), sn_dvec3_scale(out, sine));
    double aslant = sn_dvec3_dot(along, sn_dvec3_load(hand->forward));
    double lean = THUMB_LEAN + atan2(aslant, sqrt(fmax(1 - aslant * aslant, 0)));
    sn_dvec3 wanted =
        sn_dvec3_add(sn_dvec3_scale(tangent, cos(lean)), sn_dvec3_scale(along, sin(lean)));
    sn_dvec3 bone = sn_dvec3_subtract(sn_dvec3_load(p->end), base);
    sn_dquat swing = sn_dquat_from_to(sn_dvec3_unit(bone), wanted, out);
    double angle = 2 * atan2(sqrt(1 - fmin(swing.w * swing.w, 1)), fabs(swing.w));
    if (angle > THUMB_SWING)
        swing = sn_turn_share(swing, THUMB_SWING / angle);
    motion m = {{0, 0, 0, 1}, {0, 0, 0}};
    m = turned(&m, p, swing);
    c->out->of[0] = swing;
    sn_dvec3 around = sn_dquat_rotate(sn_dquat_conjugate(swing), sn_dvec3_cross(out, to));
    for (uint32_t i = 1; i < c->finger->count; i++) {
        sn_dvec3 next = sn_dvec3_subtract(sn_dvec3_load(p[i].end), sn_dvec3_load(p[i].origin));
        c->hinges[i] = (hinge){.axis = sn_dvec3_unit_across(around, sn_dvec3_unit(next)),
                               .open = -THUMB_OPEN,
                               .most = thumb_ranges[p[i].place].most};
    }
    close_from(c, m, 1);
}

/* ---- all ---- */

static void close_finger(const sn_hand *hand, sn_finger f, const sn_hand_rod *rod,
                         sn_finger_turns *out) {
    closing c = {.finger = &hand->fingers[f], .rod = rod, .out = out};
    if (f == SN_FINGER_THUMB) {
        close_thumb(hand, &c);
    } else {
        for (uint32_t i = 0; i < c.finger->count; i++) {
            const sn_phalanx *p = &c.finger->phalanges[i];
            const range *limits = &finger_ranges[p->place];
            c.hinges[i] = (hinge){.axis = sn_dvec3_load(p->axis),
                                  .open = fmin(limits->open - p->flexion, 0),
                                  .most = fmax(limits->most - p->flexion, 0)};
        }
        motion m = {{0, 0, 0, 1}, {0, 0, 0}};
        close_from(&c, turned(&m, &c.finger->phalanges[0], out->of[0]), 0);
    }
    find_gap(&c);
}

sn_finger_turns sn_finger_bend(const sn_hand *hand, sn_finger f, const sn_hand_pose *pose,
                               const sn_hand_rod *rod) {
    static const double sides[SN_FINGER_COUNT] = {0, 1, 0, -1, -2}; /* of the spread */
    const sn_hand_finger *finger = &hand->fingers[f];
    const range *limits = f == SN_FINGER_THUMB ? thumb_ranges : finger_ranges;
    double curl = (double)pose->curl[f];
    sn_dvec3 normal = sn_dvec3_cross(sn_dvec3_load(hand->forward), sn_dvec3_load(hand->radial));
    sn_finger_turns closed = {.is_touching = true};
    for (int i = 0; i < 3; i++)
        closed.of[i] = (sn_dquat){0, 0, 0, 1};
    /* Spread fingers would not close side by side. */
    if (f != SN_FINGER_THUMB)
        closed.of[0] = turn_about(normal, -finger->splay);
    sn_finger_turns out = closed;
    if (rod)
        close_finger(hand, f, rod, &out);
    for (uint32_t i = 0; i < finger->count; i++) {
        const sn_phalanx *p = &finger->phalanges[i];
        if (!rod) {
            double fist = fmax(limits[p->place].fist - p->flexion, 0);
            sn_dquat bent = turn_about(sn_dvec3_load(p->axis), curl * fist);
            out.of[i] = sn_dquat_multiply(sn_turn_share(closed.of[i], curl), bent);
        } else {
            /* The splay is taken out as the finger closes, not before. */
            sn_dquat bent = sn_dquat_multiply(sn_dquat_conjugate(closed.of[i]), out.of[i]);
            out.of[i] =
                sn_dquat_multiply(sn_turn_share(closed.of[i], curl), sn_turn_share(bent, curl));
        }
    }
    double spread = (1 - curl) * sides[f] * (double)pose->spread;
    out.of[0] = sn_dquat_multiply(turn_about(normal, spread), out.of[0]);
    return out;
}
