/* {"type": "aim"}: a node's axis through a target, by sinew/aim.h. */
#include "sinew/aim.h"

#include <string.h>

#include "modifier/types.h"

typedef struct parameters {
    uint32_t node;
    sn_modifier_target target;
    float forward[3], offset[3];
    float up[3];
    bool has_up;
    sn_modifier_pole pole;
    float twist;
} parameters;

#define AT(member) .offset = offsetof(parameters, member)

static const sn_modifier_field fields[] = {
    {.name = "node", .kind = SN_KIND_NODE, AT(node), .required = true},
    {.name = "target", .kind = SN_KIND_TARGET, AT(target), .required = true, .keyed = true},
    {.name = "forward", .kind = SN_KIND_DIRECTION, AT(forward), .fallback = {0, 0, 1}},
    {.name = "offset", .kind = SN_KIND_VECTOR, AT(offset)},
    {.name = "up",
     .kind = SN_KIND_DIRECTION,
     AT(up),
     .given = offsetof(parameters, has_up),
     .fallback = {0, 1, 0}},
    {.name = "pole", .kind = SN_KIND_POLE, AT(pole), .keyed = true},
    {.name = "twist", .kind = SN_KIND_NUMBER, AT(twist), .keyed = true},
};

/* Bits 1 and up of sn_aim_flag; bit 0 is the report's is_reached. */
static const char *const flag_names[] = {"too_near", "no_direction", "no_up", NULL};

static sn_result solve(const parameters *p, const sn_modifier_call *call, sn_aim_output *out,
                       sn_error *error) {
    sn_aim_options options = {.twist = p->twist};
    memcpy(options.forward, p->forward, sizeof options.forward);
    memcpy(options.offset, p->offset, sizeof options.offset);
    memcpy(options.up, p->up, sizeof options.up);
    if (p->pole.kind != SN_POLE_NONE)
        options.up_mode = p->pole.kind == SN_POLE_TARGET ? SN_AIM_UP_POSITION : SN_AIM_UP_DIRECTION;
    sn_modifier_pole_world(&p->pole, call->joints, options.pole);
    sn_aim_job job = {.joint = p->node, .weight = call->weight, .options = &options};
    sn_modifier_target_world(&p->target, call->joints, job.target);
    return sn_aim_apply(&job, call->joints, out, error);
}

static sn_result resolve(sn_modifier_site *site, void *out) {
    const parameters *p = out;
    if (p->has_up && p->pole.kind == SN_POLE_NONE)
        return sn_modifier_fail(site, SN_MESSAGE_MODIFIER_FIELD, "/up",
                                "\"up\" is turned to the side of a \"pole\": give that too");
    uint32_t *chain, count;
    return sn_modifier_chain(site, p->node, p->node, "/node", &chain, &count);
}

static sn_result apply(const sn_modifier_call *call, sn_modifier_report *report, sn_error *error) {
    sn_aim_output out;
    sn_result result = solve(call->parameters, call, &out, error);
    if (result)
        return result;
    report->is_reached = out.flags & SN_AIM_REACHED;
    report->flags = out.flags >> 1;
    report->residual = out.residual;
    return SN_OK;
}

const sn_modifier_type sn_modifier_aim = {
    .name = "aim",
    .shape = SN_MODIFIER_SHAPE(fields, parameters),
    .flag_names = flag_names,
    .residual_is_angle = true,
    .resolve = resolve,
    .apply = apply,
};
