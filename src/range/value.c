#include <stdlib.h>
#include <string.h>

#include "range_internal.h"

enum { START_PREC = 128 };

void
rg_value_init(rg_value *v)
{
    v->kind = RG_EXP;
    fmpq_init(v->q);
    fmpq_init(v->e);
    v->K = NULL;
    arb_init(v->ball);
}

/* Back to zero. */
static void
reset(rg_value *v)
{
    if (v->kind == RG_ELEM)
        ckda_elem_clear(v->elem, v->K);
    v->kind = RG_EXP;
    v->K = NULL;
    fmpq_zero(v->q);
    fmpq_zero(v->e);
}

void
rg_value_clear(rg_value *v)
{
    reset(v);
    fmpq_clear(v->q);
    fmpq_clear(v->e);
    arb_clear(v->ball);
}

void
rg_value_set(rg_value *v, const rg_value *w)
{
    if (v == w)
        return;
    reset(v);
    fmpq_set(v->q, w->q);
    fmpq_set(v->e, w->e);
    arb_set(v->ball, w->ball);
    if (w->kind == RG_ELEM) {
        ckda_elem_init(v->elem, w->K);
        ckda_elem_set(v->elem, w->elem, w->K);
    }
    v->K = w->K;
    v->kind = w->kind;
}

void
rg_value_set_fmpq(rg_value *v, const fmpq_t q)
{
    reset(v);
    fmpq_abs(v->q, q);
}

void
rg_value_set_exp(rg_value *v, const fmpq_t q, const fmpq_t e)
{
    reset(v);
    fmpq_abs(v->q, q);
    if (!fmpq_is_zero(v->q))
        fmpq_set(v->e, e);
}

void
rg_value_set_elem(rg_value *v, const ckda_elem_t x, const ckda_field_t K)
{
    reset(v);
    if (ckda_elem_is_rational(x, K)) {
        fmpq_poly_t f;
        fmpq_poly_init(f);
        ckda_elem_get_fmpq_poly(f, x, K);
        fmpq_poly_get_coeff_fmpq(v->q, f, 0);
        fmpq_abs(v->q, v->q);
        fmpq_poly_clear(f);
        return;
    }
    ckda_elem_init(v->elem, K);
    ckda_elem_abs(v->elem, x, K);
    v->K = K;
    v->kind = RG_ELEM;
}

void
rg_value_set_ball(rg_value *v, const arb_t x)
{
    reset(v);
    arb_abs(v->ball, x);
    v->kind = RG_BALL;
}

void
rg_value_get_arb(arb_t x, const rg_value *v, slong prec)
{
    if (v->kind == RG_BALL) {
        arb_set(x, v->ball);
    } else if (v->kind == RG_ELEM) {
        ckda_elem_get_arb(x, v->elem, v->K, prec);
    } else {
        arb_set_fmpq(x, v->q, prec);
        if (!fmpq_is_zero(v->e)) {
            arb_t e;
            arb_init(e);
            arb_set_fmpq(e, v->e, prec + 64);
            arb_exp(e, e, prec);
            arb_mul(x, x, e, prec);
            arb_clear(e);
        }
    }
}

/* The loop ends: an irrational number (RG_ELEM by its kind, q exp(e) with e != 0 because it
 * is transcendental) is no boundary of a format. */
ckda_status
rg_value_round(uint64_t *x, const rg_value *v, const ckda_fp_format *f,
               const ckda_fp_rule *rule)
{
    if (v->kind == RG_EXP && fmpq_is_zero(v->e)) {
        *x = ckda_fp_from_fmpq(v->q, f, rule);
        return CKDA_OK;
    }
    if (v->kind == RG_BALL)
        return ckda_fp_from_arb(x, v->ball, f, rule);
    ckda_status status = CKDA_E_UNABLE;
    arb_t a;
    arb_init(a);
    for (slong prec = START_PREC; status != CKDA_OK; prec *= 2) {
        rg_value_get_arb(a, v, prec);
        status = ckda_fp_from_arb(x, a, f, rule);
    }
    arb_clear(a);
    return CKDA_OK;
}

/* Are v and w the same number, as far as their forms tell? */
static bool
same(const rg_value *v, const rg_value *w)
{
    if (v->kind != w->kind || v->kind == RG_BALL)
        return false;
    if (v->kind == RG_ELEM)
        return v->K == w->K && ckda_elem_equal(v->elem, w->elem, v->K);
    return fmpq_equal(v->q, w->q) && fmpq_equal(v->e, w->e);
}

/* Two exact numbers that are not written alike are different (an irrational element is not
 * q exp(e), and q exp(e) = q' exp(e') needs e = e', q = q'), so the loop ends. */
ckda_truth
rg_value_less(const rg_value *v, const rg_value *w)
{
    if (same(v, w))
        return CKDA_FALSE;
    if (v->kind == RG_EXP && w->kind == RG_EXP && fmpq_equal(v->e, w->e))
        return fmpq_cmp(v->q, w->q) < 0 ? CKDA_TRUE : CKDA_FALSE;
    ckda_truth answer = CKDA_UNKNOWN;
    const bool ends = v->kind != RG_BALL && w->kind != RG_BALL;
    arb_t a, b;
    arb_init(a);
    arb_init(b);
    for (slong prec = START_PREC; answer == CKDA_UNKNOWN; prec *= 2) {
        rg_value_get_arb(a, v, prec);
        rg_value_get_arb(b, w, prec);
        if (arb_lt(a, b))
            answer = CKDA_TRUE;
        else if (arb_ge(a, b))
            answer = CKDA_FALSE;
        else if (!ends && prec > 8 * START_PREC)
            break;
    }
    arb_clear(a);
    arb_clear(b);
    return answer;
}

/* "3432", "3/4*exp(80)". */
static char *
exp_text(const rg_value *v)
{
    char *q = rg_fmpq_text(v->q);
    if (fmpq_is_zero(v->e))
        return q;
    char *e = rg_fmpq_text(v->e);
    const size_t size = strlen(q) + strlen(e) + 16;
    char *text = flint_malloc(size);
    if (fmpq_is_one(v->q))
        snprintf(text, size, "exp(%s)", e);
    else
        snprintf(text, size, "%s*exp(%s)", q, e);
    flint_free(q);
    flint_free(e);
    return text;
}

void
rg_value_text(ckda_range_number *n, const rg_value *v)
{
    arb_t a;
    arb_init(a);
    rg_value_get_arb(a, v, START_PREC);
    n->decimal = rg_arb_decimal(a);
    arb_clear(a);
    n->exact = NULL;
    if (v->kind == RG_EXP) {
        n->exact = exp_text(v);
    } else if (v->kind == RG_ELEM) {
        char *text = ckda_elem_str(v->elem, v->K);
        n->exact = rg_copy(text);
        free(text);
    }
}

ckda_truth
rg_value_fits(const rg_value *v, const ckda_fp_format *f)
{
    uint64_t x;
    if (rg_value_round(&x, v, f, &ckda_fp_rne) == CKDA_OK)
        return ckda_fp_is_finite(x, f) ? CKDA_TRUE : CKDA_FALSE;
    /* A ball about a boundary between two finite values fits all the same. */
    uint64_t low, high;
    arf_t end;
    arb_t a, b;
    ckda_truth fits = CKDA_UNKNOWN;
    arf_init(end);
    arb_init(a);
    arb_init(b);
    arb_get_ubound_arf(end, v->ball, START_PREC);
    arb_set_arf(b, end);
    arb_get_lbound_arf(end, v->ball, START_PREC);
    arb_set_arf(a, end);
    if (ckda_fp_from_arb(&high, b, f, &ckda_fp_rne) == CKDA_OK
        && ckda_fp_from_arb(&low, a, f, &ckda_fp_rne) == CKDA_OK) {
        if (ckda_fp_is_finite(high, f))
            fits = CKDA_TRUE;
        else if (!ckda_fp_is_finite(low, f))
            fits = CKDA_FALSE;
    }
    arb_clear(a);
    arb_clear(b);
    arf_clear(end);
    return fits;
}

ckda_truth
rg_value_vanishes(const rg_value *v, const ckda_fp_format *f, bool flush)
{
    uint64_t x;
    ckda_fp_rule rule = ckda_fp_rne;
    if (flush) {
        rule.flush = CKDA_FP_FLUSH_AFTER;
        rule.flush_exp = CKDA_FP_EMIN;
    }
    if (rg_value_round(&x, v, f, &rule) != CKDA_OK)
        return CKDA_UNKNOWN;
    return ckda_fp_classify(x, f) == CKDA_FP_ZERO ? CKDA_TRUE : CKDA_FALSE;
}

bool
rg_value_is_subnormal(const rg_value *v, const ckda_fp_format *f)
{
    uint64_t x;
    return rg_value_round(&x, v, f, &ckda_fp_rne) == CKDA_OK
           && ckda_fp_classify(x, f) <= CKDA_FP_SUBNORMAL;
}

ckda_truth
rg_value_is_visible(const rg_value *v, const ckda_fp_format *f)
{
    rg_value limit;
    rg_value_init(&limit);
    fmpq_one(limit.q);
    fmpq_div_2exp(limit.q, limit.q, (ulong)f->precision);
    const ckda_truth visible = rg_value_less(&limit, v);
    rg_value_clear(&limit);
    return visible;
}

ckda_truth
rg_value_loses_integers(const rg_value *v, const ckda_fp_format *f)
{
    rg_value limit;
    rg_value_init(&limit);
    fmpq_one(limit.q);
    fmpq_mul_2exp(limit.q, limit.q, (ulong)f->precision);
    const ckda_truth lost = rg_value_less(&limit, v);
    rg_value_clear(&limit);
    return lost;
}
