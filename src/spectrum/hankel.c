/* Root counts as inertia: Hermite's quadratic form in the power sums of the roots.
 *
 * With p_k = sum of z^k over all roots z of f (with multiplicity), the form (p_{i+j}),
 * 0 <= i, j < n, is sum_z mult(z) (1, z, z^2, ...)^T(...): its rank is the number of
 * distinct roots, each distinct real root adds one positive square and each distinct
 * non-real pair one positive and one negative.  With a weight g(z) a real root adds the
 * sign of g there and a pair still adds nothing to the signature.                      */
#include "internal.h"

/* p[0 .. count-1], Newton's identities; f monic of degree n. */
static void
power_sums(ckda_elem_struct *p, slong count, const ckda_poly_t f, const ckda_field_t K)
{
    slong n = ckda_poly_degree(f);
    ckda_elem_t c, t;

    ckda_elem_init(c, K);
    ckda_elem_init(t, K);
    for (slong k = 0; k < count; k++) {
        ckda_elem_zero(t, K);
        for (slong i = 1; i < k && i <= n; i++) {
            ckda_poly_get_coeff(c, f, n - i, K);
            ckda_elem_submul(t, c, p + k - i, K);
        }
        if (k == 0) {
            ckda_elem_set_si(t, n, K);
        } else if (k <= n) {
            ckda_poly_get_coeff(c, f, n - k, K);
            ckda_elem_mul_si(c, c, k, K);
            ckda_elem_sub(t, t, c, K);
        }
        ckda_elem_set(p + k, t, K);
    }
    ckda_elem_clear(t, K);
    ckda_elem_clear(c, K);
}

static void
hankel_inertia(slong *pos, slong *neg, const ckda_elem_struct *p, slong n,
               const ckda_field_t K)
{
    ckda_status st;
    ckda_mat_t H;
    slong zero;

    ckda_mat_init(H, n, n, K);
    for (slong i = 0; i < n; i++)
        for (slong j = 0; j < n; j++)
            ckda_elem_set(ckda_mat_entry(H, i, j), p + i + j, K);
    st = ckda_mat_inertia(pos, neg, &zero, H, K);
    ckda_require(st == CKDA_OK, "a Hankel matrix is symmetric");
    ckda_mat_clear(H, K);
}

void
ckda_poly_hankel(slong *distinct, slong *distinct_real, const ckda_poly_t f,
                 const ckda_field_t K)
{
    slong n = ckda_poly_degree(f), pos, neg;
    ckda_elem_struct *p;
    ckda_poly_t h;

    ckda_require(n >= 0, "the zero polynomial");
    ckda_poly_init(h, K);
    ckda_poly_monic(h, f, K);
    p = ckda_elem_vec_new(2 * n, K);
    power_sums(p, 2 * n, h, K);
    hankel_inertia(&pos, &neg, p, n, K);
    *distinct = pos + neg;
    *distinct_real = pos - neg;
    ckda_elem_vec_free(p, 2 * n, K);
    ckda_poly_clear(h, K);
}

slong
ckda_poly_real_roots_hankel(const ckda_poly_t f, const ckda_field_t K)
{
    slong distinct, real;

    ckda_poly_hankel(&distinct, &real, f, K);
    return real;
}

slong
ckda_spectrum_hankel_inside(const ckda_poly_t f, const ckda_field_t K)
{
    slong n = ckda_poly_degree(f), len = 2 * n + 2, pos, neg;
    ckda_elem_struct *p;
    ckda_poly_t h;

    ckda_poly_init(h, K);
    ckda_poly_monic(h, f, K);
    p = ckda_elem_vec_new(len, K);
    power_sums(p, len, h, K);
    for (slong k = 0; k + 2 < len; k++) {
        ckda_elem_mul_si(p + k, p + k, 4, K);
        ckda_elem_sub(p + k, p + k, p + k + 2, K);
    }
    hankel_inertia(&pos, &neg, p, n, K);
    ckda_elem_vec_free(p, len, K);
    ckda_poly_clear(h, K);
    return pos - neg;
}
