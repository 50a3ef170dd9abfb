#include "weights.h"

#include <stdlib.h>
#include <string.h>

/* Each joint has a plane through it; over some distance before and behind that plane the skin goes
 * over from one bone to the next. The distances grow with the thickness of the limb, wide enough
 * for the bend to be round, narrow enough for the limb to keep its girth. */

static double plane(vec3 p, vec3 joint, vec3 normal) {
    return v3_dot(v3_sub(p, joint), v3_normalize(normal));
}

static void spine_weights(const body *b, vec3 p, double *w) {
    static const int chain[] = {JOINT_HIPS,        JOINT_SPINE, JOINT_CHEST,
                                JOINT_UPPER_CHEST, JOINT_NECK,  JOINT_HEAD};
    vec3 neck = b->frame[JOINT_NECK].translation, head = b->frame[JOINT_HEAD].translation;
    double share[] = {smooth_ramp(0.975, 1.125, p.y), smooth_ramp(1.085, 1.245, p.y),
                      smooth_ramp(1.205, 1.375, p.y),
                      smooth_ramp(-0.025, 0.050, plane(p, neck, v3(0.0, 0.96, 0.27))),
                      smooth_ramp(-0.026, 0.022, plane(p, head, v3(0.0, 0.87, 0.50)))};
    double rest = 1.0;
    for (int i = 0; i < 5; i++) {
        w[chain[i]] = rest * (1.0 - share[i]);
        rest *= share[i];
    }
    w[JOINT_HEAD] = rest;
}

static void hand_weights(const body *b, vec3 p, double *w) {
    static const int first[FINGER_COUNT] = {JOINT_LEFT_THUMB, JOINT_LEFT_INDEX, JOINT_LEFT_MIDDLE,
                                            JOINT_LEFT_RING, JOINT_LEFT_LITTLE};
    double distance[FINGER_COUNT], share[FINGER_COUNT], sum = 0.0, nearest = 1.0;
    for (int f = FINGER_INDEX; f < FINGER_COUNT; f++) {
        distance[f] = body_finger_distance(b, p, f);
        nearest = fmin(nearest, distance[f]);
    }
    for (int f = FINGER_INDEX; f < FINGER_COUNT; f++) {
        share[f] = exp((nearest - distance[f]) / 0.0014);
        sum += share[f];
    }
    for (int f = FINGER_INDEX; f < FINGER_COUNT; f++)
        share[f] /= sum;
    double others = fmin(nearest, body_palm_distance(b, p));
    share[FINGER_THUMB] = smooth_ramp(-0.009, 0.009, others - body_thumb_distance(b, p));
    for (int f = FINGER_INDEX; f < FINGER_COUNT; f++)
        share[f] *= 1.0 - share[FINGER_THUMB];

    for (int f = 0; f < FINGER_COUNT; f++) {
        const vec3 *joint = b->finger[f];
        vec3 before = v3(0.0, 0.0, 0.0);
        double rest = share[f];
        for (int i = 0; i < 3; i++) {
            vec3 along = v3_normalize(v3_sub(joint[i + 1], joint[i]));
            double h = plane(p, joint[i], v3_add(before, along));
            double t = i > 0               ? smooth_ramp(-0.0105, 0.0105, h)
                       : f == FINGER_THUMB ? smooth_ramp(-0.004, 0.026, h)
                                           : smooth_ramp(-0.012, 0.014, h);
            if (i > 0)
                w[first[f] + i - 1] = rest * (1.0 - t);
            else
                w[JOINT_LEFT_HAND] += rest * (1.0 - t);
            rest *= t;
            before = along;
        }
        w[first[f] + 2] = rest;
    }
}

/* Replaces what the trunk has given by the arm's share. */
static void arm_weights(const body *b, vec3 p, double *w) {
    rigid shoulder = b->frame[JOINT_LEFT_UPPER_ARM], elbow = b->frame[JOINT_LEFT_LOWER_ARM];
    double collar = smooth_ramp(0.010, 0.135, p.x) * smooth_ramp(1.285, 1.405, p.y);
    w[JOINT_LEFT_SHOULDER] = collar * w[JOINT_UPPER_CHEST];
    w[JOINT_UPPER_CHEST] -= w[JOINT_LEFT_SHOULDER];

    vec3 local = rigid_apply_inverse(shoulder, p);
    double near_axis = 1.0 - smooth_ramp(0.070, 0.120, hypot(local.y, local.z));
    double outside = smooth_ramp(0.185, 0.230, p.x);
    /* Above, the plane falls from the tip of the shoulder; below the armpit it opens half-way
     * between arm and flank, else the flank would be drawn along. */
    double top = smooth_ramp(-0.050, 0.060, plane(p, shoulder.translation, v3(0.95, -0.30, 0.0)));
    double pit = smooth_ramp(-0.022, 0.040, plane(p, v3(0.168, 1.335, 0.0), v3(0.93, 0.33, 0.0)));
    double arm = top * pit * fmax(near_axis, outside);
    if (arm <= 0.0)
        return;
    for (int j = 0; j < JOINT_COUNT; j++)
        w[j] *= 1.0 - arm;

    vec3 axis = v3_add(quat_rotate(shoulder.rotation, v3(1.0, 0.0, 0.0)),
                       quat_rotate(elbow.rotation, v3(1.0, 0.0, 0.0)));
    double lower = smooth_ramp(-0.048, 0.048, plane(p, elbow.translation, axis));
    double wrist = rigid_apply_inverse(elbow, p).x - joint_offset(JOINT_LEFT_HAND).x;
    double hand = lower * smooth_ramp(-0.034, 0.024, wrist);
    w[JOINT_LEFT_UPPER_ARM] = arm * (1.0 - lower);
    w[JOINT_LEFT_LOWER_ARM] = arm * (lower - hand);
    if (hand > 0.0) {
        double fingers[JOINT_COUNT] = {0.0};
        hand_weights(b, p, fingers);
        for (int j = 0; j < JOINT_COUNT; j++)
            w[j] += arm * hand * fingers[j];
    }
}

/* The share of the left leg: below a plane from the groin over the hip joint to the hip bone. */
static double leg_share(const body *b, vec3 p) {
    vec3 hip = b->frame[JOINT_LEFT_UPPER_LEG].translation;
    double below = smooth_ramp(-0.060, 0.066, plane(p, hip, v3(0.66, -0.75, 0.0)));
    /* Between the legs each inner side belongs to its own leg alone. */
    double width = 0.001 + 0.030 * smooth_ramp(0.825, 0.900, p.y);
    double inside_arm = smooth_ramp(0.20, 0.22, p.x);
    return below * smooth_ramp(-width, width, p.x) * (1.0 - inside_arm);
}

static void leg_weights(const body *b, vec3 p, double *w) {
    double left = leg_share(b, p), right = leg_share(b, v3_mirror_x(p));
    double sum = left + right;
    if (sum <= 0.0)
        return;
    if (sum > 1.0) {
        left /= sum;
        right /= sum;
        sum = 1.0;
    }
    for (int j = 0; j < JOINT_COUNT; j++)
        w[j] *= 1.0 - sum;
    w[JOINT_RIGHT_UPPER_LEG] = right;
    vec3 knee = b->frame[JOINT_LEFT_LOWER_LEG].translation;
    vec3 ankle = b->frame[JOINT_LEFT_FOOT].translation;
    vec3 ball = b->frame[JOINT_LEFT_TOES].translation;
    double lower = smooth_ramp(-0.060, 0.060, knee.y - p.y);
    double foot = lower * smooth_ramp(-0.036, 0.030, plane(p, ankle, v3(0.0, -0.85, 0.52)));
    double toes = foot * smooth_ramp(-0.018, 0.018, plane(p, ball, v3(0.12, 0.0, 1.0)));
    w[JOINT_LEFT_UPPER_LEG] = left * (1.0 - lower);
    w[JOINT_LEFT_LOWER_LEG] = left * (lower - foot);
    w[JOINT_LEFT_FOOT] = left * (foot - toes);
    w[JOINT_LEFT_TOES] = left * toes;
}

/* Averages each vertex with its neighbours; the middle plane is kept symmetric. */
static void smooth_weights(const mesh *m, int vertices, double (*w)[JOINT_COUNT], int passes) {
    double(*sum)[JOINT_COUNT] = mq_grow(NULL, (size_t)vertices, sizeof *sum);
    double *count = mq_grow(NULL, (size_t)vertices, sizeof *count);
    for (int pass = 0; pass < passes; pass++) {
        memset(sum, 0, (size_t)vertices * sizeof *sum);
        memset(count, 0, (size_t)vertices * sizeof *count);
        for (int t = 0; t < m->triangle_count; t++)
            for (int c = 0; c < 3; c++) {
                int v = m->triangles[t].v[c], o = m->triangles[t].v[(c + 1) % 3];
                if (v >= vertices || o >= vertices)
                    continue;
                for (int j = 0; j < JOINT_COUNT; j++) {
                    sum[v][j] += w[o][j];
                    sum[o][j] += w[v][j];
                }
                count[v] += 1.0;
                count[o] += 1.0;
            }
        for (int v = 0; v < vertices; v++)
            for (int j = 0; j < JOINT_COUNT; j++)
                w[v][j] = 0.5 * w[v][j] + 0.5 * sum[v][j] / count[v];
        for (int v = 0; v < vertices; v++)
            for (int j = JOINT_LEFT_SHOULDER; m->position[v].x == 0.0 && j < JOINT_RIGHT_SHOULDER;
                 j++) {
                double *left = &w[v][j], *right = &w[v][joint_opposite(j)];
                *left = *right = 0.5 * (*left + *right);
            }
    }
    free(sum);
    free(count);
}

static influence strongest(const double w[JOINT_COUNT]) {
    influence result = {{0}, {0.0}};
    double sum = 0.0;
    for (int i = 0; i < INFLUENCES; i++) {
        int best = -1;
        for (int j = 0; j < JOINT_COUNT; j++) {
            int taken = 0;
            for (int k = 0; k < i; k++)
                taken |= result.joint[k] == j && result.weight[k] > 0.0;
            if (!taken && w[j] > 0.004 && (best < 0 || w[j] > w[best]))
                best = j;
        }
        if (best < 0)
            break;
        result.joint[i] = best;
        result.weight[i] = w[best];
        sum += w[best];
    }
    for (int i = 0; i < INFLUENCES; i++)
        result.weight[i] /= sum;
    return result;
}

influence *weights_compute(const mesh *m, const body *b) {
    /* The right half follows the left one in the same order, without the middle plane. */
    int middle = 0, half;
    for (int v = 0; v < m->vertex_count; v++)
        middle += m->position[v].x == 0.0;
    half = (m->vertex_count + middle) / 2;
    double(*w)[JOINT_COUNT] = mq_grow(NULL, (size_t)half, sizeof *w);
    memset(w, 0, (size_t)half * sizeof *w);
    for (int v = 0; v < half; v++) {
        spine_weights(b, m->position[v], w[v]);
        arm_weights(b, m->position[v], w[v]);
        leg_weights(b, m->position[v], w[v]);
        if (m->position[v].x == 0.0)
            w[v][JOINT_RIGHT_SHOULDER] = w[v][JOINT_LEFT_SHOULDER];
    }
    smooth_weights(m, half, w, 6);
    influence *result = mq_grow(NULL, (size_t)m->vertex_count, sizeof *result);
    int next = half;
    for (int v = 0; v < half; v++) {
        result[v] = strongest(w[v]);
        if (m->position[v].x == 0.0)
            continue;
        result[next] = result[v];
        for (int i = 0; i < INFLUENCES; i++)
            result[next].joint[i] = joint_opposite(result[v].joint[i]);
        next++;
    }
    free(w);
    return result;
}

void weights_unpose(const influence *w, const body *b, vec3 *position, vec3 *normal) {
    /* The columns of the blended matrix and its translation. */
    vec3 column[3] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}, shift = column[0];
    for (int i = 0; i < INFLUENCES; i++) {
        if (w->weight[i] <= 0.0)
            continue;
        rigid to_design = b->frame[w->joint[i]];
        vec3 rest = joint_rest(w->joint[i]);
        vec3 moved = v3_sub(to_design.translation, quat_rotate(to_design.rotation, rest));
        column[0] =
            v3_add_scaled(column[0], quat_rotate(to_design.rotation, v3(1, 0, 0)), w->weight[i]);
        column[1] =
            v3_add_scaled(column[1], quat_rotate(to_design.rotation, v3(0, 1, 0)), w->weight[i]);
        column[2] =
            v3_add_scaled(column[2], quat_rotate(to_design.rotation, v3(0, 0, 1)), w->weight[i]);
        shift = v3_add_scaled(shift, moved, w->weight[i]);
    }
    /* Cramer's rule. */
    vec3 row0 = v3_cross(column[1], column[2]), row1 = v3_cross(column[2], column[0]);
    vec3 row2 = v3_cross(column[0], column[1]);
    double scale = 1.0 / v3_dot(column[0], row0);
    vec3 p = v3_sub(*position, shift), n = *normal;
    *position = v3_scale(v3(v3_dot(row0, p), v3_dot(row1, p), v3_dot(row2, p)), scale);
    *normal = v3_normalize(v3(v3_dot(row0, n), v3_dot(row1, n), v3_dot(row2, n)));
}
