/* ckda/field.h -- a real number field K = Q(a) with a fixed embedding, and its elements.
 *
 * The generator a is a real algebraic integer: one chosen real root of a monic
 * irreducible integer polynomial of degree d >= 1 (d = 1: K = Q, a = 0).  Elements are
 * polynomials in a of degree < d with rational coefficients; nothing here rounds.
 *
 * K is immutable after init: const really means read-only, threads may share one K.
 * Arguments go: result, inputs, field.  A result may alias an input.  When a function
 * returns anything but CKDA_OK its results keep the values they had.  Concurrent calls
 * are safe as long as no two of them share a result.  A thread that used this header
 * ends with flint_cleanup().                                                          */
#ifndef CKDA_FIELD_H
#define CKDA_FIELD_H
#include <stdbool.h>
#include <stdint.h>
#include "ckda/rand.h"
#include "ckda/status.h"
#include "ckda/flint_compat.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    fmpz_poly_t minpoly; /* monic, irreducible over Z; read freely */
    slong degree;        /* of minpoly */
    nf_t nf;             /* the same field for nf_elem_* */
    arb_t root;          /* encloses a and no other root of minpoly */
    int is_cos; /* N > 0: a = 2 cos(2 pi / N), set by ckda_field_init_cos; 0 for every
                 * other field and for K = Q */
} ckda_field_struct;
typedef ckda_field_struct ckda_field_t[1];

typedef nf_elem_struct ckda_elem_struct;
typedef ckda_elem_struct ckda_elem_t[1];

/* ---- fields ---------------------------------------------------------------------- */

/* K = Q. */
void ckda_field_init_rational(ckda_field_t K);
/* K = Q(sqrt n) with a = sqrt n, minpoly x^2 - n.  n >= 2 must not be a square. */
void ckda_field_init_sqrt(ckda_field_t K, ulong n);
/* K = Q(2 cos(2 pi/N)), N >= 1, degree phi(N)/2 (Q itself for N = 1, 2, 3, 4, 6; then
 * a = 0).  Holds cos(2 pi k/N) for every k. */
void ckda_field_init_cos(ckda_field_t K, ulong N);
/* K = Q(x) for a real algebraic x.  The generator is an algebraic integer m x or, in
 * degree 2, the square root of a square-free integer (beyond 160 bits: of one that has no
 * square of a small prime in it).  CKDA_E_DOMAIN if x is not real. */
CKDA_MUST_CHECK ckda_status ckda_field_init_qqbar(ckda_field_t K, const qqbar_t x);
/* The smallest field that holds x[0..n-1] (all real, else CKDA_E_DOMAIN and K is not
 * initialised).  That it is smallest is proved: K = Q(g) with g a Z-combination of
 * generators of the fields Q(x[i]), and every x[i] is written exactly as a polynomial in
 * g.  y[i] (n of them, not initialised before) become the x[i] as elements of K; y may be
 * NULL.  CKDA_E_UNABLE when the degree would pass max_degree (0: no limit). */
CKDA_MUST_CHECK ckda_status ckda_field_init_numbers(ckda_field_t K, ckda_elem_struct *y,
                                                    const qqbar_struct *x, slong n,
                                                    slong max_degree);
void ckda_field_init_set(ckda_field_t K, const ckda_field_t L);
void ckda_field_clear(ckda_field_t K);
/* Same minimal polynomial and same root? */
bool ckda_field_equal(const ckda_field_t K, const ckda_field_t L);

/* Writes an enclosure of the generator with about prec bits. */
void ckda_field_root(arb_t r, const ckda_field_t K, slong prec);
/* Of an enclosure of the generator: does it show by itself that it holds no conjugate (the
 * minimal polynomial changes sign over it, its derivative evaluated on it holds no 0)? */
bool ckda_field_root_alone(const arb_t r, const ckda_field_t K);

/* ---- elements -------------------------------------------------------------------- */

void ckda_elem_init(ckda_elem_t x, const ckda_field_t K); /* zero */
void ckda_elem_clear(ckda_elem_t x, const ckda_field_t K);
/* n zero elements in one piece, n >= 0; never NULL. */
ckda_elem_struct *ckda_elem_vec_new(slong n, const ckda_field_t K);
void ckda_elem_vec_free(ckda_elem_struct *v, slong n, const ckda_field_t K);
void ckda_elem_swap(ckda_elem_t x, ckda_elem_t y, const ckda_field_t K);
void ckda_elem_set(ckda_elem_t x, const ckda_elem_t y, const ckda_field_t K);
void ckda_elem_zero(ckda_elem_t x, const ckda_field_t K);
void ckda_elem_one(ckda_elem_t x, const ckda_field_t K);
void ckda_elem_gen(ckda_elem_t x, const ckda_field_t K); /* x = a */
void ckda_elem_set_si(ckda_elem_t x, slong n, const ckda_field_t K);
void ckda_elem_set_frac(ckda_elem_t x, slong p, slong q,
                        const ckda_field_t K); /* q != 0 */
void ckda_elem_set_fmpq(ckda_elem_t x, const fmpq_t q, const ckda_field_t K);
/* x = f(a), any degree of f. */
void ckda_elem_set_fmpq_poly(ckda_elem_t x, const fmpq_poly_t f, const ckda_field_t K);
void ckda_elem_get_fmpq_poly(fmpq_poly_t f, const ckda_elem_t x, const ckda_field_t K);
/* The coefficients of x in the powers of a times a common denominator, *len of them (the
 * last may be 0; *len may be 0 for x = 0), and that denominator, which is positive.  To be
 * read while x lives and is not written to. */
const fmpz *ckda_elem_num(slong *len, const ckda_elem_t x, const ckda_field_t K);
const fmpz *ckda_elem_den(const ckda_elem_t x, const ckda_field_t K);
/* x = cos(2 pi k/N), sin(2 pi k/N).  CKDA_E_DOMAIN if K is no ckda_field_init_cos field
 * of a multiple M of N (of lcm(4, N) for the sine) -- except for rational values, which
 * every field holds.  Uses the Dickson recurrence in K, no roots. */
CKDA_MUST_CHECK ckda_status ckda_elem_set_cos(ckda_elem_t x, slong k, ulong N,
                                              const ckda_field_t K);
CKDA_MUST_CHECK ckda_status ckda_elem_set_sin(ckda_elem_t x, slong k, ulong N,
                                              const ckda_field_t K);
/* x = y for a real algebraic y.  CKDA_E_DOMAIN if y is not in K (proved), CKDA_E_UNABLE
 * if K has too many embeddings to try and the search for the coefficients gave up. */
CKDA_MUST_CHECK ckda_status ckda_elem_set_qqbar(ckda_elem_t x, const qqbar_t y,
                                                const ckda_field_t K);
void ckda_elem_get_qqbar(qqbar_t y, const ckda_elem_t x, const ckda_field_t K);

void ckda_elem_add(ckda_elem_t z, const ckda_elem_t x, const ckda_elem_t y,
                   const ckda_field_t K);
void ckda_elem_sub(ckda_elem_t z, const ckda_elem_t x, const ckda_elem_t y,
                   const ckda_field_t K);
void ckda_elem_neg(ckda_elem_t z, const ckda_elem_t x, const ckda_field_t K);
void ckda_elem_mul(ckda_elem_t z, const ckda_elem_t x, const ckda_elem_t y,
                   const ckda_field_t K);
void ckda_elem_mul_si(ckda_elem_t z, const ckda_elem_t x, slong n, const ckda_field_t K);
/* z += x y,  z -= x y. */
void ckda_elem_addmul(ckda_elem_t z, const ckda_elem_t x, const ckda_elem_t y,
                      const ckda_field_t K);
void ckda_elem_submul(ckda_elem_t z, const ckda_elem_t x, const ckda_elem_t y,
                      const ckda_field_t K);
/* CKDA_E_DOMAIN for a zero divisor. */
CKDA_MUST_CHECK ckda_status ckda_elem_inv(ckda_elem_t z, const ckda_elem_t x,
                                          const ckda_field_t K);
CKDA_MUST_CHECK ckda_status ckda_elem_div(ckda_elem_t z, const ckda_elem_t x,
                                          const ckda_elem_t y, const ckda_field_t K);
void ckda_elem_pow_ui(ckda_elem_t z, const ckda_elem_t x, ulong e, const ckda_field_t K);
void ckda_elem_abs(ckda_elem_t z, const ckda_elem_t x, const ckda_field_t K);

bool ckda_elem_is_zero(const ckda_elem_t x, const ckda_field_t K);
bool ckda_elem_is_one(const ckda_elem_t x, const ckda_field_t K);
bool ckda_elem_is_rational(const ckda_elem_t x, const ckda_field_t K);
/* In Z[a]: is every coefficient an integer? */
bool ckda_elem_is_integral_form(const ckda_elem_t x, const ckda_field_t K);
bool ckda_elem_equal(const ckda_elem_t x, const ckda_elem_t y, const ckda_field_t K);
/* -1, 0, +1 in the embedding of K.  Zero is decided algebraically; otherwise the
 * enclosure is refined until it excludes zero, which must happen. */
int ckda_elem_sgn(const ckda_elem_t x, const ckda_field_t K);
int ckda_elem_cmp(const ckda_elem_t x, const ckda_elem_t y, const ckda_field_t K);
int ckda_elem_cmp_si(const ckda_elem_t x, slong n, const ckda_field_t K);
uint64_t ckda_elem_hash(const ckda_elem_t x, const ckda_field_t K);
/* An enclosure of x with relative accuracy of about prec bits (exactly 0 for x = 0). */
void ckda_elem_get_arb(arb_t r, const ckda_elem_t x, const ckda_field_t K, slong prec);
/* The nearest double, for pictures and for people; never for a decision. */
double ckda_elem_approx(const ckda_elem_t x, const ckda_field_t K);

/* Small random element: numerators in -bound .. bound, denominator in 1 .. den_bound. */
void ckda_elem_rand(ckda_elem_t x, ckda_rand *r, slong bound, slong den_bound,
                    const ckda_field_t K);

/* "p/q", or a polynomial in "a", powers ascending: "1/4+1/4*a".  The caller frees with
 * free(). */
char *ckda_elem_str(const ckda_elem_t x, const ckda_field_t K);
/* The real value, truncated (not rounded) after `digits` significant digits, for people.
 */
char *ckda_elem_decimal(const ckda_elem_t x, slong digits, const ckda_field_t K);
/* Decimal of the generator as the contract prints it: truncated after 20 significant digits,
 * or after as many as it takes to be nearer to the generator than to any conjugate. */
char *ckda_field_root_decimal(const ckda_field_t K);

/* ---- exact numbers as text ------------------------------------------------------- */

/* Reads -3/4, sqrt(5), (1+sqrt(5))/4, cos(2*pi/5), sin(pi/12), root(x^2-x-1, 1.6) with
 * + - * / ^ and brackets, and hexadecimal floats (0x1.9p-4, exactly that number).
 * x may come out non-real (sqrt(-1)).  CKDA_E_INPUT with a message that says at which
 * column what was expected; a decimal such as 0.1 is refused with the hint 1/10. */
CKDA_MUST_CHECK ckda_status ckda_number_parse(qqbar_t x, const char *text,
                                              ckda_error *err);
/* The same for one known field, whose generator may be written a: reads back what
 * ckda_elem_str wrote.  CKDA_E_INPUT when the number is not in K, CKDA_E_UNABLE when the
 * search of ckda_elem_set_qqbar gave up. */
CKDA_MUST_CHECK ckda_status ckda_elem_set_str(ckda_elem_t x, const char *text,
                                              const ckda_field_t K, ckda_error *err);

#ifdef __cplusplus
}
#endif
#endif
