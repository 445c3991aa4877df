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
/* r, which holds exactly one root of the irreducible f, becomes an enclosure of it that is
 * at least prec bits accurate (rounded outwards; unchanged if it is that good already). */
void field_root_refine(arb_t r, const fmpz_poly_t f, slong prec);
/* The sign of f at a dyadic number that is no root of f. */
int field_poly_sgn_at(const fmpz_poly_t f, const arf_t at);

/* ---- numbers outside of a field (algebraic.c); all but field_num_is_real and
 * field_num_tighten ask for real arguments.  Results may alias arguments. ---- */

/* Decided on the enclosure that x has. */
bool field_num_is_real(const qqbar_t x);
/* An enclosure of x with relative accuracy of at least prec bits. */
void field_num_arb(arb_t r, const qqbar_t x, slong prec);
/* Refines the enclosure that x keeps to prec bits; leaves numbers that are not real. */
void field_num_tighten(qqbar_t x, slong prec);
/* x = the number that `enclose` tells, a root of one of the n irreducible and primitive
 * f[i], which are all different. */
void field_num_set_root(qqbar_t x, const fmpz_poly_struct *f, slong n,
                        field_enclose_fn enclose, const void *what);
/* y = p x + q with p != 0, for irrational x: from the polynomial of x. */
void field_num_affine(qqbar_t y, const qqbar_t x, const fmpq_t p, const fmpq_t q);
void field_num_inv(qqbar_t y, const qqbar_t x); /* x != 0 */
/* z = x op y for one of + - * /; y != 0 in a division.  Factors a polynomial of the
 * product of both degrees. */
void field_num_op(qqbar_t z, const qqbar_t x, char op, const qqbar_t y);
/* y = x^e, e >= 1, for irrational x. */
void field_num_pow(qqbar_t y, const qqbar_t x, ulong e);
void field_num_sqrt(qqbar_t y, const qqbar_t x); /* irrational x; y may be imaginary */
/* The different real roots of the square-free g, in no order; returns how many. */
slong field_real_roots(qqbar_ptr r, const fmpz_poly_t g);
/* Does Descartes' rule show that r, no point, holds one root of f?  It does when r is small
 * beside the distances of the roots. */
bool field_holds_one_root(const arb_t r, const fmpz_poly_t f);
bool field_num_equal(const qqbar_t x, const qqbar_t y);
int field_num_cmp(const qqbar_t x, const qqbar_t y);
/* Two roots of the irreducible f: are they the same? */
bool field_same_root(const fmpz_poly_t f, field_enclose_fn first, const void *one,
                     field_enclose_fn second, const void *other);

/* h = the primitive minimal polynomial of t(a) over Q for a root a of the irreducible f.
 */
void field_minimal_polynomial(fmpz_poly_t h, const fmpq_poly_t t, const fmpz_poly_t f);

/* ---- elements -------------------------------------------------------------------- */

/* The rational coefficient of a^0. */
void field_elem_constant(fmpq_t q, const ckda_elem_t x, const ckda_field_t K);

/* On machine words (small.c), where that can be done; else false and z is as it was.
 * sign: 1 or -1; z may be x or y.  z += sign x y, z = x y, z = x + sign y. */
bool field_small_addmul(ckda_elem_t z, int sign, const ckda_elem_t x, const ckda_elem_t y,
                        const ckda_field_t K);
bool field_small_mul(ckda_elem_t z, const ckda_elem_t x, const ckda_elem_t y,
                     const ckda_field_t K);
bool field_small_add(ckda_elem_t z, const ckda_elem_t x, int sign, const ckda_elem_t y,
                     const ckda_field_t K);
/* z = 1 / y; y != 0. */
bool field_small_inv(ckda_elem_t z, const ckda_elem_t y, const ckda_field_t K);

/* Writes n = (square)^2 * rest; *rest is square-free when n is below 2^FACTOR_BITS,
 * and free of squares of small primes always.  n != 0; rest has the sign of n. */
void field_square_part(fmpz_t square, fmpz_t rest, const fmpz_t n);
/* The least m >= 1 (for huge leading coefficients: a small m) such that m x is an
 * algebraic integer for the roots x of f. */
void field_integral_multiple(fmpz_t m, const fmpz_poly_t f);
/* f becomes the monic integer polynomial with the roots m x; m as above. */
void field_scale_roots(fmpz_poly_t f, const fmpz_t m);

#endif
