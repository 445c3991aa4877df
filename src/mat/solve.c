/* Rank, determinant and inverse.
 *
 * Two ways.  Elimination takes O(n^3) operations but inverts a pivot per step, and in a
 * field of high degree the entries then grow out of hand.  The division-free way reads
 * the determinant and, by Cayley-Hamilton, the inverse off the characteristic polynomial:
 * O(n^4) ring operations and at most one inversion, 1000 times faster at degree 48. */
#include "mat_internal.h"

void
ckda_mat_inv_nonzero(ckda_elem_t y, const ckda_elem_t x, const ckda_field_t K)
{
    ckda_status s = ckda_elem_inv(y, x, K);
    ckda_require(s == CKDA_OK, "a pivot is zero");
}

void
ckda_mat_swap_rows(ckda_mat_t A, slong i, slong j, const ckda_field_t K)
{
    for (slong k = 0; i != j && k < A->cols; k++)
        ckda_elem_swap(E(A, i, k), E(A, j, k), K);
}

void
ckda_mat_swap_cols(ckda_mat_t A, slong i, slong j, const ckda_field_t K)
{
    for (slong k = 0; i != j && k < A->rows; k++)
        ckda_elem_swap(E(A, k, i), E(A, k, j), K);
}

/* First row at or below `top` with a nonzero entry in column c, or -1.  Any pivot is as
 * good as any other: nothing rounds. */
static slong
find_pivot(const ckda_mat_t A, slong top, slong c, const ckda_field_t K)
{
    for (slong i = top; i < A->rows; i++)
        if (!ckda_elem_is_zero(E(A, i, c), K))
            return i;
    return -1;
}

/* Row i of A -= f * row j, columns from..cols-1. */
static void
row_submul(ckda_mat_t A, slong i, slong j, const ckda_elem_t f, slong from,
           const ckda_field_t K)
{
    for (slong k = from; k < A->cols; k++)
        ckda_elem_submul(E(A, i, k), f, E(A, j, k), K);
}

/* Row echelon form in place; returns the rank.  *odd flips with every row exchange. */
static slong
echelon(ckda_mat_t A, bool *odd, const ckda_field_t K)
{
    slong rank = 0;
    ckda_elem_t inv, f;

    ckda_elem_init(inv, K);
    ckda_elem_init(f, K);
    for (slong c = 0; c < A->cols && rank < A->rows; c++) {
        slong p = find_pivot(A, rank, c, K);
        if (p < 0)
            continue;
        *odd ^= p != rank;
        ckda_mat_swap_rows(A, p, rank, K);
        ckda_mat_inv_nonzero(inv, E(A, rank, c), K);
        for (slong i = rank + 1; i < A->rows; i++) {
            ckda_elem_mul(f, E(A, i, c), inv, K);
            if (!ckda_elem_is_zero(f, K))
                row_submul(A, i, rank, f, c, K);
        }
        rank++;
    }
    ckda_elem_clear(f, K);
    ckda_elem_clear(inv, K);
    return rank;
}

slong
ckda_mat_rank(const ckda_mat_t A, const ckda_field_t K)
{
    ckda_mat_t T;
    bool odd = false;
    ckda_mat_init_set(T, A, K);
    slong rank = echelon(T, &odd, K);
    ckda_mat_clear(T, K);
    return rank;
}

void
ckda_mat_det_elimination(ckda_elem_t d, const ckda_mat_t A, const ckda_field_t K)
{
    ckda_mat_t T;
    ckda_elem_t prod;
    bool odd = false;

    ckda_mat_init_set(T, A, K);
    ckda_elem_init(prod, K);
    if (echelon(T, &odd, K) == A->rows) {
        ckda_elem_one(prod, K);
        for (slong i = 0; i < T->rows; i++)
            ckda_elem_mul(prod, prod, E(T, i, i), K);
        if (odd)
            ckda_elem_neg(prod, prod, K);
    }
    ckda_elem_swap(d, prod, K);
    ckda_elem_clear(prod, K);
    ckda_mat_clear(T, K);
}

/* det A = (-1)^n f(0) for f = det(x I - A). */
void
ckda_mat_det_division_free(ckda_elem_t d, const ckda_mat_t A, const ckda_field_t K)
{
    ckda_poly_t f;
    ckda_poly_init(f, K);
    ckda_status s = ckda_mat_charpoly(f, A, K);
    ckda_require(s == CKDA_OK, "A is square");
    ckda_poly_get_coeff(d, f, 0, K);
    if (A->rows % 2)
        ckda_elem_neg(d, d, K);
    ckda_poly_clear(f, K);
}

/* Which way is cheaper; both are right always. */
static bool
avoid_divisions(slong n, const ckda_field_t K)
{
    return K->degree > 2 && n <= 16;
}

ckda_status
ckda_mat_det(ckda_elem_t d, const ckda_mat_t A, const ckda_field_t K)
{
    if (A->rows != A->cols)
        return CKDA_E_SHAPE;
    if (avoid_divisions(A->rows, K))
        ckda_mat_det_division_free(d, A, K);
    else
        ckda_mat_det_elimination(d, A, K);
    return CKDA_OK;
}

/* R = (A^(n-1) + c_(n-1) A^(n-2) + ... + c_1 I) / (-c_0), where x^n + ... + c_0 is the
 * characteristic polynomial; false if c_0 = 0.  R is no alias of A. */
bool
ckda_mat_inv_division_free(ckda_mat_t R, const ckda_mat_t A, const ckda_field_t K)
{
    slong n = A->rows;
    ckda_poly_t f;
    ckda_elem_t c;

    ckda_poly_init(f, K);
    ckda_elem_init(c, K);
    ckda_status s = ckda_mat_charpoly(f, A, K);
    ckda_poly_get_coeff(c, f, 0, K);
    bool ok = !ckda_elem_is_zero(c, K);
    ckda_mat_zero(R, K);
    for (slong k = n; ok && k >= 1; k--) {
        if (k < n)
            s = ckda_mat_mul(R, R, A, K);
        ckda_require(s == CKDA_OK, "A and R are square, of one size");
        for (slong i = 0; i < n; i++)
            ckda_elem_add(E(R, i, i), E(R, i, i), f->coeff + k, K);
    }
    if (ok && n > 0) {
        ckda_elem_neg(c, c, K);
        ckda_mat_inv_nonzero(c, c, K);
        s = ckda_mat_scalar_mul(R, R, c, K);
        ckda_require(s == CKDA_OK, "one shape");
    }
    ckda_elem_clear(c, K);
    ckda_poly_clear(f, K);
    return ok;
}

/* Gauss-Jordan on [T | R]; false if T is singular. */
static bool
gauss_jordan(ckda_mat_t T, ckda_mat_t R, const ckda_field_t K)
{
    slong n = T->rows;
    bool ok = true;
    ckda_elem_t f;

    ckda_elem_init(f, K);
    for (slong c = 0; ok && c < n; c++) {
        slong p = find_pivot(T, c, c, K);
        ok = p >= 0;
        if (!ok)
            break;
        ckda_mat_swap_rows(T, p, c, K);
        ckda_mat_swap_rows(R, p, c, K);
        ckda_mat_inv_nonzero(f, E(T, c, c), K);
        for (slong k = 0; k < n; k++) {
            ckda_elem_mul(E(T, c, k), E(T, c, k), f, K);
            ckda_elem_mul(E(R, c, k), E(R, c, k), f, K);
        }
        for (slong i = 0; i < n; i++) {
            if (i == c || ckda_elem_is_zero(E(T, i, c), K))
                continue;
            ckda_elem_set(f, E(T, i, c), K);
            row_submul(T, i, c, f, c, K);
            row_submul(R, i, c, f, 0, K);
        }
    }
    ckda_elem_clear(f, K);
    return ok;
}

bool
ckda_mat_inv_elimination(ckda_mat_t R, const ckda_mat_t A, const ckda_field_t K)
{
    ckda_mat_t T;
    ckda_mat_init_set(T, A, K);
    ckda_status s = ckda_mat_one(R, K);
    ckda_require(s == CKDA_OK, "R is square");
    bool ok = gauss_jordan(T, R, K);
    ckda_mat_clear(T, K);
    return ok;
}

ckda_status
ckda_mat_inv(ckda_mat_t C, const ckda_mat_t A, const ckda_field_t K)
{
    if (A->rows != A->cols || C->rows != A->rows || C->cols != A->cols)
        return CKDA_E_SHAPE;
    ckda_mat_t R;
    ckda_mat_init(R, A->rows, A->rows, K);
    bool ok = avoid_divisions(A->rows, K) ? ckda_mat_inv_division_free(R, A, K)
                                          : ckda_mat_inv_elimination(R, A, K);
    if (ok)
        ckda_mat_swap(C, R);
    ckda_mat_clear(R, K);
    return ok ? CKDA_OK : CKDA_E_DOMAIN;
}
