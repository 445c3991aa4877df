/* Real roots by Sturm's chain, signs decided in the embedding of K. */
#include "internal.h"

void
ckda_spectrum_chain_init(ckda_spectrum_chain *s, const ckda_poly_t f,
                         const ckda_field_t K)
{
    slong n = ckda_poly_degree(f);

    s->p = ckda_spectrum_polys_new(n + 2, K);
    s->n = 1;
    ckda_poly_set(s->p, f, K);
    if (n > 0) {
        ckda_poly_derivative(s->p + 1, s->p, K);
        s->n = 2;
    }
    while (s->n >= 2 && ckda_poly_degree(s->p + s->n - 1) > 0) {
        ckda_poly_struct *last = s->p + s->n - 1, *next = s->p + s->n;

        ckda_spectrum_remainder(next, last - 1, last, K);
        ckda_require(!ckda_poly_is_zero(next),
                     "Sturm's chain of a polynomial that is not square-free");
        ckda_poly_neg(next, next, K);
        s->n++;
    }
    /* the array was sized for the longest chain; the rest of it is given back */
    for (slong i = s->n; i < n + 2; i++)
        ckda_poly_clear(s->p + i, K);
}

void
ckda_spectrum_chain_clear(ckda_spectrum_chain *s, const ckda_field_t K)
{
    ckda_spectrum_polys_free(s->p, s->n, K);
}

static int
sign_at_infinity(const ckda_poly_t f, int end, const ckda_field_t K)
{
    slong n = ckda_poly_degree(f);
    ckda_elem_t lead;
    int s;

    ckda_elem_init(lead, K);
    ckda_poly_get_coeff(lead, f, n, K);
    s = ckda_elem_sgn(lead, K);
    ckda_elem_clear(lead, K);
    return end < 0 && n % 2 ? -s : s;
}

slong
ckda_spectrum_chain_var(const ckda_spectrum_chain *s, const ckda_elem_struct *x, int end,
                        const ckda_field_t K)
{
    slong var = 0;
    int last = 0;

    for (slong i = 0; i < s->n; i++) {
        int sgn = x != NULL ? ckda_spectrum_sign_at(s->p + i, x, K)
                            : sign_at_infinity(s->p + i, end, K);

        var += sgn != 0 && last != 0 && sgn != last;
        last = sgn != 0 ? sgn : last;
    }
    return var;
}

/* For a square-free f the chain counts (lo, hi] even when f vanishes at an end. */
slong
ckda_poly_real_roots_sturm(const ckda_poly_t f, const ckda_elem_struct *lo,
                           const ckda_elem_struct *hi, const ckda_field_t K)
{
    ckda_spectrum_chain s;
    ckda_poly_t h;
    slong count = 0;

    ckda_poly_init(h, K);
    ckda_poly_squarefree_part(h, f, K);
    if (lo == NULL || hi == NULL || ckda_elem_cmp(lo, hi, K) < 0) {
        ckda_spectrum_chain_init(&s, h, K);
        count = ckda_spectrum_chain_var(&s, lo, -1, K)
                - ckda_spectrum_chain_var(&s, hi, 1, K);
        ckda_spectrum_chain_clear(&s, K);
    }
    ckda_poly_clear(h, K);
    return count;
}
