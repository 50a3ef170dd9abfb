#include "mesh.h"

#include "accent.h"

#include <stdlib.h>
#include <string.h>

/* How far (metres) a straight edge may leave the curved surface, and the limits of edge lengths
 * that follow from it. Head and hands are looked at from close by. */
#define FLATNESS 0.00072
#define FLATNESS_HEAD 0.00028
#define FLATNESS_HAND 0.00020
#define EDGE_MIN 0.0013
#define EDGE_MAX 0.0170
/* Edges along the lines between two materials. */
#define LINE_EDGE 0.0085

/* Triangles around each vertex, as one list cut into runs, and whether a vertex lies on the rim. */
typedef struct {
    int *start; /* vertex_count + 1 */
    int *list;
    char *rim;
} fans;

typedef struct {
    int a, b;        /* a < b */
    int left, right; /* triangles; right is -1 on the rim */
    double key;      /* what a pass sorts by */
} edge;

typedef struct {
    int count;
    edge *list;
} edges;

static vec3 triangle_normal(const mesh *m, const int v[3]) {
    vec3 a = m->position[v[0]];
    return v3_cross(v3_sub(m->position[v[1]], a), v3_sub(m->position[v[2]], a));
}

static void fans_build(const mesh *m, fans *f) {
    f->start = mq_grow(NULL, (size_t)m->vertex_count + 2, sizeof *f->start);
    f->list = mq_grow(NULL, (size_t)m->triangle_count * 3, sizeof *f->list);
    f->rim = mq_grow(NULL, (size_t)m->vertex_count, 1);
    memset(f->start, 0, ((size_t)m->vertex_count + 2) * sizeof *f->start);
    for (int t = 0; t < m->triangle_count; t++)
        for (int c = 0; c < 3; c++)
            f->start[m->triangles[t].v[c] + 2]++;
    for (int v = 0; v < m->vertex_count; v++)
        f->start[v + 2] += f->start[v + 1];
    for (int t = 0; t < m->triangle_count; t++)
        for (int c = 0; c < 3; c++)
            f->list[f->start[m->triangles[t].v[c] + 1]++] = t;
    for (int v = 0; v < m->vertex_count; v++)
        f->rim[v] = m->position[v].x == 0.0;
}

static void fans_free(fans *f) {
    free(f->start);
    free(f->list);
    free(f->rim);
}

static int corner_of(const triangle *t, int vertex) {
    return t->v[0] == vertex ? 0 : t->v[1] == vertex ? 1 : 2;
}

static int opposite_corner(const triangle *t, int a, int b) {
    for (int c = 0; c < 3; c++)
        if (t->v[c] != a && t->v[c] != b)
            return t->v[c];
    return -1;
}

static double edge_ratio(const mesh *m, int a, int b) {
    return v3_distance(m->position[a], m->position[b]) / (0.5 * (m->size[a] + m->size[b]));
}

static void edges_build(const mesh *m, const fans *f, edges *e) {
    e->count = 0;
    e->list =
        mq_grow(NULL, (size_t)m->triangle_count * 2 + (size_t)m->vertex_count, sizeof *e->list);
    for (int v = 0; v < m->vertex_count; v++) {
        int first = e->count;
        for (int i = f->start[v]; i < f->start[v + 1]; i++) {
            int t = f->list[i];
            for (int c = 0; c < 3; c++) {
                int other = m->triangles[t].v[c], k;
                if (other <= v)
                    continue;
                for (k = first; k < e->count && e->list[k].b != other; k++) {
                }
                if (k < e->count)
                    e->list[k].right = t;
                else
                    e->list[e->count++] = (edge){v, other, t, -1, edge_ratio(m, v, other)};
            }
        }
    }
}

static int by_key(const void *x, const void *y) {
    const edge *p = x, *q = y;
    if (p->key != q->key)
        return p->key < q->key ? -1 : 1;
    if (p->a != q->a)
        return p->a < q->a ? -1 : 1;
    return p->b < q->b ? -1 : p->b > q->b;
}

static vec3 on_surface(const mesh *m, const body *b, int v, int w, double at) {
    vec3 middle = v3_lerp(m->position[v], m->position[w], at);
    int on_rim = m->position[v].x == 0.0 && m->position[w].x == 0.0;
    vec3 p = body_project(b, middle);
    p.x = on_rim ? 0.0 : fmax(p.x, 1e-5);
    return p;
}

/* Replaces the triangles whose edges have been given a new vertex: middle[3 t + c] lies on the edge
 * from corner c of triangle t to the next, or is -1. */
static void split_triangles(mesh *m, const int *middle, int triangle_count) {
    for (int t = 0; t < triangle_count; t++) {
        const int *mid = &middle[t * 3];
        triangle old = m->triangles[t];
        int count = (mid[0] >= 0) + (mid[1] >= 0) + (mid[2] >= 0), r = 0;
        if (count == 0)
            continue;
        if (count == 3) {
            m->triangles[t] = (triangle){{mid[0], mid[1], mid[2]}};
            for (int c = 0; c < 3; c++)
                mesh_add_triangle(m, old.v[c], mid[c], mid[(c + 2) % 3]);
            continue;
        }
        /* Turn so that the one split edge, or the one whole edge, is the first. */
        while ((mid[r] >= 0) != (count == 1))
            r++;
        int a = old.v[r], c = old.v[(r + 1) % 3], d = old.v[(r + 2) % 3];
        if (count == 1) {
            m->triangles[t] = (triangle){{a, mid[r], d}};
            mesh_add_triangle(m, mid[r], c, d);
        } else {
            int cd = mid[(r + 1) % 3], da = mid[(r + 2) % 3];
            m->triangles[t] = (triangle){{da, cd, d}};
            mesh_add_triangle(m, a, c, cd);
            mesh_add_triangle(m, a, cd, da);
        }
    }
}

/* Notes vertex v as lying on the edge. */
static void mark_middle(const mesh *m, const edge *one, int v, int *middle) {
    int sides[2] = {one->left, one->right};
    for (int s = 0; s < 2; s++) {
        if (sides[s] < 0)
            continue;
        const triangle *t = &m->triangles[sides[s]];
        int apex = corner_of(t, opposite_corner(t, one->a, one->b));
        middle[sides[s] * 3 + (apex + 1) % 3] = v;
    }
}

static int *no_middles(const mesh *m) {
    int *middle = mq_grow(NULL, (size_t)m->triangle_count * 3, sizeof *middle);
    for (int i = 0; i < m->triangle_count * 3; i++)
        middle[i] = -1;
    return middle;
}

/* Halves the edges that are too long; a triangle falls into two, three or four. */
static void split_long_edges(mesh *m, const body *b) {
    fans f;
    edges e;
    fans_build(m, &f);
    edges_build(m, &f, &e);
    int *middle = no_middles(m), triangles_before = m->triangle_count;
    for (int i = 0; i < e.count; i++) {
        edge *one = &e.list[i];
        if (one->key < 4.0 / 3.0)
            continue;
        int v = mesh_add_vertex(m, on_surface(m, b, one->a, one->b, 0.5),
                                0.5 * (m->size[one->a] + m->size[one->b]));
        mark_middle(m, one, v, middle);
    }
    split_triangles(m, middle, triangles_before);
    free(middle);
    free(e.list);
    fans_free(&f);
}

/* Whether the triangles around `v` keep their side and size when it moves, those with `w` aside. */
static int fan_survives(const mesh *m, const fans *f, int v, int w, vec3 target, double size) {
    for (int i = f->start[v]; i < f->start[v + 1]; i++) {
        const triangle *t = &m->triangles[f->list[i]];
        if (t->v[0] == w || t->v[1] == w || t->v[2] == w)
            continue;
        int c = corner_of(t, v);
        vec3 p = m->position[t->v[(c + 1) % 3]], q = m->position[t->v[(c + 2) % 3]];
        vec3 before = v3_normalize(triangle_normal(m, t->v));
        vec3 after = v3_normalize(v3_cross(v3_sub(p, target), v3_sub(q, target)));
        if (v3_dot(before, after) < 0.6)
            return 0;
        if (v3_distance(p, target) > 1.33 * size || v3_distance(q, target) > 1.33 * size)
            return 0;
    }
    return 1;
}

static int common_neighbours(const mesh *m, const fans *f, int v, int w, int *mark, int stamp) {
    int common = 0;
    for (int i = f->start[v]; i < f->start[v + 1]; i++)
        for (int c = 0; c < 3; c++)
            mark[m->triangles[f->list[i]].v[c]] = stamp;
    for (int i = f->start[w]; i < f->start[w + 1]; i++)
        for (int c = 0; c < 3; c++) {
            int n = m->triangles[f->list[i]].v[c];
            if (n != v && n != w && mark[n] == stamp) {
                mark[n] = 0;
                common++;
            }
        }
    return common;
}

static void touch_fan(const mesh *m, const fans *f, int v, char *touched) {
    for (int i = f->start[v]; i < f->start[v + 1]; i++)
        for (int c = 0; c < 3; c++)
            touched[m->triangles[f->list[i]].v[c]] = 1;
}

static void drop_unused(mesh *m) {
    int *place = mq_grow(NULL, (size_t)m->vertex_count, sizeof *place);
    int kept = 0, vertices = 0;
    for (int v = 0; v < m->vertex_count; v++)
        place[v] = -1;
    for (int t = 0; t < m->triangle_count; t++) {
        const int *v = m->triangles[t].v;
        if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0])
            continue;
        m->triangles[kept++] = m->triangles[t];
        for (int c = 0; c < 3; c++)
            place[m->triangles[kept - 1].v[c]] = 0;
    }
    m->triangle_count = kept;
    for (int v = 0; v < m->vertex_count; v++)
        if (place[v] == 0) {
            m->position[vertices] = m->position[v];
            m->size[vertices] = m->size[v];
            m->fixed[vertices] = m->fixed[v];
            place[v] = vertices++;
        }
    m->vertex_count = vertices;
    for (int t = 0; t < kept; t++)
        for (int c = 0; c < 3; c++)
            m->triangles[t].v[c] = place[m->triangles[t].v[c]];
    free(place);
}

/* Merges the ends of edges that are too short, shortest first, none next to another. */
static int collapse_short_edges(mesh *m, const body *b) {
    fans f;
    edges e;
    fans_build(m, &f);
    edges_build(m, &f, &e);
    qsort(e.list, (size_t)e.count, sizeof *e.list, by_key);
    char *touched = mq_grow(NULL, (size_t)m->vertex_count, 1);
    int *mark = mq_grow(NULL, (size_t)m->vertex_count, sizeof *mark);
    memset(touched, 0, (size_t)m->vertex_count);
    memset(mark, 0, (size_t)m->vertex_count * sizeof *mark);
    int collapses = 0;
    for (int i = 0; i < e.count && e.list[i].key < 0.8; i++) {
        int v = e.list[i].a, w = e.list[i].b;
        if (touched[v] || touched[w])
            continue;
        if (f.rim[v] && f.rim[w] && e.list[i].right >= 0)
            continue;
        if (common_neighbours(m, &f, v, w, mark, i + 1) != (e.list[i].right >= 0 ? 2 : 1))
            continue;
        double size = 0.5 * (m->size[v] + m->size[w]);
        vec3 target = f.rim[v] == f.rim[w] ? v3_lerp(m->position[v], m->position[w], 0.5)
                      : f.rim[v]           ? m->position[v]
                                           : m->position[w];
        if (!fan_survives(m, &f, v, w, target, size) || !fan_survives(m, &f, w, v, target, size))
            continue;
        if (f.rim[v] == f.rim[w])
            target = on_surface(m, b, v, w, 0.5);
        touch_fan(m, &f, v, touched);
        touch_fan(m, &f, w, touched);
        m->position[v] = target;
        m->size[v] = size;
        for (int k = f.start[w]; k < f.start[w + 1]; k++) {
            triangle *t = &m->triangles[f.list[k]];
            t->v[corner_of(t, w)] = v;
        }
        collapses++;
    }
    free(touched);
    free(mark);
    free(e.list);
    fans_free(&f);
    drop_unused(m);
    return collapses;
}

static int connected(const mesh *m, const fans *f, int v, int w) {
    for (int i = f->start[v]; i < f->start[v + 1]; i++)
        for (int c = 0; c < 3; c++)
            if (m->triangles[f->list[i]].v[c] == w)
                return 1;
    return 0;
}

/* Turns edges round where that brings the number of neighbours nearer to six (four on the rim). */
static int flip_edges(mesh *m) {
    fans f;
    edges e;
    fans_build(m, &f);
    edges_build(m, &f, &e);
    int *excess = mq_grow(NULL, (size_t)m->vertex_count, sizeof *excess);
    char *touched = mq_grow(NULL, (size_t)m->vertex_count, 1);
    memset(touched, 0, (size_t)m->vertex_count);
    for (int v = 0; v < m->vertex_count; v++)
        excess[v] = f.start[v + 1] - f.start[v] - (f.rim[v] ? 3 : 6);
    int flips = 0;
    for (int i = 0; i < e.count; i++) {
        edge *one = &e.list[i];
        if (one->right < 0)
            continue;
        triangle *left = &m->triangles[one->left], *right = &m->triangles[one->right];
        int a = one->a, b = one->b;
        int c = opposite_corner(left, a, b), d = opposite_corner(right, a, b);
        if (touched[a] || touched[b] || touched[c] || touched[d] || (f.rim[c] && f.rim[d]))
            continue;
        int before = abs(excess[a]) + abs(excess[b]) + abs(excess[c]) + abs(excess[d]);
        int after =
            abs(excess[a] - 1) + abs(excess[b] - 1) + abs(excess[c] + 1) + abs(excess[d] + 1);
        double old_length = v3_distance(m->position[a], m->position[b]);
        double new_length = v3_distance(m->position[c], m->position[d]);
        if (after > before || (after == before && new_length > 0.95 * old_length))
            continue;
        if (new_length > 1.4 * old_length || connected(m, &f, c, d))
            continue;
        int from = left->v[(corner_of(left, c) + 1) % 3], to = from == a ? b : a;
        int new_left[3] = {c, from, d}, new_right[3] = {d, to, c};
        vec3 normal =
            v3_normalize(v3_add(triangle_normal(m, left->v), triangle_normal(m, right->v)));
        if (v3_dot(v3_normalize(triangle_normal(m, new_left)), normal) < 0.7 ||
            v3_dot(v3_normalize(triangle_normal(m, new_right)), normal) < 0.7)
            continue;
        memcpy(left->v, new_left, sizeof new_left);
        memcpy(right->v, new_right, sizeof new_right);
        touch_fan(m, &f, a, touched);
        touch_fan(m, &f, b, touched);
        touched[c] = touched[d] = 1;
        flips++;
    }
    free(excess);
    free(touched);
    free(e.list);
    fans_free(&f);
    return flips;
}

/* Draws each vertex towards the middle of its neighbours along the surface. */
static void relax(mesh *m, const body *b) {
    fans f;
    fans_build(m, &f);
    vec3 *moved = mq_grow(NULL, (size_t)m->vertex_count, sizeof *moved);
    for (int v = 0; v < m->vertex_count; v++) {
        vec3 normal = v3(0.0, 0.0, 0.0), sum = normal, p = m->position[v];
        double weight = 0.0;
        for (int i = f.start[v]; i < f.start[v + 1]; i++) {
            const triangle *t = &m->triangles[f.list[i]];
            int c = corner_of(t, v), n = t->v[(c + 1) % 3], o = t->v[(c + 2) % 3];
            normal = v3_add(normal, triangle_normal(m, t->v));
            int around[2] = {n, o};
            for (int k = 0; k < 2; k++) {
                if (f.rim[v] && !f.rim[around[k]])
                    continue;
                double w = 1.0 / m->size[around[k]];
                sum = v3_add_scaled(sum, m->position[around[k]], w);
                weight += w;
            }
        }
        normal = v3_normalize(normal);
        vec3 step = weight > 0.0 ? v3_sub(v3_scale(sum, 1.0 / weight), p) : v3(0.0, 0.0, 0.0);
        step = v3_add_scaled(step, normal, -v3_dot(step, normal));
        moved[v] = v3_add_scaled(p, step, f.rim[v] ? 0.4 : 0.7);
    }
    for (int v = 0; v < m->vertex_count; v++) {
        vec3 p = body_project(b, moved[v]);
        p.x = f.rim[v] ? 0.0 : fmax(p.x, 1e-5);
        m->position[v] = p;
    }
    free(moved);
    fans_free(&f);
}

static double flatness_at(vec3 p) {
    double head = smooth_ramp(1.49, 1.54, p.y), hand = smooth_ramp(0.42, 0.50, p.x);
    return FLATNESS + (FLATNESS_HEAD - FLATNESS) * head + (FLATNESS_HAND - FLATNESS) * hand;
}

/* Eyelids and lips are finer than the first mesh can tell. */
static double detail_size(vec3 p) {
    double eye = v3_distance(p, v3(0.0315, 1.640, 0.084)) - 0.0145;
    double mouth = v3_distance(p, v3(0.0, 1.575, 0.088)) - 0.018;
    mouth = fmin(mouth, v3_distance(p, v3(0.014, 1.575, 0.086)) - 0.014);
    return fmin(0.0012 + 0.4 * fmax(eye, 0.0), 0.0021 + 0.4 * fmax(mouth, 0.0));
}

/* Edge lengths from the curvature: an edge of length L departs from a circle of radius r by about
 * L^2 / (8 r). Short lengths spread to their surroundings so that sizes change gently. */
static void choose_sizes(mesh *m, const body *b) {
    fans f;
    edges e;
    fans_build(m, &f);
    edges_build(m, &f, &e);
    vec3 *normal = mq_grow(NULL, (size_t)m->vertex_count, sizeof *normal);
    double *bend = mq_grow(NULL, (size_t)m->vertex_count, sizeof *bend);
    double *sum = mq_grow(NULL, (size_t)m->vertex_count, sizeof *sum);
    for (int v = 0; v < m->vertex_count; v++) {
        m->position[v] = body_project(b, m->position[v]);
        if (f.rim[v])
            m->position[v].x = 0.0;
        normal[v] = body_normal(b, m->position[v]);
        bend[v] = 0.0;
    }
    for (int i = 0; i < e.count; i++) {
        int v = e.list[i].a, w = e.list[i].b;
        double length = v3_distance(m->position[v], m->position[w]);
        double k = length > 1e-4 ? v3_distance(normal[v], normal[w]) / length : 0.0;
        bend[v] = fmax(bend[v], k);
        bend[w] = fmax(bend[w], k);
    }
    for (int v = 0; v < m->vertex_count; v++)
        m->size[v] =
            clamp(sqrt(8.0 * flatness_at(m->position[v]) / (bend[v] + 1e-3)), EDGE_MIN, EDGE_MAX);
    for (int v = 0; v < m->vertex_count; v++)
        m->size[v] = fmin(m->size[v], detail_size(m->position[v]));
    for (int v = 0; v < m->vertex_count; v++)
        m->size[v] = fmin(m->size[v], fmax(LINE_EDGE, 0.8 * fabs(accent_level(b, m->position[v]))));
    for (int pass = 0; pass < 10; pass++) {
        for (int v = 0; v < m->vertex_count; v++)
            sum[v] = m->size[v];
        for (int i = 0; i < e.count; i++) {
            int v = e.list[i].a, w = e.list[i].b;
            double grade = 0.42 * v3_distance(m->position[v], m->position[w]);
            sum[v] = fmin(sum[v], m->size[w] + grade);
            sum[w] = fmin(sum[w], m->size[v] + grade);
        }
        for (int v = 0; v < m->vertex_count; v++)
            m->size[v] = sum[v];
    }
    free(normal);
    free(bend);
    free(sum);
    free(e.list);
    fans_free(&f);
}

void mesh_refine(mesh *m, const body *b) {
    choose_sizes(m, b);
    for (int round = 0; round < 40; round++) {
        int collapses = collapse_short_edges(m, b);
        flip_edges(m);
        if (round > 2 && collapses * 200 < m->vertex_count)
            break;
    }
    for (int round = 0; round < 5; round++) {
        split_long_edges(m, b);
        collapse_short_edges(m, b);
        flip_edges(m);
        flip_edges(m);
        relax(m, b);
    }
    for (int round = 0; round < 3; round++) {
        flip_edges(m);
        relax(m, b);
    }
}

/* Whether the level goes through zero between two vertices, not merely jumps from one line's
 * neighbourhood to that of another. */
static int crosses(const mesh *m, const double *value, int v, int w) {
    double length = v3_distance(m->position[v], m->position[w]);
    return value[v] * value[w] < 0.0 && fabs(value[v] - value[w]) < 2.0 * length;
}

void mesh_cut(mesh *m, const body *b, double (*level)(const body *, vec3)) {
    const double close = 0.3;
    fans f;
    edges e;
    fans_build(m, &f);
    edges_build(m, &f, &e);
    double *value = mq_grow(NULL, (size_t)m->vertex_count, sizeof *value);
    double *nearest = mq_grow(NULL, (size_t)m->vertex_count, sizeof *nearest);
    vec3 *moved = mq_grow(NULL, (size_t)m->vertex_count, sizeof *moved);
    for (int v = 0; v < m->vertex_count; v++) {
        value[v] = level(b, m->position[v]);
        if (fabs(value[v]) < 1e-7) /* on it already: the cut has been made before */
            value[v] = 0.0;
        nearest[v] = close;
    }
    /* Vertices close to the line are drawn onto it along the edge that needs the shortest way. */
    for (int i = 0; i < e.count; i++) {
        int ends[2] = {e.list[i].a, e.list[i].b};
        if (!crosses(m, value, ends[0], ends[1]))
            continue;
        for (int k = 0; k < 2; k++) {
            int v = ends[k], w = ends[1 - k];
            double t = value[v] / (value[v] - value[w]);
            if (t < nearest[v] && !m->fixed[v] && (!f.rim[v] || f.rim[w])) {
                nearest[v] = t;
                moved[v] = on_surface(m, b, v, w, t);
            }
        }
    }
    for (int v = 0; v < m->vertex_count; v++)
        if (nearest[v] < close) {
            m->position[v] = moved[v];
            m->fixed[v] = 1;
            value[v] = 0.0;
        }
    int *middle = no_middles(m), triangles_before = m->triangle_count;
    for (int i = 0; i < e.count; i++) {
        edge *one = &e.list[i];
        if (!crosses(m, value, one->a, one->b))
            continue;
        double t = value[one->a] / (value[one->a] - value[one->b]);
        int v = mesh_add_vertex(m, on_surface(m, b, one->a, one->b, t), m->size[one->a]);
        m->fixed[v] = 1;
        mark_middle(m, one, v, middle);
    }
    split_triangles(m, middle, triangles_before);
    free(middle);
    free(value);
    free(nearest);
    free(moved);
    free(e.list);
    fans_free(&f);
}

void mesh_mirror(mesh *m) {
    int vertices = m->vertex_count, triangles = m->triangle_count;
    int *mirror = mq_grow(NULL, (size_t)vertices, sizeof *mirror);
    for (int v = 0; v < vertices; v++)
        mirror[v] = m->position[v].x == 0.0
                        ? v
                        : mesh_add_vertex(m, v3_mirror_x(m->position[v]), m->size[v]);
    for (int t = 0; t < triangles; t++) {
        triangle old = m->triangles[t];
        mesh_add_triangle(m, mirror[old.v[0]], mirror[old.v[2]], mirror[old.v[1]]);
    }
    free(mirror);
}
