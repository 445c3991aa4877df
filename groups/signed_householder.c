/* Membership in SH_n = { (I - 2 k k^T / k^T k) S : S a sign diagonal }, without roots.
 *
 * For orthogonal A and M = A S: A = H_w S with a direction w iff M is symmetric and has
 * trace n - 2.  (Then M^2 = M M^T = I, so M is an orthogonal reflection with eigenvalue
 * sum n - 2, that is one eigenvalue -1: I - M has rank one and w is any nonzero column.)
 */
#include "construct_internal.h"

/* A_ij S_j = A_ji S_i for all i < j? */
static bool
is_symmetric_with(const ckda_mat_t A, const int *signs, ckda_elem_t minus,
                  const ckda_field_t K)
{
    for (slong i = 0; i < A->rows; i++)
        for (slong j = i + 1; j < A->rows; j++) {
            const ckda_elem_struct *x = ckda_mat_entry(A, i, j),
                                   *y = ckda_mat_entry(A, j, i);
            if (signs[i] != signs[j]) {
                ckda_elem_neg(minus, y, K);
                y = minus;
            }
            if (!ckda_elem_equal(x, y, K))
                return false;
        }
    return true;
}

static bool
has_reflection_trace(const ckda_mat_t A, const int *signs, ckda_elem_t trace,
                     const ckda_field_t K)
{
    ckda_elem_set_si(trace, 2 - A->rows, K);
    for (slong i = 0; i < A->rows; i++) {
        if (signs[i] > 0)
            ckda_elem_add(trace, trace, ckda_mat_entry(A, i, i), K);
        else
            ckda_elem_sub(trace, trace, ckda_mat_entry(A, i, i), K);
    }
    return ckda_elem_is_zero(trace, K);
}

/* key = column j of I - A S. */
static void
reflection_column(ckda_elem_struct *key, const ckda_mat_t A, const int *signs, slong j,
                  const ckda_field_t K)
{
    ckda_elem_t one;
    ckda_elem_init(one, K);
    ckda_elem_one(one, K);
    for (slong i = 0; i < A->rows; i++) {
        if (signs[j] > 0)
            ckda_elem_neg(&key[i], ckda_mat_entry(A, i, j), K);
        else
            ckda_elem_set(&key[i], ckda_mat_entry(A, i, j), K);
        if (i == j)
            ckda_elem_add(&key[i], &key[i], one, K);
    }
    ckda_elem_clear(one, K);
}

/* key = the first nonzero column of I - A S; false if there is none. */
static bool
first_column(ckda_elem_struct *key, const ckda_mat_t A, const int *signs,
             const ckda_field_t K)
{
    for (slong j = 0; j < A->rows; j++) {
        reflection_column(key, A, signs, j, K);
        for (slong i = 0; i < A->rows; i++)
            if (!ckda_elem_is_zero(&key[i], K))
                return true;
    }
    return false;
}

slong
ckda_signed_householder(int *signs, ckda_elem_struct *key, const ckda_mat_t A,
                        const ckda_field_t K)
{
    enum { MAX = 20 };
    const slong n = A->rows;
    ckda_require(A->cols == n && n <= MAX, "%ld x %ld matrix", (long)n, (long)A->cols);
    ckda_require(ckda_mat_is_orthogonal(NULL, A, K), "the matrix is not orthogonal");
    slong pairs = 0;
    ckda_elem_t tmp;
    ckda_elem_init(tmp, K);
    for (uint32_t bits = 0; bits < (uint32_t)1 << n; bits++) {
        int S[MAX];
        for (slong i = 0; i < n; i++)
            S[i] = bits >> i & 1 ? -1 : 1;
        if (!has_reflection_trace(A, S, tmp, K) || !is_symmetric_with(A, S, tmp, K))
            continue;
        if (pairs++ > 0)
            continue;
        for (slong i = 0; i < n && signs != NULL; i++)
            signs[i] = S[i];
        if (key != NULL)
            ckda_require(first_column(key, A, S, K), "a reflection is not the identity");
    }
    ckda_elem_clear(tmp, K);
    return pairs;
}

ckda_status
ckda_construct_signed(ckda_trans_t t, const ckda_mat_t A, const int *signs,
                      const ckda_field_t K)
{
    if (!first_column(t->key, A, signs, K))
        return CKDA_E_DOMAIN;
    ckda_elem_set_si(&t->beta[0], 2, K);
    for (slong i = 0; i < A->rows; i++)
        ckda_elem_set_si(&t->gate[i], signs[i], K);
    return CKDA_OK;
}
