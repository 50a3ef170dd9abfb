/* What the rules share: the model, and the findings so far. */
#ifndef SN_CHECK_CHECKER_H
#define SN_CHECK_CHECKER_H

#include "sinew/check.h"

typedef enum rule_id {
#define SN_CHECK_RULE(id, name, severity, fix) RULE_##id,
#include "check/rules.h"
#undef SN_CHECK_RULE
    RULE_COUNT
} rule_id;

typedef struct finding_block finding_block;

typedef struct checker {
    const sn_model *model;
    sn_arena *arena;
    finding_block *first, *last;
    size_t count;
    bool out_of_memory; /* once set, rules may stop early: nothing is reported */
} checker;

/* Place in the file, and text as sn_format takes it. */
typedef struct place {
    char pointer[96]; /* indices only: "/meshes/4294967295/primitives/4294967295/attributes/…" */
} place;
place place_of(const char *format, ...);

void checker_add(checker *c, rule_id rule, place at, const char *format, ...);

/* count * size zeroed bytes, or NULL with out_of_memory set. */
void *checker_alloc(checker *c, size_t count, size_t size);
#define CHECKER_NEW(c, type, count) ((type *)checker_alloc((c), (count), sizeof(type)))

/* Neither NaN nor infinite. */
static inline bool is_finite(float x) {
    return x - x == 0;
}

void check_skins(checker *c);
void check_weights(checker *c);
void check_clips(checker *c);

#endif
