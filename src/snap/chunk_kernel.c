/* The chunk model in floats, one line at a time. */
#include <math.h>

#include "chunk_int.h"
#include "ckda/fpfast.h"

void
chunk_walk_init(chunk_walk *x, uint32_t room, slong m, const ckda_chunk_t k)
{
    const size_t n = (size_t)k->n, r = room, cols = (size_t)m;
    ckda_require(ckda_fp_host_is_ieee(), "this thread does not round as IEEE says");
    *x = (chunk_walk){.k = k, .room = room, .m = m};
    x->line = flint_calloc(r, sizeof *x->line);
    x->t = flint_calloc(r * r, sizeof *x->t);
    x->w = flint_calloc(r * n, sizeof *x->w);
    x->wide = flint_calloc(r * n, sizeof *x->wide);
    x->v = flint_calloc(r * cols, sizeof *x->v);
    x->h = flint_calloc((r + 1) * n * cols, sizeof *x->h);
}

void
chunk_walk_clear(chunk_walk *x)
{
    flint_free(x->line);
    flint_free(x->t);
    flint_free(x->w);
    flint_free(x->wide);
    flint_free(x->v);
    flint_free(x->h);
    memset(x, 0, sizeof *x);
}

void
chunk_walk_starts(chunk_walk *x)
{
    const ckda_chunk_struct *k = x->k;
    for (slong i = 0; i < k->n; i++)
        for (slong s = 0; s < x->m; s++)
            x->h[i * x->m + s] = (float)k->snapped[k->start[s] * k->n + i];
}

/* Row i of T, all j at once: column j takes its terms in the order m = j+1, j+2, ... */
static void
solve_row(chunk_walk *x, uint32_t i, const float *gram)
{
    const size_t room = x->room;
    float *row = x->t + i * room;
    for (uint32_t j = 0; j < i; j++)
        row[j] = gram[x->line[j]];
    for (uint32_t m = 1; m < i; m++) {
        const float l = gram[x->line[m]], *t = x->t + m * room;
#pragma omp simd
        for (uint32_t j = 0; j < m; j++)
            row[j] += l * t[j];
    }
    for (uint32_t j = 0; j < i; j++)
        row[j] = -row[j];
}

static void
sum_w(chunk_walk *x, uint32_t i, const float *own)
{
    const slong n = x->k->n;
    const int bits = x->k->scheme.split.t;
    float *w = x->wide + i * n;
    for (slong a = 0; a < n; a++)
        w[a] = 0;
    for (uint32_t j = 0; j < i; j++) {
        const float t = chunk_round(x->t[(size_t)i * x->room + j], bits);
        const float *b = x->k->beta_key + x->line[j] * n;
        for (slong a = 0; a < n; a++)
            w[a] += t * b[a];
    }
    for (slong a = 0; a < n; a++)
        w[a] += own[a];
}

static void
solve_w(chunk_walk *x, uint32_t i, const float *gram, const float *own)
{
    const slong n = x->k->n;
    float *w = x->wide + i * n;
    for (slong a = 0; a < n; a++)
        w[a] = own[a];
    for (uint32_t j = 0; j < i; j++) {
        const float l = gram[x->line[j]], *other = x->wide + j * n;
        for (slong a = 0; a < n; a++)
            w[a] -= l * other[a];
    }
}

/* v = Rv(W . H0) for all columns. */
static void
read_columns(float *v, const float *w, const float *h0, slong n, slong m, int bits)
{
    const float first = w[0];
#pragma omp simd
    for (slong c = 0; c < m; c++)
        v[c] = first * h0[c];
    for (slong a = 1; a < n; a++) {
        const float wa = w[a], *h = h0 + a * m;
#pragma omp simd
        for (slong c = 0; c < m; c++)
            v[c] += wa * h[c];
    }
    if (bits == 24)
        return;
    for (slong c = 0; c < m; c++)
        v[c] = chunk_round(v[c], bits);
}

void
chunk_walk_push(chunk_walk *x, uint32_t line)
{
    const ckda_chunk_struct *k = x->k;
    const slong n = k->n, m = x->m;
    const uint32_t i = x->depth;
    const float *gram = k->gram + (size_t)line * k->nlines, *own = k->beta_key + line * n;
    x->line[i] = line;
    if (k->scheme.direct) {
        solve_w(x, i, gram, own);
    } else {
        solve_row(x, i, gram);
        sum_w(x, i, own);
    }
    for (slong a = 0; a < n; a++)
        x->w[i * n + a] = chunk_round(x->wide[i * n + a], k->scheme.split.w);
    float *v = x->v + i * m;
    read_columns(v, x->w + i * n, x->h, n, m, k->scheme.split.v);
    const float *from = x->h + (size_t)i * (size_t)(n * m);
    float *to = x->h + (size_t)(i + 1) * (size_t)(n * m);
    for (slong a = 0; a < n; a++) {
        const float key = k->rounded_key[line * n + a];
#pragma omp simd
        for (slong c = 0; c < m; c++)
            to[a * m + c] = from[a * m + c] - key * v[c];
    }
    x->depth++;
}

void
ckda_chunk_run(float *H, const float *H0, slong m, const uint32_t *lines, uint32_t count,
               const ckda_chunk_t k)
{
    const size_t entries = (size_t)(k->n * m);
    chunk_walk x;
    chunk_walk_init(&x, count > 0 ? count : 1, m, k);
    memcpy(x.h, H0, entries * sizeof *H);
    for (uint32_t i = 0; i < count; i++)
        chunk_walk_push(&x, lines[i]);
    memcpy(H, chunk_walk_state(&x), entries * sizeof *H);
    chunk_walk_clear(&x);
}

/* y as it is kept between chunks; + 0.0 turns -0 to 0. */
static double
store(float y, const ckda_chunk_scheme *s)
{
    if (s->grid > 0)
        return (double)rintf(y) + 0.0;
    if (s->state == &ckda_fp_fp32)
        return (double)y + 0.0;
    return ckda_fp_get_double(ckda_fp_from_double((double)y, s->state, &ckda_fp_rne),
                              s->state)
           + 0.0;
}

void
ckda_chunk_step(double *H, slong m, const uint32_t *letters, uint32_t count,
                const ckda_chunk_t k)
{
    const slong entries = k->n * m;
    uint32_t *lines = flint_malloc((size_t)count * (k->max_steps + 1) * sizeof *lines);
    float *x = flint_malloc((size_t)entries * sizeof *x);
    uint32_t mask = 0;
    for (uint32_t i = 0; i < count; i++)
        mask = k->mask_after[letters[i] * k->nmasks + mask];
    for (slong i = 0; i < entries; i++)
        x[i] = (float)H[i];
    const uint32_t made = ckda_chunk_lines_of(lines, letters, count, k);
    ckda_chunk_run(x, x, m, lines, made, k);
    for (slong i = 0; i < k->n; i++)
        for (slong j = 0; j < m; j++) {
            const float y = x[i * m + j];
            H[i * m + j] = store(k->mask[mask] >> i & 1 ? -y : y, &k->scheme);
        }
    flint_free(x);
    flint_free(lines);
}
