/* Shared by the files of the drift audit. */
#ifndef CKDA_SRC_AUDIT_DRIFT_INTERNAL_H
#define CKDA_SRC_AUDIT_DRIFT_INTERNAL_H
#include "ckda/drift.h"

/* ---- words: drift_word.c ----------------------------------------------------------- */

typedef struct {
    ckda_rand rand;
    const uint32_t *fixed; /* NULL: random */
    uint64_t length, at;   /* of the fixed word */
    uint32_t nletters;
} drift_word;

void drift_word_open(drift_word *w, const ckda_drift_options *o, uint64_t index,
                     uint32_t nletters);
uint32_t drift_word_next(drift_word *w);

/* ---- decisions: drift_decide.c ----------------------------------------------------- */

/* One a thread.  Remembers the last state that was compared with all others, in the frame
 * of its exact state: what lies near to it decodes alike. */
typedef struct {
    const ckda_tracker_struct *t;
    ckda_drift_decoder kind;
    /* n x n: S^T H now, room for its product with Q, and the one that was compared */
    double *frame, *work, *known;
    double gap, known_norm2;
    double *rotation; /* PAPER with DECODE_F: 9 an element, each within 2^-52 */
} drift_decider;

/* CKDA_E_INPUT: PAPER without an explicit read-out. */
CKDA_MUST_CHECK ckda_status drift_decider_init(drift_decider *d, const ckda_tracker_t t,
                                               ckda_drift_decoder kind, ckda_error *err);
void drift_decider_clear(drift_decider *d);
/* Does the finite matrix H decode to the element of state s?  If not, *decoded is what it
 * decodes to, and *tie says that it does not do so alone. */
bool drift_decide(uint32_t *decoded, bool *tie, const double *H, uint32_t s,
                  drift_decider *d);

bool drift_is_finite(const double *H, slong entries);
/* |H|_F without overflow; infinite or NaN only if an entry is. */
double drift_norm(const double *H, slong entries);

/* ---- one row: drift_summary.c ------------------------------------------------------- */

/* Of n words; sorts both lists. */
ckda_drift_row drift_summary(uint64_t t, double *drift, double *norm, size_t n);

/* ---- parts of the drift: drift_split.c ---------------------------------------------- */

/* *split for the state of word `index` at each at[0 .. nat-1], ascending, as far as the
 * runs stay finite: *n of them. */
CKDA_MUST_CHECK ckda_status drift_split_word(ckda_drift_split *split, size_t *n,
                                             uint64_t index, const uint64_t *at,
                                             size_t nat, const ckda_drift_options *o,
                                             const ckda_rounded_t R,
                                             const ckda_tracker_t t, ckda_error *err);

#endif
