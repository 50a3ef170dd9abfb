/* The modifiers that turn towards a target: aim and look_at. What is measured is where the
 * hierarchy puts the axes of the changed pose. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "math/vec3.h"
#include "tests/unit/modifier_rig.h"

#define FILE_OF(text) "{\"modifiers\": [" text "]}"
/* Two of the rig's joints as neck and head; the tip, which hangs on the hand, as an eye. */
#define BONES "\"bones\": {\"neck\": \"Lower\", \"head\": \"Hand\", \"leftEye\": \"Tip\"}"
#define HEAD "{\"type\": \"look_at\", " BONES ", "

/* A point of a node's space in the world. */
static sn_dvec3 at(const test_rig *rig, uint32_t node, double x, double y, double z) {
    _Alignas(64) sn_affine world[64];
    sn_hierarchy_update(rig->skeleton, rig->pose, NULL, world);
    const sn_affine *m = &world[sn_skeleton_joint_of_node(rig->skeleton, node)];
    double p[3];
    for (int i = 0; i < 3; i++)
        p[i] = (double)m->m[i][0] * x + (double)m->m[i][1] * y + (double)m->m[i][2] * z +
               (double)m->m[i][3];
    return (sn_dvec3){p[0], p[1], p[2]};
}

/* Radians between a node's axis, from a point of its space, and a world point. */
static double miss(const test_rig *rig, uint32_t node, sn_dvec3 axis, sn_dvec3 from,
                   sn_dvec3 target) {
    sn_dvec3 start = at(rig, node, from.x, from.y, from.z);
    sn_dvec3 end = at(rig, node, from.x + axis.x, from.y + axis.y, from.z + axis.z);
    sn_dvec3 a = sn_dvec3_subtract(end, start), b = sn_dvec3_subtract(target, start);
    return atan2(sn_dvec3_length(sn_dvec3_cross(a, b)), sn_dvec3_dot(a, b));
}

static const sn_dvec3 ball = {0.4, 1.2, 0.3};

static void test_aim(void **state) {
    (void)state;
    test_rig rig;
    test_rig_init(&rig, FILE_OF("{\"type\": \"aim\", \"node\": \"Lower\", \"target\": {\"node\": "
                                "\"Ball\"}, \"forward\": [0, 1, 0], \"offset\": [0.05, 0, 0.02], "
                                "\"up\": [1, 0, 0], \"pole\": {\"direction\": [0, 0, 1]}}"));
    sn_modifier_report report;
    test_rig_seek(&rig, 0, &report);
    assert_true(report.is_reached);
    assert_int_equal(report.flags, 0);
    sn_dvec3 from = {0.05, 0, 0.02};
    assert_true(miss(&rig, LOWER, (sn_dvec3){0, 1, 0}, from, ball) < 1e-5);
    sn_dvec3 origin = at(&rig, LOWER, 0, 0, 0);
    assert_true(at(&rig, LOWER, 1, 0, 0).z > origin.z + 0.1);
    test_rig_free(&rig);
}

static void test_aim_flags(void **state) {
    (void)state;
    test_rig rig;
    test_rig_init(&rig, FILE_OF("{\"type\": \"aim\", \"node\": \"Lower\", \"target\": {\"node\": "
                                "\"Ball\"}, \"offset\": [5, 0, 0]}"));
    float before[1024];
    memcpy(before, rig.pose.data, sn_pose_size(rig.skeleton));
    sn_modifier_report report;
    test_rig_seek(&rig, 0, &report);
    assert_false(report.is_reached);
    assert_int_equal(report.flags, 1);
    assert_string_equal(report.flag_names[0], "too_near");
    assert_true(report.residual > 0.1f);
    assert_memory_equal(before, rig.pose.data, sn_pose_size(rig.skeleton));
    test_rig_free(&rig);
}

/* Half a second on the way between two targets, the twist keyed as well. */
static void test_aim_keys(void **state) {
    (void)state;
    test_rig rig;
    test_rig_init(&rig, FILE_OF("{\"type\": \"aim\", \"node\": \"Hand\", \"keys\": {\"target\": "
                                "{\"times\": [0, 1], \"values\": [[1, 2, 0], [1, 0, 2]]}}}"));
    sn_modifier_report report;
    test_rig_seek(&rig, 0.5f, &report);
    assert_true(report.is_reached);
    sn_dvec3 none = {0, 0, 0}, half = {1, 1, 1};
    assert_true(miss(&rig, HAND, (sn_dvec3){0, 0, 1}, none, half) < 1e-5);
    test_rig_free(&rig);
}

static void test_look_at(void **state) {
    (void)state;
    test_rig rig;
    test_rig_init(&rig, FILE_OF(HEAD "\"target\": {\"node\": \"Ball\"}, \"head\": {\"yaw\": "
                                     "1.5}, \"eyes\": {\"offset\": [0, 0.03, 0]}}"));
    sn_modifier_report report;
    test_rig_seek(&rig, 0, &report);
    assert_true(report.is_reached);
    sn_dvec3 front = {0, 0, 1}, eye = {0, 0.03, 0};
    assert_true(miss(&rig, HAND, front, eye, ball) < 1e-5);
    test_rig_free(&rig);
}

/* Straight to the side: the head goes as far as it may, the eye by its map for the rest. */
static void test_look_at_limits(void **state) {
    (void)state;
    test_rig rig;
    test_rig_init(&rig,
                  FILE_OF(HEAD "\"target\": {\"position\": [1000, 1.4, 0]}, \"head\": {\"yaw\": "
                               "0.5, \"neck\": 0.25}, \"eyes\": {\"yaw\": 0.4, \"offset\": [0, 0, "
                               "0], \"maps\": {\"outer\": {\"input\": 0.8, \"output\": 0.2}}}}"));
    sn_modifier_report report;
    test_rig_seek(&rig, 0, &report);
    assert_false(report.is_reached);
    assert_int_equal(report.flags, 3);
    assert_string_equal(report.flag_names[0], "head_limited");
    assert_string_equal(report.flag_names[1], "eyes_limited");
    double side = 1.57079632679489661923;
    assert_true(fabs((double)report.residual - (side - 0.9)) < 1e-3);
    sn_dvec3 front = {0, 0, 1}, none = {0, 0, 0}, target = {1000, 1.4, 0};
    assert_true(fabs(miss(&rig, LOWER, front, none, target) - (side - 0.125)) < 1e-3);
    assert_true(fabs(miss(&rig, HAND, front, none, target) - (side - 0.5)) < 1e-3);
    assert_true(fabs(miss(&rig, TIP, front, none, target) - (side - 0.6)) < 1e-3);
    test_rig_free(&rig);
}

static void test_look_at_curve(void **state) {
    (void)state;
    test_rig rig;
    test_rig_init(
        &rig, FILE_OF(HEAD "\"target\": {\"position\": [1000, 1.4, 1000]}, \"head\": {\"share\": "
                           "0}, \"eyes\": {\"yaw\": 3, \"offset\": [0, 0, 0], \"maps\": {\"outer\""
                           ": {\"output\": 0.4, \"curve\": [{\"time\": 0, \"value\": 0.5}, "
                           "{\"time\": 1, \"value\": 1}]}}}}"));
    sn_modifier_report report;
    test_rig_seek(&rig, 0, &report);
    /* Half of the input: half-way between the keys, whose tangents are flat. */
    sn_dvec3 front = {0, 0, 1}, none = {0, 0, 0}, target = {0, 1.4, 1000};
    assert_true(fabs(miss(&rig, TIP, front, none, target) - 0.4 * 0.75) < 1e-3);
    test_rig_free(&rig);
}

static void test_wrong(void **state) {
    (void)state;
    static const struct {
        const char *text, *pointer, *said;
        sn_message_id id;
    } cases[] = {
        {"{\"type\": \"aim\", \"node\": \"Lower\", \"target\": {\"node\": \"Ball\"}, \"up\": [1, "
         "0, 0]}",
         "/modifiers/0/up", "pole", SN_MESSAGE_MODIFIER_FIELD},
        {"{\"type\": \"aim\", \"node\": \"Lamp\", \"target\": {\"node\": \"Ball\"}}",
         "/modifiers/0/node", "shear", SN_MESSAGE_CHAIN_JOINTS},
        {"{\"type\": \"look_at\", \"target\": {\"node\": \"Ball\"}}", "/modifiers/0/bones", "head",
         SN_MESSAGE_MODIFIER_BONE},
        {"{\"type\": \"look_at\", \"target\": {\"node\": \"Ball\"}, \"bones\": {\"head\": "
         "\"Lower\", \"neck\": \"Hand\"}}",
         "/modifiers/0", "neck", SN_MESSAGE_CHAIN_JOINTS},
        {HEAD "\"target\": {\"node\": \"Ball\"}, \"head\": {\"yaw\": 3.2}}",
         "/modifiers/0/head/yaw", "at most", SN_MESSAGE_MODIFIER_VALUE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char file[1024] = "{\"modifiers\": [";
        strcat(strcat(file, cases[i].text), "]}");
        sn_error error = {0};
        assert_null(test_rig_stack(file, NULL, &error));
        if (error.id != cases[i].id || strcmp(error.pointer, cases[i].pointer) != 0 ||
            !strstr(error.text, cases[i].said))
            fail_msg("%s: %s at %s: %s", file, sn_message_name(error.id), error.pointer,
                     error.text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_aim),
        cmocka_unit_test(test_aim_flags),
        cmocka_unit_test(test_aim_keys),
        cmocka_unit_test(test_look_at),
        cmocka_unit_test(test_look_at_limits),
        cmocka_unit_test(test_look_at_curve),
        cmocka_unit_test(test_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
