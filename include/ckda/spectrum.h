/* ckda/spectrum.h -- eigenvalue counts decided exactly, with multiplicity.
 *
 * A "pair" is a non-real conjugate pair.  Every count is made in two independent ways
 * that must agree; nothing here rounds.  Conventions of ckda/poly.h and ckda/mat.h.    */
#ifndef CKDA_SPECTRUM_H
#define CKDA_SPECTRUM_H
#include "ckda/mat.h"
#include "ckda/trans.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- polynomials ----------------------------------------------------------------- */

/* f = lc * prod part[j]^(j+1) with square-free, pairwise coprime, monic parts (Yun), f !=
 * 0. *parts: array of *count polynomials, freed by ckda_poly_parts_free; count = 0 and
 * NULL for a constant f.  Parts in between may be 1; the last is not. */
void ckda_poly_squarefree(ckda_poly_struct **parts, slong *count, const ckda_poly_t f,
                          const ckda_field_t K);
/* Sets *parts = NULL. */
void ckda_poly_parts_free(ckda_poly_struct **parts, slong count, const ckda_field_t K);
/* h = f / gcd(f, f'), monic: every root of f once.  f != 0. */
void ckda_poly_squarefree_part(ckda_poly_t h, const ckda_poly_t f, const ckda_field_t K);

/* Distinct real roots of f != 0 in (lo, hi]; lo, hi may be NULL for -inf, +inf.  Sturm's
 * chain of the square-free part; O(n^2) field operations. */
slong ckda_poly_real_roots_sturm(const ckda_poly_t f, const ckda_elem_struct *lo,
                                 const ckda_elem_struct *hi, const ckda_field_t K);
/* Distinct real roots of f != 0 as the signature of the Hankel form of power sums: an
 * independent second way.  O(n^3) field operations on large numbers. */
slong ckda_poly_real_roots_hankel(const ckda_poly_t f, const ckda_field_t K);
/* The same form in full: its rank is the number of distinct roots, its signature that of
 * the distinct real ones. */
void ckda_poly_hankel(slong *distinct, slong *distinct_real, const ckda_poly_t f,
                      const ckda_field_t K);
/* Distinct real roots of f != 0 by Descartes' rule and bisection on integer polynomials:
 * a third way and the fast one.  CKDA_E_DOMAIN if a coefficient is irrational. */
CKDA_MUST_CHECK ckda_status ckda_poly_real_roots_vca(slong *count, const ckda_poly_t f,
                                                     const ckda_field_t K);
slong ckda_fmpz_poly_real_roots_vca(const fmpz_poly_t f);

typedef struct {
    slong degree;
    slong real_roots;        /* with multiplicity */
    slong nonreal_pairs;     /* with multiplicity */
    slong unit_circle_pairs; /* non-real pairs on |z| = 1, with multiplicity */
} ckda_root_counts;

/* All counts of a nonzero f, any f over K (no contraction assumed).  Sturm's count must
 * agree with the Hankel form's (above degree 20 and over Q: with the Descartes count);
 * ckda_require otherwise. */
void ckda_poly_count_roots(ckda_root_counts *counts, const ckda_poly_t f,
                           const ckda_field_t K);

/* One real root: lo == hi is the root itself; otherwise exactly one root lies in the open
 * interval (lo, hi), and f vanishes at neither end. */
typedef struct {
    fmpq_t lo, hi;
    slong multiplicity;
} ckda_root_interval;
/* All real roots of f != 0 in ascending order, in pairwise disjoint intervals; *roots is
 * freed by ckda_root_intervals_free (NULL when there are none). */
void ckda_poly_isolate_real(ckda_root_interval **roots, slong *count, const ckda_poly_t f,
                            const ckda_field_t K);
void ckda_root_intervals_free(ckda_root_interval **roots, slong count);
/* Are these all distinct real roots of f, as described above?  Looks at signs and at the
 * Hankel form only, not at how the intervals were found; multiplicities through Yun's
 * parts. */
bool ckda_poly_isolation_verify(const ckda_root_interval *roots, slong count,
                                const ckda_poly_t f, const ckda_field_t K);

/* ---- matrices -------------------------------------------------------------------- */

/* CKDA_E_SHAPE unless A is square. */
CKDA_MUST_CHECK ckda_status ckda_mat_count_eigenvalues(ckda_root_counts *counts,
                                                       const ckda_mat_t A,
                                                       const ckda_field_t K);

typedef struct {
    ckda_poly_t charpoly; /* det(xI - A) */
    ckda_root_counts counts;
    bool norm_at_most_1; /* ||A||_2 <= 1 */
    bool norm_equals_1;
} ckda_spectrum_struct;
typedef ckda_spectrum_struct ckda_spectrum_t[1];
/* Everything about one square matrix; init and clear as for any value. */
void ckda_spectrum_init(ckda_spectrum_t s, const ckda_field_t K);
void ckda_spectrum_clear(ckda_spectrum_t s, const ckda_field_t K);
CKDA_MUST_CHECK ckda_status ckda_spectrum_matrix(ckda_spectrum_t s, const ckda_mat_t A,
                                                 const ckda_field_t K);

/* ---- one transition -------------------------------------------------------------- */

/* A transition with everything removed that gives eigenvalues for certain (in this order:
 * zero key entries, repeated gates, zero gates): what is left has full support and
 * distinct nonzero gates.  The removed eigenvalues are gates, all real.  With beta = 0
 * the matrix is diagonal and everything is removed.  What is left has the characteristic
 * polynomial (1 - beta) P + x sum_i weight_i P_i, P = prod (x - gate_i), P_i = P/(x -
 * gate_i). */
typedef struct {
    slong m;                /* remaining dimension */
    ckda_elem_struct *gate; /* m distinct nonzero gates, ascending */
    ckda_elem_struct
        *weight;           /* m weights beta k_i^2 of beta's sign, k of norm 1 before */
    ckda_elem_struct beta; /* effective beta: sum of the weights */
    ckda_elem_struct *removed; /* n - m real eigenvalues, in the order of removal */
    slong nremoved;
} ckda_deflated_struct;
typedef ckda_deflated_struct ckda_deflated_t[1];
/* Initialises d on CKDA_OK only.  CKDA_E_SHAPE for several steps, CKDA_E_DOMAIN for a
 * zero key.  No range of beta or of the gates is assumed. */
CKDA_MUST_CHECK ckda_status ckda_trans_deflate(ckda_deflated_t d, const ckda_trans_t t,
                                               const ckda_field_t K);
void ckda_deflated_clear(ckda_deflated_t d, const ckda_field_t K);
void ckda_deflated_charpoly(ckda_poly_t chi, const ckda_deflated_t d,
                            const ckda_field_t K);

/* Certificate of Theorem 8 for one transition [source: Thm 8].  The deflated
 * characteristic polynomial chi has the stated exact signs at the nodes (the gates and
 * 0, ascending).  Each listed interval ends at two neighbouring nodes (-1: -inf, nnodes:
 * +inf) where the signs are opposite, so it holds a real root; chi(0) = 0 is a root by
 * itself.  That places all roots but at most two (one: real by parity); if two are left,
 * Sturm's count says whether they are a pair. */
typedef struct {
    slong n;                   /* dimension of the transition */
    slong m;                   /* degree of chi */
    ckda_poly_t chi;           /* monic */
    ckda_elem_struct *removed; /* n - m real eigenvalues */
    ckda_elem_struct *node;    /* nnodes, strictly ascending */
    int *sign;                 /* sign of chi at each node */
    slong nnodes;
    slong *lo, *hi; /* nintervals pairs of node numbers, ascending */
    slong nintervals;
    bool zero_is_root;   /* chi(0) = 0, and 0 is a node */
    bool by_intervals;   /* nothing or one root left over: no further count needed */
    slong sturm_real;    /* distinct real roots of chi by Sturm */
    slong nonreal_pairs; /* 0 or 1, with multiplicity */
} ckda_spectrum_cert_struct;
typedef ckda_spectrum_cert_struct ckda_spectrum_cert_t[1];
/* Initialises c on CKDA_OK only.  CKDA_E_SHAPE, CKDA_E_DOMAIN as ckda_trans_deflate. */
CKDA_MUST_CHECK ckda_status ckda_spectrum_certificate(ckda_spectrum_cert_t c,
                                                      const ckda_trans_t t,
                                                      const ckda_field_t K);
void ckda_spectrum_cert_clear(ckda_spectrum_cert_t c, const ckda_field_t K);
/* Re-checks every entry of c against t alone: the dense characteristic polynomial must be
 * chi times the removed factors, the nodes gates of t or 0, the signs right, the
 * intervals enough, and the last pair as the Hankel form has it.  On CKDA_FALSE err says
 * what failed (err may be NULL).  Shares neither the deflation nor Sturm's chain. */
bool ckda_spectrum_cert_verify(ckda_error *err, const ckda_spectrum_cert_t c,
                               const ckda_trans_t t, const ckda_field_t K);

#ifdef __cplusplus
}
#endif
#endif
