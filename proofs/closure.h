/* proofs/closure.h -- a construction together with its closed graph of states, for the
 * checks on finite groups.
 *
 * States are numbered as in ckda/reach.h, state 0 is I.  Since the states are products of
 * letters applied to I, the product of two states is found in the graph alone.         */
#ifndef CKDA_PROOFS_CLOSURE_H
#define CKDA_PROOFS_CLOSURE_H
#include "ckda/construct.h"
#include "ckda/evidence.h"
#include "ckda/reach.h"

/* Do not move it: sys borrows from c. */
typedef struct {
    const char *system, *construction; /* as the document has them */
    ckda_construction_t c;
    ckda_system_t sys;
    ckda_reach_t r; /* certified finite, with the graph */
} closure;

/* Constructs row's "system" by its "construction" and closes it.  Initialised only on
 * CKDA_TRUE.  CKDA_FALSE: there are infinitely many states; CKDA_UNKNOWN: no such
 * construction, or a limit. */
CKDA_MUST_CHECK ckda_truth closure_open(closure *cl, ckda_evidence *ev,
                                        const ckda_node *row);
/* The construction alone, without the search; goes back with ckda_construct_clear. */
CKDA_MUST_CHECK ckda_truth closure_construct(ckda_construction_t c, ckda_evidence *ev,
                                             const ckda_node *row);
void closure_clear(closure *cl);

/* Number of the state S_a S_b. */
uint32_t closure_product(const closure *cl, uint32_t a, uint32_t b);
/* Least e >= 1 with S_a^e = I. */
long closure_order(const closure *cl, uint32_t a);
/* Number of S_a^-1. */
uint32_t closure_inverse(const closure *cl, uint32_t a);
/* Number of the state that is the letter g itself. */
uint32_t closure_letter(const closure *cl, uint32_t g);

/* S_s x for every state s, n elements each, recomputed exactly along the first word that
 * reaches s; x has n elements. */
ckda_elem_struct *closure_images(const closure *cl, const ckda_elem_struct *x);
void closure_free_images(ckda_elem_struct *v, const closure *cl);

/* Is count[i], 0 <= i <= max, what the object says: {"1": 48, "5": 240}, members that are
 * not named being 0?  One decision for each i. */
CKDA_MUST_CHECK ckda_truth closure_histogram(ckda_evidence *ev, const char *what,
                                             const long *count, long max,
                                             const ckda_node *want);

#endif
