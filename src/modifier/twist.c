/* {"type": "twist"}: the twist of one node spread over others, by sinew/twist.h. */
#include "sinew/twist.h"

#include "modifier/types.h"

typedef struct parameters {
    uint32_t source, end;
    sn_modifier_list joints; /* of sn_twist_share */
    sn_twist twist;          /* by resolve */
} parameters;

static const sn_modifier_field share_fields[] = {
    {.name = "node",
     .kind = SN_KIND_NODE,
     .offset = offsetof(sn_twist_share, joint),
     .required = true},
    {.name = "share",
     .kind = SN_KIND_NUMBER,
     .offset = offsetof(sn_twist_share, share),
     .required = true},
};
static const sn_modifier_shape share_shape = SN_MODIFIER_SHAPE(share_fields, sn_twist_share);

#define AT(member) .offset = offsetof(parameters, member)

static const sn_modifier_field fields[] = {
    {.name = "source", .kind = SN_KIND_NODE, AT(source), .required = true},
    {.name = "end", .kind = SN_KIND_NODE, AT(end)},
    {.name = "joints", .kind = SN_KIND_LIST, AT(joints), .required = true, .shape = &share_shape},
};

static const char *const flag_names[] = {NULL};

static sn_result resolve(sn_modifier_site *site, void *out) {
    parameters *p = out;
    sn_twist_bone bone = {.source = p->source,
                          .end = p->end,
                          .joints = p->joints.items,
                          .joint_count = p->joints.count};
    return sn_twist_set_up(site->joints, &bone, &p->twist, site->error);
}

static sn_result apply(const sn_modifier_call *call, sn_modifier_report *report, sn_error *error) {
    const parameters *p = call->parameters;
    sn_twist_job job = {&p->twist, call->weight, call->state};
    sn_result result = sn_twist_apply(&job, call->joints, NULL, error);
    report->is_reached = result == SN_OK;
    return result;
}

const sn_modifier_type sn_modifier_twist = {
    .name = "twist",
    .shape = SN_MODIFIER_SHAPE(fields, parameters),
    .state_size = sizeof(sn_twist_state),
    .flag_names = flag_names,
    .resolve = resolve,
    .apply = apply,
};
