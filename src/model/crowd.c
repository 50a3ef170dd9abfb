#include "sinew/crowd.h"

#include "anim/skeleton.h"
#include "base/error.h"
#include "model/prepared.h"

enum { MOST_LANES = 8 };

struct sn_crowd {
    const sn_prepared_model *prepared;
    sn_arena arena; /* holds the crowd itself too */
    size_t bytes;
    sn_pose poses[MOST_LANES];
    float *world; /* of `lanes` characters, see sn_kernels */
};

static uint32_t lanes_of(const sn_crowd *crowd) {
    return crowd->prepared->skeleton->kernels->lanes;
}

static bool allocate(sn_crowd *crowd) {
    const sn_skeleton *skeleton = crowd->prepared->skeleton;
    uint32_t lanes = lanes_of(crowd);
    size_t matrices = ((size_t)skeleton->joint_count + 1) * lanes;
    crowd->bytes = sizeof *crowd + matrices * sizeof(sn_affine) + lanes * sn_pose_size(skeleton);
    crowd->world = SN_ARENA_NEW(&crowd->arena, float, matrices *SN_AFFINE_FLOATS);
    for (uint32_t i = 0; i < lanes; i++) {
        crowd->poses[i].data = SN_ARENA_NEW(&crowd->arena, float, sn_pose_floats(skeleton));
        if (!crowd->poses[i].data)
            return false;
    }
    return crowd->world != NULL;
}

sn_result sn_crowd_create(const sn_prepared_model *prepared, const sn_allocator *allocator,
                          sn_crowd **out, sn_error *error) {
    sn_arena arena;
    sn_arena_init(&arena, allocator);
    sn_crowd *crowd = SN_ARENA_NEW(&arena, sn_crowd, 1);
    if (crowd) {
        crowd->prepared = prepared;
        crowd->arena = arena;
        if (allocate(crowd)) {
            *out = crowd;
            return SN_OK;
        }
        sn_crowd_free(crowd);
    }
    return sn_fail(error, SN_MESSAGE_MEMORY, NULL, "no memory for a crowd");
}

void sn_crowd_free(sn_crowd *crowd) {
    if (!crowd)
        return;
    sn_arena arena = crowd->arena; /* the crowd lies in its own arena */
    sn_arena_free(&arena);
}

size_t sn_crowd_bytes(const sn_crowd *crowd) {
    return crowd->bytes;
}

uint32_t sn_crowd_matrix_count(const sn_crowd *crowd) {
    return crowd->prepared->joint_matrix_count;
}

static void sample(const sn_skeleton *skeleton, const sn_crowd_member *member, sn_pose pose) {
    if (member->view)
        sn_clip_view_sample(member->view, member->time, pose);
    else if (member->clip)
        sn_clip_sample(skeleton, member->clip, member->time, pose);
    else
        sn_pose_rest(skeleton, pose);
}

/* As many members as there are lanes, or fewer: the lanes that are left do as the last member's
 * does, and write the same once more. */
static void evaluate_lanes(sn_crowd *crowd, const sn_crowd_member *members, size_t count) {
    const sn_prepared_model *prepared = crowd->prepared;
    const sn_skeleton *skeleton = prepared->skeleton;
    const sn_affine identity = sn_affine_identity();
    const float *poses[MOST_LANES];
    const sn_affine *roots[MOST_LANES];
    sn_affine *out[MOST_LANES];
    for (size_t lane = 0; lane < lanes_of(crowd); lane++) {
        size_t i = lane < count ? lane : count - 1;
        if (lane < count)
            sample(skeleton, &members[i], crowd->poses[i]);
        poses[lane] = crowd->poses[i].data;
        roots[lane] = members[i].root ? members[i].root : &identity;
        out[lane] = members[i].joint_matrices;
    }
    skeleton->kernels->crowd_hierarchy(skeleton, poses, roots, crowd->world);
    for (uint32_t skin = 0; skin < prepared->model->skin_count; skin++) {
        const sn_skin_binding *binding = &prepared->skins[skin];
        skeleton->kernels->crowd_multiply(crowd->world, binding->joints, binding->inverse_bind,
                                          binding->joint_count, out);
        for (size_t lane = 0; lane < lanes_of(crowd); lane++)
            out[lane] += binding->joint_count;
    }
}

void sn_crowd_evaluate(sn_crowd *crowd, const sn_crowd_member *members, size_t count) {
    size_t lanes = lanes_of(crowd);
    for (size_t first = 0; first < count; first += lanes)
        evaluate_lanes(crowd, members + first, count - first < lanes ? count - first : lanes);
}
