/* The modifiers of a document: a counted block that documents share, like a track. */
#ifndef SN_EDIT_MODIFIERS_H
#define SN_EDIT_MODIFIERS_H

#include "edit/shared.h"
#include "sinew/modifier.h"

typedef struct sn_shared_modifiers {
    sn_block block;
    sn_humanoid bones;        /* by node; all SN_NONE when they are not known */
    sn_modifier_stack *stack; /* empty when the file's cannot be used */
    sn_error error;           /* why; without an id when they can */
} sn_shared_modifiers;

/* The modifiers that the model brings; those that cannot be used are no failure. `bones` NULL: not
 * known. Errors: memory. */
sn_result sn_shared_modifiers_load(const sn_allocator *allocator, const sn_model *model,
                                   const sn_humanoid *bones, sn_shared_modifiers **out,
                                   sn_error *error);

/* Other modifiers for the model that `source` is for. Errors: those of sn_modifier_stack_create. */
sn_result sn_shared_modifiers_create(const sn_allocator *allocator, const sn_model *model,
                                     const sn_shared_modifiers *source,
                                     const sn_modifier_text *texts, uint32_t count,
                                     sn_shared_modifiers **out, sn_error *error);
/* The same texts. */
bool sn_shared_modifiers_equal(const sn_shared_modifiers *a, const sn_shared_modifiers *b);
void sn_shared_modifiers_release(const sn_allocator *allocator, sn_shared_modifiers *modifiers);

#endif
