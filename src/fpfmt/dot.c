/* Inner products under a model of the order of accumulation and of what a step keeps. */
#include "fp_internal.h"

typedef struct {
    const uint64_t *a, *b;
    const ckda_fp_format *fa, *fb;
    const ckda_fp_dot_model *model;
} operands;

static uint64_t
product(const operands *v, long i)
{
    return ckda_fp_mul(v->a[i], v->fa, v->b[i], v->fb, v->model->acc, &v->model->rule);
}

static uint64_t
plus(uint64_t x, uint64_t y, const ckda_fp_dot_model *m)
{
    return ckda_fp_add(x, m->acc, y, m->acc, m->acc, &m->rule);
}

static uint64_t
sequential(const operands *v, long n, uint64_t s)
{
    const ckda_fp_dot_model *m = v->model;
    for (long i = 0; i < n; i++)
        s = m->fused
                ? ckda_fp_fma(v->a[i], v->fa, v->b[i], v->fb, s, m->acc, m->acc, &m->rule)
                : plus(s, product(v, i), m);
    return s;
}

/* Level by level, with a counter instead of the levels: partial[k] holds the sum of 2^k
 * neighbours whenever bit k of the number of terms seen is set. */
static uint64_t
pairwise(const operands *v, long n, uint64_t init)
{
    if (n == 0)
        return init;
    uint64_t partial[64];
    for (long i = 0; i < n; i++) {
        uint64_t s = product(v, i);
        int level = 0;
        for (; (i >> level) & 1; level++)
            s = plus(partial[level], s, v->model);
        partial[level] = s;
    }
    bool any = false;
    uint64_t total = 0;
    for (int level = 0; n >> level != 0; level++)
        if ((n >> level) & 1) { /* what is left over, from the right end inwards */
            total = any ? plus(partial[level], total, v->model) : partial[level];
            any = true;
        }
    return plus(init, total, v->model);
}

/* ---- blocks ---------------------------------------------------------------------- */

/* A term of a block: an exact product, or the running sum. */
typedef struct {
    fp_u128 mant;
    int exp;
    int align; /* the exponent it is aligned by */
    bool neg;
} block_term;

/* What the special operands of a block come to. */
typedef struct {
    bool nan, plus_inf, minus_inf;
} specials;

static void
note_special(specials *s, bool nan, bool neg)
{
    s->nan |= nan;
    s->plus_inf |= !nan && !neg;
    s->minus_inf |= !nan && neg;
}

/* floor(log2) of a value, but at least emin: the exponent that its field stands for. */
static int
field_exponent(fp_num v, const ckda_fp_format *f)
{
    int e = v.exp + fp_top_bit(v.mant);
    return e < f->emin ? f->emin : e;
}

/* Term i of the block, i = -1 being the running sum s; false if it is zero or special. */
static bool
get_term(block_term *t, specials *sp, const operands *v, long i, uint64_t s)
{
    const ckda_fp_dot_model *m = v->model;
    bool fields = m->align == CKDA_FP_ALIGN_FIELDS;
    if (i < 0) {
        fp_num x = fp_unpack(s, m->acc);
        if (x.special)
            note_special(sp, x.nan, x.neg);
        if (x.special || x.mant == 0)
            return false;
        int value = x.exp + fp_top_bit(x.mant);
        *t = (block_term){x.mant, x.exp, fields ? field_exponent(x, m->acc) : value,
                          x.neg};
        return true;
    }
    fp_num x = fp_unpack(v->a[i], v->fa), y = fp_unpack(v->b[i], v->fb);
    bool neg = x.neg != y.neg;
    bool zero = (!x.special && x.mant == 0) || (!y.special && y.mant == 0);
    if (x.special || y.special)
        note_special(sp, x.nan || y.nan || zero, neg);
    if (x.special || y.special || zero)
        return false;
    t->mant = (fp_u128)x.mant * y.mant;
    t->exp = x.exp + y.exp;
    t->neg = neg;
    t->align = fields ? field_exponent(x, v->fa) + field_exponent(y, v->fb)
                      : t->exp + fp_top_bit(t->mant);
    return true;
}

static void
set_u128(fmpz_t z, fp_u128 m)
{
    fmpz_set_ui(z, (ulong)(uint64_t)(m >> 64));
    fmpz_mul_2exp(z, z, 64);
    fmpz_add_ui(z, z, (ulong)(uint64_t)m);
}

/* The terms first .. last-1 (and s, if carried) added exactly. */
static uint64_t
block_exact(const operands *v, long first, long last, bool carried, uint64_t s,
            specials *sp)
{
    /* below every exponent that a term can have */
    int a = fp_least_exp(v->fa) + fp_least_exp(v->fb), b = fp_least_exp(v->model->acc);
    int unit = a < b ? a : b;
    fmpz_t total, part, exp;
    fmpz_init(total);
    fmpz_init(part);
    fmpz_init_set_si(exp, unit);
    for (long i = carried ? -1 : first; i < last; i = i < 0 ? first : i + 1) {
        block_term t;
        if (!get_term(&t, sp, v, i, s))
            continue;
        set_u128(part, t.mant);
        fmpz_mul_2exp(part, part, (ulong)(t.exp - unit));
        if (t.neg)
            fmpz_sub(total, total, part);
        else
            fmpz_add(total, total, part);
    }
    uint64_t x = ckda_fp_from_fmpz_2exp(total, exp, v->model->acc, &v->model->rule);
    fmpz_clear(exp);
    fmpz_clear(part);
    fmpz_clear(total);
    return x;
}

/* The same with every term cut to keep_bits below the largest exponent.  A cut term is
 * below 2^(keep_bits + 2) <= 2^66 units, so 2^60 of them cannot overflow. */
static uint64_t
block_truncated(const operands *v, long first, long last, bool carried, uint64_t s,
                specials *sp)
{
    const ckda_fp_dot_model *m = v->model;
    block_term t;
    int largest = INT_MIN;
    for (long i = carried ? -1 : first; i < last; i = i < 0 ? first : i + 1)
        if (get_term(&t, sp, v, i, s) && t.align > largest)
            largest = t.align;
    if (largest == INT_MIN)
        return 0;
    int unit = largest - m->keep_bits;
    fp_i128 total = 0;
    for (long i = carried ? -1 : first; i < last; i = i < 0 ? first : i + 1) {
        if (!get_term(&t, sp, v, i, s))
            continue;
        int drop = unit - t.exp;
        fp_u128 cut = drop <= 0 ? t.mant << -drop : drop >= 128 ? 0 : t.mant >> drop;
        total += t.neg ? -(fp_i128)cut : (fp_i128)cut;
    }
    if (total == 0)
        return 0;
    fp_u128 mag = total < 0 ? -(fp_u128)total : (fp_u128)total;
    return fp_round_wide(total < 0, mag, unit, false, m->acc, &m->rule);
}

static uint64_t
blocked(const operands *v, long n, uint64_t s)
{
    const ckda_fp_dot_model *m = v->model;
    long last;
    for (long first = 0; first < n; first = last) {
        last = n - first < m->width ? n : first + m->width;
        specials sp = {false, false, false};
        bool carried = m->carry_inside;
        uint64_t x = m->keep_bits == 0 ? block_exact(v, first, last, carried, s, &sp)
                                       : block_truncated(v, first, last, carried, s, &sp);
        if (sp.nan || (sp.plus_inf && sp.minus_inf))
            x = m->acc->nan;
        else if (sp.plus_inf || sp.minus_inf)
            x = fp_infinite(sp.minus_inf, m->acc, &m->rule);
        s = carried ? x : plus(s, x, m);
    }
    return s;
}

uint64_t
ckda_fp_dot(const uint64_t *a, const ckda_fp_format *fa, const uint64_t *b,
            const ckda_fp_format *fb, long n, uint64_t init,
            const ckda_fp_dot_model *model)
{
    ckda_require(n >= 0, "n = %ld", n);
    operands v = {a, b, fa, fb, model};
    switch (model->order) {
    case CKDA_FP_SEQUENTIAL:
        return sequential(&v, n, init);
    case CKDA_FP_PAIRWISE:
        return pairwise(&v, n, init);
    case CKDA_FP_BLOCKED:
        break;
    }
    ckda_require(model->width >= 1, "width = %ld", model->width);
    ckda_require(model->keep_bits >= 0 && model->keep_bits <= 64, "keep_bits = %d",
                 model->keep_bits);
    return blocked(&v, n, init);
}
