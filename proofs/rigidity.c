/* proofs/rigidity.c -- how many sign matrices Theorem 1 allows, and when D is forced.
 *
 * Statement.  sign_representations: a seeded orthogonal D + u v^T has diagonal_times n sign
 * matrices if it is diagonal, `pair` of them for a key with two non-zero entries and
 * `more` for a longer key; in the last case every representation as diagonal plus rank one
 * has the sign matrix as its diagonal and u along the key.
 *
 * Why the check suffices.  All 2^n sign diagonals are tried with exact ranks, the
 * search of the library must agree, and D and u are solved for from the off-diagonal
 * entries alone.
 *
 * Not shown here: all inputs at once (a.F7).                                            */
#include "checks.h"
#include "ckda/factor.h"
#include "ckda/input.h"

typedef struct {
    long diagonal_times, pair, more;
} counts;

static slong
support(const ckda_elem_struct *key, slong n, const ckda_field_t K)
{
    slong s = 0;
    for (slong i = 0; i < n; i++)
        s += !ckda_elem_is_zero(key + i, K);
    return s;
}

/* Diagonal of A's D + u v^T against the signs, and u against the key. */
static ckda_truth
check_forced(ckda_evidence *ev, const ckda_mat_t A, const ckda_decomposition_t dec,
             const ckda_field_t K)
{
    ckda_dpr1_t d;
    ckda_elem_t x, y;
    ckda_truth truth = CKDA_TRUE;
    ckda_dpr1_init(d, A->rows, K);
    ckda_elem_init(x, K);
    ckda_elem_init(y, K);
    if (ckda_dpr1_find(d, NULL, A, K) != CKDA_OK)
        truth = ckda_evidence_expect(ev, false, "A is diagonal plus rank one");
    for (slong i = 0; i < A->rows && truth == CKDA_TRUE; i++) {
        truth = ckda_evidence_expect(
            ev, ckda_elem_cmp_si(d->diagonal + i, dec->signs[i], K) == 0,
            "d_%ld is the sign", (long)i + 1);
        for (slong j = 0; j < i && truth == CKDA_TRUE; j++) {
            ckda_elem_mul(x, d->u + i, dec->key + j, K);
            ckda_elem_mul(y, d->u + j, dec->key + i, K);
            truth = ckda_evidence_expect(ev, ckda_elem_equal(x, y, K),
                                         "u lies along the key");
        }
    }
    ckda_elem_clear(y, K);
    ckda_elem_clear(x, K);
    ckda_dpr1_clear(d, K);
    return truth;
}

static ckda_truth
check_matrix(ckda_evidence *ev, const ckda_mat_t A, const counts *c, const ckda_field_t K)
{
    const slong n = A->rows;
    ckda_decomposition_t dec;
    ckda_decomposition_init(dec, K);
    ckda_require(ckda_decompose_matrix(dec, A, K) == CKDA_OK, "square");
    ckda_truth truth = ckda_evidence_expect(ev, dec->verified, "Theorem 1 applies");
    if (truth == CKDA_TRUE) {
        const slong s = support(dec->key, n, K);
        const long want = ckda_mat_is_diagonal(A, K) ? c->diagonal_times * n
                          : s == 2                   ? c->pair
                                                     : c->more;
        truth = ckda_evidence_expect_long(ev, "sign matrices",
                                          (long)ckda_householder_count_brute(A, K), want);
        if (truth == CKDA_TRUE)
            truth = ckda_evidence_expect_long(ev, "sign matrices of the library",
                                              (long)dec->representations, want);
        if (truth == CKDA_TRUE && s >= 3)
            truth = check_forced(ev, A, dec, K);
    }
    if (truth == CKDA_FALSE)
        ckda_evidence_fact_mat(ev, "A", A, K);
    ckda_decomposition_clear(dec, K);
    return truth;
}

/* Diagonal, support 2, and every support in turn. */
static ckda_truth
check_seeded(ckda_evidence *ev, long i, slong n, const counts *c, ckda_rand *r,
             const ckda_field_t K)
{
    ckda_dpr1_t d;
    ckda_mat_t A;
    ckda_dpr1_init(d, n, K);
    ckda_mat_init(A, n, n, K);
    if (i % 4 == 0)
        ckda_gen_diagonal(d, r, 5, K);
    else if (i % 4 == 1 && n >= 2)
        ckda_gen_support2(d, r, 5, K);
    else
        ckda_gen_support(d, (slong)ckda_rand_range(r, 1, n), r, 5, K);
    ckda_require(ckda_dpr1_matrix(A, d, K) == CKDA_OK, "one shape");
    const ckda_truth truth = check_matrix(ev, A, c, K);
    ckda_mat_clear(A, K);
    ckda_dpr1_clear(d, K);
    return truth;
}

ckda_truth
ckda_check_sign_representations(ckda_evidence *ev, const ckda_node *in)
{
    long inputs, n_max;
    counts c;
    ckda_node fields, f;
    size_t n;
    ckda_truth truth = CKDA_TRUE;
    ckda_error *err = &ev->problem;
    if (ckda_node_get_long(&inputs, in, "inputs", 1, 100000, err) != CKDA_OK
        || ckda_node_get_long(&n_max, in, "n_max", 1, 8, err) != CKDA_OK
        || ckda_node_get_long(&c.diagonal_times, in, "diagonal_times", 0, 9, err)
               != CKDA_OK
        || ckda_node_get_long(&c.pair, in, "pair", 0, 9, err) != CKDA_OK
        || ckda_node_get_long(&c.more, in, "more", 0, 9, err) != CKDA_OK
        || ckda_node_member(&fields, in, "fields", err) != CKDA_OK
        || ckda_node_size(&n, &fields, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    inputs *= ev->effort == CKDA_QUICK ? 1 : 10;
    ckda_evidence_weaken(ev, CKDA_CERTIFICATE);
    for (size_t k = 0; k < n && truth == CKDA_TRUE; k++) {
        ckda_field_t K;
        ckda_rand r;
        if (ckda_node_item(&f, &fields, k, err) != CKDA_OK
            || ckda_input_field(K, &f, err) != CKDA_OK)
            return CKDA_UNKNOWN;
        ckda_rand_init(&r, ev->seed);
        for (long i = 0; i < inputs && truth == CKDA_TRUE; i++)
            truth = check_seeded(ev, i, 1 + i / 4 % n_max, &c, &r, K);
        ckda_field_clear(K);
    }
    ckda_evidence_scope(ev, "%ld seeded matrices over each of %zu fields, n = 1 .. %ld",
                        inputs, n, n_max);
    return truth;
}
