/* det(x I - A) without division.
 *
 * Berkowitz-Samuelson.  Let A_r be the leading r x r block, bordered as
 *     A_{r+1} = [ A_r  c ; r^T  a ].
 * The coefficients (leading first) of the characteristic polynomial of A_{r+1} are T v,
 * where v holds those of A_r and T is the lower triangular Toeplitz matrix with first
 * column (1, -a, -r^T c, -r^T A_r c, -r^T A_r^2 c, ...).  Only ring operations are used.
 */
#include "mat_internal.h"

/* t[0 .. r+1] = the first column of T for the step r -> r + 1; x, y are work space of at
 * least r elements. */
static void
toeplitz_column(ckda_elem_struct *t, ckda_elem_struct *x, ckda_elem_struct *y,
                const ckda_mat_t A, slong r, const ckda_field_t K)
{
    ckda_elem_one(t, K);
    ckda_elem_neg(t + 1, E(A, r, r), K);
    for (slong i = 0; i < r; i++)
        ckda_elem_set(x + i, E(A, i, r), K);
    for (slong k = 0; k < r; k++) { /* here x = A_r^k c */
        ckda_elem_zero(t + k + 2, K);
        for (slong i = 0; i < r; i++)
            ckda_elem_submul(t + k + 2, E(A, r, i), x + i, K);
        for (slong i = 0; k + 1 < r && i < r; i++) {
            ckda_elem_zero(y + i, K);
            for (slong j = 0; j < r; j++)
                ckda_elem_addmul(y + i, E(A, i, j), x + j, K);
        }
        for (slong i = 0; k + 1 < r && i < r; i++)
            ckda_elem_swap(x + i, y + i, K);
    }
}

/* v[0 .. r+1] = T v with the old v of length r + 1; from the bottom, so in place. */
static void
toeplitz_apply(ckda_elem_struct *v, const ckda_elem_struct *t, slong r,
               const ckda_field_t K)
{
    ckda_elem_t s;
    ckda_elem_init(s, K);
    for (slong i = r + 1; i >= 0; i--) {
        ckda_elem_zero(s, K);
        for (slong j = 0; j <= i && j <= r; j++)
            ckda_elem_addmul(s, t + i - j, v + j, K);
        ckda_elem_swap(v + i, s, K);
    }
    ckda_elem_clear(s, K);
}

ckda_status
ckda_mat_charpoly(ckda_poly_t f, const ckda_mat_t A, const ckda_field_t K)
{
    if (A->rows != A->cols)
        return CKDA_E_SHAPE;
    slong n = A->rows;
    ckda_elem_struct *v = ckda_elem_vec_new(n + 1, K), *t = ckda_elem_vec_new(n + 1, K);
    ckda_elem_struct *x = ckda_elem_vec_new(n, K), *y = ckda_elem_vec_new(n, K);

    ckda_elem_one(v, K);
    for (slong r = 0; r < n; r++) {
        toeplitz_column(t, x, y, A, r, K);
        toeplitz_apply(v, t, r, K);
    }
    ckda_poly_zero(f, K);
    for (slong i = 0; i <= n; i++)
        ckda_poly_set_coeff(f, n - i, v + i, K);

    ckda_elem_vec_free(y, n, K);
    ckda_elem_vec_free(x, n, K);
    ckda_elem_vec_free(t, n + 1, K);
    ckda_elem_vec_free(v, n + 1, K);
    return CKDA_OK;
}
