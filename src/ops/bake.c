#include "sinew/bake.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "math/quat.h"

#define MOST_FRAMES ((uint32_t)1 << 20)
enum { PATHS = SN_PATH_SCALE + 1 };

static const uint32_t widths[PATHS] = {3, 4, 3};
static const size_t offsets[PATHS] = {offsetof(sn_transform, translation),
                                      offsetof(sn_transform, rotation),
                                      offsetof(sn_transform, scale)};

/* One clip being baked. */
typedef struct baker {
    const sn_bake_desc *desc;
    const sn_clip *clip;
    sn_arena *arena;
    sn_arena scratch;
    sn_error *error;
    sn_modifier_state *state;
    sn_pose sampled, moved;
    float *times;
    uint32_t frame_count;
    sn_track *tracks; /* of each path of each node; of those that are moved times is not NULL */
} baker;

static sn_result no_memory(const baker *b) {
    return sn_fail(b->error, SN_MESSAGE_MEMORY, NULL, "no memory to bake a clip");
}

static const float *part(const sn_transform *transform, int path) {
    return (const float *)(const void *)((const char *)transform + offsets[path]);
}

/* ---- Frames ---- */

static sn_result lay_out_frames(baker *b) {
    float rate = b->desc->frames_per_second;
    if (!(rate >= 0 && rate <= 1000))
        return sn_fail(b->error, SN_MESSAGE_ARGUMENT, NULL,
                       "%g frames a second: this must be above 0 and at most 1000", (double)rate);
    double fps = rate > 0 ? (double)rate : 30;
    float end =
        b->clip->track_count ? b->clip->duration : sn_modifier_stack_duration(b->desc->modifiers);
    double frames = ceil((double)end * fps);
    if (!(frames < MOST_FRAMES))
        return sn_fail(b->error, SN_MESSAGE_LIMIT_SIZE, NULL,
                       "%g s at %g frames a second are more than %u frames", (double)end, fps,
                       MOST_FRAMES);
    b->times = SN_ARENA_NEW(b->arena, float, (size_t)frames + 1);
    if (!b->times)
        return no_memory(b);
    for (uint32_t i = 0; i < (uint32_t)frames; i++) {
        float time = (float)(i / fps);
        if (time < end) /* the last may round to the end itself */
            b->times[b->frame_count++] = time;
    }
    b->times[b->frame_count++] = end;
    return SN_OK;
}

/* `seconds` since the frame evaluated before; 0: by itself. */
static sn_result evaluate(baker *b, uint32_t frame, float seconds) {
    const sn_skeleton *skeleton = b->desc->skeleton;
    float time = b->times[frame];
    sn_clip_sample(skeleton, b->clip, time, b->sampled);
    sn_pose_copy(skeleton, b->moved, b->sampled);
    sn_modifier_frame at = {.time = time, .seconds = seconds};
    return sn_modifier_stack_apply(b->desc->modifiers, b->state, skeleton, b->moved, &at, NULL,
                                   b->error);
}

static float seconds_before(const baker *b, uint32_t frame) {
    return b->desc->plays && frame ? b->times[frame] - b->times[frame - 1] : 0;
}

/* One round of a loop from a fresh state. Its end is the beginning of the next round, so the last
 * frame is left out. */
static sn_result rehearse(baker *b) {
    sn_modifier_state_reset(b->state);
    sn_result result = SN_OK;
    for (uint32_t frame = 0; !result && frame + 1 < b->frame_count; frame++)
        result = evaluate(b, frame, seconds_before(b, frame));
    return result;
}

/* What to do with the paths of a node in one frame. */
typedef sn_result (*node_visitor)(baker *b, uint32_t frame, uint32_t node,
                                  const sn_transform *sampled, const sn_transform *moved);

static sn_result each_frame(baker *b, node_visitor visit) {
    const sn_skeleton *skeleton = b->desc->skeleton;
    sn_result result = b->desc->plays ? rehearse(b) : SN_OK;
    float seconds = seconds_before(b, b->frame_count - 1); /* the loop's way back to the start */
    for (uint32_t frame = 0; !result && frame < b->frame_count; frame++) {
        result = evaluate(b, frame, frame ? seconds_before(b, frame) : seconds);
        for (uint32_t node = 0; !result && node < b->desc->model->node_count; node++) {
            uint32_t joint = sn_skeleton_joint_of_node(skeleton, node);
            sn_transform sampled, moved;
            sn_pose_get(skeleton, b->sampled, joint, &sampled);
            sn_pose_get(skeleton, b->moved, joint, &moved);
            result = visit(b, frame, node, &sampled, &moved);
        }
    }
    return result;
}

/* ---- What is moved ---- */

static sn_result find_moved(baker *b, uint32_t frame, uint32_t node, const sn_transform *sampled,
                            const sn_transform *moved) {
    (void)frame;
    for (int path = 0; path < PATHS; path++) {
        sn_track *track = &b->tracks[(size_t)node * PATHS + (size_t)path];
        size_t size = widths[path] * sizeof(float);
        if (track->times || memcmp(part(sampled, path), part(moved, path), size) == 0)
            continue;
        if (b->desc->model->nodes[node].has_matrix) {
            char pointer[32];
            sn_format(pointer, sizeof pointer, "/nodes/%u/matrix", node);
            return sn_fail(b->error, SN_MESSAGE_NODE_MATRIX, pointer,
                           "the modifiers move node %u \"%s\", which the file gives by a matrix: "
                           "glTF does not animate such nodes",
                           node, b->desc->model->nodes[node].name);
        }
        float *values = sn_arena_alloc(b->arena, b->frame_count, widths[path] * sizeof(float));
        if (!values)
            return no_memory(b);
        *track = (sn_track){.node = node,
                            .path = (sn_path)path,
                            .interpolation = SN_LINEAR,
                            .width = widths[path],
                            .key_count = b->frame_count,
                            .times = b->times,
                            .values = values,
                            .origin = SN_NONE};
    }
    return SN_OK;
}

/* ---- Keys ---- */

/* A unit quaternion on the side of the key before. */
static void settle_rotation(float *key, uint32_t frame) {
    sn_quat_normalize(key);
    if (frame && sn_quat_dot(key, key - 4) < 0)
        for (int i = 0; i < 4; i++)
            key[i] = -key[i];
}

static sn_result write_keys(baker *b, uint32_t frame, uint32_t node, const sn_transform *sampled,
                            const sn_transform *moved) {
    (void)sampled;
    for (int path = 0; path < PATHS; path++) {
        const sn_track *track = &b->tracks[(size_t)node * PATHS + (size_t)path];
        if (!track->times)
            continue;
        float *key = (float *)(uintptr_t)track->values + (size_t)frame * widths[path];
        memcpy(key, part(moved, path), widths[path] * sizeof(float));
        if (path == SN_PATH_ROTATION)
            settle_rotation(key, frame);
    }
    return SN_OK;
}

/* Where the track of this target would be; SN_NONE for morph weights, and for no node. */
static size_t target_of(const baker *b, const sn_track *track) {
    if (track->path == SN_PATH_WEIGHTS || track->node >= b->desc->model->node_count)
        return SN_NONE;
    return (size_t)track->node * PATHS + track->path;
}

/* What does not move needs no more keys than the two that keep the clip's length. */
static bool shorten_constant(baker *b) {
    float *ends = SN_ARENA_NEW(b->arena, float, 2);
    if (!ends)
        return false;
    ends[0] = b->times[0];
    ends[1] = b->times[b->frame_count - 1];
    size_t count = (size_t)b->desc->model->node_count * PATHS;
    for (size_t i = 0; i < count; i++) {
        sn_track *track = &b->tracks[i];
        uint32_t frame = 1;
        size_t size = track->width * sizeof(float);
        while (frame < track->key_count &&
               memcmp(track->values, track->values + (size_t)frame * track->width, size) == 0)
            frame++;
        if (track->key_count > 2 && frame == track->key_count) {
            track->times = ends;
            track->key_count = 2;
        }
    }
    return true;
}

/* The clip's tracks in their order, a new one in the place of the last with its target, which is
 * the one that showed; then those that the clip had no track for. */
static sn_result assemble(baker *b, sn_clip *out) {
    const sn_clip *clip = b->clip;
    size_t targets = (size_t)b->desc->model->node_count * PATHS;
    const sn_track **tracks = SN_ARENA_NEW(b->arena, const sn_track *, clip->track_count + targets);
    uint32_t *last = SN_ARENA_NEW(&b->scratch, uint32_t, targets);
    if (!tracks || !last)
        return no_memory(b);
    memset(last, 0xFF, targets * sizeof *last);
    for (uint32_t i = 0; i < clip->track_count; i++) {
        size_t target = target_of(b, clip->tracks[i]);
        if (target != SN_NONE)
            last[target] = i;
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < clip->track_count; i++) {
        const sn_track *track = clip->tracks[i];
        size_t target = target_of(b, track);
        sn_track *baked = target != SN_NONE ? &b->tracks[target] : NULL;
        if (!baked || !baked->times) {
            tracks[count++] = track;
        } else if (last[target] == i) {
            baked->origin = track->origin;
            tracks[count++] = baked;
        }
    }
    for (size_t target = 0; target < targets; target++)
        if (b->tracks[target].times && last[target] == SN_NONE)
            tracks[count++] = &b->tracks[target];
    *out = *clip;
    out->tracks = tracks;
    out->track_count = count;
    out->duration = clip->track_count ? clip->duration : count ? b->times[b->frame_count - 1] : 0;
    return SN_OK;
}

static sn_result bake(baker *b, sn_clip *out) {
    size_t pose_size = sn_pose_size(b->desc->skeleton);
    b->sampled.data = sn_arena_alloc(&b->scratch, pose_size, 1);
    b->moved.data = sn_arena_alloc(&b->scratch, pose_size, 1);
    b->tracks = SN_ARENA_NEW(b->arena, sn_track, (size_t)b->desc->model->node_count * PATHS);
    if (!b->sampled.data || !b->moved.data || !b->tracks)
        return no_memory(b);
    sn_result result =
        sn_modifier_state_create(b->desc->modifiers, b->scratch.allocator, &b->state, b->error);
    if (!result)
        result = lay_out_frames(b);
    if (!result)
        result = each_frame(b, find_moved);
    if (!result)
        result = each_frame(b, write_keys);
    if (!result && !shorten_constant(b))
        result = no_memory(b);
    if (!result)
        result = assemble(b, out);
    sn_modifier_state_free(b->state);
    return result;
}

sn_result sn_bake_clip(const sn_bake_desc *desc, const sn_clip *clip, sn_arena *arena, sn_clip *out,
                       sn_error *error) {
    baker b = {.desc = desc, .clip = clip, .arena = arena, .error = error};
    sn_arena_init(&b.scratch, arena->allocator);
    sn_result result = bake(&b, out);
    sn_arena_free(&b.scratch);
    return result;
}
