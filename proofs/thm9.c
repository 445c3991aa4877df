/* proofs/thm9.c -- Theorem 9 on exact products of transitions.
 *
 * Statement.  A = D + R, D symmetric, rank R <= r, ||A||_2 <= 1: at most r non-real pairs
 * on the unit circle, since 2c <= rank(A - A^T) <= 2r.
 *
 * Why the check suffices.  For each input the norm, the rank and the number c of
 * unit-circle pairs are decided exactly; a product of m steps is diagonal plus rank m.
 *
 * Not shown here: all inputs at once (the identities of thm9.json).                    */
#include "checks.h"
#include "ckda/spectrum.h"

typedef struct {
    long inputs, n_lo, n_hi, m_lo, m_hi, rank_per_factor, rotations;
} ranges;

static ckda_status
read_pair(long *lo, long *hi, const ckda_node *in, const char *key, ckda_error *err)
{
    ckda_node list, a, b;
    if (ckda_node_member(&list, in, key, err) != CKDA_OK
        || ckda_node_item(&a, &list, 0, err) != CKDA_OK
        || ckda_node_item(&b, &list, 1, err) != CKDA_OK
        || ckda_node_long(lo, &a, 1, 12, err) != CKDA_OK)
        return CKDA_E_INPUT;
    return ckda_node_long(hi, &b, *lo, 12, err);
}

static ckda_status
read_ranges(ranges *g, const ckda_node *in, ckda_error *err)
{
    if (ckda_node_get_long(&g->inputs, in, "inputs", 1, 100000, err) != CKDA_OK
        || ckda_node_get_long(&g->rank_per_factor, in, "rank_per_factor", 0, 12, err)
               != CKDA_OK
        || ckda_node_get_long(&g->rotations, in, "rotations", 1, 6, err) != CKDA_OK
        || read_pair(&g->n_lo, &g->n_hi, in, "n", err) != CKDA_OK)
        return CKDA_E_INPUT;
    return read_pair(&g->m_lo, &g->m_hi, in, "factors", err);
}

/* 2c <= rank(A - A^T) <= most, and ||A|| <= 1. */
static ckda_truth
check_matrix(ckda_evidence *ev, const ckda_mat_t A, long most, const ckda_field_t K)
{
    ckda_root_counts counts;
    ckda_mat_t skew;
    ckda_mat_init(skew, A->rows, A->rows, K);
    ckda_truth truth = CKDA_TRUE;
    if (ckda_mat_transpose(skew, A, K) != CKDA_OK
        || ckda_mat_sub(skew, A, skew, K) != CKDA_OK
        || ckda_mat_count_eigenvalues(&counts, A, K) != CKDA_OK)
        truth = ckda_evidence_unable(ev, "the matrix is not square");
    if (truth == CKDA_TRUE)
        truth =
            ckda_evidence_expect(ev, ckda_mat_is_contraction(NULL, A, K), "||A|| <= 1");
    long rank = (long)ckda_mat_rank(skew, K);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect(ev, rank <= most, "rank(A - A^T) = %ld <= %ld", rank,
                                     most);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect(ev, 2 * counts.unit_circle_pairs <= rank,
                                     "%ld unit-circle pairs, but rank(A - A^T) = %ld",
                                     (long)counts.unit_circle_pairs, rank);
    if (truth == CKDA_FALSE)
        ckda_evidence_fact_mat(ev, "A", A, K);
    ckda_mat_clear(skew, K);
    return truth;
}

static ckda_truth
check_products(ckda_evidence *ev, const ranges *g, const ckda_field_t K)
{
    ckda_truth truth = CKDA_TRUE;
    ckda_rand r;
    long inputs = ev->effort == CKDA_QUICK ? g->inputs : 10 * g->inputs;
    ckda_rand_init(&r, ev->seed);
    for (long i = 0; i < inputs && truth == CKDA_TRUE; i++) {
        slong n = (slong)ckda_rand_range(&r, g->n_lo, g->n_hi);
        long m = (long)ckda_rand_range(&r, g->m_lo, g->m_hi);
        ckda_mat_t A, B;
        ckda_mat_init(A, n, n, K);
        ckda_mat_init(B, n, n, K);
        if (ckda_mat_one(A, K) != CKDA_OK)
            truth = ckda_evidence_unable(ev, "no identity of size %ld", (long)n);
        for (long j = 0; j < m && truth == CKDA_TRUE; j++) {
            ckda_trans_t t;
            ckda_trans_init(t, CKDA_CKDA, n, 1, K);
            ckda_trans_rand(t, &r, K);
            if (ckda_trans_matrix(B, t, K) != CKDA_OK
                || ckda_mat_mul(A, B, A, K) != CKDA_OK)
                truth = ckda_evidence_unable(ev, "a random transition with a zero key");
            ckda_trans_clear(t, K);
        }
        if (truth == CKDA_TRUE)
            truth = check_matrix(ev, A, g->rank_per_factor * m, K);
        ckda_mat_clear(B, K);
        ckda_mat_clear(A, K);
    }
    return truth;
}

/* r rotations by the angle of (3 + 4i)/5 in separate planes attain the bound. */
static ckda_truth
check_rotations(ckda_evidence *ev, const ranges *g, const ckda_field_t K)
{
    ckda_truth truth = CKDA_TRUE;
    for (long r = 1; r <= g->rotations && truth == CKDA_TRUE; r++) {
        ckda_root_counts counts;
        ckda_mat_t A;
        ckda_mat_init(A, 2 * r, 2 * r, K);
        for (slong i = 0; i < 2 * r; i += 2) {
            ckda_mat_set_entry_frac(A, i, i, 3, 5, K);
            ckda_mat_set_entry_frac(A, i, i + 1, -4, 5, K);
            ckda_mat_set_entry_frac(A, i + 1, i, 4, 5, K);
            ckda_mat_set_entry_frac(A, i + 1, i + 1, 3, 5, K);
        }
        truth = check_matrix(ev, A, g->rank_per_factor * r, K);
        if (truth == CKDA_TRUE) {
            if (ckda_mat_count_eigenvalues(&counts, A, K) != CKDA_OK)
                truth = ckda_evidence_unable(ev, "the matrix is not square");
            else
                truth = ckda_evidence_expect_long(ev, "pairs of r rotations",
                                                  (long)counts.unit_circle_pairs, r);
        }
        ckda_mat_clear(A, K);
    }
    return truth;
}

ckda_truth
ckda_check_thm9_products(ckda_evidence *ev, const ckda_node *in)
{
    ranges g;
    ckda_field_t K;
    if (read_ranges(&g, in, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_field_init_rational(K);
    ckda_truth truth = check_products(ev, &g, K);
    if (truth == CKDA_TRUE)
        truth = check_rotations(ev, &g, K);
    ckda_evidence_weaken(ev, CKDA_INSTANCES);
    ckda_evidence_scope(
        ev, "seeded products of %ld to %ld steps, n = %ld .. %ld; %ld rotations", g.m_lo,
        g.m_hi, g.n_lo, g.n_hi, g.rotations);
    ckda_field_clear(K);
    return truth;
}
