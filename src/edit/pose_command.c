/* pose.key: the pose of an instant, made into keys. */
#include "base/error.h"
#include "edit/key_edits.h"

typedef struct sn_pose_choice {
    bool chosen;
    bool rotation; /* gets a rotation key even where the clip has no rotation track */
} pose_choice;

/* The nodes asked for; or each joint of a skin, and each other node for what the clip moves. */
static void choose(const sn_call *call, pose_choice *choices) {
    const sn_arguments *arguments = call->arguments;
    const sn_model *model = call->draft->model;
    if (arguments->given & SN_BIT(NODES)) {
        for (uint32_t i = 0; i < arguments->nodes.count; i++)
            choices[arguments->nodes.items[i]] = (pose_choice){true, true};
        return;
    }
    const sn_clip *clip = sn_draft_clip(call->draft, arguments->clip);
    for (uint32_t i = 0; i < clip->track_count; i++)
        choices[clip->tracks[i]->node].chosen = true;
    for (uint32_t s = 0; s < model->skin_count; s++)
        for (uint32_t i = 0; i < model->skins[s].joint_count; i++)
            choices[model->skins[s].joints[i]] = (pose_choice){true, true};
    for (uint32_t i = 0; i < model->node_count; i++)
        if (model->nodes[i].has_matrix)
            choices[i].chosen = false;
}

static sn_result key_path(sn_key_edits *edits, uint32_t node, sn_path path, bool wanted) {
    const sn_call *call = edits->call;
    uint32_t slot = sn_key_edits_find(edits, node, path);
    const sn_track *track = slot < edits->clip->track_count ? edits->clip->tracks[slot] : NULL;
    if (!track && !wanted)
        return SN_OK;
    float time = call->arguments->time;
    if (track && sn_track_key_at(track, time) != SN_NONE)
        return SN_OK; /* it says already what the pose is */
    sn_arguments *argument = SN_ARENA_NEW(call->draft->arena, sn_arguments, 1);
    if (!argument)
        return sn_draft_no_memory(call->draft);
    *argument = (sn_arguments){.object = call->arguments->object, .node = node, .path = path};
    if (track) {
        float *value = SN_ARENA_NEW(call->draft->arena, float, track->width);
        if (!value)
            return sn_draft_no_memory(call->draft);
        sn_track_evaluate(track, time, value);
        argument->value = (sn_floats){value, track->width};
    } else {
        argument->value = (sn_floats){call->draft->model->nodes[node].rest.rotation, 4};
    }
    return sn_key_edits_put(edits, argument, time);
}

sn_result sn_run_pose_key(const sn_call *call) {
    const sn_model *model = call->draft->model;
    pose_choice *choices = SN_ARENA_NEW(call->draft->arena, pose_choice, model->node_count);
    if (!choices)
        return sn_draft_no_memory(call->draft);
    choose(call, choices);
    uint32_t chosen = 0;
    for (uint32_t i = 0; i < model->node_count; i++)
        chosen += choices[i].chosen ? 1 : 0;
    if (chosen == 0 && !(call->arguments->given & SN_BIT(NODES)))
        return sn_fail(call->draft->error, SN_MESSAGE_COMMAND_TARGET,
                       sn_call_place(call, call->arguments, SN_FIELD_CLIP).text,
                       "the clip moves nothing and the model has no joints: name \"nodes\"");
    sn_key_edits edits;
    sn_result result = sn_key_edits_begin(&edits, call, chosen * (SN_PATH_WEIGHTS + 1));
    for (uint32_t node = 0; node < model->node_count && result == SN_OK; node++)
        for (int path = 0; path <= SN_PATH_WEIGHTS && choices[node].chosen && result == SN_OK;
             path++)
            result = key_path(&edits, node, (sn_path)path,
                              choices[node].rotation && path == SN_PATH_ROTATION);
    return result == SN_OK ? sn_key_edits_apply(&edits) : result;
}
