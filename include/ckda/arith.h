/* ckda/arith.h -- how a kernel computes one token, as data.
 *
 * One token, for every column h of the state apart (a letter with several reflections
 * repeats this once for each, the gate only before the first; the store comes after each):
 *
 *     D_i = RN(gate_i h_i)                       exact for gates 1 and -1
 *     p   = RN(k_0 D_0), then for i = 1 .. n-1:  fma: p = RN(k_i D_i + p)
 *                                                not: p = RN(p + RN(k_i D_i))
 *     BETA_ON_KEY:  w_i = RN(beta k_i) once;     fma: y_i = RN(D_i - w_i p)
 *                                                not: y_i = RN(D_i - RN(w_i p))
 *     BETA_ON_DOT:  q = RN(beta p), and then the same with k_i for w_i and q for p
 *     h_i = STORE(y_i)
 *
 * FORM_MATRIX instead computes the whole letter's matrix exactly, rounds each entry once
 * to `keys`, and takes h_i = STORE(row i times h), summed like p.  RN rounds to `compute`,
 * to nearest, ties to even.  STORE rounds to the format `state` in the direction `store`
 * (then flushes), or with grid > 0 to the nearest integer.  A stored -0 becomes +0: the
 * sign of a zero never changes a value that is not zero.
 *
 * Parameters are true algebraic numbers rounded ONCE (to nearest) to their format: keys
 * not through a wider float, beta not through the rounded keys unless `beta_rule` says so.
 * H_0 = STORE(initial Q), with initial = grid when there is a grid and none is given, and Q =
 * I or the orthogonal matrix of a seed (ckda_tracker_start_matrix).
 *
 * Neighbours: a key entry that its format does not hold may be moved by some values of the
 * format, up or down in size, its sign kept; so may beta, after its rounding.  The sizes
 * that are not held are counted through the whole tracker in increasing order, and
 * key_move[i] belongs to number i, wherever it stands.                                  */
#ifndef CKDA_ARITH_H
#define CKDA_ARITH_H
#include <stdbool.h>
#include <stdint.h>

#include "ckda/fpfmt.h"
#include "ckda/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { CKDA_FORM_KEY = 0, CKDA_FORM_MATRIX } ckda_arith_form;
typedef enum { CKDA_BETA_ON_KEY = 0, CKDA_BETA_ON_DOT } ckda_arith_order;
/* KEY_UNIT: the unit key.  KEY_DIRECTION: the shortest integer vector w along the key
 * (its ratios must be rational), with beta / |w|^2 in place of beta. */
typedef enum { CKDA_KEY_UNIT = 0, CKDA_KEY_DIRECTION } ckda_arith_key;
/* BETA_IDEAL: the exact beta of the transition.  BETA_FROM_KEY: beta / |k|^2 (beta: of the
 * unit key) for the key or direction k after its rounding, so that a reflection stays a
 * reflection. */
typedef enum { CKDA_BETA_IDEAL = 0, CKDA_BETA_FROM_KEY } ckda_arith_beta;

/* An exact rational p/q, q > 0. */
typedef struct {
    int64_t p, q;
} ckda_ratio;

enum { CKDA_KEY_MOVES = 16 };

typedef struct {
    const ckda_fp_format *state; /* ignored with a grid */
    const ckda_fp_format *keys;  /* key entries, or matrix entries in FORM_MATRIX */
    const ckda_fp_format *beta;  /* beta and the gates */
    const ckda_fp_format *compute;
    bool fma;
    ckda_arith_form form;
    ckda_arith_order order;
    ckda_arith_key key;
    ckda_arith_beta beta_rule;
    ckda_fp_direction store; /* CKDA_FP_RNE or CKDA_FP_RTZ */
    int64_t grid;            /* 0: none; else the state holds integers, H_0 = grid I */
    bool has_flush;
    int flush; /* a stored |x| < 2^-flush becomes 0; compared after the rounding */
    ckda_ratio initial;                 /* p = 0: 1, or the grid */
    ckda_ratio beta_shift, gate_shrink; /* beta - shift, (1 - shrink) gate; 0/1: none */
    uint64_t start;                     /* seed of Q; 0: I */
    int8_t key_move[CKDA_KEY_MOVES], beta_move; /* values of the format */
} ckda_arith;

/* fp32 everywhere (keys too), FMA, no grid, no flush. */
extern const ckda_arith ckda_arith_default;

/* Presets, named for what they model.
 *   recurrent-fp32         state, beta, compute fp32, keys bf16: public recurrent kernels
 *   recurrent-bf16-state   the same, state rounded to bf16 after each token
 *   grid                   keys bf16, compute fp32, integers at scale 16
 * The chunked ones are in ckda/chunk.h.  CKDA_E_INPUT with the list for another name. */
CKDA_MUST_CHECK ckda_status ckda_arith_preset(ckda_arith *a, const char *name,
                                              ckda_error *err);
/* Is this arithmetic defined and supported?  Names what is wrong: a compute format narrower
 * than the state or keys, a direction without FORM_KEY, a grid beyond 2^22 or with a flush,
 * a store that is neither RNE nor RTZ, an initial scale that is not positive, moved keys
 * without FORM_KEY, ... */
CKDA_MUST_CHECK ckda_status ckda_arith_check(const ckda_arith *a, ckda_error *err);
/* The scale of H_0: initial, or the grid, or 1. */
ckda_ratio ckda_arith_initial(const ckda_arith *a);
/* How many of key_move are there: up to the last that is not 0. */
int ckda_arith_moves(const ckda_arith *a);
/* "bf16 state, fp32 keys, fp32 compute, FMA, H_0 = 5/4 I, flush 2^-6"; free(). */
char *ckda_arith_str(const ckda_arith *a);

#ifdef __cplusplus
}
#endif
#endif
