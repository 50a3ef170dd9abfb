/* {"type": "arm"}: a whole arm, or a leg, by sinew/arm.h. */
#include "sinew/arm.h"

#include <string.h>

#include "math/angle.h"
#include "modifier/types.h"

typedef struct shoulder {
    float up, down, forward, back, out, in;
} shoulder;

typedef struct wrist {
    float flexion, extension, radial, ulnar, supination, pronation;
} wrist;

typedef struct limits {
    shoulder shoulder;
    wrist wrist;
    float elbow[2];
} limits;

typedef struct parameters {
    uint32_t side, limb;
    sn_modifier_target target;
    float grip[3];
    float orientation[4];
    bool has_orientation;
    float roll_axis[3];
    bool has_roll_axis;
    float roll_range[2];
    bool has_roll_range;
    sn_modifier_pole pole;
    uint32_t bend;
    float swivel, soften, clavicle, spine, twist;
    bool is_limited, has_limits;
    limits limits;
    bool keeps_clear;
    sn_modifier_list capsules; /* of sn_capsule */
    float thickness;
    sn_humanoid bones;
    /* by resolve */
    sn_arm arm;
    sn_arm_limits ranges;
    sn_capsule torso[SN_TORSO_CAPSULES];
} parameters;

#define AT(member) .offset = offsetof(parameters, member)

/* Radians from 0 to pi, the most that a joint moves to that side. */
#define ANGLE(in, member, degrees)                                                                 \
    {                                                                                              \
        .name = #member, .kind = SN_KIND_NUMBER, .offset = offsetof(in, member), .least = 0,       \
        .most = SN_HALF_TURN_MAX, .fallback = {                                                    \
            (float)(degrees * SN_DEGREE)                                                           \
        }                                                                                          \
    }

/* Those of sn_arm_limits_human. */
static const sn_modifier_field shoulder_fields[] = {
    ANGLE(shoulder, up, 90),   ANGLE(shoulder, down, 90), ANGLE(shoulder, forward, 135),
    ANGLE(shoulder, back, 60), ANGLE(shoulder, out, 120), ANGLE(shoulder, in, 120),
};
static const sn_modifier_shape shoulder_shape = SN_MODIFIER_SHAPE(shoulder_fields, shoulder);

static const sn_modifier_field wrist_fields[] = {
    ANGLE(wrist, flexion, 80), ANGLE(wrist, extension, 70),  ANGLE(wrist, radial, 20),
    ANGLE(wrist, ulnar, 30),   ANGLE(wrist, supination, 80), ANGLE(wrist, pronation, 80),
};
static const sn_modifier_shape wrist_shape = SN_MODIFIER_SHAPE(wrist_fields, wrist);

static const sn_modifier_field limits_fields[] = {
    {.name = "shoulder",
     .kind = SN_KIND_OBJECT,
     .offset = offsetof(limits, shoulder),
     .shape = &shoulder_shape},
    {.name = "elbow",
     .kind = SN_KIND_RANGE,
     .offset = offsetof(limits, elbow),
     .least = 0,
     .most = SN_HALF_TURN_MAX,
     .fallback = {0, (float)(150 * SN_DEGREE)}},
    {.name = "wrist",
     .kind = SN_KIND_OBJECT,
     .offset = offsetof(limits, wrist),
     .shape = &wrist_shape},
};
static const sn_modifier_shape limits_shape = SN_MODIFIER_SHAPE(limits_fields, limits);

static const sn_modifier_field capsule_fields[] = {
    {.name = "node", .kind = SN_KIND_NODE, .offset = offsetof(sn_capsule, joint)},
    {.name = "from", .kind = SN_KIND_VECTOR, .offset = offsetof(sn_capsule, a)},
    {.name = "to", .kind = SN_KIND_VECTOR, .offset = offsetof(sn_capsule, b)},
    {.name = "radius",
     .kind = SN_KIND_NUMBER,
     .offset = offsetof(sn_capsule, radius),
     .required = true,
     .least = 0,
     .most = SN_MODIFIER_NO_LIMIT,
     .above = true},
};
static const sn_modifier_shape capsule_shape = SN_MODIFIER_SHAPE(capsule_fields, sn_capsule);

static const char *const limbs[] = {"arm", "leg", NULL};
static const char *const bends[] = {
    [SN_ARM_BEND_NATURAL] = "natural", [SN_ARM_BEND_POSE] = "pose", NULL};

#define SHARE(member, value)                                                                       \
    {                                                                                              \
        .name = #member, .kind = SN_KIND_NUMBER, AT(member), .least = 0, .most = 1, .fallback = {  \
            value                                                                                  \
        }                                                                                          \
    }

static const sn_modifier_field fields[] = {
    {.name = "side", .kind = SN_KIND_WORD, AT(side), .required = true, .words = sn_modifier_sides},
    {.name = "limb", .kind = SN_KIND_WORD, AT(limb), .words = limbs},
    {.name = "target", .kind = SN_KIND_TARGET, AT(target), .required = true, .keyed = true},
    {.name = "grip", .kind = SN_KIND_VECTOR, AT(grip), .keyed = true},
    {.name = "orientation",
     .kind = SN_KIND_ROTATION,
     AT(orientation),
     .given = offsetof(parameters, has_orientation),
     .keyed = true},
    {.name = "rollAxis",
     .kind = SN_KIND_DIRECTION,
     AT(roll_axis),
     .given = offsetof(parameters, has_roll_axis),
     .keyed = true},
    {.name = "rollRange",
     .kind = SN_KIND_RANGE,
     AT(roll_range),
     .given = offsetof(parameters, has_roll_range)},
    {.name = "pole", .kind = SN_KIND_POLE, AT(pole), .keyed = true},
    {.name = "bend", .kind = SN_KIND_WORD, AT(bend), .words = bends},
    {.name = "swivel", .kind = SN_KIND_NUMBER, AT(swivel), .keyed = true},
    {.name = "soften",
     .kind = SN_KIND_NUMBER,
     AT(soften),
     .least = 0,
     .most = 1,
     .above = true,
     .fallback = {1}},
    SHARE(clavicle, 1),
    SHARE(spine, 0),
    SHARE(twist, 0.5f),
    {.name = "limits", .kind = SN_KIND_BOOL, AT(is_limited)},
    {.name = "limits",
     .kind = SN_KIND_OBJECT,
     AT(limits),
     .given = offsetof(parameters, has_limits),
     .shape = &limits_shape},
    {.name = "torso", .kind = SN_KIND_BOOL, AT(keeps_clear)},
    {.name = "torso", .kind = SN_KIND_LIST, AT(capsules), .shape = &capsule_shape},
    {.name = "thickness",
     .kind = SN_KIND_NUMBER,
     AT(thickness),
     .least = 0,
     .most = SN_MODIFIER_NO_LIMIT,
     .above = true,
     .fallback = {0.04f}},
    {.name = "bones", .kind = SN_KIND_BONES, AT(bones)},
};

/* Of sn_two_bone_flag and sn_arm_flag, and what they are called. */
#define FLAGS(X)                                                                                   \
    X(SN_TWO_BONE_TOO_FAR, "too_far")                                                              \
    X(SN_TWO_BONE_TOO_NEAR, "too_near")                                                            \
    X(SN_TWO_BONE_SOFTENED, "softened")                                                            \
    X(SN_TWO_BONE_LIMITED, "elbow_limited")                                                        \
    X(SN_TWO_BONE_NO_DIRECTION, "no_direction")                                                    \
    X(SN_TWO_BONE_NO_BEND, "no_bend")                                                              \
    X(SN_TWO_BONE_SHEARED, "sheared")                                                              \
    X(SN_ARM_SHOULDER_LIMITED, "shoulder_limited")                                                 \
    X(SN_ARM_WRIST_LIMITED, "wrist_limited")                                                       \
    X(SN_ARM_ROLL_LIMITED, "roll_limited")                                                         \
    X(SN_ARM_COLLIDES, "collides")                                                                 \
    X(SN_ARM_BODY_MOVED, "body_moved")

static const uint32_t flag_bits[] = {
#define BIT(flag, name) flag,
    FLAGS(BIT)
#undef BIT
};
static const char *const flag_names[] = {
#define NAME(flag, name) name,
    FLAGS(NAME)
#undef NAME
        NULL};

/* A field of 0 is one of the solver's defaults. */
static float or_none(float share) {
    return share > 0 ? share : -1;
}

static void set_options(const parameters *p, const sn_joints *joints, sn_arm_options *out) {
    *out = (sn_arm_options){.bend = (sn_arm_bend)p->bend,
                            .swivel = p->swivel,
                            .soften = p->soften,
                            .clavicle = or_none(p->clavicle),
                            .spine = p->spine,
                            .twist = or_none(p->twist),
                            .limits = p->is_limited || p->has_limits ? &p->ranges : NULL,
                            .capsules = p->capsules.items,
                            .capsule_count = p->capsules.count,
                            .thickness = p->thickness};
    if (p->keeps_clear) {
        out->capsules = p->torso;
        out->capsule_count = SN_TORSO_CAPSULES;
    }
    if (p->pole.kind != SN_POLE_NONE)
        out->bend = p->pole.kind == SN_POLE_TARGET ? SN_ARM_BEND_POSITION : SN_ARM_BEND_DIRECTION;
    sn_modifier_pole_world(&p->pole, joints, out->pole);
}

static sn_result solve(const parameters *p, const sn_modifier_call *call, sn_arm_output *out,
                       sn_error *error) {
    sn_arm_options options;
    set_options(p, call->joints, &options);
    sn_arm_job job = {.arm = &p->arm,
                      .hand = p->has_roll_axis     ? SN_HAND_FREE_ROLL
                              : p->has_orientation ? SN_HAND_EXACT
                                                   : SN_HAND_AS_POSED,
                      .roll_min = p->roll_range[0],
                      .roll_max = p->roll_range[1],
                      .weight = call->weight,
                      .options = &options,
                      .state = call->state,
                      .seconds = call->seconds};
    sn_modifier_target_world(&p->target, call->joints, job.target);
    memcpy(job.grip, p->grip, sizeof job.grip);
    memcpy(job.orientation, p->orientation, sizeof job.orientation);
    memcpy(job.roll_axis, p->roll_axis, sizeof job.roll_axis);
    return sn_arm_apply(&job, call->joints, out, error);
}

/* A range says how far to both sides of its zero; [0] and [1] of a swing are two axes. */
static void set_ranges(parameters *p) {
    p->ranges = sn_arm_limits_human();
    if (!p->has_limits)
        return;
    const shoulder *s = &p->limits.shoulder;
    const wrist *w = &p->limits.wrist;
    p->ranges = (sn_arm_limits){.shoulder = {.swing_max = {s->up, s->forward},
                                             .swing_min = {s->down, s->back},
                                             .twist_max = s->out,
                                             .twist_min = -s->in},
                                .wrist = {.swing_max = {w->flexion, w->radial},
                                          .swing_min = {w->extension, w->ulnar},
                                          .twist_max = w->supination,
                                          .twist_min = -w->pronation},
                                .flexion_min = p->limits.elbow[0],
                                .flexion_max = p->limits.elbow[1]};
}

static sn_result check(const sn_modifier_site *site, const parameters *p) {
    if (p->has_roll_axis && !p->has_orientation)
        return sn_modifier_fail(
            site, SN_MESSAGE_MODIFIER_FIELD, "/rollAxis",
            "\"rollAxis\" is what an \"orientation\" rolls about: give that too");
    if (p->has_roll_range && !p->has_roll_axis)
        return sn_modifier_fail(site, SN_MESSAGE_MODIFIER_FIELD, "/rollRange",
                                "\"rollRange\" is about a \"rollAxis\": give that too");
    if (p->pole.kind != SN_POLE_NONE && p->bend != SN_ARM_BEND_NATURAL)
        return sn_modifier_fail(site, SN_MESSAGE_MODIFIER_FIELD, "/bend",
                                "\"bend\" and \"pole\" both say where to bend: give one of them");
    if (p->has_limits && !(p->limits.elbow[1] > 0))
        return sn_modifier_fail(site, SN_MESSAGE_MODIFIER_VALUE, "/limits/elbow/1",
                                "the most flexion must be above 0");
    return SN_OK;
}

static sn_result set_up_arm(sn_modifier_site *site, parameters *p) {
    static const sn_limb_kind kinds[2][2] = {{SN_LIMB_LEFT_ARM, SN_LIMB_RIGHT_ARM},
                                             {SN_LIMB_LEFT_LEG, SN_LIMB_RIGHT_LEG}};
    static const sn_human_bone bones[2][3] = {
        {SN_HUMAN_LEFT_UPPER_ARM, SN_HUMAN_LEFT_LOWER_ARM, SN_HUMAN_LEFT_HAND},
        {SN_HUMAN_LEFT_UPPER_LEG, SN_HUMAN_LEFT_LOWER_LEG, SN_HUMAN_LEFT_FOOT}};
    for (int i = 0; i < 3; i++) {
        int bone = (int)bones[p->limb][i] + (p->side == 0 ? 0 : SN_HUMAN_SIDE);
        sn_result result = sn_modifier_require_bone(site, &p->bones, (sn_human_bone)bone, "/bones");
        if (result)
            return result;
    }
    sn_arm_bones arm = sn_arm_bones_of(&p->bones, kinds[p->limb][p->side]);
    return sn_arm_set_up(site->joints, &arm, &p->arm, site->error);
}

static sn_result resolve(sn_modifier_site *site, void *out) {
    parameters *p = out;
    sn_result result = check(site, p);
    if (result == SN_OK)
        result = set_up_arm(site, p);
    if (result != SN_OK)
        return result;
    set_ranges(p);
    if (p->keeps_clear && sn_torso_capsules(site->joints, &p->bones, p->torso) == 0)
        return sn_modifier_fail(site, SN_MESSAGE_MODIFIER_BONE, "/torso",
                                "a torso is between \"hips\", \"leftUpperArm\" and "
                                "\"rightUpperArm\": name them in \"bones\", or give capsules");
    if (p->capsules.count > SN_ARM_CAPSULES)
        return sn_modifier_fail(site, SN_MESSAGE_MODIFIER_VALUE, "/torso",
                                "%u capsules are more than %u", p->capsules.count,
                                (uint32_t)SN_ARM_CAPSULES);
    return SN_OK;
}

static sn_result apply(const sn_modifier_call *call, sn_modifier_report *report, sn_error *error) {
    sn_arm_output out;
    sn_result result = solve(call->parameters, call, &out, error);
    if (result)
        return result;
    report->is_reached = out.flags & SN_TWO_BONE_REACHED;
    for (uint32_t i = 0; i < sizeof flag_bits / sizeof *flag_bits; i++)
        report->flags |= out.flags & flag_bits[i] ? 1u << i : 0;
    report->residual = out.residual;
    return SN_OK;
}

const sn_modifier_type sn_modifier_arm = {
    .name = "arm",
    .shape = SN_MODIFIER_SHAPE(fields, parameters),
    .state_size = sizeof(sn_arm_state),
    .flag_names = flag_names,
    .resolve = resolve,
    .apply = apply,
};
