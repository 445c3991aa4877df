/* ckda/fpfmt.h -- floating-point formats as data, and every rounding as one function.
 *
 * A format value is a pattern: the bits of the storage format in the low bits of a
 * uint64_t, all higher bits zero.  A finite pattern stands for an exact dyadic rational.
 * A function that rounds takes the exact value (a rational, a dyadic number, a double, or
 * the exact sum or product of patterns) and rounds it ONCE, to the named format; nothing
 * here goes through a wider float in between.  All of it is integer arithmetic: no result
 * depends on the rounding mode of the processor or on its treatment of subnormals.  (The
 * short cuts that do use the processor are apart, in ckda/fpfast.h.)
 *
 * Units.  Exponents are those of powers of two.  "ulp" is the spacing of the format at a
 * value: 2^(max(floor(log2 |x|), emin) - precision + 1).
 * Ties.  RNE: of two neighbours at equal distance, the one with an even last bit; past
 * the largest value the next one is imagined (exponents and fractions continue), and the
 * result overflows if it is not finite in the format.
 * NaN.  Every NaN result is the canonical pattern format->nan (positive, quiet, payload
 * 0).  Payloads and signs of NaN arguments are not carried over: processors disagree
 * about them (x86 keeps the first operand's, NVIDIA returns 0x7fffffff), so compare
 * classes. Infinity.  inf - inf, 0 * inf and an fma of these are NaN; else infinity stays
 * infinity. Zero.  Signed; a product has the sign of its factors, an exact sum x + (-x)
 * is +0 (-0 when rounding down), an underflow keeps its sign.  rule.plus_zero turns -0 to
 * +0.
 *
 * Precondition everywhere: a pattern is below 2^width.  Results may alias arguments. When
 * a function returns anything but CKDA_OK its results keep the values they had.  Threads:
 * formats and rules are read-only, nothing is cached, calls are independent; a thread
 * that used the functions on rationals ends with flint_cleanup(). */
#ifndef CKDA_FPFMT_H
#define CKDA_FPFMT_H
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "ckda/flint_compat.h"
#include "ckda/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- formats ---------------------------------------------------------------------- */

typedef struct {
    const char *name;
    int width;     /* bits of a pattern: sign, exponent, fraction */
    int precision; /* bits of a significand, the hidden one included */
    int emin;      /* 2^emin is the smallest normal value */
    int emax;      /* values with exponent emax exist, with exponent emax + 1 do not */
    bool has_infinity;
    uint64_t sign;     /* the sign bit */
    uint64_t largest;  /* pattern of the largest finite value */
    uint64_t infinity; /* pattern of +infinity; meaningless without has_infinity */
    uint64_t nan;      /* the canonical NaN */
} ckda_fp_format;

/* e4m3 and e5m2 as in the OCP 8-bit specification: e4m3 has no infinity, one NaN of each
 * sign (0x7f, 0xff) and the largest value 448.  tf32 has 19 bits: the register pattern of
 * NVIDIA's TF32 shifted right by 13.  All formats have subnormals. */
extern const ckda_fp_format ckda_fp_bf16, ckda_fp_fp16, ckda_fp_fp32, ckda_fp_fp64,
    ckda_fp_tf32, ckda_fp_e4m3, ckda_fp_e5m2;
/* All of them in that order, then NULL. */
extern const ckda_fp_format *const ckda_fp_formats[];
/* By the names above without the prefix ("bf16"); NULL if there is none. */
const ckda_fp_format *ckda_fp_format_named(const char *name);

/* ---- rounding rules ---------------------------------------------------------------- */

typedef enum {
    CKDA_FP_RNE = 0, /* nearest, ties to even */
    CKDA_FP_RTZ,     /* towards zero */
    CKDA_FP_RUP,     /* towards +infinity */
    CKDA_FP_RDN,     /* towards -infinity */
    CKDA_FP_RNA      /* nearest, ties away from zero (cvt.rna.tf32.f32) */
} ckda_fp_direction;

typedef enum {
    /* Rounding decides: the largest value if it points away from infinity, else infinity,
     * or NaN in a format without infinities. */
    CKDA_FP_OVERFLOW_IEEE = 0,
    /* The largest value with the sign; infinite results become that too.  NaN stays. */
    CKDA_FP_SATURATE
} ckda_fp_overflow;

/* Small magnitudes become zero: those of the exact value below 2^flush_exp (BEFORE), or
 * those of the rounded value (AFTER).  The two differ only for exact values that round up
 * to 2^flush_exp itself: BEFORE makes them zero, AFTER keeps them.  "Rounded" means in
 * the format, subnormal spacing included.  The sign stays on the zero. */
typedef enum {
    CKDA_FP_NO_FLUSH = 0,
    CKDA_FP_FLUSH_BEFORE,
    CKDA_FP_FLUSH_AFTER
} ckda_fp_flush;
#define CKDA_FP_EMIN INT_MIN /* as flush_exp: emin of the target, so subnormals (FTZ) */

/* All zero is the usual rule: RNE, IEEE overflow, subnormals kept, signed zeros. */
typedef struct {
    ckda_fp_direction direction;
    ckda_fp_overflow overflow;
    ckda_fp_flush flush;
    int flush_exp; /* at most emax of the target; read only if flush is set */
    bool plus_zero;
} ckda_fp_rule;
extern const ckda_fp_rule ckda_fp_rne, ckda_fp_rtz;

/* ---- patterns ---------------------------------------------------------------------- */

typedef enum {
    CKDA_FP_ZERO,
    CKDA_FP_SUBNORMAL,
    CKDA_FP_NORMAL,
    CKDA_FP_INFINITE,
    CKDA_FP_NAN
} ckda_fp_class;

ckda_fp_class ckda_fp_classify(uint64_t x, const ckda_fp_format *f);
bool ckda_fp_is_finite(uint64_t x, const ckda_fp_format *f);
/* The sign bit; also of zeros and NaN. */
bool ckda_fp_is_negative(uint64_t x, const ckda_fp_format *f);
/* -x; a NaN becomes the canonical one. */
uint64_t ckda_fp_neg(uint64_t x, const ckda_fp_format *f);
uint64_t ckda_fp_smallest_normal(const ckda_fp_format *f);
uint64_t ckda_fp_smallest_subnormal(const ckda_fp_format *f);

/* Order of the values; -0 equals +0; a NaN is unordered with everything. */
typedef enum {
    CKDA_FP_LESS = -1,
    CKDA_FP_EQUAL = 0,
    CKDA_FP_GREATER = 1,
    CKDA_FP_UNORDERED = 2
} ckda_fp_ordering;
ckda_fp_ordering ckda_fp_cmp(uint64_t x, uint64_t y, const ckda_fp_format *f);

/* The least value above x, the greatest below.  From both zeros to the smallest
 * subnormal; from the largest value to infinity, or to NaN where there is none; next_up
 * of +infinity is +infinity, of -infinity the most negative finite value. */
uint64_t ckda_fp_next_up(uint64_t x, const ckda_fp_format *f);
uint64_t ckda_fp_next_down(uint64_t x, const ckda_fp_format *f);

/* ulp(x) = 2^*e.  CKDA_E_DOMAIN for infinities and NaN. */
CKDA_MUST_CHECK ckda_status ckda_fp_ulp(int *e, uint64_t x, const ckda_fp_format *f);

/* ---- patterns to exact numbers ----------------------------------------------------- */

/* x = *m * 2^*e with m odd, or 0 * 2^0.  CKDA_E_DOMAIN for infinities and NaN. */
CKDA_MUST_CHECK ckda_status ckda_fp_get_dyadic(int64_t *m, int64_t *e, uint64_t x,
                                               const ckda_fp_format *f);
CKDA_MUST_CHECK ckda_status ckda_fp_get_fmpq(fmpq_t q, uint64_t x,
                                             const ckda_fp_format *f);
/* Exact for every format, with infinities and the canonical NaN. */
double ckda_fp_get_double(uint64_t x, const ckda_fp_format *f);

/* ---- exact numbers to patterns: one rounding each ---------------------------------- */

uint64_t ckda_fp_from_fmpq(const fmpq_t q, const ckda_fp_format *f,
                           const ckda_fp_rule *rule);
/* m * 2^e; any e. */
uint64_t ckda_fp_from_dyadic(int64_t m, int64_t e, const ckda_fp_format *f,
                             const ckda_fp_rule *rule);
uint64_t ckda_fp_from_fmpz_2exp(const fmpz_t m, const fmpz_t e, const ckda_fp_format *f,
                                const ckda_fp_rule *rule);
uint64_t ckda_fp_from_double(double x, const ckda_fp_format *f, const ckda_fp_rule *rule);
/* The rounding of the real number that a encloses, when the ball is small enough to
 * decide it; CKDA_E_UNABLE when both sides of a rounding boundary lie inside.  A number
 * that is not itself such a boundary (every irrational one) is decided by a small enough
 * ball. */
CKDA_MUST_CHECK ckda_status ckda_fp_from_arb(uint64_t *x, const arb_t a,
                                             const ckda_fp_format *f,
                                             const ckda_fp_rule *rule);
/* Format to format: the same as through the exact value; NaN and infinities as above. */
uint64_t ckda_fp_convert(uint64_t x, const ckda_fp_format *from, const ckda_fp_format *to,
                         const ckda_fp_rule *rule);

/* ---- arithmetic: the exact result, rounded once ------------------------------------ */

/* Operands may have different formats, none of which need be the target's: state in
 * bf16, key in fp32, result in fp32.  Note that rounding the result once more to a
 * storage format is a second rounding; that is what a kernel does which computes in one
 * format and stores in another, and it differs from one rounding. */
uint64_t ckda_fp_add(uint64_t x, const ckda_fp_format *fx, uint64_t y,
                     const ckda_fp_format *fy, const ckda_fp_format *to,
                     const ckda_fp_rule *rule);
uint64_t ckda_fp_sub(uint64_t x, const ckda_fp_format *fx, uint64_t y,
                     const ckda_fp_format *fy, const ckda_fp_format *to,
                     const ckda_fp_rule *rule);
uint64_t ckda_fp_mul(uint64_t x, const ckda_fp_format *fx, uint64_t y,
                     const ckda_fp_format *fy, const ckda_fp_format *to,
                     const ckda_fp_rule *rule);
/* x y + z */
uint64_t ckda_fp_fma(uint64_t x, const ckda_fp_format *fx, uint64_t y,
                     const ckda_fp_format *fy, uint64_t z, const ckda_fp_format *fz,
                     const ckda_fp_format *to, const ckda_fp_rule *rule);

/* ---- grids ------------------------------------------------------------------------- */

/* The integer next to x, in x's own format (rintf for RNE): exact there, so no second
 * rounding.  The sign of x stays on a zero; infinities stay; NaN is the canonical one. */
uint64_t ckda_fp_rint(uint64_t x, const ckda_fp_format *f, ckda_fp_direction direction);
/* *n = the integer next to scale * x, the product taken exactly: x on the grid of step
 * 1/scale.  CKDA_E_DOMAIN for infinities, NaN, and |n| >= 2^63. */
CKDA_MUST_CHECK ckda_status ckda_fp_to_grid(int64_t *n, uint64_t x,
                                            const ckda_fp_format *f, int64_t scale,
                                            ckda_fp_direction direction);
/* n = the integer next to x / step, for any rational; step > 0 (caller's duty). */
void ckda_fp_grid_fmpq(fmpz_t n, const fmpq_t x, const fmpq_t step,
                       ckda_fp_direction direction);

/* ---- inner products ---------------------------------------------------------------- */

typedef enum {
    /* s = init; s = s + a_i b_i for i = 0, 1, ...: fused, or the product rounded first.
     */
    CKDA_FP_SEQUENTIAL,
    /* Products rounded; neighbours added level by level (an odd last one moves up as it
     * is); init added to the total at the end. */
    CKDA_FP_PAIRWISE,
    /* Blocks of `width` neighbouring terms (the last may be shorter), each block summed
     * as one step: what a tensor core does. */
    CKDA_FP_BLOCKED
} ckda_fp_order;

/* The exponent by which a term of a truncating block is aligned. */
typedef enum {
    CKDA_FP_ALIGN_FIELDS, /* sum of the factors' exponents, subnormals having emin: the
                             significand of a product is then in [0, 4) */
    CKDA_FP_ALIGN_VALUE   /* floor(log2 |term|) */
} ckda_fp_align;

/* In a block of terms t_1 ... t_w (exact products, and the running sum when
 * carry_inside): keep_bits = 0: the exact sum is rounded once to acc.  keep_bits = K, 1
 * .. 64: let E be the largest exponent (see align) of the non-zero terms; each term is
 * cut towards zero to a multiple of 2^(E - K), these are added exactly, and that sum is
 * rounded once to acc. Without carry_inside the rounded block sum is then added to the
 * running sum, with one more rounding.  A block whose sum is exactly zero gives +0. */
typedef struct {
    ckda_fp_order order;
    bool fused;        /* SEQUENTIAL only */
    long width;        /* BLOCKED only, >= 1 */
    bool carry_inside; /* BLOCKED only */
    int keep_bits;     /* BLOCKED only, 0 .. 64 */
    ckda_fp_align align;
    const ckda_fp_format *acc; /* format of the running sum, of init and of the result */
    ckda_fp_rule rule;         /* every rounding to acc */
} ckda_fp_dot_model;

/* sum a_i b_i + init under the model; init is a pattern of acc; n = 0 gives init.  O(n)
 * with small constants, except BLOCKED with keep_bits = 0, which adds big integers. */
uint64_t ckda_fp_dot(const uint64_t *a, const ckda_fp_format *fa, const uint64_t *b,
                     const ckda_fp_format *fb, long n, uint64_t init,
                     const ckda_fp_dot_model *model);
/* The same by definition, in rational arithmetic: slow, written apart, to test against.
 * Equal to ckda_fp_dot except that every zero result is +0. */
uint64_t ckda_fp_dot_definition(const uint64_t *a, const ckda_fp_format *fa,
                                const uint64_t *b, const ckda_fp_format *fb, long n,
                                uint64_t init, const ckda_fp_dot_model *model);
/* The exact inner product plus init (a pattern of finit), not rounded.  CKDA_E_DOMAIN if
 * an operand is not finite. */
CKDA_MUST_CHECK ckda_status ckda_fp_dot_exact(fmpq_t s, const uint64_t *a,
                                              const ckda_fp_format *fa, const uint64_t *b,
                                              const ckda_fp_format *fb, long n,
                                              uint64_t init, const ckda_fp_format *finit);

#ifdef __cplusplus
}
#endif
#endif
