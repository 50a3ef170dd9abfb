/* An arm for the tests of modifiers: Base, Upper, UpperTwist, Lower, Hand, with a Tip that has no
 * distance from the hand; a Ball to reach for; two nodes named Twin; a Lamp whose matrix has
 * shear, and a Shade below it. */
#ifndef SN_TESTS_MODIFIER_RIG_H
#define SN_TESTS_MODIFIER_RIG_H

#include "sinew/instance.h"
#include "sinew/modifier.h"

enum { BASE, UPPER, UPPER_TWIST, LOWER, HAND, TIP, BALL, TWIN_A, TWIN_B, LAMP, SHADE, RIG_NODES };

#define RIG_REACH 0.55 /* of the arm */

extern const sn_model test_rig_model;

/* One character with its modifiers; everything fails the test that does not succeed. */
typedef struct test_rig {
    sn_skeleton *skeleton;
    sn_modifier_stack *stack;
    sn_modifier_state *state;
    sn_pose pose;
    float memory[1024];
} test_rig;

/* `modifiers` is the text of a file. The pose is the rest pose. */
void test_rig_init(test_rig *rig, const char *modifiers);
void test_rig_free(test_rig *rig);

/* Compiles the text of a file; NULL, and the error, when it cannot be. */
sn_modifier_stack *test_rig_stack(const char *modifiers, const sn_allocator *allocator,
                                  sn_error *error);

/* Applies to the pose as it is. */
sn_result test_rig_apply(test_rig *rig, float time, float seconds, sn_modifier_report *reports,
                         sn_error *error);
/* The rest pose, then at `time` without a frame before. */
void test_rig_seek(test_rig *rig, float time, sn_modifier_report *reports);

void test_rig_position(const test_rig *rig, uint32_t node, double out[3]); /* world */
double test_rig_distance(const test_rig *rig, uint32_t node, double x, double y, double z);
sn_transform test_rig_local(const test_rig *rig, uint32_t node);

#endif
