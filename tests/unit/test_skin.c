/* Joint matrices, morphing and skinning, against the formulas in double; every kernel bit for bit.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "math/vec3.h"
#include "sinew/skin.h"
#include "tests/unit/allocators.h"
#include "tests/unit/motion.h"

enum { JOINTS = 23, VERTICES = 203, TARGETS = 3 };

typedef struct scene {
    float positions[VERTICES * 3], normals[VERTICES * 3], tangents[VERTICES * 4];
    uint32_t influence_count;
    uint16_t *joints;
    float *weights;
    float deltas[TARGETS][3][VERTICES * 3];
    sn_morph_target targets[TARGETS];
    float morph_weights[TARGETS];
    sn_affine joint_matrices[JOINTS];
    sn_geometry geometry;
} scene;

static void random_unit(test_random *random, float out[3]) {
    float q[4];
    test_random_quat(random, q);
    double length = sqrt((double)q[0] * (double)q[0] + (double)q[1] * (double)q[1] +
                         (double)q[2] * (double)q[2]);
    for (int i = 0; i < 3; i++)
        out[i] = (float)((double)q[i] / length);
}

static scene *make_scene(test_random *random, uint32_t influence_count, bool is_mirrored) {
    scene *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->influence_count = influence_count;
    size_t slots = (size_t)VERTICES * influence_count;
    s->joints = calloc(slots + 1, sizeof *s->joints);
    s->weights = calloc(slots + 1, sizeof *s->weights);
    assert_true(s->joints && s->weights);
    for (uint32_t v = 0; v < VERTICES; v++) {
        random_unit(random, s->normals + v * 3);
        random_unit(random, s->tangents + v * 4);
        s->tangents[v * 4 + 3] = test_random_below(random, 2) ? 1 : -1;
        for (int i = 0; i < 3; i++)
            s->positions[v * 3 + (uint32_t)i] = test_random_between(random, -1, 1);
        uint32_t used = test_random_below(random, influence_count + 1);
        for (uint32_t i = 0; i < influence_count; i++) {
            uint32_t slot = v * influence_count + (i * 3 + v) % influence_count;
            if (influence_count % 3 == 0)
                slot = v * influence_count + i;
            bool is_used = i < used;
            s->joints[slot] = (uint16_t)(is_used ? test_random_below(random, JOINTS) : 60000);
            s->weights[slot] = is_used ? test_random_between(random, 0.1f, 1) : 0;
        }
    }
    for (int t = 0; t < TARGETS; t++) {
        for (int a = 0; a < 3; a++)
            for (uint32_t v = 0; v < VERTICES; v++)
                for (uint32_t i = 0; i < 3 && test_random_below(random, 4) == 0; i++)
                    s->deltas[t][a][v * 3 + i] = test_random_between(random, -0.2f, 0.2f);
        s->targets[t] = (sn_morph_target){s->deltas[t][0], s->deltas[t][1], s->deltas[t][2]};
        s->morph_weights[t] = test_random_between(random, -1, 1);
    }
    s->targets[1].normals = NULL;
    for (int j = 0; j < JOINTS; j++) {
        sn_transform t = test_random_transform(random);
        if (is_mirrored)
            t.scale[1] = -t.scale[1];
        s->joint_matrices[j] = sn_affine_from_transform(&t);
    }
    s->geometry = (sn_geometry){.vertex_count = VERTICES,
                                .positions = s->positions,
                                .normals = s->normals,
                                .tangents = s->tangents,
                                .influence_count = influence_count,
                                .joints = s->joints,
                                .weights = s->weights,
                                .target_count = TARGETS,
                                .targets = s->targets};
    return s;
}

static void free_scene(scene *s) {
    free(s->joints);
    free(s->weights);
    free(s);
}

/* The vertex's matrix in double, by the definition, divided by the sum of the weights. */
static void blended(const scene *s, uint32_t vertex, sn_dvec3 columns[4]) {
    memset(columns, 0, 4 * sizeof *columns);
    double sum = s->influence_count ? 0 : 1;
    for (uint32_t i = 0; i < s->influence_count; i++)
        sum += (double)s->weights[vertex * s->influence_count + i];
    for (uint32_t i = 0; i < s->influence_count || i == 0; i++) {
        size_t slot = (size_t)vertex * s->influence_count + i;
        double w = (s->influence_count ? (double)s->weights[slot] : 1) / sum;
        if (!(w > 0))
            continue;
        const sn_affine *m = &s->joint_matrices[s->influence_count ? s->joints[slot] : 0];
        for (int c = 0; c < 4; c++) {
            columns[c].x += w * (double)m->m[0][c];
            columns[c].y += w * (double)m->m[1][c];
            columns[c].z += w * (double)m->m[2][c];
        }
    }
}

static sn_dvec3 morphed(const scene *s, const float *base, int attribute, uint32_t vertex,
                        uint32_t stride, bool with_morphs) {
    double out[3];
    for (uint32_t i = 0; i < 3; i++) {
        out[i] = (double)base[vertex * stride + i];
        for (int t = 0; t < TARGETS && with_morphs; t++)
            if (attribute != 1 || s->targets[t].normals)
                out[i] +=
                    (double)s->morph_weights[t] * (double)s->deltas[t][attribute][vertex * 3 + i];
    }
    return (sn_dvec3){out[0], out[1], out[2]};
}

static sn_dvec3 combine(const sn_dvec3 c[3], sn_dvec3 v) {
    return (sn_dvec3){c[0].x * v.x + c[1].x * v.y + c[2].x * v.z,
                      c[0].y * v.x + c[1].y * v.y + c[2].y * v.z,
                      c[0].z * v.x + c[1].z * v.y + c[2].z * v.z};
}

static bool near(const float *got, sn_dvec3 expected, double tolerance) {
    return fabs((double)got[0] - expected.x) <= tolerance &&
           fabs((double)got[1] - expected.y) <= tolerance &&
           fabs((double)got[2] - expected.z) <= tolerance;
}

typedef struct output {
    float positions[VERTICES * 3], normals[VERTICES * 3], tangents[VERTICES * 4];
} output;

static void compare(const scene *s, const output *got, bool with_morphs) {
    for (uint32_t v = 0; v < VERTICES; v++) {
        sn_dvec3 c[4], p = morphed(s, s->positions, 0, v, 3, with_morphs);
        blended(s, v, c);
        sn_dvec3 position = combine(c, p);
        position = (sn_dvec3){position.x + c[3].x, position.y + c[3].y, position.z + c[3].z};
        assert_true(near(got->positions + v * 3, position, 2e-6));

        /* Inverse transpose: the cofactors over the determinant. */
        sn_dvec3 cofactors[3] = {sn_dvec3_cross(c[1], c[2]), sn_dvec3_cross(c[2], c[0]),
                                 sn_dvec3_cross(c[0], c[1])};
        double determinant = sn_dvec3_dot(c[0], cofactors[0]);
        if (fabs(determinant) < 1e-3) /* no influences, or nearly flat: no normal to speak of */
            continue;
        sn_dvec3 normal = combine(cofactors, morphed(s, s->normals, 1, v, 3, with_morphs));
        normal = sn_dvec3_scale(normal, 1 / determinant);
        normal = sn_dvec3_scale(normal, 1 / sn_dvec3_length(normal));
        assert_true(near(got->normals + v * 3, normal, 2e-4));

        sn_dvec3 tangent = combine(c, morphed(s, s->tangents, 2, v, 4, with_morphs));
        tangent = sn_dvec3_scale(tangent, 1 / sn_dvec3_length(tangent));
        assert_true(near(got->tangents + v * 4, tangent, 2e-4));
        float handedness = s->tangents[v * 4 + 3];
        assert_true(got->tangents[v * 4 + 3] == (determinant < 0 ? -handedness : handedness));
    }
}

static void skin_scene(const scene *s, sn_kernel kernel, const float *morph_weights, output *out) {
    sn_skin_mesh_desc desc = {&s->geometry, JOINTS, kernel};
    sn_skin_mesh *mesh = NULL;
    assert_int_equal(sn_skin_mesh_create(&desc, NULL, &mesh, NULL), SN_OK);
    sn_skin_input input = {s->joint_matrices, morph_weights,
                           test_aligned(sn_skin_mesh_scratch_size(mesh))};
    sn_skin_output to = {out->positions, out->normals, out->tangents};
    memset(out, 0xA5, sizeof *out);
    sn_skin_mesh_update(mesh, &input, &to);

    /* Leaving an output away changes nothing in the others. */
    output *less = malloc(sizeof *less);
    assert_non_null(less);
    memcpy(less, out, sizeof *less);
    memset(less->positions, 0, sizeof less->positions);
    sn_skin_mesh_update(mesh, &input, &(sn_skin_output){less->positions, NULL, NULL});
    assert_memory_equal(less, out, sizeof *less);
    memset(less->normals, 0, sizeof less->normals);
    sn_skin_mesh_update(mesh, &input, &(sn_skin_output){less->positions, less->normals, NULL});
    assert_memory_equal(less, out, sizeof *less);
    memset(less->tangents, 0, sizeof less->tangents);
    sn_skin_mesh_update(mesh, &input, &(sn_skin_output){less->positions, NULL, less->tangents});
    assert_memory_equal(less, out, sizeof *less);
    free(less);

    test_aligned_free(input.scratch);
    sn_skin_mesh_free(mesh);
}

static void vertices_follow_their_joints(void **state) {
    (void)state;
    test_random random = {1};
    sn_kernel kernels[3];
    size_t kernel_count = test_kernels(kernels);
    const uint32_t influence_counts[] = {0, 1, 2, 3, 4, 8, 12};
    for (size_t n = 0; n < sizeof influence_counts / sizeof *influence_counts; n++)
        for (int round = 0; round < 4; round++) {
            scene *s = make_scene(&random, influence_counts[n], round >= 2);
            const float *weights = round % 2 ? s->morph_weights : NULL;
            output *reference = malloc(sizeof *reference), *other = malloc(sizeof *other);
            assert_true(reference && other);
            skin_scene(s, kernels[0], weights, reference);
            compare(s, reference, weights != NULL);
            for (size_t k = 1; k < kernel_count; k++) {
                skin_scene(s, kernels[k], weights, other);
                assert_memory_equal(reference, other, sizeof *other);
            }
            free(reference);
            free(other);
            free_scene(s);
        }
}

/* Seen from outside: of two edges and their normal, moved by any matrix, the normal stays square to
 * the edges and on the side that the moved surface faces; cross(normal, tangent) * w stays the
 * moved bitangent. */
static void a_normal_stays_square_to_its_surface(void **state) {
    (void)state;
    test_random random = {2};
    for (int round = 0; round < 200; round++) {
        sn_transform t = test_random_transform(&random);
        t.scale[0] = test_random_between(&random, 0.1f, 10);
        if (round % 2)
            t.scale[2] = -t.scale[2];
        sn_affine m = sn_affine_from_transform(&t);
        sn_transform frame = sn_transform_identity();
        test_random_quat(&random, frame.rotation);
        sn_affine axes = sn_affine_from_transform(&frame), moved = sn_affine_multiply(&m, &axes);
        float zero[3] = {0}, normal[3], tangent[4];
        for (int i = 0; i < 3; i++) {
            tangent[i] = axes.m[i][0];
            normal[i] = axes.m[i][2];
        }
        tangent[3] = 1; /* bitangent = normal x tangent = axes' y */
        sn_geometry geometry = {
            .vertex_count = 1, .positions = zero, .normals = normal, .tangents = tangent};
        sn_skin_mesh *mesh = NULL;
        sn_skin_mesh_desc desc = {.geometry = &geometry};
        assert_int_equal(sn_skin_mesh_create(&desc, NULL, &mesh, NULL), SN_OK);
        sn_skin_input input = {&m, NULL, test_aligned(sn_skin_mesh_scratch_size(mesh))};
        float position[3], n[3], g[4];
        sn_skin_mesh_update(mesh, &input, &(sn_skin_output){position, n, g});
        sn_dvec3 along = {(double)moved.m[0][0], (double)moved.m[1][0], (double)moved.m[2][0]};
        sn_dvec3 across = {(double)moved.m[0][1], (double)moved.m[1][1], (double)moved.m[2][1]};
        sn_dvec3 out = {(double)moved.m[0][2], (double)moved.m[1][2], (double)moved.m[2][2]};
        sn_dvec3 got = {(double)n[0], (double)n[1], (double)n[2]};
        sn_dvec3 turned = {(double)g[0], (double)g[1], (double)g[2]};
        assert_true(fabs(sn_dvec3_length(got) - 1) < 1e-6);
        assert_true(fabs(sn_dvec3_length(turned) - 1) < 1e-6);
        assert_true(fabs(sn_dvec3_dot(got, along)) < 1e-5 * sn_dvec3_length(along));
        assert_true(fabs(sn_dvec3_dot(got, across)) < 1e-5 * sn_dvec3_length(across));
        assert_true(sn_dvec3_dot(got, out) > 0);
        sn_dvec3 bitangent = sn_dvec3_scale(sn_dvec3_cross(got, turned), (double)g[3]);
        assert_true(sn_dvec3_dot(bitangent, across) > 0);
        test_aligned_free(input.scratch);
        sn_skin_mesh_free(mesh);
    }
}

static void a_vector_without_length_stays_finite(void **state) {
    (void)state;
    float zero[4] = {0}, position[3], normal[3], tangent[4];
    sn_geometry geometry = {
        .vertex_count = 1, .positions = zero, .normals = zero, .tangents = zero};
    sn_kernel kernels[3];
    size_t kernel_count = test_kernels(kernels);
    for (size_t k = 0; k < kernel_count; k++) {
        sn_skin_mesh *mesh = NULL;
        sn_skin_mesh_desc desc = {.geometry = &geometry, .kernel = kernels[k]};
        assert_int_equal(sn_skin_mesh_create(&desc, NULL, &mesh, NULL), SN_OK);
        sn_affine m = sn_affine_identity();
        sn_skin_input input = {&m, NULL, test_aligned(sn_skin_mesh_scratch_size(mesh))};
        sn_skin_mesh_update(mesh, &input, &(sn_skin_output){position, normal, tangent});
        for (int i = 0; i < 3; i++)
            assert_true(normal[i] == 0 && tangent[i] == 0 && position[i] == 0);
        test_aligned_free(input.scratch);
        sn_skin_mesh_free(mesh);
    }
}

static void a_vertex_without_weight_follows_its_first_joint(void **state) {
    (void)state;
    const float position[3] = {1, 2, 3}, no_weights[4] = {0};
    const uint16_t joints[4] = {1, 0, 0, 0};
    sn_geometry geometry = {.vertex_count = 1,
                            .positions = position,
                            .influence_count = 4,
                            .joints = joints,
                            .weights = no_weights};
    sn_affine matrices[2] = {sn_affine_identity(), sn_affine_identity()};
    matrices[1].m[0][3] = 10;
    sn_kernel kernels[3];
    size_t kernel_count = test_kernels(kernels);
    for (size_t k = 0; k < kernel_count; k++) {
        sn_skin_mesh *mesh = NULL;
        sn_skin_mesh_desc desc = {&geometry, 2, kernels[k]};
        assert_int_equal(sn_skin_mesh_create(&desc, NULL, &mesh, NULL), SN_OK);
        float moved[3];
        sn_skin_input input = {matrices, NULL, test_aligned(sn_skin_mesh_scratch_size(mesh))};
        sn_skin_mesh_update(mesh, &input, &(sn_skin_output){.positions = moved});
        assert_true(moved[0] == 11 && moved[1] == 2 && moved[2] == 3);
        test_aligned_free(input.scratch);
        sn_skin_mesh_free(mesh);
    }
}

static void a_joint_the_skin_lacks_is_refused(void **state) {
    (void)state;
    test_random random = {3};
    scene *s = make_scene(&random, 4, false);
    s->joints[50 * 4 + 1] = JOINTS;
    s->weights[50 * 4 + 1] = 0.25f;
    sn_skin_mesh_desc desc = {&s->geometry, JOINTS, SN_KERNEL_BEST};
    sn_skin_mesh *mesh = NULL;
    sn_error error;
    assert_int_equal(sn_skin_mesh_create(&desc, NULL, &mesh, &error), SN_ERROR_INVALID);
    assert_int_equal(error.id, SN_MESSAGE_REFERENCE);
    assert_non_null(strstr(error.text, "vertex 50"));
    s->weights[50 * 4 + 1] = 0; /* of no weight, of no matter */
    assert_int_equal(sn_skin_mesh_create(&desc, NULL, &mesh, &error), SN_OK);
    sn_skin_mesh_free(mesh);
    desc.kernel = (sn_kernel)77;
    assert_int_equal(sn_skin_mesh_create(&desc, NULL, &mesh, &error), SN_ERROR_ARGUMENT);
    free_scene(s);
}

static void every_failing_allocation_is_reported_and_leaks_nothing(void **state) {
    (void)state;
    test_random random = {4};
    scene *s = make_scene(&random, 4, false);
    sn_skin_mesh_desc desc = {&s->geometry, JOINTS, SN_KERNEL_BEST};
    size_t failures = 0;
    for (size_t fail_at = 1;; fail_at++) {
        test_allocator allocator;
        test_allocator_init(&allocator, fail_at);
        sn_skin_mesh *mesh = NULL;
        sn_error error;
        sn_result result = sn_skin_mesh_create(&desc, &allocator.allocator, &mesh, &error);
        if (result) {
            failures++;
            assert_int_equal(result, SN_ERROR_MEMORY);
            assert_int_equal(error.id, SN_MESSAGE_MEMORY);
        } else {
            assert_true(sn_skin_mesh_bytes(mesh) <= allocator.in_use);
        }
        sn_skin_mesh_free(mesh);
        assert_int_equal(allocator.in_use, 0);
        if (!result)
            break;
    }
    assert_true(failures >= 3);
    free_scene(s);
}

static void joint_matrices_are_world_times_inverse_bind(void **state) {
    (void)state;
    test_random random = {5};
    sn_kernel kernels[3];
    size_t kernel_count = test_kernels(kernels);
    test_forest forest = test_forest_make(&random, 40);
    sn_affine binds[30], reference[30], got[30];
    uint32_t nodes[30], joints[30];
    for (uint32_t i = 0; i < 30; i++) {
        sn_transform t = test_random_transform(&random);
        binds[i] = sn_affine_from_transform(&t);
        nodes[i] = test_random_below(&random, 40);
    }
    for (size_t k = 0; k < kernel_count; k++) {
        sn_skeleton *skeleton = test_forest_skeleton(&forest, kernels[k]);
        sn_pose pose = {test_aligned(sn_pose_size(skeleton))};
        sn_affine *world = test_aligned(40 * sizeof *world);
        sn_pose_rest(skeleton, pose);
        sn_hierarchy_update(skeleton, pose, NULL, world);
        for (uint32_t i = 0; i < 30; i++)
            joints[i] = sn_skeleton_joint_of_node(skeleton, nodes[i]);
        for (uint32_t count = 0; count <= 30; count++) {
            memset(got, 0, sizeof got);
            sn_joint_matrices(skeleton, &(sn_skin_binding){count, joints, binds}, world, got);
            for (uint32_t i = 0; i < count; i++) {
                sn_affine expected = sn_affine_multiply(&world[joints[i]], &binds[i]);
                assert_memory_equal(&got[i], &expected, sizeof expected);
            }
            for (uint32_t i = count; i < 30; i++) /* nothing beyond the last is touched */
                assert_true(got[i].m[0][0] == 0 && got[i].m[2][3] == 0);
        }
        if (k == 0)
            memcpy(reference, got, sizeof got);
        assert_memory_equal(reference, got, sizeof got);
        sn_joint_matrices(skeleton, &(sn_skin_binding){30, joints, NULL}, world, got);
        for (uint32_t i = 0; i < 30; i++)
            assert_memory_equal(&got[i], &world[joints[i]], sizeof *got);
        test_aligned_free(pose.data);
        test_aligned_free(world);
        sn_skeleton_free(skeleton);
    }
    test_forest_free(&forest);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vertices_follow_their_joints),
        cmocka_unit_test(a_normal_stays_square_to_its_surface),
        cmocka_unit_test(a_vector_without_length_stays_finite),
        cmocka_unit_test(a_vertex_without_weight_follows_its_first_joint),
        cmocka_unit_test(a_joint_the_skin_lacks_is_refused),
        cmocka_unit_test(every_failing_allocation_is_reported_and_leaks_nothing),
        cmocka_unit_test(joint_matrices_are_world_times_inverse_bind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
