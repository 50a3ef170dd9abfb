/* Feet under a clip: the mannequin's walk, over its own floor and over slopes and stairs. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "mannequin/motion.h"
#include "sinew/feet.h"
#include "tests/unit/limbs.h"

typedef struct walker {
    uint32_t parents[JOINT_COUNT];
    sn_transform rest[JOINT_COUNT], local[JOINT_COUNT];
    sn_joints joints;
    sn_feet feet;
    double leg;
    motion walk;
} walker;

static void store(sn_transform *out, vec3 t, quat q) {
    *out = sn_transform_identity();
    test_store3(out->translation, (sn_dvec3){t.x, t.y, t.z});
    out->rotation[0] = (float)q.x, out->rotation[1] = (float)q.y;
    out->rotation[2] = (float)q.z, out->rotation[3] = (float)q.w;
}

static void set_frame(walker *w, int frame) {
    const pose *p = &w->walk.frames[frame % (w->walk.frame_count - 1)];
    for (int j = 0; j < JOINT_COUNT; j++)
        store(&w->local[j], j == JOINT_HIPS ? p->hips : joint_offset(j), p->rotation[j]);
}

static void make(walker *w) {
    memset(w, 0, sizeof *w);
    sn_humanoid humanoid = {.facing = 1};
    for (int i = 0; i < SN_HUMAN_BONE_COUNT; i++)
        humanoid.joints[i] = SN_NONE;
    for (int j = 0; j < JOINT_COUNT; j++) {
        w->parents[j] = joint_parent(j) == JOINT_NONE ? SN_NONE : (uint32_t)joint_parent(j);
        store(&w->rest[j], joint_offset(j), quat_identity());
        sn_human_bone bone = sn_human_bone_find(joint_name(j));
        if (bone != SN_HUMAN_NONE)
            humanoid.joints[bone] = (uint32_t)j;
    }
    w->joints = (sn_joints){.count = JOINT_COUNT,
                            .parents = w->parents,
                            .rest = w->rest,
                            .local = w->local,
                            .root = sn_affine_identity()};
    w->leg = joint_rest(JOINT_LEFT_UPPER_LEG).y - joint_rest(JOINT_LEFT_FOOT).y;
    assert_int_equal(sn_feet_set_up(&w->joints, &humanoid, NULL, &w->feet, NULL), SN_OK);
    motion_walk(&w->walk);
}

static void apply(walker *w, const sn_feet_job *job, sn_feet_output *out) {
    sn_error error = {0};
    if (sn_feet_apply(job, &w->joints, out, &error) != SN_OK)
        fail_msg("%s", error.text);
}

static void test_own_floor(void **state) {
    (void)state;
    static walker w;
    make(&w);
    for (int frame = 0; frame < w.walk.frame_count; frame++) {
        set_frame(&w, frame);
        sn_transform before[JOINT_COUNT];
        memcpy(before, w.local, sizeof before);
        sn_feet_output out;
        apply(&w, &(sn_feet_job){.feet = &w.feet, .weight = 1}, &out);
        for (int j = 0; j < JOINT_COUNT; j++) {
            assert_true(test_rotation_angle(before[j].rotation, w.local[j].rotation) < 1e-5);
            for (int c = 0; c < 3; c++)
                assert_true(fabsf(before[j].translation[c] - w.local[j].translation[c]) < 1e-5f);
        }
        for (int side = 0; side < 2; side++)
            assert_int_equal(out.feet[side].flags, SN_FOOT_REACHED);
    }
    motion_free(&w.walk);
}

/* The corner of the sole that is lowest over the floor of the clip, and over a slope. */
static double lowest(const walker *w, int side, double rise, double run) {
    const sn_foot *foot = &w->feet.feet[side];
    sn_affine world = sn_joints_world(&w->joints, foot->foot);
    sn_affine toes = sn_joints_world(&w->joints, foot->toes);
    double least = HUGE_VAL;
    for (int i = 0; i < 6; i++) {
        const float *v = i < 2 ? foot->heel[i] : i < 4 ? foot->ball[i - 2] : foot->tip[i - 4];
        const sn_affine *m = i < 4 ? &world : &toes;
        double at[3];
        for (int r = 0; r < 3; r++)
            at[r] = (double)m->m[r][0] * (double)v[0] + (double)m->m[r][1] * (double)v[1] +
                    (double)m->m[r][2] * (double)v[2] + (double)m->m[r][3];
        least = fmin(least, at[1] - rise / run * at[2]);
    }
    return least;
}

/* Up and down hill each foot is over the slope as it is over the floor, in stance and in swing. */
static void test_slopes(void **state) {
    (void)state;
    static walker w;
    make(&w);
    for (int hill = -1; hill <= 1; hill += 2)
        for (int frame = 0; frame < w.walk.frame_count; frame++) {
            double rise = 0.25 * hill, clip[2];
            set_frame(&w, frame);
            for (int side = 0; side < 2; side++)
                clip[side] = lowest(&w, side, 0, 1);
            sn_feet_output out;
            sn_feet_options options = {.hips_drop = 1};
            apply(&w,
                  &(sn_feet_job){.feet = &w.feet,
                                 .ground = {.normal = {0, 1, (float)-rise}},
                                 .weight = 1,
                                 .options = &options},
                  &out);
            for (int side = 0; side < 2; side++) {
                assert_int_equal(out.feet[side].flags, SN_FOOT_REACHED);
                double over = lowest(&w, side, rise, 1);
                assert_true(over < clip[side] + 1e-4 * w.leg);
                /* Toes that hang in swing are nearer to where the slope turns them. */
                double least = clip[side] > 1e-3 ? 0.5 * clip[side] : clip[side];
                assert_true(over > least - 1e-4 * w.leg);
            }
            assert_true(out.offsets.hips <= 0);
        }
    motion_free(&w.walk);
}

/* Seen frame by frame, feet on a slope do not lag: neither where the walk is on the spot and the
 * feet go back over the slope, nor where the root goes up it. */
static void test_slope_in_time(void **state) {
    (void)state;
    static walker w;
    make(&w);
    for (int moves = 0; moves < 2; moves++) {
        sn_feet_state feet_state = {0};
        w.joints.root = sn_affine_identity();
        for (int frame = 0; frame < 2 * w.walk.frame_count; frame++) {
            double z = moves ? WALK_SPEED / MOTION_RATE * frame : 0, rise = 0.3;
            w.joints.root.m[2][3] = (float)z;
            w.joints.root.m[1][3] = (float)(rise * z);
            sn_feet_options options = {.hips_drop = 1};
            sn_feet_job job = {.feet = &w.feet,
                               .ground = {.normal = {0, 1, (float)-rise}},
                               .weight = 1,
                               .options = &options};
            sn_feet_output once, in_time;
            set_frame(&w, frame);
            apply(&w, &job, &once);
            job.state = &feet_state;
            job.seconds = 1.0f / MOTION_RATE;
            set_frame(&w, frame);
            apply(&w, &job, &in_time);
            for (int side = 0; side < 2; side++)
                assert_true(fabs(once.offsets.feet[side].height -
                                 in_time.offsets.feet[side].height) < 1e-5);
            assert_true(fabs(once.offsets.hips - in_time.offsets.hips) < 1e-5);
        }
    }
    motion_free(&w.walk);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_own_floor),
        cmocka_unit_test(test_slopes),
        cmocka_unit_test(test_slope_in_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
