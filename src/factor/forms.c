/* Counting the sign diagonals S with A = (I - 2 w w^T / w^T w) S, by search and by force.
 */
#include "internal.h"

ckda_status
ckda_signed_householder_matrix(ckda_mat_t A, const int *signs,
                               const ckda_elem_struct *key, const ckda_field_t K)
{
    ckda_elem_t two;
    ckda_status st;

    ckda_elem_init(two, K);
    ckda_elem_set_si(two, 2, K);
    st = ckda_mat_set_householder(A, two, key, A->rows, K);
    ckda_elem_clear(two, K);
    for (slong i = 0; st == CKDA_OK && i < A->rows; i++)
        for (slong j = 0; j < A->cols; j++)
            if (signs[j] < 0)
                ckda_elem_neg(ckda_mat_entry(A, i, j), ckda_mat_entry(A, i, j), K);
    return st;
}

typedef struct {
    const ckda_mat_struct *A;
    const ckda_field_struct *K;
    int *sign;
    slong count;
} search;

/* x = entry (i, j) of M = I - A S.  For a reflection M = 2 w w^T / w^T w: symmetric, of
 * rank one, with diagonal entries >= 0. */
static void
entry_of_m(ckda_elem_t x, const search *s, slong i, slong j)
{
    ckda_elem_t one;

    ckda_elem_mul_si(x, ckda_mat_entry(s->A, i, j), -s->sign[j], s->K);
    if (i == j) {
        ckda_elem_init(one, s->K);
        ckda_elem_one(one, s->K);
        ckda_elem_add(x, x, one, s->K);
        ckda_elem_clear(one, s->K);
    }
}

/* Do coordinates i and j, both with a sign, allow a reflection? */
static bool
pair_fits(const search *s, slong i, slong j)
{
    ckda_elem_struct *m = ckda_elem_vec_new(4, s->K);
    bool ok;

    entry_of_m(m + 0, s, i, i);
    entry_of_m(m + 1, s, j, j);
    entry_of_m(m + 2, s, i, j);
    entry_of_m(m + 3, s, j, i);
    ok = ckda_elem_equal(m + 2, m + 3, s->K);
    ckda_elem_mul(m + 0, m + 0, m + 1, s->K);
    ckda_elem_mul(m + 2, m + 2, m + 3, s->K);
    ok = ok && ckda_elem_equal(m + 0, m + 2, s->K);
    ckda_elem_vec_free(m, 4, s->K);
    return ok;
}

/* All signs are chosen: some nonzero column of M must be the key. */
static bool
leaf_fits(const search *s)
{
    slong n = s->A->rows;
    ckda_elem_struct *w = ckda_elem_vec_new(n, s->K);
    bool nonzero = false, ok;
    ckda_mat_t B;

    ckda_mat_init(B, n, n, s->K);
    for (slong j = 0; j < n && !nonzero; j++)
        for (slong i = 0; i < n; i++) {
            entry_of_m(w + i, s, i, j);
            nonzero = nonzero || !ckda_elem_is_zero(w + i, s->K);
        }
    ok = nonzero && ckda_signed_householder_matrix(B, s->sign, w, s->K) == CKDA_OK
         && ckda_mat_equal(NULL, B, s->A, s->K);
    ckda_mat_clear(B, s->K);
    ckda_elem_vec_free(w, n, s->K);
    return ok;
}

static void
extend(search *s, slong i)
{
    if (i == s->A->rows) {
        s->count += leaf_fits(s);
        return;
    }
    for (s->sign[i] = -1; s->sign[i] <= 1; s->sign[i] += 2) {
        bool ok = true;

        for (slong j = 0; j < i && ok; j++)
            ok = pair_fits(s, i, j);
        if (ok)
            extend(s, i + 1);
    }
}

slong
ckda_householder_count(const ckda_mat_t A, const ckda_field_t K)
{
    search s = {.A = A, .K = K};

    if (A->rows != A->cols)
        return 0;
    s.sign = flint_malloc((size_t)(A->rows + 1) * sizeof *s.sign);
    extend(&s, 0);
    flint_free(s.sign);
    return s.count;
}

slong
ckda_householder_count_brute(const ckda_mat_t A, const ckda_field_t K)
{
    slong n = A->rows, count = 0;
    ckda_elem_t s;
    ckda_mat_t B;

    ckda_require(n <= 20, "brute force over 2^%ld sign matrices", (long)n);
    if (n != A->cols || !ckda_mat_is_orthogonal(NULL, A, K))
        return 0;
    ckda_elem_init(s, K);
    ckda_mat_init_set(B, A, K);
    for (ulong mask = 0; mask < (UWORD(1) << n); mask++) {
        for (slong i = 0; i < n; i++) {
            ckda_elem_set_si(s, (mask >> i) & 1 ? -1 : 1, K);
            ckda_elem_sub(ckda_mat_entry(B, i, i), ckda_mat_entry(A, i, i), s, K);
        }
        count += ckda_mat_rank(B, K) == 1;
    }
    ckda_mat_clear(B, K);
    ckda_elem_clear(s, K);
    return count;
}
