/* The step of ckda/arith.h in the processor's arithmetic, for one C type.
 *
 * Included by step.c once with REAL = float and once with REAL = double.  Everything is
 * inlined into callers that give n, m and fma as constants, so that the loops over columns
 * (the inner ones, over contiguous entries) unroll and use vector registers.            */
#ifndef REAL
#error                                                                                   \
    "step_kernel.h needs REAL, REAL_MAX, UINT, INT, SIGN_BIT, FRACTION, MULTIPLY_ADD and NAME"
#endif

static ALWAYS_INLINE UINT
NAME(bits)(REAL x)
{
    UINT b;
    memcpy(&b, &x, sizeof b);
    return b;
}

static ALWAYS_INLINE REAL
NAME(value)(UINT b)
{
    REAL x;
    memcpy(&x, &b, sizeof x);
    return x;
}

/* R->to_state in this type; those that are compared, as patterns. */
typedef struct {
    int drop;
    UINT odd, half_less, mask, tiny, unit, limit, over, flush;
    REAL anchor;
    /* for ties: the least normal value of the state; 2^-drop */
    REAL normal;
    double inverse;
} NAME(store_rule);

/* A double beyond the largest float means: never. */
static ALWAYS_INLINE REAL
NAME(narrow)(double x)
{
    return x > (double)REAL_MAX ? (REAL)INFINITY : (REAL)x;
}

static ALWAYS_INLINE
NAME(store_rule) NAME(get_rule)(const ckda_rounded_t R)
{
    const ckda_rounded_store *s = &R->to_state;
    const NAME(store_rule) rule = {
        .drop = s->drop,
        .odd = (UINT)s->odd,
        .half_less = (UINT)s->half_less,
        .mask = (UINT)s->mask,
        .tiny = NAME(bits)(NAME(narrow)(s->tiny)),
        .unit = NAME(bits)(NAME(narrow)(s->unit)),
        .limit = NAME(bits)(NAME(narrow)(s->limit)),
        .over = NAME(bits)(NAME(narrow)(s->over)),
        .flush = NAME(bits)(NAME(narrow)(s->flush)),
        .anchor = NAME(narrow)(s->anchor),
        .normal = NAME(narrow)(s->normal),
        .inverse = 1.0 / (double)(UINT64_C(1) << s->drop),
    };
    return rule;
}

static ALWAYS_INLINE UINT
NAME(pick)(bool first, UINT x, UINT y)
{
    return y ^ ((x ^ y) & -(UINT)first);
}

/* Without branches, so that it works on vectors: magnitudes are compared as patterns,
 * whose order is that of the values (NaN above infinity). */
static ALWAYS_INLINE REAL
NAME(store)(REAL y, const NAME(store_rule) * s)
{
    const UINT infinity = NAME(bits)((REAL)INFINITY);
    const UINT sign = NAME(bits)(y) & SIGN_BIT, a = NAME(bits)(y) & ~SIGN_BIT;
    /* half a unit, less one if the last kept bit is even, carries into the kept bits
     * exactly when rounding goes up */
    UINT r = (a + s->half_less + ((a >> s->drop) & s->odd)) & s->mask;
    /* a sum with the anchor is rounded at the anchor's unit */
    REAL small = (NAME(value)(a) + s->anchor) - s->anchor;
    small -= NAME(value)(NAME(pick)((INT)NAME(bits)(small) > (INT)a, s->unit, 0));
    r = NAME(pick)((INT)a < (INT)s->tiny, NAME(bits)(small), r);
    r = NAME(pick)((INT)r >= (INT)s->limit, NAME(pick)(a == infinity, a, s->over), r);
    r = NAME(pick)((INT)r < (INT)s->flush, 0, r);
    r = NAME(pick)((INT)a > (INT)infinity, a, r);
    return NAME(value)(r | NAME(pick)(r == 0, 0, sign));
}

/* h (n x m) = one micro-step of h, not stored. */
static ALWAYS_INLINE void
NAME(micro_step)(REAL *h, slong n, slong m, uint32_t s, bool fma, const ckda_rounded_t R)
{
    const bool on_dot = R->arith.order == CKDA_BETA_ON_DOT;
    const double *key = R->key_value + s * n, *gate = R->gate_value + s * n;
    const double *by = on_dot ? key : R->scaled_value + s * n;
    REAL p[COLUMNS] = {0};
    for (slong i = 0; i < n; i++) {
        const REAL g = (REAL)gate[i], k = (REAL)key[i];
        for (slong j = 0; j < m; j++)
            h[i * m + j] *= g;
        for (slong j = 0; j < m; j++)
            p[j] = i == 0 ? k * h[j]
                   : fma  ? MULTIPLY_ADD(k, h[i * m + j], p[j])
                          : p[j] + k * h[i * m + j];
    }
    const REAL beta = (REAL)R->beta_value[s];
    for (slong j = 0; j < m; j++)
        p[j] = on_dot ? beta * p[j] : p[j];
    for (slong i = 0; i < n; i++) {
        const REAL v = (REAL)by[i];
        for (slong j = 0; j < m; j++)
            h[i * m + j] =
                fma ? MULTIPLY_ADD(-v, p[j], h[i * m + j]) : h[i * m + j] - v * p[j];
    }
}

/* y = A h. */
static ALWAYS_INLINE void
NAME(matrix_step)(REAL *y, const REAL *h, slong n, slong m, const double *A, bool fma)
{
    for (slong i = 0; i < n; i++)
        for (slong l = 0; l < n; l++) {
            const REAL x = (REAL)A[i * n + l];
            for (slong j = 0; j < m; j++)
                y[i * m + j] = l == 0 ? x * h[j]
                               : fma  ? MULTIPLY_ADD(x, h[l * m + j], y[i * m + j])
                                      : y[i * m + j] + x * h[l * m + j];
        }
}

/* ckda_rounded_tie of y: the dropped bits are the fraction of a spacing.  Whatever is
 * subnormal, flushed or not finite takes the definition. */
static ALWAYS_INLINE double
NAME(tie)(REAL y, const NAME(store_rule) * s, const ckda_rounded_t R)
{
    const bool nearest = R->arith.store == CKDA_FP_RNE;
    const REAL a = y < 0 ? -y : y;
    if (a == 0)
        return 0.5;
    if (R->arith.grid > 0 && nearest && NAME(bits)(a) < s->tiny) {
        const REAL off = a - ((a + s->anchor) - s->anchor);
        return 0.5 - (double)(off < 0 ? -off : off);
    }
    if (R->arith.grid > 0
        || !(a > s->normal && NAME(bits)(a) >= s->flush && a < (REAL)INFINITY))
        return ckda_rounded_tie((double)y, R);
    const UINT bits = NAME(bits)(a);
    const double f = (double)(bits & ~s->mask) * s->inverse;
    const double middle = f < 0.5 ? 0.5 - f : f - 0.5;
    if (!nearest)
        return 0.5 - middle;
    /* the lowest value of its binade: the spacing below is half as wide */
    const bool lowest = (bits & FRACTION & s->mask) == 0;
    return lowest && f + 0.25 < middle ? f + 0.25 : middle;
}

static ALWAYS_INLINE void
NAME(store_all)(REAL *h, slong size, double *tie, const NAME(store_rule) * rule,
                const ckda_rounded_t R)
{
    if (tie != NULL)
        for (slong i = 0; i < size; i++) {
            const double d = NAME(tie)(h[i], rule, R);
            *tie = d < *tie ? d : *tie;
        }
    for (slong i = 0; i < size; i++)
        h[i] = NAME(store)(h[i], rule);
}

static ALWAYS_INLINE void
NAME(letter)(REAL *h, REAL *work, slong n, slong m, double *tie, uint32_t letter,
             bool fma, const NAME(store_rule) * rule, const ckda_rounded_t R)
{
    if (R->matrix != NULL) {
        NAME(matrix_step)(work, h, n, m, R->matrix_value + letter * n * n, fma);
        for (slong i = 0; i < n * m; i++)
            h[i] = work[i];
        NAME(store_all)(h, n * m, tie, rule, R);
        return;
    }
    const uint32_t last = R->first[letter + 1];
    for (uint32_t s = R->first[letter]; s < last; s++) {
        NAME(micro_step)(h, n, m, s, fma, R);
        NAME(store_all)(h, n * m, s + 1 == last ? tie : NULL, rule, R);
    }
}

/* Columns at .. at + m - 1 of H, which has `width` of them; n m <= size of the buffers. */
static ALWAYS_INLINE void
NAME(block)(double *out, double *tie, const double *H, slong n, slong m, slong at,
            slong width, uint32_t from, uint32_t to, bool fma, const ckda_rounded_t R)
{
    const NAME(store_rule) rule = NAME(get_rule)(R);
    REAL start[BUFFER], h[BUFFER], work[BUFFER];
    for (slong i = 0; i < n; i++)
        for (slong j = 0; j < m; j++)
            start[i * m + j] = (REAL)H[i * width + at + j];
    for (uint32_t l = from; l < to; l++) {
        for (slong i = 0; i < n * m; i++)
            h[i] = start[i];
        NAME(letter)(h, work, n, m, tie, l, fma, &rule, R);
        double *y = out + (l - from) * n * width + at;
        for (slong i = 0; i < n; i++)
            for (slong j = 0; j < m; j++)
                y[i * width + j] = (double)h[i * m + j];
    }
}

static ALWAYS_INLINE void
NAME(sizes)(double *out, double *tie, const double *H, slong m, uint32_t from,
            uint32_t to, bool fma, const ckda_rounded_t R)
{
    if (m == R->n && m == 2)
        NAME(block)(out, tie, H, 2, 2, 0, 2, from, to, fma, R);
    else if (m == R->n && m == 3)
        NAME(block)(out, tie, H, 3, 3, 0, 3, from, to, fma, R);
    else if (m == R->n && m == 4)
        NAME(block)(out, tie, H, 4, 4, 0, 4, from, to, fma, R);
    else if (m == R->n && m == 5)
        NAME(block)(out, tie, H, 5, 5, 0, 5, from, to, fma, R);
    else
        for (slong at = 0; at < m; at += COLUMNS) {
            const slong left = m - at;
            NAME(block)
            (out, tie, H, R->n, left < COLUMNS ? left : COLUMNS, at, m, from, to, fma, R);
        }
}

static void
NAME(plain)(double *out, double *tie, const double *H, slong m, uint32_t from,
            uint32_t to, const ckda_rounded_t R)
{
    if (R->arith.fma)
        NAME(sizes)(out, tie, H, m, from, to, true, R);
    else
        NAME(sizes)(out, tie, H, m, from, to, false, R);
}

#ifdef WIDE
WIDE static void
NAME(wide)(double *out, double *tie, const double *H, slong m, uint32_t from, uint32_t to,
           const ckda_rounded_t R)
{
    if (R->arith.fma)
        NAME(sizes)(out, tie, H, m, from, to, true, R);
    else
        NAME(sizes)(out, tie, H, m, from, to, false, R);
}
#endif
