/* The numbers of one token: exact ones as they are, the others enclosed by arb, with upper
 * bounds on how far our p-bit values, and those of a kernel in fp32, can be off.
 *
 * Upper bounds are doubles.  Sums, products and roots of at most a few hundred
 * non-negative doubles lose less than 2^-40 of their value; UP makes up for that.  */
#include <float.h>
#include <math.h>
#include <string.h>

#include "trace_internal.h"

#define UP (1 + 0x1p-40)
#define FP32 0x1p-24 /* half an ulp of fp32, relatively */

void
token_init(token *p, uint64_t K, slong prec)
{
    p->k = fresh(K, sizeof *p->k);
    p->q = fresh(K, sizeof *p->q);
    p->alpha = fresh(K, sizeof *p->alpha);
    p->alpha_kind = fresh(K, 1);
    for (uint64_t i = 0; i < K; i++) {
        mpfr_init2(p->k[i], prec);
        mpfr_init2(p->q[i], prec);
        mpfr_init2(p->alpha[i], prec);
    }
    mpfr_init2(p->beta, prec);
}

void
token_clear(token *p, uint64_t K)
{
    for (uint64_t i = 0; i < K; i++) {
        mpfr_clear(p->k[i]);
        mpfr_clear(p->q[i]);
        mpfr_clear(p->alpha[i]);
    }
    mpfr_clear(p->beta);
    free(p->k);
    free(p->q);
    free(p->alpha);
    free(p->alpha_kind);
}

/* ---- enclosures -------------------------------------------------------------------- */

static void
set_double(arb_t x, double d)
{
    arb_zero(x);
    arf_set_d(arb_midref(x), d);
}

/* y = middle of x in y's precision; returns a bound on |x - y|. */
static double
middle(mpfr_t y, const arb_t x)
{
    arf_t m;
    mag_t r;
    arb_t back;
    arb_init(back);
    arf_init(m);
    mag_init(r);
    arf_get_mpfr(y, arb_midref(x), MPFR_RNDN);
    arf_set_mpfr(m, y);
    arb_sub_arf(back, x, m, 64);
    arb_get_mag(r, back);
    double e = mag_is_zero(r) ? 0 : mag_get_d(r) * UP + DBL_MIN;
    mag_clear(r);
    arf_clear(m);
    arb_clear(back);
    return e;
}

static void
sigmoid(arb_t y, const arb_t x, slong prec)
{
    arb_neg(y, x);
    arb_exp(y, y, prec);
    arb_add_ui(y, y, 1, prec);
    arb_inv(y, y, prec);
}

/* The log gate of raw inputs. */
static void
raw_gate(arb_t g, const ckda_trace *tr, uint64_t b, uint64_t t, uint64_t h, uint64_t i,
         slong prec)
{
    arb_t a, x;
    arb_init(a);
    arb_init(x);
    set_double(g, view_get(&tr->gate, b, t, h, i));
    if (tr->dt_bias.t != NULL) {
        set_double(x, view_get(&tr->dt_bias, b, t, h, i));
        arb_add(g, g, x, prec);
    }
    arb_one(a);
    if (tr->a_log.t != NULL) {
        set_double(a, view_get(&tr->a_log, b, t, h, i));
        arb_exp(a, a, prec);
    }
    if (tr->gate_kind == GATE_LOWER) {
        arb_mul(g, g, a, prec);
        sigmoid(g, g, prec);
        decimal_arb(x, tr->lower_bound, prec);
        arb_mul(g, g, x, prec);
    } else { /* -a log(1 + e^g) */
        arb_exp(g, g, prec);
        arb_log1p(g, g, prec);
        arb_mul(g, g, a, prec);
        arb_neg(g, g);
    }
    arb_clear(x);
    arb_clear(a);
}

/* x rounded once to the format, as an exact number. */
static void
round_to(arb_t x, const ckda_fp_format *f)
{
    uint64_t bits;
    if (ckda_fp_from_arb(&bits, x, f, &ckda_fp_rne) != CKDA_OK) /* a tie within 2^-prec */
        bits =
            ckda_fp_from_double(arf_get_d(arb_midref(x), ARF_RND_NEAR), f, &ckda_fp_rne);
    set_double(x, ckda_fp_get_double(bits, f));
}

/* ---- gates ------------------------------------------------------------------------- */

typedef struct {
    double error, model; /* of this entry */
} entry_error;

static entry_error
gate_entry(mpfr_t y, signed char *kind, const run_args *a, uint64_t t, uint64_t i)
{
    const ckda_trace *tr = a->tr;
    const slong prec = a->prec + 32;
    entry_error e = {0, 0};
    double size = 0; /* of the log gate */
    arb_t x;
    arb_init(x);
    if (tr->gate_kind == GATE_ALPHA) {
        set_double(x, view_get(&tr->gate, a->b, t, a->h, i));
    } else {
        if (tr->gate_kind == GATE_LOG)
            set_double(x, view_get(&tr->gate, a->b, t, a->h, i));
        else
            raw_gate(x, tr, a->b, t, a->h, i, prec);
        if (a->rule.gate_to != NULL)
            round_to(x, a->rule.gate_to);
        size = fabs(arf_get_d(arb_midref(x), ARF_RND_UP));
        arb_exp(x, x, prec);
    }
    if (a->rule.alpha_to != NULL)
        round_to(x, a->rule.alpha_to);
    if (a->rule.unsigned_gate)
        arb_abs(x, x);
    e.error = middle(y, x);
    *kind = mpfr_cmp_si(y, 1) == 0    ? ALPHA_ONE
            : mpfr_cmp_si(y, -1) == 0 ? ALPHA_MINUS_ONE
                                      : ALPHA_GENERAL;
    /* exp of a given g: g log2(e) rounded, then 2^x; a raw gate has a sigmoid before */
    const double value = fabs(mpfr_get_d(y, MPFR_RNDA));
    if (tr->gate_kind == GATE_LOG)
        e.model = (8 + 4 * size) * FP32 * value;
    else if (tr->gate_kind != GATE_ALPHA)
        e.model = (8 + 32 * size) * FP32 * value;
    else if (tr->gate.t->dtype == CKDA_DTYPE_F64)
        e.model = FP32 * value;
    arb_clear(x);
    return e;
}

static void
prepare_gate(token *p, const run_args *a, uint64_t t)
{
    const uint64_t K = a->tr->K;
    const bool late = a->rule.gate_late;
    p->na = p->da = p->ma = 0;
    if (a->tr->gate_kind == GATE_NONE || a->rule.no_gate || (late && t == 0)) {
        memset(p->alpha_kind, ALPHA_ONE, K);
        p->na = 1;
        return;
    }
    const uint64_t entries = a->tr->gate_scalar ? 1 : K;
    for (uint64_t i = 0; i < K; i++) {
        if (i >= entries) {
            mpfr_set(p->alpha[i], p->alpha[0], MPFR_RNDN);
            p->alpha_kind[i] = p->alpha_kind[0];
            continue;
        }
        const entry_error e =
            gate_entry(p->alpha[i], &p->alpha_kind[i], a, late ? t - 1 : t, i);
        const double size = fabs(mpfr_get_d(p->alpha[i], MPFR_RNDA)) + e.error;
        p->na = fmax(p->na, size * UP);
        p->da = fmax(p->da, e.error);
        p->ma = fmax(p->ma, e.model * UP);
    }
}

/* ---- keys and queries -------------------------------------------------------------- */

typedef struct {
    double norm, error, model;
} vector_error;

/* x_i / sqrt(sum x_i^2 + eps); with eps NULL the unit vector itself. */
static vector_error
normalise(mpfr_t *y, const view *v, const run_args *a, uint64_t t, const char *eps)
{
    const uint64_t K = a->tr->K;
    const slong prec = a->prec + 32;
    arb_t s, x;
    double e2 = 0;
    arb_init(s);
    arb_init(x);
    for (uint64_t i = 0; i < K; i++) {
        set_double(x, view_get(v, a->b, t, a->h, i));
        arb_addmul(s, x, x, prec);
    }
    if (eps != NULL) {
        decimal_arb(x, eps, prec);
        arb_add(s, s, x, prec);
    }
    const bool zero = arb_contains_zero(s);
    if (!zero)
        arb_rsqrt(s, s, prec);
    for (uint64_t i = 0; i < K; i++) {
        set_double(x, view_get(v, a->b, t, a->h, i));
        arb_mul(x, x, s, prec);
        const double e = middle(y[i], x);
        e2 += e * e;
    }
    arb_clear(x);
    arb_clear(s);
    return (vector_error){0, sqrt(e2) * UP, (a->depth + 8) * FP32};
}

static vector_error
copy_vector(mpfr_t *y, const view *v, const run_args *a, uint64_t t)
{
    for (uint64_t i = 0; i < a->tr->K; i++)
        mpfr_set_d(y[i], view_get(v, a->b, t, a->h, i), MPFR_RNDN);
    return (vector_error){0, 0, v->t->dtype == CKDA_DTYPE_F64 ? FP32 : 0};
}

/* Norm bound from the values; model errors were relative until here. */
static void
finish_vector(vector_error *e, mpfr_t *y, uint64_t K)
{
    double s = 0;
    for (uint64_t i = 0; i < K; i++) {
        const double x = mpfr_get_d(y[i], MPFR_RNDA);
        s += x * x;
    }
    e->norm = (sqrt(s) + e->error) * UP;
    e->model *= e->norm * UP;
}

static void
prepare_key(token *p, const run_args *a, uint64_t t)
{
    const ckda_trace *tr = a->tr;
    vector_error e;
    if (tr->k_raw && a->rule.key != KEY_RAW)
        e = normalise(p->k, &tr->k, a, t, tr->norm_eps);
    else if (!tr->k_raw && a->rule.key == KEY_UNIT)
        e = normalise(p->k, &tr->k, a, t, NULL);
    else
        e = copy_vector(p->k, &tr->k, a, t);
    finish_vector(&e, p->k, tr->K);
    p->nk = e.norm;
    p->dk = e.error;
    p->mk = e.model;
}

static void
prepare_query(token *p, const run_args *a, uint64_t t)
{
    const ckda_trace *tr = a->tr;
    vector_error e;
    p->nq = p->dq = p->mq = 0;
    if (tr->rows)
        return;
    if (tr->q_raw)
        e = normalise(p->q, &tr->q, a, t, tr->norm_eps);
    else
        e = copy_vector(p->q, &tr->q, a, t);
    finish_vector(&e, p->q, tr->K);
    p->nq = e.norm;
    p->dq = e.error;
    p->mq = e.model;
}

/* ---- beta -------------------------------------------------------------------------- */

static void
prepare_beta(token *p, const run_args *a, uint64_t t)
{
    const ckda_trace *tr = a->tr;
    const slong prec = a->prec + 32;
    double model = 0;
    arb_t x, s;
    arb_init(x);
    arb_init(s);
    arb_one(x);
    if (tr->beta.t != NULL && !a->rule.no_beta) {
        set_double(x, view_get(&tr->beta, a->b, t, a->h, 0));
        model = tr->beta.t->dtype == CKDA_DTYPE_F64 ? FP32 : 0;
        if (tr->beta_raw) {
            sigmoid(x, x, prec);
            decimal_arb(s, tr->beta_scale, prec);
            arb_mul(x, x, s, prec);
            model = 8 * FP32;
        }
    }
    if (a->rule.beta_to != NULL)
        round_to(x, a->rule.beta_to);
    arb_mul_2exp_si(x, x, a->rule.beta_double - a->rule.beta_halve);
    p->db = middle(p->beta, x);
    p->nb = (fabs(mpfr_get_d(p->beta, MPFR_RNDA)) + p->db) * UP;
    p->mb = model * p->nb * UP;
    arb_clear(s);
    arb_clear(x);
}

/* |I - beta k k^T| = max(1, |1 - beta |k|^2|), bounded above for the exact numbers. */
static double
growth(const token *p, uint64_t K)
{
    double s = 0;
    for (uint64_t i = 0; i < K; i++) {
        const double x = mpfr_get_d(p->k[i], MPFR_RNDN);
        s += x * x;
    }
    const double y = s * mpfr_get_d(p->beta, MPFR_RNDN);
    const double off =
        0x1p-40 * fabs(y) + p->db * p->nk * p->nk * UP + 2 * p->nb * p->nk * p->dk * UP;
    return fmax(1, (fabs(1 - y) + off) * (1 + 0x1p-48));
}

void
token_prepare(token *p, const run_args *a, uint64_t t)
{
    const uint64_t at = a->rule.inputs_late && t > 0 ? t - 1 : t;
    prepare_gate(p, a, at);
    prepare_key(p, a, at);
    prepare_query(p, a, at);
    prepare_beta(p, a, at);
    p->growth = growth(p, a->tr->K);
}

void
scale_prepare(mpfr_t scale, double *error, const run_args *a)
{
    const slong prec = a->prec + 32;
    arb_t x, y;
    arb_init(x);
    arb_init(y);
    if (a->tr->scale != NULL)
        decimal_arb(x, a->tr->scale, prec);
    else
        arb_rsqrt_ui(x, a->tr->K, prec);
    arb_set(y, x);
    if (a->rule.no_scale)
        arb_one(x);
    if (a->rule.scale_twice)
        arb_mul(x, x, y, prec);
    *error = middle(scale, x);
    arb_clear(y);
    arb_clear(x);
}
