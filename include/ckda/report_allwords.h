/* ckda/report_allwords.h -- `ckda audit SYSTEM --all-words`: text and JSON (ckda.audit/1).
 * Reads, never computes or judges. */
#ifndef CKDA_REPORT_ALLWORDS_H
#define CKDA_REPORT_ALLWORDS_H
#include <stdbool.h>
#include <stdio.h>

#include "ckda/allwords.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const char *system;
    const ckda_tracker_struct *tracker;
    const ckda_arith *arith;
    const ckda_limits *limits;
    const ckda_allwords_struct *result;
} ckda_allwords_report;

void ckda_report_allwords(FILE *out, bool json, const ckda_allwords_report *r);

/* A sweep over scales; result of `r` is not read.  grid: are they grids, or scales of H_0? */
void ckda_report_allwords_sweep(FILE *out, bool json, const ckda_allwords_report *r,
                                bool grid, const ckda_allwords_row *rows, size_t count);

#ifdef __cplusplus
}
#endif
#endif
