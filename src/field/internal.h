/* Shared inside the field room only. */
#ifndef CKDA_FIELD_INTERNAL_H
#define CKDA_FIELD_INTERNAL_H
#include "ckda/field.h"

/* Writes an enclosure of one fixed real number with about prec bits. */
typedef void (*field_enclose_fn)(arb_t r, const void *what, slong prec);

/* K = Q(a) for the monic irreducible f of degree >= 2 and its root that `enclose` tells.
 * Takes over the content of f (f is cleared). */
void field_init_root(ckda_field_t K, fmpz_poly_t f, field_enclose_fn enclose,
                     const void *what);

/* Encloses the root in r such that f' keeps its sign, with a few bits to spare, on all of
 * r: then r holds no other root, and the interval Newton step contracts. */
void field_root_isolate(arb_t r, const fmpz_poly_t f, field_enclose_fn enclose,
                        const void *what);
/* r becomes at least prec bits accurate; r as field_root_isolate leaves it. */
void field_root_refine(arb_t r, const fmpz_poly_t f, slong prec);
/* The sign of f at a dyadic number that is no root of f. */
int field_poly_sgn_at(const fmpz_poly_t f, const arf_t at);

/* The numerator coefficients of x (*len of them, the last may be 0) and its denominator,
 * whichever way antic stores elements of this degree. */
const fmpz *field_elem_num(slong *len, const ckda_elem_t x, const ckda_field_t K);
const fmpz *field_elem_den(const ckda_elem_t x, const ckda_field_t K);
/* The rational coefficient of a^0. */
void field_elem_constant(fmpq_t q, const ckda_elem_t x, const ckda_field_t K);

/* Writes n = (square)^2 * rest; *rest is square-free when n is below 2^FACTOR_BITS,
 * and free of squares of small primes always.  n != 0; rest has the sign of n. */
void field_square_part(fmpz_t square, fmpz_t rest, const fmpz_t n);
/* The least m >= 1 (for huge leading coefficients: a small m) such that m x is an
 * algebraic integer for the roots x of f. */
void field_integral_multiple(fmpz_t m, const fmpz_poly_t f);
/* f becomes the monic integer polynomial with the roots m x; m as above. */
void field_scale_roots(fmpz_poly_t f, const fmpz_t m);

#endif
