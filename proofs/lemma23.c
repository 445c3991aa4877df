/* proofs/lemma23.c -- commutators of planar rotations of one order, all of a finite
 * group.
 *
 * Statement.  Of the rotation group in dimension 3, or of the states of its construction
 * in dimension 4, the planar rotations of the order named are as many as stated; the
 * orders of the commutators of all pairs, of equal or different angle, are as stated.
 *
 * Why the check suffices.  The group is finite and every pair is taken.  In dimension 3
 * the rotation matrices multiply like the abstract group (all products are compared) and
 * are different.  In dimension 4 a product of states is read off the closed graph, which
 * is the exact one by its height bound.  A rotation of order m is planar iff it fixes
 * exactly n - 2 dimensions (exact rank); the trace n - 2 + 2 cos then gives the angle in
 * [0, pi].
 *
 * Not shown here: other groups (the reduction to these is the lemma's human part). */
#include "checks.h"
#include "closure.h"

enum { MAX_ORDER = 120 };

typedef struct {
    closure cl;
    bool states; /* dimension 4: states; else elements of the rotation group */
    uint32_t size;
    /* the planar rotations of the order asked for */
    uint32_t *planar, *inverse, n;
    ckda_elem_struct *trace; /* n */
} world;

static uint32_t
product(const world *w, uint32_t a, uint32_t b)
{
    return w->states ? closure_product(&w->cl, a, b) : ckda_group_mul(w->cl.c->G, a, b);
}

static long
order(const world *w, uint32_t a)
{
    return w->states ? closure_order(&w->cl, a)
                     : (long)ckda_perm_order(&w->cl.c->G->element[a]);
}

static uint32_t
inverse(const world *w, uint32_t a)
{
    return w->states ? closure_inverse(&w->cl, a) : ckda_group_inv(w->cl.c->G, a);
}

static void
set_matrix(ckda_mat_t A, const world *w, uint32_t a)
{
    ckda_status status = w->states ? ckda_reach_state(A, w->cl.r, w->cl.sys, a)
                                   : ckda_mat_set(A, &w->cl.c->rotation[a], w->cl.c->K);
    ckda_require(status == CKDA_OK, "a matrix of the group");
}

/* Dimension 3: different matrices that multiply like the elements. */
static ckda_truth
check_rotations(ckda_evidence *ev, const world *w)
{
    const ckda_field_struct *K = w->cl.c->K;
    const ckda_mat_struct *R = w->cl.c->rotation;
    ckda_truth truth = CKDA_TRUE;
    ckda_mat_t A;
    ckda_mat_init(A, 3, 3, K);
    for (uint32_t a = 0; a < w->size; a++) {
        truth = ckda_evidence_expect(ev, a == 0 || !ckda_mat_is_one(&R[a], K),
                                     "only the identity is the matrix I");
        for (uint32_t b = 0; b < w->size && truth == CKDA_TRUE; b++) {
            ckda_require(ckda_mat_mul(A, &R[a], &R[b], K) == CKDA_OK, "3 x 3 matrices");
            truth = ckda_evidence_expect_mat(ev, "rotations multiply like the group", A,
                                             &R[product(w, a, b)], K);
        }
        if (truth != CKDA_TRUE)
            break;
    }
    ckda_mat_clear(A, K);
    return truth;
}

/* dim { v : A v = v } = n - 2 ? */
static bool
is_planar(const ckda_mat_t A, const ckda_field_t K)
{
    ckda_mat_t D, Id;
    ckda_mat_init(D, A->rows, A->rows, K);
    ckda_mat_init(Id, A->rows, A->rows, K);
    ckda_require(ckda_mat_one(Id, K) == CKDA_OK && ckda_mat_sub(D, A, Id, K) == CKDA_OK,
                 "a square matrix");
    const bool planar = ckda_mat_rank(D, K) == 2;
    ckda_mat_clear(Id, K);
    ckda_mat_clear(D, K);
    return planar;
}

static void
collect_planar(ckda_evidence *ev, world *w, long m)
{
    const ckda_field_struct *K = w->cl.c->K;
    const slong n = w->states ? 4 : 3;
    ckda_mat_t A;
    ckda_mat_init(A, n, n, K);
    w->planar = flint_malloc(w->size * sizeof *w->planar);
    w->inverse = flint_malloc(w->size * sizeof *w->inverse);
    w->trace = flint_malloc(w->size * sizeof *w->trace);
    for (uint32_t a = 0; a < w->size; a++) {
        if (order(w, a) != m)
            continue;
        set_matrix(A, w, a);
        ckda_evidence_count(ev, 1);
        if (!is_planar(A, K))
            continue;
        ckda_elem_init(w->trace + w->n, K);
        ckda_require(ckda_mat_trace(w->trace + w->n, A, K) == CKDA_OK, "a square matrix");
        w->inverse[w->n] = inverse(w, a);
        w->planar[w->n++] = a;
    }
    ckda_mat_clear(A, K);
}

typedef struct {
    long same[MAX_ORDER + 1], different[MAX_ORDER + 1];
} orders;

static ckda_truth
count_orders(ckda_evidence *ev, orders *o, const world *w)
{
    /* states that occur again keep their order */
    long *known = flint_calloc(w->size, sizeof *known);
    long worst = 1;
    for (uint32_t i = 0; i < w->n; i++)
        for (uint32_t j = 0; j < w->n; j++) {
            const uint32_t ab = product(w, w->planar[i], w->planar[j]);
            const uint32_t c = product(w, ab, product(w, w->inverse[i], w->inverse[j]));
            if (known[c] == 0)
                known[c] = order(w, c);
            if (known[c] > worst)
                worst = known[c];
            if (worst > MAX_ORDER)
                break;
            const bool same = ckda_elem_equal(w->trace + i, w->trace + j, w->cl.c->K);
            (same ? o->same : o->different)[known[c]]++;
        }
    flint_free(known);
    ckda_evidence_count(ev, (uint64_t)w->n * w->n);
    return worst > MAX_ORDER ? ckda_evidence_unable(ev, "an order above %d", MAX_ORDER)
                             : CKDA_TRUE;
}

/* "exponent", if it is there, kills the commutators of equal angle. */
static ckda_truth
check_exponent(ckda_evidence *ev, const ckda_node *in, const orders *o)
{
    long exponent;
    if (!ckda_node_has(in, "exponent"))
        return CKDA_TRUE;
    if (ckda_node_get_long(&exponent, in, "exponent", 1, 1000, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    for (long e = 1; e <= MAX_ORDER; e++)
        if (ckda_evidence_expect(ev, o->same[e] == 0 || exponent % e == 0,
                                 "a commutator of order %ld divides the exponent %ld", e,
                                 exponent)
            != CKDA_TRUE)
            return CKDA_FALSE;
    return CKDA_TRUE;
}

static ckda_truth
compare(ckda_evidence *ev, const ckda_node *in, const world *w, const orders *o)
{
    ckda_node same, different;
    long planar;
    ckda_error *err = &ev->problem;
    if (ckda_node_get_long(&planar, in, "planar", 0, 1000000, err) != CKDA_OK
        || ckda_node_member(&same, in, "same_angle", err) != CKDA_OK
        || ckda_node_member(&different, in, "different_angle", err) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_truth truth =
        ckda_evidence_expect_long(ev, "planar rotations", (long)w->n, planar);
    if (truth == CKDA_TRUE)
        truth =
            closure_histogram(ev, "commutators, same angle", o->same, MAX_ORDER, &same);
    if (truth == CKDA_TRUE)
        truth = closure_histogram(ev, "commutators, different angle", o->different,
                                  MAX_ORDER, &different);
    return truth == CKDA_TRUE ? check_exponent(ev, in, o) : truth;
}

static ckda_truth
check_world(ckda_evidence *ev, const ckda_node *in, world *w, long m)
{
    orders o = {0};
    ckda_truth truth = CKDA_TRUE;
    w->size = w->states ? (uint32_t)w->cl.r->states : w->cl.c->G->order;
    if (!w->states)
        truth = check_rotations(ev, w);
    if (truth == CKDA_TRUE) {
        collect_planar(ev, w, m);
        truth = count_orders(ev, &o, w);
    }
    if (truth == CKDA_TRUE)
        truth = compare(ev, in, w, &o);
    ckda_evidence_scope(ev, "%u planar rotations of order %ld among %u, all %lu pairs",
                        w->n, m, w->size, (unsigned long)w->n * w->n);
    for (uint32_t i = 0; i < w->n; i++)
        ckda_elem_clear(w->trace + i, w->cl.c->K);
    flint_free(w->trace);
    flint_free(w->inverse);
    flint_free(w->planar);
    return truth;
}

ckda_truth
ckda_check_commutator_orders(ckda_evidence *ev, const ckda_node *in)
{
    static const char *const known[] = {"system",          "construction", "dimension",
                                        "order",           "planar",       "same_angle",
                                        "different_angle", "exponent"};
    world w = {.n = 0};
    long dimension, m;
    ckda_error *err = &ev->problem;
    if (ckda_node_only(in, known, sizeof known / sizeof known[0], err) != CKDA_OK
        || ckda_node_get_long(&dimension, in, "dimension", 3, 4, err) != CKDA_OK
        || ckda_node_get_long(&m, in, "order", 2, MAX_ORDER, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    w.states = dimension == 4;
    ckda_truth truth =
        w.states ? closure_open(&w.cl, ev, in) : closure_construct(w.cl.c, ev, in);
    if (truth != CKDA_TRUE)
        return truth;
    if (w.cl.c->decoder != CKDA_DECODE_F)
        truth = ckda_evidence_unable(ev, "the construction has no 3 x 3 rotations");
    else
        truth = check_world(ev, in, &w, m);
    if (w.states)
        closure_clear(&w.cl);
    else
        ckda_construct_clear(w.cl.c);
    return truth;
}
