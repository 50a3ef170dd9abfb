/* What a hand's rest pose tells: the palm, and about what each finger bends. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "rig/hand.h"

/* Bend of a finger in the rest pose, as a sine, from which on it shows the axis of its joints. */
#define LEAST_BEND 0.1

#define TIP 0.8       /* length of a last bone without a child, of the one before it */
#define KNUCKLES 0.36 /* wrist to knuckles, of the lower arm, for hands without fingers */

typedef struct set_up {
    const sn_joints *joints;
    const sn_humanoid *humanoid;
    sn_hand hand;
    sn_space wrist; /* rest, model */
    sn_dvec3 forward, radial, palm;
} set_up;

static sn_space rest_space(const set_up *s, uint32_t joint) {
    return sn_space_of_joint(s->joints, s->joints->rest, joint);
}

static sn_dvec3 rest_origin(const set_up *s, uint32_t joint) {
    return sn_dvec3_subtract(rest_space(s, joint).origin, s->wrist.origin);
}

static double distance(sn_dvec3 a, sn_dvec3 b) {
    return sn_dvec3_length(sn_dvec3_subtract(a, b));
}

/* ---- joints ---- */

static sn_result find_joints(set_up *s, sn_human_bone bone, sn_error *error) {
    uint32_t offset = bone == SN_HUMAN_RIGHT_HAND ? SN_HUMAN_SIDE : 0;
    for (uint32_t f = 0; f < SN_FINGER_COUNT; f++) {
        sn_hand_finger *finger = &s->hand.fingers[f];
        uint32_t above = s->hand.wrist;
        for (uint32_t place = 0; place < 3; place++) {
            uint32_t b = SN_HUMAN_LEFT_THUMB_METACARPAL + 3 * f + place + offset;
            uint32_t joint = s->humanoid->joints[b];
            if (joint == SN_NONE)
                continue;
            const char *name = sn_human_bone_name((sn_human_bone)b);
            sn_result result = sn_space_check(s->joints, s->joints->rest, joint, name, error);
            if (result != SN_OK)
                return result;
            if (joint == above || !sn_joints_is_above(s->joints, above, joint))
                return sn_fail(error, SN_MESSAGE_CHAIN_JOINTS, NULL,
                               "%s (joint %u) does not hang below joint %u", name, joint, above);
            sn_phalanx *phalanx = &finger->phalanges[finger->count++];
            phalanx->joint = joint;
            phalanx->place = place;
            memcpy(phalanx->rest, s->joints->rest[joint].rotation, sizeof phalanx->rest);
            sn_dvec3_store(phalanx->origin, rest_origin(s, joint));
            above = joint;
        }
    }
    return SN_OK;
}

/* The child that goes on furthest in the finger's direction, or a guess. */
static sn_dvec3 find_tip(const set_up *s, const sn_hand_finger *finger) {
    const sn_phalanx *last = &finger->phalanges[finger->count - 1];
    sn_dvec3 origin = sn_dvec3_load(last->origin);
    sn_dvec3 before = finger->count > 1 ? sn_dvec3_load(finger->phalanges[finger->count - 2].origin)
                                        : (sn_dvec3){0, 0, 0};
    sn_dvec3 along = sn_dvec3_subtract(origin, before);
    sn_dvec3 best = sn_dvec3_add(origin, sn_dvec3_scale(along, finger->count > 1 ? TIP : TIP / 2));
    double furthest = 0;
    for (uint32_t joint = 0; joint < s->joints->count; joint++) {
        if (s->joints->parents[joint] != last->joint)
            continue;
        sn_dvec3 child = rest_origin(s, joint);
        double far = sn_dvec3_dot(sn_dvec3_subtract(child, origin), along);
        if (far > furthest) {
            furthest = far;
            best = child;
        }
    }
    return best;
}

static void find_ends(set_up *s) {
    for (uint32_t f = 0; f < SN_FINGER_COUNT; f++) {
        sn_hand_finger *finger = &s->hand.fingers[f];
        for (uint32_t i = 0; i + 1 < finger->count; i++)
            memcpy(finger->phalanges[i].end, finger->phalanges[i + 1].origin,
                   sizeof finger->phalanges[i].end);
        if (finger->count > 0)
            sn_dvec3_store(finger->phalanges[finger->count - 1].end, find_tip(s, finger));
    }
}

/* ---- palm ---- */

static void measure_knuckles(set_up *s) {
    sn_dvec3 sum = {0, 0, 0};
    double length = 0;
    uint32_t count = 0;
    for (uint32_t f = SN_FINGER_INDEX; f < SN_FINGER_COUNT; f++) {
        const sn_hand_finger *finger = &s->hand.fingers[f];
        if (finger->count == 0)
            continue;
        const sn_phalanx *first = &finger->phalanges[0];
        sum = sn_dvec3_add(sum, sn_dvec3_load(first->origin));
        length += distance(sn_dvec3_load(first->origin), sn_dvec3_load(first->end));
        count++;
    }
    if (count > 0) {
        sn_dvec3_store(s->hand.knuckles, sn_dvec3_scale(sum, 1.0 / count));
        s->hand.proximal = length / count;
    }
}

/* From the wrist to the middle finger, to all fingers, or along the lower arm. */
static sn_result find_forward(set_up *s, sn_human_bone bone, sn_error *error) {
    uint32_t arm = s->humanoid->joints[bone - 1];
    const sn_hand_finger *middle = &s->hand.fingers[SN_FINGER_MIDDLE];
    sn_dvec3 forward = sn_dvec3_load(s->hand.knuckles);
    if (middle->count > 0) {
        forward = sn_dvec3_load(middle->phalanges[0].origin);
    } else if (!(s->hand.proximal > 0) && arm != SN_NONE) {
        sn_result result = sn_space_check(s->joints, s->joints->rest, arm, "the lower arm", error);
        if (result != SN_OK)
            return result;
        forward = sn_dvec3_scale(rest_origin(s, arm), -KNUCKLES);
        sn_dvec3_store(s->hand.knuckles, forward);
        s->hand.proximal = sn_dvec3_length(forward) / 2;
    } else if (!(s->hand.proximal > 0)) {
        return sn_fail(error, SN_MESSAGE_CHAIN_JOINTS, NULL,
                       "%s has neither fingers nor a lower arm to tell where it points",
                       sn_human_bone_name(bone));
    }
    double length = sn_dvec3_length(forward);
    if (!(length > 0) || !(s->hand.proximal > 0) || !isfinite(1 / length))
        return sn_fail(error, SN_MESSAGE_CHAIN_LENGTH, NULL,
                       "the fingers of %s begin in its wrist, or have no length",
                       sn_human_bone_name(bone));
    s->forward = sn_dvec3_scale(forward, 1 / length);
    return SN_OK;
}

/* To the side of the index finger, of the thumb, or where the model faces: so lie hands in a pose
 * with the arms out or hanging. */
static void find_sides(set_up *s) {
    const sn_hand_finger *first = NULL, *last = NULL, *thumb = &s->hand.fingers[SN_FINGER_THUMB];
    for (uint32_t f = SN_FINGER_INDEX; f < SN_FINGER_COUNT; f++)
        if (s->hand.fingers[f].count > 0) {
            first = first ? first : &s->hand.fingers[f];
            last = &s->hand.fingers[f];
        }
    sn_dvec3 side = {0, 0, s->humanoid->facing < 0 ? -1 : 1};
    if (first != last)
        side = sn_dvec3_subtract(sn_dvec3_load(first->phalanges[0].origin),
                                 sn_dvec3_load(last->phalanges[0].origin));
    else if (thumb->count > 0)
        side = sn_dvec3_load(thumb->phalanges[thumb->count - 1].end);
    s->radial = sn_dvec3_unit_across(side, s->forward);
    s->palm = sn_dvec3_cross(s->forward, s->radial);
    if (!s->hand.is_left)
        s->palm = sn_dvec3_scale(s->palm, -1);
    sn_dvec3_store(s->hand.forward, s->forward);
    sn_dvec3_store(s->hand.radial, s->radial);
    sn_dvec3_store(s->hand.palm, s->palm);
    sn_dvec3 knuckles = sn_dvec3_load(s->hand.knuckles);
    for (uint32_t f = SN_FINGER_INDEX; f < SN_FINGER_COUNT; f++) {
        const sn_hand_finger *finger = &s->hand.fingers[f];
        if (finger->count == 0)
            continue;
        sn_dvec3 from = sn_dvec3_subtract(sn_dvec3_load(finger->phalanges[0].origin), knuckles);
        s->hand.depth = fmax(s->hand.depth, sn_dvec3_dot(from, s->palm));
    }
}

/* ---- axes ---- */

/* The turn about `axis` that takes `from` to `to`, as far as one can. */
static double angle_about(sn_dvec3 axis, sn_dvec3 from, sn_dvec3 to) {
    return atan2(sn_dvec3_dot(axis, sn_dvec3_cross(from, to)),
                 sn_dvec3_dot(sn_dvec3_across(from, axis), sn_dvec3_across(to, axis)));
}

/* Turning about an axis of hand space does what turning about that of the joint's own space does.
 * Mirroring changes the sense of turning. */
static void find_own(const set_up *s, sn_phalanx *p) {
    sn_dmat3 axes = rest_space(s, p->joint).axes, inverse;
    if (!sn_dmat3_inverse(&axes, &inverse))
        return; /* cannot be: sn_space_check */
    double sense = sn_dmat3_determinant(&axes) < 0 ? -1 : 1;
    for (int i = 0; i < 3; i++)
        sn_dvec3_store(p->own + 3 * i, sn_dvec3_scale(inverse.columns[i], sense));
}

/* A finger that is bent in the rest pose shows its axis; one that is straight, or bends askew,
 * curls into the palm. That the fingers are spread in the rest pose does not turn the axis about
 * them. */
static sn_dvec3 finger_axis(const set_up *s, const sn_dvec3 *bones, uint32_t count) {
    sn_dvec3 across = sn_dvec3_cross(s->forward, s->palm), bend = {0, 0, 0};
    for (uint32_t i = 0; i + 1 < count; i++)
        bend = sn_dvec3_add(bend, sn_dvec3_cross(bones[i], bones[i + 1]));
    double length = sn_dvec3_length(bend);
    bool is_plain = length > LEAST_BEND && sn_dvec3_dot(bend, across) > 0.87 * length;
    return is_plain ? sn_dvec3_scale(bend, 1 / length) : across;
}

/* The thumb closes over what is in the fist, across the palm: never about the fingers' axis, which
 * would lay it beside the index. */
static sn_dvec3 thumb_axis(const set_up *s, const sn_hand_finger *thumb, sn_dvec3 bone) {
    double radius = s->hand.proximal / 2;
    sn_dvec3 over =
        sn_dvec3_add(sn_hand_rod_line(&s->hand, radius, 0).point, sn_dvec3_scale(s->palm, radius));
    sn_dvec3 to = sn_dvec3_subtract(over, sn_dvec3_load(thumb->phalanges[0].origin));
    sn_dvec3 axis = sn_dvec3_cross(bone, to);
    double length = sn_dvec3_length(axis);
    return length > 1e-6 * sn_dvec3_length(to) ? sn_dvec3_scale(axis, 1 / length)
                                               : sn_dvec3_cross(s->forward, s->palm);
}

static void find_axes(set_up *s, uint32_t f) {
    sn_hand_finger *finger = &s->hand.fingers[f];
    sn_dvec3 bones[3], bone = s->forward;
    for (uint32_t i = 0; i < finger->count; i++) {
        const sn_phalanx *p = &finger->phalanges[i];
        sn_dvec3 along = sn_dvec3_subtract(sn_dvec3_load(p->end), sn_dvec3_load(p->origin));
        double length = sn_dvec3_length(along);
        if (length > 1e-9 * s->hand.proximal)
            bone = sn_dvec3_scale(along, 1 / length);
        bones[i] = bone;
    }
    if (finger->count == 0)
        return;
    sn_dvec3 axis = f == SN_FINGER_THUMB ? thumb_axis(s, finger, bones[0])
                                         : finger_axis(s, bones, finger->count);
    for (uint32_t i = 0; i < finger->count; i++) {
        sn_phalanx *p = &finger->phalanges[i];
        sn_dvec3 across = sn_dvec3_unit_across(axis, bones[i]);
        sn_dvec3_store(p->axis, across);
        find_own(s, p);
        if (i > 0)
            p->flexion = angle_about(across, bones[i - 1], bones[i]);
        else if (f != SN_FINGER_THUMB) /* from the plane of the palm */
            p->flexion = atan2(sn_dvec3_dot(bones[0], s->palm),
                               sn_dvec3_dot(bones[0], sn_dvec3_cross(s->palm, across)));
    }
    finger->splay = atan2(sn_dvec3_dot(bones[0], s->radial), sn_dvec3_dot(bones[0], s->forward));
}

sn_result sn_hand_set_up(const sn_joints *joints, const sn_humanoid *humanoid, sn_human_bone bone,
                         sn_hand *out, sn_error *error) {
    set_up s = {.joints = joints, .humanoid = humanoid};
    s.hand.wrist = humanoid->joints[bone];
    s.hand.is_left = bone == SN_HUMAN_LEFT_HAND;
    if (s.hand.wrist == SN_NONE)
        return sn_fail(error, SN_MESSAGE_CHAIN_JOINTS, NULL, "the model has no %s",
                       sn_human_bone_name(bone));
    sn_result result =
        sn_space_check(joints, joints->rest, s.hand.wrist, sn_human_bone_name(bone), error);
    if (result != SN_OK)
        return result;
    s.wrist = rest_space(&s, s.hand.wrist);
    sn_similarity similarity = sn_similarity_of(&s.wrist.axes);
    sn_dquat q = similarity.rotation;
    s.hand.rest[0] = q.x, s.hand.rest[1] = q.y, s.hand.rest[2] = q.z, s.hand.rest[3] = q.w;
    sn_dmat3 inverse;
    if (!sn_dmat3_inverse(&s.wrist.axes, &inverse))
        return sn_fail(error, SN_MESSAGE_CHAIN_LENGTH, NULL, "a scale above %s is zero",
                       sn_human_bone_name(bone));
    for (int i = 0; i < 3; i++) {
        sn_dvec3_store(s.hand.rest_axes + 3 * i, s.wrist.axes.columns[i]);
        sn_dvec3_store(s.hand.rest_axes_inverse + 3 * i, inverse.columns[i]);
    }
    result = find_joints(&s, bone, error);
    if (result != SN_OK)
        return result;
    find_ends(&s);
    measure_knuckles(&s);
    result = find_forward(&s, bone, error);
    if (result != SN_OK)
        return result;
    find_sides(&s);
    for (uint32_t f = 0; f < SN_FINGER_COUNT; f++)
        find_axes(&s, f);
    *out = s.hand;
    return SN_OK;
}
