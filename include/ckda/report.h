/* ckda/report.h -- evidence and results as text, JSON, TAP, JUnit XML and Markdown.
 *
 * Reads, never computes or judges: every number shown stands in the object that is given.
 * All functions write to a stream; the caller looks at ferror.  JSON output is exactly
 * one document per call (docs: README, "JSON results"). */
#ifndef CKDA_REPORT_H
#define CKDA_REPORT_H
#include <stdio.h>
#include "ckda/claim.h"
#include "ckda/factor.h"
#include "ckda/reach.h"
#include "ckda/spectrum.h"

#ifdef __cplusplus
extern "C" {
#endif

/* "ckda 0.1.0 (FLINT 2.9.0, GMP 6.2.1, MPFR 4.2.0)"; a static text. */
const char *ckda_report_version(void);

/* Text for a terminal: verdicts in colour from now on (off at first; for the whole program,
 * to be set before reports are written). */
void ckda_report_set_color(bool on);
/* Written around a verdict: it begins the colour that belongs to it and ends it; "" while
 * colour is off. */
const char *ckda_report_tone(ckda_truth verdict);
const char *ckda_report_tone_end(void);

/* ---- verify ----------------------------------------------------------------------- */

/* What was asked for and what came out.  The outcomes stand in ledger order. */
typedef struct {
    const ckda_ledger *ledger;
    uint64_t seed;
    ckda_effort effort;
    bool with_mutants;   /* were mutants asked for? */
    bool list_unchecked; /* text: a row for each open or reported claim as well */
    const ckda_outcome *claims;
    size_t nclaims;
    const ckda_outcome *mutants;
    size_t nmutants;
    bool quiet; /* text: only what does not hold, and the foot */
} ckda_verification;

typedef struct {
    size_t claims, holds, refuted, undecided, not_run, reported; /* claims is their sum */
    size_t mutants, mutants_refuted;
} ckda_summary;
void ckda_verification_summary(ckda_summary *s, const ckda_verification *v);
/* "holds", "refuted", "undecided", "not_run" (open) or "reported". */
const char *ckda_verdict_name(const ckda_outcome *o);

/* Text, piece by piece, so that a person sees each claim as it finishes: the head once,
 * then every outcome in ledger order, then the foot once. */
typedef struct ckda_text_report ckda_text_report;
ckda_text_report *ckda_text_report_open(FILE *out, const ckda_verification *v);
void ckda_text_report_add(ckda_text_report *r, const ckda_outcome *o);
void ckda_text_report_close(ckda_text_report **r, const ckda_verification *v);

void ckda_report_verify_json(FILE *out, const ckda_verification *v);
/* TAP 13, piece by piece: the plan (n lines), then a line an outcome. */
void ckda_tap_begin(FILE *out, size_t n);
void ckda_tap_add(FILE *out, size_t number, const ckda_outcome *o);
/* JUnit XML: a testsuite a target.  CKDA_E_IO with a message if the file cannot be
 * written. */
CKDA_MUST_CHECK ckda_status ckda_report_junit(const char *file,
                                              const ckda_verification *v,
                                              ckda_error *err);

/* ---- list and explain ------------------------------------------------------------- */

/* "checked", "reported" or "open". */
const char *ckda_claim_status_name(ckda_claim_status s);
/* claims: n of them, in ledger order. */
void ckda_report_list_text(FILE *out, const ckda_ledger *l,
                           const ckda_claim *const *claims, size_t n);
void ckda_report_list_json(FILE *out, const ckda_claim *const *claims, size_t n);
/* The whole ledger as docs/CLAIMS.md. */
void ckda_report_list_markdown(FILE *out, const ckda_ledger *l);
void ckda_report_explain_text(FILE *out, const ckda_ledger *l, const ckda_claim *c);
/* One document for n claims. */
void ckda_report_explain_json(FILE *out, const ckda_claim *const *claims, size_t n);

/* ---- single computations ---------------------------------------------------------- */

void ckda_report_decompose(FILE *out, bool json, const ckda_decomposition_t dec,
                           const ckda_field_t K);

typedef struct {
    const ckda_field_struct *K;
    const ckda_poly_struct *charpoly; /* NULL: not printed, and not asked for */
    ckda_root_counts counts;
    bool norm_at_most_1, norm_equals_1;
    /* How the counts were made: of one transition without its polynomial, else NULL; did
     * Sturm's chain and a second way count the roots of the polynomial? */
    const ckda_secular_struct *secular;
    bool counted_by_polynomial;
    /* with --eigenvalues, else NULL */
    const ckda_eigenvalue *eigenvalues;
    size_t neigenvalues;
    const ckda_root_counts *factors; /* of a product, first applied first; else NULL */
    const char *const *factor_certificates; /* how each was counted; may be NULL */
    size_t nfactors;
} ckda_spectrum_result;
void ckda_report_spectrum(FILE *out, bool json, const ckda_spectrum_result *s);

typedef struct {
    const char *system, *construction;
    const ckda_field_struct *K;
    long dimension;
    uint32_t letters;
    bool has_group; /* letters are elements of a group, to be decoded */
    const ckda_reach_struct *reach;
    const char *const *letter;       /* a name for each */
    bool tells_elements, invertible; /* ckda_system_tells_elements, .._is_invertible */
    double seconds;
    /* texts of the letter and the two labels of an inconsistency, or NULL */
    const char *bad_letter, *bad_want, *bad_got;
} ckda_reach_result;
void ckda_report_reach(FILE *out, bool json, const ckda_reach_result *r);
/* The closed graph for Graphviz; needs a reach object that kept its graph.  names: a text
 * a letter. */
void ckda_report_dot(FILE *out, const ckda_reach_struct *r, uint32_t letters,
                     const char *const *names);

#ifdef __cplusplus
}
#endif
#endif
