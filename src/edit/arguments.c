#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "edit/arguments.h"
#include "base/names.h"

const sn_field_info sn_fields[SN_FIELD_COUNT] = {
#define FIELD(id, name, type, member)                                                              \
    [SN_FIELD_##id] = {name, SN_TYPE_##type, offsetof(sn_arguments, member)}
    FIELD(CLIP, "clip", CLIP, clip),
    FIELD(NODE, "node", NODE, node),
    FIELD(PATH, "path", PATH, path),
    FIELD(TIME, "time", TIME, time),
    FIELD(KEY, "time", KEY, time),
    FIELD(OFFSET, "time", NUMBER, offset),
    FIELD(TO, "to", TIME, to),
    FIELD(BY, "by", NUMBER, by),
    FIELD(AT, "at", NUMBER, at),
    FIELD(PIVOT, "pivot", NUMBER, pivot),
    FIELD(FACTOR, "factor", NUMBER, factor),
    FIELD(VALUE, "value", FLOATS, value),
    FIELD(IN_TANGENT, "inTangent", FLOATS, in_tangent),
    FIELD(OUT_TANGENT, "outTangent", FLOATS, out_tangent),
    FIELD(INTERPOLATION, "interpolation", INTERPOLATION, interpolation),
    FIELD(KEEP, "keep", KEEP, keep_motion),
    FIELD(NAME, "name", NAME, name),
    FIELD(NAME_OR_NULL, "name", NAME_OR_NULL, name),
    FIELD(NODES, "nodes", NODES, nodes),
    FIELD(KEYS, "keys", KEYS, keys),
    FIELD(TRACKS, "tracks", TRACKS, tracks),
    FIELD(COMMANDS, "commands", COMMANDS, commands),
    FIELD(MODIFIER, "modifier", MODIFIER, modifier),
    FIELD(NEW_MODIFIER, "modifier", OBJECT, value_object),
    FIELD(MODIFIER_FIELDS, "fields", OBJECT, value_object),
    FIELD(INDEX, "index", INDEX, index),
    FIELD(TO_INDEX, "to", INDEX, index),
#undef FIELD
};

static const sn_object_shape track_shape = {SN_BIT(NODE) | SN_BIT(PATH), 0, NULL};

/* Everything that reading one value needs. */
typedef struct site {
    const sn_reader *reader;
    const sn_json *json;
    sn_arena *arena;
    sn_error *error;
    const sn_object_shape *shape; /* of the object the value stands in */
    uint32_t value;
    void *out;
} site;

static sn_result type_error(const site *s, const char *expected) {
    return sn_fail(s->error, SN_MESSAGE_COMMAND_TYPE, sn_json_place_of(s->json, s->value).text,
                   "this must be %s", expected);
}

static sn_result value_error(const site *s, const char *expected) {
    return sn_fail(s->error, SN_MESSAGE_COMMAND_VALUE, sn_json_place_of(s->json, s->value).text,
                   "this must be %s", expected);
}

static sn_json_type type_of(const site *s) {
    return (sn_json_type)s->json->nodes[s->value].type;
}

/* ---- Scalars ---- */

static const sn_name_messages name_messages = {SN_MESSAGE_COMMAND_TYPE, SN_MESSAGE_COMMAND_NAME,
                                               SN_MESSAGE_COMMAND_AMBIGUOUS};

static const char *clip_name(const void *owner, uint32_t i) {
    return sn_draft_clip(owner, i)->name;
}

static const char *node_name(const void *owner, uint32_t i) {
    return ((const sn_model *)owner)->nodes[i].name;
}

static const char *modifier_name(const void *owner, uint32_t i) {
    return sn_modifier_stack_name(owner, i);
}

static sn_result read_modifier(const site *s) {
    sn_result result = sn_draft_check_modifiers(s->reader->draft);
    if (result)
        return result;
    const sn_modifier_stack *stack = s->reader->draft->modifiers->stack;
    uint32_t count = sn_modifier_stack_count(stack);
    sn_names names = {"modifier", stack, modifier_name, count, true, &name_messages};
    return sn_names_resolve(&names, s->json, s->value, s->arena, s->out, s->error);
}

static sn_result read_object_value(const site *s) {
    if (type_of(s) != SN_JSON_OBJECT)
        return type_error(s, "an object");
    *(uint32_t *)s->out = s->value;
    return SN_OK;
}

static sn_result read_index(const site *s) {
    uint64_t index;
    if (type_of(s) != SN_JSON_NUMBER)
        return type_error(s, "a place in a list, a whole number from 0");
    if (!sn_json_unsigned(s->json, s->value, &index) || index >= SN_NONE)
        return value_error(s, "a place in a list, a whole number from 0");
    *(uint32_t *)s->out = (uint32_t)index;
    return SN_OK;
}

static sn_result read_clip(const site *s) {
    const sn_draft *draft = s->reader->draft;
    sn_names names = {"clip", draft, clip_name, draft->clip_count, true, &name_messages};
    return sn_names_resolve(&names, s->json, s->value, s->arena, s->out, s->error);
}

static sn_result read_node(const site *s) {
    const sn_model *model = s->reader->draft->model;
    sn_names names = {"node", model, node_name, model->node_count, true, &name_messages};
    return sn_names_resolve(&names, s->json, s->value, s->arena, s->out, s->error);
}

/* The index of the word in a list that NULL ends; SN_NONE when it is none of them. */
static uint32_t word(const site *s, const char *const *words) {
    for (uint32_t i = 0; words[i]; i++)
        if (sn_json_equals(s->json, s->value, words[i]))
            return i;
    return SN_NONE;
}

static sn_result read_path(const site *s) {
    static const char *const words[] = {
        [SN_PATH_TRANSLATION] = "translation",
        [SN_PATH_ROTATION] = "rotation",
        [SN_PATH_SCALE] = "scale",
        [SN_PATH_WEIGHTS] = "weights",
        [SN_PATH_WEIGHTS + 1] = NULL,
    };
    uint32_t i = word(s, words);
    if (i == SN_NONE)
        return type_error(s, "\"translation\", \"rotation\", \"scale\" or \"weights\"");
    *(sn_path *)s->out = (sn_path)i;
    return SN_OK;
}

static sn_result read_interpolation(const site *s) {
    static const char *const words[] = {
        [SN_STEP] = "STEP",
        [SN_LINEAR] = "LINEAR",
        [SN_CUBICSPLINE] = "CUBICSPLINE",
        [SN_CUBICSPLINE + 1] = NULL,
    };
    uint32_t i = word(s, words);
    if (i == SN_NONE)
        return type_error(s, "\"STEP\", \"LINEAR\" or \"CUBICSPLINE\"");
    *(sn_interpolation *)s->out = (sn_interpolation)i;
    return SN_OK;
}

static sn_result read_keep(const site *s) {
    static const char *const words[] = {"keys", "motion", NULL};
    uint32_t i = word(s, words);
    if (i == SN_NONE)
        return type_error(s, "\"keys\" or \"motion\"");
    *(bool *)s->out = i == 1;
    return SN_OK;
}

/* False when the number is none that a float can hold. */
static bool number_as_float(const sn_json *json, uint32_t value, float *out) {
    double number = sn_json_number(json, value);
    if (!(fabs(number) <= FLT_MAX))
        return false;
    *out = (float)number;
    return true;
}

static sn_result read_time(const site *s, float least) {
    float time;
    if (type_of(s) != SN_JSON_NUMBER)
        return type_error(s, "a time in seconds");
    if (!number_as_float(s->json, s->value, &time) || time < least)
        return value_error(s, least == 0 ? "a time in seconds, 0 or more" : "a time in seconds");
    *(float *)s->out = time + 0.0f; /* no negative zero */
    return SN_OK;
}

static sn_result read_number(const site *s) {
    if (type_of(s) != SN_JSON_NUMBER)
        return type_error(s, "a number");
    double number = sn_json_number(s->json, s->value);
    if (!isfinite(number))
        return value_error(s, "a number of a size that can be counted with");
    *(double *)s->out = number;
    return SN_OK;
}

static sn_result read_name(const site *s, bool nullable) {
    if (nullable && type_of(s) == SN_JSON_NULL)
        return SN_OK;
    if (type_of(s) != SN_JSON_STRING)
        return type_error(s, nullable ? "a name, or null" : "a name");
    size_t length;
    const char *name = sn_json_string(s->json, s->value, s->arena, &length);
    if (!name)
        return sn_draft_no_memory(s->reader->draft);
    if (length == 0 || strlen(name) != length)
        return value_error(s, "a name that is not empty and holds no NUL");
    *(const char **)s->out = name;
    return SN_OK;
}

/* ---- Lists ---- */

static sn_result read_floats(const site *s) {
    if (type_of(s) != SN_JSON_ARRAY)
        return type_error(s, "an array of numbers");
    uint32_t element = sn_json_first(s->json, s->value);
    uint32_t count = s->json->nodes[s->value].count;
    float *items = SN_ARENA_NEW(s->arena, float, count);
    if (!items)
        return sn_draft_no_memory(s->reader->draft);
    site at = *s;
    for (uint32_t i = 0; i < count; i++, element = s->json->nodes[element].next) {
        at.value = element;
        if (type_of(&at) != SN_JSON_NUMBER)
            return type_error(&at, "a number");
        if (!number_as_float(s->json, element, &items[i]))
            return value_error(&at, "a number of a size that 32 bits can hold");
    }
    *(sn_floats *)s->out = (sn_floats){items, count};
    return SN_OK;
}

static sn_result read_nodes(const site *s) {
    if (type_of(s) != SN_JSON_ARRAY)
        return type_error(s, "an array of nodes");
    uint32_t element = sn_json_first(s->json, s->value);
    uint32_t count = s->json->nodes[s->value].count;
    uint32_t *items = SN_ARENA_NEW(s->arena, uint32_t, count);
    if (!items)
        return sn_draft_no_memory(s->reader->draft);
    site at = *s;
    for (uint32_t i = 0; i < count; i++, element = s->json->nodes[element].next) {
        at.value = element;
        at.out = &items[i];
        sn_result result = read_node(&at);
        if (result != SN_OK)
            return result;
    }
    *(sn_indices *)s->out = (sn_indices){items, count};
    return SN_OK;
}

static sn_result read_objects(const site *s, const sn_object_shape *shape, const char *expected) {
    if (type_of(s) != SN_JSON_ARRAY)
        return type_error(s, expected);
    uint32_t element = sn_json_first(s->json, s->value);
    uint32_t count = s->json->nodes[s->value].count;
    sn_arguments *items = SN_ARENA_NEW(s->arena, sn_arguments, count);
    if (!items)
        return sn_draft_no_memory(s->reader->draft);
    for (uint32_t i = 0; i < count; i++, element = s->json->nodes[element].next) {
        sn_result result = sn_arguments_read(s->reader, element, shape, false, &items[i]);
        if (result != SN_OK)
            return result;
    }
    *(sn_items *)s->out = (sn_items){items, count};
    return SN_OK;
}

static sn_result read_commands(const site *s) {
    if (type_of(s) != SN_JSON_ARRAY)
        return type_error(s, "an array of commands");
    *(uint32_t *)s->out = s->value;
    return SN_OK;
}

static sn_result read_value(const site *s, sn_field_type type) {
    switch (type) {
    case SN_TYPE_CLIP:
        return read_clip(s);
    case SN_TYPE_NODE:
        return read_node(s);
    case SN_TYPE_PATH:
        return read_path(s);
    case SN_TYPE_INTERPOLATION:
        return read_interpolation(s);
    case SN_TYPE_KEEP:
        return read_keep(s);
    case SN_TYPE_TIME:
        return read_time(s, 0);
    case SN_TYPE_KEY:
        return read_time(s, -FLT_MAX);
    case SN_TYPE_NUMBER:
        return read_number(s);
    case SN_TYPE_FLOATS:
        return read_floats(s);
    case SN_TYPE_NAME:
        return read_name(s, false);
    case SN_TYPE_NAME_OR_NULL:
        return read_name(s, true);
    case SN_TYPE_NODES:
        return read_nodes(s);
    case SN_TYPE_KEYS:
        return read_objects(s, s->shape->keys, "an array of keys");
    case SN_TYPE_TRACKS:
        return read_objects(s, &track_shape, "an array of tracks");
    case SN_TYPE_COMMANDS:
        return read_commands(s);
    case SN_TYPE_MODIFIER:
        return read_modifier(s);
    case SN_TYPE_OBJECT:
        return read_object_value(s);
    case SN_TYPE_INDEX:
        return read_index(s);
    }
    return SN_OK;
}

/* ---- Objects ---- */

static bool allows(const sn_object_shape *shape, uint32_t field) {
    return (shape->required | shape->optional) & (1u << field);
}

static uint32_t find_field(const sn_json *json, uint32_t name, const sn_object_shape *shape) {
    for (uint32_t i = 0; i < SN_FIELD_COUNT; i++)
        if (allows(shape, i) && sn_json_equals(json, name, sn_fields[i].name))
            return i;
    return SN_NONE;
}

/* The fields of a shape as names to choose from. */
typedef struct field_list {
    uint32_t count;
    const char *names[SN_FIELD_COUNT];
} field_list;

static const char *field_name(const void *owner, uint32_t i) {
    return ((const field_list *)owner)->names[i];
}

static sn_result unknown_field(const sn_reader *reader, uint32_t name, uint32_t value,
                               const sn_object_shape *shape) {
    const sn_draft *draft = reader->draft;
    const char *spelt = sn_json_string(reader->json, name, draft->arena, NULL);
    if (!spelt)
        return sn_draft_no_memory(draft);
    field_list list = {0};
    for (uint32_t i = 0; i < SN_FIELD_COUNT; i++)
        if (allows(shape, i))
            list.names[list.count++] = sn_fields[i].name;
    sn_names names = {"field", &list, field_name, list.count, false, NULL};
    char close[320];
    sn_names_suggest(&names, spelt, close, sizeof close);
    return sn_fail(draft->error, SN_MESSAGE_COMMAND_FIELD,
                   sn_json_place_of(reader->json, value).text, "there is no field \"%s\" here%s",
                   spelt, close);
}

static sn_result missing_field(const sn_reader *reader, uint32_t object, uint32_t field) {
    char pointer[256];
    sn_format(pointer, sizeof pointer, "%s/%s", sn_json_place_of(reader->json, object).text,
              sn_fields[field].name);
    return sn_fail(reader->draft->error, SN_MESSAGE_COMMAND_FIELD, pointer,
                   "the field \"%s\" is missing", sn_fields[field].name);
}

sn_result sn_arguments_read(const sn_reader *reader, uint32_t value, const sn_object_shape *shape,
                            bool has_op, sn_arguments *out) {
    const sn_json *json = reader->json;
    site s = {
        .reader = reader,
        .json = json,
        .arena = reader->draft->arena,
        .error = reader->draft->error,
        .shape = shape,
        .value = value,
    };
    *out = (sn_arguments){.object = value};
    if (type_of(&s) != SN_JSON_OBJECT)
        return type_error(&s, "an object");
    uint32_t name = sn_json_first(json, value);
    for (uint32_t n = json->nodes[value].count; n > 0; n--) {
        s.value = json->nodes[name].next;
        uint32_t field = find_field(json, name, shape);
        if (field != SN_NONE) {
            s.out = (char *)out + sn_fields[field].offset;
            sn_result result = read_value(&s, sn_fields[field].type);
            if (result != SN_OK)
                return result;
            out->given |= 1u << field;
        } else if (!has_op || !sn_json_equals(json, name, "op")) {
            return unknown_field(reader, name, s.value, shape);
        }
        name = json->nodes[s.value].next;
    }
    for (uint32_t i = 0; i < SN_FIELD_COUNT; i++)
        if (shape->required & ~out->given & (1u << i))
            return missing_field(reader, value, i);
    return SN_OK;
}

uint32_t sn_arguments_field(const sn_json *json, const sn_arguments *arguments, sn_field field) {
    return sn_json_member(json, arguments->object, sn_fields[field].name);
}
