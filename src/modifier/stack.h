/* What a stack is made of. Private to the folder. */
#ifndef SN_MODIFIER_STACK_H
#define SN_MODIFIER_STACK_H

#include "modifier/type.h"

/* What every modifier has, beside "type" and "keys". */
typedef struct sn_modifier_common {
    const char *name; /* NULL: none */
    float weight;
    bool is_enabled;
} sn_modifier_common;

extern const sn_modifier_shape sn_modifier_common_shape;

/* Keys of one field. */
typedef struct sn_modifier_curve {
    const sn_modifier_field *field;
    bool is_common; /* of sn_modifier_common; else of the parameters */
    sn_track track;
} sn_modifier_curve;

typedef struct sn_modifier {
    sn_modifier_text text;
    const sn_modifier_type *type;
    sn_modifier_common common;
    void *parameters;
    sn_modifier_curve *curves;
    uint32_t curve_count;
    size_t state_offset, parameters_offset; /* in a sn_modifier_state */
    uint32_t first_input, input_count;      /* there: one a field that may have keys */
} sn_modifier;

struct sn_modifier_stack {
    sn_allocator allocator; /* a copy: the caller's may be gone before the stack */
    sn_budget budget;       /* counts what the arena holds */
    sn_arena arena;
    uint32_t count;
    sn_modifier *modifiers;
    sn_joints rest; /* by node; `local` is `rest`; no joints where there is no modifier */
    size_t states_size, parameters_size, scratch_size;
    uint32_t input_count;
};

/* A field's value that the caller gives from frame to frame, in place of JSON and keys. */
typedef struct sn_modifier_input {
    bool is_set;
    float value[4];
} sn_modifier_input;

/* The i-th field of the type that may have keys, those of all types first; NULL: there is none. */
const sn_modifier_field *sn_modifier_keyed_field(const sn_modifier_type *type, uint32_t i,
                                                 bool *is_common);
uint32_t sn_modifier_keyed_field_count(const sn_modifier_type *type);

/* Checks a value for a field and stores it, settled as the reader would. */
sn_result sn_modifier_input_set(sn_modifier_input *input, const sn_modifier_field *field,
                                const float *values, sn_error *error);

/* Reads the object `value` into `out` with everything defaulted that it does not give. */
sn_result sn_modifier_read_object(const sn_modifier_site *site, const sn_modifier_shape *shape,
                                  uint32_t value, void *out);

/* Reads a whole modifier but its state: type, common fields, parameters, keys. */
sn_result sn_modifier_read(const sn_modifier_site *site, sn_modifier *out);

/* Reads "keys". */
sn_result sn_modifier_read_curves(const sn_modifier_site *site, uint32_t keys, sn_modifier *out);

/* Fails at a JSON value of the modifier. */
sn_result sn_modifier_fail_at(const sn_modifier_site *site, sn_message_id id, uint32_t value,
                              const char *format, ...);

/* The field's numbers: how many, and whether each is in its range; one that is not finite is not.
 */
uint32_t sn_modifier_field_width(const sn_modifier_field *field);
bool sn_modifier_number_fits(const sn_modifier_field *field, float number);
/* Makes a rotation unit; false for a direction or rotation of length 0. Other kinds stay. */
bool sn_modifier_settle_direction(const sn_modifier_field *field, float *values);
sn_result sn_modifier_read_numbers(const sn_modifier_site *site, const sn_modifier_field *field,
                                   uint32_t value, float *out);

/* Writes a value, as keys have it, into the struct that the field is in. */
void sn_modifier_field_store(const sn_modifier_field *field, const float value[4], void *out);

/* Writes the curve's value at `time` into the struct that its field is in. */
void sn_modifier_curve_apply(const sn_modifier_curve *curve, float time, void *out);

#endif
