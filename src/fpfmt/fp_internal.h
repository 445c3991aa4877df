/* The one rounding step of this room, and what the arithmetic shares.  Inline, because
 * searches call it some 10^9 times. */
#ifndef CKDA_FP_INTERNAL_H
#define CKDA_FP_INTERNAL_H
#include "ckda/fpfmt.h"

__extension__ typedef unsigned __int128 fp_u128;
__extension__ typedef __int128 fp_i128;
_Static_assert(sizeof(ulong) == 8,
               "64 bits of a quotient or a mantissa go into one word");

/* A finite value is (neg ? -1 : 1) * mant * 2^exp; mant = 0 only for a zero. */
typedef struct {
    uint64_t mant;
    int exp;
    bool neg;
    bool special; /* infinity or NaN; mant and exp are then 0 */
    bool nan;
} fp_num;

/* Exponents beyond this magnitude are all alike to every format. */
#define FP_FAR (INT64_C(1) << 40)

/* floor(log2 m), m > 0. */
static inline int
fp_top_bit(fp_u128 m)
{
    uint64_t high = (uint64_t)(m >> 64);
    return high ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll((uint64_t)m);
}

static inline int
fp_least_exp(const ckda_fp_format *f)
{
    return f->emin - (f->precision - 1);
}

static inline fp_num
fp_unpack(uint64_t x, const ckda_fp_format *f)
{
    uint64_t m = x & ~f->sign;
    fp_num v = {0, 0, (x & f->sign) != 0, false, false};
    if (m > f->largest) {
        v.special = true;
        v.nan = !f->has_infinity || m != f->infinity;
        return v;
    }
    int field = (int)(m >> (f->precision - 1));
    if (field == 0) {
        v.mant = m;
        v.exp = fp_least_exp(f);
    } else {
        uint64_t hidden = UINT64_C(1) << (f->precision - 1);
        v.mant = (m & (hidden - 1)) | hidden;
        v.exp = fp_least_exp(f) + field - 1;
    }
    return v;
}

static inline uint64_t
fp_zero(bool neg, const ckda_fp_format *f, const ckda_fp_rule *r)
{
    return neg && !r->plus_zero ? f->sign : 0;
}

/* A result that is exactly infinite. */
static inline uint64_t
fp_infinite(bool neg, const ckda_fp_format *f, const ckda_fp_rule *r)
{
    uint64_t sign = neg ? f->sign : 0;
    if (r->overflow == CKDA_FP_SATURATE)
        return f->largest | sign;
    return f->has_infinity ? f->infinity | sign : f->nan;
}

/* A finite result past the largest value. */
static inline uint64_t
fp_too_large(bool neg, const ckda_fp_format *f, const ckda_fp_rule *r)
{
    bool inward = r->direction == CKDA_FP_RTZ || (r->direction == CKDA_FP_RUP && neg)
                  || (r->direction == CKDA_FP_RDN && !neg);
    return inward ? f->largest | (neg ? f->sign : 0) : fp_infinite(neg, f, r);
}

/* Does a magnitude go up to the next one, given the last kept bit, the first dropped bit
 * and whether anything non-zero follows it? */
static inline bool
fp_goes_up(ckda_fp_direction d, bool neg, bool odd, bool half, bool rest)
{
    switch (d) {
    case CKDA_FP_RNE:
        return half && (rest || odd);
    case CKDA_FP_RNA:
        return half;
    case CKDA_FP_RUP:
        return !neg && (half || rest);
    case CKDA_FP_RDN:
        return neg && (half || rest);
    case CKDA_FP_RTZ:
        break;
    }
    return false;
}

/* The rounding of +-(m + s) 2^e, where s = 0, or 0 < s < 1 if `sticky`; m > 0, |e| at
 * most a little above FP_FAR.  With sticky, m must have at least precision + 2 bits: then
 * no rounding boundary lies strictly between m and m + 1. */
static inline uint64_t
fp_round(bool neg, uint64_t m, int64_t e, bool sticky, const ckda_fp_format *f,
         const ckda_fp_rule *r)
{
    int lead = __builtin_clzll(m);
    m <<= lead;
    e -= lead;
    int64_t top = e + 63; /* floor(log2 of the magnitude) */
    int flush_exp = r->flush_exp == CKDA_FP_EMIN ? f->emin : r->flush_exp;
    if (r->flush == CKDA_FP_FLUSH_BEFORE && top < flush_exp)
        return fp_zero(neg, f, r);
    if (top > f->emax)
        return fp_too_large(neg, f, r);

    int64_t unit = (top < f->emin ? f->emin : top) - (f->precision - 1);
    int64_t drop = unit - e; /* at least 64 - precision, so at least 11 */
    uint64_t kept = 0;
    bool half = false, rest = true;
    if (drop < 64) {
        kept = m >> drop;
        half = (m >> (drop - 1)) & 1;
        rest = sticky || (m << (64 - drop) << 1) != 0;
    } else if (drop == 64) {
        half = true; /* m is normalised */
        rest = sticky || m << 1 != 0;
    }
    kept += fp_goes_up(r->direction, neg, kept & 1, half, rest);

    /* The hidden bit in `kept` adds one to the exponent field: right for subnormals, for
     * normal values, and for a carry into the next exponent alike. */
    uint64_t x = ((uint64_t)(unit - fp_least_exp(f)) << (f->precision - 1)) + kept;
    if (x > f->largest)
        return fp_too_large(neg, f, r);
    if (x == 0)
        return fp_zero(neg, f, r);
    if (r->flush == CKDA_FP_FLUSH_AFTER && unit + 63 - __builtin_clzll(kept) < flush_exp)
        return fp_zero(neg, f, r);
    return x | (neg ? f->sign : 0);
}

/* The same for 128 bits; with sticky, m must be at least 2^64. */
static inline uint64_t
fp_round_wide(bool neg, fp_u128 m, int64_t e, bool sticky, const ckda_fp_format *f,
              const ckda_fp_rule *r)
{
    uint64_t high = (uint64_t)(m >> 64);
    if (high == 0)
        return fp_round(neg, (uint64_t)m, e, sticky, f, r);
    int lead = __builtin_clzll(high);
    m <<= lead;
    return fp_round(neg, (uint64_t)(m >> 64), e - lead + 64, sticky || (uint64_t)m != 0,
                    f, r);
}

#endif
