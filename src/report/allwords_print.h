/* Shared by text and JSON of the verdict on all words. */
#ifndef CKDA_SRC_REPORT_ALLWORDS_PRINT_H
#define CKDA_SRC_REPORT_ALLWORDS_PRINT_H
#include "ckda/report_allwords.h"
#include "json_arithmetic.h"

/* Cycles; free(). */
char *element_name(const ckda_allwords_report *r, uint32_t element);
/* Bounds are shown by six digits, rounded up. */
double six_digits_up(double x);
json_t *allwords_json(const ckda_allwords_report *r);
json_t *allwords_sweep_json(const ckda_allwords_report *r, ckda_allwords_sweep_kind kind,
                            const ckda_allwords_row *rows, size_t count);

#endif
