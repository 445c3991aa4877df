/* (I - beta k k^*) Diag(g) with complex k = w/|w| and g, on twice as many real coordinates.
 *
 * A complex number x + iy is two elements, x and y.  A complex polynomial is an array of
 * numbers, ascending. */
#include "trans_internal.h"

/* z = x y; z is neither x nor y. */
static void
complex_mul(ckda_elem_struct *z, const ckda_elem_struct *x, const ckda_elem_struct *y,
            const ckda_field_t K)
{
    ckda_elem_mul(z, x, y, K);
    ckda_elem_submul(z, x + 1, y + 1, K);
    ckda_elem_mul(z + 1, x, y + 1, K);
    ckda_elem_addmul(z + 1, x + 1, y, K);
}

static void
complex_add(ckda_elem_struct *z, const ckda_elem_struct *x, const ckda_field_t K)
{
    ckda_elem_add(z, z, x, K);
    ckda_elem_add(z + 1, z + 1, x + 1, K);
}

/* c = beta / w^* w. */
static ckda_status
scale_of(ckda_elem_t c, const ckda_trans_t t, const ckda_field_t K)
{
    norm_squared(c, t->key, t->n, K);
    return ckda_elem_div(c, t->beta, c, K);
}

/* The block (i, j): [[x, -y], [y, x]]. */
static void
set_block(ckda_mat_t A, slong i, slong j, const ckda_elem_struct *z, const ckda_field_t K)
{
    ckda_elem_set(ckda_mat_entry(A, 2 * i, 2 * j), z, K);
    ckda_elem_set(ckda_mat_entry(A, 2 * i + 1, 2 * j + 1), z, K);
    ckda_elem_set(ckda_mat_entry(A, 2 * i + 1, 2 * j), z + 1, K);
    ckda_elem_neg(ckda_mat_entry(A, 2 * i, 2 * j + 1), z + 1, K);
}

/* h = entry (i, j) of I - c w w^*. */
static void
step_entry(ckda_elem_struct *h, slong i, slong j, const ckda_elem_t c,
           const ckda_trans_t t, const ckda_field_t K)
{
    const ckda_elem_struct *x = t->key + 2 * i, *y = t->key + 2 * j;
    ckda_elem_mul(h, x, y, K); /* w_i times the conjugate of w_j */
    ckda_elem_addmul(h, x + 1, y + 1, K);
    ckda_elem_mul(h + 1, x + 1, y, K);
    ckda_elem_submul(h + 1, x, y + 1, K);
    for (int k = 0; k < 2; k++) {
        ckda_elem_mul(h + k, h + k, c, K);
        ckda_elem_neg(h + k, h + k, K);
    }
    if (i == j) {
        ckda_elem_t one;
        ckda_elem_init(one, K);
        ckda_elem_one(one, K);
        ckda_elem_add(h, h, one, K);
        ckda_elem_clear(one, K);
    }
}

ckda_status
sfda_matrix(ckda_mat_t A, const ckda_trans_t t, const ckda_field_t K)
{
    const slong m = t->n / 2;
    ckda_elem_struct *h = ckda_elem_vec_new(4, K), *z = h + 2;
    ckda_elem_t c;
    ckda_elem_init(c, K);
    const ckda_status st = scale_of(c, t, K);
    for (slong i = 0; i < m && st == CKDA_OK; i++)
        for (slong j = 0; j < m; j++) {
            step_entry(h, i, j, c, t, K);
            complex_mul(z, h, t->gate + 2 * j, K);
            set_block(A, i, j, z, K);
        }
    ckda_elem_clear(c, K);
    ckda_elem_vec_free(h, 4, K);
    return st;
}

/* p = prod (x - g_j), degree m. */
static void
complex_product(ckda_elem_struct *p, const ckda_elem_struct *g, slong m,
                const ckda_field_t K)
{
    ckda_elem_struct *z = ckda_elem_vec_new(2, K);
    ckda_elem_one(p, K);
    for (slong d = 0; d < m; d++) { /* top down, as in charpoly.c */
        for (int k = 0; k < 2; k++)
            ckda_elem_set(p + 2 * d + 2 + k, p + 2 * d + k, K);
        for (slong i = d; i >= 0; i--) {
            complex_mul(z, p + 2 * i, g + 2 * d, K);
            for (int k = 0; k < 2; k++) {
                ckda_elem_neg(p + 2 * i + k, z + k, K);
                if (i > 0)
                    ckda_elem_add(p + 2 * i + k, p + 2 * i + k, p + 2 * i - 2 + k, K);
            }
        }
    }
    ckda_elem_vec_free(z, 2, K);
}

/* s += v p/(x - g), g a root of p of degree m. */
static void
add_complex_quotient(ckda_elem_struct *s, const ckda_elem_struct *p, slong m,
                     const ckda_elem_struct *g, const ckda_elem_struct *v,
                     const ckda_field_t K)
{
    ckda_elem_struct *b = ckda_elem_vec_new(4, K), *z = b + 2;
    for (slong i = m; i >= 1; i--) {
        complex_mul(z, b, g, K);
        complex_add(z, p + 2 * i, K);
        ckda_elem_swap(b, z, K);
        ckda_elem_swap(b + 1, z + 1, K);
        complex_mul(z, b, v, K);
        complex_add(s + 2 * i - 2, z, K);
    }
    ckda_elem_vec_free(b, 4, K);
}

/* chi = re^2 + im^2 for the complex polynomial p of degree m. */
static void
squared_modulus(ckda_poly_t chi, const ckda_elem_struct *p, slong m, const ckda_field_t K)
{
    ckda_poly_t part, sum;
    ckda_poly_init(part, K);
    ckda_poly_init(sum, K);
    for (int k = 0; k < 2; k++) {
        ckda_poly_zero(part, K);
        for (slong i = m; i >= 0; i--)
            ckda_poly_set_coeff(part, i, p + 2 * i + k, K);
        ckda_poly_mul(part, part, part, K);
        ckda_poly_add(sum, sum, part, K);
    }
    ckda_poly_swap(chi, sum);
    ckda_poly_clear(sum, K);
    ckda_poly_clear(part, K);
}

/* The complex matrix is D - (beta k)(k^* D), so its polynomial is
 * P + sum_i beta |k_i|^2 g_i P_i; the real one is that times its conjugate. */
ckda_status
sfda_charpoly(ckda_poly_t chi, const ckda_trans_t t, const ckda_field_t K)
{
    const slong m = t->n / 2, size = 2 * (m + 1);
    ckda_elem_t c, weight;
    ckda_elem_init(c, K);
    ckda_elem_init(weight, K);
    const ckda_status st = scale_of(c, t, K);
    if (st == CKDA_OK) {
        ckda_elem_struct *p = ckda_elem_vec_new(2 * size + 2, K), *s = p + size,
                         *v = s + size;
        complex_product(p, t->gate, m, K);
        for (slong i = 0; i < m; i++) {
            norm_squared(weight, t->key + 2 * i, 2, K);
            ckda_elem_mul(weight, weight, c, K);
            for (int k = 0; k < 2; k++)
                ckda_elem_mul(v + k, weight, t->gate + 2 * i + k, K);
            add_complex_quotient(s, p, m, t->gate + 2 * i, v, K);
        }
        for (slong i = 0; i <= m; i++)
            complex_add(p + 2 * i, s + 2 * i, K);
        squared_modulus(chi, p, m, K);
        ckda_elem_vec_free(p, 2 * size + 2, K);
    }
    ckda_elem_clear(weight, K);
    ckda_elem_clear(c, K);
    return st;
}
