/* Skins (glTF 2.0, 3.7.3). */
#include <math.h>

#include "gltf/internal.h"

static sn_result read_matrices(sn_reader *r, uint32_t value, uint32_t index, sn_skin *skin) {
    const sn_gltf_accessor *accessor = &r->gltf->accessors[index];
    if (accessor->component_type != 5126 || accessor->columns != 4)
        return sn_reader_fail(r, SN_MESSAGE_ACCESSOR_TYPE, value,
                              "inverse bind matrices are MAT4 of FLOAT (5126)");
    if (accessor->count < skin->joint_count)
        return sn_reader_fail(r, SN_MESSAGE_SKIN_MATRICES, value,
                              "%u inverse bind matrices for %u joints", accessor->count,
                              skin->joint_count);
    const float *floats;
    sn_result result = sn_reader_decode_floats(r, index, &floats);
    if (result || accessor->missing)
        return result;
    sn_affine *matrices = SN_ARENA_NEW(r->arena, sn_affine, skin->joint_count);
    if (!matrices)
        return sn_reader_no_memory(r);
    uint32_t odd = SN_NONE;
    for (uint32_t i = 0; i < skin->joint_count; i++) {
        const float *m = floats + (size_t)i * 16;
        matrices[i] = sn_affine_from_matrix(m);
        /* rounding leaves traces there, which mean nothing */
        bool affine = fabsf(m[3]) + fabsf(m[7]) + fabsf(m[11]) + fabsf(m[15] - 1) < 1e-4f;
        if (!affine && odd == SN_NONE)
            odd = i;
    }
    if (odd != SN_NONE)
        sn_reader_warn(r, SN_MESSAGE_SKIN_MATRICES, value,
                       "the last row of matrix %u is not 0 0 0 1 and is taken as such", odd);
    skin->inverse_bind = matrices;
    return SN_OK;
}

static sn_result read_skin(sn_reader *r, uint32_t value, sn_skin *skin) {
    enum { MATRICES, SKELETON, JOINTS, NAME, COUNT };
    static const sn_member members[COUNT] = {
        [MATRICES] = SN_MEMBER("inverseBindMatrices", SN_IS(NUMBER)),
        [SKELETON] = SN_MEMBER("skeleton", SN_IS(NUMBER)),
        [JOINTS] = SN_MEMBER("joints", SN_IS(ARRAY) | SN_REQUIRED),
        [NAME] = SN_MEMBER("name", SN_IS(STRING)),
    };
    const sn_gltf *gltf = r->gltf;
    uint32_t values[COUNT], accessor;
    sn_result result = sn_reader_members(r, value, members, COUNT, values);
    if (!result)
        result = sn_reader_index(r, values[MATRICES], gltf->count[SN_ROOT_ACCESSORS], "accessor",
                                 &accessor);
    if (!result)
        result = sn_reader_index(r, values[SKELETON], gltf->model.node_count, "node",
                                 &skin->skeleton_root);
    if (!result)
        result = sn_reader_indices(r, values[JOINTS], gltf->model.node_count, "node", &skin->joints,
                                   &skin->joint_count);
    if (result)
        return result;
    skin->name = sn_reader_string(r, values[NAME]);
    if (!skin->name)
        return sn_reader_no_memory(r);
    return accessor == SN_NONE ? SN_OK : read_matrices(r, values[MATRICES], accessor, skin);
}

sn_result sn_reader_skins(sn_reader *r) {
    sn_gltf *gltf = r->gltf;
    uint32_t count = gltf->count[SN_ROOT_SKINS];
    sn_skin *skins = SN_ARENA_NEW(r->arena, sn_skin, count);
    if (!skins)
        return sn_reader_no_memory(r);
    uint32_t value = gltf->root[SN_ROOT_SKINS] + 1;
    for (uint32_t i = 0; i < count; i++, value = r->json->nodes[value].next) {
        sn_result result = read_skin(r, value, &skins[i]);
        if (result)
            return result;
    }
    gltf->model.skins = skins;
    gltf->model.skin_count = count;
    return SN_OK;
}
