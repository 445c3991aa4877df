/* Minimal polynomials of elements, modulo primes.
 *
 * The bound that makes them exact is one on the conjugates.  Matrices of multiplication,
 * from which FLINT bounds the same polynomial, have entries far beyond it. */
#include "internal.h"

/* scale becomes a positive integer for which scale t(a) is an algebraic integer for the
 * roots a of f; returns log2 of a bound on its conjugates. */
static slong
integral_scale(fmpz_t scale, const fmpq_poly_t t, const fmpz_poly_t f)
{
    fmpz_t R, pow, sum;
    fmpz_init(R);
    fmpz_init(pow);
    fmpz_init(sum);
    fmpz_poly_bound_roots(R, f);
    fmpz_one(pow);
    for (slong i = 0; i < fmpq_poly_length(t); i++) {
        if (fmpz_sgn(t->coeffs + i) < 0)
            fmpz_submul(sum, t->coeffs + i, pow);
        else
            fmpz_addmul(sum, t->coeffs + i, pow);
        fmpz_mul(pow, pow, R);
    }
    fmpz_abs(scale, f->coeffs + fmpz_poly_degree(f));
    fmpz_pow_ui(scale, scale, (ulong)FLINT_MAX(fmpq_poly_degree(t), 0));
    fmpz_mul(sum, sum, scale); /* t times its denominator */
    fmpz_mul(scale, scale, t->den);
    const slong bits = (slong)fmpz_bits(sum) + 1;
    fmpz_clear(sum);
    fmpz_clear(pow);
    fmpz_clear(R);
    return bits;
}

/* c = the characteristic polynomial of multiplication with u modulo f and the prime of c.
 */
static void
charpoly_mod(nmod_poly_t c, const nmod_poly_t u, const nmod_poly_t f)
{
    const slong d = nmod_poly_degree(f);
    nmod_mat_t A;
    nmod_poly_t row;
    nmod_mat_init(A, d, d, c->mod.n);
    nmod_poly_init(row, c->mod.n);
    nmod_poly_rem(row, u, f);
    for (slong i = 0; i < d; i++) {
        for (slong j = 0; j < d; j++)
            nmod_mat_entry(A, i, j) = nmod_poly_get_coeff_ui(row, j);
        nmod_poly_shift_left(row, row, 1);
        nmod_poly_rem(row, row, f);
    }
    nmod_mat_charpoly(c, A);
    nmod_poly_clear(row);
    nmod_mat_clear(A);
}

/* h += what makes it right modulo p as well, unless p divides the leading coefficient of
 * f. */
static void
add_prime(fmpz_poly_t h, fmpz_t modulus, const fmpz_poly_t u, const fmpz_poly_t f,
          ulong p)
{
    nmod_poly_t c, up, fp;
    nmod_poly_init(c, p);
    nmod_poly_init(up, p);
    nmod_poly_init(fp, p);
    fmpz_poly_get_nmod_poly(fp, f);
    fmpz_poly_get_nmod_poly(up, u);
    if (nmod_poly_degree(fp) == fmpz_poly_degree(f)) {
        charpoly_mod(c, up, fp);
        fmpz_poly_CRT_ui(h, h, modulus, c, 1);
        fmpz_mul_ui(modulus, modulus, p);
    }
    nmod_poly_clear(fp);
    nmod_poly_clear(up);
    nmod_poly_clear(c);
}

/* h = the polynomial of the roots of h divided by scale, without multiple ones. */
static void
finish(fmpz_poly_t h, const fmpz_t scale)
{
    fmpz_poly_t dh;
    fmpz_t pow;
    fmpz_poly_init(dh);
    fmpz_init_set(pow, scale);
    for (slong i = 1; i < fmpz_poly_length(h); i++) {
        fmpz_mul(h->coeffs + i, h->coeffs + i, pow);
        fmpz_mul(pow, pow, scale);
    }
    fmpz_poly_primitive_part(h, h);
    fmpz_poly_derivative(dh, h);
    fmpz_poly_gcd(dh, h, dh);
    if (fmpz_poly_degree(dh) > 0) {
        fmpz_poly_div(h, h, dh);
        fmpz_poly_primitive_part(h, h);
    }
    fmpz_clear(pow);
    fmpz_poly_clear(dh);
}

void
field_minimal_polynomial(fmpz_poly_t h, const fmpq_poly_t t, const fmpz_poly_t f)
{
    fmpz_poly_t u;
    fmpz_t scale, modulus, factor;
    fmpz_poly_init(u);
    fmpz_init(scale);
    fmpz_init(factor);
    fmpz_init_set_ui(modulus, 1);
    /* The coefficients of prod (x - u_j) are below (1 + max |u_j|)^d. */
    const slong bits = fmpz_poly_degree(f) * (integral_scale(scale, t, f) + 1) + 2;
    fmpq_poly_get_numerator(u, t);
    fmpz_divexact(factor, scale, t->den);
    fmpz_poly_scalar_mul_fmpz(u, u, factor);
    fmpz_poly_zero(h);
    ulong p = UWORD(1) << 62;
    while ((slong)fmpz_bits(modulus) <= bits) {
        p = n_nextprime(p, 0);
        add_prime(h, modulus, u, f, p);
    }
    finish(h, scale);
    fmpz_clear(factor);
    fmpz_clear(modulus);
    fmpz_clear(scale);
    fmpz_poly_clear(u);
}
