/* Joints: world matrices by walking up, and the table of human bones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "sinew/humanoid.h"
#include "sinew/joints.h"

/* A child before its parents: a joint's number says nothing about its place. */
static const uint32_t parents[] = {2, SN_NONE, 1};

static sn_transform at(float x, float y, float z) {
    sn_transform t = sn_transform_identity();
    t.translation[0] = x;
    t.translation[1] = y;
    t.translation[2] = z;
    return t;
}

static void assert_point(const sn_affine *m, double x, double y, double z) {
    assert_true(fabs((double)m->m[0][3] - x) < 1e-6);
    assert_true(fabs((double)m->m[1][3] - y) < 1e-6);
    assert_true(fabs((double)m->m[2][3] - z) < 1e-6);
}

static void test_world(void **state) {
    (void)state;
    sn_transform rest[] = {at(1, 0, 0), at(0, 1, 0), at(0, 0, 1)}, local[3];
    for (int i = 0; i < 3; i++)
        local[i] = rest[i];
    float half = (float)sqrt(0.5);
    local[2].rotation[2] = half; /* a quarter turn about z: x becomes y */
    local[2].rotation[3] = half;
    sn_joints joints = {
        .count = 3, .parents = parents, .rest = rest, .local = local, .root = sn_affine_identity()};
    joints.root.m[0][3] = 10;

    sn_affine world = sn_joints_world(&joints, 0);
    assert_point(&world, 10, 2, 1);
    world = sn_joints_rest_model(&joints, 0);
    assert_point(&world, 1, 1, 1);
    world = sn_joints_world(&joints, SN_NONE);
    assert_point(&world, 10, 0, 0);
}

static void test_fixed(void **state) {
    (void)state;
    sn_transform rest[] = {at(1, 0, 0), at(0, 1, 0), at(0, 0, 1)};
    sn_affine shear = sn_affine_identity();
    shear.m[1][0] = 3;
    const uint32_t fixed[] = {2};
    sn_joints joints = {.count = 3,
                        .parents = parents,
                        .rest = rest,
                        .local = rest,
                        .root = sn_affine_identity(),
                        .fixed_count = 1,
                        .fixed_joints = fixed,
                        .fixed_matrices = &shear};
    sn_affine world = sn_joints_world(&joints, 0);
    assert_point(&world, 1, 4, 0);
}

static void test_above(void **state) {
    (void)state;
    sn_joints joints = {.count = 3, .parents = parents};
    assert_true(sn_joints_is_above(&joints, 1, 0));
    assert_true(sn_joints_is_above(&joints, 0, 0));
    assert_false(sn_joints_is_above(&joints, 0, 1));
}

static void test_bones(void **state) {
    (void)state;
    assert_int_equal(SN_HUMAN_BONE_COUNT, 55);
    for (int i = 0; i < SN_HUMAN_BONE_COUNT; i++) {
        sn_human_bone bone = (sn_human_bone)i;
        assert_int_equal(sn_human_bone_find(sn_human_bone_name(bone)), bone);
        if (bone == SN_HUMAN_HIPS)
            assert_int_equal(sn_human_bone_parent(bone), SN_HUMAN_NONE);
        else
            assert_true(sn_human_bone_parent(bone) < bone);
    }
    assert_string_equal(sn_human_bone_name(SN_HUMAN_LEFT_HAND + SN_HUMAN_SIDE), "rightHand");
    assert_int_equal(sn_human_bone_find("tail"), SN_HUMAN_NONE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_world),
        cmocka_unit_test(test_fixed),
        cmocka_unit_test(test_above),
        cmocka_unit_test(test_bones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
