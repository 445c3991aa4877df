/* What trace.c and trace_json.c share. */
#ifndef CKDA_SRC_REPORT_TRACE_REPORT_H
#define CKDA_SRC_REPORT_TRACE_REPORT_H
#include "ckda/report_trace.h"

const char *trace_kernel_name(const ckda_trace_kernel *k);
const char *trace_verdict(ckda_truth t); /* "within", "beyond", "undecided" */
void trace_report_json(FILE *out, const ckda_judged_trace *list, size_t n);

#endif
