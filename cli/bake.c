/* sinew bake: clips with their modifiers, made into keys. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "images.h"
#include "open.h"
#include "options.h"
#include "report.h"
#include "rig.h"
#include "save.h"
#include "sinew/bake.h"
#include "verbs.h"

typedef struct request {
    const char *in, *out, *rig, *clip_word;
    double fps; /* NAN: not given */
    bool plays, json;
    sn_container container;
} request;

/* The file being baked; its clips are in the arena. */
typedef struct job {
    const sn_gltf *gltf;
    sn_document *document;
    sn_modifier_stack *rig;             /* or NULL */
    const sn_modifier_stack *modifiers; /* the rig, else the file's */
    sn_skeleton *skeleton;
    sn_arena arena;
    sn_clip *clips;
    size_t clip_count;
    uint32_t clip;    /* the one to bake; SN_NONE: all */
    size_t key_count; /* that were made */
    size_t track_count;
} job;

static int open_modifiers(const request *r, job *j) {
    if (r->rig && cli_rig_open(r->rig, j->gltf, &j->rig) != CLI_DONE)
        return CLI_FAILED;
    if (cli_open_document(r->in, j->gltf, &j->document) != CLI_DONE)
        return CLI_FAILED;
    j->modifiers = j->rig ? j->rig : sn_document_modifiers(j->document);
    if (!sn_modifier_stack_count(j->modifiers))
        return cli_fail(cli_file_name(r->rig ? r->rig : r->in),
                        "there is no modifier to bake; --rig RIG.json brings some");
    return CLI_DONE;
}

/* The file's clips, or one for its rest pose. */
static bool list_clips(job *j) {
    const sn_clip *clips;
    j->clip_count = sn_document_clips(j->document, &clips);
    j->clips = SN_ARENA_NEW(&j->arena, sn_clip, j->clip_count + 1);
    if (!j->clips)
        return false;
    if (j->clip_count)
        memcpy(j->clips, clips, j->clip_count * sizeof *clips);
    else
        j->clips[j->clip_count++] = (sn_clip){.name = "Baked", .origin = SN_NONE};
    return true;
}

static void count_new(job *j, const sn_clip *was, const sn_clip *now) {
    for (uint32_t i = 0; i < now->track_count; i++) {
        bool is_old = false;
        for (uint32_t k = 0; k < was->track_count && !is_old; k++)
            is_old = was->tracks[k] == now->tracks[i];
        j->track_count += is_old ? 0 : 1;
        j->key_count += is_old ? 0 : now->tracks[i]->key_count;
    }
}

static int bake(const request *r, job *j) {
    const sn_model *model = sn_gltf_model(j->gltf);
    sn_error error;
    if (!list_clips(j))
        return cli_fail(cli_file_name(r->in), "no memory for its clips");
    if (sn_model_skeleton(model, SN_KERNEL_BEST, NULL, &j->skeleton, &error))
        return cli_fail_error(cli_file_name(r->in), &error);
    sn_bake_desc desc = {
        .model = model,
        .skeleton = j->skeleton,
        .modifiers = j->modifiers,
        .frames_per_second = isnan(r->fps) ? 0 : (float)r->fps,
        .plays = r->plays,
    };
    for (uint32_t i = 0; i < j->clip_count; i++) {
        if (j->clip != SN_NONE && j->clip != i)
            continue;
        sn_clip baked;
        if (sn_bake_clip(&desc, &j->clips[i], &j->arena, &baked, &error))
            return cli_fail_error(cli_file_name(r->in), &error);
        count_new(j, &j->clips[i], &baked);
        j->clips[i] = baked;
    }
    return CLI_DONE;
}

static int report(const request *r, const job *j, const sn_output *all) {
    size_t baked = j->clip == SN_NONE ? j->clip_count : 1;
    if (r->json) {
        cli_writer w;
        cli_writer_init(&w);
        cli_begin_object(&w);
        cli_key(&w, "file");
        cli_string(&w, cli_file_name(r->in));
        cli_key(&w, "clips");
        cli_unsigned(&w, baked);
        cli_key(&w, "tracks");
        cli_unsigned(&w, j->track_count);
        cli_key(&w, "keys");
        cli_unsigned(&w, j->key_count);
        cli_write_files(&w, r->out, all);
        cli_end_object(&w);
        return cli_writer_print(&w, CLI_DONE);
    }
    printf("%s: %zu clips baked, %zu tracks of %zu keys, ", r->out, baked, j->track_count,
           j->key_count);
    return cli_print_files(all);
}

static int save(const request *r, const job *j) {
    char *name = cli_buffer_name(r->out);
    if (!name)
        return cli_fail(r->out, "no memory for its name");
    /* The file's modifiers go, also where one clip was baked: what is in keys must not be applied
     * again. */
    sn_gltf_write_options options = {
        .replace_clips = true,
        .clips = j->clips,
        .clip_count = j->clip_count,
        .replace_modifiers = true,
        .container = r->container,
        .buffer_name = name,
    };
    sn_output output = {0}, all = {0};
    sn_error error;
    int code = sn_gltf_write(j->gltf, &options, &output, &error)
                   ? cli_fail_error(cli_file_name(r->in), &error)
                   : cli_save(j->gltf, r->in, r->out, &output, &all);
    if (code == CLI_DONE && strcmp(r->out, "-") != 0)
        code = report(r, j, &all);
    cli_free_images(&all, &output);
    sn_output_free(&output);
    free(name);
    return code;
}

static int run(request *r) {
    sn_gltf *gltf;
    if (cli_open(r->in, false, &gltf) != CLI_DONE)
        return CLI_FAILED;
    job j = {.gltf = gltf, .clip = SN_NONE};
    sn_arena_init(&j.arena, NULL);
    int code = cli_settle_container(r->out, gltf, &r->container);
    if (code == CLI_DONE && r->clip_word)
        code = cli_find_clip(r->in, sn_gltf_model(gltf), r->clip_word, &j.clip);
    if (code == CLI_DONE)
        code = open_modifiers(r, &j);
    if (code == CLI_DONE)
        code = bake(r, &j);
    if (code == CLI_DONE)
        code = save(r, &j);
    sn_skeleton_free(j.skeleton);
    sn_arena_free(&j.arena);
    sn_modifier_stack_free(j.rig);
    sn_document_release(j.document);
    sn_gltf_free(gltf);
    return code;
}

static int settle_request(const request *r) {
    if (!r->out)
        return cli_fail("bake", "-o OUT is missing: where to write; it may be the input itself");
    if (r->rig && strcmp(r->rig, "-") == 0 && strcmp(r->in, "-") == 0)
        return cli_fail("bake", "the file and --rig both want standard input; name one of them");
    if (r->json && strcmp(r->out, "-") == 0)
        return cli_fail("bake", "-o - and --json both want standard output; give one of them");
    if (!isnan(r->fps) && !(r->fps > 0 && r->fps <= 1000))
        return cli_fail("bake", "--fps %g: this must be above 0 and at most 1000", r->fps);
    return CLI_DONE;
}

int cli_bake(int argc, char **argv) {
    request r = {.fps = NAN};
    const cli_option options[] = {
        {.name = "output",
         .letter = 'o',
         .value = "OUT",
         .text = &r.out,
         .help = "file to write: .glb, .vrm, .vrma or .gltf; - is standard output"},
        {.name = "rig",
         .value = "RIG.json",
         .text = &r.rig,
         .help = "the modifiers; without it, those of the file"},
        {.name = "fps", .value = "N", .number = &r.fps, .help = "keys a second; 30 without it"},
        {.name = "play",
         .flag = &r.plays,
         .help = "as a loop plays, with what modifiers smooth over time"},
        {.name = "clip",
         .value = "CLIP",
         .text = &r.clip_word,
         .help = "name or index of a clip: only this one"},
        {.name = "json", .flag = &r.json, .help = "what was written as one JSON document"},
    };
    const cli_syntax syntax = {
        .verb = "bake",
        .operands = "FILE",
        .operand_min = 1,
        .operand_max = 1,
        .summary = "Makes what modifiers do into keys, which every player shows.",
        .details = "docs/modifiers.md describes modifiers. Only what they move gets new keys.\n"
                   "The file that is written has none, so that they are not applied twice.",
        .example = "sinew bake build/samples/mannequin.glb --rig samples/mannequin/reach.json "
                   "-o baked.glb",
        .options = options,
        .option_count = sizeof options / sizeof *options,
    };
    int operands;
    int code = cli_parse(&syntax, argc, argv, &operands);
    if (code != CLI_RUN)
        return code;
    r.in = argv[0];
    code = settle_request(&r);
    return code == CLI_DONE ? run(&r) : code;
}
