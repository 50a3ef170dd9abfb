/* modifier.*: what they do to the list, how they fail, and modifiers that cannot be used. */
#include "tests/unit/edit_check.h"

#include <stdio.h>

#include "tests/unit/allocators.h"

#define CHAIN "'root':'Root','mid':'Hips','end':'LeftArm'"
#define REACH(name)                                                                                \
    "{'type':'two_bone','name':'" name "'," CHAIN ",'target':{'position':[0,1,0.5]}}"
#define ADD(name, rest) "{'op':'modifier.add','modifier':" REACH(name) rest "}"

/* The names of the document's modifiers, in order, each with a space behind it. */
static void assert_names(const sn_document *document, const char *expected) {
    const sn_modifier_stack *stack = sn_document_modifiers(document);
    char names[256] = "";
    for (uint32_t i = 0; i < sn_modifier_stack_count(stack); i++)
        strcat(strcat(names, sn_modifier_stack_name(stack, i)), " ");
    assert_string_equal(names, expected);
}

static void assert_text(const sn_document *document, uint32_t modifier, const char *expected) {
    sn_modifier_text text = sn_modifier_stack_text(sn_document_modifiers(document), modifier);
    char *quoted = edit_quote(expected);
    if (text.length != strlen(quoted) || memcmp(text.text, quoted, text.length) != 0)
        fail_msg("%.*s is not %s", (int)text.length, text.text, quoted);
    free(quoted);
}

static void test_add_and_remove(void **state) {
    (void)state;
    sn_document *document = edit_open();
    assert_names(document, "reach ");
    edit_do(&document, ADD("b", ""));
    edit_do(&document, ADD("a", ",'index':0"));
    edit_do(&document, ADD("c", ",'index':3"));
    assert_names(document, "a reach b c ");
    edit_do(&document, "{'op':'modifier.remove','modifier':'reach'}");
    edit_do(&document, "{'op':'modifier.remove','modifier':2}");
    assert_names(document, "a b ");
    sn_document_release(document);
}

static void test_move(void **state) {
    (void)state;
    sn_document *document = edit_open();
    edit_do(&document, ADD("b", ""));
    edit_do(&document, ADD("c", ""));
    edit_do(&document, "{'op':'modifier.move','modifier':'reach','to':2}");
    assert_names(document, "b c reach ");
    edit_do(&document, "{'op':'modifier.move','modifier':2,'to':1}");
    assert_names(document, "b reach c ");
    edit_do_nothing(document, "{'op':'modifier.move','modifier':'reach','to':1}");
    sn_document_release(document);
}

static void test_set(void **state) {
    (void)state;
    sn_document *document = edit_open();
    edit_do(&document, "{'op':'modifier.set','modifier':'reach','fields':{'weight':0.50}}");
    assert_text(document, 0,
                "{'type':'two_bone','name':'reach'," CHAIN
                ",'target':{'position':[0,1,0.5]},'weight':0.50}");
    edit_do_nothing(document,
                    "{'op':'modifier.set','modifier':0,'fields':{'weight':0.50,'pole':null}}");
    edit_do(&document, "{'op':'modifier.set','modifier':0,'fields':{'target':{'node':'Body'},"
                       "'name':null,'\\u0077eight':1}}");
    assert_text(document, 0, "{'type':'two_bone'," CHAIN ",'target':{'node':'Body'},'weight':1}");
    assert_names(document, " ");
    sn_document_release(document);
}

static void test_failures(void **state) {
    (void)state;
    sn_document *document = edit_open();
    static const struct {
        const char *command, *id, *pointer;
    } cases[] = {
        {"{'op':'modifier.add','modifier':{'type':'two_bnoe'}}", "modifier.unknown",
         "/modifier/type"},
        {"{'op':'modifier.add','modifier':{'type':'two_bone'}}", "modifier.field",
         "/modifier/root"},
        {"{'op':'modifier.add','modifier':" REACH("x") ",'index':2}", "command.value", "/index"},
        {"{'op':'modifier.add','modifier':" REACH("x") ",'index':-1}", "command.value", "/index"},
        {"{'op':'modifier.add','modifier':" REACH("x") ",'index':'first'}", "command.type",
         "/index"},
        {"{'op':'modifier.set','modifier':'reahc','fields':{}}", "command.name", "/modifier"},
        {"{'op':'modifier.set','modifier':1,'fields':{}}", "command.name", "/modifier"},
        {"{'op':'modifier.set','modifier':0,'fields':{'weight':2}}", "modifier.value",
         "/fields/weight"},
        {"{'op':'modifier.set','modifier':0,'fields':{'target':{'node':'Twin'}}}",
         "modifier.ambiguous", "/fields/target/node"},
        {"{'op':'modifier.set','modifier':0,'fields':{'target':null}}", "modifier.field",
         "/fields/target"},
        /* "mid" no longer lies between: that field is not the command's */
        {"{'op':'modifier.set','modifier':0,'fields':{'root':'Hips'}}", "chain.joints", "/fields"},
        {"{'op':'modifier.set','modifier':0,'fields':{'a/b~':1}}", "modifier.field",
         "/fields/a~1b~0"},
        {"{'op':'modifier.move','modifier':0,'to':1}", "command.value", "/to"},
        {"{'op':'batch','commands':[{'op':'modifier.set','modifier':0,'fields':{'soften':0}}]}",
         "modifier.value", "/commands/0/fields/soften"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        edit_fail(document, cases[i].command, cases[i].id, cases[i].pointer);
    edit_do(&document, ADD("reach", ""));
    edit_fail(document, "{'op':'modifier.remove','modifier':'reach'}", "command.ambiguous",
              "/modifier");
    sn_document_release(document);
}

/* Undo is choosing an older value: the very same block. */
static void test_history(void **state) {
    (void)state;
    sn_document *document = edit_open();
    sn_history *history = NULL;
    assert_int_equal(sn_history_create(document, NULL, NULL, &history, NULL), SN_OK);
    size_t before = sn_history_bytes(history);
    char *command = edit_quote(ADD("b", ""));
    assert_int_equal(sn_history_apply(history, command, strlen(command), NULL), SN_OK);
    assert_names(sn_history_document(history), "reach b ");
    assert_true(sn_history_bytes(history) > before);
    assert_true(sn_history_undo(history));
    assert_ptr_equal(sn_document_modifiers(sn_history_document(history)),
                     sn_document_modifiers(document));
    assert_true(sn_history_redo(history));
    assert_names(sn_history_document(history), "reach b ");
    free(command);
    sn_history_free(history);
    sn_document_release(document);
}

/* A list that cannot be used: the document says why, and commands on modifiers fail with it. */
static void test_unusable(void **state) {
    (void)state;
    static const struct {
        const char *text, *id, *pointer;
    } cases[] = {
        {"[]", "modifier.type", "/extensions/SINEW_modifiers"},
        {"{\"modifiers\":[{\"type\":\"later\"}]}", "modifier.unknown",
         "/extensions/SINEW_modifiers/modifiers/0/type"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sn_model model = edit_model;
        model.modifiers = cases[i].text;
        model.modifiers_length = strlen(cases[i].text);
        sn_document *document = NULL;
        assert_int_equal(sn_document_create(&model, NULL, &document, NULL), SN_OK);
        const sn_error *why = sn_document_modifier_error(document);
        assert_non_null(why);
        assert_string_equal(sn_message_name(why->id), cases[i].id);
        assert_string_equal(why->pointer, cases[i].pointer);
        assert_int_equal(sn_modifier_stack_count(sn_document_modifiers(document)), 0);
        edit_fail(document, ADD("x", ""), cases[i].id, cases[i].pointer);
        edit_fail(document, "{'op':'modifier.remove','modifier':0}", cases[i].id, cases[i].pointer);
        edit_do(&document, "{'op':'clip.rename','clip':0,'name':'Stroll'}");
        assert_non_null(sn_document_modifier_error(document));
        sn_document_release(document);
    }
    sn_document *document = edit_open();
    assert_null(sn_document_modifier_error(document));
    sn_document_release(document);
}

static void test_no_memory(void **state) {
    (void)state;
    static const char *const commands[] = {
        ADD("b", ""), "{'op':'modifier.set','modifier':0,'fields':{'weight':0.5}}",
        "{'op':'modifier.remove','modifier':'reach'}"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char *command = edit_quote(commands[i]);
        for (size_t n = 1;; n++) {
            test_allocator failing;
            test_allocator_init(&failing, 0);
            sn_document *document = NULL, *next = NULL;
            assert_int_equal(sn_document_create(&edit_model, &failing.allocator, &document, NULL),
                             SN_OK);
            failing.fail_at = failing.calls + n;
            sn_error error = {0};
            sn_result result = sn_document_apply(document, command, strlen(command), &next, &error);
            sn_document_release(next);
            sn_document_release(document);
            assert_int_equal(failing.in_use, 0);
            if (result == SN_OK)
                break;
            assert_int_equal(error.id, SN_MESSAGE_MEMORY);
        }
        free(command);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_add_and_remove),
        cmocka_unit_test(test_move),
        cmocka_unit_test(test_set),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_history),
        cmocka_unit_test(test_unusable),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
