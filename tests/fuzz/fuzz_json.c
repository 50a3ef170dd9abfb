// seeds: .gltf
/* Any bytes: a tree that holds together, or an error with a place; numbers and strings survive
 * writing and reading again. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/json.h"

static void require(bool holds) {
    if (!holds)
        abort();
}

static void check_tree(const sn_json *json) {
    uint32_t ends[SN_JSON_MAX_DEPTH + 1];
    uint32_t depth = 0;
    for (uint32_t i = 0; i < json->node_count; i++) {
        const sn_json_node *node = &json->nodes[i];
        while (depth && i == ends[depth - 1])
            depth--;
        require(node->next > i && node->next <= json->node_count);
        require(depth == 0 || node->next <= ends[depth - 1]);
        require((size_t)node->offset + node->length <= json->length && node->length > 0);
        if (node->type != SN_JSON_ARRAY && node->type != SN_JSON_OBJECT) {
            require(node->next == i + 1);
            continue;
        }
        require(depth < SN_JSON_MAX_DEPTH);
        ends[depth++] = node->next;
        uint32_t children = 0;
        for (uint32_t child = i + 1; child < node->next; child = json->nodes[child].next)
            children++;
        require(children == node->count * (node->type == SN_JSON_OBJECT ? 2u : 1u));
    }
}

/* A member is found by its own name, and its pointer leads to it. */
static void check_members(const sn_json *json, sn_arena *arena) {
    for (uint32_t i = 0; i < json->node_count && i < 64; i++) {
        if (json->nodes[i].type != SN_JSON_OBJECT || json->nodes[i].count == 0)
            continue;
        uint32_t name = i + 1;
        size_t length;
        const char *string = sn_json_string(json, name, arena, &length);
        require(string != NULL);
        if (strlen(string) == length)
            require(sn_json_member(json, i, string) == name + 1);
    }
    char pointer[256];
    sn_json_pointer(json, json->node_count - 1, pointer, sizeof pointer);
    require(strlen(pointer) < sizeof pointer);
}

static void check_values(const sn_json *json, sn_arena *arena) {
    sn_text text;
    sn_text_init(&text, NULL);
    for (uint32_t i = 0; i < json->node_count; i++) {
        if (json->nodes[i].type != SN_JSON_NUMBER && json->nodes[i].type != SN_JSON_STRING)
            continue;
        text.length = 0;
        if (json->nodes[i].type == SN_JSON_NUMBER) {
            double value = sn_json_number(json, i);
            uint64_t integer;
            if (sn_json_unsigned(json, i, &integer))
                require((double)integer == value);
            if (!isfinite(value))
                continue;
            sn_text_append_double(&text, value);
            sn_json again;
            require(sn_json_parse(text.data, text.length, arena, &again, NULL) == SN_OK);
            double back = sn_json_number(&again, 0);
            require(memcmp(&back, &value, sizeof back) == 0);
        } else {
            size_t length, back_length;
            const char *string = sn_json_string(json, i, arena, &length);
            require(string != NULL);
            sn_text_append_string(&text, string, length);
            sn_json again;
            require(sn_json_parse(text.data, text.length, arena, &again, NULL) == SN_OK);
            const char *back = sn_json_string(&again, 0, arena, &back_length);
            require(back_length == length && memcmp(back, string, length) == 0);
        }
    }
    sn_text_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sn_budget budget;
    sn_budget_init(&budget, NULL, 64 * size + 65536);
    sn_arena arena, scratch;
    sn_arena_init(&arena, &budget.allocator);
    sn_arena_init(&scratch, NULL);
    sn_json json;
    sn_error error = {0};
    sn_result result = sn_json_parse((const char *)data, size, &arena, &json, &error);
    if (result == SN_OK) {
        check_tree(&json);
        if (size < 4096) {
            check_members(&json, &scratch);
            check_values(&json, &scratch);
        }
    } else {
        require(!budget.exceeded);
        require(error.line > 0 && error.column > 0 && error.text[0]);
    }
    sn_arena_free(&scratch);
    sn_arena_free(&arena);
    require(budget.used == 0);
    return 0;
}
