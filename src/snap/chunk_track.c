/* A chunk on all starts beside the exact columns. */
#include <math.h>

#include "chunk_int.h"

void
chunk_track_init(chunk_track *x, uint32_t room, const ckda_chunk_t k)
{
    *x = (chunk_track){.exact = NULL};
    chunk_walk_init(&x->walk, room, (slong)k->nstarts, k);
    chunk_walk_starts(&x->walk);
    x->image = flint_malloc((size_t)(room + 1) * k->nstarts * sizeof *x->image);
    for (uint32_t s = 0; s < k->nstarts; s++)
        x->image[s] = (int32_t)k->start[s] + 1;
}

void
chunk_track_clear(chunk_track *x)
{
    chunk_walk_clear(&x->walk);
    flint_free(x->image);
    flint_free(x->exact);
}

void
chunk_track_keep_exact(chunk_track *x)
{
    const ckda_chunk_struct *k = x->walk.k;
    const size_t entries = (size_t)k->n * k->nstarts;
    x->exact = flint_malloc((x->walk.room + 1) * entries * sizeof *x->exact);
    for (size_t i = 0; i < entries; i++)
        x->exact[i] = (double)x->walk.h[i];
}

/* to = (I - 2 k k^T / |k|^2) from for all columns. */
static void
reflect_columns(double *to, const double *from, const double *key, slong n, slong m)
{
    double norm = 0;
    for (slong a = 0; a < n; a++)
        norm += key[a] * key[a];
    for (slong c = 0; c < m; c++) {
        double dot = 0;
        for (slong a = 0; a < n; a++)
            dot += key[a] * from[a * m + c];
        dot *= 2 / norm;
        for (slong a = 0; a < n; a++)
            to[a * m + c] = from[a * m + c] - dot * key[a];
    }
}

double
chunk_track_deviation(const chunk_track *x)
{
    const size_t entries = (size_t)x->walk.k->n * x->walk.k->nstarts;
    const double *exact = x->exact + x->walk.depth * entries;
    const float *h = chunk_walk_state(&x->walk);
    double most = 0;
    for (size_t i = 0; i < entries; i++)
        most = fmax(most, fabs((double)h[i] - exact[i]));
    return most;
}

void
chunk_track_push(chunk_track *x, uint32_t line)
{
    const ckda_chunk_struct *k = x->walk.k;
    const uint32_t S = k->nstarts;
    const int32_t *move = k->move + (size_t)line * k->nvectors;
    const int32_t *from = x->image + (size_t)x->walk.depth * S;
    int32_t *to = x->image + (size_t)(x->walk.depth + 1) * S;
    for (uint32_t s = 0; s < S; s++)
        to[s] = from[s] > 0 ? move[from[s] - 1] : -move[-from[s] - 1];
    if (x->exact != NULL) {
        const size_t entries = (size_t)k->n * S;
        const double *own = x->exact + x->walk.depth * entries;
        reflect_columns(x->exact + (x->walk.depth + 1) * entries, own,
                        k->key + (slong)line * k->n, k->n, (slong)S);
    }
    chunk_walk_push(&x->walk, line);
}

void
chunk_track_cut(chunk_track *x, uint32_t depth)
{
    chunk_walk_cut(&x->walk, depth);
}

int32_t
chunk_track_target(const chunk_track *x, uint32_t start, uint32_t entry)
{
    const ckda_chunk_struct *k = x->walk.k;
    const int32_t at = x->image[(size_t)x->walk.depth * k->nstarts + start];
    const int32_t *q = k->snapped + (size_t)(at > 0 ? at - 1 : -at - 1) * (size_t)k->n;
    return at > 0 ? q[entry] : -q[entry];
}

/* |H - target| in doubles is exact: both are floats of moderate size. */
chunk_worst
chunk_track_worst(const chunk_track *x)
{
    const ckda_chunk_struct *k = x->walk.k;
    const uint32_t S = k->nstarts, n = (uint32_t)k->n;
    const float *h = chunk_walk_state(&x->walk);
    const int32_t *image = x->image + (size_t)x->walk.depth * S;
    chunk_worst w = {.error = -1};
    for (uint32_t s = 0; s < S; s++) {
        const int32_t at = image[s];
        const int32_t *q = k->snapped + (size_t)(at > 0 ? at - 1 : -at - 1) * n;
        for (uint32_t a = 0; a < n; a++) {
            const double y = (double)h[a * S + s], e = at > 0 ? q[a] : -q[a];
            const double error = fabs(y - e);
            const bool wrong = error >= 0.5 && rint(y) != e;
            if (error < w.error || (error == w.error && (!wrong || w.wrong)))
                continue;
            w = (chunk_worst){.error = error, .start = s, .entry = a, .wrong = wrong};
        }
    }
    return w;
}

void
chunk_witness_set(ckda_chunk_witness *w, const chunk_track *x, const chunk_worst *at)
{
    const ckda_chunk_struct *k = x->walk.k;
    const uint32_t count = x->walk.depth;
    ckda_chunk_witness_clear(w);
    w->count = count;
    w->lines = flint_malloc((count + 1) * sizeof *w->lines);
    w->letters = flint_malloc((count + 1) * sizeof *w->letters);
    memcpy(w->lines, x->walk.line, count * sizeof *w->lines);
    if (!ckda_chunk_letters_of(w->letters, &w->nletters, w->lines, count, k))
        w->nletters = 0;
    w->start = at->start;
    w->entry = at->entry;
    w->value = (double)chunk_walk_state(&x->walk)[at->entry * k->nstarts + at->start];
    w->target = chunk_track_target(x, at->start, at->entry);
}

void
ckda_chunk_witness_clear(ckda_chunk_witness *w)
{
    flint_free(w->lines);
    flint_free(w->letters);
    memset(w, 0, sizeof *w);
}

/* The target again, from the exact moves alone, and the value from patterns alone. */
bool
ckda_chunk_witness_holds(const ckda_chunk_witness *w, const ckda_chunk_t k)
{
    const slong n = k->n;
    if (w->count == 0 || w->start >= k->nstarts || w->entry >= (uint32_t)n)
        return false;
    int32_t at = (int32_t)k->start[w->start] + 1;
    uint64_t *h = flint_malloc((size_t)n * sizeof *h);
    for (slong a = 0; a < n; a++)
        h[a] = ckda_fp_from_dyadic(k->snapped[(at - 1) * n + a], 0, &ckda_fp_fp32,
                                   &ckda_fp_rne);
    ckda_chunk_run_definition(h, h, 1, w->lines, w->count, k);
    for (uint32_t i = 0; i < w->count; i++) {
        const int32_t *move = k->move + (size_t)w->lines[i] * k->nvectors;
        at = at > 0 ? move[at - 1] : -move[-at - 1];
    }
    const int32_t q = k->snapped[(at > 0 ? at - 1 : -at - 1) * n + w->entry];
    const int32_t target = at > 0 ? q : -q;
    const double value = ckda_fp_get_double(h[w->entry], &ckda_fp_fp32);
    const uint64_t stored = ckda_fp_rint(h[w->entry], &ckda_fp_fp32, CKDA_FP_RNE);
    flint_free(h);
    return value == w->value && target == w->target
           && ckda_fp_get_double(stored, &ckda_fp_fp32) != target;
}
