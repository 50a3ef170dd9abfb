/* The model on which commands are tested, and on which the examples of docs/commands.md run: joints
 * Hips, LeftArm, RightArm under Root, two nodes named Twin, a node Lamp given by a matrix, a mesh
 * node Body with two morph targets, a node without a name, and a modifier named reach. */
#ifndef SN_TESTS_EDIT_MODEL_H
#define SN_TESTS_EDIT_MODEL_H

#include <string.h>

#include "sinew/document.h"

enum { ROOT, HIPS, LEFT_ARM, RIGHT_ARM, TWIN_A, TWIN_B, LAMP, BODY, UNNAMED, EDIT_NODES };
enum { WALK, WAVE, IDLE_A, IDLE_B, EDIT_CLIPS };
enum { HIPS_T, HIPS_R, LEFT_R, RIGHT_S, BODY_W, WALK_TRACKS };

#define EDIT_REST {.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}}
#define EDIT_NODE(label, above) EDIT_JOINT(label, above, 0, 0)
#define EDIT_JOINT(label, above, y, z)                                                             \
    {                                                                                              \
        .name = label, .parent = above, .mesh = SN_NONE, .skin = SN_NONE, .camera = SN_NONE,       \
        .rest = {                                                                                  \
            .translation = {0, y, z},                                                              \
            .rotation = {0, 0, 0, 1},                                                              \
            .scale = {1, 1, 1}                                                                     \
        }                                                                                          \
    }

static const float edit_weights[2] = {0.25f, 0};

static const sn_node edit_nodes[EDIT_NODES] = {
    [ROOT] = EDIT_NODE("Root", SN_NONE),
    [HIPS] = EDIT_JOINT("Hips", ROOT, 1, 0),
    [LEFT_ARM] = EDIT_JOINT("LeftArm", HIPS, 0.5f, 0.25f),
    [RIGHT_ARM] = EDIT_NODE("RightArm", HIPS),
    [TWIN_A] = EDIT_NODE("Twin", ROOT),
    [TWIN_B] = EDIT_NODE("Twin", ROOT),
    [LAMP] = {.name = "Lamp",
              .parent = SN_NONE,
              .mesh = SN_NONE,
              .skin = SN_NONE,
              .camera = SN_NONE,
              .rest = EDIT_REST,
              .has_matrix = true},
    [BODY] = {.name = "Body",
              .parent = SN_NONE,
              .mesh = 0,
              .skin = 0,
              .camera = SN_NONE,
              .rest = EDIT_REST,
              .weight_count = 2,
              .weights = edit_weights},
    [UNNAMED] = EDIT_NODE("", ROOT),
};

/* sin and cos of 15° and 30°: rotations by 30° and 60° */
#define S15 0.258819045f
#define C15 0.965925826f
#define S30 0.5f
#define C30 0.866025404f

static const float edit_times[3] = {0, 0.5f, 1};
static const float edit_late_times[2] = {0.25f, 1.25f};
static const float edit_hips_t[9] = {0, 1, 0, 0, 1.5f, 0.25f, 0, 1, 0.5f};
static const float edit_hips_r[12] = {0, 0, 0, 1, 0, S15, 0, C15, 0, 0, 0, 1};
static const float edit_left_r[36] = {
    0, 0, 0, 0, 0, 0, 0,   1,   0, 0, 1, 0, /* in-tangent, value, out-tangent */
    0, 0, 1, 0, 0, 0, S15, C15, 0, 0, 1, 0, /**/
    0, 0, 1, 0, 0, 0, S30, C30, 0, 0, 0, 0,
};
static const float edit_right_s[6] = {1, 1, 1, 2, 2, 2};
static const float edit_body_w[6] = {0, 0, 1, 0.5f, 0, 0};

static const sn_track edit_tracks[WALK_TRACKS] = {
    [HIPS_T] = {HIPS, SN_PATH_TRANSLATION, SN_LINEAR, 3, 3, edit_times, edit_hips_t, 0},
    [HIPS_R] = {HIPS, SN_PATH_ROTATION, SN_LINEAR, 4, 3, edit_times, edit_hips_r, 1},
    [LEFT_R] = {LEFT_ARM, SN_PATH_ROTATION, SN_CUBICSPLINE, 4, 3, edit_times, edit_left_r, 2},
    [RIGHT_S] = {RIGHT_ARM, SN_PATH_SCALE, SN_STEP, 3, 2, edit_late_times, edit_right_s, 3},
    [BODY_W] = {BODY, SN_PATH_WEIGHTS, SN_LINEAR, 2, 3, edit_times, edit_body_w, 4},
};
static const sn_track edit_wave = {RIGHT_ARM, SN_PATH_ROTATION, SN_LINEAR,   4,
                                   3,         edit_times,       edit_hips_r, 0};

static const sn_track *const edit_walk_tracks[WALK_TRACKS] = {
    &edit_tracks[0], &edit_tracks[1], &edit_tracks[2], &edit_tracks[3], &edit_tracks[4]};
static const sn_track *const edit_wave_tracks[1] = {&edit_wave};
static const sn_marker edit_markers[1] = {{0.5f, "left foot down"}};

static const sn_clip edit_clips[EDIT_CLIPS] = {
    [WALK] = {.name = "Walk",
              .track_count = WALK_TRACKS,
              .tracks = edit_walk_tracks,
              .duration = 1.25f,
              .origin = 0,
              .marker_count = 1,
              .markers = edit_markers},
    [WAVE] =
        {.name = "Wave", .track_count = 1, .tracks = edit_wave_tracks, .duration = 1, .origin = 1},
    [IDLE_A] = {.name = "Idle", .origin = 2},
    [IDLE_B] = {.name = "Idle", .origin = 3},
};

static const uint32_t edit_joints[3] = {HIPS, LEFT_ARM, RIGHT_ARM};
static const sn_skin edit_skin = {"Skin", 3, edit_joints, NULL, SN_NONE};
static const sn_mesh edit_mesh = {"Body", 0, NULL, 2};

#define EDIT_MODIFIERS                                                                             \
    "{\"modifiers\": [{\"type\": \"two_bone\", \"name\": \"reach\", \"root\": \"Root\", \"mid\": " \
    "\"Hips\", \"end\": \"LeftArm\", \"target\": {\"position\": [0, 1, 0.5]}}]}"

static const sn_model edit_model = {
    .generator = "",
    .node_count = EDIT_NODES,
    .mesh_count = 1,
    .skin_count = 1,
    .clip_count = EDIT_CLIPS,
    .default_scene = SN_NONE,
    .nodes = edit_nodes,
    .meshes = &edit_mesh,
    .skins = &edit_skin,
    .clips = edit_clips,
    .modifiers = EDIT_MODIFIERS,
    .modifiers_length = sizeof EDIT_MODIFIERS - 1,
};

/* Everything that a document says, bit by bit: two documents are the same when this text is. */
static inline void edit_print(const sn_document *document, sn_text *out) {
    const sn_clip *clips;
    size_t count = sn_document_clips(document, &clips);
    for (size_t c = 0; c < count; c++) {
        const sn_clip *clip = &clips[c];
        sn_text_append_string(out, clip->name, strlen(clip->name));
        sn_text_append_bytes(out, &clip->duration, sizeof clip->duration);
        sn_text_append_bytes(out, &clip->origin, sizeof clip->origin);
        for (uint32_t m = 0; m < clip->marker_count; m++) {
            sn_text_append_bytes(out, &clip->markers[m].time, sizeof(float));
            sn_text_append_string(out, clip->markers[m].name, strlen(clip->markers[m].name));
        }
        for (uint32_t t = 0; t < clip->track_count; t++) {
            const sn_track *track = clip->tracks[t];
            size_t rows = track->interpolation == SN_CUBICSPLINE ? 3 : 1;
            const uint32_t head[] = {track->node,      track->path,  (uint32_t)track->interpolation,
                                     track->key_count, track->width, track->origin};
            sn_text_append_bytes(out, head, sizeof head);
            sn_text_append_bytes(out, track->times, track->key_count * sizeof(float));
            sn_text_append_bytes(out, track->values,
                                 track->key_count * rows * track->width * sizeof(float));
        }
        sn_text_append(out, "\n");
    }
    sn_modifier_stack_write(sn_document_modifiers(document), out);
}

#endif
