/* What the files of this room share and nobody else sees. */
#ifndef CKDA_ROUNDED_INTERNAL_H
#define CKDA_ROUNDED_INTERNAL_H
#include "ckda/rounded.h"

/* The largest grid scale, and entry of H_0 on a grid. */
int64_t ckda_rounded_grid_max(const ckda_arith *a);
/* The rule of STORE as ckda/fpfmt.h spells it (unused on a grid). */
ckda_fp_rule ckda_rounded_store_rule(const ckda_arith *a);
/* Fills key, gate, beta, scaled_key, matrix and their values; first is already there.
 * Errors as in ckda_rounded_init. */
CKDA_MUST_CHECK ckda_status ckda_rounded_parameters(ckda_rounded_t R,
                                                    const ckda_tracker_t t,
                                                    ckda_error *err);
/* x rounded once to nearest. */
uint64_t ckda_rounded_elem(const ckda_elem_t x, const ckda_fp_format *f,
                           const ckda_field_t K);
/* x goes `by` values of f up in size, its sign kept; false: to 0, or beyond them. */
bool ckda_rounded_move(uint64_t *x, int by, const ckda_fp_format *f);

/* What every micro-step stands for. */
typedef struct {
    const ckda_trans_struct *trans;
    slong step;
    bool gated;
} ckda_rounded_micro_step;
/* R->key and R->inexact from the micro-steps, as many as R has; norm, one for each, is |w|^2
 * of the exact direction w.  Errors as in ckda_rounded_init. */
CKDA_MUST_CHECK ckda_status ckda_rounded_keys(ckda_elem_struct *norm,
                                              const ckda_rounded_micro_step *list,
                                              ckda_rounded_t R, const ckda_field_t K,
                                              ckda_error *err);
/* Micro-steps of the transition that are kept, as indices into it; returns how many. */
slong ckda_rounded_kept_steps(slong *kept, const ckda_trans_t x, const ckda_field_t K);
/* R->to_state. */
void ckda_rounded_set_store(ckda_rounded_t R);

/* M = (I - v k^T) Diag(gate) of micro-step s, with v = scaled_key if as_computed and
 * beta is multiplied into the key, else v = beta k. */
void ckda_rounded_micro_matrix(fmpq_mat_t M, uint32_t s, bool as_computed,
                               const ckda_rounded_t R);
void ckda_rounded_letter_matrix(fmpq_mat_t A, uint32_t letter, bool as_computed,
                                const ckda_rounded_t R);

/* Distance of y, a value of the compute format, from the nearest boundary between two
 * stored values, in the units of ckda_rounded_expand. */
double ckda_rounded_tie(double y, const ckda_rounded_t R);
/* ckda_rounded_step_definition; lowers *tie unless it is NULL. */
void ckda_rounded_define(uint64_t *H, double *tie, slong m, uint32_t letter,
                         const ckda_rounded_t R);
/* out = the successors under the letters from .. to - 1, on the processor. */
void ckda_rounded_float_letters(double *out, double *tie, const double *H, slong m,
                                uint32_t from, uint32_t to, const ckda_rounded_t R);
void ckda_rounded_double_letters(double *out, double *tie, const double *H, slong m,
                                 uint32_t from, uint32_t to, const ckda_rounded_t R);
/* An error of at most rel |h| + abs, for a column h that enters a letter: balls whose
 * upper ends count. */
typedef struct {
    arb_t rel, abs;
} ckda_rounded_affine;
#define CKDA_ROUNDED_PREC 256
/* error: distance of the stored column from B h; biggest: any intermediate value.
 * deviation >= |B - A| is used for FORM_MATRIX only. */
void ckda_rounded_letter_error(ckda_rounded_affine *error, ckda_rounded_affine *biggest,
                               const arb_t deviation, uint32_t letter,
                               const ckda_rounded_t R);
/* Larger states take the definition. */
#define CKDA_ROUNDED_FAST_MAX 64
#endif
