/* Membership in SH_n = { (I - 2 k k^T / k^T k) S : S a sign diagonal }, without roots.
 *
 * For orthogonal A and M = A S: A = H_w S with a direction w iff M is symmetric and has
 * trace n - 2.  (Then M^2 = M M^T = I, so M is an orthogonal reflection with eigenvalue
 * sum n - 2, that is one eigenvalue -1: I - M has rank one and w is any nonzero column.)
 */
#include "construct_internal.h"

#include <string.h>

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

static void
set_signs(int *signs, slong n, uint32_t bits)
{
    for (slong i = 0; i < n; i++)
        signs[i] = bits >> i & 1 ? -1 : 1;
}

/* The checks that A is square, small and orthogonal. */
static void
check_argument(const ckda_mat_t A, const ckda_field_t K)
{
    ckda_require(A->cols == A->rows && A->rows <= CKDA_SIGNED_MAX, "%ld x %ld matrix",
                 (long)A->rows, (long)A->cols);
    ckda_require(ckda_mat_is_orthogonal(NULL, A, K), "the matrix is not orthogonal");
}

/* Is A S a reflection? */
static bool
is_pair(const ckda_mat_t A, const int *signs, ckda_elem_t tmp, const ckda_field_t K)
{
    return has_reflection_trace(A, signs, tmp, K) && is_symmetric_with(A, signs, tmp, K);
}

slong
ckda_signed_householder(int *signs, ckda_elem_struct *key, const ckda_mat_t A,
                        const ckda_field_t K)
{
    const slong n = A->rows;
    check_argument(A, K);
    slong pairs = 0;
    ckda_elem_t tmp;
    ckda_elem_init(tmp, K);
    for (uint32_t bits = 0; bits < (uint32_t)1 << n; bits++) {
        int S[CKDA_SIGNED_MAX];
        set_signs(S, n, bits);
        if (!is_pair(A, S, tmp, K) || pairs++ > 0)
            continue;
        for (slong i = 0; i < n && signs != NULL; i++)
            signs[i] = S[i];
        if (key != NULL)
            ckda_require(first_column(key, A, S, K), "a reflection is not the identity");
    }
    ckda_elem_clear(tmp, K);
    return pairs;
}

/* What a pair costs: nonzero key entries first, then minus signs. */
static slong
cost_of_pair(ckda_elem_struct *key, const ckda_mat_t A, const int *signs,
             const ckda_field_t K)
{
    slong cost = 0;
    ckda_require(first_column(key, A, signs, K), "a reflection is not the identity");
    for (slong i = 0; i < A->rows; i++) {
        if (!ckda_elem_is_zero(&key[i], K))
            cost += CKDA_SIGNED_MAX + 1;
        cost += signs[i] < 0;
    }
    return cost;
}

bool
ckda_construct_plainest(int *signs, const ckda_mat_t A, const ckda_field_t K)
{
    const slong n = A->rows;
    check_argument(A, K);
    slong least = WORD_MAX;
    ckda_elem_t tmp;
    ckda_elem_struct *key = ckda_elem_vec_new(n, K);
    ckda_elem_init(tmp, K);
    for (uint32_t bits = 0; bits < (uint32_t)1 << n; bits++) {
        int S[CKDA_SIGNED_MAX];
        set_signs(S, n, bits);
        if (!is_pair(A, S, tmp, K))
            continue;
        const slong cost = cost_of_pair(key, A, S, K);
        if (cost < least) {
            least = cost;
            memcpy(signs, S, (size_t)n * sizeof *S);
        }
    }
    ckda_elem_clear(tmp, K);
    ckda_elem_vec_free(key, n, K);
    return least < WORD_MAX;
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
