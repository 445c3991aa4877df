/* Which other rule does the kernel follow?  Each known one is run in the same arithmetic
 * on the head and around the token where the kernel left its bound. */
#include <math.h>
#include <string.h>

#include "trace_internal.h"

enum { AFTER = 128, COLUMNS = 16 }; /* tokens after the breach; columns looked at */

typedef struct {
    const ckda_trace *tr;
    const view *o;
    const ckda_fp_format *format;
    ckda_trace_model model;
    uint64_t b, h, c0;
    const double *stated; /* outputs of the stated rule, [tokens * width], or NULL */
    double *keep;         /* where to put ours, or NULL */
    double e2, r2;        /* kernel against this rule */
    bool beyond, differs;
} trial;

static void
try_block(void *data, const run_block *x)
{
    trial *y = data;
    for (uint64_t i = 0; i < x->n * x->width; i++) {
        const uint64_t t = x->t0 + i / x->width, c = i % x->width;
        const wanted w = {x->hi[i], x->lo[i], x->rad[i], x->bound[y->model][i]};
        const double got = view_get(y->o, y->b, t, y->h, y->c0 + c);
        const uint64_t at = t * x->width + c;
        double d = INFINITY;
        if (!isfinite(got) || compare_number(&d, &w, got, y->format) == CKDA_TOKEN_BEYOND)
            y->beyond = true;
        y->e2 += d * d;
        y->r2 += w.hi * w.hi;
        if (y->keep != NULL)
            y->keep[at] = w.hi;
        /* 2^-40: far below any rounding of interest, far above our radius */
        if (y->stated != NULL
            && fabs(y->stated[at] - w.hi) > 0x1p-40 * (fabs(w.hi) + fabs(y->stated[at])))
            y->differs = true;
    }
}

static void
try_final(trial *y, const run_final *x, const kernel_tensors *kt, bool vk)
{
    const uint64_t K = x->K, V = y->tr->V;
    const ckda_fp_format *f = tensor_format(kt->state.t);
    const bool stored = f != NULL && f->precision < 24; /* rounded when it was written */
    for (uint64_t c = 0; c < x->columns; c++) {
        double d2 = 0, store2 = 0;
        for (uint64_t i = 0; i < K; i++) {
            const uint64_t col = y->c0 + c, at = c * K + i;
            const double got =
                view_get(&kt->state, y->b, 0, y->h, vk ? col * K + i : i * V + col);
            const double d =
                isfinite(got) ? (x->hi[at] - got) + x->lo[at] : (double)INFINITY;
            const double h =
                stored ? half_ulp(fabs(x->hi[at]) + x->bound[y->model][c], f) : 0;
            d2 += d * d;
            store2 += h * h;
            y->r2 += x->hi[at] * x->hi[at];
            if (y->keep != NULL)
                y->keep[at] = x->hi[at];
            if (y->stated != NULL
                && fabs(y->stated[at] - x->hi[at])
                       > 0x1p-40 * (fabs(x->hi[at]) + fabs(y->stated[at])))
                y->differs = true;
        }
        y->e2 += d2;
        const double most = x->bound[y->model][c] + sqrt(store2) + x->rad[c];
        y->beyond = y->beyond || sqrt(d2) * (1 - 0x1p-30) > most;
    }
}

/* Where the kernel failed first, and how much to look at. */
static run_args
window(ckda_trace_diagnosis *d, const ckda_trace *tr, const ckda_trace_kernel *k)
{
    const ckda_trace_place *p = &k->first[CKDA_TOKEN_BEYOND];
    uint64_t c = p->c;
    d->on_state = !p->found;
    d->b = d->on_state ? k->final_b : p->b;
    d->h = d->on_state ? k->final_h : p->h;
    d->tokens = d->on_state || tr->T - p->t < AFTER ? tr->T : p->t + AFTER;
    if (d->on_state)
        c = k->final_column;
    d->columns = tr->V < COLUMNS || tr->rows ? tr->V : COLUMNS;
    d->c0 = tr->rows || c < COLUMNS / 2 ? 0 : c - COLUMNS / 2;
    if (d->c0 + d->columns > tr->V)
        d->c0 = tr->V - d->columns;
    return (run_args){.tr = tr,
                      .b = d->b,
                      .h = d->h,
                      .tokens = d->tokens,
                      .c0 = d->c0,
                      .c1 = d->c0 + d->columns};
}

static trial
try_rule(const run_args *a, const trial *like, const kernel_tensors *kt, bool on_state,
         bool vk)
{
    trial y = *like;
    run_final x;
    run_final_init(&x, a->tr->K, a->c1 - a->c0);
    run_head(a, on_state ? NULL : try_block, &y, on_state ? &x : NULL);
    if (on_state)
        try_final(&y, &x, kt, vk);
    run_final_clear(&x);
    return y;
}

static double
distance(const trial *y)
{
    return y->e2 == 0 ? 0 : y->r2 == 0 ? (double)INFINITY : sqrt(y->e2 / y->r2);
}

static int
by_match(const void *a, const void *b)
{
    const ckda_trace_rule *x = a, *y = b;
    if (x->match != y->match)
        return x->match > y->match ? -1 : 1;
    if (x->emulated != y->emulated) /* of rules that fit alike, the proved one */
        return x->emulated ? 1 : -1;
    return x->distance < y->distance ? -1 : x->distance > y->distance;
}

void
trace_diagnose(ckda_trace_diagnosis *d, const ckda_trace *tr, size_t j,
               const ckda_trace_kernel *k, slong prec, int depth)
{
    const kernel_tensors *kt = &tr->kernel[j];
    const bool vk = k->final_transposed || (kt->has_layout && kt->layout_vk);
    if (!k->first[CKDA_TOKEN_BEYOND].found && k->final_class != CKDA_TOKEN_BEYOND)
        return; /* not finite: no rule gives that */
    run_args a = window(d, tr, k);
    a.prec = prec;
    a.depth = depth;
    const uint64_t size = d->on_state
                              ? tr->K * d->columns
                              : d->tokens * (tr->rows ? tr->R * tr->C : d->columns);
    double *stated = fresh(size, sizeof *stated);
    trial like = {.tr = tr,
                  .o = &kt->o,
                  .format = d->on_state ? NULL : tensor_format(kt->o.t),
                  .model = k->model,
                  .b = d->b,
                  .h = d->h,
                  .c0 = tr->rows ? 0 : d->c0,
                  .keep = stated};
    const trial base = try_rule(&a, &like, kt, d->on_state, vk);
    d->distance = distance(&base);
    d->rule = fresh(known_rules_count, sizeof *d->rule);
    like.keep = NULL;
    like.stated = stated;
    for (size_t i = 0; i < known_rules_count; i++) {
        const named_rule *n = &known_rules[i];
        a.rule = n->rule;
        const trial y = try_rule(&a, &like, kt, d->on_state, vk);
        if (!y.differs)
            continue;
        const double far = distance(&y);
        d->rule[d->nrules++] =
            (ckda_trace_rule){.id = n->id,
                              .text = n->text,
                              .match = !y.beyond                 ? CKDA_MATCH_YES
                                       : far < 0.5 * d->distance ? CKDA_MATCH_NEARER
                                                                 : CKDA_MATCH_NONE,
                              .emulated = n->rule.state_bits > 0,
                              .distance = far};
    }
    free(stated);
    if (d->nrules > 0)
        qsort(d->rule, d->nrules, sizeof *d->rule, by_match);
    d->done = true;
}
