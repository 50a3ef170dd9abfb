/* Hands on a prop: whether the prop's rod lies in the fists, as the stored rotations put them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "rig/hand.h"
#include "sinew/grip.h"
#include "tests/unit/limbs.h"
#include "tests/unit/people.h"

#define PI 3.14159265358979323846

static const sn_human_bone wrists[] = {SN_HUMAN_LEFT_HAND, SN_HUMAN_RIGHT_HAND};
#define ARM 0.54 /* metres, upper and lower */

/* Rigs of one figure, and roots above them. */
static const test_person_shape shapes[] = {
    {.axes = 0}, {.facing = -1, .axes = 3}, {.axes = 4, .scale = 0.01f}, {.axes = 5}, {.axes = 6}};
static const sn_transform roots[] = {
    {.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}},
    {.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}},
    {.translation = {50, 2, -30}, .rotation = {0, 1, 0, 0}, .scale = {1, 1, 1}},
    {.rotation = {0.5f, 0.5f, -0.5f, 0.5f}, .scale = {2, 2, 2}},
    {.translation = {1, 0, 0}, .rotation = {0, 0.6f, 0, 0.8f}, .scale = {-1, 1, 1}},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* A person, two arms, and a rod that both hold, in front of the chest. */
typedef struct scene {
    test_person person;
    sn_grip_arm arms[2];
    sn_grip_job job;
    double scale; /* of the root */
} scene;

static void set_up_arms(scene *s) {
    for (int i = 0; i < 2; i++) {
        sn_error error = {0};
        if (sn_grip_arm_set_up(&s->person.joints, &s->person.humanoid, wrists[i], &s->arms[i],
                               &error) != SN_OK)
            fail_msg("%s", error.text);
    }
}

/* The prop's x axis is the rod's, from the left hand to the right one; palms down on it. The
 * prop's space is the model's, for one that faces +z. */
static void make(scene *s, int i) {
    memset(s, 0, sizeof *s);
    test_person_make(&s->person, &shapes[i]);
    s->person.joints.root = sn_affine_from_transform(&roots[i]);
    s->scale = (double)roots[i].scale[1];
    set_up_arms(s);
    sn_transform prop = {
        .translation = {0, 1.25f, 0.35f}, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
    if (shapes[i].facing < 0)
        prop = (sn_transform){
            .translation = {0, 1.25f, -0.35f}, .rotation = {0, 1, 0, 0}, .scale = {1, 1, 1}};
    sn_affine local = sn_affine_from_transform(&prop);
    s->job = (sn_grip_job){.prop = sn_affine_multiply(&s->person.joints.root, &local),
                           .hold_count = 2,
                           .favour = 0.5f,
                           .weight = 1};
    for (int h = 0; h < 2; h++) {
        float side = h == 0 ? 1 : -1;
        s->job.holds[h] = (sn_grip_hold){.arm = &s->arms[h],
                                         .position = {0.2f * side, 0, 0},
                                         .axis = {-side, 0, 0},
                                         .palm = {0, -1, 0},
                                         .radius = 0.015f * (float)s->scale,
                                         .curl = 1};
    }
}

static sn_grip_output apply(scene *s) {
    sn_grip_output out;
    sn_error error = {0};
    if (sn_grip_apply(&s->job, &s->person.joints, &out, &error) != SN_OK)
        fail_msg("%s", error.text);
    return out;
}

static sn_dvec3 point_of(const sn_affine *m, const float p[3]) {
    double out[3];
    for (int r = 0; r < 3; r++)
        out[r] = (double)m->m[r][0] * (double)p[0] + (double)m->m[r][1] * (double)p[1] +
                 (double)m->m[r][2] * (double)p[2] + (double)m->m[r][3];
    return (sn_dvec3){out[0], out[1], out[2]};
}

static sn_dvec3 direction_of(const sn_affine *m, const float d[3]) {
    const float origin[3] = {0};
    return sn_dvec3_unit(sn_dvec3_subtract(point_of(m, d), point_of(m, origin)));
}

/* A point of hand space in the world, carried by the wrist. */
static sn_dvec3 carried(const scene *s, int h, sn_dvec3 point) {
    const sn_joints *joints = &s->person.joints;
    uint32_t wrist = s->arms[h].hand.wrist;
    sn_affine rest = sn_joints_rest_model(joints, wrist), now = sn_joints_world(joints, wrist);
    sn_affine inverse;
    assert_true(sn_affine_inverse(&rest, &inverse));
    float model[3] = {(float)point.x + rest.m[0][3], (float)point.y + rest.m[1][3],
                      (float)point.z + rest.m[2][3]};
    float own[3];
    test_store3(own, point_of(&inverse, model));
    return point_of(&now, own);
}

/* The fist's own rod against the prop's: metres of the model, and radians. */
static void assert_held(const scene *s, int h, const sn_affine *prop, double tolerance) {
    const sn_grip_hold *hold = &s->job.holds[h];
    const sn_hand *hand = &s->arms[h].hand;
    double radius = (double)hold->radius / s->scale + sn_hand_padding(hand);
    sn_hand_line line = sn_hand_rod_line(hand, radius, (double)hold->tilt);
    sn_dvec3 point = carried(s, h, line.point);
    sn_dvec3 along =
        sn_dvec3_subtract(carried(s, h, sn_dvec3_add(line.point, line.direction)), point);
    assert_true(test_distance(point, point_of(prop, hold->position)) < tolerance * s->scale);
    assert_true(test_angle(along, direction_of(prop, hold->axis)) < 2e-5);
}

static sn_dvec3 palm_of(const scene *s, int h) {
    sn_dvec3 zero = {0, 0, 0}, palm = sn_dvec3_load(s->arms[h].hand.palm);
    return sn_dvec3_unit(sn_dvec3_subtract(carried(s, h, palm), carried(s, h, zero)));
}

static void test_two_hands(void **state) {
    (void)state;
    for (int i = 0; i < SHAPES; i++) {
        scene s;
        make(&s, i);
        sn_affine prop = s.job.prop;
        sn_grip_output out = apply(&s);
        assert_int_equal(out.flags, SN_GRIP_REACHED);
        assert_true((double)out.residual <= 1e-5 * ARM * s.scale);
        assert_memory_equal(&out.prop, &prop, sizeof prop);
        for (int h = 0; h < 2; h++) {
            /* A far-off root costs digits of float. */
            assert_held(&s, h, &prop, i == 2 ? 2e-5 : 3e-6);
            assert_true(test_angle(palm_of(&s, h), direction_of(&prop, s.job.holds[h].palm)) <
                        2e-5);
            double wrist[3];
            test_person_place(&s.person, wrists[h], wrist);
            assert_true(test_distance((sn_dvec3){wrist[0], wrist[1], wrist[2]},
                                      test_dvec3(out.wrists[h].position)) < 2e-5 * s.scale);
            /* Elbows hang lower than the line from shoulder to wrist. */
            double shoulder[3], elbow[3];
            test_person_place(&s.person, (sn_human_bone)(wrists[h] - 2), shoulder);
            test_person_place(&s.person, (sn_human_bone)(wrists[h] - 1), elbow);
            const float down[3] = {0, -1, 0};
            sn_dvec3 bent = {elbow[0] - (shoulder[0] + wrist[0]) / 2,
                             elbow[1] - (shoulder[1] + wrist[1]) / 2,
                             elbow[2] - (shoulder[2] + wrist[2]) / 2};
            assert_true(sn_dvec3_dot(bent, direction_of(&prop, down)) > 0.05);
        }
    }
}

/* Whatever the local axes, the same; left and right mirror each other. */
static void test_any_axes(void **state) {
    (void)state;
    scene a, b;
    make(&a, 0);
    make(&b, 2);
    test_person_make(&b.person, &shapes[2]);
    b.person.joints.root = sn_affine_identity();
    b.job.prop = a.job.prop;
    apply(&a);
    apply(&b);
    for (uint32_t bone = SN_HUMAN_LEFT_UPPER_ARM; bone <= SN_HUMAN_LEFT_LITTLE_DISTAL; bone++) {
        double one[3], other[3], right[3];
        test_person_place(&a.person, (sn_human_bone)bone, one);
        test_person_place(&b.person, (sn_human_bone)bone, other);
        test_person_place(&a.person, (sn_human_bone)(bone + SN_HUMAN_SIDE), right);
        for (int c = 0; c < 3; c++) {
            assert_true(fabs(one[c] - other[c]) < 5e-6);
            assert_true(fabs(one[c] - right[c] * (c == 0 ? -1 : 1)) < 5e-6);
        }
    }
}

/* ---- roll ---- */

/* How far the hand is bent and turned on its forearm. */
static double strain(const scene *s, int h) {
    uint32_t wrist = s->arms[h].hand.wrist;
    return test_rotation_angle(s->person.local[wrist].rotation, s->person.rest[wrist].rotation);
}

/* A hand that may take any roll takes the one in which it hangs easiest on its forearm. */
static void test_free_roll(void **state) {
    (void)state;
    for (int i = 0; i < SHAPES; i++)
        for (int h = 0; h < 2; h++) {
            scene s;
            make(&s, i);
            memset(s.job.holds[h].palm, 0, sizeof s.job.holds[h].palm);
            sn_grip_output out = apply(&s);
            assert_held(&s, h, &s.job.prop, i == 2 ? 2e-5 : 3e-6);
            assert_true(out.flags & SN_GRIP_REACHED);
            double easiest = strain(&s, h);
            for (double angle = 0; angle < 2 * PI; angle += PI / 24) {
                memcpy(s.person.local, s.person.rest, sizeof s.person.rest);
                s.job.holds[h].palm[1] = (float)cos(angle);
                s.job.holds[h].palm[2] = (float)sin(angle);
                apply(&s);
                assert_true(easiest < strain(&s, h) + 0.03);
            }
        }
}

static void test_limited_roll(void **state) {
    (void)state;
    for (int i = 0; i < SHAPES; i++) {
        scene s;
        make(&s, i);
        s.job.holds[0].palm[1] = 0; /* from the front: the hand would rather be above */
        s.job.holds[0].palm[2] = -1;
        sn_grip_output fixed = apply(&s);
        double before = strain(&s, 0);
        assert_true(fabsf(fixed.wrists[0].roll) <= 0);
        memcpy(s.person.local, s.person.rest, sizeof s.person.rest);
        s.job.holds[0].roll = 0.5f;
        sn_grip_output out = apply(&s);
        assert_true(fabs(fabs((double)out.wrists[0].roll) - 0.5) < 1e-6);
        assert_true(strain(&s, 0) < before - 0.1);
        assert_held(&s, 0, &s.job.prop, i == 2 ? 2e-5 : 3e-6);
        double angle = test_angle(palm_of(&s, 0), direction_of(&s.job.prop, s.job.holds[0].palm));
        assert_true(fabs(angle - 0.5) < 2e-5);
    }
}

/* A prop that is turned all the way round in the hand: no step throws the hand. */
static void test_roll_is_steady(void **state) {
    (void)state;
    static const float rolls[] = {0.3f, 0.6f, 1.2f};
    for (int k = 0; k < 3; k++) {
        double before = 0, most = 0;
        for (int degree = 0; degree <= 360; degree++) {
            scene s;
            make(&s, 3);
            s.job.hold_count = 1;
            s.job.holds[0].roll = rolls[k];
            s.job.holds[0].palm[1] = (float)cos(degree * PI / 180);
            s.job.holds[0].palm[2] = (float)sin(degree * PI / 180);
            double roll = (double)apply(&s).wrists[0].roll;
            if (degree > 0)
                most = fmax(most, fabs(roll - before));
            before = roll;
        }
        /* 1 degree in, and no more than what fades in 30 degrees out, some for the forearm. */
        assert_true(most > 0.01 && most < 0.02 + (double)rolls[k] / 30 * 1.5);
    }
}

static void test_tilt(void **state) {
    (void)state;
    scene s;
    make(&s, 3);
    s.job.holds[0].tilt = s.job.holds[1].tilt = 0.45f;
    sn_grip_output out = apply(&s);
    assert_true(out.flags & SN_GRIP_REACHED);
    for (int h = 0; h < 2; h++)
        assert_held(&s, h, &s.job.prop, 3e-6);
}

/* ---- out of reach ---- */

static void move_prop(scene *s, float x, float y, float z) {
    const float way[3] = {x, y, z};
    sn_dvec3 to = point_of(&s->job.prop, way);
    s->job.prop.m[0][3] = (float)to.x, s->job.prop.m[1][3] = (float)to.y;
    s->job.prop.m[2][3] = (float)to.z;
}

static double gap(const scene *s, int h, const sn_affine *prop) {
    const sn_hand *hand = &s->arms[h].hand;
    double radius = (double)s->job.holds[h].radius / s->scale + sn_hand_padding(hand);
    sn_hand_line line = sn_hand_rod_line(hand, radius, 0);
    return test_distance(carried(s, h, line.point), point_of(prop, s->job.holds[h].position));
}

static void test_too_far(void **state) {
    (void)state;
    for (int i = 0; i < SHAPES; i++) {
        scene s;
        make(&s, i);
        move_prop(&s, 0, 0, 0.5f);
        sn_affine prop = s.job.prop;
        sn_grip_output out = apply(&s);
        assert_int_equal(out.flags & ~(unsigned)SN_GRIP_LOOSE, SN_GRIP_TOO_FAR);
        assert_true(out.residual > 0.1f * (float)s.scale);
        assert_memory_equal(&out.prop, &prop, sizeof prop);
        for (int h = 0; h < 2; h++) {
            assert_int_equal(out.wrists[h].flags, SN_TWO_BONE_TOO_FAR);
            /* The residual is the true one, and so is the hand's rotation. */
            assert_true(fabs(gap(&s, h, &prop) - (double)out.wrists[h].residual) < 2e-5 * s.scale);
            assert_true(test_angle(palm_of(&s, h), direction_of(&prop, s.job.holds[h].palm)) <
                        2e-5);
        }
    }
}

static void test_shift(void **state) {
    (void)state;
    for (int i = 0; i < SHAPES; i++) {
        double before = 0;
        for (int k = 0; k < 4; k++) {
            static const float shifts[] = {0, 0.05f, 0.2f, 5};
            scene s;
            make(&s, i);
            move_prop(&s, 0, 0, 0.4f);
            s.job.shift = shifts[k] * (float)s.scale;
            sn_grip_output out = apply(&s);
            double way = 0;
            for (int r = 0; r < 3; r++)
                way += pow((double)out.prop.m[r][3] - (double)s.job.prop.m[r][3], 2);
            way = sqrt(way);
            assert_int_equal(!!(out.flags & SN_GRIP_SHIFTED), k > 0);
            assert_true(way <= (double)s.job.shift * (1 + 1e-3));
            if (k == 1) /* as far as it may */
                assert_true(way > (double)s.job.shift * 0.999);
            assert_true(k == 0 || k == 3 || (double)out.residual < before - 0.03 * s.scale);
            before = (double)out.residual;
            for (int h = 0; h < 2; h++)
                assert_true(fabs(gap(&s, h, &out.prop) - (double)out.wrists[h].residual) <
                            2e-5 * s.scale);
        }
        assert_true(before < 0.02);
    }
}

/* One hand short: whose reach counts says how far the prop goes. */
static void test_favour(void **state) {
    (void)state;
    double ways[3];
    for (int k = 0; k < 3; k++) {
        scene s;
        make(&s, 0);
        s.job.holds[1].position[0] = -0.75f; /* the right hand far to its side */
        s.job.shift = 1;
        s.job.favour = (float)k / 2;
        sn_grip_output out = apply(&s);
        ways[k] = (double)(out.prop.m[0][3] - s.job.prop.m[0][3]);
        if (k == 2)
            assert_true(out.wrists[1].residual < 0.02f);
    }
    assert_true(fabs(ways[0]) < 1e-6);
    assert_true(ways[1] > 0.01 && fabs(ways[2] - 2 * ways[1]) < 1e-5);
}

/* A rod that points away from the body is turned about one hand until the other one has it. */
static void test_turn(void **state) {
    (void)state;
    for (int i = 0; i < SHAPES; i++)
        for (int dominant = 0; dominant < 2; dominant++) {
            scene s;
            make(&s, i);
            for (int h = 0; h < 2; h++) { /* along the prop's z */
                s.job.holds[h].position[0] = 0;
                s.job.holds[h].position[2] = h == dominant ? 0 : 0.45f;
                s.job.holds[h].axis[0] = 0;
                s.job.holds[h].axis[2] = 1;
                memset(s.job.holds[h].palm, 0, sizeof s.job.holds[h].palm);
            }
            s.job.favour = (float)dominant;
            sn_grip_output stiff = apply(&s);
            assert_int_equal(!!(stiff.flags & SN_GRIP_TURNED), 0);
            double before = (double)stiff.wrists[1 - dominant].residual;
            assert_true(before > 0.05 * s.scale);
            sn_dvec3 held = point_of(&s.job.prop, s.job.holds[dominant].position);
            memcpy(s.person.local, s.person.rest, sizeof s.person.rest);
            s.job.turn = 1.5f;
            sn_grip_output out = apply(&s);
            assert_true(out.flags & SN_GRIP_TURNED);
            assert_true(out.flags & SN_GRIP_REACHED);
            assert_true(test_distance(point_of(&out.prop, s.job.holds[dominant].position), held) <
                        (i == 2 ? 2e-5 : 2e-6) * s.scale);
            /* The prop stays rigid. */
            for (int c = 0; c < 3; c++) {
                double was = 0, is = 0;
                for (int r = 0; r < 3; r++) {
                    was += pow((double)s.job.prop.m[r][c], 2);
                    is += pow((double)out.prop.m[r][c], 2);
                }
                assert_true(fabs(sqrt(was) - sqrt(is)) < 1e-6 * s.scale);
            }
            const float z[3] = {0, 0, 1};
            double whole = test_angle(direction_of(&s.job.prop, z), direction_of(&out.prop, z));
            memcpy(s.person.local, s.person.rest, sizeof s.person.rest);
            s.job.turn = 0.1f;
            out = apply(&s);
            assert_true(whole > 0.1);
            assert_true(fabs(test_angle(direction_of(&s.job.prop, z), direction_of(&out.prop, z)) -
                             0.1) < 1e-4);
        }
}

/* ---- the rest ---- */

static void test_one_hand(void **state) {
    (void)state;
    scene s;
    make(&s, 3);
    s.job.hold_count = 1;
    s.job.favour = 1; /* of no meaning with one hand */
    move_prop(&s, 0, 0, 0.4f);
    s.job.shift = 10;
    s.job.turn = 1;
    sn_grip_output out = apply(&s);
    assert_true(out.flags & SN_GRIP_SHIFTED && !(out.flags & SN_GRIP_TURNED));
    assert_true(out.residual < 1e-3f);
    assert_held(&s, 0, &out.prop, 1e-3);
    for (uint32_t bone = SN_HUMAN_RIGHT_SHOULDER; bone < SN_HUMAN_BONE_COUNT; bone++) {
        uint32_t joint = s.person.humanoid.joints[bone];
        assert_memory_equal(&s.person.local[joint], &s.person.rest[joint], sizeof(sn_transform));
    }
}

static void test_weight(void **state) {
    (void)state;
    scene s;
    make(&s, 1);
    test_random random = {9};
    for (uint32_t j = 0; j < s.person.joints.count; j++)
        test_random_quat(&random, s.person.local[j].rotation);
    sn_transform base[TEST_PERSON_JOINTS], full[TEST_PERSON_JOINTS];
    memcpy(base, s.person.local, sizeof base);
    s.job.weight = 0;
    sn_grip_output none = apply(&s);
    assert_memory_equal(s.person.local, base, sizeof base);
    s.job.weight = 1;
    sn_grip_output out = apply(&s);
    memcpy(full, s.person.local, sizeof full);
    assert_memory_equal(&none, &out, sizeof out);
    memcpy(s.person.local, base, sizeof base);
    apply(&s);
    assert_memory_equal(s.person.local, full, sizeof full); /* the same again, bit for bit */
    memcpy(s.person.local, base, sizeof base);
    s.job.weight = 0.5f;
    apply(&s);
    for (uint32_t j = 0; j < s.person.joints.count; j++) {
        double way = test_rotation_angle(base[j].rotation, full[j].rotation);
        assert_true(fabs(test_rotation_angle(base[j].rotation, s.person.local[j].rotation) -
                         way / 2) < 1e-4);
    }
}

/* With targets from outside, another solver can do the arms. */
static void test_wrist_orientation(void **state) {
    (void)state;
    for (int i = 0; i < SHAPES; i++) {
        scene s;
        make(&s, i);
        sn_grip_output out = apply(&s);
        for (int h = 0; h < 2; h++) {
            sn_affine world = sn_joints_world(&s.person.joints, s.arms[h].hand.wrist);
            sn_transform t;
            assert_true(sn_affine_decompose(&world, &t) || s.scale < 1);
            assert_true(test_rotation_angle(t.rotation, out.wrists[h].orientation) < 2e-5);
        }
    }
}

static void test_pole(void **state) {
    (void)state;
    for (int i = 0; i < SHAPES; i++)
        for (int way = 0; way < 2; way++) {
            scene s;
            make(&s, i);
            const float up[3] = {0, way ? 9 : 1, 0};
            sn_two_bone_options bend = {.bend = way ? SN_BEND_POSITION : SN_BEND_DIRECTION};
            sn_dvec3 pole = way ? point_of(&s.job.prop, up) : direction_of(&s.job.prop, up);
            test_store3(bend.pole, pole);
            memcpy(bend.hinge, s.arms[0].hinge, sizeof bend.hinge);
            s.job.holds[0].bend = &bend;
            sn_grip_output out = apply(&s);
            assert_true(out.flags & SN_GRIP_REACHED);
            double elbow[3], shoulder[3];
            test_person_place(&s.person, SN_HUMAN_LEFT_LOWER_ARM, elbow);
            test_person_place(&s.person, SN_HUMAN_LEFT_UPPER_ARM, shoulder);
            sn_dvec3 arm = {elbow[0] - shoulder[0], elbow[1] - shoulder[1], elbow[2] - shoulder[2]};
            const float above[3] = {0, 1, 0};
            assert_true(sn_dvec3_dot(arm, direction_of(&s.job.prop, above)) > 0.05 * s.scale);
        }
}

static void test_latch(void **state) {
    (void)state;
    sn_transform t = {.translation = {1, 2, 3}, .rotation = {0, 0.6f, 0, 0.8f}, .scale = {2, 2, 2}};
    sn_affine prop = sn_affine_from_transform(&t);
    const float start[3] = {0, 0.1f, 0}, axis[3] = {0, 0, 5}, wanted[3] = {0, 0.1f, 0.7f};
    float point[3], out[3];
    const float beside[3] = {0.3f, -0.2f, 0.7f};
    test_store3(point, point_of(&prop, beside));
    assert_true(sn_grip_latch(&prop, start, axis, point, out));
    for (int c = 0; c < 3; c++)
        assert_true(fabsf(out[c] - wanted[c]) < 1e-5f);
    const float none[3] = {0};
    assert_false(sn_grip_latch(&prop, start, none, point, out));
    memset(&prop, 0, sizeof prop);
    assert_false(sn_grip_latch(&prop, start, axis, point, out));
}

static void expect_error(scene *s, sn_message_id id) {
    sn_error error = {0};
    sn_grip_output out = {.residual = 77};
    sn_transform base[TEST_PERSON_JOINTS];
    memcpy(base, s->person.local, sizeof base);
    assert_int_not_equal(sn_grip_apply(&s->job, &s->person.joints, &out, &error), SN_OK);
    assert_int_equal(error.id, id);
    assert_memory_equal(base, s->person.local, sizeof base);
    assert_true(out.residual > 76);
}

static void test_errors(void **state) {
    (void)state;
    scene s;
#define BAD(change, id)                                                                            \
    make(&s, 1);                                                                                   \
    change;                                                                                        \
    expect_error(&s, id)
    BAD(s.job.hold_count = 0, SN_MESSAGE_CHAIN_VALUE);
    BAD(s.job.hold_count = 3, SN_MESSAGE_CHAIN_VALUE);
    BAD(s.job.prop.m[1][2] = NAN, SN_MESSAGE_CHAIN_VALUE);
    BAD(memset(&s.job.prop, 0, sizeof s.job.prop), SN_MESSAGE_CHAIN_LENGTH);
    BAD(s.job.favour = -0.1f, SN_MESSAGE_CHAIN_VALUE);
    BAD(s.job.shift = INFINITY, SN_MESSAGE_CHAIN_VALUE);
    BAD(s.job.turn = 4, SN_MESSAGE_CHAIN_VALUE);
    BAD(s.job.weight = NAN, SN_MESSAGE_CHAIN_VALUE);
    BAD(s.job.holds[1].position[2] = NAN, SN_MESSAGE_CHAIN_VALUE);
    BAD(memset(s.job.holds[0].axis, 0, sizeof(float[3])), SN_MESSAGE_CHAIN_VALUE);
    BAD(s.job.holds[1].palm[0] = INFINITY, SN_MESSAGE_CHAIN_VALUE);
    BAD(s.job.holds[1].roll = -1, SN_MESSAGE_CHAIN_VALUE);
    BAD(s.job.holds[1].radius = 0, SN_MESSAGE_CHAIN_VALUE);
    BAD(s.job.holds[1].tilt = 2, SN_MESSAGE_CHAIN_VALUE);
    BAD(s.job.holds[1].curl = 2, SN_MESSAGE_CHAIN_VALUE);
    BAD(s.person.joints.root.m[0][0] = NAN, SN_MESSAGE_CHAIN_LENGTH);
    BAD(s.person.local[s.arms[1].hand.wrist].translation[0] = NAN, SN_MESSAGE_CHAIN_VALUE);
    BAD(s.person.local[s.arms[1].hand.wrist].scale[0] = 0, SN_MESSAGE_CHAIN_LENGTH);
    BAD(s.person.local[s.arms[1].hand.fingers[2].phalanges[1].joint].rotation[1] = NAN,
        SN_MESSAGE_CHAIN_VALUE);
    uint32_t elbow;
    BAD(elbow = s.person.humanoid.joints[SN_HUMAN_RIGHT_LOWER_ARM];
        memset(s.person.local[elbow].translation, 0, sizeof(float[3])), SN_MESSAGE_CHAIN_LENGTH);
#undef BAD
    make(&s, 1);
    sn_error error;
    sn_humanoid bones = s.person.humanoid;
    bones.joints[SN_HUMAN_LEFT_UPPER_ARM] = bones.joints[SN_HUMAN_RIGHT_UPPER_ARM];
    sn_grip_arm arm;
    assert_int_equal(sn_grip_arm_set_up(&s.person.joints, &bones, SN_HUMAN_LEFT_HAND, &arm, &error),
                     SN_ERROR_ARGUMENT);
    assert_int_equal(error.id, SN_MESSAGE_CHAIN_JOINTS);
    bones.joints[SN_HUMAN_LEFT_UPPER_ARM] = SN_NONE;
    assert_int_equal(sn_grip_arm_set_up(&s.person.joints, &bones, SN_HUMAN_LEFT_HAND, &arm, &error),
                     SN_ERROR_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_hands),
        cmocka_unit_test(test_any_axes),
        cmocka_unit_test(test_free_roll),
        cmocka_unit_test(test_limited_roll),
        cmocka_unit_test(test_roll_is_steady),
        cmocka_unit_test(test_tilt),
        cmocka_unit_test(test_too_far),
        cmocka_unit_test(test_shift),
        cmocka_unit_test(test_favour),
        cmocka_unit_test(test_turn),
        cmocka_unit_test(test_one_hand),
        cmocka_unit_test(test_weight),
        cmocka_unit_test(test_wrist_orientation),
        cmocka_unit_test(test_pole),
        cmocka_unit_test(test_latch),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
