/* The secular form of the characteristic polynomial.
 *
 * For A = (I - beta k k^T) Diag(a) with |k| = 1 the matrix determinant lemma gives
 *     det(xI - A) = P + beta sum_i k_i^2 a_i P_i,   P = prod_j (x - a_j),  P_i = P/(x -
 * a_i), and a_i P_i = x P_i - P with sum k_i^2 = 1 turns it into (1 - beta) P + beta x S,
 * S = sum_i k_i^2 P_i. P takes O(n^2) operations; each P_i is one synthetic division of
 * P, O(n).            */
#include "trans_internal.h"

void
product_of_roots(ckda_elem_struct *p, const ckda_elem_struct *a, slong n,
                 const ckda_field_t K)
{
    ckda_elem_one(p, K);
    for (slong d = 0; d < n; d++) { /* p has degree d; multiply by x - a_d, top down */
        ckda_elem_set(p + d + 1, p + d, K);
        for (slong i = d; i > 0; i--) {
            ckda_elem_mul(p + i, p + i, a + d, K);
            ckda_elem_sub(p + i, p + i - 1, p + i, K);
        }
        ckda_elem_mul(p, p, a + d, K);
        ckda_elem_neg(p, p, K);
    }
}

void
add_quotient(ckda_elem_struct *s, const ckda_elem_struct *p, slong n, const ckda_elem_t a,
             const ckda_elem_t w, const ckda_field_t K)
{
    ckda_elem_t b;
    ckda_elem_init(b, K);
    for (slong i = n; i >= 1; i--) {
        ckda_elem_mul(b, b, a, K);
        ckda_elem_add(b, b, p + i, K);
        ckda_elem_addmul(s + i - 1, w, b, K);
    }
    ckda_elem_clear(b, K);
}

/* chi = (1 - beta) p + (beta/|w|^2) x s. */
static void
combine(ckda_poly_t chi, const ckda_elem_struct *p, const ckda_elem_struct *s, slong n,
        const ckda_elem_t beta, const ckda_elem_t scale, const ckda_field_t K)
{
    ckda_elem_t c, rest;
    ckda_elem_init(c, K);
    ckda_elem_init(rest, K);
    ckda_elem_one(rest, K);
    ckda_elem_sub(rest, rest, beta, K);
    ckda_poly_zero(chi, K);
    for (slong i = n; i >= 0; i--) {
        ckda_elem_mul(c, rest, p + i, K);
        if (i > 0)
            ckda_elem_addmul(c, scale, s + i - 1, K);
        ckda_poly_set_coeff(chi, i, c, K);
    }
    ckda_elem_clear(c, K);
    ckda_elem_clear(rest, K);
}

static ckda_status
step_charpoly(ckda_poly_t chi, const ckda_trans_t t, const ckda_field_t K)
{
    const slong n = t->n;
    ckda_elem_t scale, weight;
    ckda_elem_init(scale, K);
    ckda_elem_init(weight, K);
    norm_squared(scale, t->key, n, K);
    const ckda_status st = ckda_elem_div(scale, t->beta, scale, K);
    if (st == CKDA_OK) {
        ckda_elem_struct *p = flint_malloc((size_t)(2 * n + 1) * sizeof *p),
                         *s = p + n + 1;
        for (slong i = 0; i < 2 * n + 1; i++)
            ckda_elem_init(p + i, K);
        product_of_roots(p, t->gate, n, K);
        for (slong i = 0; i < n; i++) {
            ckda_elem_mul(weight, t->key + i, t->key + i, K);
            if (!ckda_elem_is_zero(weight, K))
                add_quotient(s, p, n, t->gate + i, weight, K);
        }
        combine(chi, p, s, n, t->beta, scale, K);
        for (slong i = 0; i < 2 * n + 1; i++)
            ckda_elem_clear(p + i, K);
        flint_free(p);
    }
    ckda_elem_clear(scale, K);
    ckda_elem_clear(weight, K);
    return st;
}

ckda_status
ckda_trans_charpoly(ckda_poly_t chi, const ckda_trans_t t, const ckda_field_t K)
{
    switch (t->family) {
    case CKDA_RWKV7:
        return rwkv7_charpoly(chi, t, K);
    case CKDA_MDN:
        return mdn_charpoly(chi, t, K);
    case CKDA_SFDA:
        return sfda_charpoly(chi, t, K);
    default:
        return t->steps == 1 ? step_charpoly(chi, t, K) : CKDA_E_SHAPE;
    }
}
