/* proofs/maps.h -- maps of a few points and the readers that the checks on factors share.
 */
#ifndef CKDA_PROOFS_MAPS_H
#define CKDA_PROOFS_MAPS_H
#include "ckda/evidence.h"
#include "ckda/factorise.h"

enum { MAPS_MAX = 7 };

/* {"from": 1, "to": 5, "to_full": 6} under `key`; to_full may be left out. */
typedef struct {
    long from, to;
} maps_span;
CKDA_MUST_CHECK ckda_status maps_read_span(maps_span *s, const ckda_node *in,
                                           const char *key, ckda_evidence *ev);
/* The member `key` as a number of K. */
CKDA_MUST_CHECK ckda_status maps_read_elem(ckda_elem_t x, const ckda_node *in,
                                           const char *key, const ckda_field_t K,
                                           ckda_error *err);
/* "paper" or "short" under "scheme". */
CKDA_MUST_CHECK ckda_status maps_read_scheme(ckda_factor_scheme *scheme,
                                             const ckda_node *in, ckda_error *err);

/* The next of the n^n maps, counting up from the constant 0; false after the last. */
bool maps_next(slong *image, slong n);
/* Points on cycles, and cycles. */
void maps_cycles(slong *points, slong *cycles, const slong *image, slong n);
/* Names the map in the counterexample if truth is FALSE; returns truth. */
ckda_truth maps_blame(ckda_evidence *ev, const slong *image, slong n, ckda_truth truth);

/* {"n": span, "per_cycle": -2 .. 2} and all permutations of so many points, over Q, until
 * one is not TRUE; adds "all permutations of FROM .. TO points" and `also` to the scope. */
typedef ckda_truth (*maps_permutation_check)(ckda_evidence *ev, const slong *image,
                                             slong n, long per_cycle,
                                             const ckda_field_t K);
CKDA_MUST_CHECK ckda_truth maps_all_permutations(ckda_evidence *ev, const ckda_node *in,
                                                 maps_permutation_check check,
                                                 const char *also);

/* Every factor is admissible (gates in [-1, 1], beta >= 0) with beta <= most, and the
 * product is P. */
CKDA_MUST_CHECK ckda_truth maps_check_factors(ckda_evidence *ev, const ckda_factors_t f,
                                              const ckda_mat_t P, const ckda_elem_t most,
                                              const ckda_field_t K);

#endif
