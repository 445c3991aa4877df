/* ckda/report_page.h -- `ckda report`: one HTML page for a reader and the same data as JSON
 * (ckda.report/1, docs/report.md).
 *
 * The JSON is made first, from what is added here; the page is made from the JSON alone, and
 * every number on it names the place in the JSON where it stands (data-at, a JSON pointer).
 * Reads, never computes or judges.  Everything is copied when it is added, so that a result
 * can be let go at once.  Running out of memory aborts.  One page belongs to one thread.   */
#ifndef CKDA_REPORT_PAGE_H
#define CKDA_REPORT_PAGE_H
#include <stdio.h>

#include "ckda/report.h"
#include "ckda/report_allwords.h"
#include "ckda/report_drift.h"
#include "ckda/report_sweep.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ckda_page ckda_page;

typedef struct {
    const char *date;       /* "2026-11-30" */
    const char *command;    /* as a reader would type it */
    const char *no_results; /* why nothing but the ledger is shown; NULL: more is */
} ckda_page_about;

/* The page of a verification with mutants, in ledger order. */
ckda_page *ckda_page_open(const ckda_page_about *about, const ckda_verification *v);
void ckda_page_close(ckda_page **p); /* sets *p = NULL */

void ckda_page_add_sweep(ckda_page *p, const ckda_sweep_report *r);
void ckda_page_add_reach(ckda_page *p, const ckda_reach_result *r);
void ckda_page_add_drift(ckda_page *p, const ckda_drift_report *r);
/* note: what a reader should see in this row. */
void ckda_page_add_rounded(ckda_page *p, const ckda_allwords_report *r, const char *note);

/* Bits of the largest numerator or denominator in a network's states after 1 .. length
 * letters of a word. */
typedef struct {
    const char *title, *system, *construction, *factoriser; /* factoriser: may be NULL */
    uint64_t seed;
    const uint64_t *bits;
    size_t length;
} ckda_page_bits;
void ckda_page_add_bits(ckda_page *p, const ckda_page_bits *b);

/* A certificate's file (beside the page) and its bytes, of which the hash is kept. */
void ckda_page_add_certificate(ckda_page *p, const char *claim, const char *file,
                               const char *bytes, size_t size);
/* How to check the certificates again, or why there are none. */
void ckda_page_set_certificates_note(ckda_page *p, const char *note);

typedef struct {
    const char *name; /* letters and digits; the place of the picture in the page */
    const char *title, *caption;
    const char *data, *script; /* files beside the page; NULL: not written */
    const char *svg;           /* what gnuplot drew; NULL: nothing */
    size_t size;
    const char *missing; /* why nothing was drawn; NULL: it was */
} ckda_page_picture;
/* CKDA_E_INPUT when the SVG is not well-formed; the picture is then shown as missing. */
CKDA_MUST_CHECK ckda_status ckda_page_add_picture(ckda_page *p,
                                                  const ckda_page_picture *d,
                                                  ckda_error *err);

/* The JSON document as text, and the page made of it; free(). */
char *ckda_page_json(ckda_page *p, size_t *size);
char *ckda_page_html(ckda_page *p, size_t *size);

/* ---- what gnuplot needs, in the form of the one caller ------------------------------ */

/* Each prints the data, or the script that reads the file `data`, of the object `of`. */
typedef struct {
    const ckda_drift_report *drift; /* of one tracker */
    size_t n;
} ckda_page_drifts;
typedef struct {
    const ckda_page_bits *bits;
    size_t n;
} ckda_page_growth;
void ckda_page_plot_sweep(FILE *out, const char *data,
                          const void *of);             /* const ckda_sweep_report * */
void ckda_page_data_levels(FILE *out, const void *of); /* const ckda_reach_result * */
void ckda_page_plot_levels(FILE *out, const char *data, const void *of);
void ckda_page_data_drift(FILE *out, const void *of); /* const ckda_page_drifts * */
void ckda_page_plot_drift(FILE *out, const char *data, const void *of);
void ckda_page_data_bits(FILE *out, const void *of); /* const ckda_page_growth * */
void ckda_page_plot_bits(FILE *out, const char *data, const void *of);

#ifdef __cplusplus
}
#endif
#endif
