/* Arrays of polynomials, and the two divisions that this room needs. */
#include "internal.h"

ckda_poly_struct *
ckda_spectrum_polys_new(slong n, const ckda_field_t K)
{
    ckda_poly_struct *f = flint_malloc((size_t)(n + 1) * sizeof *f);

    for (slong i = 0; i < n; i++)
        ckda_poly_init(f + i, K);
    return f;
}

void
ckda_spectrum_polys_free(ckda_poly_struct *f, slong n, const ckda_field_t K)
{
    for (slong i = 0; i < n; i++)
        ckda_poly_clear(f + i, K);
    flint_free(f);
}

void
ckda_spectrum_divexact(ckda_poly_t q, const ckda_poly_t f, const ckda_poly_t g,
                       const ckda_field_t K)
{
    ckda_poly_t r;
    ckda_status st;

    ckda_poly_init(r, K);
    st = ckda_poly_divrem(q, r, f, g, K);
    ckda_require(st == CKDA_OK && ckda_poly_is_zero(r),
                 "degree %ld does not divide degree %ld", (long)ckda_poly_degree(g),
                 (long)ckda_poly_degree(f));
    ckda_poly_clear(r, K);
}

void
ckda_spectrum_deflate_root(ckda_poly_t q, const ckda_poly_t f, const ckda_elem_t r,
                           const ckda_field_t K)
{
    slong n = ckda_poly_degree(f);
    ckda_elem_t carry, c;
    ckda_poly_t h;

    ckda_elem_init(carry, K);
    ckda_elem_init(c, K);
    ckda_poly_init(h, K);
    for (slong i = n; i >= 1; i--) {
        ckda_poly_get_coeff(c, f, i, K);
        ckda_elem_mul(carry, carry, r, K);
        ckda_elem_add(carry, carry, c, K);
        ckda_poly_set_coeff(h, i - 1, carry, K);
    }
    ckda_poly_swap(q, h);
    ckda_poly_clear(h, K);
    ckda_elem_clear(c, K);
    ckda_elem_clear(carry, K);
}

int
ckda_spectrum_sign_at(const ckda_poly_t f, const ckda_elem_t x, const ckda_field_t K)
{
    ckda_elem_t y;
    int s;

    ckda_elem_init(y, K);
    ckda_poly_eval(y, f, x, K);
    s = ckda_elem_sgn(y, K);
    ckda_elem_clear(y, K);
    return s;
}

void
ckda_spectrum_get_fmpq(fmpq_t q, const ckda_elem_t x, const ckda_field_t K)
{
    fmpq_poly_t f;

    fmpq_poly_init(f);
    ckda_elem_get_fmpq_poly(f, x, K);
    fmpq_poly_get_coeff_fmpq(q, f, 0);
    fmpq_poly_clear(f);
}

fmpq *
ckda_spectrum_fmpqs_new(slong n)
{
    fmpq *q = flint_malloc((size_t)(n + 1) * sizeof *q);

    for (slong i = 0; i < n; i++)
        fmpq_init(q + i);
    return q;
}

void
ckda_spectrum_fmpqs_free(fmpq *q, slong n)
{
    for (slong i = 0; i < n; i++)
        fmpq_clear(q + i);
    flint_free(q);
}
