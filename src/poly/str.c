/* Polynomials as text. */
#include "ckda/poly.h"

#include <stdlib.h>
#include <string.h>

#include "ckda/status.h"

typedef struct {
    char *text;
    size_t length, alloc;
} buffer;

static void
put(buffer *b, const char *s)
{
    size_t n = strlen(s);
    if (b->length + n + 1 > b->alloc) {
        b->alloc = 2 * (b->length + n + 1);
        b->text = realloc(b->text, b->alloc);
        ckda_require_memory(b->text != NULL);
    }
    memcpy(b->text + b->length, s, n + 1);
    b->length += n;
}

/* More than one term, so that it needs brackets in front of a power? */
static bool
is_sum(const char *s)
{
    return strpbrk(s + 1, "+-") != NULL;
}

static void
put_term(buffer *b, const char *coeff, slong i, const char *var)
{
    bool first = b->length == 0;
    bool bracket = is_sum(coeff) && (i > 0 || !first);

    if (!first && (bracket || coeff[0] != '-'))
        put(b, "+");
    if (bracket) {
        put(b, "(");
        put(b, coeff);
        put(b, i > 0 ? ")*" : ")");
    } else if (i == 0) {
        put(b, coeff);
    } else if (strcmp(coeff, "-1") == 0) {
        put(b, "-");
    } else if (strcmp(coeff, "1") != 0) {
        put(b, coeff);
        put(b, "*");
    }
    if (i > 0)
        put(b, var);
    if (i > 1) {
        char power[32];
        snprintf(power, sizeof power, "^%ld", (long)i);
        put(b, power);
    }
}

char *
ckda_poly_str(const ckda_poly_t f, const char *var, const ckda_field_t K)
{
    buffer b = {NULL, 0, 0};

    if (f->length == 0)
        put(&b, "0");
    for (slong i = f->length - 1; i >= 0; i--) {
        if (ckda_elem_is_zero(f->coeff + i, K))
            continue;
        char *coeff = ckda_elem_str(f->coeff + i, K);
        put_term(&b, coeff, i, var);
        free(coeff);
    }
    return b.text;
}
