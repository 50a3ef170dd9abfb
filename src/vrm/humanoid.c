/* The humanoid map: VRMC_vrm-1.0, humanoid.md; VRM 0.0, "Defined bones"; VRMC_vrm_animation-1.0. */
#include <string.h>

#include "base/error.h"
#include "sinew/vrm.h"

enum { MOST_WARNINGS = 64 };

typedef struct finder {
    const sn_json *json;
    const sn_model *model;
    sn_arena *arena;
    sn_vrm_humanoid *out;
    sn_warning *warnings;
    uint32_t thumb_shift; /* thumbs are proximal, intermediate, distal */
    bool has_no_memory;
} finder;

static const char *copy(finder *f, const char *text) {
    size_t size = strlen(text) + 1;
    char *out = SN_ARENA_NEW(f->arena, char, size);
    if (out)
        memcpy(out, text, size);
    else
        f->has_no_memory = true;
    return out;
}

static void warn(finder *f, sn_message_id id, uint32_t value, const char *format,
                 const char *text) {
    size_t count = f->out->warning_count;
    if (count > MOST_WARNINGS)
        return;
    if (!f->warnings) {
        f->out->warnings = f->warnings = SN_ARENA_NEW(f->arena, sn_warning, MOST_WARNINGS + 1);
        if (!f->warnings) {
            f->has_no_memory = true;
            return;
        }
    }
    sn_error full = {0};
    sn_json_pointer(f->json, value, full.pointer, sizeof full.pointer);
    sn_format(full.text, sizeof full.text, format, text);
    if (count == MOST_WARNINGS) {
        id = SN_MESSAGE_WARNING_LIMIT;
        sn_format(full.text, sizeof full.text, "there are more warnings than these %z", count);
    }
    f->warnings[count] =
        (sn_warning){id, (char *)copy(f, full.pointer), (char *)copy(f, full.text)};
    f->out->warning_count++;
}

static uint32_t member(const finder *f, uint32_t object, const char *name) {
    bool is_object = object != SN_NONE && f->json->nodes[object].type == SN_JSON_OBJECT;
    return is_object ? sn_json_member(f->json, object, name) : SN_NONE;
}

static const char *string_of(finder *f, uint32_t value) {
    if (value == SN_NONE || f->json->nodes[value].type != SN_JSON_STRING)
        return "";
    const char *out = sn_json_string(f->json, value, f->arena, NULL);
    f->has_no_memory = f->has_no_memory || !out;
    return out ? out : "";
}

/* Of the thumb that begins with "Proximal" the bones have the names of those before them. */
static sn_human_bone find_bone(const finder *f, const char *name) {
    for (uint32_t side = 0; side < 2 && f->thumb_shift; side++) {
        static const char *const thumbs[2][3] = {
            {"leftThumbProximal", "leftThumbIntermediate", "leftThumbDistal"},
            {"rightThumbProximal", "rightThumbIntermediate", "rightThumbDistal"}};
        for (uint32_t i = 0; i < 3; i++)
            if (strcmp(name, thumbs[side][i]) == 0)
                return (sn_human_bone)(SN_HUMAN_LEFT_THUMB_METACARPAL + side * SN_HUMAN_SIDE + i);
    }
    return sn_human_bone_find(name);
}

static void take_bone(finder *f, const char *name, uint32_t value) {
    uint32_t *joints = f->out->bones.joints;
    sn_human_bone bone = find_bone(f, name);
    uint32_t number = member(f, value, "node");
    uint64_t node;
    if (bone == SN_HUMAN_NONE)
        warn(f, SN_MESSAGE_VRM_BONE, value, "there is no human bone \"%s\"", name);
    else if (number == SN_NONE || !sn_json_unsigned(f->json, number, &node))
        warn(f, SN_MESSAGE_VRM_BONE, value, "the bone %s names no node", name);
    else if (node >= f->model->node_count)
        warn(f, SN_MESSAGE_REFERENCE, number, "the node of %s does not exist", name);
    else if (joints[bone] != SN_NONE)
        warn(f, SN_MESSAGE_VRM_BONE, value, "the bone %s is named twice: the first is kept", name);
    else {
        for (uint32_t other = 0; other < SN_HUMAN_BONE_COUNT; other++)
            if (joints[other] == (uint32_t)node) {
                warn(f, SN_MESSAGE_VRM_BONE, value, "the node of %s is another bone already", name);
                return;
            }
        joints[bone] = (uint32_t)node;
    }
}

/* VRM 0: an array of {bone, node}; else an object of {node} by bone. */
static void take_bones(finder *f, uint32_t bones) {
    if (bones == SN_NONE)
        return;
    const sn_json_node *nodes = f->json->nodes;
    bool is_array = nodes[bones].type == SN_JSON_ARRAY;
    if (!is_array && nodes[bones].type != SN_JSON_OBJECT) {
        warn(f, SN_MESSAGE_VRM_BONE, bones, "%s", "human bones are an object, in VRM 0 an array");
        return;
    }
    f->thumb_shift = f->out->kind == SN_VRM_0 ||
                     member(f, bones, "leftThumbIntermediate") != SN_NONE ||
                     member(f, bones, "rightThumbIntermediate") != SN_NONE;
    uint32_t at = sn_json_first(f->json, bones);
    for (uint32_t n = nodes[bones].count; n > 0; n--) {
        uint32_t value = is_array ? at : nodes[at].next;
        const char *name = string_of(f, is_array ? member(f, value, "bone") : at);
        take_bone(f, name, value);
        at = nodes[value].next;
    }
}

/* ---- by names ---- */

static sn_result find_by_names(finder *f, sn_error *error) {
    const sn_model *model = f->model;
    const char **names = SN_ARENA_NEW(f->arena, const char *, model->node_count);
    uint32_t *parents = SN_ARENA_NEW(f->arena, uint32_t, model->node_count);
    sn_transform *rest = SN_ARENA_NEW(f->arena, sn_transform, model->node_count);
    if (!names || !parents || !rest)
        return sn_fail(error, SN_MESSAGE_MEMORY, NULL, "no memory for the names of the nodes");
    for (uint32_t i = 0; i < model->node_count; i++) {
        parents[i] = model->nodes[i].parent;
        rest[i] = model->nodes[i].rest;
        if (model->skin_count == 0)
            names[i] = model->nodes[i].name;
    }
    for (uint32_t s = 0; s < model->skin_count; s++)
        for (uint32_t j = 0; j < model->skins[s].joint_count; j++)
            for (uint32_t at = model->skins[s].joints[j]; at != SN_NONE && !names[at];
                 at = parents[at])
                names[at] = model->nodes[at].name;
    const sn_joints joints = {.count = model->node_count,
                              .parents = parents,
                              .rest = rest,
                              .root = sn_affine_identity(),
                              .fixed_count = model->fixed_count,
                              .fixed_joints = model->fixed_nodes,
                              .fixed_matrices = model->fixed_matrices};
    return sn_humanoid_from_names(&joints, names, f->arena->allocator, &f->out->bones, error);
}

sn_result sn_vrm_find_humanoid(const sn_gltf *gltf, sn_arena *arena, sn_vrm_humanoid *out,
                               sn_error *error) {
    static const struct {
        const char *name;
        sn_vrm_kind kind;
    } extensions[] = {
        {"VRMC_vrm", SN_VRM_1}, {"VRM", SN_VRM_0}, {"VRMC_vrm_animation", SN_VRM_ANIMATION}};
    sn_vrm_humanoid found = {.version = "", .bones = sn_humanoid_none()};
    finder f = {
        .json = sn_gltf_json(gltf), .model = sn_gltf_model(gltf), .arena = arena, .out = &found};
    uint32_t own = SN_NONE;
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++) {
        own = member(&f, member(&f, 0, "extensions"), extensions[i].name);
        if (own != SN_NONE && f.json->nodes[own].type == SN_JSON_OBJECT) {
            found.kind = extensions[i].kind;
            break;
        }
    }
    if (found.kind == SN_VRM_NONE) {
        sn_result result = find_by_names(&f, error);
        if (result)
            return result;
    } else {
        found.version = string_of(&f, member(&f, own, "specVersion"));
        found.bones.facing = found.kind == SN_VRM_0 ? -1 : 1;
        take_bones(&f, member(&f, member(&f, own, "humanoid"), "humanBones"));
    }
    if (f.has_no_memory)
        return sn_fail(error, SN_MESSAGE_MEMORY, NULL, "no memory for the humanoid map");
    *out = found;
    return SN_OK;
}
