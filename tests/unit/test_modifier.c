/* Modifiers: reading their JSON, and what is said of JSON that is none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "modifier/stack.h"
#include "tests/unit/allocators.h"
#include "tests/unit/modifier_rig.h"

#define CHAIN "\"type\": \"two_bone\", \"root\": \"Upper\", \"mid\": \"Lower\", \"end\": \"Hand\""
#define TARGET "\"target\": {\"position\": [0.3, 1.2, 0.2]}"
#define ARM                                                                                        \
    "\"type\": \"arm\", \"side\": \"left\", \"bones\": {\"leftUpperArm\": \"Upper\", "             \
    "\"leftLowerArm\": \"Lower\", \"leftHand\": \"Hand\"}"
#define POLE_KEYS "\"keys\": {\"pole\": {\"times\": [0], \"values\": [[0, 0, -1]]}}"
#define FILE_OF(text) "{\"modifiers\": [{" text "}]}"

static void assert_fails(const char *text, sn_message_id id, const char *pointer,
                         const char *said) {
    sn_error error = {0};
    sn_modifier_stack *stack = test_rig_stack(text, NULL, &error);
    if (stack)
        fail_msg("%s is taken", text);
    if (error.id != id || strcmp(error.pointer, pointer) != 0 || !strstr(error.text, said))
        fail_msg("%s: %s at \"%s\": %s", text, sn_message_name(error.id), error.pointer,
                 error.text);
}

static void test_file(void **state) {
    (void)state;
    sn_error error = {0};
    sn_modifier_stack *stack = test_rig_stack("{\"modifiers\": []}", NULL, &error);
    assert_non_null(stack);
    assert_int_equal(sn_modifier_stack_count(stack), 0);
    sn_modifier_stack_free(stack);

    assert_fails("[]", SN_MESSAGE_MODIFIER_TYPE, "", "{\"modifiers\": [{…}, …]}");
    assert_fails("{}", SN_MESSAGE_MODIFIER_TYPE, "", "{\"modifiers\": [{…}, …]}");
    assert_fails("{\"modifiers\": {}}", SN_MESSAGE_MODIFIER_TYPE, "/modifiers", "object");
    assert_fails("{\"modifiers\": [], \"more\": 1}", SN_MESSAGE_MODIFIER_FIELD, "/more",
                 "no other");
    assert_fails("{\"modifiers\": [1]}", SN_MESSAGE_MODIFIER_TYPE, "/modifiers/0", "object");
    assert_null(test_rig_stack("{\"modifiers\": [\n{]}", NULL, &error));
    assert_int_equal(error.id, SN_MESSAGE_JSON_SYNTAX);
    assert_int_equal(error.line, 2);
}

/* The text stays as it was given but for white space, the index of the failing one counts. */
static void test_texts(void **state) {
    (void)state;
    sn_error error = {0};
    const char *text = "{\"modifiers\": [ {" CHAIN ", " TARGET "},\n{ \"weight\" : 0.50e0,\t" CHAIN
                       ", \"name\": \"a \\\" \\\\\", " TARGET "} ]}";
    sn_modifier_stack *stack = test_rig_stack(text, NULL, &error);
    assert_non_null(stack);
    assert_int_equal(sn_modifier_stack_count(stack), 2);
    sn_modifier_text second = sn_modifier_stack_text(stack, 1);
    const char *expected = "{\"weight\":0.50e0,\"type\":\"two_bone\",\"root\":\"Upper\",\"mid\":"
                           "\"Lower\",\"end\":\"Hand\",\"name\":\"a \\\" \\\\\",\"target\":{"
                           "\"position\":[0.3,1.2,0.2]}}";
    assert_int_equal(second.length, strlen(expected));
    assert_memory_equal(second.text, expected, second.length);
    assert_string_equal(sn_modifier_stack_name(stack, 0), "");
    assert_string_equal(sn_modifier_stack_name(stack, 1), "a \" \\");
    sn_modifier_stack_free(stack);
    assert_fails("{\"modifiers\": [{" CHAIN ", " TARGET "}, {" CHAIN "}]}",
                 SN_MESSAGE_MODIFIER_FIELD, "/modifiers/1/target", "missing");
}

typedef struct wrong {
    const char *text;
    sn_message_id id;
    const char *pointer; /* within the modifier */
    const char *said;
} wrong;

static void test_wrong(void **state) {
    (void)state;
    static const wrong cases[] = {
        {"", SN_MESSAGE_MODIFIER_FIELD, "/type", "missing"},
        {"\"type\": 3", SN_MESSAGE_MODIFIER_TYPE, "/type", "name"},
        {"\"type\": \"two_bones\"", SN_MESSAGE_MODIFIER_UNKNOWN, "/type", "close: \"two_bone\""},
        {CHAIN ", " TARGET ", \"wieght\": 1", SN_MESSAGE_MODIFIER_FIELD, "/wieght",
         "close: \"weight\""},
        {CHAIN ", " TARGET ", \"softer\": 1", SN_MESSAGE_MODIFIER_FIELD, "/softer",
         "close: \"soften\""},
        {CHAIN ", " TARGET ", \"name\": \"\"", SN_MESSAGE_MODIFIER_VALUE, "/name", "empty"},
        /* nodes */
        {CHAIN ", \"target\": {\"node\": \"Bull\"}", SN_MESSAGE_MODIFIER_NAME, "/target/node",
         "close: \"Ball\" (6)"},
        {CHAIN ", \"target\": {\"node\": 11}", SN_MESSAGE_MODIFIER_NAME, "/target/node",
         "there are 11"},
        {CHAIN ", \"target\": {\"node\": \"Twin\"}", SN_MESSAGE_MODIFIER_AMBIGUOUS, "/target/node",
         "\"Twin\" (7), \"Twin\" (8)"},
        {CHAIN ", \"target\": {\"node\": true}", SN_MESSAGE_MODIFIER_TYPE, "/target/node", "index"},
        /* targets and poles */
        {CHAIN ", \"target\": {}", SN_MESSAGE_MODIFIER_FIELD, "/target", "one of"},
        {CHAIN ", \"target\": {\"node\": 6, \"position\": [0, 0, 0]}", SN_MESSAGE_MODIFIER_FIELD,
         "/target", "one of"},
        {CHAIN ", \"target\": {\"position\": [0, 0, 0], \"offset\": [0, 0, 0]}",
         SN_MESSAGE_MODIFIER_FIELD, "/target/offset", "\"node\""},
        {CHAIN ", \"target\": {\"direction\": [0, 0, 1]}", SN_MESSAGE_MODIFIER_FIELD,
         "/target/direction", "no field"},
        {CHAIN ", \"target\": {\"position\": [0, 0]}", SN_MESSAGE_MODIFIER_TYPE, "/target/position",
         "three numbers"},
        {CHAIN ", \"target\": {\"position\": [0, 1e39, 0]}", SN_MESSAGE_MODIFIER_VALUE,
         "/target/position/1", "32 bits"},
        {CHAIN ", " TARGET ", \"pole\": {\"direction\": [0, 0, 0]}", SN_MESSAGE_MODIFIER_VALUE,
         "/pole/direction", "zero"},
        {CHAIN ", " TARGET ", \"pole\": {}", SN_MESSAGE_MODIFIER_FIELD, "/pole", "one of"},
        /* numbers */
        {CHAIN ", " TARGET ", \"weight\": 1.5", SN_MESSAGE_MODIFIER_VALUE, "/weight", "at most 1"},
        {CHAIN ", " TARGET ", \"soften\": 0", SN_MESSAGE_MODIFIER_VALUE, "/soften", "above 0"},
        {CHAIN ", " TARGET ", \"flexion\": [1, 0.5]", SN_MESSAGE_MODIFIER_VALUE, "/flexion",
         "above the second"},
        {CHAIN ", " TARGET ", \"flexion\": [0, 0]", SN_MESSAGE_MODIFIER_VALUE, "/flexion/1",
         "above 0"},
        {CHAIN ", " TARGET ", \"stretch\": {\"start\": 0.9}", SN_MESSAGE_MODIFIER_FIELD,
         "/stretch/max", "missing"},
        {CHAIN ", " TARGET ", \"stretch\": {\"max\": 1}", SN_MESSAGE_MODIFIER_VALUE, "/stretch/max",
         "above 1"},
        {CHAIN ", " TARGET ", \"orientation\": [0, 0, 0, 0]", SN_MESSAGE_MODIFIER_VALUE,
         "/orientation", "zero"},
        {CHAIN ", " TARGET ", \"roll\": \"free\"", SN_MESSAGE_MODIFIER_TYPE, "/roll",
         "\"hinge\", \"keep\""},
        {CHAIN ", " TARGET ", \"pole\": {\"node\": 6}, \"field\": {\"reach\": [0, 0, 1], \"bend\": "
               "[0, 1, 0]}",
         SN_MESSAGE_MODIFIER_FIELD, "/field", "one of them"},
        /* chains */
        {"\"type\": \"two_bone\", \"root\": \"Hand\", \"mid\": \"Lower\", \"end\": "
         "\"Upper\", " TARGET,
         SN_MESSAGE_CHAIN_JOINTS, "/end", "does not hang below node 4 \"Hand\""},
        {"\"type\": \"two_bone\", \"root\": \"Upper\", \"mid\": \"Ball\", \"end\": "
         "\"Hand\", " TARGET,
         SN_MESSAGE_CHAIN_JOINTS, "/mid", "between"},
        {"\"type\": \"two_bone\", \"root\": \"Upper\", \"mid\": \"Upper\", \"end\": "
         "\"Hand\", " TARGET,
         SN_MESSAGE_CHAIN_JOINTS, "/mid", "between"},
        {"\"type\": \"two_bone\", \"root\": \"Lower\", \"mid\": \"Hand\", \"end\": "
         "\"Tip\", " TARGET,
         SN_MESSAGE_CHAIN_LENGTH, "", "no length"},
        {"\"type\": \"two_bone\", \"root\": \"Base\", \"mid\": \"Lamp\", \"end\": "
         "\"Shade\", " TARGET,
         SN_MESSAGE_CHAIN_JOINTS, "/end", "shear"},
        /* keys */
        {CHAIN ", " TARGET ", \"keys\": []", SN_MESSAGE_MODIFIER_TYPE, "/keys", "object"},
        {CHAIN ", " TARGET ", \"keys\": {\"roll\": {}}", SN_MESSAGE_MODIFIER_FIELD, "/keys/roll",
         "\"weight\", \"target\", \"pole\""},
        {CHAIN ", " TARGET ", \"keys\": {\"weight\": {\"times\": [0]}}", SN_MESSAGE_MODIFIER_FIELD,
         "/keys/weight", "\"values\" is missing"},
        {CHAIN ", " TARGET ", \"keys\": {\"weight\": {\"times\": [], \"values\": []}}",
         SN_MESSAGE_MODIFIER_TYPE, "/keys/weight/times", "at least one"},
        {CHAIN ", " TARGET ", \"keys\": {\"weight\": {\"times\": [0, 1], \"values\": [0]}}",
         SN_MESSAGE_MODIFIER_TYPE, "/keys/weight/values", "array of 2"},
        {CHAIN ", " TARGET ", \"keys\": {\"weight\": {\"times\": [0, 0], \"values\": [0, 1]}}",
         SN_MESSAGE_MODIFIER_VALUE, "/keys/weight/times/1", "increase"},
        {CHAIN ", " TARGET ", \"keys\": {\"weight\": {\"times\": [0, 1], \"values\": [0, 2]}}",
         SN_MESSAGE_MODIFIER_VALUE, "/keys/weight/values/1", "at most 1"},
        {CHAIN ", " TARGET
               ", \"keys\": {\"weight\": {\"times\": [0], \"values\": [0], \"interpolation\": "
               "\"CUBICSPLINE\"}}",
         SN_MESSAGE_MODIFIER_TYPE, "/keys/weight/interpolation", "\"LINEAR\", \"STEP\""},
        {CHAIN ", " TARGET
               ", \"keys\": {\"weight\": {\"times\": [0], \"values\": [0], \"ease\": 1}}",
         SN_MESSAGE_MODIFIER_FIELD, "/keys/weight/ease", "only"},
        {CHAIN ", \"keys\": {\"target\": {\"times\": [0], \"values\": [[0, 0]]}}",
         SN_MESSAGE_MODIFIER_TYPE, "/keys/target/values/0", "three numbers"},
        /* what only keys give counts too */
        {CHAIN ", " TARGET ", " POLE_KEYS ", \"field\": {\"reach\": [0, 0, 1], \"bend\": "
               "[0, 1, 0]}",
         SN_MESSAGE_MODIFIER_FIELD, "/field", "one of them"},
        {ARM ", " TARGET ", " POLE_KEYS ", \"bend\": \"pose\"", SN_MESSAGE_MODIFIER_FIELD, "/bend",
         "one of them"},
        {ARM ", " TARGET ", \"keys\": {\"rollAxis\": {\"times\": [0], \"values\": [[0, 1, 0]]}}",
         SN_MESSAGE_MODIFIER_FIELD, "/rollAxis", "orientation"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char file[1024] = "{\"modifiers\": [{", pointer[256] = "/modifiers/0";
        strcat(strcat(file, cases[i].text), "}]}");
        strcat(pointer, cases[i].pointer);
        assert_fails(file, cases[i].id, pointer, cases[i].said);
    }
}

/* ---- Every field of every type ---- */

/* Text that leads to an object within a modifier, and what closes it again. */
typedef struct within {
    char open[512], close[64], pointer[128];
} within;

static void assert_field_fails(const within *at, const char *name, const char *value,
                               sn_message_id id, const char *below) {
    char file[1024] = "{\"modifiers\": [{", pointer[256] = "/modifiers/0";
    strcat(strcat(strcat(file, at->open), "\""), name);
    strcat(strcat(strcat(strcat(file, "\": "), value), at->close), "}]}");
    strcat(strcat(strcat(strcat(pointer, at->pointer), "/"), name), below);
    sn_error error = {0};
    sn_modifier_stack *stack = test_rig_stack(file, NULL, &error);
    if (stack || error.id != id || strcmp(error.pointer, pointer) != 0)
        fail_msg("%s: %s at %s, not at %s", file, sn_message_name(error.id), error.pointer,
                 pointer);
}

/* A number that is too small and one that is too large, in a field's array or alone. */
static void check_limits(const within *at, const sn_modifier_field *field) {
    static const char *const forms[] = {"", "%", "[%, 0]", "[%, 0, 0]", "[%, 0, 0, 0]"};
    bool has_limits = field->least < 0 || field->most > 0;
    uint32_t width = sn_modifier_field_width(field);
    for (int side = -1; side <= 1; side += 2) {
        double edge = side < 0 ? (double)field->least : (double)field->most;
        double beyond =
            has_limits && edge < 1e38 && edge > -1e38 ? edge + side * 0.01 : side * 1e39;
        sn_text value;
        sn_text_init(&value, NULL);
        for (const char *c = forms[width]; *c; c++)
            if (*c == '%')
                sn_text_append_double(&value, beyond);
            else
                sn_text_append_bytes(&value, c, 1);
        assert_field_fails(at, field->name, value.data, SN_MESSAGE_MODIFIER_VALUE,
                           width > 1 ? "/0" : "");
        sn_text_free(&value);
    }
}

static void check_shape(const within *at, const sn_modifier_shape *shape);

static void check_field(const within *at, const sn_modifier_shape *shape, uint32_t i) {
    const sn_modifier_field *field = &shape->fields[i];
    bool is_first = true, is_only = true;
    for (uint32_t k = 0; k < shape->field_count; k++)
        if (k != i && strcmp(shape->fields[k].name, field->name) == 0) {
            is_only = false;
            is_first = is_first && k > i;
        }
    if (is_first) /* no field of any kind may be null */
        assert_field_fails(at, field->name, "null", SN_MESSAGE_MODIFIER_TYPE, "");
    within inner = *at;
    switch (field->kind) {
    case SN_KIND_NUMBER:
    case SN_KIND_RANGE:
    case SN_KIND_VECTOR:
    case SN_KIND_DIRECTION:
    case SN_KIND_ROTATION:
        check_limits(at, field);
        break;
    case SN_KIND_NODE:
        assert_field_fails(at, field->name, "\"Nobody\"", SN_MESSAGE_MODIFIER_NAME, "");
        assert_field_fails(at, field->name, "1.5", SN_MESSAGE_MODIFIER_NAME, "");
        break;
    case SN_KIND_WORD:
        assert_field_fails(at, field->name, "\"no such word\"", SN_MESSAGE_MODIFIER_TYPE, "");
        break;
    case SN_KIND_STRING:
        assert_field_fails(at, field->name, "\"\"", SN_MESSAGE_MODIFIER_VALUE, "");
        break;
    case SN_KIND_BONES:
        assert_field_fails(at, field->name, "{\"leftHnad\": 0}", SN_MESSAGE_MODIFIER_FIELD,
                           "/leftHnad");
        assert_field_fails(at, field->name, "{\"leftHand\": \"Nobody\"}", SN_MESSAGE_MODIFIER_NAME,
                           "/leftHand");
        break;
    case SN_KIND_TARGET:
    case SN_KIND_POLE:
        assert_field_fails(at, field->name, "{\"node\": \"Nobody\"}", SN_MESSAGE_MODIFIER_NAME,
                           "/node");
        assert_field_fails(at, field->name, "{\"offset\": [0, 0, 0]}", SN_MESSAGE_MODIFIER_FIELD,
                           "");
        break;
    case SN_KIND_OBJECT:
    case SN_KIND_LIST:
        strcat(strcat(inner.open, "\""), field->name);
        strcat(strcat(inner.pointer, "/"), field->name);
        strcat(inner.open, field->kind == SN_KIND_LIST ? "\": [{" : "\": {");
        strcat(inner.pointer, field->kind == SN_KIND_LIST ? "/0" : "");
        strcpy(inner.close, field->kind == SN_KIND_LIST ? "}]" : "}");
        strcat(inner.close, at->close);
        check_shape(&inner, field->shape);
        if (field->kind == SN_KIND_LIST && is_only)
            assert_field_fails(at, field->name, "[]", SN_MESSAGE_MODIFIER_TYPE, "");
        break;
    case SN_KIND_NUMBERS:
        assert_field_fails(at, field->name, "[]", SN_MESSAGE_MODIFIER_TYPE, "");
        assert_field_fails(at, field->name, "[0, \"1\"]", SN_MESSAGE_MODIFIER_TYPE, "/1");
        assert_field_fails(at, field->name, "[0, 1e39]", SN_MESSAGE_MODIFIER_VALUE, "/1");
        break;
    case SN_KIND_BOOL:
        break;
    }
}

static void check_shape(const within *at, const sn_modifier_shape *shape) {
    assert_field_fails(at, "no such field", "0", SN_MESSAGE_MODIFIER_FIELD, "");
    for (uint32_t i = 0; i < shape->field_count; i++)
        check_field(at, shape, i);
}

static void test_every_field(void **state) {
    (void)state;
    for (uint32_t i = 0; i < sn_modifier_type_count; i++) {
        const sn_modifier_type *type = sn_modifier_types[i];
        within at = {"\"type\": \"", "", ""};
        strcat(strcat(at.open, type->name), "\", ");
        check_shape(&at, &type->shape);
        check_shape(&at, &sn_modifier_common_shape);
    }
}

/* What the readers of the tables take for granted. */
static void check_table(const sn_modifier_shape *shape) {
    for (uint32_t i = 0; i < shape->field_count; i++) {
        const sn_modifier_field *field = &shape->fields[i];
        assert_true(field->offset < shape->size && field->given < shape->size);
        assert_int_equal(field->kind == SN_KIND_WORD, field->words != NULL);
        assert_int_equal(field->kind == SN_KIND_OBJECT || field->kind == SN_KIND_LIST,
                         field->shape != NULL);
        if (field->shape)
            check_table(field->shape);
        bool can_have_keys = field->kind == SN_KIND_NUMBER || field->kind == SN_KIND_VECTOR ||
                             field->kind == SN_KIND_DIRECTION || field->kind == SN_KIND_ROTATION ||
                             field->kind == SN_KIND_TARGET || field->kind == SN_KIND_POLE;
        assert_true(can_have_keys || !field->keyed);
        if (field->kind == SN_KIND_NUMBER && !field->given && !field->required &&
            (field->least < 0 || field->most > 0))
            assert_true(field->fallback[0] >= field->least && field->fallback[0] <= field->most);
    }
}

static void test_tables(void **state) {
    (void)state;
    for (uint32_t i = 0; i < sn_modifier_type_count; i++) {
        check_table(&sn_modifier_types[i]->shape);
        for (uint32_t k = 0; k < i; k++)
            assert_string_not_equal(sn_modifier_types[i]->name, sn_modifier_types[k]->name);
    }
}

/* ---- Memory ---- */

static void test_no_memory(void **state) {
    (void)state;
    const char *text = FILE_OF(
        CHAIN ", \"name\": \"reach\", \"pole\": {\"node\": \"Base\"}, \"keys\": {\"target\": "
              "{\"times\": [0], \"values\": [[0, 0, 0]]}}");
    for (size_t n = 1;; n++) {
        test_allocator failing;
        test_allocator_init(&failing, n);
        sn_error error = {0};
        sn_modifier_stack *stack = test_rig_stack(text, &failing.allocator, &error);
        sn_modifier_state *made = NULL;
        if (stack)
            sn_modifier_state_create(stack, &failing.allocator, &made, &error);
        bool succeeded = made;
        sn_modifier_state_free(made);
        sn_modifier_stack_free(stack);
        assert_int_equal(failing.in_use, 0);
        if (succeeded)
            break;
        assert_int_equal(error.id, SN_MESSAGE_MEMORY);
        assert_string_equal(error.pointer, "");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_file),   cmocka_unit_test(test_texts),
        cmocka_unit_test(test_wrong),  cmocka_unit_test(test_every_field),
        cmocka_unit_test(test_tables), cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
