/* proofs/spectrum_pairs.c -- non-real pairs of products of factors and of erase steps.
 *
 * Statement.  product_pairs: in each row, alpha H_k ... H_1 with k generalised
 * Householder factors in dimension d has at most floor(min(d, k)/2) non-real pairs of
 * eigenvalues, and some drawn product attains it.  erase_pairs: D - u (v * u)^T with v >=
 * 0 has none, and for one negative entry of v some drawn matrix has one.
 *
 * Why the check suffices.  The pairs of every drawn matrix are counted exactly, by
 * Sturm's chain and by the Hankel form, which must agree.
 *
 * Not shown here: all matrices (C-D5.1 and C-D5.2).                                    */
#include "checks.h"
#include "ckda/rand.h"
#include "ckda/spectrum.h"

/* A member of every row. */
static ckda_status
row_long(long *v, const ckda_node *row, const char *key, long hi, ckda_evidence *ev)
{
    return ckda_node_get_long(v, row, key, 0, hi, &ev->problem);
}

/* A = a H_k ... H_1 with rational beta in [0, 4]. */
static void
draw_product(ckda_mat_t A, long k, ckda_rand *r, const ckda_field_t K)
{
    ckda_mat_t w, H;
    ckda_elem_t c;
    ckda_mat_init(w, A->rows, 1, K);
    ckda_mat_init(H, A->rows, A->rows, K);
    ckda_elem_init(c, K);
    ckda_require(ckda_mat_one(A, K) == CKDA_OK, "square");
    for (long j = 0; j < k; j++) {
        do
            ckda_mat_rand(w, r, 3, 1, K);
        while (ckda_mat_is_zero(w, K));
        ckda_elem_set_frac(c, (slong)ckda_rand_below(r, 9), 2, K);
        ckda_require(ckda_mat_set_householder(H, c, w->entry, A->rows, K) == CKDA_OK
                         && ckda_mat_mul(A, H, A, K) == CKDA_OK,
                     "a key is not 0");
    }
    ckda_elem_set_frac(c, 1 + (slong)ckda_rand_below(r, 4), 4, K);
    ckda_require(ckda_mat_scalar_mul(A, A, c, K) == CKDA_OK, "one shape");
    ckda_elem_clear(c, K);
    ckda_mat_clear(H, K);
    ckda_mat_clear(w, K);
}

/* A = D - u (v * u)^T with v_i in {0, ..., 3}, the last one times `sign`. */
static void
draw_erase(ckda_mat_t A, long sign, ckda_rand *r, const ckda_field_t K)
{
    const slong n = A->rows;
    ckda_mat_t u;
    ckda_elem_t x;
    ckda_mat_init(u, n, 1, K);
    ckda_elem_init(x, K);
    ckda_mat_rand(u, r, 4, 2, K);
    ckda_mat_zero(A, K);
    for (slong i = 0; i < n; i++)
        ckda_elem_rand(ckda_mat_entry(A, i, i), r, 4, 2, K);
    for (slong j = 0; j < n; j++) {
        const slong v = (slong)ckda_rand_below(r, 4) * (j == n - 1 ? sign : 1);
        for (slong i = 0; i < n; i++) {
            ckda_elem_mul(x, u->entry + i, u->entry + j, K);
            ckda_elem_mul_si(x, x, v, K);
            ckda_elem_sub(ckda_mat_entry(A, i, j), ckda_mat_entry(A, i, j), x, K);
        }
    }
    ckda_elem_clear(x, K);
    ckda_mat_clear(u, K);
}

typedef struct {
    long d, k, sign, samples, pairs; /* k factors, or an erase step for k = 0 */
} row;

static ckda_truth
check_row(ckda_evidence *ev, const row *t, ckda_rand *r, const ckda_field_t K)
{
    ckda_mat_t A;
    ckda_truth truth = CKDA_TRUE;
    long most = 0;
    ckda_mat_init(A, t->d, t->d, K);
    for (long i = 0; i < t->samples && truth == CKDA_TRUE; i++) {
        ckda_root_counts counts;
        if (t->k > 0)
            draw_product(A, t->k, r, K);
        else
            draw_erase(A, t->sign, r, K);
        ckda_require(ckda_mat_count_eigenvalues(&counts, A, K) == CKDA_OK, "square");
        most = counts.nonreal_pairs > most ? counts.nonreal_pairs : most;
        truth = ckda_evidence_expect(ev, counts.nonreal_pairs <= t->pairs,
                                     "%ld non-real pairs, at most %ld are claimed",
                                     (long)counts.nonreal_pairs, t->pairs);
        if (truth == CKDA_FALSE)
            ckda_evidence_fact_mat(ev, "A", A, K);
    }
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_long(ev, "most pairs found", most, t->pairs);
    if (truth == CKDA_FALSE && t->k > 0)
        ckda_evidence_fact(ev, "row", "d = %ld, k = %ld", t->d, t->k);
    else if (truth == CKDA_FALSE)
        ckda_evidence_fact(ev, "row", "d = %ld, last sign %ld", t->d, t->sign);
    ckda_mat_clear(A, K);
    return truth;
}

static ckda_truth
all_rows(ckda_evidence *ev, const ckda_node *in, bool product)
{
    ckda_node rows, at;
    size_t n;
    ckda_rand r;
    ckda_field_t K;
    ckda_truth truth = CKDA_TRUE;
    long samples = 0;
    if (ckda_node_member(&rows, in, "rows", &ev->problem) != CKDA_OK
        || ckda_node_size(&n, &rows, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_evidence_weaken(ev, CKDA_INSTANCES);
    ckda_rand_init(&r, ev->seed);
    ckda_field_init_rational(K);
    for (size_t i = 0; i < n && truth == CKDA_TRUE; i++) {
        row t = {.sign = 1};
        truth = CKDA_UNKNOWN;
        if (ckda_node_item(&at, &rows, i, &ev->problem) == CKDA_OK
            && ckda_node_get_long(&t.d, &at, "d", 1, 12, &ev->problem) == CKDA_OK
            && row_long(&t.samples, &at, "samples", 100000, ev) == CKDA_OK
            && row_long(&t.pairs, &at, "pairs", 12, ev) == CKDA_OK
            && (product ? ckda_node_get_long(&t.k, &at, "k", 1, 12, &ev->problem)
                        : ckda_node_get_long(&t.sign, &at, "sign", -1, 1, &ev->problem))
                   == CKDA_OK)
            truth = check_row(ev, &t, &r, K);
        samples += t.samples;
    }
    ckda_evidence_scope(ev, "%ld matrices, pairs counted exactly in two ways", samples);
    ckda_field_clear(K);
    return truth;
}

ckda_truth
ckda_check_product_pairs(ckda_evidence *ev, const ckda_node *in)
{
    return all_rows(ev, in, true);
}

ckda_truth
ckda_check_erase_pairs(ckda_evidence *ev, const ckda_node *in)
{
    return all_rows(ev, in, false);
}
