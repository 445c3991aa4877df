/* What the files of this room share; not for other rooms. */
#ifndef CKDA_MAT_INTERNAL_H
#define CKDA_MAT_INTERNAL_H
#include "ckda/mat.h"
#include "ckda/status.h"

#define E(A, i, j) ckda_mat_entry(A, i, j)

void ckda_mat_swap_rows(ckda_mat_t A, slong i, slong j, const ckda_field_t K);
void ckda_mat_swap_cols(ckda_mat_t A, slong i, slong j, const ckda_field_t K);
/* C = A^T A for any shape of A; C is cols x cols and no alias of A. */
void ckda_mat_gram(ckda_mat_t C, const ckda_mat_t A, const ckda_field_t K);
/* y = 1/x where the caller has checked that x is not zero. */
void ckda_mat_inv_nonzero(ckda_elem_t y, const ckda_elem_t x, const ckda_field_t K);

/* The two ways of solve.c; A is square.  The inverses return false for a singular A and
 * leave R, no alias of A, in any state. */
void ckda_mat_det_elimination(ckda_elem_t d, const ckda_mat_t A, const ckda_field_t K);
void ckda_mat_det_division_free(ckda_elem_t d, const ckda_mat_t A, const ckda_field_t K);
bool ckda_mat_inv_elimination(ckda_mat_t R, const ckda_mat_t A, const ckda_field_t K);
bool ckda_mat_inv_division_free(ckda_mat_t R, const ckda_mat_t A, const ckda_field_t K);

#endif
