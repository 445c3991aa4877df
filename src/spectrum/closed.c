/* Closed forms of algebraic numbers of small degree, as text. */
#include <stdlib.h>
#include <string.h>
#include "boxes.h"

static void
append(char **text, size_t *length, const char *more)
{
    const size_t n = strlen(more);

    *text = realloc(*text, *length + n + 1);
    ckda_require_memory(*text != NULL);
    memcpy(*text + *length, more, n + 1);
    *length += n;
}

static void
append_fmpz(char **text, size_t *length, const fmpz_t x)
{
    char *digits = fmpz_get_str(NULL, 10, x);

    append(text, length, digits);
    flint_free(digits);
}

/* (a + b sqrt(c))/q without what is 0 or 1. */
static char *
quadratic(const fmpz_t a, const fmpz_t b, const fmpz_t c, const fmpz_t q)
{
    const bool sum = !fmpz_is_zero(a), divided = !fmpz_is_one(q);
    char *text = NULL;
    size_t n = 0;

    append(&text, &n, sum && divided ? "(" : "");
    if (sum) {
        append_fmpz(&text, &n, a);
        append(&text, &n, fmpz_sgn(b) > 0 ? "+" : "");
    }
    if (fmpz_is_pm1(b))
        append(&text, &n, fmpz_sgn(b) < 0 ? "-" : "");
    else
        append_fmpz(&text, &n, b);
    append(&text, &n, fmpz_is_pm1(b) ? "sqrt(" : "*sqrt(");
    append_fmpz(&text, &n, c);
    append(&text, &n, sum && divided ? "))/" : divided ? ")/" : ")");
    if (divided)
        append_fmpz(&text, &n, q);
    return text;
}

static char *
of_degree_2(const qqbar_t x)
{
    fmpz_t a, b, c, q;
    char *text;

    fmpz_init(a);
    fmpz_init(b);
    fmpz_init(c);
    fmpz_init(q);
    qqbar_get_quadratic(a, b, c, q, x, 1);
    text = quadratic(a, b, c, q);
    fmpz_clear(q);
    fmpz_clear(c);
    fmpz_clear(b);
    fmpz_clear(a);
    return text;
}

/* exp(2*pi*i*p/q). */
static char *
root_of_unity(slong p, ulong q)
{
    char *text = malloc(96);

    ckda_require_memory(text != NULL);
    snprintf(text, 96, "exp(2*pi*i*%ld/%lu)", (long)p, (unsigned long)q);
    return text;
}

/* root(x^3-2, 1.2599210...), as the input grammar reads it. */
static char *
real_root(const qqbar_t x)
{
    char *poly = fmpz_poly_get_str_pretty(QQBAR_POLY(x), "x"), *digits, *text = NULL;
    size_t n = 0;
    arb_t r;

    arb_init(r);
    qqbar_get_arb(r, x, 96);
    digits = arb_get_str(r, 20, ARB_STR_NO_RADIUS);
    append(&text, &n, "root(");
    append(&text, &n, poly);
    append(&text, &n, ", ");
    append(&text, &n, digits);
    append(&text, &n, ")");
    flint_free(digits);
    flint_free(poly);
    arb_clear(r);
    return text;
}

char *
eigenvalue_closed_form(const qqbar_t x)
{
    slong p;
    ulong q;

    if (qqbar_is_rational(x)) {
        char *text;
        fmpq_t y;

        fmpq_init(y);
        qqbar_get_fmpq(y, x);
        text = eigenvalue_text(y);
        fmpq_clear(y);
        return text;
    }
    if (qqbar_degree(x) == 2)
        return of_degree_2(x);
    if (qqbar_is_root_of_unity(&p, &q, x))
        return root_of_unity(p, q);
    return qqbar_is_real(x) ? real_root(x) : NULL;
}
