#include "tests/unit/modifier_rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define NODE(label, above, x, y, z)                                                                \
    {                                                                                              \
        .name = label, .parent = above, .mesh = SN_NONE, .skin = SN_NONE, .camera = SN_NONE,       \
        .rest = {                                                                                  \
            .translation = {x, y, z},                                                              \
            .rotation = {0, 0, 0, 1},                                                              \
            .scale = {1, 1, 1}                                                                     \
        }                                                                                          \
    }

/* The upper arm is 0.30 m with its twist joint half-way, the forearm 0.25 m and bent forward. */
static const sn_node nodes[RIG_NODES] = {
    [BASE] = NODE("Base", SN_NONE, 0.1f, 1.4f, 0),
    [UPPER] = NODE("Upper", BASE, 0.1f, 0, 0),
    [UPPER_TWIST] = NODE("UpperTwist", UPPER, 0.15f, 0, 0),
    [LOWER] = NODE("Lower", UPPER_TWIST, 0.15f, 0, 0),
    [HAND] = NODE("Hand", LOWER, 0.2f, 0, 0.15f),
    [TIP] = NODE("Tip", HAND, 0, 0, 0),
    [BALL] = NODE("Ball", SN_NONE, 0.4f, 1.2f, 0.3f),
    [TWIN_A] = NODE("Twin", SN_NONE, 0, 0, 0),
    [TWIN_B] = NODE("Twin", SN_NONE, 0, 0, 0),
    [LAMP] = NODE("Lamp", BASE, 0, 0, 0),
    [SHADE] = NODE("Shade", LAMP, 0, 1, 0),
};
static const uint32_t fixed_nodes[] = {LAMP};
static const sn_affine fixed_matrices[] = {{{{1, 0.5f, 0, 0}, {0, 1, 0, 1}, {0, 0, 1, 0}}}};

const sn_model test_rig_model = {
    .generator = "",
    .node_count = RIG_NODES,
    .default_scene = SN_NONE,
    .nodes = nodes,
    .fixed_count = 1,
    .fixed_nodes = fixed_nodes,
    .fixed_matrices = fixed_matrices,
};

sn_modifier_stack *test_rig_stack(const char *modifiers, const sn_allocator *allocator,
                                  sn_error *error) {
    sn_arena arena;
    sn_arena_init(&arena, allocator);
    sn_modifier_stack_desc desc = {.model = &test_rig_model};
    sn_modifier_text *texts = NULL;
    sn_modifier_stack *stack = NULL;
    sn_result result = sn_modifier_texts_read(modifiers, strlen(modifiers), &arena, &texts,
                                              &desc.modifier_count, error);
    desc.modifiers = texts;
    if (!result)
        result = sn_modifier_stack_create(&desc, allocator, &stack, error);
    sn_arena_free(&arena);
    assert_int_equal(result == SN_OK, stack != NULL);
    return stack;
}

void test_rig_init(test_rig *rig, const char *modifiers) {
    *rig = (test_rig){0};
    sn_error error = {0};
    rig->stack = test_rig_stack(modifiers, NULL, &error);
    if (!rig->stack)
        fail_msg("%s: %s %s", modifiers, error.pointer, error.text);
    assert_int_equal(sn_model_skeleton(&test_rig_model, SN_KERNEL_BEST, NULL, &rig->skeleton, NULL),
                     SN_OK);
    assert_int_equal(sn_modifier_state_create(rig->stack, NULL, &rig->state, NULL), SN_OK);
    uintptr_t aligned = ((uintptr_t)rig->memory + 63) / 64 * 64;
    rig->pose.data = rig->memory + (aligned - (uintptr_t)rig->memory) / sizeof(float);
    assert_true(sn_pose_size(rig->skeleton) + 64 <= sizeof rig->memory);
    sn_pose_rest(rig->skeleton, rig->pose);
}

void test_rig_free(test_rig *rig) {
    sn_modifier_state_free(rig->state);
    sn_modifier_stack_free(rig->stack);
    sn_skeleton_free(rig->skeleton);
}

sn_result test_rig_apply(test_rig *rig, float time, float seconds, sn_modifier_report *reports,
                         sn_error *error) {
    sn_modifier_frame frame = {.time = time, .seconds = seconds};
    return sn_modifier_stack_apply(rig->stack, rig->state, rig->skeleton, rig->pose, &frame,
                                   reports, error);
}

void test_rig_seek(test_rig *rig, float time, sn_modifier_report *reports) {
    sn_pose_rest(rig->skeleton, rig->pose);
    sn_error error = {0};
    if (test_rig_apply(rig, time, 0, reports, &error))
        fail_msg("%s: %s", error.pointer, error.text);
}

sn_transform test_rig_local(const test_rig *rig, uint32_t node) {
    sn_transform local;
    sn_pose_get(rig->skeleton, rig->pose, sn_skeleton_joint_of_node(rig->skeleton, node), &local);
    return local;
}

void test_rig_position(const test_rig *rig, uint32_t node, double out[3]) {
    _Alignas(64) sn_affine world[64];
    sn_hierarchy_update(rig->skeleton, rig->pose, NULL, world);
    const sn_affine *matrix = &world[sn_skeleton_joint_of_node(rig->skeleton, node)];
    for (int i = 0; i < 3; i++)
        out[i] = (double)matrix->m[i][3];
}

double test_rig_distance(const test_rig *rig, uint32_t node, double x, double y, double z) {
    double p[3];
    test_rig_position(rig, node, p);
    return sqrt((p[0] - x) * (p[0] - x) + (p[1] - y) * (p[1] - y) + (p[2] - z) * (p[2] - z));
}
