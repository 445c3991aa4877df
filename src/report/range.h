/* What the text and the JSON of `ckda range` share. */
#ifndef CKDA_SRC_REPORT_RANGE_H
#define CKDA_SRC_REPORT_RANGE_H
#include "ckda/report_range.h"

/* The value of a pattern in decimal, in a static buffer. */
const char *range_value_of(uint64_t x, const ckda_fp_format *f);
/* "overflow" or "underflow". */
const char *range_break_name(ckda_break why);
void range_print_json(FILE *out, const ckda_range_t r);

#endif
