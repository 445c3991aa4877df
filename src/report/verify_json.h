/* Pieces of ckda.verify/1 that the page shows as well. */
#ifndef CKDA_SRC_REPORT_VERIFY_JSON_H
#define CKDA_SRC_REPORT_VERIFY_JSON_H
#include <jansson.h>
#include "ckda/report.h"

/* New references: one claim, one mutant, the counts. */
json_t *verify_claim_json(const ckda_outcome *o);
json_t *verify_mutant_json(const ckda_outcome *o);
json_t *verify_summary_json(const ckda_verification *v);
/* "quick", "full", "deep" */
const char *verify_effort_name(ckda_effort e);

#endif
