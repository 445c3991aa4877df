/* text.c -- growing strings, polynomials as text, and {n} in texts. */
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

void
ckda_sym_buf_init(sym_buf *b)
{
    b->cap = 64;
    b->len = 0;
    b->text = flint_malloc(b->cap);
    b->text[0] = '\0';
}

void
ckda_sym_buf_add(sym_buf *b, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int need = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    ckda_require(need >= 0, "format %s", fmt);
    if (b->len + (size_t)need + 1 > b->cap) {
        b->cap = 2 * (b->len + (size_t)need + 1);
        b->text = flint_realloc(b->text, b->cap);
    }
    va_start(ap, fmt);
    vsnprintf(b->text + b->len, b->cap - b->len, fmt, ap);
    va_end(ap);
    b->len += (size_t)need;
}

char *
ckda_sym_copy(const char *text, size_t len)
{
    char *r = flint_malloc(len + 1);
    memcpy(r, text, len);
    r[len] = '\0';
    return r;
}

char *
ckda_sym_poly_text(const ckda_sym *s, const fmpz_mpoly_t f)
{
    return fmpz_mpoly_get_str_pretty(f, (const char **)s->var, s->ctx);
}

/* ---- integer expressions in braces ---- */

#define BRACE_LIMIT 1000000000L /* the product of two fits a long */

typedef struct {
    const char *text, *at;
    const char *const *names;
    const long *values;
    size_t n;
    int depth;
    ckda_error *err;
} brace;

static bool brace_sum(long *v, brace *b);

static bool
is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool
is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static char
peek(brace *b)
{
    while (*b->at == ' ')
        b->at++;
    return *b->at;
}

static bool
brace_fail(brace *b, const char *what)
{
    ckda_error_set(b->err, "character %ld of \"%.80s\": %s", (long)(b->at - b->text) + 1,
                   b->text, what);
    return false;
}

static bool
brace_bounded(long *v, brace *b, long x)
{
    if (x > BRACE_LIMIT || x < -BRACE_LIMIT)
        return brace_fail(b, "the integer in braces is too large");
    *v = x;
    return true;
}

static bool
brace_name(long *v, brace *b)
{
    size_t len = 0;
    while (is_letter(b->at[len]) || is_digit(b->at[len]))
        len++;
    for (size_t i = 0; i < b->n; i++)
        if (strlen(b->names[i]) == len && memcmp(b->names[i], b->at, len) == 0) {
            b->at += len;
            return brace_bounded(v, b, b->values[i]);
        }
    return brace_fail(b, "unknown name in braces");
}

static bool
brace_atom(long *v, brace *b)
{
    char c = peek(b);
    if (++b->depth > SYM_MAX_NESTING)
        return brace_fail(b, "too deeply nested");
    bool ok;
    if (c == '-') {
        b->at++;
        ok = brace_atom(v, b);
        *v = ok ? -*v : 0;
    } else if (c == '(') {
        b->at++;
        ok = brace_sum(v, b);
        if (ok && peek(b) != ')')
            return brace_fail(b, "expected ')'");
        b->at += ok ? 1 : 0;
    } else if (is_digit(c)) {
        long x = 0;
        for (; is_digit(*b->at) && x <= BRACE_LIMIT; b->at++)
            x = 10 * x + (*b->at - '0');
        ok = brace_bounded(v, b, x);
    } else if (is_letter(c)) {
        ok = brace_name(v, b);
    } else {
        ok = brace_fail(b, "expected an integer, a name or '(' in braces");
    }
    b->depth--;
    return ok;
}

static long
floor_div(long a, long b)
{
    return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

static bool
brace_product(long *v, brace *b)
{
    if (!brace_atom(v, b))
        return false;
    while (peek(b) == '*' || *b->at == '/') {
        char op = *b->at++;
        long w;
        if (!brace_atom(&w, b))
            return false;
        if (op == '/' && w == 0)
            return brace_fail(b, "division by zero in braces");
        if (!brace_bounded(v, b, op == '*' ? *v * w : floor_div(*v, w)))
            return false;
    }
    return true;
}

static bool
brace_sum(long *v, brace *b)
{
    if (!brace_product(v, b))
        return false;
    while (peek(b) == '+' || *b->at == '-') {
        char op = *b->at++;
        long w;
        if (!brace_product(&w, b) || !brace_bounded(v, b, op == '+' ? *v + w : *v - w))
            return false;
    }
    return true;
}

char *
ckda_sym_expand(const char *text, const char *const *names, const long *values, size_t n,
                ckda_error *err)
{
    sym_buf out;
    brace b = {text, text, names, values, n, 0, err};
    bool ok = true;

    ckda_sym_buf_init(&out);
    while (ok && *b.at != '\0') {
        if (*b.at == '{') {
            long v = 0;
            b.at++;
            ok = brace_sum(&v, &b) && (peek(&b) == '}' || brace_fail(&b, "expected '}'"));
            if (ok)
                ckda_sym_buf_add(&out, "%ld", v);
        } else if (*b.at == '}') {
            ok = brace_fail(&b, "'}' without '{'");
        } else {
            ckda_sym_buf_add(&out, "%c", *b.at);
        }
        b.at += ok ? 1 : 0;
    }
    /* The caller frees with free(): hand over plain memory. */
    char *r = NULL;
    if (ok) {
        r = malloc(out.len + 1);
        ckda_require_memory(r != NULL);
        memcpy(r, out.text, out.len + 1);
    }
    flint_free(out.text);
    return r;
}
