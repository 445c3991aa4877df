/* An arithmetic as the member "arithmetic" of ckda.audit/1, and as options. */
#ifndef CKDA_SRC_REPORT_JSON_ARITHMETIC_H
#define CKDA_SRC_REPORT_JSON_ARITHMETIC_H
#include "json.h"
#include "ckda/arith.h"
#include "ckda/tracker.h"

/* For states n x n: with a start of its own also "start_matrix", exact. */
json_t *json_arithmetic(const ckda_arith *a, slong n);
/* A number that may be infinite: JSON has no infinities, so null. */
void json_put_real(json_t *object, const char *key, double x);
/* "5/4", "3" */
json_t *json_ratio(ckda_ratio q);
/* [1, 0, -2]: by how much the sizes of key entries are moved; [] for none. */
json_t *json_moves(const ckda_arith *a);
/* " --state bf16 --keys fp32 ...": what `ckda audit` needs to have this arithmetic. */
void print_arithmetic_options(FILE *out, const ckda_arith *a);

#endif
