/* Inertia of symmetric matrices and the contraction test built on it.
 *
 * Sylvester: a congruence S -> P^T S P keeps the numbers of positive, negative and zero
 * squares.  Each step splits off the pivot block by a Schur complement, a congruence.  A
 * 1 x 1 pivot counts by its sign.  If the whole remaining diagonal vanishes but some
 * entry b off it does not, the block [0 b; b 0] has determinant -b^2 < 0: one positive
 * and one negative square.  If everything left vanishes, the rest are zero squares.  K is
 * an ordered field, so each sign is decided exactly. */
#include "mat_internal.h"

/* Moves index j to the place p by exchanging rows and columns alike (a congruence). */
static void
bring(ckda_mat_t S, slong p, slong j, const ckda_field_t K)
{
    ckda_mat_swap_rows(S, p, j, K);
    ckda_mat_swap_cols(S, p, j, K);
}

/* S(i,j) -= S(i,p) S(q,j) / pivot for all i, j >= from, where inv = 1 / pivot. */
static void
schur_update(ckda_mat_t S, slong p, slong q, slong from, const ckda_elem_t inv,
             const ckda_field_t K)
{
    ckda_elem_t f;
    ckda_elem_init(f, K);
    for (slong i = from; i < S->rows; i++) {
        ckda_elem_mul(f, E(S, i, p), inv, K);
        if (ckda_elem_is_zero(f, K))
            continue;
        for (slong j = from; j < S->cols; j++)
            ckda_elem_submul(E(S, i, j), f, E(S, q, j), K);
    }
    ckda_elem_clear(f, K);
}

static slong
nonzero_diagonal(const ckda_mat_t S, slong from, const ckda_field_t K)
{
    for (slong i = from; i < S->rows; i++)
        if (!ckda_elem_is_zero(E(S, i, i), K))
            return i;
    return -1;
}

static bool
nonzero_offdiagonal(ckda_index *at, const ckda_mat_t S, slong from, const ckda_field_t K)
{
    for (slong i = from; i < S->rows; i++)
        for (slong j = from; j < i; j++)
            if (!ckda_elem_is_zero(E(S, i, j), K)) {
                *at = (ckda_index){i, j};
                return true;
            }
    return false;
}

/* Counts the squares of S, destroying it. */
static void
count_squares(slong *pos, slong *neg, ckda_mat_t S, const ckda_field_t K)
{
    slong p = 0;
    ckda_index at;
    ckda_elem_t inv;

    *pos = *neg = 0;
    ckda_elem_init(inv, K);
    while (p < S->rows) {
        slong d = nonzero_diagonal(S, p, K);
        if (d >= 0) {
            bring(S, p, d, K);
            ++*(ckda_elem_sgn(E(S, p, p), K) > 0 ? pos : neg);
            ckda_mat_inv_nonzero(inv, E(S, p, p), K);
            schur_update(S, p, p, p + 1, inv, K);
            p++;
        } else if (nonzero_offdiagonal(&at, S, p, K)) {
            bring(S, p, at.col,
                  K); /* col < row, so the first exchange leaves row alone */
            bring(S, p + 1, at.row, K);
            ++*pos;
            ++*neg;
            /* inverse block [0 1/b; 1/b 0]; neither update touches rows p, p + 1 */
            ckda_mat_inv_nonzero(inv, E(S, p, p + 1), K);
            schur_update(S, p, p + 1, p + 2, inv, K);
            schur_update(S, p + 1, p, p + 2, inv, K);
            p += 2;
        } else {
            break;
        }
    }
    ckda_elem_clear(inv, K);
}

ckda_status
ckda_mat_inertia(slong *pos, slong *neg, slong *zero, const ckda_mat_t A,
                 const ckda_field_t K)
{
    if (!ckda_mat_is_symmetric(A, K))
        return CKDA_E_DOMAIN;
    ckda_mat_t S;
    ckda_mat_init_set(S, A, K);
    count_squares(pos, neg, S, K);
    *zero = A->rows - *pos - *neg;
    ckda_mat_clear(S, K);
    return CKDA_OK;
}

bool
ckda_mat_is_contraction(bool *equal, const ckda_mat_t A, const ckda_field_t K)
{
    slong n = A->cols, pos, neg;
    ckda_mat_t S;
    ckda_elem_t one;

    ckda_mat_init(S, n, n, K);
    ckda_elem_init(one, K);
    ckda_elem_one(one, K);
    ckda_mat_gram(S, A, K);
    for (slong i = 0; i < n * n; i++)
        ckda_elem_neg(S->entry + i, S->entry + i, K);
    for (slong i = 0; i < n; i++)
        ckda_elem_add(E(S, i, i), E(S, i, i), one, K);
    count_squares(&pos, &neg, S, K);
    if (equal != NULL)
        *equal = neg == 0 && pos < n;
    ckda_elem_clear(one, K);
    ckda_mat_clear(S, K);
    return neg == 0;
}
