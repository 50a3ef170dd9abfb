/* Modifiers: what changes a sampled pose before the hierarchy, such as a hand that reaches for a
 * target. A modifier is JSON text, {"type": "two_bone", …}; a stack is a list of them, which are
 * applied in their order. docs/modifiers.md describes the types, docs/modifiers.schema.json is
 * their JSON Schema. Metres and radians, world space.
 *
 * A stack is compiled once: names are found, numbers and chains are checked. It is immutable and
 * may be shared by threads. What lasts from frame to frame is a state, one a character. */
#ifndef SINEW_MODIFIER_H
#define SINEW_MODIFIER_H

#include "sinew/humanoid.h"
#include "sinew/json.h"
#include "sinew/memory.h"
#include "sinew/model.h"
#include "sinew/pose.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The JSON text of one modifier. */
typedef struct sn_modifier_text {
    const char *text;
    size_t length;
} sn_modifier_text;

/* Takes the text of a file {"modifiers": [{…}, …]} apart; what is in the braces is not looked at.
 * `out` is in the arena and points into `text`. Errors: json.* with line and column;
 * modifier.field, modifier.type with a pointer; memory. */
sn_result sn_modifier_texts_read(const char *text, size_t length, sn_arena *arena,
                                 sn_modifier_text **out, uint32_t *count, sn_error *error);

typedef struct sn_modifier_stack sn_modifier_stack;

typedef struct sn_modifier_stack_desc {
    const sn_model *model; /* must outlive the stack */
    /* Human bones by node, for the types that move a human; NULL: none is known. Not kept. */
    const sn_humanoid *humanoid;
    const sn_modifier_text *modifiers; /* copied, without white space */
    uint32_t modifier_count;
} sn_modifier_stack_desc;

/* Errors have pointers as in a file, such as "/modifiers/2/target/node":
 *   modifier.unknown    no such type; the text suggests close ones
 *   modifier.field      a field that the type does not know, or lacks
 *   modifier.type       a field of the wrong JSON type
 *   modifier.value      a value out of its range
 *   modifier.name       no node so named or numbered
 *   modifier.ambiguous  a name that several nodes have; the text lists them with their indices
 *   modifier.bone       the model has no such human bone
 *   chain.*             nodes that are no chain, a bone without length, an ankle below the floor
 * json.* with line and column in the modifier's text, and memory. */
sn_result sn_modifier_stack_create(const sn_modifier_stack_desc *desc,
                                   const sn_allocator *allocator, sn_modifier_stack **out,
                                   sn_error *error);
void sn_modifier_stack_free(sn_modifier_stack *stack);          /* NULL does nothing */
size_t sn_modifier_stack_bytes(const sn_modifier_stack *stack); /* memory it holds */

uint32_t sn_modifier_stack_count(const sn_modifier_stack *stack);
/* Its JSON without white space; all else, numbers too, is spelt as it was given. */
sn_modifier_text sn_modifier_stack_text(const sn_modifier_stack *stack, uint32_t modifier);
const char *sn_modifier_stack_name(const sn_modifier_stack *stack, uint32_t modifier); /* or "" */
/* The first modifier of this name; SN_NONE: there is none. */
uint32_t sn_modifier_stack_find(const sn_modifier_stack *stack, const char *name);

/* The time of the last key of any of them, seconds; 0 without keys. */
float sn_modifier_stack_duration(const sn_modifier_stack *stack);
/* Appends the text of a file: {"modifiers":[…]}. */
void sn_modifier_stack_write(const sn_modifier_stack *stack, sn_text *out);

/* ---- Applying ---- */

/* One character's memory for a stack: what its modifiers know of the frame before, and room to
 * work in. It must not outlive the stack. */
typedef struct sn_modifier_state sn_modifier_state;
sn_result sn_modifier_state_create(const sn_modifier_stack *stack, const sn_allocator *allocator,
                                   sn_modifier_state **out, sn_error *error);
void sn_modifier_state_free(sn_modifier_state *state);  /* NULL does nothing */
void sn_modifier_state_reset(sn_modifier_state *state); /* forgets the frame before */

/* Gives a field's value from frame to frame, such as the "target" of a hand that follows something:
 * it holds, for this character, in place of what JSON and keys say, until it is set again or, with
 * NULL, taken back; a reset keeps it. The fields marked keyed in docs/modifiers.md, and "weight":
 * 1, 3 or 4 floats; a target or a pole takes a position, world. Allocates nothing.
 * Errors change nothing: modifier.field (no such field, no such modifier), modifier.value. */
sn_result sn_modifier_state_set(sn_modifier_state *state, uint32_t modifier, const char *field,
                                const float *values, sn_error *error);

typedef struct sn_modifier_frame {
    const sn_affine *root; /* world, above the model's roots; NULL: identity */
    float time;            /* seconds, for the modifiers' own keys */
    /* Since the state's frame. 0, or a fresh state: the pose is a function of the input alone, as
     * seeking and exporting want it. */
    float seconds;
    uint32_t stage_count; /* only the first so many modifiers of the list; 0: all */
} sn_modifier_frame;

typedef struct sn_modifier_report {
    const char *type; /* static storage */
    bool is_applied;  /* enabled, with a weight above 0; all below is zero without */
    bool is_reached;
    uint32_t flags;                /* bit i is called flag_names[i] */
    const char *const *flag_names; /* ends with NULL; static storage */
    float weight;
    float residual;            /* what is missing */
    const char *residual_unit; /* "m", or "rad" for types that aim; static storage */
} sn_modifier_report;

/* Changes `pose`, a pose of a skeleton over the stack's model. Joints that no modifier moves, and
 * all of them at weight 0, keep their bits. `reports` (may be NULL) has room for
 * sn_modifier_stack_count; those past stage_count are zeros. Allocates nothing.
 *
 * Errors leave pose, state and reports untouched: argument (a time that is not finite, seconds
 * below 0), and, with the pointer of the modifier, chain.* for a pose that is not finite or in
 * which a bone has no length. */
sn_result sn_modifier_stack_apply(const sn_modifier_stack *stack, sn_modifier_state *state,
                                  const sn_skeleton *skeleton, sn_pose pose,
                                  const sn_modifier_frame *frame, sn_modifier_report *reports,
                                  sn_error *error);

#ifdef __cplusplus
}
#endif
#endif
