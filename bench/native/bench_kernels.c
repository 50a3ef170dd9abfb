/* Times the runtime's kernels.
 *   bench_kernels [PART-OF-A-NAME]       medians, in nanoseconds a joint, vertex or limb
 *   bench_kernels --list                 every name, the function that runs it, and its units
 *   bench_kernels --run KERNEL N NAME…   runs each N times, for counting instructions
 * Absolute times mean little on a shared machine: compare what one run prints. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/native/scenario.h"

enum { TIMES = 4096, CHARACTERS = 1000, RUNS = 41 };

/* Everything that the benches of one kernel use. */
typedef struct stage {
    sn_kernel kernel;
    sn_skeleton *skeleton;
    sn_clip *clips[3];
    sn_clip_view *views[3]; /* 1.2 s, 20 s, 1.2 s with private times */
    sn_clip_view *long_private_view;
    sn_clip *long_private_clip;
    float forward[TIMES], backward[TIMES], random[TIMES];
    float long_forward[TIMES], long_random[TIMES];
    sn_pose pose, other, blended, crowd;
    sn_affine *world, *crowd_world, *joint_matrices, *inverse_bind;
    uint32_t joints[SCENARIO_JOINTS];
    scenario_mesh *meshes[4];
    sn_skin_mesh *skin_meshes[4];
    void *scratch;
    float *positions, *normals, *tangents;
    scenario_limbs *limbs;
    uint32_t at; /* the next time to sample */
} stage;

static void sample(stage *s, const sn_clip_view *view, const float *times) {
    sn_clip_view_sample(view, times[s->at++ % TIMES], s->pose);
}

static void sample_forward(stage *s) {
    sample(s, s->views[0], s->forward);
}
static void sample_backward(stage *s) {
    sample(s, s->views[0], s->backward);
}
static void sample_random(stage *s) {
    sample(s, s->views[0], s->random);
}
static void sample_long_forward(stage *s) {
    sample(s, s->views[1], s->long_forward);
}
static void sample_long_random(stage *s) {
    sample(s, s->views[1], s->long_random);
}
static void sample_private_forward(stage *s) {
    sample(s, s->views[2], s->forward);
}
static void sample_private_random(stage *s) {
    sample(s, s->views[2], s->random);
}
static void sample_private_long(stage *s) {
    sample(s, s->long_private_view, s->long_random);
}
static void sample_keys(stage *s) {
    sn_clip_sample(s->skeleton, s->clips[0], s->forward[s->at++ % TIMES], s->pose);
}

static void blend_two(stage *s) {
    sn_blend_layer layers[] = {{.pose = s->pose, .weight = 0.4f},
                               {.pose = s->other, .weight = 0.6f}};
    sn_pose_blend(s->skeleton, s->pose, layers, 2, s->blended);
}

static void blend_four(stage *s) {
    sn_blend_layer layers[] = {{.pose = s->pose, .weight = 0.4f},
                               {.pose = s->other, .weight = 0.6f},
                               {.pose = s->pose, .weight = 0.5f},
                               {.pose = s->other, .weight = 0.5f, .additive = true}};
    sn_pose_blend(s->skeleton, s->pose, layers, 4, s->blended);
}

static void local_to_world(stage *s) {
    sn_hierarchy_update(s->skeleton, s->pose, NULL, s->world);
}

static void joint_matrices(stage *s) {
    sn_skin_binding binding = {SCENARIO_JOINTS, s->joints, s->inverse_bind};
    sn_joint_matrices(s->skeleton, &binding, s->world, s->joint_matrices);
}

static void skin(stage *s, int influences, bool with_normals, bool with_tangents) {
    sn_skin_input input = {s->meshes[influences - 1]->joint_matrices, NULL, s->scratch};
    sn_skin_output out = {s->positions, with_normals ? s->normals : NULL,
                          with_tangents ? s->tangents : NULL};
    sn_skin_mesh_update(s->skin_meshes[influences - 1], &input, &out);
}

static void skin_1(stage *s) {
    skin(s, 1, false, false);
}
static void skin_2(stage *s) {
    skin(s, 2, false, false);
}
static void skin_3(stage *s) {
    skin(s, 3, false, false);
}
static void skin_4(stage *s) {
    skin(s, 4, false, false);
}
static void skin_1_normals(stage *s) {
    skin(s, 1, true, false);
}
static void skin_4_normals(stage *s) {
    skin(s, 4, true, false);
}
static void skin_4_tangents(stage *s) {
    skin(s, 4, true, true);
}

/* Each character has its own time and its own memory. */
static void crowd(stage *s) {
    size_t pose_floats = sn_pose_size(s->skeleton) / sizeof(float);
    s->at++;
    for (uint32_t i = 0; i < CHARACTERS; i++) {
        sn_pose pose = {s->crowd.data + i * pose_floats};
        sn_clip_view_sample(s->views[0], s->forward[(s->at + i * 17) % TIMES], pose);
        sn_hierarchy_update(s->skeleton, pose, NULL, s->crowd_world + (size_t)i * SCENARIO_JOINTS);
    }
}

static void solve_limbs(stage *s) {
    sn_two_bone_batch_solve(&s->limbs->batch, s->kernel);
}

static void solve_one_limb(stage *s) {
    sn_two_bone_batch one = s->limbs->batch;
    one.count = 1;
    sn_two_bone_batch_solve(&one, s->kernel);
}

static void solve_chain(stage *s) {
    sn_two_bone_output out;
    if (sn_two_bone_solve(&s->limbs->job, &out, NULL))
        abort();
}

typedef struct bench {
    const char *name, *unit;
    void (*run)(stage *);
    const char *function;
    uint32_t units;
} bench;

#define RUN(function) function, #function
static const bench benches[] = {
    {"sample forward 60 Hz, 1.2 s", "joint", RUN(sample_forward), SCENARIO_JOINTS},
    {"sample backward, 1.2 s", "joint", RUN(sample_backward), SCENARIO_JOINTS},
    {"sample random, 1.2 s", "joint", RUN(sample_random), SCENARIO_JOINTS},
    {"sample forward 60 Hz, 20 s", "joint", RUN(sample_long_forward), SCENARIO_JOINTS},
    {"sample random, 20 s", "joint", RUN(sample_long_random), SCENARIO_JOINTS},
    {"sample private times forward, 1.2 s", "joint", RUN(sample_private_forward), SCENARIO_JOINTS},
    {"sample private times random, 1.2 s", "joint", RUN(sample_private_random), SCENARIO_JOINTS},
    {"sample private times random, 20 s", "joint", RUN(sample_private_long), SCENARIO_JOINTS},
    {"sample from keys forward, 1.2 s", "joint", RUN(sample_keys), SCENARIO_JOINTS},
    {"blend two", "joint", RUN(blend_two), SCENARIO_JOINTS},
    {"blend four, one additive", "joint", RUN(blend_four), SCENARIO_JOINTS},
    {"local to world", "joint", RUN(local_to_world), SCENARIO_JOINTS},
    {"joint matrices", "joint", RUN(joint_matrices), SCENARIO_JOINTS},
    {"skin 1 influence, P", "vertex", RUN(skin_1), SCENARIO_VERTICES},
    {"skin 2 influences, P", "vertex", RUN(skin_2), SCENARIO_VERTICES},
    {"skin 3 influences, P", "vertex", RUN(skin_3), SCENARIO_VERTICES},
    {"skin 4 influences, P", "vertex", RUN(skin_4), SCENARIO_VERTICES},
    {"skin 1 influence, P N", "vertex", RUN(skin_1_normals), SCENARIO_VERTICES},
    {"skin 4 influences, P N", "vertex", RUN(skin_4_normals), SCENARIO_VERTICES},
    {"skin 4 influences, P N T", "vertex", RUN(skin_4_tangents), SCENARIO_VERTICES},
    {"1,000 characters, sample and local to world", "joint", RUN(crowd),
     CHARACTERS *SCENARIO_JOINTS},
    {"two-bone IK, a batch of 64", "limb", RUN(solve_limbs), SCENARIO_LIMBS},
    {"two-bone IK, a batch of one", "limb", RUN(solve_one_limb), 1},
    {"two-bone IK of a chain, in double", "limb", RUN(solve_chain), 1},
};
#undef RUN
enum { BENCHES = sizeof benches / sizeof *benches };

static sn_clip_view *make_view(const stage *s, const sn_clip *clip) {
    sn_clip_view *view = NULL;
    if (sn_clip_view_create(s->skeleton, clip, NULL, &view, NULL))
        abort();
    return view;
}

static stage *set_up(sn_kernel kernel) {
    stage *s = scenario_alloc(sizeof *s);
    s->kernel = kernel;
    s->skeleton = scenario_skeleton(kernel);
    s->clips[0] = scenario_clip(37, SCENARIO_SHARED_TIMES);
    s->clips[1] = scenario_clip(601, SCENARIO_SHARED_TIMES);
    s->clips[2] = scenario_clip(37, SCENARIO_PRIVATE_TIMES);
    s->long_private_clip = scenario_clip(601, SCENARIO_PRIVATE_TIMES);
    for (int i = 0; i < 3; i++)
        s->views[i] = make_view(s, s->clips[i]);
    s->long_private_view = make_view(s, s->long_private_clip);
    scenario_fill_times(SCENARIO_FORWARD, s->clips[0]->duration, s->forward, TIMES);
    scenario_fill_times(SCENARIO_BACKWARD, s->clips[0]->duration, s->backward, TIMES);
    scenario_fill_times(SCENARIO_RANDOM, s->clips[0]->duration, s->random, TIMES);
    scenario_fill_times(SCENARIO_FORWARD, s->clips[1]->duration, s->long_forward, TIMES);
    scenario_fill_times(SCENARIO_RANDOM, s->clips[1]->duration, s->long_random, TIMES);

    size_t pose_size = sn_pose_size(s->skeleton);
    s->pose.data = scenario_alloc(pose_size);
    s->other.data = scenario_alloc(pose_size);
    s->blended.data = scenario_alloc(pose_size);
    s->crowd.data = scenario_alloc(pose_size * CHARACTERS);
    s->world = scenario_alloc(SCENARIO_JOINTS * sizeof *s->world);
    s->crowd_world = scenario_alloc((size_t)CHARACTERS * SCENARIO_JOINTS * sizeof *s->world);
    s->joint_matrices = scenario_alloc(SCENARIO_JOINTS * sizeof *s->world);
    s->inverse_bind = scenario_alloc(SCENARIO_JOINTS * sizeof *s->world);
    sn_clip_view_sample(s->views[0], 0.3f, s->pose);
    sn_clip_view_sample(s->views[0], 0.8f, s->other);
    local_to_world(s);
    for (uint32_t joint = 0; joint < SCENARIO_JOINTS; joint++) {
        s->joints[joint] = sn_skeleton_joint_of_node(s->skeleton, joint);
        sn_affine_inverse(&s->world[s->joints[joint]], &s->inverse_bind[joint]);
    }

    s->limbs = scenario_make_limbs();
    size_t scratch_size = 0;
    for (uint32_t i = 0; i < 4; i++) {
        s->meshes[i] = scenario_make_mesh(i + 1);
        sn_skin_mesh_desc desc = {&s->meshes[i]->geometry, SCENARIO_JOINTS, kernel};
        if (sn_skin_mesh_create(&desc, NULL, &s->skin_meshes[i], NULL))
            abort();
        size_t size = sn_skin_mesh_scratch_size(s->skin_meshes[i]);
        scratch_size = size > scratch_size ? size : scratch_size;
    }
    s->scratch = scenario_alloc(scratch_size);
    s->positions = scenario_alloc(SCENARIO_VERTICES * 3 * sizeof(float));
    s->normals = scenario_alloc(SCENARIO_VERTICES * 3 * sizeof(float));
    s->tangents = scenario_alloc(SCENARIO_VERTICES * 4 * sizeof(float));
    return s;
}

static void tear_down(stage *s) {
    for (int i = 0; i < 3; i++) {
        sn_clip_view_free(s->views[i]);
        scenario_free_clip(s->clips[i]);
    }
    sn_clip_view_free(s->long_private_view);
    scenario_free_clip(s->long_private_clip);
    for (int i = 0; i < 4; i++) {
        sn_skin_mesh_free(s->skin_meshes[i]);
        scenario_free_mesh(s->meshes[i]);
    }
    sn_skeleton_free(s->skeleton);
    void *blocks[] = {s->pose.data, s->other.data,  s->blended.data,   s->crowd.data,
                      s->world,     s->crowd_world, s->joint_matrices, s->inverse_bind,
                      s->scratch,   s->positions,   s->normals,        s->tangents,
                      s->limbs};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        free(blocks[i]);
    free(s);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double timed(stage *s, const bench *b, uint32_t count) {
    double start = now();
    for (uint32_t i = 0; i < count; i++)
        b->run(s);
    return now() - start;
}

/* Runs of about 2 ms each, and their median. */
static double median(stage *s, const bench *b) {
    uint32_t count = 1;
    while (timed(s, b, count) < 2e6)
        count *= 2;
    double runs[RUNS];
    for (int i = 0; i < RUNS; i++)
        runs[i] = timed(s, b, count) / count / b->units;
    qsort(runs, RUNS, sizeof *runs, by_size);
    return runs[RUNS / 2];
}

static const bench *find_bench(const char *name) {
    for (int i = 0; i < BENCHES; i++)
        if (strcmp(benches[i].name, name) == 0)
            return &benches[i];
    return NULL;
}

static bool find_kernel(const char *name, sn_kernel *out) {
    for (int kernel = SN_KERNEL_SCALAR; kernel <= SN_KERNEL_AVX2; kernel++) {
        *out = (sn_kernel)kernel;
        if (strcmp(sn_kernel_name(*out), name) == 0)
            return true;
    }
    return false;
}

static int run_some(const char *kernel_name, uint32_t count, char **names, int name_count) {
    sn_kernel kernel;
    if (!find_kernel(kernel_name, &kernel)) {
        fprintf(stderr, "no kernel %s here\n", kernel_name);
        return 2;
    }
    stage *s = set_up(kernel);
    int missing = 0;
    for (int i = 0; i < name_count; i++) {
        const bench *b = find_bench(names[i]);
        if (!b) {
            fprintf(stderr, "no bench \"%s\"\n", names[i]);
            missing++;
        }
        for (uint32_t n = 0; b && n < count; n++)
            b->run(s);
    }
    tear_down(s);
    return missing ? 2 : 0;
}

int main(int argc, char **argv) {
    if (argc > 3 && strcmp(argv[1], "--run") == 0)
        return run_some(argv[2], (uint32_t)strtoul(argv[3], NULL, 10), argv + 4, argc - 4);
    if (argc == 2 && strcmp(argv[1], "--list") == 0) {
        for (int i = 0; i < BENCHES; i++)
            printf("%s\t%s\t%u\n", benches[i].name, benches[i].function, benches[i].units);
        return 0;
    }
    const char *wanted = argc > 1 ? argv[1] : "";
    stage *stages[3];
    int count = 0;
    for (int kernel = SN_KERNEL_SCALAR; kernel <= SN_KERNEL_AVX2; kernel++)
        if (sn_kernel_name((sn_kernel)kernel)[0])
            stages[count++] = set_up((sn_kernel)kernel);
    printf("%d joints, %d vertices; nanoseconds, medians of %d runs\n", SCENARIO_JOINTS,
           SCENARIO_VERTICES, RUNS);
    printf("%-46s", "");
    for (int i = 0; i < count; i++)
        printf("%14s", sn_kernel_name(stages[i]->kernel));
    printf("\n");
    for (int b = 0; b < BENCHES; b++) {
        if (!strstr(benches[b].name, wanted))
            continue;
        printf("%-46s", benches[b].name);
        for (int i = 0; i < count; i++)
            printf("%14.2f", median(stages[i], &benches[b]));
        printf("  a %s\n", benches[b].unit);
    }
    printf("a limb in a batch: %zu bytes in and out\n",
           sizeof stages[0]->limbs->numbers / SCENARIO_LIMBS);
    static const char *const names[] = {"1.2 s", "20 s", "1.2 s, private times"};
    for (int i = 0; i < count; i++) {
        stage *s = stages[i];
        printf("%s: pose %zu bytes", sn_kernel_name(s->kernel), sn_pose_size(s->skeleton));
        for (int v = 0; v < 3; v++)
            printf("; view %s %zu", names[v], sn_clip_view_bytes(s->views[v]));
        printf("; 20 s, private %zu; skin mesh %zu\n", sn_clip_view_bytes(s->long_private_view),
               sn_skin_mesh_bytes(s->skin_meshes[3]));
        tear_down(s);
    }
    return 0;
}
