/* {"type": "feet"}: feet on the ground by sinew/feet.h. */
#include "sinew/feet.h"

#include <math.h>
#include <string.h>

#include "modifier/types.h"

/* A plane, or, with heights, a field of them. */
typedef struct ground {
    float point[3], normal[3];
    float columns, spacing, origin[3];
    sn_modifier_list heights; /* of float */
    bool is_stepped;
    bool has_point, has_normal, has_columns, has_spacing, has_origin, has_stepped;
} ground;

typedef struct hips {
    float drop, rise;
    bool has_drop;
} hips;

typedef struct parameters {
    ground ground;
    float offset[3];
    bool is_aligned;
    float slope, toes;
    hips hips;
    float extension, rate;
    sn_feet_shape sole;
    sn_humanoid bones;
    sn_feet feet; /* by resolve */
} parameters;

#define ANGLE_LIMIT 1.57f

#define FIELD(in, text, kind_, member) .name = text, .kind = kind_, .offset = offsetof(in, member)
/* A length above 0, or none; a number above 0. */
#define LENGTH(in, member, has)                                                                    \
    {FIELD(in, #member, SN_KIND_NUMBER, member), .given = offsetof(in, has), .least = 0,           \
     .most = SN_MODIFIER_NO_LIMIT, .above = true}
#define ABOVE_0(text, member, limit, value)                                                        \
    {                                                                                              \
        FIELD(parameters, text, SN_KIND_NUMBER, member), .least = 0, .most = limit, .above = true, \
            .fallback = {                                                                          \
                value                                                                              \
            }                                                                                      \
    }

static const sn_modifier_field ground_fields[] = {
    {FIELD(ground, "point", SN_KIND_VECTOR, point), .given = offsetof(ground, has_point)},
    {FIELD(ground, "normal", SN_KIND_DIRECTION, normal), .given = offsetof(ground, has_normal),
     .fallback = {0, 1, 0}},
    {FIELD(ground, "heights", SN_KIND_NUMBERS, heights)},
    {FIELD(ground, "columns", SN_KIND_NUMBER, columns), .given = offsetof(ground, has_columns),
     .least = 2, .most = 1 << 16},
    LENGTH(ground, spacing, has_spacing),
    {FIELD(ground, "origin", SN_KIND_VECTOR, origin), .given = offsetof(ground, has_origin)},
    {FIELD(ground, "stepped", SN_KIND_BOOL, is_stepped), .given = offsetof(ground, has_stepped)},
};
static const sn_modifier_shape ground_shape = SN_MODIFIER_SHAPE(ground_fields, ground);

static const sn_modifier_field hips_fields[] = {
    LENGTH(hips, drop, has_drop),
    {FIELD(hips, "rise", SN_KIND_NUMBER, rise), .least = 0, .most = SN_MODIFIER_NO_LIMIT},
};
static const sn_modifier_shape hips_shape = SN_MODIFIER_SHAPE(hips_fields, hips);

#define SOLE(member)                                                                               \
    {FIELD(sn_feet_shape, #member, SN_KIND_NUMBER, member), .least = 0,                            \
     .most = SN_MODIFIER_NO_LIMIT}
static const sn_modifier_field sole_fields[] = {
    {FIELD(sn_feet_shape, "floor", SN_KIND_NUMBER, floor)},
    SOLE(heel),
    SOLE(ball),
    SOLE(toes),
    SOLE(breadth),
};
static const sn_modifier_shape sole_shape = SN_MODIFIER_SHAPE(sole_fields, sn_feet_shape);

static const sn_modifier_field fields[] = {
    {FIELD(parameters, "ground", SN_KIND_OBJECT, ground), .shape = &ground_shape},
    {FIELD(parameters, "offset", SN_KIND_VECTOR, offset), .keyed = true},
    {FIELD(parameters, "align", SN_KIND_BOOL, is_aligned), .fallback = {1}},
    ABOVE_0("slope", slope, ANGLE_LIMIT, 0.7f),
    ABOVE_0("toes", toes, ANGLE_LIMIT, 0.8f),
    {FIELD(parameters, "hips", SN_KIND_OBJECT, hips), .shape = &hips_shape},
    ABOVE_0("extension", extension, 1, 0.99f),
    ABOVE_0("rate", rate, SN_MODIFIER_NO_LIMIT, 12),
    {FIELD(parameters, "sole", SN_KIND_OBJECT, sole), .shape = &sole_shape},
    {FIELD(parameters, "bones", SN_KIND_BONES, bones)},
};

/* Bits 1 and up of sn_foot_flag for the left foot, then for the right one. */
enum { FLAGS_A_FOOT = 4 };
static const char *const flag_names[] = {
    "left_too_far",        "left_too_near",   "left_slope_limited",
    "left_no_ground",      "right_too_far",   "right_too_near",
    "right_slope_limited", "right_no_ground", NULL};

/* ---- Checks ---- */

static sn_result check_plane(sn_modifier_site *site, const ground *g) {
    static const char *const names[] = {"columns", "spacing", "origin", "stepped"};
    const bool given[] = {g->has_columns, g->has_spacing, g->has_origin, g->has_stepped};
    for (int i = 0; i < 4; i++)
        if (given[i])
            return sn_modifier_fail(site, SN_MESSAGE_MODIFIER_FIELD, "/ground",
                                    "\"%s\" goes with \"heights\"", names[i]);
    if (!(g->normal[1] > 0))
        return sn_modifier_fail(site, SN_MESSAGE_MODIFIER_VALUE, "/ground/normal",
                                "the normal of the ground must point upwards: its y above 0");
    return SN_OK;
}

static sn_result check_heights(sn_modifier_site *site, const ground *g) {
    if (g->has_point || g->has_normal)
        return sn_modifier_fail(site, SN_MESSAGE_MODIFIER_FIELD, "/ground",
                                "\"heights\" and \"%s\" both say where the ground is: give one of "
                                "them",
                                g->has_point ? "point" : "normal");
    if (!g->has_columns || !g->has_spacing)
        return sn_modifier_fail(site, SN_MESSAGE_MODIFIER_FIELD, "/ground",
                                "the field \"%s\" is missing, which \"heights\" need",
                                g->has_columns ? "spacing" : "columns");
    uint32_t columns = (uint32_t)g->columns;
    if (floorf(g->columns) < g->columns)
        return sn_modifier_fail(site, SN_MESSAGE_MODIFIER_VALUE, "/ground/columns",
                                "this must be a whole number");
    if (g->heights.count % columns || g->heights.count / columns < 2)
        return sn_modifier_fail(site, SN_MESSAGE_MODIFIER_VALUE, "/ground/heights",
                                "%u heights are no rows of %u: 2 rows or more are needed",
                                g->heights.count, columns);
    return SN_OK;
}

/* ---- The ground ---- */

/* `field` is what the ground points to where it is one. */
static sn_ground ground_of(const parameters *p, sn_height_field *field) {
    const ground *g = &p->ground;
    sn_ground out = {0};
    if (!g->heights.count) {
        for (int i = 0; i < 3; i++) {
            out.point[i] = g->point[i] + p->offset[i];
            out.normal[i] = g->normal[i];
        }
        return out;
    }
    uint32_t columns = (uint32_t)g->columns;
    *field = (sn_height_field){.columns = columns,
                               .rows = g->heights.count / columns,
                               .spacing = {g->spacing, g->spacing},
                               .heights = g->heights.items,
                               .is_stepped = g->is_stepped};
    for (int i = 0; i < 3; i++)
        field->origin[i] = g->origin[i] + p->offset[i];
    out.field = field;
    return out;
}

static sn_result resolve(sn_modifier_site *site, void *out) {
    parameters *p = out;
    sn_result result =
        p->ground.heights.count ? check_heights(site, &p->ground) : check_plane(site, &p->ground);
    static const sn_human_bone needed[] = {
        SN_HUMAN_HIPS,      SN_HUMAN_LEFT_UPPER_LEG,  SN_HUMAN_LEFT_LOWER_LEG,
        SN_HUMAN_LEFT_FOOT, SN_HUMAN_RIGHT_UPPER_LEG, SN_HUMAN_RIGHT_LOWER_LEG,
        SN_HUMAN_RIGHT_FOOT};
    for (size_t i = 0; i < sizeof needed / sizeof *needed && !result; i++)
        result = sn_modifier_require_bone(site, &p->bones, needed[i], "/bones");
    if (result)
        return result;
    sn_error error = {0};
    if (sn_feet_set_up(site->joints, &p->bones, &p->sole, &p->feet, &error))
        return sn_modifier_fail(site, error.id,
                                error.id == SN_MESSAGE_CHAIN_VALUE ? "/sole" : "/bones", "%s",
                                error.text);
    return SN_OK;
}

static sn_result apply(const sn_modifier_call *call, sn_modifier_report *report, sn_error *error) {
    const parameters *p = call->parameters;
    sn_feet_options options = {.is_level = !p->is_aligned,
                               .slope_max = p->slope,
                               .toes_max = p->toes,
                               .hips_drop = p->hips.drop,
                               .hips_rise = p->hips.rise,
                               .extension = p->extension,
                               .rate = p->rate};
    sn_height_field field;
    sn_feet_job job = {.feet = &p->feet,
                       .ground = ground_of(p, &field),
                       .weight = call->weight,
                       .options = &options,
                       .state = call->state,
                       .seconds = call->seconds};
    sn_feet_output out;
    sn_result result = sn_feet_apply(&job, call->joints, &out, error);
    if (result)
        return result;
    report->is_reached = true;
    for (int side = 0; side < 2; side++) {
        const sn_foot_output *foot = &out.feet[side];
        report->is_reached = report->is_reached && (foot->flags & SN_FOOT_REACHED);
        report->flags |= foot->flags >> 1 << (side * FLAGS_A_FOOT);
        report->residual = fmaxf(report->residual, foot->residual);
    }
    return SN_OK;
}

const sn_modifier_type sn_modifier_feet = {
    .name = "feet",
    .shape = SN_MODIFIER_SHAPE(fields, parameters),
    .state_size = sizeof(sn_feet_state),
    .flag_names = flag_names,
    .resolve = resolve,
    .apply = apply,
};
