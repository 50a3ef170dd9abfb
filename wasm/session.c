#include <string.h>

#include "session.h"

#include "base/error.h"
#define SN_LANES 4
#include "math/simd.h"

static void *resize(session *s, void *block, size_t old_size, size_t new_size) {
    return s->budget.allocator.resize(s->budget.allocator.user, block, old_size, new_size);
}

static sn_result no_memory(session *s) {
    return sn_fail(&s->error, SN_MESSAGE_MEMORY, NULL, "there is not enough memory");
}

session *session_create(const sn_allocator *allocator, size_t limit) {
    session *s = allocator->resize(allocator->user, NULL, 0, sizeof *s);
    if (!s)
        return NULL;
    memset(s, 0, sizeof *s);
    sn_budget_init(&s->budget, allocator, limit ? limit : SIZE_MAX);
    sn_arena_init(&s->arena, &s->budget.allocator);
    sn_text_init(&s->text, &s->budget.allocator);
    return s;
}

void *session_block(session *s, size_t size) {
    return resize(s, NULL, 0, size ? size : 1);
}

void session_block_free(session *s, void *block, size_t size) {
    if (block)
        resize(s, block, size ? size : 1, 0);
}

static void free_supplied(session *s) {
    while (s->supplied) {
        supplied *first = s->supplied;
        s->supplied = first->next;
        session_block_free(s, first->path, first->path_size);
        session_block_free(s, first->bytes, first->size);
        resize(s, first, sizeof *first, 0);
    }
}

void session_free(session *s) {
    views_free(s);
    modifiers_free(s);
    sn_document_release(s->described);
    sn_history_free(s->history);
    sn_instance_free(s->instance);
    sn_prepared_model_free(s->prepared);
    sn_gltf_free(s->gltf);
    sn_gltf_free(s->layout);
    session_block_free(s, s->bytes, s->size);
    free_supplied(s);
    sn_output_free(&s->output);
    sn_text_free(&s->text);
    sn_arena_free(&s->arena);
    if (s->vertices)
        resize(s, s->vertices, s->vertex_capacity * sizeof *s->vertices, 0);
    const sn_allocator *allocator = s->budget.parent;
    allocator->resize(allocator->user, s, sizeof *s, 0);
}

/* ---- Opening ---- */

void session_give(session *s, uint8_t *bytes, size_t size) {
    s->bytes = bytes;
    s->size = size;
}

static sn_result supply(session *s, const supplied *item) {
    supplied *kept = resize(s, NULL, 0, sizeof *kept);
    if (!kept) {
        session_block_free(s, item->path, item->path_size);
        session_block_free(s, item->bytes, item->size);
        return no_memory(s);
    }
    *kept = *item;
    kept->next = s->supplied;
    s->supplied = kept;
    return SN_OK;
}

sn_result session_supply_file(session *s, char *path, size_t path_size, uint8_t *bytes,
                              size_t size) {
    supplied item = {NULL, path, path_size, SN_NONE, bytes, size};
    return supply(s, &item);
}

sn_result session_supply_view(session *s, uint32_t view, uint8_t *bytes, size_t size) {
    supplied item = {NULL, NULL, 0, view, bytes, size};
    return supply(s, &item);
}

/* sn_resource_loader: a copy, since the reader frees what it is given and may ask twice. */
static sn_result load_file(void *user, const char *path, const sn_allocator *allocator,
                           uint8_t **bytes, size_t *size, sn_error *error) {
    const session *s = user;
    const supplied *item = s->supplied;
    while (item && (!item->path || strcmp(item->path, path) != 0))
        item = item->next;
    if (!item)
        return sn_fail(error, SN_MESSAGE_IO_READ, NULL,
                       "the file %s, which this one names, is missing", path);
    *size = item->size;
    if (item->size == 0)
        return SN_OK;
    *bytes = allocator->resize(allocator->user, NULL, 0, item->size);
    if (!*bytes)
        return sn_fail(error, SN_MESSAGE_MEMORY, NULL, "there is not enough memory for %s", path);
    memcpy(*bytes, item->bytes, item->size);
    return SN_OK;
}

/* sn_view_decoder: what the host has decoded. */
static bool find_view(void *user, uint32_t view, uint8_t *out, size_t count, size_t stride,
                      const uint8_t *source, size_t source_size, int mode) {
    (void)source;
    (void)source_size;
    (void)mode;
    session *s = user;
    const supplied *item = s->supplied;
    while (item && (item->path || item->view != view))
        item = item->next;
    if (!item) {
        s->lacks_views = true;
        return false;
    }
    if (item->size != count * stride)
        return false;
    memcpy(out, item->bytes, item->size);
    return true;
}

static sn_result read_file(session *s, bool layout_only, sn_gltf **out) {
    sn_view_decoder decoder = {find_view, s};
    sn_gltf_options options = {
        .allocator = &s->budget.allocator,
        .loader = {load_file, s},
        .decoder = &decoder,
        .borrow = true,
        .layout_only = layout_only,
    };
    return sn_gltf_read(s->bytes, s->size, &options, out, &s->error);
}

sn_result session_list_views(session *s) {
    sn_result result = read_file(s, true, &s->layout);
    return result ? result : describe_views(s);
}

static bool allocate_results(session *s) {
    const sn_model *model = sn_gltf_model(s->gltf);
    s->world = SN_ARENA_NEW(&s->arena, float, (size_t)model->node_count * 16);
    s->nodes = SN_ARENA_NEW(&s->arena, uint32_t, model->node_count);
    s->joint_matrices = SN_ARENA_NEW(&s->arena, float *, model->skin_count);
    if (!s->world || !s->nodes || !s->joint_matrices)
        return false;
    const sn_skeleton *skeleton = sn_prepared_model_skeleton(s->prepared);
    for (uint32_t joint = 0; joint < model->node_count; joint++)
        s->nodes[joint] = sn_skeleton_node_of_joint(skeleton, joint);
    for (uint32_t i = 0; i < model->skin_count; i++) {
        s->joint_matrices[i] =
            SN_ARENA_NEW(&s->arena, float, (size_t)model->skins[i].joint_count * 16);
        if (!s->joint_matrices[i])
            return false;
    }
    return true;
}

sn_result session_open(session *s) {
    const sn_allocator *allocator = &s->budget.allocator;
    sn_gltf_free(s->layout);
    s->layout = NULL;
    s->lacks_views = false;
    sn_result result = read_file(s, false, &s->gltf);
    if (result)
        return result;
    free_supplied(s);
    const sn_model *model = sn_gltf_model(s->gltf);
    result = sn_prepared_model_create(model, SN_KERNEL_BEST, allocator, &s->prepared, &s->error);
    if (result)
        return result;
    result = sn_instance_create(s->prepared, allocator, &s->instance, &s->error);
    if (result)
        return result;
    sn_document *document = NULL;
    result = sn_document_open(s->gltf, allocator, &document, &s->error);
    if (result)
        return result;
    result = sn_history_create(document, NULL, allocator, &s->history, &s->error);
    sn_document_release(document);
    if (result)
        return result;
    if (!allocate_results(s))
        return no_memory(s);
    views_update(s);
    return session_evaluate(s, SN_NONE, 0, 0);
}

/* ---- Evaluating ---- */

/* Column-major 4x4. */
static void write_matrix(const sn_affine *from, float *to) {
    const sn_vf rows[4] = {sn_f4_load(from->m[0]), sn_f4_load(from->m[1]), sn_f4_load(from->m[2]),
                           (sn_vf){0, 0, 0, 1}};
    sn_vf columns[4];
    sn_transpose(rows, columns);
    for (int i = 0; i < 4; i++)
        sn_store(to + i * 4, columns[i]);
}

static void write_results(session *s) {
    const sn_model *model = sn_gltf_model(s->gltf);
    const sn_affine *world = sn_instance_world(s->instance);
    for (uint32_t joint = 0; joint < model->node_count; joint++)
        write_matrix(&world[joint], s->world + (size_t)s->nodes[joint] * 16);
    for (uint32_t skin = 0; skin < model->skin_count; skin++) {
        const sn_affine *from = sn_instance_joint_matrices(s->instance, skin);
        float *to = s->joint_matrices[skin];
        for (uint32_t joint = 0; joint < model->skins[skin].joint_count; joint++)
            write_matrix(&from[joint], to + (size_t)joint * 16);
    }
}

sn_result session_sample(session *s, uint32_t clip, float time) {
    if (clip == SN_NONE) {
        sn_instance_sample_rest(s->instance);
    } else {
        const sn_clip *clips;
        size_t count = sn_document_clips(sn_history_document(s->history), &clips);
        if (clip >= count)
            return sn_fail(&s->error, SN_MESSAGE_ARGUMENT, NULL, "there is no clip %u, of %z", clip,
                           count);
        const sn_clip_view *view = views_get(s, clip, false);
        if (view)
            sn_instance_sample_view(s->instance, view, &clips[clip], time);
        else
            sn_instance_sample_clip(s->instance, &clips[clip], time);
    }
    return SN_OK;
}

sn_result session_evaluate(session *s, uint32_t clip, float time, float seconds) {
    sn_result result = session_sample(s, clip, time);
    if (result)
        return result;
    modifiers_apply(s, time, seconds);
    sn_instance_update_hierarchy(s->instance, NULL);
    sn_instance_update_joint_matrices(s->instance);
    write_results(s);
    return SN_OK;
}

sn_result session_skin(session *s, uint32_t node, uint32_t primitive) {
    const sn_model *model = sn_gltf_model(s->gltf);
    uint32_t mesh = node < model->node_count ? model->nodes[node].mesh : SN_NONE;
    if (mesh == SN_NONE || primitive >= model->meshes[mesh].primitive_count)
        return sn_fail(&s->error, SN_MESSAGE_ARGUMENT, NULL,
                       "node %u has no mesh with a primitive %u", node, primitive);
    uint32_t count = model->meshes[mesh].primitives[primitive].geometry.vertex_count;
    size_t needed = (size_t)count * 3;
    if (needed > s->vertex_capacity) {
        size_t old_size = s->vertex_capacity * sizeof *s->vertices;
        float *grown = resize(s, s->vertices, old_size, needed * sizeof *grown);
        if (!grown)
            return no_memory(s);
        s->vertices = grown;
        s->vertex_capacity = needed;
    }
    s->vertex_count = count;
    sn_skin_output out = {.positions = s->vertices};
    return sn_instance_skin(s->instance, node, primitive, &out, &s->error);
}

/* ---- The document ---- */

sn_result session_track(session *s, uint32_t clip, uint32_t track, const sn_track **out) {
    const sn_clip *clips;
    size_t count = sn_document_clips(sn_history_document(s->history), &clips);
    if (clip >= count || track >= clips[clip].track_count)
        return sn_fail(&s->error, SN_MESSAGE_ARGUMENT, NULL, "there is no track %u of a clip %u",
                       track, clip);
    *out = clips[clip].tracks[track];
    return SN_OK;
}

sn_result session_save(session *s, sn_container container) {
    sn_gltf_write_options options = {.container = container, .allocator = &s->budget.allocator};
    session_release_output(s);
    const sn_document *document = sn_history_document(s->history);
    return sn_document_write(document, s->gltf, &options, &s->output, &s->error);
}

void session_release_output(session *s) {
    sn_output_free(&s->output);
    s->output = (sn_output){0};
}
