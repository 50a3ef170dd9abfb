/* Hands: where the stored rotations put the fingers. The palm of a T-pose faces down, thumbs point
 * where the model faces: what is measured is in the world. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "rig/hand.h"
#include "sinew/vrm.h"
#include "tests/unit/gltf_files.h"
#include "tests/unit/limbs.h"
#include "tests/unit/people.h"

static const sn_human_bone wrists[] = {SN_HUMAN_LEFT_HAND, SN_HUMAN_RIGHT_HAND};

/* Manners of making a rig; the figure is the same. */
static const test_person_shape shapes[] = {
    {.facing = 1},
    {.facing = -1},
    {.axes = 7},
    {.facing = -1, .axes = 8},
    {.axes = 9, .scale = 0.01f},
    {.axes = 10, .splay = 0.3},
    {.axes = 11, .relaxed = 0.3},
    {.axes = 12, .lacks_tips = true},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static void set_up(const test_person *p, int side, sn_hand *hand) {
    sn_error error = {0};
    if (sn_hand_set_up(&p->joints, &p->humanoid, wrists[side], hand, &error) != SN_OK)
        fail_msg("%s", error.text);
}

static sn_hand_output apply(const sn_hand *hand, const sn_joints *joints, const sn_hand_pose *pose,
                            float weight) {
    sn_hand_output out;
    sn_error error = {0};
    if (sn_hand_apply(&(sn_hand_job){hand, pose, weight}, joints, &out, &error) != SN_OK)
        fail_msg("%s", error.text);
    return out;
}

static sn_hand_pose all(float curl) {
    return (sn_hand_pose){.curl = {curl, curl, curl, curl, curl}};
}

/* A point of hand space below a joint, in the world of the pose or the rest. */
static sn_dvec3 follow(const sn_joints *joints, const sn_hand *hand, const sn_phalanx *phalanx,
                       const double point[3], bool in_pose) {
    sn_space wrist = sn_space_of_joint(joints, joints->rest, hand->wrist);
    sn_space rest = sn_space_of_joint(joints, joints->rest, phalanx->joint);
    sn_space now =
        sn_space_of_joint(joints, in_pose ? joints->local : joints->rest, phalanx->joint);
    sn_dmat3 inverse;
    assert_true(sn_dmat3_inverse(&rest.axes, &inverse));
    sn_dvec3 model = sn_dvec3_add(wrist.origin, sn_dvec3_load(point));
    sn_dvec3 own = sn_dmat3_apply(&inverse, sn_dvec3_subtract(model, rest.origin));
    sn_dvec3 placed = sn_space_point(&now, own);
    float local[3];
    test_store3(local, placed);
    sn_dvec3 out = {0, 0, 0};
    double *parts[3] = {&out.x, &out.y, &out.z};
    for (int r = 0; r < 3; r++)
        *parts[r] = (double)joints->root.m[r][0] * placed.x +
                    (double)joints->root.m[r][1] * placed.y +
                    (double)joints->root.m[r][2] * placed.z + (double)joints->root.m[r][3];
    return out;
}

static void test_palm(void **state) {
    (void)state;
    for (int i = 0; i < SHAPES; i++)
        for (int side = 0; side < 2; side++) {
            test_person p;
            test_person_make(&p, &shapes[i]);
            sn_hand hand;
            set_up(&p, side, &hand);
            double facing = (double)p.humanoid.facing, out = side ? -facing : facing;
            assert_true(hand.forward[0] * out > 0.99);
            assert_true(hand.radial[2] * facing > 0.99);
            assert_true(hand.palm[1] < -0.99);
            sn_dvec3 f = sn_dvec3_load(hand.forward), r = sn_dvec3_load(hand.radial);
            sn_dvec3 n = sn_dvec3_load(hand.palm);
            assert_true(fabs(sn_dvec3_dot(f, r)) < 1e-12 && fabs(sn_dvec3_dot(f, n)) < 1e-12);
            assert_true(fabs(sn_dvec3_dot(r, n)) < 1e-12);
        }
}

static void test_axes(void **state) {
    (void)state;
    for (int i = 0; i < SHAPES; i++)
        for (int side = 0; side < 2; side++) {
            test_person p;
            test_person_make(&p, &shapes[i]);
            sn_hand hand;
            set_up(&p, side, &hand);
            for (int f = 0; f < SN_FINGER_COUNT; f++)
                for (uint32_t b = 0; b < hand.fingers[f].count; b++) {
                    const sn_phalanx *bone = &hand.fingers[f].phalanges[b];
                    sn_dvec3 along = sn_dvec3_unit(
                        sn_dvec3_subtract(sn_dvec3_load(bone->end), sn_dvec3_load(bone->origin)));
                    sn_dvec3 axis = sn_dvec3_load(bone->axis);
                    assert_true(fabs(sn_dvec3_length(axis) - 1) < 1e-9);
                    assert_true(fabs(sn_dvec3_dot(axis, along)) < 1e-9);
                    /* The finger moves out of the palm. */
                    assert_true(
                        sn_dvec3_dot(sn_dvec3_cross(axis, along), sn_dvec3_load(hand.palm)) > 0.3);
                    /* That of the first joint is from the palm, whose axis is the middle's. */
                    double bent = b == 0 || b + 1 < hand.fingers[f].count ? shapes[i].relaxed : 0;
                    if (f != SN_FINGER_THUMB)
                        assert_true(fabs(bone->flexion - bent) < (b == 0 ? 0.05 : 1e-3));
                }
        }
}

/* The fingers go down, the thumb too; half curled they are half way, and stay on their bones. */
static void test_curl(void **state) {
    (void)state;
    for (int i = 0; i < SHAPES; i++)
        for (int side = 0; side < 2; side++)
            for (int f = 0; f < SN_FINGER_COUNT; f++) {
                test_person p;
                test_person_make(&p, &shapes[i]);
                sn_hand hand;
                set_up(&p, side, &hand);
                const sn_hand_finger *finger = &hand.fingers[f];
                const sn_phalanx *tip = &finger->phalanges[finger->count - 1];
                double height = follow(&p.joints, &hand, tip, tip->end, false).y;
                /* A finger that is bent in the rest turns up again sooner. */
                for (int step = 1; step <= (shapes[i].relaxed > 0 ? 3 : 4); step++) {
                    sn_hand_pose pose = {0};
                    pose.curl[f] = (float)step / 8;
                    apply(&hand, &p.joints, &pose, 1);
                    double now = follow(&p.joints, &hand, tip, tip->end, true).y;
                    assert_true(now < height - 0.002);
                    height = now;
                }
                for (uint32_t j = 0; j < p.joints.count; j++)
                    for (int other = 0; other < SN_FINGER_COUNT; other++)
                        for (uint32_t b = 0; other != f && b < hand.fingers[other].count; b++)
                            if (hand.fingers[other].phalanges[b].joint == j)
                                assert_true(test_rotation_angle(p.local[j].rotation,
                                                                p.rest[j].rotation) < 1e-6);
            }
}

/* Whatever the local axes: the same places. */
static void test_any_axes(void **state) {
    (void)state;
    static const test_person_shape same[] = {
        {.axes = 0}, {.axes = 21}, {.axes = 22, .scale = 0.01f}, {.axes = 23, .scale = 100}};
    sn_hand_pose pose = {.curl = {0.3f, 0.5f, 0.7f, 0.9f, 1}, .spread = 0.1f};
    double places[4][2][15][3];
    for (int i = 0; i < 4; i++) {
        test_person p;
        test_person_make(&p, &same[i]);
        for (int side = 0; side < 2; side++) {
            sn_hand hand;
            set_up(&p, side, &hand);
            apply(&hand, &p.joints, &pose, 1);
            for (uint32_t b = 0; b < 15; b++)
                test_person_place(&p,
                                  (sn_human_bone)(SN_HUMAN_LEFT_THUMB_METACARPAL + b +
                                                  (side ? SN_HUMAN_SIDE : 0)),
                                  places[i][side][b]);
        }
    }
    for (int i = 1; i < 4; i++)
        for (int side = 0; side < 2; side++)
            for (int b = 0; b < 15; b++)
                for (int c = 0; c < 3; c++)
                    assert_true(fabs(places[i][side][b][c] - places[0][side][b][c]) < 2e-6);
    /* The right hand is the left one's mirror image. */
    for (int b = 0; b < 15; b++)
        for (int c = 0; c < 3; c++)
            assert_true(fabs(places[1][1][b][c] - places[1][0][b][c] * (c == 0 ? -1 : 1)) < 2e-6);
}

static void test_spread(void **state) {
    (void)state;
    test_person p;
    test_person_make(&p, &(test_person_shape){.axes = 31});
    for (int side = 0; side < 2; side++) {
        sn_hand hand;
        set_up(&p, side, &hand);
        apply(&hand, &p.joints, &(sn_hand_pose){.spread = 0.2f}, 1);
        static const double sides[SN_FINGER_COUNT] = {0, 0.2, 0, -0.2, -0.4};
        for (int f = SN_FINGER_INDEX; f < SN_FINGER_COUNT; f++) {
            const sn_phalanx *b = &hand.fingers[f].phalanges[0];
            double angles[2];
            for (int now = 0; now < 2; now++) {
                sn_dvec3 d = sn_dvec3_subtract(follow(&p.joints, &hand, b, b->end, now),
                                               follow(&p.joints, &hand, b, b->origin, now));
                angles[now] = atan2(d.z, fabs(d.x));
            }
            assert_true(fabs(angles[1] - angles[0] - sides[f]) < 2e-3);
        }
    }
}

/* A fist of spread fingers is a fist of the same fingers side by side. */
static void test_spread_closes(void **state) {
    (void)state;
    test_person p;
    test_person_make(&p, &(test_person_shape){.axes = 32, .splay = 0.35});
    sn_hand hand;
    set_up(&p, 0, &hand);
    sn_hand_pose pose = all(1);
    apply(&hand, &p.joints, &pose, 1);
    for (int f = SN_FINGER_INDEX; f < SN_FINGER_COUNT; f++) {
        const sn_phalanx *b = &hand.fingers[f].phalanges[1];
        sn_dvec3 d = sn_dvec3_unit(sn_dvec3_subtract(follow(&p.joints, &hand, b, b->end, true),
                                                     follow(&p.joints, &hand, b, b->origin, true)));
        assert_true(fabs(sn_dvec3_dot(d, sn_dvec3_load(hand.radial))) < 0.02);
    }
}

/* ---- around a rod ---- */

typedef struct line {
    sn_dvec3 point, direction;
} line;

static double line_distance(const line *l, sn_dvec3 p) {
    sn_dvec3 from = sn_dvec3_subtract(p, l->point);
    return sn_dvec3_length(sn_dvec3_across(from, l->direction));
}

/* By a thousand points: nothing of the solver. */
static double bone_distance(const line *l, sn_dvec3 a, sn_dvec3 b) {
    double least = 1e9;
    for (int i = 0; i <= 1000; i++) {
        sn_dvec3 at =
            sn_dvec3_add(sn_dvec3_scale(a, 1 - i / 1000.0), sn_dvec3_scale(b, i / 1000.0));
        least = fmin(least, line_distance(l, at));
    }
    return least;
}

static line own_rod(const test_person *p, const sn_hand *hand, double radius) {
    sn_hand_line own = sn_hand_rod_line(hand, radius + sn_hand_padding(hand), 0);
    sn_space wrist = sn_space_of_joint(&p->joints, p->joints.rest, hand->wrist);
    return (line){sn_dvec3_add(wrist.origin, own.point), own.direction};
}

/* No bone dips into the rod, and those that reach it lie on it: rods of 18 to 60 mm. */
static void test_close(void **state) {
    (void)state;
    for (int i = 0; i < SHAPES; i++)
        for (int side = 0; side < 2; side++)
            for (double radius = 0.009; radius < 0.031; radius += 0.003) {
                if (shapes[i].lacks_tips && radius < 0.017)
                    continue; /* too thin for what is left of the fingers */
                test_person p;
                test_person_make(&p, &shapes[i]);
                sn_hand hand;
                set_up(&p, side, &hand);
                sn_hand_pose pose = all(1);
                pose.radius = (float)radius;
                sn_hand_output out = apply(&hand, &p.joints, &pose, 1);
                line rod = own_rod(&p, &hand, radius);
                double surface = radius + sn_hand_padding(&hand);
                assert_int_equal(out.flags, SN_HAND_REACHED);
                assert_true(out.residual < 1e-6f);
                for (int f = 0; f < SN_FINGER_COUNT; f++) {
                    const sn_hand_finger *finger = &hand.fingers[f];
                    int touching = 0;
                    for (uint32_t b = 0; b < finger->count; b++) {
                        const sn_phalanx *bone = &finger->phalanges[b];
                        sn_dvec3 from = follow(&p.joints, &hand, bone, bone->origin, true);
                        sn_dvec3 to = follow(&p.joints, &hand, bone, bone->end, true);
                        double gap = bone_distance(&rod, from, to) - surface;
                        assert_true(gap > -2e-6);
                        touching += gap < 2e-5;
                    }
                    /* Around thin ones the joints bend their most before the second bone touches.
                     */
                    assert_true(touching >= (f == SN_FINGER_THUMB || radius < 0.014 ? 1 : 2));
                    /* The first bones lie flat on it, the rod being where they do. */
                    if (f == SN_FINGER_MIDDLE && radius > 0.02) {
                        const sn_phalanx *b = &finger->phalanges[0];
                        sn_dvec3 middle = sn_dvec3_scale(
                            sn_dvec3_add(follow(&p.joints, &hand, b, b->origin, true),
                                         follow(&p.joints, &hand, b, b->end, true)),
                            0.5);
                        assert_true(fabs(line_distance(&rod, middle) - surface) < 2e-3);
                    }
                }
            }
}

/* Thin rods need more bend than joints have: the fist closes, and says so if it is loose. */
static void test_thin_rod(void **state) {
    (void)state;
    test_person p;
    test_person_make(&p, &(test_person_shape){.axes = 41});
    sn_hand hand;
    set_up(&p, 1, &hand);
    double before = 0;
    for (float radius = 0.03f; radius > 0.001f; radius *= 0.7f) {
        sn_hand_pose pose = all(1);
        pose.radius = radius;
        apply(&hand, &p.joints, &pose, 1);
        const sn_phalanx *b = &hand.fingers[SN_FINGER_MIDDLE].phalanges[1];
        double bent = test_rotation_angle(p.local[b->joint].rotation, p.rest[b->joint].rotation);
        assert_true(bent > before - 0.05);
        assert_true(bent < 1.93); /* 110 degrees */
        before = bent;
    }
    assert_true(before > 1.5);
}

/* The rod given in the world, under a root that turns, scales and mirrors. */
static void test_rod_in_world(void **state) {
    (void)state;
    for (int mirrored = 0; mirrored < 2; mirrored++) {
        test_person p;
        test_person_make(&p, &(test_person_shape){.axes = 51});
        sn_transform root = {.translation = {3, -2, 5},
                             .rotation = {0.1f, 0.7f, 0.1f, 0.7f},
                             .scale = {mirrored ? -2 : 2, 2, 2}};
        p.joints.root = sn_affine_from_transform(&root);
        sn_hand hand;
        set_up(&p, 0, &hand);
        uint32_t wrist = p.humanoid.joints[SN_HUMAN_LEFT_HAND];
        p.local[wrist].rotation[0] += 0.4f; /* the rod turns with the wrist */
        sn_hand_pose pose = all(1);
        pose.radius = 0.04f; /* in a world where the hand is twice as large */
        apply(&hand, &p.joints, &pose, 1);
        sn_transform own[TEST_PERSON_JOINTS];
        memcpy(own, p.local, sizeof own);
        memcpy(p.local, p.rest, sizeof own);
        p.local[wrist].rotation[0] += 0.4f;

        sn_hand_line at = sn_hand_rod_line(&hand, 0.02 + sn_hand_padding(&hand), 0);
        sn_phalanx palm = {.joint = wrist};
        sn_dvec3 far = sn_dvec3_add(at.point, at.direction);
        double from[3], to[3];
        sn_dvec3_store(from, at.point);
        sn_dvec3_store(to, far);
        sn_rod rod = {.radius = 0.04f};
        sn_dvec3 point = follow(&p.joints, &hand, &palm, from, true);
        test_store3(rod.point, point);
        test_store3(rod.direction,
                    sn_dvec3_subtract(follow(&p.joints, &hand, &palm, to, true), point));
        pose.rod = &rod;
        sn_hand_output out = apply(&hand, &p.joints, &pose, 1);
        assert_int_equal(out.flags, SN_HAND_REACHED);
        for (uint32_t j = 0; j < p.joints.count; j++)
            assert_true(test_rotation_angle(p.local[j].rotation, own[j].rotation) < 2e-4);
        /* Far away: nothing to touch. */
        rod.point[1] += 10;
        out = apply(&hand, &p.joints, &pose, 1);
        assert_int_equal(out.flags, SN_HAND_LOOSE);
        assert_true(out.residual > 9 && out.residual < 11);
    }
}

/* ---- missing joints, weights, errors ---- */

static void test_missing(void **state) {
    (void)state;
    test_person p;
    test_person_make(&p, &(test_person_shape){.axes = 61});
    for (uint32_t b = SN_HUMAN_LEFT_RING_PROXIMAL; b <= SN_HUMAN_LEFT_LITTLE_DISTAL; b++)
        p.humanoid.joints[b] = SN_NONE;
    p.humanoid.joints[SN_HUMAN_LEFT_INDEX_INTERMEDIATE] = SN_NONE;
    sn_hand hand;
    set_up(&p, 0, &hand);
    assert_int_equal(hand.fingers[SN_FINGER_RING].count, 0);
    assert_int_equal(hand.fingers[SN_FINGER_INDEX].count, 2);
    assert_true(hand.palm[1] < -0.98);
    sn_hand_pose pose = all(0.5f);
    apply(&hand, &p.joints, &pose, 1);
    double at[3];
    test_person_place(&p, SN_HUMAN_LEFT_INDEX_DISTAL, at);
    assert_true(at[1] < 1.5);

    /* One finger alone: the thumb tells the side. Without it: where the model faces. */
    for (uint32_t b = SN_HUMAN_LEFT_INDEX_PROXIMAL; b <= SN_HUMAN_LEFT_INDEX_DISTAL; b++)
        p.humanoid.joints[b] = SN_NONE;
    set_up(&p, 0, &hand);
    assert_true(hand.palm[1] < -0.9);
    for (uint32_t b = SN_HUMAN_LEFT_THUMB_METACARPAL; b <= SN_HUMAN_LEFT_THUMB_DISTAL; b++)
        p.humanoid.joints[b] = SN_NONE;
    set_up(&p, 0, &hand);
    assert_true(hand.palm[1] < -0.98);

    for (int facing = -1; facing <= 1; facing += 2) {
        test_person_make(
            &p, &(test_person_shape){.axes = 62, .facing = (float)facing, .lacks_fingers = true});
        set_up(&p, 1, &hand);
        assert_true(hand.palm[1] < -0.99);
        assert_true(hand.radial[2] * facing > 0.99);
        pose.radius = 0.02f;
        assert_int_equal(apply(&hand, &p.joints, &pose, 1).flags, SN_HAND_REACHED);
        assert_memory_equal(p.local, p.rest, sizeof p.rest);
    }
}

static void test_weight(void **state) {
    (void)state;
    test_person p;
    test_person_make(&p, &(test_person_shape){.axes = 71});
    sn_hand hand;
    set_up(&p, 0, &hand);
    test_random random = {5};
    for (uint32_t j = 0; j < p.joints.count; j++)
        test_random_quat(&random, p.local[j].rotation);
    sn_transform base[TEST_PERSON_JOINTS], full[TEST_PERSON_JOINTS];
    memcpy(base, p.local, sizeof base);
    sn_hand_pose pose = all(0.6f);
    apply(&hand, &p.joints, &pose, 0);
    assert_memory_equal(p.local, base, sizeof base);
    apply(&hand, &p.joints, &pose, 1);
    memcpy(full, p.local, sizeof full);
    memcpy(p.local, base, sizeof base);
    apply(&hand, &p.joints, &pose, 0.25f);
    uint32_t moved = 0;
    for (uint32_t j = 0; j < p.joints.count; j++) {
        double way = test_rotation_angle(base[j].rotation, full[j].rotation);
        double gone = test_rotation_angle(base[j].rotation, p.local[j].rotation);
        assert_true(fabs(gone - way / 4) < 1e-5);
        moved += way > 0.01;
    }
    assert_int_equal(moved, 15);
    /* Applied again to its own output: nothing creeps. */
    apply(&hand, &p.joints, &pose, 1);
    for (uint32_t j = 0; j < p.joints.count; j++)
        assert_true(test_rotation_angle(p.local[j].rotation, full[j].rotation) < 1e-6);
}

static void test_errors(void **state) {
    (void)state;
    test_person p;
    test_person_make(&p, &(test_person_shape){.axes = 81});
    sn_hand hand, untouched;
    set_up(&p, 0, &hand);
    untouched = hand;
    sn_error error;
    sn_humanoid bones = p.humanoid;
    bones.joints[SN_HUMAN_LEFT_HAND] = SN_NONE;
    assert_int_equal(sn_hand_set_up(&p.joints, &bones, SN_HUMAN_LEFT_HAND, &hand, &error),
                     SN_ERROR_ARGUMENT);
    assert_int_equal(error.id, SN_MESSAGE_CHAIN_JOINTS);
    bones = p.humanoid;
    bones.joints[SN_HUMAN_LEFT_INDEX_DISTAL] = bones.joints[SN_HUMAN_RIGHT_INDEX_DISTAL];
    assert_int_equal(sn_hand_set_up(&p.joints, &bones, SN_HUMAN_LEFT_HAND, &hand, &error),
                     SN_ERROR_ARGUMENT);
    bones = sn_humanoid_none();
    bones.joints[SN_HUMAN_LEFT_HAND] = p.humanoid.joints[SN_HUMAN_LEFT_HAND];
    assert_int_equal(sn_hand_set_up(&p.joints, &bones, SN_HUMAN_LEFT_HAND, &hand, &error),
                     SN_ERROR_ARGUMENT);
    p.rest[p.humanoid.joints[SN_HUMAN_LEFT_RING_PROXIMAL]].translation[1] = NAN;
    assert_int_equal(sn_hand_set_up(&p.joints, &p.humanoid, SN_HUMAN_LEFT_HAND, &hand, &error),
                     SN_ERROR_INVALID);
    assert_int_equal(error.id, SN_MESSAGE_CHAIN_VALUE);
    assert_memory_equal(&hand, &untouched, sizeof hand);

    test_person_make(&p, &(test_person_shape){.axes = 81});
    const sn_rod flat = {.radius = 0.01f}, thin = {.direction = {1, 0, 0}};
    sn_hand_pose poses[7] = {{.curl = {0, NAN}}, {.curl = {0, 0, 1.5f}}, {.spread = INFINITY},
                             {.radius = -1},     {.padding = NAN},       {.rod = &flat},
                             {.rod = &thin}};
    for (int i = 0; i < 7; i++) {
        sn_hand_job job = {&hand, &poses[i], 1};
        assert_int_equal(sn_hand_apply(&job, &p.joints, NULL, &error), SN_ERROR_INVALID);
        assert_int_equal(error.id, SN_MESSAGE_CHAIN_VALUE);
    }
    sn_hand_pose good = all(1);
    good.radius = 0.01f;
    sn_hand_job job = {&hand, &good, 2};
    assert_int_equal(sn_hand_apply(&job, &p.joints, NULL, &error), SN_ERROR_INVALID);
    job.weight = 1;
    uint32_t wrist = p.humanoid.joints[SN_HUMAN_LEFT_HAND];
    p.local[wrist].scale[1] = 0;
    assert_int_equal(sn_hand_apply(&job, &p.joints, NULL, &error), SN_ERROR_INVALID);
    p.local[wrist].scale[1] = 1;
    assert_memory_equal(p.local, p.rest, sizeof p.rest);
}

/* ---- real models ---- */

static uint32_t check_model(const sn_gltf *gltf, const char *name) {
    uint32_t hands = 0;
    const sn_model *model = sn_gltf_model(gltf);
    sn_arena arena = {0};
    sn_arena_init(&arena, NULL);
    sn_vrm_humanoid vrm;
    assert_int_equal(sn_vrm_find_humanoid(gltf, &arena, &vrm, NULL), SN_OK);
    uint32_t *parents = SN_ARENA_NEW(&arena, uint32_t, model->node_count);
    sn_transform *rest = SN_ARENA_NEW(&arena, sn_transform, model->node_count);
    sn_transform *local = SN_ARENA_NEW(&arena, sn_transform, model->node_count);
    for (uint32_t i = 0; i < model->node_count; i++) {
        parents[i] = model->nodes[i].parent;
        rest[i] = local[i] = model->nodes[i].rest;
    }
    const sn_joints joints = {.count = model->node_count,
                              .parents = parents,
                              .rest = rest,
                              .local = local,
                              .root = sn_affine_identity()};
    for (int side = 0; side < 2 && !model->fixed_count; side++) {
        sn_hand hand;
        if (vrm.bones.joints[wrists[side]] == SN_NONE)
            continue;
        sn_error error = {0};
        if (sn_hand_set_up(&joints, &vrm.bones, wrists[side], &hand, &error) != SN_OK)
            fail_msg("%s: %s", name, error.text);
        sn_hand_pose pose = all(0.5f);
        apply(&hand, &joints, &pose, 1);
        for (int f = 0; f < SN_FINGER_COUNT; f++) {
            const sn_hand_finger *finger = &hand.fingers[f];
            if (finger->count == 0)
                continue;
            const sn_phalanx *tip = &finger->phalanges[finger->count - 1];
            sn_dvec3 way = sn_dvec3_subtract(follow(&joints, &hand, tip, tip->end, true),
                                             follow(&joints, &hand, tip, tip->end, false));
            if (sn_dvec3_length(
                    sn_dvec3_subtract(sn_dvec3_load(tip->end), sn_dvec3_load(tip->origin))) < 1e-6)
                continue; /* as long as its joint: a thumb at the wrist */
            double down = sn_dvec3_dot(way, sn_dvec3_load(hand.palm));
            if (!(down > 0.15 * hand.proximal))
                fail_msg("%s: finger %d moves by %g", name, f, down);
            hands += f == SN_FINGER_INDEX;
        }
    }
    sn_arena_free(&arena);
    return hands;
}

static void test_models(void **state) {
    (void)state;
    test_files files = test_corpus();
    uint32_t hands = 0;
    for (size_t i = 0; i < files.count; i++) {
        sn_gltf *gltf = NULL;
        sn_gltf_options options = {.skip_geometry = true};
        if (sn_gltf_read_file(files.paths[i], &options, &gltf, NULL) != SN_OK)
            continue;
        hands += check_model(gltf, test_corpus_name(files.paths[i]));
        sn_gltf_free(gltf);
    }
    print_message("%u hands\n", hands);
    assert_true(files.count == 0 || hands >= 4);
    test_files_free(&files);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_palm),         cmocka_unit_test(test_axes),
        cmocka_unit_test(test_curl),         cmocka_unit_test(test_any_axes),
        cmocka_unit_test(test_spread),       cmocka_unit_test(test_spread_closes),
        cmocka_unit_test(test_close),        cmocka_unit_test(test_thin_rod),
        cmocka_unit_test(test_rod_in_world), cmocka_unit_test(test_missing),
        cmocka_unit_test(test_weight),       cmocka_unit_test(test_errors),
        cmocka_unit_test(test_models),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
