// seeds: .gltf .glb .vrm .vrma
/* Any bytes: an error that says what and where, or a model that can be walked, searched for the
 * bones of a human, written as it was,
 * written in the other container, and written with other clips; what the writer writes, the reader
 * accepts. All within the stated bound on memory. */
#include <stdlib.h>
#include <string.h>

#include "sinew/gltf.h"
#include "sinew/vrm.h"

static void require(bool holds) {
    if (!holds)
        abort();
}

/* Stands for any file beside the main one, and gives back what was written. */
static sn_result load(void *user, const char *path, const sn_allocator *allocator, uint8_t **bytes,
                      size_t *size, sn_error *error) {
    static const uint8_t any[300] = {1, 2, 3, 4};
    const sn_output *output = user;
    const uint8_t *from = any;
    (void)error;
    *size = sizeof any;
    for (size_t i = 1; output && i < output->file_count; i++) {
        if (!strcmp(output->files[i].path, path)) {
            from = output->files[i].bytes;
            *size = output->files[i].size;
        }
    }
    *bytes = NULL;
    if (*size == 0)
        return SN_OK;
    *bytes = allocator->resize(allocator->user, NULL, 0, *size);
    if (!*bytes)
        return SN_ERROR_MEMORY;
    memcpy(*bytes, from, *size);
    return SN_OK;
}

static volatile float sink;

static void touch(const float *values, size_t count) {
    float sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    sink = sum;
}

static void touch_geometry(const sn_geometry *g, const sn_primitive *primitive) {
    size_t n = g->vertex_count;
    touch(g->positions, g->positions ? 3 * n : 0);
    touch(g->normals, g->normals ? 3 * n : 0);
    touch(g->tangents, g->tangents ? 4 * n : 0);
    touch(g->weights, g->influence_count * n);
    for (size_t i = 0; i < g->influence_count * n; i++)
        sink = g->joints[i];
    for (uint32_t i = 0; i < primitive->index_count; i++)
        require(primitive->indices[i] < n);
    for (uint32_t t = 0; t < g->target_count; t++) {
        touch(g->targets[t].positions, g->targets[t].positions ? 3 * n : 0);
        touch(g->targets[t].normals, g->targets[t].normals ? 3 * n : 0);
        touch(g->targets[t].tangents, g->targets[t].tangents ? 3 * n : 0);
    }
}

static size_t value_count(const sn_track *track) {
    return (size_t)track->key_count * track->width *
           (track->interpolation == SN_CUBICSPLINE ? 3 : 1);
}

static void walk_model(const sn_model *model) {
    for (uint32_t i = 0; i < model->node_count; i++) {
        const sn_node *node = &model->nodes[i];
        require(node->name && (node->parent == SN_NONE || node->parent < model->node_count));
        require(node->mesh == SN_NONE || node->mesh < model->mesh_count);
        require(node->skin == SN_NONE || node->skin < model->skin_count);
        uint32_t steps = 0;
        if (i < 100)
            for (uint32_t at = i; at != SN_NONE; at = model->nodes[at].parent)
                require(steps++ < model->node_count);
        touch(node->weights, node->weight_count);
    }
    for (uint32_t i = 0; i < model->mesh_count; i++)
        for (uint32_t k = 0; k < model->meshes[i].primitive_count; k++)
            touch_geometry(&model->meshes[i].primitives[k].geometry,
                           &model->meshes[i].primitives[k]);
    for (uint32_t i = 0; i < model->skin_count; i++)
        for (uint32_t k = 0; k < model->skins[i].joint_count; k++) {
            require(model->skins[i].joints[k] < model->node_count);
            if (model->skins[i].inverse_bind)
                touch(model->skins[i].inverse_bind[k].m[0], 12);
        }
    for (uint32_t i = 0; i < model->clip_count; i++) {
        require(model->clips[i].name && model->clips[i].origin == i);
        for (uint32_t k = 0; k < model->clips[i].track_count; k++) {
            const sn_track *track = model->clips[i].tracks[k];
            require(track->node < model->node_count && track->key_count > 0 && track->width > 0);
            for (uint32_t t = 1; t < track->key_count; t++)
                require(track->times[t] > track->times[t - 1]);
            touch(track->values, value_count(track));
        }
    }
}

static void check_same_clips(const sn_clip *wanted, uint32_t count, const sn_model *got) {
    for (uint32_t i = 0, at = 0; i < count; i++) {
        if (wanted[i].track_count == 0)
            return; /* left out or not: where the next one is, nobody can tell */
        require(at < got->clip_count && got->clips[at].track_count == wanted[i].track_count);
        at++;
    }
}

/* Writes with one track edited, one removed and a copy of the first clip. */
static void edit(const sn_gltf *gltf, sn_output *output, sn_container container) {
    const sn_model *model = sn_gltf_model(gltf);
    sn_arena arena;
    sn_arena_init(&arena, NULL);
    uint32_t count = model->clip_count;
    sn_clip *clips = SN_ARENA_NEW(&arena, sn_clip, count + 1);
    if (count)
        memcpy(clips, model->clips, count * sizeof *clips);
    const sn_clip *first = count ? &model->clips[0] : NULL;
    if (first && first->track_count) {
        const sn_track **tracks = SN_ARENA_NEW(&arena, const sn_track *, first->track_count);
        memcpy(tracks, first->tracks, first->track_count * sizeof *tracks);
        sn_track *track = SN_ARENA_NEW(&arena, sn_track, 1);
        *track = *tracks[0];
        track->key_count++;
        float *times = SN_ARENA_NEW(&arena, float, track->key_count);
        float *values = SN_ARENA_NEW(&arena, float, value_count(track));
        memcpy(times, tracks[0]->times, tracks[0]->key_count * sizeof *times);
        memcpy(values, tracks[0]->values, value_count(tracks[0]) * sizeof *values);
        float last = times[track->key_count - 2];
        times[track->key_count - 1] = last < 1e30f ? last + (last < 0 ? -last : last) + 1 : last;
        if (times[track->key_count - 1] <= last)
            track->key_count--;
        track->times = times;
        track->values = values;
        tracks[0] = track;
        clips[0].tracks = tracks;
        if (first->track_count > 2)
            clips[0].track_count--;
        clips[count] = *first;
        clips[count].origin = SN_NONE;
        clips[count].name = "copy";
        count++;
    }
    sn_gltf_write_options options = {
        .replace_clips = true, .clips = clips, .clip_count = count, .container = container};
    sn_error error = {0};
    if (sn_gltf_write(gltf, &options, output, &error) == SN_OK) {
        sn_gltf *again = NULL;
        sn_gltf_options reading = {.loader = {load, output}, .memory_limit = (size_t)1 << 30};
        require(sn_gltf_read(output->files[0].bytes, output->files[0].size, &reading, &again,
                             &error) == SN_OK);
        check_same_clips(clips, count, sn_gltf_model(again));
        sn_gltf_free(again);
        sn_output_free(output);
    } else {
        require(error.text[0] != '\0');
    }
    sn_arena_free(&arena);
}

static void write_back(const sn_gltf *gltf, const uint8_t *data, size_t size) {
    bool binary = sn_gltf_is_binary(gltf);
    sn_output output;
    sn_error error = {0};
    sn_gltf_write_options same = {.container = binary ? SN_CONTAINER_GLB : SN_CONTAINER_GLTF};
    sn_gltf_write_options other = {.container = binary ? SN_CONTAINER_GLTF : SN_CONTAINER_GLB};
    if (sn_gltf_write(gltf, &same, &output, &error) == SN_OK) {
        require(output.files[0].size == size && !memcmp(output.files[0].bytes, data, size));
        sn_output_free(&output);
    } else {
        require(error.id == SN_MESSAGE_IO_WRITE); /* a buffer outside the folder */
    }
    if (sn_gltf_write(gltf, &other, &output, &error) == SN_OK) {
        sn_gltf *converted = NULL;
        sn_gltf_options reading = {.loader = {load, &output}, .memory_limit = (size_t)1 << 30};
        require(sn_gltf_read(output.files[0].bytes, output.files[0].size, &reading, &converted,
                             &error) == SN_OK);
        require(sn_gltf_is_binary(converted) != binary);
        sn_gltf_free(converted);
        sn_output_free(&output);
    } else {
        require(error.id == SN_MESSAGE_IO_WRITE);
    }
    edit(gltf, &output, same.container);
    edit(gltf, &output, other.container);
}

/* By the VRM extension or by names: nodes that there are, each once. */
static void find_humanoid(const sn_gltf *gltf) {
    sn_arena arena = {0};
    sn_arena_init(&arena, NULL);
    sn_vrm_humanoid human;
    require(sn_vrm_find_humanoid(gltf, &arena, &human, NULL) == SN_OK);
    const uint32_t *nodes = human.bones.joints;
    for (uint32_t bone = 0; bone < SN_HUMAN_BONE_COUNT; bone++) {
        require(nodes[bone] == SN_NONE || nodes[bone] < sn_gltf_model(gltf)->node_count);
        for (uint32_t other = 0; other < bone; other++)
            require(nodes[bone] == SN_NONE || nodes[bone] != nodes[other]);
    }
    for (size_t i = 0; i < human.warning_count; i++)
        require(human.warnings[i].id && human.warnings[i].pointer && human.warnings[i].text[0]);
    sn_arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sn_budget budget;
    sn_budget_init(&budget, NULL, SIZE_MAX / 2);
    sn_gltf_options options = {
        .allocator = &budget.allocator,
        /* less than the default, so that files that ask for much are seen early */
        .memory_limit = ((size_t)8 << 20) + 64 * size,
        .loader = {load, NULL},
        .borrow = size % 2,
    };
    sn_gltf *gltf = NULL;
    sn_error error = {0};
    sn_result result = sn_gltf_read(data, size, &options, &gltf, &error);
    if (result == SN_OK) {
        const sn_warning *warnings;
        for (size_t i = 0, n = sn_gltf_warnings(gltf, &warnings); i < n; i++)
            require(warnings[i].id && warnings[i].pointer && warnings[i].text[0]);
        walk_model(sn_gltf_model(gltf));
        find_humanoid(gltf);
        write_back(gltf, data, size);
        sn_gltf_free(gltf);
    } else {
        require(error.id && error.text[0] && sn_message_result(error.id) == result);
    }
    require(budget.used == 0);
    require(budget.peak <= options.memory_limit + 4096);
    return 0;
}
