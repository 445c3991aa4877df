/* ckda/claim.h -- the ledger: every claim of the sources, checked or not, and how to
 * check it.
 *
 * The ledger is read from the documents proofs/NAME.json, which are compiled into the
 * library (docs/ledger.md describes them).  It is immutable after it was opened; all
 * strings are borrowed from it.  This room does not know the checks: whoever opens a
 * ledger hands over the documents and the table of check functions.                  */
#ifndef CKDA_CLAIM_H
#define CKDA_CLAIM_H
#include "ckda/evidence.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { CKDA_CHECKED, CKDA_STATUS_REPORTED, CKDA_OPEN } ckda_claim_status;

typedef struct {
    const char *name; /* "C-19/wrong-letter": the claim's id and the mutant's own name */
    const char *note; /* what was falsified */
    const char *at;   /* JSON pointer into the claim's input: "/expect/states" */
    json_t *to;       /* the value that replaces what stands there; NULL: removed */
} ckda_mutant;

typedef struct {
    const char *id, *target, *title, *statement;
    const char *document, *where; /* source */
    const char *why;              /* why the check suffices */
    const char *not_shown;        /* what the check does not show, or NULL */
    const char *reason;           /* open and reported claims: why not checked */
    const char **human_steps;     /* NULL-terminated */
    const char **errata;          /* NULL-terminated */
    const char **aliases;         /* NULL-terminated */
    ckda_claim_status status;
    ckda_strength strength; /* the floor that the run must reach */
    ckda_check_fn check;    /* NULL unless checked */
    const char *check_name;
    json_t *input; /* NULL unless checked */
    const ckda_mutant *mutants;
    size_t nmutants;
} ckda_claim;

typedef struct {
    const char *name;  /* target: "thm1" */
    const char *title; /* "Theorem 1: every orthogonal D + u v^T is ..." */
    const char *where; /* "paper, Thm 6, App. A.1" */
} ckda_target;

/* One document: its file name for messages and its JSON text. */
typedef struct {
    const char *name, *text;
} ckda_ledger_document;
/* One check: its name in the documents and its function. */
typedef struct {
    const char *name;
    ckda_check_fn check;
} ckda_check_entry;

typedef struct ckda_ledger ckda_ledger;
/* Reads documents, in this order.  CKDA_E_INPUT names file and JSON path of the first
 * fault; *ledger is then left alone.  Names and texts need not outlive the call, the
 * names of the checks must. */
CKDA_MUST_CHECK ckda_status ckda_ledger_open_documents(
    ckda_ledger **ledger, const ckda_ledger_document *documents, size_t ndocuments,
    const ckda_check_entry *checks, size_t nchecks, ckda_error *err);
/* Reads the compiled-in ledger.  An error here is a broken build; the tests open it.
 * Defined in proofs/, which binds its documents and its checks. */
CKDA_MUST_CHECK ckda_status ckda_ledger_open(ckda_ledger **ledger, ckda_error *err);
void ckda_ledger_close(ckda_ledger **ledger); /* sets *ledger = NULL */
size_t ckda_ledger_size(const ckda_ledger *ledger);
const ckda_claim *ckda_ledger_claim(const ckda_ledger *ledger, size_t i);
/* Is this the id or an alias of the claim?  Claims of one target may share an alias. */
bool ckda_claim_is_called(const ckda_claim *c, const char *name);

/* The first by id or alias; NULL if there is none. */
const ckda_claim *ckda_ledger_find(const ckda_ledger *ledger, const char *id);
/* NULL if there is none. */
const ckda_target *ckda_ledger_target(const ckda_ledger *ledger, const char *name);
/* Does a shell pattern (* ? [..]) match the id, an alias or the target?  Case counts. */
bool ckda_claim_matches(const ckda_claim *c, const char *pattern);

/* Runs the check of a checked claim; input == NULL: the claim's own.  What the check says
 * is not taken on trust:
 *   - TRUE without a counted decision, or at less than the declared strength, becomes
 *     CKDA_UNKNOWN with a problem text; a strength above the declared one is lowered to
 * it;
 *   - FALSE without a recorded fact, and TRUE with one, are internal errors (abort);
 *   - UNKNOWN always comes with a problem text. */
ckda_truth ckda_claim_run(ckda_evidence *ev, const ckda_claim *c, json_t *input);
/* The claim's input with the mutant's one change; a new reference for the caller. */
json_t *ckda_mutant_input(const ckda_claim *c, const ckda_mutant *m);
/* The tree with the value at a JSON pointer (RFC 6901, not the root) replaced by `to`, or
 * removed if to == NULL; a new tree that shares nothing with the old one.  NULL unless
 * the pointer leads to an existing value that differs from `to`. */
json_t *ckda_json_patched(const json_t *tree, const char *pointer, const json_t *to);

/* ---- what a run leaves behind for the report -------------------------------------- */

typedef struct {
    const ckda_claim *claim;
    const ckda_mutant *mutant; /* NULL: the claim itself */
    ckda_truth truth;          /* CKDA_UNKNOWN for a claim that is not checked */
    ckda_evidence evidence;
    double seconds; /* wall time of the check */
} ckda_outcome;
/* Runs the claim, or one of its mutants; a claim that is not checked is left at UNKNOWN.
 */
void ckda_outcome_run(ckda_outcome *o, const ckda_claim *c, const ckda_mutant *m,
                      uint64_t seed, ckda_effort effort);
void ckda_outcome_clear(ckda_outcome *o);

#ifdef __cplusplus
}
#endif
#endif
