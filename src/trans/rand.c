/* Random transitions that like the corners of their family. */
#include "trans_internal.h"

/* x in [lo, hi], half of the time a whole number; irrational now and then. */
static void
rand_within(ckda_elem_t x, ckda_rand *r, int lo, int hi, const ckda_field_t K)
{
    if (lo == hi || ckda_rand_below(r, 2) == 0) {
        ckda_elem_set_si(x, (slong)ckda_rand_range(r, lo, hi), K);
        return;
    }
    if (K->degree > 1 && ckda_rand_below(r, 2) == 0) {
        ckda_elem_rand(x, r, 3, 4, K);
        if (ckda_elem_cmp_si(x, lo, K) >= 0 && ckda_elem_cmp_si(x, hi, K) <= 0)
            return;
    }
    const slong den = (slong)ckda_rand_range(r, 2, 9);
    ckda_elem_set_frac(x, (slong)ckda_rand_range(r, lo * den, hi * den), den, K);
}

static void
rand_key(ckda_elem_struct *w, slong n, ckda_rand *r, const ckda_field_t K)
{
    bool zero = true;
    for (slong i = 0; i < n; i++) {
        if (ckda_rand_below(r, 4) == 0)
            ckda_elem_zero(w + i, K);
        else
            ckda_elem_rand(w + i, r, 4, 3, K);
        zero = zero && ckda_elem_is_zero(w + i, K);
    }
    if (zero)
        ckda_elem_one(w + ckda_rand_below(r, (uint64_t)n), K);
}

static void
rand_rwkv7(ckda_trans_t t, ckda_rand *r, const ckda_field_t K)
{
    for (slong i = 0; i < t->n; i++) {
        if (i > 0 && ckda_rand_below(r, 3) == 0)
            ckda_elem_set(t->gate + i, t->gate + ckda_rand_below(r, (uint64_t)i), K);
        else
            rand_within(t->gate + i, r, 0, 1, K);
        rand_within(t->more + i, r, 0, 2, K);
    }
}

/* All rational: a = p/q, b a part of 1 - a, m in {3/8, ..., 7/8}, e in (0, 2). */
static void
rand_mdn(ckda_trans_t t, ckda_rand *r, const ckda_field_t K)
{
    const slong q = (slong)ckda_rand_range(r, 2, 9),
                p = (slong)ckda_rand_range(r, 1, q - 1);
    const slong s = (slong)ckda_rand_range(r, 1, 4), m = (slong)ckda_rand_range(r, 3, 7);
    ckda_elem_set_frac(t->beta, (q - p) * (slong)ckda_rand_range(r, 0, s), q * s, K);
    ckda_elem_set_frac(t->more, (slong)ckda_rand_range(r, 1, 2 * q - 1), q, K);
    for (slong i = 0; i < t->width; i++) {
        ckda_elem_set_frac(t->gate + i, p, q, K);
        ckda_elem_set_frac(t->gate + t->width + i, m, 8, K);
    }
}

/* g = rho (1 - s^2 + 2 s i)/(1 + s^2), s rational, 0 <= rho <= 1 and often 1. */
static void
rand_complex_gate(ckda_elem_struct *g, ckda_rand *r, const ckda_field_t K)
{
    const slong p = (slong)ckda_rand_range(r, -4, 4), q = (slong)ckda_rand_range(r, 1, 4);
    ckda_elem_t rho;
    ckda_elem_init(rho, K);
    rand_within(rho, r, 0, 1, K);
    ckda_elem_set_frac(g, q * q - p * p, q * q + p * p, K);
    ckda_elem_set_frac(g + 1, 2 * p * q, q * q + p * p, K);
    ckda_elem_mul(g, g, rho, K);
    ckda_elem_mul(g + 1, g + 1, rho, K);
    ckda_elem_clear(rho, K);
}

static void
rand_sfda(ckda_trans_t t, ckda_rand *r, const ckda_field_t K)
{
    rand_within(t->beta, r, 0, 1, K);
    for (slong i = 0; i < t->n; i += 2)
        rand_complex_gate(t->gate + i, r, K);
}

static void
rand_steps(ckda_trans_t t, ckda_rand *r, const ckda_field_t K)
{
    const family_ranges *f = family_get(t->family);
    for (slong j = 0; j < t->steps; j++) {
        rand_within(t->beta + j, r, 0, f->beta_hi, K);
        rand_key(trans_key(t, j), t->width, r, K);
    }
    for (slong i = 0; i < t->n; i++) {
        if (i > 0 && (f->scalar_gate || ckda_rand_below(r, 3) == 0))
            ckda_elem_set(t->gate + i, t->gate + ckda_rand_below(r, (uint64_t)i), K);
        else
            rand_within(t->gate + i, r, f->gate_lo, f->gate_hi, K);
    }
}

void
ckda_trans_rand(ckda_trans_t t, ckda_rand *r, const ckda_field_t K)
{
    if (t->steps == 0)
        rand_key(t->key, t->width, r, K);
    switch (t->family) {
    case CKDA_RWKV7:
        rand_rwkv7(t, r, K);
        return;
    case CKDA_MDN:
        rand_mdn(t, r, K);
        return;
    case CKDA_SFDA:
        rand_sfda(t, r, K);
        return;
    default:
        rand_steps(t, r, K);
    }
}
