/* Division with remainder and what follows from it. */
#include "poly_internal.h"

#include "ckda/status.h"

static void
inverse_of_nonzero(ckda_elem_t y, const ckda_elem_t x, const ckda_field_t K)
{
    ckda_status s = ckda_elem_inv(y, x, K);
    ckda_require(s == CKDA_OK, "a leading coefficient is zero");
}

/* r = r mod g in place; the quotient goes to q unless q is NULL (q has room and is zero).
 */
static void
reduce(ckda_elem_struct *q, ckda_poly_t r, const ckda_poly_t g, const ckda_field_t K)
{
    slong m = g->length - 1;
    ckda_elem_t inv, c;

    ckda_elem_init(inv, K);
    ckda_elem_init(c, K);
    inverse_of_nonzero(inv, g->coeff + m, K);
    while (r->length > m) {
        slong k = r->length - 1 - m;
        ckda_elem_mul(c, r->coeff + r->length - 1, inv, K);
        for (slong i = 0; i < m; i++)
            ckda_elem_submul(r->coeff + i + k, c, g->coeff + i, K);
        if (q != NULL)
            ckda_elem_swap(q + k, c, K);
        ckda_poly_set_length(r, r->length - 1,
                             K); /* the top one vanishes by choice of c */
    }
    ckda_elem_clear(c, K);
    ckda_elem_clear(inv, K);
}

ckda_status
ckda_poly_divrem(ckda_poly_t q, ckda_poly_t r, const ckda_poly_t f, const ckda_poly_t g,
                 const ckda_field_t K)
{
    ckda_require(q != r, "quotient and remainder are the same object");
    if (g->length == 0)
        return CKDA_E_DOMAIN;
    slong n = FLINT_MAX(f->length - g->length + 1, 0);
    ckda_poly_t t, u;

    ckda_poly_init(t, K);
    ckda_poly_init(u, K);
    ckda_poly_fit(t, n, K);
    ckda_poly_set(u, f, K);
    reduce(t->coeff, u, g, K);
    ckda_poly_set_length(t, n, K);
    ckda_poly_swap(q, t);
    ckda_poly_swap(r, u);
    ckda_poly_clear(t, K);
    ckda_poly_clear(u, K);
    return CKDA_OK;
}

void
ckda_poly_monic(ckda_poly_t h, const ckda_poly_t f, const ckda_field_t K)
{
    if (f->length == 0) {
        h->length = 0;
        return;
    }
    ckda_elem_t inv;
    ckda_elem_init(inv, K);
    inverse_of_nonzero(inv, f->coeff + f->length - 1, K);
    ckda_poly_scalar_mul(h, f, inv, K);
    ckda_elem_clear(inv, K);
}

/* Euclid; each remainder is made monic, which keeps the coefficients small. */
void
ckda_poly_gcd(ckda_poly_t h, const ckda_poly_t f, const ckda_poly_t g,
              const ckda_field_t K)
{
    ckda_poly_t u, v;

    ckda_poly_init(u, K);
    ckda_poly_init(v, K);
    ckda_poly_monic(u, f, K);
    ckda_poly_monic(v, g, K);
    while (v->length > 0) {
        reduce(NULL, u, v, K);
        ckda_poly_monic(u, u, K);
        ckda_poly_swap(u, v);
    }
    ckda_poly_swap(h, u);
    ckda_poly_clear(u, K);
    ckda_poly_clear(v, K);
}
