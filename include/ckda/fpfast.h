/* ckda/fpfast.h -- the roundings of ckda/fpfmt.h that hot loops take in the processor.
 *
 * These inline functions rest on the processor: IEEE binary32 with rounding to nearest,
 * ties to even, subnormals neither read nor written as zero, no wider intermediates, an
 * fmaf that rounds once.  The compiler is asked about fast-math and intermediates below;
 * ckda_fp_host_is_ieee asks the processor about the rest: call it once in every thread
 * before the first use, since the mode is the thread's.  Compile with -ffp-contract=off
 * when you write a*b+c between these calls.  Conversions to bf16 are integer code;
 * hardware bf16 conversion (vcvtneps2bf16) takes subnormals as zero and is not used.
 *
 * Each function equals the one of fpfmt.h named beside it under the rule ckda_fp_rne, bit
 * for bit, canonical NaN included. */
#ifndef CKDA_FPFAST_H
#define CKDA_FPFAST_H
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifdef __FAST_MATH__
#error "ckda/fpfast.h needs IEEE arithmetic: compile without -ffast-math"
#endif
#if !defined(FLT_EVAL_METHOD) || FLT_EVAL_METHOD != 0
#error "ckda/fpfast.h needs float arithmetic in float (FLT_EVAL_METHOD 0)"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Does the calling thread round to nearest, keep subnormals, and round fmaf once? */
bool ckda_fp_host_is_ieee(void);

static inline float
ckda_fast_float_from_bits(uint32_t x)
{
    float f;
    memcpy(&f, &x, sizeof f);
    return f;
}

/* The pattern, NaN made canonical. */
static inline uint32_t
ckda_fast_bits_from_float(float f)
{
    uint32_t x;
    memcpy(&x, &f, sizeof x);
    return f != f ? UINT32_C(0x7fc00000) : x;
}

/* ckda_fp_add, _sub, _mul, _fma with fp32 operands and target */
static inline uint32_t
ckda_fast_fp32_add(uint32_t x, uint32_t y)
{
    return ckda_fast_bits_from_float(ckda_fast_float_from_bits(x)
                                     + ckda_fast_float_from_bits(y));
}

static inline uint32_t
ckda_fast_fp32_sub(uint32_t x, uint32_t y)
{
    return ckda_fast_bits_from_float(ckda_fast_float_from_bits(x)
                                     - ckda_fast_float_from_bits(y));
}

static inline uint32_t
ckda_fast_fp32_mul(uint32_t x, uint32_t y)
{
    return ckda_fast_bits_from_float(ckda_fast_float_from_bits(x)
                                     * ckda_fast_float_from_bits(y));
}

static inline uint32_t
ckda_fast_fp32_fma(uint32_t x, uint32_t y, uint32_t z)
{
    return ckda_fast_bits_from_float(fmaf(ckda_fast_float_from_bits(x),
                                          ckda_fast_float_from_bits(y),
                                          ckda_fast_float_from_bits(z)));
}

/* bf16 is the upper half of fp32: adding half a unit, less one if the last kept bit is
 * even, carries into the kept bits exactly when rounding goes up.  ckda_fp_convert */
static inline uint16_t
ckda_fast_bf16_from_float(float f)
{
    uint32_t x;
    memcpy(&x, &f, sizeof x);
    uint32_t up = x + UINT32_C(0x7fff) + ((x >> 16) & 1);
    return f != f ? UINT16_C(0x7fc0) : (uint16_t)(up >> 16);
}

/* exact */
static inline float
ckda_fast_float_from_bf16(uint16_t x)
{
    return ckda_fast_float_from_bits((uint32_t)x << 16);
}

/* ckda_fp_convert.  Normal results: re-bias and round as for bf16.  Subnormal results:
 * the sum with 1/2 (whose unit is 2^-24, the unit of fp16's subnormals) rounds in
 * hardware. */
static inline uint16_t
ckda_fast_fp16_from_float(float f)
{
    uint32_t x;
    memcpy(&x, &f, sizeof x);
    uint32_t sign = (x >> 16) & 0x8000, m = x & UINT32_C(0x7fffffff), y;
    if (m > UINT32_C(0x7f800000))
        return UINT16_C(0x7e00);
    if (m >= UINT32_C(0x477ff000)) /* 65520, half way past the largest value */
        return (uint16_t)(sign | 0x7c00);
    if (m < UINT32_C(0x38800000)) { /* 2^-14 */
        float sum = ckda_fast_float_from_bits(m) + 0.5f;
        memcpy(&y, &sum, sizeof y);
        y -= UINT32_C(0x3f000000);
    } else {
        y = (m + UINT32_C(0xfff) + ((m >> 13) & 1) - UINT32_C(0x38000000)) >> 13;
    }
    return (uint16_t)(sign | y);
}

/* exact, NaN made canonical */
static inline float
ckda_fast_float_from_fp16(uint16_t x)
{
    uint32_t sign = (uint32_t)(x & 0x8000) << 16, m = x & 0x7fff;
    if (m > 0x7c00)
        return ckda_fast_float_from_bits(UINT32_C(0x7fc00000));
    if (m == 0x7c00)
        return ckda_fast_float_from_bits(sign | UINT32_C(0x7f800000));
    /* the same fields read as fp32 are 2^112 times too small, subnormals included */
    float f = ckda_fast_float_from_bits(m << 13) * 0x1p112f;
    return sign ? -f : f;
}

/* bf16 operands and target, rounded once.  A float product of two bf16 values is exact,
 * or so small that the result is zero or decided by bits that it keeps; a float sum has
 * 24
 * >= 2 * 8 + 2 bits, which makes its second rounding harmless.  This is NOT so for an fma
 * or for longer sums: use ckda_fp_fma.  ckda_fp_mul, ckda_fp_add */
static inline uint16_t
ckda_fast_bf16_mul(uint16_t x, uint16_t y)
{
    return ckda_fast_bf16_from_float(ckda_fast_float_from_bf16(x)
                                     * ckda_fast_float_from_bf16(y));
}

static inline uint16_t
ckda_fast_bf16_add(uint16_t x, uint16_t y)
{
    return ckda_fast_bf16_from_float(ckda_fast_float_from_bf16(x)
                                     + ckda_fast_float_from_bf16(y));
}

#ifdef __cplusplus
}
#endif
#endif
