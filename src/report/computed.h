/* Pieces of text that several computed results share. */
#ifndef CKDA_SRC_REPORT_COMPUTED_H
#define CKDA_SRC_REPORT_COMPUTED_H
#include <jansson.h>
#include <stdint.h>
#include <stdio.h>
#include "ckda/field.h"
#include "ckda/report.h"

/* "  field      Q", or "Q(a), a^2-5 = 0, a = 2.2360679774997896964...", and a newline. */
void report_field_line(FILE *out, const ckda_field_t K);
/* "" or "s". */
const char *report_plural(uint64_t n);
/* ckda.reach/1; a new reference. */
json_t *reach_json(const ckda_reach_result *r);

#endif
