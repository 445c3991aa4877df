/* proofs/rows.h -- claims whose input is a table: "rows", one check each. */
#ifndef CKDA_PROOFS_ROWS_H
#define CKDA_PROOFS_ROWS_H
#include "ckda/claim.h"

/* check(ev, row) for the rows in order, until one is not CKDA_TRUE; *n (may be NULL) is how
 * many there are.  CKDA_UNKNOWN when they cannot be read or there is none. */
ckda_truth rows_check(size_t *n, ckda_evidence *ev, const ckda_node *in,
                      ckda_truth (*check)(ckda_evidence *ev, const ckda_node *row));

/* The same for a check that takes something along. */
ckda_truth rows_each(size_t *n, ckda_evidence *ev, const ckda_node *in,
                     ckda_truth (*check)(ckda_evidence *ev, const ckda_node *row,
                                         void *with),
                     void *with);

/* Is the list of integers under `key` of a row got[0 .. n-1]?  CKDA_TRUE when it is not
 * there; a difference is told with its place. */
ckda_truth rows_expect_list(ckda_evidence *ev, const ckda_node *row, const char *key,
                            const uint64_t *got, size_t n);

#endif
