/* The maps from logits to gates, as true numbers and as kernels compute them. */
#include "range_internal.h"

enum { START_PREC = 96, LAST_PREC = 8192 };

void
ckda_gates_map_init(ckda_gates_map *m)
{
    *m = (ckda_gates_map){.kind = CKDA_GATES_SIGNED, .eps_is_exp = true, .beta_scale = 2};
    fmpq_init(m->eps);
    fmpq_init(m->lower);
    fmpq_set_si(m->eps, -5, 1);
    fmpq_set_si(m->lower, -5, 1);
}

void
ckda_gates_map_clear(ckda_gates_map *m)
{
    fmpq_clear(m->eps);
    fmpq_clear(m->lower);
}

/* x = 1 / (1 + exp(-z)) */
static void
sigmoid(arb_t x, const fmpq_t z, slong prec)
{
    arb_set_fmpq(x, z, prec + 64);
    arb_neg(x, x);
    arb_exp(x, x, prec);
    arb_add_ui(x, x, 1, prec);
    arb_inv(x, x, prec);
}

static void
eps_arb(arb_t x, const ckda_gates_map *m, slong prec)
{
    arb_set_fmpq(x, m->eps, prec);
    if (m->eps_is_exp)
        arb_exp(x, x, prec);
}

void
ckda_gates_alpha_arb(arb_t x, const fmpq_t logit, const ckda_gates_map *m, slong prec)
{
    arb_t y;
    arb_init(y);
    if (m->kind == CKDA_GATES_SIGMOID) {
        sigmoid(x, logit, prec);
        arb_set_fmpq(y, m->lower, prec);
        arb_mul(x, x, y, prec);
        arb_exp(x, x, prec);
    } else if (m->kind == CKDA_GATES_EXACT) {
        arb_set_fmpq(x, logit, prec);
    } else {
        /* |alpha| = 1 - (1 - eps)(1 - |r|), 1 - |r| = 2 sigmoid(-|a|): no cancellation */
        fmpq_t z;
        fmpq_init(z);
        fmpq_abs(z, logit);
        fmpq_neg(z, z);
        sigmoid(x, z, prec);
        arb_mul_2exp_si(x, x, 1);
        eps_arb(y, m, prec);
        arb_sub_ui(y, y, 1, prec);
        arb_mul(x, x, y, prec);
        arb_add_ui(x, x, 1, prec);
        if (fmpq_sgn(logit) < 0)
            arb_neg(x, x);
        fmpq_clear(z);
    }
    arb_clear(y);
}

void
ckda_gates_beta_arb(arb_t x, const fmpq_t logit, const ckda_gates_map *m, slong prec)
{
    sigmoid(x, logit, prec);
    arb_mul_si(x, x, m->beta_scale, prec);
}

/* ---- the true value, rounded once --------------------------------------------------------- */

typedef void (*real_function)(arb_t, const fmpq_t, const ckda_gates_map *, slong);

/* A logit of 0 is the only one at which the value may be rational. */
static bool
at_zero(fmpq_t q, real_function f, const fmpq_t logit, const ckda_gates_map *m)
{
    if (m->kind == CKDA_GATES_EXACT && f == ckda_gates_alpha_arb) {
        fmpq_set(q, logit);
        return true;
    }
    if (!fmpq_is_zero(logit))
        return false;
    if (f == ckda_gates_beta_arb) {
        fmpq_set_si(q, m->beta_scale, 2);
        return true;
    }
    fmpq_set(q, m->eps);
    return m->kind == CKDA_GATES_SIGNED && !m->eps_is_exp;
}

/* Beyond +-4096 the value is closer to its end than any format here can tell, and sigmoid
 * and rounding are monotone: the logit may stand at +-4096. */
static void
clamp(fmpq_t z, const fmpq_t logit)
{
    fmpq_set(z, logit);
    if (fmpq_cmp_si(z, 4096) > 0)
        fmpq_set_si(z, 4096, 1);
    if (fmpq_cmp_si(z, -4096) < 0)
        fmpq_set_si(z, -4096, 1);
}

static ckda_status
round_once(uint64_t *x, real_function f, const fmpq_t logit, const ckda_gates_map *m,
           const ckda_fp_format *to)
{
    ckda_status status = CKDA_E_UNABLE;
    uint64_t y = 0;
    fmpq_t z;
    arb_t a;
    fmpq_init(z);
    arb_init(a);
    if (at_zero(z, f, logit, m)) {
        y = ckda_fp_from_fmpq(z, to, &ckda_fp_rne);
        status = CKDA_OK;
    } else {
        clamp(z, logit);
    }
    for (slong prec = START_PREC; status == CKDA_E_UNABLE && prec <= LAST_PREC;
         prec *= 2) {
        f(a, z, m, prec);
        status = ckda_fp_from_arb(&y, a, to, &ckda_fp_rne);
    }
    if (status == CKDA_OK)
        *x = y;
    arb_clear(a);
    fmpq_clear(z);
    return status;
}

/* ---- as kernels compute it ---------------------------------------------------------------- */

/* RN(g(z)) for one of the elementary functions; z is a pattern of f. */
typedef enum { EXP_OF_MINUS, TANH_OF_HALF } elementary;

static uint64_t
apply(elementary g, uint64_t z, const ckda_fp_format *f)
{
    uint64_t y;
    fmpq_t q;
    arb_t a;
    fmpq_init(q);
    arb_init(a);
    ckda_status status = ckda_fp_get_fmpq(q, z, f);
    ckda_require(status == CKDA_OK, "a logit that is not finite");
    /* exp(4096) and 1 - tanh(2048) are beyond every format */
    clamp(q, q);
    if (fmpq_is_zero(q)) {
        arb_set_si(a, g == EXP_OF_MINUS);
        status = ckda_fp_from_arb(&y, a, f, &ckda_fp_rne);
        ckda_require(status == CKDA_OK, "0 and 1 round");
    } else {
        status = CKDA_E_UNABLE;
    }
    for (slong prec = START_PREC; status != CKDA_OK; prec *= 2) {
        arb_set_fmpq(a, q, prec + 64);
        if (g == EXP_OF_MINUS) {
            arb_neg(a, a);
            arb_exp(a, a, prec);
        } else {
            arb_mul_2exp_si(a, a, -1);
            arb_tanh(a, a, prec);
        }
        status = ckda_fp_from_arb(&y, a, f, &ckda_fp_rne);
    }
    arb_clear(a);
    fmpq_clear(q);
    return y;
}

static uint64_t
constant(slong n, const ckda_fp_format *f)
{
    return ckda_fp_from_dyadic(n, 0, f, &ckda_fp_rne);
}

/* RN(1 / d); 1/inf = 0. */
static uint64_t
reciprocal(uint64_t d, const ckda_fp_format *f)
{
    fmpq_t q;
    fmpq_init(q);
    uint64_t y = 0;
    if (ckda_fp_get_fmpq(q, d, f) == CKDA_OK) {
        fmpq_inv(q, q);
        y = ckda_fp_from_fmpq(q, f, &ckda_fp_rne);
    }
    fmpq_clear(q);
    return y;
}

/* RN(1 / RN(1 + RN(exp(-z)))) */
static uint64_t
sigmoid_steps(uint64_t z, const ckda_fp_format *f)
{
    const uint64_t e = apply(EXP_OF_MINUS, z, f);
    return reciprocal(ckda_fp_add(constant(1, f), f, e, f, f, &ckda_fp_rne), f);
}

static uint64_t
mul(uint64_t x, uint64_t y, const ckda_fp_format *f)
{
    return ckda_fp_mul(x, f, y, f, f, &ckda_fp_rne);
}

/* RN(eps) */
static uint64_t
rounded_eps(const ckda_gates_map *m, const ckda_fp_format *f)
{
    uint64_t e = 0;
    ckda_status status = CKDA_E_UNABLE;
    arb_t x;
    fmpq_t eps;
    arb_init(x);
    fmpq_init(eps);
    fmpq_set(eps, m->eps);
    if (!m->eps_is_exp) {
        e = ckda_fp_from_fmpq(eps, f, &ckda_fp_rne);
        status = CKDA_OK;
    }
    for (slong prec = START_PREC; status != CKDA_OK; prec *= 2) {
        eps_arb(x, m, prec);
        status = ckda_fp_from_arb(&e, x, f, &ckda_fp_rne);
    }
    fmpq_clear(eps);
    arb_clear(x);
    return e;
}

/* RN(e + RN(RN(1 - e) |r|)), e = RN(eps). */
static uint64_t
signed_steps(uint64_t a, const ckda_gates_map *m, const ckda_fp_format *f,
             ckda_gates_how how)
{
    const bool negative = ckda_fp_is_negative(a, f) && a != f->sign;
    const uint64_t z = negative || a == f->sign ? a ^ f->sign : a;
    const uint64_t e = rounded_eps(m, f);
    uint64_t r;
    const uint64_t rest = ckda_fp_sub(constant(1, f), f, e, f, f, &ckda_fp_rne);
    if (how == CKDA_GATES_TANH)
        r = apply(TANH_OF_HALF, z, f);
    else
        r = ckda_fp_sub(mul(constant(2, f), sigmoid_steps(z, f), f), f, constant(1, f), f,
                        f, &ckda_fp_rne);
    const uint64_t y = ckda_fp_add(e, f, mul(rest, r, f), f, f, &ckda_fp_rne);
    return negative ? ckda_fp_neg(y, f) : y;
}

static uint64_t
sigmoid_gate_steps(uint64_t a, const ckda_gates_map *m, const ckda_fp_format *f)
{
    const uint64_t lower = ckda_fp_from_fmpq(m->lower, f, &ckda_fp_rne);
    const uint64_t g = mul(lower, sigmoid_steps(a, f), f);
    return apply(EXP_OF_MINUS, ckda_fp_neg(g, f), f);
}

ckda_status
ckda_gates_alpha(uint64_t *x, const fmpq_t logit, const ckda_gates_map *m,
                 const ckda_fp_format *f, ckda_gates_how how)
{
    if (how == CKDA_GATES_ONCE)
        return round_once(x, ckda_gates_alpha_arb, logit, m, f);
    if (m->kind == CKDA_GATES_EXACT
        || (how == CKDA_GATES_TANH && m->kind != CKDA_GATES_SIGNED))
        return CKDA_E_DOMAIN;
    const uint64_t a = ckda_fp_from_fmpq(logit, f, &ckda_fp_rne);
    if (!ckda_fp_is_finite(a, f))
        return CKDA_E_DOMAIN;
    *x = m->kind == CKDA_GATES_SIGNED ? signed_steps(a, m, f, how)
                                      : sigmoid_gate_steps(a, m, f);
    return CKDA_OK;
}

ckda_status
ckda_gates_beta(uint64_t *x, const fmpq_t logit, const ckda_gates_map *m,
                const ckda_fp_format *f, ckda_gates_how how)
{
    if (how == CKDA_GATES_ONCE)
        return round_once(x, ckda_gates_beta_arb, logit, m, f);
    const uint64_t b = ckda_fp_from_fmpq(logit, f, &ckda_fp_rne);
    if (how == CKDA_GATES_TANH || !ckda_fp_is_finite(b, f))
        return CKDA_E_DOMAIN;
    *x = mul(constant(m->beta_scale, f), sigmoid_steps(b, f), f);
    return CKDA_OK;
}
