/* Sampling a clip view one channel after the other: the reference for lanes_sample.h. */
#include <math.h>

#include "anim/clip_view.h"
#include "anim/scalar.h"
#include "anim/slerp.h"

#define LANES SN_SCALAR_LANES

/* ---- One value ---- */

static float slerp_weight(float t, float x, int factors) {
    float products[SN_SLERP_MOST + 1], square = t * t;
    products[0] = t;
    for (int i = 0; i < factors; i++)
        products[i + 1] = products[i] * (square * sn_slerp_u[i] - sn_slerp_v[i]);
    float sum = products[factors];
    for (int i = factors; i-- > 0;)
        sum = sum * x + products[i];
    return sum;
}

static float dot4(const float a[4], const float b[4]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

typedef struct weights {
    float from, to;
} weights;

static weights slerp_weights(sn_slerp_kind kind, float t, float dot) {
    int factors = kind == SN_SLERP_CLOSE ? SN_SLERP_FEW : SN_SLERP_MOST;
    if (kind < SN_SLERP_WIDE)
        return (weights){slerp_weight(1 - t, dot - 1, factors), slerp_weight(t, dot - 1, factors)};
    bool is_second_half = t >= 0.5f;
    t = is_second_half ? 1 - t : t;
    t += t;
    float half = sqrtf((dot + 1) * 0.5f), x = half - 1;
    float farther = slerp_weight(t, x, factors) * (0.5f / half);
    float nearer = slerp_weight(1 - t, x, factors) + farther;
    return is_second_half ? (weights){farther, nearer} : (weights){nearer, farther};
}

static void slerp(sn_slerp_kind kind, const float a[4], const float b[4], float t, float out[4]) {
    float dot = dot4(a, b);
    bool is_near = kind == SN_SLERP_LOOSE && dot >= SN_SLERP_NEAR_COSINE;
    weights w = is_near ? (weights){1 - t, t} : slerp_weights(kind, t, dot);
    for (int i = 0; i < 4; i++)
        out[i] = a[i] * w.from + b[i] * w.to;
    if (kind != SN_SLERP_LOOSE)
        return;
    bool is_equal = a[0] == b[0] && a[1] == b[1] && a[2] == b[2] && a[3] == b[3];
    float scale = is_near ? 1 / sqrtf(dot4(out, out)) : 1;
    for (int i = 0; i < 4; i++)
        out[i] = is_equal ? a[i] : out[i] * scale;
}

static float cubic(float t, float length, float value, float tangent_out, float next_value,
                   float next_tangent_in) {
    float t2 = t * t, t3 = t2 * t;
    float share = 3 * t2 - 2 * t3;
    return (1 - share) * value + length * (t3 - 2 * t2 + t) * tangent_out + share * next_value +
           length * (t3 - t2) * next_tangent_in;
}

static void normalize(float q[4]) {
    float square = dot4(q, q), scale = 1 / sqrtf(square);
    for (int i = 0; i < 4; i++)
        q[i] = square > 0 ? q[i] * scale : (i == 3 ? 1.0f : 0.0f);
}

/* Where the components of a key are: floats from one to the next, and from one row to the next. */
typedef struct layout {
    size_t component, row;
    uint32_t width;
} layout;

/* `key` is the first row of a key, `next` that of the following one. */
static void interpolate(const sn_clip_view *view, sn_interpolation interpolation, const float *key,
                        const float *next, const sn_segment *segment, layout at, float out[4]) {
    float a[4], b[4];
    size_t value_row = interpolation == SN_CUBICSPLINE ? at.row : 0;
    for (uint32_t i = 0; i < at.width; i++) {
        a[i] = key[value_row + i * at.component];
        b[i] = next[value_row + i * at.component];
    }
    float t = segment->elapsed / segment->length;
    switch (interpolation) {
    case SN_STEP:
        for (uint32_t i = 0; i < at.width; i++)
            out[i] = a[i];
        break;
    case SN_LINEAR:
        if (at.width == 4)
            slerp(view->slerp_kind, a, b, t, out);
        else
            for (uint32_t i = 0; i < at.width; i++)
                out[i] = a[i] - (a[i] - b[i]) * t;
        break;
    case SN_CUBICSPLINE:
        for (uint32_t i = 0; i < at.width; i++)
            out[i] = cubic(t, segment->length, a[i], key[2 * at.row + i * at.component], b[i],
                           next[i * at.component]);
        if (at.width == 4)
            normalize(out);
        break;
    }
}

/* ---- Streams and channels ---- */

static void sample_stream(const sn_clip_view *view, const sn_stream *stream, float time,
                          float *pose) {
    sn_segment segment = sn_time_set_find(&stream->times, time);
    size_t rows = stream->interpolation == SN_CUBICSPLINE ? 3 : 1;
    const float *key = stream->frames + segment.index * rows * stream->row_floats;
    const float *next = stream->frames + segment.next * rows * stream->row_floats;
    for (int s = 0; s < SN_PARTS; s++) {
        const sn_section *section = &stream->sections[s];
        layout at = {LANES, stream->row_floats, s == SN_PART_ROTATION ? 4 : 3};
        for (uint32_t block = 0; block < section->block_count; block++) {
            for (uint32_t lane = 0; lane < LANES; lane++) {
                if (block >= section->full_count &&
                    !section->masks[block - section->full_count].lanes[lane])
                    continue;
                float value[4];
                interpolate(view, stream->interpolation, key + lane, next + lane, &segment, at,
                            value);
                for (uint32_t i = 0; i < at.width; i++)
                    pose[section->offsets[block] + i * LANES + lane] = value[i];
            }
            key += at.width * LANES;
            next += at.width * LANES;
        }
    }
}

/* The segment of one lane; `key` and `next` are its ends. */
static sn_segment find_channel(const sn_clip_view *view, const sn_channel_block *block, size_t slot,
                               float time, const float **key, const float **next) {
    const sn_bucket_grid *grid = &view->grid;
    float clamped = sn_bucket_grid_clamp(grid, time);
    uint32_t lane = slot % LANES, stride = block->stride;
    size_t at = (size_t)sn_bucket_of(grid, clamped) * grid->slot_count + slot;
    size_t first = grid->firsts ? grid->firsts[at] : grid->wide_firsts[at];
    *key =
        sn_channel_search(block->keys[lane] + first * stride, block->steps[lane], stride, clamped);
    bool is_inside =
        time >= block->first[lane] && time < block->last[lane] && block->moves.lanes[lane];
    *next = is_inside ? *key + stride : *key;
    if (!is_inside)
        return (sn_segment){.elapsed = 0, .length = 1};
    float start = (*key)[stride - 1];
    return (sn_segment){.elapsed = time - start, .length = (*next)[stride - 1] - start};
}

static void sample_channel_block(const sn_clip_view *view, uint32_t index, float time,
                                 float *pose) {
    const sn_channel_block *block = &view->channel_blocks[index];
    layout at = {1, 4, block->vector_count};
    for (uint32_t lane = 0; lane < LANES; lane++) {
        if (!block->mask.lanes[lane])
            continue;
        const float *key, *next;
        size_t slot = (size_t)index * LANES + lane;
        sn_segment segment = find_channel(view, block, slot, time, &key, &next);
        float value[4];
        interpolate(view, block->is_cubic ? SN_CUBICSPLINE : SN_LINEAR, key, next, &segment, at,
                    value);
        for (uint32_t i = 0; i < at.width; i++)
            pose[block->offset + i * LANES + lane] = value[i];
    }
}

void sn_scalar_sample(const sn_clip_view *view, float time, float *pose) {
    for (uint32_t i = 0; i < view->base_run_count; i++) {
        const sn_base_run *run = &view->base_runs[i];
        for (uint32_t at = run->offset; at < run->offset + run->count; at++)
            pose[at] = view->base[at];
    }
    for (uint32_t i = 0; i < view->stream_count; i++)
        sample_stream(view, &view->streams[i], time, pose);
    for (uint32_t i = 0; i < view->channel_block_count; i++)
        sample_channel_block(view, i, time, pose);
}
