#include <string.h>

#include "crowd.h"

#include "base/error.h"

static bool allocate(crowd *c) {
    const sn_model *model = sn_gltf_model(c->session->gltf);
    for (uint32_t i = 0; i < model->skin_count; i++)
        c->matrix_count += model->skins[i].joint_count;
    c->clips = SN_ARENA_NEW(&c->arena, uint32_t, c->count);
    c->times = SN_ARENA_NEW(&c->arena, float, c->count);
    c->roots = SN_ARENA_NEW(&c->arena, float, (size_t)c->count * 12);
    c->joint_matrices =
        sn_arena_alloc(&c->arena, c->count, (size_t)c->matrix_count * sizeof(sn_affine));
    if (!c->clips || !c->times || !c->roots || !c->joint_matrices)
        return false;
    for (uint32_t i = 0; i < c->count; i++) {
        c->clips[i] = SN_NONE;
        for (uint32_t row = 0; row < 3; row++)
            c->roots[i * 12 + row * 5] = 1;
    }
    return !sn_instance_create(c->session->prepared, &c->session->budget.allocator, &c->instance,
                               NULL);
}

crowd *crowd_create(session *s, uint32_t count) {
    crowd *c = session_block(s, sizeof *c);
    if (c) {
        *c = (crowd){.session = s, .count = count};
        sn_arena_init(&c->arena, &s->budget.allocator);
        if (allocate(c))
            return c;
        crowd_free(c);
    }
    sn_fail(&s->error, SN_MESSAGE_MEMORY, NULL, "there is not enough memory for %u characters",
            count);
    return NULL;
}

void crowd_free(crowd *c) {
    sn_instance_free(c->instance);
    sn_arena_free(&c->arena);
    session_block_free(c->session, c, sizeof *c);
}

static void evaluate_one(crowd *c, uint32_t i, const sn_clip *clips, const sn_model *model) {
    sn_instance *instance = c->instance;
    uint32_t clip = c->clips[i];
    const sn_clip_view *view = clip == SN_NONE ? NULL : views_get(c->session, clip, true);
    if (clip == SN_NONE)
        sn_instance_sample_rest(instance);
    else if (view)
        sn_instance_sample_view(instance, view, &clips[clip], c->times[i]);
    else
        sn_instance_sample_clip(instance, &clips[clip], c->times[i]);
    sn_affine root;
    memcpy(root.m, c->roots + (size_t)i * 12, sizeof root.m);
    sn_instance_update_hierarchy(instance, &root);
    sn_affine *out = c->joint_matrices + (size_t)i * c->matrix_count;
    for (uint32_t skin = 0; skin < model->skin_count; skin++) {
        sn_instance_write_joint_matrices(instance, skin, out);
        out += model->skins[skin].joint_count;
    }
}

sn_result crowd_evaluate(crowd *c) {
    session *s = c->session;
    const sn_clip *clips;
    size_t clip_count = sn_document_clips(sn_history_document(s->history), &clips);
    for (uint32_t i = 0; i < c->count; i++)
        if (c->clips[i] != SN_NONE && c->clips[i] >= clip_count)
            return sn_fail(&s->error, SN_MESSAGE_ARGUMENT, NULL,
                           "character %u plays clip %u, of %z", i, c->clips[i], clip_count);
    const sn_model *model = sn_gltf_model(s->gltf);
    for (uint32_t i = 0; i < c->count; i++)
        evaluate_one(c, i, clips, model);
    return SN_OK;
}
