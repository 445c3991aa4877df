/* Generators of small size for the field of one real algebraic number. */
#include "internal.h"

/* Integers up to this size are factored completely; of longer ones only the small primes
 * are split off, as a search without end helps nobody. */
#define FACTOR_BITS 160
#define SMALL_PRIMES 3000

/* Calls nothing but trial division for long n: then the last factor may be composite. */
static void
factor(fmpz_factor_t fac, const fmpz_t n)
{
    if (fmpz_bits(n) <= FACTOR_BITS) {
        fmpz_factor(fac, n);
        return;
    }
    fmpz_t rest;
    n_primes_t it;
    fmpz_init(rest);
    fmpz_abs(rest, n);
    n_primes_init(it);
    for (slong i = 0; i < SMALL_PRIMES; i++) {
        fmpz_t p;
        fmpz_init_set_ui(p, n_primes_next(it));
        slong e = fmpz_remove(rest, rest, p);
        if (e > 0)
            _fmpz_factor_append(fac, p, (ulong)e);
        fmpz_clear(p);
    }
    n_primes_clear(it);
    ulong e = 1;
    if (fmpz_is_square(rest)) {
        fmpz_sqrt(rest, rest);
        e = 2;
    }
    if (!fmpz_is_one(rest))
        _fmpz_factor_append(fac, rest, e);
    fmpz_clear(rest);
}

void
field_square_part(fmpz_t square, fmpz_t rest, const fmpz_t n)
{
    fmpz_factor_t fac;
    fmpz_t pow;
    fmpz_init(pow);
    fmpz_factor_init(fac);
    factor(fac, n);
    fmpz_set_si(rest, fmpz_sgn(n));
    fmpz_one(square);
    for (slong i = 0; i < fac->num; i++) {
        fmpz_pow_ui(pow, fac->p + i, fac->exp[i] / 2);
        fmpz_mul(square, square, pow);
        if (fac->exp[i] % 2 == 1)
            fmpz_mul(rest, rest, fac->p + i);
    }
    fmpz_factor_clear(fac);
    fmpz_clear(pow);
}

/* The least v >= 0 such that lead, as far as it is a power of p, divides coeff[n-i] p^(v i)
 * for every i. */
static ulong
least_exponent(const fmpz_t p, const fmpz_poly_t f)
{
    const slong n = fmpz_poly_degree(f);
    slong v = 0;
    fmpz_t rest;
    fmpz_init(rest);
    const slong lead = fmpz_remove(rest, f->coeffs + n, p);
    for (slong i = 1; i <= n; i++) {
        if (fmpz_is_zero(f->coeffs + n - i))
            continue;
        const slong lacks = lead - fmpz_remove(rest, f->coeffs + n - i, p);
        if (lacks > v * i)
            v = (lacks + i - 1) / i;
    }
    fmpz_clear(rest);
    return (ulong)v;
}

/* m x is integral iff lead divides coeff[n-i] m^i for every i: so one prime at a time. */
void
field_integral_multiple(fmpz_t m, const fmpz_poly_t f)
{
    fmpz_factor_t fac;
    fmpz_t pow;
    fmpz_init(pow);
    fmpz_factor_init(fac);
    factor(fac, f->coeffs + fmpz_poly_degree(f));
    fmpz_one(m);
    for (slong i = 0; i < fac->num; i++) {
        fmpz_pow_ui(pow, fac->p + i, least_exponent(fac->p + i, f));
        fmpz_mul(m, m, pow);
    }
    fmpz_factor_clear(fac);
    fmpz_clear(pow);
}

void
field_scale_roots(fmpz_poly_t f, const fmpz_t m)
{
    slong n = fmpz_poly_degree(f);
    fmpz_t pow, lead;
    fmpz_init(pow);
    fmpz_init_set(lead, f->coeffs + n);
    fmpz_one(pow);
    for (slong i = n; i >= 0; i--) {
        fmpz_mul(f->coeffs + i, f->coeffs + i, pow);
        fmpz_divexact(f->coeffs + i, f->coeffs + i, lead);
        fmpz_mul(pow, pow, m);
    }
    fmpz_clear(lead);
    fmpz_clear(pow);
}

static void
enclose_sqrt(arb_t r, const void *what, slong prec)
{
    arb_sqrt_fmpz(r, what, prec);
}

/* K = Q(sqrt D) for the discriminant D of a x^2 + b x + c. */
static void
init_quadratic(ckda_field_t K, const fmpz_poly_t f)
{
    fmpz_poly_t g;
    fmpz_t disc, square, rest;
    fmpz_init(disc);
    fmpz_init(square);
    fmpz_init(rest);
    fmpz_poly_discriminant(disc, f);
    field_square_part(square, rest, disc);
    fmpz_poly_init(g);
    fmpz_poly_set_coeff_ui(g, 2, 1);
    fmpz_neg(square, rest);
    fmpz_poly_set_coeff_fmpz(g, 0, square);
    field_init_root(K, g, enclose_sqrt, rest);
    fmpz_clear(rest);
    fmpz_clear(square);
    fmpz_clear(disc);
}

typedef struct {
    const qqbar_struct *x;
    fmpz_t m;
} multiple;

static void
enclose_multiple(arb_t r, const void *what, slong prec)
{
    const multiple *t = what;
    field_num_arb(r, t->x, prec);
    arb_mul_fmpz(r, r, t->m, prec);
}

ckda_status
ckda_field_init_qqbar(ckda_field_t K, const qqbar_t x)
{
    if (!field_num_is_real(x))
        return CKDA_E_DOMAIN;
    if (qqbar_degree(x) == 1) {
        ckda_field_init_rational(K);
        return CKDA_OK;
    }
    if (qqbar_degree(x) == 2) {
        init_quadratic(K, QQBAR_POLY(x));
        return CKDA_OK;
    }
    fmpz_poly_t f;
    multiple t = {.x = x};
    fmpz_init(t.m);
    fmpz_poly_init(f);
    fmpz_poly_set(f, QQBAR_POLY(x));
    field_integral_multiple(t.m, f);
    field_scale_roots(f, t.m);
    field_init_root(K, f, enclose_multiple, &t);
    fmpz_clear(t.m);
    return CKDA_OK;
}
