/* The judge: the exact answer comes in head by head, each kernel is held beside it. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "judge_internal.h"

enum { FIRST_PREC = 120, LAST_PREC = 4096 };
static const double RADIUS = 0x1p-48; /* relative to the norm of the answer */

/* ---- outputs ----------------------------------------------------------------------- */

static bool
earlier(const ckda_trace_place *p, uint64_t t, uint64_t b, uint64_t h)
{
    if (!p->found)
        return true;
    if (t != p->t)
        return t < p->t;
    return b != p->b ? b < p->b : h < p->h;
}

static void
note(ckda_trace_place *p, uint64_t t, uint64_t c, const judging *j)
{
    if (earlier(p, t, j->b, j->h))
        *p = (ckda_trace_place){true, j->b, t, j->h, c};
}

static ckda_token_class
worse(ckda_token_class a, ckda_token_class b)
{
    static const int rank[CKDA_TOKEN_CLASSES] = {[CKDA_TOKEN_ROUNDED] = 0,
                                                 [CKDA_TOKEN_WITHIN] = 1,
                                                 [CKDA_TOKEN_UNDECIDED] = 2,
                                                 [CKDA_TOKEN_BEYOND] = 3,
                                                 [CKDA_TOKEN_NONFINITE] = 4};
    return rank[a] >= rank[b] ? a : b;
}

static wanted
wanted_at(const run_block *x, uint64_t i, ckda_trace_model model)
{
    return (wanted){x->hi[i], x->lo[i], x->rad[i], x->bound[model][i]};
}

/* One number; returns its class. */
static ckda_token_class
judge_number(ckda_trace_kernel *k, kernel_sums *s, const wanted *w, double got,
             const ckda_fp_format *f, uint64_t t, uint64_t c, const judging *j)
{
    double d;
    const bool finite = isfinite(got);
    ckda_token_class class = CKDA_TOKEN_NONFINITE;
    if (finite) {
        class = compare_number(&d, w, got, f);
        s->e2[t] += d * d;
        s->head_e2[j->b * j->tr->H + j->h] += d * d;
        if (!k->worst.found || d > k->worst_error) {
            k->worst = (ckda_trace_place){true, j->b, t, j->h, c};
            k->worst_error = d;
            k->worst_want = w->hi;
        }
    } else {
        s->broken[t] = true;
        s->head_e2[j->b * j->tr->H + j->h] = INFINITY;
    }
    if (class != CKDA_TOKEN_ROUNDED && earlier(&k->first_misrounded, t, j->b, j->h)) {
        k->first_misrounded = (ckda_trace_place){true, j->b, t, j->h, c};
        k->first_got = got;
        k->first_want = w->hi;
    }
    if (class == CKDA_TOKEN_ROUNDED || class == CKDA_TOKEN_WITHIN)
        return class;
    note(&k->first[class], t, c, j);
    return class;
}

static void
judge_block(judging *j, size_t i, const run_block *x)
{
    ckda_trace_kernel *k = &j->r->kernel[i];
    kernel_sums *s = &j->sum[i];
    const view *o = &j->tr->kernel[i].o;
    const ckda_fp_format *f = tensor_format(o->t);
    for (uint64_t n = 0; n < x->n; n++) {
        const uint64_t t = x->t0 + n;
        ckda_token_class class = CKDA_TOKEN_ROUNDED;
        for (uint64_t c = 0; c < x->width; c++) {
            const wanted w = wanted_at(x, n * x->width + c, k->model);
            const double got = view_get(o, j->b, t, j->h, c);
            const double r = rounded_to(w.hi, f) - w.hi;
            class = worse(class, judge_number(k, s, &w, got, f, t, c, j));
            s->r2[t] += w.hi * w.hi;
            s->head_r2[j->b * j->tr->H + j->h] += w.hi * w.hi;
            s->radius2 += w.rad * w.rad;
            s->rounding2 += r * r;
        }
        k->tokens[class]++;
        note(&k->first[class], t, 0, j);
    }
}

static void
take_block(void *data, const run_block *x)
{
    judging *j = data;
    for (size_t i = 0; i < j->r->nkernels; i++)
        if (j->r->kernel[i].has_o)
            judge_block(j, i, x);
    if (j->words != NULL)
        words_block(j->words, j->b, x);
}

/* ---- final states ------------------------------------------------------------------ */

/* Column c of a final state read as [K,V] (way 0) or [V,K]. */
static ckda_token_class
judge_column(kernel_sums *s, int way, const ckda_trace_kernel *k, const view *v,
             const run_final *x, uint64_t c, const judging *j)
{
    const uint64_t K = j->tr->K, V = j->tr->V;
    const ckda_fp_format *f = tensor_format(v->t);
    const bool stored = f != NULL && f->precision < 24; /* rounded when it was written */
    double d2 = 0, store2 = 0;
    for (uint64_t i = 0; i < K; i++) {
        const uint64_t at = way == 0 ? i * V + c : c * K + i;
        const double got = view_get(v, j->b, 0, j->h, at);
        if (!isfinite(got))
            return CKDA_TOKEN_NONFINITE;
        const double hi = x->hi[c * K + i], d = (hi - got) + x->lo[c * K + i];
        const double h = stored ? half_ulp(fabs(hi) + x->bound[k->model][c], f) : 0;
        d2 += d * d;
        store2 += h * h;
    }
    s->f_e2[way] += d2;
    const double d = sqrt(d2), tol = d * 0x1p-40 + x->rad[c] + DBL_MIN;
    const double most =
        x->bound[k->model][c] + sqrt(store2) + 2 * x->rad[c] + 2 * DBL_MIN;
    if (d - tol > most)
        return CKDA_TOKEN_BEYOND;
    return d + tol <= most * (1 + 0x1p-30) ? CKDA_TOKEN_WITHIN : CKDA_TOKEN_UNDECIDED;
}

static void
judge_final(judging *j, size_t i, const run_final *x)
{
    kernel_sums *s = &j->sum[i];
    const kernel_tensors *kt = &j->tr->kernel[i];
    const int first = kt->has_layout && kt->layout_vk ? 1 : 0;
    const int last = kt->has_layout ? first : 1;
    for (uint64_t c = 0; c < x->columns; c++) {
        const double most = x->bound[kt->model][c];
        s->f_bound2 += most * most;
        s->f_radius2 += x->rad[c] * x->rad[c];
    }
    for (int way = first; way <= last; way++)
        for (uint64_t c = 0; c < x->columns; c++) {
            const ckda_token_class class =
                judge_column(s, way, &j->r->kernel[i], &kt->state, x, c, j);
            if (class == CKDA_TOKEN_NONFINITE)
                s->f_broken = true;
            const ckda_token_class was = s->f_class[way];
            s->f_class[way] = worse(was, class);
            if (s->f_class[way] != was && class != CKDA_TOKEN_WITHIN) {
                s->f_b[way] = j->b;
                s->f_h[way] = j->h;
                s->f_c[way] = c;
            }
        }
}

/* ---- the whole --------------------------------------------------------------------- */

static void
judge_heads(judging *j, slong prec, int depth)
{
    const ckda_trace *tr = j->tr;
    for (j->b = 0; j->b < tr->B; j->b++)
        for (j->h = 0; j->h < tr->H; j->h++) {
            const run_args a = {.tr = tr,
                                .b = j->b,
                                .h = j->h,
                                .tokens = tr->T,
                                .c1 = tr->V,
                                .prec = prec,
                                .depth = depth};
            run_final x;
            run_final_init(&x, tr->K, tr->V);
            run_head(&a, take_block, j, &x);
            for (uint64_t i = 0; i < tr->K * tr->V; i++)
                j->f_r2 += x.hi[i] * x.hi[i];
            for (size_t i = 0; i < j->r->nkernels; i++)
                if (j->r->kernel[i].has_final)
                    judge_final(j, i, &x);
            run_final_clear(&x);
        }
}

static void
init_kernel(ckda_trace_kernel *k, const kernel_tensors *kt, const ckda_trace *tr)
{
    *k = (ckda_trace_kernel){.name = kt->name,
                             .model = kt->model,
                             .has_o = kt->o.t != NULL,
                             .has_final = kt->state.t != NULL};
    if (k->has_o)
        k->o_dtype = ckda_dtype_name(kt->o.t->dtype);
    if (k->has_final)
        k->final_dtype = ckda_dtype_name(kt->state.t->dtype);
    k->head_error = fresh(tr->B * tr->H, sizeof(double));
    k->token_error = fresh(tr->T, sizeof(double));
    for (int i = 0; i < 3; i++) {
        const uint64_t n = UINT64_C(16) << i;
        k->pieces[i] = (ckda_trace_pieces){.length = n, .count = (tr->T + n - 1) / n};
        k->pieces[i].error = fresh(k->pieces[i].count, sizeof(double));
    }
}

static void
describe(ckda_trace_result *r, const ckda_trace *tr)
{
    static const char *const gates[] = {[GATE_NONE] = "none (alpha = 1)",
                                        [GATE_ALPHA] = "alpha as given",
                                        [GATE_LOG] = "alpha = exp(g)",
                                        [GATE_LOWER] = "raw, with a lower bound",
                                        [GATE_SOFTPLUS] = "raw, with softplus"};
    r->batch = tr->B;
    r->length = tr->T;
    r->key_heads = tr->HK;
    r->heads = tr->H;
    r->keys = tr->K;
    r->values = tr->V;
    r->rows = tr->rows;
    r->row_count = tr->R;
    r->columns = tr->C;
    r->gate = gates[tr->gate_kind];
    r->scale = tr->rows ? NULL : tr->scale != NULL ? tr->scale : "1/sqrt(K)";
    r->nignored = tr->nignored;
    r->ignored = tr->ignored;
}

static ckda_status
judge_once(ckda_trace_result *r, const ckda_trace *tr, slong prec, int depth,
           ckda_error *err)
{
    judging j = {.tr = tr, .r = r};
    describe(r, tr);
    r->prec = prec;
    r->depth = depth;
    ckda_status st = words_open(&j.words, &r->words, tr, err);
    if (st != CKDA_OK)
        return st;
    r->nkernels = tr->nkernels;
    r->kernel = fresh(r->nkernels, sizeof *r->kernel);
    j.sum = fresh(r->nkernels, sizeof *j.sum);
    for (size_t i = 0; i < r->nkernels; i++) {
        init_kernel(&r->kernel[i], &tr->kernel[i], tr);
        sums_init(&j.sum[i], tr);
    }
    judge_heads(&j, prec, depth);
    finish_radius(r, &j);
    for (size_t i = 0; i < r->nkernels; i++) {
        finish_kernel(&r->kernel[i], &j.sum[i], tr, j.f_r2);
        sums_clear(&j.sum[i]);
    }
    free(j.sum);
    words_close(&j.words);
    return CKDA_OK;
}

static bool
sharp_enough(const ckda_trace_result *r)
{
    bool sharp = r->radius_o.hi <= RADIUS && r->radius_final.hi <= RADIUS;
    for (size_t i = 0; i < r->nkernels; i++)
        sharp = sharp && r->kernel[i].within != CKDA_UNKNOWN;
    return sharp;
}

static ckda_truth
overall(const ckda_trace_result *r)
{
    ckda_truth all = CKDA_TRUE;
    for (size_t i = 0; i < r->nkernels; i++)
        all = ckda_truth_and(all, r->kernel[i].within);
    for (uint64_t i = 0; r->words.present && i < r->nkernels * r->words.words; i++)
        if (r->kernel[i / r->words.words].has_o
            && r->words.run[i].first_wrong[CKDA_DECODE_READOUT] != UINT64_MAX)
            all = CKDA_FALSE;
    const bool coarse = !(r->radius_o.hi <= RADIUS && r->radius_final.hi <= RADIUS);
    return all == CKDA_TRUE && coarse ? CKDA_UNKNOWN : all;
}

ckda_status
ckda_trace_judge(ckda_trace_result **out, const ckda_trace *tr,
                 const ckda_trace_options *opt, ckda_error *err)
{
    const int depth = opt->depth > 0 ? opt->depth : default_depth(tr->K);
    slong prec = opt->prec > 0 ? opt->prec : FIRST_PREC;
    *out = NULL;
    for (;;) {
        ckda_trace_result *r = fresh(1, sizeof *r);
        const ckda_status st = judge_once(r, tr, prec, depth, err);
        if (st != CKDA_OK) {
            ckda_trace_result_free(&r);
            return st;
        }
        if (sharp_enough(r) || opt->prec > 0 || 2 * prec > LAST_PREC) {
            *out = r;
            break;
        }
        ckda_trace_result_free(&r);
        prec *= 2;
    }
    finish_pairs(*out, tr);
    for (size_t i = 0; i < (*out)->nkernels && opt->diagnose; i++)
        if ((*out)->kernel[i].within == CKDA_FALSE)
            trace_diagnose(&(*out)->kernel[i].diagnosis, tr, i, &(*out)->kernel[i], prec,
                           depth);
    (*out)->within = overall(*out);
    return CKDA_OK;
}
