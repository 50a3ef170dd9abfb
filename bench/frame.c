/* What bench/web/native.bench.mjs compares the WebAssembly core with: whole frames (sampling a
 * clip's view, local to world, joint matrices) at 60 Hz, and skinning.
 *
 *   frame [FILE [CHARACTERS]]
 *
 * Prints for each kernel of this machine: its name, nanoseconds a character and frame, one after
 * the other by an instance and side by side by a crowd, nanoseconds a vertex for positions (0 when
 * no node has a skin). */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "sinew/crowd.h"
#include "sinew/gltf.h"

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void fail(const char *what) {
    fprintf(stderr, "frame: %s\n", what);
    exit(2);
}

typedef struct scene {
    const sn_clip *clip;
    sn_clip_view *view;
    sn_instance *instance;
    sn_crowd *crowd;
    sn_crowd_member *members;
    unsigned count;
} scene;

static float time_of(const scene *s, unsigned i, float time) {
    float duration = s->clip->duration, own = time + duration * (float)i / (float)s->count;
    return sn_clip_time(duration, own, 1, SN_LOOP_REPEAT);
}

static void one_by_one(const scene *s, float time) {
    for (unsigned i = 0; i < s->count; i++) {
        sn_instance_sample_view(s->instance, s->view, s->clip, time_of(s, i, time));
        sn_instance_update_hierarchy(s->instance, NULL);
        sn_instance_update_joint_matrices(s->instance);
    }
}

static void side_by_side(const scene *s, float time) {
    for (unsigned i = 0; i < s->count; i++)
        s->members[i].time = time_of(s, i, time);
    sn_crowd_evaluate(s->crowd, s->members, s->count);
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

enum { SAMPLES = 21 };

static double median(double samples[SAMPLES]) {
    qsort(samples, SAMPLES, sizeof *samples, compare);
    return samples[SAMPLES / 2];
}

static double measure_frames(const scene *s, void (*advance)(const scene *s, float time)) {
    double samples[SAMPLES];
    unsigned frames = 1 + 2000 / s->count;
    float time = 0;
    for (int i = -1; i < SAMPLES; i++) { /* the first warms up */
        double start = now();
        for (unsigned frame = 0; frame < frames; frame++, time += 1.0f / 60)
            advance(s, time);
        if (i >= 0)
            samples[i] = (now() - start) / frames / s->count;
    }
    return median(samples);
}

/* The first primitive of the first node with a skin. */
static double measure_skin(const scene *s, const sn_model *model) {
    uint32_t node = 0;
    while (node < model->node_count &&
           (model->nodes[node].skin == SN_NONE || model->nodes[node].mesh == SN_NONE))
        node++;
    if (node == model->node_count)
        return 0;
    const sn_geometry *geometry = &model->meshes[model->nodes[node].mesh].primitives[0].geometry;
    size_t count = geometry->vertex_count;
    sn_skin_output out = {.positions = malloc(count * 3 * sizeof(float))};
    if (!out.positions)
        fail("there is not enough memory");
    double samples[SAMPLES];
    size_t times = 1 + 200000 / (count + 1);
    for (int i = -1; i < SAMPLES; i++) {
        double start = now();
        for (size_t k = 0; k < times; k++)
            if (sn_instance_skin(s->instance, node, 0, &out, NULL))
                fail("the mesh cannot be skinned");
        if (i >= 0)
            samples[i] = (now() - start) / (double)(times * count);
    }
    free(out.positions);
    return median(samples);
}

static void make_members(scene *s) {
    uint32_t matrices = sn_crowd_matrix_count(s->crowd);
    size_t size = ((size_t)s->count * matrices * sizeof(sn_affine) + 63) / 64 * 64;
    sn_affine *out = aligned_alloc(64, size + 64);
    s->members = calloc(s->count, sizeof *s->members);
    if (!out || !s->members)
        fail("there is not enough memory");
    for (unsigned i = 0; i < s->count; i++)
        s->members[i] = (sn_crowd_member){
            .clip = s->clip, .view = s->view, .joint_matrices = out + (size_t)i * matrices};
}

static void run(const sn_model *model, unsigned count, sn_kernel kernel) {
    sn_prepared_model *prepared;
    sn_error error;
    if (sn_prepared_model_create(model, kernel, NULL, &prepared, &error))
        return; /* not on this machine */
    scene s = {.clip = &model->clips[0], .count = count};
    if (sn_clip_view_create(sn_prepared_model_skeleton(prepared), s.clip, NULL, &s.view, &error) ||
        sn_instance_create(prepared, NULL, &s.instance, &error) ||
        sn_crowd_create(prepared, NULL, &s.crowd, &error))
        fail(error.text);
    make_members(&s);
    double alone = measure_frames(&s, one_by_one), together = measure_frames(&s, side_by_side);
    printf("%s %.1f %.1f %.2f\n", sn_kernel_name(kernel), alone, together, measure_skin(&s, model));
    free(s.members[0].joint_matrices);
    free(s.members);
    sn_crowd_free(s.crowd);
    sn_instance_free(s.instance);
    sn_clip_view_free(s.view);
    sn_prepared_model_free(prepared);
}

int main(int argc, char **argv) {
    const char *path = argc > 1 ? argv[1] : "build/samples/mannequin.glb";
    long count = argc > 2 ? strtol(argv[2], NULL, 10) : 1;
    sn_gltf *gltf;
    sn_error error;
    if (count < 1 || count > 1000000)
        fail("CHARACTERS is a number from 1 to 1000000");
    if (sn_gltf_read_file(path, NULL, &gltf, &error))
        fail(error.text);
    if (!sn_gltf_model(gltf)->clip_count)
        fail("the file has no clip");
    for (sn_kernel kernel = SN_KERNEL_SCALAR; kernel <= SN_KERNEL_AVX2; kernel++)
        run(sn_gltf_model(gltf), (unsigned)count, kernel);
    sn_gltf_free(gltf);
    return 0;
}
