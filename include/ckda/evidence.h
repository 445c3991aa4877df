/* ckda/evidence.h -- what a check did and found, in a form that a reader can redo.
 *
 * A check decides one claim on one input document.  It returns a ckda_truth and writes
 * into the evidence: how many exact decisions it made, over which scope, the strength it
 * reached, and on refusal the counterexample as named exact values.                   */
#ifndef CKDA_EVIDENCE_H
#define CKDA_EVIDENCE_H
#include <stdint.h>
#include "ckda/doc.h"
#include "ckda/mat.h"
#include "ckda/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Strongest first; a record takes the weakest step it used. */
typedef enum {
    CKDA_EXHAUSTIVE,
    CKDA_SYMBOLIC,
    CKDA_CERTIFICATE,
    CKDA_INSTANCES,
    CKDA_MEASURED,
    CKDA_REPORTED
} ckda_strength;
const char *ckda_strength_name(ckda_strength s);

typedef enum { CKDA_QUICK, CKDA_FULL, CKDA_DEEP } ckda_effort;

typedef struct {
    char *key, *value;
} ckda_fact;

typedef struct {
    /* set by the runner before the check starts, read by the check */
    uint64_t seed;
    ckda_effort effort;
    /* written by the check through the functions below */
    uint64_t checks;
    ckda_strength strength; /* weakest so far */
    char *scope;            /* one line: "7200 states x 60 letters" */
    ckda_fact *facts;       /* counterexample, in order; empty when nothing is refuted */
    size_t nfacts;
    ckda_error problem; /* why a check came out UNKNOWN (bad input, a limit) */
} ckda_evidence;

void ckda_evidence_init(ckda_evidence *ev, uint64_t seed, ckda_effort effort);
void ckda_evidence_clear(ckda_evidence *ev);

/* n more exact decisions were made. */
void ckda_evidence_count(ckda_evidence *ev, uint64_t n);
/* This part of the check was no stronger than s. */
void ckda_evidence_weaken(ckda_evidence *ev, ckda_strength s);
/* Adds to the scope line, parts joined by "; ". */
void ckda_evidence_scope(ckda_evidence *ev, const char *fmt, ...) CKDA_PRINTF(2, 3);
/* One named value of the counterexample. */
void ckda_evidence_fact(ckda_evidence *ev, const char *key, const char *fmt, ...)
    CKDA_PRINTF(3, 4);
void ckda_evidence_fact_elem(ckda_evidence *ev, const char *key, const ckda_elem_t x,
                             const ckda_field_t K);
void ckda_evidence_fact_mat(ckda_evidence *ev, const char *key, const ckda_mat_t A,
                            const ckda_field_t K);
/* Facts "failed" = what, "at" = [row, col], "got" and "want" at the first difference of
 * A and B.  Returns CKDA_FALSE, for `return ckda_evidence_differ(...)`. */
ckda_truth ckda_evidence_differ(ckda_evidence *ev, const char *what, const ckda_mat_t got,
                                const ckda_mat_t want, const ckda_field_t K);
/* Facts "failed" = what, "got", "want" (printf style for got and want together is not
 * needed: integers).  Returns CKDA_FALSE. */
ckda_truth ckda_evidence_differ_long(ckda_evidence *ev, const char *what, long got,
                                     long want);
/* got == want?  Counts one check; on difference as above. */
ckda_truth ckda_evidence_expect_long(ckda_evidence *ev, const char *what, long got,
                                     long want);
/* Counts one check; A == B or records the difference. */
ckda_truth ckda_evidence_expect_mat(ckda_evidence *ev, const char *what,
                                    const ckda_mat_t got, const ckda_mat_t want,
                                    const ckda_field_t K);
/* Counts one check; if !cond, fact "failed" = the text.  */
ckda_truth ckda_evidence_expect(ckda_evidence *ev, bool cond, const char *fmt, ...)
    CKDA_PRINTF(3, 4);
/* The check cannot decide: remembers why, returns CKDA_UNKNOWN. */
ckda_truth ckda_evidence_unable(ckda_evidence *ev, const char *fmt, ...)
    CKDA_PRINTF(2, 3);

/* The function type of every check in proofs/. */
typedef ckda_truth (*ckda_check_fn)(ckda_evidence *ev, const ckda_node *input);

#ifdef __cplusplus
}
#endif
#endif
