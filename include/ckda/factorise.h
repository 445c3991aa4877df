/* ckda/factorise.h -- permutations, maps and rational matrices as products of CKDA factors.
 *
 * A factor is one transition (I - beta k k^T) Diag(gate): family CKDA_CKDA, one step.  Lists
 * are in application order: the product is step[count-1] ... step[1] step[0].  beta may
 * exceed 2 (a merge needs it); gates stay in [-1, 1], beta >= 0.  Everything is rational.
 *   CKDA_FACTOR_PAPER  the recipes of the paper (Prop. 25)
 *   CKDA_FACTOR_SHORT  ours: maps in at most n-1 factors with beta <= 5/2 for n >= 3
 *                      (part D, Theorem A), rational n x n matrices in at most 4n factors
 *                      in dimension 2n (part C, F2)
 * Both are deterministic.  Conventions of ckda/mat.h.                                   */
#ifndef CKDA_FACTORISE_H
#define CKDA_FACTORISE_H
#include "ckda/trans.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { CKDA_FACTOR_PAPER, CKDA_FACTOR_SHORT } ckda_factor_scheme;

typedef struct {
    slong n; /* dimension of every factor */
    slong count;
    ckda_trans_struct *step; /* count, first applied first; owned */
    slong alloc;             /* steps there is room for */
} ckda_factors_struct;
typedef ckda_factors_struct ckda_factors_t[1];

void ckda_factors_init(ckda_factors_t f, slong n,
                       const ckda_field_t K); /* no factor: identity */
void ckda_factors_clear(ckda_factors_t f, const ckda_field_t K);
void ckda_factors_swap(ckda_factors_t f, ckda_factors_t g);
/* P = the product, n x n, else CKDA_E_SHAPE; O(n) operations for each factor and each
 * nonzero entry of its key.  CKDA_E_DOMAIN for a zero key with beta != 0. */
CKDA_MUST_CHECK ckda_status ckda_factors_product(ckda_mat_t P, const ckda_factors_t f,
                                                 const ckda_field_t K);
/* The largest beta of the list (0 for no factor). */
void ckda_factors_max_beta(ckda_elem_t beta, const ckda_factors_t f,
                           const ckda_field_t K);
/* Is every step one admissible CKDA factor of dimension n: beta >= 0, gates in [-1, 1], a
 * nonzero key?  CKDA_E_DOMAIN with a message that begins with the place
 * ("factors[2].gate[0]: expected ..."). */
CKDA_MUST_CHECK ckda_status ckda_factors_check(const ckda_factors_t f,
                                               const ckda_field_t K, ckda_error *err);
/* Does the product P, applied to (x; s), give M x in the first rows, whatever the scratch s:
 * are the first rows of P equal to [M 0]?  M is m x m with m <= n; for m = n this is P = M.
 * false also for a factor outside the ranges of ckda_factors_check. */
bool ckda_factors_simulate(const ckda_factors_t f, const ckda_mat_t M,
                           const ckda_field_t K);

/* ---- primitives: appended to the list, so applied after what is there -----------------
 *
 * Indices are coordinates 0 .. n-1; e_d, e_s are unit vectors, H_g(u) = I - g u u^T.
 * CKDA_E_DOMAIN (f unchanged) for an index out of range and for d = s, where none of them
 * is defined. */

/* A copy of t.  CKDA_E_SHAPE unless t is a ckda transition of dimension n. */
CKDA_MUST_CHECK ckda_status ckda_factors_push(ckda_factors_t f, const ckda_trans_t t,
                                              const ckda_field_t K);
/* The transposition H_1(e_i - e_j); beta 2, one factor [source: Prop. 25]. */
CKDA_MUST_CHECK ckda_status ckda_factors_push_swap(ckda_factors_t f, slong i, slong j,
                                                   const ckda_field_t K);
/* r >= 1 different coordinates d[0], ..., d[r-1] are added to coordinate s and cleared:
 * H_3(e_s) D H_{1/6}(3 e_s + sum e_d), two factors, betas (9+r)/6 and 3.  For r = 1 this is
 * the merge M_{d->s} of the paper [source: Prop. 25]. */
CKDA_MUST_CHECK ckda_status ckda_factors_push_merge(ckda_factors_t f, slong s,
                                                    const slong *d, slong r,
                                                    const ckda_field_t K);
/* The same sum in row s, rows d left dirty: H_{1/2}(2 e_s + sum e_d) Diag(-1 at s and d),
 * one factor, beta (4+r)/2.  Clearing d in the gate of the next factor completes it. */
CKDA_MUST_CHECK ckda_status ckda_factors_push_semi_merge(ckda_factors_t f, slong s,
                                                         const slong *d, slong r,
                                                         const ckda_field_t K);
/* I + e_d e_s^T = H_{1/3}(e_s + 2 e_d) H_{1/2}(e_s) H_2(e_s + e_d); three factors, betas 4,
 * 1/2 and 5/3 in order of application [source: Prop. 25]. */
CKDA_MUST_CHECK ckda_status ckda_factors_push_transvection(ckda_factors_t f, slong d,
                                                           slong s, const ckda_field_t K);
/* I + e_d w^T for a rational row w != 0 (n entries) with w_d = 0, in two factors.  With
 * N = w^T w and a rational h > 0 such that h(1+h) N > 1,
 *     H_{g1}(h w + e_d) Diag(h/(1+h) at d) H_{g3}((1+h) w + e_d),
 *     g3 = h/(1+2h),  g1 = (1+h)/(h (h(1+h) N - 1)).
 * h is chosen so that both betas are O(1 + sqrt N). */
CKDA_MUST_CHECK ckda_status ckda_factors_push_row_transvection(ckda_factors_t f, slong d,
                                                               const ckda_elem_struct *w,
                                                               const ckda_field_t K);
/* Coordinate j times a, any real a; one factor, beta 1 + |a| [source: Prop. 25]. */
CKDA_MUST_CHECK ckda_status ckda_factors_push_scale(ckda_factors_t f, slong j,
                                                    const ckda_elem_t a,
                                                    const ckda_field_t K);
/* The r coordinates d are cleared by a gate alone; one factor, beta 0. */
CKDA_MUST_CHECK ckda_status ckda_factors_push_clear(ckda_factors_t f, const slong *d,
                                                    slong r, const ckda_field_t K);
/* Coordinate d is cleared before step `at` < count acts: its gate there becomes 0. */
CKDA_MUST_CHECK ckda_status ckda_factors_clear_before(ckda_factors_t f, slong at, slong d,
                                                      const ckda_field_t K);

/* ---- whole matrices --------------------------------------------------------------- */

/* f (initialised, n as in the map) becomes factors of the matrix e_j -> e_image[j].
 * CKDA_E_DOMAIN for an image outside 0 .. n-1. A permutation takes n minus its number of
 * cycles swaps in either scheme [Prop. 25]. */
CKDA_MUST_CHECK ckda_status ckda_factor_map(ckda_factors_t f, const slong *image,
                                            ckda_factor_scheme scheme,
                                            const ckda_field_t K);
/* M is n x n rational, n >= 1; f has dimension 2n + 1 (paper) or 2n (short), else
 * CKDA_E_SHAPE.  The product P satisfies: the first n rows of P (x; s) equal M x for every
 * scratch s.  Paper: exactly 7n^2 + 3n factors and P = [[M, 0, 0], [M, 0, 0], [0, 0, 0]].
 * Short: two factors for each nonzero row of M, twice; none for M = I, one for M = 0.
 * CKDA_E_DOMAIN for an irrational entry. */
CKDA_MUST_CHECK ckda_status ckda_factor_rational(ckda_factors_t f, const ckda_mat_t M,
                                                 ckda_factor_scheme scheme,
                                                 const ckda_field_t K);
/* The number of factors that always suffices: max(1, 2n-2) or (short) n-1, 2 for n = 2 and
 * 1 for n = 1; permutations max(1, n-1); matrices 7n^2+3n or 4n. */
slong ckda_factor_map_bound(slong n, ckda_factor_scheme scheme);
slong ckda_factor_permutation_bound(slong n);
slong ckda_factor_rational_bound(slong n, ckda_factor_scheme scheme);

/* ---- lower bounds ----------------------------------------------------------------------
 *
 * A product of m factors, with any real betas and gates, is a diagonal matrix plus one of
 * rank at most m.  A minor that stays invertible whatever is subtracted on the diagonal of
 * A is therefore a certificate that A needs as many factors as the minor has rows. */

/* Is A[row_a, col_b], 0 <= a, b < size, upper triangular with a nonzero diagonal, using no
 * diagonal entry of A on and below its own diagonal?  Then rank(A - D) >= size for every
 * diagonal D.  A is square. */
bool ckda_factor_minor_is_rigid(const slong *row, const slong *col, slong size,
                                const ckda_mat_t A, const ckda_field_t K);
/* The largest such minor of a map's matrix (n slots each in row and col, image within
 * 0 .. n-1); for a permutation its size is n minus the number of cycles. */
slong ckda_factor_map_minor(slong *row, slong *col, const slong *image, slong n);
/* No product of fewer factors is the map: the size of that minor, and 2 for everything but
 * the identity and transpositions, since no other map is a single factor. */
slong ckda_factor_map_lower_bound(const slong *image, slong n);
/* Is `count` the least number of factors for the map?  TRUE if it meets the lower bound,
 * FALSE if the short scheme takes fewer, else UNKNOWN.  The image within 0 .. n-1. */
ckda_truth ckda_factor_map_is_minimal(slong count, const slong *image, slong n,
                                      const ckda_field_t K);
/* The same for a rational matrix with scratch coordinates, the count being the scheme's.
 * Paper: FALSE, since the short scheme takes fewer and leaves the coordinate 2n alone. */
ckda_truth ckda_factor_rational_is_minimal(slong count, ckda_factor_scheme scheme);
/* The least number of factors of a permutation, whatever the betas and gates: both bounds
 * are built, multiplied out and checked.  CKDA_E_DOMAIN unless image is a permutation. */
CKDA_MUST_CHECK ckda_status ckda_factor_permutation_minimal(slong *count,
                                                            const slong *image, slong n,
                                                            const ckda_field_t K);
/* For each of the n^n maps (index sum image[i] n^i) the least number of factors that swaps
 * (one) and merges (two) reach it with, by a search from the identity; -1 if they do not.
 * cost has n^n slots; CKDA_E_UNABLE for n > 7. */
CKDA_MUST_CHECK ckda_status ckda_factor_swap_merge_costs(slong *cost, slong n);

#ifdef __cplusplus
}
#endif
#endif
