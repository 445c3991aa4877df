/* proofs/rotation_groups.c -- the finite groups of rotations of space: which track what, and
 * why the icosahedral one alone could be behind A5 in dimension 3.
 *
 * Statement.  rotation_table (Theorem 3): the classes of finite subgroups of SO(3) are covered
 * by the constructions named, in the dimension stated, every letter being a signed Householder
 * matrix, with a closed graph and a decoder that is right on every edge.  icosahedral_join
 * (Theorem 17): of the classes listed only the one named has the target as a quotient, and it
 * is the target itself; the target's elements of the orders named make as many rotation axes
 * as stated, more than `dimension` coordinate planes of `per_plane` axes can hold; in the
 * coordinates of the construction the rotations of these orders that are signed Householder
 * matrices are those with an axis in a coordinate plane, and no plane holds more.  Both run
 * the claims listed as cores and use the numbers that these checked.
 *
 * Why the check suffices.  Groups, elements, normal subgroups, quotients, rotations and sign
 * diagonals are finitely many; all are taken.
 *
 * Not shown here: that the classes are all finite subgroups of SO(3), each one up to
 * conjugacy; that a finite tracker is a group of which the target is a quotient (Lemma 11);
 * that this descends to rotations.  These are the human steps of the claims. */
#include <stdio.h>
#include <string.h>
#include "axes.h"
#include "checks.h"
#include "closure.h"
#include "cores.h"
#include "rows.h"
#include "ckda/subgroup.h"

enum { MAX_NORMAL = 1000 };

/* ---- classes: {"class": "D", "from": 1, "to": 30} or {"class": "A4"} ---------------------- */

typedef struct {
    const char *name;
    bool family;
    long from, to;
} group_class;

static ckda_status
read_class(group_class *c, const ckda_node *row, ckda_error *err)
{
    *c = (group_class){.from = 0, .to = 0};
    ckda_status st = ckda_node_get_string(&c->name, row, "class", err);
    c->family = ckda_node_has(row, "from");
    if (st == CKDA_OK && c->family)
        st = ckda_node_get_long(&c->from, row, "from", 1, 120, err);
    if (st == CKDA_OK && c->family)
        st = ckda_node_get_long(&c->to, row, "to", c->from, 120, err);
    return st;
}

static void
member_name(char name[32], const group_class *c, long m)
{
    if (c->family)
        snprintf(name, 32, "%.8s%ld", c->name, m);
    else
        snprintf(name, 32, "%.24s", c->name);
}

/* ---- Theorem 3 ----------------------------------------------------------------------------- */

/* Every letter is (I - 2kk^T) S. */
static ckda_truth
check_letters(ckda_evidence *ev, const closure *cl)
{
    ckda_truth truth = CKDA_TRUE;
    for (uint32_t g = 0; g < cl->c->G->order && truth == CKDA_TRUE; g++)
        truth = ckda_evidence_expect(
            ev, ckda_signed_householder(NULL, NULL, &cl->c->matrix[g], cl->c->K) > 0,
            "letter %u is a signed Householder matrix", g);
    return truth;
}

static ckda_truth
check_tracked(ckda_evidence *ev, const closure *cl, long dimension, long states)
{
    const ckda_reach_struct *r = cl->r;
    ckda_evidence_count(ev, r->edges);
    ckda_truth truth =
        ckda_evidence_expect_long(ev, "dimension", (long)cl->c->n, dimension);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect(ev, r->decoder_consistent == CKDA_TRUE,
                                     "the decoder is right on every edge");
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_long(ev, "decoded elements", (long)r->decoded,
                                          (long)cl->c->G->order);
    if (truth == CKDA_TRUE && states > 0)
        truth = ckda_evidence_expect_long(ev, "states", (long)r->states, states);
    return truth == CKDA_TRUE ? check_letters(ev, cl) : truth;
}

/* One group of the class; the ledger's closure reads it from a document. */
static ckda_truth
check_member(ckda_evidence *ev, const char *name, const char *construction,
             long dimension, long states)
{
    closure cl;
    json_t *tree = json_pack("{s:s, s:s}", "system", name, "construction", construction);
    ckda_doc *doc = ckda_doc_wrap(tree, "row");
    json_decref(tree);
    const ckda_node root = ckda_doc_root(doc);
    ckda_truth truth = closure_open(&cl, ev, &root);
    if (truth == CKDA_TRUE) {
        truth = check_tracked(ev, &cl, dimension, states);
        if (truth == CKDA_FALSE)
            ckda_evidence_fact(ev, "system", "%s", name);
        closure_clear(&cl);
    }
    ckda_doc_close(&doc);
    return truth;
}

static ckda_truth
check_class(ckda_evidence *ev, const ckda_node *row)
{
    static const char *const known[] = {"class",        "from",      "to",
                                        "construction", "dimension", "states"};
    group_class c;
    const char *construction;
    long dimension, states = 0;
    char name[32];
    ckda_error *err = &ev->problem;
    if (ckda_node_only(row, known, sizeof known / sizeof known[0], err) != CKDA_OK
        || read_class(&c, row, err) != CKDA_OK
        || ckda_node_get_string(&construction, row, "construction", err) != CKDA_OK
        || ckda_node_get_long(&dimension, row, "dimension", 1, 20, err) != CKDA_OK
        || (ckda_node_has(row, "states")
            && ckda_node_get_long(&states, row, "states", 1, 1000000, err) != CKDA_OK))
        return CKDA_UNKNOWN;
    ckda_truth truth = CKDA_TRUE;
    for (long m = c.from; m <= c.to && truth == CKDA_TRUE; m++) {
        member_name(name, &c, m);
        truth = check_member(ev, name, construction, dimension, states);
    }
    return truth;
}

ckda_truth
ckda_check_rotation_table(ckda_evidence *ev, const ckda_node *in)
{
    size_t n = 0;
    ckda_truth truth = rows_check(&n, ev, in, check_class);
    ckda_evidence_scope(ev, "%zu classes of rotation groups", n);
    return truth == CKDA_TRUE ? cores_run(ev, in) : truth;
}

/* ---- Theorem 17: quotients --------------------------------------------------------------------- */

/* Is T a quotient of H? */
static ckda_status
maps_onto(bool *yes, const ckda_group_t H, const ckda_group_t T, ckda_error *err)
{
    ckda_subgroup *list;
    uint32_t n;
    *yes = false;
    if (H->order % T->order != 0)
        return CKDA_OK;
    ckda_status st = ckda_group_normal_subgroups(&list, &n, H, MAX_NORMAL);
    if (st != CKDA_OK) {
        ckda_error_set(err, "%s has too many normal subgroups", H->name);
        return st;
    }
    uint32_t *coset = flint_malloc(H->order * sizeof *coset);
    uint32_t *map = flint_malloc(T->order * sizeof *map);
    for (uint32_t i = 0; i < n && st == CKDA_OK && !*yes; i++) {
        ckda_group_t Q;
        if (list[i].order != H->order / T->order)
            continue;
        st = ckda_group_quotient(Q, coset, H, list[i].in, list[i].order, err);
        if (st == CKDA_OK) {
            *yes = ckda_group_isomorphism(map, T, Q, NULL, Q->order);
            ckda_group_clear(Q);
        }
    }
    flint_free(map);
    flint_free(coset);
    ckda_subgroups_free(list, n);
    return st;
}

static ckda_truth
check_candidate(ckda_evidence *ev, const char *name, const ckda_group_t T)
{
    ckda_group_t H;
    bool yes = false;
    if (ckda_group_init_named(H, name, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    const ckda_status st = maps_onto(&yes, H, T, &ev->problem);
    ckda_truth truth = CKDA_UNKNOWN;
    if (st == CKDA_OK)
        truth = ckda_evidence_expect(ev, yes == (strcmp(name, T->name) == 0),
                                     "%s is a quotient of %s only if they are one",
                                     T->name, name);
    ckda_group_clear(H);
    return truth;
}

/* Every class; the target must be among them. */
static ckda_truth
check_candidates(ckda_evidence *ev, const ckda_node *in, const ckda_group_t T)
{
    ckda_node list, item;
    size_t n;
    bool target = false;
    group_class c;
    char name[32];
    ckda_truth truth = CKDA_TRUE;
    if (ckda_node_member(&list, in, "classes", &ev->problem) != CKDA_OK
        || ckda_node_size(&n, &list, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    for (size_t i = 0; i < n && truth == CKDA_TRUE; i++) {
        if (ckda_node_item(&item, &list, i, &ev->problem) != CKDA_OK
            || read_class(&c, &item, &ev->problem) != CKDA_OK)
            return CKDA_UNKNOWN;
        for (long m = c.from; m <= c.to && truth == CKDA_TRUE; m++) {
            member_name(name, &c, m);
            target = target || strcmp(name, T->name) == 0;
            truth = check_candidate(ev, name, T);
        }
    }
    return truth == CKDA_TRUE
               ? ckda_evidence_expect(ev, target, "%s is among the classes", T->name)
               : truth;
}

/* ---- Theorem 17: axes ------------------------------------------------------------------------------ */

typedef struct {
    long dimension, per_plane;
    bool counts[128]; /* orders of rotations whose axes are counted */
    long axes;        /* how many there are, as stated */
} axis_count;

/* {"order": 5, "axes": 6}: cyclic subgroups of that order. */
static ckda_truth
check_order(ckda_evidence *ev, const ckda_node *item, const ckda_group_t T, axis_count *a)
{
    long order, axes, elements = 0, generators = 0;
    if (ckda_node_get_long(&order, item, "order", 3, 127, &ev->problem) != CKDA_OK
        || ckda_node_get_long(&axes, item, "axes", 0, 1000, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    for (uint32_t g = 0; g < T->order; g++)
        elements += ckda_group_element_order(T, g) == (uint64_t)order;
    for (long k = 1; k < order; k++)
        generators += n_gcd((ulong)k, (ulong)order) == 1;
    a->counts[order] = true;
    a->axes += axes;
    return ckda_evidence_expect_long(ev, "cyclic subgroups of this order",
                                     elements / generators, axes);
}

static ckda_truth
check_orders(ckda_evidence *ev, const ckda_node *in, const ckda_group_t T, axis_count *a)
{
    ckda_node list, item;
    size_t n;
    ckda_truth truth = CKDA_TRUE;
    if (ckda_node_get_long(&a->dimension, in, "planes", 1, 20, &ev->problem) != CKDA_OK
        || ckda_node_get_long(&a->per_plane, in, "per_plane", 0, 100, &ev->problem)
               != CKDA_OK
        || ckda_node_member(&list, in, "orders", &ev->problem) != CKDA_OK
        || ckda_node_size(&n, &list, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    for (size_t i = 0; i < n && truth == CKDA_TRUE; i++)
        truth = ckda_node_item(&item, &list, i, &ev->problem) == CKDA_OK
                    ? check_order(ev, &item, T, a)
                    : CKDA_UNKNOWN;
    if (truth != CKDA_TRUE)
        return truth;
    return ckda_evidence_expect(ev, a->dimension * a->per_plane < a->axes,
                                "%ld planes of %ld axes do not hold %ld axes",
                                a->dimension, a->per_plane, a->axes);
}

enum { MAX_AXES = 64 };
typedef struct {
    ckda_elem_struct w[MAX_AXES][3];
    long n;
} axis_set;

static bool
is_flat(const ckda_elem_struct *w, const ckda_field_t K)
{
    return ckda_elem_is_zero(w, K) || ckda_elem_is_zero(w + 1, K)
           || ckda_elem_is_zero(w + 2, K);
}

/* One rotation: a single step iff its axis lies in a coordinate plane.  The axis goes into
 * the set. */
static ckda_truth
check_rotation(ckda_evidence *ev, const ckda_construction_t c, uint32_t g, axis_set *set)
{
    ckda_elem_struct *w = set->w[set->n];
    bool seen = false;
    if (set->n == MAX_AXES - 1)
        return ckda_evidence_unable(ev, "%d axes", MAX_AXES);
    axes_of_rotation(w, &c->rotation[g], c->K);
    for (long i = 0; i < set->n; i++)
        seen = seen || axes_parallel(set->w[i], w, c->K);
    const bool flat = is_flat(w, c->K);
    const bool single = ckda_signed_householder(NULL, NULL, &c->rotation[g], c->K) > 0;
    set->n += !seen;
    return ckda_evidence_expect(ev, single == flat,
                                "rotation %u is a single step iff its axis is in a "
                                "coordinate plane",
                                g);
}

static ckda_truth
check_planes(ckda_evidence *ev, const axis_set *set, const axis_count *a,
             const ckda_field_t K)
{
    ckda_truth truth =
        ckda_evidence_expect_long(ev, "axes of the construction", set->n, a->axes);
    long flat = 0;
    for (int i = 0; i < 3 && truth == CKDA_TRUE; i++) {
        long here = 0;
        for (long k = 0; k < set->n; k++)
            here += ckda_elem_is_zero(set->w[k] + i, K);
        truth = ckda_evidence_expect(ev, here <= a->per_plane,
                                     "coordinate plane %d holds %ld axes, at most %ld",
                                     i + 1, here, a->per_plane);
    }
    for (long k = 0; k < set->n; k++)
        flat += is_flat(set->w[k], K);
    ckda_evidence_scope(ev, "%ld of %ld axes in coordinate planes", flat, set->n);
    return truth == CKDA_TRUE
               ? ckda_evidence_expect(ev, flat < set->n, "an axis is in none of them")
               : truth;
}

/* All rotations of the orders counted, in the coordinates of the construction. */
static ckda_truth
check_coordinates(ckda_evidence *ev, const ckda_node *in, const axis_count *a)
{
    ckda_construction_t c;
    axis_set set = {.n = 0};
    ckda_truth truth = closure_construct(c, ev, in);
    if (truth != CKDA_TRUE)
        return truth;
    if (c->decoder != CKDA_DECODE_F || a->dimension != 3) {
        truth = ckda_evidence_unable(ev, "no 3 x 3 rotations with 3 coordinate planes");
        ckda_construct_clear(c);
        return truth;
    }
    for (int i = 0; i < MAX_AXES; i++)
        axes_vec_init(set.w[i], c->K);
    for (uint32_t g = 0; g < c->G->order && truth == CKDA_TRUE; g++) {
        const uint64_t order = ckda_group_element_order(c->G, g);
        if (order < 128 && a->counts[order])
            truth = check_rotation(ev, c, g, &set);
    }
    if (truth == CKDA_TRUE)
        truth = check_planes(ev, &set, a, c->K);
    for (int i = 0; i < MAX_AXES; i++)
        axes_vec_clear(set.w[i], c->K);
    ckda_construct_clear(c);
    return truth;
}

ckda_truth
ckda_check_icosahedral_join(ckda_evidence *ev, const ckda_node *in)
{
    static const char *const known[] = {"cores",  "system",    "construction", "classes",
                                        "planes", "per_plane", "orders"};
    const char *system;
    ckda_group_t T;
    axis_count a = {0};
    ckda_error *err = &ev->problem;
    if (ckda_node_only(in, known, sizeof known / sizeof known[0], err) != CKDA_OK
        || ckda_node_get_string(&system, in, "system", err) != CKDA_OK
        || ckda_group_init_named(T, system, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_truth truth = check_candidates(ev, in, T);
    if (truth == CKDA_TRUE)
        truth = check_orders(ev, in, T, &a);
    if (truth == CKDA_TRUE)
        truth = check_coordinates(ev, in, &a);
    ckda_evidence_scope(ev, "%ld axes, %ld places; all classes of rotation groups",
                        a.axes, a.dimension * a.per_plane);
    ckda_group_clear(T);
    return truth == CKDA_TRUE ? cores_run(ev, in) : truth;
}
