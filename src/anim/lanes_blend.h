/* Blending poses, over SN_LANES joints at once. Included by one source an instruction set. */
#include "anim/skeleton.h"

SN_INLINE const float *group_of(sn_pose pose, size_t group) {
    return pose.data + group * (SN_POSE_VECTORS * SN_LANES);
}

SN_INLINE float *group_to(sn_pose pose, size_t group) {
    return pose.data + group * (SN_POSE_VECTORS * SN_LANES);
}

SN_INLINE void load_vectors(const float *from, uint32_t count, sn_vf *out) {
    for (uint32_t i = 0; i < count; i++)
        out[i] = sn_load(from + i * SN_LANES);
}

SN_INLINE void store_vectors(float *to, uint32_t count, const sn_vf *value) {
    for (uint32_t i = 0; i < count; i++)
        sn_store(to + i * SN_LANES, value[i]);
}

SN_INLINE void normalize_rotation(sn_vf q[4]) {
    sn_vf scale = 1.0f / sn_sqrt(sn_dot4(q, q));
    for (int i = 0; i < 4; i++)
        q[i] *= scale;
}

/* Two ordinary layers without masks, by far the most frequent blend. b has the share `share`, not
 * the larger one; only the ratio of the weights matters for rotations. As both are of unit length,
 * the cosine between them gives the length of p + ratio q, sqrt(1 + ratio^2 + 2 ratio cosine),
 * before the sum is there. Rotations go first and the rest after, so that more of the slow square
 * roots and divisions are under way at once. */
static void blend_two(uint32_t group_count, sn_pose a, sn_pose b, float share, sn_pose out) {
    float ratio = share / (1 - share);
    for (size_t group = 0; group < group_count; group++) {
        sn_vf p[4], q[4];
        load_vectors(group_of(a, group), 4, p);
        load_vectors(group_of(b, group), 4, q);
        sn_vf cosine = sn_dot4(p, q);
        sn_vi flip = sn_sign(cosine);
        sn_vf square = (1 + ratio * ratio) + 2 * ratio * sn_xor(cosine, flip);
        sn_vf scale = 1.0f / sn_sqrt(square), turned = sn_xor(sn_splat(ratio), flip);
        for (int i = 0; i < 4; i++)
            p[i] = (p[i] + q[i] * turned) * scale;
        store_vectors(group_to(out, group), 4, p);
    }
    for (size_t group = 0; group < group_count; group++) {
        const float *from = group_of(a, group), *with = group_of(b, group);
        float *to = group_to(out, group);
        for (size_t i = SN_POSE_TRANSLATION; i < SN_POSE_VECTORS; i++) {
            sn_vf v = sn_load(from + i * SN_LANES), w = sn_load(with + i * SN_LANES);
            sn_store(to + i * SN_LANES, v - (v - w) * share); /* exact where both are equal */
        }
    }
}

SN_INLINE sn_vf layer_weight(const sn_blend_layer *layer, size_t group) {
    sn_vf weight = sn_splat(layer->weight);
    if (layer->joint_mask)
        weight *= *(const sn_vf_unaligned *)(layer->joint_mask + group * SN_LANES);
    return weight;
}

/* Adds one ordinary layer to the sums. Its rotation is turned to the hemisphere of the sum so far.
 */
SN_INLINE void add_layer(const sn_blend_layer *layer, size_t group, sn_vf sum[SN_POSE_VECTORS],
                         sn_vf *total) {
    sn_vf weight = layer_weight(layer, group), v[SN_POSE_VECTORS];
    load_vectors(group_of(layer->pose, group), SN_POSE_VECTORS, v);
    sn_vi is_opposite = (sn_vi)(sn_dot4(sum, v) < 0.0f); /* unlike a sum of nothing, -0 or 0 */
    sn_vf turned = sn_select(is_opposite, -weight, weight);
    for (int i = 0; i < SN_POSE_VECTORS; i++)
        sum[i] += v[i] * (i < SN_POSE_TRANSLATION ? turned : weight);
    *total += weight;
}

SN_INLINE void multiply_rotation(const sn_vf a[4], const sn_vf b[4], sn_vf out[4]) {
    out[0] = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    out[1] = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
    out[2] = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
    out[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

/* Puts a difference on top: its rotation from the identity to itself by the layer's weight. */
SN_INLINE void apply_difference(const sn_blend_layer *layer, size_t group,
                                sn_vf value[SN_POSE_VECTORS]) {
    sn_vf weight = layer_weight(layer, group), d[SN_POSE_VECTORS], rotation[4];
    load_vectors(group_of(layer->pose, group), SN_POSE_VECTORS, d);
    sn_vf turned = sn_xor(weight, sn_sign(d[3]));
    for (int i = 0; i < 4; i++)
        d[i] *= turned;
    d[3] += 1.0f - weight;
    normalize_rotation(d);
    multiply_rotation(value, d, rotation);
    for (int i = 0; i < 4; i++)
        value[i] = rotation[i];
    for (int i = SN_POSE_TRANSLATION; i < SN_POSE_SCALE; i++)
        value[i] += d[i] * weight;
    for (int i = SN_POSE_SCALE; i < SN_POSE_VECTORS; i++)
        value[i] *= 1.0f + (d[i] - 1.0f) * weight;
}

static void blend(uint32_t group_count, sn_pose base, const sn_blend_layer *layers,
                  size_t layer_count, sn_pose out) {
    for (size_t group = 0; group < group_count; group++) {
        sn_vf sum[SN_POSE_VECTORS] = {0}, total = {0}, value[SN_POSE_VECTORS];
        for (size_t i = 0; i < layer_count; i++)
            if (!layers[i].additive && layers[i].weight > 0)
                add_layer(&layers[i], group, sum, &total);
        load_vectors(group_of(base, group), SN_POSE_VECTORS, value);
        sn_vi is_reached = (sn_vi)(total > 0.0f);
        sn_vf share = 1.0f / total;
        normalize_rotation(sum);
        for (int i = SN_POSE_TRANSLATION; i < SN_POSE_VECTORS; i++)
            sum[i] *= share;
        for (int i = 0; i < SN_POSE_VECTORS; i++)
            value[i] = sn_select(is_reached, sum[i], value[i]);
        for (size_t i = 0; i < layer_count; i++)
            if (layers[i].additive && layers[i].weight > 0)
                apply_difference(&layers[i], group, value);
        store_vectors(group_to(out, group), SN_POSE_VECTORS, value);
    }
}

/* rotation: inverse of the reference's, then the pose's; translation: the step; scale: the ratio.
 */
static void difference(uint32_t group_count, sn_pose pose, sn_pose reference, sn_pose out) {
    for (size_t group = 0; group < group_count; group++) {
        sn_vf v[SN_POSE_VECTORS], r[SN_POSE_VECTORS], rotation[4];
        load_vectors(group_of(pose, group), SN_POSE_VECTORS, v);
        load_vectors(group_of(reference, group), SN_POSE_VECTORS, r);
        for (int i = 0; i < 3; i++)
            r[i] = -r[i];
        multiply_rotation(r, v, rotation);
        for (int i = 0; i < 4; i++)
            v[i] = rotation[i];
        for (int i = SN_POSE_TRANSLATION; i < SN_POSE_SCALE; i++)
            v[i] -= r[i];
        for (int i = SN_POSE_SCALE; i < SN_POSE_VECTORS; i++)
            v[i] = sn_select((sn_vi)(r[i] != 0.0f), v[i] / r[i], sn_splat(1));
        store_vectors(group_to(out, group), SN_POSE_VECTORS, v);
    }
}
