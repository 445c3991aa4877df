/* ckda/poly.h -- univariate polynomials over one real number field K.
 *
 * coeff[i] belongs to x^i; length is 1 + degree, 0 for the zero polynomial, and the last
 * coefficient is never zero.  Exact; results may alias inputs; the conventions of
 * ckda/field.h hold.                                                                  */
#ifndef CKDA_POLY_H
#define CKDA_POLY_H
#include "ckda/field.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    ckda_elem_struct *coeff; /* alloc initialised elements, owned */
    slong length, alloc;
} ckda_poly_struct;
typedef ckda_poly_struct ckda_poly_t[1];

void ckda_poly_init(ckda_poly_t f, const ckda_field_t K); /* zero */
void ckda_poly_clear(ckda_poly_t f, const ckda_field_t K);
void ckda_poly_swap(ckda_poly_t f, ckda_poly_t g);
void ckda_poly_set(ckda_poly_t f, const ckda_poly_t g, const ckda_field_t K);
void ckda_poly_zero(ckda_poly_t f, const ckda_field_t K);
void ckda_poly_one(ckda_poly_t f, const ckda_field_t K);
void ckda_poly_set_coeff(ckda_poly_t f, slong i, const ckda_elem_t c,
                         const ckda_field_t K);
void ckda_poly_set_coeff_si(ckda_poly_t f, slong i, slong c, const ckda_field_t K);
/* c = coefficient of x^i, zero beyond the degree. */
void ckda_poly_get_coeff(ckda_elem_t c, const ckda_poly_t f, slong i,
                         const ckda_field_t K);
/* f = x - r. */
void ckda_poly_set_root(ckda_poly_t f, const ckda_elem_t r, const ckda_field_t K);
slong ckda_poly_degree(const ckda_poly_t f); /* -1 for zero */
bool ckda_poly_is_zero(const ckda_poly_t f);
bool ckda_poly_equal(const ckda_poly_t f, const ckda_poly_t g, const ckda_field_t K);

void ckda_poly_add(ckda_poly_t h, const ckda_poly_t f, const ckda_poly_t g,
                   const ckda_field_t K);
void ckda_poly_sub(ckda_poly_t h, const ckda_poly_t f, const ckda_poly_t g,
                   const ckda_field_t K);
void ckda_poly_neg(ckda_poly_t h, const ckda_poly_t f, const ckda_field_t K);
void ckda_poly_mul(ckda_poly_t h, const ckda_poly_t f, const ckda_poly_t g,
                   const ckda_field_t K);
void ckda_poly_scalar_mul(ckda_poly_t h, const ckda_poly_t f, const ckda_elem_t c,
                          const ckda_field_t K);
/* h = f x^k. */
void ckda_poly_shift_left(ckda_poly_t h, const ckda_poly_t f, slong k,
                          const ckda_field_t K);
/* f = q g + r, deg r < deg g.  CKDA_E_DOMAIN if g = 0. */
CKDA_MUST_CHECK ckda_status ckda_poly_divrem(ckda_poly_t q, ckda_poly_t r,
                                             const ckda_poly_t f, const ckda_poly_t g,
                                             const ckda_field_t K);
/* Monic gcd (zero if both are zero). */
void ckda_poly_gcd(ckda_poly_t h, const ckda_poly_t f, const ckda_poly_t g,
                   const ckda_field_t K);
void ckda_poly_monic(ckda_poly_t h, const ckda_poly_t f, const ckda_field_t K);
void ckda_poly_derivative(ckda_poly_t h, const ckda_poly_t f, const ckda_field_t K);
/* h(x) = x^deg(f) f(1/x): coefficients in reverse (zero roots are lost; strip them first). */
void ckda_poly_reverse(ckda_poly_t h, const ckda_poly_t f, const ckda_field_t K);
void ckda_poly_eval(ckda_elem_t y, const ckda_poly_t f, const ckda_elem_t x,
                    const ckda_field_t K);
/* "x^2+(1/4+1/4*a)*x-1"; free with free(). */
char *ckda_poly_str(const ckda_poly_t f, const char *var, const ckda_field_t K);

#ifdef __cplusplus
}
#endif
#endif
