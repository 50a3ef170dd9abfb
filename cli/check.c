/* sinew check: what is wrong or unusual, over several files at once. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "options.h"
#include "progress.h"
#include "report.h"
#include "sinew/check.h"
#include "sinew/document.h"
#include "sinew/gltf.h"
#include "verbs.h"
#include "writer.h"

static const char *const severity_names[] = {"error", "warning", "info"};

/* One file's findings. Everything in it lives in its arena. */
typedef struct file_report {
    const char *path;
    sn_arena arena;
    size_t count;
    sn_finding *findings;
    bool unreadable; /* it could not be opened, so nothing is known of it */
    bool no_memory;
} file_report;

static const char *keep(file_report *r, const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = sn_arena_alloc(&r->arena, size, 1);
    if (!copy)
        r->no_memory = true;
    else
        memcpy(copy, text, size);
    return copy;
}

static bool reserve(file_report *r, size_t count) {
    r->findings = SN_ARENA_NEW(&r->arena, sn_finding, count);
    r->no_memory = r->no_memory || !r->findings;
    return !r->no_memory;
}

/* What the reader refuses is the finding: the file breaks the specification or is not glTF. Only a
 * file that cannot be opened, or is too much for the memory, could not be checked. */
static void report_refusal(file_report *r, const sn_error *error) {
    sn_result result = sn_message_result(error->id);
    r->unreadable = (result == SN_ERROR_IO && !error->pointer[0]) || result == SN_ERROR_MEMORY;
    char text[640];
    if (error->line)
        snprintf(text, sizeof text, "%s (line %u, column %u)", error->text, error->line,
                 error->column);
    else
        snprintf(text, sizeof text, "%s", error->text);
    if (!reserve(r, 1))
        return;
    r->findings[r->count++] = (sn_finding){sn_message_name(error->id), SN_SEVERITY_ERROR,
                                           keep(r, error->pointer), keep(r, text), NULL};
}

/* Modifiers that cannot be used: every verb leaves them alone. There is room for the finding. */
static void check_modifiers(file_report *r, const sn_gltf *gltf) {
    sn_document *document;
    if (sn_document_open(gltf, NULL, &document, NULL)) {
        r->no_memory = true;
        return;
    }
    const sn_error *error = sn_document_modifier_error(document);
    if (error)
        r->findings[r->count++] = (sn_finding){sn_message_name(error->id), SN_SEVERITY_WARNING,
                                               keep(r, error->pointer), keep(r, error->text), NULL};
    sn_document_release(document);
}

static void check_file(file_report *r) {
    sn_arena_init(&r->arena, NULL);
    sn_gltf *gltf;
    sn_error error;
    if (sn_gltf_read_file(r->path, NULL, &gltf, &error)) {
        report_refusal(r, &error);
        return;
    }
    const sn_warning *warnings;
    size_t warning_count = sn_gltf_warnings(gltf, &warnings);
    sn_findings found;
    if (sn_check_model(sn_gltf_model(gltf), &r->arena, &found, &error)) {
        report_refusal(r, &error);
    } else if (reserve(r, warning_count + found.count + 1)) {
        for (size_t i = 0; i < warning_count; i++)
            r->findings[r->count++] =
                (sn_finding){sn_message_name(warnings[i].id), SN_SEVERITY_WARNING,
                             keep(r, warnings[i].pointer), keep(r, warnings[i].text), NULL};
        for (size_t i = 0; i < found.count; i++)
            r->findings[r->count++] = found.items[i];
        check_modifiers(r, gltf);
    }
    sn_gltf_free(gltf);
}

/* ---- In parallel ---- */

typedef struct work {
    file_report *reports;
    size_t count, next, done;
    pthread_mutex_t lock; /* of next, done and the progress */
    cli_progress progress;
} work;

static void *work_through(void *user) {
    work *w = user;
    for (;;) {
        pthread_mutex_lock(&w->lock);
        size_t i = w->next < w->count ? w->next++ : w->count;
        pthread_mutex_unlock(&w->lock);
        if (i == w->count)
            return NULL;
        check_file(&w->reports[i]);
        pthread_mutex_lock(&w->lock);
        cli_progress_show(&w->progress, ++w->done, w->reports[i].path);
        pthread_mutex_unlock(&w->lock);
    }
}

enum { MAX_JOBS = 256 };

static void check_all(file_report *reports, size_t count, uint32_t jobs) {
    work w = {.reports = reports, .count = count};
    pthread_mutex_init(&w.lock, NULL);
    cli_progress_start(&w.progress, "checking", count);
    pthread_t threads[MAX_JOBS];
    size_t started = 0;
    while (started + 1 < jobs && started + 1 < count &&
           pthread_create(&threads[started], NULL, work_through, &w) == 0)
        started++;
    work_through(&w); /* this thread too, so that the work is done even when none could start */
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    cli_progress_end(&w.progress);
    pthread_mutex_destroy(&w.lock);
}

/* ---- Output ---- */

static void write_finding(cli_writer *w, const sn_finding *finding) {
    cli_begin_object(w);
    cli_key(w, "id");
    cli_string(w, finding->id);
    cli_key(w, "severity");
    cli_string(w, severity_names[finding->severity]);
    cli_key(w, "pointer");
    cli_string(w, finding->pointer);
    cli_key(w, "message");
    cli_string(w, finding->message);
    cli_key(w, "fix");
    cli_string(w, finding->fix);
    cli_end_object(w);
}

static int print_json(const file_report *reports, size_t count, int code) {
    cli_writer w;
    cli_writer_init(&w);
    cli_begin_object(&w);
    cli_key(&w, "files");
    cli_begin_array(&w);
    for (size_t i = 0; i < count; i++) {
        cli_begin_object(&w);
        cli_key(&w, "file");
        cli_string(&w, cli_file_name(reports[i].path));
        cli_key(&w, "findings");
        cli_begin_array(&w);
        for (size_t k = 0; k < reports[i].count; k++)
            write_finding(&w, &reports[i].findings[k]);
        cli_end_array(&w);
        cli_end_object(&w);
    }
    cli_end_array(&w);
    cli_end_object(&w);
    return cli_writer_print(&w, code);
}

/* The findings of one id. */
typedef struct kind {
    const char *id;
    sn_severity severity;
    size_t count;
} kind;

enum { MAX_KINDS = 128, SHOWN = 3 }; /* kinds: more than there are ids */

static size_t list_kinds(const file_report *r, kind kinds[MAX_KINDS]) {
    size_t count = 0;
    for (size_t i = 0; i < r->count; i++) {
        size_t k = 0;
        while (k < count && strcmp(kinds[k].id, r->findings[i].id) != 0)
            k++;
        if (k == count && count < MAX_KINDS)
            kinds[count++] = (kind){r->findings[i].id, r->findings[i].severity, 0};
        if (k < count)
            kinds[k].count++;
    }
    return count;
}

/* Of one kind the first few: one faulty exporter gives the same finding a hundred times. */
static void print_kind(const file_report *r, const kind *k, bool all) {
    size_t shown = all || k->count <= SHOWN + 1 ? k->count : SHOWN, printed = 0;
    for (size_t i = 0; printed < shown; i++) {
        const sn_finding *finding = &r->findings[i];
        if (strcmp(finding->id, k->id) != 0)
            continue;
        printed++;
        printf("  %-8s %-26s %s%s%s\n", severity_names[k->severity], k->id, finding->pointer,
               finding->pointer[0] ? ": " : "", finding->message);
    }
    if (shown < k->count)
        printf("  %-8s %-26s %zu more (--all shows them)\n", severity_names[k->severity], k->id,
               k->count - shown);
}

/* The worst first. */
static void print_findings(const file_report *r, bool all) {
    kind kinds[MAX_KINDS];
    size_t count = list_kinds(r, kinds);
    for (int severity = SN_SEVERITY_ERROR; severity <= SN_SEVERITY_INFO; severity++)
        for (size_t k = 0; k < count; k++)
            if ((int)kinds[k].severity == severity)
                print_kind(r, &kinds[k], all);
}

static int print_text(const file_report *reports, size_t count, bool all, int code) {
    for (size_t i = 0; i < count; i++) {
        const file_report *r = &reports[i];
        size_t totals[3] = {0};
        for (size_t k = 0; k < r->count; k++)
            totals[r->findings[k].severity]++;
        printf("%s: errors %zu, warnings %zu, notes %zu\n", cli_file_name(r->path), totals[0],
               totals[1], totals[2]);
        print_findings(r, all);
    }
    return cli_print("", 0) == CLI_DONE ? code : CLI_FAILED;
}

/* 2 when a file could not be checked, though the others were; else 1 when there is an error. */
static int exit_code(const file_report *reports, size_t count) {
    int code = CLI_DONE;
    for (size_t i = 0; i < count; i++) {
        const file_report *r = &reports[i];
        if (r->no_memory)
            code = cli_fail(cli_file_name(r->path), "no memory for its findings");
        else if (r->unreadable)
            code = cli_fail(cli_file_name(r->path), "%s (%s)", r->findings[0].message,
                            r->findings[0].id);
        for (size_t k = 0; k < r->count && code == CLI_DONE; k++)
            if (r->findings[k].severity == SN_SEVERITY_ERROR)
                code = CLI_FINDINGS;
    }
    return code;
}

int cli_check(int argc, char **argv) {
    bool json = false, all = false;
    uint32_t jobs = 0;
    const cli_option options[] = {
        {.name = "jobs",
         .letter = 'j',
         .value = "N",
         .count = &jobs,
         .help = "files at the same time; one for each processor without it"},
        {.name = "all", .flag = &all, .help = "every finding, also the fourth of a kind"},
        {.name = "json", .flag = &json, .help = "one JSON document with all findings"},
    };
    const cli_syntax syntax = {
        .verb = "check",
        .operands = "FILE…",
        .operand_min = 1,
        .operand_max = 1 << 20,
        .summary = "Says what is wrong or unusual in skeletons, skins, weights, clips and keys.",
        .details =
            "docs/check.md lists all findings. Exit code: 0 no file has an error; 1 one has;\n"
            "2 a file could not be opened (the others are checked all the same).",
        .example = "sinew check build/samples/mannequin.glb",
        .options = options,
        .option_count = sizeof options / sizeof *options,
    };
    int operands;
    int code = cli_parse(&syntax, argc, argv, &operands);
    if (code != CLI_RUN)
        return code;
    if (!jobs) {
        long processors = sysconf(_SC_NPROCESSORS_ONLN);
        jobs = processors > 0 ? (uint32_t)processors : 1;
    }
    if (jobs > MAX_JOBS)
        jobs = MAX_JOBS;
    size_t count = (size_t)operands;
    file_report *reports = calloc(count, sizeof *reports);
    if (!reports)
        return cli_fail("check", "no memory for %zu files", count);
    for (size_t i = 0; i < count; i++)
        reports[i].path = argv[i];
    check_all(reports, count, jobs);
    code = exit_code(reports, count);
    code = json ? print_json(reports, count, code) : print_text(reports, count, all, code);
    for (size_t i = 0; i < count; i++)
        sn_arena_free(&reports[i].arena);
    free(reports);
    return code;
}
