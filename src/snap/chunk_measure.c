/* The error of one chunk in parts, as docs/chunk.md splits it, in long double. */
#include "chunk_int.h"

typedef long double real;

/* One word of C lines on one start. */
typedef struct {
    const ckda_chunk_struct *k;
    chunk_walk walk;
    uint32_t C;
    slong n;
    real *t;       /* C * C: T of the rounded keys without any further rounding */
    real *clean;   /* C * n: W of the same */
    real *q, *out; /* n */
} measure;

static real
beta_key_exact(const measure *x, uint32_t i, slong a)
{
    const uint32_t l = x->walk.line[i];
    return (real)x->k->beta[l] * (real)x->k->rounded_key[l * x->n + a];
}

static real
key(const measure *x, uint32_t i, slong a)
{
    return (real)x->k->rounded_key[x->walk.line[i] * x->n + a];
}

static real
cast_beta_key(const measure *x, uint32_t i, slong a)
{
    return (real)x->k->beta_key[x->walk.line[i] * x->n + a];
}

static void
solve_clean(measure *x)
{
    const uint32_t C = x->C;
    real *l = flint_calloc(C, sizeof *l);
    for (uint32_t i = 0; i < C; i++) {
        for (uint32_t j = 0; j < i; j++) {
            l[j] = 0;
            for (slong a = 0; a < x->n; a++)
                l[j] += beta_key_exact(x, i, a) * key(x, j, a);
        }
        for (uint32_t j = 0; j < i; j++) {
            real s = l[j];
            for (uint32_t m = j + 1; m < i; m++)
                s += l[m] * x->t[m * C + j];
            x->t[i * C + j] = -s;
        }
        x->t[i * C + i] = 1;
    }
    flint_free(l);
}

/* clean = T (beta k), cast_w = T Rb(beta k). */
static void
fill_w(measure *x, real *cast_w)
{
    const uint32_t C = x->C;
    for (uint32_t i = 0; i < C; i++)
        for (slong a = 0; a < x->n; a++)
            for (uint32_t j = 0; j <= i; j++) {
                x->clean[i * x->n + a] += x->t[i * C + j] * beta_key_exact(x, j, a);
                cast_w[i * x->n + a] += x->t[i * C + j] * cast_beta_key(x, j, a);
            }
}

/* What the exact sum with the computed T (rounded by RT or not) gives. */
static real
with_computed_t(const measure *x, uint32_t i, slong a, bool rounded)
{
    real s = cast_beta_key(x, i, a);
    for (uint32_t j = 0; j < i; j++) {
        const float t = x->walk.t[(size_t)i * x->walk.room + j];
        s += (real)(rounded ? chunk_round(t, x->k->scheme.split.t) : t)
             * cast_beta_key(x, j, a);
    }
    return s;
}

/* Parts that pass through W: each difference of W is read with q and leaves along the key. */
static void
add_w_parts(measure *x, const real *cast_w, ckda_chunk_terms *parts)
{
    const slong n = x->n;
    for (uint32_t i = 0; i < x->C; i++) {
        real cast = 0, solve = 0, inverse = 0, sum = 0, w = 0, v = 0;
        for (slong a = 0; a < n; a++) {
            const real wide = (real)x->walk.wide[i * n + a];
            const real rounded = (real)x->walk.w[i * n + a];
            real with_t = wide, with_rt = wide;
            if (!x->k->scheme.direct) {
                with_t = with_computed_t(x, i, a, false);
                with_rt = with_computed_t(x, i, a, true);
            }
            cast += (cast_w[i * n + a] - x->clean[i * n + a]) * x->q[a];
            solve += (with_t - cast_w[i * n + a]) * x->q[a];
            inverse += (with_rt - with_t) * x->q[a];
            sum += (wide - with_rt) * x->q[a];
            w += (rounded - wide) * x->q[a];
            v += rounded * x->q[a];
        }
        float dot = x->walk.w[i * n] * (float)x->q[0];
        for (slong a = 1; a < n; a++)
            dot += x->walk.w[i * n + a] * (float)x->q[a];
        const real out = (real)x->walk.v[i];
        for (slong a = 0; a < n; a++) {
            const real k = key(x, i, a);
            parts[a].cast -= (double)(k * cast);
            parts[a].solve -= (double)(k * solve);
            parts[a].inverse -= (double)(k * inverse);
            parts[a].sum -= (double)(k * sum);
            parts[a].w -= (double)(k * w);
            parts[a].dot -= (double)(k * ((real)dot - v));
            parts[a].v -= (double)(k * (out - (real)dot));
        }
    }
}

/* x = (I - 2 k k^T / |k|^2) x with the true key. */
static void
reflect(real *y, const double *k, slong n)
{
    real dot = 0, norm = 0;
    for (slong a = 0; a < n; a++) {
        dot += (real)k[a] * y[a];
        norm += (real)k[a] * (real)k[a];
    }
    for (slong a = 0; a < n; a++)
        y[a] -= 2 * dot / norm * (real)k[a];
}

static void
add_ends(measure *x, ckda_chunk_terms *parts, double *total)
{
    const slong n = x->n;
    const float *h = chunk_walk_state(&x->walk);
    for (slong a = 0; a < n; a++) {
        real rounded = x->q[a], floats = x->q[a];
        for (uint32_t i = 0; i < x->C; i++) {
            real v = 0;
            for (slong b = 0; b < n; b++)
                v += x->clean[i * n + b] * x->q[b];
            rounded -= key(x, i, a) * v;
            floats -= key(x, i, a) * (real)x->walk.v[i];
        }
        parts[a].update = (double)((real)h[a] - floats);
        x->out[a] = rounded;
    }
    real *exact = flint_malloc((size_t)n * sizeof *exact);
    for (slong a = 0; a < n; a++)
        exact[a] = x->q[a];
    for (uint32_t i = 0; i < x->C; i++)
        reflect(exact, x->k->key + x->walk.line[i] * n, n);
    for (slong a = 0; a < n; a++) {
        parts[a].drift = (double)(x->out[a] - exact[a]);
        if (total != NULL)
            total[a] = (double)((real)h[a] - exact[a]);
    }
    flint_free(exact);
}

void
ckda_chunk_measure(ckda_chunk_terms *parts, double *total, const uint32_t *lines,
                   uint32_t count, uint32_t s, const ckda_chunk_t k)
{
    const size_t C = count, n = (size_t)k->n;
    real *all = flint_calloc(C * C + 2 * C * n + 2 * n, sizeof *all);
    measure x = {.k = k, .C = count, .n = k->n, .t = all};
    x.clean = x.t + C * C;
    real *cast_w = x.clean + C * n;
    x.q = cast_w + C * n;
    x.out = x.q + n;
    chunk_walk_init(&x.walk, count > 0 ? count : 1, 1, k);
    for (size_t a = 0; a < n; a++) {
        x.q[a] = (real)k->snapped[k->start[s] * n + a];
        x.walk.h[a] = (float)x.q[a];
        parts[a] = (ckda_chunk_terms){0};
    }
    for (uint32_t i = 0; i < count; i++)
        chunk_walk_push(&x.walk, lines[i]);
    solve_clean(&x);
    fill_w(&x, cast_w);
    add_w_parts(&x, cast_w, parts);
    add_ends(&x, parts, total);
    chunk_walk_clear(&x.walk);
    flint_free(all);
}
