/* proofs/steps.h -- what the checks on seeded steps share. */
#ifndef CKDA_PROOFS_STEPS_H
#define CKDA_PROOFS_STEPS_H
#include "ckda/evidence.h"
#include "ckda/trans.h"

/* Facts "beta" and "key, gate" (two rows) for a counterexample. */
void steps_describe(ckda_evidence *ev, const ckda_trans_t t, const ckda_field_t K);
/* q = x, an element of Q. */
void steps_rational(fmpq_t q, const ckda_elem_t x, const ckda_field_t Q);

#endif
