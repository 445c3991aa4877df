/* proofs/facts_b_characters.c -- eigenvalues of the irreducible representations of A5.
 *
 * Statement.  The real irreducible characters of the rotation group named are the five of
 * the document, of the dimensions stated; elements of the order named have so many
 * non-real pairs of eigenvalues in each.
 *
 * Why the check suffices.  Each character is computed on every element: of the trivial
 * representation, of the rotations, of their conjugate over Q(sqrt 5), and of the actions on
 * the points and on the subgroups of the order named, less the trivial one.  All inner
 * products are taken: they are irreducible and different.  The squares of the dimensions
 * add up to the order of the group, so there are no others, over the complex numbers
 * either.  The eigenvalues 1 and -1 of g in a representation are counted by averaging the
 * character, with signs, over the powers of g.
 *
 * Not shown here: which representations consist of signed Householder matrices (b.F3).  */
#include "checks.h"
#include "ckda/construct.h"

enum { CHARACTERS = 5, MAX_SYLOW = 64, MAX_ORDER = 64 };

typedef struct {
    ckda_construction_t c;
    const ckda_field_struct *K;
    uint32_t order;
    ckda_elem_struct *value; /* value[i * order + g] */
} table;

static ckda_elem_struct *
value(const table *t, size_t i, uint32_t g)
{
    return t->value + i * t->order + g;
}

/* ---- the characters ---------------------------------------------------------------------- */

/* y = x with -sqrt 5 for sqrt 5. */
static void
set_conjugate(ckda_elem_t y, const ckda_elem_t x, const ckda_field_t K)
{
    fmpq_poly_t f;
    fmpq_t q;
    fmpq_poly_init(f);
    fmpq_init(q);
    ckda_elem_get_fmpq_poly(f, x, K);
    fmpq_poly_get_coeff_fmpq(q, f, 1);
    fmpq_neg(q, q);
    fmpq_poly_set_coeff_fmpq(f, 1, q);
    ckda_elem_set_fmpq_poly(y, f, K);
    fmpq_clear(q);
    fmpq_poly_clear(f);
}

/* One generator of each cyclic subgroup of this order; how many. */
static size_t
list_cyclic(uint32_t generator[MAX_SYLOW], const ckda_group_t G, uint64_t order)
{
    size_t n = 0;
    for (uint32_t g = 0; g < G->order; g++) {
        bool known = ckda_perm_order(&G->element[g]) != order;
        for (uint64_t e = 1; e < order && !known; e++) {
            const uint32_t power = ckda_group_pow(G, g, e);
            for (size_t i = 0; i < n && !known; i++)
                known = generator[i] == power;
        }
        if (known)
            continue;
        ckda_require(n < MAX_SYLOW, "more than %d cyclic subgroups", MAX_SYLOW);
        generator[n++] = g;
    }
    return n;
}

/* Subgroups <x_i> with g <x_i> g^-1 = <x_i>. */
static long
count_kept(const ckda_group_t G, uint32_t g, const uint32_t *generator, size_t n)
{
    long kept = 0;
    for (size_t i = 0; i < n; i++) {
        const uint32_t x =
            ckda_group_mul(G, ckda_group_mul(G, g, generator[i]), ckda_group_inv(G, g));
        uint32_t power = generator[i];
        while (power != 0 && power != x)
            power = ckda_group_mul(G, power, generator[i]);
        kept += power == x;
    }
    return kept;
}

static long
count_fixed(const ckda_perm *g)
{
    long fixed = 0;
    for (int i = 0; i < g->n; i++)
        fixed += g->image[i] == i;
    return fixed;
}

static void
set_characters(const table *t, uint64_t order)
{
    uint32_t generator[MAX_SYLOW];
    const ckda_group_struct *G = t->c->G;
    const size_t n = list_cyclic(generator, t->c->G, order);
    for (uint32_t g = 0; g < t->order; g++) {
        ckda_elem_one(value(t, 0, g), t->K);
        ckda_require(ckda_mat_trace(value(t, 1, g), &t->c->rotation[g], t->K) == CKDA_OK,
                     "a square matrix");
        set_conjugate(value(t, 2, g), value(t, 1, g), t->K);
        ckda_elem_set_si(value(t, 3, g), count_fixed(&G->element[g]) - 1, t->K);
        ckda_elem_set_si(value(t, 4, g), count_kept(t->c->G, g, generator, n) - 1, t->K);
    }
}

/* ---- what is checked of them ---------------------------------------------------------------- */

/* sum over g of chi_i(g) chi_j(g) = |G| if i = j, else 0 (real characters). */
static ckda_truth
check_orthogonal(ckda_evidence *ev, const table *t)
{
    ckda_truth truth = CKDA_TRUE;
    ckda_elem_t sum;
    ckda_elem_init(sum, t->K);
    for (size_t i = 0; i < CHARACTERS; i++)
        for (size_t j = 0; j <= i && truth == CKDA_TRUE; j++) {
            ckda_elem_zero(sum, t->K);
            for (uint32_t g = 0; g < t->order; g++)
                ckda_elem_addmul(sum, value(t, i, g), value(t, j, g), t->K);
            truth = ckda_evidence_expect(
                ev, ckda_elem_cmp_si(sum, i == j ? (slong)t->order : 0, t->K) == 0,
                "inner product of the characters %zu and %zu", i + 1, j + 1);
        }
    ckda_elem_clear(sum, t->K);
    return truth;
}

/* 2 * the number of non-real pairs of g in representation i: its dimension less the
 * multiplicities of 1 and -1. */
static void
set_nonreal(ckda_elem_t x, const table *t, size_t i, uint32_t g)
{
    const ckda_group_struct *G = t->c->G;
    const uint64_t order = ckda_perm_order(&G->element[g]);
    ckda_elem_t sum, inverse;
    ckda_elem_init(sum, t->K);
    ckda_elem_init(inverse, t->K);
    for (uint64_t k = 0; k < order; k++) {
        const ckda_elem_struct *chi = value(t, i, ckda_group_pow(G, g, k));
        ckda_elem_add(sum, sum, chi, t->K);
        if (order % 2 == 0) { /* twice for the even powers, not at all for the odd ones */
            if (k % 2 == 0)
                ckda_elem_add(sum, sum, chi, t->K);
            else
                ckda_elem_sub(sum, sum, chi, t->K);
        }
    }
    ckda_elem_set_frac(inverse, 1, (slong)order, t->K);
    ckda_elem_mul(sum, sum, inverse, t->K);
    ckda_elem_sub(x, value(t, i, 0), sum, t->K);
    ckda_elem_clear(inverse, t->K);
    ckda_elem_clear(sum, t->K);
}

static ckda_truth
check_pairs(ckda_evidence *ev, const table *t, size_t i, uint64_t order, long pairs)
{
    ckda_truth truth = CKDA_TRUE;
    ckda_elem_t x;
    ckda_elem_init(x, t->K);
    for (uint32_t g = 0; g < t->order && truth == CKDA_TRUE; g++) {
        if (ckda_perm_order(&t->c->G->element[g]) != order)
            continue;
        set_nonreal(x, t, i, g);
        truth = ckda_evidence_expect(ev, ckda_elem_cmp_si(x, 2 * pairs, t->K) == 0,
                                     "character %zu: %ld non-real pairs", i + 1, pairs);
        if (truth == CKDA_FALSE)
            ckda_evidence_fact_elem(ev, "non-real eigenvalues", x, t->K);
    }
    ckda_elem_clear(x, t->K);
    return truth;
}

static ckda_truth
check_list(ckda_evidence *ev, const table *t, const ckda_node *list, uint64_t order)
{
    ckda_node item;
    long squares = 0;
    ckda_truth truth = CKDA_TRUE;
    for (size_t i = 0; i < CHARACTERS && truth == CKDA_TRUE; i++) {
        long dimension, pairs;
        if (ckda_node_item(&item, list, i, &ev->problem) != CKDA_OK
            || ckda_node_get_long(&dimension, &item, "dimension", 1, 100, &ev->problem)
                   != CKDA_OK
            || ckda_node_get_long(&pairs, &item, "pairs", 0, 100, &ev->problem)
                   != CKDA_OK)
            return CKDA_UNKNOWN;
        squares += dimension * dimension;
        truth = ckda_evidence_expect(
            ev, ckda_elem_cmp_si(value(t, i, 0), dimension, t->K) == 0,
            "character %zu has dimension %ld", i + 1, dimension);
        if (truth == CKDA_TRUE)
            truth = check_pairs(ev, t, i, order, pairs);
    }
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_long(ev, "squares of the dimensions", squares,
                                          (long)t->order);
    return truth;
}

ckda_truth
ckda_check_irreducible_pairs(ckda_evidence *ev, const ckda_node *in)
{
    static const char *const known[] = {"system", "order", "characters"};
    const char *system;
    ckda_node list;
    size_t n;
    long order;
    table t;
    ckda_error *err = &ev->problem;
    if (ckda_node_only(in, known, sizeof known / sizeof known[0], err) != CKDA_OK
        || ckda_node_get_string(&system, in, "system", err) != CKDA_OK
        || ckda_node_get_long(&order, in, "order", 2, MAX_ORDER, err) != CKDA_OK
        || ckda_node_member(&list, in, "characters", err) != CKDA_OK
        || ckda_node_size(&n, &list, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    if (n != CHARACTERS)
        return ckda_evidence_unable(ev, "%d characters are needed", CHARACTERS);
    if (ckda_construct(t.c, system, "quaternion", err) != CKDA_OK)
        return CKDA_UNKNOWN;
    t.K = t.c->K;
    t.order = t.c->G->order;
    t.value = ckda_elem_vec_new(CHARACTERS * (slong)t.order, t.K);
    ckda_truth truth = CKDA_UNKNOWN;
    if (t.K->degree != 2 || t.c->decoder != CKDA_DECODE_F || t.order > MAX_ORDER)
        truth = ckda_evidence_unable(
            ev, "rotations over a quadratic field, at most %d, are needed", MAX_ORDER);
    else {
        set_characters(&t, (uint64_t)order);
        truth = check_orthogonal(ev, &t);
        if (truth == CKDA_TRUE)
            truth = check_list(ev, &t, &list, (uint64_t)order);
    }
    ckda_evidence_scope(ev, "%d characters on %u elements, all inner products",
                        CHARACTERS, t.order);
    ckda_elem_vec_free(t.value, CHARACTERS * (slong)t.order, t.K);
    ckda_construct_clear(t.c);
    return truth;
}
