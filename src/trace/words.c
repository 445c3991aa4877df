/* Group words: the state of a kernel beside exact products of the letters.
 *
 * Decoding compares doubles whose errors stay below 1e-12 of what is compared; a decode
 * counts as right only if the right element wins by more than that. */
#include <math.h>
#include <string.h>

#include "words.h"

enum { SIZE = 16 };
static const double CLEAR = 1e-12;

struct words_run {
    const ckda_trace *tr;
    ckda_trace_words *out;
    word_tables g;
    exact_states states;
    const ckda_tensor *letters, *element;
    icosian_mat now; /* exact state of the word at hand */
    uint64_t next;   /* token that it waits for */
};

/* ---- decoding ---------------------------------------------------------------------- */

static bool
right_by_readout(const word_tables *g, const double h[SIZE], uint32_t element)
{
    double f[9], own = 0, other = -INFINITY, size = 0;
    readout_double(f, h, 4);
    for (int i = 0; i < 9; i++)
        size += f[i] * f[i];
    for (uint32_t e = 0; e < g->n; e++) {
        double s = 0;
        for (uint32_t i = 0; i < 9; i++)
            s += g->image_d[9 * e + i] * f[i];
        if (e == element)
            own = s;
        else
            other = fmax(other, s);
    }
    return own > other + CLEAR * sqrt(size);
}

/* Is the nearest exact state (all have one norm) one of the right element? */
static bool
right_by_state(const exact_states *x, const double h[SIZE], uint32_t element,
               double drift)
{
    double own = -INFINITY, other = -INFINITY, size = 0;
    if (drift < x->gap / 2 - CLEAR)
        return true;
    for (int i = 0; i < SIZE; i++)
        size += h[i] * h[i];
    /* in groups: sums side by side keep the processor busy, sums one by one wait */
    for (uint32_t s = 0; s < x->count; s += EXACT_GROUP) {
        double p[EXACT_GROUP] = {0};
        const double *v = x->value + SIZE * (size_t)s;
        for (int i = 0; i < SIZE; i++)
            for (int j = 0; j < EXACT_GROUP; j++)
                p[j] += v[EXACT_GROUP * i + j] * h[i];
        for (uint32_t j = 0; j < EXACT_GROUP && s + j < x->count; j++) {
            double *best = x->element[s + j] == element ? &own : &other;
            *best = p[j] > *best ? p[j] : *best;
        }
    }
    return own > other + CLEAR * sqrt(size);
}

/* ---- a block ----------------------------------------------------------------------- */

typedef struct {
    double value[SIZE];
    uint32_t element;
} exact_token;

/* What kernel i (or, i = nkernels, the exact recurrence on the given keys) has. */
static void
state_of(double h[SIZE], const words_run *w, size_t i, uint64_t b, const run_block *x,
         uint64_t n)
{
    for (uint64_t r = 0; r < 4; r++)
        for (uint64_t c = 0; c < 4; c++) {
            const uint64_t at = r * w->tr->C + c;
            h[4 * r + c] = i < w->tr->nkernels
                               ? view_get(&w->tr->kernel[i].o, b, x->t0 + n, 0, at)
                               : x->hi[n * x->width + at];
        }
}

/* 2-norm of the difference over the part that is shown (outside the group's block the
 * exact state is that of I). */
static double
drift_of(const double h[SIZE], const double e[SIZE])
{
    double s = 0;
    for (int i = 0; i < SIZE; i++)
        s += (h[i] - e[i]) * (h[i] - e[i]);
    return sqrt(s);
}

static ckda_trace_word_run *
run_of(const words_run *w, size_t i, uint64_t b)
{
    return i < w->tr->nkernels ? &w->out->run[i * w->tr->B + b] : &w->out->keys[b];
}

static void
judge_token(const words_run *w, size_t i, uint64_t b, const run_block *x, uint64_t n,
            const exact_token *e, bool wrong[2])
{
    double h[SIZE], given[SIZE];
    ckda_trace_word_run *run = run_of(w, i, b);
    state_of(h, w, i, b, x, n);
    state_of(given, w, w->tr->nkernels, b, x, n);
    const double drift = drift_of(h, e->value);
    wrong[CKDA_DECODE_READOUT] = run->first_wrong[CKDA_DECODE_READOUT] == UINT64_MAX
                                 && !right_by_readout(&w->g, h, e->element);
    wrong[CKDA_DECODE_NEAREST] = w->states.count > 0
                                 && run->first_wrong[CKDA_DECODE_NEAREST] == UINT64_MAX
                                 && !right_by_state(&w->states, h, e->element, drift);
    for (size_t p = 0; p < w->out->npoints; p++)
        if (w->out->point[p] == x->t0 + n + 1) {
            run->drift[p] = drift;
            run->arithmetic[p] = drift_of(h, given);
        }
}

void
words_block(words_run *w, uint64_t b, const run_block *x)
{
    exact_token e[RUN_BLOCK];
    const size_t runs = w->tr->nkernels + 1;
    ckda_require(x->n <= RUN_BLOCK && (x->t0 == 0 || x->t0 == w->next),
                 "a block is missing");
    if (x->t0 == 0)
        icosian_one(&w->now);
    for (uint64_t n = 0; n < x->n; n++) {
        const uint64_t at = b * w->tr->T + x->t0 + n;
        icosian_rot f;
        bool good =
            icosian_mul(&w->now, &w->g.mat[ckda_tensor_bits(w->letters, at)], &w->now);
        e[n].element = (uint32_t)ckda_tensor_bits(w->element, at);
        good = good && icosian_readout(&f, &w->now)
               && tables_find(&w->g, &f) == e[n].element;
        ckda_require(good, "the read-out of an exact state is not its element");
        for (int i = 0; i < SIZE; i++)
            e[n].value[i] = half_phi_double(w->now.e[i]);
    }
    w->next = x->t0 + x->n;
    bool(*wrong)[2] = fresh(runs * x->n, sizeof *wrong);
#pragma omp parallel for schedule(dynamic, 1)
    for (uint64_t j = 0; j < runs * x->n; j++)
        if (j / x->n == w->tr->nkernels || w->tr->kernel[j / x->n].o.t != NULL)
            judge_token(w, j / x->n, b, x, j % x->n, &e[j % x->n], wrong[j]);
    for (uint64_t j = 0; j < runs * x->n; j++)
        for (int d = 0; d < 2; d++) {
            uint64_t *first = &run_of(w, j / x->n, b)->first_wrong[d];
            if (wrong[j][d] && *first == UINT64_MAX)
                *first = x->t0 + j % x->n;
        }
    free(wrong);
}

/* ---- beginning and end ------------------------------------------------------------- */

/* 16, 64, 256, ... and T */
static void
set_points(ckda_trace_words *out, uint64_t T)
{
    out->point = fresh(40, sizeof *out->point);
    for (uint64_t t = 16; t < T && out->npoints < 30; t *= 4)
        out->point[out->npoints++] = t;
    out->point[out->npoints++] = T;
}

static ckda_trace_word_run *
new_runs(uint64_t n, size_t points)
{
    ckda_trace_word_run *run = fresh(n, sizeof *run);
    for (uint64_t i = 0; i < n; i++) {
        run[i].first_wrong[0] = run[i].first_wrong[1] = UINT64_MAX;
        run[i].drift = fresh(points, sizeof(double));
        run[i].arithmetic = fresh(points, sizeof(double));
    }
    return run;
}

ckda_status
words_open(words_run **out, ckda_trace_words *result, const ckda_trace *tr,
           ckda_error *err)
{
    words_run *w = fresh(1, sizeof *w);
    const char *skipped = NULL;
    *out = NULL;
    *result = (ckda_trace_words){0};
    const ckda_status st = tables_open(&w->g, &skipped, tr, err);
    if (st != CKDA_OK || skipped != NULL) {
        result->skipped = skipped != NULL && skipped[0] != '\0' ? skipped : NULL;
        free(w);
        return st;
    }
    w->tr = tr;
    w->out = result;
    w->letters = ckda_tensors_find(tr->ts, "letters");
    w->element = ckda_tensors_find(tr->ts, "element");
    states_open(&w->states, &w->g);
    result->present = true;
    result->order = w->g.n;
    result->states = w->states.count;
    result->words = tr->B;
    set_points(result, tr->T);
    result->run = new_runs(tr->nkernels * tr->B, result->npoints);
    result->keys = new_runs(tr->B, result->npoints);
    *out = w;
    return CKDA_OK;
}

void
words_close(words_run **w)
{
    if (*w == NULL)
        return;
    tables_clear(&(*w)->g);
    states_clear(&(*w)->states);
    free(*w);
    *w = NULL;
}
