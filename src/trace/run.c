/* The recurrence in p-bit numbers, column by column, with one error bound a column.
 *
 * Let h be a column of the exact state, h^ ours, |h - h^| <= e (2-norm); u = 2^-p, and
 * g = (K+1) u / (1 - (K+1) u) for an inner product summed one by one.  With D = diag(alpha)
 * h^, p = k^T D, d = beta (v - p), a token rounds
 *     D by u |D|;   p by g |k| |D|;   d by 3u |beta| (|v| + |k| |D|);
 *     h' = D + k d by u (|h'| + |k| |d|),
 * and errors made in D pass through I - beta k k^T, those in p through beta k, those in d
 * through k.  Enclosed inputs (errors dk, da, db) change the transition by at most
 *     N da + (db |k|^2 + 2 |beta| |k| dk) max|alpha|,   N = |I - beta k k^T|,
 * and the write by (db |k| + |beta| dk) |v|.  Hence the step below.  A kernel of a model
 * makes errors of the same kinds with its own u, g, dk, da, db: the same step bounds it,
 * started from our state.  Other orders of the update bound the same terms with
 * max(1, max|alpha|) in front.  After each block of tokens a kernel's bound is replaced by
 * that of envelope.c where that one is smaller. */
#include <math.h>
#include <omp.h>
#include <string.h>

#include "trace_internal.h"

#define UP (1 + 0x1p-40)
#define FP32 0x1p-24
#define SECOND (1 + 0x1p-8) /* products of two first-order terms of a kernel */
#define BF16 0x1p-9

int
default_depth(uint64_t K)
{
    int n = 0;
    while ((UINT64_C(1) << n) < K)
        n++;
    return 4 + 2 * n;
}

/* ---- a column ---------------------------------------------------------------------- */

typedef struct {
    mpfr_t *h;                /* [K] */
    double norm;              /* >= |h^| */
    double e, m[CKDA_MODELS]; /* bounds on the errors: ours, a kernel's */
} column;

typedef struct {
    mpfr_t *d, s, w, x;
    mpfr_t coarse; /* a state of few bits */
} scratch;

/* Roundings of one kind of arithmetic. */
typedef struct {
    double u, g;       /* one operation, one inner product */
    double dk, da, db; /* inputs */
    double store;      /* each entry of the new state */
} roundings;

static double
norm_of(mpfr_t *x, uint64_t K)
{
    double s = 0;
    for (uint64_t i = 0; i < K; i++) {
        const double y = mpfr_get_d(x[i], MPFR_RNDA);
        s += y * y;
    }
    return sqrt(s) * UP;
}

/* The bound after the token: e before, old and new norms of the computing state. */
static double
bound_step(double e, double old, double new, double v, const token *p, const roundings *r,
           rule_order order)
{
    const double N = p->growth, kk = p->nk * p->nk;
    const double A =
        order == ORDER_OLD_ERROR ? p->na + p->nb * kk : N * p->na; /* the transition */
    const double gate = order == ORDER_STATED ? 1 : fmax(1, p->na);
    const double m = (order == ORDER_STATED ? p->na : fmax(1, p->na)) * old;
    const double delta = p->nb * (v + p->nk * m);
    const double inputs =
        (N * r->da + (r->db * kk + 2 * p->nb * p->nk * r->dk) * fmax(1, p->na)) * old
        + (r->db * p->nk + p->nb * r->dk) * v;
    double local = N * r->u * m + p->nb * kk * r->g * m + 3 * r->u * p->nk * delta
                   + r->u * (new + p->nk *delta);
    if (order != ORDER_STATED)
        local += 3 * r->u * (m + p->nk * delta) + r->u * v * p->nb * p->nk;
    return (A * e + gate * (inputs + local) + r->store * new) * UP;
}

static void
times_alpha(mpfr_t y, const mpfr_t x, const token *p, uint64_t i)
{
    if (p->alpha_kind[i] == ALPHA_GENERAL)
        mpfr_mul(y, x, p->alpha[i], MPFR_RNDN);
    else if (p->alpha_kind[i] == ALPHA_ONE)
        mpfr_set(y, x, MPFR_RNDN);
    else
        mpfr_neg(y, x, MPFR_RNDN);
}

/* s = k^T x */
static void
dot(mpfr_t s, mpfr_t *k, mpfr_t *x, uint64_t K, mpfr_t tmp)
{
    mpfr_set_zero(s, 1);
    for (uint64_t i = 0; i < K; i++)
        if (!mpfr_zero_p(k[i]) && !mpfr_zero_p(x[i])) {
            mpfr_mul(tmp, k[i], x[i], MPFR_RNDN);
            mpfr_add(s, s, tmp, MPFR_RNDN);
        }
}

static void
column_step(column *c, const token *p, double v, const rule *r, uint64_t K, scratch *s)
{
    const bool gate_first = r->order == ORDER_STATED || r->order == ORDER_OLD_ERROR;
    for (uint64_t i = 0; i < K && gate_first; i++)
        times_alpha(s->d[i], c->h[i], p, i);
    dot(s->s, p->k, r->order == ORDER_STATED ? s->d : c->h, K, s->x);
    if (r->order == ORDER_GATE_LAST)
        mpfr_neg(s->w, s->s, MPFR_RNDN);
    else
        mpfr_d_sub(s->w, v, s->s, MPFR_RNDN);
    mpfr_mul(s->w, s->w, p->beta, MPFR_RNDN);
    for (uint64_t i = 0; i < K; i++) {
        mpfr_t *from = gate_first ? s->d : c->h;
        if (mpfr_zero_p(p->k[i])) {
            mpfr_set(c->h[i], from[i], MPFR_RNDN);
        } else {
            mpfr_mul(s->x, p->k[i], s->w, MPFR_RNDN);
            mpfr_add(c->h[i], from[i], s->x, MPFR_RNDN);
        }
        if (!gate_first)
            times_alpha(c->h[i], c->h[i], p, i);
        if (r->order == ORDER_GATE_LAST && v != 0) {
            mpfr_mul_d(s->x, p->beta, v, MPFR_RNDN);
            mpfr_mul(s->x, s->x, p->k[i], MPFR_RNDN);
            mpfr_add(c->h[i], c->h[i], s->x, MPFR_RNDN);
        }
    }
    for (uint64_t i = 0; i < K && r->state_bits > 0; i++) {
        mpfr_set(s->coarse, c->h[i], MPFR_RNDN);
        mpfr_set(c->h[i], s->coarse, MPFR_RNDN);
    }
}

/* ---- a run ------------------------------------------------------------------------- */

typedef struct {
    const run_args *a;
    uint64_t K, columns, width;
    token *tok; /* [RUN_BLOCK] */
    column *col;
    mpfr_t scale;
    double nscale, dscale;
    run_block block;
    roundings ours, model[CKDA_MODELS];
    double *local[CKDA_MODELS];    /* [RUN_BLOCK * columns]: what each token adds */
    double *envelope[CKDA_MODELS]; /* [K * K], envelope.c */
} run;

/* at: where the block keeps what this token adds to this column */
static void
step_bounds(column *c, const token *p, double v, const run *r, uint64_t at)
{
    const double old = c->norm, new = norm_of(c->h, r->K);
    const rule_order order = r->a->rule.order;
    roundings q = r->ours;
    q.dk = p->dk;
    q.da = p->da;
    q.db = p->db;
    c->e = bound_step(c->e, old, new, fabs(v), p, &q, order);
    for (int i = 0; i < CKDA_MODELS; i++) {
        roundings m = r->model[i];
        const double off =
            c->m[i]; /* the kernel's state is that far from the exact one */
        m.dk = p->mk + p->dk;
        m.da = p->ma + p->da;
        m.db = p->mb + p->db;
        const double before = (old + off + c->e) * SECOND;
        double grown = new + c->e;
        /* the new state of the kernel: what it had, moved, and what was added */
        grown += (p->growth * p->na + p->nb * p->nk * p->nk) * off;
        c->m[i] = bound_step(off, before, grown * SECOND, fabs(v), p, &m, order) * SECOND;
        r->local[i][at] =
            bound_step(0, before, grown * SECOND, fabs(v), p, &m, order) * SECOND;
    }
    c->norm = new;
}

/* One number out: hi + lo, our radius, the bounds of the models. */
static void
put(const run *r, uint64_t at, const mpfr_t x, double rad, const double *bound,
    mpfr_t tmp)
{
    const double hi = mpfr_get_d(x, MPFR_RNDN);
    mpfr_sub_d(tmp, x, hi, MPFR_RNDN);
    r->block.hi[at] = hi;
    r->block.lo[at] = mpfr_get_d(tmp, MPFR_RNDN);
    r->block.rad[at] = (rad + fabs(hi) * 0x1p-104) * UP;
    for (int i = 0; i < CKDA_MODELS; i++)
        r->block.bound[i][at] = bound[i];
}

static void
show_rows(const run *r, const column *c, uint64_t t, uint64_t j, scratch *s)
{
    for (uint64_t i = 0; i < r->a->tr->R; i++)
        put(r, t * r->width + i * r->a->tr->C + j, c->h[i], c->e, c->m, s->x);
}

static void
show_output(const run *r, const column *c, const token *p, uint64_t t, uint64_t j,
            scratch *s)
{
    double bound[CKDA_MODELS];
    const double q = p->nq * r->nscale;
    dot(s->s, p->q, c->h, r->K, s->x);
    mpfr_mul(s->s, s->s, r->scale, MPFR_RNDN);
    const double rad = q * c->e + r->nscale * p->dq * (c->norm + c->e)
                       + (q * (r->ours.g + 2 * r->ours.u) + r->dscale * p->nq) * c->norm;
    for (int i = 0; i < CKDA_MODELS; i++) {
        const double size = (c->norm + c->e + c->m[i]) * SECOND;
        bound[i] = (q * c->m[i] + r->nscale * (p->mq + p->dq) * size
                    + q * (r->model[i].g + 4 * FP32) * size)
                   * SECOND;
    }
    put(r, t * r->width + j, s->s, rad, bound, s->x);
}

static void
column_block(const run *r, uint64_t j, uint64_t t0, uint64_t n, scratch *s)
{
    column *c = &r->col[j];
    const ckda_trace *tr = r->a->tr;
    const rule *rl = &r->a->rule;
    const bool shows = !tr->rows || j < tr->C;
    for (uint64_t t = 0; t < n; t++) {
        const uint64_t now = t0 + t;
        if (shows && rl->read_before && !tr->rows)
            show_output(r, c, &r->tok[t], t, j, s);
        if (!rl->inputs_late || now > 0) {
            const uint64_t at = rl->inputs_late ? now - 1 : now;
            const double v = tr->v.t != NULL
                                 ? view_get(&tr->v, r->a->b, at, r->a->h, r->a->c0 + j)
                                 : 0;
            column_step(c, &r->tok[t], v, rl, r->K, s);
            step_bounds(c, &r->tok[t], v, r, t * r->columns + j);
        }
        if (shows && tr->rows)
            show_rows(r, c, t, j, s);
        else if (shows && !rl->read_before)
            show_output(r, c, &r->tok[t], t, j, s);
    }
}

static void
scratch_init(scratch *s, const run *r)
{
    const slong prec = r->a->prec;
    s->d = fresh(r->K, sizeof *s->d);
    for (uint64_t i = 0; i < r->K; i++)
        mpfr_init2(s->d[i], prec);
    mpfr_inits2(prec, s->s, s->w, s->x, (mpfr_ptr)NULL);
    mpfr_init2(s->coarse, r->a->rule.state_bits > 0 ? r->a->rule.state_bits : 2);
}

static void
scratch_clear(scratch *s, const run *r)
{
    for (uint64_t i = 0; i < r->K; i++)
        mpfr_clear(s->d[i]);
    free(s->d);
    mpfr_clears(s->s, s->w, s->x, s->coarse, (mpfr_ptr)NULL);
}

/* ---- beginning and end ------------------------------------------------------------- */

static void
column_init(column *c, const run *r, uint64_t j)
{
    const ckda_trace *tr = r->a->tr;
    const uint64_t at = r->a->c0 + j;
    c->h = fresh(r->K, sizeof *c->h);
    for (uint64_t i = 0; i < r->K; i++) {
        double x = tr->identity && i == at ? 1 : 0;
        if (tr->initial.t != NULL)
            x = view_get(&tr->initial, r->a->b, 0, r->a->h, i * tr->V + at);
        mpfr_init2(c->h[i], r->a->prec);
        mpfr_set_d(c->h[i], r->a->rule.no_initial ? 0 : x, MPFR_RNDN);
    }
    c->norm = norm_of(c->h, r->K);
    c->e = 0;
    const bool wide = tr->initial.t != NULL && tr->initial.t->dtype == CKDA_DTYPE_F64;
    c->m[CKDA_MODEL_FP32] = wide ? FP32 * c->norm : 0;
    c->m[CKDA_MODEL_BF16_STATE] = (wide ? FP32 + BF16 : BF16) * c->norm;
}

static double *
doubles(uint64_t n)
{
    return fresh(n, sizeof(double));
}

static void
run_init(run *r, const run_args *a)
{
    const ckda_trace *tr = a->tr;
    const double u = ldexp(1, (int)-a->prec), n = (double)tr->K + 1;
    const double deep = (double)(a->depth + 1) * FP32;
    *r = (run){.a = a, .K = tr->K, .columns = a->c1 - a->c0};
    r->width = tr->rows ? tr->R * tr->C : r->columns;
    r->tok = fresh(RUN_BLOCK, sizeof *r->tok);
    for (int i = 0; i < RUN_BLOCK; i++)
        token_init(&r->tok[i], r->K, a->prec);
    r->ours = (roundings){.u = u, .g = n * u / (1 - n * u) * UP};
    for (int i = 0; i < CKDA_MODELS; i++)
        r->model[i] = (roundings){.u = FP32, .g = deep / (1 - deep) * UP};
    r->model[CKDA_MODEL_BF16_STATE].store = BF16 * SECOND;
    mpfr_init2(r->scale, a->prec);
    scale_prepare(r->scale, &r->dscale, a);
    r->nscale = (fabs(mpfr_get_d(r->scale, MPFR_RNDA)) + r->dscale) * UP;
    r->col = fresh(r->columns, sizeof *r->col);
    for (uint64_t j = 0; j < r->columns; j++)
        column_init(&r->col[j], r, j);
    const uint64_t size = RUN_BLOCK * r->width;
    r->block = (run_block){.width = r->width,
                           .hi = doubles(size),
                           .lo = doubles(size),
                           .rad = doubles(size)};
    for (int i = 0; i < CKDA_MODELS; i++) {
        r->block.bound[i] = doubles(size);
        r->local[i] = doubles(RUN_BLOCK * r->columns);
        r->envelope[i] = doubles(r->K * r->K);
        double most = 0;
        for (uint64_t j = 0; j < r->columns; j++)
            most = fmax(most, r->col[j].m[i]);
        for (uint64_t j = 0; j < r->K; j++)
            r->envelope[i][j * r->K + j] = most * most;
    }
}

static void
run_clear(run *r)
{
    for (uint64_t j = 0; j < r->columns; j++) {
        for (uint64_t i = 0; i < r->K; i++)
            mpfr_clear(r->col[j].h[i]);
        free(r->col[j].h);
    }
    free(r->col);
    for (int i = 0; i < RUN_BLOCK; i++)
        token_clear(&r->tok[i], r->K);
    free(r->tok);
    mpfr_clear(r->scale);
    free(r->block.hi);
    free(r->block.lo);
    free(r->block.rad);
    for (int i = 0; i < CKDA_MODELS; i++) {
        free(r->block.bound[i]);
        free(r->local[i]);
        free(r->envelope[i]);
    }
}

static void
finish(run_final *f, const run *r)
{
    mpfr_t x;
    mpfr_init2(x, r->a->prec);
    for (uint64_t j = 0; j < r->columns; j++) {
        const column *c = &r->col[j];
        for (uint64_t i = 0; i < r->K; i++) {
            f->hi[j * r->K + i] = mpfr_get_d(c->h[i], MPFR_RNDN);
            mpfr_sub_d(x, c->h[i], f->hi[j * r->K + i], MPFR_RNDN);
            f->lo[j * r->K + i] = mpfr_get_d(x, MPFR_RNDN);
        }
        f->rad[j] = (c->e + c->norm * 0x1p-104) * UP;
        for (int m = 0; m < CKDA_MODELS; m++)
            f->bound[m][j] = c->m[m];
    }
    mpfr_clear(x);
}

/* Waking other threads costs more than a few thousand operations. */
static bool
is_large(const run *r, uint64_t n)
{
    return n * r->columns * r->K > 20000;
}

/* Tokens t0 .. t0+n-1: prepared together, then each column goes through them. */
static void
run_tokens(const run *r, uint64_t t0, uint64_t n)
{
#pragma omp parallel if (is_large(r, n))
    {
        scratch s;
        scratch_init(&s, r);
#pragma omp for schedule(dynamic, 1)
        for (uint64_t t = 0; t < n; t++)
            token_prepare(&r->tok[t], r->a, t0 + t);
#pragma omp for schedule(dynamic, 1)
        for (uint64_t j = 0; j < r->columns; j++)
            column_block(r, j, t0, n, &s);
        scratch_clear(&s, r);
    }
}

/* After tokens t0 .. t0+n-1: the better of the two bounds on a kernel. */
static void
tighten(const run *r, uint64_t t0, uint64_t n)
{
    double *tmp = doubles(2 * r->K);
    for (int i = 0; i < CKDA_MODELS; i++) {
        for (uint64_t t = 0; t < n; t++) {
            double rho = 0;
            for (uint64_t j = 0; j < r->columns; j++)
                rho = fmax(rho, r->local[i][t * r->columns + j]);
            envelope_step(r->envelope[i], &r->tok[t], rho, r->K, tmp);
        }
        const double most = envelope_bound(r->envelope[i], t0 + n + 1, r->K);
        for (uint64_t j = 0; j < r->columns; j++)
            r->col[j].m[i] = fmin(r->col[j].m[i], most);
    }
    free(tmp);
}

void
run_head(const run_args *a, run_sink sink, void *data, run_final *fin)
{
    run r;
    run_init(&r, a);
    for (uint64_t t0 = 0; t0 < a->tokens; t0 += RUN_BLOCK) {
        const uint64_t n = a->tokens - t0 < RUN_BLOCK ? a->tokens - t0 : RUN_BLOCK;
        run_tokens(&r, t0, n);
        if (a->rule.order == ORDER_STATED && !a->rule.inputs_late)
            tighten(&r, t0, n);
        r.block.t0 = t0;
        r.block.n = n;
        if (sink != NULL)
            sink(data, &r.block);
    }
    if (fin != NULL)
        finish(fin, &r);
    const bool shared = is_large(&r, a->tokens);
    run_clear(&r);
#pragma omp parallel if (shared)
    if (omp_get_thread_num() > 0) /* the caller may have live numbers */
        flint_cleanup();
}

void
run_final_init(run_final *f, uint64_t K, uint64_t columns)
{
    *f = (run_final){.K = K,
                     .columns = columns,
                     .hi = doubles(K * columns),
                     .lo = doubles(K * columns),
                     .rad = doubles(columns)};
    for (int i = 0; i < CKDA_MODELS; i++)
        f->bound[i] = doubles(columns);
}

void
run_final_clear(run_final *f)
{
    free(f->hi);
    free(f->lo);
    free(f->rad);
    for (int i = 0; i < CKDA_MODELS; i++)
        free(f->bound[i]);
}
