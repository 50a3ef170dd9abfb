/* Reading a modifier's JSON by the tables of its fields. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "modifier/stack.h"

static const sn_name_messages node_messages = {SN_MESSAGE_MODIFIER_TYPE, SN_MESSAGE_MODIFIER_NAME,
                                               SN_MESSAGE_MODIFIER_AMBIGUOUS};

static const sn_modifier_field common_fields[] = {
    {.name = "name", .kind = SN_KIND_STRING, .offset = offsetof(sn_modifier_common, name)},
    {.name = "weight",
     .kind = SN_KIND_NUMBER,
     .offset = offsetof(sn_modifier_common, weight),
     .keyed = true,
     .least = 0,
     .most = 1,
     .fallback = {1}},
    {.name = "enabled",
     .kind = SN_KIND_BOOL,
     .offset = offsetof(sn_modifier_common, is_enabled),
     .fallback = {1}},
};
const sn_modifier_shape sn_modifier_common_shape =
    SN_MODIFIER_SHAPE(common_fields, sn_modifier_common);

/* ---- Failures ---- */

static sn_result fail(const sn_modifier_site *site, sn_message_id id, const char *pointer,
                      const char *format, va_list arguments) {
    char text[sizeof site->error->text];
    sn_format_list(text, sizeof text, format, arguments);
    return sn_fail(site->error, id, pointer, "%s", text);
}

sn_result sn_modifier_fail(const sn_modifier_site *site, sn_message_id id, const char *field,
                           const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    sn_result result = fail(site, id, field, format, arguments);
    va_end(arguments);
    return result;
}

sn_result sn_modifier_fail_at(const sn_modifier_site *site, sn_message_id id, uint32_t value,
                              const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    sn_result result = fail(site, id, sn_json_place_of(site->json, value).text, format, arguments);
    va_end(arguments);
    return result;
}

sn_result sn_modifier_no_memory(const sn_modifier_site *site) {
    return sn_fail(site->error, SN_MESSAGE_MEMORY, NULL, "not enough memory for the modifiers");
}

static bool is_type(const sn_modifier_site *site, uint32_t value, sn_json_type type) {
    return site->json->nodes[value].type == (unsigned)type;
}

static sn_result type_error(const sn_modifier_site *site, uint32_t value, const char *expected) {
    return sn_modifier_fail_at(site, SN_MESSAGE_MODIFIER_TYPE, value, "this must be %s", expected);
}

/* ---- Numbers ---- */

uint32_t sn_modifier_field_width(const sn_modifier_field *field) {
    switch (field->kind) {
    case SN_KIND_NUMBER:
        return 1;
    case SN_KIND_RANGE:
        return 2;
    case SN_KIND_ROTATION:
        return 4;
    default:
        return 3;
    }
}

static sn_result range_error(const sn_modifier_site *site, const sn_modifier_field *field,
                             uint32_t value) {
    if (!(field->least < 0 || field->most > 0) || field->most >= SN_MODIFIER_NO_LIMIT) {
        if (field->most > 0)
            return sn_modifier_fail_at(site, SN_MESSAGE_MODIFIER_VALUE, value,
                                       "this must be a number %s %g that 32 bits can hold",
                                       field->above ? "above" : "of at least",
                                       (double)field->least);
        return sn_modifier_fail_at(site, SN_MESSAGE_MODIFIER_VALUE, value,
                                   "this must be a number that 32 bits can hold");
    }
    return sn_modifier_fail_at(
        site, SN_MESSAGE_MODIFIER_VALUE, value, "this must be %s %g and at most %g",
        field->above ? "above" : "at least", (double)field->least, (double)field->most);
}

/* The float is what counts: 3.14159265 is a float above pi. */
bool sn_modifier_number_fits(const sn_modifier_field *field, float number) {
    bool has_limits = field->least < 0 || field->most > 0;
    float least = has_limits ? field->least : -FLT_MAX;
    float most = has_limits ? field->most : FLT_MAX;
    return number >= least && number <= most && !(field->above && number <= least);
}

static sn_result read_number(const sn_modifier_site *site, const sn_modifier_field *field,
                             uint32_t value, float *out) {
    if (!is_type(site, value, SN_JSON_NUMBER))
        return type_error(site, value, "a number");
    double number = sn_json_number(site->json, value);
    if (!(fabs(number) <= (double)FLT_MAX) || !sn_modifier_number_fits(field, (float)number))
        return range_error(site, field, value);
    *out = (float)number + 0.0f; /* no negative zero */
    return SN_OK;
}

static double length_of(const float *values, uint32_t count) {
    double square = 0;
    for (uint32_t i = 0; i < count; i++)
        square += (double)values[i] * (double)values[i];
    return sqrt(square);
}

bool sn_modifier_settle_direction(const sn_modifier_field *field, float *values) {
    if (field->kind != SN_KIND_DIRECTION && field->kind != SN_KIND_ROTATION)
        return true;
    uint32_t width = sn_modifier_field_width(field);
    double length = length_of(values, width);
    if (!(length > 0))
        return false;
    if (field->kind == SN_KIND_ROTATION)
        for (uint32_t i = 0; i < width; i++)
            values[i] = (float)((double)values[i] / length);
    return true;
}

/* What the numbers have to be together. */
static sn_result settle_numbers(const sn_modifier_site *site, const sn_modifier_field *field,
                                uint32_t value, float *out) {
    if (field->kind == SN_KIND_RANGE && out[0] > out[1])
        return sn_modifier_fail_at(site, SN_MESSAGE_MODIFIER_VALUE, value,
                                   "the first number must not be above the second");
    if (!sn_modifier_settle_direction(field, out))
        return sn_modifier_fail_at(site, SN_MESSAGE_MODIFIER_VALUE, value,
                                   "this must not be zero: it has no direction");
    return SN_OK;
}

sn_result sn_modifier_read_numbers(const sn_modifier_site *site, const sn_modifier_field *field,
                                   uint32_t value, float *out) {
    static const char *const expected[] = {"", "", "two numbers in an array",
                                           "three numbers in an array",
                                           "a quaternion [x, y, z, w]"};
    if (field->kind == SN_KIND_NUMBER)
        return read_number(site, field, value, out);
    uint32_t width = sn_modifier_field_width(field);
    if (!is_type(site, value, SN_JSON_ARRAY) || site->json->nodes[value].count != width)
        return type_error(site, value, expected[width]);
    uint32_t element = sn_json_first(site->json, value);
    for (uint32_t i = 0; i < width; i++, element = site->json->nodes[element].next) {
        sn_result result = read_number(site, field, element, &out[i]);
        if (result)
            return result;
    }
    return settle_numbers(site, field, value, out);
}

/* ---- Words and nodes ---- */

static sn_result read_word(const sn_modifier_site *site, const sn_modifier_field *field,
                           uint32_t value, uint32_t *out) {
    for (uint32_t i = 0; field->words[i]; i++)
        if (sn_json_equals(site->json, value, field->words[i])) {
            *out = i;
            return SN_OK;
        }
    char words[256] = "one of";
    size_t length = strlen(words);
    for (uint32_t i = 0; field->words[i] && length < sizeof words; i++) {
        sn_format(words + length, sizeof words - length, "%s \"%s\"", i ? "," : "",
                  field->words[i]);
        length += strlen(words + length);
    }
    return type_error(site, value, words);
}

static sn_result read_string(const sn_modifier_site *site, uint32_t value, const char **out) {
    if (!is_type(site, value, SN_JSON_STRING))
        return type_error(site, value, "a string");
    size_t length;
    const char *string = sn_json_string(site->json, value, site->arena, &length);
    if (!string)
        return sn_modifier_no_memory(site);
    if (!length || strlen(string) != length)
        return sn_modifier_fail_at(site, SN_MESSAGE_MODIFIER_VALUE, value,
                                   "this must not be empty, and hold no NUL");
    *out = string;
    return SN_OK;
}

static const char *node_name(const void *owner, uint32_t i) {
    return ((const sn_model *)owner)->nodes[i].name;
}

static sn_result read_node(const sn_modifier_site *site, uint32_t value, uint32_t *out) {
    const sn_model *model = site->model;
    sn_names names = {"node", model, node_name, model->node_count, true, &node_messages};
    return sn_names_resolve(&names, site->json, value, site->arena, out, site->error);
}

static const char *bone_name(const void *owner, uint32_t i) {
    (void)owner;
    return sn_human_bone_name((sn_human_bone)i);
}

static sn_result read_bones(const sn_modifier_site *site, uint32_t value, sn_humanoid *out) {
    const sn_json *json = site->json;
    if (!is_type(site, value, SN_JSON_OBJECT))
        return type_error(site, value, "an object such as {\"leftHand\": node}");
    uint32_t name = sn_json_first(json, value);
    for (uint32_t n = json->nodes[value].count; n > 0; n--) {
        const char *spelt = sn_json_string(json, name, site->arena, NULL);
        if (!spelt)
            return sn_modifier_no_memory(site);
        sn_human_bone bone = sn_human_bone_find(spelt);
        if (bone == SN_HUMAN_NONE) {
            sn_names names = {"bone", NULL, bone_name, SN_HUMAN_BONE_COUNT, false, NULL};
            char close[320];
            sn_names_suggest(&names, spelt, close, sizeof close);
            return sn_modifier_fail_at(site, SN_MESSAGE_MODIFIER_FIELD, name + 1,
                                       "there is no human bone \"%s\"%s", spelt, close);
        }
        sn_result result = read_node(site, name + 1, &out->joints[bone]);
        if (result)
            return result;
        name = json->nodes[name + 1].next;
    }
    return SN_OK;
}

/* ---- Targets and poles ---- */

typedef struct place {
    float position[3], direction[3], offset[3];
    uint32_t node;
    bool has_position, has_direction, has_offset;
} place;

#define PLACE(field, kind_) .name = #field, .kind = kind_, .offset = offsetof(place, field)
static const sn_modifier_field place_fields[] = {
    {PLACE(position, SN_KIND_VECTOR), .given = offsetof(place, has_position)},
    {PLACE(node, SN_KIND_NODE)},
    {PLACE(offset, SN_KIND_VECTOR), .given = offsetof(place, has_offset)},
    {PLACE(direction, SN_KIND_DIRECTION), .given = offsetof(place, has_direction)},
};
static const sn_modifier_shape target_shape = {place_fields, 3, sizeof(place)};
static const sn_modifier_shape pole_shape = {place_fields, 4, sizeof(place)};

static sn_result read_place(const sn_modifier_site *site, bool is_pole, uint32_t value,
                            sn_modifier_pole *out) {
    place p;
    sn_result result =
        sn_modifier_read_object(site, is_pole ? &pole_shape : &target_shape, value, &p);
    if (result)
        return result;
    if (p.has_position + p.has_direction + (p.node != SN_NONE) != 1)
        return sn_modifier_fail_at(site, SN_MESSAGE_MODIFIER_FIELD, value,
                                   is_pole ? "this must have one of \"position\", \"direction\" "
                                             "and \"node\""
                                           : "this must have one of \"position\" and \"node\"");
    if (p.has_offset && p.node == SN_NONE)
        return sn_modifier_fail_at(site, SN_MESSAGE_MODIFIER_FIELD,
                                   sn_json_member(site->json, value, "offset"),
                                   "an offset goes with \"node\"");
    *out = (sn_modifier_pole){.kind = p.has_direction ? SN_POLE_DIRECTION : SN_POLE_TARGET};
    out->target.node = p.node;
    memcpy(out->target.position, p.node == SN_NONE ? p.position : p.offset, sizeof p.position);
    memcpy(out->direction, p.direction, sizeof p.direction);
    return SN_OK;
}

/* ---- Lists and single fields ---- */

static sn_result read_list(const sn_modifier_site *site, const sn_modifier_shape *shape,
                           uint32_t value, sn_modifier_list *out) {
    if (!is_type(site, value, SN_JSON_ARRAY) || !site->json->nodes[value].count)
        return type_error(site, value, "an array of objects, at least one");
    uint32_t count = site->json->nodes[value].count;
    char *items = sn_arena_alloc(site->arena, count, shape->size);
    if (!items)
        return sn_modifier_no_memory(site);
    uint32_t element = sn_json_first(site->json, value);
    for (uint32_t i = 0; i < count; i++, element = site->json->nodes[element].next) {
        sn_result result = sn_modifier_read_object(site, shape, element, items + i * shape->size);
        if (result)
            return result;
    }
    *out = (sn_modifier_list){items, count};
    return SN_OK;
}

static sn_result read_number_list(const sn_modifier_site *site, const sn_modifier_field *field,
                                  uint32_t value, sn_modifier_list *out) {
    if (!is_type(site, value, SN_JSON_ARRAY) || !site->json->nodes[value].count)
        return type_error(site, value, "an array of numbers, at least one");
    uint32_t count = site->json->nodes[value].count;
    float *items = SN_ARENA_NEW(site->arena, float, count);
    if (!items)
        return sn_modifier_no_memory(site);
    uint32_t element = sn_json_first(site->json, value);
    for (uint32_t i = 0; i < count; i++, element = site->json->nodes[element].next) {
        sn_result result = read_number(site, field, element, &items[i]);
        if (result)
            return result;
    }
    *out = (sn_modifier_list){items, count};
    return SN_OK;
}

static sn_result read_field(const sn_modifier_site *site, const sn_modifier_field *field,
                            uint32_t value, void *to) {
    void *out = (char *)to + field->offset;
    switch (field->kind) {
    case SN_KIND_BOOL:
        if (!is_type(site, value, SN_JSON_TRUE) && !is_type(site, value, SN_JSON_FALSE))
            return type_error(site, value, "true or false");
        *(bool *)out = is_type(site, value, SN_JSON_TRUE);
        return SN_OK;
    case SN_KIND_NUMBER:
    case SN_KIND_RANGE:
    case SN_KIND_VECTOR:
    case SN_KIND_DIRECTION:
    case SN_KIND_ROTATION:
        return sn_modifier_read_numbers(site, field, value, out);
    case SN_KIND_WORD:
        return read_word(site, field, value, out);
    case SN_KIND_STRING:
        return read_string(site, value, out);
    case SN_KIND_NODE:
        return read_node(site, value, out);
    case SN_KIND_TARGET: {
        sn_modifier_pole pole;
        sn_result result = read_place(site, false, value, &pole);
        if (!result)
            *(sn_modifier_target *)out = pole.target;
        return result;
    }
    case SN_KIND_POLE:
        return read_place(site, true, value, out);
    case SN_KIND_BONES:
        return read_bones(site, value, out);
    case SN_KIND_OBJECT:
        return sn_modifier_read_object(site, field->shape, value, out);
    case SN_KIND_LIST:
        return read_list(site, field->shape, value, out);
    case SN_KIND_NUMBERS:
        return read_number_list(site, field, value, out);
    }
    return SN_OK;
}

/* ---- Objects ---- */

static void set_defaults(const sn_modifier_site *site, const sn_modifier_shape *shape, void *out) {
    memset(out, 0, shape->size);
    for (uint32_t i = 0; i < shape->field_count; i++) {
        const sn_modifier_field *field = &shape->fields[i];
        void *to = (char *)out + field->offset;
        switch (field->kind) {
        case SN_KIND_BOOL:
            *(bool *)to = field->fallback[0] > 0;
            break;
        case SN_KIND_NUMBER:
        case SN_KIND_RANGE:
        case SN_KIND_VECTOR:
        case SN_KIND_DIRECTION:
        case SN_KIND_ROTATION:
            memcpy(to, field->fallback, sn_modifier_field_width(field) * sizeof(float));
            break;
        case SN_KIND_WORD:
            *(uint32_t *)to = (uint32_t)field->fallback[0];
            break;
        case SN_KIND_NODE:
            *(uint32_t *)to = SN_NONE;
            break;
        case SN_KIND_TARGET:
            ((sn_modifier_target *)to)->node = SN_NONE;
            break;
        case SN_KIND_POLE:
            ((sn_modifier_pole *)to)->target.node = SN_NONE;
            break;
        case SN_KIND_BONES:
            *(sn_humanoid *)to = *site->humanoid;
            break;
        case SN_KIND_OBJECT:
            set_defaults(site, field->shape, to);
            break;
        case SN_KIND_STRING:
        case SN_KIND_LIST:
        case SN_KIND_NUMBERS:
            break;
        }
    }
}

/* Whether a row reads JSON of this type: what tells rows of one name apart. */
static bool takes(sn_modifier_kind kind, unsigned type) {
    switch (kind) {
    case SN_KIND_BOOL:
        return type == SN_JSON_TRUE || type == SN_JSON_FALSE;
    case SN_KIND_NUMBER:
        return type == SN_JSON_NUMBER;
    case SN_KIND_RANGE:
    case SN_KIND_VECTOR:
    case SN_KIND_DIRECTION:
    case SN_KIND_ROTATION:
    case SN_KIND_LIST:
    case SN_KIND_NUMBERS:
        return type == SN_JSON_ARRAY;
    case SN_KIND_WORD:
    case SN_KIND_STRING:
        return type == SN_JSON_STRING;
    case SN_KIND_NODE:
        return type == SN_JSON_STRING || type == SN_JSON_NUMBER;
    case SN_KIND_TARGET:
    case SN_KIND_POLE:
    case SN_KIND_BONES:
    case SN_KIND_OBJECT:
        return type == SN_JSON_OBJECT;
    }
    return false;
}

/* The row of this name that takes the value; of several that do not, the first. */
static const sn_modifier_field *find_row(const sn_json *json, const sn_modifier_shape *shape,
                                         uint32_t name) {
    const sn_modifier_field *found = NULL;
    for (uint32_t i = 0; i < shape->field_count; i++) {
        const sn_modifier_field *field = &shape->fields[i];
        if (!sn_json_equals(json, name, field->name))
            continue;
        if (takes(field->kind, json->nodes[name + 1].type))
            return field;
        found = found ? found : field;
    }
    return found;
}

/* Names of all shapes one after another, as the sn_names_suggest of an object wants them. */
static const char *name_in_shapes(const void *owner, uint32_t i) {
    const sn_modifier_shape *const *shapes = owner;
    while (i >= (*shapes)->field_count)
        i -= (*shapes++)->field_count;
    return (*shapes)->fields[i].name;
}

static sn_result unknown_field(const sn_modifier_site *site, uint32_t name,
                               const sn_modifier_shape *const *shapes, uint32_t shape_count) {
    const char *spelt = sn_json_string(site->json, name, site->arena, NULL);
    if (!spelt)
        return sn_modifier_no_memory(site);
    uint32_t count = 0;
    for (uint32_t i = 0; i < shape_count; i++)
        count += shapes[i]->field_count;
    sn_names names = {"field", shapes, name_in_shapes, count, false, NULL};
    char close[320];
    sn_names_suggest(&names, spelt, close, sizeof close);
    return sn_modifier_fail_at(site, SN_MESSAGE_MODIFIER_FIELD, name + 1,
                               "there is no field \"%s\" here%s", spelt, close);
}

static sn_result missing_field(const sn_modifier_site *site, uint32_t object, const char *name) {
    char pointer[sizeof site->error->pointer];
    sn_format(pointer, sizeof pointer, "%s/%s", sn_json_place_of(site->json, object).text, name);
    return sn_modifier_fail(site, SN_MESSAGE_MODIFIER_FIELD, pointer, "the field \"%s\" is missing",
                            name);
}

static sn_result read_member(const sn_modifier_site *site, const sn_modifier_field *field,
                             uint32_t value, void *out) {
    sn_result result = read_field(site, field, value, out);
    if (!result && field->given)
        *(bool *)((char *)out + field->given) = true;
    return result;
}

sn_result sn_modifier_read_object(const sn_modifier_site *site, const sn_modifier_shape *shape,
                                  uint32_t value, void *out) {
    const sn_json *json = site->json;
    if (!is_type(site, value, SN_JSON_OBJECT))
        return type_error(site, value, "an object");
    set_defaults(site, shape, out);
    uint32_t name = sn_json_first(json, value);
    for (uint32_t n = json->nodes[value].count; n > 0; n--) {
        const sn_modifier_field *field = find_row(json, shape, name);
        sn_result result =
            field ? read_member(site, field, name + 1, out) : unknown_field(site, name, &shape, 1);
        if (result)
            return result;
        name = json->nodes[name + 1].next;
    }
    for (uint32_t i = 0; i < shape->field_count; i++)
        if (shape->fields[i].required &&
            sn_json_member(json, value, shape->fields[i].name) == SN_NONE)
            return missing_field(site, value, shape->fields[i].name);
    return SN_OK;
}

/* ---- Modifiers ---- */

static const char *type_name(const void *owner, uint32_t i) {
    (void)owner;
    return sn_modifier_types[i]->name;
}

static sn_result find_type(const sn_modifier_site *site, const sn_modifier_type **out) {
    uint32_t value = sn_json_member(site->json, 0, "type");
    if (value == SN_NONE)
        return missing_field(site, 0, "type");
    if (!is_type(site, value, SN_JSON_STRING))
        return type_error(site, value, "the name of a type of modifier");
    for (uint32_t i = 0; i < sn_modifier_type_count; i++)
        if (sn_json_equals(site->json, value, sn_modifier_types[i]->name)) {
            *out = sn_modifier_types[i];
            return SN_OK;
        }
    const char *spelt = sn_json_string(site->json, value, site->arena, NULL);
    if (!spelt)
        return sn_modifier_no_memory(site);
    sn_names names = {"type", NULL, type_name, sn_modifier_type_count, false, NULL};
    char close[320];
    sn_names_suggest(&names, spelt, close, sizeof close);
    return sn_modifier_fail_at(site, SN_MESSAGE_MODIFIER_UNKNOWN, value,
                               "there is no type of modifier \"%s\"%s", spelt, close);
}

static bool has_curve(const sn_modifier *modifier, const char *name) {
    for (uint32_t i = 0; i < modifier->curve_count; i++)
        if (strcmp(modifier->curves[i].field->name, name) == 0)
            return true;
    return false;
}

static sn_result check_required(const sn_modifier_site *site, const sn_modifier *modifier) {
    const sn_modifier_shape *shape = &modifier->type->shape;
    for (uint32_t i = 0; i < shape->field_count; i++) {
        const char *name = shape->fields[i].name;
        if (shape->fields[i].required && sn_json_member(site->json, 0, name) == SN_NONE &&
            !has_curve(modifier, name))
            return missing_field(site, 0, name);
    }
    return SN_OK;
}

/* Keys win over the field itself: what is checked before the first frame is what they say. */
static void take_first_keys(sn_modifier *modifier) {
    for (uint32_t i = 0; i < modifier->curve_count; i++) {
        const sn_modifier_curve *curve = &modifier->curves[i];
        sn_modifier_curve_apply(curve, curve->track.times[0],
                                curve->is_common ? (void *)&modifier->common
                                                 : modifier->parameters);
    }
}

sn_result sn_modifier_read(const sn_modifier_site *site, sn_modifier *out) {
    const sn_json *json = site->json;
    if (!is_type(site, 0, SN_JSON_OBJECT))
        return type_error(site, 0, "an object");
    sn_result result = find_type(site, &out->type);
    if (result)
        return result;
    const sn_modifier_shape *shapes[] = {&sn_modifier_common_shape, &out->type->shape};
    out->parameters = sn_arena_alloc(site->arena, 1, out->type->shape.size);
    if (!out->parameters)
        return sn_modifier_no_memory(site);
    set_defaults(site, shapes[0], &out->common);
    set_defaults(site, shapes[1], out->parameters);
    uint32_t name = sn_json_first(json, 0);
    for (uint32_t n = json->nodes[0].count; n > 0 && !result; n--) {
        const sn_modifier_field *common = find_row(json, shapes[0], name);
        const sn_modifier_field *own = find_row(json, shapes[1], name);
        if (common)
            result = read_member(site, common, name + 1, &out->common);
        else if (own)
            result = read_member(site, own, name + 1, out->parameters);
        else if (sn_json_equals(json, name, "keys"))
            result = sn_modifier_read_curves(site, name + 1, out);
        else if (!sn_json_equals(json, name, "type"))
            result = unknown_field(site, name, shapes, 2);
        name = json->nodes[name + 1].next;
    }
    if (!result)
        result = check_required(site, out);
    if (!result)
        take_first_keys(out);
    return result;
}
