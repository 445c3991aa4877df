/* Exact numbers (a + b phi)/2 with phi^2 = phi + 1, and 4 x 4 matrices of them: the
 * entries of unit icosians, of their signed reflections and of products of those. */
#ifndef CKDA_SRC_TRACE_ICOSIAN_H
#define CKDA_SRC_TRACE_ICOSIAN_H
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    int32_t a, b;
} half_phi;
typedef struct {
    half_phi e[16]; /* row-major */
} icosian_mat;
typedef struct {
    half_phi e[9];
} icosian_rot;

double half_phi_double(half_phi x);
/* The number with |b| <= 8 within 2^-48 of x, if there is one (there is at most one). */
bool half_phi_recognise(half_phi *out, double x);
static inline bool
half_phi_equal(half_phi x, half_phi y)
{
    return x.a == y.a && x.b == y.b;
}
/* sum k_i^2 = 1? */
bool half_phi_is_unit(const half_phi *k, int n);

void icosian_one(icosian_mat *m);
/* (I - 2 k k^T) diag(s) for a unit key; s_i = +-1. */
void icosian_letter(icosian_mat *m, const half_phi *k, const int *s);
/* false when an entry of the product is no (a + b phi)/2, or is large. */
bool icosian_mul(icosian_mat *c, const icosian_mat *x, const icosian_mat *y);
/* The quadratic read-out al C - s r^T - C [r]x of [[al, r^T], [s, C]]: a homomorphism
 * from SO(4) to SO(3) [source: paper, Corollary 19].  false as for the product. */
bool icosian_readout(icosian_rot *f, const icosian_mat *m);
bool icosian_rot_mul(icosian_rot *c, const icosian_rot *x, const icosian_rot *y);
/* The same read-out of any 4 x 4 matrix of doubles with rows `stride` apart. */
void readout_double(double f[9], const double *m, uint64_t stride);

#endif
