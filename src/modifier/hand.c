/* {"type": "hand"}: the fingers of one hand, by sinew/hand.h. */
#include "sinew/hand.h"

#include <string.h>

#include "modifier/types.h"

typedef struct parameters {
    uint32_t side;
    float curl;                     /* of all fingers */
    float fingers[SN_FINGER_COUNT]; /* factors of it */
    bool has_fingers;
    float radius, spread, padding;
    sn_humanoid bones;
    sn_hand hand; /* by resolve */
} parameters;

#define AT(member) .offset = offsetof(parameters, member)

#define FINGER(text, finger)                                                                       \
    {.name = text,                                                                                 \
     .kind = SN_KIND_NUMBER,                                                                       \
     .offset = (finger) * sizeof(float),                                                           \
     .least = 0,                                                                                   \
     .most = 1}
static const sn_modifier_field finger_fields[] = {
    FINGER("thumb", SN_FINGER_THUMB),   FINGER("index", SN_FINGER_INDEX),
    FINGER("middle", SN_FINGER_MIDDLE), FINGER("ring", SN_FINGER_RING),
    FINGER("little", SN_FINGER_LITTLE),
};
static const sn_modifier_shape finger_shape = {finger_fields, SN_FINGER_COUNT,
                                               SN_FINGER_COUNT * sizeof(float)};

static const sn_modifier_field fields[] = {
    {.name = "side", .kind = SN_KIND_WORD, AT(side), .required = true, .words = sn_modifier_sides},
    {.name = "curl",
     .kind = SN_KIND_NUMBER,
     AT(curl),
     .keyed = true,
     .least = 0,
     .most = 1,
     .fallback = {1}},
    {.name = "curl",
     .kind = SN_KIND_OBJECT,
     AT(fingers),
     .given = offsetof(parameters, has_fingers),
     .shape = &finger_shape},
    {.name = "radius",
     .kind = SN_KIND_NUMBER,
     AT(radius),
     .keyed = true,
     .least = 0,
     .most = SN_MODIFIER_NO_LIMIT},
    {.name = "spread", .kind = SN_KIND_NUMBER, AT(spread), .keyed = true},
    {.name = "padding",
     .kind = SN_KIND_NUMBER,
     AT(padding),
     .least = 0,
     .most = SN_MODIFIER_NO_LIMIT},
    {.name = "bones", .kind = SN_KIND_BONES, AT(bones)},
};

/* Bits 1 and up of sn_hand_flag; bit 0 is the report's is_reached. */
static const char *const flag_names[] = {"loose", NULL};

static sn_result resolve(sn_modifier_site *site, void *out) {
    parameters *p = out;
    sn_human_bone bone = p->side == 0 ? SN_HUMAN_LEFT_HAND : SN_HUMAN_RIGHT_HAND;
    sn_result result = sn_modifier_require_bone(site, &p->bones, bone, "/bones");
    return result ? result : sn_hand_set_up(site->joints, &p->bones, bone, &p->hand, site->error);
}

static sn_result apply(const sn_modifier_call *call, sn_modifier_report *report, sn_error *error) {
    const parameters *p = call->parameters;
    sn_hand_pose pose = {.spread = p->spread, .radius = p->radius, .padding = p->padding};
    for (int f = 0; f < SN_FINGER_COUNT; f++)
        pose.curl[f] = p->curl * (p->has_fingers ? p->fingers[f] : 1);
    sn_hand_output out;
    sn_hand_job job = {&p->hand, &pose, call->weight};
    sn_result result = sn_hand_apply(&job, call->joints, &out, error);
    if (result)
        return result;
    report->is_reached = out.flags & SN_HAND_REACHED;
    report->flags = out.flags >> 1;
    report->residual = out.residual;
    return SN_OK;
}

const sn_modifier_type sn_modifier_hand = {
    .name = "hand",
    .shape = SN_MODIFIER_SHAPE(fields, parameters),
    .flag_names = flag_names,
    .resolve = resolve,
    .apply = apply,
};
