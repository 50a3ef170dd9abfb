#include <string.h>

#include "anim/skeleton.h"
#include "skin/skin_mesh.h"

void sn_joint_matrices(const sn_skeleton *skeleton, const sn_skin_binding *binding,
                       const sn_affine *world, sn_affine *out) {
    if (binding->inverse_bind)
        skeleton->kernels->multiply(world, binding->joints, binding->inverse_bind,
                                    binding->joint_count, out);
    else
        for (uint32_t i = 0; i < binding->joint_count; i++)
            out[i] = world[binding->joints[i]];
}

/* Each part of the scratch memory begins at a multiple of 64 bytes. */
static size_t rounded(size_t bytes) {
    return (bytes + 63) / 64 * 64;
}

static size_t palette_size(const sn_skin_mesh *mesh) {
    return rounded((size_t)mesh->palette_count * SN_PALETTE_FLOATS * sizeof(float));
}

static size_t attribute_size(const sn_skin_mesh *mesh) {
    return rounded(((size_t)mesh->vertex_count + 1) * 4 * sizeof(float));
}

size_t sn_skin_mesh_scratch_size(const sn_skin_mesh *mesh) {
    size_t size = palette_size(mesh);
    for (int i = 0; i < SN_MORPH_ATTRIBUTES && mesh->target_count; i++)
        if (mesh->attributes[i])
            size += attribute_size(mesh);
    return size;
}

static void make_palette(const sn_skin_mesh *mesh, const sn_affine *joint_matrices,
                         float *palette) {
    for (uint32_t i = 0; i < mesh->palette_count; i++) {
        const sn_affine *from = &joint_matrices[mesh->palette_joints[i]];
        float *to = palette + (size_t)i * SN_PALETTE_FLOATS;
        for (int column = 0; column < 4; column++) {
            for (int row = 0; row < 3; row++)
                to[column * 4 + row] = from->m[row][column];
            to[column * 4 + 3] = 0;
        }
    }
}

/* The attribute with every target's share added, or the attribute itself when no target moves it.
 */
static const float *morph(const sn_skin_mesh *mesh, int which, const float *weights, float *to) {
    const float *base = mesh->attributes[which];
    bool moved = false;
    for (uint32_t t = 0; t < mesh->target_count; t++) {
        const sn_morph_deltas *deltas = &mesh->targets[t].attributes[which];
        float weight = weights[t];
        if (weight == 0 || !deltas->count)
            continue;
        if (!moved)
            memcpy(to, base, (size_t)mesh->vertex_count * 4 * sizeof *to);
        moved = true;
        for (uint32_t i = 0; i < deltas->count; i++) {
            float *vertex = to + (size_t)deltas->vertices[i] * 4;
            const float *delta = deltas->deltas + (size_t)i * 4;
            for (int k = 0; k < 4; k++)
                vertex[k] += delta[k] * weight;
        }
    }
    return moved ? to : base;
}

void sn_skin_mesh_update(const sn_skin_mesh *mesh, const sn_skin_input *input,
                         const sn_skin_output *out) {
    char *scratch = input->scratch;
    float *palette = (float *)(void *)scratch;
    make_palette(mesh, input->joint_matrices, palette);
    scratch += palette_size(mesh);

    const float *attributes[SN_MORPH_ATTRIBUTES] = {0};
    const bool wanted[SN_MORPH_ATTRIBUTES] = {true, out->normals != NULL, out->tangents != NULL};
    for (int i = 0; i < SN_MORPH_ATTRIBUTES; i++) {
        if (!wanted[i] || !mesh->attributes[i])
            continue;
        attributes[i] = mesh->attributes[i];
        if (input->morph_weights && mesh->target_count) {
            attributes[i] = morph(mesh, i, input->morph_weights, (float *)(void *)scratch);
            scratch += attribute_size(mesh);
        }
    }

    sn_skin_job job = {
        .palette = palette,
        .positions = attributes[SN_MORPH_POSITIONS],
        .normals = attributes[SN_MORPH_NORMALS],
        .tangents = attributes[SN_MORPH_TANGENTS],
        .order = mesh->order,
        .out = *out,
    };
    for (uint32_t i = 0; i < mesh->partition_count; i++)
        mesh->kernels->skin(&job, &mesh->partitions[i]);
}
