/* What the text and the JSON of `ckda construct` share. */
#ifndef CKDA_SRC_REPORT_CONSTRUCT_H
#define CKDA_SRC_REPORT_CONSTRUCT_H
#include "ckda/report_construct.h"

typedef enum { ONE_LAYER_TRACKED, ONE_LAYER_IMPOSSIBLE, ONE_LAYER_UNDECIDED } one_layer;
one_layer construct_verdict(const ckda_construct_result *r);
/* What the obstruction assumes, and what it says; static texts. */
extern const char construct_hypotheses[], construct_fallback[];
const char *construct_rule(const ckda_obstruction *o);
/* The CKDA steps of a letter: 1, or the number of factors; 0 if it has none. */
slong construct_letter_steps(const ckda_letter_struct *l);

json_t *construct_json(const ckda_construct_result *r);
json_t *construct_letters_json(const ckda_letters_result *r);

#endif
