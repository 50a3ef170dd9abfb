/* What a type of modifier is made of. To add one:
 *
 *  1. src/modifier/NAME.c: a struct of parameters, a table of the JSON fields that fill it in, an
 *     `apply`, and where more than single fields has to be checked, a `resolve`. two_bone.c shows
 *     all of it.
 *  2. A line in types.c.
 *  3. A section in docs/modifiers.md with an example, and the type in docs/modifiers.schema.json;
 *     the tests run the example and hold the schema against the table.
 *
 * The table does the reading: JSON types, ranges, defaults, names of nodes, unknown and missing
 * fields, and keys over time of the fields marked `keyed`. "type", "name", "weight", "enabled" and
 * "keys" are read for all types alike.
 *
 * Joints are numbered as the model's nodes, so that a sn_humanoid by node is one by joint. */
#ifndef SN_MODIFIER_TYPE_H
#define SN_MODIFIER_TYPE_H

#include <float.h>
#include <stddef.h>

#include "sinew/joints.h"
#include "sinew/json.h"
#include "sinew/modifier.h"

/* ---- Values ---- */

/* {"position": [x, y, z]}, world, or {"node": node, "offset": [x, y, z]} in the node's space. */
typedef struct sn_modifier_target {
    uint32_t node; /* SN_NONE: `position` is in the world; else an offset in the node's space */
    float position[3];
} sn_modifier_target;

/* A target, or {"direction": [x, y, z]}, world. */
typedef enum sn_pole_kind { SN_POLE_NONE, SN_POLE_TARGET, SN_POLE_DIRECTION } sn_pole_kind;
typedef struct sn_modifier_pole {
    sn_pole_kind kind;
    sn_modifier_target target;
    float direction[3];
} sn_modifier_pole;

/* A JSON array of objects, or of numbers. */
typedef struct sn_modifier_list {
    void *items; /* as the field's shape has them; float */
    uint32_t count;
} sn_modifier_list;

/* ---- Fields ---- */

/* How a field is written in JSON, and what it is in the parameters. */
typedef enum sn_modifier_kind {
    SN_KIND_BOOL,      /* bool */
    SN_KIND_NUMBER,    /* float */
    SN_KIND_RANGE,     /* float[2]: [from, to], from <= to */
    SN_KIND_VECTOR,    /* float[3] */
    SN_KIND_DIRECTION, /* float[3]: not zero; as it was given */
    SN_KIND_ROTATION,  /* float[4]: [x, y, z, w], not zero; made a unit quaternion */
    SN_KIND_WORD,      /* uint32_t: the index of the string in `words` */
    SN_KIND_STRING,    /* const char *: not empty */
    SN_KIND_NODE,      /* uint32_t: by name or index; SN_NONE when not given */
    SN_KIND_TARGET,    /* sn_modifier_target */
    SN_KIND_POLE,      /* sn_modifier_pole */
    SN_KIND_BONES,     /* sn_humanoid: the model's, with those bones that {"leftHand": node} says */
    SN_KIND_OBJECT,    /* a struct as `shape` has it; its defaults when not given */
    SN_KIND_LIST,      /* sn_modifier_list: an array of at least one object, as `shape` has it */
    SN_KIND_NUMBERS    /* sn_modifier_list of float: an array of at least one number */
} sn_modifier_kind;

typedef struct sn_modifier_field sn_modifier_field;

/* A JSON object that fills in a struct. */
typedef struct sn_modifier_shape {
    const sn_modifier_field *fields;
    uint32_t field_count;
    size_t size; /* of the struct */
} sn_modifier_shape;

/* A field may have several rows of one name, which take JSON of different types: a number, or an
 * object with more. `required` is then said in the first of them. */
struct sn_modifier_field {
    const char *name;
    sn_modifier_kind kind;
    size_t offset; /* in the struct */
    size_t given;  /* offset of a bool, true when the JSON has the field; 0: none is wanted */
    bool required;
    bool keyed; /* "keys" may move it: NUMBER, VECTOR, DIRECTION, ROTATION, TARGET, POLE. Keys of a
                   TARGET or POLE are positions, world. A required field may be given by keys alone
                 */
    /* Each number of the field is in [least, most]; both 0: any finite one. */
    float least, most;
    bool above;                     /* `least` itself is too little */
    float fallback[4];              /* without the field; a NUMBER's in [0], a BOOL's as 0 or 1 */
    const char *const *words;       /* ends with NULL */
    const sn_modifier_shape *shape; /* of OBJECT and LIST */
};

#define SN_MODIFIER_NO_LIMIT FLT_MAX
#define SN_MODIFIER_SHAPE(table, type) {(table), sizeof(table) / sizeof *(table), sizeof(type)}

/* ---- The type ---- */

/* What `resolve` has to check against: a modifier that is being compiled. */
typedef struct sn_modifier_site {
    const sn_model *model;
    const sn_joints *joints;     /* the rest pose under an identity root; `local` is `rest` */
    const sn_humanoid *humanoid; /* all SN_NONE when the model's bones are not known */
    sn_arena *arena;             /* of the stack: parameters may point into it */
    sn_error *error;
    const sn_json *json; /* the modifier's text */
    size_t scratch_size; /* raised to what `apply` wants in `scratch` */
} sn_modifier_site;

/* What `apply` works on. */
typedef struct sn_modifier_call {
    const void *parameters; /* with the values of this instant where they are keyed */
    /* state_size bytes. Zeros when there is no frame before: then the result must depend on
     * nothing but the frame. A frame that fails is undone. */
    void *state;
    sn_joints *joints; /* read all, write `local` of what the modifier owns */
    float weight;      /* (0, 1]: at 0 a modifier is not called */
    float time;
    float seconds; /* since the state's frame; of no meaning without one */
    void *scratch; /* scratch_size bytes, aligned to 16, of any content */
} sn_modifier_call;

typedef struct sn_modifier_type {
    const char *name;
    sn_modifier_shape shape; /* of the parameters */
    size_t state_size;
    const char *const *flag_names; /* snake_case, ends with NULL: of the bits in the report */
    bool residual_is_angle;        /* radians; else metres */
    /* After the fields are read, those with keys as of their first key: checks and set-up that
     * need the skeleton; may add to the parameters. NULL: none. Errors by sn_modifier_fail. */
    sn_result (*resolve)(sn_modifier_site *site, void *parameters);
    /* Fills in is_reached, flags and residual. Errors may leave the joints half changed; their
     * pointer is relative to the modifier. */
    sn_result (*apply)(const sn_modifier_call *call, sn_modifier_report *report, sn_error *error);
} sn_modifier_type;

extern const sn_modifier_type *const sn_modifier_types[];
extern const uint32_t sn_modifier_type_count;

/* ---- What types may use ---- */

/* Fails at a field of the modifier, such as "/joints/2/node". */
sn_result sn_modifier_fail(const sn_modifier_site *site, sn_message_id id, const char *field,
                           const char *format, ...);
sn_result sn_modifier_no_memory(const sn_modifier_site *site);

/* World position. */
void sn_modifier_target_world(const sn_modifier_target *target, const sn_joints *joints,
                              float out[3]);

/* The point that a pole gives, or its direction, world; nothing of one that is not given. */
void sn_modifier_pole_world(const sn_modifier_pole *pole, const sn_joints *joints, float out[3]);

/* The words of a field "side". */
extern const char *const sn_modifier_sides[];

/* The nodes from `top` down to `bottom`, both included, in the stack's arena. Fails with
 * chain.joints at `field` when `bottom` does not hang below `top`, or when one of them has a matrix
 * that no rotation can be written to. */
sn_result sn_modifier_chain(sn_modifier_site *site, uint32_t top, uint32_t bottom,
                            const char *field, uint32_t **out, uint32_t *count);

/* Fails with modifier.bone when the bone is not there. `field` is that of the SN_KIND_BONES. */
sn_result sn_modifier_require_bone(const sn_modifier_site *site, const sn_humanoid *bones,
                                   sn_human_bone bone, const char *field);

#endif
