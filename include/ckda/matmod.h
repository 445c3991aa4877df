/* ckda/matmod.h -- images of matrices modulo primes, and when they decide equality.
 *
 * A modulus is a prime p < 2^31 together with a root r of the minimal polynomial of K
 * modulo p (a prime ideal of degree one above p).  The map a -> r sends every element
 * whose denominator is prime to p to an integer 0 .. p-1; it is a ring homomorphism, so
 * equal elements have equal images, and products and sums may be formed on the images.
 *
 * When unequal elements have unequal images.  Let x, y in K be polynomials in a with
 * coefficients in (1/D) Z, all complex conjugates of both at most B in absolute value,
 * and let p_1, ..., p_k be distinct primes that do not divide D.  Then z = D (x - y) =
 * g(a) with g in Z[t], and its norm N = Res(f, g), f the minimal polynomial (monic,
 * degree d), is an integer with |N| <= (2 B D)^d.  There are u, v in Z[t] with N = u f +
 * v g.  If x and y have the same image modulo p_i, then g(r_i) = 0 mod p_i, hence N =
 * u(r_i) f(r_i) + v(r_i) g(r_i) = 0 mod p_i.  So if all k images agree, p_1 ... p_k
 * divides N; and if p_1 ... p_k > (2 B D)^d, then N = 0, which means z = 0: x = y.
 * Nothing is assumed about the ring of integers, splitting or Galois groups.
 * ckda_modulus_needed gives the bound.
 *
 * Conventions as in ckda/mat.h.  A modulus is read-only after init.                    */
#ifndef CKDA_MATMOD_H
#define CKDA_MATMOD_H
#include "ckda/mat.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    uint32_t p, root; /* root < p, f(root) = 0 mod p */
    uint64_t inverse; /* floor((2^64 - 1) / p), for reductions without a division */
    slong degree;
    uint32_t *power; /* power[i] = root^i mod p, i < degree; owned */
} ckda_modulus;

/* The modulus number i = 0, 1, ... of K: primes in descending order from 2^31 that have a
 * root of the minimal polynomial and divide neither its discriminant nor `avoid` (NULL or
 * 0: nothing to avoid).  The root is the least one.  The same arguments give the same
 * modulus on every machine.  Costs about d primality-sized steps a prime; CKDA_E_UNABLE
 * when the search would pass below 2^30. */
CKDA_MUST_CHECK ckda_status ckda_modulus_init(ckda_modulus *m, const ckda_field_t K,
                                              slong i, const fmpz_t avoid);
/* A modulus with a given prime 2 < p < 2^31 and its least root: for small examples and
 * for checkers.  CKDA_E_DOMAIN if p is not prime, divides the discriminant or has no
 * root. */
CKDA_MUST_CHECK ckda_status ckda_modulus_init_prime(ckda_modulus *m, const ckda_field_t K,
                                                    uint32_t p);
void ckda_modulus_clear(ckda_modulus *m);

/* The image of x, of each entry of A (row-major).  CKDA_E_DOMAIN if p divides a
 * denominator. */
CKDA_MUST_CHECK ckda_status ckda_modulus_elem(uint32_t *image, const ckda_elem_t x,
                                              const ckda_modulus *m,
                                              const ckda_field_t K);
CKDA_MUST_CHECK ckda_status ckda_modulus_mat(uint32_t *image, const ckda_mat_t A,
                                             const ckda_modulus *m, const ckda_field_t K);

/* Raw images, row-major, every entry < p.  C = A B with A: n x k, B: k x m; C must not
 * overlap A or B. */
void ckda_modmat_mul(uint32_t *C, const uint32_t *A, const uint32_t *B, slong n, slong k,
                     slong m, const ckda_modulus *p);
/* C = A + B, C = A - B, `count` entries; C may be A or B. */
void ckda_modmat_add(uint32_t *C, const uint32_t *A, const uint32_t *B, slong count,
                     const ckda_modulus *p);
void ckda_modmat_sub(uint32_t *C, const uint32_t *A, const uint32_t *B, slong count,
                     const ckda_modulus *p);

/* ---- heights: the D and B of the argument above ----------------------------------- */

typedef struct {
    fmpz_t den;     /* D: least common denominator of all entries in the basis 1, a, .. */
    fmpq_t row_sum; /* >= max |row sum of absolute values|, all matrices and embeddings */
    fmpq_t entry;   /* >= max |entry|, likewise */
} ckda_height_struct;
typedef ckda_height_struct ckda_height_t[1];

void ckda_height_init(ckda_height_t h); /* D = 1, bounds 0 */
void ckda_height_clear(ckda_height_t h);
/* h = the height of A[0 .. count-1].  All d complex embeddings are bounded, by ball
 * arithmetic; the bounds are proved, rounded up to multiples of 2^-32. */
void ckda_mat_height(ckda_height_t h, const ckda_mat_struct *A, slong count,
                     const ckda_field_t K);
/* Are all conjugates of the generator real? */
bool ckda_field_is_totally_real(const ckda_field_t K);
/* Is A orthogonal in every embedding of K?  A^T A = I over K carries over to every
 * embedding; in a real one it bounds each entry, and each entry of every product of such
 * matrices, by 1.  So this asks for A^T A = I and for a totally real K. */
bool ckda_mat_is_orthogonal_everywhere(const ckda_mat_t A, const ckda_field_t K);
/* N = floor((2 B D)^d): images modulo primes with product > N decide equality. */
void ckda_modulus_needed(fmpz_t N, const fmpz_t D, const fmpq_t B, const ckda_field_t K);

#ifdef __cplusplus
}
#endif
#endif
