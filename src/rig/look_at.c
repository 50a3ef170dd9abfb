#include "sinew/look_at.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "rig/gaze.h"

#define REACHED 1e-4 /* radians */

static const sn_dquat model_axes = {0, 0, 0, 1};

static sn_dquat stored(const double q[4]) {
    return (sn_dquat){q[0], q[1], q[2], q[3]};
}

static void store(double out[4], sn_dquat q) {
    out[0] = q.x, out[1] = q.y, out[2] = q.z, out[3] = q.w;
}

sn_look_at_options sn_look_at_defaults(void) {
    return (sn_look_at_options){.eye_offset = {0, 0.06f, 0}, .eyes = sn_gaze_maps_identity()};
}

/* ---- setting up ---- */

static bool is_good_map(const sn_gaze_map *map) {
    if (!(map->input_max >= 0 && map->input_max <= (float)SN_PI) || !isfinite(map->output_max))
        return false;
    for (uint32_t i = 0; i < map->key_count; i++)
        if (!sn_are_finite(&map->keys[i].time, 4) ||
            (i > 0 && !(map->keys[i].time > map->keys[i - 1].time)))
            return false;
    return true;
}

static sn_result check_options(const sn_look_at_options *o, sn_error *error) {
    const char *bad = NULL;
    if (!sn_are_finite(o->eye_offset, 3))
        bad = "eye_offset";
    else if (!is_good_map(&o->eyes.inner))
        bad = "inner map";
    else if (!is_good_map(&o->eyes.outer))
        bad = "outer map";
    else if (!is_good_map(&o->eyes.up))
        bad = "upper map";
    else if (!is_good_map(&o->eyes.down))
        bad = "lower map";
    return bad ? sn_fail(error, SN_MESSAGE_CHAIN_VALUE, NULL,
                         "the %s of the gaze is not finite or not in its range", bad)
               : SN_OK;
}

static sn_similarity rest_of(const sn_joints *joints, uint32_t joint) {
    sn_space space = sn_space_at_rest(joints, joint);
    return sn_similarity_of(&space.axes);
}

sn_result sn_look_at_set_up(const sn_joints *joints, const sn_humanoid *humanoid,
                            const sn_look_at_options *options, sn_look_at *out, sn_error *error) {
    static const sn_human_bone bones[4] = {SN_HUMAN_HEAD, SN_HUMAN_NECK, SN_HUMAN_LEFT_EYE,
                                           SN_HUMAN_RIGHT_EYE};
    sn_look_at rig = {.options = options ? *options : sn_look_at_defaults(),
                      .facing = humanoid->facing < 0 ? -1 : 1};
    sn_result result = check_options(&rig.options, error);
    if (result != SN_OK)
        return result;
    if (humanoid->joints[SN_HUMAN_HEAD] == SN_NONE)
        return sn_fail(error, SN_MESSAGE_CHAIN_JOINTS, NULL,
                       "the model has no head to look with: name the bone \"head\"");
    uint32_t found[4];
    for (int i = 0; i < 4; i++) {
        found[i] = humanoid->joints[bones[i]];
        if (found[i] == SN_NONE)
            continue;
        result =
            sn_space_check(joints, joints->rest, found[i], sn_human_bone_name(bones[i]), error);
        if (result != SN_OK)
            return result;
        bool is_in_line = i == 0 || (i == 1 ? sn_joints_is_above(joints, found[1], found[0])
                                            : sn_joints_is_above(joints, found[0], found[i]));
        if (!is_in_line || (i > 0 && found[i] == found[0]))
            return sn_fail(
                error, SN_MESSAGE_CHAIN_JOINTS, NULL, "%s (joint %u) is not %s the head (joint %u)",
                sn_human_bone_name(bones[i]), found[i], i == 1 ? "above" : "below", found[0]);
    }
    rig.head = found[0], rig.neck = found[1];
    uint32_t first = rig.neck != SN_NONE ? rig.neck : rig.head;
    store(rig.head_rest, rest_of(joints, rig.head).rotation);
    store(rig.body_rest, rest_of(joints, joints->parents[first]).rotation);
    for (int i = 0; i < 2; i++) {
        rig.eyes[i] = found[2 + i];
        if (rig.eyes[i] == SN_NONE)
            continue;
        sn_similarity parent = rest_of(joints, joints->parents[rig.eyes[i]]);
        store(rig.eye_parent_rest[i], parent.rotation);
        rig.is_eye_parent_mirrored[i] = parent.is_mirrored;
        memcpy(rig.eye_rest[i], joints->rest[rig.eyes[i]].rotation, sizeof rig.eye_rest[i]);
    }
    *out = rig;
    return SN_OK;
}

/* ---- measuring ---- */

/* How far it is turned from its rest, in the model's space. */
static sn_dquat turned_from(const sn_space *space, const double rest[4]) {
    return sn_dquat_multiply(sn_similarity_of(&space->axes).rotation,
                             sn_dquat_conjugate(stored(rest)));
}

sn_head_pose sn_head_pose_of(const sn_look_at *rig, const sn_joints *joints) {
    sn_space head = sn_space_of_joint(joints, joints->local, rig->head);
    return (sn_head_pose){head.origin, sn_space_point(&head, sn_dvec3_of(rig->options.eye_offset)),
                          turned_from(&head, rig->head_rest)};
}

static sn_dquat body_turned(const sn_look_at *rig, const sn_joints *joints) {
    uint32_t first = rig->neck != SN_NONE ? rig->neck : rig->head;
    sn_space body = sn_space_of_joint(joints, joints->local, joints->parents[first]);
    return turned_from(&body, rig->body_rest);
}

static sn_gaze gaze_along(const sn_look_at *rig, sn_dquat axes, sn_dvec3 direction) {
    return sn_gaze_of_direction(sn_dquat_rotate(sn_dquat_conjugate(axes), direction), rig->facing);
}

sn_gaze sn_gaze_to(const sn_look_at *rig, sn_dquat axes, sn_dvec3 from, sn_dvec3 target) {
    return gaze_along(rig, axes, sn_dvec3_subtract(target, from));
}

/* The head's place depends on all that is above it, the neck included. Of an eye only the rotation
 * is read. */
sn_result sn_look_at_check(const sn_look_at *rig, const sn_joints *joints, sn_space *from_world,
                           sn_error *error) {
    sn_result result = sn_space_from_world(joints, from_world, error);
    if (result == SN_OK)
        result = sn_space_check(joints, joints->local, rig->head, "the head", error);
    for (int i = 0; i < 2 && result == SN_OK; i++) {
        if (rig->eyes[i] == SN_NONE)
            continue;
        sn_dquat q = sn_dquat_of(joints->local[rig->eyes[i]].rotation);
        if (!isfinite(sn_dquat_dot(q, q)))
            return sn_fail(error, SN_MESSAGE_CHAIN_VALUE, NULL,
                           "the rotation of an eye (joint %u) is not finite, or zero",
                           rig->eyes[i]);
    }
    return result;
}

sn_result sn_look_at_measure(const sn_look_at *rig, const sn_joints *joints, sn_gaze_space space,
                             const float target[3], sn_gaze *out, sn_error *error) {
    sn_space from_world;
    sn_result result = sn_look_at_check(rig, joints, &from_world, error);
    if (result != SN_OK)
        return result;
    if (!sn_are_finite(target, 3))
        return sn_fail(error, SN_MESSAGE_CHAIN_VALUE, NULL, "the target is not finite");
    sn_dvec3 point = sn_space_point(&from_world, sn_dvec3_of(target));
    sn_head_pose head = sn_head_pose_of(rig, joints);
    if (space == SN_GAZE_MODEL)
        *out = sn_gaze_to(rig, model_axes, head.joint, point);
    else
        *out = sn_gaze_to(rig, space == SN_GAZE_HEAD ? head.turned : body_turned(rig, joints),
                          head.eyes, point);
    return SN_OK;
}

static sn_dquat axes_of(const sn_look_at *rig, const sn_joints *joints, sn_gaze_space space) {
    return space == SN_GAZE_BODY ? body_turned(rig, joints) : model_axes;
}

static sn_gaze facing_in(const sn_look_at *rig, sn_dquat axes, const sn_head_pose *head) {
    sn_dvec3 face = sn_dquat_rotate(head->turned, (sn_dvec3){0, 0, rig->facing});
    return gaze_along(rig, axes, face);
}

sn_gaze sn_look_at_facing(const sn_look_at *rig, const sn_joints *joints, sn_gaze_space space) {
    sn_head_pose head = sn_head_pose_of(rig, joints);
    return facing_in(rig, axes_of(rig, joints, space), &head);
}

/* ---- turning ---- */

static bool is_same(sn_gaze a, sn_gaze b) {
    return !(fabs(a.yaw - b.yaw) > 0 || fabs(a.pitch - b.pitch) > 0);
}

/* In the model's space, from one gaze in `axes` to another. */
static sn_dquat turn_between(const sn_look_at *rig, sn_dquat axes, sn_gaze from, sn_gaze to) {
    sn_dquat turn = sn_dquat_multiply(sn_gaze_rotation(to, rig->facing),
                                      sn_dquat_conjugate(sn_gaze_rotation(from, rig->facing)));
    return sn_dquat_multiply(sn_dquat_multiply(axes, turn), sn_dquat_conjugate(axes));
}

/* The head hangs on the neck, so that it has turned with it: what is left is the whole turn less
 * the neck's. */
void sn_look_at_turn_head(const sn_look_at *rig, const sn_joints *joints,
                          const sn_head_turn *turn) {
    if (is_same(turn->from, turn->to))
        return;
    sn_dquat axes = axes_of(rig, joints, turn->space);
    sn_dquat rest = turn_between(rig, axes, turn->from, turn->to);
    if (rig->neck != SN_NONE && turn->neck_share > 0) {
        sn_gaze part = sn_gaze_between(turn->from, turn->to, turn->neck_share);
        sn_dquat neck = turn_between(rig, axes, turn->from, part);
        sn_turn_joint(joints, rig->neck, neck);
        rest = sn_dquat_multiply(rest, sn_dquat_conjugate(neck));
    }
    if (rig->neck == SN_NONE || turn->neck_share < 1)
        sn_turn_joint(joints, rig->head, rest);
}

void sn_look_at_turn_eyes(const sn_look_at *rig, const sn_joints *joints, sn_gaze gaze,
                          double weight) {
    for (int i = 0; i < 2; i++) {
        if (rig->eyes[i] == SN_NONE || !(weight > 0))
            continue;
        sn_gaze mapped = sn_gaze_mapped(&rig->options.eyes, i == 0, gaze);
        sn_similarity parent = {.rotation = stored(rig->eye_parent_rest[i]),
                                .is_mirrored = rig->is_eye_parent_mirrored[i]};
        sn_dquat turn = sn_turn_below(&parent, sn_gaze_rotation(mapped, rig->facing));
        sn_dquat wanted = sn_dquat_multiply(turn, sn_dquat_of(rig->eye_rest[i]));
        float *rotation = joints->local[rig->eyes[i]].rotation;
        sn_dquat missing = sn_dquat_multiply(wanted, sn_dquat_conjugate(sn_dquat_of(rotation)));
        sn_turn_store(rotation, sn_turn_share(missing, weight));
    }
}

/* ---- all of it ---- */

sn_look_at_job sn_look_at_job_defaults(const sn_look_at *rig) {
    const float degree = (float)SN_DEGREE;
    return (sn_look_at_job){.rig = rig,
                            .weight = 1,
                            .head_share = 1,
                            .neck_share = 0.6f,
                            .head_limits = {60 * degree, 45 * degree, 45 * degree},
                            .eye_limits = {30 * degree, 18 * degree, 14 * degree}};
}

static bool is_share(float x) {
    return x >= 0 && x <= 1;
}

static sn_result check_job(const sn_look_at_job *job, sn_error *error) {
    const char *bad = NULL;
    if (!sn_are_finite(job->target, 3))
        bad = "target";
    else if (!is_share(job->weight))
        bad = "weight";
    else if (!is_share(job->head_share))
        bad = "head_share";
    else if (!is_share(job->neck_share))
        bad = "neck_share";
    else if (!sn_gaze_are_limits(&job->head_limits))
        bad = "head_limits";
    else if (!sn_gaze_are_limits(&job->eye_limits))
        bad = "eye_limits";
    return bad ? sn_fail(error, SN_MESSAGE_CHAIN_VALUE, NULL,
                         "%s of the gaze is not finite or not in its range", bad)
               : SN_OK;
}

/* Turning the head moves the eyes, and that the direction to the target: the turn is the one at
 * which both agree. Each round the error shrinks by about the eyes' way over the target's distance.
 * Leaves the pose as it was. */
static sn_gaze settled_face(const sn_look_at_job *job, const sn_joints *joints, sn_dvec3 target,
                            sn_gaze from, bool *is_limited) {
    const sn_look_at *rig = job->rig;
    float *head = joints->local[rig->head].rotation;
    float *neck = joints->local[rig->neck != SN_NONE ? rig->neck : rig->head].rotation;
    float head_before[4], neck_before[4];
    memcpy(head_before, head, sizeof head_before);
    memcpy(neck_before, neck, sizeof neck_before);
    sn_dquat body = body_turned(rig, joints);
    sn_gaze to = from;
    for (int round = 0; round < 24; round++) {
        sn_gaze seen = sn_gaze_to(rig, body, sn_head_pose_of(rig, joints).eyes, target);
        sn_gaze goal = sn_gaze_clamp(seen, &job->head_limits), before = to;
        *is_limited = !is_same(goal, seen);
        to = sn_gaze_between(from, goal, (double)job->head_share);
        memcpy(head, head_before, sizeof head_before);
        memcpy(neck, neck_before, sizeof neck_before);
        if (round > 0 && fabs(to.yaw - before.yaw) + fabs(to.pitch - before.pitch) < 1e-9)
            break;
        sn_head_turn turn = {SN_GAZE_BODY, from, to, (double)job->neck_share};
        sn_look_at_turn_head(rig, joints, &turn);
    }
    memcpy(head, head_before, sizeof head_before);
    memcpy(neck, neck_before, sizeof neck_before);
    return to;
}

static double angle_between(sn_dvec3 a, sn_dvec3 b) {
    return atan2(sn_dvec3_length(sn_dvec3_cross(a, b)), sn_dvec3_dot(a, b));
}

sn_result sn_look_at_apply(const sn_look_at_job *job, const sn_joints *joints,
                           sn_look_at_output *out, sn_error *error) {
    const sn_look_at *rig = job->rig;
    sn_space from_world;
    sn_result result = check_job(job, error);
    if (result == SN_OK)
        result = sn_look_at_check(rig, joints, &from_world, error);
    if (result != SN_OK)
        return result;
    sn_dvec3 target = sn_space_point(&from_world, sn_dvec3_of(job->target));
    double weight = (double)job->weight;
    sn_look_at_output found = {0};
    sn_gaze from = sn_look_at_facing(rig, joints, SN_GAZE_BODY);
    bool is_limited;
    sn_gaze to = settled_face(job, joints, target, from, &is_limited);
    sn_head_turn turn = {SN_GAZE_BODY, from, sn_gaze_between(from, to, weight),
                         (double)job->neck_share};
    sn_look_at_turn_head(rig, joints, &turn);
    sn_head_pose pose = sn_head_pose_of(rig, joints);
    found.head = facing_in(rig, body_turned(rig, joints), &pose);

    sn_gaze seen = sn_gaze_to(rig, pose.turned, pose.eyes, target);
    found.eyes = sn_gaze_clamp(seen, &job->eye_limits);
    sn_look_at_turn_eyes(rig, joints, found.eyes, weight);
    bool has_eyes = rig->eyes[0] != SN_NONE || rig->eyes[1] != SN_NONE;
    sn_gaze looks = {0, 0};
    if (has_eyes)
        looks = sn_gaze_between(looks, found.eyes, weight);
    found.residual = (float)angle_between(sn_gaze_direction(looks, rig->facing),
                                          sn_gaze_direction(seen, rig->facing));
    if (found.residual <= (float)REACHED)
        found.flags |= SN_LOOK_AT_REACHED;
    if (is_limited)
        found.flags |= SN_LOOK_AT_HEAD_LIMITED;
    if (has_eyes && !is_same(found.eyes, seen))
        found.flags |= SN_LOOK_AT_EYES_LIMITED;
    if (out)
        *out = found;
    return SN_OK;
}
