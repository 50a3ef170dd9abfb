/* Feet on the ground: planes, stairs, clips kept as they are, hips, toes, time, errors. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/bodies.h"

enum { BODIES = 100 };

static double between(test_random *random, double low, double high) {
    return (double)test_random_between(random, (float)low, (float)high);
}

static sn_dquat turn_about(sn_dvec3 axis, double angle) {
    axis = sn_dvec3_scale(axis, sin(angle / 2));
    return (sn_dquat){axis.x, axis.y, axis.z, cos(angle / 2)};
}

static test_body *random_body(test_random *random) {
    static test_body body;
    test_body_shape shape = test_body_shape_random(random);
    test_body_make(&body, &shape, random);
    double floor = (double)shape.sole.floor, scale = between(random, 0.3, 3);
    /* The floor under the root at the height 0. */
    test_body_set_root(&body, between(random, -3, 3), scale, (sn_dvec3){0, -floor * scale, 0});
    return &body;
}

/* Knees bent, both soles on the floor. */
static test_stance standing(const test_body *body, test_random *random) {
    double leg = body->shape.thigh + body->shape.shin;
    test_stance stance = test_stance_rest();
    stance.hips = (sn_dvec3){leg * between(random, -0.05, 0.05), -leg * between(random, 0.03, 0.2),
                             leg * between(random, -0.05, 0.05)};
    for (int side = 0; side < 2; side++) {
        stance.ankles[side].z = leg * between(random, -0.1, 0.1);
        stance.feet[side] = turn_about((sn_dvec3){0, 1, 0}, between(random, -0.3, 0.3));
        /* About the ankle, whose place on the floor stays: the sole is level. */
    }
    return stance;
}

/* And one of them, or both, somewhere over it. */
static test_stance stepping(const test_body *body, test_random *random) {
    test_stance stance = standing(body, random);
    double leg = body->shape.thigh + body->shape.shin;
    for (int side = 0; side < 2; side++) {
        sn_dvec3 axis = test_random_direction(random);
        sn_dquat turn = turn_about(axis, between(random, -0.5, 0.5));
        stance.feet[side] = sn_dquat_multiply(turn, stance.feet[side]);
        stance.ankles[side].y = leg * between(random, -0.02, 0.2);
    }
    stance.hips.y -= 0.05 * leg;
    return stance;
}

static sn_ground slope(test_random *random, double most) {
    double angle = between(random, 0, most), about = between(random, -3, 3);
    sn_ground ground = {0};
    test_store3(ground.normal,
                (sn_dvec3){sin(angle) * cos(about), cos(angle), sin(angle) * sin(about)});
    return ground;
}

static double height_over(const sn_ground *ground, sn_dvec3 at) {
    sn_ground_point point;
    assert_true(sn_ground_at(ground, (float)at.x, (float)at.z, &point));
    return at.y - (double)point.height;
}

/* Over the plane at right angles; over other ground vertically. */
static void clearances(const test_body *body, const sn_ground *ground, int side,
                       double out[TEST_SOLE_CORNERS]) {
    test_body_leg leg = test_body_leg_place(body, side);
    for (int i = 0; i < TEST_SOLE_CORNERS; i++)
        out[i] = height_over(ground, leg.corners[i]);
}

static double least_clearance(const test_body *body, const sn_ground *ground, int side) {
    double all[TEST_SOLE_CORNERS], least = HUGE_VAL;
    clearances(body, ground, side, all);
    for (int i = 0; i < TEST_SOLE_CORNERS; i++)
        least = fmin(least, all[i]);
    return least;
}

/* Soles that stand on the floor in the clip lie on the slope, each corner of them. */
static void test_slopes(void **state) {
    (void)state;
    test_random random = {1};
    for (int i = 0; i < BODIES * 10; i++) {
        test_body *body = random_body(&random);
        test_stance stance = standing(body, &random);
        test_body_pose(body, &stance);
        sn_feet_options options = {.hips_drop = (float)body->leg};
        sn_feet_job job = {
            .feet = &body->feet, .ground = slope(&random, 0.6), .weight = 1, .options = &options};
        sn_feet_output out = test_body_apply(body, &job);
        for (int side = 0; side < 2; side++) {
            double over[TEST_SOLE_CORNERS];
            clearances(body, &job.ground, side, over);
            for (int c = 0; c < TEST_SOLE_CORNERS; c++)
                assert_true(fabs(over[c]) <= 1e-4 * body->leg);
            assert_true(fabs(out.offsets.feet[side].toes) <= 1e-4);
            assert_true((double)out.feet[side].residual <= 1e-5 * body->leg);
            assert_int_equal(out.feet[side].flags, SN_FOOT_REACHED);
        }
        assert_true(out.offsets.hips <= 0);
    }
}

/* Steeper than a sole may turn: it stands on an edge, and nothing of it is in the ground. */
static void test_too_steep(void **state) {
    (void)state;
    test_random random = {2};
    int limited = 0;
    for (int i = 0; i < BODIES * 3; i++) {
        test_body *body = random_body(&random);
        test_stance stance = standing(body, &random);
        test_body_pose(body, &stance);
        sn_feet_options options = {.hips_drop = (float)body->leg, .slope_max = 0.2f};
        sn_feet_job job = {
            .feet = &body->feet, .ground = slope(&random, 0.6), .weight = 1, .options = &options};
        options.is_level = i % 3 == 0;
        sn_feet_output out = test_body_apply(body, &job);
        sn_dvec3 up = {0, 1, 0};
        double angle = test_angle(test_dvec3(job.ground.normal), up);
        for (int side = 0; side < 2; side++) {
            assert_true(fabs(least_clearance(body, &job.ground, side)) <= 1e-4 * body->leg);
            const double *n = out.offsets.feet[side].normal;
            double turned = test_angle((sn_dvec3){n[0], n[1], n[2]}, up);
            double wanted = options.is_level ? 0 : fmin(angle, 0.2);
            assert_true(fabs(turned - wanted) <= 1e-6);
            bool is_limited = out.feet[side].flags & SN_FOOT_SLOPE_LIMITED;
            assert_int_equal(is_limited, !options.is_level && angle > 0.2);
            limited += is_limited;
        }
    }
    assert_true(limited > BODIES);
}

/* Ground that is where the clip's floor is, under any root that leans, leaves any pose alone. */
static void test_own_floor(void **state) {
    (void)state;
    test_random random = {3};
    for (int i = 0; i < BODIES * 10; i++) {
        test_body *body = random_body(&random);
        test_stance stance = stepping(body, &random);
        test_body_pose(body, &stance);
        sn_ground ground = {0};
        if (i % 2) { /* the root leans, and the ground with it */
            ground = slope(&random, 0.5);
            sn_dquat lean = sn_dquat_from_to((sn_dvec3){0, 1, 0}, test_dvec3(ground.normal),
                                             (sn_dvec3){1, 0, 0});
            sn_transform t = sn_transform_identity();
            t.rotation[0] = (float)lean.x, t.rotation[1] = (float)lean.y;
            t.rotation[2] = (float)lean.z, t.rotation[3] = (float)lean.w;
            sn_affine m = sn_affine_from_transform(&t);
            body->joints.root = sn_affine_multiply(&m, &body->joints.root);
        }
        sn_transform before[TEST_BODY_JOINTS];
        memcpy(before, body->local, sizeof before);
        sn_feet_job job = {.feet = &body->feet, .ground = ground, .weight = 1};
        bool sinks[2]; /* toes that do in the clip are bent */
        for (int side = 0; side < 2; side++) {
            double over[TEST_SOLE_CORNERS];
            clearances(body, &ground, side, over);
            sinks[side] =
                fmin(over[4], over[5]) < fmin(0, least_clearance(body, &ground, side)) + 1e-6;
        }
        test_body_apply(body, &job);
        for (int j = 0; j < TEST_BODY_JOINTS; j++) {
            if (body->shape.has_toes && j % 5 == 1 && j > 1 && sinks[j > 6])
                continue;
            assert_true(test_rotation_angle(before[j].rotation, body->local[j].rotation) <= 1e-5);
            assert_true(test_distance(test_dvec3(before[j].translation),
                                      test_dvec3(body->local[j].translation)) <= 1e-5 * body->leg);
        }
    }
}

/* What the lowest corner has over the floor in the clip, it has over the slope. */
static void test_lift(void **state) {
    (void)state;
    test_random random = {4};
    for (int i = 0; i < BODIES * 3; i++) {
        test_body *body = random_body(&random);
        test_stance stance = stepping(body, &random);
        test_body_pose(body, &stance);
        sn_ground floor = {0};
        double lifts[2];
        for (int side = 0; side < 2; side++)
            lifts[side] = least_clearance(body, &floor, side);
        sn_feet_options options = {.hips_drop = (float)body->leg};
        sn_feet_job job = {
            .feet = &body->feet, .ground = slope(&random, 0.4), .weight = 1, .options = &options};
        test_body_apply(body, &job);
        for (int side = 0; side < 2; side++) {
            double over = least_clearance(body, &job.ground, side);
            if (!body->shape.has_toes)
                assert_true(fabs(over - lifts[side]) <= 1e-4 * body->leg);
            else /* toes bend out of the ground, or stay behind what the slope turns */
                assert_true(over >= fmin(lifts[side], 0) - 1e-4 * body->leg);
        }
    }
}

/* ---- stairs ---- */

typedef struct stairs {
    double rise, run; /* along z */
} stairs;

static bool stairs_at(void *context, float x, float z, sn_ground_point *out) {
    const stairs *s = context;
    (void)x;
    *out = (sn_ground_point){(float)(s->rise * floor((double)z / s->run)), {0, 0, 0}};
    return true;
}

static void test_stairs(void **state) {
    (void)state;
    test_random random = {5};
    for (int i = 0; i < BODIES * 3; i++) {
        test_body *body = random_body(&random);
        test_stance stance = standing(body, &random);
        test_body_pose(body, &stance);
        stairs s = {between(&random, 0.02, 0.2) * body->leg,
                    between(&random, 0.1, 0.5) * body->leg};
        sn_feet_options options = {.hips_drop = (float)body->leg};
        sn_feet_job job = {.feet = &body->feet,
                           .ground = {.function = stairs_at, .context = &s},
                           .weight = 1,
                           .options = &options};
        sn_feet_output out = test_body_apply(body, &job);
        for (int side = 0; side < 2; side++) {
            assert_true(out.feet[side].flags & SN_FOOT_REACHED);
            double over[TEST_SOLE_CORNERS], least = HUGE_VAL;
            clearances(body, &job.ground, side, over);
            for (int c = 0; c < TEST_SOLE_CORNERS; c++)
                least = fmin(least, over[c]);
            assert_true(least >= -1e-4 * body->leg);
            if (!body->shape.has_toes)
                assert_true(least <= 1e-4 * body->leg);
        }
    }
}

static bool left_only(void *context, float x, float z, sn_ground_point *out) {
    (void)z;
    *out = (sn_ground_point){*(const float *)context, {0, 0, 0}};
    return x > 0;
}

static test_body *plain_body(void) {
    static test_body body;
    test_random random = {6};
    test_body_shape shape = {.thigh = 0.42,
                             .shin = 0.42,
                             .ankle_height = 0.08,
                             .toe_height = 0.02,
                             .spread = 0.2,
                             .facing = 1,
                             .knee = 0.01,
                             .sole = {0, 0.05f, 0.12f, 0.08f, 0.08f},
                             .has_toes = true,
                             .is_plain = true};
    test_body_make(&body, &shape, &random);
    return &body;
}

/* A foot over nothing stays as in the clip. */
static void test_no_ground(void **state) {
    (void)state;
    test_body *body = plain_body();
    test_stance stance = test_stance_rest();
    stance.hips.y = -0.1;
    test_body_pose(body, &stance);
    test_body_leg before = test_body_leg_place(body, 1);
    float height = 0.05f;
    sn_feet_job job = {
        .feet = &body->feet, .ground = {.function = left_only, .context = &height}, .weight = 1};
    sn_feet_output out = test_body_apply(body, &job);
    assert_int_equal(out.feet[0].flags, SN_FOOT_REACHED);
    assert_int_equal(out.feet[1].flags, SN_FOOT_REACHED | SN_FOOT_NO_GROUND);
    test_body_leg after = test_body_leg_place(body, 1);
    for (int c = 0; c < TEST_SOLE_CORNERS; c++)
        assert_true(test_distance(before.corners[c], after.corners[c]) <= 1e-6);
    assert_true(fabs(least_clearance(body, &(sn_ground){.point = {0, height, 0}}, 0)) <= 1e-5);
}

/* ---- hips ---- */

static bool two_heights(void *context, float x, float z, sn_ground_point *out) {
    const float *heights = context;
    (void)z;
    *out = (sn_ground_point){heights[x > 0 ? 0 : 1], {0, 0, 0}};
    return true;
}

/* The ground under one foot goes down and up: hips follow without a jump, no further than allowed,
 * never above the clip, and not before the leg needs it. */
static void test_hips_sweep(void **state) {
    (void)state;
    test_body *body = plain_body();
    test_stance stance = test_stance_rest();
    stance.hips.y = -0.06;
    double before = 0, lowest = 0;
    for (int i = 0; i <= 1000; i++) {
        float heights[2] = {(float)(0.3 - 0.001 * i), 0};
        test_body_pose(body, &stance);
        sn_feet_job job = {.feet = &body->feet,
                           .ground = {.function = two_heights, .context = heights},
                           .weight = 1};
        sn_feet_output out = test_body_apply(body, &job);
        double hips = out.offsets.hips;
        assert_true(hips <= 0 && hips >= -0.25 * body->leg - 1e-6);
        assert_true(fabs(test_body_hips(body).y - (0.84 + 0.08) * 1.05 - stance.hips.y - hips) <
                    0.01);
        if (i > 0)
            assert_true(fabs(hips - before) <= 0.0011);
        if (heights[0] >= 0) {
            assert_true(fabs(hips) <= 1e-6);
        }
        bool is_limited = hips <= -0.25 * body->leg + 1e-6;
        if (!is_limited) {
            assert_true(out.feet[0].flags & SN_FOOT_REACHED);
            assert_true(fabs(least_clearance(body, &job.ground, 0)) <= 1e-4 * body->leg);
        }
        assert_true(out.feet[1].flags & SN_FOOT_REACHED);
        before = hips;
        lowest = fmin(lowest, hips);
        if (i == 1000) {
            assert_int_equal(out.feet[0].flags, SN_FOOT_TOO_FAR);
            assert_true(fabs((double)out.feet[0].residual - 0.44) < 0.1);
        }
    }
    assert_true(fabs(lowest + 0.25 * body->leg) <= 1e-6);
}

/* Raised only where that is asked for, and no more than the lower foot is. */
static void test_hips_rise(void **state) {
    (void)state;
    const double asked[] = {0, 0.03, 0.5}, wanted[] = {0, 0.03, 0.05};
    for (int i = 0; i < 3; i++) {
        test_body *body = plain_body();
        test_stance stance = test_stance_rest();
        stance.hips.y = -0.06;
        test_body_pose(body, &stance);
        float heights[2] = {0.05f, 0.1f};
        sn_feet_options options = {.hips_rise = (float)asked[i]};
        sn_feet_job job = {.feet = &body->feet,
                           .ground = {.function = two_heights, .context = heights},
                           .weight = 1,
                           .options = &options};
        sn_feet_output out = test_body_apply(body, &job);
        assert_true(fabs(out.offsets.hips - wanted[i]) <= 1e-6);
        for (int side = 0; side < 2; side++)
            assert_true(fabs(least_clearance(body, &job.ground, side)) <= 1e-5);
    }
}

/* Legs that are straight at rest bend at the knee, forward. */
static void test_knees(void **state) {
    (void)state;
    test_random random = {7};
    for (int i = 0; i < BODIES; i++) {
        static test_body body;
        test_body_shape shape = test_body_shape_random(&random);
        shape.knee = 0;
        test_body_make(&body, &shape, &random);
        sn_feet_job job = {.feet = &body.feet, .weight = 1};
        job.ground.point[1] = shape.sole.floor + 0.1f * (float)body.leg;
        test_body_apply(&body, &job);
        for (int side = 0; side < 2; side++) {
            test_body_leg leg = test_body_leg_place(&body, side);
            sn_dvec3 line = sn_dvec3_unit(sn_dvec3_subtract(leg.ankle, leg.hip));
            sn_dvec3 knee = sn_dvec3_across(sn_dvec3_subtract(leg.knee, leg.hip), line);
            assert_true(shape.facing * knee.z > 0.1 * body.leg);
            assert_true(fabs(knee.x) < 1e-3 * body.leg);
        }
    }
}

/* Feet whose joints are on the floor itself. */
static void test_flat_feet(void **state) {
    (void)state;
    test_random random = {11};
    for (int i = 0; i < BODIES; i++) {
        static test_body body;
        test_body_shape shape = test_body_shape_random(&random);
        shape.ankle_height = shape.toe_height = 0;
        test_body_make(&body, &shape, &random);
        sn_feet_job job = {.feet = &body.feet, .ground = slope(&random, 0.5), .weight = 1};
        job.ground.point[1] = shape.sole.floor + 0.1f * (float)body.leg;
        test_body_apply(&body, &job);
        for (int side = 0; side < 2; side++) {
            double over[TEST_SOLE_CORNERS];
            clearances(&body, &job.ground, side, over);
            for (int c = 0; c < TEST_SOLE_CORNERS; c++)
                assert_true(fabs(over[c]) <= 1e-4 * body.leg);
        }
    }
}

/* ---- toes ---- */

/* Level up to the ball of the foot, then uphill. */
static bool valley(void *context, float x, float z, sn_ground_point *out) {
    float steepness = *(const float *)context;
    (void)x;
    *out = z > 0.12f ? (sn_ground_point){(z - 0.12f) * steepness, {0, 1, -steepness}}
                     : (sn_ground_point){0, {0, 0, 0}};
    return true;
}

/* Ground that rises before the toes bends them; a step that they cannot get over raises the foot,
 * and lets them be. Between the two nothing jumps. */
static void test_toes(void **state) {
    (void)state;
    double height = 0, toes = 0, most = 0;
    for (int i = 0; i <= 2000; i++) {
        test_body *body = plain_body();
        test_stance stance = test_stance_rest();
        stance.hips.y = -0.1;
        test_body_pose(body, &stance);
        float steepness = 0.002f * (float)i;
        sn_feet_job job = {.feet = &body->feet,
                           .ground = {.function = valley, .context = &steepness},
                           .weight = 1};
        sn_feet_output out = test_body_apply(body, &job);
        double now = out.offsets.feet[0].toes, up = out.offsets.feet[0].height;
        assert_true(least_clearance(body, &job.ground, 0) >= -1e-3);
        if (i == 100) { /* a slope of 0.2; the toe joint is 2 cm over the sole */
            assert_true(fabs(up) <= 1e-6);
            assert_true(now > 0.1 && now < 0.3);
            assert_true(fabs(least_clearance(body, &job.ground, 0)) <= 1e-5);
        }
        if (i > 0) {
            assert_true(fabs(now - toes) <= 0.02);
            assert_true(fabs(up - height) <= 0.002);
        }
        toes = now, height = up, most = fmax(most, now);
    }
    assert_true(most > 0.5 && most <= 0.8 + 1e-6);
    assert_true(toes < 0.2 && height > 0.2);
}

/* ---- mirror, weight, time ---- */

static void mirror_pose(const test_body *from, test_body *to) {
    for (int j = 0; j < TEST_BODY_JOINTS; j++) {
        int other = j < 2 ? j : j < 7 ? j + 5 : j - 5;
        sn_transform t = from->local[j];
        t.translation[0] = -t.translation[0];
        t.rotation[1] = -t.rotation[1];
        t.rotation[2] = -t.rotation[2];
        to->local[other] = t;
    }
}

static void test_mirror(void **state) {
    (void)state;
    test_random random = {8};
    for (int i = 0; i < BODIES; i++) {
        static test_body body, mirrored, wanted;
        test_body_shape shape = test_body_shape_random(&random);
        shape.is_plain = true;
        test_body_make(&body, &shape, &random);
        test_body_make(&mirrored, &shape, &random);
        test_body_make(&wanted, &shape, &random);
        test_stance stance = stepping(&body, &random);
        test_body_pose(&body, &stance);
        mirror_pose(&body, &mirrored);
        sn_feet_job job = {.feet = &body.feet, .ground = slope(&random, 0.5), .weight = 1};
        job.ground.point[1] = shape.sole.floor;
        test_body_apply(&body, &job);
        job.feet = &mirrored.feet;
        job.ground.normal[0] = -job.ground.normal[0];
        test_body_apply(&mirrored, &job);
        mirror_pose(&body, &wanted);
        for (int side = 0; side < 2; side++) {
            test_body_leg a = test_body_leg_place(&wanted, side);
            test_body_leg b = test_body_leg_place(&mirrored, side);
            assert_true(test_distance(a.knee, b.knee) <= 1e-5);
            assert_true(test_distance(a.ankle, b.ankle) <= 1e-6);
            for (int c = 0; c < TEST_SOLE_CORNERS; c++)
                assert_true(test_distance(a.corners[c], b.corners[c]) <= 1e-5);
        }
    }
}

static void test_weight(void **state) {
    (void)state;
    test_random random = {9};
    for (int i = 0; i < BODIES; i++) {
        test_body *body = random_body(&random);
        test_stance stance = standing(body, &random);
        test_body_pose(body, &stance);
        sn_transform before[TEST_BODY_JOINTS];
        memcpy(before, body->local, sizeof before);
        sn_feet_job job = {.feet = &body->feet, .ground = {.point = {0, 0.1f, 0}}, .weight = 0};
        job.ground.point[1] *= (float)body->leg;
        test_body_apply(body, &job);
        assert_memory_equal(before, body->local, sizeof before);
        job.weight = 0.5f;
        test_body_apply(body, &job);
        for (int side = 0; side < 2; side++)
            assert_true(fabs(least_clearance(body, &(sn_ground){0}, side) - 0.05 * body->leg) <=
                        1e-5 * body->leg);
    }
}

/* A step as seen at four rates: from the frame in which it is there, the foot's way is the solution
 * of the damping; hips go down with it, so that both feet reach all the time. */
static void test_time(void **state) {
    (void)state;
    static const int rates[] = {10, 30, 60, 144};
    for (int r = 0; r < 4; r++) {
        test_body *body = plain_body();
        test_stance stance = test_stance_rest();
        stance.hips.y = -0.03;
        sn_feet_state feet_state = {0};
        double hips = 0;
        for (int frame = 0; frame <= rates[r]; frame++) {
            float heights[2] = {frame ? -0.15f : 0, 0};
            test_body_pose(body, &stance);
            sn_feet_job job = {.feet = &body->feet,
                               .ground = {.function = two_heights, .context = heights},
                               .weight = 1,
                               .state = &feet_state,
                               .seconds = 1.0f / (float)rates[r]};
            sn_feet_output out = test_body_apply(body, &job);
            assert_true(out.feet[0].flags & SN_FOOT_REACHED);
            assert_true(out.feet[1].flags & SN_FOOT_REACHED);
            double passed = frame ? (double)(frame - 1) / rates[r] : 0;
            double wanted = -0.15 * (1 - exp(-12 * passed));
            assert_true(fabs(out.offsets.feet[0].height - wanted) < 1e-5);
            assert_true(out.offsets.hips <= hips + 1e-9 && out.offsets.hips >= wanted - 1e-6);
            hips = out.offsets.hips;
        }
        assert_true(hips < -0.1);
    }
}

/* The first frame is that without a state. */
static void test_first_frame(void **state) {
    (void)state;
    test_random random = {10};
    test_body *body = random_body(&random);
    test_stance stance = standing(body, &random);
    sn_feet_job job = {.feet = &body->feet, .ground = slope(&random, 0.4), .weight = 1};
    test_body_pose(body, &stance);
    test_body_apply(body, &job);
    sn_transform stateless[TEST_BODY_JOINTS];
    memcpy(stateless, body->local, sizeof stateless);
    sn_feet_state feet_state = {0};
    job.state = &feet_state;
    test_body_pose(body, &stance);
    test_body_apply(body, &job);
    assert_memory_equal(stateless, body->local, sizeof stateless);
    assert_true(feet_state.is_started);
}

/* ---- errors ---- */

static bool bad_ground(void *context, float x, float z, sn_ground_point *out) {
    (void)x;
    (void)z;
    *out = *(const sn_ground_point *)context;
    return true;
}

static void assert_refused(test_body *body, const sn_feet_job *job, sn_message_id id,
                           const char *word) {
    test_body before = *body;
    sn_feet_state kept = {0};
    if (job->state)
        kept = *job->state;
    sn_feet_output out;
    memset(&out, 0x5a, sizeof out);
    sn_feet_output untouched = out;
    sn_error error = {0};
    assert_int_equal(sn_feet_apply(job, &body->joints, &out, &error), SN_ERROR_INVALID);
    assert_int_equal(error.id, id);
    assert_non_null(strstr(error.text, word));
    assert_memory_equal(before.local, body->local, sizeof before.local);
    assert_memory_equal(&untouched, &out, sizeof out);
    if (job->state)
        assert_memory_equal(&kept, job->state, sizeof kept);
}

static void test_errors(void **state) {
    (void)state;
    test_body *body = plain_body();
    sn_feet_options options = {0};
    sn_feet_state feet_state = {.is_started = true};
    sn_feet_job good = {.feet = &body->feet,
                        .ground = {.point = {0, -0.1f, 0}},
                        .weight = 1,
                        .options = &options,
                        .state = &feet_state};
    sn_feet_job job = good;
    job.weight = 1.5f;
    assert_refused(body, &job, SN_MESSAGE_CHAIN_VALUE, "weight");
    job.weight = NAN;
    assert_refused(body, &job, SN_MESSAGE_CHAIN_VALUE, "weight");
    job = good;
    job.seconds = -1;
    assert_refused(body, &job, SN_MESSAGE_CHAIN_VALUE, "seconds");
    static const struct {
        const char *name;
        size_t offset;
        float value;
    } wrong[] = {
        {"slope_max", offsetof(sn_feet_options, slope_max), 2},
        {"toes_max", offsetof(sn_feet_options, toes_max), -1},
        {"hips_drop", offsetof(sn_feet_options, hips_drop), INFINITY},
        {"hips_rise", offsetof(sn_feet_options, hips_rise), -0.1f},
        {"extension", offsetof(sn_feet_options, extension), 1.1f},
        {"rate", offsetof(sn_feet_options, rate), NAN},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        memset(&options, 0, sizeof options);
        memcpy((char *)&options + wrong[i].offset, &wrong[i].value, sizeof(float));
        assert_refused(body, &good, SN_MESSAGE_CHAIN_VALUE, wrong[i].name);
    }
    memset(&options, 0, sizeof options);
    job = good;
    job.ground.normal[0] = 1;
    assert_refused(body, &job, SN_MESSAGE_GROUND_VALUE, "normal");
    static const sn_ground_point points[] = {
        {NAN, {0, 1, 0}}, {INFINITY, {0, 1, 0}}, {0, {0, -1, 0}}, {0, {NAN, 1, 0}}};
    for (int i = 0; i < 4; i++) {
        sn_ground_point point = points[i];
        job.ground = (sn_ground){.function = bad_ground, .context = &point};
        assert_refused(body, &job, SN_MESSAGE_GROUND_VALUE, "ground");
    }
    sn_affine upright = body->joints.root;
    sn_transform lying = sn_transform_identity();
    lying.rotation[0] = lying.rotation[3] = (float)sqrt(0.5);
    body->joints.root = sn_affine_from_transform(&lying);
    assert_refused(body, &good, SN_MESSAGE_CHAIN_VALUE, "root");
    body->joints.root.m[0][0] = NAN;
    assert_refused(body, &good, SN_MESSAGE_CHAIN_VALUE, "root");
    body->joints.root = upright;
    uint32_t foot = body->humanoid.joints[SN_HUMAN_RIGHT_FOOT];
    body->local[foot].translation[1] = NAN;
    assert_refused(body, &good, SN_MESSAGE_CHAIN_VALUE, "right leg");
    body->local[foot] = body->rest[foot];
    for (int c = 0; c < 3; c++)
        body->local[foot].translation[c] = 0;
    assert_refused(body, &good, SN_MESSAGE_CHAIN_LENGTH, "length");
}

static void assert_no_feet(test_body *body, const sn_feet_shape *shape, sn_message_id id,
                           const char *word) {
    sn_feet feet, untouched;
    memset(&feet, 0x5a, sizeof feet);
    untouched = feet;
    sn_error error = {0};
    assert_int_equal(sn_feet_set_up(&body->joints, &body->humanoid, shape, &feet, &error),
                     sn_message_result(id));
    assert_int_equal(error.id, id);
    assert_non_null(strstr(error.text, word));
    assert_memory_equal(&untouched, &feet, sizeof feet);
}

static void test_set_up_errors(void **state) {
    (void)state;
    test_body *body = plain_body();
    const sn_humanoid good = body->humanoid;
    static const sn_human_bone needed[] = {SN_HUMAN_HIPS, SN_HUMAN_LEFT_UPPER_LEG,
                                           SN_HUMAN_RIGHT_LOWER_LEG, SN_HUMAN_LEFT_FOOT};
    for (int i = 0; i < 4; i++) {
        body->humanoid.joints[needed[i]] = SN_NONE;
        assert_no_feet(body, NULL, SN_MESSAGE_CHAIN_JOINTS, sn_human_bone_name(needed[i]));
        body->humanoid = good;
    }
    body->humanoid.joints[SN_HUMAN_LEFT_FOOT] = good.joints[SN_HUMAN_RIGHT_FOOT];
    assert_no_feet(body, NULL, SN_MESSAGE_CHAIN_JOINTS, "leftFoot is not below leftLowerLeg");
    body->humanoid = good;
    body->humanoid.joints[SN_HUMAN_LEFT_TOES] = 1000;
    assert_no_feet(body, NULL, SN_MESSAGE_CHAIN_JOINTS, "leftToes");
    body->humanoid = good;
    const uint32_t fixed = good.joints[SN_HUMAN_RIGHT_LOWER_LEG];
    const sn_affine matrix = sn_affine_identity();
    body->joints.fixed_count = 1;
    body->joints.fixed_joints = &fixed;
    body->joints.fixed_matrices = &matrix;
    assert_no_feet(body, NULL, SN_MESSAGE_CHAIN_JOINTS, "rightLowerLeg");
    body->joints.fixed_count = 0;
    assert_no_feet(body, &(sn_feet_shape){.floor = 0.5f}, SN_MESSAGE_CHAIN_VALUE, "floor");
    assert_no_feet(body, &(sn_feet_shape){.floor = NAN}, SN_MESSAGE_CHAIN_VALUE, "floor");
    assert_no_feet(body, &(sn_feet_shape){.breadth = -1}, SN_MESSAGE_CHAIN_VALUE, "breadth");
    body->rest[good.joints[SN_HUMAN_LEFT_LOWER_LEG]].scale[1] = 0;
    assert_no_feet(body, NULL, SN_MESSAGE_CHAIN_LENGTH, "left");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slopes),        cmocka_unit_test(test_too_steep),
        cmocka_unit_test(test_own_floor),     cmocka_unit_test(test_lift),
        cmocka_unit_test(test_stairs),        cmocka_unit_test(test_no_ground),
        cmocka_unit_test(test_hips_sweep),    cmocka_unit_test(test_hips_rise),
        cmocka_unit_test(test_knees),         cmocka_unit_test(test_flat_feet),
        cmocka_unit_test(test_toes),          cmocka_unit_test(test_mirror),
        cmocka_unit_test(test_weight),        cmocka_unit_test(test_time),
        cmocka_unit_test(test_first_frame),   cmocka_unit_test(test_errors),
        cmocka_unit_test(test_set_up_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
