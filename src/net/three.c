/* Three layers [source: Thm 5]: a clock, a buffer of two blocks, an accumulator. */
#include "net_internal.h"

/* cos and sin of pi/m in K = Q(2 cos(2 pi / lcm(4, 2m))), which holds both. */
static void
clock_angle(ckda_field_t K, ckda_elem_t c, ckda_elem_t s, slong m)
{
    const ulong N = 2 * (ulong)m;
    ckda_field_init_cos(K, N % 4 == 0 ? N : 2 * N);
    ckda_elem_init(c, K);
    ckda_elem_init(s, K);
    ckda_status st = ckda_elem_set_cos(c, 1, N, K);
    if (st == CKDA_OK)
        st = ckda_elem_set_sin(s, 1, N, K);
    ckda_require(st == CKDA_OK, "the field holds cos and sin of pi/%ld", (long)m);
}

/* The 2m outputs q^T (cos(pi i/m), sin(pi i/m)), by running the clock. */
static ckda_mat_struct *
clock_outputs(const ckda_net_step *t, const ckda_mat_t initial, slong period,
              const ckda_field_t K)
{
    ckda_mat_struct *o = flint_malloc((size_t)period * sizeof *o);
    ckda_mat_t H;
    ckda_mat_init_set(H, initial, K);
    for (slong i = 0; i < period; i++) {
        ckda_mat_init(o + i, 1, 1, K);
        /* position i = 1, 2, ..., period reads number i mod period */
        ckda_net_recur(H, o + i, t, K);
    }
    for (slong i = period - 1; i > 0; i--)
        ckda_mat_swap(o + i, o + i - 1);
    ckda_mat_clear(H, K);
    return o;
}

/* Reflection along (-sin(phi/2), cos(phi/2)), phi = pi/m, after the gate (1, -1): the
 * turn by phi [source: Lemma 24].  The direction is 2 sin(phi/2) (-sin(phi/2),
 * cos(phi/2)) = (cos phi - 1, sin phi).  The query (3/5, 4/5) tells all 2m states apart.
 */
static void
add_clock(ckda_net *net, slong m)
{
    ckda_field_t K;
    ckda_elem_t c, s;
    clock_angle(K, c, s, m);
    ckda_net_head *head = net_add_head(net, "clock", true, 2, 1, 1, 1, K);
    ckda_mat_set_entry_si(head->initial, 0, 0, 1, K);
    net_lookup *l = net_last_lookup(net);
    l->kind = LOOKUP_LETTER;
    net_lookup_steps(net, l, 1);
    ckda_net_step *t = l->step;
    ckda_elem_set_si(t->beta, 2, K);
    ckda_elem_one(t->key + 1, K);
    ckda_elem_sub(t->key, c, t->key + 1, K);
    ckda_elem_set(t->key + 1, s, K);
    ckda_elem_set_si(t->gate + 1, -1, K);
    ckda_elem_set_frac(t->query, 3, 5, K);
    ckda_elem_set_frac(t->query + 1, 4, 5, K);
    const ckda_status st = ckda_net_step_ready(t, K);
    ckda_require(st == CKDA_OK, "the key of the clock is not zero");
    ckda_elem_clear(s, K);
    ckda_elem_clear(c, K);
    ckda_field_clear(K);
}

static void
add_buffer(ckda_net *net, slong m)
{
    const ckda_net_head clock = net->head[net->nheads - 1];
    const ckda_net_step *t = net_last_lookup(net)->step;
    ckda_mat_struct *o = clock_outputs(t, clock.initial, 2 * m, clock.K);
    net_add_head(net, "buffer", true, 2 * m, net->nletters > 0 ? net->nletters : 1, 1, 1,
                 net->Q);
    net_lookup *l = net_last_lookup(net);
    l->kind = LOOKUP_SLOT;
    const bool different = net_reader_init(&l->read, false, o, 2 * (uint32_t)m, clock.K);
    ckda_require(different, "two states of the clock look the same, m = %ld", (long)m);
}

/* ---- the accumulator -------------------------------------------------------------- */

/* H_0 = (1, ..., n), weights 1, B, B^2, ... with B = n + 1. */
static void
accumulate_group(ckda_net *net, ckda_net_head *head, net_blocks *b)
{
    ckda_elem_t power;
    ckda_elem_init(power, net->Q);
    ckda_elem_one(power, net->Q);
    for (slong i = 0; i < b->n; i++) {
        ckda_mat_set_entry_si(head->initial, i, 0, i + 1, net->Q);
        ckda_elem_set(b->weight + i, power, net->Q);
        ckda_elem_mul_si(power, power, b->n + 1, net->Q);
    }
    ckda_elem_clear(power, net->Q);
    net->decoder.kind = DECODE_DIGITS;
}

static void
accumulate_dfa(ckda_net *net, ckda_net_head *head, net_blocks *b)
{
    ckda_mat_set_entry_si(head->initial, net->dfa->start, 0, 1, net->Q);
    for (slong i = 0; i < b->n; i++)
        ckda_elem_set_si(b->weight + i, i, net->Q);
    net->decoder.kind = DECODE_STATE;
}

static void
accumulate_wfa(ckda_net *net, ckda_net_head *head, net_blocks *b)
{
    for (slong i = 0; i < b->n; i++) {
        ckda_elem_set(head->initial->entry + i, net->wfa->initial->entry + i, net->Q);
        ckda_elem_set(b->weight + i, net->wfa->final->entry + i, net->Q);
    }
    net->decoder.kind = DECODE_NUMBER;
}

void
net_add_accumulator(ckda_net *net, lookup_kind kind, ckda_factor_scheme scheme, slong N,
                    slong m)
{
    ckda_net_head *head = net_add_head(net, "accumulator", true, N, 1, 1, 1, net->Q);
    net_lookup *l = net_last_lookup(net);
    l->kind = kind;
    net_blocks_init(&l->blocks, net, scheme, N, m);
    net->block = m;
    if (net->kind == CKDA_NET_GROUP)
        accumulate_group(net, head, &l->blocks);
    else if (net->kind == CKDA_NET_DFA)
        accumulate_dfa(net, head, &l->blocks);
    else
        accumulate_wfa(net, head, &l->blocks);
}

ckda_status
net_make_three(ckda_net *net, const ckda_net_options *opt, ckda_error *err)
{
    slong n, N, m;
    if (net->kind == CKDA_NET_GROUP) {
        N = n = net->G->degree;
        m = ckda_factor_permutation_bound(n);
    } else if (net->kind == CKDA_NET_DFA) {
        N = n = net->dfa->states;
        m = ckda_factor_map_bound(n, opt->scheme);
    } else {
        n = net->wfa->n;
        N = opt->scheme == CKDA_FACTOR_PAPER ? 2 * n + 1 : 2 * n;
        m = ckda_factor_rational_bound(n, opt->scheme);
    }
    m = opt->block > 0 ? opt->block : m;
    if (m > 2000 || n > 4096) {
        ckda_error_set(err, "%ld states and blocks of %ld letters are too many", (long)n,
                       (long)m);
        return CKDA_E_UNABLE;
    }
    add_clock(net, m);
    add_buffer(net, m);
    net_add_accumulator(net, LOOKUP_BLOCK, opt->scheme, N, m);
    return CKDA_OK;
}
