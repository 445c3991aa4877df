/* Exact values as lists of integers. */
#include "cert_internal.h"

#include <string.h>

enum { ROOT_BITS = 128 };

static char *
integer_text(const fmpz_t x)
{
    return fmpz_get_str(NULL, 10, x);
}

/* As a JSON number while every reader of JSON can hold it, else as a string. */
void
put_integer(stream *s, const fmpz_t x)
{
    char *text = integer_text(x);
    stream_put(s, fmpz_bits(x) <= 53 ? "%s" : "\"%s\"", text);
    flint_free(text);
}

static void
raise_denominator(fmpz_t den, const ckda_elem_struct *x, slong n, const ckda_field_t K)
{
    fmpq_poly_t f;
    fmpq_poly_init(f);
    for (slong e = 0; e < n; e++) {
        ckda_elem_get_fmpq_poly(f, x + e, K);
        fmpq_poly_canonicalise(f);
        fmpz_lcm(den, den, fmpq_poly_denref(f));
    }
    fmpq_poly_clear(f);
}

/* Every coefficient is in lowest terms and den is their least common denominator, so no
 * prime divides den and all numerators. */
void
put_row(stream *s, const ckda_elem_struct *x, slong n, const ckda_field_t K)
{
    fmpq_poly_t f;
    fmpq_t c;
    fmpz_t den, num;
    fmpq_poly_init(f);
    fmpq_init(c);
    fmpz_init_set_ui(den, 1);
    fmpz_init(num);
    raise_denominator(den, x, n, K);
    stream_put(s, "{\"den\":");
    put_integer(s, den);
    stream_put(s, ",\"num\":[");
    for (slong e = 0; e < n; e++) {
        ckda_elem_get_fmpq_poly(f, x + e, K);
        for (slong k = 0; k < K->degree; k++) {
            fmpq_poly_get_coeff_fmpq(c, f, k);
            fmpz_divexact(num, den, fmpq_denref(c));
            fmpz_mul(num, num, fmpq_numref(c));
            stream_put(s, e + k == 0 ? "" : ",");
            put_integer(s, num);
        }
    }
    stream_put(s, "]}");
    fmpz_clear(num);
    fmpz_clear(den);
    fmpq_clear(c);
    fmpq_poly_clear(f);
}

void
put_matrix(stream *s, const ckda_mat_t A, const ckda_field_t K)
{
    put_row(s, A->entry, A->rows * A->cols, K);
}

void
put_counts(stream *s, const char *key, const uint32_t *x, uint64_t n)
{
    stream_put(s, "\"%s\":[", key);
    for (uint64_t i = 0; i < n; i++)
        stream_put(s, i == 0 ? "%u" : ",%u", x[i]);
    stream_put(s, "]");
}

static void
put_fraction(stream *s, const fmpz_t mantissa, const fmpz_t exponent)
{
    fmpq_t q;
    fmpq_init(q);
    fmpz_set(fmpq_numref(q), mantissa);
    const slong e = fmpz_get_si(exponent);
    if (e >= 0)
        fmpq_mul_2exp(q, q, (ulong)e);
    else
        fmpq_div_2exp(q, q, (ulong)-e);
    char *text = fmpq_get_str(NULL, 10, q);
    stream_put(s, "\"%s\"", text);
    flint_free(text);
    fmpq_clear(q);
}

/* For degree 1 the root itself, twice. */
static void
put_root(stream *s, const ckda_field_t K)
{
    fmpz_t low, high, exponent;
    fmpz_init(low);
    fmpz_init(high);
    fmpz_init(exponent);
    if (K->degree == 1) {
        fmpz_poly_get_coeff_fmpz(low, K->minpoly, 0);
        fmpz_neg(low, low);
        fmpz_set(high, low);
    } else {
        arb_t r;
        arb_init(r);
        slong bits = ROOT_BITS;
        do { /* ends: the root is simple */
            ckda_field_root(r, K, bits);
            bits *= 2;
        } while (!ckda_field_root_alone(r, K));
        arb_get_interval_fmpz_2exp(low, high, exponent, r);
        arb_clear(r);
    }
    stream_put(s, "[");
    put_fraction(s, low, exponent);
    stream_put(s, ",");
    put_fraction(s, high, exponent);
    stream_put(s, "]");
    fmpz_clear(low);
    fmpz_clear(high);
    fmpz_clear(exponent);
}

void
put_field(stream *s, const ckda_field_t K)
{
    fmpz_t c;
    fmpz_init(c);
    stream_put(s, "{\"field\":{\"minpoly\":[");
    for (slong k = 0; k <= K->degree; k++) {
        fmpz_poly_get_coeff_fmpz(c, K->minpoly, k);
        stream_put(s, k == 0 ? "" : ",");
        put_integer(s, c);
    }
    stream_put(s, "],\"root\":");
    put_root(s, K);
    stream_put(s, "}}\n");
    fmpz_clear(c);
}
