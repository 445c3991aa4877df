/* The formats, and what needs only a look at a pattern. */
#include <string.h>

#include "fp_internal.h"

/* name, exponent bits, fraction bits, as in IEEE 754: the top exponent field is for
 * infinity and NaN. */
#define IEEE(NAME, EXP, FRAC)                                                            \
    {                                                                                    \
        .name = NAME, .width = 1 + (EXP) + (FRAC), .precision = (FRAC) + 1,              \
        .emin = 2 - (1 << ((EXP)-1)), .emax = (1 << ((EXP)-1)) - 1,                      \
        .has_infinity = true, .sign = UINT64_C(1) << ((EXP) + (FRAC)),                   \
        .largest = (((UINT64_C(1) << (EXP)) - 1) << (FRAC)) - 1,                         \
        .infinity = ((UINT64_C(1) << (EXP)) - 1) << (FRAC),                              \
        .nan = (((UINT64_C(1) << (EXP)) - 1) << (FRAC)) | UINT64_C(1) << ((FRAC)-1)      \
    }

const ckda_fp_format ckda_fp_bf16 = IEEE("bf16", 8, 7);
const ckda_fp_format ckda_fp_fp16 = IEEE("fp16", 5, 10);
const ckda_fp_format ckda_fp_fp32 = IEEE("fp32", 8, 23);
const ckda_fp_format ckda_fp_fp64 = IEEE("fp64", 11, 52);
const ckda_fp_format ckda_fp_tf32 = IEEE("tf32", 8, 10);
const ckda_fp_format ckda_fp_e5m2 = IEEE("e5m2", 5, 2);
/* The top exponent field holds seven more values; only the all-ones pattern is NaN. */
const ckda_fp_format ckda_fp_e4m3 = {.name = "e4m3",
                                     .width = 8,
                                     .precision = 4,
                                     .emin = -6,
                                     .emax = 8,
                                     .has_infinity = false,
                                     .sign = 0x80,
                                     .largest = 0x7e,
                                     .infinity = 0,
                                     .nan = 0x7f};

const ckda_fp_format *const ckda_fp_formats[] = {
    &ckda_fp_bf16, &ckda_fp_fp16, &ckda_fp_fp32, &ckda_fp_fp64,
    &ckda_fp_tf32, &ckda_fp_e4m3, &ckda_fp_e5m2, NULL};

const ckda_fp_rule ckda_fp_rne = {.direction = CKDA_FP_RNE};
const ckda_fp_rule ckda_fp_rtz = {.direction = CKDA_FP_RTZ};

const ckda_fp_format *
ckda_fp_format_named(const char *name)
{
    for (int i = 0; ckda_fp_formats[i] != NULL; i++)
        if (strcmp(ckda_fp_formats[i]->name, name) == 0)
            return ckda_fp_formats[i];
    return NULL;
}

ckda_fp_class
ckda_fp_classify(uint64_t x, const ckda_fp_format *f)
{
    uint64_t m = x & ~f->sign;
    if (m > f->largest)
        return f->has_infinity && m == f->infinity ? CKDA_FP_INFINITE : CKDA_FP_NAN;
    if (m >= ckda_fp_smallest_normal(f))
        return CKDA_FP_NORMAL;
    return m == 0 ? CKDA_FP_ZERO : CKDA_FP_SUBNORMAL;
}

bool
ckda_fp_is_finite(uint64_t x, const ckda_fp_format *f)
{
    return (x & ~f->sign) <= f->largest;
}

bool
ckda_fp_is_negative(uint64_t x, const ckda_fp_format *f)
{
    return (x & f->sign) != 0;
}

static bool
is_nan(uint64_t x, const ckda_fp_format *f)
{
    return ckda_fp_classify(x, f) == CKDA_FP_NAN;
}

uint64_t
ckda_fp_neg(uint64_t x, const ckda_fp_format *f)
{
    return is_nan(x, f) ? f->nan : x ^ f->sign;
}

uint64_t
ckda_fp_smallest_normal(const ckda_fp_format *f)
{
    return UINT64_C(1) << (f->precision - 1);
}

uint64_t
ckda_fp_smallest_subnormal(const ckda_fp_format *f)
{
    (void)f;
    return 1;
}

/* Patterns of one sign are ordered as their magnitudes are. */
ckda_fp_ordering
ckda_fp_cmp(uint64_t x, uint64_t y, const ckda_fp_format *f)
{
    if (is_nan(x, f) || is_nan(y, f))
        return CKDA_FP_UNORDERED;
    int64_t a = (int64_t)(x & ~f->sign), b = (int64_t)(y & ~f->sign);
    a = ckda_fp_is_negative(x, f) ? -a : a;
    b = ckda_fp_is_negative(y, f) ? -b : b;
    return a < b ? CKDA_FP_LESS : a > b ? CKDA_FP_GREATER : CKDA_FP_EQUAL;
}

uint64_t
ckda_fp_next_up(uint64_t x, const ckda_fp_format *f)
{
    if (is_nan(x, f))
        return f->nan;
    if ((x & ~f->sign) == 0)
        return 1;
    if (x & f->sign)
        return x - 1; /* -infinity: one below its magnitude is the largest value */
    if (x == f->largest)
        return f->has_infinity ? f->infinity : f->nan;
    return ckda_fp_is_finite(x, f) ? x + 1 : x;
}

uint64_t
ckda_fp_next_down(uint64_t x, const ckda_fp_format *f)
{
    return ckda_fp_neg(ckda_fp_next_up(ckda_fp_neg(x, f), f), f);
}

ckda_status
ckda_fp_ulp(int *e, uint64_t x, const ckda_fp_format *f)
{
    if (!ckda_fp_is_finite(x, f))
        return CKDA_E_DOMAIN;
    *e = fp_unpack(x, f).exp; /* the unit of the significand, subnormals included */
    return CKDA_OK;
}

ckda_status
ckda_fp_get_dyadic(int64_t *m, int64_t *e, uint64_t x, const ckda_fp_format *f)
{
    if (!ckda_fp_is_finite(x, f))
        return CKDA_E_DOMAIN;
    fp_num v = fp_unpack(x, f);
    int zeros = v.mant == 0 ? 0 : __builtin_ctzll(v.mant);
    int64_t odd = (int64_t)(v.mant >> zeros);
    *m = v.neg ? -odd : odd;
    *e = v.mant == 0 ? 0 : v.exp + zeros;
    return CKDA_OK;
}

double
ckda_fp_get_double(uint64_t x, const ckda_fp_format *f)
{
    uint64_t bits = ckda_fp_convert(x, f, &ckda_fp_fp64, &ckda_fp_rne);
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}
