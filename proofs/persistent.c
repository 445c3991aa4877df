/* proofs/persistent.c -- pairs on the unit circle, and what is left beside them.
 *
 * Statement.  persistent_pairs: a seeded step in the CKDA ranges has a non-real
 * unit-circle eigenvalue iff beta is the stated one, |alpha_i| = 1 on the support and both
 * signs occur there, and is normal then.  circle_rest: for seeded contractions with c
 * pairs on the circle, rank(A - A^T) on the complement of their eigenspaces is
 * rank(A - A^T) minus per_pair c; if that is 0 all pairs lie on the circle and A is
 * normal.
 *
 * Why the check suffices.  Counts, ranks and norms are exact for each input.
 *
 * Not shown here: all inputs at once (a.F5, a.F6).                                      */
#include "checks.h"
#include "ckda/spectrum.h"
#include "maps.h"
#include "steps.h"

/* Mostly beta = 2 and signs; sometimes just below. */
static void
rand_corner(ckda_trans_t t, ckda_rand *r, const ckda_field_t K)
{
    static const slong gate[][2] = {{1, 1},  {1, 1}, {1, 1}, {-1, 1}, {-1, 1},
                                    {-1, 1}, {0, 1}, {1, 2}, {-2, 3}, {999999, 1000000}};
    static const slong beta[][2] = {{2, 1}, {2, 1}, {2, 1}, {2, 1}, {1999999, 1000000},
                                    {3, 2}, {1, 1}};
    const uint64_t gates = sizeof gate / sizeof gate[0];
    const uint64_t betas = sizeof beta / sizeof beta[0];
    const slong *b = beta[ckda_rand_below(r, betas)];
    ckda_elem_set_frac(t->beta, b[0], b[1], K);
    for (slong i = 0; i < t->n; i++) {
        const slong *g = gate[ckda_rand_below(r, gates)];
        ckda_elem_set_frac(t->gate + i, g[0], g[1], K);
        ckda_elem_set_si(t->key + i, ckda_rand_range(r, -2, 2), K);
    }
    ckda_elem_one(t->key + (slong)ckda_rand_below(r, (uint64_t)t->n), K);
}

/* The predicate of a.F5. */
static bool
is_persistent(const ckda_trans_t t, const ckda_elem_t beta, bool both_signs,
              const ckda_field_t K)
{
    bool plus = false, minus = false;
    if (!ckda_elem_equal(t->beta, beta, K))
        return false;
    for (slong i = 0; i < t->n; i++) {
        const bool p = ckda_elem_cmp_si(t->gate + i, 1, K) == 0;
        const bool m = ckda_elem_cmp_si(t->gate + i, -1, K) == 0;
        if (ckda_elem_is_zero(t->key + i, K))
            continue;
        if (!p && !m)
            return false;
        plus |= p;
        minus |= m;
    }
    return both_signs ? plus && minus : minus;
}

static bool
is_normal(const ckda_mat_t A, const ckda_field_t K)
{
    ckda_mat_t T, X, Y;
    ckda_mat_init(T, A->rows, A->rows, K);
    ckda_mat_init(X, A->rows, A->rows, K);
    ckda_mat_init(Y, A->rows, A->rows, K);
    ckda_require(ckda_mat_transpose(T, A, K) == CKDA_OK
                     && ckda_mat_mul(X, T, A, K) == CKDA_OK
                     && ckda_mat_mul(Y, A, T, K) == CKDA_OK,
                 "square");
    const bool normal = ckda_mat_equal(NULL, X, Y, K);
    ckda_mat_clear(Y, K);
    ckda_mat_clear(X, K);
    ckda_mat_clear(T, K);
    return normal;
}

static ckda_truth
check_persistent(ckda_evidence *ev, long *found, const ckda_trans_t t,
                 const ckda_elem_t beta, bool both_signs, const ckda_field_t K)
{
    ckda_root_counts counts;
    ckda_mat_t A;
    ckda_mat_init(A, t->n, t->n, K);
    ckda_require(ckda_trans_matrix(A, t, K) == CKDA_OK
                     && ckda_mat_count_eigenvalues(&counts, A, K) == CKDA_OK,
                 "a step with a nonzero key");
    const bool want = is_persistent(t, beta, both_signs, K);
    ckda_truth truth = ckda_evidence_expect_long(ev, "pairs on the unit circle",
                                                 (long)counts.unit_circle_pairs, want);
    if (truth == CKDA_TRUE && want) {
        ++*found;
        truth = ckda_evidence_expect(ev, is_normal(A, K), "A A^T = A^T A");
    }
    if (truth == CKDA_FALSE)
        steps_describe(ev, t, K);
    ckda_mat_clear(A, K);
    return truth;
}

ckda_truth
ckda_check_persistent_pairs(ckda_evidence *ev, const ckda_node *in)
{
    long inputs, n_max, signs, found = 0;
    ckda_field_t K;
    ckda_elem_t beta;
    ckda_rand r;
    if (ckda_node_get_long(&inputs, in, "inputs", 1, 100000, &ev->problem) != CKDA_OK
        || ckda_node_get_long(&n_max, in, "n_max", 2, 8, &ev->problem) != CKDA_OK
        || ckda_node_get_long(&signs, in, "signs", 1, 2, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    inputs *= ev->effort == CKDA_QUICK ? 1 : 10;
    ckda_evidence_weaken(ev, CKDA_INSTANCES);
    ckda_rand_init(&r, ev->seed);
    ckda_field_init_rational(K);
    ckda_elem_init(beta, K);
    ckda_truth truth = maps_read_elem(beta, in, "beta", K, &ev->problem) == CKDA_OK
                           ? CKDA_TRUE
                           : CKDA_UNKNOWN;
    for (long i = 0; i < inputs && truth == CKDA_TRUE; i++) {
        ckda_trans_t t;
        ckda_trans_init(t, CKDA_CKDA, 2 + i % (n_max - 1), 1, K);
        rand_corner(t, &r, K);
        truth = check_persistent(ev, &found, t, beta, signs == 2, K);
        ckda_trans_clear(t, K);
    }
    ckda_evidence_scope(ev, "%ld steps, %ld of them persistent, n = 2 .. %ld", inputs,
                        found, n_max);
    ckda_elem_clear(beta, K);
    ckda_field_clear(K);
    return truth;
}

/* ---- beside the circle ------------------------------------------------------------- */

/* g = the part of chi whose roots are non-real and on the circle, for a contraction: what
 * chi and its reverse share, without x = 1 and x = -1. */
static void
circle_part(ckda_poly_t g, const ckda_mat_t A, const ckda_field_t K)
{
    ckda_poly_t chi, q, rest, linear;
    ckda_elem_t at, value;
    ckda_poly_init(chi, K);
    ckda_poly_init(q, K);
    ckda_poly_init(rest, K);
    ckda_poly_init(linear, K);
    ckda_elem_init(at, K);
    ckda_elem_init(value, K);
    ckda_require(ckda_mat_charpoly(chi, A, K) == CKDA_OK, "square");
    ckda_poly_reverse(q, chi, K); /* zero roots are lost, so they are not shared */
    ckda_poly_gcd(g, chi, q, K);
    for (slong sign = -1; sign <= 1; sign += 2) {
        ckda_elem_set_si(at, sign, K);
        ckda_poly_set_root(linear, at, K);
        for (;;) {
            ckda_poly_eval(value, g, at, K);
            if (!ckda_elem_is_zero(value, K))
                break;
            ckda_require(ckda_poly_divrem(g, rest, g, linear, K) == CKDA_OK, "degree 1");
        }
    }
    ckda_elem_clear(value, K);
    ckda_elem_clear(at, K);
    ckda_poly_clear(linear, K);
    ckda_poly_clear(rest, K);
    ckda_poly_clear(q, K);
    ckda_poly_clear(chi, K);
}

/* M = g(A). */
static void
eval_at_matrix(ckda_mat_t M, const ckda_poly_t g, const ckda_mat_t A,
               const ckda_field_t K)
{
    ckda_elem_t c;
    ckda_elem_init(c, K);
    ckda_mat_zero(M, K);
    for (slong i = ckda_poly_degree(g); i >= 0; i--) {
        ckda_require(ckda_mat_mul(M, M, A, K) == CKDA_OK, "square");
        ckda_poly_get_coeff(c, g, i, K);
        for (slong j = 0; j < A->rows; j++)
            ckda_elem_add(ckda_mat_entry(M, j, j), ckda_mat_entry(M, j, j), c, K);
    }
    ckda_elem_clear(c, K);
}

/* The kernel V of g(A) holds the eigenvectors on the circle; it reduces A, so the columns
 * of g(A)^T span its complement. */
static ckda_truth
check_rest(ckda_evidence *ev, long *equal, const ckda_mat_t A, long per_pair,
           const ckda_field_t K)
{
    const slong n = A->rows;
    ckda_root_counts counts;
    ckda_poly_t g;
    ckda_mat_t M, W, X;
    ckda_poly_init(g, K);
    ckda_mat_init(M, n, n, K);
    ckda_mat_init(W, n, n, K);
    ckda_mat_init(X, n, n, K);
    circle_part(g, A, K);
    eval_at_matrix(M, g, A, K);
    ckda_require(ckda_mat_transpose(W, A, K) == CKDA_OK
                     && ckda_mat_sub(W, A, W, K) == CKDA_OK
                     && ckda_mat_transpose(X, M, K) == CKDA_OK
                     && ckda_mat_mul(X, W, X, K) == CKDA_OK
                     && ckda_mat_count_eigenvalues(&counts, A, K) == CKDA_OK,
                 "square");
    const long c = (long)counts.unit_circle_pairs, all = (long)ckda_mat_rank(W, K);
    ckda_truth truth =
        ckda_evidence_expect(ev, ckda_mat_is_contraction(NULL, A, K), "||A|| <= 1");
    if (truth == CKDA_TRUE)
        truth =
            ckda_evidence_expect_long(ev, "dimension of the eigenspaces on the circle",
                                      (long)(n - ckda_mat_rank(M, K)), 2 * c);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_long(ev, "rank of A - A^T on the complement",
                                          (long)ckda_mat_rank(X, K), all - per_pair * c);
    if (truth == CKDA_TRUE && all == 2 * c) {
        *equal += c > 0;
        truth = ckda_evidence_expect_long(ev, "non-real pairs",
                                          (long)counts.nonreal_pairs, c);
        if (truth == CKDA_TRUE)
            truth = ckda_evidence_expect(ev, is_normal(A, K), "A A^T = A^T A");
    }
    if (truth == CKDA_FALSE)
        ckda_evidence_fact_mat(ev, "A", A, K);
    ckda_mat_clear(X, K);
    ckda_mat_clear(W, K);
    ckda_mat_clear(M, K);
    ckda_poly_clear(g, K);
    return truth;
}

/* A product of one to three CKDA steps. */
static void
rand_steps(ckda_mat_t A, ckda_rand *r, const ckda_field_t K)
{
    const slong n = A->rows, m = (slong)ckda_rand_range(r, 1, 3);
    ckda_mat_t B;
    ckda_mat_init(B, n, n, K);
    ckda_require(ckda_mat_one(A, K) == CKDA_OK, "square");
    for (slong j = 0; j < m; j++) {
        ckda_trans_t t;
        ckda_trans_init(t, CKDA_CKDA, n, 1, K);
        rand_corner(t, r, K);
        ckda_require(ckda_trans_matrix(B, t, K) == CKDA_OK
                         && ckda_mat_mul(A, B, A, K) == CKDA_OK,
                     "a nonzero key");
        ckda_trans_clear(t, K);
    }
    ckda_mat_clear(B, K);
}

/* Q (rotations + small rest) Q^T with Q orthogonal: equal angles, a symmetric rest and no
 * rest occur. */
static void
rand_planes(ckda_mat_t A, ckda_rand *r, const ckda_field_t K)
{
    const slong n = A->rows, c = (slong)ckda_rand_range(r, 0, n / 2);
    const bool symmetric = ckda_rand_below(r, 2) == 0;
    ckda_mat_t Q, T;
    ckda_mat_init(Q, n, n, K);
    ckda_mat_init(T, n, n, K);
    ckda_mat_zero(A, K);
    for (slong i = 0; i < 2 * c; i += 2) {
        const slong x = ckda_rand_below(r, 2) == 0 ? 3 : 4;
        ckda_mat_set_entry_frac(A, i, i, x, 5, K);
        ckda_mat_set_entry_frac(A, i + 1, i + 1, x, 5, K);
        ckda_mat_set_entry_frac(A, i, i + 1, x - 7, 5, K);
        ckda_mat_set_entry_frac(A, i + 1, i, 7 - x, 5, K);
    }
    for (slong i = 2 * c; i < n; i++)
        for (slong j = 2 * c; j < n; j++)
            ckda_mat_set_entry_frac(A, i, j, ckda_rand_range(r, -2, 2), 2 * n, K);
    for (slong i = 2 * c; symmetric && i < n; i++)
        for (slong j = i + 1; j < n; j++)
            ckda_elem_set(ckda_mat_entry(A, i, j), ckda_mat_entry(A, j, i), K);
    ckda_mat_rand_orthogonal(Q, r, 2, K);
    ckda_require(ckda_mat_transpose(T, Q, K) == CKDA_OK
                     && ckda_mat_mul(A, Q, A, K) == CKDA_OK
                     && ckda_mat_mul(A, A, T, K) == CKDA_OK,
                 "square");
    ckda_mat_clear(T, K);
    ckda_mat_clear(Q, K);
}

ckda_truth
ckda_check_circle_rest(ckda_evidence *ev, const ckda_node *in)
{
    long inputs, n_max, per_pair, equal = 0;
    ckda_field_t K;
    ckda_rand r;
    ckda_truth truth = CKDA_TRUE;
    if (ckda_node_get_long(&inputs, in, "inputs", 1, 100000, &ev->problem) != CKDA_OK
        || ckda_node_get_long(&n_max, in, "n_max", 2, 8, &ev->problem) != CKDA_OK
        || ckda_node_get_long(&per_pair, in, "per_pair", 0, 4, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    inputs *= ev->effort == CKDA_QUICK ? 1 : 10;
    ckda_evidence_weaken(ev, CKDA_INSTANCES);
    ckda_rand_init(&r, ev->seed);
    ckda_field_init_rational(K);
    for (long i = 0; i < inputs && truth == CKDA_TRUE; i++) {
        ckda_mat_t A;
        const slong n = 2 + i / 2 % (n_max - 1);
        ckda_mat_init(A, n, n, K);
        if (i % 2 == 0)
            rand_steps(A, &r, K);
        else
            rand_planes(A, &r, K);
        truth = check_rest(ev, &equal, A, per_pair, K);
        ckda_mat_clear(A, K);
    }
    ckda_evidence_scope(ev,
                        "%ld contractions, %ld with equality and a pair, n = 2 .. %ld",
                        inputs, equal, n_max);
    ckda_field_clear(K);
    return truth;
}
