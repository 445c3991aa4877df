/* proofs/facts_b_cover.c -- the order of the reachable group from the double cover.
 *
 * Statement.  For each rotation group H of the table the states of its quaternion
 * construction are |H| times as many as [2H, 2H] has elements, 2H being the binary cover
 * (or [H, H] where "cover" says 1); 2 |H|^2 is `factor` times their number.  D_0 with the
 * states makes a group twice as large, whose reflections are the letters times D_0.
 *
 * Why the check suffices.  A commutator of two lifts does not depend on their signs, and
 * with lifts p, q of any length p q conj(p) conj(q) / (|p|^2 |q|^2) stays in the field: the
 * unit quaternions [2H, 2H] are generated exactly, without a square root.  The states are
 * the closed graph, exact by its height bound; each is recomputed along a word.  D_0 g D_0
 * is the transpose of the letter g, a state, so the states and the states times D_0, of
 * determinant 1 and -1, are the group with D_0.
 *
 * Not shown here: the formula for all H at once (the identities of b.F1.words and
 * b.F1.dihedral with a line of group theory).                                           */
#include "axes.h"
#include "checks.h"
#include "closure_rows.h"

/* ---- quaternions ------------------------------------------------------------------- */

static ckda_elem_struct *
at(ckda_elem_struct *list, size_t i)
{
    return list + 4 * i;
}

/* c = a b; c must be neither. */
static void
multiply(ckda_elem_struct c[4], const ckda_elem_struct *a, const ckda_elem_struct *b,
         const ckda_field_t K)
{
    for (int i = 0; i < 4; i++)
        ckda_elem_zero(c + i, K);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            if (axes_unit_sign(i, j) > 0)
                ckda_elem_addmul(c + (i ^ j), a + i, b + j, K);
            else
                ckda_elem_submul(c + (i ^ j), a + i, b + j, K);
}

static void
conjugate(ckda_elem_struct c[4], const ckda_elem_struct *a, const ckda_field_t K)
{
    ckda_elem_set(c, a, K);
    for (int i = 1; i < 4; i++)
        ckda_elem_neg(c + i, a + i, K);
}

static bool
same(const ckda_elem_struct *a, const ckda_elem_struct *b, const ckda_field_t K)
{
    for (int i = 0; i < 4; i++)
        if (!ckda_elem_equal(a + i, b + i, K))
            return false;
    return true;
}

/* A nonzero quaternion that turns like R: from the trace and the axial vector, for a half
 * turn a nonzero column of R + I. */
static void
lift(ckda_elem_struct q[4], const ckda_mat_t R, const ckda_field_t K)
{
    ckda_elem_t one;
    ckda_elem_init(one, K);
    ckda_elem_one(one, K);
    ckda_elem_one(q, K);
    for (slong i = 0; i < 3; i++)
        ckda_elem_add(q, q, ckda_mat_entry(R, i, i), K);
    axes_of_rotation(q + 1, R, K);
    for (slong j = 0; j < 3 && ckda_elem_is_zero(q, K) && axes_is_zero(q + 1, K); j++)
        for (slong i = 0; i < 3; i++) {
            ckda_elem_set(q + 1 + i, ckda_mat_entry(R, i, j), K);
            if (i == j)
                ckda_elem_add(q + 1 + i, q + 1 + i, one, K);
        }
    ckda_elem_clear(one, K);
}

/* Does q turn like R, i.e. is its rotation |q|^2 R?  *inverse = 1/|q|^2. */
static ckda_truth
check_lift(ckda_evidence *ev, ckda_elem_t inverse, const ckda_elem_struct *q,
           const ckda_mat_t R, const ckda_field_t K)
{
    ckda_elem_t norm;
    ckda_mat_t A;
    ckda_elem_init(norm, K);
    ckda_mat_init(A, 3, 3, K);
    for (int i = 0; i < 4; i++)
        ckda_elem_addmul(norm, q + i, q + i, K);
    axes_rotation(A, q, K);
    ckda_truth truth = ckda_evidence_expect(
        ev, ckda_elem_inv(inverse, norm, K) == CKDA_OK, "a lift is not 0");
    if (truth == CKDA_TRUE) {
        ckda_require(ckda_mat_scalar_mul(A, A, inverse, K) == CKDA_OK, "3 x 3 matrices");
        truth = ckda_evidence_expect_mat(ev, "the rotation of a lift", A, R, K);
    }
    ckda_mat_clear(A, K);
    ckda_elem_clear(norm, K);
    return truth;
}

/* ---- the commutator subgroup -------------------------------------------------------- */

/* Different quaternions, 4 coordinates each. */
typedef struct {
    ckda_elem_struct *list;
    size_t n, room;
} quaternions;

/* Adds q unless it is there. */
static void
insert(quaternions *s, const ckda_elem_struct *q, const ckda_field_t K)
{
    for (size_t i = 0; i < s->n; i++)
        if (same(at(s->list, i), q, K))
            return;
    if (s->n == s->room) {
        s->room = 2 * s->room + 16;
        s->list = flint_realloc(s->list, 4 * s->room * sizeof *s->list);
    }
    for (int i = 0; i < 4; i++) {
        ckda_elem_init(at(s->list, s->n) + i, K);
        ckda_elem_set(at(s->list, s->n) + i, q + i, K);
    }
    s->n++;
}

static void
clear(quaternions *s, const ckda_field_t K)
{
    for (size_t i = 0; i < 4 * s->n; i++)
        ckda_elem_clear(s->list + i, K);
    flint_free(s->list);
}

/* c = p q conj(p) conj(q) / (|p|^2 |q|^2); t: scratch. */
static void
commutator(ckda_elem_struct c[4], ckda_elem_struct t[8], const ckda_elem_struct *p,
           const ckda_elem_struct *q, const ckda_elem_t ip, const ckda_elem_t iq,
           const ckda_field_t K)
{
    multiply(c, p, q, K);
    conjugate(t, p, K);
    multiply(t + 4, c, t, K);
    conjugate(t, q, K);
    multiply(c, t + 4, t, K);
    for (int i = 0; i < 4; i++) {
        ckda_elem_mul(c + i, c + i, ip, K);
        ckda_elem_mul(c + i, c + i, iq, K);
    }
}

/* Order of the group that the commutators of the lifts generate: products of the elements
 * found so far with commutators, until nothing is new. */
static size_t
generate(const ckda_elem_struct *p, const ckda_elem_struct *inverse, size_t n,
         const ckda_field_t K)
{
    quaternions gens = {0}, all = {0};
    ckda_elem_struct *x = ckda_elem_vec_new(12, K);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            commutator(x, x + 4, p + 4 * i, p + 4 * j, inverse + i, inverse + j, K);
            insert(&gens, x, K);
        }
    for (int i = 0; i < 4; i++)
        ckda_elem_set_si(x + i, i == 0, K);
    insert(&all, x, K);
    for (size_t i = 0; i < all.n; i++)
        for (size_t j = 0; j < gens.n; j++) {
            multiply(x, at(all.list, i), at(gens.list, j), K);
            insert(&all, x, K);
        }
    const size_t order = all.n;
    ckda_elem_vec_free(x, 12, K);
    clear(&all, K);
    clear(&gens, K);
    return order;
}

static ckda_truth
commutator_order(ckda_evidence *ev, long *order, const ckda_construction_t c)
{
    const ckda_field_struct *K = c->K;
    const size_t n = c->G->order;
    ckda_elem_struct *p = ckda_elem_vec_new(4 * (slong)n, K),
                     *inverse = ckda_elem_vec_new((slong)n, K);
    ckda_truth truth = CKDA_TRUE;
    for (size_t g = 0; g < n && truth == CKDA_TRUE; g++) {
        lift(at(p, g), &c->rotation[g], K);
        truth = check_lift(ev, inverse + g, at(p, g), &c->rotation[g], K);
    }
    if (truth == CKDA_TRUE) {
        *order = (long)generate(p, inverse, n, K);
        ckda_evidence_count(ev, (uint64_t)n * n);
    }
    ckda_elem_vec_free(inverse, (slong)n, K);
    ckda_elem_vec_free(p, 4 * (slong)n, K);
    return truth;
}

/* Order of [H, H] itself. */
static long
plain_commutator_order(const ckda_group_t G)
{
    bool *in = flint_calloc(G->order, sizeof *in),
         *comm = flint_calloc(G->order, sizeof *comm);
    uint32_t *queue = flint_malloc(G->order * sizeof *queue), n = 1;
    for (uint32_t g = 0; g < G->order; g++)
        for (uint32_t h = 0; h < G->order; h++)
            comm[ckda_group_mul(G, ckda_group_mul(G, g, h),
                                ckda_group_inv(G, ckda_group_mul(G, h, g)))] = true;
    in[0] = true;
    queue[0] = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t g = 0; g < G->order; g++) {
            const uint32_t x = ckda_group_mul(G, g, queue[i]);
            if (!comm[g] || in[x])
                continue;
            in[x] = true;
            queue[n++] = x;
        }
    flint_free(queue);
    flint_free(comm);
    flint_free(in);
    return (long)n;
}

/* ---- the reflections ----------------------------------------------------------------- */

/* D_0 g D_0 = g^T for every letter. */
static ckda_truth
check_reversal(ckda_evidence *ev, const ckda_construction_t c)
{
    const ckda_field_struct *K = c->K;
    ckda_mat_t A, T;
    ckda_truth truth = CKDA_TRUE;
    ckda_mat_init(A, 4, 4, K);
    ckda_mat_init(T, 4, 4, K);
    for (uint32_t g = 0; g < c->G->order && truth == CKDA_TRUE; g++) {
        ckda_require(ckda_mat_set(A, &c->matrix[g], K) == CKDA_OK
                         && ckda_mat_transpose(T, A, K) == CKDA_OK,
                     "4 x 4 matrices");
        for (slong i = 1; i < 4; i++) {
            ckda_elem_neg(ckda_mat_entry(A, 0, i), ckda_mat_entry(A, 0, i), K);
            ckda_elem_neg(ckda_mat_entry(A, i, 0), ckda_mat_entry(A, i, 0), K);
        }
        truth = ckda_evidence_expect_mat(ev, "D_0 g D_0 is the inverse of g", A, T, K);
    }
    ckda_mat_clear(T, K);
    ckda_mat_clear(A, K);
    return truth;
}

/* Is S D_0 symmetric of trace 2?  Column j of S is column[j]. */
static bool
is_reflection(ckda_elem_t t, ckda_elem_struct *const column[4], size_t s,
              const ckda_field_t K)
{
    ckda_elem_neg(t, column[0] + 4 * s, K);
    for (size_t i = 1; i < 4; i++)
        ckda_elem_add(t, t, column[i] + 4 * s + i, K);
    if (ckda_elem_cmp_si(t, 2, K) != 0)
        return false;
    for (size_t i = 1; i < 4; i++) {
        ckda_elem_add(t, column[0] + 4 * s + i, column[i] + 4 * s, K);
        if (!ckda_elem_is_zero(t, K))
            return false;
        for (size_t j = 1; j < i; j++)
            if (!ckda_elem_equal(column[j] + 4 * s + i, column[i] + 4 * s + j, K))
                return false;
    }
    return true;
}

static ckda_truth
check_reflections(ckda_evidence *ev, const closure *cl)
{
    const ckda_field_struct *K = cl->c->K;
    ckda_elem_struct *column[4], *e = ckda_elem_vec_new(4, K);
    ckda_truth truth = CKDA_TRUE;
    bool *letter = flint_calloc((size_t)cl->r->states, sizeof *letter);
    ckda_elem_t t;
    ckda_elem_init(t, K);
    for (uint32_t g = 0; g < cl->c->G->order; g++)
        letter[closure_letter(cl, g)] = true;
    for (slong j = 0; j < 4; j++) {
        for (slong i = 0; i < 4; i++)
            ckda_elem_set_si(e + i, i == j, K);
        column[j] = closure_images(cl, e);
    }
    for (size_t s = 0; s < cl->r->states && truth == CKDA_TRUE; s++)
        truth = ckda_evidence_expect(
            ev, is_reflection(t, column, s, K) == letter[s],
            "state %zu times D_0 is a reflection iff it is a letter", s);
    for (slong j = 0; j < 4; j++)
        closure_free_images(column[j], cl);
    ckda_elem_clear(t, K);
    flint_free(letter);
    ckda_elem_vec_free(e, 4, K);
    return truth;
}

/* ---- rows ----------------------------------------------------------------------------- */

static ckda_truth
check_orders(ckda_evidence *ev, const closure *cl, const ckda_node *row)
{
    const long order = (long)cl->c->G->order, states = (long)cl->r->states;
    long commutators = 0, want, factor, cover;
    ckda_error *err = &ev->problem;
    if (ckda_node_get_long(&want, row, "commutators", 1, 1000000, err) != CKDA_OK
        || ckda_node_get_long(&factor, row, "factor", 1, 1000000, err) != CKDA_OK
        || ckda_node_get_long(&cover, row, "cover", 1, 2, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_truth truth = CKDA_TRUE;
    if (cover == 2)
        truth = commutator_order(ev, &commutators, cl->c);
    else
        commutators = plain_commutator_order(cl->c->G);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_long(ev, "commutators", commutators, want);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_long(ev, "|H| times commutators",
                                          order * commutators, states);
    if (truth == CKDA_TRUE)
        truth =
            ckda_evidence_expect_long(ev, "2 |H|^2", 2 * order * order, factor * states);
    return truth;
}

static ckda_truth
check_row(ckda_evidence *ev, const closure *cl, const ckda_node *row,
          closure_claim *claim)
{
    (void)claim;
    if (cl->c->decoder != CKDA_DECODE_F)
        return ckda_evidence_unable(ev, "the construction has no 3 x 3 rotations");
    ckda_truth truth = check_orders(ev, cl, row);
    if (truth == CKDA_TRUE)
        truth = check_reversal(ev, cl->c);
    return truth == CKDA_TRUE ? check_reflections(ev, cl) : truth;
}

ckda_truth
ckda_check_binary_commutators(ckda_evidence *ev, const ckda_node *in)
{
    static const char *const known[] = {"system", "construction", "commutators", "factor",
                                        "cover"};
    closure_claim claim = {known, sizeof known / sizeof known[0], .check = check_row};
    ckda_node full;
    ckda_truth truth = closure_rows(&claim, ev, in);
    if (truth == CKDA_TRUE && ev->effort != CKDA_QUICK && ckda_node_has(in, "full"))
        truth = ckda_node_member(&full, in, "full", &ev->problem) == CKDA_OK
                    ? closure_rows(&claim, ev, &full)
                    : CKDA_UNKNOWN;
    ckda_evidence_scope(ev, "%zu rotation groups, all pairs of elements and all states",
                        claim.rows);
    return truth;
}
