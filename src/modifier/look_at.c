/* {"type": "look_at"}: head, neck and eyes look at a target, by sinew/look_at.h. */
#include "sinew/look_at.h"

#include <string.h>

#include "math/angle.h"
#include "modifier/types.h"

typedef struct head {
    float share, neck;
    sn_gaze_limits limits;
} head;

typedef struct map {
    float input, output;
    sn_modifier_list curve; /* of sn_gaze_key */
} map;

typedef struct maps {
    map inner, outer, up, down;
} maps;

typedef struct eyes {
    float offset[3];
    sn_gaze_limits limits;
    maps maps;
} eyes;

typedef struct parameters {
    sn_modifier_target target;
    sn_humanoid bones;
    head head;
    eyes eyes;
    sn_look_at rig; /* by resolve */
} parameters;

/* Radians from 0 to pi; a number from 0 to 1; any number. */
#define ANGLE(in, text, member, degrees)                                                           \
    {                                                                                              \
        .name = text, .kind = SN_KIND_NUMBER, .offset = offsetof(in, member), .least = 0,          \
        .most = SN_HALF_TURN_MAX, .fallback = {                                                    \
            (float)(degrees * SN_DEGREE)                                                           \
        }                                                                                          \
    }
#define SHARE(in, text, member, value)                                                             \
    {                                                                                              \
        .name = text, .kind = SN_KIND_NUMBER, .offset = offsetof(in, member), .least = 0,          \
        .most = 1, .fallback = {                                                                   \
            value                                                                                  \
        }                                                                                          \
    }
#define NUMBER(in, text, member, is_required)                                                      \
    {.name = text, .kind = SN_KIND_NUMBER, .offset = offsetof(in, member), .required = is_required}
#define OBJECT(in, text, member, form)                                                             \
    {.name = text, .kind = SN_KIND_OBJECT, .offset = offsetof(in, member), .shape = &form}

static const sn_modifier_field head_fields[] = {
    SHARE(head, "share", share, 1),       SHARE(head, "neck", neck, 0.6f),
    ANGLE(head, "yaw", limits.yaw, 60),   ANGLE(head, "up", limits.up, 45),
    ANGLE(head, "down", limits.down, 45),
};
static const sn_modifier_shape head_shape = SN_MODIFIER_SHAPE(head_fields, head);

static const sn_modifier_field key_fields[] = {
    NUMBER(sn_gaze_key, "time", time, true),
    NUMBER(sn_gaze_key, "value", value, true),
    NUMBER(sn_gaze_key, "in", in_tangent, false),
    NUMBER(sn_gaze_key, "out", out_tangent, false),
};
static const sn_modifier_shape key_shape = SN_MODIFIER_SHAPE(key_fields, sn_gaze_key);

static const sn_modifier_field map_fields[] = {
    ANGLE(map, "input", input, 90),
    ANGLE(map, "output", output, 90),
    {.name = "curve", .kind = SN_KIND_LIST, .offset = offsetof(map, curve), .shape = &key_shape},
};
static const sn_modifier_shape map_shape = SN_MODIFIER_SHAPE(map_fields, map);

static const sn_modifier_field maps_fields[] = {
    OBJECT(maps, "inner", inner, map_shape),
    OBJECT(maps, "outer", outer, map_shape),
    OBJECT(maps, "up", up, map_shape),
    OBJECT(maps, "down", down, map_shape),
};
static const sn_modifier_shape maps_shape = SN_MODIFIER_SHAPE(maps_fields, maps);

static const sn_modifier_field eyes_fields[] = {
    {.name = "offset",
     .kind = SN_KIND_VECTOR,
     .offset = offsetof(eyes, offset),
     .fallback = {0, 0.06f, 0}},
    ANGLE(eyes, "yaw", limits.yaw, 30),
    ANGLE(eyes, "up", limits.up, 18),
    ANGLE(eyes, "down", limits.down, 14),
    OBJECT(eyes, "maps", maps, maps_shape),
};
static const sn_modifier_shape eyes_shape = SN_MODIFIER_SHAPE(eyes_fields, eyes);

static const sn_modifier_field fields[] = {
    {.name = "target",
     .kind = SN_KIND_TARGET,
     .offset = offsetof(parameters, target),
     .required = true,
     .keyed = true},
    OBJECT(parameters, "head", head, head_shape),
    OBJECT(parameters, "eyes", eyes, eyes_shape),
    {.name = "bones", .kind = SN_KIND_BONES, .offset = offsetof(parameters, bones)},
};

/* Bits 1 and up of sn_look_at_flag; bit 0 is the report's is_reached. */
static const char *const flag_names[] = {"head_limited", "eyes_limited", NULL};

static sn_gaze_map gaze_map(const map *m) {
    return (sn_gaze_map){m->input, m->output, m->curve.items, m->curve.count};
}

static sn_result resolve(sn_modifier_site *site, void *out) {
    parameters *p = out;
    sn_result result = sn_modifier_require_bone(site, &p->bones, SN_HUMAN_HEAD, "/bones");
    if (result)
        return result;
    const maps *m = &p->eyes.maps;
    sn_look_at_options options = {.eyes = {.inner = gaze_map(&m->inner),
                                           .outer = gaze_map(&m->outer),
                                           .up = gaze_map(&m->up),
                                           .down = gaze_map(&m->down)}};
    memcpy(options.eye_offset, p->eyes.offset, sizeof options.eye_offset);
    return sn_look_at_set_up(site->joints, &p->bones, &options, &p->rig, site->error);
}

static sn_result apply(const sn_modifier_call *call, sn_modifier_report *report, sn_error *error) {
    const parameters *p = call->parameters;
    sn_look_at_job job = {.rig = &p->rig,
                          .weight = call->weight,
                          .head_share = p->head.share,
                          .neck_share = p->head.neck,
                          .head_limits = p->head.limits,
                          .eye_limits = p->eyes.limits};
    sn_modifier_target_world(&p->target, call->joints, job.target);
    sn_look_at_output out;
    sn_result result = sn_look_at_apply(&job, call->joints, &out, error);
    if (result)
        return result;
    report->is_reached = out.flags & SN_LOOK_AT_REACHED;
    report->flags = out.flags >> 1;
    report->residual = out.residual;
    return SN_OK;
}

const sn_modifier_type sn_modifier_look_at = {
    .name = "look_at",
    .shape = SN_MODIFIER_SHAPE(fields, parameters),
    .flag_names = flag_names,
    .residual_is_angle = true,
    .resolve = resolve,
    .apply = apply,
};
