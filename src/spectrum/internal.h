/* Shared by the files of this room only. */
#ifndef CKDA_SPECTRUM_INTERNAL_H
#define CKDA_SPECTRUM_INTERNAL_H
#include "ckda/spectrum.h"

/* Up to this degree the Hankel form is cheap enough to be the second way over Q too;
 * beyond it the Descartes count takes its place. */
#define CKDA_SPECTRUM_HANKEL_DEGREE 20

/* n zeros; always a valid pointer, also for n = 0. */
ckda_poly_struct *ckda_spectrum_polys_new(slong n, const ckda_field_t K);
void ckda_spectrum_polys_free(ckda_poly_struct *f, slong n, const ckda_field_t K);

/* q = f / g for a divisor g of f. */
void ckda_spectrum_divexact(ckda_poly_t q, const ckda_poly_t f, const ckda_poly_t g,
                            const ckda_field_t K);
/* q = f / (x - r) by synthetic division; the remainder f(r) is dropped.  Needs deg f
 * >= 1. */
void ckda_spectrum_deflate_root(ckda_poly_t q, const ckda_poly_t f, const ckda_elem_t r,
                                const ckda_field_t K);
int ckda_spectrum_sign_at(const ckda_poly_t f, const ckda_elem_t x, const ckda_field_t K);

/* Sturm's chain of a square-free f. */
typedef struct {
    ckda_poly_struct *p;
    slong n;
} ckda_spectrum_chain;
void ckda_spectrum_chain_init(ckda_spectrum_chain *s, const ckda_poly_t f,
                              const ckda_field_t K);
void ckda_spectrum_chain_clear(ckda_spectrum_chain *s, const ckda_field_t K);
/* Sign variations at x; x == NULL: at -inf (end < 0) or +inf (end > 0). */
slong ckda_spectrum_chain_var(const ckda_spectrum_chain *s, const ckda_elem_struct *x,
                              int end, const ckda_field_t K);

/* Distinct real roots y of f with y^2 < 4, minus those with y^2 > 4, as the signature of
 * the Hankel form weighted with 4 - y^2. */
slong ckda_spectrum_hankel_inside(const ckda_poly_t f, const ckda_field_t K);

/* Monic gcd, by integers if all coefficients are rational. */
void ckda_spectrum_gcd(ckda_poly_t h, const ckda_poly_t f, const ckda_poly_t g,
                       const ckda_field_t K);
/* r = (a mod b) times some positive number. */
void ckda_spectrum_remainder(ckda_poly_t r, const ckda_poly_t a, const ckda_poly_t b,
                             const ckda_field_t K);
/* g = f times a positive rational, primitive; false if a coefficient is irrational. */
bool ckda_spectrum_get_fmpz_poly(fmpz_poly_t g, const ckda_poly_t f,
                                 const ckda_field_t K);
/* The rational element x of K; what is irrational in it is dropped. */
void ckda_spectrum_get_fmpq(fmpq_t q, const ckda_elem_t x, const ckda_field_t K);
/* n zeros. */
fmpq *ckda_spectrum_fmpqs_new(slong n);
void ckda_spectrum_fmpqs_free(fmpq *q, slong n);
/* Roots of a square-free f in the open interval (0, 1). */
slong ckda_spectrum_vca_unit(const fmpz_poly_t f);

/* Distinct real roots of a square-free f, two ways. */
slong ckda_spectrum_real_roots_agreed(const ckda_poly_t f, const ckda_field_t K);
/* Non-real pairs on the unit circle of a square-free f. */
slong ckda_spectrum_circle_pairs(const ckda_poly_t f, const ckda_field_t K);
#endif
