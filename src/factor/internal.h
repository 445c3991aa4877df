/* Shared by the files of this room only. */
#ifndef CKDA_FACTOR_INTERNAL_H
#define CKDA_FACTOR_INTERNAL_H
#include "ckda/factor.h"

/* The only D + u v^T that can represent the square matrix A, up to the scale of u and v
 * and up to entries that no off-diagonal entry of A sees.  d of the dimension of A. */
void ckda_factor_dpr1_candidate(ckda_dpr1_t d, const ckda_mat_t A, const ckda_field_t K);
/* First off-diagonal entry with u_i v_j != A_ij; want (may be NULL) becomes u_i v_j. */
bool ckda_factor_dpr1_mismatch(ckda_index *at, ckda_elem_struct *want,
                               const ckda_dpr1_t d, const ckda_mat_t A,
                               const ckda_field_t K);
#endif
