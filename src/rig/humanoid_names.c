/* Finding the bones of a human by names and hierarchy. */
#include "base/arena.h"
#include "base/error.h"
#include "rig/bone_name.h"
#include "sinew/humanoid.h"

enum { LONGEST_CHAIN = 16 };

typedef struct scan {
    uint32_t count;
    const uint32_t *parents;
    sn_bone_name *names;
    uint32_t *order;  /* parents before children */
    uint32_t *above;  /* of the chain that is looked for: its joint above this one */
    uint32_t *depth;  /* and how many of it there are, down to this one */
    uint8_t *is_open; /* joints among which to look */
    sn_humanoid *out;
} scan;

/* Joints of one kind and side, each above the next, others possibly between. */
typedef struct chain {
    uint32_t joints[LONGEST_CHAIN];
    uint32_t count;
} chain;

typedef struct wanted {
    sn_part first, last;
    sn_side side;
    sn_part end;   /* the chain ends with such a joint if there is one */
    bool any_side; /* those that name none too */
} wanted;

static bool fits(const scan *s, const wanted *w, uint32_t joint) {
    const sn_bone_name *name = &s->names[joint];
    return s->is_open[joint] && name->part >= w->first && name->part <= w->last &&
           (name->side == (uint8_t)w->side || (w->any_side && name->side == SN_SIDE_NONE));
}

/* The longest chain, cut to its upper joints. */
static chain find_chain(scan *s, wanted w) {
    uint32_t best = SN_NONE;
    bool best_ends = false;
    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t joint = s->order[i], parent = s->parents[joint];
        uint32_t above = SN_NONE;
        if (parent != SN_NONE)
            above = fits(s, &w, parent) ? parent : s->above[parent];
        s->above[joint] = above;
        if (!fits(s, &w, joint))
            continue;
        s->depth[joint] = above == SN_NONE ? 1 : s->depth[above] + 1;
        bool ends = s->names[joint].part == (uint8_t)w.end;
        if (best == SN_NONE || (ends && !best_ends) ||
            (ends == best_ends && s->depth[joint] > s->depth[best])) {
            best = joint;
            best_ends = ends;
        }
    }
    chain out = {.count = 0};
    for (; best != SN_NONE; best = s->above[best]) {
        uint32_t place = s->depth[best] - 1;
        if (place < LONGEST_CHAIN) {
            out.joints[place] = best;
            out.count += 1;
        }
    }
    return out;
}

static sn_part part_of(const scan *s, const chain *c, uint32_t i) {
    return (sn_part)s->names[c->joints[i]].part;
}

static uint32_t find_part(const scan *s, const chain *c, sn_part part) {
    uint32_t i = 0;
    while (i < c->count && part_of(s, c, i) != part)
        i++;
    return i;
}

/* Keeps the uppermost of neighbours that say the same: what follows are twist joints. */
static void drop_repeats(const scan *s, chain *c, sn_part countable) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < c->count; i++)
        if (kept == 0 || part_of(s, c, i) != part_of(s, c, kept - 1) ||
            part_of(s, c, i) == countable)
            c->joints[kept++] = c->joints[i];
    c->count = kept;
}

static void assign(scan *s, unsigned bone, uint32_t joint) {
    for (uint32_t i = 0; i < SN_HUMAN_BONE_COUNT; i++)
        if (s->out->joints[i] == joint)
            return;
    s->out->joints[bone] = joint;
}

/* ---- limbs ---- */

/* A left hand below a right arm is nobody's. */
static bool crosses_over(const scan *s, const chain *c, sn_side side) {
    for (uint32_t at = c->count > 0 ? s->parents[c->joints[0]] : SN_NONE; at != SN_NONE;
         at = s->parents[at])
        if (s->names[at].part != SN_PART_NONE && s->names[at].side != SN_SIDE_NONE &&
            s->names[at].side != (uint8_t)side)
            return true;
    return false;
}

/* Where the parts of a limb are in its chain; its count: not there. */
typedef struct limb {
    uint32_t before, upper, lower, end, after;
} limb;

/* Bones that are only numbered: the last two of `count` are the limb's, one above them goes
 * before. */
static void number_bones(limb *l, uint32_t first, uint32_t count) {
    l->upper = first + count - 2;
    l->lower = first + count - 1;
    if (count > 2)
        l->before = first + count - 3;
}

/* Four bones of a limb from `first` on. A part above one that it ought to hang on is not sure, nor
 * is what would come after it. */
static void assign_limb(scan *s, const chain *c, const uint32_t places[4], unsigned first) {
    uint32_t least = 0;
    for (unsigned i = 0; i < 4; i++) {
        if (places[i] >= c->count)
            continue;
        if (places[i] < least)
            return;
        assign(s, first + i, c->joints[places[i]]);
        least = places[i] + 1;
    }
}

static void find_arm(scan *s, sn_side side, unsigned offset) {
    chain c = find_chain(s, (wanted){SN_PART_CLAVICLE, SN_PART_HAND, side, SN_PART_HAND, false});
    if (crosses_over(s, &c, side))
        return;
    drop_repeats(s, &c, SN_PART_ARM);
    uint32_t none = c.count;
    limb l = {none, none, none, none, none};
    l.end = find_part(s, &c, SN_PART_HAND);
    l.lower = find_part(s, &c, SN_PART_LOWER_ARM);
    uint32_t arms = find_part(s, &c, SN_PART_ARM), upper = find_part(s, &c, SN_PART_UPPER_ARM);
    uint32_t run = 0;
    while (arms + run < none && part_of(s, &c, arms + run) == SN_PART_ARM)
        run++;
    uint32_t shoulder = find_part(s, &c, SN_PART_SHOULDER);
    if (upper < none) {
        l.upper = upper;
        if (l.lower == none && arms < none && arms > upper)
            l.lower = arms;
    } else if (l.lower < none) {
        l.upper = arms < l.lower ? arms : shoulder < l.lower ? shoulder : none;
    } else if (l.end < none) {
        if (run >= 2)
            number_bones(&l, arms, run);
        else if (run == 1 && shoulder < arms)
            l.upper = shoulder, l.lower = arms;
    } else if (run >= 2) {
        /* arm, arm: without a hand; arm, arm, arm: with it; four: with the shoulder too */
        if (run >= 3) {
            l.end = arms + run - 1;
            run--;
        }
        number_bones(&l, arms, run);
    }
    if (l.before == none && l.upper < none)
        for (uint32_t i = l.upper; i-- > 0 && l.before == none;)
            if (part_of(s, &c, i) == SN_PART_SHOULDER || part_of(s, &c, i) == SN_PART_CLAVICLE)
                l.before = i;
    if (l.upper == none)
        l.lower = none;
    const uint32_t places[] = {l.before, l.upper, l.lower, l.end};
    assign_limb(s, &c, places, SN_HUMAN_LEFT_SHOULDER + offset);
}

static void find_leg(scan *s, sn_side side, unsigned offset) {
    chain c = find_chain(s, (wanted){SN_PART_THIGH_JOINT, SN_PART_TOES, side, SN_PART_NONE, false});
    if (crosses_over(s, &c, side))
        return;
    drop_repeats(s, &c, SN_PART_LEG);
    uint32_t none = c.count;
    limb l = {none, none, none, none, none};
    uint32_t ankle = find_part(s, &c, SN_PART_ANKLE), foot = find_part(s, &c, SN_PART_FOOT);
    l.end = ankle < none ? ankle : foot;
    l.after = find_part(s, &c, SN_PART_TOES);
    if (l.after == none && ankle < none && foot < none && foot > ankle)
        l.after = foot;
    l.lower = find_part(s, &c, SN_PART_LOWER_LEG);
    l.upper = find_part(s, &c, SN_PART_UPPER_LEG);
    uint32_t legs = find_part(s, &c, SN_PART_LEG), joint = find_part(s, &c, SN_PART_THIGH_JOINT);
    uint32_t run = 0;
    while (legs + run < none && part_of(s, &c, legs + run) == SN_PART_LEG)
        run++;
    if (l.upper < none) {
        if (l.lower == none && legs < none && legs > l.upper)
            l.lower = legs;
    } else if (l.lower < none) {
        l.upper = legs < l.lower ? legs : joint < l.lower ? joint : none;
    } else if (run == 1) {
        if (joint < legs)
            l.upper = joint, l.lower = legs;
    } else if (run >= 2) {
        /* leg, leg: without a foot; three: with it; four: with the toes too */
        l.upper = legs, l.lower = legs + 1;
        if (l.end == none && run >= 3)
            l.end = legs + 2;
        if (l.after == none && l.end == legs + 2 && run >= 4)
            l.after = legs + 3;
    }
    if (l.upper == none)
        l.lower = none;
    if (l.lower == none)
        l.end = l.after = none;
    const uint32_t places[] = {l.upper, l.lower, l.end, l.after};
    assign_limb(s, &c, places, SN_HUMAN_LEFT_UPPER_LEG + offset);
}

/* Looks only below a joint from here on. */
static void open_below(scan *s, uint32_t top) {
    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t joint = s->order[i], parent = s->parents[joint];
        s->is_open[joint] =
            parent != SN_NONE && (parent == top || s->is_open[parent]) && joint != top;
    }
}

/* Below a hand fingers are that hand's, whether they say so or not. The order in the chain tells
 * the joints of a finger apart whatever they are called: VRM 0 and 1
 * differ in the words for those of the thumb. */
static void find_fingers(scan *s, sn_side side, unsigned offset) {
    uint32_t hand = s->out->joints[SN_HUMAN_LEFT_HAND + offset];
    if (hand == SN_NONE)
        return;
    open_below(s, hand);
    for (unsigned finger = 0; finger < 5; finger++) {
        sn_part part = (sn_part)(SN_PART_THUMB + finger);
        chain c = find_chain(s, (wanted){part, part, side, SN_PART_NONE, true});
        /* Four from 0 on begin in the palm; four from 1 on end at the tip. */
        uint32_t first = c.count > 3 && s->names[c.joints[0]].is_zero && finger > 0 ? 1 : 0;
        for (unsigned i = 0; i < 3 && first + i < c.count; i++)
            assign(s, SN_HUMAN_LEFT_THUMB_METACARPAL + 3 * finger + i + offset,
                   c.joints[first + i]);
    }
}

/* ---- trunk ---- */

static uint32_t parent_of(const scan *s, uint32_t joint) {
    return joint == SN_NONE ? SN_NONE : s->parents[joint];
}

static bool is_above(const scan *s, uint32_t ancestor, uint32_t joint) {
    const sn_joints joints = {.count = s->count, .parents = s->parents};
    return sn_joints_is_above(&joints, ancestor, joint);
}

/* The nearest joint at or above both; that of one where the other is SN_NONE. */
static uint32_t meet(scan *s, uint32_t a, uint32_t b) {
    if (a == SN_NONE || b == SN_NONE)
        return a == SN_NONE ? b : a;
    for (uint32_t i = 0; i < s->count; i++)
        s->depth[i] = 0;
    for (; a != SN_NONE; a = s->parents[a])
        s->depth[a] = 1;
    while (b != SN_NONE && !s->depth[b])
        b = s->parents[b];
    return b;
}

/* What the limb of a side hangs on. */
static uint32_t limb_base(const scan *s, unsigned first, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        if (s->out->joints[first + i] != SN_NONE)
            return s->parents[s->out->joints[first + i]];
    return SN_NONE;
}

typedef struct trunk {
    uint32_t hips, neck, head;
    uint32_t arms; /* where the two arms part */
    uint32_t legs;
} trunk;

static void find_head(scan *s, trunk *t) {
    chain c =
        find_chain(s, (wanted){SN_PART_HIPS, SN_PART_HEAD, SN_SIDE_NONE, SN_PART_HEAD, false});
    uint32_t head = find_part(s, &c, SN_PART_HEAD), neck = find_part(s, &c, SN_PART_NECK);
    if (head < c.count)
        t->head = c.joints[head];
    if (neck < head)
        t->neck = c.joints[neck];
    if (t->head == SN_NONE && t->arms != SN_NONE) {
        /* A spine, or a neck, that goes on above the arms ends in the head. */
        uint32_t i = 0;
        while (i < c.count && is_above(s, c.joints[i], t->arms))
            i++;
        if (i + 1 < c.count && is_above(s, t->arms, c.joints[i])) {
            t->neck = c.joints[i];
            t->head = c.joints[c.count - 1];
        }
    }
    if (t->neck == SN_NONE && t->head != SN_NONE && t->arms != SN_NONE &&
        is_above(s, t->arms, t->head))
        for (uint32_t at = s->parents[t->head]; at != SN_NONE && at != t->arms; at = s->parents[at])
            t->neck = at;
}

/* The joint above legs and trunk that is called so, or the one where they part. */
static void find_hips(scan *s, trunk *t, bool has_legs) {
    uint32_t top = t->arms != SN_NONE ? t->arms : t->neck != SN_NONE ? t->neck : t->head;
    uint32_t fork = meet(s, t->legs, top);
    if (has_legs && t->legs == SN_NONE)
        return;
    uint32_t at = fork;
    while (at != SN_NONE && s->names[at].part != SN_PART_HIPS)
        at = s->parents[at];
    t->hips = at != SN_NONE ? at : has_legs ? fork : SN_NONE;
}

/* The joints from the hips to the neck are spine, chest and upper chest: by name where one is
 * called a chest, else by their order. */
static void find_spine(scan *s, const trunk *t) {
    uint32_t top = parent_of(s, t->neck);
    if (t->neck == SN_NONE) /* where the arms part, or below that, where the head goes off */
        top = meet(s, t->arms, parent_of(s, t->head));
    if (t->hips == SN_NONE || top == SN_NONE || top == t->hips || !is_above(s, t->hips, top))
        return;
    uint32_t spine = SN_NONE, first = SN_NONE, chest = SN_NONE, upper = SN_NONE;
    for (uint32_t at = top; at != t->hips; at = s->parents[at]) {
        switch (s->names[at].part) {
        case SN_PART_SPINE:
            spine = at;
            break;
        case SN_PART_CHEST:
            chest = at;
            break;
        case SN_PART_UPPER_CHEST:
            upper = at;
            break;
        case SN_PART_HIPS:
            break;
        default:
            first = at;
            break;
        }
    }
    if (spine == SN_NONE)
        spine = first;
    if (spine == SN_NONE || chest != SN_NONE || upper != SN_NONE) {
        uint32_t next = chest != SN_NONE ? chest : upper;
        if (spine != SN_NONE && (next == SN_NONE || is_above(s, spine, next)))
            assign(s, SN_HUMAN_SPINE, spine);
        if (chest != SN_NONE)
            assign(s, SN_HUMAN_CHEST, chest);
        if (upper != SN_NONE && is_above(s, next, upper))
            assign(s, SN_HUMAN_UPPER_CHEST, upper);
        return;
    }
    uint32_t count = 1;
    for (uint32_t at = top; at != spine; at = s->parents[at])
        count++;
    assign(s, SN_HUMAN_SPINE, spine);
    if (count == 2)
        assign(s, SN_HUMAN_CHEST, top);
    if (count < 3)
        return;
    uint32_t middle = top;
    for (uint32_t i = count - 1; i > count / 2; i--)
        middle = s->parents[middle];
    assign(s, SN_HUMAN_CHEST, middle);
    assign(s, SN_HUMAN_UPPER_CHEST, top);
}

static void find_trunk(scan *s) {
    trunk t = {SN_NONE, SN_NONE, SN_NONE, SN_NONE, SN_NONE};
    uint32_t bases[2][2];
    bool has_legs = false;
    for (unsigned side = 0; side < 2; side++) {
        unsigned offset = side * SN_HUMAN_SIDE;
        bases[0][side] = limb_base(s, SN_HUMAN_LEFT_SHOULDER + offset, 4);
        bases[1][side] = limb_base(s, SN_HUMAN_LEFT_UPPER_LEG + offset, 1);
        has_legs = has_legs || s->out->joints[SN_HUMAN_LEFT_UPPER_LEG + offset] != SN_NONE;
    }
    t.arms = meet(s, bases[0][0], bases[0][1]);
    t.legs = meet(s, bases[1][0], bases[1][1]);
    find_head(s, &t);
    find_hips(s, &t, has_legs);
    if (t.hips != SN_NONE && t.head != SN_NONE && !is_above(s, t.hips, t.head))
        t.neck = t.head = SN_NONE;
    if (t.hips != SN_NONE)
        assign(s, SN_HUMAN_HIPS, t.hips);
    find_spine(s, &t);
    if (t.neck != SN_NONE)
        assign(s, SN_HUMAN_NECK, t.neck);
    if (t.head == SN_NONE)
        return;
    assign(s, SN_HUMAN_HEAD, t.head);
    open_below(s, t.head);
    const wanted face[] = {{SN_PART_EYE, SN_PART_EYE, SN_SIDE_LEFT, SN_PART_NONE, false},
                           {SN_PART_EYE, SN_PART_EYE, SN_SIDE_RIGHT, SN_PART_NONE, false},
                           {SN_PART_JAW, SN_PART_JAW, SN_SIDE_NONE, SN_PART_NONE, false}};
    for (unsigned i = 0; i < 3; i++) {
        chain c = find_chain(s, face[i]);
        if (c.count > 0)
            assign(s, SN_HUMAN_LEFT_EYE + i, c.joints[0]);
    }
}

/* ---- all ---- */

static void sort(scan *s) {
    uint32_t placed = 0;
    uint32_t *stack = s->above;
    for (uint32_t i = 0; i < s->count; i++)
        s->depth[i] = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t waiting = 0;
        for (uint32_t at = i; at != SN_NONE && !s->depth[at]; at = s->parents[at]) {
            s->depth[at] = 1;
            stack[waiting++] = at;
        }
        while (waiting > 0)
            s->order[placed++] = stack[--waiting];
    }
}

static bool is_sure(const sn_humanoid *h) {
    for (unsigned offset = 0; offset <= SN_HUMAN_SIDE; offset += SN_HUMAN_SIDE)
        for (unsigned upper = SN_HUMAN_LEFT_UPPER_LEG; upper <= SN_HUMAN_LEFT_UPPER_ARM;
             upper += SN_HUMAN_LEFT_UPPER_ARM - SN_HUMAN_LEFT_UPPER_LEG)
            if (h->joints[upper + offset] != SN_NONE && h->joints[upper + 1 + offset] != SN_NONE)
                return true;
    return h->joints[SN_HUMAN_HIPS] != SN_NONE && h->joints[SN_HUMAN_SPINE] != SN_NONE &&
           h->joints[SN_HUMAN_HEAD] != SN_NONE;
}

sn_result sn_humanoid_from_names(const sn_joints *joints, const char *const *names,
                                 const sn_allocator *allocator, sn_humanoid *out, sn_error *error) {
    sn_arena arena = {0};
    sn_arena_init(&arena, allocator);
    sn_humanoid found = sn_humanoid_none();
    uint32_t count = joints->count;
    scan s = {.count = count,
              .parents = joints->parents,
              .names = SN_ARENA_NEW(&arena, sn_bone_name, count),
              .order = SN_ARENA_NEW(&arena, uint32_t, count),
              .above = SN_ARENA_NEW(&arena, uint32_t, count),
              .depth = SN_ARENA_NEW(&arena, uint32_t, count),
              .is_open = SN_ARENA_NEW(&arena, uint8_t, count),
              .out = &found};
    if (!s.names || !s.order || !s.above || !s.depth || !s.is_open) {
        sn_arena_free(&arena);
        return sn_fail(error, SN_MESSAGE_MEMORY, NULL,
                       "no memory to look for the bones of a human");
    }
    for (uint32_t i = 0; i < count; i++) {
        s.is_open[i] = names[i] != NULL;
        if (names[i])
            s.names[i] = sn_bone_name_read(names[i]);
    }
    sort(&s);
    find_arm(&s, SN_SIDE_LEFT, 0);
    find_arm(&s, SN_SIDE_RIGHT, SN_HUMAN_SIDE);
    find_leg(&s, SN_SIDE_LEFT, 0);
    find_leg(&s, SN_SIDE_RIGHT, SN_HUMAN_SIDE);
    find_trunk(&s);
    find_fingers(&s, SN_SIDE_LEFT, 0);
    find_fingers(&s, SN_SIDE_RIGHT, SN_HUMAN_SIDE);
    sn_arena_free(&arena);
    *out = is_sure(&found) ? found : sn_humanoid_none();
    if (joints->rest)
        out->facing = sn_humanoid_rest_facing(out, joints);
    return SN_OK;
}
