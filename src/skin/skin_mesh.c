#include <math.h>
#include <string.h>

#include "base/error.h"
#include "skin/skin_mesh.h"

/* A geometry without joints follows one matrix with its whole weight. */
static const uint16_t only_joint = 0;
static const float whole_weight = 1;

typedef struct vertex_influences {
    uint32_t count;
    const uint16_t *joints;
    const float *weights;
    float scale; /* what makes the weights sum to 1 */
} vertex_influences;

/* The weighted sum of 4x4 matrices has the sum of the weights in its corner, and the division by w
 * takes it out again; in 3x4 the weights are divided instead. A vertex without any weight would
 * have no place, so it follows its first joint, as in three.js. */
static vertex_influences influences_of(const sn_skin_mesh_desc *desc, uint32_t vertex) {
    const sn_geometry *geometry = desc->geometry;
    uint32_t count = geometry->influence_count;
    if (!count)
        return (vertex_influences){1, &only_joint, &whole_weight, 1};
    size_t at = (size_t)vertex * count;
    const float *weights = geometry->weights + at;
    double sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += fabs((double)weights[i]);
    if (!(sum > 0) || !isfinite(sum)) {
        bool exists = geometry->joints[at] < desc->joint_count;
        return (vertex_influences){exists, geometry->joints + at, &whole_weight, 1};
    }
    return (vertex_influences){count, geometry->joints + at, weights, (float)(1 / sum)};
}

static sn_result out_of_memory(sn_error *error) {
    return sn_fail(error, SN_MESSAGE_MEMORY, NULL, "no memory to prepare a mesh for skinning");
}

/* Memory that the mesh keeps, counted. */
static void *keep(sn_skin_mesh *mesh, size_t count, size_t size) {
    void *memory = sn_arena_alloc(&mesh->arena, count, size);
    if (memory)
        mesh->bytes += count * size;
    return memory;
}

static sn_result check_joints(const sn_skin_mesh_desc *desc, sn_error *error) {
    const sn_geometry *geometry = desc->geometry;
    for (uint32_t vertex = 0; geometry->influence_count && vertex < geometry->vertex_count;
         vertex++) {
        vertex_influences all = influences_of(desc, vertex);
        for (uint32_t i = 0; i < all.count; i++)
            if (all.weights[i] != 0 && all.joints[i] >= desc->joint_count)
                return sn_fail(error, SN_MESSAGE_REFERENCE, NULL,
                               "vertex %u follows joint %u, but the skin has %u joints", vertex,
                               (uint32_t)all.joints[i], desc->joint_count);
    }
    return SN_OK;
}

/* Partitions are by influence count, and those of one whole influence come before all others. */
static uint32_t class_of(const sn_skin_mesh_desc *desc, uint32_t vertex) {
    vertex_influences all = influences_of(desc, vertex);
    uint32_t used = 0;
    bool is_positive = true;
    for (uint32_t i = 0; i < all.count; i++) {
        used += all.weights[i] != 0;
        is_positive &= all.weights[i] >= 0;
    }
    return used == 1 && is_positive ? 0 : used + 1;
}

static uint32_t rounded(uint32_t count) {
    return (count + SN_SKIN_BATCH - 1) / SN_SKIN_BATCH * SN_SKIN_BATCH;
}

/* Counting sort by class; vertices of one class keep the file's order. */
static bool make_partitions(sn_skin_mesh *mesh, const sn_skin_mesh_desc *desc, sn_arena *scratch) {
    const sn_geometry *geometry = desc->geometry;
    uint32_t classes = (geometry->influence_count ? geometry->influence_count : 1) + 2;
    uint32_t *counts = SN_ARENA_NEW(scratch, uint32_t, classes);
    uint32_t *next = SN_ARENA_NEW(scratch, uint32_t, classes);
    if (!counts || !next)
        return false;
    for (uint32_t vertex = 0; vertex < geometry->vertex_count; vertex++)
        counts[class_of(desc, vertex)]++;
    for (uint32_t c = 0; c < classes; c++) {
        mesh->partition_count += counts[c] != 0;
        next[c] = mesh->vertex_count;
        mesh->vertex_count += rounded(counts[c]);
    }
    mesh->partitions = keep(mesh, mesh->partition_count, sizeof *mesh->partitions);
    mesh->order = keep(mesh, mesh->vertex_count, sizeof *mesh->order);
    if (!mesh->partitions || !mesh->order)
        return false;
    sn_skin_partition *partition = mesh->partitions;
    for (uint32_t c = 0; c < classes; c++)
        if (counts[c])
            *partition++ = (sn_skin_partition){.first = next[c],
                                               .vertex_count = rounded(counts[c]),
                                               .influence_count = c ? c - 1 : 1,
                                               .is_whole = c == 0};
    for (uint32_t vertex = 0; vertex < geometry->vertex_count; vertex++)
        mesh->order[next[class_of(desc, vertex)]++] = vertex;
    for (uint32_t c = 0; c < classes; c++)
        for (; next[c] % SN_SKIN_BATCH; next[c]++)
            mesh->order[next[c]] = mesh->order[next[c] - 1];
    return true;
}

/* The palette holds the joints that this mesh follows and no others: a primitive often follows a
 * few joints of a large skin. */
static bool make_palette(sn_skin_mesh *mesh, const sn_skin_mesh_desc *desc, uint32_t *place,
                         uint32_t joint_count) {
    for (uint32_t vertex = 0; vertex < desc->geometry->vertex_count; vertex++) {
        vertex_influences all = influences_of(desc, vertex);
        for (uint32_t i = 0; i < all.count; i++)
            if (all.weights[i] != 0)
                place[all.joints[i]] = 1;
    }
    for (uint32_t joint = 0; joint < joint_count; joint++)
        mesh->palette_count += place[joint];
    mesh->palette_joints = keep(mesh, mesh->palette_count, sizeof *mesh->palette_joints);
    if (!mesh->palette_joints)
        return false;
    uint32_t next = 0;
    for (uint32_t joint = 0; joint < joint_count; joint++)
        if (place[joint]) {
            mesh->palette_joints[next] = joint;
            place[joint] = next++;
        }
    return true;
}

static bool make_influences(sn_skin_mesh *mesh, const sn_skin_mesh_desc *desc,
                            const uint32_t *place) {
    for (uint32_t p = 0; p < mesh->partition_count; p++) {
        sn_skin_partition *partition = &mesh->partitions[p];
        size_t count = (size_t)partition->vertex_count * partition->influence_count;
        sn_skin_influence *next = keep(mesh, count, sizeof *next);
        if (!next)
            return false;
        partition->influences = next;
        for (uint32_t v = 0; v < partition->vertex_count; v++) {
            vertex_influences all = influences_of(desc, mesh->order[partition->first + v]);
            for (uint32_t i = 0; i < all.count; i++)
                if (all.weights[i] != 0)
                    *next++ = (sn_skin_influence){
                        .offset = place[all.joints[i]] * SN_PALETTE_FLOATS,
                        .weight = partition->is_whole ? 1 : all.weights[i] * all.scale};
        }
    }
    return true;
}

/* Copies an attribute of `width` floats into 4 a vertex; a fourth that is missing is `fourth`. */
static bool make_attribute(sn_skin_mesh *mesh, int which, const float *from, uint32_t width,
                           float fourth) {
    if (!from)
        return true;
    float *to = keep(mesh, (size_t)mesh->vertex_count + 1, 4 * sizeof *to);
    if (!to)
        return false;
    mesh->attributes[which] = to;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        to[v * (size_t)4 + 3] = fourth;
        memcpy(to + v * (size_t)4, from + mesh->order[v] * (size_t)width, width * sizeof *to);
    }
    return true;
}

static bool make_deltas(sn_skin_mesh *mesh, const float *from, sn_morph_deltas *out) {
    if (!from)
        return true;
    uint32_t count = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        const float *d = from + mesh->order[v] * (size_t)3;
        count += d[0] != 0 || d[1] != 0 || d[2] != 0;
    }
    uint32_t *vertices = keep(mesh, count, sizeof *vertices);
    float *deltas = keep(mesh, count, 4 * sizeof *deltas);
    if (!vertices || !deltas)
        return false;
    *out = (sn_morph_deltas){count, vertices, deltas};
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        const float *d = from + mesh->order[v] * (size_t)3;
        if (d[0] != 0 || d[1] != 0 || d[2] != 0) {
            *vertices++ = v;
            memcpy(deltas, d, 3 * sizeof *d);
            deltas += 4;
        }
    }
    return true;
}

static bool make_morphs(sn_skin_mesh *mesh, const sn_geometry *geometry) {
    mesh->target_count = geometry->target_count;
    mesh->targets = keep(mesh, geometry->target_count, sizeof *mesh->targets);
    if (!mesh->targets)
        return false;
    for (uint32_t t = 0; t < geometry->target_count; t++) {
        const sn_morph_target *target = &geometry->targets[t];
        const float *from[SN_MORPH_ATTRIBUTES] = {target->positions, target->normals,
                                                  target->tangents};
        for (int i = 0; i < SN_MORPH_ATTRIBUTES; i++)
            if (mesh->attributes[i] && !make_deltas(mesh, from[i], &mesh->targets[t].attributes[i]))
                return false;
    }
    return true;
}

static bool fill(sn_skin_mesh *mesh, const sn_skin_mesh_desc *desc, sn_arena *scratch) {
    const sn_geometry *geometry = desc->geometry;
    uint32_t joint_count = geometry->influence_count ? desc->joint_count : 1;
    uint32_t *place = SN_ARENA_NEW(scratch, uint32_t, joint_count);
    return place && make_partitions(mesh, desc, scratch) &&
           make_palette(mesh, desc, place, joint_count) && make_influences(mesh, desc, place) &&
           make_attribute(mesh, SN_MORPH_POSITIONS, geometry->positions, 3, 1) &&
           make_attribute(mesh, SN_MORPH_NORMALS, geometry->normals, 3, 0) &&
           make_attribute(mesh, SN_MORPH_TANGENTS, geometry->tangents, 4, 0) &&
           make_morphs(mesh, geometry);
}

sn_result sn_skin_mesh_create(const sn_skin_mesh_desc *desc, const sn_allocator *allocator,
                              sn_skin_mesh **out, sn_error *error) {
    const sn_skin_kernels *kernels = sn_skin_kernels_find(desc->kernel);
    if (!kernels)
        return sn_fail(error, SN_MESSAGE_ARGUMENT, NULL,
                       "this machine or this build lacks the kernel asked for");
    sn_result result = check_joints(desc, error);
    if (result)
        return result;

    sn_arena arena, scratch;
    sn_arena_init(&arena, allocator);
    sn_arena_init(&scratch, allocator);
    sn_skin_mesh *mesh = SN_ARENA_NEW(&arena, sn_skin_mesh, 1);
    if (!mesh)
        return out_of_memory(error);
    mesh->arena = arena;
    mesh->bytes = sizeof *mesh;
    mesh->kernels = kernels;
    bool filled = fill(mesh, desc, &scratch);
    sn_arena_free(&scratch);
    if (!filled) {
        sn_skin_mesh_free(mesh);
        return out_of_memory(error);
    }
    *out = mesh;
    return SN_OK;
}

void sn_skin_mesh_free(sn_skin_mesh *mesh) {
    if (!mesh)
        return;
    sn_arena arena = mesh->arena; /* the mesh lies in its own arena */
    sn_arena_free(&arena);
}

size_t sn_skin_mesh_bytes(const sn_skin_mesh *mesh) {
    return mesh->bytes;
}
