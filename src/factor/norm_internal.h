/* Shared by the files that factor matrices of norm at most 1. */
#ifndef CKDA_FACTOR_NORM_INTERNAL_H
#define CKDA_FACTOR_NORM_INTERNAL_H
#include "ckda/factor_norm.h"
#include "factorise_internal.h"

/* ---- reflections.c ---- */

/* Keys of reflections, one a row. */
typedef struct {
    ckda_mat_t key; /* room rows */
    slong count;
} reflections;
void reflections_init(reflections *r, slong room, slong n, const ckda_field_t K);
void reflections_clear(reflections *r, const ckda_field_t K);
/* Column c of Q is mapped to e_c, appending a key, unless it is e_c or (with `minus`) -e_c
 * already; Q becomes the image.  The column must have norm 1. */
void reflections_fix_column(reflections *r, ckda_mat_t Q, slong c, bool minus,
                            const ckda_field_t K);
/* A factor with this beta; key and gate may be NULL: e_1, ones. */
void append_factor(ckda_factors_t f, slong beta, const ckda_elem_struct *key,
                   const ckda_elem_struct *gate, const ckda_field_t K);
/* Appends left_1 ... left_k Diag(gate), the gate in the factor of left_k. */
void append_left(ckda_factors_t f, const reflections *left, const ckda_elem_struct *gate,
                 const ckda_field_t K);
/* Appends Diag(gate) right_m ... right_1, so right_1 is applied first. */
void append_right(ckda_factors_t f, const reflections *right,
                  const ckda_elem_struct *gate, const ckda_field_t K);

/* ---- extension.c ---- */

/* L = K(sqrt d_0, ..., sqrt d_{count-1}), d_i >= 0. */
typedef struct {
    ckda_field_t L;
    ckda_elem_struct gen;   /* the generator of K in L */
    ckda_elem_struct *root; /* sqrt d_i */
    slong count;
} extension;
/* e is initialised here.  CKDA_E_UNABLE beyond degree CKDA_FACTOR_MAX_DEGREE. */
ckda_status extension_init(extension *e, const ckda_elem_struct *d, slong count,
                           const ckda_field_t K);
void extension_clear(extension *e);
/* y = x in L. */
void extension_elem(ckda_elem_t y, const ckda_elem_t x, const extension *e,
                    const ckda_field_t K);
/* B (initialised here) = A over L. */
void extension_mat(ckda_mat_t B, const ckda_mat_t A, const extension *e,
                   const ckda_field_t K);

/* ---- ways to factor a contraction: columns.c, single.c, two.c, balls.c ---- */

/* Each sets K, A and factors of c (none of them initialised before) and returns true, or
 * leaves c alone and returns false where it does not apply.  A has norm at most 1 and n >= 1.
 * That the product is A is checked by the caller. */
bool contraction_columns(ckda_contraction_t c, const ckda_mat_t A, const ckda_field_t K);
bool contraction_rows(ckda_contraction_t c, const ckda_mat_t A, const ckda_field_t K);
bool contraction_single(ckda_contraction_t c, const ckda_mat_t A, const ckda_field_t K);
bool contraction_svd_2x2(ckda_contraction_t c, const ckda_mat_t A, const ckda_field_t K);
/* Also sets exact = false and residual. */
bool contraction_balls(ckda_contraction_t c, const ckda_mat_t A, const ckda_field_t K);
/* c->K = L, c->A = A over L (for K = L, e = NULL), no factor yet. */
void contraction_begin(ckda_contraction_t c, const ckda_mat_t A, const extension *e,
                       const ckda_field_t K);

/* t = the step (without its gate) that maps e_j to a, |a| <= 1: with w = e_j - a,
 * e_j - (beta/w^T w) w_j w is a for beta = |w|^2/(1 - a_j), and |w|^2 <= 2 - 2 a_j makes
 * beta <= 2. */
void set_step_to(ckda_trans_struct *t, slong j, const ckda_elem_struct *a,
                 const ckda_field_t K);
/* s = x^T y, column i with column j of A. */
void dot(ckda_elem_t s, const ckda_elem_struct *x, const ckda_elem_struct *y, slong n,
         const ckda_field_t K);
void column_dot(ckda_elem_t s, const ckda_mat_t A, slong i, slong j,
                const ckda_field_t K);
#endif
