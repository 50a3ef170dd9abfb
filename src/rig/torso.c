#include "rig/space.h"
#include "sinew/arm.h"

/* By the distance between the shoulders. An arm of the default thickness that hangs is just clear
 * of both. */
#define BELLY_RADIUS 0.28
#define CHEST_RADIUS 0.29
#define CHEST_HALF_BREADTH 0.08
#define CHEST_DEPTH 0.25 /* below the shoulders */

static sn_dvec3 carry(const sn_affine *m, sn_dvec3 point) {
    sn_dmat3 linear = sn_dmat3_of_affine(m);
    return sn_dvec3_add(sn_dvec3_of_affine(m), sn_dmat3_apply(&linear, point));
}

/* From the model's space into that of the joint. */
static bool capsule_make(const sn_joints *joints, uint32_t joint, sn_dvec3 a, sn_dvec3 b,
                         double radius, sn_capsule *out) {
    sn_affine model = sn_joints_rest_model(joints, joint), inverse;
    if (!sn_affine_inverse(&model, &inverse))
        return false;
    sn_dmat3 linear = sn_dmat3_of_affine(&inverse);
    *out = (sn_capsule){.joint = joint,
                        .radius = (float)(radius * cbrt(fabs(sn_dmat3_determinant(&linear))))};
    sn_store_vec3(out->a, carry(&inverse, a));
    sn_store_vec3(out->b, carry(&inverse, b));
    return true;
}

static uint32_t first_of(const uint32_t *joints, const sn_human_bone *bones, int count) {
    int i = 0;
    while (i < count - 1 && joints[bones[i]] == SN_NONE)
        i++;
    return joints[bones[i]];
}

uint32_t sn_torso_capsules(const sn_joints *joints, const sn_humanoid *humanoid,
                           sn_capsule out[SN_TORSO_CAPSULES]) {
    static const sn_human_bone bellies[] = {SN_HUMAN_SPINE, SN_HUMAN_HIPS};
    static const sn_human_bone chests[] = {SN_HUMAN_UPPER_CHEST, SN_HUMAN_CHEST, SN_HUMAN_SPINE,
                                           SN_HUMAN_HIPS};
    const uint32_t *of = humanoid->joints;
    uint32_t hips = of[SN_HUMAN_HIPS];
    uint32_t left = of[SN_HUMAN_LEFT_UPPER_ARM], right = of[SN_HUMAN_RIGHT_UPPER_ARM];
    if (hips == SN_NONE || left == SN_NONE || right == SN_NONE)
        return 0;
    uint32_t belly = first_of(of, bellies, 2), chest = first_of(of, chests, 4);
    sn_dvec3 bottom = sn_space_at_rest(joints, hips).origin;
    sn_dvec3 leftmost = sn_space_at_rest(joints, left).origin;
    sn_dvec3 across = sn_dvec3_subtract(leftmost, sn_space_at_rest(joints, right).origin);
    double breadth = sn_dvec3_length(across);
    sn_dvec3 neck = sn_dvec3_subtract(leftmost, sn_dvec3_scale(across, 0.5));
    sn_dvec3 up = sn_dvec3_subtract(neck, bottom);
    if (!(breadth > 0 && sn_dvec3_length(up) > 0))
        return 0;
    sn_dvec3 middle =
        sn_dvec3_subtract(neck, sn_dvec3_scale(up, CHEST_DEPTH * breadth / sn_dvec3_length(up)));
    sn_dvec3 half = sn_dvec3_scale(across, CHEST_HALF_BREADTH);
    bool is_made = capsule_make(joints, belly, bottom, middle, BELLY_RADIUS * breadth, &out[0]) &&
                   capsule_make(joints, chest, sn_dvec3_add(middle, half),
                                sn_dvec3_subtract(middle, half), CHEST_RADIUS * breadth, &out[1]);
    return is_made ? SN_TORSO_CAPSULES : 0;
}
