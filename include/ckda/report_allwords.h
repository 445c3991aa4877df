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

/* What the rows of a sweep differ in. */
typedef enum {
    CKDA_SWEEP_GRIDS,
    CKDA_SWEEP_SCALES, /* of H_0 */
    CKDA_SWEEP_STARTS, /* seeds, and scales with them */
    CKDA_SWEEP_KEYS    /* moved sizes, and beta */
} ckda_allwords_sweep_kind;

/* Result of `r` is not read. */
void ckda_report_allwords_sweep(FILE *out, bool json, const ckda_allwords_report *r,
                                ckda_allwords_sweep_kind kind,
                                const ckda_allwords_row *rows, size_t count);

#ifdef __cplusplus
}
#endif
#endif
