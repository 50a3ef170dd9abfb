/* sinew info: what is inside a file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "keys.h"
#include "open.h"
#include "options.h"
#include "report.h"
#include "sinew/vrm.h"
#include "verbs.h"
#include "writer.h"

static const char *const path_names[] = {"translation", "rotation", "scale", "weights"};
static const char *const interpolation_names[] = {"STEP", "LINEAR", "CUBICSPLINE"};

/* A file and what of its JSON the report takes. */
typedef struct report {
    const char *file;
    const sn_gltf *gltf;
    const sn_model *model;
    const sn_json *json;
    uint8_t *is_joint; /* for each node */
    bool with_keys;
    uint32_t clip, node; /* only the keys of these; SN_NONE: all */
    sn_vrm_humanoid humanoid;
    sn_arena arena;
} report;

static uint32_t member(const report *r, uint32_t object, const char *name) {
    return sn_json_member(r->json, object, name);
}

static const char *string_of(report *r, uint32_t value) {
    if (value == SN_NONE || r->json->nodes[value].type != SN_JSON_STRING)
        return NULL;
    return sn_json_string(r->json, value, &r->arena, NULL);
}

static bool is_wanted(const report *r, uint32_t clip, const sn_track *track) {
    return (r->clip == SN_NONE || r->clip == clip) &&
           (r->node == SN_NONE || r->node == track->node);
}

/* The list of the extension SINEW_modifiers, as the file spells it. */
static uint32_t first_modifier(const report *r, uint32_t *end) {
    uint32_t extension = member(r, member(r, 0, "extensions"), "SINEW_modifiers");
    uint32_t list = member(r, extension, "modifiers");
    if (list == SN_NONE || r->json->nodes[list].type != SN_JSON_ARRAY)
        return *end = SN_NONE;
    *end = r->json->nodes[list].next;
    return sn_json_first(r->json, list);
}

static void mark_joints(report *r) {
    for (uint32_t s = 0; s < r->model->skin_count; s++)
        for (uint32_t j = 0; j < r->model->skins[s].joint_count; j++)
            r->is_joint[r->model->skins[s].joints[j]] = 1;
}

/* ---- Clips ---- */

typedef struct clip_totals {
    uint64_t keys;
    uint32_t tracks[3]; /* by interpolation */
} clip_totals;

static clip_totals add_up(const sn_clip *clip) {
    clip_totals totals = {0};
    for (uint32_t i = 0; i < clip->track_count; i++) {
        totals.keys += clip->tracks[i]->key_count;
        totals.tracks[clip->tracks[i]->interpolation]++;
    }
    return totals;
}

static uint64_t vertex_count(const sn_mesh *mesh) {
    uint64_t count = 0;
    for (uint32_t p = 0; p < mesh->primitive_count; p++)
        count += mesh->primitives[p].geometry.vertex_count;
    return count;
}

/* ---- JSON ---- */

static void write_strings(cli_writer *w, report *r, const char *name) {
    cli_key(w, name);
    cli_begin_array(w);
    uint32_t array = member(r, 0, name);
    for (uint32_t at = sn_json_first(r->json, array);
         at != SN_NONE && at < r->json->nodes[array].next; at = r->json->nodes[at].next)
        cli_string(w, string_of(r, at));
    cli_end_array(w);
}

static void write_nodes(cli_writer *w, const report *r) {
    cli_key(w, "nodes");
    cli_begin_array(w);
    for (uint32_t i = 0; i < r->model->node_count; i++) {
        const sn_node *node = &r->model->nodes[i];
        cli_begin_object(w);
        cli_key(w, "index");
        cli_unsigned(w, i);
        cli_key(w, "name");
        cli_string(w, node->name);
        cli_key(w, "parent");
        cli_index(w, node->parent);
        cli_key(w, "mesh");
        cli_index(w, node->mesh);
        cli_key(w, "skin");
        cli_index(w, node->skin);
        cli_key(w, "joint");
        cli_bool(w, r->is_joint[i]);
        cli_end_object(w);
    }
    cli_end_array(w);
}

static void write_skins(cli_writer *w, const report *r) {
    cli_key(w, "skins");
    cli_begin_array(w);
    for (uint32_t i = 0; i < r->model->skin_count; i++) {
        const sn_skin *skin = &r->model->skins[i];
        cli_begin_object(w);
        cli_key(w, "index");
        cli_unsigned(w, i);
        cli_key(w, "name");
        cli_string(w, skin->name);
        cli_key(w, "joints");
        cli_begin_array(w);
        w->depth++;
        for (uint32_t j = 0; j < skin->joint_count; j++)
            cli_unsigned(w, skin->joints[j]);
        w->depth--;
        cli_end_array(w);
        cli_end_object(w);
    }
    cli_end_array(w);
}

static void write_meshes(cli_writer *w, const report *r) {
    cli_key(w, "meshes");
    cli_begin_array(w);
    for (uint32_t i = 0; i < r->model->mesh_count; i++) {
        const sn_mesh *mesh = &r->model->meshes[i];
        cli_begin_object(w);
        cli_key(w, "index");
        cli_unsigned(w, i);
        cli_key(w, "name");
        cli_string(w, mesh->name);
        cli_key(w, "primitives");
        cli_unsigned(w, mesh->primitive_count);
        cli_key(w, "vertices");
        cli_unsigned(w, vertex_count(mesh));
        cli_key(w, "targets");
        cli_unsigned(w, mesh->target_count);
        cli_end_object(w);
    }
    cli_end_array(w);
}

static void write_clips(cli_writer *w, const report *r) {
    cli_key(w, "clips");
    cli_begin_array(w);
    for (uint32_t i = 0; i < r->model->clip_count; i++) {
        const sn_clip *clip = &r->model->clips[i];
        cli_begin_object(w);
        cli_key(w, "index");
        cli_unsigned(w, i);
        cli_key(w, "name");
        cli_string(w, clip->name);
        cli_key(w, "duration");
        cli_float(w, clip->duration);
        cli_key(w, "keys");
        cli_unsigned(w, add_up(clip).keys);
        cli_key(w, "tracks");
        cli_begin_array(w);
        for (uint32_t k = 0; k < clip->track_count; k++) {
            const sn_track *track = clip->tracks[k];
            cli_begin_object(w);
            cli_key(w, "node");
            cli_unsigned(w, track->node);
            cli_key(w, "path");
            cli_string(w, path_names[track->path]);
            cli_key(w, "interpolation");
            cli_string(w, interpolation_names[track->interpolation]);
            cli_key(w, "keys");
            cli_unsigned(w, track->key_count);
            cli_key(w, "start");
            cli_float(w, track->times[0]);
            cli_key(w, "end");
            cli_float(w, track->times[track->key_count - 1]);
            if (r->with_keys && is_wanted(r, i, track))
                cli_write_keys(w, track);
            cli_end_object(w);
        }
        cli_end_array(w);
        cli_end_object(w);
    }
    cli_end_array(w);
}

static const char *const kind_names[] = {NULL, "VRM 0", "VRM 1", "VRM animation"};

static void write_vrm(cli_writer *w, const report *r) {
    cli_key(w, "vrm");
    if (r->humanoid.kind == SN_VRM_NONE) {
        cli_string(w, NULL);
        return;
    }
    cli_begin_object(w);
    cli_key(w, "kind");
    cli_string(w, kind_names[r->humanoid.kind]);
    cli_key(w, "version");
    cli_string(w, r->humanoid.version[0] ? r->humanoid.version : NULL);
    cli_end_object(w);
}

static void write_humanoid(cli_writer *w, const report *r) {
    const sn_humanoid *bones = &r->humanoid.bones;
    cli_key(w, "humanoid");
    if (sn_humanoid_count(bones) == 0) {
        cli_string(w, NULL);
        return;
    }
    cli_begin_object(w);
    cli_key(w, "from");
    cli_string(w, r->humanoid.kind == SN_VRM_NONE ? "names" : kind_names[r->humanoid.kind]);
    cli_key(w, "facing");
    cli_string(w, bones->facing < 0 ? "-z" : "+z");
    cli_key(w, "bones");
    cli_begin_object(w);
    for (uint32_t bone = 0; bone < SN_HUMAN_BONE_COUNT; bone++) {
        if (bones->joints[bone] == SN_NONE)
            continue;
        cli_key(w, sn_human_bone_name((sn_human_bone)bone));
        cli_unsigned(w, bones->joints[bone]);
    }
    cli_end_object(w);
    cli_end_object(w);
}

static void write_modifiers(cli_writer *w, report *r) {
    cli_key(w, "modifiers");
    cli_begin_array(w);
    uint32_t end, index = 0;
    for (uint32_t at = first_modifier(r, &end); at < end; at = r->json->nodes[at].next) {
        cli_begin_object(w);
        cli_key(w, "index");
        cli_unsigned(w, index++);
        cli_key(w, "type");
        cli_string(w, string_of(r, member(r, at, "type")));
        cli_key(w, "name");
        cli_string(w, string_of(r, member(r, at, "name")));
        cli_end_object(w);
    }
    cli_end_array(w);
}

static int print_json(report *r) {
    cli_writer w;
    cli_writer_init(&w);
    cli_begin_object(&w);
    cli_key(&w, "file");
    cli_string(&w, r->file);
    cli_key(&w, "container");
    cli_string(&w, sn_gltf_is_binary(r->gltf) ? "glb" : "gltf");
    cli_key(&w, "generator");
    cli_string(&w, r->model->generator);
    write_strings(&w, r, "extensionsUsed");
    write_strings(&w, r, "extensionsRequired");
    cli_key(&w, "scenes");
    cli_unsigned(&w, r->model->scene_count);
    write_nodes(&w, r);
    write_skins(&w, r);
    write_meshes(&w, r);
    write_clips(&w, r);
    write_vrm(&w, r);
    write_humanoid(&w, r);
    write_modifiers(&w, r);
    cli_end_object(&w);
    return cli_writer_print(&w, CLI_DONE);
}

/* ---- Text ---- */

static void print_modifiers(report *r) {
    uint32_t end, count = 0, first = first_modifier(r, &end);
    for (uint32_t at = first; at < end; at = r->json->nodes[at].next)
        count++;
    if (count == 0)
        return;
    printf("modifiers  %u\n", count);
    uint32_t index = 0;
    for (uint32_t at = first; at < end; at = r->json->nodes[at].next) {
        const char *type = string_of(r, member(r, at, "type"));
        const char *label = string_of(r, member(r, at, "name"));
        char quoted[CLI_QUOTED], name[CLI_QUOTED];
        printf("  %3u  %-28s %s\n", index++, cli_quote(type ? type : "", quoted),
               label ? cli_quote(label, name) : "");
    }
}

static void print_strings(report *r, const char *title, const char *name) {
    uint32_t array = member(r, 0, name);
    for (uint32_t at = sn_json_first(r->json, array);
         at != SN_NONE && at < r->json->nodes[array].next; at = r->json->nodes[at].next) {
        const char *string = string_of(r, at);
        char quoted[CLI_QUOTED];
        printf("%-11s%s\n", title, cli_quote(string ? string : "", quoted));
        title = "";
    }
}

static void print_clips(const report *r) {
    const sn_model *model = r->model;
    printf("clips      %u\n", model->clip_count);
    for (uint32_t i = 0; i < model->clip_count; i++) {
        const sn_clip *clip = &model->clips[i];
        clip_totals totals = add_up(clip);
        char name[CLI_QUOTED];
        printf("  %3u  %-28s %8.3f s  channels %4u  keys %6llu ", i, cli_quote(clip->name, name),
               (double)clip->duration, clip->track_count, (unsigned long long)totals.keys);
        for (int k = 0; k < 3; k++)
            if (totals.tracks[k])
                printf(" %s %u", interpolation_names[k], totals.tracks[k]);
        printf("\n");
    }
}

static int print_keys(const report *r) {
    sn_text text;
    sn_text_init(&text, NULL);
    for (uint32_t i = 0; i < r->model->clip_count; i++) {
        const sn_clip *clip = &r->model->clips[i];
        for (uint32_t k = 0; k < clip->track_count; k++) {
            const sn_track *track = clip->tracks[k];
            if (!is_wanted(r, i, track))
                continue;
            char quoted[CLI_QUOTED];
            sn_text_append(&text, "clip ");
            sn_text_append_unsigned(&text, i);
            sn_text_append(&text, " ");
            sn_text_append(&text, cli_quote(clip->name, quoted));
            sn_text_append(&text, ", node ");
            sn_text_append_unsigned(&text, track->node);
            sn_text_append(&text, " ");
            sn_text_append(&text, cli_quote(r->model->nodes[track->node].name, quoted));
            sn_text_append(&text, ", ");
            sn_text_append(&text, path_names[track->path]);
            sn_text_append(&text, ", ");
            sn_text_append(&text, interpolation_names[track->interpolation]);
            sn_text_append(&text, "\n");
            cli_append_keys(&text, track);
        }
    }
    if (text.length == 0)
        sn_text_append(&text, "no keys\n");
    int code = text.failed ? cli_fail("standard output", "no memory for the keys")
                           : cli_print(text.data, text.length);
    sn_text_free(&text);
    return code;
}

static void print_humanoid(const report *r) {
    const sn_vrm_humanoid *h = &r->humanoid;
    char name[CLI_QUOTED];
    if (h->kind != SN_VRM_NONE)
        printf("vrm        %s, version %s\n", kind_names[h->kind], cli_quote(h->version, name));
    if (sn_humanoid_count(&h->bones) == 0)
        return;
    printf("humanoid   %u bones by %s, facing %s\n", sn_humanoid_count(&h->bones),
           h->kind == SN_VRM_NONE ? "their names" : "VRM", h->bones.facing < 0 ? "-z" : "+z");
    for (uint32_t bone = 0; bone < SN_HUMAN_BONE_COUNT; bone++) {
        uint32_t node = h->bones.joints[bone];
        if (node != SN_NONE)
            printf("  %-24s node %u %s\n", sn_human_bone_name((sn_human_bone)bone), node,
                   cli_quote(r->model->nodes[node].name, name));
    }
}

/* Parents before children, whatever their order in the file; without recursion, since a file may
 * nest as deeply as it likes. */
static int print_tree(const report *r) {
    const sn_model *model = r->model;
    uint32_t *first = malloc((size_t)model->node_count * 2 * sizeof *first + 1);
    if (!first)
        return cli_fail(r->file, "no memory for the node tree");
    uint32_t *next = first + model->node_count;
    for (uint32_t i = 0; i < model->node_count; i++)
        first[i] = SN_NONE;
    for (uint32_t i = model->node_count; i-- > 0;) {
        uint32_t parent = model->nodes[i].parent;
        next[i] = parent == SN_NONE ? SN_NONE : first[parent];
        if (parent != SN_NONE)
            first[parent] = i;
    }
    for (uint32_t root = 0; root < model->node_count; root++) {
        if (model->nodes[root].parent != SN_NONE)
            continue;
        int depth = 0;
        for (uint32_t i = root; i != SN_NONE;) {
            char name[CLI_QUOTED];
            printf("  %*s%u %s%s\n", 2 * (depth < 40 ? depth : 40), "", i,
                   cli_quote(model->nodes[i].name, name), r->is_joint[i] ? " joint" : "");
            uint32_t down = first[i];
            depth++;
            while (down == SN_NONE) {
                depth--;
                if (i == root)
                    break;
                down = next[i];
                i = model->nodes[i].parent;
            }
            i = down;
        }
    }
    free(first);
    return CLI_DONE;
}

static int print_text(report *r, bool with_nodes) {
    const sn_model *model = r->model;
    uint32_t joints = 0;
    for (uint32_t i = 0; i < model->node_count; i++)
        joints += r->is_joint[i];
    char name[CLI_QUOTED];
    printf("file       %s (%s)\n", r->file, sn_gltf_is_binary(r->gltf) ? "GLB" : "glTF");
    if (model->generator[0])
        printf("generator  %s\n", cli_quote(model->generator, name));
    print_strings(r, "uses", "extensionsUsed");
    print_strings(r, "requires", "extensionsRequired");
    printf("nodes      %u, joints %u, scenes %u\n", model->node_count, joints, model->scene_count);
    if (with_nodes && print_tree(r) != CLI_DONE)
        return CLI_FAILED;
    printf("skins      %u\n", model->skin_count);
    for (uint32_t i = 0; i < model->skin_count; i++)
        printf("  %3u  %-28s joints %u\n", i, cli_quote(model->skins[i].name, name),
               model->skins[i].joint_count);
    printf("meshes     %u\n", model->mesh_count);
    for (uint32_t i = 0; i < model->mesh_count; i++) {
        const sn_mesh *mesh = &model->meshes[i];
        printf("  %3u  %-28s vertices %llu, primitives %u, morph targets %u\n", i,
               cli_quote(mesh->name, name), (unsigned long long)vertex_count(mesh),
               mesh->primitive_count, mesh->target_count);
    }
    print_clips(r);
    print_modifiers(r);
    print_humanoid(r);
    return cli_print("", 0);
}

int cli_info(int argc, char **argv) {
    bool json = false, nodes = false, keys = false;
    const char *clip = NULL, *node = NULL;
    const cli_option options[] = {
        {.name = "nodes", .flag = &nodes, .help = "also the tree of nodes"},
        {.name = "keys", .flag = &keys, .help = "the keys instead: times, values, tangents"},
        {.name = "clip",
         .value = "CLIP",
         .text = &clip,
         .help = "name or index of a clip: only its keys"},
        {.name = "node",
         .value = "NODE",
         .text = &node,
         .help = "name or index of a node: only its keys"},
        {.name = "json", .flag = &json, .help = "one JSON document, nodes and tracks included"},
    };
    const cli_syntax syntax = {
        .verb = "info",
        .operands = "FILE",
        .operand_min = 1,
        .operand_max = 1,
        .summary =
            "Says what is inside a file: nodes, skins, clips, morph targets, modifiers, humanoid.",
        .example = "sinew info build/samples/mannequin.glb",
        .options = options,
        .option_count = sizeof options / sizeof *options,
    };
    int operands;
    int code = cli_parse(&syntax, argc, argv, &operands);
    if (code != CLI_RUN)
        return code;
    if (!keys && (clip || node))
        return cli_fail("info", "--%s is for the keys: add --keys", clip ? "clip" : "node");
    sn_gltf *gltf;
    if (cli_open(argv[0], true, &gltf) != CLI_DONE)
        return CLI_FAILED;
    report r = {.file = cli_file_name(argv[0]),
                .gltf = gltf,
                .model = sn_gltf_model(gltf),
                .json = sn_gltf_json(gltf),
                .with_keys = keys,
                .clip = SN_NONE,
                .node = SN_NONE};
    sn_arena_init(&r.arena, NULL);
    r.is_joint = SN_ARENA_NEW(&r.arena, uint8_t, r.model->node_count);
    sn_error error;
    if ((clip && cli_find_clip(argv[0], r.model, clip, &r.clip) != CLI_DONE) ||
        (node && cli_find_node(argv[0], r.model, node, &r.node) != CLI_DONE)) {
        code = CLI_FAILED;
    } else if (!r.is_joint) {
        code = cli_fail(r.file, "no memory for its %u nodes", r.model->node_count);
    } else if (sn_vrm_find_humanoid(gltf, &r.arena, &r.humanoid, &error) != SN_OK) {
        code = cli_fail_error(r.file, &error);
    } else {
        mark_joints(&r);
        for (size_t i = 0; i < r.humanoid.warning_count; i++) {
            const sn_warning *warning = &r.humanoid.warnings[i];
            cli_warn(r.file, "%s (%s, %s)", warning->text, sn_message_name(warning->id),
                     warning->pointer);
        }
        code = json ? print_json(&r) : keys ? print_keys(&r) : print_text(&r, nodes);
    }
    sn_arena_free(&r.arena);
    sn_gltf_free(gltf);
    return code;
}
