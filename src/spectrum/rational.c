/* Polynomials over K whose coefficients happen to be rational take the integer road:
 * FLINT's modular gcd and pseudo-remainders stay far below Euclid's algorithm in K. */
#include "internal.h"

/* g = its primitive part with the sign kept. */
static void
primitive_keep_sign(fmpz_poly_t g)
{
    bool negative = !fmpz_poly_is_zero(g) && fmpz_sgn(fmpz_poly_lead(g)) < 0;

    fmpz_poly_primitive_part(g, g); /* makes the leading coefficient positive */
    if (negative)
        fmpz_poly_neg(g, g);
}

bool
ckda_spectrum_get_fmpz_poly(fmpz_poly_t g, const ckda_poly_t f, const ckda_field_t K)
{
    bool rational = true;
    fmpq_poly_t h, c;
    fmpq_t q;

    fmpq_poly_init(h);
    fmpq_poly_init(c);
    fmpq_init(q);
    for (slong i = 0; i < f->length && rational; i++) {
        rational = ckda_elem_is_rational(f->coeff + i, K);
        if (rational) {
            ckda_elem_get_fmpq_poly(c, f->coeff + i, K);
            fmpq_poly_get_coeff_fmpq(q, c, 0);
            fmpq_poly_set_coeff_fmpq(h, i, q);
        }
    }
    if (rational) {
        fmpq_poly_get_numerator(g, h); /* the common denominator is positive */
        primitive_keep_sign(g);
    }
    fmpq_clear(q);
    fmpq_poly_clear(c);
    fmpq_poly_clear(h);
    return rational;
}

static void
set_fmpz_poly(ckda_poly_t f, const fmpz_poly_t g, const ckda_field_t K)
{
    ckda_elem_t c;
    fmpq_t q;

    ckda_elem_init(c, K);
    fmpq_init(q);
    ckda_poly_zero(f, K);
    for (slong i = fmpz_poly_degree(g); i >= 0; i--) {
        fmpz_poly_get_coeff_fmpz(fmpq_numref(q), g, i);
        ckda_elem_set_fmpq(c, q, K);
        ckda_poly_set_coeff(f, i, c, K);
    }
    fmpq_clear(q);
    ckda_elem_clear(c, K);
}

void
ckda_spectrum_gcd(ckda_poly_t h, const ckda_poly_t f, const ckda_poly_t g,
                  const ckda_field_t K)
{
    fmpz_poly_t a, b;

    fmpz_poly_init(a);
    fmpz_poly_init(b);
    if (ckda_spectrum_get_fmpz_poly(a, f, K) && ckda_spectrum_get_fmpz_poly(b, g, K)) {
        fmpz_poly_gcd(a, a, b);
        set_fmpz_poly(h, a, K);
        ckda_poly_monic(h, h, K);
    } else {
        ckda_poly_gcd(h, f, g, K);
    }
    fmpz_poly_clear(b);
    fmpz_poly_clear(a);
}

/* lead(b)^e a = q b + r for integer polynomials: the sign of lead(b)^e is taken out. */
static void
integer_remainder(fmpz_poly_t r, const fmpz_poly_t a, const fmpz_poly_t b)
{
    int flip = fmpz_sgn(fmpz_poly_lead(b)) < 0;
    ulong e;

    fmpz_poly_pseudo_rem(r, &e, a, b);
    if (flip && e % 2)
        fmpz_poly_neg(r, r);
    primitive_keep_sign(r);
}

/* Over K: divided by the absolute value of the leading coefficient, which keeps every
 * sign and keeps the coefficients quotients of minors instead of products of them. */
static void
field_remainder(ckda_poly_t r, const ckda_poly_t a, const ckda_poly_t b,
                const ckda_field_t K)
{
    ckda_poly_t q;
    ckda_status st;
    int sign;

    ckda_poly_init(q, K);
    st = ckda_poly_divrem(q, r, a, b, K);
    ckda_require(st == CKDA_OK, "remainder by zero");
    if (!ckda_poly_is_zero(r)) {
        sign = ckda_elem_sgn(r->coeff + r->length - 1, K);
        ckda_poly_monic(r, r, K);
        if (sign < 0)
            ckda_poly_neg(r, r, K);
    }
    ckda_poly_clear(q, K);
}

void
ckda_spectrum_remainder(ckda_poly_t r, const ckda_poly_t a, const ckda_poly_t b,
                        const ckda_field_t K)
{
    fmpz_poly_t f, g;

    fmpz_poly_init(f);
    fmpz_poly_init(g);
    if (ckda_spectrum_get_fmpz_poly(f, a, K) && ckda_spectrum_get_fmpz_poly(g, b, K)) {
        integer_remainder(f, f, g);
        set_fmpz_poly(r, f, K);
    } else {
        field_remainder(r, a, b, K);
    }
    fmpz_poly_clear(g);
    fmpz_poly_clear(f);
}
