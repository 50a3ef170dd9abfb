/* sinew pose: evaluates one instant, stage by stage. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "open.h"
#include "options.h"
#include "report.h"
#include "rig.h"
#include "sinew/instance.h"
#include "verbs.h"
#include "writer.h"

/* How far down the line of stages to go; each includes the ones before. */
typedef enum stage { STAGE_SAMPLE, STAGE_HIERARCHY, STAGE_SKIN } stage;
static const char *const stage_names[] = {"sample", "hierarchy", "skin"};

typedef struct request {
    const char *file; /* as messages call it */
    const char *clip_word, *node_word, *stage_word, *rig;
    double time; /* NAN: not given */
    bool loop, skin, json;

    stage last;
    uint32_t modifier_count; /* only the first so many; UINT32_MAX: all */
    uint32_t clip;           /* SN_NONE: the rest pose */
    uint32_t node;           /* SN_NONE: all */
} request;

#define POSE_MEMORY_LIMIT ((size_t)2 << 30)

/* The evaluated file. */
typedef struct scene {
    const sn_model *model;
    sn_budget budget; /* many primitives on one accessor are a small file with a large product */
    sn_prepared_model *prepared;
    sn_instance *instance;
    float clip_time;
    sn_document *document;
    sn_modifier_stack *rig;             /* or NULL */
    const sn_modifier_stack *modifiers; /* the rig, else the file's; NULL: there are none */
    uint32_t report_count;
    sn_modifier_report *reports;
} scene;

/* Runs the modifiers that the request wants on the sampled pose. */
static int modify(const request *r, scene *s) {
    uint32_t count = sn_modifier_stack_count(s->modifiers);
    s->report_count = r->modifier_count < count ? r->modifier_count : count;
    s->reports = calloc((size_t)count + 1, sizeof *s->reports);
    if (!s->reports)
        return cli_fail(r->file, "no memory for what %u modifiers report", count);
    if (!s->report_count)
        return CLI_DONE;
    sn_modifier_state *state;
    sn_error error;
    if (sn_modifier_state_create(s->modifiers, NULL, &state, &error))
        return cli_fail_error(r->file, &error);
    sn_modifier_frame frame = {.time = s->clip_time, .stage_count = s->report_count};
    sn_result result =
        sn_modifier_stack_apply(s->modifiers, state, sn_prepared_model_skeleton(s->prepared),
                                sn_instance_pose(s->instance), &frame, s->reports, &error);
    sn_modifier_state_free(state);
    return result ? cli_fail_error(r->file, &error) : CLI_DONE;
}

static int evaluate(const request *r, scene *s) {
    sn_error error;
    sn_budget_init(&s->budget, NULL, POSE_MEMORY_LIMIT);
    const sn_allocator *allocator = &s->budget.allocator;
    if (sn_prepared_model_create(s->model, SN_KERNEL_BEST, allocator, &s->prepared, &error) ||
        sn_instance_create(s->prepared, allocator, &s->instance, &error))
        return cli_fail_error(r->file, &error);
    if (r->clip == SN_NONE) {
        s->clip_time = (float)r->time;
        sn_instance_sample_rest(s->instance);
    } else {
        const sn_clip *clip = &s->model->clips[r->clip];
        s->clip_time =
            sn_clip_time(clip->duration, r->time, 1, r->loop ? SN_LOOP_REPEAT : SN_LOOP_ONCE);
        sn_instance_sample_clip(s->instance, clip, s->clip_time);
    }
    if (s->modifiers && r->last > STAGE_SAMPLE && modify(r, s) != CLI_DONE)
        return CLI_FAILED;
    if (r->last >= STAGE_HIERARCHY)
        sn_instance_update_hierarchy(s->instance, NULL);
    if (r->last >= STAGE_SKIN)
        sn_instance_update_joint_matrices(s->instance);
    return CLI_DONE;
}

static sn_transform local_transform(const scene *s, uint32_t node) {
    const sn_skeleton *skeleton = sn_prepared_model_skeleton(s->prepared);
    sn_transform local;
    sn_pose_get(skeleton, sn_instance_pose(s->instance), sn_skeleton_joint_of_node(skeleton, node),
                &local);
    return local;
}

/* ---- JSON ---- */

/* A matrix that translation, rotation and scale cannot express; the three beside it are the
 * nearest. The model lists these nodes in their order, `*next` is the first one not yet passed. */
static void write_fixed_matrix(cli_writer *w, const sn_model *model, uint32_t node,
                               uint32_t *next) {
    while (*next < model->fixed_count && model->fixed_nodes[*next] < node)
        ++*next;
    if (*next == model->fixed_count || model->fixed_nodes[*next] != node)
        return;
    float matrix[16];
    sn_affine_to_matrix(&model->fixed_matrices[*next], matrix);
    cli_key(w, "matrix");
    cli_floats(w, matrix, 16);
}

static void write_nodes(cli_writer *w, const request *r, const scene *s) {
    uint32_t fixed = 0;
    cli_key(w, "nodes");
    cli_begin_array(w);
    for (uint32_t i = 0; i < s->model->node_count; i++) {
        if (r->node != SN_NONE && r->node != i)
            continue;
        const sn_node *node = &s->model->nodes[i];
        sn_transform local = local_transform(s, i);
        cli_begin_object(w);
        cli_key(w, "index");
        cli_unsigned(w, i);
        cli_key(w, "name");
        cli_string(w, node->name);
        cli_key(w, "parent");
        cli_index(w, node->parent);
        write_fixed_matrix(w, s->model, i, &fixed);
        cli_key(w, "translation");
        cli_floats(w, local.translation, 3);
        cli_key(w, "rotation");
        cli_floats(w, local.rotation, 4);
        cli_key(w, "scale");
        cli_floats(w, local.scale, 3);
        if (r->last >= STAGE_HIERARCHY) {
            float world[16];
            sn_instance_world_matrix(s->instance, i, world);
            cli_key(w, "world");
            cli_floats(w, world, 16);
        }
        cli_end_object(w);
    }
    cli_end_array(w);
}

static void write_weights(cli_writer *w, const request *r, const scene *s) {
    cli_key(w, "weights");
    cli_begin_array(w);
    for (uint32_t i = 0; i < s->model->node_count; i++) {
        uint32_t count;
        const float *weights = sn_instance_weights(s->instance, i, &count);
        if (!count || (r->node != SN_NONE && r->node != i))
            continue;
        cli_begin_object(w);
        cli_key(w, "node");
        cli_unsigned(w, i);
        cli_key(w, "weights");
        cli_floats(w, weights, count);
        cli_end_object(w);
    }
    cli_end_array(w);
}

/* World positions of a primitive's vertices; the caller frees them. NULL: an error was printed. */
static float *skin_primitive(const request *r, const scene *s, uint32_t node, uint32_t primitive) {
    uint32_t mesh = s->model->nodes[node].mesh;
    size_t vertices = s->model->meshes[mesh].primitives[primitive].geometry.vertex_count;
    float *positions = malloc(vertices * 3 * sizeof *positions + 1);
    if (!positions) {
        cli_fail(r->file, "no memory for the %zu vertices of mesh %u", vertices, mesh);
        return NULL;
    }
    sn_error error;
    sn_skin_output output = {.positions = positions};
    if (sn_instance_skin(s->instance, node, primitive, &output, &error)) {
        cli_fail_error(r->file, &error);
        free(positions);
        return NULL;
    }
    return positions;
}

/* What is told of the vertices of one primitive. */
typedef void primitive_sink(cli_writer *w, const scene *s, uint32_t node, uint32_t primitive,
                            const float *positions);

static void write_primitive(cli_writer *w, const scene *s, uint32_t node, uint32_t primitive,
                            const float *positions) {
    uint32_t mesh = s->model->nodes[node].mesh;
    size_t vertices = s->model->meshes[mesh].primitives[primitive].geometry.vertex_count;
    cli_begin_object(w);
    cli_key(w, "node");
    cli_unsigned(w, node);
    cli_key(w, "mesh");
    cli_unsigned(w, mesh);
    cli_key(w, "primitive");
    cli_unsigned(w, primitive);
    cli_key(w, "positions");
    cli_floats(w, positions, vertices * 3);
    cli_end_object(w);
}

static void print_primitive(cli_writer *w, const scene *s, uint32_t node, uint32_t primitive,
                            const float *positions) {
    (void)w;
    uint32_t mesh = s->model->nodes[node].mesh;
    size_t vertices = s->model->meshes[mesh].primitives[primitive].geometry.vertex_count;
    printf("node %u, mesh %u, primitive %u: %zu vertices", node, mesh, primitive, vertices);
    for (size_t axis = 0; axis < 3 && vertices; axis++) {
        float low = positions[axis], high = low;
        for (size_t v = 1; v < vertices; v++) {
            float x = positions[3 * v + axis];
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
        printf(", %c %.4f to %.4f", "xyz"[axis], (double)low, (double)high);
    }
    printf("\n");
}

/* Every primitive of the meshes that bend: those of nodes with a skin, and those with morph
 * targets. */
static int each_primitive(const request *r, const scene *s, primitive_sink *sink, cli_writer *w) {
    for (uint32_t i = 0; i < s->model->node_count; i++) {
        const sn_node *node = &s->model->nodes[i];
        if (node->mesh == SN_NONE || (r->node != SN_NONE && r->node != i))
            continue;
        const sn_mesh *mesh = &s->model->meshes[node->mesh];
        if (node->skin == SN_NONE && !mesh->target_count)
            continue;
        for (uint32_t p = 0; p < mesh->primitive_count; p++) {
            if (mesh->primitives[p].opaque) {
                cli_warn(r->file,
                         "primitive %u of mesh %u is compressed in a way that cannot be decoded, "
                         "so its vertices are left out",
                         p, node->mesh);
                continue;
            }
            if (!mesh->primitives[p].geometry.vertex_count)
                continue; /* without positions there is nothing to draw (glTF 2.0, 3.7.2.1) */
            float *positions = skin_primitive(r, s, i, p);
            if (!positions)
                return CLI_FAILED;
            sink(w, s, i, p, positions);
            free(positions);
        }
    }
    return CLI_DONE;
}

static int print_json(const request *r, const scene *s) {
    cli_writer w;
    cli_writer_init(&w);
    cli_begin_object(&w);
    cli_key(&w, "file");
    cli_string(&w, r->file);
    cli_key(&w, "clip");
    if (r->clip == SN_NONE) {
        cli_string(&w, NULL);
    } else {
        cli_begin_object(&w);
        cli_key(&w, "index");
        cli_unsigned(&w, r->clip);
        cli_key(&w, "name");
        cli_string(&w, s->model->clips[r->clip].name);
        cli_end_object(&w);
    }
    cli_key(&w, "time");
    cli_float(&w, s->clip_time);
    if (s->modifiers) {
        cli_key(&w, "modifiers");
        cli_rig_write(&w, s->modifiers, s->reports, s->report_count);
    }
    write_nodes(&w, r, s);
    write_weights(&w, r, s);
    if (r->last >= STAGE_SKIN) {
        cli_key(&w, "skinned");
        cli_begin_array(&w);
        if (each_primitive(r, s, write_primitive, &w) != CLI_DONE) {
            sn_text_free(&w.text);
            return CLI_FAILED;
        }
        cli_end_array(&w);
    }
    cli_end_object(&w);
    return cli_writer_print(&w, CLI_DONE);
}

/* ---- Text ---- */

/* Table cells: enough digits to see a change, not more than fit a line. */
static void print_numbers(const float *values, int count) {
    for (int i = 0; i < count; i++) {
        char cell[32];
        snprintf(cell, sizeof cell, "%.4f", (double)values[i]);
        printf(" %9s", strcmp(cell, "-0.0000") == 0 ? "0.0000" : cell);
    }
    printf(" ");
}

static void print_nodes(const request *r, const scene *s) {
    bool world = r->last >= STAGE_HIERARCHY;
    printf("%5s  %-24s  %-29s  %-39s  %-29s%s\n", "node", "name", "translation", "rotation x y z w",
           "scale", world ? "  position in the world" : "");
    for (uint32_t i = 0; i < s->model->node_count; i++) {
        if (r->node != SN_NONE && r->node != i)
            continue;
        sn_transform local = local_transform(s, i);
        char name[CLI_QUOTED];
        printf("%5u  %-24s ", i, cli_quote(s->model->nodes[i].name, name));
        print_numbers(local.translation, 3);
        print_numbers(local.rotation, 4);
        print_numbers(local.scale, 3);
        if (world) {
            float matrix[16];
            sn_instance_world_matrix(s->instance, i, matrix);
            print_numbers(matrix + 12, 3);
        }
        printf("\n");
    }
}

static void print_weights(const request *r, const scene *s) {
    for (uint32_t i = 0; i < s->model->node_count; i++) {
        uint32_t count;
        const float *weights = sn_instance_weights(s->instance, i, &count);
        if (!count || (r->node != SN_NONE && r->node != i))
            continue;
        printf("morph weights of node %u:", i);
        for (uint32_t k = 0; k < count; k++)
            printf(" %.4g", (double)weights[k]);
        printf("\n");
    }
}

static int print_text(const request *r, const scene *s) {
    char name[CLI_QUOTED];
    if (r->clip == SN_NONE)
        printf("%s, rest pose\n", r->file);
    else
        printf("%s, clip %u %s at %.4g s of %.4g\n", r->file, r->clip,
               cli_quote(s->model->clips[r->clip].name, name), (double)s->clip_time,
               (double)s->model->clips[r->clip].duration);
    if (s->modifiers)
        cli_rig_print(s->modifiers, s->reports, s->report_count);
    print_nodes(r, s);
    print_weights(r, s);
    if (r->last >= STAGE_SKIN && each_primitive(r, s, print_primitive, NULL) != CLI_DONE)
        return CLI_FAILED;
    return cli_print("", 0);
}

/* ---- The verb ---- */

/* The stage, or the number of modifiers, that the word says. */
static int settle_stage(request *r) {
    enum { STAGES = sizeof stage_names / sizeof *stage_names };
    const char *word = r->stage_word;
    if (*word && word[strspn(word, "0123456789")] == '\0') {
        unsigned long long count = strtoull(word, NULL, 10);
        r->modifier_count = count < UINT32_MAX ? (uint32_t)count : UINT32_MAX - 1;
        return CLI_DONE;
    }
    int found = 0;
    while (found < STAGES && strcmp(word, stage_names[found]) != 0)
        found++;
    if (found == STAGES)
        return cli_fail("pose",
                        "there is no stage \"%s\"; the stages are sample, hierarchy, skin, or a "
                        "number of modifiers",
                        word);
    if (r->skin && found != STAGE_SKIN)
        return cli_fail("pose",
                        "--skin wants the last stage, --stage %s stops before it; give one "
                        "of them",
                        word);
    r->last = (stage)found;
    return CLI_DONE;
}

static int settle_options(request *r) {
    if (!r->clip_word && (r->loop || (!r->rig && !isnan(r->time))))
        return cli_fail("pose", "--time and --loop want a clip: --clip CLIP");
    if (r->rig && strcmp(r->rig, "-") == 0 && strcmp(r->file, cli_file_name("-")) == 0)
        return cli_fail("pose", "the file and --rig both want standard input; name one of them");
    if (isnan(r->time))
        r->time = 0;
    r->last = r->skin ? STAGE_SKIN : STAGE_HIERARCHY;
    return r->stage_word ? settle_stage(r) : CLI_DONE;
}

/* The modifiers, and whether there are as many as --stage wants. */
static int settle_modifiers(const request *r, const sn_gltf *gltf, scene *s) {
    if (r->rig ? cli_rig_open(r->rig, gltf, &s->rig)
               : cli_open_document(r->file, gltf, &s->document))
        return CLI_FAILED;
    const sn_modifier_stack *own = s->document ? sn_document_modifiers(s->document) : NULL;
    s->modifiers = own && sn_modifier_stack_count(own) ? own : s->rig;
    uint32_t count = s->modifiers ? sn_modifier_stack_count(s->modifiers) : 0;
    if (r->modifier_count == UINT32_MAX || r->modifier_count <= count)
        return CLI_DONE;
    return cli_fail(r->file, "--stage %s: there are %u modifiers", r->stage_word, count);
}

static int settle_request(request *r, const char *path, const sn_model *model) {
    if (r->clip_word && cli_find_clip(path, model, r->clip_word, &r->clip) != CLI_DONE)
        return CLI_FAILED;
    if (r->node_word && cli_find_node(path, model, r->node_word, &r->node) != CLI_DONE)
        return CLI_FAILED;
    return CLI_DONE;
}

int cli_pose(int argc, char **argv) {
    request r = {.clip = SN_NONE, .node = SN_NONE, .time = NAN, .modifier_count = UINT32_MAX};
    const cli_option options[] = {
        {.name = "clip",
         .value = "CLIP",
         .text = &r.clip_word,
         .help = "name or index of a clip; without it, the rest pose"},
        {.name = "time",
         .value = "SECONDS",
         .number = &r.time,
         .help = "the instant; 0 without it, held at the end of the clip"},
        {.name = "loop", .flag = &r.loop, .help = "wrap the time around the length of the clip"},
        {.name = "node",
         .value = "NODE",
         .text = &r.node_word,
         .help = "name or index of a node: only this one"},
        {.name = "skin",
         .flag = &r.skin,
         .help = "also morphed and skinned vertices (all with --json, else their extent)"},
        {.name = "rig",
         .value = "RIG.json",
         .text = &r.rig,
         .help = "modifiers to run on the sampled pose, in place of the file's own "
                 "(docs/modifiers.md)"},
        {.name = "stage",
         .value = "STAGE",
         .text = &r.stage_word,
         .help = "stop after sample (local), hierarchy (world) or skin (vertices); a number: only "
                 "the first so many modifiers"},
        {.name = "json", .flag = &r.json, .help = "one JSON document, in full precision"},
    };
    const cli_syntax syntax = {
        .verb = "pose",
        .operands = "FILE",
        .operand_min = 1,
        .operand_max = 1,
        .summary = "Evaluates one instant: local transforms, world matrices, skinned vertices.",
        .details = "Seconds and metres; quaternions x y z w; matrices column-major.",
        .example = "sinew pose build/samples/mannequin.glb --clip 0 --time 0.35",
        .options = options,
        .option_count = sizeof options / sizeof *options,
    };
    int operands;
    int code = cli_parse(&syntax, argc, argv, &operands);
    if (code != CLI_RUN)
        return code;
    r.file = cli_file_name(argv[0]);
    if (settle_options(&r) != CLI_DONE)
        return CLI_FAILED;
    sn_gltf *gltf;
    if (cli_open(argv[0], r.last >= STAGE_SKIN, &gltf) != CLI_DONE)
        return CLI_FAILED;
    scene s = {.model = sn_gltf_model(gltf)};
    code = settle_request(&r, argv[0], s.model);
    if (code == CLI_DONE)
        code = settle_modifiers(&r, gltf, &s);
    if (code == CLI_DONE)
        code = evaluate(&r, &s);
    if (code == CLI_DONE)
        code = r.json ? print_json(&r, &s) : print_text(&r, &s);
    free(s.reports);
    sn_modifier_stack_free(s.rig);
    sn_document_release(s.document);
    sn_instance_free(s.instance);
    sn_prepared_model_free(s.prepared);
    sn_gltf_free(gltf);
    return code;
}
