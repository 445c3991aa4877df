/* From sums to the figures of a result. */
#include <math.h>
#include <string.h>

#include "judge_internal.h"

/* ---- sums -------------------------------------------------------------------------- */

void
sums_init(kernel_sums *s, const ckda_trace *tr)
{
    *s = (kernel_sums){.e2 = fresh(tr->T, sizeof(double)),
                       .r2 = fresh(tr->T, sizeof(double)),
                       .head_e2 = fresh(tr->B * tr->H, sizeof(double)),
                       .head_r2 = fresh(tr->B * tr->H, sizeof(double)),
                       .broken = fresh(tr->T, sizeof(bool))};
    s->f_class[0] = s->f_class[1] = CKDA_TOKEN_WITHIN;
}

void
sums_clear(kernel_sums *s)
{
    free(s->e2);
    free(s->r2);
    free(s->head_e2);
    free(s->head_r2);
    free(s->broken);
}

/* ---- figures ----------------------------------------------------------------------- */

/* sqrt(a/b); 0/0 is 0. */
static double
ratio(double a2, double b2)
{
    return a2 == 0 ? 0 : b2 == 0 ? INFINITY : sqrt(a2 / b2);
}

/* |x| / |y| where |x| and |y| are known to within r, and doubles lost 2^-30 at most. */
static ckda_trace_range
quotient(double x2, double y2, double r2)
{
    const double x = sqrt(x2), y = sqrt(y2), r = sqrt(r2) * (1 + 0x1p-30);
    const double down = 1 - 0x1p-30, up = 1 + 0x1p-30;
    if (isinf(x))
        return (ckda_trace_range){INFINITY, INFINITY};
    if (x + r == 0)
        return (ckda_trace_range){0, 0};
    return (ckda_trace_range){fmax(0, x * down - r) / (y * up + r),
                              y * down > r ? (x * up + r) / (y * down - r) : INFINITY};
}

static double
sum_of(const double *x, uint64_t from, uint64_t to)
{
    double s = 0;
    for (uint64_t i = from; i < to; i++)
        s += x[i];
    return s;
}

static void
finish_pieces(ckda_trace_pieces *p, const kernel_sums *s, uint64_t T)
{
    double most = 0;
    for (uint64_t i = 0; i < p->count; i++) {
        const uint64_t from = i * p->length,
                       to = from + p->length < T ? from + p->length : T;
        p->error[i] = ratio(sum_of(s->e2, from, to), sum_of(s->r2, from, to));
        for (uint64_t t = from; t < to; t++)
            if (s->broken[t])
                p->error[i] = INFINITY;
        if (i > 0 && !p->jumps && p->error[i] > 4 * most && p->error[i] > 0) {
            p->jumps = true;
            p->first = i;
        }
        most = fmax(most, p->error[i]);
    }
}

static void
finish_outputs(ckda_trace_kernel *k, const kernel_sums *s, const ckda_trace *tr)
{
    double e2 = sum_of(s->e2, 0, tr->T), r2 = sum_of(s->r2, 0, tr->T);
    for (uint64_t t = 0; t < tr->T; t++) {
        k->token_error[t] = s->broken[t] ? INFINITY : ratio(s->e2[t], s->r2[t]);
        if (s->broken[t])
            e2 = INFINITY;
    }
    for (uint64_t i = 0; i < tr->B * tr->H; i++)
        k->head_error[i] = ratio(s->head_e2[i], s->head_r2[i]);
    k->o_error = quotient(e2, r2, s->radius2);
    k->o_rounding = quotient(s->rounding2, r2, s->radius2);
    for (int i = 0; i < 3; i++)
        finish_pieces(&k->pieces[i], s, tr->T);
}

static ckda_truth
within(const ckda_trace_kernel *k)
{
    const bool bad_o =
        k->tokens[CKDA_TOKEN_BEYOND] > 0 || k->tokens[CKDA_TOKEN_NONFINITE] > 0;
    const bool bad_final = k->has_final && k->final_class != CKDA_TOKEN_WITHIN
                           && k->final_class != CKDA_TOKEN_UNDECIDED;
    if (bad_o || bad_final)
        return CKDA_FALSE;
    return k->tokens[CKDA_TOKEN_UNDECIDED] > 0
                   || (k->has_final && k->final_class == CKDA_TOKEN_UNDECIDED)
               ? CKDA_UNKNOWN
               : CKDA_TRUE;
}

void
finish_kernel(ckda_trace_kernel *k, const kernel_sums *s, const ckda_trace *tr,
              double final_r2)
{
    if (k->has_o)
        finish_outputs(k, s, tr);
    if (k->has_final) {
        const kernel_tensors *kt = NULL;
        for (size_t i = 0; i < tr->nkernels; i++)
            if (tr->kernel[i].name == k->name)
                kt = &tr->kernel[i];
        int way = kt->has_layout && kt->layout_vk ? 1 : 0;
        if (!kt->has_layout && s->f_e2[0] > 0.25 * final_r2
            && s->f_e2[1] < 0.25 * s->f_e2[0]) {
            way = 1;
            k->final_transposed = true;
        }
        k->final_error =
            quotient(s->f_broken ? INFINITY : s->f_e2[way], final_r2, s->f_radius2);
        k->final_bound = ratio(s->f_bound2, final_r2);
        k->final_class = s->f_class[way];
        k->final_b = s->f_b[way];
        k->final_h = s->f_h[way];
        k->final_column = s->f_c[way];
    }
    k->within = within(k);
}

void
finish_radius(ckda_trace_result *r, const judging *j)
{
    r->radius_o = r->radius_final = (ckda_trace_range){0, 0};
    for (size_t i = 0; i < r->nkernels; i++) {
        const kernel_sums *s = &j->sum[i];
        if (r->kernel[i].has_o)
            r->radius_o.hi = ratio(s->radius2, sum_of(s->r2, 0, j->tr->T));
        if (r->kernel[i].has_final)
            r->radius_final.hi = ratio(s->f_radius2, j->f_r2);
    }
}

/* ---- pairs ------------------------------------------------------------------------- */

static int
nearer(bool there, const ckda_trace_range *a, const ckda_trace_range *b)
{
    if (!there)
        return 0;
    return a->hi < b->lo ? -1 : b->hi < a->lo ? 1 : 0;
}

static bool
differ(double x, double y)
{
    return isnan(x) || isnan(y) ? isnan(x) != isnan(y) : x != y;
}

static void
first_difference(ckda_trace_place *p, const ckda_trace *tr, const view *x, const view *y)
{
    const uint64_t width = tr->rows ? tr->R * tr->C : tr->V;
    for (uint64_t t = 0; t < tr->T; t++)
        for (uint64_t b = 0; b < tr->B; b++)
            for (uint64_t h = 0; h < tr->H; h++)
                for (uint64_t c = 0; c < width; c++)
                    if (differ(view_get(x, b, t, h, c), view_get(y, b, t, h, c))) {
                        *p = (ckda_trace_place){true, b, t, h, c};
                        return;
                    }
}

/* First token that is beyond or not finite; UINT64_MAX if none. */
static uint64_t
first_bad(const ckda_trace_kernel *k, uint64_t T)
{
    uint64_t t = UINT64_MAX;
    const ckda_trace_place *p = &k->first[CKDA_TOKEN_BEYOND],
                           *q = &k->first[CKDA_TOKEN_NONFINITE];
    if (p->found)
        t = p->t;
    if (q->found && q->t < t)
        t = q->t;
    if (t == UINT64_MAX && k->within == CKDA_FALSE)
        t = T; /* the final state alone */
    return t;
}

void
finish_pairs(ckda_trace_result *r, const ckda_trace *tr)
{
    const size_t n = r->nkernels;
    r->npairs = n * (n - 1) / 2;
    r->pair = fresh(r->npairs, sizeof *r->pair);
    ckda_trace_pair *p = r->pair;
    for (size_t a = 0; a < n; a++)
        for (size_t b = a + 1; b < n; b++, p++) {
            const ckda_trace_kernel *x = &r->kernel[a], *y = &r->kernel[b];
            const uint64_t ta = first_bad(x, tr->T), tb = first_bad(y, tr->T);
            *p = (ckda_trace_pair){.a = a, .b = b};
            p->nearer_o = nearer(x->has_o && y->has_o, &x->o_error, &y->o_error);
            p->nearer_final =
                nearer(x->has_final && y->has_final, &x->final_error, &y->final_error);
            p->first_beyond = ta < tb ? -1 : ta > tb ? 1 : 0;
            if (x->has_o && y->has_o)
                first_difference(&p->first_differ, tr, &tr->kernel[a].o,
                                 &tr->kernel[b].o);
        }
}

/* ---- release ----------------------------------------------------------------------- */

static void
free_runs(ckda_trace_word_run *run, uint64_t n)
{
    for (uint64_t i = 0; run != NULL && i < n; i++) {
        free(run[i].drift);
        free(run[i].arithmetic);
    }
    free(run);
}

void
ckda_trace_result_free(ckda_trace_result **out)
{
    ckda_trace_result *r = *out;
    if (r == NULL)
        return;
    for (size_t i = 0; i < r->nkernels; i++) {
        ckda_trace_kernel *k = &r->kernel[i];
        free(k->head_error);
        free(k->token_error);
        for (int p = 0; p < 3; p++)
            free(k->pieces[p].error);
        free(k->diagnosis.rule);
    }
    free_runs(r->words.run, r->nkernels * r->words.words);
    free_runs(r->words.keys, r->words.words);
    free(r->words.point);
    free(r->kernel);
    free(r->pair);
    free(r);
    *out = NULL;
}
