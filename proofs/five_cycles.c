/* proofs/five_cycles.c -- how the cores of Theorem 22 join.
 *
 * Statement.  five_cycle_join: let c be a 5-cycle of the group, t a letter and x the commutator
 * of c and t c t^-1.  In an orthogonal tracker with at most one non-real pair a step, the power
 * E of C-22.m2 of the letter of c is planar or I in every head, decodes to c^E = c, and its
 * commutator with the conjugate by the letter of t dies in the power `exponent` = kernel *
 * (exponent of C-23); decoded, that is x^exponent = e.  For the named c and t this is false,
 * and the pairs (c, t) for which it is false are as many as stated; within the control group,
 * which is tracked, there is none.  planar_powers: orthogonal matrices of the systems named and
 * seeded ones have rank(A^2 - I) = 2 (number of non-real pairs); so an even power of one with
 * at most one pair fixes all but two dimensions.
 *
 * Why the check suffices.  All 5-cycles and all letters are taken.  E is computed for every
 * order N = 5^k r up to a bound and is even, 1 mod 5, and turns N into a power of 5.  Ranks and
 * root counts are exact.
 *
 * Not shown here: the reduction to orthogonal heads (C-20, C-21), the normal form of orthogonal
 * matrices, the lemma on planar rotations beyond its machine parts (C-23). */
#include "checks.h"
#include "closure.h"
#include "cores.h"
#include "rows.h"
#include "ckda/rand.h"
#include "ckda/spectrum.h"
#include "ckda/subgroup.h"

/* ---- powers ------------------------------------------------------------------------------ */

static long
gcd(long a, long b)
{
    return b == 0 ? a : gcd(b, a % b);
}

/* The least E > 0 with 2r | E and E = 1 mod 5. */
static long
power_of(long r)
{
    long E = 2 * r;
    while (E % 5 != 1)
        E += 2 * r;
    return E;
}

/* For every order N = 5^k r: E is even, kills r, and keeps every element of order 5. */
static ckda_truth
check_powers(ckda_evidence *ev, const ckda_group_t G, long most)
{
    ckda_truth truth = CKDA_TRUE;
    for (long r = 1; r <= most && truth == CKDA_TRUE; r++) {
        if (r % 5 == 0)
            continue;
        const long E = power_of(r);
        for (long q = 5; q <= 625 && truth == CKDA_TRUE; q *= 5)
            truth = ckda_evidence_expect(ev, E % 2 == 0 && q * r / gcd(q * r, E) == q,
                                         "the power %ld of an order %ld has order %ld", E,
                                         q * r, q);
        for (uint32_t c = 0; c < G->order && truth == CKDA_TRUE; c++)
            if (ckda_group_element_order(G, c) == 5)
                truth = ckda_evidence_expect(ev, ckda_group_pow(G, c, (uint64_t)E) == c,
                                             "a 5-cycle is its power %ld", E);
    }
    return truth;
}

/* ---- commutators --------------------------------------------------------------------------- */

static uint32_t
commutator_with_conjugate(const ckda_group_t G, uint32_t c, uint32_t t)
{
    const uint32_t b = ckda_group_mul(G, ckda_group_mul(G, t, c), ckda_group_inv(G, t));
    return ckda_group_mul(G, ckda_group_mul(G, c, b),
                          ckda_group_mul(G, ckda_group_inv(G, c), ckda_group_inv(G, b)));
}

/* Pairs of an element of order 5 and a letter whose commutator survives the exponent. */
static long
count_contradictions(ckda_evidence *ev, const ckda_group_t G, long exponent)
{
    long count = 0;
    for (uint32_t c = 0; c < G->order; c++) {
        if (ckda_group_element_order(G, c) != 5)
            continue;
        for (uint32_t t = 0; t < G->order; t++)
            count +=
                ckda_group_pow(G, commutator_with_conjugate(G, c, t), (uint64_t)exponent)
                != 0;
        ckda_evidence_count(ev, G->order);
    }
    return count;
}

static ckda_truth
check_pair(ckda_evidence *ev, const ckda_node *in, const ckda_group_t G, long exponent)
{
    const char *c_text, *t_text;
    uint32_t c, t;
    ckda_error *err = &ev->problem;
    if (ckda_node_get_string(&c_text, in, "c", err) != CKDA_OK
        || ckda_node_get_string(&t_text, in, "t", err) != CKDA_OK
        || ckda_group_parse(&c, G, c_text, err) != CKDA_OK
        || ckda_group_parse(&t, G, t_text, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_truth truth = ckda_evidence_expect(ev, ckda_group_element_order(G, c) == 5,
                                            "%s has order 5", c_text);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect(
            ev,
            ckda_group_pow(G, commutator_with_conjugate(G, c, t), (uint64_t)exponent)
                != 0,
            "the commutator of %s with its conjugate by %s survives the power %ld",
            c_text, t_text, exponent);
    return truth;
}

static ckda_truth
check_control(ckda_evidence *ev, const ckda_node *in, long exponent)
{
    const char *control;
    ckda_group_t A;
    if (ckda_node_get_string(&control, in, "control", &ev->problem) != CKDA_OK
        || ckda_group_init_named(A, control, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    const ckda_truth truth = ckda_evidence_expect_long(
        ev, "contradictions in the control group, which is tracked",
        count_contradictions(ev, A, exponent), 0);
    ckda_group_clear(A);
    return truth;
}

static ckda_truth
check_join(ckda_evidence *ev, const ckda_node *in, const ckda_group_t G)
{
    long spatial, kernel, exponent, contradictions, most;
    ckda_error *err = &ev->problem;
    if (ckda_node_get_long(&spatial, in, "spatial_exponent", 1, 100, err) != CKDA_OK
        || ckda_node_get_long(&kernel, in, "kernel", 1, 100, err) != CKDA_OK
        || ckda_node_get_long(&exponent, in, "exponent", 1, 10000, err) != CKDA_OK
        || ckda_node_get_long(&contradictions, in, "contradictions", 0, 1000000, err)
               != CKDA_OK
        || ckda_node_get_long(&most, in, "orders_to", 1, 10000, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_truth truth = ckda_evidence_expect_long(
        ev, "exponent in dimension 4: that of SO(3) times the kernel", exponent,
        kernel * spatial);
    if (truth == CKDA_TRUE)
        truth = check_powers(ev, G, most);
    if (truth == CKDA_TRUE)
        truth = check_pair(ev, in, G, exponent);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_long(ev, "pairs that contradict",
                                          count_contradictions(ev, G, exponent),
                                          contradictions);
    return truth == CKDA_TRUE ? check_control(ev, in, exponent) : truth;
}

ckda_truth
ckda_check_five_cycle_join(ckda_evidence *ev, const ckda_node *in)
{
    static const char *const known[] = {
        "cores",    "system",         "c",         "t",      "spatial_exponent", "kernel",
        "exponent", "contradictions", "orders_to", "control"};
    const char *system;
    ckda_group_t G;
    ckda_error *err = &ev->problem;
    if (ckda_node_only(in, known, sizeof known / sizeof known[0], err) != CKDA_OK
        || ckda_node_get_string(&system, in, "system", err) != CKDA_OK
        || ckda_group_init_named(G, system, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    const ckda_truth truth = check_join(ev, in, G);
    ckda_evidence_scope(ev, "all 5-cycles with all letters of %s", G->name);
    ckda_group_clear(G);
    return truth == CKDA_TRUE ? cores_run(ev, in) : truth;
}

/* ---- even powers are planar ------------------------------------------------------------------ */

/* rank(A^2 - I) = 2 (number of non-real pairs), with the pairs in *pairs. */
static ckda_truth
check_square(ckda_evidence *ev, slong *pairs, const ckda_mat_t A, const ckda_field_t K)
{
    ckda_root_counts counts;
    ckda_mat_t B, Id;
    ckda_require(ckda_mat_count_eigenvalues(&counts, A, K) == CKDA_OK, "square");
    *pairs = counts.nonreal_pairs;
    ckda_mat_init(B, A->rows, A->rows, K);
    ckda_mat_init(Id, A->rows, A->rows, K);
    ckda_require(ckda_mat_one(Id, K) == CKDA_OK && ckda_mat_mul(B, A, A, K) == CKDA_OK
                     && ckda_mat_sub(B, B, Id, K) == CKDA_OK,
                 "square matrices");
    ckda_truth truth = ckda_evidence_expect(ev, ckda_mat_is_orthogonal(NULL, A, K),
                                            "the matrix is orthogonal");
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_long(ev, "rank(A^2 - I)", (long)ckda_mat_rank(B, K),
                                          2 * (long)*pairs);
    if (truth == CKDA_FALSE)
        ckda_evidence_fact_mat(ev, "A", A, K);
    ckda_mat_clear(Id, K);
    ckda_mat_clear(B, K);
    return truth;
}

static ckda_truth
check_letters(ckda_evidence *ev, const ckda_node *row)
{
    static const char *const known[] = {"system", "construction", "at_most_one"};
    ckda_construction_t c;
    long want, count = 0;
    if (ckda_node_only(row, known, 3, &ev->problem) != CKDA_OK
        || ckda_node_get_long(&want, row, "at_most_one", 0, 100000, &ev->problem)
               != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_truth truth = closure_construct(c, ev, row);
    if (truth != CKDA_TRUE)
        return truth;
    for (uint32_t g = 0; g < c->G->order && truth == CKDA_TRUE; g++) {
        slong pairs = 0;
        truth = check_square(ev, &pairs, &c->matrix[g], c->K);
        count += pairs <= 1;
    }
    if (truth == CKDA_TRUE)
        truth =
            ckda_evidence_expect_long(ev, "letters with at most one pair", count, want);
    ckda_construct_clear(c);
    return truth;
}

/* Seeded rational orthogonal matrices of dimension 2 .. most. */
static ckda_truth
check_seeded(ckda_evidence *ev, long most, long each)
{
    ckda_rand r;
    ckda_field_t K;
    ckda_truth truth = CKDA_TRUE;
    ckda_rand_init(&r, ev->seed);
    ckda_field_init_rational(K);
    if (ev->effort != CKDA_QUICK)
        each *= 10;
    for (long n = 2; n <= most && truth == CKDA_TRUE; n++)
        for (long i = 0; i < each && truth == CKDA_TRUE; i++) {
            slong pairs;
            ckda_mat_t A;
            ckda_mat_init(A, n, n, K);
            ckda_mat_rand_orthogonal(A, &r, 3, K);
            truth = check_square(ev, &pairs, A, K);
            ckda_mat_clear(A, K);
        }
    ckda_field_clear(K);
    ckda_evidence_weaken(ev, CKDA_INSTANCES);
    ckda_evidence_scope(ev, "%ld seeded matrices in each dimension 2 .. %ld", each, most);
    return truth;
}

ckda_truth
ckda_check_planar_powers(ckda_evidence *ev, const ckda_node *in)
{
    long most, each;
    if (ckda_node_get_long(&most, in, "dimension", 2, 12, &ev->problem) != CKDA_OK
        || ckda_node_get_long(&each, in, "seeded", 1, 1000, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    const ckda_truth truth = rows_check(NULL, ev, in, check_letters);
    return truth == CKDA_TRUE ? check_seeded(ev, most, each) : truth;
}
