/* The RWKV-7 form: Diag(d) - k (v * k)^T with the key k = w/|w| and the erase vector v. */
#include "trans_internal.h"

/* c = 1/(w^T w). */
static ckda_status
inverse_norm(ckda_elem_t c, const ckda_trans_t t, const ckda_field_t K)
{
    norm_squared(c, t->key, t->n, K);
    return ckda_elem_inv(c, c, K);
}

ckda_status
rwkv7_matrix(ckda_mat_t A, const ckda_trans_t t, const ckda_field_t K)
{
    ckda_elem_t c, x;
    ckda_elem_init(c, K);
    ckda_elem_init(x, K);
    const ckda_status st = inverse_norm(c, t, K);
    for (slong j = 0; j < t->n && st == CKDA_OK; j++) {
        ckda_elem_mul(x, t->more + j, t->key + j, K);
        ckda_elem_mul(x, x, c, K);
        for (slong i = 0; i < t->n; i++) {
            ckda_elem_struct *a = ckda_mat_entry(A, i, j);
            if (i == j)
                ckda_elem_set(a, t->gate + i, K);
            else
                ckda_elem_zero(a, K);
            ckda_elem_submul(a, t->key + i, x, K);
        }
    }
    ckda_elem_clear(x, K);
    ckda_elem_clear(c, K);
    return st;
}

/* det(xI - D + u v^T) = P + sum_i u_i v_i P_i, here with u_i v_i = v_i w_i^2 / w^T w. */
ckda_status
rwkv7_charpoly(ckda_poly_t chi, const ckda_trans_t t, const ckda_field_t K)
{
    const slong n = t->n;
    ckda_elem_t c, weight;
    ckda_elem_init(c, K);
    ckda_elem_init(weight, K);
    const ckda_status st = inverse_norm(c, t, K);
    if (st == CKDA_OK) {
        ckda_elem_struct *p = ckda_elem_vec_new(2 * n + 1, K), *s = p + n + 1;
        product_of_roots(p, t->gate, n, K);
        for (slong i = 0; i < n; i++) {
            ckda_elem_mul(weight, t->key + i, t->key + i, K);
            ckda_elem_mul(weight, weight, t->more + i, K);
            ckda_elem_mul(weight, weight, c, K);
            if (!ckda_elem_is_zero(weight, K))
                add_quotient(s, p, n, t->gate + i, weight, K);
        }
        ckda_poly_zero(chi, K);
        for (slong i = n; i >= 0; i--) {
            if (i < n)
                ckda_elem_add(p + i, p + i, s + i, K);
            ckda_poly_set_coeff(chi, i, p + i, K);
        }
        ckda_elem_vec_free(p, 2 * n + 1, K);
    }
    ckda_elem_clear(weight, K);
    ckda_elem_clear(c, K);
    return st;
}
