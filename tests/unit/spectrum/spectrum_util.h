/* Short ways to write exact test data: blank-separated rationals. */
#ifndef SPECTRUM_UTIL_H
#define SPECTRUM_UTIL_H
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "ckda/spectrum.h"

/* Reads the next rational of *text into x; false at the end. */
static inline bool
next_rational(ckda_elem_t x, const char **text, const ckda_field_t K)
{
    char word[64];
    size_t n;
    fmpq_t q;

    *text += strspn(*text, " ");
    n = strcspn(*text, " ");
    if (n == 0)
        return false;
    assert_true(n < sizeof word);
    memcpy(word, *text, n);
    word[n] = 0;
    *text += n;
    fmpq_init(q);
    assert_int_equal(fmpq_set_str(q, word, 10), 0);
    ckda_elem_set_fmpq(x, q, K);
    fmpq_clear(q);
    return true;
}

static inline void
set_row(ckda_elem_struct *row, slong n, const char *text, const ckda_field_t K)
{
    for (slong i = 0; i < n; i++)
        assert_true(next_rational(row + i, &text, K));
}

/* Coefficients from x^0 upwards. */
static inline void
set_poly(ckda_poly_t f, const char *text, const ckda_field_t K)
{
    ckda_elem_t c;

    ckda_elem_init(c, K);
    ckda_poly_zero(f, K);
    for (slong i = 0; next_rational(c, &text, K); i++)
        ckda_poly_set_coeff(f, i, c, K);
    ckda_elem_clear(c, K);
}

/* f *= g^e for the polynomial g written as text. */
static inline void
mul_power(ckda_poly_t f, const char *g, slong e, const ckda_field_t K)
{
    ckda_poly_t h;

    ckda_poly_init(h, K);
    set_poly(h, g, K);
    for (slong i = 0; i < e; i++)
        ckda_poly_mul(f, f, h, K);
    ckda_poly_clear(h, K);
}

static inline void
assert_poly(const ckda_poly_t f, const char *want, const ckda_field_t K)
{
    ckda_poly_t g;

    ckda_poly_init(g, K);
    set_poly(g, want, K);
    if (!ckda_poly_equal(f, g, K)) {
        char *s = ckda_poly_str(f, "x", K);
        print_error("got %s, want coefficients %s\n", s, want);
        free(s);
    }
    assert_true(ckda_poly_equal(f, g, K));
    ckda_poly_clear(g, K);
}

static inline void
assert_counts(const ckda_poly_t f, slong real, slong pairs, slong circle,
              const ckda_field_t K)
{
    ckda_root_counts c;

    ckda_poly_count_roots(&c, f, K);
    assert_int_equal(c.degree, ckda_poly_degree(f));
    assert_int_equal(c.real_roots, real);
    assert_int_equal(c.nonreal_pairs, pairs);
    assert_int_equal(c.unit_circle_pairs, circle);
    assert_int_equal(c.real_roots + 2 * c.nonreal_pairs, c.degree);
}

/* Monic with random coefficients. */
static inline void
rand_poly(ckda_poly_t f, ckda_rand *r, slong degree, slong bound, const ckda_field_t K)
{
    ckda_elem_t c;

    ckda_elem_init(c, K);
    ckda_poly_zero(f, K);
    for (slong i = 0; i <= degree; i++) {
        ckda_elem_rand(c, r, bound, 3, K);
        if (i == degree)
            ckda_elem_one(c, K);
        ckda_poly_set_coeff(f, i, c, K);
    }
    ckda_elem_clear(c, K);
}

/* The transition (I - beta k k^T) Diag(gate), over Q, ranges unchecked. */
static inline void
trans_init_text(ckda_trans_t t, slong n, const char *beta, const char *key,
                const char *gate, const ckda_field_t K)
{
    ckda_trans_init(t, CKDA_CKDA, n, 1, K);
    set_row(t->beta, 1, beta, K);
    set_row(t->key, n, key, K);
    set_row(t->gate, n, gate, K);
}
#endif
