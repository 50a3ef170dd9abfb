/* Commands: the table of operations against documentation and schema, and how each fails. What
 * each does is in test_commands_keys.c and test_commands_clips.c. */
#include "tests/unit/edit_check.h"

#include <stdio.h>

#include "edit/operations.h"
#include "tests/unit/allocators.h"
#include "tests/unit/text_file.h"

/* ---- docs/commands.md ---- */

/* The worked example of each operation: the JSON block of its section, made NUL-terminated. */
typedef struct documentation {
    char *text;
    const char *examples[64];
} documentation;

static documentation read_documentation(void) {
    documentation docs = {.text = test_source_text("docs/commands.md")};
    char *section = docs.text;
    assert_true(sn_operation_count <= 64);
    for (uint32_t i = 0; i < sn_operation_count; i++) {
        char heading[64];
        snprintf(heading, sizeof heading, "\n## `%s`\n", sn_operations[i].name);
        section = strstr(section, heading); /* after the one before: the order is the table's */
        if (!section)
            fail_msg("docs/commands.md has no section \"%s\" at its place", heading);
        section += strlen(heading);
        char *end = strstr(section, "\n## ");
        char *example = strstr(section, "```json\n");
        if (!example || (end && example > end))
            fail_msg("docs/commands.md: %s has no example", sn_operations[i].name);
        docs.examples[i] = example + strlen("```json\n");
        for (uint32_t f = 0; f < SN_FIELD_COUNT; f++) {
            if (!((sn_operations[i].shape.required | sn_operations[i].shape.optional) & (1u << f)))
                continue;
            char cell[64];
            snprintf(cell, sizeof cell, "`%s`", sn_fields[f].name);
            char *found = strstr(section, cell);
            if (!found || found > example)
                fail_msg("docs/commands.md: %s does not say what \"%s\" is", sn_operations[i].name,
                         sn_fields[f].name);
        }
        section = strstr(docs.examples[i], "```");
        assert_non_null(section);
        *section++ = '\0';
    }
    return docs;
}

/* Every example runs, and changes the document that the ones before it left. */
static void the_examples_run(void **state) {
    (void)state;
    documentation docs = read_documentation();
    sn_document *document = edit_open();
    for (uint32_t i = 0; i < sn_operation_count; i++) {
        sn_document *before = sn_document_retain(document);
        edit_do(&document, docs.examples[i]);
        if (document == before)
            fail_msg("the example of %s changes nothing", sn_operations[i].name);
        sn_document_release(before);
    }
    /* what the pages says of two of them */
    const sn_track *arm = edit_track(document, WALK, LEFT_ARM, SN_PATH_ROTATION);
    assert_int_equal(arm->key_count, 3);
    assert_true(arm->times[0] == 0 && arm->times[1] == 1 && arm->times[2] == 2);
    assert_non_null(edit_track(document, WAVE, HIPS, SN_PATH_ROTATION));
    assert_non_null(edit_track(document, WAVE, LEFT_ARM, SN_PATH_ROTATION));
    assert_null(edit_track(document, WAVE, BODY, SN_PATH_WEIGHTS));
    sn_document_release(document);
    free(docs.text);
}

/* ---- docs/commands.schema.json ---- */

/* The members of "properties" are exactly the fields of the shape, and "required" those required.
 */
static void check_schema_object(const sn_json *json, uint32_t schema, const sn_object_shape *shape,
                                bool has_op, const char *name) {
    uint32_t properties = sn_json_member(json, schema, "properties");
    uint32_t required = sn_json_member(json, schema, "required");
    uint32_t closed = sn_json_member(json, schema, "additionalProperties");
    if (properties == SN_NONE || required == SN_NONE || closed == SN_NONE ||
        json->nodes[closed].type != SN_JSON_FALSE)
        fail_msg("schema: %s has no closed list of properties", name);
    uint32_t expected = has_op ? 1 : 0;
    uint32_t expected_required = has_op ? 1 : 0;
    for (uint32_t f = 0; f < SN_FIELD_COUNT; f++) {
        bool needed = shape->required & (1u << f);
        if (!needed && !(shape->optional & (1u << f)))
            continue;
        expected++;
        expected_required += needed ? 1 : 0;
        if (sn_json_member(json, properties, sn_fields[f].name) == SN_NONE)
            fail_msg("schema: %s lacks \"%s\"", name, sn_fields[f].name);
        bool listed = false;
        uint32_t element = sn_json_first(json, required);
        for (uint32_t n = json->nodes[required].count; n > 0; n--) {
            listed = listed || sn_json_equals(json, element, sn_fields[f].name);
            element = json->nodes[element].next;
        }
        if (listed != needed)
            fail_msg("schema: %s: \"%s\" is%s required", name, sn_fields[f].name,
                     needed ? "" : " not");
    }
    if (json->nodes[properties].count != expected ||
        json->nodes[required].count != expected_required)
        fail_msg("schema: %s has %u properties, not %u", name, json->nodes[properties].count,
                 expected);
    if (shape->keys) {
        uint32_t keys = sn_json_member(json, properties, "keys");
        uint32_t reference = sn_json_member(json, sn_json_member(json, keys, "items"), "$ref");
        sn_arena arena;
        sn_arena_init(&arena, NULL);
        const char *target = sn_json_string(json, reference, &arena, NULL);
        assert_true(target && strncmp(target, "#/$defs/", 8) == 0);
        uint32_t item = sn_json_member(json, sn_json_member(json, 0, "$defs"), target + 8);
        assert_int_not_equal(item, SN_NONE);
        check_schema_object(json, item, shape->keys, false, target);
        sn_arena_free(&arena);
    }
}

static void the_schema_is_the_table(void **state) {
    (void)state;
    char *text = test_source_text("docs/commands.schema.json");
    sn_arena arena;
    sn_arena_init(&arena, NULL);
    sn_json json;
    assert_int_equal(sn_json_parse(text, strlen(text), &arena, &json, NULL), SN_OK);
    uint32_t definitions = sn_json_member(&json, 0, "$defs");
    uint32_t choices = sn_json_member(&json, 0, "oneOf");
    assert_int_equal(json.nodes[choices].count, sn_operation_count);
    for (uint32_t i = 0; i < sn_operation_count; i++) {
        const sn_operation *operation = &sn_operations[i];
        char reference[64];
        snprintf(reference, sizeof reference, "#/$defs/%s", operation->name);
        uint32_t choice = sn_json_member(&json, sn_json_element(&json, choices, i), "$ref");
        assert_true(sn_json_equals(&json, choice, reference));
        uint32_t schema = sn_json_member(&json, definitions, operation->name);
        uint32_t op = sn_json_member(&json, sn_json_member(&json, schema, "properties"), "op");
        assert_true(sn_json_equals(&json, sn_json_member(&json, op, "const"), operation->name));
        check_schema_object(&json, schema, &operation->shape, true, operation->name);
    }
    sn_arena_free(&arena);
    free(text);
}

/* ---- How commands fail ---- */

/* The text of an example with bytes `from` … `to` replaced. */
static char *splice(const char *text, size_t from, size_t to, const char *by) {
    size_t length = strlen(text);
    char *out = malloc(length + strlen(by) + 1);
    assert_non_null(out);
    sprintf(out, "%.*s%s%s", (int)from, text, by, text + to);
    return out;
}

/* Applies the examples up to `count`: the document on which the next one runs. */
static sn_document *document_before(const documentation *docs, uint32_t count) {
    sn_document *document = edit_open();
    for (uint32_t i = 0; i < count; i++)
        edit_do(&document, docs->examples[i]);
    return document;
}

/* Of every object in every example: each member left out, of another type, or misspelt. */
static void every_field_of_every_example_may_be_wrong(void **state) {
    (void)state;
    documentation docs = read_documentation();
    size_t spoilt = 0;
    for (uint32_t i = 0; i < sn_operation_count; i++) {
        sn_document *document = document_before(&docs, i);
        const char *example = docs.examples[i];
        sn_arena arena;
        sn_arena_init(&arena, NULL);
        sn_json json;
        assert_int_equal(sn_json_parse(example, strlen(example), &arena, &json, NULL), SN_OK);
        for (uint32_t object = 0; object < json.node_count; object++) {
            if (json.nodes[object].type != SN_JSON_OBJECT)
                continue;
            char above[256];
            sn_json_pointer(&json, object, above, sizeof above);
            if (strstr(above, "/modifier") || strstr(above, "/fields"))
                continue; /* see test_modifier.c */
            uint32_t name = sn_json_first(&json, object);
            for (uint32_t n = json.nodes[object].count; n > 0; n--) {
                uint32_t value = json.nodes[name].next;
                const char *field = sn_json_string(&json, name, &arena, NULL);
                size_t start = json.nodes[name].offset;
                size_t value_start = json.nodes[value].offset;
                size_t value_end = value_start + json.nodes[value].length;
                char pointer[300];
                snprintf(pointer, sizeof pointer, "%s/%s", above, field);

                char *wrong = splice(example, value_start, value_end, "true");
                edit_fail(document, wrong, "command.type", pointer);
                free(wrong);

                char misspelt_name[64];
                snprintf(misspelt_name, sizeof misspelt_name, "\"%sx\"", field);
                wrong = splice(example, start, start + json.nodes[name].length, misspelt_name);
                char misspelt_pointer[304];
                snprintf(misspelt_pointer, sizeof misspelt_pointer, "%sx", pointer);
                bool is_op = strcmp(field, "op") == 0;
                sn_error error =
                    edit_fail(document, wrong, "command.field", is_op ? pointer : misspelt_pointer);
                if (!is_op) { /* the right spelling is suggested */
                    char quoted[64];
                    snprintf(quoted, sizeof quoted, "\"%s\"", field);
                    assert_non_null(strstr(error.text, quoted));
                }
                free(wrong);

                /* left out, with the comma that goes with it */
                bool last = n == 1;
                size_t from = start;
                size_t to = value_end;
                if (last)
                    while (from > 0 && example[from] != ',' && example[from] != '{')
                        from--;
                else
                    to = json.nodes[json.nodes[value].next].offset;
                if (example[from] == '{')
                    from++;
                wrong = splice(example, from, to, "");
                uint32_t optional =
                    SN_BIT(INTERPOLATION) | SN_BIT(TRACKS) | SN_BIT(KEEP) | SN_BIT(INDEX);
                bool may_go = false;
                for (uint32_t f = 0; f < SN_FIELD_COUNT; f++)
                    may_go = may_go ||
                             ((optional & (1u << f)) && strcmp(sn_fields[f].name, field) == 0 &&
                              strcmp(sn_operations[i].name, "track.interpolation") != 0);
                if (strcmp(field, "keep") == 0)
                    may_go = true;
                if (!may_go)
                    edit_fail(document, wrong, "command.field", pointer);
                free(wrong);
                spoilt += 3;
                name = json.nodes[value].next;
            }
        }
        sn_arena_free(&arena);
        sn_document_release(document);
    }
    assert_true(spoilt > 250);
    free(docs.text);
}

static void every_truncation_fails(void **state) {
    (void)state;
    documentation docs = read_documentation();
    sn_document *document = edit_open();
    for (uint32_t i = 0; i < sn_operation_count; i++) {
        size_t length = strlen(docs.examples[i]);
        while (docs.examples[i][length - 1] == '\n')
            length--;
        for (size_t cut = 0; cut < length; cut++) {
            sn_document *next = NULL;
            char *copy = malloc(cut + 1); /* of this size, so that reading past it is seen */
            assert_non_null(copy);
            memcpy(copy, docs.examples[i], cut);
            sn_error error;
            assert_int_equal(sn_document_apply(document, copy, cut, &next, &error),
                             SN_ERROR_SYNTAX);
            assert_true(error.line > 0 && error.column > 0);
            assert_null(next);
            free(copy);
        }
    }
    sn_document_release(document);
    free(docs.text);
}

#define SET(target, rest) "{'op':'key.set','clip':'Walk'," target ",'path':'translation'," rest "}"
#define HIPS_AT "'node':'Hips'"
#define AT_0 "'time':0,'value':[0,0,0]"

static void commands_fail_in_words(void **state) {
    (void)state;
    sn_document *document = edit_open();
    static const struct {
        const char *command, *id, *pointer, *says;
    } cases[] = {
        {"[]", "command.field", "/op", "op"},
        {"{}", "command.field", "/op", "op"},
        {"{'op':'key.sett'}", "command.operation", "/op", "close: \"key.set\""},
        {"{'op':'zzzzzz'}", "command.operation", "/op", "there are 20: \"key.set\", "},
        {"{'op':7}", "command.type", "/op", "name"},
        {SET("'node':'LeftArn'", AT_0), "command.name", "/node", "close: \"LeftArm\" (2)"},
        {SET("'node':'rig:leftarm'", AT_0), "command.name", "/node", "\"LeftArm\" (2)"},
        {SET("'node':'Arm'", AT_0), "command.name", "/node",
         "close: \"LeftArm\" (2), \"RightArm\" (3)"},
        {SET("'node':'Left\\u0041rm\\u0000'", AT_0), "command.name", "/node", "LeftArm"},
        {SET("'node':''", AT_0), "command.name", "/node", "no node"},
        {SET("'node':9", AT_0), "command.name", "/node", "there are 9"},
        {SET("'node':-1", AT_0), "command.name", "/node", "there are 9"},
        {SET("'node':1.5", AT_0), "command.name", "/node", "index"},
        {SET("'node':'Twin'", AT_0), "command.ambiguous", "/node",
         "2 nodes have this name, give the index of one: \"Twin\" (4), \"Twin\" (5)"},
        {SET("'node':'Lamp'", AT_0), "command.target", "/node", "matrix"},
        {SET(HIPS_AT, "'time':-1,'value':[0,0,0]"), "command.value", "/time", "0 or more"},
        {SET(HIPS_AT, "'time':1e39,'value':[0,0,0]"), "command.value", "/time", "0 or more"},
        {SET(HIPS_AT, "'time':1e999,'value':[0,0,0]"), "command.value", "/time", "0 or more"},
        {SET(HIPS_AT, "'time':0,'value':[0,0]"), "command.value", "/value", "3 numbers"},
        {SET(HIPS_AT, "'time':0,'value':[0,0,1e39]"), "command.value", "/value/2", "32 bits"},
        {SET(HIPS_AT, "'time':0,'value':[0,null,0]"), "command.type", "/value/1", "number"},
        {SET(HIPS_AT, AT_0 ",'interpolation':'STEP'"), "command.target", "/interpolation",
         "track.interpolation"},
        {SET(HIPS_AT, AT_0 ",'outTangent':[0,0,0]"), "command.target", "/outTangent",
         "track.interpolation"},
        {SET("'node':'Root'", AT_0 ",'interpolation':'CUBICSPLINE','inTangent':[1]"),
         "command.value", "/inTangent", "3 numbers"},
        {"{'op':'key.set','clip':'Idle','node':0,'path':'scale','time':0,'value':"
         "[1,1,1]}",
         "command.ambiguous", "/clip", "\"Idle\" (2), \"Idle\" (3)"},
        {"{'op':'key.set','clip':0,'node':0,'path':'weights','time':0,'value':[1]}",
         "command.target", "/path", "morph targets"},
        {"{'op':'key.set','clip':0,'node':'Hips','path':'rotation','time':0,"
         "'value':[0,0,0,0]}",
         "command.value", "/value", "quaternion"},
        {"{'op':'key.remove','clip':0,'node':'Hips','path':'rotation','time':0.4}",
         "command.missing", "/time", "0.5"},
        {"{'op':'key.remove','clip':0,'node':'Hips','path':'scale','time':0.4}", "command.missing",
         "/path", "\"Hips\""},
        {"{'op':'key.move','clip':0,'node':'Hips','path':'rotation','time':0,"
         "'to':-0.1}",
         "command.value", "/to", "0 or more"},
        {"{'op':'keys.move','clip':0,'by':-0.6,'keys':[{'node':1,'path':'rotation',"
         "'time':0.5}]}",
         "command.value", "/by", "-0.1"},
        {"{'op':'keys.move','clip':0,'by':1e30,'keys':[{'node':1,'path':'rotation',"
         "'time':0.5},"
         "{'node':1,'path':'rotation','time':1}]}",
         "command.value", "/keys/1", "two keys"},
        {"{'op':'keys.scale','clip':0,'pivot':0,'factor':0}", "command.value", "/factor",
         "same time"},
        {"{'op':'keys.scale','clip':0,'pivot':0,'factor':-1}", "command.value", "/factor",
         "0 or more"},
        {"{'op':'keys.scale','clip':0,'pivot':0,'factor':1,'keys':[],'tracks':[]}", "command.field",
         "/tracks", "neither"},
        {"{'op':'keys.paste','clip':0,'at':0.5,'keys':[{'node':1,'path':"
         "\"translation\","
         "'time':0,'value':[0,0,0]},{'node':1,'path':'translation','time':-0.6,"
         "'value':[0,0,0]}]}",
         "command.value", "/keys/1/time", "0 or more"},
        {"{'op':'keys.paste','clip':0,'at':0,'keys':[{'node':0,'path':'scale',"
         "'time':0,"
         "'value':[0,0,0]},{'node':0,'path':'scale','time':1,'value':[0,0,0],"
         "'interpolation':'STEP'}]}",
         "command.target", "/keys/1/interpolation", "LINEAR"},
        {"{'op':'pose.key','clip':0,'time':0,'nodes':[1,'Hip']}", "command.name", "/nodes/1",
         "\"Hips\" (1)"},
        {"{'op':'pose.key','clip':0,'time':0,'nodes':['Lamp']}", "command.target", "", "matrix"},
        {"{'op':'track.interpolation','clip':0,'node':'Hips','path':'rotation',"
         "'interpolation':'CUBICSPLINE','keep':'motion'}",
         "command.target", "/keep", "\"keys\""},
        {"{'op':'track.remove','clip':0,'node':'Root','path':'rotation'}", "command.missing",
         "/path", "\"Root\""},
        {"{'op':'clip.add','name':''}", "command.value", "/name", "empty"},
        {"{'op':'clip.add','name':'a\\u0000b'}", "command.value", "/name", "NUL"},
        {"{'op':'clip.add','name':'Wave'}", "command.name", "/name", "clip 1"},
        {"{'op':'clip.copy','clip':0,'name':'Walk'}", "command.name", "/name", "clip 0"},
        {"{'op':'clip.rename','clip':0,'name':'Wave'}", "command.name", "/name", "clip 1"},
        {"{'op':'clip.remove','clip':'Wlak'}", "command.name", "/clip", "\"Walk\" (0)"},
        {"{'op':'marker.set','clip':0,'time':0.25,'name':null}", "command.missing", "/time",
         "0.25"},
        {"{'op':'batch','commands':[{'op':'clip.add','name':'A'},{'op':'clip."
         "add','name':'A'}]}",
         "command.name", "/commands/1/name", "clip 4"},
        {"{'op':'batch','commands':[1]}", "command.field", "/commands/0/op", "op"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sn_error error = edit_fail(document, cases[i].command, cases[i].id, cases[i].pointer);
        if (!strstr(error.text, cases[i].says))
            fail_msg("%s\n\"%s\" does not say %s", cases[i].command, error.text, cases[i].says);
    }
    sn_document_release(document);
}

/* Many candidates: as many as fit, and that there are more. */
static void a_long_list_of_candidates_is_cut_between_them(void **state) {
    (void)state;
    sn_node nodes[100];
    for (int i = 0; i < 100; i++)
        nodes[i] = edit_nodes[TWIN_A];
    sn_model model = edit_model;
    model.nodes = nodes;
    model.node_count = 100;
    sn_document *document = NULL;
    assert_int_equal(sn_document_create(&model, NULL, &document, NULL), SN_OK);
    sn_error error = edit_fail(document, SET("'node':'Twin'", AT_0), "command.ambiguous", "/node");
    assert_non_null(strstr(error.text, "100 nodes"));
    size_t length = strlen(error.text);
    assert_true(length < 400);
    assert_string_equal(error.text + length - 6, "), \xE2\x80\xA6");
    sn_document_release(document);
}

/* Memory in use while a command runs is bounded by the command and the document. */
static void a_long_command_needs_bounded_memory(void **state) {
    (void)state;
    sn_text command;
    sn_text_init(&command, NULL);
    sn_text_append(&command, "{'op':'batch','commands':[");
    for (int i = 0; i < 2000; i++)
        sn_text_append(&command, "{'op':'marker.set','clip':0,'time':0,'name':'a'},"
                                 "{'op':'marker.set','clip':0,'time':0,'name':null},");
    sn_text_append(&command, "{'op':'marker.set','clip':0,'time':0,'name':'b'}]}");
    sn_budget budget;
    sn_budget_init(&budget, NULL, 16 * command.length + 65536);
    sn_document *document = NULL;
    assert_int_equal(sn_document_create(&edit_model, &budget.allocator, &document, NULL), SN_OK);
    sn_document *next = NULL;
    assert_int_equal(edit_apply(document, command.data, &next, NULL), SN_OK);
    assert_int_equal(edit_clip(next, WALK)->marker_count, 2);
    sn_document_release(next);
    sn_document_release(document);
    assert_int_equal(budget.used, 0);
    sn_text_free(&command);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_examples_run),
        cmocka_unit_test(the_schema_is_the_table),
        cmocka_unit_test(every_field_of_every_example_may_be_wrong),
        cmocka_unit_test(every_truncation_fails),
        cmocka_unit_test(commands_fail_in_words),
        cmocka_unit_test(a_long_list_of_candidates_is_cut_between_them),
        cmocka_unit_test(a_long_command_needs_bounded_memory),
    };
    return cmocka_run_group_tests_name("commands", tests, NULL, NULL);
}
