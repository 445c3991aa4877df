/* ckda/report_trace.h -- judged traces as text and JSON (docs/traces.md).
 *
 * Shown to people and in JSON, tokens count from 1, everything else from 0. */
#ifndef CKDA_REPORT_TRACE_H
#define CKDA_REPORT_TRACE_H
#include <stdbool.h>
#include <stdio.h>

#include "ckda/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const char *const *files; /* that the tensors came from */
    size_t nfiles;
    const ckda_trace_result *result;
    double seconds;
} ckda_judged_trace;

/* Text, or one JSON document (schema ckda.audit/1, member "traces"). */
void ckda_report_traces(FILE *out, bool json, const ckda_judged_trace *list, size_t n);

#ifdef __cplusplus
}
#endif
#endif
