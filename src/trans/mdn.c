/* Momentum DeltaNet: the state and its momentum as one linear map of 2d coordinates,
 *     [[a (I - b e k k^T), -b m I], [a e k k^T, m I]].
 * On the complement of k it is [[a, -b m], [0, m]] in each coordinate; on k it is the block
 * [[a (1 - b e), -b m], [a e, m]] with trace a + m - a b e and determinant a m. */
#include "trans_internal.h"

/* Row i of the upper and the lower half; c = a e / w^T w. */
static void
set_rows(ckda_mat_t A, slong i, const ckda_elem_t c, const ckda_trans_t t,
         const ckda_field_t K)
{
    const slong d = t->width;
    for (slong j = 0; j < d; j++) {
        ckda_elem_struct *low = ckda_mat_entry(A, d + i, j);
        ckda_elem_mul(low, t->key + i, t->key + j, K);
        ckda_elem_mul(low, low, c, K);
        ckda_elem_mul(ckda_mat_entry(A, i, j), low, t->beta, K);
        ckda_elem_neg(ckda_mat_entry(A, i, j), ckda_mat_entry(A, i, j), K);
        ckda_elem_zero(ckda_mat_entry(A, i, d + j), K);
        ckda_elem_zero(ckda_mat_entry(A, d + i, d + j), K);
    }
    ckda_elem_add(ckda_mat_entry(A, i, i), ckda_mat_entry(A, i, i), t->gate, K);
    ckda_elem_submul(ckda_mat_entry(A, i, d + i), t->beta, t->gate + d, K);
    ckda_elem_set(ckda_mat_entry(A, d + i, d + i), t->gate + d, K);
}

ckda_status
mdn_matrix(ckda_mat_t A, const ckda_trans_t t, const ckda_field_t K)
{
    ckda_elem_t c;
    ckda_elem_init(c, K);
    norm_squared(c, t->key, t->width, K);
    ckda_status st = ckda_elem_div(c, t->more, c, K);
    if (st == CKDA_OK) {
        ckda_elem_mul(c, c, t->gate, K);
        for (slong i = 0; i < t->width; i++)
            set_rows(A, i, c, t, K);
    }
    ckda_elem_clear(c, K);
    return st;
}

/* f = x^2 - (a + m - s) x + a m. */
static void
block(ckda_poly_t f, const ckda_trans_t t, const ckda_elem_t s, const ckda_field_t K)
{
    const ckda_elem_struct *a = t->gate, *m = t->gate + t->width;
    ckda_elem_t c;
    ckda_elem_init(c, K);
    ckda_poly_zero(f, K);
    ckda_poly_set_coeff_si(f, 2, 1, K);
    ckda_elem_sub(c, s, a, K);
    ckda_elem_sub(c, c, m, K);
    ckda_poly_set_coeff(f, 1, c, K);
    ckda_elem_mul(c, a, m, K);
    ckda_poly_set_coeff(f, 0, c, K);
    ckda_elem_clear(c, K);
}

ckda_status
mdn_charpoly(ckda_poly_t chi, const ckda_trans_t t, const ckda_field_t K)
{
    ckda_elem_t s;
    ckda_poly_t f, g;
    ckda_elem_init(s, K);
    norm_squared(s, t->key, t->width, K);
    if (ckda_elem_is_zero(s, K)) {
        ckda_elem_clear(s, K);
        return CKDA_E_DOMAIN;
    }
    ckda_elem_zero(s, K);
    ckda_poly_init(f, K);
    ckda_poly_init(g, K);
    block(g, t, s, K); /* (x - a)(x - m) */
    ckda_elem_mul(s, t->gate, t->beta, K);
    ckda_elem_mul(s, s, t->more, K);
    block(f, t, s, K);
    for (slong i = 1; i < t->width; i++)
        ckda_poly_mul(f, f, g, K);
    ckda_poly_swap(chi, f);
    ckda_poly_clear(g, K);
    ckda_poly_clear(f, K);
    ckda_elem_clear(s, K);
    return CKDA_OK;
}
