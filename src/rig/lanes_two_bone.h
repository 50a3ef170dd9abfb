/* Two-bone inverse kinematics written once over numbers, which are floats or vectors of them: the
 * including file defines number, mask, BATCH_LANES, splat, load, store, root_of and choose. The
 * formulas are those of reach.c and dquat.h, with choices in place of branches. */

typedef struct vec {
    number x, y, z;
} vec;

SN_INLINE vec add(vec a, vec b) {
    return (vec){a.x + b.x, a.y + b.y, a.z + b.z};
}

SN_INLINE vec subtract(vec a, vec b) {
    return (vec){a.x - b.x, a.y - b.y, a.z - b.z};
}

SN_INLINE vec scale(vec a, number s) {
    return (vec){a.x * s, a.y * s, a.z * s};
}

SN_INLINE number dot(vec a, vec b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

SN_INLINE vec cross(vec a, vec b) {
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

SN_INLINE number length_of(vec a) {
    return root_of(dot(a, a));
}

SN_INLINE vec choose_vec(mask m, vec a, vec b) {
    return (vec){choose(m, a.x, b.x), choose(m, a.y, b.y), choose(m, a.z, b.z)};
}

SN_INLINE vec unit(vec a) {
    return scale(a, splat(1) / length_of(a));
}

SN_INLINE vec across(vec v, vec u) {
    return subtract(v, scale(u, dot(u, v)));
}

SN_INLINE number absolute(number x) {
    return choose(x < splat(0), -x, x);
}

/* Some vector at right angles to `u`, not short. */
SN_INLINE vec any_across(vec u) {
    number one = splat(1), zero = splat(0);
    mask is_off_x = absolute(u.x) < splat(0.6f);
    return across((vec){choose(is_off_x, one, zero), choose(is_off_x, zero, one), zero}, u);
}

/* What `v` has at right angles to `u`, or `otherwise` where the sine of the angle between them is
 * below 1e-4 and rounding would choose the side. */
SN_INLINE vec side(vec v, vec u, vec otherwise) {
    vec rest = across(v, u);
    mask tells = dot(rest, rest) > splat(1e-8f) * dot(v, v);
    return choose_vec(tells, rest, otherwise);
}

/* Once more and of unit length: of a short rest, what the first subtraction rounded is not small.
 */
SN_INLINE vec unit_across(vec rest, vec u) {
    return unit(across(rest, u));
}

typedef struct half_angle {
    number cosine, sine;
} half_angle;

/* Of an angle given by its cosine and sine; the larger of the two halves is a root, the other a
 * quotient by it, so that nothing cancels. */
SN_INLINE half_angle halve(number cosine, number sine) {
    mask is_acute = cosine >= splat(0);
    number larger = root_of((splat(1) + absolute(cosine)) * splat(0.5f));
    number smaller = sine / (larger + larger);
    number flipped = choose(smaller < splat(0), -larger, larger);
    return (half_angle){choose(is_acute, larger, absolute(smaller)),
                        choose(is_acute, smaller, flipped)};
}

typedef struct quat {
    vec v;
    number w;
} quat;

SN_INLINE quat multiply(quat a, quat b) {
    return (quat){add(add(scale(b.v, a.w), scale(a.v, b.w)), cross(a.v, b.v)),
                  a.w * b.w - dot(a.v, b.v)};
}

SN_INLINE quat unit_quat(quat q) {
    number reciprocal = splat(1) / root_of(dot(q.v, q.v) + q.w * q.w);
    return (quat){scale(q.v, reciprocal), q.w * reciprocal};
}

SN_INLINE vec rotate(quat q, vec v) {
    vec once = cross(q.v, v), twice = add(once, once);
    return add(add(v, scale(twice, q.w)), cross(q.v, twice));
}

/* The shortest rotation between unit vectors; at a half turn that about `half_turn`. Sum and
 * difference are twice the cosine and the sine of the half angle. */
SN_INLINE quat from_to(vec from, vec to, vec half_turn) {
    vec sum = add(from, to), difference = subtract(from, to);
    number cosine = length_of(sum), sine = length_of(difference);
    vec axis = cross(difference, sum);
    number size = length_of(axis), half = splat(0.5f);
    mask has_axis = size > splat(0);
    number share = half * sine / choose(has_axis, size, splat(1));
    number is_opposite = choose(cosine < sine, splat(1), splat(0));
    return (quat){choose_vec(has_axis, scale(axis, share), scale(half_turn, is_opposite)),
                  choose(has_axis, half * cosine, splat(1) - is_opposite)};
}

SN_INLINE vec load_vec(const float *const from[3], uint32_t at) {
    return (vec){load(from[0] + at), load(from[1] + at), load(from[2] + at)};
}

SN_INLINE void store_quat(float *const to[4], uint32_t at, mask is_solved, quat q) {
    store(to[0] + at, choose(is_solved, q.v.x, splat(0)));
    store(to[1] + at, choose(is_solved, q.v.y, splat(0)));
    store(to[2] + at, choose(is_solved, q.v.z, splat(0)));
    store(to[3] + at, choose(is_solved, q.w, splat(1)));
}

SN_INLINE void solve(const sn_two_bone_batch *batch, uint32_t at) {
    vec upper = load_vec(batch->upper, at), fore = load_vec(batch->fore, at);
    vec target = load_vec(batch->target, at), pole = load_vec(batch->pole, at);
    number a = length_of(upper), b = length_of(fore), wanted = length_of(target);
    vec from_upper = scale(upper, splat(1) / a), from_fore = scale(fore, splat(1) / b);

    number sum = a + b, difference = a - b;
    number margin = splat(1e-4f) * choose(a < b, a, b);
    number low = absolute(difference) + margin, high = sum - margin;
    number distance = choose(wanted > high, high, choose(wanted < low, low, wanted));
    vec end = add(upper, fore);
    number end_length = length_of(end);
    vec rest =
        choose_vec(end_length > splat(1e-6f) * sum, scale(end, splat(1) / end_length), from_upper);
    vec direction =
        choose_vec(wanted > splat(1e-12f) * sum, scale(target, splat(1) / wanted), rest);
    vec sides = side(pole, direction, side(upper, direction, any_across(direction)));
    vec bend = unit_across(sides, direction);

    number square =
        (sum + distance) * (sum - distance) * (distance + difference) * (distance - difference);
    number off = root_of(choose(square > splat(0), square, splat(0))) / (distance + distance);
    number along = (distance + difference * (sum / distance)) * splat(0.5f);
    vec to_middle = add(scale(direction, along), scale(bend, off));
    vec to_upper = unit(to_middle);
    vec to_fore = unit(subtract(scale(direction, distance), to_middle));
    vec to_hinge = cross(bend, direction);

    vec hinge = cross(from_upper, from_fore);
    hinge = choose_vec(dot(hinge, hinge) > splat(1e-6f), hinge,
                       side(to_hinge, from_upper, any_across(from_upper)));
    hinge = unit_across(hinge, from_upper);

    quat swing = from_to(from_upper, to_upper, hinge);
    vec swung = rotate(swing, hinge);
    half_angle half = halve(dot(swung, to_hinge), dot(cross(swung, to_hinge), to_upper));
    quat roll = {scale(to_upper, half.sine), half.cosine};
    quat root = unit_quat(multiply(roll, swing));

    number cosine_before = dot(from_upper, from_fore);
    number sine_before = dot(cross(from_upper, from_fore), hinge);
    number cosine_after = dot(to_upper, to_fore);
    number sine_after = dot(cross(to_upper, to_fore), to_hinge);
    half = halve(cosine_after * cosine_before + sine_after * sine_before,
                 sine_after * cosine_before - cosine_after * sine_before);
    quat middle = unit_quat((quat){scale(hinge, half.sine), half.cosine});

    /* Of numbers that are not finite, or none, the difference to themselves is not 0. */
    number all = a + b + wanted + dot(pole, pole) + splat(1) / a + splat(1) / b;
    mask is_solved = (all - all) == splat(0);
    store_quat(batch->root, at, is_solved, root);
    store_quat(batch->middle, at, is_solved, middle);
    store(batch->residual + at, choose(is_solved, absolute(wanted - distance), splat(-1)));
}

static void solve_all(const sn_two_bone_batch *batch) {
    for (uint32_t at = 0; at < batch->count; at += BATCH_LANES)
        solve(batch, at);
}
