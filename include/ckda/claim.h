/* ckda/claim.h -- the ledger: every claim of the sources, checked or not, and how to check it.
 *
 * The ledger is read from the documents proofs/NAME.json, which are compiled into the
 * library (docs/ledger.md describes them).  It is immutable after ckda_ledger_open; all
 * strings are borrowed from it.                                                       */
#ifndef CKDA_CLAIM_H
#define CKDA_CLAIM_H
#include "ckda/evidence.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { CKDA_CHECKED, CKDA_STATUS_REPORTED, CKDA_OPEN } ckda_claim_status;

typedef struct {
    const char *name;    /* "C-19/wrong-letter" */
    const char *note;    /* what was falsified */
    const char *at;      /* JSON pointer into the claim's input: "/expect/states" */
    json_t *to;          /* the value that replaces what stands there; NULL: removed */
} ckda_mutant;

typedef struct {
    const char *id, *target, *title, *statement;
    const char *document, *where;  /* source */
    const char *why;               /* why the check suffices */
    const char *not_shown;         /* what the check does not show, or NULL */
    const char *reason;            /* open and reported claims: why not checked */
    const char **human_steps;      /* NULL-terminated */
    const char **errata;           /* NULL-terminated */
    const char **aliases;          /* NULL-terminated */
    ckda_claim_status status;
    ckda_strength strength;        /* the floor that the run must reach */
    ckda_check_fn check;           /* NULL unless checked */
    const char *check_name;
    json_t *input;                 /* NULL unless checked */
    const ckda_mutant *mutants;
    size_t nmutants;
} ckda_claim;

typedef struct {
    const char *name;  /* target: "thm1" */
    const char *title; /* "Theorem 1: every orthogonal D + u v^T is ..." */
    const char *where; /* "paper, Thm 6, App. A.1" */
} ckda_target;

typedef struct ckda_ledger ckda_ledger;
/* Reads the compiled-in ledger.  An error here is a broken build; the tests open it. */
CKDA_MUST_CHECK ckda_status ckda_ledger_open(ckda_ledger **ledger, ckda_error *err);
void ckda_ledger_close(ckda_ledger **ledger);
size_t ckda_ledger_size(const ckda_ledger *ledger);
const ckda_claim *ckda_ledger_claim(const ckda_ledger *ledger, size_t i);
const ckda_claim *ckda_ledger_find(const ckda_ledger *ledger, const char *id);
const ckda_target *ckda_ledger_target(const ckda_ledger *ledger, const char *name);
/* Does a shell pattern (* ? [..]) match the id, an alias or the target?  Case counts. */
bool ckda_claim_matches(const ckda_claim *c, const char *pattern);

/* Runs a check.  The evidence's verdict is *truth; a run that reached less than the
 * declared strength is CKDA_UNKNOWN with a problem text.  input == NULL: the claim's own. */
ckda_truth ckda_claim_run(ckda_evidence *ev, const ckda_claim *c, json_t *input);
/* The claim's input with the mutant's one change; a new reference for the caller. */
json_t *ckda_mutant_input(const ckda_claim *c, const ckda_mutant *m);

#ifdef __cplusplus
}
#endif
#endif
