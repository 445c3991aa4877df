/* ckda/factor_norm.h -- orthogonal matrices and contractions as products of CKDA factors.
 *
 * A factor is (I - beta k k^T) Diag(gate), beta in [0, 2], gates in [-1, 1]; lists are in
 * application order (ckda/factorise.h).  Keys are directions, so reflections that map one
 * unit vector of the field to another need no square root.  Conventions of ckda/mat.h.    */
#ifndef CKDA_FACTOR_NORM_H
#define CKDA_FACTOR_NORM_H
#include "ckda/factorise.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- orthogonal matrices ------------------------------------------------------------- */

#define CKDA_FACTOR_SIGNS_MAX 14 /* n up to which all 2^n sign matrices are looked at */

/* The least rank of A - S over the sign matrices S, and such an S.  A product of m factors
 * of norm 1 with determinant +-1 is orthogonal only if every factor is a reflection times
 * signs, or signs; the signs move to the right, so A S is a product of m reflections and
 * rank(A S - I) <= m [source: this project, F8].  Ranks modulo a prime bound the exact ones
 * from below; the answer is confirmed exactly.  CKDA_E_SHAPE unless A is square,
 * CKDA_E_UNABLE for n > CKDA_FACTOR_SIGNS_MAX.  signs: n. */
CKDA_MUST_CHECK ckda_status ckda_factor_sign_rank(slong *rank, int *signs,
                                                  const ckda_mat_t A,
                                                  const ckda_field_t K);
/* f (initialised, of A's dimension) becomes factors of the orthogonal A; all betas are 2 (0
 * for a sign matrix, no factor for I).
 *   CKDA_FACTOR_PAPER  column by column, at most max(1, n-1) factors [source: Prop. 10]
 *   CKDA_FACTOR_SHORT  the same on A S for the S above: max(1, rank(A - S)) factors, each
 *                      reflection fixing one more direction [Cartan, Dieudonne, Scherk];
 *                      for larger n as CKDA_FACTOR_PAPER
 * minimal: TRUE or FALSE for n <= CKDA_FACTOR_SIGNS_MAX; beyond, TRUE for at most one factor
 * and for two where A is not diagonal plus rank one, else UNKNOWN.  CKDA_E_DOMAIN unless A is
 * orthogonal, CKDA_E_SHAPE unless it is square with n >= 1 and f of its dimension. */
CKDA_MUST_CHECK ckda_status ckda_factor_orthogonal(ckda_factors_t f, ckda_truth *minimal,
                                                   const ckda_mat_t A,
                                                   ckda_factor_scheme scheme,
                                                   const ckda_field_t K);
/* max(1, n-1), max(1, 2n-2) [source: Prop. 10]. */
slong ckda_factor_orthogonal_bound(slong n);
slong ckda_factor_contraction_bound(slong n);

/* ---- contractions ---------------------------------------------------------------------- */

#define CKDA_FACTOR_BALLS_MAX                                                            \
    128 /* n up to which a singular value decomposition is made */
#define CKDA_FACTOR_MAX_DEGREE 16 /* of a field that square roots are adjoined to */

typedef struct {
    ckda_field_t K; /* of the factors: the field of A, or square roots adjoined, or Q */
    ckda_mat_t A;   /* exact: A over this K; otherwise 0 x 0 */
    ckda_factors_t factors; /* in the ranges beta in [0, 2], gate in [-1, 1] */
    ckda_truth minimal;     /* decided for n <= 2 and for at most two factors */
    bool exact;             /* multiplied out over K and equal to A */
    slong residual;     /* not exact: |A - product|_F < 2^residual, by ball arithmetic */
    const char *method; /* a static text */
} ckda_contraction_struct;
typedef ckda_contraction_struct ckda_contraction_t[1];

/* A, of norm at most 1, as at most max(1, 2n-2) factors [source: Prop. 10].  Exactly for
 *   diagonal matrices and all others that are one factor (for n = 2 possibly with a square
 *     root) [source: this project, F9 and its extension to every n],
 *   orthogonal matrices (as above, CKDA_FACTOR_SHORT),
 *   n = 2: two factors by the singular value decomposition over an extension,
 *   orthogonal columns (A = Q Sigma, n-1 factors) or rows (n factors): signed permutations
 *     times a diagonal and scaled one-hot maps among them,
 *   rank one (two factors; square roots only for norm exactly 1);
 * otherwise rational factors close to A, with a proved bound of the difference.
 * c is initialised here on CKDA_OK.  CKDA_E_DOMAIN unless ||A|| <= 1 (decided exactly),
 * CKDA_E_SHAPE unless A is square with n >= 1, CKDA_E_UNABLE beyond the limits above. */
CKDA_MUST_CHECK ckda_status ckda_factor_contraction(ckda_contraction_t c,
                                                    const ckda_mat_t A,
                                                    const ckda_field_t K);
void ckda_contraction_clear(ckda_contraction_t c);

/* A vector x (n initialised elements) with |A x| > |x|: whole numbers where a few bits are
 * enough.  CKDA_E_DOMAIN if there is none, CKDA_E_SHAPE unless A is square with n >= 1. */
CKDA_MUST_CHECK ckda_status ckda_norm_witness(ckda_elem_struct *x, const ckda_mat_t A,
                                              const ckda_field_t K);
/* Is the square matrix A one factor with beta in [0, 2] and gates in [-1, 1]?  Decided for
 * every A over every K; for n = 2 by [source: this project, F9].  CKDA_E_SHAPE unless A is
 * square with n >= 1. */
CKDA_MUST_CHECK ckda_status ckda_factor_is_single(bool *single, const ckda_mat_t A,
                                                  const ckda_field_t K);

#ifdef __cplusplus
}
#endif
#endif
