/* {"type": "grip"}: one or two hands on a prop, by sinew/grip.h. */
#include "sinew/grip.h"

#include <math.h>
#include <string.h>

#include "math/angle.h"
#include "modifier/types.h"
#include "rig/space.h"

typedef struct hold {
    uint32_t side;
    float position[3], axis[3], palm[3];
    float roll, radius, tilt, curl;
    bool has_palm;
    sn_modifier_pole pole;
} hold;

typedef struct parameters {
    uint32_t prop;
    sn_modifier_list hands; /* of hold */
    float shift, turn, favour, curl;
    sn_humanoid bones;
    sn_grip_arm *arms; /* by resolve: of each hold */
} parameters;

#define AT(in, member) .offset = offsetof(in, member)

static const sn_modifier_field hold_fields[] = {
    {.name = "side",
     .kind = SN_KIND_WORD,
     AT(hold, side),
     .required = true,
     .words = sn_modifier_sides},
    {.name = "position", .kind = SN_KIND_VECTOR, AT(hold, position), .required = true},
    {.name = "axis", .kind = SN_KIND_DIRECTION, AT(hold, axis), .required = true},
    {.name = "palm", .kind = SN_KIND_DIRECTION, AT(hold, palm), .given = offsetof(hold, has_palm)},
    {.name = "roll", .kind = SN_KIND_NUMBER, AT(hold, roll), .least = 0, .most = SN_HALF_TURN_MAX},
    {.name = "radius",
     .kind = SN_KIND_NUMBER,
     AT(hold, radius),
     .required = true,
     .least = 0,
     .most = SN_MODIFIER_NO_LIMIT,
     .above = true},
    {.name = "tilt", .kind = SN_KIND_NUMBER, AT(hold, tilt), .least = -1.5f, .most = 1.5f},
    {.name = "curl",
     .kind = SN_KIND_NUMBER,
     AT(hold, curl),
     .least = 0,
     .most = 1,
     .fallback = {1}},
    {.name = "pole", .kind = SN_KIND_POLE, AT(hold, pole)},
};
static const sn_modifier_shape hold_shape = SN_MODIFIER_SHAPE(hold_fields, hold);

static const sn_modifier_field fields[] = {
    {.name = "prop", .kind = SN_KIND_NODE, AT(parameters, prop)},
    {.name = "hands",
     .kind = SN_KIND_LIST,
     AT(parameters, hands),
     .required = true,
     .shape = &hold_shape},
    {.name = "shift",
     .kind = SN_KIND_NUMBER,
     AT(parameters, shift),
     .least = 0,
     .most = SN_MODIFIER_NO_LIMIT},
    {.name = "turn",
     .kind = SN_KIND_NUMBER,
     AT(parameters, turn),
     .least = 0,
     .most = SN_HALF_TURN_MAX},
    {.name = "favour",
     .kind = SN_KIND_NUMBER,
     AT(parameters, favour),
     .keyed = true,
     .least = 0,
     .most = 1,
     .fallback = {0.5f}},
    {.name = "curl",
     .kind = SN_KIND_NUMBER,
     AT(parameters, curl),
     .keyed = true,
     .least = 0,
     .most = 1,
     .fallback = {1}},
    {.name = "bones", .kind = SN_KIND_BONES, AT(parameters, bones)},
};

/* Bits 1 and up of sn_grip_flag; bit 0 is the report's is_reached. */
static const char *const flag_names[] = {"too_far", "too_near", "shifted", "turned", "loose", NULL};

/* ---- set-up ---- */

static const hold *holds_of(const parameters *p) {
    return p->hands.items;
}

/* A prop in a hand would be led by what it leads; one above the arms that gives way would take the
 * body along. */
static sn_result check_prop(const sn_modifier_site *site, const parameters *p, uint32_t shoulder) {
    if (p->prop == SN_NONE)
        return SN_OK;
    const sn_node *nodes = site->model->nodes;
    if (sn_joints_is_above(site->joints, shoulder, p->prop))
        return sn_modifier_fail(site, SN_MESSAGE_CHAIN_JOINTS, "/prop",
                                "node %u \"%s\" hangs on the arm of node %u \"%s\": a prop that "
                                "hands follow cannot follow a hand",
                                p->prop, nodes[p->prop].name, shoulder, nodes[shoulder].name);
    if (!(p->shift > 0 || p->turn > 0))
        return SN_OK;
    if (sn_joints_is_above(site->joints, p->prop, shoulder))
        return sn_modifier_fail(site, SN_MESSAGE_CHAIN_JOINTS, "/prop",
                                "the arms hang on node %u \"%s\", which can give way only with "
                                "them: \"shift\" and \"turn\" must be 0",
                                p->prop, nodes[p->prop].name);
    if (sn_joints_fixed(site->joints, p->prop))
        return sn_modifier_fail(site, SN_MESSAGE_CHAIN_JOINTS, "/prop",
                                "node %u \"%s\" has a matrix with shear, which cannot be moved",
                                p->prop, nodes[p->prop].name);
    return SN_OK;
}

static sn_result resolve(sn_modifier_site *site, void *out) {
    parameters *p = out;
    const hold *holds = holds_of(p);
    if (p->hands.count > 2 || (p->hands.count == 2 && holds[0].side == holds[1].side))
        return sn_modifier_fail(site, SN_MESSAGE_MODIFIER_VALUE, "/hands",
                                "each side has one hand: \"hands\" are one or two, of different "
                                "sides");
    if (p->prop == SN_NONE && (p->shift > 0 || p->turn > 0))
        return sn_modifier_fail(site, SN_MESSAGE_MODIFIER_FIELD, "/prop",
                                "only a prop gives way: name its node, or leave \"shift\" and "
                                "\"turn\" out");
    p->arms = SN_ARENA_NEW(site->arena, sn_grip_arm, p->hands.count);
    if (!p->arms)
        return sn_modifier_no_memory(site);
    for (uint32_t i = 0; i < p->hands.count; i++) {
        sn_human_bone bone = holds[i].side == 0 ? SN_HUMAN_LEFT_HAND : SN_HUMAN_RIGHT_HAND;
        sn_result result = SN_OK;
        for (unsigned above = 0; above < 3 && !result; above++)
            result =
                sn_modifier_require_bone(site, &p->bones, (sn_human_bone)(bone - above), "/bones");
        if (!result)
            result = sn_grip_arm_set_up(site->joints, &p->bones, bone, &p->arms[i], site->error);
        if (!result)
            result = check_prop(site, p, p->arms[i].chain[0]);
        if (result)
            return result;
    }
    return SN_OK;
}

/* ---- a frame ---- */

static void set_hold(const parameters *p, uint32_t i, const sn_joints *joints,
                     sn_two_bone_options *bend, sn_grip_hold *out) {
    const hold *h = &holds_of(p)[i];
    *out = (sn_grip_hold){.arm = &p->arms[i],
                          .roll = h->roll,
                          .radius = h->radius,
                          .tilt = h->tilt,
                          .curl = h->curl * p->curl};
    memcpy(out->position, h->position, sizeof out->position);
    memcpy(out->axis, h->axis, sizeof out->axis);
    if (h->has_palm)
        memcpy(out->palm, h->palm, sizeof out->palm);
    if (h->pole.kind == SN_POLE_NONE)
        return;
    *bend = (sn_two_bone_options){.bend = h->pole.kind == SN_POLE_TARGET ? SN_BEND_POSITION
                                                                         : SN_BEND_DIRECTION};
    memcpy(bend->hinge, p->arms[i].hinge, sizeof bend->hinge);
    sn_modifier_pole_world(&h->pole, joints, bend->pole);
    out->bend = bend;
}

/* The prop's node goes to where the hands have it, as far as the weight says. */
static void move_prop(const sn_joints *joints, uint32_t node, const sn_affine *world,
                      float weight) {
    sn_affine parent = sn_joints_world(joints, joints->parents[node]), local;
    sn_transform to, *at = &joints->local[node];
    if (!sn_affine_inverse(&parent, &local))
        return; /* then the prop's own has none, which is an error before */
    local = sn_affine_multiply(&local, world);
    sn_affine_decompose(&local, &to);
    float dot = 0, square = 0;
    for (int c = 0; c < 4; c++)
        dot += at->rotation[c] * to.rotation[c];
    for (int c = 0; c < 3; c++)
        at->translation[c] += weight * (to.translation[c] - at->translation[c]);
    for (int c = 0; c < 4; c++) {
        float wanted = dot < 0 ? -to.rotation[c] : to.rotation[c];
        at->rotation[c] += weight * (wanted - at->rotation[c]);
        square += at->rotation[c] * at->rotation[c];
    }
    for (int c = 0; c < 4; c++)
        at->rotation[c] /= sqrtf(square);
}

static sn_result apply(const sn_modifier_call *call, sn_modifier_report *report, sn_error *error) {
    const parameters *p = call->parameters;
    sn_two_bone_options bends[2];
    sn_grip_job job = {.prop = sn_affine_identity(),
                       .hold_count = p->hands.count,
                       .favour = p->favour,
                       .shift = p->shift,
                       .turn = p->turn,
                       .weight = call->weight};
    if (p->prop != SN_NONE)
        job.prop = sn_joints_world(call->joints, p->prop);
    for (uint32_t i = 0; i < p->hands.count; i++)
        set_hold(p, i, call->joints, &bends[i], &job.holds[i]);
    sn_grip_output out;
    sn_result result = sn_grip_apply(&job, call->joints, &out, error);
    if (result)
        return result;
    if (out.flags & (SN_GRIP_SHIFTED | SN_GRIP_TURNED))
        move_prop(call->joints, p->prop, &out.prop, call->weight);
    report->is_reached = out.flags & SN_GRIP_REACHED;
    report->flags = out.flags >> 1;
    report->residual = out.residual;
    return SN_OK;
}

const sn_modifier_type sn_modifier_grip = {
    .name = "grip",
    .shape = SN_MODIFIER_SHAPE(fields, parameters),
    .flag_names = flag_names,
    .resolve = resolve,
    .apply = apply,
};
