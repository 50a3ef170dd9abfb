/* Skeletons and skins: joints, their names and scales, inverse bind matrices. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check/checker.h"

/* Where each node stands: a depth-first walk numbers the nodes, so that the nodes at or below one
 * are those with enter <= number < leave, whatever the depth of the tree. */
typedef struct tree {
    uint32_t *enter, *leave, *root;
} tree;

static bool is_at_or_below(const tree *t, uint32_t node, uint32_t ancestor) {
    return t->enter[ancestor] <= t->enter[node] && t->enter[node] < t->leave[ancestor];
}

static bool walk_tree(checker *c, tree *t) {
    uint32_t n = c->model->node_count;
    uint32_t *first_child = CHECKER_NEW(c, uint32_t, n);
    uint32_t *sibling = CHECKER_NEW(c, uint32_t, n);
    *t = (tree){CHECKER_NEW(c, uint32_t, n), CHECKER_NEW(c, uint32_t, n),
                CHECKER_NEW(c, uint32_t, n)};
    if (c->out_of_memory)
        return false;
    const sn_node *nodes = c->model->nodes;
    for (uint32_t i = 0; i < n; i++)
        first_child[i] = SN_NONE;
    for (uint32_t i = n; i-- > 0;) {
        uint32_t parent = nodes[i].parent;
        sibling[i] = parent == SN_NONE ? SN_NONE : first_child[parent];
        if (parent != SN_NONE)
            first_child[parent] = i;
    }
    uint32_t number = 0;
    for (uint32_t root = 0; root < n; root++) {
        if (nodes[root].parent != SN_NONE)
            continue;
        for (uint32_t node = root; node != SN_NONE;) {
            t->enter[node] = number++;
            t->root[node] = root;
            uint32_t down = first_child[node];
            while (down == SN_NONE) { /* climb to the next branch */
                t->leave[node] = number;
                if (node == root)
                    break;
                down = sibling[node];
                node = nodes[node].parent;
            }
            node = down;
        }
    }
    return true;
}

/* ---- Joints ---- */

enum { JOINT = 1, ABOVE_JOINT = 2 };

/* Which nodes are joints of some skin, and which stand above one. */
static uint8_t *mark_joints(checker *c) {
    const sn_model *model = c->model;
    uint8_t *marks = CHECKER_NEW(c, uint8_t, model->node_count);
    if (!marks)
        return NULL;
    for (uint32_t s = 0; s < model->skin_count; s++) {
        const sn_skin *skin = &model->skins[s];
        for (uint32_t j = 0; j < skin->joint_count; j++) {
            marks[skin->joints[j]] |= JOINT;
            uint32_t up = model->nodes[skin->joints[j]].parent;
            for (; up != SN_NONE && !(marks[up] & ABOVE_JOINT); up = model->nodes[up].parent)
                marks[up] |= ABOVE_JOINT;
        }
    }
    return marks;
}

static void check_joint_scales(checker *c, const uint8_t *marks) {
    for (uint32_t i = 0; i < c->model->node_count; i++) {
        const float *s = c->model->nodes[i].rest.scale;
        if (marks[i] && s[0] * s[1] * s[2] < 0)
            checker_add(
                c, RULE_JOINT_MIRRORED, place_of("/nodes/%u", i),
                "the rest scale %g %g %g mirrors the skeleton below; retargeting, mirroring "
                "and many engines expect positive scales",
                (double)s[0], (double)s[1], (double)s[2]);
        /* Below a leaf nothing turns, so its scale cannot shear anything. */
        float x = fabsf(s[0]), y = fabsf(s[1]), z = fabsf(s[2]);
        float largest = fmaxf(x, fmaxf(y, z)), smallest = fminf(x, fminf(y, z));
        if ((marks[i] & ABOVE_JOINT) && largest - smallest > 1e-3f * largest)
            checker_add(c, RULE_JOINT_SCALE, place_of("/nodes/%u", i),
                        "the rest scale %g %g %g is not the same on all axes, so the joints below "
                        "shear when they turn; scale the mesh instead",
                        (double)s[0], (double)s[1], (double)s[2]);
    }
}

typedef struct named {
    const char *name;
    uint32_t node;
} named;

static int by_name(const void *a, const void *b) {
    const named *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->node > y->node) - (x->node < y->node);
}

static void check_joint_names(checker *c, const uint8_t *marks) {
    const sn_model *model = c->model;
    named *joints = CHECKER_NEW(c, named, model->node_count);
    if (!joints)
        return;
    uint32_t count = 0;
    for (uint32_t i = 0; i < model->node_count; i++) {
        if (!(marks[i] & JOINT))
            continue;
        if (model->nodes[i].name[0])
            joints[count++] = (named){model->nodes[i].name, i};
        else
            checker_add(c, RULE_JOINT_NO_NAME, place_of("/nodes/%u", i),
                        "this joint has no name: commands and retargeting can only find it by its "
                        "index, %u",
                        i);
    }
    qsort(joints, count, sizeof *joints, by_name);
    for (uint32_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && strcmp(joints[end].name, joints[i].name) == 0;)
            end++;
        if (end - i > 1)
            checker_add(c, RULE_JOINT_DUPLICATE_NAME, place_of("/nodes/%u", joints[i + 1].node),
                        "%u joints are named \"%s\", the first is node %u; a name should tell one "
                        "joint",
                        end - i, joints[i].name, joints[i].node);
    }
}

/* ---- One skin ---- */

/* The volume of the parallelepiped that the rows span, relative to the box of their lengths: 1 for
 * a rotation with any scale, 0 when the matrix flattens space. */
static float relative_volume(const sn_affine *a) {
    const float(*m)[4] = a->m;
    float lengths = 1;
    for (int row = 0; row < 3; row++)
        lengths *= sqrtf(m[row][0] * m[row][0] + m[row][1] * m[row][1] + m[row][2] * m[row][2]);
    float volume = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                   m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                   m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
    return lengths > 0 ? fabsf(volume) / lengths : 0;
}

static void check_bind_matrices(checker *c, uint32_t s) {
    const sn_skin *skin = &c->model->skins[s];
    if (!skin->inverse_bind) {
        checker_add(c, RULE_SKIN_BIND_MISSING, place_of("/skins/%u", s),
                    "the skin has no inverseBindMatrices, so every one is the identity: right only "
                    "for a mesh made in the space of its joints");
        return;
    }
    uint32_t broken = 0, first_broken = 0, flat = 0, first_flat = 0;
    for (uint32_t j = 0; j < skin->joint_count; j++) {
        bool finite = true;
        for (int k = 0; k < 12; k++)
            finite = finite && is_finite(skin->inverse_bind[j].m[k / 4][k % 4]);
        if (!finite) {
            if (!broken++)
                first_broken = j;
        } else if (relative_volume(&skin->inverse_bind[j]) < 1e-6f) {
            if (!flat++)
                first_flat = j;
        }
    }
    if (broken)
        checker_add(c, RULE_SKIN_BIND_NOT_FINITE, place_of("/skins/%u/inverseBindMatrices", s),
                    "%u of %u inverse bind matrices hold NaN or infinity, the first is that of "
                    "joint %u; every number must be finite",
                    broken, skin->joint_count, first_broken);
    if (flat)
        checker_add(c, RULE_SKIN_BIND_SINGULAR, place_of("/skins/%u/inverseBindMatrices", s),
                    "%u of %u inverse bind matrices flatten space, the first is that of joint %u, "
                    "so its bind pose cannot be found; a bind matrix should be invertible",
                    flat, skin->joint_count, first_flat);
}

/* `seen` holds, for each node, 1 + the last skin that has it as a joint. */
static void check_skin(checker *c, uint32_t s, const tree *t, uint32_t *seen) {
    const sn_skin *skin = &c->model->skins[s];
    if (skin->joint_count > 128)
        checker_add(c, RULE_SKIN_LARGE, place_of("/skins/%u/joints", s),
                    "the skin has %u joints; engines that pass joint matrices as shader constants "
                    "often stop at 128",
                    skin->joint_count);
    bool stray_told = false, skeleton_told = false;
    for (uint32_t j = 0; j < skin->joint_count; j++) {
        uint32_t node = skin->joints[j];
        if (seen[node] == s + 1)
            checker_add(c, RULE_SKIN_DUPLICATE_JOINT, place_of("/skins/%u/joints/%u", s, j),
                        "node %u is a joint of this skin twice; each joint must be named once",
                        node);
        seen[node] = s + 1;
        if (!stray_told && t->root[node] != t->root[skin->joints[0]]) {
            stray_told = true;
            checker_add(c, RULE_SKIN_NO_COMMON_ROOT, place_of("/skins/%u/joints/%u", s, j),
                        "node %u stands in another tree than joint 0 (node %u); the joints of a "
                        "skin must have a common root",
                        node, skin->joints[0]);
        }
        if (!skeleton_told && skin->skeleton_root != SN_NONE &&
            !is_at_or_below(t, node, skin->skeleton_root)) {
            skeleton_told = true;
            checker_add(c, RULE_SKIN_SKELETON, place_of("/skins/%u/skeleton", s),
                        "node %u is no common root: joint %u (node %u) does not stand below it",
                        skin->skeleton_root, j, node);
        }
    }
    check_bind_matrices(c, s);
}

static bool is_identity(const sn_transform *t) {
    bool same = fabsf(t->rotation[3]) > 1 - 1e-6f;
    for (int i = 0; i < 3; i++)
        same = same && fabsf(t->translation[i]) <= 1e-6f && fabsf(t->rotation[i]) <= 1e-6f &&
               fabsf(t->scale[i] - 1) <= 1e-6f;
    return same;
}

static void check_skin_users(checker *c) {
    const sn_model *model = c->model;
    bool *used = CHECKER_NEW(c, bool, model->skin_count);
    if (!used)
        return;
    for (uint32_t i = 0; i < model->node_count; i++) {
        const sn_node *node = &model->nodes[i];
        if (node->skin == SN_NONE)
            continue;
        used[node->skin] = true;
        if (node->mesh != SN_NONE && !is_identity(&node->rest))
            checker_add(c, RULE_NODE_SKIN_TRANSFORM, place_of("/nodes/%u", i),
                        "the node of a skinned mesh has a transform of its own, which is ignored: "
                        "only the joints move a skinned mesh");
    }
    for (uint32_t s = 0; s < model->skin_count; s++)
        if (!used[s])
            checker_add(c, RULE_SKIN_UNUSED, place_of("/skins/%u", s), "no node uses this skin");
}

void check_skins(checker *c) {
    const sn_model *model = c->model;
    if (!model->skin_count) {
        checker_add(c, RULE_SKIN_NONE, place_of(""),
                    "the file has no skin: its nodes can be animated, but no mesh bends");
        return;
    }
    tree t;
    const uint8_t *marks = mark_joints(c);
    uint32_t *seen = CHECKER_NEW(c, uint32_t, model->node_count);
    if (!marks || !seen || !walk_tree(c, &t))
        return;
    check_joint_scales(c, marks);
    check_joint_names(c, marks);
    for (uint32_t s = 0; s < model->skin_count; s++)
        check_skin(c, s, &t, seen);
    check_skin_users(c);
}
