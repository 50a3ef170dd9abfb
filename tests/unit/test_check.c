/* Every rule of preflight has a model that it is for, and stays silent on a sound one. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sinew/check.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* A sound model, every part of which a test may spoil: a root, two joints below it, and a mesh of
 * three vertices skinned to them; one clip that turns both joints. */
typedef struct fixture {
    sn_node nodes[5];
    uint32_t joints[200];
    sn_affine inverse_bind[200];
    sn_skin skins[2];
    float positions[9];
    uint16_t vertex_joints[3 * 8];
    float weights[3 * 8];
    uint32_t indices[3];
    sn_primitive primitive;
    sn_mesh mesh;
    float times[2][3];
    float values[2][9 * 4];
    sn_track tracks[2];
    const sn_track *track_list[2];
    sn_clip clips[2];
    sn_model model;
} fixture;

static const sn_transform identity = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};

static void set_node(fixture *f, uint32_t node, const char *name, uint32_t parent) {
    f->nodes[node] = (sn_node){.name = name,
                               .parent = parent,
                               .mesh = SN_NONE,
                               .skin = SN_NONE,
                               .camera = SN_NONE,
                               .rest = identity};
}

static void set_sound(fixture *f) {
    memset(f, 0, sizeof *f);
    set_node(f, 0, "Root", SN_NONE);
    set_node(f, 1, "Hips", 0);
    set_node(f, 2, "Leg", 1);
    set_node(f, 3, "Body", SN_NONE);
    set_node(f, 4, "Other", SN_NONE);
    f->nodes[3].mesh = 0;
    f->nodes[3].skin = 0;
    for (uint32_t i = 0; i < COUNT(f->inverse_bind); i++)
        f->inverse_bind[i] = (sn_affine){{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    f->joints[0] = 1;
    f->joints[1] = 2;
    f->skins[0] = (sn_skin){.name = "",
                            .joint_count = 2,
                            .joints = f->joints,
                            .inverse_bind = f->inverse_bind,
                            .skeleton_root = SN_NONE};
    f->skins[1] = f->skins[0];
    for (uint32_t v = 0; v < 3; v++) {
        f->vertex_joints[4 * v + 1] = 1;
        f->weights[4 * v] = 0.25f;
        f->weights[4 * v + 1] = 0.75f;
        f->indices[v] = v;
    }
    f->primitive = (sn_primitive){
        .mode = 4,
        .material = SN_NONE,
        .geometry = {.vertex_count = 3,
                     .positions = f->positions,
                     .influence_count = 4,
                     .joints = f->vertex_joints,
                     .weights = f->weights},
        .index_count = 3,
        .indices = f->indices,
    };
    f->mesh = (sn_mesh){.name = "", .primitive_count = 1, .primitives = &f->primitive};
    for (uint32_t t = 0; t < 2; t++) {
        for (uint32_t key = 0; key < 3; key++) {
            f->times[t][key] = (float)key * 0.5f;
            float half = (float)key * 0.2f;
            f->values[t][4 * key] = sinf(half);
            f->values[t][4 * key + 3] = cosf(half);
        }
        f->tracks[t] = (sn_track){.node = 1 + t,
                                  .path = SN_PATH_ROTATION,
                                  .interpolation = SN_LINEAR,
                                  .width = 4,
                                  .key_count = 3,
                                  .times = f->times[t],
                                  .values = f->values[t],
                                  .origin = t};
        f->track_list[t] = &f->tracks[t];
    }
    f->clips[0] = (sn_clip){
        .name = "Walk", .track_count = 2, .tracks = f->track_list, .duration = 1, .origin = 0};
    f->clips[1] = (sn_clip){.name = "", .origin = 1};
    f->model = (sn_model){.generator = "",
                          .node_count = 5,
                          .mesh_count = 1,
                          .skin_count = 1,
                          .clip_count = 1,
                          .default_scene = SN_NONE,
                          .nodes = f->nodes,
                          .meshes = &f->mesh,
                          .skins = f->skins,
                          .clips = f->clips};
}

/* ---- One case a rule: how to spoil the sound model, and where the finding must point ---- */

static void clip_empty(fixture *f) {
    f->model.clip_count = 2;
}

static void clip_none(fixture *f) {
    f->model.clip_count = 0;
}

static void clip_overrun(fixture *f) {
    f->times[1][2] = 9;
}

static void joint_duplicate_name(fixture *f) {
    f->nodes[2].name = "Hips";
}

static void joint_mirrored(fixture *f) {
    f->nodes[2].rest.scale[0] = -1;
}

static void joint_no_name(fixture *f) {
    f->nodes[2].name = "";
}

static void joint_scale(fixture *f) {
    f->nodes[0].rest.scale[1] = 2; /* not a joint, but the joints stand below it */
}

static void key_constant(fixture *f) {
    for (int key = 1; key < 3; key++) { /* alternately q and -q: the same rotation */
        for (int i = 0; i < 4; i++)
            f->values[1][4 * key + i] = key & 1 ? -0.5f : 0.5f;
    }
    for (int i = 0; i < 4; i++)
        f->values[1][i] = 0.5f;
}

static void key_first(fixture *f) {
    f->times[0][0] = 0.25f;
}

static void flip_second_key(fixture *f, int row) {
    for (int i = 0; i < 4; i++)
        f->values[0][4 * row + i] = -f->values[0][4 * row + i];
}

static void key_flip(fixture *f) {
    flip_second_key(f, 1);
}

static void key_flip_spline(fixture *f) {
    f->tracks[0].interpolation = SN_CUBICSPLINE;
    float keys[3][4];
    memcpy(keys, f->values[0], sizeof keys);
    memset(f->values[0], 0, sizeof f->values[0]);
    for (int key = 0; key < 3; key++)
        memcpy(f->values[0] + 4 * (3 * key + 1), keys[key], sizeof keys[key]);
    flip_second_key(f, 4);
}

/* The second of three keys, a thirtieth of a second apart. */
static void turn_second_key(fixture *f, float radians) {
    for (int key = 0; key < 3; key++) {
        float half = key == 1 ? radians / 2 : 0.05f * (float)key;
        f->times[0][key] = f->times[1][key] = (float)key / 30;
        float *q = f->values[0] + (size_t)4 * (size_t)key;
        q[0] = q[1] = 0;
        q[2] = sinf(half);
        q[3] = cosf(half);
    }
}

static void key_spike(fixture *f) {
    turn_second_key(f, -1.5f);
}

static void key_negative_time(fixture *f) {
    f->times[0][0] = -0.25f;
}

static void key_not_finite(fixture *f) {
    f->values[1][6] = NAN;
}

static void key_order(fixture *f) {
    f->times[0][1] = f->times[0][2];
}

static void key_rest(fixture *f) {
    f->tracks[1].key_count = 1;
}

static void key_unit(fixture *f) {
    f->values[0][7] *= 1.5f;
}

static void node_skin_transform(fixture *f) {
    f->nodes[3].rest.translation[1] = 1;
}

static void node_skin_without_weights(fixture *f) {
    f->primitive.geometry.influence_count = 0;
}

static void node_weights_without_skin(fixture *f) {
    f->nodes[4].mesh = 0;
}

static void skin_bind_missing(fixture *f) {
    f->skins[0].inverse_bind = NULL;
}

static void skin_bind_not_finite(fixture *f) {
    f->inverse_bind[1].m[2][3] = INFINITY;
}

static void skin_bind_singular(fixture *f) {
    for (int i = 0; i < 3; i++) /* the second row is parallel to the first */
        f->inverse_bind[1].m[1][i] = 3 * f->inverse_bind[1].m[0][i];
}

static void skin_duplicate_joint(fixture *f) {
    f->joints[2] = 1;
    f->skins[0].joint_count = 3;
}

/* Wants nodes that the model has not: the 127 joints after the first two are all node 2. */
static void skin_large(fixture *f) {
    for (uint32_t j = 2; j < 129; j++)
        f->joints[j] = 2;
    f->skins[0].joint_count = 129;
}

static void skin_no_common_root(fixture *f) {
    f->joints[1] = 4;
}

static void skin_none(fixture *f) {
    f->model.skin_count = 0;
    f->nodes[3].skin = SN_NONE;
}

static void skin_skeleton(fixture *f) {
    f->skins[0].skeleton_root = 2;
}

static void skin_unused(fixture *f) {
    f->model.skin_count = 2;
}

static void track_duplicate(fixture *f) {
    f->tracks[1].node = 1;
}

static void track_matrix(fixture *f) {
    f->nodes[1].has_matrix = true;
}

static void weights_duplicate(fixture *f) {
    f->vertex_joints[4 * 2] = 1;
}

static void weights_influences(fixture *f) {
    f->primitive.geometry.influence_count = 8;
    f->model.skins = f->skins;
    f->skins[0].joint_count = 2;
    memset(f->weights, 0, sizeof f->weights);
    for (uint32_t v = 0; v < 3; v++)
        f->weights[8 * v] = 1;
    for (uint16_t i = 0; i < 5; i++) { /* the last vertex follows five */
        f->vertex_joints[16 + i] = i;
        f->weights[16 + i] = 0.2f;
    }
}

static void weights_joint(fixture *f) {
    f->vertex_joints[4 * 1 + 3] = 2; /* even with a weight of 0 */
}

static void weights_negative(fixture *f) {
    f->weights[4] = -0.25f;
    f->weights[5] = 1.25f;
}

static void weights_not_finite(fixture *f) {
    f->weights[4] = NAN;
}

static void weights_sum(fixture *f) {
    f->weights[8] = 0.5f;
}

static void weights_zero(fixture *f) {
    f->weights[8] = f->weights[9] = 0;
}

typedef struct rule_case {
    const char *id;
    void (*spoil)(fixture *f);
    const char *pointer;
    const char *says; /* part of the message: the number that tells which */
} rule_case;

static const rule_case cases[] = {
    {"clip.empty", clip_empty, "/animations/1", "moves nothing"},
    {"clip.none", clip_none, "", "no animation"},
    {"clip.overrun", clip_overrun, "/animations/0/channels/1", "9 s"},
    {"joint.duplicate_name", joint_duplicate_name, "/nodes/2", "the first is node 1"},
    {"joint.mirrored", joint_mirrored, "/nodes/2", "-1 1 1"},
    {"joint.no_name", joint_no_name, "/nodes/2", "its index, 2"},
    {"joint.scale", joint_scale, "/nodes/0", "1 2 1"},
    {"key.constant", key_constant, "/animations/0/channels/1", "3 keys"},
    {"key.first", key_first, "/animations/0/channels/0", "0.25 s"},
    {"key.flip", key_flip, "/animations/0/channels/0", "the first is key 1"},
    {"key.flip_spline", key_flip_spline, "/animations/0/channels/0", "the first is key 1"},
    {"key.negative_time", key_negative_time, "/animations/0/channels/0", "-0.25 s"},
    {"key.not_finite", key_not_finite, "/animations/0/channels/1", "key 1"},
    {"key.order", key_order, "/animations/0/channels/0", "key 2 at 1 s"},
    {"key.rest", key_rest, "/animations/0/channels/1", "rotation of node 2"},
    {"key.spike", key_spike, "/animations/0/channels/0", "key 1 at 0.033"},
    {"key.unit", key_unit, "/animations/0/channels/0", "the first is key 1"},
    {"node.skin_transform", node_skin_transform, "/nodes/3", "ignored"},
    {"node.skin_without_weights", node_skin_without_weights, "/nodes/3/skin", "primitive 0"},
    {"node.weights_without_skin", node_weights_without_skin, "/nodes/4/mesh", "no skin"},
    {"skin.bind_missing", skin_bind_missing, "/skins/0", "identity"},
    {"skin.bind_not_finite", skin_bind_not_finite, "/skins/0/inverseBindMatrices", "joint 1"},
    {"skin.bind_singular", skin_bind_singular, "/skins/0/inverseBindMatrices", "joint 1"},
    {"skin.duplicate_joint", skin_duplicate_joint, "/skins/0/joints/2", "node 1"},
    {"skin.large", skin_large, "/skins/0/joints", "129 joints"},
    {"skin.no_common_root", skin_no_common_root, "/skins/0/joints/1", "node 4"},
    {"skin.none", skin_none, "", "no skin"},
    {"skin.skeleton", skin_skeleton, "/skins/0/skeleton", "joint 0 (node 1)"},
    {"skin.unused", skin_unused, "/skins/1", "no node"},
    {"track.duplicate", track_duplicate, "/animations/0/channels/1", "/animations/0/channels/0"},
    {"track.matrix", track_matrix, "/animations/0/channels/0", "node 1"},
    {"weights.duplicate", weights_duplicate, "/meshes/0/primitives/0/attributes/WEIGHTS_0",
     "vertex 2"},
    {"weights.influences", weights_influences, "/meshes/0/primitives/0/attributes/WEIGHTS_0",
     "up to 5"},
    {"weights.joint", weights_joint, "/meshes/0/primitives/0/attributes/JOINTS_0",
     "vertex 1 names joint 2"},
    {"weights.negative", weights_negative, "/meshes/0/primitives/0/attributes/WEIGHTS_0",
     "vertex 1"},
    {"weights.not_finite", weights_not_finite, "/meshes/0/primitives/0/attributes/WEIGHTS_0",
     "vertex 1"},
    {"weights.sum", weights_sum, "/meshes/0/primitives/0/attributes/WEIGHTS_0", "1.25"},
    {"weights.zero", weights_zero, "/meshes/0/primitives/0/attributes/WEIGHTS_0", "vertex 2"},
};

/* Findings that a spoiled model has beside the one it is for. */
static bool comes_along(const char *id, const char *other) {
    static const char *const pairs[][2] = {
        {"key.constant", "key.flip"},
        {"skin.large", "skin.duplicate_joint"},
        {"skin.none", "node.weights_without_skin"},
        {"weights.influences", "weights.joint"},
    };
    for (size_t i = 0; i < COUNT(pairs); i++)
        if (strcmp(pairs[i][0], id) == 0 && strcmp(pairs[i][1], other) == 0)
            return true;
    return false;
}

static sn_findings check(const fixture *f, sn_arena *arena) {
    sn_findings findings;
    sn_error error;
    assert_int_equal(sn_check_model(&f->model, arena, &findings, &error), SN_OK);
    return findings;
}

static const sn_check_rule *rule_named(const char *id) {
    size_t count;
    const sn_check_rule *rules = sn_check_rules(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(rules[i].id, id) == 0)
            return &rules[i];
    fail_msg("no rule %s", id);
    return NULL;
}

static void test_sound_model(void **state) {
    (void)state;
    fixture f;
    set_sound(&f);
    sn_arena arena;
    sn_arena_init(&arena, NULL);
    sn_findings findings = check(&f, &arena);
    for (size_t i = 0; i < findings.count; i++)
        print_message("%s: %s\n", findings.items[i].id, findings.items[i].message);
    assert_int_equal(findings.count, 0);
    sn_arena_free(&arena);
}

static void test_each_rule(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const rule_case *rule = &cases[i];
        fixture f;
        set_sound(&f);
        rule->spoil(&f);
        sn_arena arena;
        sn_arena_init(&arena, NULL);
        sn_findings findings = check(&f, &arena);
        bool found = false;
        for (size_t k = 0; k < findings.count; k++) {
            const sn_finding *finding = &findings.items[k];
            if (strcmp(finding->id, rule->id) != 0) {
                if (!comes_along(rule->id, finding->id))
                    fail_msg("%s also gives %s: %s", rule->id, finding->id, finding->message);
                continue;
            }
            if (found)
                continue;
            found = true;
            assert_string_equal(finding->pointer, rule->pointer);
            if (!strstr(finding->message, rule->says))
                fail_msg("%s should say \"%s\": %s", rule->id, rule->says, finding->message);
            assert_int_equal(finding->severity, rule_named(rule->id)->severity);
        }
        if (!found)
            fail_msg("%s is not found", rule->id);
        sn_arena_free(&arena);
    }
}

static void test_every_rule_has_a_case_and_a_line_in_the_documentation(void **state) {
    (void)state;
    FILE *file = fopen(SINEW_SOURCE_DIR "/docs/check.md", "rb");
    assert_non_null(file);
    static char text[64 * 1024];
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    static const char *const severities[] = {"error", "warning", "info"};
    size_t count;
    const sn_check_rule *rules = sn_check_rules(&count);
    assert_int_equal(count, COUNT(cases));
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(rules[i].id, cases[i].id); /* both sorted */
        if (i)
            assert_true(strcmp(rules[i - 1].id, rules[i].id) < 0);
        char row[64];
        snprintf(row, sizeof row, "\n| `%s` | %s |", rules[i].id, severities[rules[i].severity]);
        if (!strstr(text, row))
            fail_msg("docs/check.md has no row %s", row + 1);
    }
}

/* ---- What must not be found ---- */

static size_t count_of(const sn_findings *findings, const char *id) {
    size_t n = 0;
    for (size_t i = 0; i < findings->count; i++)
        n += strcmp(findings->items[i].id, id) == 0;
    return n;
}

static void expect_none(void (*spoil)(fixture *f), const char *id) {
    fixture f;
    set_sound(&f);
    spoil(&f);
    sn_arena arena;
    sn_arena_init(&arena, NULL);
    sn_findings findings = check(&f, &arena);
    if (count_of(&findings, id))
        fail_msg("%s is found", id);
    sn_arena_free(&arena);
}

static void zero_weights_undrawn(fixture *f) {
    f->weights[8] = f->weights[9] = 0;
    f->indices[2] = 1;
}

static void rounded_byte_weights(fixture *f) {
    for (int i = 0; i < 4; i++)
        f->weights[i] = (float)(i == 1 ? 190 : i == 0 ? 63 : 0) / 255; /* 253 / 255 */
}

static void rounded_byte_rotation(fixture *f) {
    for (int i = 0; i < 12; i++)
        f->values[0][i] = roundf(f->values[0][i] * 127) / 127;
}

static void scale_of_a_leaf(fixture *f) {
    f->nodes[2].rest.scale[1] = 2;
}

static void mirrored_twice(fixture *f) {
    f->nodes[2].rest.scale[0] = f->nodes[2].rest.scale[1] = -1;
}

static void others_have_one_key(fixture *f) {
    f->tracks[1].key_count = 1;
}

static void moving_tangents(fixture *f) {
    f->tracks[1].interpolation = SN_CUBICSPLINE;
    memset(f->values[1], 0, sizeof f->values[1]);
    for (int key = 0; key < 3; key++)
        f->values[1][4 * (3 * key + 1) + 3] = 1; /* always at rest … */
    f->values[1][4 * 2] = 1;                     /* … but it leaves in between */
}

static void skeleton_above_joints(fixture *f) {
    f->skins[0].skeleton_root = 0;
}

static void weights_on_matrix_node(fixture *f) {
    f->nodes[1].has_matrix = true;
    f->tracks[0].path = SN_PATH_WEIGHTS;
}

static void geometry_not_read(fixture *f) {
    memset(&f->primitive.geometry, 0, sizeof f->primitive.geometry);
    f->primitive.index_count = 0;
}

static void test_no_false_alarms(void **state) {
    (void)state;
    expect_none(zero_weights_undrawn, "weights.zero");
    expect_none(rounded_byte_weights, "weights.sum");
    expect_none(rounded_byte_rotation, "key.unit");
    expect_none(scale_of_a_leaf, "joint.scale");
    expect_none(mirrored_twice, "joint.mirrored");
    expect_none(others_have_one_key, "clip.overrun");
    expect_none(moving_tangents, "key.rest");
    expect_none(moving_tangents, "key.constant");
    expect_none(skeleton_above_joints, "skin.skeleton");
    expect_none(weights_on_matrix_node, "track.matrix");
    expect_none(geometry_not_read, "node.skin_without_weights");
}

/* ---- Shapes that would be slow if the time were not linear, and memory that runs out ---- */

static void test_deep_and_wide(void **state) {
    (void)state;
    enum { NODES = 200000, SKINS = 2000 };
    fixture f;
    set_sound(&f);
    sn_node *nodes = calloc(NODES, sizeof *nodes);
    sn_skin *skins = calloc(SKINS, sizeof *skins);
    uint32_t deepest = NODES - 1;
    assert_true(nodes && skins);
    for (uint32_t i = 0; i < NODES; i++) { /* one chain */
        nodes[i] = f.nodes[0];
        nodes[i].name = "";
        nodes[i].parent = i ? i - 1 : SN_NONE;
    }
    for (uint32_t s = 0; s < SKINS; s++) {
        skins[s] = f.skins[0];
        skins[s].joint_count = 1;
        skins[s].joints = &deepest;
        skins[s].skeleton_root = 0;
    }
    f.model.node_count = NODES;
    f.model.nodes = nodes;
    f.model.skin_count = SKINS;
    f.model.skins = skins;
    f.model.clip_count = 0;
    sn_arena arena;
    sn_arena_init(&arena, NULL);
    sn_findings findings = check(&f, &arena);
    assert_int_equal(count_of(&findings, "skin.unused"), SKINS);
    assert_int_equal(count_of(&findings, "joint.no_name"), 1);
    assert_int_equal(count_of(&findings, "skin.skeleton"), 0);
    sn_arena_free(&arena);
    free(nodes);
    free(skins);
}

/* A million keys that a hundred thousand channels share: what one look costs, not their product. */
static void test_shared_keys(void **state) {
    (void)state;
    enum { KEYS = 1000000, TRACKS = 100000 };
    fixture f;
    set_sound(&f);
    float *times = calloc(KEYS, sizeof *times), *values = calloc(KEYS, 4 * sizeof *values);
    const sn_track **tracks = calloc(TRACKS, sizeof *tracks);
    assert_true(times && values && tracks);
    for (uint32_t key = 0; key < KEYS; key++) {
        times[key] = (float)key;
        values[4 * key + 3] = key & 1 ? -1 : 1;
    }
    f.tracks[0].key_count = KEYS;
    f.tracks[0].times = times;
    f.tracks[0].values = values;
    for (uint32_t i = 0; i < TRACKS; i++)
        tracks[i] = &f.tracks[0];
    f.clips[0].tracks = tracks;
    f.clips[0].track_count = TRACKS;
    sn_arena arena;
    sn_arena_init(&arena, NULL);
    sn_findings findings = check(&f, &arena);
    assert_int_equal(count_of(&findings, "key.flip"), TRACKS);
    assert_int_equal(count_of(&findings, "key.rest"), TRACKS);
    assert_int_equal(count_of(&findings, "track.duplicate"), TRACKS - 1);
    sn_arena_free(&arena);
    free(times);
    free(values);
    free(tracks);
}

/* What is meant: small, or slow, or not back again, or held. */
static void test_no_spike(void **state) {
    (void)state;
    for (int variant = 0; variant < 4; variant++) {
        fixture f;
        set_sound(&f);
        turn_second_key(&f, variant == 0 ? -0.6f : -1.5f);
        if (variant == 1)
            for (int key = 0; key < 3; key++)
                f.times[0][key] = 0.2f * (float)key;
        if (variant == 2) {
            f.values[0][10] = sinf(-1.5f); /* on, by as much again */
            f.values[0][11] = cosf(-1.5f);
        }
        if (variant == 3)
            f.tracks[0].interpolation = SN_STEP;
        sn_arena arena;
        sn_arena_init(&arena, NULL);
        sn_findings findings = check(&f, &arena);
        assert_int_equal(count_of(&findings, "key.spike"), 0);
        sn_arena_free(&arena);
    }
}

/* The same of a million indices that ten thousand primitives draw. */
static void test_shared_indices(void **state) {
    (void)state;
    enum { INDICES = 1000000, PRIMITIVES = 10000 };
    fixture f;
    set_sound(&f);
    uint32_t *indices = calloc(INDICES, sizeof *indices);
    sn_primitive *primitives = calloc(PRIMITIVES, sizeof *primitives);
    assert_true(indices && primitives);
    zero_weights_undrawn(&f); /* vertex 2, which none of the indices names */
    f.primitive.indices = indices;
    f.primitive.index_count = INDICES;
    for (uint32_t i = 0; i < PRIMITIVES; i++)
        primitives[i] = f.primitive;
    primitives[7].indices = f.indices;
    primitives[7].index_count = 3;
    f.indices[2] = 2;
    f.mesh.primitives = primitives;
    f.mesh.primitive_count = PRIMITIVES;
    sn_arena arena;
    sn_arena_init(&arena, NULL);
    sn_findings findings = check(&f, &arena);
    assert_int_equal(findings.count, 1);
    assert_string_equal(findings.items[0].pointer, "/meshes/0/primitives/7/attributes/WEIGHTS_0");
    sn_arena_free(&arena);
    free(indices);
    free(primitives);
}

static void test_every_allocation_failing(void **state) {
    (void)state;
    fixture f;
    set_sound(&f);
    weights_sum(&f);
    joint_duplicate_name(&f);
    key_flip(&f);
    sn_budget budget;
    bool worked = false;
    for (size_t limit = 0; !worked && limit < (4u << 20); limit += 4096) {
        sn_budget_init(&budget, NULL, limit);
        sn_arena arena;
        sn_arena_init(&arena, &budget.allocator);
        sn_findings findings;
        sn_error error = {0};
        sn_result result = sn_check_model(&f.model, &arena, &findings, &error);
        worked = result == SN_OK;
        if (!worked)
            assert_int_equal(error.id, SN_MESSAGE_MEMORY);
        else
            assert_int_equal(findings.count, 3);
        sn_arena_free(&arena);
        assert_int_equal(budget.used, 0);
    }
    assert_true(worked);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sound_model),
        cmocka_unit_test(test_each_rule),
        cmocka_unit_test(test_every_rule_has_a_case_and_a_line_in_the_documentation),
        cmocka_unit_test(test_no_false_alarms),
        cmocka_unit_test(test_deep_and_wide),
        cmocka_unit_test(test_shared_keys),
        cmocka_unit_test(test_no_spike),
        cmocka_unit_test(test_shared_indices),
        cmocka_unit_test(test_every_allocation_failing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
