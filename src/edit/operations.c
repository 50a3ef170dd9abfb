#include "base/error.h"
#include "edit/operations.h"

#define B(field) SN_BIT(field)
#define TRACK (B(CLIP) | B(NODE) | B(PATH))
#define KEY_VALUE (B(INTERPOLATION) | B(IN_TANGENT) | B(OUT_TANGENT))

/* Elements of "keys". */
static const sn_object_shape key_named = {B(NODE) | B(PATH) | B(KEY), 0, NULL};
static const sn_object_shape key_pasted = {B(NODE) | B(PATH) | B(OFFSET) | B(VALUE), KEY_VALUE,
                                           NULL};

static sn_result run_batch(const sn_call *call);

/* name, required fields, optional fields, fields of each key in "keys", function */
const sn_operation sn_operations[] = {
    {"key.set", {TRACK | B(TIME) | B(VALUE), KEY_VALUE, NULL}, sn_run_key_set},
    {"key.remove", {TRACK | B(KEY), 0, NULL}, sn_run_key_remove},
    {"key.move", {TRACK | B(KEY) | B(TO), 0, NULL}, sn_run_key_move},
    {"keys.move", {B(CLIP) | B(KEYS) | B(BY), 0, &key_named}, sn_run_keys_move},
    {"keys.scale",
     {B(CLIP) | B(PIVOT) | B(FACTOR), B(KEYS) | B(TRACKS), &key_named},
     sn_run_keys_scale},
    {"keys.remove", {B(CLIP) | B(KEYS), 0, &key_named}, sn_run_keys_remove},
    {"keys.paste", {B(CLIP) | B(AT) | B(KEYS), 0, &key_pasted}, sn_run_keys_paste},
    {"pose.key", {B(CLIP) | B(TIME), B(NODES), NULL}, sn_run_pose_key},
    {"track.interpolation", {TRACK | B(INTERPOLATION), B(KEEP), NULL}, sn_run_track_interpolation},
    {"track.remove", {TRACK, 0, NULL}, sn_run_track_remove},
    {"clip.add", {B(NAME), 0, NULL}, sn_run_clip_add},
    {"clip.remove", {B(CLIP), 0, NULL}, sn_run_clip_remove},
    {"clip.rename", {B(CLIP) | B(NAME), 0, NULL}, sn_run_clip_rename},
    {"clip.copy", {B(CLIP) | B(NAME), 0, NULL}, sn_run_clip_copy},
    {"marker.set", {B(CLIP) | B(TIME) | B(NAME_OR_NULL), 0, NULL}, sn_run_marker_set},
    {"modifier.add", {B(NEW_MODIFIER), B(INDEX), NULL}, sn_run_modifier_add},
    {"modifier.set", {B(MODIFIER) | B(MODIFIER_FIELDS), 0, NULL}, sn_run_modifier_set},
    {"modifier.move", {B(MODIFIER) | B(TO_INDEX), 0, NULL}, sn_run_modifier_move},
    {"modifier.remove", {B(MODIFIER), 0, NULL}, sn_run_modifier_remove},
    {"batch", {B(COMMANDS), 0, NULL}, run_batch},
};
const uint32_t sn_operation_count = sizeof sn_operations / sizeof *sn_operations;

sn_json_place sn_call_place(const sn_call *call, const sn_arguments *arguments, sn_field field) {
    uint32_t value = sn_arguments_field(call->json, arguments, field);
    return sn_json_place_of(call->json, value == SN_NONE ? arguments->object : value);
}

static const char *operation_name(const void *owner, uint32_t i) {
    return ((const sn_operation *)owner)[i].name;
}

static sn_result find_operation(sn_draft *draft, const sn_json *json, uint32_t command,
                                const sn_operation **out) {
    uint32_t op = sn_json_member(json, command, "op");
    if (json->nodes[command].type != SN_JSON_OBJECT || op == SN_NONE) {
        char pointer[256];
        sn_format(pointer, sizeof pointer, "%s/op", sn_json_place_of(json, command).text);
        return sn_fail(draft->error, SN_MESSAGE_COMMAND_FIELD, pointer,
                       "a command is an object whose \"op\" names what to do");
    }
    for (uint32_t i = 0; i < sn_operation_count; i++)
        if (sn_json_equals(json, op, sn_operations[i].name)) {
            *out = &sn_operations[i];
            return SN_OK;
        }
    if (json->nodes[op].type != SN_JSON_STRING)
        return sn_fail(draft->error, SN_MESSAGE_COMMAND_TYPE, sn_json_place_of(json, op).text,
                       "this must be the name of an operation");
    const char *wanted = sn_json_string(json, op, draft->arena, NULL);
    if (!wanted)
        return sn_draft_no_memory(draft);
    sn_names names = {"operation", sn_operations, operation_name, sn_operation_count, false, NULL};
    char close[320];
    sn_names_suggest(&names, wanted, close, sizeof close);
    return sn_fail(draft->error, SN_MESSAGE_COMMAND_OPERATION, sn_json_place_of(json, op).text,
                   "there is no operation \"%s\"%s", wanted, close);
}

sn_result sn_run_command(sn_draft *draft, const sn_json *json, uint32_t command) {
    const sn_operation *operation = NULL;
    sn_result result = find_operation(draft, json, command, &operation);
    if (result != SN_OK)
        return result;
    sn_arguments arguments;
    sn_reader reader = {json, draft};
    result = sn_arguments_read(&reader, command, &operation->shape, true, &arguments);
    if (result != SN_OK)
        return result;
    return operation->run(&(sn_call){draft, json, &arguments});
}

/* Each command sees what the ones before it did. Scratch memory lasts for one of them, so that a
 * long batch needs no more than its longest command. */
static sn_result run_batch(const sn_call *call) {
    sn_draft *draft = call->draft;
    sn_arena *outer = draft->arena;
    uint32_t list = call->arguments->commands;
    uint32_t command = sn_json_first(call->json, list);
    sn_result result = SN_OK;
    for (uint32_t n = call->json->nodes[list].count; n > 0 && result == SN_OK; n--) {
        sn_arena scratch;
        sn_arena_init(&scratch, draft->allocator);
        draft->arena = &scratch;
        result = sn_run_command(draft, call->json, command);
        sn_arena_free(&scratch);
        command = call->json->nodes[command].next;
    }
    draft->arena = outer;
    return result;
}

sn_result sn_document_apply(sn_document *document, const char *command, size_t length,
                            sn_document **out, sn_error *error) {
    sn_arena arena;
    sn_arena_init(&arena, &document->allocator);
    sn_draft draft;
    sn_json json;
    sn_result result = sn_json_parse(command, length, &arena, &json, error);
    if (result == SN_OK) {
        result = sn_draft_begin(&draft, document, &arena, error);
        if (result == SN_OK)
            result = sn_run_command(&draft, &json, 0);
        result = sn_draft_end(&draft, result, out);
    }
    sn_arena_free(&arena);
    return result;
}
