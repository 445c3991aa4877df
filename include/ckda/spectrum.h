/* ckda/spectrum.h -- eigenvalue counts decided exactly, with multiplicity.
 *
 * A "pair" is a non-real conjugate pair.  Conventions of ckda/poly.h.                 */
#ifndef CKDA_SPECTRUM_H
#define CKDA_SPECTRUM_H
#include "ckda/mat.h"
#include "ckda/trans.h"

#ifdef __cplusplus
extern "C" {
#endif

/* f = lc * prod part[j]^(j+1) with square-free, pairwise coprime, monic parts (Yun).
 * *parts: array of *count polynomials (the caller clears each and frees the array). */
void ckda_poly_squarefree(ckda_poly_struct **parts, slong *count, const ckda_poly_t f,
                          const ckda_field_t K);
/* Distinct real roots of f != 0 in (lo, hi]; lo, hi may be NULL for -inf, +inf. Sturm. */
slong ckda_poly_real_roots_sturm(const ckda_poly_t f, const ckda_elem_struct *lo,
                                 const ckda_elem_struct *hi, const ckda_field_t K);
/* Distinct real roots of f != 0 as the signature of the Hankel form of power sums: an
 * independent second way. */
slong ckda_poly_real_roots_hankel(const ckda_poly_t f, const ckda_field_t K);

typedef struct {
    slong degree;
    slong real_roots;        /* with multiplicity */
    slong nonreal_pairs;     /* with multiplicity */
    slong unit_circle_pairs; /* non-real pairs on |z| = 1, with multiplicity */
} ckda_root_counts;

/* All counts of a nonzero f, any f over K (no contraction assumed).  Both ways of counting
 * real roots are run and must agree; ckda_require otherwise. */
void ckda_poly_count_roots(ckda_root_counts *counts, const ckda_poly_t f, const ckda_field_t K);
CKDA_MUST_CHECK ckda_status ckda_mat_count_eigenvalues(ckda_root_counts *counts,
                                                       const ckda_mat_t A, const ckda_field_t K);

/* A transition with everything removed that gives eigenvalues for certain (in this order:
 * zero key entries, repeated gates, zero gates): what is left has full support and
 * distinct nonzero gates.  The removed eigenvalues are gates, all real. */
typedef struct {
    slong m;                     /* remaining dimension */
    ckda_elem_struct *gate;      /* m distinct nonzero gates, ascending */
    ckda_elem_struct *weight;    /* m positive weights beta k_i^2, k of norm 1 before */
    ckda_elem_struct beta;       /* effective beta: sum of the weights */
    ckda_elem_struct *removed;   /* n - m real eigenvalues */
    slong nremoved;
} ckda_deflated_struct;
typedef ckda_deflated_struct ckda_deflated_t[1];
/* One step, beta != 0 or not; CKDA_E_SHAPE for several steps. */
CKDA_MUST_CHECK ckda_status ckda_trans_deflate(ckda_deflated_t d, const ckda_trans_t t,
                                               const ckda_field_t K);
void ckda_deflated_clear(ckda_deflated_t d, const ckda_field_t K);

#ifdef __cplusplus
}
#endif
#endif
