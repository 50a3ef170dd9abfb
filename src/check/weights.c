/* Skin weights of each primitive, and whether nodes bring together meshes and skins that fit.
 *
 * glTF 2.0, 3.7.3.3 Skinned Mesh Attributes: weights are not negative, a joint has at most one
 * weight other than zero for a vertex, and their sum is as close to 1 as it can be. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check/checker.h"

/* Normalised bytes, four of them, round to 0.008; what is further off was never normalised. */
static const float sum_tolerance = 0.01f;

/* How many vertices break a rule, and the first of them. */
typedef struct tally {
    uint32_t count, first;
} tally;

static void tally_vertex(tally *t, uint32_t vertex) {
    if (!t->count++)
        t->first = vertex;
}

typedef struct weights_summary {
    bool skinned;          /* has joints and weights */
    uint32_t joint_limit;  /* one beyond the largest joint index */
    uint32_t joint_vertex; /* the first vertex that has that index */
    uint32_t influences;   /* the most that one vertex has */
    float worst_sum;       /* of the drawn vertices that are off, the furthest from 1 */
    tally many, sum, zero, negative, not_finite, duplicate;
} weights_summary;

/* Which vertices a primitive draws; NULL: all. Others may hold anything, no one sees them. */
typedef struct drawn_primitive {
    const sn_primitive *primitive;
    uint32_t number; /* among all primitives */
} drawn_primitive;

static int compare_numbers(uintptr_t a, uintptr_t b) {
    return (a > b) - (a < b);
}

/* 0 when two primitives draw the same vertices. */
static int by_indices(const void *x, const void *y) {
    const sn_primitive *a = ((const drawn_primitive *)x)->primitive,
                       *b = ((const drawn_primitive *)y)->primitive;
    int order = compare_numbers((uintptr_t)a->indices, (uintptr_t)b->indices);
    if (!order)
        order = compare_numbers(a->index_count, b->index_count);
    if (!order)
        order = compare_numbers(a->geometry.vertex_count, b->geometry.vertex_count);
    return order;
}

static const uint8_t *mark_drawn(checker *c, const sn_primitive *primitive) {
    uint8_t *marks = CHECKER_NEW(c, uint8_t, primitive->geometry.vertex_count);
    for (uint32_t i = 0; marks && i < primitive->index_count; i++)
        if (primitive->indices[i] < primitive->geometry.vertex_count)
            marks[primitive->indices[i]] = 1;
    return marks;
}

/* A mark for each vertex, for each skinned primitive that has indices (NULL for the others), in the
 * order of meshes and their primitives. Primitives on the same indices share theirs: a file may
 * draw one list of indices as often as it likes. */
static const uint8_t **find_drawn(checker *c) {
    const sn_model *model = c->model;
    size_t total = 0, count = 0;
    for (uint32_t m = 0; m < model->mesh_count; m++)
        total += model->meshes[m].primitive_count;
    drawn_primitive *list = CHECKER_NEW(c, drawn_primitive, total);
    const uint8_t **marks = CHECKER_NEW(c, const uint8_t *, total);
    if (!list || !marks)
        return NULL;
    uint32_t number = 0;
    for (uint32_t m = 0; m < model->mesh_count; m++)
        for (uint32_t p = 0; p < model->meshes[m].primitive_count; p++, number++) {
            const sn_primitive *primitive = &model->meshes[m].primitives[p];
            if (primitive->index_count && primitive->geometry.influence_count)
                list[count++] = (drawn_primitive){primitive, number};
        }
    qsort(list, count, sizeof *list, by_indices);
    for (size_t i = 0; i < count; i++)
        marks[list[i].number] = i && by_indices(&list[i], &list[i - 1]) == 0
                                    ? marks[list[i - 1].number]
                                    : mark_drawn(c, list[i].primitive);
    return marks;
}

/* The last vertex that gave each joint a weight, by a number that no other vertex has. */
typedef struct joint_users {
    uint32_t vertex;
    uint32_t last[UINT16_MAX + 1];
} joint_users;

static void next_vertex(joint_users *users) {
    if (++users->vertex == 0) { /* wrapped: forget the numbers that would come again */
        memset(users->last, 0, sizeof users->last);
        users->vertex = 1;
    }
}

static void check_vertex(weights_summary *w, const sn_geometry *g, uint32_t v, bool drawn,
                         joint_users *users) {
    const uint16_t *joints = g->joints + (size_t)v * g->influence_count;
    const float *weights = g->weights + (size_t)v * g->influence_count;
    float sum = 0;
    uint32_t influences = 0;
    bool finite = true, negative = false, duplicate = false;
    next_vertex(users);
    for (uint32_t i = 0; i < g->influence_count; i++) {
        if (joints[i] >= w->joint_limit) {
            w->joint_limit = joints[i] + 1u;
            w->joint_vertex = v;
        }
        if (weights[i] == 0)
            continue;
        finite = finite && is_finite(weights[i]);
        negative = negative || weights[i] < 0;
        duplicate = duplicate || users->last[joints[i]] == users->vertex;
        users->last[joints[i]] = users->vertex;
        sum += weights[i];
        influences++;
    }
    if (influences > w->influences)
        w->influences = influences;
    if (influences > 4)
        tally_vertex(&w->many, v);
    if (duplicate)
        tally_vertex(&w->duplicate, v);
    if (negative)
        tally_vertex(&w->negative, v);
    if (!finite) {
        tally_vertex(&w->not_finite, v);
    } else if (drawn && influences == 0) {
        tally_vertex(&w->zero, v);
    } else if (drawn && fabsf(sum - 1) > sum_tolerance) {
        if (!w->sum.count || fabsf(sum - 1) > fabsf(w->worst_sum - 1))
            w->worst_sum = sum;
        tally_vertex(&w->sum, v);
    }
}

static void report_weights(checker *c, const weights_summary *w, uint32_t vertex_count,
                           uint32_t mesh, uint32_t primitive) {
    place at = place_of("/meshes/%u/primitives/%u/attributes/WEIGHTS_0", mesh, primitive);
    if (w->not_finite.count)
        checker_add(c, RULE_WEIGHTS_NOT_FINITE, at,
                    "%u of %u vertices have a weight that is NaN or infinite, the first is vertex "
                    "%u; every weight must be finite",
                    w->not_finite.count, vertex_count, w->not_finite.first);
    if (w->negative.count)
        checker_add(
            c, RULE_WEIGHTS_NEGATIVE, at,
            "%u of %u vertices have a negative weight, the first is vertex %u; weights must "
            "not be negative",
            w->negative.count, vertex_count, w->negative.first);
    if (w->duplicate.count)
        checker_add(c, RULE_WEIGHTS_DUPLICATE, at,
                    "%u of %u vertices give one joint several weights, the first is vertex %u; a "
                    "joint must have at most one for a vertex",
                    w->duplicate.count, vertex_count, w->duplicate.first);
    if (w->zero.count)
        checker_add(
            c, RULE_WEIGHTS_ZERO, at,
            "%u of %u vertices follow no joint (all weights are 0), the first is vertex %u, "
            "so they collapse into one point; each needs a joint",
            w->zero.count, vertex_count, w->zero.first);
    if (w->sum.count)
        checker_add(c, RULE_WEIGHTS_SUM, at,
                    "%u of %u vertices have weights that do not add up to 1, the first is vertex "
                    "%u, the worst sum is %g",
                    w->sum.count, vertex_count, w->sum.first, (double)w->worst_sum);
    if (w->many.count)
        checker_add(
            c, RULE_WEIGHTS_INFLUENCES, at,
            "%u of %u vertices follow more than 4 joints, up to %u, the first is vertex %u; "
            "many engines use the first 4 only",
            w->many.count, vertex_count, w->influences, w->many.first);
}

static weights_summary check_primitive(checker *c, uint32_t mesh, uint32_t primitive,
                                       const uint8_t *drawn, joint_users *users) {
    const sn_primitive *p = &c->model->meshes[mesh].primitives[primitive];
    const sn_geometry *g = &p->geometry;
    weights_summary w = {.skinned = g->influence_count != 0};
    if (!w.skinned)
        return w;
    for (uint32_t v = 0; v < g->vertex_count; v++)
        check_vertex(&w, g, v, !drawn || drawn[v], users);
    report_weights(c, &w, g->vertex_count, mesh, primitive);
    return w;
}

/* What a node's skin asks of one of its mesh's primitives. Each pair of primitive and skin size is
 * told once: `told` is the largest joint count that was already found too small. */
static void check_user(checker *c, uint32_t node, uint32_t primitive, const weights_summary *w,
                       uint32_t *told) {
    const sn_node *n = &c->model->nodes[node];
    if (!w->skinned) {
        if (n->skin != SN_NONE)
            checker_add(c, RULE_NODE_SKIN_WITHOUT_WEIGHTS, place_of("/nodes/%u/skin", node),
                        "the node has a skin, but primitive %u of its mesh %u has no JOINTS_0 and "
                        "WEIGHTS_0; a skinned mesh must have them",
                        primitive, n->mesh);
        return;
    }
    if (n->skin == SN_NONE) {
        checker_add(c, RULE_NODE_WEIGHTS_WITHOUT_SKIN, place_of("/nodes/%u/mesh", node),
                    "primitive %u of mesh %u has joints and weights, but the node has no skin, so "
                    "they have no effect",
                    primitive, n->mesh);
        return;
    }
    uint32_t joint_count = c->model->skins[n->skin].joint_count;
    if (w->joint_limit > joint_count && joint_count > *told) {
        *told = joint_count;
        checker_add(c, RULE_WEIGHTS_JOINT,
                    place_of("/meshes/%u/primitives/%u/attributes/JOINTS_0", n->mesh, primitive),
                    "vertex %u names joint %u, but skin %u (of node %u) has %u joints; it must be "
                    "below that",
                    w->joint_vertex, w->joint_limit - 1, n->skin, node, joint_count);
    }
}

void check_weights(checker *c) {
    const sn_model *model = c->model;
    weights_summary **summaries = CHECKER_NEW(c, weights_summary *, model->mesh_count);
    uint32_t **told = CHECKER_NEW(c, uint32_t *, model->mesh_count);
    joint_users *users = CHECKER_NEW(c, joint_users, 1);
    const uint8_t **marks = find_drawn(c);
    for (uint32_t m = 0; m < model->mesh_count && !c->out_of_memory; m++) {
        uint32_t count = model->meshes[m].primitive_count;
        summaries[m] = CHECKER_NEW(c, weights_summary, count);
        told[m] = CHECKER_NEW(c, uint32_t, count);
        for (uint32_t p = 0; p < count && !c->out_of_memory; p++)
            summaries[m][p] = check_primitive(c, m, p, *marks++, users);
    }
    for (uint32_t i = 0; i < model->node_count && !c->out_of_memory; i++) {
        uint32_t m = model->nodes[i].mesh;
        if (m == SN_NONE)
            continue;
        for (uint32_t p = 0; p < model->meshes[m].primitive_count; p++)
            /* Geometry that was not read, or cannot be, says nothing about its weights. */
            if (model->meshes[m].primitives[p].geometry.vertex_count)
                check_user(c, i, p, &summaries[m][p], &told[m][p]);
    }
}
