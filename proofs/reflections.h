/* proofs/reflections.h -- orthogonal matrices and contractions as products of reflections
 * and one diagonal matrix, for the checks of Prop. 10 and of our factor counts.
 *
 * Keys are directions w of H = I - 2 w w^T / w^T w, so everything stays in the field of the
 * entries.  Lists of factors are in order of application (ckda/factorise.h).            */
#ifndef CKDA_PROOFS_REFLECTIONS_H
#define CKDA_PROOFS_REFLECTIONS_H
#include "ckda/evidence.h"
#include "ckda/factorise.h"

/* H_1, ..., H_count by their keys: column j of w, n x room. */
typedef struct {
    ckda_mat_t w;
    slong count;
} mirrors;

void mirrors_init(mirrors *h, slong n, slong room, const ckda_field_t K);
void mirrors_clear(mirrors *h, const ckda_field_t K);

/* Columns of U (n x s, orthonormal) become unit columns e_1, e_2, ... under H_count ... H_1,
 * the last of n columns e_n or -e_n; h is empty before and has room for s.  U is replaced
 * by H_count ... H_1 U.  At most min(s, n-1) reflections [source: Prop. 10]. */
void mirrors_of_columns(mirrors *h, ckda_mat_t U, const ckda_field_t K);
/* B, an orthogonal n x n matrix, becomes H_count ... H_1 B = I; room for n.  Each reflection
 * enlarges the fixed space, so there are rank(B - I) of them [Cartan-Dieudonne, Scherk]. */
void mirrors_scherk(mirrors *h, ckda_mat_t B, const ckda_field_t K);

/* f (no factors) becomes the factors of (h_1 ... h_c) Diag(gate) (g_d ... g_1); g may be
 * NULL.  c + d factors, d + 1 for c = 0. */
void mirrors_factors(ckda_factors_t f, const mirrors *h, const ckda_elem_struct *gate,
                     const mirrors *g, const ckda_field_t K);

/* Is the product of f equal to A, are all factors CKDA factors with beta in {0, 2}, are at
 * most `most` of them needed, and have at most `gates` a gate that is not made of signs? */
CKDA_MUST_CHECK ckda_truth mirrors_check(ckda_evidence *ev, const ckda_factors_t f,
                                         const ckda_mat_t A, slong most, long gates,
                                         const ckda_field_t K);

/* max(1, count): the empty product is not counted as a factor. */
slong mirrors_at_least_one(slong count);

/* Builds the factors of U Diag(sigma) V^T and checks them: U, V are n x s with orthonormal
 * columns, 0 <= sigma_i <= 1, at most max(1, min(limit, 2s)) factors, one gate that is not
 * made of signs.  FALSE also when the matrix is no contraction.  U and V are used up. */
CKDA_MUST_CHECK ckda_truth mirrors_check_svd(ckda_evidence *ev, ckda_mat_t U,
                                             const ckda_elem_struct *sigma, ckda_mat_t V,
                                             slong limit, const ckda_field_t K);

#endif
