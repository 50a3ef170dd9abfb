#include <string.h>

#include "session.h"

#include "anim/clip.h"
#include "base/error.h"
#include "sinew/check.h"

/* ---- Text ---- */

static void begin(session *s) {
    s->text.length = 0;
}

static sn_result end(session *s) {
    if (!s->text.failed)
        return SN_OK;
    sn_text_free(&s->text);
    sn_text_init(&s->text, &s->budget.allocator);
    return sn_fail(&s->error, SN_MESSAGE_MEMORY, NULL, "there is not enough memory");
}

static void put(session *s, const char *text) {
    sn_text_append(&s->text, text);
}

static void put_string(session *s, const char *string) {
    sn_text_append_string(&s->text, string, strlen(string));
}

static void put_index(session *s, uint32_t index) {
    if (index == SN_NONE)
        put(s, "null");
    else
        sn_text_append_unsigned(&s->text, index);
}

static void put_floats(session *s, const float *values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        put(s, i ? "," : "[");
        sn_text_append_float(&s->text, values[i]);
    }
    put(s, "]");
}

static void put_comma(session *s, size_t i) {
    if (i)
        put(s, ",");
}

static void put_finding(session *s, const sn_finding *finding) {
    static const char *const severities[] = {"error", "warning", "info"};
    put(s, "{\"id\":");
    put_string(s, finding->id);
    put(s, ",\"severity\":");
    put_string(s, severities[finding->severity]);
    put(s, ",\"pointer\":");
    put_string(s, finding->pointer);
    put(s, ",\"message\":");
    put_string(s, finding->message);
    put(s, ",\"fix\":");
    if (finding->fix)
        put_string(s, finding->fix);
    else
        put(s, "null");
    put(s, "}");
}

/* ---- The model ---- */

static void put_node(session *s, const sn_node *node) {
    put(s, "{\"name\":");
    put_string(s, node->name);
    put(s, ",\"parent\":");
    put_index(s, node->parent);
    put(s, ",\"mesh\":");
    put_index(s, node->mesh);
    put(s, ",\"skin\":");
    put_index(s, node->skin);
    put(s, ",\"camera\":");
    put_index(s, node->camera);
    put(s, node->has_matrix ? ",\"hasMatrix\":true" : ",\"hasMatrix\":false");
    put(s, ",\"rest\":{\"translation\":");
    put_floats(s, node->rest.translation, 3);
    put(s, ",\"rotation\":");
    put_floats(s, node->rest.rotation, 4);
    put(s, ",\"scale\":");
    put_floats(s, node->rest.scale, 3);
    put(s, "},\"weightCount\":");
    sn_text_append_unsigned(&s->text, node->weight_count);
    put(s, "}");
}

static void put_skin(session *s, const sn_skin *skin) {
    put(s, "{\"name\":");
    put_string(s, skin->name);
    put(s, ",\"joints\":[");
    for (uint32_t i = 0; i < skin->joint_count; i++) {
        put_comma(s, i);
        sn_text_append_unsigned(&s->text, skin->joints[i]);
    }
    put(s, "]}");
}

static void put_mesh(session *s, const sn_mesh *mesh) {
    put(s, "{\"name\":");
    put_string(s, mesh->name);
    put(s, ",\"primitives\":");
    sn_text_append_unsigned(&s->text, mesh->primitive_count);
    put(s, ",\"targets\":");
    sn_text_append_unsigned(&s->text, mesh->target_count);
    put(s, "}");
}

sn_result describe_model(session *s) {
    const sn_model *model = sn_gltf_model(s->gltf);
    float size;
    sn_result result = sn_prepared_model_size(s->prepared, &s->budget.allocator, &size, &s->error);
    if (result)
        return result;
    begin(s);
    put(s, "{\"generator\":");
    put_string(s, model->generator);
    put(s, ",\"size\":");
    sn_text_append_float(&s->text, size);
    put(s, ",\"nodes\":[");
    for (uint32_t i = 0; i < model->node_count; i++) {
        put_comma(s, i);
        put_node(s, &model->nodes[i]);
    }
    put(s, "],\"skins\":[");
    for (uint32_t i = 0; i < model->skin_count; i++) {
        put_comma(s, i);
        put_skin(s, &model->skins[i]);
    }
    put(s, "],\"meshes\":[");
    for (uint32_t i = 0; i < model->mesh_count; i++) {
        put_comma(s, i);
        put_mesh(s, &model->meshes[i]);
    }
    put(s, "],\"warnings\":[");
    const sn_warning *warnings;
    size_t count = sn_gltf_warnings(s->gltf, &warnings);
    for (size_t i = 0; i < count; i++) {
        put_comma(s, i);
        sn_finding finding = {sn_message_name(warnings[i].id), SN_SEVERITY_WARNING,
                              warnings[i].pointer, warnings[i].text, NULL};
        put_finding(s, &finding);
    }
    const sn_error *unusable = sn_document_modifier_error(sn_history_document(s->history));
    if (unusable) {
        put_comma(s, count > 0);
        sn_finding finding = {sn_message_name(unusable->id), SN_SEVERITY_WARNING, unusable->pointer,
                              unusable->text, NULL};
        put_finding(s, &finding);
    }
    put(s, "]}");
    return end(s);
}

/* ---- Clips ---- */

static bool same_clip(const sn_clip *a, const sn_clip *b) {
    return a->track_count == b->track_count && a->duration == b->duration &&
           strcmp(a->name, b->name) == 0 && sn_clip_same_markers(a, b) &&
           (a->tracks == b->tracks || a->track_count == 0 ||
            memcmp(a->tracks, b->tracks, a->track_count * sizeof(const sn_track *)) == 0);
}

static void put_track(session *s, const sn_track *track) {
    put(s, "[");
    sn_text_append_unsigned(&s->text, track->node);
    put(s, ",");
    sn_text_append_unsigned(&s->text, (unsigned)track->path);
    put(s, ",");
    sn_text_append_unsigned(&s->text, (unsigned)track->interpolation);
    put(s, ",");
    sn_text_append_unsigned(&s->text, track->width);
    put(s, ",");
    sn_text_append_unsigned(&s->text, track->key_count);
    put(s, ",");
    sn_text_append_unsigned(&s->text, (uintptr_t)track->times);
    put(s, "]");
}

static uint32_t find_track(const sn_clip *clip, const sn_track *track, uint32_t guess) {
    if (guess < clip->track_count && clip->tracks[guess] == track)
        return guess;
    for (uint32_t i = 0; i < clip->track_count; i++)
        if (clip->tracks[i] == track)
            return i;
    return SN_NONE;
}

static void put_clip(session *s, const sn_clip *clip, uint32_t from, const sn_clip *old) {
    put(s, "{\"name\":");
    put_string(s, clip->name);
    put(s, ",\"duration\":");
    sn_text_append_float(&s->text, clip->duration);
    put(s, ",\"from\":");
    put_index(s, from);
    put(s, ",\"tracks\":[");
    for (uint32_t i = 0; i < clip->track_count; i++) {
        put_comma(s, i);
        uint32_t known = old ? find_track(old, clip->tracks[i], i) : SN_NONE;
        if (known == SN_NONE)
            put_track(s, clip->tracks[i]);
        else
            sn_text_append_unsigned(&s->text, known);
    }
    put(s, "],\"markers\":[");
    for (uint32_t i = 0; i < clip->marker_count; i++) {
        put_comma(s, i);
        put(s, "{\"time\":");
        sn_text_append_float(&s->text, clip->markers[i].time);
        put(s, ",\"name\":");
        put_string(s, clip->markers[i].name);
        put(s, "}");
    }
    put(s, "]}");
}

/* One element a clip: the index of the same clip in the last description, or an object whose
 * `tracks` are indices of the tracks of its clip `from` in the last description, or
 * [node, path, interpolation, width, key count, address of the times]. The last described
 * document is retained, so that equal addresses mean equal tracks. */
sn_result describe_clips(session *s) {
    sn_document *document = sn_history_document(s->history);
    const sn_clip *clips, *old_clips = NULL;
    uint32_t count = (uint32_t)sn_document_clips(document, &clips);
    uint32_t old_count = s->described ? (uint32_t)sn_document_clips(s->described, &old_clips) : 0;
    begin(s);
    put(s, "[");
    for (uint32_t i = 0; i < count; i++) {
        put_comma(s, i);
        uint32_t same = i;
        if (same >= old_count || !same_clip(&clips[i], &old_clips[same]))
            for (same = 0; same < old_count; same++)
                if (same_clip(&clips[i], &old_clips[same]))
                    break;
        if (same < old_count)
            sn_text_append_unsigned(&s->text, same);
        else if (i < old_count)
            put_clip(s, &clips[i], i, &old_clips[i]);
        else
            put_clip(s, &clips[i], SN_NONE, NULL);
    }
    put(s, "]");
    sn_result result = end(s);
    if (result)
        return result;
    sn_document_release(s->described);
    s->described = sn_document_retain(document);
    return SN_OK;
}

/* ---- Commands, findings, resources ---- */

sn_result describe_commands(session *s) {
    begin(s);
    put(s, "[");
    size_t count = sn_history_command_count(s->history);
    for (size_t i = 0; i < count; i++) {
        put_comma(s, i);
        size_t length;
        const char *command = sn_history_command(s->history, i, &length);
        sn_text_append_bytes(&s->text, command, length);
    }
    put(s, "]");
    return end(s);
}

sn_result describe_findings(session *s) {
    sn_arena arena = {0};
    sn_arena_init(&arena, &s->budget.allocator);
    sn_findings findings = {0};
    sn_result result = sn_check_model(sn_gltf_model(s->gltf), &arena, &findings, &s->error);
    if (!result) {
        begin(s);
        put(s, "[");
        for (size_t i = 0; i < findings.count; i++) {
            put_comma(s, i);
            put_finding(s, &findings.items[i]);
        }
        put(s, "]");
        result = end(s);
    }
    sn_arena_free(&arena);
    return result;
}

static void put_error(session *s, const sn_error *error) {
    if (!error || !error->id) {
        put(s, "null");
        return;
    }
    put(s, "{\"id\":");
    put_string(s, sn_message_name(error->id));
    put(s, ",\"pointer\":");
    put_string(s, error->pointer);
    put(s, ",\"message\":");
    put_string(s, error->text);
    put(s, "}");
}

static void put_report(session *s, const sn_modifier_report *report) {
    put(s, ",\"report\":{\"weight\":");
    sn_text_append_float(&s->text, report->weight);
    put(s, report->is_reached ? ",\"reached\":true" : ",\"reached\":false");
    put(s, ",\"flags\":[");
    bool any = false;
    for (uint32_t bit = 0; report->flag_names[bit]; bit++) {
        if (!(report->flags >> bit & 1))
            continue;
        put_comma(s, any);
        put_string(s, report->flag_names[bit]);
        any = true;
    }
    put(s, "],\"residual\":");
    sn_text_append_float(&s->text, report->residual);
    put(s, ",\"unit\":");
    put_string(s, report->residual_unit);
    put(s, "}");
}

/* The modifiers of the document now, and what each reported where that is who was evaluated. */
sn_result describe_modifiers(session *s) {
    const sn_document *document = sn_history_document(s->history);
    const sn_modifier_stack *stack = sn_document_modifiers(document);
    const sn_error *unusable = sn_document_modifier_error(document);
    bool is_evaluated = s->modified && sn_document_modifiers(s->modified) == stack &&
                        s->modifier_state && !s->modifier_error.id;
    begin(s);
    put(s, "{\"error\":");
    put_error(s, unusable ? unusable : &s->modifier_error);
    put(s, ",\"modifiers\":[");
    for (uint32_t i = 0; i < sn_modifier_stack_count(stack); i++) {
        sn_modifier_text text = sn_modifier_stack_text(stack, i);
        put_comma(s, i);
        put(s, "{\"source\":");
        sn_text_append_bytes(&s->text, text.text, text.length);
        if (is_evaluated)
            put_report(s, &s->reports[i]);
        put(s, "}");
    }
    put(s, "]}");
    return end(s);
}

/* One element a view: [buffer view, count, stride, mode, address, size]. */
sn_result describe_views(session *s) {
    begin(s);
    put(s, "[");
    bool first = true;
    uint32_t count = (uint32_t)sn_gltf_view_count(s->layout);
    for (uint32_t i = 0; i < count; i++) {
        if (!sn_gltf_view_is_compressed(s->layout, i))
            continue;
        sn_compressed_view view;
        /* What is wrong with a view is told by the reader, if anything uses it. */
        if (sn_gltf_compressed_view(s->layout, i, &view, NULL) || !view.source)
            continue;
        const uint64_t numbers[] = {i,
                                    view.count,
                                    view.stride,
                                    (uint64_t)view.mode,
                                    (uintptr_t)view.source,
                                    view.source_size};
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
            put(s, k ? "," : first ? "[" : ",[");
            sn_text_append_unsigned(&s->text, numbers[k]);
        }
        put(s, "]");
        first = false;
    }
    put(s, "]");
    return end(s);
}

sn_result describe_resources(session *s) {
    sn_arena arena = {0};
    sn_arena_init(&arena, &s->budget.allocator);
    const char **paths = NULL;
    size_t count = 0;
    sn_result result = sn_gltf_list_resources(s->bytes, s->size, &arena, &paths, &count, &s->error);
    if (!result) {
        begin(s);
        put(s, "[");
        for (size_t i = 0; i < count; i++) {
            put_comma(s, i);
            put_string(s, paths[i]);
        }
        put(s, "]");
        result = end(s);
    }
    sn_arena_free(&arena);
    return result;
}
