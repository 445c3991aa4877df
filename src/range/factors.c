/* Gate factors of given inputs: in a tile, row i carries exp(G_i - G_a) and column j carries
 * exp(G_a - G_j), G the sums of log gates and a the anchor. */
#include "range_internal.h"

/* The largest and smallest factor seen.  lost: a factor became zero and took a visible term
 * of L with it. */
typedef struct {
    rg_value largest, smallest;
    bool any;
    slong chunk, row, col;
    ckda_truth lost;
} extremes;

static void
note(extremes *x, const rg_value *v, slong chunk, slong row, slong col)
{
    if (!x->any || rg_value_less(&x->largest, v) == CKDA_TRUE) {
        rg_value_set(&x->largest, v);
        if (x->lost != CKDA_TRUE) {
            x->chunk = chunk;
            x->row = row;
            x->col = col;
        }
    }
    if (!x->any || rg_value_less(v, &x->smallest) == CKDA_TRUE)
        rg_value_set(&x->smallest, v);
    x->any = true;
}

/* Where the products of gates start to count, for the tile that begins at token `start`:
 * the factor of token t is the product of gates (or sum of logs) after `anchor` up to t. */
static slong
anchor_of(const ckda_range_scheme *s, slong start, slong end)
{
    if (s->anchor == CKDA_ANCHOR_START || s->anchor == CKDA_ANCHOR_TOKEN)
        return start - 1;
    if (s->anchor == CKDA_ANCHOR_FIRST)
        return start;
    return start + s->tile / 2 < end ? start + s->tile / 2 : end - 1;
}

/* x = |product of the gates of channel a| (alpha), or the sum of its logs, over the tokens
 * after lo up to hi. */
static void
span(ckda_elem_t x, const rg_inputs *in, slong lo, slong hi, slong a,
     const ckda_field_struct *K)
{
    if (in->alpha)
        ckda_elem_one(x, K);
    else
        ckda_elem_zero(x, K);
    for (slong t = lo + 1; t <= hi; t++) {
        const ckda_elem_struct *g =
            in->gates + t * in->gate_width + (in->gate_width > 1 ? a : 0);
        if (in->alpha)
            ckda_elem_mul(x, x, g, K);
        else
            ckda_elem_add(x, x, g, K);
    }
    if (in->alpha)
        ckda_elem_abs(x, x, K);
}

/* x = exp(G_t - G_anchor) as a product, or G_t - G_anchor. */
static void
from_anchor(ckda_elem_t x, const rg_inputs *in, slong anchor, slong t, slong a,
            const ckda_field_struct *K)
{
    if (t >= anchor) {
        span(x, in, anchor, t, a, K);
        return;
    }
    span(x, in, t, anchor, a, K);
    if (in->alpha) {
        const ckda_status status = ckda_elem_inv(x, x, K);
        ckda_require(status == CKDA_OK, "a gate of zero");
    } else {
        ckda_elem_neg(x, x, K);
    }
}

/* v = exp(x) |key|, or x |key| for products. */
static void
factor_value(rg_value *v, const ckda_elem_t x, const ckda_elem_t key, const rg_inputs *in,
             const rg_ctx *c)
{
    if (in->alpha) {
        ckda_elem_t y;
        ckda_elem_init(y, c->K);
        ckda_elem_mul(y, x, key, c->K);
        rg_value_set_elem(v, y, c->K);
        ckda_elem_clear(y, c->K);
    } else if (ckda_elem_is_rational(x, c->K) && ckda_elem_is_rational(key, c->K)) {
        rg_value e, q;
        rg_value_init(&e);
        rg_value_init(&q);
        rg_value_set_elem(&e, x, c->K); /* |x| */
        rg_value_set_elem(&q, key, c->K);
        if (ckda_elem_sgn(x, c->K) < 0)
            fmpq_neg(e.q, e.q);
        rg_value_set_exp(v, q.q, e.q);
        rg_value_clear(&e);
        rg_value_clear(&q);
    } else {
        arb_t y, k;
        arb_init(y);
        arb_init(k);
        ckda_elem_get_arb(y, x, c->K, c->prec);
        ckda_elem_get_arb(k, key, c->K, c->prec);
        arb_exp(y, y, c->prec);
        arb_mul(y, y, k, c->prec);
        rg_value_set_ball(v, y);
        arb_clear(y);
        arb_clear(k);
    }
}

/* G_t of the channel from which token t's factors are measured with ANCHOR_TOKEN: the one
 * with the largest sum. */
static void
largest_channel(ckda_elem_t best, const rg_inputs *in, slong anchor, slong t,
                const ckda_field_struct *K)
{
    ckda_elem_t x;
    ckda_elem_init(x, K);
    from_anchor(best, in, anchor, t, 0, K);
    for (slong a = 1; a < in->gate_width; a++) {
        from_anchor(x, in, anchor, t, a, K);
        if (ckda_elem_cmp(x, best, K) > 0)
            ckda_elem_swap(x, best, K);
    }
    ckda_elem_clear(x, K);
}

/* One tile: tokens start .. end - 1, factors measured from `anchor`. */
typedef struct {
    const rg_inputs *in;
    const ckda_range_scheme *s;
    const rg_ctx *c;
    slong start, end, anchor;
    extremes *gate_up, *gate_down, *key_up, *key_down;
} tile;

/* x = 1 / x for products, - x for logs. */
static void
reverse(ckda_elem_t x, const rg_inputs *in, const ckda_field_struct *K)
{
    if (!in->alpha) {
        ckda_elem_neg(x, x, K);
        return;
    }
    const ckda_status status = ckda_elem_inv(x, x, K);
    ckda_require(status == CKDA_OK, "a gate of zero");
}

/* The factor of token t in channel a that is at most 1, as a product or a log. */
static void
down_factor(ckda_elem_t x, const tile *w, slong t, slong a)
{
    const ckda_field_struct *K = w->c->K;
    from_anchor(x, w->in, w->anchor, t, a, K);
    if (t < w->anchor)
        reverse(x, w->in, K);
    if (w->s->anchor != CKDA_ANCHOR_TOKEN)
        return;
    ckda_elem_t best;
    ckda_elem_init(best, K);
    largest_channel(best, w->in, w->anchor, t, K);
    if (w->in->alpha) {
        const ckda_status status = ckda_elem_div(x, x, best, K);
        ckda_require(status == CKDA_OK, "a gate of zero");
    } else {
        ckda_elem_sub(x, x, best, K);
    }
    ckda_elem_clear(best, K);
}

/* |beta_i k_i k_j exp(G_i - G_j)| in channel a, i > j: visible in L? */
static ckda_truth
term_is_visible(const tile *w, slong i, slong j, slong a)
{
    const rg_inputs *in = w->in;
    const ckda_field_struct *K = w->c->K;
    ckda_elem_t x, q;
    rg_value v;
    ckda_elem_init(x, K);
    ckda_elem_init(q, K);
    rg_value_init(&v);
    span(x, in, j, i, a, K);
    if (in->keys != NULL)
        ckda_elem_mul(q, in->keys + i * in->d + a, in->keys + j * in->d + a, K);
    else
        ckda_elem_set(q, in->gram + i * in->n + j, K);
    ckda_elem_mul(q, q, in->betas + i, K);
    factor_value(&v, x, q, in, w->c);
    const ckda_truth visible = rg_value_is_visible(&v, w->s->matrix);
    rg_value_clear(&v);
    ckda_elem_clear(x, K);
    ckda_elem_clear(q, K);
    return visible;
}

/* The factor v of token t has become zero (or may have): what goes with it?  Before the
 * anchor t stands for a column, from it on for a row. */
static void
note_lost(extremes *x, const rg_value *v, const ckda_fp_format *f, const tile *w, slong t,
          slong a)
{
    const ckda_truth zero = rg_value_vanishes(v, f, w->s->ftz);
    const slong from = t < w->anchor ? t + 1 : w->start, to = t < w->anchor ? w->end : t;
    if (zero == CKDA_FALSE || x->lost == CKDA_TRUE)
        return;
    for (slong p = from; p < to; p++) {
        const ckda_truth seen =
            p > t ? term_is_visible(w, p, t, a) : term_is_visible(w, t, p, a);
        if (seen == CKDA_TRUE && zero == CKDA_TRUE) {
            x->lost = CKDA_TRUE;
            x->chunk = t / w->s->length;
            x->row = t % w->s->length;
            x->col = a;
            return;
        }
        if (seen != CKDA_FALSE)
            x->lost = CKDA_UNKNOWN;
    }
}

static void
channel(const tile *w, slong t, slong a)
{
    const rg_inputs *in = w->in;
    const ckda_field_struct *K = w->c->K;
    const slong chunk = t / w->s->length, row = t % w->s->length;
    ckda_elem_t down, up, one;
    rg_value v;
    ckda_elem_init(down, K);
    ckda_elem_init(up, K);
    ckda_elem_init(one, K);
    ckda_elem_one(one, K);
    rg_value_init(&v);
    down_factor(down, w, t, a);
    ckda_elem_set(up, down, K);
    reverse(up, in, K);
    const ckda_elem_struct *key = in->keys != NULL ? in->keys + t * in->d + a : one;
    factor_value(&v, up, one, in, w->c);
    note(w->gate_up, &v, chunk, row, a);
    factor_value(&v, down, one, in, w->c);
    note(w->gate_down, &v, chunk, row, a);
    note_lost(w->gate_down, &v, w->s->gate, w, t, a);
    if (!ckda_elem_is_zero(key, K)) {
        factor_value(&v, up, key, in, w->c);
        note(w->key_up, &v, chunk, row, a);
        factor_value(&v, down, key, in, w->c);
        note(w->key_down, &v, chunk, row, a);
        note_lost(w->key_down, &v, w->s->factor, w, t, a);
    }
    rg_value_clear(&v);
    ckda_elem_clear(down, K);
    ckda_elem_clear(up, K);
    ckda_elem_clear(one, K);
}

static void
report(ckda_range_chunk *r, const char *name, const char *about, const ckda_fp_format *f,
       const extremes *x)
{
    ckda_range_item *i = rg_new_item(r, name, about, f);
    if (!x->any) {
        i->fits = CKDA_TRUE; /* all keys are zero */
        i->attained = true;
        i->integers_lost = CKDA_FALSE;
        i->largest.exact = rg_copy("0");
        i->largest.decimal = rg_copy("0");
        return;
    }
    rg_item_judge(i, &x->largest, &x->largest);
    i->integers_lost = CKDA_FALSE;
    rg_value_text(&i->smallest, &x->smallest);
    i->subnormal = rg_value_is_subnormal(&x->smallest, f);
    i->chunk = x->chunk;
    i->row = x->row;
    i->col = x->col;
    if (i->fits == CKDA_TRUE && x->lost == CKDA_TRUE)
        i->why = CKDA_BREAK_UNDERFLOW;
    if (x->lost != CKDA_FALSE)
        i->fits = ckda_truth_and(i->fits, x->lost == CKDA_TRUE ? CKDA_FALSE : x->lost);
}

static void
extremes_init(extremes *x)
{
    *x = (extremes){.lost = CKDA_FALSE};
    rg_value_init(&x->largest);
    rg_value_init(&x->smallest);
}

static void
extremes_clear(extremes *x)
{
    rg_value_clear(&x->largest);
    rg_value_clear(&x->smallest);
}

void
rg_factors_judge(ckda_range_chunk *r, const rg_inputs *in, const rg_ctx *c)
{
    const ckda_range_scheme *s = &r->scheme;
    const slong width = in->keys != NULL ? in->d : 1;
    extremes x[4];
    tile w = {.in = in,
              .s = s,
              .c = c,
              .gate_up = x,
              .gate_down = x + 1,
              .key_up = x + 2,
              .key_down = x + 3};
    for (int i = 0; i < 4; i++)
        extremes_init(x + i);
    for (slong first = 0; first < in->n; first += s->length) {
        const slong last = first + s->length < in->n ? first + s->length : in->n;
        for (w.start = first; w.start < last; w.start += s->tile) {
            w.end = w.start + s->tile < last ? w.start + s->tile : last;
            w.anchor = anchor_of(s, w.start, w.end);
            for (slong t = w.start; t < w.end; t++)
                for (slong a = 0; a < width; a++)
                    channel(&w, t, a);
        }
    }
    report(r, "gate up", "exp of the anchor's sum minus the token's", s->gate, x);
    report(r, "gate down", "exp of the token's sum minus the anchor's", s->gate, x + 1);
    report(r, "key up", "key entry times gate up", s->factor, x + 2);
    report(r, "key down", "key entry times gate down", s->factor, x + 3);
    for (int i = 0; i < 4; i++)
        extremes_clear(x + i);
}
