/* Two oracles for the rounding room: MPFR with its exponent range and mpfr_subnormalize,
 * and the definition (search for the two neighbours, compare exact distances).  Neither
 * uses anything of the room but the numbers that describe a format.
 *
 * CKDA_TEST_SEED changes the cases, CKDA_TEST_SCALE multiplies their number (80 gives the
 * 4 million hard cases a format). */
#ifndef FPFMT_FIXTURE_H
#define FPFMT_FIXTURE_H
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "ckda/fpfmt.h"
#include "ckda/rand.h"

#define OK(call) assert_int_equal((call), CKDA_OK)
#define HARD_CASES 50000

static inline uint64_t
from_env(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    uint64_t v = text == NULL ? otherwise : strtoull(text, NULL, 0);
    return v == 0 ? otherwise : v;
}

static inline ckda_rand
seeded(uint64_t stream)
{
    ckda_rand r;
    ckda_rand_init(&r, from_env("CKDA_TEST_SEED", 20261130) + (stream << 32));
    return r;
}

static inline long
cases(long base)
{
    return base * (long)from_env("CKDA_TEST_SCALE", 1);
}

/* Says which case differs before failing. */
static inline void
same_bits(uint64_t got, uint64_t want, const char *what, const ckda_fp_format *f,
          const ckda_fp_rule *r, uint64_t x, uint64_t y, uint64_t z)
{
    if (got != want)
        fail_msg("%s -> %s, direction %d: got %llx, want %llx; operands %llx %llx %llx",
                 what, f->name, (int)r->direction, (unsigned long long)got,
                 (unsigned long long)want, (unsigned long long)x, (unsigned long long)y,
                 (unsigned long long)z);
}

/* ---- MPFR -------------------------------------------------------------------------- */

static const mpfr_rnd_t mpfr_mode[] = {MPFR_RNDN, MPFR_RNDZ, MPFR_RNDU, MPFR_RNDD};

/* v = the value of a pattern, from its fields; v has 64 bits of precision at least. */
static inline void
oracle_decode(mpfr_t v, uint64_t x, const ckda_fp_format *f)
{
    uint64_t m = x & (f->sign - 1), hidden = UINT64_C(1) << (f->precision - 1);
    uint64_t field = m / hidden, frac = m % hidden;
    if (m > f->largest && f->has_infinity && frac == 0) {
        mpfr_set_inf(v, 1);
    } else if (m > f->largest) {
        mpfr_set_nan(v);
    } else {
        uint64_t significand = field == 0 ? frac : frac + hidden;
        long e = f->emin - f->precision + 1 + (long)(field == 0 ? 0 : field - 1);
        mpfr_set_ui_2exp(v, significand, e, MPFR_RNDN);
    }
    if (x & f->sign)
        mpfr_neg(v, v, MPFR_RNDN);
}

/* The pattern of v, a value of the format (or of its continuation past the largest). */
static inline uint64_t
oracle_encode(mpfr_t v, const ckda_fp_format *f)
{
    uint64_t sign = mpfr_signbit(v) ? f->sign : 0;
    if (mpfr_nan_p(v))
        return f->nan;
    if (mpfr_inf_p(v))
        return f->has_infinity ? sign | f->infinity : f->nan;
    if (mpfr_zero_p(v))
        return sign;
    long e = (long)mpfr_get_exp(v) - 1;
    long field = e < f->emin ? 0 : e - f->emin + 1;
    long unit = f->emin - f->precision + 1 + (field == 0 ? 0 : field - 1);
    mpfr_abs(v, v, MPFR_RNDN);
    mpfr_div_2si(v, v, unit, MPFR_RNDN);
    assert_true(mpfr_integer_p(v));
    uint64_t m = mpfr_get_ui(v, MPFR_RNDN);
    if (field != 0)
        m += ((uint64_t)(field - 1)) << (f->precision - 1);
    return sign | m;
}

/* v was rounded to the format's precision with an unlimited exponent, ternary value t. */
static inline uint64_t
oracle_finish(mpfr_t v, int t, const ckda_fp_format *f, ckda_fp_direction d)
{
    mpfr_exp_t emin = mpfr_get_emin(), emax = mpfr_get_emax();
    bool was_finite = mpfr_number_p(v), neg = mpfr_signbit(v);
    mpfr_set_emin(f->emin - f->precision + 2); /* MPFR's significands are below 1 */
    mpfr_set_emax(f->emax + 1);
    t = mpfr_check_range(v, t, mpfr_mode[d]);
    mpfr_subnormalize(v, t, mpfr_mode[d]);
    mpfr_set_emin(emin);
    mpfr_set_emax(emax);
    uint64_t x = oracle_encode(v, f);
    if (!f->has_infinity && was_finite && (x & (f->sign - 1)) > f->largest) {
        /* e4m3: MPFR knows 480, whose pattern is NaN */
        bool inward = d == CKDA_FP_RTZ || d == (neg ? CKDA_FP_RUP : CKDA_FP_RDN);
        return inward ? f->largest | (neg ? f->sign : 0) : f->nan;
    }
    return x;
}

/* ---- the definition ---------------------------------------------------------------- */

/* v = the magnitude m as if exponents went on for ever. */
static inline void
magnitude(fmpq_t v, uint64_t m, const ckda_fp_format *f)
{
    uint64_t hidden = UINT64_C(1) << (f->precision - 1);
    uint64_t field = m / hidden, frac = m % hidden;
    long e = f->emin - f->precision + 1 + (long)(field == 0 ? 0 : field - 1);
    fmpq_set_ui(v, field == 0 ? frac : frac + hidden, 1);
    if (e >= 0)
        fmpq_mul_2exp(v, v, (ulong)e);
    else
        fmpq_div_2exp(v, v, (ulong)-e);
}

static inline int
cmp_with_power(const fmpq_t v, int e)
{
    fmpq_t p;
    fmpq_init(p);
    fmpq_one(p);
    if (e >= 0)
        fmpq_mul_2exp(p, p, (ulong)e);
    else
        fmpq_div_2exp(p, p, (ulong)-e);
    int c = fmpq_cmp(v, p);
    fmpq_clear(p);
    return c;
}

/* Which of the neighbours low < a < low + 1 a magnitude a goes to. */
static inline uint64_t
pick(uint64_t low, const fmpq_t a, const fmpq_t vlow, bool neg, const ckda_fp_format *f,
     ckda_fp_direction d)
{
    if (d == CKDA_FP_RTZ)
        return low;
    if (d == CKDA_FP_RUP)
        return neg ? low : low + 1;
    if (d == CKDA_FP_RDN)
        return neg ? low + 1 : low;
    fmpq_t below, above, vhigh;
    fmpq_init(below);
    fmpq_init(above);
    fmpq_init(vhigh);
    magnitude(vhigh, low + 1, f);
    fmpq_sub(below, a, vlow);
    fmpq_sub(above, vhigh, a);
    int c = fmpq_cmp(below, above);
    fmpq_clear(vhigh);
    fmpq_clear(above);
    fmpq_clear(below);
    if (c != 0)
        return c < 0 ? low : low + 1;
    return d == CKDA_FP_RNA || low % 2 == 1 ? low + 1 : low;
}

/* The rounding of q as ckda/fpfmt.h defines it. */
static inline uint64_t
define_round(const fmpq_t q, const ckda_fp_format *f, const ckda_fp_rule *r)
{
    fmpq_t a, v;
    fmpq_init(a);
    fmpq_init(v);
    fmpq_abs(a, q);
    bool neg = fmpq_sgn(q) < 0;
    uint64_t sign = neg ? f->sign : 0, low = 0, high = f->largest + 1;
    magnitude(v, high, f);
    bool past = fmpq_cmp(a, v) >= 0;
    while (!past && high - low > 1) { /* value(low) <= a < value(high) */
        uint64_t middle = low + (high - low) / 2;
        magnitude(v, middle, f);
        if (fmpq_cmp(v, a) <= 0)
            low = middle;
        else
            high = middle;
    }
    magnitude(v, low, f);
    uint64_t m = past               ? f->largest + 1
                 : fmpq_equal(v, a) ? low
                                    : pick(low, a, v, neg, f, r->direction);
    int flush_exp = r->flush_exp == CKDA_FP_EMIN ? f->emin : r->flush_exp;
    magnitude(v, m, f);
    if ((r->flush == CKDA_FP_FLUSH_BEFORE && cmp_with_power(a, flush_exp) < 0)
        || (r->flush == CKDA_FP_FLUSH_AFTER && cmp_with_power(v, flush_exp) < 0))
        m = 0;
    fmpq_clear(v);
    fmpq_clear(a);
    if (m > f->largest) {
        bool inward = r->direction == CKDA_FP_RTZ || (r->direction == CKDA_FP_RUP && neg)
                      || (r->direction == CKDA_FP_RDN && !neg);
        if (inward || r->overflow == CKDA_FP_SATURATE)
            return f->largest | sign;
        return f->has_infinity ? f->infinity | sign : f->nan;
    }
    return m == 0 && r->plus_zero ? 0 : m | sign;
}

/* q = the value of a finite pattern. */
static inline void
define_value(fmpq_t q, uint64_t x, const ckda_fp_format *f)
{
    magnitude(q, x & (f->sign - 1), f);
    if (x & f->sign)
        fmpq_neg(q, q);
}

/* ---- cases ------------------------------------------------------------------------- */

static inline uint64_t
random_pattern(ckda_rand *r, const ckda_fp_format *f)
{
    return ckda_rand_u64(r) & (f->sign | (f->sign - 1));
}

/* A finite pattern, often at an edge: subnormal, just above the smallest normal, at the
 * largest, with few bits, or near 1. */
static inline uint64_t
edge_pattern(ckda_rand *r, const ckda_fp_format *f)
{
    uint64_t hidden = UINT64_C(1) << (f->precision - 1), m = 0;
    uint64_t frac = ckda_rand_u64(r) % hidden;
    switch (ckda_rand_below(r, 8)) {
    case 0:
        m = frac;
        break;
    case 1:
        m = hidden + (frac & 3);
        break;
    case 2:
        m = f->largest - (frac & 3);
        break;
    case 3:
        m = frac & 3;
        break;
    case 4: /* one or two bits below the hidden one */
        m = (ckda_rand_u64(r) & (f->sign - 1)) / hidden * hidden
            + (hidden >> ckda_rand_below(r, (uint64_t)f->precision)) % hidden
            + (frac & 1);
        break;
    case 5: /* all ones, or nearly */
        m = (ckda_rand_u64(r) & (f->sign - 1)) / hidden * hidden + hidden - 1
            - (frac & 1);
        break;
    case 6:
        m = (uint64_t)((int64_t)(1 - f->emin) + ckda_rand_range(r, -3, 3)) * hidden
            + frac;
        break;
    default:
        m = ckda_rand_u64(r) & (f->sign - 1);
    }
    if (m > f->largest)
        m = f->largest;
    return m | (ckda_rand_u64(r) & f->sign);
}

/* A dyadic number m 2^e, |m| < 2^62, that is hard to round to f: a tie, a tie and a
 * little, half the smallest subnormal, the overflow edge, a value itself, or anything. */
static inline void
hard_dyadic(int64_t *m, int64_t *e, ckda_rand *r, const ckda_fp_format *f)
{
    uint64_t x = edge_pattern(r, f) & (f->sign - 1);
    uint64_t hidden = UINT64_C(1) << (f->precision - 1);
    uint64_t kind = ckda_rand_below(r, 6);
    if (kind == 4)
        x = 0; /* half the smallest subnormal */
    if (kind == 5)
        x = f->largest - (ckda_rand_u64(r) & 1);
    uint64_t field = x / hidden, frac = x % hidden;
    *m = (int64_t)(field == 0 ? frac : frac + hidden);
    *e = f->emin - f->precision + 1 + (int64_t)(field == 0 ? 0 : field - 1);
    if (kind == 0) { /* anything near the format's range */
        *m = (int64_t)(ckda_rand_u64(r) >> 2 >> ckda_rand_below(r, 61));
        *e = ckda_rand_range(r, f->emin - f->precision - 64, f->emax + 2);
    } else if (kind != 1) { /* 1: the value itself */
        int more = (int)ckda_rand_range(r, 0, 61 - f->precision);
        int off = (int)ckda_rand_range(r, -1, 1);
        *m = ((2 * *m + 1) << more) + (more > 0 ? off : 0);
        *e -= 1 + more;
    }
    if (ckda_rand_u64(r) & 1)
        *m = -*m;
}
#endif
