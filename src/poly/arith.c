/* Ring operations, derivative, reversal, evaluation. */
#include "poly_internal.h"

#include "ckda/status.h"

/* h = f + g or f - g, coefficient by coefficient; safe for every aliasing because
 * position i of the result is written only after position i of both inputs was read. */
static void
combine(ckda_poly_t h, const ckda_poly_t f, const ckda_poly_t g, bool minus,
        const ckda_field_t K)
{
    slong lf = f->length, lg = g->length, n = FLINT_MAX(lf, lg);

    ckda_poly_fit(h, n, K);
    for (slong i = 0; i < n; i++) {
        ckda_elem_struct *c = h->coeff + i;
        if (i < lf && i < lg) {
            if (minus)
                ckda_elem_sub(c, f->coeff + i, g->coeff + i, K);
            else
                ckda_elem_add(c, f->coeff + i, g->coeff + i, K);
        } else if (i < lf) {
            ckda_elem_set(c, f->coeff + i, K);
        } else if (minus) {
            ckda_elem_neg(c, g->coeff + i, K);
        } else {
            ckda_elem_set(c, g->coeff + i, K);
        }
    }
    ckda_poly_set_length(h, n, K);
}

void
ckda_poly_add(ckda_poly_t h, const ckda_poly_t f, const ckda_poly_t g,
              const ckda_field_t K)
{
    combine(h, f, g, false, K);
}

void
ckda_poly_sub(ckda_poly_t h, const ckda_poly_t f, const ckda_poly_t g,
              const ckda_field_t K)
{
    combine(h, f, g, true, K);
}

void
ckda_poly_neg(ckda_poly_t h, const ckda_poly_t f, const ckda_field_t K)
{
    ckda_poly_fit(h, f->length, K);
    for (slong i = 0; i < f->length; i++)
        ckda_elem_neg(h->coeff + i, f->coeff + i, K);
    h->length = f->length;
}

void
ckda_poly_mul(ckda_poly_t h, const ckda_poly_t f, const ckda_poly_t g,
              const ckda_field_t K)
{
    if (f->length == 0 || g->length == 0) {
        h->length = 0;
        return;
    }
    ckda_poly_t t;
    slong n = f->length + g->length - 1;

    ckda_poly_init(t, K);
    ckda_poly_fit(t, n, K);
    for (slong i = 0; i < f->length; i++)
        for (slong j = 0; j < g->length; j++)
            ckda_elem_addmul(t->coeff + i + j, f->coeff + i, g->coeff + j, K);
    t->length = n; /* a field has no zero divisors */
    ckda_poly_swap(h, t);
    ckda_poly_clear(t, K);
}

void
ckda_poly_scalar_mul(ckda_poly_t h, const ckda_poly_t f, const ckda_elem_t c,
                     const ckda_field_t K)
{
    slong n = f->length;
    ckda_elem_t t; /* c may be a coefficient of h */

    ckda_elem_init(t, K);
    ckda_elem_set(t, c, K);
    ckda_poly_fit(h, n, K);
    for (slong i = 0; i < n; i++)
        ckda_elem_mul(h->coeff + i, f->coeff + i, t, K);
    ckda_poly_set_length(h, n, K);
    ckda_elem_clear(t, K);
}

void
ckda_poly_shift_left(ckda_poly_t h, const ckda_poly_t f, slong k, const ckda_field_t K)
{
    ckda_require(k >= 0, "k = %ld", (long)k);
    slong n = f->length;
    if (n == 0) {
        h->length = 0;
        return;
    }
    ckda_poly_fit(h, n + k, K);
    for (slong i = n - 1; i >= 0; i--)
        ckda_elem_set(h->coeff + i + k, f->coeff + i, K);
    for (slong i = 0; i < k; i++)
        ckda_elem_zero(h->coeff + i, K);
    h->length = n + k;
}

void
ckda_poly_derivative(ckda_poly_t h, const ckda_poly_t f, const ckda_field_t K)
{
    slong n = f->length;
    if (n <= 1) {
        h->length = 0;
        return;
    }
    ckda_poly_fit(h, n - 1, K);
    for (slong i = 1; i < n; i++)
        ckda_elem_mul_si(h->coeff + i - 1, f->coeff + i, i, K);
    h->length = n - 1;
}

void
ckda_poly_reverse(ckda_poly_t h, const ckda_poly_t f, const ckda_field_t K)
{
    slong n = f->length;
    ckda_poly_set(h, f, K);
    for (slong i = 0; i < n / 2; i++)
        ckda_elem_swap(h->coeff + i, h->coeff + n - 1 - i, K);
    ckda_poly_set_length(h, n, K);
}

void
ckda_poly_eval(ckda_elem_t y, const ckda_poly_t f, const ckda_elem_t x,
               const ckda_field_t K)
{
    ckda_elem_t s; /* y may be x or a coefficient of f */
    ckda_elem_init(s, K);
    for (slong i = f->length - 1; i >= 0; i--) {
        ckda_elem_mul(s, s, x, K);
        ckda_elem_add(s, s, f->coeff + i, K);
    }
    ckda_elem_swap(y, s, K);
    ckda_elem_clear(s, K);
}
