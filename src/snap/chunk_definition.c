/* The chunk model by its definition, on patterns of fp32 through ckda/fpfmt.h only. */
#include "chunk_int.h"

static uint64_t
times(uint64_t x, uint64_t y)
{
    return ckda_fp_mul(x, &ckda_fp_fp32, y, &ckda_fp_fp32, &ckda_fp_fp32, &ckda_fp_rne);
}

static uint64_t
plus(uint64_t x, uint64_t y)
{
    return ckda_fp_add(x, &ckda_fp_fp32, y, &ckda_fp_fp32, &ckda_fp_fp32, &ckda_fp_rne);
}

static uint64_t
minus(uint64_t x, uint64_t y)
{
    return ckda_fp_sub(x, &ckda_fp_fp32, y, &ckda_fp_fp32, &ckda_fp_fp32, &ckda_fp_rne);
}

/* To `bits` bits and back to a pattern of fp32, which holds that exactly. */
static uint64_t
cast(uint64_t x, int bits)
{
    const ckda_fp_format f = chunk_format(bits);
    const uint64_t y = ckda_fp_convert(x, &ckda_fp_fp32, &f, &ckda_fp_rne);
    return ckda_fp_convert(y, &f, &ckda_fp_fp32, &ckda_fp_rne);
}

static uint64_t
pattern(float x)
{
    return ckda_fp_from_double((double)x, &ckda_fp_fp32, &ckda_fp_rne);
}

typedef struct {
    const ckda_chunk_struct *k;
    uint32_t count;
    slong n;
    uint64_t *key, *beta;   /* count * n, count */
    uint64_t *l, *t;        /* count * count */
    uint64_t *b, *wide, *w; /* count * n */
} definition;

static uint64_t
inner(const uint64_t *x, const uint64_t *y, slong stride, slong n)
{
    uint64_t s = times(x[0], y[0]);
    for (slong a = 1; a < n; a++)
        s = plus(s, times(x[a], y[a * stride]));
    return s;
}

static void
define_l_and_t(definition *d)
{
    const uint32_t C = d->count;
    for (uint32_t i = 0; i < C; i++)
        for (uint32_t j = 0; j < i; j++)
            d->l[i * C + j] =
                times(d->beta[i], inner(d->key + i * d->n, d->key + j * d->n, 1, d->n));
    for (uint32_t i = 0; i < C; i++)
        for (uint32_t j = 0; j < i; j++) {
            uint64_t s = d->l[i * C + j];
            for (uint32_t m = j + 1; m < i; m++)
                s = plus(s, times(d->l[i * C + m], d->t[m * C + j]));
            d->t[i * C + j] = ckda_fp_neg(s, &ckda_fp_fp32);
        }
}

static uint64_t
define_w_entry(const definition *d, uint32_t i, slong a)
{
    const uint32_t C = d->count;
    const slong n = d->n;
    const ckda_chunk_split *bits = &d->k->scheme.split;
    uint64_t s = 0;
    if (d->k->scheme.direct) {
        s = d->b[i * n + a];
        for (uint32_t j = 0; j < i; j++)
            s = minus(s, times(d->l[i * C + j], d->wide[j * n + a]));
        return s;
    }
    for (uint32_t j = 0; j < i; j++)
        s = plus(s, times(cast(d->t[i * C + j], bits->t), d->b[j * n + a]));
    return plus(s, d->b[i * n + a]);
}

static void
define(definition *d, const uint32_t *lines)
{
    const ckda_chunk_struct *k = d->k;
    const slong n = d->n;
    for (uint32_t i = 0; i < d->count; i++) {
        d->beta[i] = pattern(k->beta[lines[i]]);
        for (slong a = 0; a < n; a++) {
            d->key[i * n + a] = pattern(k->rounded_key[lines[i] * n + a]);
            d->b[i * n + a] =
                cast(times(d->beta[i], d->key[i * n + a]), k->scheme.split.beta_key);
        }
    }
    define_l_and_t(d);
    for (uint32_t i = 0; i < d->count; i++)
        for (slong a = 0; a < n; a++) {
            d->wide[i * n + a] = define_w_entry(d, i, a);
            d->w[i * n + a] = cast(d->wide[i * n + a], k->scheme.split.w);
        }
}

void
ckda_chunk_run_definition(uint64_t *H, const uint64_t *H0, slong m, const uint32_t *lines,
                          uint32_t count, const ckda_chunk_t k)
{
    const size_t C = count, n = (size_t)k->n;
    uint64_t *all = flint_calloc(C * (4 * n + 1) + 2 * C * C + 1, sizeof *all);
    uint64_t *start = flint_malloc(n * (size_t)m * sizeof *start);
    definition d = {.k = k, .count = count, .n = k->n};
    d.key = all;
    d.b = d.key + C * n;
    d.wide = d.b + C * n;
    d.w = d.wide + C * n;
    d.beta = d.w + C * n;
    d.l = d.beta + C;
    d.t = d.l + C * C;
    define(&d, lines);
    memcpy(start, H0, n * (size_t)m * sizeof *start);
    memcpy(H, start, n * (size_t)m * sizeof *start);
    for (uint32_t i = 0; i < count; i++)
        for (slong c = 0; c < m; c++) {
            const uint64_t v =
                cast(inner(d.w + i * n, start + c, m, k->n), k->scheme.split.v);
            for (size_t a = 0; a < n; a++)
                H[a * (size_t)m + (size_t)c] =
                    minus(H[a * (size_t)m + (size_t)c], times(d.key[i * n + a], v));
        }
    flint_free(start);
    flint_free(all);
}
