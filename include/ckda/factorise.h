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
    slong n;                 /* dimension of every factor */
    slong count;
    ckda_trans_struct *step; /* count, first applied first; owned */
} ckda_factors_struct;
typedef ckda_factors_struct ckda_factors_t[1];

void ckda_factors_init(ckda_factors_t f, slong n, const ckda_field_t K); /* no factor: identity */
void ckda_factors_clear(ckda_factors_t f, const ckda_field_t K);
/* P = the product, n x n. */
CKDA_MUST_CHECK ckda_status ckda_factors_product(ckda_mat_t P, const ckda_factors_t f,
                                                 const ckda_field_t K);
/* The largest beta of the list (0 for no factor). */
void ckda_factors_max_beta(ckda_elem_t beta, const ckda_factors_t f, const ckda_field_t K);

/* f (initialised, n as in the map) becomes factors of the matrix e_j -> e_image[j].
 * CKDA_E_DOMAIN for an image outside 0 .. n-1. A permutation takes n minus its number of
 * cycles swaps in either scheme [Prop. 25]. */
CKDA_MUST_CHECK ckda_status ckda_factor_map(ckda_factors_t f, const slong *image,
                                            ckda_factor_scheme scheme, const ckda_field_t K);
/* M is n x n rational; f has dimension 2n + 1 (paper) or 2n (short), else CKDA_E_SHAPE.  The
 * product P satisfies: the first n rows of P (x; s) equal M x for every scratch s. */
CKDA_MUST_CHECK ckda_status ckda_factor_rational(ckda_factors_t f, const ckda_mat_t M,
                                                 ckda_factor_scheme scheme,
                                                 const ckda_field_t K);
/* The number of factors that always suffices: max(1, 2n-2) or (short) n-1, 2 for n = 2 and
 * 1 for n = 1; permutations max(1, n-1); matrices 7n^2+3n or 4n. */
slong ckda_factor_map_bound(slong n, ckda_factor_scheme scheme);
slong ckda_factor_permutation_bound(slong n);
slong ckda_factor_rational_bound(slong n, ckda_factor_scheme scheme);

#ifdef __cplusplus
}
#endif
#endif
