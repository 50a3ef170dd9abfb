/* Values from the caller, frame by frame. */
#include "base/error.h"
#include "modifier/stack.h"

static uint32_t count_keyed(const sn_modifier_shape *shape) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < shape->field_count; i++)
        count += shape->fields[i].keyed ? 1 : 0;
    return count;
}

static const sn_modifier_field *keyed(const sn_modifier_shape *shape, uint32_t i) {
    for (uint32_t k = 0; k < shape->field_count; k++)
        if (shape->fields[k].keyed && i-- == 0)
            return &shape->fields[k];
    return NULL;
}

uint32_t sn_modifier_keyed_field_count(const sn_modifier_type *type) {
    return count_keyed(&sn_modifier_common_shape) + count_keyed(&type->shape);
}

const sn_modifier_field *sn_modifier_keyed_field(const sn_modifier_type *type, uint32_t i,
                                                 bool *is_common) {
    uint32_t common = count_keyed(&sn_modifier_common_shape);
    *is_common = i < common;
    return *is_common ? keyed(&sn_modifier_common_shape, i) : keyed(&type->shape, i - common);
}

sn_result sn_modifier_input_set(sn_modifier_input *input, const sn_modifier_field *field,
                                const float *values, sn_error *error) {
    sn_modifier_input set = {.is_set = true};
    for (uint32_t i = 0; i < sn_modifier_field_width(field); i++) {
        if (!sn_modifier_number_fits(field, values[i]))
            return sn_fail(error, SN_MESSAGE_MODIFIER_VALUE, NULL,
                           "%g is not in the range of \"%s\"", (double)values[i], field->name);
        set.value[i] = values[i];
    }
    if (!sn_modifier_settle_direction(field, set.value))
        return sn_fail(error, SN_MESSAGE_MODIFIER_VALUE, NULL,
                       "\"%s\" must not be zero: it has no direction", field->name);
    *input = set;
    return SN_OK;
}
