/* ckda/report_reduce.h -- the result of `ckda reduce` as text or one JSON document
 * (ckda.reduce/1).  Reads, never computes.                                            */
#ifndef CKDA_REPORT_REDUCE_H
#define CKDA_REPORT_REDUCE_H
#include <stdio.h>
#include "ckda/reduce.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const char *system;        /* as it was given */
    const char *const *letter; /* red->nletters names */
    const ckda_heads *heads;
    const ckda_reduction_struct *red;
    ckda_truth checked; /* what ckda_reduction_check said, with its decisions */
    uint64_t decisions;
    const char *problem; /* why it was not TRUE, or NULL */
    double seconds;
} ckda_reduce_result;

void ckda_report_reduce(FILE *out, bool json, const ckda_reduce_result *r);

#ifdef __cplusplus
}
#endif
#endif
