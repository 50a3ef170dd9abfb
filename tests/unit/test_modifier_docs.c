/* docs/modifiers.md and docs/modifiers.schema.json against the tables of fields. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "modifier/stack.h"
#include "tests/unit/human_model.h"
#include "tests/unit/text_file.h"

/* ---- The schema that a table means ---- */

static void put_name(sn_text *out, const char *name) {
    sn_text_append_string(out, name, strlen(name));
}

static bool is_last_of_name(const sn_modifier_shape *shape, uint32_t i) {
    for (uint32_t k = i + 1; k < shape->field_count; k++)
        if (strcmp(shape->fields[k].name, shape->fields[i].name) == 0)
            return false;
    return true;
}

static void put_number(sn_text *out, const sn_modifier_field *field) {
    sn_text_append(out, "{\"type\":\"number\"");
    if (field->least < 0 || field->most > 0) {
        if (field->least > -SN_MODIFIER_NO_LIMIT) {
            sn_text_append(out, field->above ? ",\"exclusiveMinimum\":" : ",\"minimum\":");
            sn_text_append_float(out, field->least);
        }
        if (field->most < SN_MODIFIER_NO_LIMIT) {
            sn_text_append(out, ",\"maximum\":");
            sn_text_append_float(out, field->most);
        }
    }
}

static void put_default_numbers(sn_text *out, const sn_modifier_field *field, uint32_t width) {
    bool has_default = false;
    for (uint32_t i = 0; i < width; i++)
        has_default = has_default || fabsf(field->fallback[i]) > 0;
    if (!has_default)
        return;
    sn_text_append(out, ",\"default\":[");
    for (uint32_t i = 0; i < width; i++) {
        sn_text_append(out, i ? "," : "");
        sn_text_append_float(out, field->fallback[i]);
    }
    sn_text_append(out, "]");
}

static void put_reference(sn_text *out, const char *name, const sn_modifier_field *field) {
    sn_text_append(out, "{\"$ref\":\"#/$defs/");
    sn_text_append(out, name);
    sn_text_append(out, "\"");
    if (field->kind == SN_KIND_VECTOR || field->kind == SN_KIND_DIRECTION ||
        field->kind == SN_KIND_ROTATION)
        put_default_numbers(out, field, sn_modifier_field_width(field));
    sn_text_append(out, "}");
}

static void put_object(sn_text *out, const sn_modifier_shape *shape);

static void put_words(sn_text *out, const sn_modifier_field *field) {
    sn_text_append(out, "{\"enum\":[");
    for (uint32_t i = 0; field->words[i]; i++) {
        sn_text_append(out, i ? "," : "");
        put_name(out, field->words[i]);
    }
    sn_text_append(out, "]");
    if (!field->required) {
        sn_text_append(out, ",\"default\":");
        put_name(out, field->words[(uint32_t)field->fallback[0]]);
    }
    sn_text_append(out, "}");
}

/* A field whose default is a value outside of its range has none: it is off. */
static bool has_default(const sn_modifier_field *field) {
    bool has_limits = field->least < 0 || field->most > 0;
    return !field->required && !field->given &&
           !(has_limits && (field->fallback[0] < field->least || field->fallback[0] > field->most));
}

static void put_field(sn_text *out, const sn_modifier_field *field) {
    switch (field->kind) {
    case SN_KIND_BOOL:
        sn_text_append(out, "{\"type\":\"boolean\"");
        if (has_default(field))
            sn_text_append(out,
                           field->fallback[0] > 0 ? ",\"default\":true" : ",\"default\":false");
        sn_text_append(out, "}");
        break;
    case SN_KIND_NUMBER:
        put_number(out, field);
        if (has_default(field)) {
            sn_text_append(out, ",\"default\":");
            sn_text_append_float(out, field->fallback[0]);
        }
        sn_text_append(out, "}");
        break;
    case SN_KIND_RANGE:
        sn_text_append(out, "{\"type\":\"array\",\"items\":");
        put_number(out, field);
        sn_text_append(out, "},\"minItems\":2,\"maxItems\":2");
        put_default_numbers(out, field, 2);
        sn_text_append(out, "}");
        break;
    case SN_KIND_VECTOR:
        put_reference(out, "vector", field);
        break;
    case SN_KIND_DIRECTION:
        put_reference(out, "direction", field);
        break;
    case SN_KIND_ROTATION:
        put_reference(out, "rotation", field);
        break;
    case SN_KIND_WORD:
        put_words(out, field);
        break;
    case SN_KIND_STRING:
        sn_text_append(out, "{\"type\":\"string\",\"minLength\":1}");
        break;
    case SN_KIND_NODE:
        put_reference(out, "node", field);
        break;
    case SN_KIND_TARGET:
        put_reference(out, "target", field);
        break;
    case SN_KIND_POLE:
        put_reference(out, "pole", field);
        break;
    case SN_KIND_BONES:
        put_reference(out, "bones", field);
        break;
    case SN_KIND_OBJECT:
        put_object(out, field->shape);
        break;
    case SN_KIND_LIST:
        sn_text_append(out, "{\"type\":\"array\",\"minItems\":1,\"items\":");
        put_object(out, field->shape);
        sn_text_append(out, "}");
        break;
    case SN_KIND_NUMBERS:
        sn_text_append(out, "{\"type\":\"array\",\"minItems\":1,\"items\":");
        put_number(out, field);
        sn_text_append(out, "}}");
        break;
    }
}

/* Rows of one name are said at the place of the last of them, together. */
static void put_fields(sn_text *out, const sn_modifier_shape *shape, bool is_first) {
    for (uint32_t i = 0; i < shape->field_count; i++) {
        if (!is_last_of_name(shape, i))
            continue;
        const char *name = shape->fields[i].name;
        uint32_t rows = 0;
        for (uint32_t k = 0; k <= i; k++)
            rows += strcmp(shape->fields[k].name, name) == 0;
        sn_text_append(out, is_first ? "" : ",");
        is_first = false;
        put_name(out, name);
        sn_text_append(out, rows > 1 ? ":{\"oneOf\":[" : ":");
        for (uint32_t k = 0, said = 0; k <= i; k++)
            if (strcmp(shape->fields[k].name, name) == 0) {
                sn_text_append(out, said++ ? "," : "");
                put_field(out, &shape->fields[k]);
            }
        sn_text_append(out, rows > 1 ? "]}" : "");
    }
}

static void put_required(sn_text *out, const sn_modifier_shape *shape, bool keyed,
                         const char *more) {
    sn_text_append(out, ",\"required\":[");
    sn_text_append(out, more);
    bool is_first = !*more;
    for (uint32_t i = 0; i < shape->field_count; i++)
        if (shape->fields[i].required && (!keyed || !shape->fields[i].keyed)) {
            sn_text_append(out, is_first ? "" : ",");
            put_name(out, shape->fields[i].name);
            is_first = false;
        }
    sn_text_append(out, "],\"additionalProperties\":false");
}

static void put_object(sn_text *out, const sn_modifier_shape *shape) {
    sn_text_append(out, "{\"type\":\"object\",\"properties\":{");
    put_fields(out, shape, true);
    sn_text_append(out, "}");
    put_required(out, shape, false, "");
    sn_text_append(out, "}");
}

static const char *keys_of(const sn_modifier_field *field) {
    switch (field->kind) {
    case SN_KIND_NUMBER:
        return "numberKeys";
    case SN_KIND_ROTATION:
        return "rotationKeys";
    case SN_KIND_DIRECTION:
        return "directionKeys";
    default:
        return "vectorKeys";
    }
}

static void put_keys(sn_text *out, const sn_modifier_shape *shape, bool is_first) {
    for (uint32_t i = 0; i < shape->field_count; i++)
        if (shape->fields[i].keyed) {
            sn_text_append(out, is_first ? "" : ",");
            is_first = false;
            put_name(out, shape->fields[i].name);
            sn_text_append(out, ":{\"$ref\":\"#/$defs/");
            sn_text_append(out, keys_of(&shape->fields[i]));
            sn_text_append(out, "\"}");
        }
}

/* What is required may be given by keys alone. */
static void put_required_or_keys(sn_text *out, const sn_modifier_shape *shape) {
    bool is_first = true;
    for (uint32_t i = 0; i < shape->field_count; i++) {
        if (!shape->fields[i].required || !shape->fields[i].keyed)
            continue;
        sn_text_append(out, is_first ? ",\"allOf\":[" : ",");
        is_first = false;
        sn_text_append(out, "{\"anyOf\":[{\"required\":[");
        put_name(out, shape->fields[i].name);
        sn_text_append(out, "]},{\"required\":[\"keys\"],\"properties\":{\"keys\":{\"required\":[");
        put_name(out, shape->fields[i].name);
        sn_text_append(out, "]}}}]}");
    }
    sn_text_append(out, is_first ? "" : "]");
}

static void put_type(sn_text *out, const sn_modifier_type *type) {
    sn_text_append(out, "{\"type\":\"object\",\"properties\":{\"type\":{\"const\":");
    put_name(out, type->name);
    sn_text_append(out, "}");
    put_fields(out, &sn_modifier_common_shape, false);
    put_fields(out, &type->shape, false);
    sn_text_append(out, ",\"keys\":{\"type\":\"object\",\"properties\":{");
    put_keys(out, &sn_modifier_common_shape, true);
    put_keys(out, &type->shape, false);
    sn_text_append(out, "},\"additionalProperties\":false}}");
    put_required(out, &type->shape, true, "\"type\"");
    put_required_or_keys(out, &type->shape);
    sn_text_append(out, "}");
}

/* ---- Comparing ---- */

/* What a schema allows must be no more than what the program takes, which is floats. */
static bool is_same_float(double a, double b) {
    return !((float)a < (float)b) && !((float)a > (float)b);
}

static bool equal(const sn_json *a, uint32_t x, const sn_json *b, uint32_t y);

/* Members in any order; "description" is for people. */
static bool equal_objects(const sn_json *a, uint32_t x, const sn_json *b, uint32_t y) {
    uint32_t counted = 0;
    uint32_t name = sn_json_first(b, y);
    for (uint32_t n = b->nodes[y].count; n > 0; n--) {
        uint32_t value = name + 1;
        if (sn_json_equals(b, name, "description") && b->nodes[value].type == SN_JSON_STRING) {
            name = b->nodes[value].next;
            continue;
        }
        counted++;
        char text[128];
        snprintf(text, sizeof text, "%.*s", (int)b->nodes[name].length - 2,
                 b->text + b->nodes[name].offset + 1);
        uint32_t own = sn_json_member(a, x, text);
        if (own == SN_NONE || !equal(a, own, b, value))
            return false;
        name = b->nodes[value].next;
    }
    return counted == a->nodes[x].count;
}

/* `a` is what is expected. */
static bool equal(const sn_json *a, uint32_t x, const sn_json *b, uint32_t y) {
    const sn_json_node *p = &a->nodes[x], *q = &b->nodes[y];
    if (p->type != q->type)
        return false;
    switch (p->type) {
    case SN_JSON_OBJECT:
        return equal_objects(a, x, b, y);
    case SN_JSON_ARRAY: {
        if (p->count != q->count)
            return false;
        uint32_t i = x + 1, k = y + 1;
        for (uint32_t n = p->count; n > 0; n--, i = a->nodes[i].next, k = b->nodes[k].next)
            if (!equal(a, i, b, k))
                return false;
        return true;
    }
    case SN_JSON_NUMBER:
        return is_same_float(sn_json_number(a, x), sn_json_number(b, y));
    default:
        return p->length == q->length &&
               memcmp(a->text + p->offset, b->text + q->offset, p->length) == 0;
    }
}

static void check_type(const sn_json *schema, uint32_t definitions, const sn_modifier_type *type) {
    sn_text expected;
    sn_text_init(&expected, NULL);
    put_type(&expected, type);
    sn_arena arena;
    sn_arena_init(&arena, NULL);
    sn_json json;
    assert_int_equal(sn_json_parse(expected.data, expected.length, &arena, &json, NULL), SN_OK);
    uint32_t own = sn_json_member(schema, definitions, type->name);
    if (own == SN_NONE || !equal(&json, 0, schema, own))
        fail_msg("docs/modifiers.schema.json: $defs/%s must be, but for descriptions:\n%s",
                 type->name, expected.data);
    sn_arena_free(&arena);
    sn_text_free(&expected);
}

static void test_schema(void **state) {
    (void)state;
    char *text = test_source_text("docs/modifiers.schema.json");
    sn_arena arena;
    sn_arena_init(&arena, NULL);
    sn_json json;
    sn_error error = {0};
    if (sn_json_parse(text, strlen(text), &arena, &json, &error))
        fail_msg("docs/modifiers.schema.json: line %u: %s", error.line, error.text);
    uint32_t definitions = sn_json_member(&json, 0, "$defs");
    uint32_t modifier = sn_json_member(&json, definitions, "modifier");
    uint32_t choices = sn_json_member(&json, modifier, "oneOf");
    assert_int_not_equal(choices, SN_NONE);
    assert_int_equal(json.nodes[choices].count, sn_modifier_type_count);
    for (uint32_t i = 0; i < sn_modifier_type_count; i++) {
        char reference[64];
        snprintf(reference, sizeof reference, "#/$defs/%s", sn_modifier_types[i]->name);
        uint32_t choice = sn_json_element(&json, choices, i);
        if (!sn_json_equals(&json, sn_json_member(&json, choice, "$ref"), reference))
            fail_msg("docs/modifiers.schema.json: choice %u of a modifier is not %s", i, reference);
        check_type(&json, definitions, sn_modifier_types[i]);
    }
    sn_arena_free(&arena);
    free(text);
}

/* ---- docs/modifiers.md ---- */

static void check_words(const char *section, const char *end, const char *type, const char *name) {
    char cell[64];
    snprintf(cell, sizeof cell, "`%s`", name);
    const char *found = strstr(section, cell);
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\"", name);
    const char *in_text = strstr(section, quoted); /* a field of an object */
    if (!(found && found < end) && !(in_text && in_text < end))
        fail_msg("docs/modifiers.md: %s does not say what \"%s\" is", type, name);
}

static void check_fields(const char *section, const char *end, const char *type,
                         const sn_modifier_shape *shape) {
    for (uint32_t i = 0; i < shape->field_count; i++) {
        check_words(section, end, type, shape->fields[i].name);
        if (shape->fields[i].shape)
            check_fields(section, end, type, shape->fields[i].shape);
    }
}

/* A little off the rest pose, for the modifiers of what the pose itself does. */
static void set_pose(const sn_skeleton *skeleton, sn_pose out) {
    sn_pose_rest(skeleton, out);
    for (uint32_t i = 0; i < JOINT_COUNT; i++) {
        sn_transform local;
        sn_pose_get(skeleton, out, i, &local);
        const float tenth[4] = {0.0499792f, 0, 0, 0.9987503f}; /* of a radian about x */
        memcpy(local.rotation, tenth, sizeof tenth);
        sn_pose_set(skeleton, out, i, &local);
    }
}

/* Compiles on the mannequin and runs on a pose of it. */
static void run_example(const char *type, const char *text, size_t length) {
    test_human human;
    test_human_init(&human);
    sn_modifier_text modifier = {text, length};
    sn_modifier_stack_desc desc = {.model = &human.model,
                                   .humanoid = &human.bones,
                                   .modifiers = &modifier,
                                   .modifier_count = 1};
    sn_error error = {0};
    sn_modifier_stack *stack = NULL;
    sn_modifier_state *memory = NULL;
    sn_skeleton *skeleton = NULL;
    if (sn_modifier_stack_create(&desc, NULL, &stack, &error))
        fail_msg("docs/modifiers.md: %s: %s: %s", type, error.pointer, error.text);
    assert_int_equal(sn_modifier_state_create(stack, NULL, &memory, NULL), SN_OK);
    assert_int_equal(sn_model_skeleton(&human.model, SN_KERNEL_BEST, NULL, &skeleton, NULL), SN_OK);
    sn_arena arena;
    sn_arena_init(&arena, NULL);
    sn_pose after = {sn_arena_alloc(&arena, sn_pose_size(skeleton), 1)};
    sn_pose before = {sn_arena_alloc(&arena, sn_pose_size(skeleton), 1)};
    set_pose(skeleton, after);
    set_pose(skeleton, before);
    sn_modifier_frame frame = {.time = 100};
    sn_modifier_report report;
    if (sn_modifier_stack_apply(stack, memory, skeleton, after, &frame, &report, &error))
        fail_msg("docs/modifiers.md: %s: %s", type, error.text);
    assert_string_equal(report.type, type);
    assert_true(report.is_applied);
    if (memcmp(after.data, before.data, sn_pose_size(skeleton)) == 0)
        fail_msg("docs/modifiers.md: the example of %s changes nothing", type);
    sn_arena_free(&arena);
    sn_skeleton_free(skeleton);
    sn_modifier_state_free(memory);
    sn_modifier_stack_free(stack);
}

static void test_documentation(void **state) {
    (void)state;
    char *text = test_source_text("docs/modifiers.md");
    const char *section = text;
    for (uint32_t i = 0; i < sn_modifier_type_count; i++) {
        const sn_modifier_type *type = sn_modifier_types[i];
        char heading[64];
        snprintf(heading, sizeof heading, "\n## `%s`\n", type->name);
        section = strstr(section, heading); /* after the one before: the order is the table's */
        if (!section)
            fail_msg("docs/modifiers.md has no section \"%s\" at its place", heading);
        section += strlen(heading);
        const char *end = strstr(section, "\n## ");
        end = end ? end : section + strlen(section);
        check_fields(section, end, type->name, &type->shape);
        for (uint32_t bit = 0; type->flag_names[bit]; bit++)
            check_words(section, end, type->name, type->flag_names[bit]);
        const char *example = strstr(section, "```json\n");
        if (!example || example > end)
            fail_msg("docs/modifiers.md: %s has no example", type->name);
        example += strlen("```json\n");
        run_example(type->name, example, (size_t)(strstr(example, "```") - example));
    }
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_schema),
        cmocka_unit_test(test_documentation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
