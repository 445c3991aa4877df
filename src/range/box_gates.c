/* Gate factors for all gates of a box: exp(t bound) and exp(-t bound). */
#include "range_internal.h"

/* The largest t with: a token t steps of gates away from its anchor, in either direction. */
static slong
most_steps(const ckda_range_scheme *s)
{
    switch (s->anchor) {
    case CKDA_ANCHOR_FIRST:
        return s->tile - 1;
    case CKDA_ANCHOR_MIDDLE:
        return s->tile / 2;
    default:
        return s->tile;
    }
}

/* How many tokens a witness needs for t steps. */
static slong
tokens_for(const ckda_range_scheme *s, slong t)
{
    switch (s->anchor) {
    case CKDA_ANCHOR_FIRST:
        return t + 1;
    case CKDA_ANCHOR_MIDDLE:
        return s->tile / 2 + 1;
    default:
        return t;
    }
}

/* norm * exp(+- t |gate_bound|) */
static void
gate_factor(rg_value *v, const ckda_range_chunk *r, slong t, bool up, bool key)
{
    fmpq_t e, one;
    fmpq_init(e);
    fmpq_init(one);
    fmpq_one(one);
    fmpq_mul_si(e, r->gate_bound, up ? -t : t);
    rg_value_set_exp(v, key ? r->norm_max : one, e);
    fmpq_clear(e);
    fmpq_clear(one);
}

static ckda_truth
gate_breaks(const ckda_range_chunk *r, const ckda_range_item *i, slong t, bool up,
            bool key)
{
    rg_value v;
    rg_value_init(&v);
    gate_factor(&v, r, t, up, key);
    ckda_truth answer = up ? rg_value_fits(&v, i->format)
                           : rg_value_vanishes(&v, i->format, r->scheme.ftz);
    if (up && answer != CKDA_UNKNOWN)
        answer = answer == CKDA_TRUE ? CKDA_FALSE : CKDA_TRUE;
    rg_value_clear(&v);
    return answer;
}

/* |log gate| at which t steps reach the edge: ln(edge / norm) / t, for people. */
static char *
bound_that_fits(const ckda_range_chunk *r, const ckda_fp_format *f, slong t, bool up,
                bool key)
{
    int e = f->emin - (r->scheme.ftz ? 0 : f->precision);
    fmpq_t edge;
    arb_t x;
    if (t == 0)
        return NULL;
    fmpq_init(edge);
    fmpq_one(edge);
    arb_init(x);
    if (up) {
        fmpq_t half;
        fmpq_init(half);
        fmpq_one(half);
        ckda_status status = ckda_fp_get_fmpq(edge, f->largest, f);
        if (status == CKDA_OK)
            status = ckda_fp_ulp(&e, f->largest, f);
        ckda_require(status == CKDA_OK, "the largest value of %s", f->name);
        if (e > 0)
            fmpq_mul_2exp(half, half, (ulong)e - 1);
        else
            fmpq_div_2exp(half, half, 1 - (ulong)e);
        fmpq_add(edge, edge, half);
        fmpq_clear(half);
    } else {
        fmpq_div_2exp(edge, edge, (ulong)-e);
    }
    if (key)
        fmpq_div(edge, edge, r->norm_max);
    arb_set_fmpq(x, edge, 128);
    arb_log(x, x, 128);
    arb_div_si(x, x, up ? t : -t, 128);
    char *text = rg_arb_decimal(x);
    arb_clear(x);
    fmpq_clear(edge);
    return text;
}

/* The term of L that is lost with a factor of zero: beta norm^2 rho exp(log_gate). */
static ckda_truth
is_visible(const ckda_range_chunk *r, const fmpq_t log_gate)
{
    rg_value v;
    fmpq_t q;
    rg_value_init(&v);
    fmpq_init(q);
    fmpq_mul(q, r->norm_max, r->norm_max);
    fmpq_mul(q, q, r->beta_max);
    fmpq_mul(q, q, r->correlation_max);
    rg_value_set_exp(&v, q, log_gate);
    const ckda_truth visible = rg_value_is_visible(&v, r->scheme.matrix);
    fmpq_clear(q);
    rg_value_clear(&v);
    return visible;
}

static void
set_shortest(ckda_range_item *i, const ckda_range_chunk *r, slong tokens, slong open)
{
    rg_witness_set(&i->shortest, tokens, r->beta_max, r);
    i->shortest.gated = true;
    i->shortest.open = open;
    fmpq_set(i->shortest.log_gate, r->gate_bound);
}

static void
judge_up(ckda_range_item *i, const ckda_range_chunk *r, slong steps, bool key)
{
    const ckda_truth bad = gate_breaks(r, i, steps, true, key);
    i->fits = bad == CKDA_TRUE ? CKDA_FALSE : CKDA_TRUE;
    if (bad != CKDA_TRUE)
        return;
    slong t = key ? 0 : 1;
    while (t < steps && gate_breaks(r, i, t, true, key) != CKDA_TRUE)
        t++;
    i->why = CKDA_BREAK_OVERFLOW;
    set_shortest(i, r, t > 0 ? tokens_for(&r->scheme, t) : 1, -1);
}

/* A factor of zero loses terms of L.  With t gates at the bound and one gate of 1 between
 * the two tokens the term is beta norm^2 rho; if all gates are needed to reach zero, it is
 * exp(bound) times that. */
static void
judge_down(ckda_range_item *i, const ckda_range_chunk *r, slong steps, bool key)
{
    const ckda_range_scheme *s = &r->scheme;
    fmpq_t none;
    slong t = 1;
    i->fits = CKDA_TRUE;
    if (s->tile < 2 || gate_breaks(r, i, steps, false, key) != CKDA_TRUE)
        return;
    while (t < steps && gate_breaks(r, i, t, false, key) != CKDA_TRUE)
        t++;
    fmpq_init(none);
    const bool spare = t < steps;
    const ckda_truth visible = is_visible(r, spare ? none : r->gate_bound);
    fmpq_clear(none);
    if (visible != CKDA_TRUE) {
        i->fits = spare ? CKDA_TRUE : CKDA_UNKNOWN;
        return;
    }
    i->fits = CKDA_FALSE;
    i->why = CKDA_BREAK_UNDERFLOW;
    const slong tokens = tokens_for(s, spare ? t + 1 : t);
    /* the open gate: of the last token, or of the second where the anchor lies behind */
    const slong open = s->anchor == CKDA_ANCHOR_MIDDLE ? 1 : tokens - 1;
    set_shortest(i, r, tokens, spare ? open : -1);
}

static void
judge_gate(ckda_range_chunk *r, const char *name, const char *about, bool up, bool key)
{
    const slong steps = most_steps(&r->scheme);
    ckda_range_item *i =
        rg_new_item(r, name, about, key ? r->scheme.factor : r->scheme.gate);
    rg_value far, near;
    rg_value_init(&far);
    rg_value_init(&near);
    gate_factor(&far, r, steps, up, key);
    gate_factor(&near, r, 0, up, key);
    rg_value_text(&i->largest, up ? &far : &near);
    rg_value_text(&i->smallest, up ? &near : &far);
    i->attained = true;
    i->subnormal = rg_value_is_subnormal(up ? &near : &far, i->format);
    i->bound_that_fits = bound_that_fits(r, i->format, steps, up, key);
    if (up)
        judge_up(i, r, steps, key);
    else
        judge_down(i, r, steps, key);
    rg_value_clear(&far);
    rg_value_clear(&near);
}

void
rg_box_gates_judge(ckda_range_chunk *r)
{
    judge_gate(r, "gate up", "exp of the anchor's sum minus the token's", true, false);
    judge_gate(r, "gate down", "exp of the token's sum minus the anchor's", false, false);
    judge_gate(r, "key up", "key entry times gate up", true, true);
    judge_gate(r, "key down", "key entry 1 (or the largest) times gate down", false,
               true);
}
