/* automaton.h -- from a tracker and an arithmetic to the tables that a word kernel reads.
 *
 * The copy owns all its arrays and outlives both.  Where every letter is one reflection
 * with beta = 2 behind the gate (-1, 1, 1, 1), a state is x -> l x r with quaternions l and
 * r, and a letter with the unit key k takes (l, r) to (k l, r k): if both sides have at
 * most 256 elements the tables of these pairs are added.  The quaternions are found in
 * doubles, but the pairs are kept only if the map from pairs to states is proved: state 0
 * at the start, and for every pair that is reached and every letter the successor's state
 * is tracker->next.                                                                      */
#ifndef CKDA_GPU_AUTOMATON_H
#define CKDA_GPU_AUTOMATON_H
#include "ckda/rounded.h"
#include "ckda/tracker.h"

#include "words.h"

#ifdef __cplusplus
extern "C" {
#endif

/* CKDA_E_UNABLE: the kernels have no such arithmetic or size (n outside 2 .. 5, the matrix
 * form, a compute format other than fp32 and fp64, more than 65535 states or letters); the
 * message says which.  a is not initialised then. */
CKDA_MUST_CHECK ckda_status ckda_gpu_automaton_init(ckda_gpu_automaton *a,
                                                    const ckda_tracker_t t,
                                                    const ckda_rounded_t R,
                                                    ckda_error *err);
void ckda_gpu_automaton_clear(ckda_gpu_automaton *a);

#ifdef __cplusplus
}
#endif
#endif
