/* clip.* and marker.set. */
#include <string.h>

#include "base/error.h"
#include "edit/operations.h"

/* Names stay tellable apart: a new one must not be taken. */
static sn_result check_name(const sn_call *call) {
    const sn_draft *draft = call->draft;
    for (uint32_t i = 0; i < draft->clip_count; i++)
        if (strcmp(sn_draft_clip(draft, i)->name, call->arguments->name) == 0)
            return sn_fail(draft->error, SN_MESSAGE_COMMAND_NAME,
                           sn_call_place(call, call->arguments, SN_FIELD_NAME).text,
                           "clip %u is named \"%s\" already", i, call->arguments->name);
    return SN_OK;
}

sn_result sn_run_clip_add(const sn_call *call) {
    sn_result result = check_name(call);
    return result == SN_OK ? sn_draft_add_clip(call->draft, call->arguments->name, SN_NONE)
                           : result;
}

sn_result sn_run_clip_remove(const sn_call *call) {
    sn_draft_remove_clip(call->draft, call->arguments->clip);
    return SN_OK;
}

sn_result sn_run_clip_rename(const sn_call *call) {
    const sn_arguments *arguments = call->arguments;
    if (strcmp(sn_draft_clip(call->draft, arguments->clip)->name, arguments->name) == 0)
        return SN_OK;
    sn_result result = check_name(call);
    return result == SN_OK ? sn_draft_rename_clip(call->draft, arguments->clip, arguments->name)
                           : result;
}

sn_result sn_run_clip_copy(const sn_call *call) {
    sn_result result = check_name(call);
    return result == SN_OK
               ? sn_draft_add_clip(call->draft, call->arguments->name, call->arguments->clip)
               : result;
}

sn_result sn_run_marker_set(const sn_call *call) {
    const sn_arguments *arguments = call->arguments;
    const sn_clip *clip = sn_draft_clip(call->draft, arguments->clip);
    float time = arguments->time;
    uint32_t place = 0;
    while (place < clip->marker_count && clip->markers[place].time < time)
        place++;
    bool exists = place < clip->marker_count && clip->markers[place].time == time;
    if (!arguments->name && !exists)
        return sn_fail(call->draft->error, SN_MESSAGE_COMMAND_MISSING,
                       sn_call_place(call, arguments, SN_FIELD_TIME).text,
                       "the clip has no marker at exactly %g s", (double)time);
    if (exists && arguments->name && strcmp(clip->markers[place].name, arguments->name) == 0)
        return SN_OK;
    sn_marker *markers =
        SN_ARENA_NEW(call->draft->arena, sn_marker, (size_t)clip->marker_count + 1);
    if (!markers)
        return sn_draft_no_memory(call->draft);
    uint32_t count = 0;
    for (uint32_t i = 0; i < place; i++)
        markers[count++] = clip->markers[i];
    if (arguments->name)
        markers[count++] = (sn_marker){time, arguments->name};
    for (uint32_t i = place + (exists ? 1 : 0); i < clip->marker_count; i++)
        markers[count++] = clip->markers[i];
    return sn_draft_set_markers(call->draft, arguments->clip, markers, count);
}
