/* The reference: one joint after the other, in the layout of 4 lanes. Plain, and in the order of
 * operations that the vector kernels have, so that they can be compared bit for bit. */
#include <math.h>

#include "anim/scalar.h"
#include "anim/skeleton.h"

static sn_transform load_joint(const float *pose, uint32_t joint) {
    const float *lane = sn_scalar_lane((float *)pose, joint);
    sn_transform out;
    for (int i = 0; i < 4; i++)
        out.rotation[i] = lane[(SN_POSE_ROTATION + i) * SN_SCALAR_LANES];
    for (int i = 0; i < 3; i++) {
        out.translation[i] = lane[(SN_POSE_TRANSLATION + i) * SN_SCALAR_LANES];
        out.scale[i] = lane[(SN_POSE_SCALE + i) * SN_SCALAR_LANES];
    }
    return out;
}

static void store_joint(float *pose, uint32_t joint, const sn_transform *value) {
    float *lane = sn_scalar_lane(pose, joint);
    for (int i = 0; i < 4; i++)
        lane[(SN_POSE_ROTATION + i) * SN_SCALAR_LANES] = value->rotation[i];
    for (int i = 0; i < 3; i++) {
        lane[(SN_POSE_TRANSLATION + i) * SN_SCALAR_LANES] = value->translation[i];
        lane[(SN_POSE_SCALE + i) * SN_SCALAR_LANES] = value->scale[i];
    }
}

/* ---- Blending ---- */

static float dot4(const float a[4], const float b[4]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

static void normalize(float q[4]) {
    float scale = 1 / sqrtf(dot4(q, q));
    for (int i = 0; i < 4; i++)
        q[i] *= scale;
}

/* `value`, or its opposite where `sign` has its sign bit. */
static float with_sign(float value, float sign) {
    return signbit(sign) ? -value : value;
}

static void multiply_rotation(const float a[4], const float b[4], float out[4]) {
    out[0] = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    out[1] = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
    out[2] = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
    out[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

static void blend_two(uint32_t group_count, sn_pose a, sn_pose b, float share, sn_pose out) {
    float ratio = share / (1 - share);
    for (uint32_t joint = 0; joint < group_count * SN_SCALAR_LANES; joint++) {
        sn_transform p = load_joint(a.data, joint), q = load_joint(b.data, joint);
        float cosine = dot4(p.rotation, q.rotation);
        float scale = 1 / sqrtf((1 + ratio * ratio) + 2 * ratio * fabsf(cosine));
        for (int i = 0; i < 4; i++)
            p.rotation[i] = (p.rotation[i] + q.rotation[i] * with_sign(ratio, cosine)) * scale;
        for (int i = 0; i < 3; i++) {
            p.translation[i] -= (p.translation[i] - q.translation[i]) * share;
            p.scale[i] -= (p.scale[i] - q.scale[i]) * share;
        }
        store_joint(out.data, joint, &p);
    }
}

static float weight_of(const sn_blend_layer *layer, uint32_t joint) {
    return layer->joint_mask ? layer->weight * layer->joint_mask[joint] : layer->weight;
}

static void add_layer(const sn_blend_layer *layer, uint32_t joint, sn_transform *sum,
                      float *total) {
    sn_transform v = load_joint(layer->pose.data, joint);
    float weight = weight_of(layer, joint);
    float turned = dot4(sum->rotation, v.rotation) < 0 ? -weight : weight;
    for (int i = 0; i < 4; i++)
        sum->rotation[i] += v.rotation[i] * turned;
    for (int i = 0; i < 3; i++) {
        sum->translation[i] += v.translation[i] * weight;
        sum->scale[i] += v.scale[i] * weight;
    }
    *total += weight;
}

static void apply_difference(const sn_blend_layer *layer, uint32_t joint, sn_transform *value) {
    sn_transform d = load_joint(layer->pose.data, joint);
    float weight = weight_of(layer, joint), rotation[4];
    float turned = with_sign(weight, d.rotation[3]);
    for (int i = 0; i < 4; i++)
        d.rotation[i] *= turned;
    d.rotation[3] += 1 - weight;
    normalize(d.rotation);
    multiply_rotation(value->rotation, d.rotation, rotation);
    for (int i = 0; i < 4; i++)
        value->rotation[i] = rotation[i];
    for (int i = 0; i < 3; i++) {
        value->translation[i] += d.translation[i] * weight;
        value->scale[i] *= 1 + (d.scale[i] - 1) * weight;
    }
}

static void blend(uint32_t group_count, sn_pose base, const sn_blend_layer *layers,
                  size_t layer_count, sn_pose out) {
    for (uint32_t joint = 0; joint < group_count * SN_SCALAR_LANES; joint++) {
        sn_transform value = load_joint(base.data, joint), sum = {0};
        float total = 0;
        for (size_t i = 0; i < layer_count; i++)
            if (!layers[i].additive && layers[i].weight > 0)
                add_layer(&layers[i], joint, &sum, &total);
        if (total > 0) {
            float share = 1 / total;
            normalize(sum.rotation);
            for (int i = 0; i < 3; i++) {
                sum.translation[i] *= share;
                sum.scale[i] *= share;
            }
            value = sum;
        }
        for (size_t i = 0; i < layer_count; i++)
            if (layers[i].additive && layers[i].weight > 0)
                apply_difference(&layers[i], joint, &value);
        store_joint(out.data, joint, &value);
    }
}

static void difference(uint32_t group_count, sn_pose pose, sn_pose reference, sn_pose out) {
    for (uint32_t joint = 0; joint < group_count * SN_SCALAR_LANES; joint++) {
        sn_transform v = load_joint(pose.data, joint), r = load_joint(reference.data, joint);
        float inverse[4] = {-r.rotation[0], -r.rotation[1], -r.rotation[2], r.rotation[3]};
        sn_transform d;
        multiply_rotation(inverse, v.rotation, d.rotation);
        for (int i = 0; i < 3; i++) {
            d.translation[i] = v.translation[i] - r.translation[i];
            d.scale[i] = r.scale[i] != 0 ? v.scale[i] / r.scale[i] : 1;
        }
        store_joint(out.data, joint, &d);
    }
}

/* ---- Hierarchy ---- */

/* `fixed` is how many of the joints before this one have a matrix of their own. */
static sn_affine local_matrix(const sn_skeleton *skeleton, const float *pose, uint32_t joint,
                              uint32_t *fixed) {
    if (*fixed < skeleton->fixed_count && skeleton->fixed_joints[*fixed] == joint)
        return skeleton->fixed_matrices[(*fixed)++];
    sn_transform transform = load_joint(pose, joint);
    return sn_affine_from_transform(&transform);
}

static void hierarchy(const sn_skeleton *skeleton, const float *pose, const sn_affine *root,
                      sn_affine *world) {
    uint32_t fixed = 0;
    for (uint32_t joint = 0; joint < skeleton->joint_count; joint++) {
        sn_affine local = local_matrix(skeleton, pose, joint, &fixed);
        uint32_t parent = skeleton->parents[joint];
        world[joint] = sn_affine_multiply(parent == SN_NONE ? root : &world[parent], &local);
    }
}

static void multiply(const sn_affine *left, const uint32_t *at, const sn_affine *right,
                     uint32_t count, sn_affine *out) {
    for (uint32_t i = 0; i < count; i++)
        out[i] = sn_affine_multiply(&left[at[i]], &right[i]);
}

static sn_affine load_lane(const float *matrix) {
    sn_affine out;
    for (int i = 0; i < 12; i++)
        out.m[i / 4][i % 4] = matrix[i * SN_SCALAR_LANES];
    return out;
}

static void store_lane(float *matrix, const sn_affine *value) {
    for (int i = 0; i < 12; i++)
        matrix[i * SN_SCALAR_LANES] = value->m[i / 4][i % 4];
}

/* Where a character's matrix begins: the roots come first, see sn_kernels. */
static size_t crowd_at(uint32_t joint, uint32_t lane) {
    return (size_t)(uint32_t)(joint + 1) * 12 * SN_SCALAR_LANES + lane;
}

static void crowd_hierarchy(const sn_skeleton *skeleton, const float *const *poses,
                            const sn_affine *const *roots, float *world) {
    for (uint32_t lane = 0; lane < SN_SCALAR_LANES; lane++) {
        store_lane(world + crowd_at(SN_NONE, lane), roots[lane]);
        uint32_t fixed = 0;
        for (uint32_t joint = 0; joint < skeleton->joint_count; joint++) {
            sn_affine local = local_matrix(skeleton, poses[lane], joint, &fixed);
            sn_affine above = load_lane(world + crowd_at(skeleton->parents[joint], lane));
            sn_affine product = sn_affine_multiply(&above, &local);
            store_lane(world + crowd_at(joint, lane), &product);
        }
    }
}

static void crowd_multiply(const float *world, const uint32_t *at, const sn_affine *right,
                           uint32_t count, sn_affine *const *out) {
    for (uint32_t lane = 0; lane < SN_SCALAR_LANES; lane++)
        for (uint32_t i = 0; i < count; i++) {
            sn_affine left = load_lane(world + crowd_at(at[i], lane));
            out[lane][i] = right ? sn_affine_multiply(&left, &right[i]) : left;
        }
}

const sn_kernels sn_kernels_scalar = {
    .kernel = SN_KERNEL_SCALAR,
    .lanes = SN_SCALAR_LANES,
    .name = "scalar",
    .sample = sn_scalar_sample,
    .blend_two = blend_two,
    .blend = blend,
    .difference = difference,
    .hierarchy = hierarchy,
    .multiply = multiply,
    .crowd_hierarchy = crowd_hierarchy,
    .crowd_multiply = crowd_multiply,
};
