/* Which logits reach the end points of a format; how long a gate lasts. */
#include "range_internal.h"

/* Has the value at this logit reached the edge?  Monotone in the logit. */
static ckda_status
reached(bool *yes, uint64_t logit, ckda_gates_edge edge, ckda_gates_how how,
        const ckda_gates_map *m, const ckda_fp_format *logits, const ckda_fp_format *f)
{
    uint64_t x;
    fmpq_t z;
    fmpq_init(z);
    ckda_status status = ckda_fp_get_fmpq(z, logit, logits);
    if (status == CKDA_OK)
        status = edge == CKDA_GATES_ALPHA_TOP ? ckda_gates_alpha(&x, z, m, f, how)
                                              : ckda_gates_beta(&x, z, m, f, how);
    if (status == CKDA_OK) {
        const slong end = edge == CKDA_GATES_BETA_BOTTOM ? 0
                          : edge == CKDA_GATES_BETA_TOP  ? m->beta_scale
                                                         : 1;
        *yes = x == ckda_fp_from_dyadic(end, 0, f, &ckda_fp_rne);
    }
    fmpq_clear(z);
    return status;
}

/* Magnitudes from 0 to the largest are patterns in order; the sign is that of the side. */
ckda_status
ckda_gates_threshold(uint64_t *logit, bool *exists, ckda_gates_edge edge,
                     ckda_gates_how how, const ckda_gates_map *m,
                     const ckda_fp_format *logits, const ckda_fp_format *f)
{
    const bool negative =
        edge == CKDA_GATES_BETA_BOTTOM
        || (edge == CKDA_GATES_ALPHA_TOP && m->kind == CKDA_GATES_SIGMOID);
    const uint64_t side = negative ? logits->sign : 0;
    uint64_t lo = 0, hi = logits->largest; /* not reached at lo, reached at hi */
    bool yes = false;
    /* a stepwise formula needs logits that the format of its steps holds */
    if (how != CKDA_GATES_ONCE) {
        const uint64_t most = ckda_fp_convert(f->largest, f, logits, &ckda_fp_rtz);
        hi = most < hi ? most : hi;
    }
    ckda_status status = reached(&yes, hi | side, edge, how, m, logits, f);
    if (status != CKDA_OK)
        return status;
    if (!yes) {
        *exists = false;
        return CKDA_OK;
    }
    while (hi - lo > 1) {
        const uint64_t mid = lo + (hi - lo) / 2;
        status = reached(&yes, mid | side, edge, how, m, logits, f);
        if (status != CKDA_OK)
            return status;
        if (yes)
            hi = mid;
        else
            lo = mid;
    }
    *exists = true;
    *logit = hi | side;
    return CKDA_OK;
}

/* ---- horizons ------------------------------------------------------------------------ */

/* Is x^T < threshold?  Powers of exact numbers by enclosures; equality only if the
 * denominators agree, and then T is small. */
static ckda_truth
below(const fmpq_t x, uint64_t T, const fmpq_t threshold)
{
    ckda_truth answer = CKDA_UNKNOWN;
    const flint_bitcnt_t bits = fmpz_bits(fmpq_denref(x));
    if (T < 1u << 20 && (bits - 1) * T <= fmpz_bits(fmpq_denref(threshold))) {
        fmpq_t p;
        fmpq_init(p);
        fmpq_pow_si(p, x, (slong)T);
        answer = fmpq_cmp(p, threshold) < 0 ? CKDA_TRUE : CKDA_FALSE;
        fmpq_clear(p);
        return answer;
    }
    arb_t a, b;
    arb_init(a);
    arb_init(b);
    for (slong prec = 256; answer == CKDA_UNKNOWN && prec <= 1 << 16; prec *= 2) {
        arb_set_fmpq(a, x, prec);
        arb_pow_ui(a, a, (ulong)T, prec);
        arb_set_fmpq(b, threshold, prec);
        if (arb_lt(a, b))
            answer = CKDA_TRUE;
        else if (arb_ge(a, b))
            answer = CKDA_FALSE;
    }
    arb_clear(a);
    arb_clear(b);
    return answer;
}

ckda_status
ckda_gates_horizon(uint64_t *T, const fmpq_t x, const fmpq_t threshold)
{
    uint64_t lo = 0, hi = 1;
    if (fmpq_cmp_si(x, 1) >= 0 || fmpq_sgn(x) <= 0)
        return CKDA_E_DOMAIN;
    ckda_truth yes = below(x, hi, threshold);
    while (yes == CKDA_FALSE && hi < (uint64_t)1 << 62) {
        lo = hi;
        hi *= 2;
        yes = below(x, hi, threshold);
    }
    while (yes != CKDA_UNKNOWN && hi - lo > 1 && hi <= (uint64_t)1 << 62) {
        const uint64_t mid = lo + (hi - lo) / 2;
        const ckda_truth there = below(x, mid, threshold);
        if (there == CKDA_UNKNOWN)
            return CKDA_E_UNABLE;
        if (there == CKDA_TRUE)
            hi = mid;
        else
            lo = mid;
    }
    if (yes != CKDA_TRUE)
        return CKDA_E_UNABLE;
    *T = hi;
    return CKDA_OK;
}
