/* Modifiers applied to a pose: weights, keys, stages, state. What is measured is where the
 * hierarchy puts the joints of the changed pose. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/modifier_rig.h"

#define CHAIN                                                                                      \
    "{\"type\": \"two_bone\", \"root\": \"Upper\", \"mid\": \"Lower\", \"end\": \"Hand\", "
#define TARGET "\"target\": {\"position\": [0.3, 1.2, 0.2]}"
#define REACH CHAIN TARGET
#define ARM                                                                                        \
    "{\"type\": \"arm\", \"side\": \"left\", \"bones\": {\"leftUpperArm\": \"Upper\", "            \
    "\"leftLowerArm\": \"Lower\", \"leftHand\": \"Hand\"}, "
#define FILE_OF(text) "{\"modifiers\": [" text "]}"

static void assert_pose_equal(const test_rig *rig, const float *before) {
    assert_memory_equal(rig->pose.data, before, sn_pose_size(rig->skeleton));
}

/* The pose before, to compare bits with. */
static void keep(const test_rig *rig, float out[1024]) {
    memcpy(out, rig->pose.data, sn_pose_size(rig->skeleton));
}

static void test_reaches(void **state) {
    (void)state;
    test_rig rig;
    test_rig_init(&rig, FILE_OF(REACH "}"));
    sn_modifier_report report;
    float rest[1024];
    keep(&rig, rest);
    test_rig_seek(&rig, 0, &report);
    assert_true(test_rig_distance(&rig, HAND, 0.3, 1.2, 0.2) < 1e-6 * RIG_REACH);
    assert_string_equal(report.type, "two_bone");
    assert_true(report.is_applied && report.is_reached);
    assert_int_equal(report.flags, 0);
    assert_true((double)report.residual < 1e-6);
    /* Nothing but the three named rotations is written. */
    sn_transform moved[3];
    const uint32_t named[] = {UPPER, LOWER, HAND};
    for (int i = 0; i < 3; i++) {
        moved[i] = test_rig_local(&rig, named[i]);
        sn_transform back = test_rig_model.nodes[named[i]].rest;
        assert_memory_equal(moved[i].translation, back.translation, sizeof back.translation);
        sn_pose_set(rig.skeleton, rig.pose, sn_skeleton_joint_of_node(rig.skeleton, named[i]),
                    &back);
    }
    assert_pose_equal(&rig, rest);
    test_rig_free(&rig);
}

/* Values from the caller win over JSON and keys, for this character alone. */
static void test_inputs(void **state) {
    (void)state;
    test_rig rig;
    test_rig_init(&rig, FILE_OF(CHAIN TARGET ", \"name\": \"reach\", \"keys\": {\"weight\": "
                                             "{\"times\": [0], \"values\": [0]}}}"));
    uint32_t reach = sn_modifier_stack_find(rig.stack, "reach");
    assert_int_equal(reach, 0);
    assert_int_equal(sn_modifier_stack_find(rig.stack, "Reach"), SN_NONE);
    const float one = 1, there[3] = {0.2f, 1.1f, 0.3f};
    assert_int_equal(sn_modifier_state_set(rig.state, reach, "target", there, NULL), SN_OK);
    assert_int_equal(sn_modifier_state_set(rig.state, reach, "weight", &one, NULL), SN_OK);
    sn_modifier_state_reset(rig.state);
    sn_modifier_report report;
    test_rig_seek(&rig, 0, &report);
    assert_true(report.is_reached);
    assert_true(test_rig_distance(&rig, HAND, 0.2, 1.1, 0.3) < 1e-6);

    sn_modifier_state *other;
    assert_int_equal(sn_modifier_state_create(rig.stack, NULL, &other, NULL), SN_OK);
    sn_modifier_frame frame = {0};
    assert_int_equal(
        sn_modifier_stack_apply(rig.stack, other, rig.skeleton, rig.pose, &frame, &report, NULL),
        SN_OK);
    assert_false(report.is_applied);
    sn_modifier_state_free(other);

    assert_int_equal(sn_modifier_state_set(rig.state, reach, "target", NULL, NULL), SN_OK);
    test_rig_seek(&rig, 0, &report);
    assert_true(test_rig_distance(&rig, HAND, 0.3, 1.2, 0.2) < 1e-6);
    assert_int_equal(sn_modifier_state_set(rig.state, reach, "weight", NULL, NULL), SN_OK);
    test_rig_seek(&rig, 0, &report);
    assert_false(report.is_applied);
    test_rig_free(&rig);
}

static void test_bad_inputs(void **state) {
    (void)state;
    test_rig rig;
    test_rig_init(&rig, FILE_OF(REACH "}"));
    const struct {
        uint32_t modifier;
        const char *field;
        float values[4];
        sn_message_id id;
    } cases[] = {
        {1, "target", {0, 1, 0}, SN_MESSAGE_MODIFIER_FIELD},
        {0, "soften", {1}, SN_MESSAGE_MODIFIER_FIELD},
        {0, "weight", {1.5f}, SN_MESSAGE_MODIFIER_VALUE},
        {0, "weight", {NAN}, SN_MESSAGE_MODIFIER_VALUE},
        {0, "target", {0, INFINITY, 0}, SN_MESSAGE_MODIFIER_VALUE},
        {0, "orientation", {0, 0, 0, 0}, SN_MESSAGE_MODIFIER_VALUE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sn_error error = {0};
        assert_true(sn_modifier_state_set(rig.state, cases[i].modifier, cases[i].field,
                                          cases[i].values, &error) != SN_OK);
        assert_int_equal(error.id, cases[i].id);
        assert_true(error.text[0] != '\0');
    }
    sn_modifier_report report;
    test_rig_seek(&rig, 0, &report);
    assert_true(test_rig_distance(&rig, HAND, 0.3, 1.2, 0.2) < 1e-6);
    test_rig_free(&rig);
}

/* A target in the space of a node, which the root above all carries along. */
static void test_target_node(void **state) {
    (void)state;
    test_rig rig;
    test_rig_init(&rig,
                  FILE_OF(CHAIN "\"target\": {\"node\": \"Ball\", \"offset\": [0, 0.1, 0]}}"));
    sn_modifier_report report;
    test_rig_seek(&rig, 0, &report);
    assert_true(report.is_reached);
    assert_true(test_rig_distance(&rig, HAND, 0.4, 1.3, 0.3) < 1e-6);

    sn_affine root = sn_affine_identity();
    root.m[0][3] = 5;
    sn_modifier_frame frame = {.root = &root};
    float reached[1024];
    keep(&rig, reached);
    sn_pose_rest(rig.skeleton, rig.pose);
    assert_int_equal(sn_modifier_stack_apply(rig.stack, rig.state, rig.skeleton, rig.pose, &frame,
                                             &report, NULL),
                     SN_OK);
    assert_true(test_rig_distance(&rig, HAND, 0.4, 1.3, 0.3) < 2e-6);
    test_rig_free(&rig);
}

/* A world target does not move with the root. */
static void test_root(void **state) {
    (void)state;
    test_rig rig;
    test_rig_init(&rig, FILE_OF(CHAIN "\"target\": {\"position\": [1.3, 1.2, 0.2]}}"));
    sn_affine root = sn_affine_identity();
    root.m[0][3] = 1;
    sn_modifier_frame frame = {.root = &root};
    assert_int_equal(
        sn_modifier_stack_apply(rig.stack, rig.state, rig.skeleton, rig.pose, &frame, NULL, NULL),
        SN_OK);
    assert_true(test_rig_distance(&rig, HAND, 0.3, 1.2, 0.2) < 1e-6);
    test_rig_free(&rig);
}

static void test_off(void **state) {
    (void)state;
    static const char *const files[] = {
        FILE_OF(REACH ", \"weight\": 0}"),
        FILE_OF(REACH ", \"enabled\": false}"),
        FILE_OF(REACH ", \"keys\": {\"weight\": {\"times\": [0, 1], \"values\": [0, 1]}}}"),
        FILE_OF(""),
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        test_rig rig;
        test_rig_init(&rig, files[i]);
        float rest[1024];
        keep(&rig, rest);
        sn_modifier_report report = {0};
        test_rig_seek(&rig, 0, &report);
        assert_pose_equal(&rig, rest);
        assert_false(report.is_applied);
        test_rig_free(&rig);
    }
}

static void test_too_far(void **state) {
    (void)state;
    test_rig rig;
    test_rig_init(&rig, FILE_OF(CHAIN "\"target\": {\"position\": [0.2, 1.4, 2]}}"));
    sn_modifier_report report;
    test_rig_seek(&rig, 0, &report);
    assert_false(report.is_reached);
    assert_int_equal(report.flags, 1);
    assert_string_equal(report.flag_names[0], "too_far");
    assert_true(fabs((double)report.residual - (2 - RIG_REACH)) < 1e-4);
    assert_true(fabs(test_rig_distance(&rig, HAND, 0.2, 1.4, 2) - (double)report.residual) < 1e-6);
    test_rig_free(&rig);
}

/* ---- Keys ---- */

static void test_target_keys(void **state) {
    (void)state;
    test_rig rig;
    test_rig_init(&rig, FILE_OF(CHAIN "\"keys\": {\"target\": {\"times\": [1, 3], \"values\": "
                                      "[[0.3, 1.2, 0.2], [0.3, 1.6, 0.2]]}}}"));
    static const double times[] = {0, 1, 1.5, 3, 4}, heights[] = {1.2, 1.2, 1.3, 1.6, 1.6};
    for (int i = 0; i < 5; i++) {
        test_rig_seek(&rig, (float)times[i], NULL);
        assert_true(test_rig_distance(&rig, HAND, 0.3, heights[i], 0.2) < 1e-6);
    }
    test_rig_free(&rig);
}

static double weight_at(test_rig *rig, float time) {
    sn_modifier_report report;
    test_rig_seek(rig, time, &report);
    return (double)report.weight;
}

static void test_weight_keys(void **state) {
    (void)state;
    test_rig linear, step;
    test_rig_init(&linear, FILE_OF(REACH ", \"weight\": 0.1, \"keys\": {\"weight\": {\"times\": "
                                         "[1, 2], \"values\": [0.5, 1]}}}"));
    test_rig_init(&step, FILE_OF(REACH ", \"keys\": {\"weight\": {\"times\": [1, 2], \"values\": "
                                       "[0.5, 1], \"interpolation\": \"STEP\"}}}"));
    assert_true(fabs(weight_at(&linear, 0) - 0.5) < 1e-7);
    assert_true(fabs(weight_at(&linear, 1.5f) - 0.75) < 1e-7);
    assert_true(fabs(weight_at(&linear, 2) - 1) < 1e-7);
    assert_true(test_rig_distance(&linear, HAND, 0.3, 1.2, 0.2) < 1e-6);
    assert_true(fabs(weight_at(&step, 1.99f) - 0.5) < 1e-7);
    assert_true(fabs(weight_at(&step, 2) - 1) < 1e-7);
    /* Half-way the hand is nearer than at rest and not there. */
    weight_at(&step, 1);
    double half = test_rig_distance(&step, HAND, 0.3, 1.2, 0.2);
    sn_pose_rest(step.skeleton, step.pose);
    double rest = test_rig_distance(&step, HAND, 0.3, 1.2, 0.2);
    assert_true(half > 0.01 && half < rest - 0.01);
    test_rig_free(&linear);
    test_rig_free(&step);
}

static void test_other_keys(void **state) {
    (void)state;
    test_rig rig;
    test_rig_init(&rig,
                  FILE_OF(REACH ", \"keys\": {\"pole\": {\"times\": [0, 1], \"values\": [[0.25, 3, "
                                "0.1], [0.25, -3, 0.1]], \"interpolation\": \"STEP\"}, "
                                "\"orientation\": {\"times\": [0], \"values\": [[0, 2, 0, 0]]}}}"));
    double up[3], down[3];
    test_rig_seek(&rig, 0, NULL);
    test_rig_position(&rig, LOWER, up);
    test_rig_seek(&rig, 1, NULL);
    test_rig_position(&rig, LOWER, down);
    assert_true(up[1] > down[1] + 0.1);
    _Alignas(64) sn_affine world[64];
    sn_hierarchy_update(rig.skeleton, rig.pose, NULL, world);
    const sn_affine *hand = &world[sn_skeleton_joint_of_node(rig.skeleton, HAND)];
    static const double half_turn[3][3] = {{-1, 0, 0}, {0, 1, 0}, {0, 0, -1}};
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            assert_true(fabs((double)hand->m[row][column] - half_turn[row][column]) < 1e-6);
    test_rig_free(&rig);
}

/* ---- Order and stages ---- */

static void test_stages(void **state) {
    (void)state;
    /* The first moves the hand, the second the arm that it hangs on: the order tells. */
    const char *text = FILE_OF(
        REACH "}, {\"type\": \"two_bone\", \"root\": \"Base\", \"mid\": \"Upper\", \"end\": "
              "\"Lower\", \"target\": {\"position\": [0.2, 1.5, 0.3]}}, " REACH "}");
    test_rig rig;
    test_rig_init(&rig, text);
    sn_modifier_report reports[3];
    for (uint32_t stages = 0; stages <= 3; stages++) {
        sn_pose_rest(rig.skeleton, rig.pose);
        sn_modifier_frame frame = {.stage_count = stages};
        assert_int_equal(sn_modifier_stack_apply(rig.stack, rig.state, rig.skeleton, rig.pose,
                                                 &frame, reports, NULL),
                         SN_OK);
        double miss = test_rig_distance(&rig, HAND, 0.3, 1.2, 0.2);
        assert_true(stages == 2 ? miss > 0.01 : miss < 1e-6);
        if (stages == 2)
            assert_true(test_rig_distance(&rig, LOWER, 0.2, 1.5, 0.3) < 1e-6);
        for (uint32_t i = 0; i < 3; i++)
            assert_int_equal(reports[i].is_applied, stages == 0 || i < stages);
    }
    test_rig_free(&rig);
}

/* ---- From frame to frame ---- */

static const char passing_pole[] = FILE_OF(
    CHAIN "\"pole\": {\"position\": [0.2, 1.4, 0.6]}, \"bendRate\": 1, \"keys\": {\"target\": "
          "{\"times\": [0, 1], \"values\": [[0.18, 1.4, 0.4], [0.22, 1.4, 0.4]]}}}");

static double elbow_step(test_rig *rig, float from, float to, float seconds) {
    double a[3], b[3];
    test_rig_seek(rig, from, NULL);
    test_rig_position(rig, LOWER, a);
    sn_pose_rest(rig->skeleton, rig->pose);
    assert_int_equal(test_rig_apply(rig, to, seconds, NULL, NULL), SN_OK);
    test_rig_position(rig, LOWER, b);
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

/* The elbow swings to the other side of the pole: at once without a frame before, at its rate with
 * one, and after a reset at once again. */
static void test_state(void **state) {
    (void)state;
    test_rig rig;
    test_rig_init(&rig, passing_pole);
    assert_true(elbow_step(&rig, 0.49f, 0.51f, 0) > 0.1);
    assert_true(elbow_step(&rig, 0.49f, 0.51f, 1 / 60.0f) < 0.01);
    double seen[3], again[3];
    test_rig_seek(&rig, 0.51f, NULL);
    test_rig_position(&rig, LOWER, seen);
    test_rig_seek(&rig, 0.49f, NULL);
    sn_modifier_state_reset(rig.state);
    sn_pose_rest(rig.skeleton, rig.pose);
    assert_int_equal(test_rig_apply(&rig, 0.51f, 1 / 60.0f, NULL, NULL), SN_OK);
    test_rig_position(&rig, LOWER, again);
    assert_memory_equal(seen, again, sizeof seen);
    test_rig_free(&rig);
}

/* ---- Errors ---- */

static void test_bad_frames(void **state) {
    (void)state;
    test_rig rig;
    test_rig_init(&rig, FILE_OF(REACH "}"));
    float rest[1024];
    keep(&rig, rest);
    const float bad[][2] = {{NAN, 0}, {INFINITY, 0}, {0, -1}, {0, NAN}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        sn_error error = {0};
        assert_int_equal(test_rig_apply(&rig, bad[i][0], bad[i][1], NULL, &error),
                         SN_ERROR_ARGUMENT);
        assert_int_equal(error.id, SN_MESSAGE_ARGUMENT);
        assert_pose_equal(&rig, rest);
    }
    test_rig_free(&rig);
}

/* The second modifier fails: what the first did to pose, state and reports is undone. */
static void test_bad_pose(void **state) {
    (void)state;
    char text[1024];
    strcpy(text, passing_pole);
    text[strlen(text) - 2] = '\0';
    strcat(text, ", " CHAIN "\"target\": {\"node\": \"Ball\"}, \"weight\": 0.1}]}");
    sn_error error = {0};
    test_rig rig, other;
    test_rig_init(&rig, text);
    test_rig_init(&other, text);
    sn_modifier_report reports[2], untouched[2];
    memset(untouched, 0x55, sizeof untouched);
    memcpy(reports, untouched, sizeof reports);
    test_rig_seek(&rig, 0.49f, NULL);
    test_rig_seek(&other, 0.49f, NULL);

    sn_pose_rest(rig.skeleton, rig.pose);
    sn_transform broken = test_rig_local(&rig, BALL);
    broken.translation[0] = NAN;
    sn_pose_set(rig.skeleton, rig.pose, sn_skeleton_joint_of_node(rig.skeleton, BALL), &broken);
    float before[1024];
    keep(&rig, before);
    assert_int_equal(test_rig_apply(&rig, 0.51f, 1 / 60.0f, reports, &error), SN_ERROR_INVALID);
    assert_int_equal(error.id, SN_MESSAGE_CHAIN_VALUE);
    assert_string_equal(error.pointer, "/modifiers/1");
    assert_pose_equal(&rig, before);
    assert_memory_equal(reports, untouched, sizeof reports);

    sn_pose_rest(rig.skeleton, rig.pose);
    sn_pose_rest(other.skeleton, other.pose);
    assert_int_equal(test_rig_apply(&rig, 0.51f, 1 / 60.0f, reports, &error), SN_OK);
    assert_int_equal(test_rig_apply(&other, 0.51f, 1 / 60.0f, reports, &error), SN_OK);
    assert_pose_equal(&rig, other.pose.data);
    test_rig_free(&rig);
    test_rig_free(&other);
}

/* What needs another field is content with one that only keys give. */
static void test_keys_alone(void **state) {
    (void)state;
    static const char *const files[] = {
        FILE_OF("{\"type\": \"aim\", \"node\": \"Hand\", \"up\": [1, 0, 0], \"keys\": "
                "{\"target\": {\"times\": [0], \"values\": [[0.3, 1.2, 2]]}, "
                "\"pole\": {\"times\": [0], \"values\": [[0, 9, 0]]}}}"),
        FILE_OF(ARM TARGET ", \"rollRange\": [-1, 1], \"keys\": {"
                           "\"orientation\": {\"times\": [0], \"values\": [[0, 0, 0, 1]]}, "
                           "\"rollAxis\": {\"times\": [0], \"values\": [[0, 1, 0]]}}}"),
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        test_rig rig;
        test_rig_init(&rig, files[i]);
        sn_modifier_report report;
        test_rig_seek(&rig, 0, &report);
        assert_true(report.is_reached);
        test_rig_free(&rig);
    }
}

/* Keys of a direction that turns about: there is one at every instant. */
static void test_opposite_directions(void **state) {
    (void)state;
    test_rig rig;
    test_rig_init(&rig, FILE_OF(ARM TARGET ", \"orientation\": [0, 0, 0, 1], \"keys\": {"
                                           "\"rollAxis\": {\"times\": [0, 1], "
                                           "\"values\": [[0, 1, 0], [0, -1, 0]]}}}"));
    for (int i = 0; i <= 4; i++) {
        sn_modifier_report report;
        test_rig_seek(&rig, (float)i / 4, &report);
        assert_true(report.is_reached);
    }
    test_rig_free(&rig);
}

/* Farther away than a float can say. */
static void test_far_target(void **state) {
    (void)state;
    test_rig rig;
    test_rig_init(&rig, FILE_OF(CHAIN "\"target\": {\"position\": [3e38, 3e38, 3e38]}}"));
    sn_modifier_report report;
    test_rig_seek(&rig, 0, &report);
    assert_int_equal(report.flags, 1);
    assert_true(report.residual >= 3e38f && isfinite(report.residual));
    test_rig_free(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reaches),     cmocka_unit_test(test_inputs),
        cmocka_unit_test(test_bad_inputs),  cmocka_unit_test(test_target_node),
        cmocka_unit_test(test_root),        cmocka_unit_test(test_off),
        cmocka_unit_test(test_too_far),     cmocka_unit_test(test_target_keys),
        cmocka_unit_test(test_weight_keys), cmocka_unit_test(test_other_keys),
        cmocka_unit_test(test_stages),      cmocka_unit_test(test_state),
        cmocka_unit_test(test_bad_frames),  cmocka_unit_test(test_bad_pose),
        cmocka_unit_test(test_keys_alone),  cmocka_unit_test(test_opposite_directions),
        cmocka_unit_test(test_far_target),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
