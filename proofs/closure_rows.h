/* proofs/closure_rows.h -- claims whose rows are systems, each to be closed and checked. */
#ifndef CKDA_PROOFS_CLOSURE_ROWS_H
#define CKDA_PROOFS_CLOSURE_ROWS_H
#include "closure.h"

typedef struct closure_claim closure_claim;
struct closure_claim {
    const char *const
        *known; /* members of a row; the first two are system, construction */
    size_t nknown;
    ckda_truth (*check)(ckda_evidence *ev, const closure *cl, const ckda_node *row,
                        closure_claim *claim);
    /* over the rows so far, also the one being checked */
    size_t rows;
    uint64_t states, edges;
    uint64_t more; /* for the check's own use */
};

/* The rows of the claim's input in order, until one is not CKDA_TRUE: its members must be
 * known, its closure is opened and checked; a row that is refuted is named. */
ckda_truth closure_rows(closure_claim *claim, ckda_evidence *ev, const ckda_node *in);

#endif
