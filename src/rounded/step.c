/* One token in the processor: the hot loop of a search over all words.
 *
 * The same inlined kernel is compiled for float and double, and on x86-64 once more for
 * processors with AVX2 and FMA: without that target an fma would be a call, and on old
 * processors a slow emulation.  Contraction is off (-ffp-contract=off), so a product and a
 * sum stay two roundings in every copy.                                                 */
#include "rounded_internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

#ifdef __FAST_MATH__
#error "the rounded recurrences need IEEE arithmetic: compile without -ffast-math"
#endif
#if !defined(FLT_EVAL_METHOD) || FLT_EVAL_METHOD != 0
#error "the rounded recurrences need float arithmetic in float (FLT_EVAL_METHOD 0)"
#endif

#if defined(__GNUC__) || defined(__clang__)
#define ALWAYS_INLINE inline __attribute__((always_inline))
#else
#define ALWAYS_INLINE inline
#endif
#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define WIDE __attribute__((target("avx2,fma")))
static bool
has_wide(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}
#endif

/* Columns that are worked on together, and entries of a block of them. */
#define COLUMNS 8
#define BUFFER (COLUMNS * CKDA_ROUNDED_FAST_MAX)

#define REAL float
#define REAL_MAX FLT_MAX
#define UINT uint32_t
#define INT int32_t
#define SIGN_BIT UINT32_C(0x80000000)
#define FRACTION UINT32_C(0x007fffff)
#define MULTIPLY_ADD __builtin_fmaf
#define NAME(x) float_##x
#include "step_kernel.h"
#undef REAL
#undef REAL_MAX
#undef UINT
#undef INT
#undef SIGN_BIT
#undef FRACTION
#undef MULTIPLY_ADD
#undef NAME

#define REAL double
#define REAL_MAX DBL_MAX
#define UINT uint64_t
#define INT int64_t
#define SIGN_BIT UINT64_C(0x8000000000000000)
#define FRACTION UINT64_C(0x000fffffffffffff)
#define MULTIPLY_ADD __builtin_fma
#define NAME(x) double_##x
#include "step_kernel.h"

void
ckda_rounded_float_letters(double *out, double *tie, const double *H, slong m,
                           uint32_t from, uint32_t to, const ckda_rounded_t R)
{
#ifdef WIDE
    if (has_wide()) {
        float_wide(out, tie, H, m, from, to, R);
        return;
    }
#endif
    float_plain(out, tie, H, m, from, to, R);
}

void
ckda_rounded_double_letters(double *out, double *tie, const double *H, slong m,
                            uint32_t from, uint32_t to, const ckda_rounded_t R)
{
#ifdef WIDE
    if (has_wide()) {
        double_wide(out, tie, H, m, from, to, R);
        return;
    }
#endif
    double_plain(out, tie, H, m, from, to, R);
}
