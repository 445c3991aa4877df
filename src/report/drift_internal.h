/* Shared by the files that print drift. */
#ifndef CKDA_SRC_REPORT_DRIFT_INTERNAL_H
#define CKDA_SRC_REPORT_DRIFT_INTERNAL_H
#include <jansson.h>
#include "ckda/report_drift.h"

/* An element in cycles; free(). */
char *drift_element(uint32_t g, const ckda_drift_report *r);
const char *drift_source_name(ckda_drift_source s);
/* The norm that the closed-form law gives on average after t tokens; NaN: not known. */
double drift_law(uint64_t t, const ckda_drift_report *r);
void drift_print_json(FILE *out, const ckda_drift_report *r);
json_t *drift_json(const ckda_drift_report *r); /* a new reference */

#endif
