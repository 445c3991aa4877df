/* ckda/report_range.h -- the result of `ckda range` as text and JSON (ckda.range/1).
 *
 * Reads, never judges: every verdict shown stands in the object that is given.  The caller
 * looks at ferror.  The schema is in docs/range.md. */
#ifndef CKDA_REPORT_RANGE_H
#define CKDA_REPORT_RANGE_H
#include <stdbool.h>
#include <stdio.h>

#include "ckda/range.h"

#ifdef __cplusplus
extern "C" {
#endif

void ckda_report_range(FILE *out, bool json, const ckda_range_t r);
/* "fits", "breaks", "undecided". */
const char *ckda_range_verdict_name(ckda_truth fits);

#ifdef __cplusplus
}
#endif
#endif
