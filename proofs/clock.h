/* proofs/clock.h -- a two-dimensional layer with constant parameters, as a document gives
 * it, and its run.  Shared by the checks of Lemma 24.                                  */
#ifndef CKDA_PROOFS_CLOCK_H
#define CKDA_PROOFS_CLOCK_H
#include "ckda/evidence.h"

/* {"from": 1, "to": 40, "to_full": 96}: the values of m. */
typedef struct {
    long from, to;
} clock_span;
CKDA_MUST_CHECK ckda_status clock_read_span(clock_span *s, const ckda_node *in,
                                            ckda_evidence *ev);

/* "turn": {"num", "den"}, 1/1 if left out: the head turns by pi num/(den m) a step. */
typedef struct {
    long num, den;
} clock_turn;
CKDA_MUST_CHECK ckda_status clock_read_turn(clock_turn *t, const ckda_node *in,
                                            ckda_error *err);
/* The field of sine and cosine of the half angle. */
void clock_field_init(ckda_field_t K, clock_turn phi, long m);

/* Column c from the list under this key; c->rows numbers. */
CKDA_MUST_CHECK ckda_status clock_read_column(ckda_mat_t c, const ckda_node *in,
                                              const char *key, const ckda_field_t K,
                                              ckda_error *err);

/* h -> A h + w, from start. */
typedef struct {
    ckda_mat_t A, w, start;
} clock_head;
void clock_head_init(clock_head *h, const ckda_field_t K);
void clock_head_clear(clock_head *h, const ckda_field_t K);
/* A from "beta", "gate" and "key" of in, start from "initial" of layer, w = beta k v with
 * v from its "value" (0 if left out).  FALSE: the parameters are not admissible or the
 * key is not of length 1. */
ckda_truth clock_read_head(clock_head *h, ckda_evidence *ev, const ckda_node *in,
                           const ckda_node *layer, clock_turn phi, long m,
                           const ckda_field_t K);

/* The states of a run up to the first return to its start, at most `limit`. */
typedef struct {
    ckda_mat_struct *state; /* n of them, 2 x 1, the first is the start */
    long n;
    bool returned; /* does the next step lead back to the start? */
} clock_orbit;
void clock_orbit_init(clock_orbit *o, const clock_head *h, long limit,
                      const ckda_field_t K);
void clock_orbit_clear(clock_orbit *o, const ckda_field_t K);
/* The run returns after exactly `states` steps, with distinct states before. */
ckda_truth clock_expect_cycle(ckda_evidence *ev, const clock_orbit *o, long states,
                              long m, const ckda_field_t K);

/* Are the n matrices pairwise distinct?  what: "states", for the message. */
ckda_truth clock_expect_distinct(ckda_evidence *ev, const ckda_mat_struct *x, long n,
                                 const char *what, long m, const ckda_field_t K);
/* c = (cos, sin)(pi i/m); false if K does not hold it. */
bool clock_circle_point(ckda_mat_t c, long i, long m, const ckda_field_t K);
/* o = q^T h, 1 x 1. */
void clock_readout(ckda_mat_t o, const ckda_mat_t q, const ckda_mat_t h,
                   const ckda_field_t K);
ckda_truth clock_expect_unit(ckda_evidence *ev, const ckda_mat_t q, const ckda_field_t K);

#endif
