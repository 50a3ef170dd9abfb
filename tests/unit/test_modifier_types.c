/* What holds for every type of modifier, on the mannequin: poses that cannot be are refused and
 * stay, a frame allocates nothing, and without a frame before it is a function of the pose. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "modifier/type.h"
#include "tests/unit/human_model.h"

/* ---- The C library's memory, counted: the program is linked with --wrap ---- */

static size_t allocations;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);

void *__wrap_malloc(size_t size) {
    allocations++;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
    allocations++;
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *block, size_t size) {
    allocations++;
    return __real_realloc(block, size);
}

/* ---- One modifier on the mannequin ---- */

#define HOLD(side, x, sign)                                                                        \
    "{\"side\": \"" side "\", \"position\": [" x ", 0.15, 0.4], \"axis\": [" sign                  \
    "1, 0, 0], \"radius\": 0.015}"

/* Each type with as much of it at work as one pose can have. */
static const char *const modifiers[] = {
    "{\"type\": \"aim\", \"node\": \"leftHand\", \"target\": {\"node\": \"head\", \"offset\": [0, "
    "0.1, 1]}, \"offset\": [0.05, 0, 0], \"up\": [0, 1, 0], \"pole\": {\"node\": \"hips\"}}",
    "{\"type\": \"arm\", \"side\": \"left\", \"target\": {\"position\": [0.1, 1.2, 0.35]}, "
    "\"grip\": [0.07, -0.03, 0], \"orientation\": [-0.5, -0.5, -0.5, 0.5], \"rollAxis\": [0, 1, "
    "0], \"spine\": 0.5, \"limits\": true, \"torso\": true}",
    "{\"type\": \"arm\", \"side\": \"right\", \"limb\": \"leg\", \"target\": {\"position\": "
    "[-0.1, 0.4, 0.3]}}",
    "{\"type\": \"feet\", \"ground\": {\"heights\": [0, 0, 0.12, 0.12, 0.24, 0.24], \"columns\": "
    "2, \"spacing\": 0.6325, \"origin\": [-0.3, 0, -0.2], \"stepped\": true}}",
    "{\"type\": \"grip\", \"prop\": \"leftEye\", \"shift\": 0.1, \"turn\": 0.3, \"hands\": "
    "[" HOLD("left", "0.2", "-") ", " HOLD("right", "-0.2", "") "]}",
    "{\"type\": \"hand\", \"side\": \"right\", \"radius\": 0.018, \"spread\": 0.1}",
    "{\"type\": \"look_at\", \"target\": {\"position\": [1, 1.2, 1]}, \"head\": {\"share\": 0.7}}",
    "{\"type\": \"twist\", \"source\": \"leftHand\", \"joints\": [{\"node\": \"leftLowerArm\", "
    "\"share\": 0.5}, {\"node\": \"leftThumbMetacarpal\", \"share\": 0.2}]}",
    "{\"type\": \"two_bone\", \"root\": \"leftUpperArm\", \"mid\": \"leftLowerArm\", \"end\": "
    "\"leftHand\", \"target\": {\"position\": [0.35, 1.2, 0.3]}, \"pole\": {\"direction\": [0, "
    "-1, -0.5]}, \"orientation\": [0, 0.6, 0, 0.8]}",
};
enum { MODIFIERS = sizeof modifiers / sizeof *modifiers };

enum { POSE_FLOATS = 2048 };

typedef struct rigged {
    test_human human;
    sn_skeleton *skeleton;
    sn_modifier_stack *stack;
    sn_modifier_state *state;
    sn_pose pose;
    _Alignas(64) float memory[POSE_FLOATS];
} rigged;

static sn_transform local_of(const rigged *r, uint32_t node) {
    sn_transform local;
    sn_pose_get(r->skeleton, r->pose, sn_skeleton_joint_of_node(r->skeleton, node), &local);
    return local;
}

static void set_local(rigged *r, uint32_t node, const sn_transform *local) {
    sn_pose_set(r->skeleton, r->pose, sn_skeleton_joint_of_node(r->skeleton, node), local);
}

/* A little off the rest pose, for the modifiers of what the pose itself does. */
static void base_pose(rigged *r) {
    sn_pose_rest(r->skeleton, r->pose);
    for (uint32_t i = 0; i < JOINT_COUNT; i++) {
        sn_transform local = local_of(r, i);
        const float tenth[4] = {0.0499792f, 0, 0, 0.9987503f}; /* of a radian about x */
        memcpy(local.rotation, tenth, sizeof tenth);
        set_local(r, i, &local);
    }
}

static void rigged_init(rigged *r, const char *text) {
    memset(r, 0, sizeof *r);
    test_human_init(&r->human);
    sn_modifier_text modifier = {text, strlen(text)};
    sn_modifier_stack_desc desc = {.model = &r->human.model,
                                   .humanoid = &r->human.bones,
                                   .modifiers = &modifier,
                                   .modifier_count = 1};
    sn_error error = {0};
    if (sn_modifier_stack_create(&desc, NULL, &r->stack, &error))
        fail_msg("%s: %s %s", text, error.pointer, error.text);
    assert_int_equal(sn_modifier_state_create(r->stack, NULL, &r->state, NULL), SN_OK);
    assert_int_equal(sn_model_skeleton(&r->human.model, SN_KERNEL_BEST, NULL, &r->skeleton, NULL),
                     SN_OK);
    assert_true(sn_pose_size(r->skeleton) <= sizeof r->memory);
    r->pose = (sn_pose){r->memory};
    base_pose(r);
}

static void rigged_free(rigged *r) {
    sn_skeleton_free(r->skeleton);
    sn_modifier_state_free(r->state);
    sn_modifier_stack_free(r->stack);
}

static sn_result apply(rigged *r, float seconds, sn_modifier_report *report, sn_error *error) {
    sn_modifier_frame frame = {.seconds = seconds};
    return sn_modifier_stack_apply(r->stack, r->state, r->skeleton, r->pose, &frame, report, error);
}

static void test_every_type_is_here(void **state) {
    (void)state;
    for (uint32_t t = 0; t < sn_modifier_type_count; t++) {
        char start[64];
        snprintf(start, sizeof start, "{\"type\": \"%s\"", sn_modifier_types[t]->name);
        size_t i = 0;
        while (i < MODIFIERS && strncmp(modifiers[i], start, strlen(start)) != 0)
            i++;
        if (i == MODIFIERS)
            fail_msg("no modifier here is %s", start);
    }
}

/* ---- Poses that cannot be ---- */

enum { BREAKS = 24 };

/* Each number of a joint not finite, its rotation zero, each scale zero. */
static void break_joint(sn_transform *joint, int how) {
    float *numbers[10] = {&joint->translation[0], &joint->translation[1], &joint->translation[2],
                          &joint->rotation[0],    &joint->rotation[1],    &joint->rotation[2],
                          &joint->rotation[3],    &joint->scale[0],       &joint->scale[1],
                          &joint->scale[2]};
    if (how < 20)
        *numbers[how / 2] = how % 2 ? INFINITY : NAN;
    else if (how == 20)
        memset(joint->rotation, 0, sizeof joint->rotation);
    else
        joint->scale[how - 21] = 0;
}

static void numbers_of(const rigged *r, float out[JOINT_COUNT][10]) {
    for (uint32_t i = 0; i < JOINT_COUNT; i++) {
        sn_transform local = local_of(r, i);
        memcpy(out[i], local.translation, sizeof local.translation);
        memcpy(out[i] + 3, local.rotation, sizeof local.rotation);
        memcpy(out[i] + 7, local.scale, sizeof local.scale);
    }
}

/* Either it is refused, and all is as it was, or it is no concern of this modifier's: then what was
 * finite is. Returns whether it was refused. */
static bool check_broken(rigged *r, const char *text, uint32_t node, int how) {
    base_pose(r);
    sn_transform local = local_of(r, node);
    break_joint(&local, how);
    set_local(r, node, &local);
    static float before[POSE_FLOATS], numbers[JOINT_COUNT][10], after[JOINT_COUNT][10];
    memcpy(before, r->memory, sizeof before);
    numbers_of(r, numbers);
    sn_modifier_report report, untouched;
    memset(&untouched, 0x5a, sizeof untouched);
    report = untouched;
    sn_error error = {0};
    if (apply(r, 1 / 60.0f, &report, &error)) {
        assert_string_equal(error.pointer, "/modifiers/0");
        if (strncmp(sn_message_name(error.id), "chain.", 6) != 0)
            fail_msg("%s: %s", text, error.text);
        assert_memory_equal(before, r->memory, sizeof before);
        assert_memory_equal(&report, &untouched, sizeof report);
        return true;
    }
    numbers_of(r, after);
    for (uint32_t i = 0; i < JOINT_COUNT; i++)
        for (int k = 0; k < 10; k++)
            if (isfinite(numbers[i][k]) && !isfinite(after[i][k]))
                fail_msg("%s: break %d of %s is passed on to %s, number %d", text, how,
                         joint_name((int)node), joint_name((int)i), k);
    return false;
}

static void test_bad_pose(void **state) {
    (void)state;
    static rigged r, twin;
    for (size_t m = 0; m < MODIFIERS; m++) {
        rigged_init(&r, modifiers[m]);
        rigged_init(&twin, modifiers[m]);
        assert_int_equal(apply(&r, 0, NULL, NULL), SN_OK);
        assert_int_equal(apply(&twin, 0, NULL, NULL), SN_OK);
        uint32_t refused = 0;
        for (uint32_t node = 0; node < JOINT_COUNT; node++)
            for (int how = 0; how < BREAKS; how++) {
                if (!check_broken(&r, modifiers[m], node, how))
                    sn_modifier_state_reset(r.state);
                else
                    refused++;
            }
        if (refused < 10)
            fail_msg("%s: only %u broken poses are refused", modifiers[m], refused);
        /* And the state is that of before the refused frame. */
        base_pose(&r);
        assert_int_equal(apply(&r, 0, NULL, NULL), SN_OK);
        for (uint32_t node = 0; node < JOINT_COUNT; node++)
            if (check_broken(&r, modifiers[m], node, 3))
                break;
        base_pose(&r);
        base_pose(&twin);
        assert_int_equal(apply(&r, 1 / 60.0f, NULL, NULL), SN_OK);
        assert_int_equal(apply(&twin, 1 / 60.0f, NULL, NULL), SN_OK);
        assert_memory_equal(r.memory, twin.memory, sizeof r.memory);
        rigged_free(&r);
        rigged_free(&twin);
    }
}

/* ---- Frames ---- */

static void test_frames_allocate_nothing(void **state) {
    (void)state;
    static rigged r;
    size_t before = allocations;
    rigged_init(&r, modifiers[0]);
    assert_true(allocations > before); /* they are counted */
    rigged_free(&r);
    for (size_t m = 0; m < MODIFIERS; m++) {
        rigged_init(&r, modifiers[m]);
        sn_modifier_report report;
        before = allocations;
        for (int i = 0; i < 10; i++) {
            base_pose(&r);
            if (apply(&r, i % 2 ? 1 / 60.0f : 0, &report, NULL))
                fail_msg("%s", modifiers[m]);
        }
        assert_true(report.is_applied);
        if (allocations != before)
            fail_msg("%s: %zu allocations in ten frames", modifiers[m], allocations - before);
        rigged_free(&r);
    }
}

/* A frame without one before is of the pose alone; weight 0 is the pose, to the bit. */
static void test_stateless(void **state) {
    (void)state;
    static rigged r;
    static float first[POSE_FLOATS], rest[POSE_FLOATS];
    for (size_t m = 0; m < MODIFIERS; m++) {
        rigged_init(&r, modifiers[m]);
        memcpy(rest, r.memory, sizeof rest);
        assert_int_equal(apply(&r, 0, NULL, NULL), SN_OK);
        memcpy(first, r.memory, sizeof first);
        if (memcmp(rest, first, sizeof rest) == 0)
            fail_msg("%s changes nothing", modifiers[m]);
        sn_pose_rest(r.skeleton, r.pose); /* a frame of another pose in between */
        assert_int_equal(apply(&r, 1 / 30.0f, NULL, NULL), SN_OK);
        base_pose(&r);
        assert_int_equal(apply(&r, 0, NULL, NULL), SN_OK);
        assert_memory_equal(first, r.memory, sizeof first);
        rigged_free(&r);

        char off[1024];
        snprintf(off, sizeof off, "%.*s, \"weight\": 0}", (int)strlen(modifiers[m]) - 1,
                 modifiers[m]);
        rigged_init(&r, off);
        assert_int_equal(apply(&r, 0, NULL, NULL), SN_OK);
        assert_memory_equal(rest, r.memory, sizeof rest);
        rigged_free(&r);
    }
}

/* Two characters with the modifiers of one stack: what one does, and its end, leaves the other as
 * it would be alone. */
static void test_characters_are_apart(void **state) {
    (void)state;
    static rigged r, alone;
    for (size_t m = 0; m < MODIFIERS; m++) {
        rigged_init(&r, modifiers[m]);
        rigged_init(&alone, modifiers[m]);
        sn_modifier_state *kept = r.state, *other = NULL;
        assert_int_equal(sn_modifier_state_create(r.stack, NULL, &other, NULL), SN_OK);
        for (int i = 0; i < 4; i++) {
            r.state = other; /* of another pose */
            sn_pose_rest(r.skeleton, r.pose);
            if (i < 3)
                assert_int_equal(apply(&r, i ? 1 / 30.0f : 0, NULL, NULL), SN_OK);
            if (i == 2)
                sn_modifier_state_free(other);
            r.state = kept;
            base_pose(&r);
            base_pose(&alone);
            assert_int_equal(apply(&r, i ? 1 / 60.0f : 0, NULL, NULL), SN_OK);
            assert_int_equal(apply(&alone, i ? 1 / 60.0f : 0, NULL, NULL), SN_OK);
            assert_memory_equal(r.memory, alone.memory, sizeof r.memory);
        }
        rigged_free(&r);
        rigged_free(&alone);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_type_is_here),      cmocka_unit_test(test_bad_pose),
        cmocka_unit_test(test_frames_allocate_nothing), cmocka_unit_test(test_stateless),
        cmocka_unit_test(test_characters_are_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
