/* The fields of a command: one table says how each is spelt and read. */
#ifndef SN_EDIT_ARGUMENTS_H
#define SN_EDIT_ARGUMENTS_H

#include "edit/draft.h"

typedef enum sn_field {
    SN_FIELD_CLIP,
    SN_FIELD_NODE,
    SN_FIELD_PATH,
    SN_FIELD_TIME,
    SN_FIELD_KEY,    /* spelt "time": of a key that is there */
    SN_FIELD_OFFSET, /* spelt "time": of a pasted key, from the time that is pasted at */
    SN_FIELD_TO,
    SN_FIELD_BY,
    SN_FIELD_AT,
    SN_FIELD_PIVOT,
    SN_FIELD_FACTOR,
    SN_FIELD_VALUE,
    SN_FIELD_IN_TANGENT,
    SN_FIELD_OUT_TANGENT,
    SN_FIELD_INTERPOLATION,
    SN_FIELD_KEEP,
    SN_FIELD_NAME,
    SN_FIELD_NAME_OR_NULL,
    SN_FIELD_NODES,
    SN_FIELD_KEYS,
    SN_FIELD_TRACKS,
    SN_FIELD_COMMANDS,
    SN_FIELD_MODIFIER,
    SN_FIELD_NEW_MODIFIER,    /* spelt "modifier": one to be added */
    SN_FIELD_MODIFIER_FIELDS, /* spelt "fields" */
    SN_FIELD_INDEX,
    SN_FIELD_TO_INDEX, /* spelt "to": a place in the list of modifiers */
    SN_FIELD_COUNT
} sn_field;

#define SN_BIT(field) (1u << SN_FIELD_##field)

/* How the value of a field is written. */
typedef enum sn_field_type {
    SN_TYPE_CLIP,          /* a clip's name or index */
    SN_TYPE_NODE,          /* a node's name or index */
    SN_TYPE_PATH,          /* "translation", "rotation", "scale", "weights" */
    SN_TYPE_INTERPOLATION, /* "STEP", "LINEAR", "CUBICSPLINE" */
    SN_TYPE_KEEP,          /* "keys", "motion" */
    SN_TYPE_TIME,          /* a number, not negative as a float */
    SN_TYPE_KEY,           /* a number, finite as a float: files may have keys before 0 */
    SN_TYPE_NUMBER,        /* a number, finite */
    SN_TYPE_FLOATS,        /* an array of numbers, finite as floats */
    SN_TYPE_NAME,          /* a string, not empty, without a NUL */
    SN_TYPE_NAME_OR_NULL,
    SN_TYPE_NODES,    /* an array of nodes */
    SN_TYPE_KEYS,     /* an array of objects; the operation says with which fields */
    SN_TYPE_TRACKS,   /* an array of {node, path} */
    SN_TYPE_COMMANDS, /* an array of commands */
    SN_TYPE_MODIFIER, /* a modifier's name or index */
    SN_TYPE_OBJECT,   /* an object, read by the operation */
    SN_TYPE_INDEX     /* a whole number from 0 */
} sn_field_type;

typedef struct sn_field_info {
    const char *name;
    sn_field_type type;
    size_t offset; /* in sn_arguments */
} sn_field_info;

extern const sn_field_info sn_fields[SN_FIELD_COUNT];

typedef struct sn_floats {
    const float *items;
    uint32_t count;
} sn_floats;

typedef struct sn_indices {
    const uint32_t *items;
    uint32_t count;
} sn_indices;

typedef struct sn_arguments sn_arguments;

typedef struct sn_items {
    const sn_arguments *items;
    uint32_t count;
} sn_items;

/* What a command, or one key of a list in it, says. Fields that are not given are zero. */
struct sn_arguments {
    uint32_t object; /* the JSON value */
    uint32_t given;  /* SN_BIT of each field */
    uint32_t clip, node;
    sn_path path;
    sn_interpolation interpolation;
    bool keep_motion;
    float time, to;
    double offset, by, at, pivot, factor;
    sn_floats value, in_tangent, out_tangent;
    const char *name; /* NULL: null */
    sn_indices nodes;
    sn_items keys, tracks;
    uint32_t commands; /* the JSON value */
    uint32_t modifier;
    uint32_t value_object; /* the JSON value */
    uint32_t index;
};

/* Which fields an object may have. */
typedef struct sn_object_shape {
    uint32_t required;
    uint32_t optional;
    const struct sn_object_shape *keys; /* of each element of SN_FIELD_KEYS */
} sn_object_shape;

/* What is read, and against which document. */
typedef struct sn_reader {
    const sn_json *json;
    const sn_draft *draft; /* names are looked up here, memory is its arena */
} sn_reader;

/* Reads the object `value`; a member "op" is passed over when `has_op`. Errors: command.*,
 * memory. */
sn_result sn_arguments_read(const sn_reader *reader, uint32_t value, const sn_object_shape *shape,
                            bool has_op, sn_arguments *out);

/* The JSON value of a field, SN_NONE when it is not given. */
uint32_t sn_arguments_field(const sn_json *json, const sn_arguments *arguments, sn_field field);

#endif
