/* Between patterns and exact numbers of any size: rationals, big dyadics, real balls. */
#include "fp_internal.h"

ckda_status
ckda_fp_get_fmpq(fmpq_t q, uint64_t x, const ckda_fp_format *f)
{
    int64_t m, e;
    ckda_status s = ckda_fp_get_dyadic(&m, &e, x, f);
    if (s != CKDA_OK)
        return s;
    fmpq_set_si(q, m, 1);
    if (e >= 0)
        fmpq_mul_2exp(q, q, (ulong)e);
    else
        fmpq_div_2exp(q, q, (ulong)-e);
    return CKDA_OK;
}

uint64_t
ckda_fp_from_fmpq(const fmpq_t q, const ckda_fp_format *f, const ckda_fp_rule *rule)
{
    if (fmpq_is_zero(q))
        return 0;
    /* 2^(k-1) < |q| < 2^(k+1), so the quotient below has 63 or 64 bits */
    slong k = (slong)fmpz_bits(fmpq_numref(q)) - (slong)fmpz_bits(fmpq_denref(q));
    slong shift = 63 - k;
    fmpz_t num, den, quo, rem;
    fmpz_init(num);
    fmpz_init(den);
    fmpz_init(quo);
    fmpz_init(rem);
    fmpz_abs(num, fmpq_numref(q));
    fmpz_set(den, fmpq_denref(q));
    if (shift >= 0)
        fmpz_mul_2exp(num, num, (ulong)shift);
    else
        fmpz_mul_2exp(den, den, (ulong)-shift);
    fmpz_fdiv_qr(quo, rem, num, den);
    uint64_t x =
        fp_round(fmpq_sgn(q) < 0, fmpz_get_ui(quo), -shift, !fmpz_is_zero(rem), f, rule);
    fmpz_clear(rem);
    fmpz_clear(quo);
    fmpz_clear(den);
    fmpz_clear(num);
    return x;
}

uint64_t
ckda_fp_from_fmpz_2exp(const fmpz_t m, const fmpz_t e, const ckda_fp_format *f,
                       const ckda_fp_rule *rule)
{
    if (fmpz_is_zero(m))
        return 0;
    fmpz_t high, exp;
    fmpz_init(high);
    fmpz_init(exp);
    slong extra = (slong)fmpz_bits(m) - 64; /* bits that one word cannot hold */
    extra = extra < 0 ? 0 : extra;
    bool sticky = extra > 0 && fmpz_val2(m) < (ulong)extra;
    fmpz_abs(high, m);
    fmpz_fdiv_q_2exp(high, high, (ulong)extra);
    fmpz_add_ui(exp, e, (ulong)extra);
    int64_t near = fmpz_cmp_si(exp, FP_FAR) > 0    ? FP_FAR
                   : fmpz_cmp_si(exp, -FP_FAR) < 0 ? -FP_FAR
                                                   : fmpz_get_si(exp);
    uint64_t x = fp_round(fmpz_sgn(m) < 0, fmpz_get_ui(high), near, sticky, f, rule);
    fmpz_clear(exp);
    fmpz_clear(high);
    return x;
}

static uint64_t
from_arf(const arf_t a, const ckda_fp_format *f, const ckda_fp_rule *rule)
{
    fmpz_t m, e;
    fmpz_init(m);
    fmpz_init(e);
    arf_get_fmpz_2exp(m, e, a);
    uint64_t x = ckda_fp_from_fmpz_2exp(m, e, f, rule);
    fmpz_clear(e);
    fmpz_clear(m);
    return x;
}

/* Every rounding is monotone, so equal results at both ends decide all between.  NaN as
 * an overflow forgets its sign; hence the ends must agree in sign then. */
ckda_status
ckda_fp_from_arb(uint64_t *x, const arb_t a, const ckda_fp_format *f,
                 const ckda_fp_rule *rule)
{
    if (!arb_is_finite(a))
        return CKDA_E_UNABLE;
    arf_t low, high;
    arf_init(low);
    arf_init(high);
    slong prec = arf_bits(arb_midref(a)) + 64; /* exact when the radius is zero */
    arb_get_lbound_arf(low, a, prec);
    arb_get_ubound_arf(high, a, prec);
    uint64_t from_low = from_arf(low, f, rule), from_high = from_arf(high, f, rule);
    bool decided = from_low == from_high
                   && (ckda_fp_is_finite(from_low, f) || arf_sgn(low) == arf_sgn(high));
    arf_clear(high);
    arf_clear(low);
    if (!decided)
        return CKDA_E_UNABLE;
    *x = from_low;
    return CKDA_OK;
}

void
ckda_fp_grid_fmpq(fmpz_t n, const fmpq_t x, const fmpq_t step,
                  ckda_fp_direction direction)
{
    ckda_require(fmpq_sgn(step) > 0, "the step of a grid must be positive");
    fmpq_t steps;
    fmpz_t mag, rem;
    fmpq_init(steps);
    fmpz_init(mag);
    fmpz_init(rem);
    fmpq_div(steps, x, step);
    bool neg = fmpq_sgn(steps) < 0;
    fmpq_abs(steps, steps);
    fmpz_fdiv_qr(mag, rem, fmpq_numref(steps), fmpq_denref(steps));
    bool inexact = !fmpz_is_zero(rem);
    fmpz_mul_2exp(rem, rem, 1);
    int side = fmpz_cmp(rem, fmpq_denref(steps)); /* of the middle between two integers */
    /* "half" and "rest" as if the fraction were written in binary */
    bool half = side >= 0, rest = inexact && side != 0;
    if (fp_goes_up(direction, neg, fmpz_is_odd(mag), half, rest))
        fmpz_add_ui(mag, mag, 1);
    if (neg)
        fmpz_neg(mag, mag);
    fmpz_swap(n, mag);
    fmpz_clear(rem);
    fmpz_clear(mag);
    fmpq_clear(steps);
}
