#include <stdlib.h>
#include <string.h>

#include "range_internal.h"

enum { DIGITS = 10 };

char *
rg_copy(const char *text)
{
    if (text == NULL)
        return NULL;
    const size_t size = strlen(text) + 1;
    return memcpy(flint_malloc(size), text, size);
}

char *
rg_fmpq_text(const fmpq_t q)
{
    return fmpq_get_str(NULL, 10, q);
}

char *
rg_arb_decimal(const arb_t x)
{
    return arb_get_str(x, DIGITS, ARB_STR_NO_RADIUS);
}

char *
rg_fmpq_decimal(const fmpq_t q)
{
    arb_t a;
    arb_init(a);
    arb_set_fmpq(a, q, 128);
    char *text = rg_arb_decimal(a);
    arb_clear(a);
    return text;
}

char *
rg_pattern_text(uint64_t x, const ckda_fp_format *f)
{
    fmpq_t q;
    fmpq_init(q);
    char *text;
    if (ckda_fp_get_fmpq(q, x, f) == CKDA_OK)
        text = rg_fmpq_text(q);
    else if (ckda_fp_classify(x, f) == CKDA_FP_NAN)
        text = rg_copy("nan");
    else
        text = rg_copy(ckda_fp_is_negative(x, f) ? "-inf" : "inf");
    fmpq_clear(q);
    return text;
}

void
rg_number_clear(ckda_range_number *n)
{
    flint_free(n->exact);
    flint_free(n->decimal);
    n->exact = n->decimal = NULL;
}
