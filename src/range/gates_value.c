/* What is said about one gate or beta, and about two roundings of one beta. */
#include <stdlib.h>
#include <string.h>

#include "range_internal.h"

enum { PREC = 256 };

/* ---- one value ----------------------------------------------------------------------- */

/* The true value: x enclosed; exact (if not NULL) when it is rational and given. */
typedef struct {
    bool rational;
    fmpq_t q;
    arb_t x;
} truth;

static void
truth_init(truth *t)
{
    t->rational = false;
    fmpq_init(t->q);
    arb_init(t->x);
}

static void
truth_clear(truth *t)
{
    fmpq_clear(t->q);
    arb_clear(t->x);
}

/* The end point that the pattern is at, or -1: |alpha| = 1, beta = 0 or scale. */
static slong
endpoint(uint64_t x, bool is_beta, slong scale, const ckda_fp_format *f)
{
    const uint64_t y = !is_beta && ckda_fp_is_negative(x, f) ? ckda_fp_neg(x, f) : x;
    if (y == ckda_fp_from_dyadic(is_beta ? scale : 1, 0, f, &ckda_fp_rne))
        return is_beta ? scale : 1;
    return ckda_fp_classify(x, f) == CKDA_FP_ZERO ? 0 : -1;
}

static char *
power_text(const arb_t x, uint64_t steps)
{
    arb_t p;
    arb_init(p);
    arb_abs(p, x);
    arb_pow_ui(p, p, (ulong)steps, PREC);
    char *text = rg_arb_decimal(p);
    arb_clear(p);
    return text;
}

/* floor(ln threshold / ln |x|) + 1, if the enclosure tells it. */
static bool
horizon_arb(uint64_t *T, const arb_t x, const fmpq_t threshold)
{
    arb_t a, b;
    fmpz_t n;
    arb_init(a);
    arb_init(b);
    fmpz_init(n);
    arb_abs(a, x);
    arb_log(a, a, PREC);
    arb_set_fmpq(b, threshold, PREC);
    arb_log(b, b, PREC);
    arb_div(a, b, a, PREC);
    arb_floor(a, a, PREC);
    const bool known = arb_get_unique_fmpz(n, a) && fmpz_abs_fits_ui(n);
    if (known)
        *T = fmpz_get_ui(n) + 1;
    arb_clear(a);
    arb_clear(b);
    fmpz_clear(n);
    return known;
}

static bool
horizon_rational(uint64_t *T, const fmpq_t x, const fmpq_t threshold)
{
    fmpq_t y;
    fmpq_init(y);
    fmpq_abs(y, x);
    *T = 0;
    bool known = true;
    if (fmpq_is_zero(y))
        *T = 1;
    else if (fmpq_cmp_si(y, 1) < 0)
        known = ckda_gates_horizon(T, y, threshold) == CKDA_OK;
    fmpq_clear(y);
    return known;
}

static void
set_horizons(ckda_gates_value *v, const truth *t, const fmpq_t rounded,
             const ckda_gates *g)
{
    fmpq_t threshold;
    fmpq_init(threshold);
    fmpq_set(threshold, g->threshold);
    v->has_horizon = true;
    v->horizon_known = (t->rational ? horizon_rational(&v->horizon, t->q, threshold)
                                    : horizon_arb(&v->horizon, t->x, threshold))
                       && horizon_rational(&v->horizon_rounded, rounded, threshold);
    fmpq_clear(threshold);
}

/* Everything about a value of which truth and rounding are known. */
static void
describe(ckda_gates_value *v, const truth *t, const ckda_gates *g)
{
    const ckda_fp_format *f = g->format;
    fmpq_t rounded;
    arb_t y;
    fmpq_init(rounded);
    arb_init(y);
    v->decimal = rg_arb_decimal(t->x);
    if (t->rational)
        v->exact = rg_fmpq_text(t->q);
    v->rounded_exact = rg_pattern_text(v->rounded, f);
    arb_abs(y, t->x);
    arb_sub_si(y, y, v->is_beta ? g->map.beta_scale : 1, PREC);
    arb_neg(y, y);
    v->decay = rg_arb_decimal(y);
    const slong end = endpoint(v->rounded, v->is_beta, g->map.beta_scale, f);
    if (end >= 0) {
        char text[32];
        fmpq_t size;
        fmpq_init(size);
        fmpq_abs(size, t->q);
        snprintf(text, sizeof text, "%ld", (long)end);
        v->endpoint = rg_copy(text);
        v->collapses = !t->rational || fmpq_cmp_si(size, end) != 0;
        fmpq_clear(size);
    }
    const bool finite = ckda_fp_get_fmpq(rounded, v->rounded, f) == CKDA_OK;
    if (!v->is_beta && finite && g->steps > 0) {
        v->power = power_text(t->x, g->steps);
        arb_set_fmpq(y, rounded, PREC);
        v->power_rounded = power_text(y, g->steps);
    }
    if (!v->is_beta && finite && g->has_threshold)
        set_horizons(v, t, rounded, g);
    fmpq_clear(rounded);
    arb_clear(y);
}

static ckda_gates_value *
new_value(ckda_gates *g, bool is_beta)
{
    g->value = flint_realloc(g->value, (g->nvalues + 1) * sizeof *g->value);
    ckda_gates_value *v = g->value + g->nvalues++;
    *v = (ckda_gates_value){.is_beta = is_beta, .decided = CKDA_TRUE};
    return v;
}

/* A logit of 0 gives a rational value unless eps or the gate is an exponential. */
static void
set_truth(truth *t, const fmpq_t logit, bool is_beta, const ckda_gates_map *m)
{
    if (is_beta) {
        ckda_gates_beta_arb(t->x, logit, m, PREC);
        t->rational = fmpq_is_zero(logit);
        fmpq_set_si(t->q, m->beta_scale, 2);
    } else {
        ckda_gates_alpha_arb(t->x, logit, m, PREC);
        t->rational =
            fmpq_is_zero(logit) && m->kind == CKDA_GATES_SIGNED && !m->eps_is_exp;
        fmpq_set(t->q, m->eps);
    }
    fmpq_canonicalise(t->q);
    if (!t->rational)
        fmpq_zero(t->q);
}

void
rg_gates_add_logit(ckda_gates *g, const fmpq_t logit, bool is_beta)
{
    ckda_gates_value *v = new_value(g, is_beta);
    truth t;
    truth_init(&t);
    set_truth(&t, logit, is_beta, &g->map);
    const ckda_status status =
        is_beta
            ? ckda_gates_beta(&v->rounded, logit, &g->map, g->format, CKDA_GATES_ONCE)
            : ckda_gates_alpha(&v->rounded, logit, &g->map, g->format, CKDA_GATES_ONCE);
    v->logit = rg_fmpq_text(logit);
    v->has_steps =
        (is_beta
             ? ckda_gates_beta(&v->steps, logit, &g->map, g->format, CKDA_GATES_STEPS)
             : ckda_gates_alpha(&v->steps, logit, &g->map, g->format, CKDA_GATES_STEPS))
        == CKDA_OK;
    if (status == CKDA_OK)
        describe(v, &t, g);
    else
        v->decided = CKDA_UNKNOWN;
    if (status != CKDA_OK)
        v->decimal = rg_arb_decimal(t.x);
    truth_clear(&t);
}

void
rg_gates_add_given(ckda_gates *g, const fmpq_t x, bool is_beta)
{
    ckda_gates_value *v = new_value(g, is_beta);
    truth t;
    truth_init(&t);
    t.rational = true;
    fmpq_set(t.q, x);
    arb_set_fmpq(t.x, x, PREC);
    v->rounded = ckda_fp_from_fmpq(x, g->format, &ckda_fp_rne);
    describe(v, &t, g);
    truth_clear(&t);
}

/* ---- two roundings of one beta ---------------------------------------------------------- */

/* S = alpha (1 - beta) S + beta */
static void
advance(fmpq_t S, const fmpq_t alpha, const fmpq_t beta)
{
    fmpq_t x;
    fmpq_init(x);
    fmpq_sub_si(x, beta, 1);
    fmpq_neg(x, x);
    fmpq_mul(x, x, alpha);
    fmpq_mul(S, S, x);
    fmpq_add(S, S, beta);
    fmpq_clear(x);
}

static slong
height(const fmpq_t q)
{
    const slong a = (slong)fmpz_bits(fmpq_numref(q)),
                b = (slong)fmpz_bits(fmpq_denref(q));
    return a > b ? a : b;
}

static void
compare(ckda_gates_compare *c, const fmpq_t alpha, const fmpq_t a, const fmpq_t b,
        uint64_t steps)
{
    fmpq_t S, R, d;
    fmpq_init(S);
    fmpq_init(R);
    fmpq_init(d);
    for (uint64_t t = 1; t <= steps; t++) {
        advance(S, alpha, a);
        advance(R, alpha, b);
        c->bits = height(S) > c->bits ? height(S) : c->bits;
        c->bits = height(R) > c->bits ? height(R) : c->bits;
        const uint64_t x = ckda_fp_from_fmpq(S, c->output, &ckda_fp_rne),
                       y = ckda_fp_from_fmpq(R, c->output, &ckda_fp_rne);
        if (x == y || c->first > 0)
            continue;
        c->first = t;
        c->first_a = rg_pattern_text(x, c->output);
        c->first_b = rg_pattern_text(y, c->output);
        fmpq_sub(d, R, S);
        c->difference = rg_fmpq_text(d);
    }
    fmpq_sub(d, R, S);
    c->last = rg_fmpq_decimal(d);
    fmpq_clear(S);
    fmpq_clear(R);
    fmpq_clear(d);
}

static ckda_status
round_beta(fmpq_t q, const fmpq_t beta, bool is_logit, const ckda_gates_map *m,
           const ckda_fp_format *f)
{
    uint64_t x = 0;
    ckda_status status = CKDA_OK;
    if (is_logit)
        status = ckda_gates_beta(&x, beta, m, f, CKDA_GATES_ONCE);
    else
        x = ckda_fp_from_fmpq(beta, f, &ckda_fp_rne);
    return status == CKDA_OK ? ckda_fp_get_fmpq(q, x, f) : status;
}

ckda_status
rg_gates_add_compare(ckda_gates *g, size_t value, const fmpq_t beta, bool is_logit,
                     const fmpq_t alpha, const ckda_gates_compare *proto, uint64_t steps)
{
    ckda_gates_compare c = *proto;
    fmpq_t a, b;
    fmpq_init(a);
    fmpq_init(b);
    ckda_status status = round_beta(a, beta, is_logit, &g->map, c.a);
    if (status == CKDA_OK)
        status = round_beta(b, beta, is_logit, &g->map, c.b);
    if (status == CKDA_OK) {
        c.value = value;
        c.alpha = rg_fmpq_text(alpha);
        compare(&c, alpha, a, b, steps);
        g->compare = flint_realloc(g->compare, (g->ncompares + 1) * sizeof *g->compare);
        g->compare[g->ncompares++] = c;
    }
    fmpq_clear(a);
    fmpq_clear(b);
    return status;
}
