#include <string.h>

#include "base/error.h"
#include "model/prepared.h"

struct sn_instance {
    const sn_prepared_model *prepared;
    sn_arena arena; /* holds the instance itself too */
    size_t bytes;
    sn_pose pose;
    float *weights;
    sn_affine *world;
    sn_affine *joint_matrices;
    void *scratch;
};

/* Everything lies in one block, so that a frame walks over memory that belongs together. */
static bool lay_out(sn_instance *instance, char *memory, size_t *size) {
    const sn_prepared_model *prepared = instance->prepared;
    const size_t parts[] = {
        sn_pose_size(prepared->skeleton),
        prepared->model->node_count * sizeof(sn_affine),
        prepared->joint_matrix_count * sizeof(sn_affine),
        prepared->weight_count * sizeof(float),
        prepared->scratch_size,
    };
    enum { PARTS = sizeof parts / sizeof *parts };
    char *places[PARTS];
    size_t at = 0;
    for (int i = 0; i < PARTS; i++) {
        places[i] = memory ? memory + at : NULL;
        if (parts[i] > SIZE_MAX / 2 - at)
            return false;
        at += (parts[i] + 63) / 64 * 64;
    }
    *size = at;
    instance->pose.data = (float *)(void *)places[0];
    instance->world = (sn_affine *)(void *)places[1];
    instance->joint_matrices = (sn_affine *)(void *)places[2];
    instance->weights = (float *)(void *)places[3];
    instance->scratch = places[4];
    return true;
}

sn_result sn_instance_create(const sn_prepared_model *prepared, const sn_allocator *allocator,
                             sn_instance **out, sn_error *error) {
    sn_instance measured = {.prepared = prepared};
    sn_arena arena;
    sn_arena_init(&arena, allocator);
    size_t head = (sizeof(sn_instance) + 63) / 64 * 64, size;
    char *memory = lay_out(&measured, NULL, &size) ? sn_arena_alloc(&arena, 1, head + size) : NULL;
    if (!memory)
        return sn_fail(error, SN_MESSAGE_MEMORY, NULL, "no memory for an instance");
    sn_instance *instance = (sn_instance *)(void *)memory;
    instance->prepared = prepared;
    instance->arena = arena;
    instance->bytes = head + size;
    lay_out(instance, memory + head, &size);
    sn_instance_sample_rest(instance);
    sn_instance_update_hierarchy(instance, NULL);
    sn_instance_update_joint_matrices(instance);
    *out = instance;
    return SN_OK;
}

void sn_instance_free(sn_instance *instance) {
    if (!instance)
        return;
    sn_arena arena = instance->arena; /* the instance lies in its own arena */
    sn_arena_free(&arena);
}

size_t sn_instance_bytes(const sn_instance *instance) {
    return instance->bytes;
}

static void rest_weights(sn_instance *instance) {
    const sn_prepared_model *prepared = instance->prepared;
    memcpy(instance->weights, prepared->rest_weights, prepared->weight_count * sizeof(float));
}

static void sample_weight_track(sn_instance *instance, const sn_track *track, float time) {
    const sn_prepared_model *prepared = instance->prepared;
    const sn_model *model = prepared->model;
    if (track->path == SN_PATH_WEIGHTS && track->node < model->node_count &&
        track->width == model->nodes[track->node].weight_count)
        sn_track_evaluate(track, time, instance->weights + prepared->weight_offsets[track->node]);
}

void sn_instance_sample_rest(sn_instance *instance) {
    sn_pose_rest(instance->prepared->skeleton, instance->pose);
    rest_weights(instance);
}

void sn_instance_sample_clip(sn_instance *instance, const sn_clip *clip, float time) {
    sn_clip_sample(instance->prepared->skeleton, clip, time, instance->pose);
    rest_weights(instance);
    for (uint32_t i = 0; i < clip->track_count && instance->prepared->weight_count; i++)
        sample_weight_track(instance, clip->tracks[i], time);
}

void sn_instance_sample_view(sn_instance *instance, const sn_clip_view *view, const sn_clip *clip,
                             float time) {
    sn_clip_view_sample(view, time, instance->pose);
    rest_weights(instance);
    uint32_t count;
    const uint32_t *tracks = sn_clip_view_weight_tracks(view, &count);
    for (uint32_t i = 0; i < count; i++)
        sample_weight_track(instance, clip->tracks[tracks[i]], time);
}

sn_pose sn_instance_pose(sn_instance *instance) {
    return instance->pose;
}

float *sn_instance_weights(sn_instance *instance, uint32_t node, uint32_t *count) {
    if (count)
        *count = instance->prepared->model->nodes[node].weight_count;
    return instance->weights + instance->prepared->weight_offsets[node];
}

void sn_instance_update_hierarchy(sn_instance *instance, const sn_affine *root) {
    sn_hierarchy_update(instance->prepared->skeleton, instance->pose, root, instance->world);
}

void sn_instance_write_joint_matrices(const sn_instance *instance, uint32_t skin, sn_affine *out) {
    const sn_prepared_model *prepared = instance->prepared;
    sn_joint_matrices(prepared->skeleton, &prepared->skins[skin], instance->world, out);
}

void sn_instance_update_joint_matrices(sn_instance *instance) {
    const sn_prepared_model *prepared = instance->prepared;
    for (uint32_t i = 0; i < prepared->model->skin_count; i++)
        sn_instance_write_joint_matrices(instance, i,
                                         instance->joint_matrices + prepared->skin_offsets[i]);
}

const sn_affine *sn_instance_world(const sn_instance *instance) {
    return instance->world;
}

static const sn_affine *world_of_node(const sn_instance *instance, uint32_t node) {
    return &instance->world[sn_skeleton_joint_of_node(instance->prepared->skeleton, node)];
}

void sn_instance_world_matrix(const sn_instance *instance, uint32_t node, float matrix[16]) {
    sn_affine_to_matrix(world_of_node(instance, node), matrix);
}

const sn_affine *sn_instance_joint_matrices(const sn_instance *instance, uint32_t skin) {
    return instance->joint_matrices + instance->prepared->skin_offsets[skin];
}

sn_result sn_instance_skin(sn_instance *instance, uint32_t node, uint32_t primitive,
                           const sn_skin_output *out, sn_error *error) {
    const sn_prepared_model *prepared = instance->prepared;
    const sn_model *model = prepared->model;
    if (node >= model->node_count || model->nodes[node].mesh == SN_NONE ||
        primitive >= model->meshes[model->nodes[node].mesh].primitive_count)
        return sn_fail(error, SN_MESSAGE_ARGUMENT, NULL, "node %u has no primitive %u", node,
                       primitive);
    const sn_node *user = &model->nodes[node];
    const sn_prepared_mesh *meshes = &prepared->meshes[user->mesh];
    const sn_skin_mesh *mesh =
        user->skin != SN_NONE ? meshes->skinned[primitive] : meshes->rigid[primitive];
    if (!mesh)
        return sn_fail(error, SN_MESSAGE_ARGUMENT, NULL,
                       "primitive %u of node %u was read without its geometry", primitive, node);
    const sn_primitive *source = &model->meshes[user->mesh].primitives[primitive];
    bool follows_joints = user->skin != SN_NONE && source->geometry.influence_count;
    sn_skin_input input = {
        .joint_matrices = follows_joints ? sn_instance_joint_matrices(instance, user->skin)
                                         : world_of_node(instance, node),
        /* Targets of one primitive may be fewer than the node's weights only in a file that breaks
         * 3.7.2.2; then no target is known to go with a weight. */
        .morph_weights = user->weight_count >= source->geometry.target_count
                             ? instance->weights + prepared->weight_offsets[node]
                             : NULL,
        .scratch = instance->scratch,
    };
    sn_skin_mesh_update(mesh, &input, out);
    return SN_OK;
}
