/* proofs/template.h -- texts with {n} in them: the copies that "for" makes of a theory.
 */
#ifndef CKDA_PROOFS_TEMPLATE_H
#define CKDA_PROOFS_TEMPLATE_H
#include "ckda/doc.h"

enum { TEMPLATE_MAX_NAMES = 8 };

/* What each name of a "for" stands for in one copy: an integer, or a text (then the
 * integer is not used).  Names and texts are borrowed. */
typedef struct {
    size_t n;
    struct {
        const char *name, *text;
        long value;
    } name[TEMPLATE_MAX_NAMES];
} template_names;

/* *out = text with every {expression} replaced: a name alone by its value, else integer
 * arithmetic with + - * / (rounded down) and brackets.  Free with flint_free.  at: for
 * the message. */
CKDA_MUST_CHECK ckda_status template_fill(char **out, const char *text,
                                          const template_names *names,
                                          const ckda_node *at, ckda_error *err);

#endif
