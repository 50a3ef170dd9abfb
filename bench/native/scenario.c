#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/native/scenario.h"

#define NONE SN_NONE
/* clang-format off */
const uint32_t scenario_parents[SCENARIO_JOINTS] = {
    NONE, 0, 1, 2, 3,                           /* root, hips, spine, chest, upper chest */
    4, 5, 6, 6, 6,                              /* neck, head, eyes, jaw */
    6, 10, 11, 6, 13, 14, 6, 16, 17, 6, 19, 20, /* four strands of hair */
    4, 22, 23, 24,                              /* left shoulder, upper arm, lower arm, hand */
    25, 26, 27, 25, 29, 30, 25, 32, 33, 25, 35, 36, 25, 38, 39, /* its fingers */
    4, 41, 42, 43,                              /* right shoulder to hand */
    44, 45, 46, 44, 48, 49, 44, 51, 52, 44, 54, 55, 44, 57, 58,
    1, 60, 61, 62,                              /* left leg */
    1, 64, 65, 66,                              /* right leg */
};
/* clang-format on */

typedef struct generator {
    uint64_t state;
} generator;

/* SplitMix64, as a number in -1 … 1. */
static double next(generator *g) {
    uint64_t z = (g->state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (double)((z ^ (z >> 31)) >> 11) / 4503599627370496.0 - 1;
}

void *scenario_alloc(size_t bytes) {
    size_t rounded = (bytes + 127) / 64 * 64;
    void *memory = aligned_alloc(64, rounded);
    if (!memory)
        abort();
    return memset(memory, 0, rounded);
}

static void quaternion(const double axis[3], double angle, float out[4]) {
    double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    for (int i = 0; i < 3; i++)
        out[i] = (float)(axis[i] / length * sin(angle / 2));
    out[3] = (float)cos(angle / 2);
}

void scenario_rest(sn_transform rest[SCENARIO_JOINTS]) {
    generator g = {1};
    for (uint32_t joint = 0; joint < SCENARIO_JOINTS; joint++) {
        double axis[3] = {next(&g), next(&g), next(&g)};
        rest[joint] = sn_transform_identity();
        quaternion(axis, next(&g), rest[joint].rotation);
        rest[joint].translation[1] = 0.15f;
    }
}

sn_skeleton *scenario_skeleton(sn_kernel kernel) {
    sn_transform rest[SCENARIO_JOINTS];
    scenario_rest(rest);
    sn_skeleton_desc desc = {
        .node_count = SCENARIO_JOINTS, .parents = scenario_parents, .rest = rest, .kernel = kernel};
    sn_skeleton *skeleton = NULL;
    if (sn_skeleton_create(&desc, NULL, &skeleton, NULL))
        abort();
    return skeleton;
}

/* ---- Clips ---- */

/* Swings of up to 0.6 radians, one to three a second, about an axis of the joint's own. */
static void key_value(sn_path path, generator joint, double time, float *out) {
    double axis[3] = {next(&joint), next(&joint), next(&joint)};
    double speed = 12 + 6 * next(&joint), phase = 3 * next(&joint);
    double swing = sin(time * speed + phase);
    if (path == SN_PATH_ROTATION)
        quaternion(axis, 0.6 * swing, out);
    else
        for (int i = 0; i < 3; i++)
            out[i] = (float)((path == SN_PATH_SCALE ? 1 : 0.1) + 0.02 * swing * axis[i]);
}

static const sn_track *make_track(uint32_t joint, sn_path path, uint32_t key_count,
                                  scenario_times times) {
    sn_track *track = scenario_alloc(sizeof *track);
    uint32_t width = path == SN_PATH_ROTATION ? 4 : 3, kept = 0;
    float *key_times = scenario_alloc(key_count * sizeof *key_times);
    float *values = scenario_alloc((size_t)key_count * width * sizeof *values);
    generator choice = {joint * 10 + (uint32_t)path + 100};
    for (uint32_t key = 0; key < key_count; key++) {
        bool is_end = key == 0 || key + 1 == key_count;
        if (times == SCENARIO_PRIVATE_TIMES && !is_end && next(&choice) < 0)
            continue;
        key_times[kept] = (float)key / 30;
        key_value(path, (generator){joint + 7}, (double)key / 30, values + (size_t)kept * width);
        kept++;
    }
    *track = (sn_track){.node = joint,
                        .path = path,
                        .interpolation = SN_LINEAR,
                        .width = width,
                        .key_count = kept,
                        .times = key_times,
                        .values = values,
                        .origin = SN_NONE};
    return track;
}

sn_clip *scenario_clip(uint32_t key_count, scenario_times times) {
    static const sn_path paths[] = {SN_PATH_TRANSLATION, SN_PATH_ROTATION, SN_PATH_SCALE};
    sn_clip *clip = scenario_alloc(sizeof *clip);
    const sn_track **tracks = scenario_alloc(SCENARIO_JOINTS * 3 * sizeof(sn_track *));
    for (uint32_t i = 0; i < SCENARIO_JOINTS * 3; i++)
        tracks[i] = make_track(i / 3, paths[i % 3], key_count, times);
    clip->name = "swing";
    clip->track_count = SCENARIO_JOINTS * 3;
    clip->tracks = tracks;
    clip->duration = (float)(key_count - 1) / 30;
    clip->origin = SN_NONE;
    return clip;
}

void scenario_free_clip(sn_clip *clip) {
    for (uint32_t i = 0; i < clip->track_count; i++) {
        free((void *)(uintptr_t)clip->tracks[i]->times);
        free((void *)(uintptr_t)clip->tracks[i]->values);
        free((void *)(uintptr_t)clip->tracks[i]);
    }
    free((void *)(uintptr_t)clip->tracks);
    free(clip);
}

/* ---- Meshes ---- */

scenario_mesh *scenario_make_mesh(uint32_t influence_count) {
    generator g = {5};
    scenario_mesh *mesh = scenario_alloc(sizeof *mesh);
    float *positions = scenario_alloc(SCENARIO_VERTICES * 3 * sizeof *positions);
    float *normals = scenario_alloc(SCENARIO_VERTICES * 3 * sizeof *normals);
    float *tangents = scenario_alloc(SCENARIO_VERTICES * 4 * sizeof *tangents);
    float *weights = scenario_alloc(SCENARIO_VERTICES * 4 * sizeof *weights);
    uint16_t *joints = scenario_alloc(SCENARIO_VERTICES * 4 * sizeof *joints);
    for (uint32_t v = 0; v < SCENARIO_VERTICES; v++) {
        double axis[3] = {next(&g), next(&g), next(&g)}, sum = 0;
        float unit[4];
        quaternion(axis, 3.14159265358979, unit);
        memcpy(normals + (size_t)v * 3, unit, 3 * sizeof *unit);
        memcpy(tangents + (size_t)v * 4, (float[]){unit[1], -unit[0], 0, 1}, 4 * sizeof *unit);
        for (uint32_t i = 0; i < 3; i++)
            positions[v * 3 + i] = (float)next(&g);
        double shares[4];
        for (uint32_t i = 0; i < influence_count; i++)
            sum += shares[i] = 1.1 + next(&g);
        /* Neighbouring vertices follow neighbouring joints, as in a real mesh. */
        uint32_t first = (uint32_t)((uint64_t)v * SCENARIO_JOINTS / SCENARIO_VERTICES);
        for (uint32_t i = 0; i < influence_count; i++) {
            weights[v * 4 + i] = (float)(shares[i] / sum);
            joints[v * 4 + i] = (uint16_t)((first + i * 2) % SCENARIO_JOINTS);
        }
    }
    for (uint32_t joint = 0; joint < SCENARIO_JOINTS; joint++) {
        sn_transform t = sn_transform_identity();
        double axis[3] = {next(&g), next(&g), next(&g)};
        quaternion(axis, next(&g), t.rotation);
        for (int i = 0; i < 3; i++)
            t.translation[i] = (float)next(&g);
        mesh->joint_matrices[joint] = sn_affine_from_transform(&t);
    }
    mesh->geometry = (sn_geometry){.vertex_count = SCENARIO_VERTICES,
                                   .positions = positions,
                                   .normals = normals,
                                   .tangents = tangents,
                                   .influence_count = 4,
                                   .joints = joints,
                                   .weights = weights};
    return mesh;
}

void scenario_free_mesh(scenario_mesh *mesh) {
    free((void *)(uintptr_t)mesh->geometry.positions);
    free((void *)(uintptr_t)mesh->geometry.normals);
    free((void *)(uintptr_t)mesh->geometry.tangents);
    free((void *)(uintptr_t)mesh->geometry.joints);
    free((void *)(uintptr_t)mesh->geometry.weights);
    free(mesh);
}

/* ---- Times ---- */

void scenario_fill_times(scenario_order order, float duration, float *times, uint32_t count) {
    generator g = {11};
    for (uint32_t i = 0; i < count; i++) {
        double at = fmod((double)i / 60, (double)duration);
        if (order == SCENARIO_BACKWARD)
            at = (double)duration - at;
        if (order == SCENARIO_RANDOM)
            at = (next(&g) * 0.5 + 0.5) * (double)duration;
        times[i] = (float)at;
    }
}

/* ---- Limbs ---- */

static void fill_limb(generator *g, scenario_limbs *limbs, uint32_t at) {
    float(*n)[SCENARIO_LIMBS] = limbs->numbers;
    double upper = 0.3 + 0.05 * next(g), fore = 0.3 + 0.05 * next(g), flexion = 0.6 + 0.5 * next(g);
    double reach = (upper + fore) * (0.6 + 0.45 * next(g)), turn = 3 * next(g), rise = next(g);
    n[0][at] = (float)upper;
    n[3][at] = (float)(fore * cos(flexion));
    n[5][at] = (float)(fore * sin(flexion));
    n[6][at] = (float)(reach * cos(rise) * cos(turn));
    n[7][at] = (float)(reach * sin(rise));
    n[8][at] = (float)(reach * cos(rise) * sin(turn));
    n[10][at] = -1;
}

scenario_limbs *scenario_make_limbs(void) {
    scenario_limbs *limbs = scenario_alloc(sizeof *limbs);
    generator g = {5};
    for (uint32_t at = 0; at < SCENARIO_LIMBS; at++)
        fill_limb(&g, limbs, at);
    float(*n)[SCENARIO_LIMBS] = limbs->numbers;
    sn_two_bone_batch *batch = &limbs->batch;
    batch->count = SCENARIO_LIMBS;
    for (int i = 0; i < 3; i++) {
        batch->upper[i] = n[i];
        batch->fore[i] = n[3 + i];
        batch->target[i] = n[6 + i];
        batch->pole[i] = n[9 + i];
    }
    for (int i = 0; i < 4; i++) {
        batch->root[i] = n[12 + i];
        batch->middle[i] = n[16 + i];
    }
    batch->residual = n[20];

    for (int i = 0; i < 3; i++)
        limbs->joints[i] = sn_transform_identity();
    for (int i = 0; i < 3; i++) {
        limbs->joints[1].translation[i] = n[i][0];
        limbs->joints[2].translation[i] = n[3 + i][0];
        limbs->job.target[i] = n[6 + i][0];
    }
    limbs->options = (sn_two_bone_options){.bend = SN_BEND_POSITION, .pole = {0, -1, 0}};
    limbs->job.parent_world = sn_affine_identity();
    limbs->job.joints = limbs->joints;
    limbs->job.joint_count = 3;
    limbs->job.middle = 1;
    limbs->job.weight = 1;
    limbs->job.options = &limbs->options;
    return limbs;
}
