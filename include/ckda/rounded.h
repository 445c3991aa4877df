/* ckda/rounded.h -- a tracker whose parameters and state are rounded: a finite automaton
 * on bit patterns.
 *
 * States are matrices n x m of doubles, row-major, whose entries are values of the state
 * format (or integers on a grid): doubles hold all of them exactly.  Columns evolve apart,
 * so every function takes the number m of columns.  The arithmetic is that of ckda/arith.h,
 * bit for bit.  Two ways: ckda_rounded_step_definition works on patterns through
 * ckda/fpfmt.h for every format; ckda_rounded_step and _expand use the processor for
 * compute formats fp32 and fp64 (else they call the definition).  They agree bit for bit.
 *
 * NaN: a state that holds one is lost; which NaN it is, is not specified (pack makes it
 * the canonical one).  Immutable after init; threads may share it, each calls
 * ckda_fp_host_is_ieee once.                                                           */
#ifndef CKDA_ROUNDED_H
#define CKDA_ROUNDED_H
#include "ckda/arith.h"
#include "ckda/tracker.h"

#ifdef __cplusplus
extern "C" {
#endif

/* STORE for magnitudes a >= 0 of the compute format, without a branch on the format.
 *   a >= tiny: add half_less + (the bit `drop` of the pattern, if odd = 1), then mask;
 *   a <  tiny: (a + anchor) - anchor, less `unit` if that went up (unit = 0: nearest);
 *   beyond limit: over; below flush: 0. */
typedef struct {
    int drop;
    uint64_t odd, half_less, mask;
    double tiny, anchor, unit, limit, over, flush;
    double normal; /* the least normal value of the state, for distances from ties */
} ckda_rounded_store;

typedef struct {
    ckda_arith arith;
    slong n;
    uint32_t nletters;
    /* nletters + 1: the micro-steps of letter l are first[l] .. first[l+1]-1, at least
     * one.  Reflections with beta = 0 are left out, except one where nothing else is. */
    uint32_t *first;
    /* per micro-step s, entries s * n + i; patterns of keys, beta, beta, compute; the
     * gates are 1 except before the first reflection of a letter */
    uint64_t *key, *gate, *beta, *scaled_key; /* beta: one per micro-step */
    uint64_t *matrix; /* FORM_MATRIX: nletters * n * n, else NULL */
    /* the same values as doubles */
    double *key_value, *gate_value, *beta_value, *scaled_value, *matrix_value;
    double scale;    /* of H_0 before its rounding, nearest double */
    double *initial; /* H_0, n x n */
    int inexact;     /* sizes of key entries that `keys` does not hold; FORM_KEY */
    ckda_rounded_store to_state;
    bool uses_fp32; /* fast path in float */
    bool uses_fp64; /* fast path in double */
} ckda_rounded_struct;
typedef ckda_rounded_struct ckda_rounded_t[1];

/* beta_shift applies to the reflections of the construction, not to beta = 0.
 * CKDA_E_INPUT when ckda_arith_check refuses; CKDA_E_DOMAIN when a direction is asked for
 * and a key has no integer direction, or beta_rule wants 2/|k|^2 of a key that rounds to
 * 0, a moved key entry or beta leaves the finite numbers or changes its sign, more sizes
 * are moved than there are, or H_0 rounds to 0 or beyond the state.  t must start where the
 * arithmetic says (ckda_tracker_set_start). */
CKDA_MUST_CHECK ckda_status ckda_rounded_init(ckda_rounded_t R, const ckda_tracker_t t,
                                              const ckda_arith *a, ckda_error *err);
void ckda_rounded_clear(ckda_rounded_t R);

/* H = H_0, n x n. */
void ckda_rounded_initial(double *H, const ckda_rounded_t R);
/* H = one token applied to H (n x m). */
void ckda_rounded_step(double *H, slong m, uint32_t letter, const ckda_rounded_t R);
/* The same on patterns of the state format (of compute on a grid), through fpfmt only. */
void ckda_rounded_step_definition(uint64_t *H, slong m, uint32_t letter,
                                  const ckda_rounded_t R);
/* out[letter * n * m ...] = the successors of H for all letters.  tie (may be NULL) is
 * lowered to the least distance of an entry, before its last store, from the nearest
 * boundary between two stored values: in grid units, or in units of the spacing of the
 * state format there (1/2 is the most; 0 on the boundary). */
void ckda_rounded_expand(double *out, double *tie, const double *H, slong m,
                         const ckda_rounded_t R);

/* Stored form of one entry: 1, 2, 4 or 8 bytes (grids: int8 while |x| <= 127 is certain for
 * |H|_F <= 2 scale sqrt n, else int16 or int32).  pack is injective on values of the format.
 * false from pack: an entry does not fit (a grid state far out, NaN on a grid); the bytes
 * are then partly written. */
size_t ckda_rounded_entry_bytes(const ckda_rounded_t R);
bool ckda_rounded_pack(void *bytes, const double *H, slong entries,
                       const ckda_rounded_t R);
void ckda_rounded_unpack(double *H, const void *bytes, slong entries,
                         const ckda_rounded_t R);

/* The exact matrix that the rounded parameters stand for: A = product over the micro-steps
 * of (I - beta k k^T) Diag(gate), or the rounded matrix; entries are dyadic.  A is n x n.
 * (BETA_ON_KEY computes with RN(beta k) in place of beta k; for beta = 2 and 1 they are
 * equal.) */
void ckda_rounded_matrix(fmpq_mat_t A, uint32_t letter, const ckda_rounded_t R);

/* Mean growth of ln |H|_F a token by the rounded parameters alone, over uniform letters:
 * the mean of the sum over micro-steps of (|B|_F^2 - n) / (2n), B the exact matrix of the
 * rounded micro-step (of the letter in FORM_MATRIX).  With gates 1 and -1 that is
 * beta |k|^2 (beta |k|^2 - 2) / (2n), about 2 (|k|^2 - 1) / n for beta = 2
 * [source: norm law].  Exact, then rounded to a double. */
double ckda_rounded_norm_rate(const ckda_rounded_t R);

/* Rigorous: for every word of at most this many tokens the state decodes rightly, since
 * its distance e from scale * exact stays below scale m / 2.  A token gives
 * e' <= e + rho (scale sqrt n + e) + zeta: rho bounds |B - A| plus the relative error of
 * the arithmetic (second order included) over all letters, zeta what is absolute
 * (subnormals, flush, grid).  Derivation: src/rounded/bound.c.  0: nothing is certain,
 * as when overflow cannot be excluded.  UINT64_MAX: rho = zeta = 0, or one element.
 * *rho and *zeta (may be NULL) are rounded up. */
uint64_t ckda_rounded_guaranteed_steps(double *rho, double *zeta, const ckda_rounded_t R,
                                       const ckda_tracker_t t);

#ifdef __cplusplus
}
#endif
#endif
