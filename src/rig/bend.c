#include "rig/bend.h"

/* Below this sine of the angle to the line, a pole tells no side. */
#define LEAST_SINE 1e-6

/* The angle from the pole to the line, as a sine, up to which a state listens to it fully. */
#define FULL_SINE 0.35

#define DEFAULT_RATE 6.0

static bool across(sn_dvec3 v, sn_dvec3 unit, sn_dvec3 *out, double *sine) {
    sn_dvec3 rest = sn_dvec3_across(v, unit);
    double length = sn_dvec3_length(rest), whole = sn_dvec3_length(v);
    *sine = whole > 0 ? length / whole : 0;
    if (!(*sine > LEAST_SINE))
        return false;
    /* Once more: of a short rest, what the first subtraction rounded is not small. */
    *out = sn_dvec3_unit(sn_dvec3_across(sn_dvec3_scale(rest, 1 / length), unit));
    return true;
}

static sn_dvec3 rotate_about(sn_dvec3 v, sn_dvec3 unit, double angle) {
    return sn_dvec3_add(sn_dvec3_scale(v, cos(angle)),
                        sn_dvec3_scale(sn_dvec3_cross(unit, v), sin(angle)));
}

/* The bend of the base pose, turned by the shortest way from its line to the new one. */
static bool pose_bend(const sn_bend_input *input, sn_dvec3 *out) {
    if (!(sn_dvec3_length(input->hinge) > 0))
        return false;
    sn_dquat turn = sn_dquat_from_to(input->rest_end, input->direction, input->hinge);
    sn_dvec3 bend = sn_dquat_rotate(turn, sn_dvec3_cross(input->rest_end, input->hinge));
    double sine;
    return across(bend, input->direction, out, &sine);
}

/* What the pole says; if nothing, the side on which the middle joint is; if none, the bend of the
 * base pose; if it has none, any. `sine`: how much of the wish is left beside the line. */
static sn_dvec3 wanted(const sn_bend_input *input, double *sine, uint32_t *flags) {
    sn_dvec3 bend;
    *sine = 1;
    switch (input->options->bend) {
    case SN_BEND_POSITION:
    case SN_BEND_DIRECTION:
        if (across(input->pole, input->direction, &bend, sine))
            return bend;
        break;
    case SN_BEND_FIELD: {
        sn_dvec3 reach = sn_dvec3_unit(sn_dvec3_of(input->options->field_reach));
        sn_dvec3 side = sn_dvec3_unit_across(sn_dvec3_of(input->options->field_bend), reach);
        sn_dquat turn = sn_dquat_from_to(reach, input->direction, side);
        double unused;
        if (across(sn_dquat_rotate(turn, side), input->direction, &bend, &unused))
            return bend;
        break;
    }
    case SN_BEND_POSE:
        if (pose_bend(input, &bend))
            return bend;
        break;
    }
    *flags |= SN_TWO_BONE_NO_BEND;
    double unused;
    if (across(input->rest_middle, input->direction, &bend, &unused) || pose_bend(input, &bend))
        return bend;
    return sn_dvec3_perpendicular(input->direction);
}

sn_dvec3 sn_bend_find(const sn_bend_input *input, uint32_t *flags) {
    double sine;
    sn_dvec3 bend = wanted(input, &sine, flags);
    if (input->options->swivel < 0 || input->options->swivel > 0)
        bend = rotate_about(bend, input->direction, (double)input->options->swivel);
    if (!input->state)
        return bend;

    sn_dvec3 kept, before = sn_dvec3_of(input->state->bend);
    double unused;
    if (across(before, input->direction, &kept, &unused)) {
        double x = sine < FULL_SINE ? sine / FULL_SINE : 1, share = x * x * (3 - 2 * x);
        double angle = atan2(sn_dvec3_dot(sn_dvec3_cross(kept, bend), input->direction),
                             sn_dvec3_dot(kept, bend));
        double rate =
            input->options->bend_rate > 0 ? (double)input->options->bend_rate : DEFAULT_RATE;
        double most = rate * input->seconds, step = share * angle;
        step = step > most ? most : step < -most ? -most : step;
        bend = rotate_about(kept, input->direction, step);
    }
    *input->state = (sn_two_bone_state){{(float)bend.x, (float)bend.y, (float)bend.z}};
    return bend;
}
