#include <string.h>

#include "crowd.h"

#include "base/error.h"

enum { TOGETHER = 16 }; /* characters: a multiple of any number of lanes */

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
    return !sn_crowd_create(c->session->prepared, &c->session->budget.allocator, &c->lanes, NULL);
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
    sn_crowd_free(c->lanes);
    sn_arena_free(&c->arena);
    session_block_free(c->session, c, sizeof *c);
}

static sn_crowd_member member_of(const crowd *c, uint32_t i, const sn_clip *clips) {
    sn_crowd_member member = {.time = c->times[i],
                              .root = (const sn_affine *)(c->roots + (size_t)i * 12),
                              .joint_matrices = c->joint_matrices + (size_t)i * c->matrix_count};
    if (c->clips[i] != SN_NONE) {
        member.clip = &clips[c->clips[i]];
        member.view = views_get(c->session, c->clips[i], true);
    }
    return member;
}

sn_result crowd_evaluate(crowd *c) {
    session *s = c->session;
    const sn_clip *clips;
    size_t clip_count = sn_document_clips(sn_history_document(s->history), &clips);
    for (uint32_t i = 0; i < c->count; i++)
        if (c->clips[i] != SN_NONE && c->clips[i] >= clip_count)
            return sn_fail(&s->error, SN_MESSAGE_ARGUMENT, NULL,
                           "character %u plays clip %u, of %z", i, c->clips[i], clip_count);
    sn_crowd_member members[TOGETHER];
    for (uint32_t first = 0; first < c->count; first += TOGETHER) {
        uint32_t count = c->count - first < TOGETHER ? c->count - first : TOGETHER;
        for (uint32_t i = 0; i < count; i++)
            members[i] = member_of(c, first + i, clips);
        sn_crowd_evaluate(c->lanes, members, count);
    }
    return SN_OK;
}
