/* Sampling a clip view, over SN_LANES joints at once. Included by one source an instruction set. */
#include <string.h>

#include "anim/clip_view.h"
#include "anim/slerp.h"

/* A run of blocks of a section, all full (`masks` is NULL) or none. */
typedef struct block_run {
    const uint32_t *offsets;
    const sn_lane_mask *masks;
    size_t count;
} block_run;

SN_INLINE block_run full_blocks(const sn_section *section) {
    return (block_run){section->offsets, NULL, section->full_count};
}

SN_INLINE block_run partial_blocks(const sn_section *section) {
    return (block_run){section->offsets + section->full_count, section->masks,
                       section->block_count - section->full_count};
}

SN_INLINE void store_masked(float *to, const sn_lane_mask *mask, const sn_vf *value,
                            uint32_t width) {
    sn_vi lanes;
    memcpy(&lanes, mask->lanes, sizeof lanes);
    for (uint32_t i = 0; i < width; i++)
        sn_store(to + i * SN_LANES, sn_select(lanes, value[i], sn_load(to + i * SN_LANES)));
}

SN_INLINE void store_block(const block_run *run, size_t block, const sn_vf *value, uint32_t width,
                           float *pose) {
    float *to = pose + run->offsets[block];
    if (run->masks)
        store_masked(to, &run->masks[block], value, width);
    else
        for (uint32_t i = 0; i < width; i++)
            sn_store(to + i * SN_LANES, value[i]);
}

/* ---- LINEAR rotations ---- */

SN_INLINE int factors_of(sn_slerp_kind kind) {
    return kind == SN_SLERP_CLOSE ? SN_SLERP_FEW : SN_SLERP_MOST;
}

SN_INLINE bool halves_arc(sn_slerp_kind kind) {
    return kind >= SN_SLERP_WIDE;
}

/* Coefficients of a weight as a polynomial in cos(angle) - 1, for the times t and 1 - t; see
 * slerp.h. Where the arc is halved, t is the time from its nearer end to its middle. */
typedef struct slerp_weights {
    sn_vf t;
    sn_vf to[SN_SLERP_MOST + 1], from[SN_SLERP_MOST + 1];
    sn_vi is_second_half;
} slerp_weights;

SN_INLINE void running_products(sn_vf t, int factors, sn_vf *out) {
    sn_vf square = t * t;
    out[0] = t;
    for (int i = 0; i < factors; i++)
        out[i + 1] = out[i] * (square * sn_slerp_u[i] - sn_slerp_v[i]);
}

SN_INLINE void make_slerp_weights(sn_vf t, sn_slerp_kind kind, slerp_weights *out) {
    out->t = t;
    if (halves_arc(kind)) {
        out->is_second_half = (sn_vi)(t >= 0.5f);
        t = sn_select(out->is_second_half, 1.0f - t, t);
        t += t;
    }
    running_products(t, factors_of(kind), out->to);
    running_products(1.0f - t, factors_of(kind), out->from);
}

SN_INLINE sn_vf polynomial(const sn_vf *coefficients, int degree, sn_vf x) {
    sn_vf sum = coefficients[degree];
    for (int i = degree; i-- > 0;)
        sum = sum * x + coefficients[i];
    return sum;
}

SN_INLINE void weights_at(const slerp_weights *weights, sn_slerp_kind kind, sn_vf dot, sn_vf *from,
                          sn_vf *to) {
    int factors = factors_of(kind);
    if (!halves_arc(kind)) {
        sn_vf x = dot - 1.0f;
        *from = polynomial(weights->from, factors, x);
        *to = polynomial(weights->to, factors, x);
        return;
    }
    sn_vf half = sn_sqrt((dot + 1.0f) * 0.5f), x = half - 1.0f;
    sn_vf farther = polynomial(weights->to, factors, x) * (0.5f / half);
    sn_vf nearer = polynomial(weights->from, factors, x) + farther;
    *from = sn_select(weights->is_second_half, farther, nearer);
    *to = sn_select(weights->is_second_half, nearer, farther);
}

/* a and b are in one hemisphere: a view keeps them so. */
SN_INLINE void slerp(const sn_vf a[4], const sn_vf b[4], const slerp_weights *weights,
                     sn_slerp_kind kind, sn_vf out[4]) {
    sn_vf dot = sn_dot4(a, b), from, to;
    weights_at(weights, kind, dot, &from, &to);
    sn_vi is_near = (sn_vi)(dot >= SN_SLERP_NEAR_COSINE);
    if (kind == SN_SLERP_LOOSE) {
        from = sn_select(is_near, 1.0f - weights->t, from);
        to = sn_select(is_near, weights->t, to);
    }
    for (int i = 0; i < 4; i++)
        out[i] = a[i] * from + b[i] * to;
    if (kind != SN_SLERP_LOOSE)
        return;
    sn_vi is_equal = (sn_vi)(a[0] == b[0]) & (sn_vi)(a[1] == b[1]) & (sn_vi)(a[2] == b[2]) &
                     (sn_vi)(a[3] == b[3]);
    sn_vf scale = sn_select(is_near, 1.0f / sn_sqrt(sn_dot4(out, out)), sn_splat(1));
    for (int i = 0; i < 4; i++)
        out[i] = sn_select(is_equal, a[i], out[i] * scale);
}

SN_INLINE void slerp_run(block_run run, const float *a, const float *b,
                         const slerp_weights *weights, sn_slerp_kind kind, float *pose) {
    for (size_t block = 0; block < run.count; block++) {
        sn_vf from[4], to[4], out[4];
        for (size_t i = 0; i < 4; i++) {
            from[i] = sn_load(a + i * SN_LANES);
            to[i] = sn_load(b + i * SN_LANES);
        }
        slerp(from, to, weights, kind, out);
        store_block(&run, block, out, 4, pose);
        a += 4 * SN_LANES;
        b += 4 * SN_LANES;
    }
}

SN_INLINE void slerp_section(const sn_section *section, const float *a, const float *b, sn_vf t,
                             sn_slerp_kind kind, float *pose) {
    slerp_weights weights;
    make_slerp_weights(t, kind, &weights);
    size_t skip = section->full_count * (size_t)(4 * SN_LANES);
    if (kind == SN_SLERP_CLOSE) { /* the usual case has code of its own for full blocks */
        slerp_run(full_blocks(section), a, b, &weights, kind, pose);
        slerp_run(partial_blocks(section), a + skip, b + skip, &weights, kind, pose);
        return;
    }
    const block_run runs[] = {full_blocks(section), partial_blocks(section)};
    for (int i = 0; i < 2; i++, a += skip, b += skip)
        slerp_run(runs[i], a, b, &weights, kind, pose);
}

/* ---- LINEAR translations and scales ---- */

SN_INLINE sn_vf lerp(sn_vf a, sn_vf b, sn_vf t) {
    return a - (a - b) * t; /* exact where two keys are equal: what is held stays */
}

SN_INLINE void lerp_run(block_run run, const float *a, const float *b, sn_vf t, float *pose) {
    for (size_t block = 0; block < run.count; block++) {
        sn_vf out[3];
        for (size_t i = 0; i < 3; i++)
            out[i] = lerp(sn_load(a + i * SN_LANES), sn_load(b + i * SN_LANES), t);
        store_block(&run, block, out, 3, pose);
        a += 3 * SN_LANES;
        b += 3 * SN_LANES;
    }
}

SN_INLINE void lerp_section(const sn_section *section, const float *a, const float *b, sn_vf t,
                            float *pose) {
    size_t skip = section->full_count * (size_t)(3 * SN_LANES);
    lerp_run(full_blocks(section), a, b, t, pose);
    lerp_run(partial_blocks(section), a + skip, b + skip, t, pose);
}

/* ---- STEP ---- */

SN_INLINE void copy_run(block_run run, const float *from, uint32_t width, float *pose) {
    for (size_t block = 0; block < run.count; block++) {
        sn_vf out[4];
        for (size_t i = 0; i < width; i++)
            out[i] = sn_load(from + i * SN_LANES);
        store_block(&run, block, out, width, pose);
        from += width * SN_LANES;
    }
}

/* ---- CUBICSPLINE (glTF 2.0, C.5) ---- */

typedef struct cubic_weights {
    sn_vf value, tangent_out, next_value, next_tangent_in;
} cubic_weights;

/* Tangents are in units a second, so theirs are multiplied by the segment's length. */
SN_INLINE cubic_weights make_cubic_weights(sn_vf t, sn_vf length) {
    sn_vf t2 = t * t, t3 = t2 * t;
    sn_vf next_value = 3.0f * t2 - 2.0f * t3;
    return (cubic_weights){
        .value = 1.0f - next_value,
        .tangent_out = length * (t3 - 2.0f * t2 + t),
        .next_value = next_value,
        .next_tangent_in = length * (t3 - t2),
    };
}

SN_INLINE sn_vf cubic(const cubic_weights *w, sn_vf value, sn_vf tangent_out, sn_vf next_value,
                      sn_vf next_tangent_in) {
    return w->value * value + w->tangent_out * tangent_out + w->next_value * next_value +
           w->next_tangent_in * next_tangent_in;
}

/* A rotation that vanishes becomes the identity, as in sn_track_evaluate. */
SN_INLINE void normalize(sn_vf q[4]) {
    sn_vf square = sn_dot4(q, q);
    sn_vi has_length = (sn_vi)(square > 0.0f);
    sn_vf scale = 1.0f / sn_sqrt(square);
    for (int i = 0; i < 4; i++)
        q[i] = sn_select(has_length, q[i] * scale, sn_splat(i == 3 ? 1 : 0));
}

/* `row` is the first of a frame's three rows, of `stride` floats each; `next` those of the next. */
SN_INLINE void cubic_run(block_run run, const float *row, const float *next, size_t stride,
                         const cubic_weights *weights, uint32_t width, float *pose) {
    for (size_t block = 0; block < run.count; block++) {
        sn_vf out[4];
        for (size_t i = 0; i < width; i++) {
            size_t at = (block * width + i) * SN_LANES;
            out[i] = cubic(weights, sn_load(row + stride + at), sn_load(row + 2 * stride + at),
                           sn_load(next + stride + at), sn_load(next + at));
        }
        if (width == 4)
            normalize(out);
        store_block(&run, block, out, width, pose);
    }
}

/* ---- Streams ---- */

static void sample_linear(const sn_clip_view *view, const sn_stream *stream,
                          const sn_segment *segment, float *pose) {
    const sn_section *sections = stream->sections;
    const float *a = stream->frames + (size_t)segment->index * stream->row_floats;
    const float *b = stream->frames + (size_t)segment->next * stream->row_floats;
    sn_vf t = sn_splat(segment->elapsed / segment->length);
    const sn_section *rotation = &sections[SN_PART_ROTATION];
    switch (view->slerp_kind) { /* each call becomes code of its own */
    case SN_SLERP_CLOSE:
        slerp_section(rotation, a, b, t, SN_SLERP_CLOSE, pose);
        break;
    case SN_SLERP_WIDE:
        slerp_section(rotation, a, b, t, SN_SLERP_WIDE, pose);
        break;
    case SN_SLERP_LOOSE:
        slerp_section(rotation, a, b, t, SN_SLERP_LOOSE, pose);
        break;
    }
    size_t skip = rotation->block_count * (size_t)(4 * SN_LANES);
    lerp_section(&sections[SN_PART_TRANSLATION], a + skip, b + skip, t, pose);
    skip += sections[SN_PART_TRANSLATION].block_count * (size_t)(3 * SN_LANES);
    lerp_section(&sections[SN_PART_SCALE], a + skip, b + skip, t, pose);
}

static void sample_step(const sn_stream *stream, uint32_t frame, float *pose) {
    const float *from = stream->frames + (size_t)frame * stream->row_floats;
    for (int i = 0; i < SN_PARTS; i++) {
        const sn_section *section = &stream->sections[i];
        uint32_t width = i == SN_PART_ROTATION ? 4 : 3;
        copy_run(full_blocks(section), from, width, pose);
        from += section->full_count * (size_t)(width * SN_LANES);
        copy_run(partial_blocks(section), from, width, pose);
        from += (section->block_count - section->full_count) * (size_t)(width * SN_LANES);
    }
}

static void sample_cubic(const sn_stream *stream, const sn_segment *segment, float *pose) {
    size_t stride = stream->row_floats;
    const float *row = stream->frames + segment->index * 3 * stride;
    const float *next = stream->frames + segment->next * 3 * stride;
    cubic_weights weights =
        make_cubic_weights(sn_splat(segment->elapsed / segment->length), sn_splat(segment->length));
    for (int i = 0; i < SN_PARTS; i++) {
        const block_run runs[] = {full_blocks(&stream->sections[i]),
                                  partial_blocks(&stream->sections[i])};
        for (int k = 0; k < 2; k++) {
            uint32_t width = i == SN_PART_ROTATION ? 4 : 3;
            if (width == 4)
                cubic_run(runs[k], row, next, stride, &weights, 4, pose);
            else
                cubic_run(runs[k], row, next, stride, &weights, 3, pose);
            row += runs[k].count * (size_t)(width * SN_LANES);
            next += runs[k].count * (size_t)(width * SN_LANES);
        }
    }
}

/* ---- Channels with times of their own ---- */

/* The keys on both sides of the time, in each lane. */
typedef struct lane_keys {
    const float *keys[SN_LANES], *next[SN_LANES];
    sn_vi is_inside; /* not before the first key, nor after the last, nor STEP */
} lane_keys;

SN_INLINE sn_vf load_lanes(const float lanes[]) {
    return *(const sn_vf_unaligned *)lanes;
}

/* `firsts` are the block's slots in the row of the grid that `time` is in; one of both is NULL. */
SN_INLINE void find_keys(const sn_channel_block *block, const uint16_t *firsts,
                         const uint32_t *wide_firsts, float time, float clamped, lane_keys *out) {
    sn_vf at = sn_splat(time);
    memcpy(&out->is_inside, block->moves.lanes, sizeof out->is_inside);
    out->is_inside &=
        (sn_vi)(at >= load_lanes(block->first)) & (sn_vi)(at < load_lanes(block->last));
    int32_t to_next[SN_LANES];
    sn_vi strides = out->is_inside & (int32_t)block->stride;
    memcpy(to_next, &strides, sizeof to_next);
    for (uint32_t lane = 0; lane < SN_LANES; lane++) {
        size_t first = firsts ? firsts[lane] : wide_firsts[lane];
        const float *key = sn_channel_search(block->keys[lane] + first * block->stride,
                                             block->steps[lane], block->stride, clamped);
        out->keys[lane] = key;
        out->next[lane] = key + to_next[lane];
    }
}

/* Row `row` of the keys of all lanes, as vectors of components. */
SN_INLINE void gather(const float *const keys[SN_LANES], uint32_t row, sn_vf out[4]) {
    sn_vf rows[4];
    for (int i = 0; i < 4; i++) {
#if SN_LANES == 8
        rows[i] = sn_join(sn_f4_load(keys[i] + row * 4), sn_f4_load(keys[i + 4] + row * 4));
#else
        rows[i] = sn_f4_load(keys[i] + row * 4);
#endif
    }
    sn_transpose(rows, out);
}

/* The float `at` of the keys of all lanes. */
SN_INLINE sn_vf gather_one(const float *const keys[SN_LANES], size_t at) {
#if SN_LANES == 8
    return (sn_vf){keys[0][at], keys[1][at], keys[2][at], keys[3][at],
                   keys[4][at], keys[5][at], keys[6][at], keys[7][at]};
#else
    return (sn_vf){keys[0][at], keys[1][at], keys[2][at], keys[3][at]};
#endif
}

/* As sn_segment has them. */
typedef struct lane_times {
    sn_vf elapsed, length;
} lane_times;

SN_INLINE lane_times times_of(const lane_keys *found, float time, sn_vf start, sn_vf end) {
    return (lane_times){
        .elapsed = (sn_vf)((sn_vi)(sn_splat(time) - start) & found->is_inside),
        .length = sn_select(found->is_inside, end - start, sn_splat(1)),
    };
}

SN_INLINE void slerp_block(const lane_keys *found, float time, sn_slerp_kind kind, sn_vf out[4]) {
    sn_vf a[4], b[4];
    gather(found->keys, 0, a);
    gather(found->next, 0, b);
    lane_times times =
        times_of(found, time, gather_one(found->keys, 4), gather_one(found->next, 4));
    slerp_weights weights;
    make_slerp_weights(times.elapsed / times.length, kind, &weights);
    slerp(a, b, &weights, kind, out);
}

SN_INLINE void lerp_block(const lane_keys *found, float time, sn_vf out[4]) {
    sn_vf a[4], b[4];
    gather(found->keys, 0, a);
    gather(found->next, 0, b);
    lane_times times = times_of(found, time, a[3], b[3]);
    sn_vf t = times.elapsed / times.length;
    for (int i = 0; i < 3; i++)
        out[i] = lerp(a[i], b[i], t);
}

SN_INLINE void cubic_block(const sn_channel_block *block, const lane_keys *found, float time,
                           sn_vf out[4]) {
    sn_vf value[4], tangent_out[4], next_value[4], next_tangent_in[4];
    gather(found->keys, 1, value);
    gather(found->keys, 2, tangent_out);
    gather(found->next, 1, next_value);
    gather(found->next, 0, next_tangent_in);
    lane_times times = times_of(found, time, gather_one(found->keys, block->stride - 1),
                                gather_one(found->next, block->stride - 1));
    cubic_weights weights = make_cubic_weights(times.elapsed / times.length, times.length);
    for (int i = 0; i < 4; i++)
        out[i] = cubic(&weights, value[i], tangent_out[i], next_value[i], next_tangent_in[i]);
    if (block->vector_count == 4)
        normalize(out);
}

static void sample_channels(const sn_clip_view *view, float time, float *pose) {
    const sn_bucket_grid *grid = &view->grid;
    float clamped = sn_bucket_grid_clamp(grid, time);
    size_t slot = (size_t)sn_bucket_of(grid, clamped) * grid->slot_count;
    for (uint32_t i = 0; i < view->channel_block_count; i++, slot += SN_LANES) {
        const sn_channel_block *block = &view->channel_blocks[i];
        lane_keys found;
        find_keys(block, grid->firsts ? grid->firsts + slot : NULL,
                  grid->firsts ? NULL : grid->wide_firsts + slot, time, clamped, &found);
        sn_vf out[4];
        if (block->is_cubic)
            cubic_block(block, &found, time, out);
        else if (block->vector_count == 3)
            lerp_block(&found, time, out);
        else if (view->slerp_kind == SN_SLERP_CLOSE)
            slerp_block(&found, time, SN_SLERP_CLOSE, out);
        else if (view->slerp_kind == SN_SLERP_WIDE)
            slerp_block(&found, time, SN_SLERP_WIDE, out);
        else
            slerp_block(&found, time, SN_SLERP_LOOSE, out);
        store_masked(pose + block->offset, &block->mask, out, block->vector_count);
    }
}

/* ---- The whole view ---- */

static void sample(const sn_clip_view *view, float time, float *pose) {
    for (uint32_t i = 0; i < view->base_run_count; i++) {
        const sn_base_run *run = &view->base_runs[i];
        for (uint32_t at = run->offset; at < run->offset + run->count; at += SN_LANES)
            sn_store(pose + at, sn_load(view->base + at));
    }
    for (uint32_t i = 0; i < view->stream_count; i++) {
        const sn_stream *stream = &view->streams[i];
        sn_segment segment = sn_time_set_find(&stream->times, time);
        switch (stream->interpolation) {
        case SN_LINEAR:
            sample_linear(view, stream, &segment, pose);
            break;
        case SN_STEP:
            sample_step(stream, segment.index, pose);
            break;
        case SN_CUBICSPLINE:
            sample_cubic(stream, &segment, pose);
            break;
        }
    }
    if (view->channel_block_count)
        sample_channels(view, time, pose);
}
