/* Elements as text: exact, and truncated decimals for people. */
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    char *at;
    size_t len, cap;
} buffer;

static void
put(buffer *b, const char *s, size_t n)
{
    if (b->len + n + 1 > b->cap) {
        b->cap = 2 * (b->len + n + 1);
        b->at = realloc(b->at, b->cap);
        ckda_require_memory(b->at != NULL);
    }
    memcpy(b->at + b->len, s, n);
    b->len += n;
    b->at[b->len] = '\0';
}

static void
put_str(buffer *b, const char *s)
{
    put(b, s, strlen(s));
}

/* Appends c a^i, with a sign before it unless it is the first term and positive. */
static void
put_term(buffer *b, const fmpq_t c, slong i)
{
    char power[32] = "a";
    if (i > 1)
        snprintf(power, sizeof power, "a^%ld", (long)i);
    if (b->len > 0 && fmpq_sgn(c) > 0)
        put_str(b, "+");
    if (i > 0 && fmpq_is_one(c)) {
        put_str(b, power);
        return;
    }
    char *s = fmpq_get_str(NULL, 10, c);
    if (i > 0 && strcmp(s, "-1") == 0) {
        put_str(b, "-");
        put_str(b, power);
    } else {
        put_str(b, s);
        if (i > 0) {
            put_str(b, "*");
            put_str(b, power);
        }
    }
    flint_free(s);
}

char *
ckda_elem_str(const ckda_elem_t x, const ckda_field_t K)
{
    buffer b = {NULL, 0, 0};
    slong len;
    const fmpz *num = ckda_elem_num(&len, x, K);
    fmpq_t c;
    fmpq_init(c);
    for (slong i = 0; i < len; i++) {
        if (fmpz_is_zero(num + i))
            continue;
        fmpq_set_fmpz_frac(c, num + i, ckda_elem_den(x, K));
        put_term(&b, c, i);
    }
    if (b.len == 0)
        put_str(&b, "0");
    fmpq_clear(c);
    return b.at;
}

/* m = floor(|x| 10^k) for x != 0; *exact tells whether nothing was cut off. */
static void
scaled_floor_rational(fmpz_t m, bool *exact, const fmpq_t x, slong k)
{
    fmpz_t p, q, ten;
    fmpz_init(p);
    fmpz_init(q);
    fmpz_init(ten);
    fmpz_ui_pow_ui(ten, 10, (ulong)(k < 0 ? -k : k));
    fmpz_abs(p, fmpq_numref(x));
    fmpz_set(q, fmpq_denref(x));
    fmpz_mul(k < 0 ? q : p, k < 0 ? q : p, ten);
    fmpz_fdiv_qr(m, p, p, q);
    *exact = fmpz_is_zero(p);
    fmpz_clear(ten);
    fmpz_clear(q);
    fmpz_clear(p);
}

static void
scaled_floor(fmpz_t m, bool *exact, const ckda_elem_t x, slong k, const ckda_field_t K)
{
    if (ckda_elem_is_rational(x, K)) {
        fmpq_t q;
        fmpq_init(q);
        field_elem_constant(q, x, K);
        scaled_floor_rational(m, exact, q, k);
        fmpq_clear(q);
        return;
    }
    arb_t r, ten;
    bool known = false;
    arb_init(r);
    arb_init(ten);
    *exact = false;
    /* Ends: x 10^k is irrational, so a narrow enclosure holds no integer. */
    for (slong prec = 128; !known; prec *= 2) {
        ckda_elem_get_arb(r, x, K, prec);
        arb_abs(r, r);
        arb_set_ui(ten, 10);
        arb_pow_ui(ten, ten, (ulong)(k < 0 ? -k : k), prec);
        if (k < 0)
            arb_div(r, r, ten, prec);
        else
            arb_mul(r, r, ten, prec);
        arb_floor(r, r, prec);
        known = arb_get_unique_fmpz(m, r);
    }
    arb_clear(ten);
    arb_clear(r);
}

/* The exponent e with 10^e <= |x| < 10^(e+1), or one off. */
static slong
guess_exponent(const ckda_elem_t x, const ckda_field_t K)
{
    arb_t r;
    mag_t m;
    arb_init(r);
    mag_init(m);
    ckda_elem_get_arb(r, x, K, 32);
    arb_get_mag(m, r);
    slong e = (slong)(mag_get_d_log2_approx(m) * 0.30103);
    mag_clear(m);
    arb_clear(r);
    return e;
}

/* Writes d1.d2... 10^e for the digits m = d1 d2 ...; positional where that is short. */
static void
put_digits(buffer *b, const char *m, slong e, bool exact)
{
    slong n = (slong)strlen(m);
    bool positional = e >= -6 && e < n;
    slong whole = !positional ? 1 : e < 0 ? 0 : e + 1; /* digits before the point */
    while (exact && n > 1 && n > whole && m[n - 1] == '0')
        n--;
    if (whole == 0) {
        put_str(b, "0.");
        for (slong i = -1; i > e; i--)
            put_str(b, "0");
    }
    put(b, m, (size_t)whole);
    if (whole > 0 && n > whole)
        put_str(b, ".");
    put(b, m + whole, (size_t)(n - whole));
    if (!positional) {
        char tail[32];
        snprintf(tail, sizeof tail, "e%ld", (long)e);
        put_str(b, tail);
    }
}

char *
ckda_elem_decimal(const ckda_elem_t x, slong digits, const ckda_field_t K)
{
    buffer b = {NULL, 0, 0};
    int sgn = ckda_elem_sgn(x, K);
    ckda_require(digits >= 1, "digits = %ld", (long)digits);
    if (sgn == 0) {
        put_str(&b, "0");
        return b.at;
    }
    fmpz_t m, low, top;
    bool exact = false;
    slong e = guess_exponent(x, K);
    fmpz_init(m);
    fmpz_init(low);
    fmpz_init(top);
    fmpz_ui_pow_ui(low, 10, (ulong)(digits - 1));
    fmpz_mul_ui(top, low, 10);
    /* m must have exactly `digits` digits; a wrong guess of e shows and is mended. */
    for (;;) {
        scaled_floor(m, &exact, x, digits - 1 - e, K);
        if (fmpz_cmp(m, top) >= 0)
            e++;
        else if (fmpz_cmp(m, low) < 0)
            e--;
        else
            break;
    }
    char *s = fmpz_get_str(NULL, 10, m);
    if (sgn < 0)
        put_str(&b, "-");
    put_digits(&b, s, e, exact);
    flint_free(s);
    fmpz_clear(top);
    fmpz_clear(low);
    fmpz_clear(m);
    return b.at;
}

/* Is no conjugate of a as near to the decimal of so many digits?  The decimal is off by less
 * than u = |a| 10^(1 - digits): it suffices that no other root lies within 4 u. */
static bool
decimal_tells_root(slong digits, const ckda_field_t K)
{
    arb_t r, u;
    arb_init(r);
    arb_init(u);
    ckda_field_root(r, K, 4 * digits);
    arb_set_ui(u, 10);
    arb_pow_ui(u, u, (ulong)digits - 1, 64);
    arb_div(u, r, u, 64);
    arb_mul_2exp_si(u, u, 2);
    arb_add_error(r, u);
    const bool tells = field_holds_one_root(r, K->minpoly);
    arb_clear(u);
    arb_clear(r);
    return tells;
}

char *
ckda_field_root_decimal(const ckda_field_t K)
{
    ckda_elem_t a;
    slong digits = 20;
    /* Ends: the root is simple. */
    while (K->degree > 1 && !decimal_tells_root(digits, K))
        digits *= 2;
    ckda_elem_init(a, K);
    ckda_elem_gen(a, K);
    char *s = ckda_elem_decimal(a, digits, K);
    ckda_elem_clear(a, K);
    return s;
}
