/* {"type": "two_bone"}: shoulder, elbow and wrist by sinew/two_bone.h. */
#include <string.h>

#include "math/angle.h"
#include "modifier/types.h"
#include "sinew/two_bone.h"

typedef struct parameters {
    uint32_t root, mid, end;
    sn_modifier_target target;
    sn_modifier_pole pole;
    struct {
        float reach[3], bend[3];
    } field;
    bool has_field;
    float orientation[4];
    bool has_orientation;
    uint32_t roll;
    float hinge[3];
    float soften;
    float flexion[2];
    bool has_flexion;
    struct {
        float max, start;
    } stretch;
    float swivel;
    float bend_rate;
    /* by resolve */
    uint32_t *chain; /* nodes from the root to the end */
    uint32_t chain_count;
    uint32_t middle; /* place of `mid` in it */
} parameters;

#define AT(member) .offset = offsetof(parameters, member)

static const char *const rolls[] = {[SN_ROLL_HINGE] = "hinge", [SN_ROLL_KEEP] = "keep", NULL};

static const sn_modifier_field field_fields[] = {
    {.name = "reach", .kind = SN_KIND_DIRECTION, .offset = 0, .required = true},
    {.name = "bend", .kind = SN_KIND_DIRECTION, .offset = 3 * sizeof(float), .required = true},
};
static const sn_modifier_shape field_shape = {field_fields, 2, 6 * sizeof(float)};

static const sn_modifier_field stretch_fields[] = {
    {.name = "max",
     .kind = SN_KIND_NUMBER,
     .offset = 0,
     .required = true,
     .least = 1,
     .most = SN_TWO_BONE_STRETCH_LIMIT,
     .above = true},
    {.name = "start",
     .kind = SN_KIND_NUMBER,
     .offset = sizeof(float),
     .least = 0,
     .most = SN_MODIFIER_NO_LIMIT,
     .above = true,
     .fallback = {1}},
};
static const sn_modifier_shape stretch_shape = {stretch_fields, 2, 2 * sizeof(float)};

static const sn_modifier_field fields[] = {
    {.name = "root", .kind = SN_KIND_NODE, AT(root), .required = true},
    {.name = "mid", .kind = SN_KIND_NODE, AT(mid), .required = true},
    {.name = "end", .kind = SN_KIND_NODE, AT(end), .required = true},
    {.name = "target", .kind = SN_KIND_TARGET, AT(target), .required = true, .keyed = true},
    {.name = "pole", .kind = SN_KIND_POLE, AT(pole), .keyed = true},
    {.name = "field",
     .kind = SN_KIND_OBJECT,
     AT(field),
     .given = offsetof(parameters, has_field),
     .shape = &field_shape},
    {.name = "orientation",
     .kind = SN_KIND_ROTATION,
     AT(orientation),
     .given = offsetof(parameters, has_orientation),
     .keyed = true},
    {.name = "roll", .kind = SN_KIND_WORD, AT(roll), .words = rolls},
    {.name = "hinge", .kind = SN_KIND_DIRECTION, AT(hinge)},
    {.name = "soften",
     .kind = SN_KIND_NUMBER,
     AT(soften),
     .least = 0,
     .most = 1,
     .above = true,
     .fallback = {1}},
    {.name = "flexion",
     .kind = SN_KIND_RANGE,
     AT(flexion),
     .given = offsetof(parameters, has_flexion),
     .least = 0,
     .most = SN_HALF_TURN_MAX},
    {.name = "stretch", .kind = SN_KIND_OBJECT, AT(stretch), .shape = &stretch_shape},
    {.name = "swivel", .kind = SN_KIND_NUMBER, AT(swivel), .keyed = true},
    {.name = "bendRate",
     .kind = SN_KIND_NUMBER,
     AT(bend_rate),
     .least = 0,
     .most = SN_MODIFIER_NO_LIMIT,
     .above = true,
     .fallback = {6}},
};

/* Bits 1 and up of sn_two_bone_flag; bit 0 is the report's is_reached. */
static const char *const flag_names[] = {"too_far", "too_near",  "softened",
                                         "limited", "stretched", "no_direction",
                                         "no_bend", "sheared",   NULL};

/* The solver's input, but for the state. */
static void set_options(const parameters *p, const sn_joints *joints, sn_two_bone_options *out) {
    *out = (sn_two_bone_options){
        .roll = (sn_roll)p->roll,
        .swivel = p->swivel,
        .soften = p->soften,
        .flexion_min = p->flexion[0],
        .flexion_max = p->flexion[1],
        .stretch_max = p->stretch.max,
        .stretch_start = p->stretch.start,
        .bend_rate = p->bend_rate,
    };
    memcpy(out->hinge, p->hinge, sizeof out->hinge);
    if (p->has_field) {
        out->bend = SN_BEND_FIELD;
        memcpy(out->field_reach, p->field.reach, sizeof out->field_reach);
        memcpy(out->field_bend, p->field.bend, sizeof out->field_bend);
    }
    if (p->pole.kind != SN_POLE_NONE)
        out->bend = p->pole.kind == SN_POLE_TARGET ? SN_BEND_POSITION : SN_BEND_DIRECTION;
    sn_modifier_pole_world(&p->pole, joints, out->pole);
}

/* `chain` has room for the local transforms of the chain. */
static sn_result solve(const parameters *p, const sn_modifier_call *call, sn_transform *chain,
                       sn_two_bone_output *out, sn_error *error) {
    const sn_joints *joints = call->joints;
    for (uint32_t i = 0; i < p->chain_count; i++)
        chain[i] = joints->local[p->chain[i]];
    sn_two_bone_options options;
    set_options(p, joints, &options);
    sn_two_bone_job job = {
        .parent_world = sn_joints_world(joints, joints->parents[p->root]),
        .joints = chain,
        .joint_count = p->chain_count,
        .middle = p->middle,
        .weight = call->weight,
        .is_oriented = p->has_orientation,
        .options = &options,
        .state = call->state,
        .seconds = call->seconds,
    };
    memcpy(job.orientation, p->orientation, sizeof job.orientation);
    sn_modifier_target_world(&p->target, joints, job.target);
    return sn_two_bone_solve(&job, out, error);
}

static sn_result find_chain(sn_modifier_site *site, parameters *p) {
    const sn_node *nodes = site->model->nodes;
    sn_result result = sn_modifier_chain(site, p->root, p->end, "/end", &p->chain, &p->chain_count);
    if (result)
        return result;
    for (p->middle = 1; p->middle + 1 < p->chain_count; p->middle++)
        if (p->chain[p->middle] == p->mid)
            return SN_OK;
    return sn_modifier_fail(site, SN_MESSAGE_CHAIN_JOINTS, "/mid",
                            "node %u \"%s\" does not lie between \"root\" and \"end\"", p->mid,
                            nodes[p->mid].name);
}

static sn_result resolve(sn_modifier_site *site, void *out) {
    parameters *p = out;
    if (p->has_field && p->pole.kind != SN_POLE_NONE)
        return sn_modifier_fail(site, SN_MESSAGE_MODIFIER_FIELD, "/field",
                                "\"field\" and \"pole\" both say where to bend: give one of them");
    if (p->has_flexion && !(p->flexion[1] > 0))
        return sn_modifier_fail(site, SN_MESSAGE_MODIFIER_VALUE, "/flexion/1",
                                "the most flexion must be above 0");
    sn_result result = find_chain(site, p);
    if (result)
        return result;
    size_t size = p->chain_count * sizeof(sn_transform);
    site->scratch_size = size > site->scratch_size ? size : site->scratch_size;
    /* The rest pose says whether the bones have a length. */
    sn_transform *chain = SN_ARENA_NEW(site->arena, sn_transform, p->chain_count);
    if (!chain)
        return sn_modifier_no_memory(site);
    sn_joints joints = *site->joints;
    sn_two_bone_output unused;
    return solve(p, &(sn_modifier_call){.joints = &joints, .weight = 1}, chain, &unused,
                 site->error);
}

static void store(const parameters *p, const sn_two_bone_output *out, sn_transform *local) {
    memcpy(local[p->root].rotation, out->root_rotation, sizeof out->root_rotation);
    memcpy(local[p->mid].rotation, out->middle_rotation, sizeof out->middle_rotation);
    memcpy(local[p->end].rotation, out->end_rotation, sizeof out->end_rotation);
    if (out->flags & SN_TWO_BONE_STRETCHED)
        for (uint32_t i = 1; i < p->chain_count; i++)
            for (int axis = 0; axis < 3; axis++)
                local[p->chain[i]].translation[axis] *= out->stretch;
}

static sn_result apply(const sn_modifier_call *call, sn_modifier_report *report, sn_error *error) {
    const parameters *p = call->parameters;
    sn_two_bone_output out;
    sn_result result = solve(p, call, call->scratch, &out, error);
    if (result)
        return result;
    store(p, &out, call->joints->local);
    report->is_reached = out.flags & SN_TWO_BONE_REACHED;
    report->flags = out.flags >> 1;
    report->residual = out.residual;
    return SN_OK;
}

const sn_modifier_type sn_modifier_two_bone = {
    .name = "two_bone",
    .shape = SN_MODIFIER_SHAPE(fields, parameters),
    .state_size = sizeof(sn_two_bone_state),
    .flag_names = flag_names,
    .resolve = resolve,
    .apply = apply,
};
