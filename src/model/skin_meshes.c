#include "model/skin_meshes.h"

typedef struct sn_skin_meshes_slot {
    sn_skin_mesh *mesh; /* NULL: the slot is free */
    sn_geometry geometry;
    uint32_t joint_count;
} slot;

bool sn_skin_meshes_init(sn_skin_meshes *meshes, uint64_t most, sn_arena *arena) {
    uint64_t count = 1;
    while (count < 2 * most) /* half of the slots stay free */
        count *= 2;
    if (count > UINT32_MAX)
        return false;
    meshes->slot_count = (uint32_t)count;
    meshes->slots = SN_ARENA_NEW(arena, slot, meshes->slot_count);
    return meshes->slots != NULL;
}

static uint64_t add(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * 0x9E3779B97F4A7C15u; /* 2^64 over the golden ratio, odd */
    return hash ^ hash >> 32;
}

static uint64_t add_array(uint64_t hash, const void *array) {
    return add(hash, (uintptr_t)array);
}

static uint64_t hash_of(const sn_skin_mesh_desc *desc) {
    const sn_geometry *g = desc->geometry;
    uint64_t hash = add(add(desc->joint_count, g->vertex_count), g->influence_count);
    hash = add_array(add_array(add_array(hash, g->positions), g->normals), g->tangents);
    if (g->influence_count)
        hash = add_array(add_array(hash, g->joints), g->weights);
    for (uint32_t i = 0; i < g->target_count; i++) {
        const sn_morph_target *t = &g->targets[i];
        hash = add_array(add_array(add_array(hash, t->positions), t->normals), t->tangents);
    }
    return hash;
}

static bool are_same(const sn_geometry *a, const sn_geometry *b) {
    if (a->vertex_count != b->vertex_count || a->positions != b->positions ||
        a->normals != b->normals || a->tangents != b->tangents ||
        a->influence_count != b->influence_count || a->target_count != b->target_count)
        return false;
    if (a->influence_count && (a->joints != b->joints || a->weights != b->weights))
        return false;
    for (uint32_t i = 0; i < a->target_count && a->targets != b->targets; i++)
        if (a->targets[i].positions != b->targets[i].positions ||
            a->targets[i].normals != b->targets[i].normals ||
            a->targets[i].tangents != b->targets[i].tangents)
            return false;
    return true;
}

sn_skin_mesh **sn_skin_meshes_find(sn_skin_meshes *meshes, const sn_skin_mesh_desc *desc) {
    uint32_t mask = meshes->slot_count - 1, at = (uint32_t)hash_of(desc) & mask;
    slot *s = &meshes->slots[at];
    while (s->mesh &&
           !(s->joint_count == desc->joint_count && are_same(&s->geometry, desc->geometry))) {
        at = (at + 1) & mask;
        s = &meshes->slots[at];
    }
    if (!s->mesh) {
        s->geometry = *desc->geometry;
        s->joint_count = desc->joint_count;
    }
    return &s->mesh;
}
