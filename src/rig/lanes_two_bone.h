/* Two-bone inverse kinematics written once over numbers, which are floats or vectors of them: the
 * including file defines number, mask, BATCH_LANES, splat, load, store, root_of, choose, absolute,
 * is_negative, negate_if and all_of.
 *
 * The formulas are those of reach.c, in a form that is sparing of roots and divisions. */

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

SN_INLINE vec choose_vec(mask m, vec a, vec b) {
    return (vec){choose(m, a.x, b.x), choose(m, a.y, b.y), choose(m, a.z, b.z)};
}

SN_INLINE vec across(vec v, vec unit) {
    return subtract(v, scale(unit, dot(unit, v)));
}

/* An axis that is far from the unit vector `u`. */
SN_INLINE vec axis_off(vec u) {
    number one = splat(1), zero = splat(0);
    mask is_off_x = absolute(u.x) < splat(0.6f);
    return (vec){choose(is_off_x, one, zero), choose(is_off_x, zero, one), zero};
}

/* Cosine and sine of half an angle, times a common factor, of its cosine and sine times `size`.
 * The larger of both is a sum of two positive numbers, so that nothing cancels. */
typedef struct half_angle {
    number cosine, sine;
} half_angle;

SN_INLINE half_angle halve(number size, number cosine, number sine) {
    mask is_obtuse = is_negative(cosine), is_backward = is_negative(sine);
    number larger = size + absolute(cosine);
    return (half_angle){choose(is_obtuse, absolute(sine), larger),
                        choose(is_obtuse, negate_if(is_backward, larger), sine)};
}

/* The triangle of the bones and the line from root to end. */
typedef struct triangle {
    number distance;     /* of the end from the root */
    number along, off;   /* cosine and sine of the angle from the line to the upper bone */
    number cosine, sine; /* of the flexion */
} triangle;

SN_INLINE number clamped_distance(number a, number b, number wanted) {
    number margin = splat(1e-4f) * choose(a < b, a, b);
    number low = absolute(a - b) + margin, high = a + b - margin;
    number raised = choose(wanted < low, low, wanted);
    return choose(raised > high, high, raised);
}

/* One plus and one minus the cosine of an angle are products of sums and differences of the sides,
 * and so is the square of the area (Heron's formula, see sn_triangle_make): whatever the shape,
 * nothing but a difference of sides cancels. */
SN_INLINE triangle make_triangle(number a, number b, number wanted) {
    number d = clamped_distance(a, b, wanted), sum = a + b, difference = a - b;
    number s = sum + d, t = sum - d, u = d + difference, v = d - difference;
    number su = s * u, tv = t * v, square = su * tv;
    number area = root_of(choose(square > splat(0), square, splat(0)));
    number per = splat(0.25f) / (a * b * d), per_ad = per * b, per_ab = per * d;
    area += area;
    return (triangle){.distance = d,
                      .along = (su - tv) * per_ad,
                      .off = area * per_ad,
                      .cosine = (u * v - s * t) * per_ab,
                      .sine = area * per_ab};
}

typedef struct quat {
    vec v;
    number w;
} quat;

/* Right-handed, at right angles, of unit length. */
typedef struct frame {
    vec x, y, z;
} frame;

/* The frame of the unit vector `x` and a normal to it of that length. In a product of two vectors
 * that are nearly parallel the rounding is not small: what it left along x is taken out. */
SN_INLINE frame make_frame(vec x, vec normal, number length) {
    vec z = across(scale(normal, splat(1) / length), x);
    return (frame){x, cross(z, x), z};
}

/* By the angle, from y to x. */
SN_INLINE frame turn_back(frame f, number cosine, number sine) {
    return (frame){subtract(scale(f.x, cosine), scale(f.y, sine)),
                   add(scale(f.y, cosine), scale(f.x, sine)), f.z};
}

/* A row of the matrix that takes one frame to another, of which `to` are the components. */
SN_INLINE vec matrix_row(frame from, number to_x, number to_y, number to_z) {
    return add(add(scale(from.x, to_x), scale(from.y, to_y)), scale(from.z, to_z));
}

/* The rotation that takes one frame to another. The component of which more than a quarter is sure
 * is found by two signs (M. Day, "Converting a Rotation Matrix to a Quaternion", 2015); the others
 * are quotients by it. */
SN_INLINE quat between(frame from, frame to) {
    vec r = matrix_row(from, to.x.x, to.y.x, to.z.x);
    vec s = matrix_row(from, to.x.y, to.y.y, to.z.y);
    vec t = matrix_row(from, to.x.z, to.y.z, to.z.z);
    mask is_flipped = is_negative(t.z);
    number rest = choose(is_flipped, r.x - s.y, r.x + s.y);
    mask is_second = is_negative(rest);
    number most = splat(1) + absolute(t.z) + absolute(rest);
    vec sum = {t.y + s.z, r.z + t.x, s.x + r.y}, difference = {t.y - s.z, r.z - t.x, s.x - r.y};
    number per = splat(0.5f) / root_of(most);
    vec v = {
        choose(is_flipped, choose(is_second, sum.z, most), choose(is_second, sum.y, difference.x)),
        choose(is_flipped, choose(is_second, most, sum.z), choose(is_second, sum.x, difference.y)),
        choose(is_flipped, choose(is_second, sum.x, sum.y), choose(is_second, most, difference.z))};
    number w = choose(is_flipped, choose(is_second, difference.y, difference.x),
                      choose(is_second, difference.z, most));
    return (quat){scale(v, per), w * per};
}

SN_INLINE vec load_vec(const float *const from[3], uint32_t at) {
    return (vec){load(from[0] + at), load(from[1] + at), load(from[2] + at)};
}

SN_INLINE void store_quat(float *const to[4], uint32_t at, quat q) {
    store(to[0] + at, q.v.x);
    store(to[1] + at, q.v.y);
    store(to[2] + at, q.v.z);
    store(to[3] + at, q.w);
}

SN_INLINE quat quat_or_none(mask is_solved, quat q) {
    vec zero = {splat(0), splat(0), splat(0)};
    return (quat){choose_vec(is_solved, q.v, zero), choose(is_solved, q.w, splat(1))};
}

/* A normal to `unit` and `v`, or `otherwise` where the sine of the angle between them is below 1e-4
 * and rounding would choose. */
SN_INLINE vec normal_of(vec v, vec unit, vec otherwise) {
    vec rest = across(v, unit);
    mask tells = dot(rest, rest) > splat(1e-8f) * dot(v, v);
    return choose_vec(tells, cross(rest, unit), otherwise);
}

/* With `careful` false it leaves out what a limb needs whose target is at its root, whose pole is
 * on the line to the target or whose base pose is straight, and one that cannot be solved. Returns
 * whether all limbs could do without. The others have the same bits either way.
 *
 * The roots come first: they take long, and none waits for another. */
SN_INLINE bool solve(const sn_two_bone_batch *batch, uint32_t at, bool careful) {
    vec upper = load_vec(batch->upper, at), fore = load_vec(batch->fore, at);
    vec target = load_vec(batch->target, at), pole = load_vec(batch->pole, at);
    vec normal_before = cross(upper, fore), normal = cross(pole, target);
    number a = root_of(dot(upper, upper)), b = root_of(dot(fore, fore)), one = splat(1);
    number wanted = root_of(dot(target, target));
    number size = root_of(dot(normal, normal)), cosine_before = dot(upper, fore);
    number sine_before = root_of(dot(normal_before, normal_before)), sum = a + b;
    mask has_direction = wanted > splat(1e-12f) * sum;
    mask has_side = has_direction & (size > splat(1e-3f) * absolute(dot(pole, target)));
    mask has_hinge = sine_before > splat(1e-3f) * absolute(cosine_before);

    vec from_upper = scale(upper, one / a), direction = scale(target, one / wanted);
    if (careful) {
        vec end = add(upper, fore);
        number length = root_of(dot(end, end));
        vec rest = choose_vec(length > splat(1e-6f) * sum, scale(end, one / length), from_upper);
        direction = choose_vec(has_direction, direction, rest);
        rest = normal_of(upper, direction, cross(axis_off(direction), direction));
        normal = choose_vec(has_side, normal, normal_of(pole, direction, rest));
        size = root_of(dot(normal, normal));
    }
    /* The line to the target and the pole span the plane of the bones. Its x is the line, its y is
     * away from the pole: on that side the fore bone comes back to the line. */
    triangle t = make_triangle(a, b, wanted);
    frame to = turn_back(make_frame(direction, normal, size), t.along, t.off);
    frame from = make_frame(from_upper, normal_before, sine_before);
    if (careful) { /* straight: whichever hinge the solution has */
        vec other = cross(axis_off(from_upper), from_upper);
        other = normal_of(cross(from_upper, to.z), from_upper, other);
        other = choose_vec(has_hinge, normal_before, other);
        from = make_frame(from_upper, other, root_of(dot(other, other)));
        sine_before = choose(has_hinge, sine_before, dot(normal_before, from.z));
    }

    quat root = between(from, to);
    half_angle half = halve(a * b, t.cosine * cosine_before + t.sine * sine_before,
                            t.sine * cosine_before - t.cosine * sine_before);
    number reciprocal = one / root_of(half.cosine * half.cosine + half.sine * half.sine);
    quat middle = {scale(from.z, half.sine * reciprocal), half.cosine * reciprocal};
    number residual = absolute(wanted - t.distance);
    if (careful) {
        /* Of numbers that are not finite, or none, the difference to themselves is not 0. */
        number all = a + b + wanted + dot(pole, pole) + one / a + one / b;
        mask is_solved = (all - all) == splat(0);
        root = quat_or_none(is_solved, root);
        middle = quat_or_none(is_solved, middle);
        residual = choose(is_solved, residual, splat(-1));
    }
    store_quat(batch->root, at, root);
    store_quat(batch->middle, at, middle);
    store(batch->residual + at, residual);
    return all_of(has_side & has_hinge); /* false with what is not finite, too */
}

static __attribute__((noinline)) void solve_carefully(const sn_two_bone_batch *batch, uint32_t at) {
    solve(batch, at, true);
}

static void solve_all(const sn_two_bone_batch *batch) {
    for (uint32_t at = 0; at < batch->count; at += BATCH_LANES)
        if (!solve(batch, at, false))
            solve_carefully(batch, at);
}
