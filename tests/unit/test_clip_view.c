/* Clip views: the values of sn_clip_sample on every kind of clip, the same bits from every kernel.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "anim/clip_view.h"
#include "anim/slerp.h"
#include "tests/unit/allocators.h"
#include "tests/unit/motion.h"

/* ---- Random clips ---- */

enum style {
    SHARED_TIMES = 1,  /* one array of times for all tracks, as most files have it */
    PRIVATE_TIMES = 2, /* times of its own for each track */
    ALL_JOINTS = 4,    /* no joint is left out */
    LINEAR_ONLY = 8,
    SMALL_STEPS = 16, /* neighbouring rotations differ little */
    LOOSE_KEYS = 32,  /* rotations as 8-bit integers store them */
    WILD_TIMES = 64   /* keys crowded at one end */
};

typedef struct clip_box {
    sn_clip clip;
    sn_track *tracks;
    const sn_track **list;
} clip_box;

static float *random_times(test_random *random, uint32_t count, bool is_wild) {
    float *times = malloc(count * sizeof *times);
    assert_non_null(times);
    times[0] = test_random_below(random, 3) ? 0 : test_random_between(random, -0.5f, 0.5f);
    for (uint32_t i = 1; i < count; i++) {
        float step =
            test_random_below(random, 2) ? 1.0f / 30 : test_random_between(random, 0.01f, 0.2f);
        if (is_wild)
            step = i + 2 < count ? 1e-4f : 50;
        times[i] = times[i - 1] + step;
    }
    return times;
}

static void random_values(test_random *random, const sn_track *track, int style, float *out) {
    uint32_t rows = track->interpolation == SN_CUBICSPLINE ? 3 : 1;
    for (uint32_t row = 0; row < track->key_count * rows; row++) {
        float *to = out + (size_t)row * track->width;
        bool is_value = rows == 1 || row % 3 == 1;
        if (track->path != SN_PATH_ROTATION || !is_value) {
            for (uint32_t i = 0; i < track->width; i++)
                to[i] = test_random_between(random, -1, 1);
        } else {
            test_random_quat(random, to);
            if (row >= rows && (style & SMALL_STEPS)) {
                const float *before = to - (size_t)rows * track->width;
                double length = 0;
                for (int i = 0; i < 4; i++) {
                    to[i] = before[i] + to[i] * 0.05f;
                    length += (double)to[i] * (double)to[i];
                }
                double sign = test_random_below(random, 4) ? 1 : -1;
                for (int i = 0; i < 4; i++)
                    to[i] = (float)(sign * (double)to[i] / sqrt(length));
            }
            for (int i = 0; i < 4 && (style & LOOSE_KEYS); i++)
                to[i] = roundf(to[i] * 127) / 127;
        }
        if (track->path == SN_PATH_ROTATION && rows == 3 && is_value && row > 3) {
            /* A spline between opposite quaternions passes near zero, where single precision says
             * little about its direction: no sensible file has that. */
            double dot = 0;
            for (int i = 0; i < 4; i++)
                dot += (double)to[i] * (double)to[i - 12];
            for (int i = 0; i < 4 && dot < 0; i++)
                to[i] = -to[i];
        }
        if (row >= rows && test_random_below(random, 8) == 0) /* a held key */
            memcpy(to, to - (size_t)rows * track->width, track->width * sizeof *to);
    }
    if (test_random_below(random, 8) == 0) /* nothing changes */
        for (uint32_t row = 1; row < track->key_count && rows == 1; row++)
            memcpy(out + (size_t)row * track->width, out, track->width * sizeof *out);
}

static clip_box make_clip(test_random *random, uint32_t node_count, uint32_t most_keys, int style) {
    static const sn_path paths[] = {SN_PATH_TRANSLATION, SN_PATH_ROTATION, SN_PATH_SCALE,
                                    SN_PATH_WEIGHTS};
    clip_box box = {.tracks = calloc((size_t)node_count * 4 + 2, sizeof(sn_track)),
                    .list = calloc((size_t)node_count * 4 + 2, sizeof(sn_track *))};
    assert_true(box.tracks && box.list);
    uint32_t shared_count = 2 + test_random_below(random, most_keys - 1), count = 0;
    float *shared = random_times(random, shared_count, style & WILD_TIMES);
    uint32_t density = 1 + test_random_below(random, 4);
    for (uint32_t node = 0; node < node_count; node++)
        for (int p = 0; p < 4; p++) {
            if (!(style & ALL_JOINTS) && test_random_below(random, 4) >= density)
                continue;
            sn_track *track = &box.tracks[count];
            track->node = node;
            track->path = paths[p];
            track->width = p == 1 ? 4 : 3;
            track->interpolation = style & LINEAR_ONLY || test_random_below(random, 2)
                                       ? SN_LINEAR
                                       : (sn_interpolation)test_random_below(random, 3);
            bool is_private = style & PRIVATE_TIMES ||
                              (!(style & SHARED_TIMES) && test_random_below(random, 3) == 0);
            track->key_count = is_private ? 1 + test_random_below(random, most_keys) : shared_count;
            float *times = is_private ? random_times(random, track->key_count, style & WILD_TIMES)
                                      : malloc(shared_count * sizeof *times);
            assert_non_null(times);
            if (!is_private) /* the same content at another address */
                memcpy(times, shared, shared_count * sizeof *times);
            float *values = calloc((size_t)track->key_count * track->width * 3, sizeof *values);
            assert_non_null(values);
            random_values(random, track, style, values);
            track->times = times;
            track->values = values;
            box.clip.duration = fmaxf(box.clip.duration, times[track->key_count - 1]);
            box.list[count] = track;
            count++;
        }
    if (count && test_random_below(random, 3) == 0) { /* a second track for a target */
        sn_track *again = &box.tracks[count];
        *again = box.tracks[test_random_below(random, count)];
        again->interpolation = SN_STEP; /* valid whatever the rows were */
        box.list[count++] = again;
    }
    box.clip.name = "";
    box.clip.track_count = count;
    box.clip.tracks = box.list;
    free(shared);
    return box;
}

static void free_clip(clip_box *box) {
    for (uint32_t i = 0; i < box->clip.track_count; i++) {
        bool is_shared = false;
        for (uint32_t k = 0; k < i; k++)
            is_shared |= box->tracks[k].times == box->tracks[i].times;
        if (is_shared)
            continue;
        free((void *)(uintptr_t)box->tracks[i].times);
        free((void *)(uintptr_t)box->tracks[i].values);
    }
    free(box->tracks);
    free((void *)box->list);
}

/* ---- Comparing ---- */

static double difference_of(const sn_transform *a, const sn_transform *b) {
    double dot = 0, worst = 0;
    for (int i = 0; i < 4; i++)
        dot += (double)a->rotation[i] * (double)b->rotation[i];
    double sign = dot < 0 ? -1 : 1; /* q and -q are one rotation */
    for (int i = 0; i < 4; i++)
        worst = fmax(worst, fabs((double)a->rotation[i] - sign * (double)b->rotation[i]));
    for (int i = 0; i < 3; i++) {
        worst = fmax(worst, fabs((double)a->translation[i] - (double)b->translation[i]));
        worst = fmax(worst, fabs((double)a->scale[i] - (double)b->scale[i]));
    }
    return isfinite(worst) ? worst : INFINITY;
}

static float probe_time(test_random *random, const sn_clip *clip, int probe) {
    if (probe == 0)
        return NAN;
    if (probe < 4)
        return probe == 1 ? -INFINITY : probe == 2 ? INFINITY : clip->duration;
    if (clip->track_count && probe % 3 == 0) { /* a key's own time */
        const sn_track *track = clip->tracks[test_random_below(random, clip->track_count)];
        return track->times[test_random_below(random, track->key_count)];
    }
    return test_random_between(random, -0.7f, clip->duration + 0.2f);
}

static const float *joint_lane(const sn_skeleton *skeleton, sn_pose pose, uint32_t joint) {
    return pose.data + sn_pose_index(skeleton, joint, 0);
}

static bool same_bits(const sn_skeleton *a, sn_pose pose_a, const sn_skeleton *b, sn_pose pose_b) {
    for (uint32_t joint = 0; joint < a->joint_count; joint++)
        for (uint32_t i = 0; i < SN_POSE_VECTORS; i++)
            if (memcmp(joint_lane(a, pose_a, joint) + i * sn_skeleton_lanes(a),
                       joint_lane(b, pose_b, joint) + i * sn_skeleton_lanes(b), sizeof(float)) != 0)
                return false;
    return true;
}

static double compare_clip(test_random *random, const test_forest *forest, const sn_clip *clip) {
    enum { PROBES = 40 };
    float times[PROBES];
    for (int i = 0; i < PROBES; i++)
        times[i] = probe_time(random, clip, i);
    sn_kernel kernels[3];
    size_t kernel_count = test_kernels(kernels);
    sn_skeleton *first = NULL;
    sn_pose kept[PROBES];
    double worst = 0;
    for (size_t k = 0; k < kernel_count; k++) {
        sn_skeleton *skeleton = test_forest_skeleton(forest, kernels[k]);
        sn_clip_view *view = NULL;
        assert_int_equal(sn_clip_view_create(skeleton, clip, NULL, &view, NULL), SN_OK);
        size_t size = sn_pose_size(skeleton);
        sn_pose reference = {test_aligned(size)};
        for (int i = 0; i < PROBES; i++) {
            sn_pose pose = {test_aligned(size)};
            sn_clip_sample(skeleton, clip, times[i], reference);
            sn_clip_view_sample(view, times[i], pose);
            for (uint32_t joint = 0; joint < skeleton->joint_count; joint++) {
                sn_transform a, b;
                sn_pose_get(skeleton, reference, joint, &a);
                sn_pose_get(skeleton, pose, joint, &b);
                worst = fmax(worst, difference_of(&a, &b));
            }
            for (uint32_t joint = skeleton->joint_count; joint % skeleton->kernels->lanes;
                 joint++) { /* the lanes past the last joint stay the identity */
                sn_transform identity = sn_transform_identity(), b;
                sn_pose_get(skeleton, pose, joint, &b);
                assert_true(difference_of(&identity, &b) < 1e-6);
            }
            if (k == 0) {
                kept[i] = pose;
            } else {
                assert_true(same_bits(first, kept[i], skeleton, pose));
                test_aligned_free(pose.data);
            }
        }
        test_aligned_free(reference.data);
        sn_clip_view_free(view);
        if (k == 0)
            first = skeleton;
        else
            sn_skeleton_free(skeleton);
    }
    for (int i = 0; i < PROBES; i++)
        test_aligned_free(kept[i].data);
    sn_skeleton_free(first);
    return worst;
}

static void a_view_gives_what_the_keys_give(void **state) {
    (void)state;
    test_random random = {1};
    double worst = 0;
    for (int round = 0; round < 300; round++) {
        int style = (int)test_random_below(&random, 128);
        if (style & WILD_TIMES) /* tangents over 50 seconds would be 50 times the values */
            style |= LINEAR_ONLY;
        uint32_t nodes = 1 + test_random_below(&random, 40);
        test_forest forest = test_forest_make(&random, nodes);
        clip_box box = make_clip(&random, nodes, 2 + test_random_below(&random, 30), style);
        worst = fmax(worst, compare_clip(&random, &forest, &box.clip));
        assert_true(worst < 1e-6);
        free_clip(&box);
        test_forest_free(&forest);
    }
    print_message("largest difference to the keys: %.2g\n", worst);
}

static void a_clip_of_more_keys_than_16_bits_count(void **state) {
    (void)state;
    test_random random = {2};
    test_forest forest = test_forest_make(&random, 3);
    for (int style = SHARED_TIMES; style <= PRIVATE_TIMES; style++) {
        clip_box box;
        do {
            box = make_clip(&random, 3, 90000, style | SMALL_STEPS);
            if (box.tracks[0].key_count > 66000)
                break;
            free_clip(&box);
        } while (true);
        assert_true(compare_clip(&random, &forest, &box.clip) < 1e-6);
        free_clip(&box);
    }
    test_forest_free(&forest);
}

static void spread_keys(sn_track *track) {
    float *times = (float *)(uintptr_t)track->times;
    uint32_t segments = track->key_count - 1;
    double half = segments > 1 ? 3e38 : 1.5e38; /* a segment's length is a float */
    for (uint32_t key = 0; key <= segments; key++)
        times[key] = (float)(segments ? half * (2.0 * key / segments - 1) : 0);
}

/* First and last key are farther apart than a float can say. */
static void keys_as_far_apart_as_can_be(void **state) {
    (void)state;
    test_random random = {12};
    test_forest forest = test_forest_make(&random, 9);
    for (int round = 0; round < 40; round++) {
        int style = round % 2 ? SHARED_TIMES : PRIVATE_TIMES;
        clip_box box = make_clip(&random, 9, 6, style | LINEAR_ONLY | ALL_JOINTS);
        for (uint32_t i = 0; i < box.clip.track_count; i++)
            spread_keys(&box.tracks[i]);
        box.clip.duration = 3e38f;
        assert_true(compare_clip(&random, &forest, &box.clip) < 1e-6);
        free_clip(&box);
    }
    test_forest_free(&forest);
}

/* ---- Layout ---- */

static sn_clip_view *view_of(const sn_skeleton *skeleton, const sn_clip *clip) {
    sn_clip_view *view = NULL;
    assert_int_equal(sn_clip_view_create(skeleton, clip, NULL, &view, NULL), SN_OK);
    return view;
}

static void equal_times_are_kept_once(void **state) {
    (void)state;
    test_random random = {3};
    test_forest forest = test_forest_make(&random, 32);
    sn_skeleton *skeleton = test_forest_skeleton(&forest, SN_KERNEL_BEST);
    clip_box box = make_clip(&random, 32, 30, SHARED_TIMES | ALL_JOINTS | LINEAR_ONLY);
    sn_clip_view *view = view_of(skeleton, &box.clip);
    assert_int_equal(view->stream_count, 1);
    assert_int_equal(view->channel_block_count, 0);
    sn_clip_view_free(view);
    free_clip(&box);

    box = make_clip(&random, 32, 30, PRIVATE_TIMES | ALL_JOINTS | LINEAR_ONLY);
    view = view_of(skeleton, &box.clip);
    assert_int_equal(view->stream_count, 0);
    /* One block for each path of each group, however many channels it gathers. */
    assert_int_equal(view->channel_block_count, 32 / sn_skeleton_lanes(skeleton) * 3);
    sn_clip_view_free(view);
    free_clip(&box);
    sn_skeleton_free(skeleton);
    test_forest_free(&forest);
}

/* A fully animated clip overwrites the pose: nothing of the rest pose is copied. And its frames are
 * all the memory there is but for a little. */
static void a_full_clip_copies_nothing(void **state) {
    (void)state;
    enum { NODES = 37, KEYS = 50 };
    test_random random = {4};
    test_forest forest = test_forest_make(&random, NODES);
    sn_track tracks[NODES * 3];
    const sn_track *list[NODES * 3];
    float times[KEYS], *values = malloc(sizeof *values * NODES * 3 * KEYS * 4);
    assert_non_null(values);
    for (int i = 0; i < KEYS; i++)
        times[i] = (float)i / 30;
    for (uint32_t i = 0; i < NODES * 3; i++) {
        static const sn_path paths[] = {SN_PATH_TRANSLATION, SN_PATH_ROTATION, SN_PATH_SCALE};
        float *rows = values + (size_t)i * KEYS * 4;
        sn_path path = paths[i % 3];
        tracks[i] = (sn_track){.node = i / 3,
                               .path = path,
                               .interpolation = SN_LINEAR,
                               .width = path == SN_PATH_ROTATION ? 4 : 3,
                               .key_count = KEYS,
                               .times = times,
                               .values = rows};
        for (uint32_t key = 0; key < KEYS; key++)
            test_random_quat(&random, rows + key * tracks[i].width);
        list[i] = &tracks[i];
    }
    sn_clip clip = {.name = "", .track_count = NODES * 3, .tracks = list};
    sn_skeleton *skeleton = test_forest_skeleton(&forest, SN_KERNEL_BEST);
    sn_clip_view *view = view_of(skeleton, &clip);
    assert_int_equal(view->base_run_count, 0);
    size_t frames = (size_t)KEYS * sn_pose_size(skeleton);
    assert_true(sn_clip_view_bytes(view) >= frames);
    assert_true(sn_clip_view_bytes(view) < frames + frames / 8);
    sn_clip_view_free(view);
    sn_skeleton_free(skeleton);
    free(values);
    test_forest_free(&forest);
}

static void every_failing_allocation_is_reported_and_leaks_nothing(void **state) {
    (void)state;
    test_random random = {5};
    test_forest forest = test_forest_make(&random, 60);
    sn_skeleton *skeleton = test_forest_skeleton(&forest, SN_KERNEL_BEST);
    clip_box box = make_clip(&random, 60, 60, ALL_JOINTS);
    size_t failures = 0;
    for (size_t fail_at = 1;; fail_at++) {
        test_allocator allocator;
        test_allocator_init(&allocator, fail_at);
        sn_clip_view *view = NULL;
        sn_error error;
        sn_result result =
            sn_clip_view_create(skeleton, &box.clip, &allocator.allocator, &view, &error);
        if (result) {
            failures++;
            assert_int_equal(result, SN_ERROR_MEMORY);
            assert_int_equal(error.id, SN_MESSAGE_MEMORY);
            assert_null(view);
        }
        sn_clip_view_free(view);
        assert_int_equal(allocator.in_use, 0);
        if (!result)
            break;
    }
    assert_true(failures >= 4);
    free_clip(&box);
    sn_skeleton_free(skeleton);
    test_forest_free(&forest);
}

/* ---- The polynomial ---- */

static float weight(float t, float x, int factors) {
    float product = t, products[SN_SLERP_MOST + 1] = {t};
    for (int i = 0; i < factors; i++)
        products[i + 1] = product *= t * t * sn_slerp_u[i] - sn_slerp_v[i];
    float sum = products[factors];
    for (int i = factors; i-- > 0;)
        sum = sum * x + products[i];
    return sum;
}

/* The largest error of a weight for angles in a range of degrees, against long double. */
static long double worst_weight(int from, int to, int factors) {
    long double worst = 0;
    for (int a = from * 20; a <= to * 20; a++)
        for (int s = 0; s <= 200; s++) {
            float cosine = (float)cosl((long double)a / 20 * 3.14159265358979323846L / 180);
            float t = (float)s / 200;
            long double angle = acosl((long double)cosine), exact = (long double)t;
            if (cosine < 1)
                exact = sinl((long double)t * angle) / sinl(angle);
            worst = fmaxl(worst, fabsl((long double)weight(t, cosine - 1, factors) - exact));
        }
    return worst;
}

static void polynomial_weights_are_those_of_slerp(void **state) {
    (void)state;
    const struct {
        int from, to, factors;
        long double bound;
    } ranges[] = {{0, 21, SN_SLERP_FEW, 1e-7L},
                  {0, 15, SN_SLERP_MOST, 1e-7L},
                  {0, 30, SN_SLERP_MOST, 1e-7L},
                  {0, 45, SN_SLERP_MOST, 1.5e-7L}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        long double worst = worst_weight(ranges[i].from, ranges[i].to, ranges[i].factors);
        print_message("%d factors to %d degrees: error of a weight %.2Lg\n", ranges[i].factors,
                      ranges[i].to, worst);
        assert_true(worst < ranges[i].bound);
    }
}

/* Two keys at every angle and time, against slerp in long double: the rotation itself. */
static void views_turn_as_slerp_in_long_double_does(void **state) {
    (void)state;
    sn_kernel kernels[3];
    size_t kernel_count = test_kernels(kernels);
    uint32_t parent = SN_NONE;
    sn_transform rest = sn_transform_identity();
    test_forest forest = {1, &parent, &rest};
    for (size_t k = 0; k < kernel_count; k++) {
        sn_skeleton *skeleton = test_forest_skeleton(&forest, kernels[k]);
        sn_pose pose = {test_aligned(sn_pose_size(skeleton))};
        long double worst = 0;
        for (int degrees = 1; degrees <= 179; degrees++) { /* of rotation, twice the angle */
            long double angle = (long double)degrees * 3.14159265358979323846L / 360;
            float times[] = {0, 1}, keys[8] = {0, 0, 0, 1};
            keys[4] = (float)(0.6L * sinl(angle));
            keys[6] = (float)(0.8L * sinl(angle));
            keys[7] = (float)cosl(angle);
            for (int i = 4; i < 8 && degrees % 2; i++)
                keys[i] = -keys[i];
            sn_track track = {0, SN_PATH_ROTATION, SN_LINEAR, 4, 2, times, keys, SN_NONE};
            const sn_track *list[] = {&track};
            sn_clip clip = {.name = "", .track_count = 1, .tracks = list, .duration = 1};
            sn_clip_view *view = view_of(skeleton, &clip);
            for (int step = 0; step <= 64; step++) {
                long double t = (long double)step / 64;
                sn_transform got;
                sn_clip_view_sample(view, (float)step / 64, pose);
                sn_pose_get(skeleton, pose, 0, &got);
                long double sine = sinl(t * angle);
                long double expected[4] = {0.6L * sine, 0, 0.8L * sine, cosl(t * angle)};
                long double sign = got.rotation[3] < 0 ? -1 : 1;
                for (int i = 0; i < 4; i++)
                    worst = fmaxl(worst, fabsl(sign * (long double)got.rotation[i] - expected[i]));
            }
            sn_clip_view_free(view);
        }
        print_message("%s: largest error of a rotation %.2Lg\n", sn_kernel_name(kernels[k]), worst);
        assert_true(worst < 3e-7L);
        test_aligned_free(pose.data);
        sn_skeleton_free(skeleton);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_view_gives_what_the_keys_give),
        cmocka_unit_test(a_clip_of_more_keys_than_16_bits_count),
        cmocka_unit_test(keys_as_far_apart_as_can_be),
        cmocka_unit_test(equal_times_are_kept_once),
        cmocka_unit_test(a_full_clip_copies_nothing),
        cmocka_unit_test(every_failing_allocation_is_reported_and_leaks_nothing),
        cmocka_unit_test(polynomial_weights_are_those_of_slerp),
        cmocka_unit_test(views_turn_as_slerp_in_long_double_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
