#include <stdio.h>
#include <stdlib.h>

#include "file.h"
#include "report.h"
#include "rig.h"
#include "sinew/vrm.h"

static sn_result compile(const char *text, size_t size, const sn_gltf *gltf,
                         sn_modifier_stack **out, sn_error *error) {
    sn_arena arena;
    sn_arena_init(&arena, NULL);
    sn_vrm_humanoid human;
    sn_modifier_stack_desc desc = {.model = sn_gltf_model(gltf), .humanoid = &human.bones};
    sn_modifier_text *texts = NULL;
    sn_result result =
        sn_modifier_texts_read(text, size, &arena, &texts, &desc.modifier_count, error);
    desc.modifiers = texts;
    if (!result)
        result = sn_vrm_find_humanoid(gltf, &arena, &human, error);
    if (!result)
        result = sn_modifier_stack_create(&desc, NULL, out, error);
    sn_arena_free(&arena);
    return result;
}

int cli_rig_open(const char *path, const sn_gltf *gltf, sn_modifier_stack **out) {
    size_t size;
    const char *reason;
    char *text = cli_read_file(path, &size, &reason);
    if (!text)
        return cli_fail(cli_file_name(path), "cannot be read: %s", reason);
    sn_error error;
    sn_result result = compile(text, size, gltf, out, &error);
    free(text);
    return result ? cli_fail_error(cli_file_name(path), &error) : CLI_DONE;
}

int cli_open_document(const char *path, const sn_gltf *gltf, sn_document **out) {
    sn_error error;
    if (sn_document_open(gltf, NULL, out, &error))
        return cli_fail_error(cli_file_name(path), &error);
    const sn_error *broken = sn_document_modifier_error(*out);
    if (broken)
        cli_warn(cli_file_name(path),
                 "its modifiers cannot be used, and stay as they are: %s (%s, %s)", broken->text,
                 sn_message_name(broken->id), broken->pointer);
    return CLI_DONE;
}

void cli_rig_write(cli_writer *w, const sn_modifier_stack *stack, const sn_modifier_report *reports,
                   uint32_t count) {
    cli_begin_array(w);
    for (uint32_t i = 0; i < count; i++) {
        const sn_modifier_report *report = &reports[i];
        const char *name = sn_modifier_stack_name(stack, i);
        cli_begin_object(w);
        cli_key(w, "type");
        cli_string(w, report->type);
        cli_key(w, "name");
        cli_string(w, *name ? name : NULL);
        cli_key(w, "weight");
        cli_float(w, report->weight);
        cli_key(w, "reached");
        cli_bool(w, report->is_reached);
        cli_key(w, "flags");
        cli_begin_array(w);
        for (uint32_t bit = 0; report->flag_names[bit]; bit++)
            if (report->flags >> bit & 1)
                cli_string(w, report->flag_names[bit]);
        cli_end_array(w);
        cli_key(w, "residual");
        cli_float(w, report->residual);
        cli_end_object(w);
    }
    cli_end_array(w);
}

void cli_rig_print(const sn_modifier_stack *stack, const sn_modifier_report *reports,
                   uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const sn_modifier_report *report = &reports[i];
        const char *name = sn_modifier_stack_name(stack, i);
        char quoted[CLI_QUOTED];
        printf("modifier %u, %s%s%s: ", i, report->type, *name ? " " : "",
               *name ? cli_quote(name, quoted) : "");
        if (!report->is_applied) {
            printf("off\n");
            continue;
        }
        printf(report->is_reached ? "reached, off by %.3g %s" : "missed by %.3g %s",
               (double)report->residual, report->residual_unit);
        for (uint32_t bit = 0; report->flag_names[bit]; bit++)
            if (report->flags >> bit & 1)
                printf(", %s", report->flag_names[bit]);
        printf("\n");
    }
}
