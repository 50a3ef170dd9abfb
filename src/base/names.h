/* Things named in JSON by their name or index, and what to say when a name leads nowhere. */
#ifndef SN_BASE_NAMES_H
#define SN_BASE_NAMES_H

#include "sinew/json.h"

/* The JSON pointer of a value, to be used within one expression. */
typedef struct sn_json_place {
    char text[256];
} sn_json_place;

static inline sn_json_place sn_json_place_of(const sn_json *json, uint32_t value) {
    sn_json_place place;
    sn_json_pointer(json, value, place.text, sizeof place.text);
    return place;
}

/* How the failures of sn_names_resolve are called. */
typedef struct sn_name_messages {
    sn_message_id type, name, ambiguous;
} sn_name_messages;

/* Things that have names. */
typedef struct sn_names {
    const char *what; /* "clip", "node", "field", "operation" */
    const void *owner;
    const char *(*name)(const void *owner, uint32_t i);
    uint32_t count;
    bool indexed;                     /* an index names one too; listed with the names */
    const sn_name_messages *messages; /* only for sn_names_resolve */
} sn_names;

/* The index that a string or a number means. Errors: `messages`: type, name with close names,
 * ambiguous with all candidates; memory. */
sn_result sn_names_resolve(const sn_names *names, const sn_json *json, uint32_t value,
                           sn_arena *arena, uint32_t *out, sn_error *error);

/* Writes names that resemble `wanted`, or else the first few: `; close: "LeftArm" (12)`. */
void sn_names_suggest(const sn_names *names, const char *wanted, char *out, size_t size);

#endif
