/* One token by definition: every operation through ckda/fpfmt.h, on patterns. */
#include "rounded_internal.h"

#include <math.h>

static const ckda_fp_format *
state_format(const ckda_rounded_t R)
{
    return R->arith.grid > 0 ? R->arith.compute : R->arith.state;
}

/* RN(x y), RN(x y + z) and friends; c is the compute format. */
static uint64_t
mul(uint64_t x, const ckda_fp_format *fx, uint64_t y, const ckda_fp_format *fy,
    const ckda_fp_format *c)
{
    return ckda_fp_mul(x, fx, y, fy, c, &ckda_fp_rne);
}

static uint64_t
store(double *tie, uint64_t y, const ckda_rounded_t R)
{
    const ckda_arith *a = &R->arith;
    if (tie != NULL) {
        const double d = ckda_rounded_tie(ckda_fp_get_double(y, a->compute), R);
        *tie = d < *tie ? d : *tie;
    }
    if (a->grid > 0) {
        const uint64_t x = ckda_fp_rint(y, a->compute, a->store);
        return ckda_fp_classify(x, a->compute) == CKDA_FP_ZERO ? 0 : x;
    }
    const ckda_fp_rule rule = ckda_rounded_store_rule(a);
    return ckda_fp_convert(y, a->compute, a->state, &rule);
}

/* x_0 y_0 + ... + x_(n-1) y_(n-1), in this order. */
static uint64_t
dot(const uint64_t *x, const ckda_fp_format *fx, const uint64_t *y,
    const ckda_fp_format *fy, const ckda_rounded_t R)
{
    const ckda_fp_format *c = R->arith.compute;
    uint64_t p = mul(x[0], fx, y[0], fy, c);
    for (slong i = 1; i < R->n; i++)
        p = R->arith.fma
                ? ckda_fp_fma(x[i], fx, y[i], fy, p, c, c, &ckda_fp_rne)
                : ckda_fp_add(p, c, mul(x[i], fx, y[i], fy, c), c, c, &ckda_fp_rne);
    return p;
}

/* RN(d - v q), with or without the product rounded first. */
static uint64_t
subtract(uint64_t d, uint64_t v, const ckda_fp_format *fv, uint64_t q,
         const ckda_rounded_t R)
{
    const ckda_fp_format *c = R->arith.compute;
    if (R->arith.fma)
        return ckda_fp_fma(ckda_fp_neg(v, fv), fv, q, c, d, c, c, &ckda_fp_rne);
    return ckda_fp_sub(d, c, mul(v, fv, q, c, c), c, c, &ckda_fp_rne);
}

/* y = one micro-step of h, not stored yet; D is scratch of n. */
static void
micro_step(uint64_t *y, uint64_t *D, const uint64_t *h, uint32_t s,
           const ckda_rounded_t R)
{
    const ckda_arith *a = &R->arith;
    const slong n = R->n;
    const uint64_t *key = R->key + s * n, *gate = R->gate + s * n;
    for (slong i = 0; i < n; i++)
        D[i] = mul(gate[i], a->beta, h[i], state_format(R), a->compute);
    uint64_t q = dot(key, a->keys, D, a->compute, R);
    const bool on_dot = a->order == CKDA_BETA_ON_DOT;
    if (on_dot)
        q = mul(R->beta[s], a->beta, q, a->compute, a->compute);
    for (slong i = 0; i < n; i++)
        y[i] = on_dot ? subtract(D[i], key[i], a->keys, q, R)
                      : subtract(D[i], R->scaled_key[s * n + i], a->compute, q, R);
}

static void
one_column(uint64_t *h, uint64_t *work, double *tie, uint32_t letter,
           const ckda_rounded_t R)
{
    const slong n = R->n;
    uint64_t *y = work, *D = work + n;
    const uint32_t last = R->first[letter + 1];
    if (R->matrix != NULL) {
        for (slong i = 0; i < n; i++)
            y[i] = dot(R->matrix + (letter * n + i) * n, R->arith.keys, h,
                       state_format(R), R);
        for (slong i = 0; i < n; i++)
            h[i] = store(tie, y[i], R);
        return;
    }
    for (uint32_t s = R->first[letter]; s < last; s++) {
        micro_step(y, D, h, s, R);
        for (slong i = 0; i < n; i++)
            h[i] = store(s + 1 == last ? tie : NULL, y[i], R);
    }
}

void
ckda_rounded_define(uint64_t *H, double *tie, slong m, uint32_t letter,
                    const ckda_rounded_t R)
{
    const slong n = R->n;
    uint64_t *work = flint_malloc(3 * (size_t)n * sizeof *work), *h = work + 2 * n;
    for (slong j = 0; j < m; j++) {
        for (slong i = 0; i < n; i++)
            h[i] = H[i * m + j];
        one_column(h, work, tie, letter, R);
        for (slong i = 0; i < n; i++)
            H[i * m + j] = h[i];
    }
    flint_free(work);
}

void
ckda_rounded_step_definition(uint64_t *H, slong m, uint32_t letter,
                             const ckda_rounded_t R)
{
    ckda_rounded_define(H, NULL, m, letter, R);
}

/* ---- doubles around it ------------------------------------------------------------- */

static void
define_letter(double *out, double *tie, const double *H, slong m, uint32_t letter,
              const ckda_rounded_t R)
{
    const ckda_fp_format *f = state_format(R);
    const slong size = R->n * m;
    uint64_t *bits = flint_malloc((size_t)(size > 0 ? size : 1) * sizeof *bits);
    for (slong i = 0; i < size; i++)
        bits[i] = ckda_fp_from_double(H[i], f, &ckda_fp_rne);
    ckda_rounded_define(bits, tie, m, letter, R);
    for (slong i = 0; i < size; i++)
        out[i] = ckda_fp_get_double(bits[i], f);
    flint_free(bits);
}

static void
letters(double *out, double *tie, const double *H, slong m, uint32_t from, uint32_t to,
        const ckda_rounded_t R)
{
    if (R->uses_fp32)
        ckda_rounded_float_letters(out, tie, H, m, from, to, R);
    else if (R->uses_fp64)
        ckda_rounded_double_letters(out, tie, H, m, from, to, R);
    else
        for (uint32_t l = from; l < to; l++)
            define_letter(out + (l - from) * R->n * m, tie, H, m, l, R);
}

void
ckda_rounded_step(double *H, slong m, uint32_t letter, const ckda_rounded_t R)
{
    letters(H, NULL, H, m, letter, letter + 1, R);
}

void
ckda_rounded_expand(double *out, double *tie, const double *H, slong m,
                    const ckda_rounded_t R)
{
    letters(out, tie, H, m, 0, R->nletters, R);
}

/* ---- ties -------------------------------------------------------------------------- */

/* t >= 0 in units of the spacing, which halves below `low` (0: nowhere near). */
static double
distance_in_units(double t, double low, bool nearest)
{
    const double f = t - floor(t);
    if (!nearest)
        return t < 1 ? fmin(1 - f, 0.5) : fmin(f, 1 - f);
    const double middle = fabs(f - 0.5);
    return low > 0 && floor(t) == low ? fmin(middle, f + 0.25) : middle;
}

/* |y| below the flush: the only boundary near is that of the least value kept. */
static double
distance_to_flush(double a, const ckda_arith *arith, bool nearest)
{
    const ckda_fp_format *f = arith->state;
    const int e = -arith->flush - 1, emin = f->emin;
    const double unit = ldexp(1, (e > emin ? e : emin) - f->precision + 1);
    const double gap = ldexp(1, -arith->flush) / unit - a / unit;
    return fmin(0.5, fabs(nearest ? gap - 0.5 : gap));
}

double
ckda_rounded_tie(double y, const ckda_rounded_t R)
{
    const ckda_arith *arith = &R->arith;
    const bool nearest = arith->store == CKDA_FP_RNE;
    const double a = fabs(y);
    if (!isfinite(a))
        return 0;
    if (arith->grid > 0)
        return distance_in_units(a, 0, nearest);
    const ckda_fp_format *f = arith->state;
    if (arith->has_flush && a < ldexp(1, -arith->flush))
        return distance_to_flush(a, arith, nearest);
    const int e = a > 0 ? ilogb(a) : f->emin;
    const int scale = (e > f->emin ? e : f->emin) - f->precision + 1;
    /* scaled in two steps: 2^-scale alone may overflow */
    const double t = ldexp(a, -scale);
    return distance_in_units(t, e > f->emin ? ldexp(1, f->precision - 1) : 0, nearest);
}
