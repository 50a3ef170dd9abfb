/* Blending: against means in double, the same bits from every kernel. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "anim/skeleton.h"
#include "tests/unit/motion.h"

enum { JOINTS = 29, MOST_LAYERS = 5 };

/* One blend with its inputs in plain joints, to be run on any kernel. */
typedef struct mix {
    size_t layer_count;
    sn_transform base[JOINTS];
    sn_transform poses[MOST_LAYERS][JOINTS];
    float masks[MOST_LAYERS][JOINTS];
    bool has_mask[MOST_LAYERS], is_additive[MOST_LAYERS];
    float weights[MOST_LAYERS];
} mix;

static sn_pose make_pose(const sn_skeleton *skeleton, const sn_transform *joints) {
    sn_pose pose = {test_aligned(sn_pose_size(skeleton))};
    sn_pose_rest(skeleton, pose); /* the lanes past the last joint too */
    for (uint32_t joint = 0; joints && joint < JOINTS; joint++)
        sn_pose_set(skeleton, pose, joint, &joints[joint]);
    return pose;
}

static void read_pose(const sn_skeleton *skeleton, sn_pose pose, sn_transform *out) {
    for (uint32_t joint = 0; joint < JOINTS; joint++)
        sn_pose_get(skeleton, pose, joint, &out[joint]);
}

static sn_skeleton *make_skeleton(sn_kernel kernel) {
    test_random random = {99};
    test_forest forest = test_forest_make(&random, JOINTS);
    sn_skeleton *skeleton = test_forest_skeleton(&forest, kernel);
    test_forest_free(&forest);
    return skeleton;
}

static void run(const mix *m, sn_kernel kernel, sn_transform out[JOINTS]) {
    sn_skeleton *skeleton = make_skeleton(kernel);
    uint32_t mask_count = sn_skeleton_mask_count(skeleton);
    assert_true(mask_count >= JOINTS && mask_count % sn_skeleton_lanes(skeleton) == 0);
    sn_blend_layer layers[MOST_LAYERS] = {0};
    float *masks[MOST_LAYERS];
    for (size_t i = 0; i < m->layer_count; i++) {
        masks[i] = calloc(mask_count, sizeof **masks); /* of no alignment to speak of */
        assert_non_null(masks[i]);
        memcpy(masks[i], m->masks[i], sizeof m->masks[i]);
        layers[i] = (sn_blend_layer){.pose = make_pose(skeleton, m->poses[i]),
                                     .weight = m->weights[i],
                                     .joint_mask = m->has_mask[i] ? masks[i] : NULL,
                                     .additive = m->is_additive[i]};
    }
    sn_pose base = make_pose(skeleton, m->base), result = make_pose(skeleton, NULL);
    sn_pose_blend(skeleton, base, layers, m->layer_count, result);
    read_pose(skeleton, result, out);
    for (size_t i = 0; i < m->layer_count; i++) {
        test_aligned_free(layers[i].pose.data);
        free(masks[i]);
    }
    test_aligned_free(base.data);
    test_aligned_free(result.data);
    sn_skeleton_free(skeleton);
}

static void run_all(const mix *m, sn_transform out[JOINTS]) {
    sn_kernel kernels[3];
    size_t kernel_count = test_kernels(kernels);
    run(m, kernels[0], out);
    for (size_t k = 1; k < kernel_count; k++) {
        sn_transform other[JOINTS];
        run(m, kernels[k], other);
        assert_memory_equal(out, other, sizeof other);
    }
}

static double weight_of(const mix *m, size_t layer, uint32_t joint) {
    double mask = m->has_mask[layer] ? (double)m->masks[layer][joint] : 1;
    return (double)m->weights[layer] * mask;
}

static double dot4(const double *a, const double *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

static void normalize4(double *q) {
    double length = sqrt(dot4(q, q));
    for (int i = 0; i < 4; i++)
        q[i] /= length;
}

/* Rotation 4, translation 3, scale 3, in double. */
static void widen(const sn_transform *t, double out[10]) {
    for (int i = 0; i < 4; i++)
        out[i] = (double)t->rotation[i];
    for (int i = 0; i < 3; i++) {
        out[4 + i] = (double)t->translation[i];
        out[7 + i] = (double)t->scale[i];
    }
}

static void multiply(const double a[4], const double b[4], double out[4]) {
    out[0] = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    out[1] = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
    out[2] = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
    out[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

/* False when two rotations are so square to each other that rounding decides their hemisphere. */
static bool expected_of(const mix *m, uint32_t joint, double out[10]) {
    bool is_clear = true;
    double sum[10] = {0}, total = 0, v[10];
    for (size_t layer = 0; layer < m->layer_count; layer++) {
        double weight = weight_of(m, layer, joint);
        if (m->is_additive[layer] || weight <= 0)
            continue;
        widen(&m->poses[layer][joint], v);
        is_clear &= total == 0 || fabs(dot4(sum, v)) > 1e-4;
        double side = dot4(sum, v) < 0 ? -weight : weight;
        for (int i = 0; i < 10; i++)
            sum[i] += v[i] * (i < 4 ? side : weight);
        total += weight;
    }
    widen(&m->base[joint], out);
    if (total > 0) {
        normalize4(sum);
        for (int i = 0; i < 10; i++)
            out[i] = i < 4 ? sum[i] : sum[i] / total;
    }
    for (size_t layer = 0; layer < m->layer_count; layer++) {
        double weight = weight_of(m, layer, joint), turned[4];
        if (!m->is_additive[layer] || weight <= 0)
            continue;
        widen(&m->poses[layer][joint], v);
        is_clear &= fabs(v[3]) > 1e-4;
        for (int i = 0; i < 4; i++)
            turned[i] = v[i] * (v[3] < 0 ? -weight : weight) + (i == 3 ? 1 - weight : 0);
        normalize4(turned);
        multiply(out, turned, v);
        memcpy(out, v, sizeof turned);
        for (int i = 0; i < 3; i++) {
            out[4 + i] += v[4 + i] * weight;
            out[7 + i] *= 1 + (v[7 + i] - 1) * weight;
        }
    }
    return is_clear;
}

static mix *random_mix(test_random *random, size_t layer_count) {
    mix *m = calloc(1, sizeof *m);
    assert_non_null(m);
    m->layer_count = layer_count;
    for (uint32_t joint = 0; joint < JOINTS; joint++)
        m->base[joint] = test_random_transform(random);
    for (size_t i = 0; i < layer_count; i++) {
        m->weights[i] = test_random_below(random, 5) ? test_random_between(random, 0.05f, 1) : 0;
        m->has_mask[i] = test_random_below(random, 2);
        m->is_additive[i] = test_random_below(random, 3) == 0;
        for (uint32_t joint = 0; joint < JOINTS; joint++) {
            m->poses[i][joint] = test_random_transform(random);
            m->masks[i][joint] =
                test_random_below(random, 3) ? test_random_between(random, 0.05f, 1) : 0;
        }
    }
    return m;
}

static void compare(const mix *m) {
    sn_transform got[JOINTS];
    run_all(m, got);
    for (uint32_t joint = 0; joint < JOINTS; joint++) {
        double expected[10], result[10];
        bool is_clear = expected_of(m, joint, expected);
        widen(&got[joint], result);
        double side = dot4(expected, result) < 0 ? -1 : 1; /* q and -q are one rotation */
        for (int i = 0; i < 10 && is_clear; i++)
            assert_true(fabs(expected[i] - (i < 4 ? side : 1) * result[i]) < 3e-6);
    }
}

static void layers_are_weighted_means(void **state) {
    (void)state;
    test_random random = {1};
    for (int round = 0; round < 200; round++) {
        mix *m = random_mix(&random, test_random_below(&random, MOST_LAYERS + 1));
        compare(m);
        free(m);
    }
}

static void two_plain_layers_go_the_fast_way_to_the_same(void **state) {
    (void)state;
    test_random random = {2};
    for (int round = 0; round < 50; round++) {
        mix *m = random_mix(&random, 3);
        for (int i = 0; i < 3; i++) {
            m->has_mask[i] = m->is_additive[i] = false;
            m->weights[i] = i == round % 3 ? 0 : test_random_between(&random, 0.1f, 1);
        }
        compare(m);
        free(m);
    }
}

static void equal_poses_blend_to_themselves(void **state) {
    (void)state;
    test_random random = {3};
    mix *m = random_mix(&random, 2);
    sn_transform got[JOINTS];
    for (int i = 0; i < 2; i++) {
        m->has_mask[i] = m->is_additive[i] = false;
        m->weights[i] = 0.3f + (float)i * 0.3f;
    }
    memcpy(m->poses[1], m->poses[0], sizeof m->poses[0]);
    run_all(m, got);
    for (uint32_t joint = 0; joint < JOINTS; joint++) { /* what both hold does not drift */
        assert_memory_equal(got[joint].translation, m->poses[0][joint].translation, 12);
        assert_memory_equal(got[joint].scale, m->poses[0][joint].scale, 12);
    }
    /* The blend of q and -q is q or -q, not nothing. */
    for (uint32_t joint = 0; joint < JOINTS; joint++)
        for (int i = 0; i < 4; i++)
            m->poses[1][joint].rotation[i] = -m->poses[1][joint].rotation[i];
    run_all(m, got);
    for (uint32_t joint = 0; joint < JOINTS; joint++) {
        double a[10], b[10];
        widen(&got[joint], a);
        widen(&m->poses[0][joint], b);
        assert_true(fabs(fabs(dot4(a, b)) - 1) < 1e-6);
    }
    free(m);
}

static void joints_no_layer_reaches_take_the_base(void **state) {
    (void)state;
    test_random random = {4};
    mix *m = random_mix(&random, 2);
    sn_transform got[JOINTS];
    for (int i = 0; i < 2; i++) {
        m->is_additive[i] = false;
        m->has_mask[i] = true;
        m->weights[i] = 1;
        for (uint32_t joint = 0; joint < JOINTS; joint++)
            m->masks[i][joint] = joint % 3 ? 0 : 0.5f;
    }
    run_all(m, got);
    for (uint32_t joint = 0; joint < JOINTS; joint++)
        assert_true((memcmp(&got[joint], &m->base[joint], sizeof *got) == 0) == (joint % 3 != 0));
    m->layer_count = 0;
    run_all(m, got);
    assert_memory_equal(got, m->base, sizeof got);
    free(m);
}

static void a_difference_put_on_its_reference_is_the_pose(void **state) {
    (void)state;
    test_random random = {5};
    sn_kernel kernels[3];
    size_t kernel_count = test_kernels(kernels);
    mix *m = random_mix(&random, 2);
    m->poses[1][3].scale[1] = 0; /* no ratio leads from nothing to something */
    sn_transform reference[JOINTS];
    for (size_t k = 0; k < kernel_count; k++) {
        sn_skeleton *skeleton = make_skeleton(kernels[k]);
        sn_pose pose = make_pose(skeleton, m->poses[0]), from = make_pose(skeleton, m->poses[1]);
        sn_pose difference = make_pose(skeleton, NULL), back = make_pose(skeleton, NULL);
        sn_transform got[JOINTS];
        sn_pose_difference(skeleton, pose, from, difference);
        read_pose(skeleton, difference, got);
        if (k == 0)
            memcpy(reference, got, sizeof got);
        assert_memory_equal(reference, got, sizeof got);
        sn_blend_layer layer = {.pose = difference, .weight = 1, .additive = true};
        sn_pose_blend(skeleton, from, &layer, 1, back);
        read_pose(skeleton, back, got);
        for (uint32_t joint = 0; joint < JOINTS; joint++) {
            double expected[10], result[10];
            widen(&m->poses[0][joint], expected);
            widen(&got[joint], result);
            double side = dot4(expected, result) < 0 ? -1 : 1;
            for (int i = 0; i < 10; i++)
                if (joint != 3 || i != 8)
                    assert_true(fabs(expected[i] - (i < 4 ? side : 1) * result[i]) < 2e-6);
            assert_true(joint != 3 || got[3].scale[1] == 0);
        }
        test_aligned_free(pose.data);
        test_aligned_free(from.data);
        test_aligned_free(difference.data);
        test_aligned_free(back.data);
        sn_skeleton_free(skeleton);
    }
    free(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layers_are_weighted_means),
        cmocka_unit_test(two_plain_layers_go_the_fast_way_to_the_same),
        cmocka_unit_test(equal_poses_blend_to_themselves),
        cmocka_unit_test(joints_no_layer_reaches_take_the_base),
        cmocka_unit_test(a_difference_put_on_its_reference_is_the_pose),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
