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

/* ---- one transition of any size ----------------------------------------------------- */

/* Counts without the characteristic polynomial [source: Thm 8].
 *
 * What is left after the deflation (m distinct nonzero gates a_i, weights v_i = beta w_i^2)
 * has the roots of  f(x) = sum_i v_i x/(x - a_i) - c,  c = beta S - N,  S and N the sums of
 * w_i^2 over the gates that are left and over all.  The signs of chi at the gates, at 0 and
 * at the two infinities are known exactly from the order of the gates and the sign of c;
 * they place all roots but at most two.  Only with beta_eff > 1 and gates of both signs two
 * are left.  Doubles propose where these are, balls decide: signs of f at rational points
 * (both real), or an interval Newton step on a box off the real axis (a pair).  An exactly
 * double root is rational over Q; it is found and checked exactly.  Whatever remains
 * undecided goes to the exact counters, up to CKDA_SECULAR_EXACT_DEGREE.
 * O(n log n) operations, O(n^2) doubles in bad cases. */
typedef enum {
    CKDA_SECULAR_DIAGONAL, /* the deflation takes everything: no root left */
    CKDA_SECULAR_SIGNS,    /* the exact signs place all roots (the last one by parity) */
    CKDA_SECULAR_BOX,      /* one root in a box off the real axis: a pair */
    CKDA_SECULAR_POINTS,   /* signs of f at `point` show two more real roots */
    CKDA_SECULAR_MULTIPLE, /* f and f' vanish at point[0]: two more real roots */
    CKDA_SECULAR_EXACT_COUNT /* chi was formed and counted */
} ckda_secular_kind;
/* "signs", "nonreal box", "real points", ... */
const char *ckda_secular_kind_name(ckda_secular_kind kind);

#define CKDA_SECULAR_EXACT_DEGREE 256

typedef struct {
    slong n;
    /* roots taken out, all of them gates: zero_keys + repeated_gates + zero_gates = n - m.
     * beta = 0 counts every coordinate as a zero key. */
    slong zero_keys, repeated_gates, zero_gates;
    slong m, negative; /* gates left, and how many of them are negative */
    int excess;        /* sign of beta_eff - 1, 0 if m = 0 */
    slong placed;      /* roots of the rest that the exact signs place one by one */
    ckda_secular_kind kind;
    slong prec;    /* bits of the balls that decided; 0 for exact decisions */
    acb_t box;     /* BOX: holds one root of f, positive imaginary part */
    slong npoints; /* POINTS: 1 or 2, ascending; MULTIPLE: 1 */
    fmpq point[2];
    ckda_root_counts counts; /* of all n eigenvalues */
} ckda_secular_struct;
typedef ckda_secular_struct ckda_secular_t[1];

/* Is t of the form (I - beta k k^T) Diag(gate)? */
bool ckda_trans_is_secular(const ckda_trans_t t);
/* Initialises s on CKDA_OK only.  CKDA_E_SHAPE unless ckda_trans_is_secular, CKDA_E_DOMAIN
 * for a zero key, CKDA_E_UNABLE where only an exact count of a too large degree would
 * decide.  No range of beta or of the gates is assumed; within the ranges of ckda the pairs
 * on the unit circle are counted by: beta = 2, |gate| = 1 where the key is not zero, and
 * both signs there [source: F5]; outside by balls, then exactly. */
CKDA_MUST_CHECK ckda_status ckda_secular_count(ckda_secular_t s, const ckda_trans_t t,
                                               const ckda_field_t K);
void ckda_secular_clear(ckda_secular_t s);
/* ||A|| <= 1 and ||A|| = 1 from I - A^T A = Diag(1 - gate_i^2) + beta (2 - beta) v v^T,
 * v_i = k_i gate_i [source: nonexp, F10]; O(n).  CKDA_E_SHAPE, CKDA_E_DOMAIN as above. */
CKDA_MUST_CHECK ckda_status ckda_trans_norm_test(bool *at_most_1, bool *equals_1,
                                                 const ckda_trans_t t,
                                                 const ckda_field_t K);
/* chi = det(xI - A), over Q by a product tree of integer polynomials; the same as
 * ckda_trans_charpoly otherwise. */
CKDA_MUST_CHECK ckda_status ckda_secular_charpoly(ckda_poly_t chi, const ckda_trans_t t,
                                                  const ckda_field_t K);

/* ---- eigenvalues --------------------------------------------------------------------- */

/* One real eigenvalue, or one non-real pair by its member with positive imaginary part. */
typedef struct {
    bool real;
    slong multiplicity;
    fmpq_t re_lo, re_hi; /* equal for an exact rational eigenvalue, else open interval */
    fmpq_t im_lo, im_hi; /* 0 < im_lo <= im_hi for a pair, both 0 for a real one */
    char *closed;        /* "1/2", "(1+sqrt(5))/4", "root(x^3-2, 1.25)", or NULL */
} ckda_eigenvalue;
/* All of them, real ones ascending, then the pairs; *list goes back with
 * ckda_eigenvalues_free.  The boxes of the roots of a nonzero f are pairwise disjoint.
 * Closed forms where a factor of f over Q has small degree. */
CKDA_MUST_CHECK ckda_status ckda_poly_eigenvalues(ckda_eigenvalue **list, slong *count,
                                                  const ckda_poly_t f,
                                                  const ckda_field_t K);
/* The same for a transition that ckda_secular_count has looked at, without its polynomial:
 * the gates that were taken out exactly, the others in intervals between neighbouring gates
 * (narrowed by balls up to m = 1024), which are disjoint among themselves.  CKDA_E_UNABLE
 * for the kinds MULTIPLE and EXACT_COUNT, and for irrational gates. */
CKDA_MUST_CHECK ckda_status ckda_secular_eigenvalues(ckda_eigenvalue **list, slong *count,
                                                     const ckda_secular_t s,
                                                     const ckda_trans_t t,
                                                     const ckda_field_t K);
void ckda_eigenvalues_free(ckda_eigenvalue **list, slong count);

#ifdef __cplusplus
}
#endif
#endif
